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
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/verify"
)

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
