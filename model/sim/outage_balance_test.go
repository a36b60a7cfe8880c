package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// failing is permutation traffic over two leaves and four spines, of which one link fails. Hosts send
// again what is not acknowledged in 100 us.
func failing(balancing string, outage Outage) *Scenario {
	sc := balanced(leafSpine(2, 8, 4), balancing, "permutation", "dcqcn", 4*units.MB)
	sc.Transport.AckTimeout, sc.Transport.Retries = 100*us, 7
	sc.Transport.NackInterval = 10 * us
	sc.Outages, sc.Convergence, sc.Stop = []Outage{outage}, 20*us, 100*units.Millisecond
	return sc
}

// onLink is how many packets a link of the fabric can hold, with what is being sent: full ones and
// acknowledgements alternate at most, so that there are at most twice as many as full ones at line rate.
func onLink(rate units.BitRate, delay units.Time) int64 {
	full := clock{}.duration(1048, uint64(rate))
	return 2 * 2 * (int64(delay)/full + 2) // in both directions
}

// A link between a leaf and a spine fails with ConWeave: the leaf leaves the path at once, the other one
// when the routes have changed. What is lost was on the link, in its queues, or was sent into it until
// then; everything ends, by the paths that are left.
func TestOutageWithConWeave(t *testing.T) {
	const spines, hosts = 4, 16
	for _, up := range []units.Time{0, 150 * us} {
		sc := failing("conweave", Outage{Link: uplink(hosts, spines, 0, 0), Down: 50 * us, Up: up})
		r := play(t, sc)
		if len(r.Flows) != hosts || r.FailedFlows > 0 {
			t.Errorf("%d of %d messages ended, %d failed", len(r.Flows), hosts, r.FailedFlows)
		}
		if most := onLink(200*units.Gbps, us); r.LostOnWire == 0 || r.LostOnWire > most {
			t.Errorf("%d packets lost on the wire, which holds %d", r.LostOnWire, most)
		}
		// In 20 us until the routes change, the other leaf's spine gets at most 200 Gb/s of packets and as many
		// acknowledgements for the dead link; what is under way to it then, 2 us more.
		if most := int64(2 * 22_000_000 / 41_920); r.Unrouted > most {
			t.Errorf("%d packets were sent into the dead link, at most %d can be", r.Unrouted, most)
		}
		if r.Drops > 0 || r.Reroutes == 0 {
			t.Errorf("%d packets dropped by buffers, %d reroutes", r.Drops, r.Reroutes)
		}
	}
}

// The source's leaf knows of its own port at once: where the fabric never learns, its hosts lose only
// what was on the link and in its queues.
func TestConWeaveLeavesADeadPortAtOnce(t *testing.T) {
	sc := failing("conweave", Outage{Link: uplink(16, 4, 0, 0), Down: 50 * us})
	sc.Convergence = 50 * units.Millisecond
	sc.Flows = nil
	for src := range 8 { // from the leaf of the dead port only: what the other leaf sends back goes through it from the other end
		sc.flow(src, 8+src, 4*units.MB, 0)
	}
	s, err := newEngine(sc)
	if err != nil {
		t.Fatal(err)
	}
	dead := int32(2 * uplink(16, 4, 0, 0))
	sent := uint64(0)
	for s.step(never) {
		if s.now > int64(51*us) && sent == 0 {
			sent = s.ports[dead].sent
		}
	}
	if now := s.ports[dead].sent; sent == 0 || now != sent {
		t.Errorf("%d B left by the dead port until 1 us after it failed, %d in all", sent, now)
	}
}

// A link between a leaf and a spine fails in a fabric of cells: each packet on the leaf's links has lost a
// cell, no other is lost, and everything ends at the rate of the links that are left.
func TestOutageWithCells(t *testing.T) {
	const spines, hosts = 4, 16
	for _, up := range []units.Time{0, 150 * us} {
		sc := failing("cells", Outage{Link: uplink(hosts, spines, 0, 0), Down: 50 * us, Up: up})
		r := play(t, sc)
		if len(r.Flows) != hosts || r.FailedFlows > 0 {
			t.Errorf("%d of %d messages ended, %d failed", len(r.Flows), hosts, r.FailedFlows)
		}
		if most := onLink(spines*200*units.Gbps, us); r.LostOnWire == 0 || r.LostOnWire > most {
			t.Errorf("%d packets lost, the leaf's links hold %d", r.LostOnWire, most)
		}
		if r.Drops+r.Unrouted+r.Flushed > 0 {
			t.Errorf("%d packets dropped, %d without a way, %d from queues", r.Drops, r.Unrouted, r.Flushed)
		}
	}
}

// A leaf all of whose links fail is cut off until one comes back; nothing hangs.
func TestLeafCutOffWithCells(t *testing.T) {
	const spines, hosts = 2, 6
	sc := balanced(leafSpine(2, 3, spines), "cells", "permutation", "dcqcn", 4*units.MB)
	sc.Transport.AckTimeout, sc.Transport.Retries, sc.Stop = 100*us, 7, 100*units.Millisecond
	for spine := range spines {
		sc.Outages = append(sc.Outages, Outage{Link: uplink(hosts, spines, 0, spine), Down: 50 * us, Up: units.Time(200+100*spine) * us})
	}
	r := play(t, sc)
	if len(r.Flows) != hosts || r.FailedFlows > 0 || r.Unrouted == 0 {
		t.Errorf("%d of %d messages ended, %d failed, %d packets found no way", len(r.Flows), hosts, r.FailedFlows, r.Unrouted)
	}
}
