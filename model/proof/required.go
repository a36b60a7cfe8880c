package proof

import (
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// sameQueue reports whether one obligation speaks for the queues of a number of two ports.
func sameQueue(m *model.Switch, number, a, b int) bool {
	one, other := m.Config.Ports[a].Queues, m.Config.Ports[b].Queues
	return m.Ports[a].Map == m.Ports[b].Map && number < min(len(one), len(other)) && one[number] == other[number]
}

// sameBound reports whether one obligation speaks for what two ports may take of a pool.
func sameBound(m *model.Switch, pool, a, b int) bool {
	one, other := &m.Config.Ports[a], &m.Config.Ports[b]
	limit, _ := mmu.BoundOf(one.Egress, pool)
	same, _ := mmu.BoundOf(other.Egress, pool)
	return m.Ports[a].Map == m.Ports[b].Map && limit == same && slices.Equal(one.Queues, other.Queues)
}
