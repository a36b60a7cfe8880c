package lint

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// poolAboveChip sums what the ingress side takes of the memory of the chip.
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
			s.found.Errorf(PoolAboveChip, at(pool.Size, s.sw.Range), "pool %s has %v, but %s has only %v", pool.Name, pool.Size.Value, s.chip.Title, memory).Fixf("give the pool at most %v", memory)
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
	if s.chip.PoolSize.Or(chips.Gross) == chips.Net {
		sum += s.portReserves()
	}
	if own := s.queueReserves(); own > memory {
		s.found.Errorf(PoolAboveChip, s.sw.Range, "the queues of all ports reserve %v, but %s has only %v", own, s.chip.Title, memory).Fixf("give the queues smaller reserves, together less than %v", memory)
	}
	if sum > memory && largest != nil {
		s.found.Errorf(PoolAboveChip, at(largest.Size, s.sw.Range), "the ingress pools take %v, with headroom and reserves of ports, but %s has only %v: %v too much", sum, s.chip.Title, memory, sum-memory).Fixf("take %v from %s, or reduce headroom and reserves", sum-memory, largest.Name)
	}
}

// queueReserves is what all queues own.
func (s *subject) queueReserves() (sum units.Bytes) {
	for _, k := range s.kinds {
		for i := range k.qos.Queues {
			sum += k.qos.Queues[i].Reserved.Value * units.Bytes(len(k.ports))
		}
	}
	return sum
}

// portReserves is what whole ports own of the ingress pools.
func (s *subject) portReserves() (sum units.Bytes) {
	for _, k := range s.kinds {
		for _, p := range k.qos.Pools {
			if pool := s.pool(p.Pool); pool != nil && pool.Direction == plan.Ingress {
				sum += p.Reserved.Value * units.Bytes(len(k.ports))
			}
		}
	}
	return sum
}
