package sim

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// racks are switches with so many hosts each, which have no other links.
func racks(hosts ...int) *Scenario {
	sc := &Scenario{Transport: Transport{Payload: 1000}}
	for _, n := range hosts {
		leaf := len(sc.Nodes)
		sc.Nodes = append(sc.Nodes, Switch)
		for range n {
			sc.Nodes = append(sc.Nodes, Host)
			sc.Links = append(sc.Links, Link{A: leaf, B: len(sc.Nodes) - 1, Rate: units.Gbps, Delay: 5})
		}
	}
	return sc
}

// As many domains as cores, or from 4,096 hosts on as there are 64 of them; but no more than switches with hosts, and
// than 256.
func TestHowManyDomains(t *testing.T) {
	even := func(edges, hosts int) *Scenario {
		list := make([]int, edges)
		for i := range hosts {
			list[i%edges]++
		}
		return racks(list...)
	}
	for _, c := range []struct{ cores, edges, hosts, want int }{
		{0, 5, 10, 0}, {1, 5, 10, 1}, {3, 5, 10, 3}, {6, 5, 10, 5}, {1, 100, 4095, 1}, {1, 100, 4096, 64}, {1, 100, 4160, 65}, {70, 100, 4096, 70}, {1, 60, 4096, 60}, {1, 300, 300 * 64, 256}, {300, 257, 300, 256}, {300, 256, 300, 256}, {300, 255, 300, 255},
	} {
		sc := even(c.edges, c.hosts)
		sc.Cores = c.cores
		if got := sc.domains(); got != c.want || sc.edgeCount() != c.edges {
			t.Errorf("%+v: %d domains, %d switches with hosts", c, got, sc.edgeCount())
		}
	}
}

// Where each node is, by hand: racks by the hosts before them, hosts with their switch, other switches where most of their
// links lead, unless those are not twice as many as lead elsewhere, or there are too many ports then; then where
// there is least.
func TestDivideByHand(t *testing.T) {
	with := func(sc *Scenario, links ...[2]int) *Scenario { // from a new switch each, to a switch of the racks
		for _, l := range links {
			for len(sc.Nodes) <= max(l[0], l[1]) {
				sc.Nodes = append(sc.Nodes, Switch)
			}
			sc.Links = append(sc.Links, Link{A: l[0], B: l[1], Rate: units.Gbps, Delay: 5})
		}
		return sc
	}
	for name, c := range map[string]struct {
		sc   *Scenario
		n    int
		want string
	}{
		// Nodes 0 to 2 are a rack, 3 and 4, 5 and 6. Of 4 hosts 0, 2 and 3 are before: 0, 2·2/4 and 3·2/4.
		"racks":               {racks(2, 1, 1), 2, "[0 0 0 1 1 1 1]"},
		"three":               {racks(1, 1, 1), 3, "[0 0 1 1 2 2]"},
		"uneven":              {racks(1, 3, 1), 2, "[0 0 0 0 0 0 1 1]"},                                   // 0, 1·2/5 and 4·2/5
		"a late rack":         {racks(3, 0, 1), 2, "[0 0 0 0 0 1 1]"},                                     // switch 4 has no host and no link
		"a spine of one side": {with(racks(2, 1, 1), [2]int{7, 3}, [2]int{7, 5}), 2, "[0 0 0 1 1 1 1 0]"}, // 4 and its 2 ports there, of 8/2 + 1
		"a spine of one side, an odd number of ports": {with(racks(3, 1, 1), [2]int{8, 4}, [2]int{8, 6}), 2, "[0 0 0 0 1 1 1 1 0]"},       // 4 and 2, of 9/2 + 1
		"a spine of its side":                         {with(racks(5, 1, 1), [2]int{10, 6}, [2]int{10, 8}), 2, "[0 0 0 0 0 0 1 1 1 1 1]"}, // 4 and 2, of 11/2 + 1
		"a spine of both":                             {with(racks(3, 1, 1), [2]int{8, 4}, [2]int{8, 0}), 2, "[0 0 0 0 1 1 1 1 1]"},       // one link each; 4 ports and 3
		// Node 12 has twice as many links to the second rack, 9 and 3 of 24/2 + 1; node 13 as many to both, where 8 and 12 are.
		"spines of both": {with(racks(5, 5), [2]int{12, 0}, [2]int{12, 6}, [2]int{12, 6}, [2]int{13, 0}, [2]int{13, 0}, [2]int{13, 6}, [2]int{13, 6}), 2, "[0 0 0 0 0 0 1 1 1 1 1 1 1 0]"},
		// Node 7 is placed after node 6, which it has two links to: 3 and 3, of 10/2 + 1.
		"a spine behind one": {with(racks(2, 2), [2]int{6, 3}, [2]int{6, 7}, [2]int{6, 7}), 2, "[0 0 0 1 1 1 1 0]"},
	} {
		must.Equalf(t, fmt.Sprint(divide(c.sc, c.n)), c.want, "%s:", name)
	}
	lone := racks(1)
	lone.Nodes = append(lone.Nodes, Host)
	must.Equalf(t, fmt.Sprint(divide(lone, 1)), "[0 0 0]", "a host without link:")
	must.Equalf(t, fmt.Sprint(divide(&Scenario{Nodes: []Node{Switch}}, 2)), "[0]", "no host at all:")
	turned := racks(2, 1)
	for i := range turned.Links {
		l := &turned.Links[i]
		l.A, l.B = l.B, l.A
	}
	must.Equalf(t, fmt.Sprint(turned.edges(), divide(turned, 2)), "[true false false true false] [0 0 0 1 1]", "links the other way round:")
}

// The lookahead is the least delay of a link between domains.
func TestLookahead(t *testing.T) {
	sc := leafSpine(2, 1, 1) // hosts 0 and 1, leaves 2 and 3, spine 4
	for i, delay := range []units.Time{1, 2, 30, 40} {
		sc.Links[i].Delay = delay
	}
	for _, c := range []struct {
		of   []uint16
		want int64
	}{{[]uint16{0, 0, 0, 0, 0}, never}, {[]uint16{0, 1, 0, 1, 0}, 40}, {[]uint16{0, 1, 0, 1, 2}, 30}, {[]uint16{1, 0, 0, 0, 0}, 1}} {
		must.Equalf(t, sc.lookahead(c.of), c.want, "%v: ps:", c.of)
	}
}

// What is ordered by a chain of events does not divide, nor what looks beyond a node within an instant.
func TestWhatDivides(t *testing.T) {
	for name, c := range map[string]struct {
		edit             func(sc *Scenario)
		divides, ordered bool
	}{
		"messages":       {func(*Scenario) {}, true, false},
		"observed":       {func(sc *Scenario) { sc.Observe = &Observation{Buffers: true} }, true, false},
		"a series":       {func(sc *Scenario) { sc.Observe = &Observation{Series: []*Series{{}}} }, false, false},
		"counters":       {func(sc *Scenario) { sc.Observe = &Observation{Counters: &Counters{}} }, false, false},
		"ns-3's times":   {func(sc *Scenario) { sc.Times = NS3Times }, false, true},
		"ns-3's numbers": {func(sc *Scenario) { sc.FirstStream = 1 }, false, true},
		"a generator":    {func(sc *Scenario) { sc.Generators = make([]Generator, 1) }, false, true},
		"an outage":      {func(sc *Scenario) { sc.Outages = make([]Outage, 1) }, false, false},
		"work":           {func(sc *Scenario) { sc.Flows = append(sc.Flows, Flow{Src: 1, Dst: 1}) }, false, false},
		"DC":             {func(sc *Scenario) { sc.Transport.Service = DC }, false, false},
		"XRC":            {func(sc *Scenario) { sc.Transport.Service = XRC }, true, false},
		"a timeout":      {func(sc *Scenario) { sc.Transport.AckTimeout = 1 }, false, false},
		"spraying":       {func(sc *Scenario) { sc.Balancing.Mode = balance.Spray }, true, false},
		"flowlets":       {func(sc *Scenario) { sc.Balancing.Mode = balance.Flowlet }, true, false},
		"global":         {func(sc *Scenario) { sc.Balancing.Mode = balance.Global }, false, false},
		"ConWeave":       {func(sc *Scenario) { sc.Balancing.Mode = balance.ConWeave }, false, false},
		"cells":          {func(sc *Scenario) { sc.Balancing.Mode = balance.Cells }, false, false},
		"storms":         {func(sc *Scenario) { sc.Storms = make([]Storm, 1) }, true, false},
	} {
		sc := leafSpine(2, 1, 1)
		sc.flow(0, 1, 1000, 0)
		if c.edit(sc); sc.divisible() != c.divides || sc.ordered() != c.ordered {
			t.Errorf("%s: divides %v, is ordered %v", name, sc.divisible(), sc.ordered())
		}
	}
}

// A message may wait for one that its host receives, or that a host of its own domain sends.
func TestMessagesApart(t *testing.T) {
	of := []uint16{0, 0, 1, 1}
	for name, c := range map[string]struct {
		before, after Flow
		want          bool
	}{
		"its receiver":       {Flow{Src: 2, Dst: 0}, Flow{Src: 0, Dst: 3}, true},
		"another host there": {Flow{Src: 2, Dst: 1}, Flow{Src: 0, Dst: 3}, false},
		"its sender":         {Flow{Src: 0, Dst: 2}, Flow{Src: 0, Dst: 3}, true},
		"a neighbour's":      {Flow{Src: 1, Dst: 2}, Flow{Src: 0, Dst: 3}, true},
		"of another domain":  {Flow{Src: 3, Dst: 2}, Flow{Src: 0, Dst: 3}, false},
	} {
		for _, each := range []bool{false, true} {
			after := c.after
			if after.After = []int32{0}; each {
				after.After, after.Each = nil, []int32{0}
			}
			sc := &Scenario{Flows: []Flow{c.before, after}}
			must.Equalf(t, sc.apart(of), c.want, "%s, each %v:", name, each)
		}
	}
}

// Of two racks and a spine, each with its own domain: what is divided, and what is not.
func TestSplitByHand(t *testing.T) {
	fabric := func() *Scenario {
		sc := leafSpine(2, 2, 1) // hosts 0 to 3, leaves 4 and 5, spine 6; links 4 and 5 are to the spine
		sc.ECN = nil
		sc.flow(0, 2, 1000, 7)
		sc.flow(3, 1, 1000, 9)
		sc.Storms = []Storm{{Host: 1, Class: 3, From: 20, To: 30}, {Host: 2, Class: 3, From: 25}}
		sc.Receivers = []Receiver{{Host: 3, Rate: units.Gbps, From: 40, To: 50, Buffer: 300, XOFF: 200, XON: 100}}
		return sc
	}
	for name, c := range map[string]struct {
		n    int
		edit func(sc *Scenario)
		want int
	}{
		"two":        {2, func(*Scenario) {}, 2},
		"one":        {1, func(*Scenario) {}, 0},
		"in a chain": {2, func(sc *Scenario) { sc.Times = NS3Times }, 0},
		"no delay":   {2, func(sc *Scenario) { sc.Links[4].Delay, sc.Links[5].Delay = 0, 0 }, 0},
		"a little":   {2, func(sc *Scenario) { sc.Links[4].Delay, sc.Links[5].Delay = 1, 1 }, 2},
		"waiting":    {2, func(sc *Scenario) { sc.Flows[1].After = []int32{0} }, 0},
		"no links": {2, func(sc *Scenario) {
			sc.Links[4].A, sc.Links[4].B, sc.Links[5].A, sc.Links[5].B = 4, 1, 5, 3
			sc.Flows[0].Dst, sc.Flows[1].Dst = 1, 2
		}, 0},
		"waiting, and fewer cores": {2, func(sc *Scenario) { sc.Flows[1].After = []int32{0}; sc.Cores = 2 }, 0},
	} {
		sc := fabric()
		c.edit(sc)
		if got := laid(t, sc).split(sc, c.n); len(got) != c.want {
			t.Errorf("%s: %d domains, want %d", name, len(got), c.want)
		}
	}
	sc := fabric()
	s := laid(t, sc)
	of := divide(sc, 2)
	if fmt.Sprint(of[:6]) != "[0 0 1 1 0 1]" {
		t.Fatalf("%v", of)
	}
	parts := s.split(sc, 2)
	for i := range s.ports {
		p := &s.ports[i]
		across := of[p.node] != of[s.ports[i^1].node]
		if p.intake&crossing != 0 != across || across && p.over != of[s.ports[i^1].node] {
			t.Errorf("port %d: %b, to domain %d", i, p.intake, p.over)
		}
	}
	times := func(s *engine) (all []int64) {
		for _, task := range s.agenda.tasks {
			all = append(all, task.at)
		}
		slices.Sort(all)
		return all
	}
	for i, want := range []string{"[7 20 30]", "[9 25 40 50]"} {
		own := parts[i]
		if got := fmt.Sprint(times(own)); got != want || own.domain.self != i || own.counters != (counters{}) || own.events.next() != own.agenda.tasks[0].at {
			t.Errorf("domain %d: tasks at %s, want %s; the first event at %d", i, got, want, own.events.next())
		}
		if &own.ports[0] != &s.ports[0] || len(own.packets) < 2 || own.sent != nil || own.int != nil || own.ready != nil || own.tags != nil {
			t.Errorf("domain %d: %d packets", i, len(own.packets))
		}
	}
	if len(s.agenda.tasks) != 0 || !s.events.empty() {
		t.Error("something is left to the run that was divided")
	}
	// Of quiet switches the other end of a link between domains knows nothing: what comes is told apart at this end.
	for _, all := range []bool{true, false} { // or but for the spine's
		sc = fabric()
		chipBuffers(sc, 500_000)
		if !all {
			sc.Silicon[6] = nil
		}
		s = laid(t, sc)
		parts = s.split(sc, 2)
		for i := range s.ports {
			p, want := &s.ports[i], intake(0)
			peer := s.ports[i^1].node
			if sc.Silicon[peer] != nil {
				want |= peerFirst | peerQuiet
			}
			if sc.Silicon[p.node] != nil {
				want |= ownFirst
			}
			if of[p.node] != of[peer] {
				want = want&^peerQuiet | crossing
				if sc.Silicon[p.node] != nil {
					want |= ownQuiet
				}
			}
			must.Equalf(t, p.intake, want, "port %d:", i)
			if p.intake&crossing == 0 || p.intake&ownFirst == 0 {
				continue
			}
			// A packet from there is in when its last byte is, and its first is no event.
			there := parts[of[p.node]]
			b := &box{packets: []sent{{at: 5_000_000, in: int32(i), packet: packet{label: 3, size: 1048}}}}
			if there.receive(b); s.entrances[i].packets.head == 0 || p.flight.head != 0 || s.entrances[i].at != 5_000_000+int64(s.txTimes[p.rateIndex][1048]) {
				t.Errorf("port %d: %+v", i, s.entrances[i])
			}
			if by, is := s.quietMark(int32(i)); by != &p.intake || is != ownQuiet {
				t.Errorf("port %d: marked elsewhere", i)
			}
		}
	}
	if by, is := s.quietMark(1); by != &s.ports[0].intake || is != peerQuiet {
		t.Error("a link of one domain is marked elsewhere")
	}
}

// No core goes on before all have come.
func TestCoresMeet(t *testing.T) {
	const cores, rounds = 3, 300
	g := &gang{lookahead: 1, until: never, cores: make([]core, cores)}
	var come [cores]atomic.Int32
	var early atomic.Int32
	var wait sync.WaitGroup
	for own := range cores {
		wait.Go(func() {
			for round := int32(1); round <= rounds; round++ {
				come[own].Store(round)
				g.meet(t.Context())
				for i := range come {
					if come[i].Load() < round {
						early.Add(1)
					}
				}
			}
		})
	}
	wait.Wait()
	if early.Load() > 0 || g.turn.Load() != rounds || g.number != rounds || g.arrived.Load() != 0 {
		t.Errorf("%d times too early, %d windows in %d turns", early.Load(), g.number, g.turn.Load())
	}
}

// Where a task is done: at its port, at the port of its message or connection, at its host or its switch.
func TestWhereTasksAreDone(t *testing.T) {
	sc := leafSpine(2, 2, 1)
	sc.flow(2, 0, 1000, 7)
	sc.flow(3, 1, 1000, 9)
	sc.Storms = []Storm{{Host: 1, Class: 3, From: 20}}
	sc.Receivers = []Receiver{{Host: 3, Rate: units.Gbps, From: 40, Buffer: 300, XOFF: 200, XON: 100}}
	s := laid(t, sc)
	s.messages = append(s.messages, message{pair: 0})
	for _, c := range []struct{ task, about, want int32 }{
		{taskPost, 0, 2}, {taskPost, 1, 3}, {taskPost, 2, 2}, {taskTCP, 1, 3}, {taskStorm, 0, 1}, {taskCalm, 0, 1}, {taskSlow, 0, 3}, {taskFast, 0, 3}, {taskTaken, 0, 3},
		{taskWatch, 5, 5}, {taskExpire, 2, 1}, {taskRefresh, 9, 6}, {taskShaper, 1, 4}, {taskTimeout, 4, 2},
	} {
		must.Equalf(t, s.nodeOf(c.task, c.about), c.want, "task %d about %d: node", c.task, c.about)
	}
}

// A packet that crosses to another domain goes into a box with all that is known of it, and is gone here; there it is on
// its link, in the order in which it was sent.
func TestBoxes(t *testing.T) {
	for _, known := range []string{"nothing", "sent", "telemetry", "ready", "all"} {
		sc := leafSpine(2, 2, 1)
		sc.ECN = nil
		sc.flow(0, 2, 1000, units.Second)
		s := laid(t, sc)
		is := func(what string) bool { return known == what || known == "all" }
		if is("sent") {
			s.sent = make([]int64, len(s.packets))
		}
		if is("telemetry") {
			s.int = make([]telemetry, len(s.packets))
		}
		if is("ready") {
			s.ready = make([]int64, len(s.packets))
		}
		parts := s.split(sc, 2)
		here, there := parts[0], parts[1]
		here.room(8)
		d := here.domain
		d.out, d.next = make([]box, 2), never
		out := int32(0)
		for s.ports[out].intake&crossing == 0 {
			out++
		}
		if s.ports[out].over != 1 {
			out ^= 1
		}
		before := len(here.free)
		for i := range int64(3) {
			id, pk := here.come(packet{label: 3, seq: uint32(i)})
			if is("sent") {
				here.sent[id] = 10 + i
			}
			if is("telemetry") {
				here.int[id].hops = uint8(30 + i)
			}
			if is("ready") {
				here.ready[id] = 20 + i
			}
			here.now = i * fullPacket
			here.transmit(out, &s.ports[out], id, pk)
		}
		tx := int64(s.txTimes[s.ports[out].rateIndex][1048])
		b := &d.out[1]
		if len(b.packets) != 3 || len(d.out[0].packets) != 0 || len(here.free) != before || d.next != tx+1_000_000 || b.extras == nil != (known == "nothing") || b.packets[1].at != fullPacket+tx+1_000_000 || b.packets[0].in != out^1 {
			t.Fatalf("%s: %+v, next %d", known, b, d.next)
		}
		there.receive(b)
		if len(b.packets) != 0 || len(b.extras) != 0 || len(b.told) != 0 {
			t.Errorf("%s: the box holds %+v", known, b)
		}
		for i := range int64(3) {
			event, at, _, ok := there.events.pop(1_000_000_000)
			if event != arrival(out^1) || at != i*fullPacket+tx+1_000_000 || !ok {
				t.Fatalf("%s: packet %d: %b at %d", known, i, event, at)
			}
			there.now = at
			id, pk := there.land(out^1, &there.ports[out^1])
			if pk.seq != uint32(i) || pk.label != 3 || pk.size != 1048 {
				t.Errorf("%s: packet %d is %+v", known, i, pk)
			}
			if is("sent") && there.sent[id] != 10+i || is("telemetry") && there.int[id].hops != uint8(30+i) || is("ready") && there.ready[id] != 20+i {
				t.Errorf("%s: of packet %d it is lost", known, i)
			}
			if (there.sent != nil) != is("sent") || (there.int != nil) != is("telemetry") || (there.ready != nil) != is("ready") {
				t.Errorf("%s: other lists", known)
			}
		}
	}
	// Who sends a message tells its receiver: at once in the own domain, else with the box.
	sc := leafSpine(2, 2, 1)
	sc.flow(0, 1, 1000, units.Second)
	sc.flow(0, 2, 1000, units.Second)
	s := laid(t, sc)
	parts := s.split(sc, 2)
	d := parts[0].domain
	d.out = make([]box, 2)
	d.tell(parts[0], 0, 0)
	d.tell(parts[0], 1, 1)
	if s.inbound[0].last != 0 || s.inbound[1].last != none || len(d.out[0].told) != 0 || len(d.out[1].told) != 1 {
		t.Errorf("%+v, %+v", s.inbound, d.out)
	}
	if parts[1].receive(&d.out[1]); s.inbound[1].last != 1 || len(d.out[1].told) != 0 {
		t.Errorf("%+v", s.inbound[1])
	}
}

// A window goes from the first event of all to the lookahead behind it, or to the end of the run; there is none where
// that has been reached, or nobody wants the run any more.
func TestWindowsOfDomains(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx          context.Context
		first, until int64
		want         int64
	}{{t.Context(), 100, 1000, 150}, {t.Context(), 950, 1000, 1000}, {t.Context(), 951, 1000, 1000}, {t.Context(), 999, 1000, 1000}, {t.Context(), 1000, 1000, 0}, {t.Context(), never, never, 0}, {t.Context(), never - 10, never, never}, {ended, 100, 1000, 0}} {
		g := &gang{lookahead: 50, until: c.until, cores: make([]core, 3), number: 6}
		g.cores[0].next, g.cores[1].next, g.cores[2].next = never, c.first, never
		g.taken.Store(9)
		g.ends[0].Store(9)
		g.ends[1].Store(9)
		g.open(c.ctx)
		if g.end != c.want || g.number != 7 || g.taken.Load()+g.ends[0].Load()+g.ends[1].Load() != 0 || g.cores[1].next != never {
			t.Errorf("first at %d of %d: to %d, want %d; %+v", c.first, c.until, g.end, c.want, g.cores)
		}
	}
	// Half of the cores begin at one end, half at the other; each domain is taken once.
	g := &gang{parts: make([]*engine, 5)}
	var got []int
	for _, core := range []int{0, 1, 2, 3, 0, 1, 0} {
		got = append(got, g.take(core))
	}
	if fmt.Sprint(got) != "[0 4 1 3 2 -1 -1]" {
		t.Errorf("%v", got)
	}
}

// Counts of domains are added to the run's, and what is under way in them; the latest time is the run's.
func TestJoinDomains(t *testing.T) {
	s := &engine{}
	s.left, s.now, s.hops = 5, 40, 7
	var parts []*engine
	for i := range 2 {
		p := &engine{}
		p.packets, p.free, p.now, p.hops = make([]packet, 10), make([]packetID, 3+i), int64(100-i), 20
		parts = append(parts, p)
	}
	if s.join(parts); s.left != 5+6+5 || s.now != 100 || s.hops != 47 {
		t.Errorf("%d left, at %d, %d hops", s.left, s.now, s.hops)
	}
}
