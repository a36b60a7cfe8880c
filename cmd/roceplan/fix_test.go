package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// What an edit makes of a formatted text is formatted; a text that its author wrote otherwise stays as it is elsewhere.
func TestEditsAreFormatted(t *testing.T) {
	const formatted = "switch \"leaf\" {\n  chip = \"tomahawk3\"\n  os   = eos\n}\n"
	for text, want := range map[string]string{
		formatted: "switch \"leaf\" {\n  lossy_alpha = \"1/64\"\n  chip        = \"tomahawk3\"\n  os          = eos\n}\n",
		"switch \"leaf\" {\n  chip=\"tomahawk3\"\n}\n": "switch \"leaf\" {\n  lossy_alpha = \"1/64\"\n  chip=\"tomahawk3\"\n}\n",
	} {
		file := filepath.Join(t.TempDir(), "fabric.hcl")
		check(t, os.WriteFile(file, []byte(text), 0o600))
		at := diag.Top(file)
		at.Start.Byte, at.End.Byte = len("switch \"leaf\" {\n"), len("switch \"leaf\" {\n")
		term := &terminal{Context: t.Context(), disk: disk.System{}}
		check(t, applyEdits(term, diag.Sources{file: []byte(text)}, []diag.Edit{{Range: at, Text: "  lossy_alpha = \"1/64\"\n"}}))
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A fabric with a conditional verdict is proved once the author agrees to all edits of check --fix. Each is asked about
// once, and the file stays as it was if all are declined.
func TestFixProves(t *testing.T) {
	const example = "../../examples/tomahawk5-ai-pod/fabric.hcl"
	text, err := os.ReadFile(example)
	check(t, err)
	text = regexp.MustCompile(`(?m)^.*pause_response.*\n`).ReplaceAll(text, nil) // which makes it conditional
	for _, c := range []struct {
		answer string
		want   verify.Verdict
	}{{"y\n", verify.Proved}, {"n\n", verify.Conditional}} {
		file := filepath.Join(t.TempDir(), "fabric.hcl")
		check(t, os.WriteFile(file, text, 0o600))
		var out, asked bytes.Buffer
		term := &terminal{Context: t.Context(), in: strings.NewReader(strings.Repeat(c.answer, 100)), out: bufio.NewWriter(&out), err: &asked, tty: &asked, disk: disk.System{}, asks: true}
		check(t, checkCmd{Files: []string{file}, Format: "text", fixFlags: fixFlags{Fix: true}}.Run(term))
		after, err := os.ReadFile(file)
		check(t, err)
		got, err := roceplan.Compile(t.Context(), roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: file, Text: after}}}), roceplan.CompileOptions{})
		check(t, err)
		if got.Verdict() != c.want || (string(after) == string(text)) != (c.want == verify.Conditional) {
			t.Errorf("after %q the verdict is %v:\n%s", c.answer, got.Verdict(), asked.String())
		}
		questions := map[string]bool{}
		for line := range strings.Lines(asked.String()) {
			if strings.Contains(line, " = declare it if it is so: ") || strings.Contains(line, " = pay for it: ") {
				if questions[line] {
					t.Errorf("asked again: %s", line)
				}
				questions[line] = true
			}
		}
		if len(questions) == 0 {
			t.Errorf("nothing was asked: %s", asked.String())
		}
	}
}

// New writes EOS the threshold of lossy groups with which lossless queues mark before they pause, which EOS has no pool to keep:
// nothing but what EOS decides itself is found then, and nothing that the proof asks for fails.
func TestNewOfEOSLeavesRoom(t *testing.T) {
	catalogue, _ := chips.Load()
	term := &terminal{Context: t.Context(), disk: disk.System{}}
	w := design.Wish{Hosts: 96, NIC: 100 * units.Gbps, Leaf: "tomahawk3", Spine: "tomahawk3", OS: "eos"}
	d, err := drafted(term, "fabric.hcl", w, catalogue)
	check(t, err)
	for _, f := range d.Findings {
		if strings.Contains(f.Message, "before their queues mark") {
			t.Errorf("%s", f.Message)
		}
	}
	if !strings.Contains(d.HCL, `lossy_alpha = "1/128"`) || !strings.Contains(d.HCL, "purpose        = storage") {
		t.Errorf("%s", d.HCL)
	}
}
