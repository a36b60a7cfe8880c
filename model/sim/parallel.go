package sim

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// split divides a run that has not begun among so many domains; nil if it is not [Scenario.divisible], or
// the work does not divide.
func (s *engine) split(sc *Scenario, n int) []*engine {
	if n < 2 || !sc.divisible() {
		return nil
	}
	of := divide(sc, n)
	if !sc.apart(of) && sc.Cores > 1 {
		n = min(n, sc.Cores)
		of = divide(sc, n)
	}
	if ahead := sc.lookahead(of); ahead <= 0 || ahead == never || !sc.apart(of) {
		return nil
	}
	parts, ports := make([]*engine, n), make([][]int32, n)
	for i := range s.ports {
		own := of[s.ports[i].node]
		ports[own] = append(ports[own], int32(i))
		if of[s.ports[i].node] != of[s.ports[i^1].node] {
			s.ports[i].over = of[s.ports[i^1].node]
			if s.ports[i].intake&peerQuiet != 0 {
				s.ports[i^1].intake |= ownQuiet
			}
			s.ports[i].intake = s.ports[i].intake&^peerQuiet | crossing
		}
	}
	for i := range parts {
		parts[i] = s.part(slotBitsFor(sc.hostCount()/n), &domain{self: i, of: of}, ports[i])
	}
	for len(s.agenda.tasks) > 0 {
		t := s.agenda.tasks.pop()
		task, about := int32(t.id)&(1<<taskBits-1), int32(t.id)>>taskBits
		parts[of[s.nodeOf(task, about)]].plan(task, about, t.at)
	}
	for {
		id, at, order, ok := s.events.pop(never)
		if !ok {
			return parts
		}
		if id != planned {
			parts[of[s.ports[id.port()].node]].events.push(id, at, order, 0)
		}
	}
}

// part returns an engine with the state of all nodes and nothing to do yet.
func (s *engine) part(slotBits uint8, d *domain, ports []int32) *engine {
	own := *s
	own.domain = d
	own.events = newEventQueue(slotBits, false)
	own.agenda, own.counters = agenda{}, counters{}
	own.packetStore = packetStore{sent: empty(s.sent), waited: empty(s.waited), int: empty(s.int), ready: empty(s.ready), tags: empty(s.tags), most: s.most}
	own.room(1)
	if s.seen != nil {
		own.seen = s.seen.part(ports)
	}
	return &own
}

// empty keeps whether there is a list.
func empty[T any](list []T) []T {
	if list == nil {
		return nil
	}
	return make([]T, 0)
}

// nodeOf returns the node at which a task is done.
func (s *engine) nodeOf(task, about int32) int32 {
	switch task {
	case taskPost:
		return s.ports[s.flows[s.messages[about].pair].port].node
	case taskTCP:
		return s.ports[s.flows[about].port].node
	case taskStorm, taskCalm:
		return int32(s.storms[about].Host)
	case taskSlow, taskFast, taskTaken:
		return int32(s.receivers[about].Host)
	case taskWatch:
		return about
	}
	return s.ports[about].node
}

// gang is the cores of a run and what they share. Time goes on in windows: in each, every domain is taken by some
// core, which brings it to the window's end.
type gang struct {
	parts            []*engine
	lookahead, until int64
	cores            []core

	end     int64 // of the window, or 0: there is none
	shown   *atomic.Int64
	number  int // of the window
	turn    atomic.Uint32
	arrived atomic.Int32    // cores, at the window's end
	taken   atomic.Int32    // domains, in this window
	ends    [2]atomic.Int32 // of which from either end
}

// core holds the fields that one core alone writes.
type core struct {
	out  [2][]box // by domain: what has been sent there in this window and the one before, in turns
	next int64    // when the first event is of what it has brought to the window's end, and sent
	_    [64]byte
}

// runParts runs domains side by side on some cores, until a time.
func runParts(ctx context.Context, parts []*engine, cores int, lookahead, until int64) error {
	g := &gang{parts: parts, shown: parts[0].shown, lookahead: lookahead, until: until, cores: make([]core, cores)}
	for i := range g.cores {
		g.cores[i] = core{next: never, out: [2][]box{make([]box, len(parts)), make([]box, len(parts))}}
	}
	for _, s := range parts {
		g.cores[0].next = min(g.cores[0].next, s.events.next())
	}
	g.open(ctx)
	var wait sync.WaitGroup
	for i := range g.cores {
		wait.Go(func() {
			for g.end > 0 {
				g.window(i)
				g.meet(ctx)
			}
		})
	}
	wait.Wait()
	for i, s := range parts { // packets under way at the end are in the network
		for k := range g.cores {
			s.receive(&g.cores[k].out[g.number%2][i])
			s.receive(&g.cores[k].out[1-g.number%2][i])
		}
	}
	return g.failure(ctx)
}

// failure returns the error of the run so far.
func (g *gang) failure(ctx context.Context) error {
	err := ctx.Err()
	for _, s := range g.parts {
		err = cmp.Or(err, s.crowd())
	}
	return err
}

// open begins the window that the first event of all is in, if that is before the run's end.
func (g *gang) open(ctx context.Context) {
	first := int64(never)
	for i := range g.cores {
		first, g.cores[i].next = min(first, g.cores[i].next), never
	}
	g.end = 0
	if first < g.until && g.failure(ctx) == nil {
		show(g.shown, first)
		g.end = first + min(g.lookahead, g.until-first)
	}
	g.number++
	g.taken.Store(0)
	g.ends[0].Store(0)
	g.ends[1].Store(0)
}

// window brings domains to its end that no other core has taken.
func (g *gang) window(self int) {
	c := &g.cores[self]
	now := g.number % 2
	for i := g.take(self); i != none; i = g.take(self) {
		s := g.parts[i]
		for k := range g.cores {
			s.receive(&g.cores[k].out[1-now][i])
		}
		s.domain.out, s.domain.next = c.out[now], never
		for s.step(g.end) {
		}
		c.next = min(c.next, s.events.next(), s.domain.next)
	}
}

// take returns a domain that no other core has taken, or none. One half of the cores begins with the first domain and
// the other with the last one, since neighbours share cache lines.
func (g *gang) take(self int) int {
	if int(g.taken.Add(1)) > len(g.parts) {
		return none
	}
	i := int(g.ends[self%2].Add(1)) - 1
	if self%2 == 1 {
		i = len(g.parts) - 1 - i
	}
	return i
}

// spins is the number of times that a core looks whether the others have come before it gives up its processor.
const spins = 2000

// meet returns when all cores have called it and the next window is open.
func (g *gang) meet(ctx context.Context) {
	turn := g.turn.Load()
	if int(g.arrived.Add(1)) == len(g.cores) {
		g.arrived.Store(0)
		g.open(ctx)
		g.turn.Add(1)
		return
	}
	for i := 0; g.turn.Load() == turn; i++ {
		if i >= spins {
			runtime.Gosched()
		}
	}
}

// join puts the counts of a run's domains together in the engine that they were divided from.
func (s *engine) join(parts []*engine) {
	for _, p := range parts {
		s.now = max(s.now, p.now)
		s.counters.join(&p.counters)
		s.left += int64(len(p.packets) - 1 - len(p.free))
	}
	if s.seen != nil {
		s.seen.join(parts)
	}
}

// join adds the counts of another domain.
func (c *counters) join(o *counters) {
	c.created += o.created
	c.delivered += o.delivered
	c.dropped += o.dropped
	c.lost += o.lost
	c.flushed += o.flushed
	c.unrouted += o.unrouted
	c.overrun += o.overrun
	c.guarded += o.guarded
	c.lostFrames += o.lostFrames
	c.refreshes += o.refreshes
	c.watchdogEvents += o.watchdogEvents
	c.outOfOrder += o.outOfOrder
	c.flowletsBegun += o.flowletsBegun
	c.hops += o.hops
	c.handled += o.handled
	c.pauses += o.pauses
	c.marks += o.marks
	c.cnps += o.cnps
	c.peakQueue = max(c.peakQueue, o.peakQueue)
	c.peakHeadroom = max(c.peakHeadroom, o.peakHeadroom)
	c.timeouts += o.timeouts
	c.refused += o.refused
	c.finished += o.finished
	c.failed += o.failed
}
