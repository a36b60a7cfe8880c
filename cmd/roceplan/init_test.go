package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/disk"
)

// On a terminal init asks, and writes what new writes for the answers; without a number of GPUs it is the small fabric.
func TestInitAsks(t *testing.T) {
	for _, c := range []struct{ name, answers, want string }{
		{"answered", "64\n\nspectrum4\nsonic\n", "# 64 GPUs with a NIC of 400Gbps each: one switch."},
		{"defaults", "64\n\n\n\n", `chip     = "tomahawk5"`},
		{"nothing", "\n", string(startingFile)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, asked bytes.Buffer
			file := filepath.Join(t.TempDir(), "fabric.hcl")
			term := &terminal{Context: t.Context(), in: strings.NewReader(c.answers), out: bufio.NewWriter(&out), err: &asked, tty: &asked, disk: disk.System{}, asks: true}
			if err := (initCmd{file}).Run(term); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			check(t, err)
			if !strings.Contains(string(text), c.want) {
				t.Errorf("%q is not in\n%s", c.want, text)
			}
			if !strings.HasPrefix(asked.String(), "How many GPUs") {
				t.Errorf("asked %q", asked.String())
			}
		})
	}
}
