package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Egress describes how a port of a switch sends: the queues of a plan's port. Ports may share one.
type Egress struct {
	Scheduler Scheduler
	ECN       [classes]ECN           // by class, whose Rate has no meaning here; KMax of 0: not marked
	MaxRate   [classes]units.BitRate // by class: shaper, of bytes on the wire; 0: none
}

// maxKinds is the largest number of different schedulers, and of curves, in a run.
const maxKinds = 256

// egressBuilder makes what ports send by, each kind of it once.
type egressBuilder struct {
	engine *engine
	packet int32 // the largest
	kinds  map[Scheduler]uint8
	marks  map[ECN]uint8
}

// buildEgress gives each switch's port its scheduler, its curves and its shapers. Ports
// without an [Egress] of their own have the scenario's.
func (s *builder) buildEgress() error {
	b := &egressBuilder{
		engine: s.engine, packet: int32(s.transport.payload) + s.transport.dataHeader,
		kinds: map[Scheduler]uint8{}, marks: map[ECN]uint8{},
	}
	s.profiles = []ecnProfile{{}} // the first one never marks
	byRate := map[units.BitRate]ECN{}
	for _, e := range s.sc.ECN {
		byRate[e.Rate] = e
	}
	for i := range s.ports {
		l := &s.sc.Links[i/2]
		own := l.Egress[i%2]
		for class := range uint8(classes) {
			curve, marks := byRate[l.Rate]
			if own != nil {
				curve, marks = own.ECN[class], own.ECN[class].KMax > 0
			}
			if marks {
				s.curves[s.cell(int32(i), class)] = b.mark(curve)
			}
		}
		if own != nil || s.sc.Scheduler != (Scheduler{}) {
			b.schedule(i, own, &s.sc.Scheduler)
		}
		if own != nil && own.MaxRate != [classes]units.BitRate{} {
			s.shape(int32(i), own)
		}
	}
	if len(b.kinds) > maxKinds || len(s.profiles) > maxKinds {
		return fmt.Errorf("ports have %d different schedulers and %d different curves, more than %d", len(b.kinds), len(s.profiles)-1, maxKinds-1)
	}
	return nil
}

// mark finds or makes the profile of a curve.
func (b *egressBuilder) mark(e ECN) uint8 {
	e.Rate = 0
	i, ok := b.marks[e]
	if !ok {
		i = uint8(len(b.engine.profiles))
		b.marks[e] = i
		b.engine.profiles = append(b.engine.profiles, newECNProfile(e))
		if e.PollPeriod > 0 && b.engine.averages == nil {
			b.engine.averages, b.engine.noting = make([]average, len(b.engine.queues)), true
		}
	}
	return i
}

// schedule gives a port the scheduler of its own, if it has one.
func (b *egressBuilder) schedule(port int, own *Egress, all *Scheduler) {
	s := b.engine
	if s.dwrr == nil {
		n := len(s.ports)
		s.dwrr = &dwrr{kind: make([]uint8, n), deficit: make([]int32, n*classes), turn: make([]uint8, n)}
	}
	if own != nil {
		all = &own.Scheduler
	}
	i, ok := b.kinds[*all]
	if !ok {
		i = uint8(len(b.kinds))
		b.kinds[*all] = i
		s.dwrr.shares = append(s.dwrr.shares, newShares(all, b.packet))
	}
	s.dwrr.kind[port] = i
}

func (e *Egress) check() error {
	for class, rate := range e.MaxRate {
		if rate != 0 && rate < units.Mbps {
			return fmt.Errorf("class %d may send %d bit/s: want at least 1 Mb/s, or 0 for no limit", class, rate)
		}
	}
	if e.MaxRate[0] != 0 {
		return fmt.Errorf("class 0 holds the pauses and cannot be limited")
	}
	return nil
}
