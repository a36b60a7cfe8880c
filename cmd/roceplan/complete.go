package main

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// modelFile is the buffer model that compile writes beside the files of a switch.
const modelFile = "model.json"

// useChip tells a switch that was read which silicon it is.
func useChip(sw *plan.Switch, chip *chips.Chip) {
	sw.Chip = chip.Name
	if sw.Cell == 0 {
		sw.Cell = chip.CellSize.Or(0)
	}
}

// Names of the pools that stand for a buffer of which the file says nothing.
const (
	wholeIngress = "chip-ingress"
	wholeEgress  = "chip-egress"
)

// completePools gives the pools that a running-config cannot hold: EOS divides the
// chip's memory itself. What PGs reserve and own as headroom comes off first, the rest
// is shared; at egress all of the memory is. A switch that has pools of its own keeps
// them, apart from a mere headroom pool, which has a size but no shared part.
func completePools(sw *plan.Switch, chip *chips.Chip) error {
	if hasPool(sw, plan.Ingress) && hasPool(sw, plan.Egress) {
		assignPools(sw)
		boundByPools(sw)
		return nil
	}
	memory, err := chip.UsableBuffer.Get()
	if err != nil {
		if memory, err = chip.PacketBuffer.Get(); err != nil {
			return err
		}
	}
	why := &plan.Why{Kind: plan.Catalogue, Name: "buffer", Value: memory, ID: "usable_buffer", Note: "the file divides no memory; all of the chip's is taken"}
	headroom := plan.Derived[units.Bytes]{}
	var kept []plan.Pool
	for _, pool := range sw.Pools {
		if pool.Direction == plan.Ingress && pool.Size.Value == 0 {
			headroom = pool.Headroom
			continue
		}
		kept = append(kept, pool)
	}
	if !hasPool(sw, plan.Ingress) {
		size := memory
		beside := headroom.Value + reservesOf(sw, headroom.Value == 0, chip.Slices.Or(1))
		if chip.PoolSize.Or(chips.Gross) == chips.Net {
			size -= beside
		}
		if size <= 0 {
			return fmt.Errorf("reserves and headroom take %v, and %s has %v", beside, chip.Title, memory)
		}
		kept = append(kept, plan.Pool{Name: wholeIngress, Dynamic: true, Size: plan.Of(size, why), Headroom: headroom})
	}
	if !hasPool(sw, plan.Egress) {
		kept = append(kept, plan.Pool{Name: wholeEgress, Direction: plan.Egress, Dynamic: true, Size: plan.Of(memory, why)})
	}
	sw.Pools = kept
	assignPools(sw)
	boundByPools(sw)
	return nil
}

// boundByPools cuts static limits down to the pool that they are on: what a target calls
// unlimited is bounded by that.
func boundByPools(sw *plan.Switch) {
	size := map[string]units.Bytes{}
	for _, pool := range sw.Pools {
		size[pool.Name] = pool.Size.Value
	}
	bound := func(limit *plan.Limit, pool string) {
		if most := size[pool]; most > 0 && !limit.Dynamic && limit.Static > most {
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
	for _, pool := range sw.Pools {
		if pool.Direction == side && pool.Size.Value > 0 {
			return true
		}
	}
	return false
}

// reservesOf is what PGs own. Every slice holds back as much as the fullest one has to,
// since a pool is cut into equal parts; ports are divided over slices in equal runs.
func reservesOf(sw *plan.Switch, ownHeadroom bool, slices int) units.Bytes {
	sums := make([]units.Bytes, slices)
	for i, port := range sw.Ports {
		if port.QoS == nil {
			continue
		}
		sum := &sums[i*slices/len(sw.Ports)]
		for _, pg := range port.QoS.PGs {
			*sum += pg.Reserved.Value
			if ownHeadroom {
				*sum += pg.Headroom.Value
			}
		}
	}
	most := units.Bytes(0)
	for _, sum := range sums {
		most = max(most, sum)
	}
	return most * units.Bytes(slices)
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

// kindsOf lists what the ports of a switch are told, each once, in the order of ports.
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
			clone.PGs, clone.Queues = slices.Clone(clone.PGs), slices.Clone(clone.Queues)
			qos = &clone
			copies[port.QoS] = qos
		}
		port.QoS = qos
	}
	return &own
}

// completeFrom adds what no file of the target holds and the fabric knows: the pools of
// EOS, what a switch computes itself, the frames of a port, the names of port groups. What
// the file does say stays.
func completeFrom(sw, planned *plan.Switch) {
	sw.Cell, sw.Chip = planned.Cell, planned.Chip
	if sw.MTU.Value == 0 {
		sw.MTU = planned.MTU
	}
	completePoolsFrom(sw, planned)
	byName := make(map[string]*plan.Port, len(planned.Ports))
	for i := range planned.Ports {
		byName[planned.Ports[i].Name] = &planned.Ports[i]
	}
	done := map[*plan.PortQoS]bool{nil: true}
	for i := range sw.Ports {
		port := &sw.Ports[i]
		from := byName[port.Name]
		if from == nil {
			continue
		}
		port.Group = from.Group
		setIfZero(&port.MTU, from.MTU)
		setIfZero(&port.Speed, from.Speed)
		setIfZero(&port.Cable, from.Cable)
		setIfZero(&port.Peer, from.Peer)
		if !done[port.QoS] && from.QoS != nil {
			done[port.QoS] = true
			completeQoS(sw, port.QoS, from.QoS)
		}
	}
}

func setIfZero[T comparable](to *T, from T) {
	var zero T
	if *to == zero {
		*to = from
	}
}

// completePoolsFrom takes sizes that the file leaves open. A headroom pool that it gives
// by itself, as EOS does, goes into the pool of the fabric.
func completePoolsFrom(sw, planned *plan.Switch) {
	if !hasPool(sw, plan.Ingress) && sw.BufferModel != plan.DynamicModel {
		var headroom plan.Derived[units.Bytes]
		for _, pool := range sw.Pools {
			headroom = pool.Headroom
		}
		sw.Pools = slices.Clone(planned.Pools)
		for i := range sw.Pools {
			if sw.Pools[i].Headroom.Value > 0 {
				sw.Pools[i].Headroom = headroom
			}
		}
		forgetOtherPools(sw)
		return
	}
	for i := range sw.Pools {
		pool := &sw.Pools[i]
		k := slices.IndexFunc(planned.Pools, func(p plan.Pool) bool { return p.Name == pool.Name })
		if k >= 0 && pool.Size.Why == nil {
			pool.Size = planned.Pools[k].Size
		}
		if k >= 0 && pool.Headroom.Why == nil && sw.BufferModel == plan.DynamicModel {
			pool.Headroom = planned.Pools[k].Headroom
		}
	}
}

// forgetOtherPools takes the names of pools away that the switch does not have: a file
// may have names of its own, and numbers.
func forgetOtherPools(sw *plan.Switch) {
	other := func(name string) bool {
		return !slices.ContainsFunc(sw.Pools, func(p plan.Pool) bool { return p.Name == name })
	}
	for _, qos := range kindsOf(sw) {
		for i := range qos.PGs {
			if other(qos.PGs[i].Pool) {
				qos.PGs[i].Pool = ""
			}
		}
		for i := range qos.Queues {
			if other(qos.Queues[i].Pool) {
				qos.Queues[i].Pool = ""
			}
		}
		qos.Pools = slices.DeleteFunc(qos.Pools, func(p plan.PortPool) bool { return other(p.Pool) })
	}
}

func completeQoS(sw *plan.Switch, qos, from *plan.PortQoS) {
	for i := range qos.PGs {
		pg := &qos.PGs[i]
		k := slices.IndexFunc(from.PGs, func(p plan.PG) bool { return p.ID == pg.ID })
		if k < 0 {
			continue
		}
		setIfZero(&pg.Pool, from.PGs[k].Pool)
		if pg.Limit.Why == nil {
			pg.Limit = from.PGs[k].Limit
		}
		if pg.Lossless && sw.BufferModel == plan.DynamicModel && !pg.Override {
			pg.Reserved, pg.XOn, pg.XOnOffset, pg.Headroom = from.PGs[k].Reserved, from.PGs[k].XOn, from.PGs[k].XOnOffset, from.PGs[k].Headroom
		}
	}
	for i := range qos.Queues {
		q := &qos.Queues[i]
		k := slices.IndexFunc(from.Queues, func(p plan.Queue) bool { return p.ID == q.ID })
		if k < 0 {
			continue
		}
		setIfZero(&q.Pool, from.Queues[k].Pool)
		if q.Limit.Why == nil {
			q.Limit = from.Queues[k].Limit
		}
	}
}
