package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// poolAboveChip sums what the ingress side holds against the memory of the chip.
func poolAboveChip(s *subject) {
	if s.chip == nil {
		return
	}
	memory, err := s.chip.PacketBuffer.Get()
	if usable, unknown := s.chip.UsableBuffer.Get(); unknown == nil && (err != nil || usable > memory) {
		memory, err = usable, nil
	}
	if err != nil {
		return
	}
	var sum units.Bytes
	var largest *plan.Pool
	for i := range s.sw.Pools {
		pool := &s.sw.Pools[i]
		if pool.Size.Value > memory {
			s.found.Errorf(PoolAboveChip, at(pool.Size, s.sw.Range), "pool %s has %v, and %s has %v", pool.Name, pool.Size.Value, s.chip.Title, memory)
			return
		}
		if pool.Direction != plan.Ingress {
			continue
		}
		sum += pool.Size.Value
		if s.chip.PoolSize.Or(chips.Gross) == chips.Net {
			sum += pool.Headroom.Value
		}
		if largest == nil || pool.Size.Value > largest.Size.Value {
			largest = pool
		}
	}
	if sum > memory {
		s.found.Errorf(PoolAboveChip, at(largest.Size, s.sw.Range), "the ingress pools take %v, headroom included, and %s has %v: %v too much", sum, s.chip.Title, memory, sum-memory)
	}
}
