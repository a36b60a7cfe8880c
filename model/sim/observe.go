package sim

import (
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// Observation selects measurements of a run beyond its totals. It changes nothing in the run.
type Observation struct {
	// Usual is a latency: how many packets took less is counted exactly.
	Usual units.Time

	// Buffers asks for the distribution of each queue and priority group over time.
	Buffers bool

	// Beside has a bit per class whose packets are left out of the figures by windows of time,
	// [Observed.Arrived] and [Observed.WindowsOver]: a connection of TCP whose timer runs out lasts a
	// hundred times as long as the other traffic, and the number of windows is bounded.
	Beside uint8

	Series   []*Series
	Counters *Counters
}

// observer is an [Observation] in progress; an engine without one has nil.
type observer struct {
	usual     int64
	beside    uint8
	last      int64 // time of the last arrival of a data packet, ps
	lastTold  int64 // the same of those in windows of time
	classes   [classes]seenClass
	unblocked []int64 // by flow: when window or retransmission last let it go on, ps

	held  []level // bytes in queues, by port and class; nil if not asked for
	pgs   []level // bytes charged to PGs, by port and number
	voqs  []level // bytes in all virtual output queues for a port, by port and class; nil before the first
	ports []portCounts

	pauses   pauseLog
	arrivals arrivalLog
}

// seenClass holds the counts of a class's packets.
type seenClass struct {
	latency    histogram // ps; empty if no flow is of the class
	belowUsual int64     // packets
	drops      int64
	lost       int64 // to all else
}

// level measures a fill over time.
type level struct {
	bytes    int64
	since    int64     // when it became so full, ps
	headroom int64     // most that was in headroom, bytes
	over     histogram // bytes, by ps; empty as long as nothing came
}

// set ends a span of time with one value and begins the next.
func (l *level) set(now, bytes int64) {
	if l.over.counts == nil {
		l.over = newHistogram(32)
	}
	l.over.add(l.bytes, max(0, now-l.since)) // the run's end may be before the last change
	l.bytes, l.since = bytes, now
	l.over.max = max(l.over.max, bytes) // even if it lasts for no time
}

// portCounts are events at one port.
type portCounts struct{ marks, cnps, drops int64 }

// latencyBits covers latencies of up to 2^44 ps, 17 s.
const latencyBits = 44

func (s *builder) buildObserver() {
	if s.sc.Observe == nil {
		return
	}
	o := &observer{
		usual:     int64(s.sc.Observe.Usual),
		beside:    s.sc.Observe.Beside,
		unblocked: make([]int64, len(s.flows)),
		ports:     make([]portCounts, len(s.ports)),
		pauses:    newPauseLog(len(s.ports)),
		arrivals:  newArrivalLog(),
	}
	for i := range s.sc.Flows {
		if c := &o.classes[s.sc.Flows[i].Class]; c.latency.counts == nil {
			c.latency = newHistogram(latencyBits)
		}
	}
	s.ready = make([]int64, 0)
	if s.sc.Observe.Buffers {
		o.held, o.pgs = make([]level, len(s.queues)), make([]level, len(s.queues))
		s.noting = true
	}
	s.seen = o
}

// part observes a domain of the run, which has some of the ports: all domains share the records of ports and flows.
func (o *observer) part(ports []int32) *observer {
	own := *o
	for class := range own.classes {
		if c := &own.classes[class]; c.latency.counts != nil {
			c.latency = newHistogram(latencyBits)
		}
	}
	own.pauses.own, own.arrivals = ports, newArrivalLog()
	return &own
}

// join puts together what was observed in the domains.
func (o *observer) join(parts []*engine) {
	for _, p := range parts {
		o.pauses.width = max(o.pauses.width, p.seen.pauses.width)
	}
	for _, p := range parts {
		p.seen.pauses.widen(o.pauses.width)
		o.joinTotals(p.seen)
	}
}

func (o *observer) joinTotals(other *observer) {
	o.last, o.lastTold = max(o.last, other.last), max(o.lastTold, other.lastTold)
	for class := range o.classes {
		c, d := &o.classes[class], &other.classes[class]
		c.latency.join(&d.latency)
		c.belowUsual += d.belowUsual
		c.drops += d.drops
		c.lost += d.lost
	}
	o.pauses.last = max(o.pauses.last, other.pauses.last)
	o.arrivals.join(&other.arrivals)
}

// unblock notes that a flow which had nothing to send, or no window, has now.
func (s *engine) unblock(i int32) {
	if s.seen != nil {
		s.seen.unblocked[i] = s.now
	}
}

// readySince returns the time since which the packet that a flow sends now has been in the NIC's
// queue: the pace lets it go, and so do window and retransmission.
func (o *observer) readySince(i int32, f *flow) int64 { return max(f.nextSend, o.unblocked[i]) }

// arrived counts the latency of a data packet that is at its receiver.
func (o *observer) arrived(now int64, class uint8, payload, latency int64) {
	o.last = now
	one, c := Arrivals{Packets: 1, Bytes: payload, Latency: units.Time(latency), Longest: units.Time(latency)}, &o.classes[class&(classes-1)]
	if latency < o.usual {
		c.belowUsual++
		one.Usual++
	}
	c.latency.add(latency, 1)
	if o.beside>>class&1 == 0 {
		o.lastTold = now
		o.arrivals.at(now, class&(classes-1)).Join(&one)
	}
}

// note is called before a packet comes to a queue, with a sign of 1, or leaves it, with -1.
func (s *engine) note(pi int32, class uint8, pk *packet, sign int64) {
	if s.averages != nil {
		s.poll(pi, class)
	}
	if s.countsParts(pi, pk) {
		*s.inPart(pi, class, pk.in) += uint32(sign * int64(pk.size))
	}
	o := s.seen
	if o == nil || o.held == nil || pk.kind >= pauseFrame {
		return
	}
	queue := &o.held[pi*classes+int32(class)]
	queue.set(s.now, queue.bytes+sign*int64(pk.size))
	if s.cells != nil && (sign > 0 || pk.in == unaccounted) {
		return // it has taken its buffer before its VoQ; or takes none
	}
	if s.silicon[s.ports[pi].node] == nil {
		pg, u := &o.pgs[pk.in*classes+int32(class)], s.usage(pk.in, class)
		pg.set(s.now, pg.bytes+sign*int64(pk.size))
		pg.headroom = max(pg.headroom, int64(u.headroom))
	}
}

// noteVOQ is called after a packet has come to a virtual output queue for a port, with the port
// that it came in by, or has left one; then that is none.
func (s *engine) noteVOQ(in, out int32, class uint8, bytes int64) {
	o := s.seen
	if o == nil || o.held == nil {
		return
	}
	if o.voqs == nil {
		o.voqs = make([]level, len(s.queues))
	}
	v := &o.voqs[out*classes+int32(class)]
	v.set(s.now, v.bytes+bytes)
	if in != none {
		pg, u := &o.pgs[in*classes+int32(class)], s.usage(in, class)
		pg.set(s.now, pg.bytes+bytes)
		pg.headroom = max(pg.headroom, int64(u.headroom))
	}
}

// notePG is called after a chip's buffer has taken in a packet or given one back.
func (s *engine) notePG(b *silicon, in int32, class uint8) {
	if o := s.seen; o != nil && o.pgs != nil {
		number := b.pg[class]
		state := b.PG(s.configs[in].chipPort, int(number))
		pg := &o.pgs[in*classes+int32(number)]
		pg.set(s.now, int64(state.Total())*b.cellBytes)
		pg.headroom = max(pg.headroom, int64(state.Headroom)*b.cellBytes)
	}
}

// pauseLog records for how long ports have paused their links' other ends, and how often in which
// window of time. The windows become longer as the run does.
type pauseLog struct {
	last  int64 // time of the last begin or end, ps
	width int64 // of a window, ps
	ports []pausedPort
	began []int64 // by port and class: the pause in force, ps
	own   []int32 // ports whose pauses are in windows of that width
}

// pausedPort is one port's pauses.
type pausedPort struct {
	inForce uint8 // a bit per class
	classes [classes]pauseCounts
	started []uint32 // by window: pauses that began in it; nil before the first
	carried []uint32 // by window: those in force at its beginning
}

type pauseCounts struct{ pauses, total, longest int64 }

// pauseWindows is the largest number of windows; a run that is not very short has more than half as
// many.
const pauseWindows = 256

func newPauseLog(ports int) pauseLog {
	l := pauseLog{
		width: int64(units.Microsecond), ports: make([]pausedPort, ports), began: make([]int64, ports*classes),
		own: make([]int32, ports),
	}
	for i := range l.own {
		l.own[i] = int32(i)
	}
	return l
}

// begin notes a pause. A frame that renews one is not another pause.
func (l *pauseLog) begin(now int64, pi int32, class uint8) {
	p := &l.ports[pi]
	if p.inForce>>class&1 != 0 {
		return
	}
	if p.started == nil {
		p.started, p.carried = make([]uint32, pauseWindows), make([]uint32, pauseWindows)
	}
	l.last = now
	p.inForce |= 1 << class
	p.classes[class].pauses++
	l.began[pi*classes+int32(class)] = now
}

func (l *pauseLog) end(now int64, pi int32, class uint8) {
	p := &l.ports[pi]
	if p.inForce>>class&1 == 0 {
		return
	}
	l.last = now
	p.inForce &^= 1 << class
	from := l.began[pi*classes+int32(class)]
	c := &p.classes[class]
	c.total += now - from
	c.longest = max(c.longest, now-from)
	l.reach(now)
	first := from / l.width
	p.started[first]++
	for w := first + 1; w <= now/l.width; w++ {
		p.carried[w]++
	}
}

// reach makes the windows long enough for a time: two become one.
func (l *pauseLog) reach(now int64) {
	for now/l.width >= pauseWindows {
		l.width *= 2
		for _, i := range l.own {
			l.ports[i].halve()
		}
	}
}

// widen makes the windows so long.
func (l *pauseLog) widen(width int64) {
	for l.width < width {
		l.reach(l.width * pauseWindows)
	}
}

// halve joins windows. A pause that is carried from the first half of a window to the second
// has been counted in the first.
func (p *pausedPort) halve() {
	if p.started == nil {
		return
	}
	for w := range pauseWindows / 2 {
		p.started[w] = p.started[2*w] + p.started[2*w+1]
		p.carried[w] = p.carried[2*w]
	}
	clear(p.started[pauseWindows/2:])
	clear(p.carried[pauseWindows/2:])
}

// close ends the run: pauses that are in force last until now.
func (l *pauseLog) close(now int64) {
	l.reach(now)
	for i := range l.ports {
		for left := l.ports[i].inForce; left != 0; left &= left - 1 {
			l.end(now, int32(i), uint8(bits.TrailingZeros8(left)))
		}
	}
}
