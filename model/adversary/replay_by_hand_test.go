package adversary

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
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

// What is no counterexample, or none that could have been played, is refused with what is wrong.
func TestReplayRefusesByHand(t *testing.T) {
	for _, c := range []struct {
		change func(c *Counterexample)
		fault  string
	}{
		{func(*Counterexample) {}, "no packet was lost"},
		{func(c *Counterexample) { c.Schema = "x" }, `the schema is "x", this program reads "roceplan/counterexample/1"`},
		{func(c *Counterexample) { c.Config = nil }, "a configuration with as many ports as there are links is missing"},
		{func(c *Counterexample) { c.Ports = c.Ports[1:] }, "a configuration with as many ports as there are links is missing"},
		{func(c *Counterexample) { c.Config.CellBytes = 0 }, "cell"},
		{func(c *Counterexample) { c.Events[1].Kind = "vanish" }, `event 1 is of kind "vanish"`},
		{func(c *Counterexample) { c.Events[0].Count, c.Events[1].Count = 1<<28, 1 }, "more than 268435456 packets"},
		{func(c *Counterexample) { c.Events[0].Count, c.Events[1].Count = 1<<28, 0 }, "event 0, packet 24: "}, // none of none
		{func(c *Counterexample) { c.Events[0].Count, c.Events[1].Count = -1, 1<<28+1 }, "more than 268435456 packets"},
		{func(c *Counterexample) { c.Ports[2].Link.LosslessFrame = 981 }, "the link of port 2 is"},
		{func(c *Counterexample) { c.Events[0].In = 7 }, "event 0: ports 7 and 1: there are ports 0 to 2"},
		{func(c *Counterexample) { c.Events[1].At = 1 }, "event 1, packet 0: at 1 ps the wire of p0 is busy until"},
	} {
		g := box(t, nil)
		for range 2 {
			g.send(target{port: 0, out: 1}.packet(64))
			g.now += 1_000_000
		}
		own := &Counterexample{Schema: Schema, Config: g.sw.Config, Ports: g.sw.Ports, Events: g.events}
		c.change(own)
		text := must.Get(own.Marshal())(t)
		if _, err := Replay(text); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%v, want %q", err, c.fault)
		}
	}
	for text, fault := range map[string]string{
		"{": "this is not a counterexample: unexpected EOF", `{"attacks": ""}`: `this is not a counterexample: json: unknown field "attacks"`,
	} {
		if r, err := Replay([]byte(text)); r != nil || err == nil || err.Error() != fault {
			t.Errorf("%v, want %q", err, fault)
		}
	}
}
