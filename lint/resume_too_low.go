package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// resumeTooLow finds resume levels below nothing.
func resumeTooLow(s *subject) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			if pg := &k.qos.PGs[i]; s.resumesEmpty(pg) {
				s.found.Errorf(ResumeTooLow, at(pg.XOnOffset, k.ports[0].Range), "priority group %d of %v resumes %v below the level of its pause, but that level is at most %v: it resumes only when it is empty", pg.ID, k, pg.XOnOffset.Value, s.highestPause(pg)).Fixf("resume less than %v below the level of the pause", s.highestPause(pg))
			}
		}
	}
}

// resumesEmpty reports whether the xon offset of a lossless PG is at least the highest level
// at which it pauses.
func (s *subject) resumesEmpty(pg *plan.PG) bool {
	top := s.highestPause(pg)
	return pg.Lossless && pg.XOn.Value == 0 && top > 0 && pg.XOnOffset.Value >= top
}

// highestPause is the level at which a PG pauses that has its pool for itself; 0 where the
// file does not say enough.
func (s *subject) highestPause(pg *plan.PG) units.Bytes {
	pool := s.pool(pg.Pool)
	if pool == nil || pool.Size.Value == 0 || pg.Limit.Why == nil {
		return 0
	}
	return pg.Reserved.Value + mostShared(pg.Limit.Value, pool.Size.Value)
}
