package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// congested is an incast of 8 hosts with DCQCN, which sends to class 3, on one switch.
func congested(size units.Bytes) *Scenario {
	sc := scenario(leafSpine(1, 9, 0), "incast", "dcqcn, paper", size)
	sc.Transport.CNPPackets, sc.Transport.CNPClass = true, 6
	return sc
}

// As packets of their own, notifications cost the way back what they weigh, and do to the
// rates what echoes do: an incast is as fast within a few percent, and is notified at most
// once per interval and queue pair.
func TestCNPPackets(t *testing.T) {
	results := map[bool]*Result{}
	for _, packets := range []bool{false, true} {
		sc := congested(4 * units.MB)
		sc.Transport.CNPPackets = packets
		r, err := Run(t.Context(), sc)
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(err, r.UnfinishedFlows)
		}
		results[packets] = r
		most := 0.0
		for _, f := range r.Flows {
			most += 1 + f.FCTUS/50
		}
		if float64(r.CNPs) > most {
			t.Errorf("packets %v: %d CNPs, at most %v were allowed", packets, r.CNPs, most)
		}
	}
	echo, packets := results[false], results[true]
	if extra := packets.PacketHops - echo.PacketHops; extra < packets.CNPs {
		t.Errorf("%d packet-hops more for %d CNPs of two hops", extra, packets.CNPs)
	}
	if a, b := meanFCT(echo), meanFCT(packets); b < 0.9*a || b > 1.1*a || packets.CNPs < 100 {
		t.Errorf("mean FCT %v us with echoes, %v us with %d packets", a, b, packets.CNPs)
	}
}

func meanFCT(r *Result) (sum float64) {
	for _, f := range r.Flows {
		sum += f.FCTUS / float64(len(r.Flows))
	}
	return sum
}

// A class of their own brings CNPs past a pause of the data's class; in the data's class they
// wait, and the senders hear of the congestion when it is over.
func TestCNPClass(t *testing.T) {
	notified := func(class uint8) int64 {
		sc := congested(units.MB)
		sc.Transport.CNPClass = class
		s := must.Get(newEngine(sc))(t)
		s.ports[0].paused = 1 << 3                   // host 0's: it may send nothing of class 3
		for s.steps(int64(units.Millisecond), 100) { // a miscount stays
			audit(t, s)
		}
		cuts := int64(0)
		for i := range s.flows {
			if s.flows[i].law.dcqcn.states[i].active {
				cuts++
			}
		}
		if s.cnps == 0 {
			t.Fatal("no congestion")
		}
		return cuts
	}
	if got := notified(6); got != 8 {
		t.Errorf("%d of 8 senders are notified past a pause", got)
	}
	must.Equalf(t, notified(3), 0, "senders are notified through a pause:")
}

// With congestion notifications nothing is allocated either.
func TestNoAllocationOfCNPs(t *testing.T) {
	sc := congested(40 * units.MB)
	controls["dcqcn"](sc) // which recovers faster
	sc.Transport.CNPInterval = 4 * units.Microsecond
	s := must.Get(newEngine(sc))(t)
	s.steps(never, 100_000)
	before := s.cnps
	if allocs := testing.AllocsPerRun(5, func() { s.steps(never, 50_000) }); allocs != 0 || s.cnps == before {
		t.Errorf("%v allocations, %d CNPs", allocs, s.cnps-before)
	}
}

// Sprayed packets come out of order, which go-back-N asks for again. NVIDIA's NICs then send a notification too, as ConWeave's authors
// saw: without marks there are some with it and none without, never more than packets out of order; slower senders have fewer of these. Other controls
// than DCQCN hear nothing of it.
func TestNoticeOfDisorder(t *testing.T) {
	run := func(control string, notice bool) *Result {
		sc := statementFabric(1, control, balance.Config{Mode: balance.Spray})
		sc.Transport.DirectPlacement, sc.Transport.DisorderNotice, sc.ECN = false, notice, nil
		sc.across(200*units.KB, 1)
		r, err := Run(t.Context(), sc)
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(r, err)
		}
		return r
	}
	without, with := run("dcqcn", false), run("dcqcn", true)
	if without.CNPs != 0 || with.CNPs == 0 || with.CNPs > with.OutOfOrder || with.OutOfOrder > without.OutOfOrder/2 {
		t.Errorf("%d notifications without and %d with, for %d and %d packets out of order", without.CNPs, with.CNPs, without.OutOfOrder, with.OutOfOrder)
	}
	if r := run("dctcp", true); r.CNPs != 0 {
		t.Errorf("DCTCP: %d", r.CNPs)
	}
}
