package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// weaveAcross sends 4 MB from each host to the host of the next leaf.
func weaveAcross(t *testing.T, seed int, b balance.Config, change func(sc *Scenario)) *Result {
	t.Helper()
	sc := statementFabric(seed, "none", b)
	sc.across(4*units.MB, 1)
	if change != nil {
		change(sc)
	}
	r, err := Run(t.Context(), sc.draw())
	if err != nil || r.UnfinishedFlows > 0 {
		t.Fatal(r, err)
	}
	return r
}

// ConWeave leaves ECMP's collisions, and hosts of go-back-N see nothing out of order.
func TestConWeaveKeepsOrder(t *testing.T) {
	for seed := range 3 {
		ecmp := weaveAcross(t, seed, balance.Config{}, nil)
		woven := weaveAcross(t, seed, balancings["conweave"], nil)
		if woven.OutOfOrder > 0 || woven.HeldBack == 0 || woven.Reroutes == 0 || woven.ReorderExpired > 0 {
			t.Errorf("seed %d: %d packets out of order, %d held back, %d reroutes, %d let go before the TAIL",
				seed, woven.OutOfOrder, woven.HeldBack, woven.Reroutes, woven.ReorderExpired)
		}
		if slowest(woven) > 0.8*slowest(ecmp) || woven.PFCPauses > ecmp.PFCPauses/4 {
			t.Errorf("seed %d: slowest flow %v and %d pauses, with ECMP %v and %d", seed, slowest(woven), woven.PFCPauses,
				slowest(ecmp), ecmp.PFCPauses)
		}
	}
}

// Without a late reply no path changes: a lone flow takes what it takes with ECMP.
func TestConWeaveIdle(t *testing.T) {
	lone := func(b balance.Config) *Result {
		sc := statementFabric(1, "none", b)
		sc.flow(0, hostsPerLeaf, units.MB, 0)
		r := must.Get(Run(t.Context(), sc))(t)
		return r
	}
	ecmp, woven := lone(balance.Config{}), lone(balancings["conweave"])
	if woven.Flows[0] != ecmp.Flows[0] || woven.Reroutes > 1 || woven.HeldBack > 0 {
		t.Errorf("a lone flow: %+v, with ECMP %+v", woven, ecmp)
	}
}

// What finds no reorder queue, or waits for a TAIL for too short, escapes to the host.
func TestConWeaveLimits(t *testing.T) {
	few := balancings["conweave"]
	few.ConWeave.ReorderQueues = 1
	toFew := func(sc *Scenario) {
		sc.Transport.AckClass = 3 // acknowledgements in spite of pauses would overfill the headroom
		for i := range sc.Flows { // four senders each to a quarter of the hosts
			sc.Flows[i].Dst -= sc.Flows[i].Dst % 4
		}
	}
	if r := weaveAcross(t, 1, few, toFew); r.NotHeldBack == 0 || r.OutOfOrder == 0 || r.ReorderQueues != 1 {
		t.Errorf("one queue: %d packets not held back, %d out of order, %d queues", r.NotHeldBack, r.OutOfOrder, r.ReorderQueues)
	}
	many := balancings["conweave"]
	if r := weaveAcross(t, 1, many, toFew); r.NotHeldBack > 0 || r.ReorderQueues < 2 {
		t.Errorf("many queues: %d packets not held back, %d queues", r.NotHeldBack, r.ReorderQueues)
	}
	hasty := balancings["conweave"]
	hasty.ConWeave.FlushSlack = 0
	if r := weaveAcross(t, 1, hasty, nil); r.ReorderExpired == 0 || r.OutOfOrder == 0 {
		t.Errorf("no slack: %d let go before the TAIL, %d packets out of order", r.ReorderExpired, r.OutOfOrder)
	}
}

// HPCC compares records of one port, whatever way each packet takes: where packets spread over
// all ways and the fabric carries them all, it is as fast as where no flow shares a way.
func TestHPCCOverAllWays(t *testing.T) {
	alone := func() float64 {
		sc := scenario(leafSpine(1, 9, 0), "permutation", "hpcc", 4*units.MB)
		r, err := Run(t.Context(), sc)
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(err)
		}
		return slowest(r)
	}()
	for balancing := range balancings {
		sc := balanced(leafSpine(4, 4, 4), balancing, "permutation", "hpcc", 4*units.MB)
		sc.Stop = 100 * units.Millisecond
		r := must.Get(Run(t.Context(), sc))(t)
		t.Logf("%s: %v us, alone %v us", balancing, slowest(r), alone)
		most := 4. // flows may share a way
		if balancing == "spray" || balancing == "adaptive" || balancing == "global per packet" {
			most = 1.25
		}
		if r.UnfinishedFlows > 0 || slowest(r) > most*alone {
			t.Errorf("%s: %d messages unfinished, the last after %v us, alone %v us", balancing, r.UnfinishedFlows, slowest(r), alone)
		}
	}
}
