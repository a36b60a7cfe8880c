package sim

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// Two hosts are twins with a link each, alike, to one switch; then all is exchanged. A search in another network knows nothing.
func TestTwinsByHand(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(sc *Scenario)
		a, b int
		want bool
	}{
		"neighbours":             {func(*Scenario) {}, 0, 1, true},
		"itself":                 {func(*Scenario) {}, 0, 0, false},
		"another leaf":           {func(*Scenario) {}, 0, 2, false},
		"a switch":               {func(*Scenario) {}, 0, 6, false},
		"another delay":          {func(sc *Scenario) { sc.Links[1].Delay++ }, 0, 1, false},
		"another rate":           {func(sc *Scenario) { sc.Links[1].Rate++ }, 0, 1, false},
		"two links of one":       {func(sc *Scenario) { sc.link(0, 5, units.Gbps) }, 0, 1, false},
		"two links of the other": {func(sc *Scenario) { sc.link(1, 5, units.Gbps) }, 0, 1, false},
		"no link":                {func(sc *Scenario) { sc.Links[1].Unrouted = true }, 0, 1, false},
		"a link to a host":       {func(sc *Scenario) { sc.Links = nil; sc.link(0, 2, units.Gbps); sc.link(1, 2, units.Gbps) }, 0, 1, false},
	} {
		sc := leafSpine(2, 2, 1)
		c.edit(sc)
		topo := newTopology(sc)
		must.Equalf(t, topo.twins(c.a, c.b), c.want, "%s:", name)
		var r tree
		r.find(topo, c.a, 1000, clock{})
		must.Equalf(t, r.find(topo, c.b, 1000, clock{}), c.want, "%s: known", name)
		if r.root != c.b || r.order[0] != c.b || r.steps[c.b].distance != 0 {
			t.Errorf("%s: from %d, %+v", name, r.root, r.steps)
		}
		if other := newTopology(sc); c.want && r.find(other, c.a, 1000, clock{}) {
			t.Errorf("%s: known in another network", name)
		}
	}
}

// Where a link fails, routes go around it when they follow, and back when it is there again. A flow takes the next hop of
// its hash, acknowledgements that of the hash with both ends exchanged.
func TestRerouteByHand(t *testing.T) {
	sc := leafSpine(2, 1, 2) // hosts 0 and 1, leaves 2 and 3, spines 4 and 5; links 2 and 3 of leaf 2
	sc.ECN = nil
	sc.Outages = []Outage{{Link: 3, Down: units.Second}}
	for range 12 {
		sc.flow(0, 1, 1000, units.Second)
	}
	s := laid(t, sc)
	s.room(64)
	hops := func(node int32, f int) []int32 { return s.balancer.At(s.flows[f].dataRoute, node) }
	if got := fmt.Sprint(hops(2, 0), hops(3, 0), hops(4, 0)); got != "[6 4] [3] [9]" {
		t.Fatal(got)
	}
	taken := map[int32]int{}
	for i := range sc.Flows {
		key := sc.Flows[i].key()
		data, ack := &packet{flow: int32(i)}, &packet{flow: int32(i), kind: ackPacket}
		want := []int32{6, 4}[key.Hash(2)%2]
		must.Equalf(t, s.outages.key(data).Of([]int32{6, 4}, 2), want, "flow %d by", i)
		must.Equalf(t, s.outages.key(ack).Of([]int32{10, 8}, 3), []int32{10, 8}[key.Reversed().Hash(3)%2], "acknowledgements of flow %d by", i)
		taken[want]++
	}
	must.Equalf(t, len(taken), 2, "%v:", taken)
	before := fmt.Sprint(s.balancer.Hops)
	s.linkDown(3)
	must.Equalf(t, fmt.Sprint(hops(2, 0)), "[6 4]", "routes change at once:")
	if s.reroute(); fmt.Sprint(hops(2, 0), hops(3, 0), hops(5, 0)) != "[4] [3] [11]" {
		t.Errorf("%v, %v, %v", hops(2, 0), hops(3, 0), hops(5, 0))
	}
	s.linkUp(3)
	if s.reroute(); fmt.Sprint(hops(2, 0)) != "[6 4]" || fmt.Sprint(s.balancer.Hops) != before {
		t.Errorf("%v; %v, want %s", hops(2, 0), s.balancer.Hops, before)
	}
	s.linkDown(2)
	s.linkDown(3)
	s.reroute()
	id, pk := s.come(packet{label: 3, route: s.flows[0].dataRoute})
	if s.switchReceive(1, &s.ports[1], id, pk); s.unrouted != 1 {
		t.Errorf("%d without a way", s.unrouted)
	}
}

// Each count of a run is told where its name says.
func TestResultTellsCounts(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 2_000_000, 0)
	sc.flow(1, 0, 1000, 0)
	sc.flow(1, 0, 3000, 0)
	sc.Flows[2].Repeat = 4
	sc.Seed = 9
	s := laid(t, sc)
	s.agenda.tasks = nil
	s.counters = counters{
		created: 1, delivered: 2, dropped: 3, lost: 4, flushed: 5, unrouted: 6, overrun: 7, guarded: 8, refreshes: 10, watchdogEvents: 11, outOfOrder: 12, flowletsBegun: 13,
		hops: 14, handled: 15, pauses: 16, marks: 17, cnps: 18, peakQueue: 19, peakHeadroom: 20, timeouts: 21, refused: 22, finished: 1, failed: 24,
	}
	s.left, s.skipped = 25, 26_500_000
	m := &s.messages[0]
	m.started, m.delivered, m.finished, m.ideal = 1_500_000, 3_500_000, 5_500_000, 2_000_000
	other := &s.messages[2]
	other.started, other.delivered, other.finished, other.ideal = 0, 7_000_000, 8_000_000, 4_000_000 // of all its times
	r := s.result(sc)
	want := &Result{
		Seed: 9, UnfinishedFlows: 2, PFCPauses: 16, PeakEgressQueue: 19, PeakHeadroom: 20, ECNMarks: 17, CNPs: 18, Drops: 3, LostOnWire: 4, Flushed: 5, Unrouted: 6, Overrun: 7, WatchdogDrops: 8,
		WatchdogEvents: 11, PFCRefreshes: 10, OutOfOrder: 12, FailedFlows: 24, Timeouts: 21, SkippedUS: 26.5, Refused: 22, Flowlets: 13, PacketHops: 14, Events: 15,
		Packets: Ledger{Created: 1, Delivered: 2, Left: 25 + int64(len(s.packets)-1-len(s.free))},
		Flows: []FlowResult{
			{Index: 0, Src: 0, Dst: 1, Bytes: 2_000_000, StartUS: 1.5, FCTUS: 4, DeliveredUS: 2, Slowdown: 2},
			{Index: 2, Src: 1, Dst: 0, Bytes: 12_000, FCTUS: 8, DeliveredUS: 7, Slowdown: 2},
		},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v\nwant\n%+v", r, want)
	}
	s.weaver, s.cells = &conweave.Weaver{Counts: conweave.Counts{Reroutes: 31, Held: 32, Refused: 33, Expired: 34, MostQueues: 35}}, &cellFabric{Fabric: &cells.Fabric{Most: 36}}
	m.pair = none // of what sends nothing no time is told
	if r = s.result(sc); r.Reroutes != 31 || r.HeldBack != 32 || r.NotHeldBack != 33 || r.ReorderExpired != 34 || r.ReorderQueues != 35 || r.PeakVOQ != 36 || len(r.Flows) != 1 {
		t.Errorf("%+v", r)
	}
}

// A run goes on to its end or until its time is over; one whose context has ended, or whose counters fail, says so.
func TestRunsEnd(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 100_000, 0)
	if r := mustRun(t, sc); r.UnfinishedFlows != 0 || r.WallSeconds <= 0 || r.PeakMemory <= 0 {
		t.Errorf("%+v", r)
	}
	sc.Stop = 3 * us
	if r := mustRun(t, sc); r.UnfinishedFlows != 1 || r.Packets.Left == 0 {
		t.Errorf("%+v", r)
	}
	sc.Stop = 1
	if r := mustRun(t, sc); r.UnfinishedFlows != 1 || r.Events > 1 {
		t.Errorf("stopped after 1 ps: %+v", r)
	}
	polled, rec := chipPair(5000, 3000, nil), recorded{}
	polled.Flows[0].Start, polled.Observe, polled.Stop = 0, rec.every(units.Second), 3*us
	if mustRun(t, polled); len(rec.times) != 2 || rec.times[1] <= us || rec.times[1] >= 3*us { // with what happened last
		t.Errorf("polled at %v", rec.times)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, cores := range []int{1, 2} {
		two := leafSpine(2, 1, 1)
		two.flow(0, 1, 100_000, 0)
		two.Cores = cores
		for _, skip := range []bool{false, true} {
			two.SkipSteady = skip
			if _, err := Run(ended, two); !errors.Is(err, context.Canceled) {
				t.Errorf("%d cores, skipping %v: %v", cores, skip, err)
			}
		}
	}
	// So many events are handled, and not one that is due at the end.
	s := laid(t, pairOfHosts())
	s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
	for i := range int32(5) {
		s.plan(1<<taskBits-1, i, int64(i)*10)
	}
	if !s.steps(40, 3) || s.now != 20 || s.handled != 3 || s.steps(40, 3) || s.now != 30 || s.handled != 4 {
		t.Errorf("at %d, %d events", s.now, s.handled)
	}
	if !s.steps(41, 1) || s.steps(41, 1) {
		t.Errorf("at %d", s.now)
	}
}

// Trains start as often as what they wait for allows: as many times as the least of it is over, and as many more as they
// may be ahead. A receiver knows what has come, others what was acknowledged.
func TestTrainsStartAgain(t *testing.T) {
	for name, c := range map[string]struct {
		ahead, came, done, other int32
		released                 bool
		times                    int32 // that it was started, of 5; once before
	}{
		"nothing is over":      {0, 0, 9, 9, true, 1},
		"it has come once":     {0, 1, 9, 9, true, 2},
		"three times":          {0, 3, 0, 9, true, 4},
		"the other was not":    {0, 3, 0, 1, true, 2},
		"one ahead":            {1, 1, 9, 9, true, 3},
		"as many as there are": {3, 9, 9, 9, true, 5},
		"behind":               {-1, 2, 9, 9, true, 2},
		"not released":         {0, 3, 9, 9, false, 1},
	} {
		sc := leafSpine(1, 4, 0)
		sc.flow(0, 1, 1000, 0)
		sc.flow(1, 2, 1000, 0)
		sc.flow(3, 2, 1000, 0) // of which host 1 knows nothing but for its end
		for i := range sc.Flows {
			sc.Flows[i].Repeat = 5
		}
		sc.Flows[1].Each, sc.Flows[1].Ahead, sc.Flows[1].Delay = []int32{0, 2}, int(c.ahead), 70
		if c.ahead < 0 {
			sc.Flows[1].After = []int32{}
		}
		s := laid(t, sc)
		if !slices.Equal(s.each[0], []int32{0}) || !slices.Equal(s.each[1], []int32{0, 2}) || s.messages[1].repeat != 5 || s.messages[1].ahead != c.ahead {
			t.Fatalf("%v, %+v", s.each, s.messages[1])
		}
		m := &s.messages[1]
		s.agenda.tasks = nil
		m.times, m.released = 1, c.released
		s.messages[0].came, s.messages[0].done, s.messages[2].done, s.messages[2].came = c.came, c.done, c.other, 9
		if s.again(1, 1000); m.times != c.times {
			t.Errorf("%s: started %d times, want %d", name, m.times, c.times)
		}
		var want []int64
		for time := int32(1); time < c.times; time++ { // which waits for one behind, unless it is one of the first
			at := int64(1070)
			if time <= c.ahead {
				at = 1000
			}
			want = append(want, at)
		}
		slices.Sort(want)
		if got := s.tasks(taskPost, 1); !slices.Equal(got, want) {
			t.Errorf("%s: at %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct {
		ahead int
		each  []int32
		ok    bool
	}{{-1, []int32{0}, true}, {-2, []int32{0}, false}, {-1, []int32{1}, false}, {-1, []int32{0, 1}, false}, {-1, nil, false}, {0, nil, true}, {maxRepeat, nil, true}, {maxRepeat + 1, nil, false}, {1, []int32{1}, true}} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1000, 0)
		sc.flow(1, 0, 1000, 0)
		sc.Flows[0].Repeat, sc.Flows[1].Repeat = 2, 2
		sc.Flows[1].Ahead, sc.Flows[1].Each = c.ahead, c.each
		if errs := sc.checkTrains(); (len(errs) == 0) != c.ok {
			t.Errorf("%+v: %v", c, errs)
		}
	}
	sc := leafSpine(1, 2, 0)
	for range 3 {
		sc.flow(0, 1, 1000, 0)
	}
	sc.Flows[0].Repeat, sc.Flows[0].QueuePair, sc.Flows[1].QueuePair = 2, 5, 6
	if errs := sc.checkTrains(); len(errs) != 0 {
		t.Errorf("a queue pair of its own: %v", errs)
	}
	if sc.Flows[1].QueuePair = 5; len(sc.checkTrains()) != 1 {
		t.Errorf("a shared queue pair: %v", sc.checkTrains())
	}
	sc.Flows[1].QueuePair, sc.Flows[0].Ahead = 0, maxRepeat+1
	if errs := sc.checkTrains(); len(errs) != 1 || errs[0].Error() != "flow 0 is 1073741825 times ahead of flows []: want -1 to 1073741824, and not of itself" {
		t.Errorf("%v", errs)
	}
	if m := (&train{repeat: 3}); m.last(2) || !m.last(3) || !m.last(4) {
		t.Error("the last time of three")
	}
}
