package nvue_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/nvue"
)

// A shell begins a remark at a # that begins a word, and nowhere else.
func TestRemarks(t *testing.T) {
	for text, name := range map[string]string{
		"nv set system hostname leaf # of rack 1\n": "leaf", "nv set system hostname leaf#1\n": "leaf#1", "nv set system hostname '#1' # x\n": "#1", "nv set system hostname \"a # b\"\n": "a # b",
		"nv set system\thostname\tleaf\t# x\n": "leaf",
	} {
		sw, found := readtest.Switch(nvue.Format(), "x", []byte(text))
		if len(found) > 0 || len(sw.Names) != 1 || sw.Names[0] != name {
			t.Errorf("%q: %q, want %q; %v", text, sw.Names, name, found)
		}
	}
}

// Commands of a session stand behind its prompt, which is whatever ends in "$ nv "; scripts set options of their shell
// before them. What is no command is told.
func TestPrompts(t *testing.T) {
	for text, name := range map[string]string{
		"cumulus@leaf:mgmt:~$ nv set system hostname a\n": "a", "set -e\nnv set system hostname b\nnv config apply\n": "b",
		"# a remark\nx$ nv set system hostname c\n": "c", "nv set system hostname d\nnv unset system hostname\nnv set system hostname e\n": "e",
	} {
		sw, found := readtest.Switch(nvue.Format(), "x", []byte(text))
		if len(found) > 0 || len(sw.Names) != 1 || sw.Names[0] != name {
			t.Errorf("%q: %q, want %q; %v", text, sw.Names, name, found)
		}
	}
	for _, text := range []string{"nv set system hostname a\nnv list system\n", "nv set system hostname a\nx nv set system hostname b\n", "nv set system hostname a\nnv\n"} {
		if _, found := readtest.Switch(nvue.Format(), "x", []byte(text)); len(found) != 1 || found[0].Code != nvue.Shape || found[0].Subject.Start.Line != 2 {
			t.Errorf("%q: %v", text, found)
		}
	}
}
