package sim

import (
	"fmt"
	"math/rand/v2"

	"github.com/roceplan/roceplan/units"
)

// Watchdog frees queues of a switch that PFC has stopped for too long. It looks at each
// queue of Classes every Poll.
//
// Detection: a queue that has packets and was paused without interruption since the last look
// is charged Poll; one that was not begins again. When Detection is reached, the watchdog
// takes hold of it. So does NVIDIA's (sonic-swss, pfc_detect_mellanox.lua: packets wait, none
// was sent, the pause lasted for 99 % of the interval); Broadcom's
// (pfc_detect_broadcom.lua) asks for a pause at both looks with none taken back in between,
// and for a pause frame received, which a pause that is refreshed always is. A queue upstream
// that is stopped by the same storm is as guilty as the one before the NIC: which of them is
// found first depends on when their switches look.
//
// Restoration (pfc_restore.lua): a look without a PFC frame received since the last one is
// charged Poll; one with a frame begins again. When Restoration is reached, the queue is as
// before.
type Watchdog struct {
	Poll                   units.Time // above 0
	Detection, Restoration units.Time // at least Poll
	Action                 WatchdogAction
	Classes                uint8 // a bit per class that is watched
}

// WatchdogAction says how a watchdog handles a queue that it found stopped. The PFC frames that
// come for it are ignored in either case (sonic-swss, pfcactionhandler.cpp).
type WatchdogAction uint8

const (
	// WatchdogDrop discards what is in the queue and what comes for it, and what comes in by
	// its port in its class.
	WatchdogDrop WatchdogAction = iota
	// WatchdogForward sends in spite of the pauses.
	WatchdogForward
	// WatchdogAlert does nothing but count.
	WatchdogAlert
)

// watchdog is a switch's in a run. It looks only while there is something to look at.
type watchdog struct {
	*Watchdog
	ports []int32
	phase int64 // of its looks, ps: switches do not look in step
	awake bool
}

// guard is a watchdog's state of a queue.
type guard struct {
	since    int64 // paused without interruption, ps; meaningful while it is paused
	charged  int64 // ps
	received bool  // a PFC frame came since the last look
	held     bool  // by the watchdog
	drops    bool  // held, and its packets are discarded
}

func (s *builder) buildWatchdogs() {
	phases := rand.NewPCG(s.sc.Seed, 0x7761746368646f67) // of their own, so that they change no other draw
	for node, w := range s.sc.Watchdogs {
		if w == nil {
			continue
		}
		if s.watchdogs == nil {
			s.watchdogs = make([]watchdog, len(s.sc.Nodes))
			s.guards = make([]guard, len(s.queues))
		}
		s.watchdogs[node].Watchdog, s.watchdogs[node].phase = w, int64(phases.Uint64()%uint64(w.Poll))
		s.watchdogs[node].ports = s.byNode[node]
	}
}

// watch begins to look at a queue that was just paused.
func (s *engine) watch(pi int32, p *port, class uint8) {
	s.guards[pi*classes+int32(class)].since = s.now
	w := &s.watchdogs[p.node]
	if w.Watchdog != nil && !w.awake && w.Classes>>class&1 != 0 {
		w.awake = true
		poll := int64(w.Poll)
		s.plan(taskWatch, p.node, s.now+poll-(s.now+poll-w.phase)%poll)
	}
}

// lookAt looks at all queues of a switch.
func (s *engine) lookAt(node int32) {
	w := &s.watchdogs[node]
	w.awake = false
	for _, pi := range w.ports {
		for class := range uint8(classes) {
			if w.Classes>>class&1 == 0 {
				continue
			}
			p, g := &s.ports[pi], &s.guards[pi*classes+int32(class)]
			if g.held {
				s.lookAtHeld(w, pi, p, class, g)
			} else {
				s.lookAtFree(w, pi, p, class, g)
			}
			w.awake = w.awake || g.held || p.paused>>class&1 != 0
		}
	}
	if w.awake {
		s.plan(taskWatch, node, s.now+int64(w.Poll))
	}
}

func (s *engine) lookAtFree(w *watchdog, pi int32, p *port, class uint8, g *guard) {
	if (p.paused&p.waiting)>>class&1 == 0 || g.since > s.now-int64(w.Poll) {
		g.charged = 0
		return
	}
	if g.charged += int64(w.Poll); g.charged < int64(w.Detection) {
		return
	}
	if w.Action == WatchdogAlert {
		if g.charged-int64(w.Poll) < int64(w.Detection) {
			s.stormFound(pi, class)
		}
		return
	}
	*g = guard{held: true, drops: w.Action == WatchdogDrop}
	s.stormFound(pi, class)
	p.trouble |= guarded
	p.paused &^= 1 << class
	p.obeying &^= 1 << class
	if g.drops {
		s.flush(pi, p, 1<<class, &s.guarded)
	}
	s.kick(pi, p)
}

func (s *engine) stormFound(pi int32, class uint8) {
	s.watchdogEvents++
	if k := s.counted(pi, class); k != nil {
		k.Storms++
	}
}

func (s *engine) lookAtHeld(w *watchdog, pi int32, p *port, class uint8, g *guard) {
	if g.received {
		g.received, g.charged = false, 0
		return
	}
	if g.charged += int64(w.Poll); g.charged < int64(w.Restoration) {
		return
	}
	*g = guard{}
	if k := s.counted(pi, class); k != nil {
		k.Restored++
	}
	for other := range int32(classes) {
		if s.guards[pi*classes+other].held {
			return
		}
	}
	p.trouble &^= guarded
}

// ignores reports whether a PFC frame means nothing because the watchdog holds the queue.
func (s *engine) ignores(pi int32, class uint8) bool {
	g := &s.guards[pi*classes+int32(class)]
	g.received = true
	return g.held
}

func (w *Watchdog) check() error {
	if w.Poll <= 0 || w.Detection < w.Poll || w.Restoration < w.Poll {
		return fmt.Errorf("a watchdog that polls every %d ps, detects in %d ps and restores in %d ps: want 0 < Poll ≤ Detection, Restoration", w.Poll, w.Detection, w.Restoration)
	}
	if w.Classes&1 != 0 {
		return fmt.Errorf("a watchdog watches class 0, which is never paused")
	}
	return nil
}
