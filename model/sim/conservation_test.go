package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// TestConservation audits every pattern under every congestion control, while it runs and
// when the network has drained.
func TestConservation(t *testing.T) {
	for pattern := range patterns {
		for control := range controls {
			t.Run(name(pattern, control), func(t *testing.T) {
				drain(t, scenario(leafSpine(3, 4, 2), pattern, control, 300*units.KB), true)
			})
		}
	}
}

// TestConservationAnywhere does so on random fabrics with random buffers, classes and
// lossy links, where packets are dropped and flows may never finish.
func TestConservationAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { drain(t, drawScenario(t), false) })
}

// drawScenario draws all that a run can be.
func drawScenario(t *rapid.T) *Scenario {
	sc := leafSpine(rapid.IntRange(1, 3).Draw(t, "leaves"), rapid.IntRange(2, 4).Draw(t, "hosts"), rapid.IntRange(1, 3).Draw(t, "spines"))
	sc.Buffer.Size = units.Bytes(rapid.IntRange(600, 4000).Draw(t, "buffer")) * units.KB
	sc.Transport.BackToZero = rapid.Bool().Draw(t, "back to zero")
	sc.Transport.Chunk = 4000
	sc.PFC.HostResponse = units.Time(rapid.IntRange(0, 500).Draw(t, "response")) * units.Nanosecond
	sc.Scheduler.Strict = rapid.Uint8().Draw(t, "strict")
	sc.Transport.DirectPlacement = rapid.Bool().Draw(t, "direct placement")
	sc.Transport.Service = rapid.SampledFrom([]Service{RC, XRC, DC}).Draw(t, "service")
	sc.Transport.Host.Targets = rapid.IntRange(1, 3).Draw(t, "targets")
	sc.Transport.Host.Busy = 3 * units.Microsecond
	sc.Transport.CNPPackets = rapid.Bool().Draw(t, "CNP packets")
	sc.Transport.CNPClass = rapid.Uint8Range(0, 7).Draw(t, "class of CNPs")
	if sc.Transport.Service == DC { // or who is refused for the sake of a lost packet comes for ever
		sc.Transport.AckTimeout, sc.Transport.Retries = 200*units.Microsecond, 2
		if rapid.Bool().Draw(t, "selective") {
			sc.Transport.Selective, sc.Transport.DirectPlacement, sc.Transport.BackToZero = true, true, false
		}
		sc.Stop = 20 * units.Millisecond
	}
	sc.Balancing = balance.Config{
		Mode:           rapid.SampledFrom([]balance.Mode{balance.ECMP, balance.Spray, balance.Adaptive, balance.Flowlet, balance.LetFlow, balance.Global, balance.ConWeave, balance.Cells}).Draw(t, "balancing"),
		FlowletGap:     units.Time(rapid.IntRange(0, 2).Draw(t, "gap")) * units.Microsecond,
		SignalInterval: 3 * units.Microsecond,
		Cells:          cells.Config{Credit: 1500, Speedup: 1, EgressBuffer: 3000},
		ConWeave: conweave.Config{
			PathPause: 16 * units.Microsecond, Expiry: 300 * units.Microsecond,
			FlushSlack:    units.Time(rapid.IntRange(0, 8).Draw(t, "slack")) * units.Microsecond,
			ReorderQueues: rapid.IntRange(0, 2).Draw(t, "reorder queues"),
		},
	}
	if sc.Balancing.Mode != balance.Cells && rapid.Bool().Draw(t, "silicon") {
		lossyBuffers(sc, units.Bytes(rapid.IntRange(200, 4000).Draw(t, "chip buffer"))*units.KB, rapid.Uint8().Draw(t, "lossy classes"))
	}
	for i := range sc.Links {
		sc.Links[i].Delay = units.Time(rapid.IntRange(50, 3000).Draw(t, "delay")) * units.Nanosecond
		if rapid.IntRange(0, 3).Draw(t, "lossy") == 0 {
			sc.Links[i].ErrorRate = 0.01
		}
	}
	pattern := rapid.SampledFrom([]string{"incast", "permutation", "mixed sizes"}).Draw(t, "pattern")
	control := rapid.SampledFrom([]string{"none", "dcqcn", "timely", "hpcc", "dctcp"}).Draw(t, "control")
	scenario(sc, pattern, control, 60*units.KB)
	for i := range sc.Flows {
		f := &sc.Flows[i]
		f.Class = rapid.Uint8Range(0, 7).Draw(t, "class")
		f.TCP = sc.Transport.Service != DC && rapid.IntRange(0, 3).Draw(t, "tcp") == 0
		if f.TCP && sc.Stop == 0 { // or its timer runs out again and again behind a pause whose end was lost
			sc.Stop = 1000 * units.Second
		}
		f.QueuePair = rapid.IntRange(0, 2).Draw(t, "queue pair")
		if i > 0 && rapid.Bool().Draw(t, "waits") {
			f.After = []int32{rapid.Int32Range(0, int32(i)-1).Draw(t, "after")}
			f.Delay = units.Time(rapid.IntRange(0, 2000).Draw(t, "delay")) * units.Nanosecond
		}
	}
	for i := range sc.Links {
		if rapid.IntRange(0, 3).Draw(t, "own queues") == 0 {
			sc.Links[i].Egress = [2]*Egress{drawEgress(t), drawEgress(t)}
		}
	}
	if rapid.Bool().Draw(t, "trouble") {
		drawTrouble(t, sc)
	}
	return sc
}

// drawTrouble lets links fail, NICs pause and hosts be slow for a while, with pauses that
// expire, and with watchdogs or without.
func drawTrouble(t *rapid.T, sc *Scenario) {
	us := func(name string, least, most int) units.Time {
		return units.Time(rapid.IntRange(least, most).Draw(t, name)) * units.Microsecond
	}
	host := rapid.IntRange(0, sc.hostCount()-1)
	if sc.Stop == 0 {
		sc.Stop = units.Second
	}
	sc.PFC.Quanta = uint16(rapid.IntRange(500, LargestQuanta).Draw(t, "quanta"))
	sc.Convergence = us("convergence", 0, 50)
	for link := range sc.Links {
		if rapid.IntRange(0, 5).Draw(t, "fails") == 0 {
			at := us("down", 0, 60)
			sc.Outages = append(sc.Outages, Outage{Link: link, Down: at, Up: at + us("outage", 10, 100)})
		}
	}
	if rapid.Bool().Draw(t, "storm") {
		at := us("storm", 0, 60)
		sc.Storms = []Storm{{Host: host.Draw(t, "host"), Class: rapid.Uint8Range(1, 7).Draw(t, "class"), From: at, To: at + us("storm lasts", 1, 300)}}
	}
	if rapid.Bool().Draw(t, "slow receiver") {
		at := us("slow", 0, 60)
		sc.Receivers = []Receiver{{
			Host: host.Draw(t, "host"), Rate: units.Gbps, From: at, To: at + us("slow for", 1, 300),
			Buffer: 200 * units.KB, XOFF: 20 * units.KB, XON: 10 * units.KB, Classes: rapid.Uint8().Draw(t, "paused") &^ 1,
		}}
	}
	if rapid.Bool().Draw(t, "watchdogs") {
		sc.Watchdogs = make([]*Watchdog, len(sc.Nodes))
		for node := sc.hostCount(); node < len(sc.Nodes); node++ {
			poll := us("poll", 1, 20)
			sc.Watchdogs[node] = &Watchdog{
				Poll: poll, Detection: 3 * poll, Restoration: 2 * poll, Classes: 0xfe,
				Action: rapid.SampledFrom([]WatchdogAction{WatchdogDrop, WatchdogForward}).Draw(t, "action"),
			}
		}
	}
}

// drawEgress lets classes of a port be strict, weigh, be marked and be held to a rate.
func drawEgress(t *rapid.T) *Egress {
	e := &Egress{Scheduler: Scheduler{Strict: rapid.Uint8().Draw(t, "strict")}}
	for class := 1; class < classes; class++ {
		e.Scheduler.Weights[class] = rapid.Uint8Range(0, 100).Draw(t, "weight")
		if rapid.Bool().Draw(t, "marked") {
			e.ECN[class] = ECN{KMin: 5 * units.KB, KMax: 50 * units.KB, PMax: 0.5}
		}
		if rapid.IntRange(0, 3).Draw(t, "capped") == 0 {
			e.MaxRate[class] = units.BitRate(rapid.IntRange(1, 50).Draw(t, "Gb/s")) * units.Gbps
		}
	}
	return e
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// drain runs a scenario to its end and audits it now and then.
func drain(t failer, sc *Scenario, complete bool) {
	t.Helper()
	s, err := newEngine(sc)
	if err != nil {
		t.Fatalf("%v", err)
	}
	until := int64(math.MaxInt64)
	if sc.Stop > 0 {
		until = int64(sc.Stop)
	}
	for s.steps(until, 5000) {
		audit(t, s)
		if s.lostFrames > 0 && s.now > int64(units.Second) {
			return // what waits for the end of a pause that was lost is tried again for ever
		}
	}
	audit(t, s)
	if s.lostFrames > 0 && sc.PFC.Quanta == 0 {
		return // where the frame was lost that would have ended a pause, packets wait for ever
	}
	if sc.Stop > 0 && sc.Transport.Service == DC {
		return // where a link took the last word of a connection along, its target refuses others for ever
	}
	if live := len(s.packets) - 1 - len(s.free); live != 0 {
		t.Fatalf("%d packets are left in a network where nothing happens any more", live)
	}
	for i := range s.pools {
		if s.pools[i].shared != 0 {
			t.Fatalf("switch %d still counts %d B as shared", i, s.pools[i].shared)
		}
	}
	for i := range s.flows {
		f := &s.flows[i]
		expected := s.inbound[i].expected
		if expected == s.inbound[i].passed { // the next message begins with a whole packet, which the sender knows first
			expected = s.transport.wholePackets(expected)
		}
		if f.acked > expected || s.inbound[i].expected > f.bytes || complete && f.acked < f.bytes {
			t.Fatalf("flow %d of %d B: %d received, %d acknowledged", i, f.bytes, s.inbound[i].expected, f.acked)
		}
	}
	if complete && s.finished != len(s.messages) {
		t.Fatalf("%d of %d messages finished", s.finished, len(s.messages))
	}
}

// audit counts again all that a run keeps count of: packets, queues, buffers.
func audit(t failer, s *engine) {
	t.Helper()
	live, frames := int64(0), int64(0)
	count := func(id packetID) {
		for ; id != 0; id = s.packets[id].next {
			if s.packets[id].kind < pauseFrame {
				live++
			} else {
				frames++
			}
		}
	}
	held := make([]uint32, len(s.usages)) // in the switch, by port and class of entry
	for i := range s.ports {
		p := &s.ports[i]
		count(p.flight.head)
		if s.entrances != nil {
			count(s.entrances[i].frames.head)
			count(s.entrances[i].packets.head)
			for id := s.entrances[i].packets.head; id != 0; id = s.packets[id].next {
				if pk := &s.packets[id]; pk.kind < pauseFrame && pk.label&refused == 0 && pk.in != uncounted {
					held[int32(i)*classes+int32(pk.label.class())] += s.charged(int32(i), pk.label.class(), pk)
				}
			}
		}
		backlog := uint32(0)
		for class := range uint8(classes) {
			q := s.queue(int32(i), class)
			count(q.head)
			bytes := uint32(0)
			for id := q.head; id != 0; id = s.packets[id].next {
				pk := &s.packets[id]
				bytes += uint32(pk.size)
				if pk.kind < pauseFrame && (pk.in != unaccounted || s.cells == nil) { // frames take no buffer and come from no port
					held[pk.in*classes+int32(class)] += s.charged(pk.in, class, pk)
				}
			}
			if bytes != q.bytes || q.head != 0 != (p.waiting>>class&1 != 0) {
				t.Fatalf("port %d class %d: %d B in queue, %d counted, waiting %08b", i, class, bytes, q.bytes, p.waiting)
			}
			backlog += bytes
		}
		if backlog != uint32(p.backlog) {
			t.Fatalf("port %d: %d B in queues, %d counted", i, backlog, p.backlog)
		}
	}
	held = auditHeld(t, s, held, count)
	auditCells(t, s, held, count)
	for i := range s.nics {
		for class := range uint8(classes) {
			list := *s.acksOf(int32(i), class)
			if list.head != 0 != (s.nics[i].acking>>class&1 != 0) {
				t.Fatalf("NIC %d: acknowledgements of class %d are not told", i, class)
			}
			count(list.head)
		}
		count(s.nics[i].cnps.head)
	}
	for i := range s.receivers {
		count(s.receivers[i].list.head)
	}
	auditBuffers(t, s, held)
	auditConnections(t, s)
	if got := s.delivered + s.dropped + s.lost + s.flushed + s.unrouted + s.overrun + s.guarded + live; got != s.created {
		t.Fatalf("%d packets are accounted for of %d created, %d of them under way: %+v", got, s.created, live, s.counters)
	}
	if used := int64(len(s.packets) - 1 - len(s.free)); used != live+frames {
		t.Fatalf("%d packets in use, %d found", used, live+frames)
	}
}

// charged returns the room that a packet takes of the buffer that it came into, in bytes or, of a chip's, in
// cells.
func (s *engine) charged(in int32, class uint8, pk *packet) uint32 {
	b := s.silicon[s.ports[in].node]
	switch {
	case pk.kind >= pauseFrame || b == nil && class == 0:
		return 0
	case b == nil:
		return uint32(pk.size)
	}
	return uint32(b.Cells(int(pk.size)))
}

// auditConnections compares what targets count with the queue pairs that are connected.
func auditConnections(t failer, s *engine) {
	t.Helper()
	held := make([]int, len(s.nics))
	for i := range s.flows {
		if f := &s.flows[i]; f.connected {
			held[s.ports[f.receiver].nic]++
		}
	}
	for i := range s.nics {
		if n := s.nics[i].connected; n != held[i] || s.host.targets > 0 && n > s.host.targets {
			t.Fatalf("host port %d counts %d initiators, %d are connected, at most %d may be", i, n, held[i], s.host.targets)
		}
	}
}

// auditBuffers compares what each class is charged with what it holds, and the pool's
// count with the sum of what is beyond the reserves.
func auditBuffers(t failer, s *engine, held []uint32) {
	t.Helper()
	shared := make([]uint32, len(s.pools))
	for i := range s.usages {
		port, class := i/classes, i%classes
		u, node := s.usage(int32(port), uint8(class)), s.ports[port].node
		if b := s.silicon[node]; b != nil {
			total := int64(b.PG(s.configs[port].chipPort, int(b.pg[class])).Total())
			if total != int64(held[i]) {
				t.Fatalf("port %d class %d: %d cells in the switch, %d charged", port, class, held[i], total)
			}
			continue
		}
		if u.ingress+u.headroom != held[i] {
			t.Fatalf("port %d class %d: %d B in the switch, %d + %d charged", port, class, held[i], u.ingress, u.headroom)
		}
		shared[node] += s.pools[node].over(u)
	}
	for node := range s.pools {
		if shared[node] != s.pools[node].shared {
			t.Fatalf("switch %d: %d B beyond reserves, %d counted as shared", node, shared[node], s.pools[node].shared)
		}
	}
}

// auditHeld counts the packets that ConWeave holds back.
func auditHeld(t failer, s *engine, held []uint32, count func(packetID)) []uint32 {
	t.Helper()
	if s.weaver == nil {
		return held
	}
	queues := make([]int32, len(s.ports))
	for pair := range s.heldBack {
		l := &s.heldBack[pair]
		count(l.head)
		for id := l.head; id != 0; id = s.packets[id].next {
			pk := &s.packets[id]
			held[pk.in*classes+int32(pk.label.class())] += s.charged(pk.in, pk.label.class(), pk)
		}
		if l.head != 0 {
			queues[s.flows[pair].receiver^1]++
		}
	}
	for port, n := range queues {
		if got := s.weaver.Holding(int32(port)); got != n {
			t.Fatalf("port %d: %d queues hold packets, counted %d", port, n, got)
		}
	}
	return held
}

// auditCells counts the packets in VoQs.
func auditCells(t failer, s *engine, held []uint32, count func(packetID)) {
	t.Helper()
	if s.cells == nil {
		return
	}
	for i := range s.cells.voqs {
		v, bytes := &s.cells.voqs[i], int64(0)
		count(v.head)
		for id := v.head; id != 0; id = s.packets[id].next {
			pk := &s.packets[id]
			bytes += int64(pk.size)
			held[pk.in*classes+int32(pk.label.class())] += s.charged(pk.in, pk.label.class(), pk)
		}
		if bytes != s.cells.Bytes(int32(i)) {
			t.Fatalf("VoQ %d holds %d B, %d counted", i, bytes, s.cells.Bytes(int32(i)))
		}
	}
}
