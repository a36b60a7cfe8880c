package verify

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// useChip sets the silicon of a switch that was read.
func useChip(sw *plan.Switch, chip *chips.Chip) {
	sw.Chip = chip.Name
	if sw.Cell == 0 {
		sw.Cell = chip.CellSize.Or(0)
	}
}

// Names of the pools for a buffer that is not in the file.
const (
	wholeIngress = "chip-ingress"
	wholeEgress  = "chip-egress"
)

// completePools gives the pools that a file does not size: EOS divides the chip's memory itself,
// and NVUE has per cent of it. The reserves and headroom of PGs come off first, the rest is shared
// by the ingress pools, unless their shares of all memory fit; at egress all of the memory is
// shared. It reports whether anything was taken so. Pools that have a size keep it.
func completePools(sw *plan.Switch, chip *chips.Chip) (taken bool, err error) {
	defer func() {
		assignPools(sw)
		boundByPools(sw)
	}()
	if hasPool(sw, plan.Ingress) && hasPool(sw, plan.Egress) {
		return false, nil
	}
	memory, err := chip.UsableBuffer.Get()
	if err != nil {
		if memory, err = chip.PacketBuffer.Get(); err != nil {
			return false, err
		}
	}
	if !hasPool(sw, plan.Ingress) {
		headroom := headroomPoolOf(sw)
		beside := headroom + model.Reserved(sw, chip, headroom == 0)
		size := memory
		if chip.PoolSize.Or(chips.Gross) == chips.Net && !sharesFit(sw, memory, beside) {
			size -= beside
		}
		if size <= 0 {
			return false, &exceeded{fmt.Errorf("reserves and headroom take %v, but %s has only %v", beside, chip.Title, memory), largestHeadroom(sw)}
		}
		sizePools(sw, plan.Ingress, wholeIngress, size)
	}
	if !hasPool(sw, plan.Egress) {
		sizePools(sw, plan.Egress, wholeEgress, memory)
	}
	return true, nil
}

// sharesFit reports whether the ingress pools have per cent of all memory that fit into it with what
// groups own. That is what Cumulus Linux documents: "percent of total buffer" in qos_infra.conf. By its
// default of 100 % they do not fit, and what is left is shared then.
func sharesFit(sw *plan.Switch, memory, beside units.Bytes) bool {
	var shares int64
	for _, p := range sw.Pools {
		if p.Direction == plan.Ingress {
			shares += p.Percent
		}
	}
	return shares > 0 && units.Bytes(units.CeilMulDiv(int64(memory), shares, 100))+beside <= memory
}

// byLess is a switch whose pools have their per cent of what reserves and headroom leave of the memory, and
// not of all of it; nil where a pool of lossless traffic has no per cent, or already that.
func byLess(sw *plan.Switch, chip *chips.Chip) *plan.Switch {
	memory := chip.UsableBuffer.Or(chip.PacketBuffer.Or(0))
	headroom := headroomPoolOf(sw)
	beside := headroom + model.Reserved(sw, chip, headroom == 0)
	if chip.PoolSize.Or(chips.Gross) != chips.Net || !sharesFit(sw, memory, beside) {
		return nil
	}
	less := cloneSwitch(sw)
	for i := range less.Pools {
		switch p := &less.Pools[i]; {
		case p.Percent > 0:
			p.Size.Value = units.Bytes(units.FloorMulDiv(int64(memory-beside), p.Percent, 100))
		case p.Direction == plan.Ingress || !p.Infinite:
			return nil
		}
	}
	boundByPools(less)
	return less
}

// exceeded says that a file gives away more memory than there is, and where it gives most.
type exceeded struct {
	error
	at diag.Range
}

// largestHeadroom is where the largest headroom of a group is given.
func largestHeadroom(sw *plan.Switch) (at diag.Range) {
	most := units.Bytes(-1)
	for _, qos := range kindsOf(sw) {
		for _, pg := range qos.PGs {
			if pg.Headroom.Value > most && pg.Headroom.Why != nil {
				most, at = pg.Headroom.Value, pg.Headroom.Why.Range
			}
		}
	}
	return at
}

// sizePools gives the pools of a side their shares of a size: per cent where they have them, and at
// egress, where each packet is counted at ingress already, all of it otherwise; or all of it to the
// first, or to a new one where there is none.
func sizePools(sw *plan.Switch, side plan.Direction, name string, size units.Bytes) {
	why := &plan.Why{Kind: plan.Catalogue, Name: "buffer", Value: size, ID: "usable_buffer", Note: "the file does not divide the memory, so all of the chip's memory is assumed"}
	told := false
	for i := range sw.Pools {
		p := &sw.Pools[i]
		switch {
		case p.Direction != side:
		case p.Percent > 0:
			told = true
			p.Size = plan.Of(units.Bytes(units.FloorMulDiv(int64(size), p.Percent, 100)), why)
		case side == plan.Egress:
			told = true
			p.Size = plan.Of(size, why)
		}
	}
	if told {
		return
	}
	i := slices.IndexFunc(sw.Pools, func(p plan.Pool) bool { return p.Direction == side })
	if i < 0 {
		i = len(sw.Pools)
		sw.Pools = append(sw.Pools, plan.Pool{Name: name, Direction: side, Dynamic: true})
	}
	sw.Pools[i].Size = plan.Of(size, why)
}

// headroomPoolOf returns the size of the headroom pools together.
func headroomPoolOf(sw *plan.Switch) (sum units.Bytes) {
	for _, pool := range sw.Pools {
		sum += pool.Headroom.Value
	}
	return sum
}

// boundByPools cuts static limits down to the pool that they are on: what a target calls
// unlimited is bounded by that.
func boundByPools(sw *plan.Switch) {
	size := map[string]units.Bytes{}
	for _, pool := range sw.Pools {
		size[pool.Name] = pool.Size.Value
	}
	bound := func(limit *plan.Limit, pool string) {
		if most := size[pool]; most != 0 && !limit.Dynamic && limit.Static > most {
			limit.Static = most
		}
	}
	for _, qos := range kindsOf(sw) {
		for i := range qos.PGs {
			bound(&qos.PGs[i].Limit.Value, qos.PGs[i].Pool)
		}
		for i := range qos.Queues {
			bound(&qos.Queues[i].Limit.Value, qos.Queues[i].Pool)
		}
		for i := range qos.Pools {
			bound(&qos.Pools[i].Limit.Value, qos.Pools[i].Pool)
		}
	}
}

func hasPool(sw *plan.Switch, side plan.Direction) bool {
	return slices.ContainsFunc(sw.Pools, func(p plan.Pool) bool { return (p.Direction == side || p.Both) && p.Size.Value > 0 })
}

// assignPools puts PGs and queues that name no pool into the first of their side.
func assignPools(sw *plan.Switch) {
	first := [2]string{}
	for i := len(sw.Pools) - 1; i >= 0; i-- {
		first[sw.Pools[i].Direction] = sw.Pools[i].Name
	}
	for _, qos := range kindsOf(sw) {
		for i := range qos.PGs {
			if qos.PGs[i].Pool == "" {
				qos.PGs[i].Pool = first[plan.Ingress]
			}
		}
		for i := range qos.Queues {
			if qos.Queues[i].Pool == "" {
				qos.Queues[i].Pool = first[plan.Egress]
			}
		}
	}
}

// kindsOf lists the QoS of a switch's ports, each once, in the order of ports.
func kindsOf(sw *plan.Switch) []*plan.PortQoS {
	seen := map[*plan.PortQoS]bool{}
	var kinds []*plan.PortQoS
	for _, port := range sw.Ports {
		if port.QoS != nil && !seen[port.QoS] {
			seen[port.QoS] = true
			kinds = append(kinds, port.QoS)
		}
	}
	return kinds
}

// cloneSwitch copies a switch as far as completing changes it.
func cloneSwitch(sw *plan.Switch) *plan.Switch {
	own := *sw
	own.Pools = slices.Clone(sw.Pools)
	own.Ports = slices.Clone(sw.Ports)
	copies := map[*plan.PortQoS]*plan.PortQoS{nil: nil}
	for i := range own.Ports {
		port := &own.Ports[i]
		qos, ok := copies[port.QoS]
		if !ok {
			clone := *port.QoS
			clone.PGs, clone.Queues, clone.Pools = slices.Clone(clone.PGs), slices.Clone(clone.Queues), slices.Clone(clone.Pools)
			qos = &clone
			copies[port.QoS] = qos
		}
		port.QoS = qos
	}
	return &own
}
