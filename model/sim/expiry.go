package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// timed says which tasks for expiring pauses a port has pending. At any time it has at most one
// task of each kind.
type timed struct{ expiring, refreshing bool }

// holds returns the validity of a pause frame on a link of a rate, in ps.
func (c *PFC) holds(rate units.BitRate) int64 {
	hold, _ := units.MulDiv(int64(c.Quanta)*512, 1e12, int64(rate))
	return hold
}

func (s *builder) buildExpiry() {
	if s.sc.PFC.Quanta > 0 {
		s.timed = make([]timed, len(s.ports))
		s.expireAt = make([]int64, len(s.queues))
	}
}

// expireLater notes until when a pause that has just come is valid.
func (s *engine) expireLater(pi int32, class uint8) {
	at := s.now + s.configs[pi].hold
	s.expireAt[pi*classes+int32(class)] = at
	if t := &s.timed[pi]; !t.expiring {
		t.expiring = true
		s.plan(taskExpire, pi, at)
	}
}

// expire ends the pauses that were not refreshed in time.
func (s *engine) expire(pi int32) {
	p, next, over := &s.ports[pi], int64(never), false
	for class := range uint8(classes) {
		bit := uint8(1) << class
		if (p.paused|p.obeying)&bit == 0 {
			continue
		}
		if at := s.expireAt[pi*classes+int32(class)]; at > s.now {
			next = min(next, at)
			continue
		}
		p.paused &^= bit
		p.obeying &^= bit
		over = true
	}
	s.timed[pi].expiring = next < never
	if next < never {
		s.plan(taskExpire, pi, next)
	}
	if over {
		s.kick(pi, p)
	}
}

// refreshLater sees to it that a pause is repeated while it lasts.
func (s *engine) refreshLater(pi int32) {
	if t := &s.timed[pi]; !t.refreshing {
		t.refreshing = true
		s.plan(taskRefresh, pi, s.now+s.configs[pi].hold/2)
	}
}

func (s *engine) refresh(pi int32) {
	p := &s.ports[pi]
	s.timed[pi].refreshing = false
	if p.pausing != 0 {
		s.repeatPauses(pi, p)
		s.refreshLater(pi)
	}
}

// check demands an end of a run in which a pause may be refreshed for ever.
func (c *PFC) check(stop units.Time) error {
	if c.Quanta > 0 && stop <= 0 {
		return fmt.Errorf("pauses that expire are refreshed while they last: a run with them needs Stop")
	}
	return nil
}
