package sim

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxCores is how many domains a run may have.
const maxCores = 64

// split divides a run that has not begun among domains; nil if it is not [Scenario.divisible] or
// what there is to do does not divide.
func (s *engine) split(sc *Scenario) []*engine {
	n := min(sc.Cores, maxCores, sc.edgeCount())
	if n < 2 || !sc.divisible() {
		return nil
	}
	of := divide(sc, n)
	if ahead := sc.lookahead(of); ahead <= 0 || ahead == never || !sc.apart(of) {
		return nil
	}
	parts := make([]*engine, n)
	for i := range parts {
		parts[i] = s.part(sc, &domain{self: i, of: of, packets: make([][]sent, n), told: make([][]expected, n)})
	}
	for i := range s.ports {
		if of[s.ports[i].node] != of[s.ports[i^1].node] {
			s.ports[i].intake = s.ports[i].intake&^peerQuiet | crossing
		}
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
			parts[of[s.ports[id>>kindBits].node]].events.push(id, at, order, 0)
		}
	}
}

// part is an engine with the state of all nodes and nothing to do yet.
func (s *engine) part(sc *Scenario, d *domain) *engine {
	own := *s
	own.domain = d
	own.events = newEventQueue(s.events.bits)
	own.agenda, own.counters = agenda{}, counters{}
	own.packetStore = packetStore{sent: empty(s.sent), int: empty(s.int), ready: empty(s.ready), tags: empty(s.tags)}
	own.room(1)
	if s.seen != nil {
		own.seen = s.seen.part()
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

// nodeOf is where a task is done.
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

// runParts runs domains side by side, until a time.
func runParts(ctx context.Context, parts []*engine, lookahead, until int64) error {
	g := &gang{size: int32(len(parts)), next: make([]paddedTime, len(parts))}
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			for rounds := 0; ; rounds++ {
				if rounds%256 == 0 && ctx.Err() != nil {
					g.stop.Store(true)
				}
				if !parts[i].round(g, parts, lookahead, until) {
					return
				}
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// round goes on to the next exchange; false if nothing is left before a time.
func (s *engine) round(g *gang, parts []*engine, lookahead, until int64) bool {
	self := s.domain.self
	g.next[self].ps = s.events.next()
	g.meet()
	first := int64(never)
	for i := range g.next {
		first = min(first, g.next[i].ps)
	}
	if first >= until || g.stop.Load() {
		return false
	}
	s.domain.forgetSent()
	end := until
	if until-first > lookahead {
		end = first + lookahead
	}
	for s.step(end) {
	}
	g.meet()
	for i := range parts {
		if i != self {
			s.receive(parts[i].domain)
		}
	}
	return true
}

// gang is who wait for one another.
type gang struct {
	size    int32
	arrived atomic.Int32
	turn    atomic.Uint32
	stop    atomic.Bool
	next    []paddedTime // by domain: of its next event
}

// paddedTime fills a cache line.
type paddedTime struct {
	ps int64
	_  [56]byte
}

// spins is how often a domain looks whether the others have come before it gives up its processor.
const spins = 2000

// meet returns when all have called it.
func (g *gang) meet() {
	turn := g.turn.Load()
	if g.arrived.Add(1) == g.size {
		g.arrived.Store(0)
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
		s.left += int64(len(p.packets) - 1 - p.spare)
		if s.seen != nil {
			s.seen.join(p.seen, func(port int) bool { return int(p.domain.of[s.ports[port].node]) == p.domain.self })
		}
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
