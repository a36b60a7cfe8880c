package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// lossyAcross sends 1 MB from each host across links that lose one packet in a hundred, sprayed
// and placed.
func lossyAcross(t *testing.T, seed int, selective bool) float64 {
	t.Helper()
	sc := statementFabric(seed, "none", balance.Config{Mode: balance.Spray})
	sc.Transport.Selective, sc.Transport.AckTimeout, sc.Transport.Retries = selective, 100*units.Microsecond, 50
	for i := range sc.Links {
		if sc.Nodes[sc.Links[i].A] == Switch {
			sc.Links[i].ErrorRate = 0.01
		}
	}
	sc.across(units.MB, 1)
	s := must.Get(newEngine(sc.draw()))(t)
	for s.steps(1<<62, 10_000) {
		audit(t, s)
	}
	if r := s.result(sc); r.UnfinishedFlows > 0 {
		t.Fatalf("%d flows unfinished", r.UnfinishedFlows)
	}
	sent := 0.
	for i := range s.ports {
		if tier(s, int32(i)) == fromHost {
			sent += float64(s.ports[i].sent)
		}
	}
	const once = statementHosts * 1000 * (1048 + 60)
	return sent / once
}

// What is lost is sent again, and little else: two links of a way lose 2 % of the packets, two
// of the way back as many acknowledgements, for which packets are sent for nothing. Who goes back
// sends most packets twice.
func TestSelective(t *testing.T) {
	for seed := range 3 {
		sent, back := lossyAcross(t, seed, true), lossyAcross(t, seed, false)
		if sent < 1.01 || sent > 1.06 || back < 1.5 {
			t.Errorf("seed %d: %.3f times what was to be sent, going back %.3f times", seed, sent, back)
		}
	}
}

// Without loss, nothing is sent twice, whatever overtakes what.
func TestSelectiveLossless(t *testing.T) {
	run := func(selective bool) *Result {
		sc := statementFabric(1, "dcqcn", balance.Config{Mode: balance.Spray})
		sc.Transport.Selective, sc.Transport.AckTimeout, sc.Transport.Retries = selective, units.Millisecond, 7
		sc.across(units.MB, 4)
		r, err := Run(t.Context(), sc.draw())
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(r, err)
		}
		return r
	}
	r, placed := run(true), run(false)
	if r.OutOfOrder == 0 || r.Timeouts > 0 || r.PacketHops != placed.PacketHops {
		t.Errorf("%d packets out of order, %d timeouts, %d packet-hops of %d", r.OutOfOrder, r.Timeouts, r.PacketHops, placed.PacketHops)
	}
}

// A transport that cannot know what is lost is refused.
func TestSelectiveCheck(t *testing.T) {
	sc := leafSpine(2, 1, 1)
	sc.Transport.Selective = true
	if _, err := newEngine(sc); err == nil {
		t.Error("without direct placement and timeout it is accepted")
	}
}
