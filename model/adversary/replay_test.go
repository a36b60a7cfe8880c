package adversary_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/plan"
)

// counterexample is that of UCloud's ToR with one cell less headroom than is needed.
func counterexample(t testing.TB) string {
	t.Helper()
	cat := catalogue(t)
	sw := examples(t, cat)["ucloud-pod tor-01"]
	chip, _ := cat.Find(sw.Chip)
	report, _ := search(t, sw, chip, 1)
	result := attack(t, shorten(t, sw, chip, report, 1), 0, sw.PausedPGs)
	text := must.Get(result.Found.Marshal())(t)
	return string(text)
}

// A counterexample in which a sender breaks a rule is refused, with the packet and why.
func TestReplayRefuses(t *testing.T) {
	text := counterexample(t)
	must.Get(adversary.Replay([]byte(text)))(t)
	for _, c := range []struct{ was, is, why string }{
		{`"count": 91`, `"count": 92`, "is paused"}, // one more packet before the last
		{`"count": 91`, `"count": 90`, "no packet was lost"},
		{`"headroom_cells": 97`, `"headroom_cells": 98`, "no packet was lost"},
		{`"schema": "roceplan/counterexample/1"`, `"schema": "x"`, "schema"},
		{`"kind": "arrive"`, `"kind": "vanish"`, "kind"},
		{`"bytes": 1216`, `"bytes": 12160`, "breaks the assumptions"},
		{`"attack"`, `"attacks"`, "unknown field"},
		{`"rate": 25000000000`, `"rate": 0`, "the speed of port"},
	} {
		changed := strings.Replace(text, c.was, c.is, 1)
		if changed == text {
			t.Errorf("%s is not in the counterexample", c.was)
			continue
		}
		if _, err := adversary.Replay([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s instead of %s: %v, want %q", c.is, c.was, err, c.why)
		}
	}
}

func FuzzReplay(f *testing.F) {
	f.Add([]byte(counterexample(f)))
	f.Add([]byte(`{"schema":"roceplan/counterexample/1","config":{"cell_bytes":1,"slices":1,"ports":[]},"ports":[],"events":[]}`))
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = adversary.Replay(text) })
}

// Packets per second of an attack on 96 ports.
func BenchmarkSearch(b *testing.B) {
	cat := catalogue(b)
	sw := examples(b, cat)["tomahawk5-ai-pod leaf-01"]
	chip, _ := cat.Find(sw.Chip)
	packets := int64(0)
	for b.Loop() {
		packets += searched(b, sw, chip)
	}
	b.ReportMetric(float64(packets)/b.Elapsed().Seconds(), "packets/s")
}

func searched(b *testing.B, sw *plan.Switch, chip *chips.Chip) int64 {
	_, result := search(b, sw, chip, 200_000)
	return result.Packets
}
