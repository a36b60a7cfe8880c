package adversary

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/mmu"
)

// A counterexample is written with names as they are, a space for each depth. One of a rule that has no name is not.
func TestMarshal(t *testing.T) {
	g := box(t, nil)
	c := &Counterexample{Schema: Schema, Attack: "<a> & b", Config: g.sw.Config, Ports: g.sw.Ports}
	text, err := c.Marshal()
	if want := "{\n \"schema\": \"roceplan/counterexample/1\",\n \"attack\": \"<a> & b\",\n \"config\": {\n  \"cell_bytes\": 100,\n"; err != nil || !strings.HasPrefix(string(text), want) {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	c.Config.Rules.Pause = mmu.OnExcess + 1
	if _, err := c.Marshal(); err == nil {
		t.Error("a rule without a name is written")
	}
}
