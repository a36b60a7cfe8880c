package nvue_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/readtest"
	"github.com/roceplan/roceplan/read/nvue"
)

// A shell begins a remark at a # that begins a word, and nowhere else.
func TestRemarks(t *testing.T) {
	for text, name := range map[string]string{
		"nv set system hostname leaf # of rack 1\n": "leaf", "nv set system hostname leaf#1\n": "leaf#1", "nv set system hostname '#1' # x\n": "#1", "nv set system hostname \"a # b\"\n": "a # b",
	} {
		sw, found := readtest.Switch(nvue.Format(), "x", []byte(text))
		if len(found) > 0 || len(sw.Names) != 1 || sw.Names[0] != name {
			t.Errorf("%q: %q, want %q; %v", text, sw.Names, name, found)
		}
	}
}
