package sim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

const us = units.Microsecond

// play runs a scenario and audits it on the way.
func play(t *testing.T, sc *Scenario) *Result {
	t.Helper()
	drain(t, sc, false)
	r := must.Get(Run(t.Context(), sc))(t)
	return r
}

// uplink returns the link from a leaf to a spine of [leafSpine].
func uplink(hosts, spines, leaf, spine int) int { return hosts + leaf*spines + spine }

// A link that fails after the last packet changes nothing, although packets are then
// forwarded one by one.
func TestForwardingByTablesIsTheSame(t *testing.T) {
	for pattern := range patterns {
		sc := scenario(leafSpine(3, 4, 3), pattern, "dcqcn", 100*units.KB)
		want := play(t, sc)
		sc.Outages = []Outage{{Link: 0, Down: units.Second}}
		must.NoDiffIn(t, cmp.Diff(want, play(t, sc), cmpopts.IgnoreFields(Result{}, "WallSeconds", "PeakMemory", "Events")), "%s:", pattern)
	}
}

// A link between switches fails: with ECMP what is sent into it is lost until the routes have
// changed, and nothing after that. All flows go on by the other spine.
func TestOutage(t *testing.T) {
	outage := func(mode balance.Mode, down, up, convergence units.Time) *Result {
		sc := scenario(leafSpine(2, 4, 2), "permutation", "none", 2*units.MB)
		sc.Balancing = balance.Config{Mode: mode, FlowletGap: us}
		sc.Transport.NackInterval = 10 * us
		sc.Outages = []Outage{{Link: uplink(8, 2, 0, 0), Down: down, Up: up}}
		sc.Convergence = convergence
		sc.Stop = 20 * units.Millisecond
		return play(t, sc)
	}
	for _, mode := range []balance.Mode{balance.ECMP, balance.Adaptive, balance.Flowlet} {
		short, long := outage(mode, 50*us, 0, 10*us), outage(mode, 50*us, 0, 40*us)
		if len(short.Flows) != 8 || len(long.Flows) != 8 {
			t.Errorf("mode %d: %d and %d of 8 flows finished", mode, len(short.Flows), len(long.Flows))
		}
		// In 30 us more, eight hosts send at most their line rate, and as many acknowledgements.
		if more := long.Unrouted - short.Unrouted; more <= 0 || more > 2*8*30_000_000/(1048*80) {
			t.Errorf("mode %d: %d and %d packets sent into the dead link", mode, short.Unrouted, long.Unrouted)
		}
		if short.LostOnWire == 0 {
			t.Errorf("mode %d: nothing was on the wire", mode)
		}
	}
	// One leaf's own port is dead: with ECMP its hosts lose packets for it, with adaptive
	// routing they do not. The other leaf cannot know.
	if ecmp, adaptive := outage(balance.ECMP, 50*us, 0, 100*us), outage(balance.Adaptive, 50*us, 0, 100*us); adaptive.Unrouted >= ecmp.Unrouted {
		t.Errorf("%d packets into the dead link with adaptive routing, %d with ECMP", adaptive.Unrouted, ecmp.Unrouted)
	}
	// All that is left of the fabric is half of it, until the link comes back.
	last := func(r *Result) (us float64) {
		for _, f := range r.Flows {
			us = max(us, f.StartUS+f.FCTUS)
		}
		return us
	}
	if never, soon := last(outage(balance.Adaptive, 50*us, 0, us)), last(outage(balance.Adaptive, 50*us, 70*us, us)); soon >= never-50 {
		t.Errorf("the last flow ends at %v us with the link back, at %v us without", soon, never)
	}
}

// A host whose cable is cut gets nothing until it is back; then go-back-N sends again.
func TestHostCutOff(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	sc.flow(0, 1, units.MB, 0)
	sc.Transport.NackInterval = 10 * us
	sc.Outages = []Outage{{Link: 1, Down: 20 * us, Up: 60 * us}}
	r := play(t, sc)
	// For 40 us the sender's 100 Gb/s go nowhere, except for what is on the wire at the ends.
	if want := int64(40_000_000 / (1048 * 80)); r.Unrouted < want-15 || r.Unrouted > want+15 {
		t.Errorf("%d packets found no way, want about %d", r.Unrouted, want)
	}
	if len(r.Flows) != 1 {
		t.Errorf("the flow did not finish")
	}
}

// A lost resume frame stops a class for ever, unless pauses expire. The resume of a queue
// that drains at half the rate comes while the link is down.
func TestPauseExpires(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 200*units.KB, 0)
	sc.PFC.Quanta = 1000 // 5.12 us at 100 Gb/s
	sc.Stop = units.Millisecond
	s := must.Get(newEngine(sc))(t)
	const sender = 0
	s.sendPFC(1, &s.ports[1], 3, pauseFrame) // the switch's end; it will not take it back
	stopped := false
	for s.steps(int64(units.Millisecond), 1) {
		stopped = stopped || s.ports[sender].paused == 1<<3
	}
	if !stopped || s.finished != 1 {
		t.Errorf("stopped: %v; flows finished: %d", stopped, s.finished)
	}
	want := int64(43*80+1_000_000) + 1000*512*10 // frame, cable, quanta
	if alone := s.messages[0].ideal; s.messages[0].finished < want+alone-2*int64(units.Microsecond) || s.messages[0].finished > want+alone+int64(units.Microsecond) {
		t.Errorf("finished at %d ps, want about %d", s.messages[0].finished, want+alone)
	}
}

// A pause that lasts is refreshed twice per pause time, and never runs out.
func TestPauseIsRefreshed(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 200*units.KB, 20*us)
	sc.PFC.Quanta = 1000
	sc.Storms = []Storm{{Host: 0, Class: 3, From: us, To: 101 * us}, {Host: 1, Class: 3, From: us, To: 101 * us}}
	sc.Stop = units.Millisecond
	r := play(t, sc)
	if want := int64(2 * 100_000_000 / (1000 * 512 * 10 / 2)); r.PFCRefreshes < want-2 || r.PFCRefreshes > want+2 {
		t.Errorf("%d refreshes, want %d", r.PFCRefreshes, want)
	}
}

// storm is a fabric in which host 0's NIC pauses for 2 ms. Hosts 4 to 6 send to it; host 7
// sends to host 1 over the same spine, and host 2 to host 3 under the same leaf.
func storm(quanta uint16, w *Watchdog) *Scenario {
	sc := leafSpine(2, 4, 1)
	sc.Buffer.Size = 2 * units.MiB
	sc.Transport.NackInterval, sc.Transport.AckTimeout, sc.Transport.Retries = 10*us, 100*us, 1000
	sc.PFC.Quanta = quanta
	for src := 4; src < 7; src++ {
		sc.flow(src, 0, 4*units.MB, 0)
	}
	sc.flow(7, 1, units.MB, 50*us)
	sc.flow(2, 3, units.MB, 50*us)
	sc.Storms = []Storm{{Host: 0, Class: 3, From: 20 * us, To: 2 * units.Millisecond}}
	sc.Stop = 20 * units.Millisecond
	for node := 8; w != nil && node < len(sc.Nodes); node++ {
		for len(sc.Watchdogs) < node {
			sc.Watchdogs = append(sc.Watchdogs, nil)
		}
		sc.Watchdogs = append(sc.Watchdogs, w)
	}
	return sc
}

// With a storm from one NIC the pauses spread through the fabric and stop flows that have
// nothing to do with it. Watchdogs end that while the storm lasts.
func TestStormSpreadsAndWatchdogStopsIt(t *testing.T) {
	const leaf0Down, spineDown, leaf1Up = 1, 2*8 + 1, 2*9 + 0 // ports
	midst := func(w *Watchdog) (s *engine, victim int64) {
		sc := storm(2000, w)
		drain(t, sc, false)
		s = must.Get(newEngine(sc))(t)
		for s.step(int64(units.Millisecond)) {
		}
		return s, s.inbound[3].expected
	}
	s, victim := midst(nil)
	for _, pi := range []int32{leaf0Down, spineDown, leaf1Up} {
		if s.ports[pi].paused != 1<<3 {
			t.Errorf("without watchdog port %d is not paused in the midst of the storm", pi)
		}
	}
	if victim > 500_000 || s.dropped != 0 || s.watchdogEvents != 0 || s.guarded != 0 {
		t.Errorf("without watchdog the victim got %d B; %+v", victim, s.counters)
	}
	for _, action := range []WatchdogAction{WatchdogDrop, WatchdogForward} {
		s, victim := midst(&Watchdog{Poll: 50 * us, Detection: 200 * us, Restoration: 200 * us, Action: action, Classes: 1 << 3})
		for _, pi := range []int32{leaf0Down, spineDown, leaf1Up} {
			// What is forwarded still makes an incast, which pauses now and then.
			if s.ports[pi].paused != 0 && (action == WatchdogDrop || pi == leaf0Down) {
				t.Errorf("action %d: with watchdogs port %d is paused in the midst of the storm", action, pi)
			}
		}
		// The watchdog of the spine may be the first to act. If it forwards in spite of the
		// leaf's pauses, the leaf loses packets, and the victim sends them again.
		least := map[WatchdogAction]int64{WatchdogDrop: 900_000, WatchdogForward: 500_000}[action]
		if victim < least || s.watchdogEvents == 0 || s.dropped != 0 && action == WatchdogDrop {
			t.Errorf("action %d: with watchdogs the victim got %d B; %+v", action, victim, s.counters)
		}
		if drops := s.guarded > 0; drops != (action == WatchdogDrop) {
			t.Errorf("action %d: watchdogs dropped %d packets", action, s.guarded)
		}
		if forwarded := s.overrun > 100; forwarded != (action == WatchdogForward) {
			t.Errorf("action %d: %d packets came to the stuck NIC", action, s.overrun)
		}
	}
}

// A watchdog takes hold after the detection time and lets go after the restoration time, each
// in whole polls.
func TestWatchdogTimes(t *testing.T) {
	sc := storm(2000, &Watchdog{Poll: 50 * us, Detection: 150 * us, Restoration: 100 * us, Classes: 1 << 3})
	s := must.Get(newEngine(sc))(t)
	s.watchdogs[8].phase = 0
	var held, free int64
	const leaf = 1 // the leaf's port to host 0
	for s.steps(int64(sc.Stop), 1) {
		switch h := s.guards[leaf*classes+3].held; {
		case h && held == 0:
			held = s.now
		case !h && held > 0 && free == 0:
			free = s.now
		}
	}
	// Paused at 21 us; the first look with a whole poll of it behind is at 100 us.
	if held != int64(200*us) {
		t.Errorf("held at %d ps", held)
	}
	// The storm ends at 2,000 us; its resume is the last frame, so the look at 2,050 us sees
	// one, and two more do not.
	if free != int64(2150*us) {
		t.Errorf("free at %d ps", free)
	}
}

// A slow host gets what it can take. Its NIC pauses, loses nothing, and the sender is done
// when the host is.
func TestSlowReceiver(t *testing.T) {
	for _, rate := range []units.BitRate{10 * units.Gbps, 50 * units.Gbps} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, units.MB, 0)
		sc.PFC.Quanta = LargestQuanta
		sc.Stop = 10 * units.Millisecond
		sc.Receivers = []Receiver{{Host: 1, Rate: rate, Buffer: 300 * units.KB, XOFF: 200 * units.KB, XON: 100 * units.KB, Classes: 1 << 3}}
		r := play(t, sc)
		if r.Overrun != 0 || r.PFCPauses == 0 {
			t.Errorf("%v: %d packets lost, %d pauses", rate, r.Overrun, r.PFCPauses)
		}
		want := 1048 * 1000 * 8 / (float64(rate) / 1e6)
		if got := r.Flows[0].FCTUS; got < want || got > want+20 {
			t.Errorf("%v: %v us, want %v", rate, got, want)
		}
		// Without pauses the NIC overflows.
		sc.Receivers[0].Classes = 0
		if r := play(t, sc); r.Overrun == 0 {
			t.Errorf("%v: nothing lost without pauses", rate)
		}
	}
}

// Each thing that goes wrong in a way that cannot be is an error of its own.
func TestCheckTrouble(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 1000, 0)
	sc.Convergence = -1
	sc.Outages = []Outage{{Link: 9}, {Link: 0, Down: us, Up: us + 1}, {Link: 1}, {Link: 1, Down: us}}
	sc.Storms = []Storm{{Host: 2, Class: 1}, {Host: 0, Class: 0}, {Host: 0, Class: 1, From: 2, To: 1}}
	sc.Receivers = []Receiver{{Host: 0}, {Host: 1, Rate: units.Gbps, XON: 2, XOFF: 1}}
	sc.PFC.Quanta = 0
	sc.Watchdogs = []*Watchdog{{Poll: 1, Detection: 1, Restoration: 1}, nil, {Poll: 2, Detection: 1, Restoration: 2}}
	_, err := newEngine(sc)
	if err == nil {
		t.Fatal("no error")
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 13 {
		t.Errorf("%d errors, want 13:\n%v", n, err)
	}
}

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
	s := must.Get(newEngine(sc))(t)
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
