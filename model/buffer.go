// Package model says what a configuration makes of the silicon. Its packages see the
// plan of a switch, never the formulas that made it: a plan that was read back from
// files is treated like one that was computed.
//
// This file builds the shared buffer of a switch; model/mmu runs it, model/proof and model/sim use
// it.
package model

import (
	"encoding"
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Buffer builds the accounting of a switch as the chip will hold it, in cells. Ports
// are those of the plan in their order. Where it is not known in which slices they are, they
// are divided evenly; NewSwitch has the worst.
//
// The error says which datum of the chip is unknown, or what the plan refers to and
// does not have. Numbers that do not fit the chip are not an error here: see
// mmu.Config.Validate.
func Buffer(sw *plan.Switch, chip *chips.Chip) (*mmu.Config, error) {
	return bufferOf(sw, chip, usual(sw, chip))
}

// bufferOf builds it for ports in such slices.
func bufferOf(sw *plan.Switch, chip *chips.Chip, placed []int) (*mmu.Config, error) {
	cell, err := chip.CellSize.Get()
	if err != nil {
		return nil, err
	}
	b := &buffer{sw: sw, chip: chip, cell: cell, slices: units.Cells(chip.Slices.Or(1)), placed: placed}
	if err := b.rules(); err != nil {
		return nil, err
	}
	b.siliconOne()
	b.config.CellBytes = cell
	b.config.MetadataBytes = chip.PacketMetadata.Or(0)
	b.config.Slices = int(b.slices)
	memory := chip.UsableBuffer.Or(chip.PacketBuffer.Or(0))
	b.config.SliceCells = memory.FloorCells(cell) / b.slices
	b.pools()
	if err := b.ports(); err != nil {
		return nil, err
	}
	return &b.config, nil
}

// buffer is a Config while it is built.
type buffer struct {
	sw     *plan.Switch
	chip   *chips.Chip
	cell   units.Bytes
	slices units.Cells
	placed []int // slices by port
	config mmu.Config

	groupCode, queueCode mmu.Code // of thresholds, where the chip holds them with few bits

	ingress, egress []plan.Pool // in the order of the config
}

// rules takes over how the chip compares; an unknown chip compares as most do.
func (b *buffer) rules() error {
	rules := &b.config.Rules
	return errors.Join(rule(b.chip.Admission, &rules.Admission), rule(b.chip.XOFFDecided, &rules.Decided), rule(b.chip.Pause, &rules.Pause))
}

// rule takes over one of them by its name.
func rule(from chips.Datum[string], to encoding.TextUnmarshaler) error {
	name, err := from.Get()
	if err != nil {
		return nil // nothing is known of it
	}
	return to.UnmarshalText([]byte(name))
}

// cells converts an amount that must be whole cells: a fraction is cut off, since a limit admits
// whole cells only.
func (b *buffer) cells(v units.Bytes) units.Cells { return v.FloorCells(b.cell) }

// pools fills the pools of one slice. One that accounts both sides is a pool of either: the
// queues' view has all of the memory, because packets in headroom wait in queues too.
func (b *buffer) pools() {
	for _, pool := range b.sw.Pools {
		own := mmu.Pool{Name: pool.Name}
		if pool.Direction == plan.Egress || pool.Both {
			own := own
			own.SharedCells = max(0, b.cells(pool.Size.Value-b.chip.SiliconOne.EgressKept.Or(0))) / b.slices
			b.egress = append(b.egress, pool)
			b.config.EgressPools = append(b.config.EgressPools, own)
		}
		if pool.Direction == plan.Egress {
			continue
		}
		own.HeadroomCells = b.headroom(pool.Headroom.Value) / b.slices
		own.SharedCells = max(0, b.cells(pool.Size.Value-b.inside(pool))) / b.slices
		b.ingress = append(b.ingress, pool)
		b.config.IngressPools = append(b.config.IngressPools, own)
	}
}

// inside returns the part of a pool's configured size that is not shared: see chips.PoolSize. Every
// slice shares as much as the one in which most is reserved (OpenBCM sdk-6.5.27
// tomahawk3/traffic_manager/traffic_manager_thresholds.c:344-383: the least of all parts is written
// to each). A queue's reserve is taken in every slice.
func (b *buffer) inside(pool plan.Pool) units.Bytes {
	meaning := b.chip.PoolSize.Or(chips.Gross)
	if meaning == chips.Net {
		return 0
	}
	if meaning == chips.GrossPool {
		return pool.Headroom.Value
	}
	inside := pool.Headroom.Value + reserved(b.sw, b.chip, b.placed, int(b.slices), pool.Headroom.Value == 0, func(name string) bool { return name == pool.Name })
	if meaning == chips.GrossOwnHeadroom {
		return inside
	}
	return inside + b.queueReserves()*units.Bytes(b.slices)
}

// Reserved returns the reserves of priority groups and whole ports at ingress, with the headroom
// that groups own if headroom is set: those of the slice with the most at worst, times the slices,
// since a pool is cut into equal parts.
func Reserved(sw *plan.Switch, chip *chips.Chip, headroom bool) units.Bytes {
	return reserved(sw, chip, worst(sw, chip), chip.Slices.Or(1), headroom, func(string) bool { return true })
}

// reserved returns the reserves in some pools.
func reserved(sw *plan.Switch, chip *chips.Chip, placed []int, parts int, headroom bool, of func(pool string) bool) units.Bytes {
	sums, ingress := make([]units.Bytes, parts), map[string]bool{}
	for _, pool := range sw.Pools {
		ingress[pool.Name] = pool.Direction == plan.Ingress
	}
	for i, port := range sw.Ports {
		if port.QoS == nil {
			continue
		}
		sum := &sums[placed[i]]
		for _, pg := range port.QoS.PGs {
			if !of(pg.Pool) {
				continue
			}
			*sum += ownReserve(sw, chip, pg, headroom)
			if headroom {
				*sum += pg.Headroom.Value
			}
		}
		for _, whole := range port.QoS.Pools {
			if ingress[whole.Pool] && of(whole.Pool) {
				*sum += whole.Reserved.Value
			}
		}
	}
	return slices.Max(sums) * units.Bytes(parts)
}

func (b *buffer) queueReserves() (sum units.Bytes) {
	for _, port := range b.sw.Ports {
		if port.QoS == nil {
			continue
		}
		for _, queue := range port.QoS.Queues {
			sum += queue.Reserved.Value
		}
	}
	return sum
}

func (b *buffer) ports() error {
	built := map[*plan.PortQoS]mmu.Port{}
	for i := range b.sw.Ports {
		port := &b.sw.Ports[i]
		own, ok := built[port.QoS]
		if !ok {
			var err error
			if own, err = b.port(port); err != nil {
				return err
			}
			built[port.QoS] = own
		}
		own.Slice = b.placed[i]
		b.config.Ports = append(b.config.Ports, own)
	}
	return nil
}

// port builds PGs and queues by number. Numbers that the plan leaves out own nothing
// and drop whatever comes.
func (b *buffer) port(port *plan.Port) (mmu.Port, error) {
	if port.QoS == nil {
		return mmu.Port{}, nil
	}
	var own mmu.Port
	for _, pg := range port.QoS.PGs {
		if !pg.Lossless {
			pg.Headroom.Value = 0 // it drops at its threshold and never uses any
		}
		pool := slices.IndexFunc(b.ingress, func(p plan.Pool) bool { return p.Name == pg.Pool })
		if pool < 0 || pg.ID >= mmu.MaxPGs {
			return mmu.Port{}, fmt.Errorf("port %s: priority group %d refers to an ingress pool %q that does not exist", port.Name, pg.ID, pg.Pool)
		}
		own.PGs = grow(own.PGs, int(pg.ID))
		owns := b.ingress[pool].Headroom.Value == 0
		reserve := ownReserve(b.sw, b.chip, pg, owns)
		if owns && b.sw.OS == "sonic" && b.chip.SizeHasHeadroom(b.sw.OS) {
			pg.Headroom.Value = min(pg.Headroom.Value, pg.Reserved.Value)
		}
		xon, offset := b.resume(pg)
		own.PGs[pg.ID] = mmu.PG{
			Pool: pool, ReservedCells: b.cells(reserve), Limit: b.groupLimit(pg, b.ingress[pool]), Lossless: pg.Lossless,
			HeadroomCells: b.headroom(pg.Headroom.Value), HeadroomPooled: pg.Lossless && !owns,
			XonCells: xon, XonOffsetCells: offset,
		}
	}
	for _, queue := range port.QoS.Queues {
		pool := slices.IndexFunc(b.egress, func(p plan.Pool) bool { return p.Name == queue.Pool })
		if pool < 0 || queue.ID >= mmu.MaxQueues {
			return mmu.Port{}, fmt.Errorf("port %s: queue %d refers to an egress pool %q that does not exist", port.Name, queue.ID, queue.Pool)
		}
		own.Queues = grow(own.Queues, int(queue.ID))
		own.Queues[queue.ID] = mmu.Queue{Pool: pool, ReservedCells: b.cells(queue.Reserved.Value), Limit: b.queueLimit(queue, b.egress[pool])}
	}
	err := b.bounds(port, &own)
	return own, err
}

// ownReserve returns the amount that a PG fills before packets count against its limit. Where groups
// own their headroom, the size of a lossless profile can cover it: see [chips.Chip.SizeHasHeadroom].
func ownReserve(sw *plan.Switch, chip *chips.Chip, pg plan.PG, owns bool) units.Bytes {
	if !owns || !pg.Lossless || !chip.SizeHasHeadroom(sw.OS) {
		return pg.Reserved.Value
	}
	return pg.WithoutHeadroom()
}

func grow[T any](list []T, index int) []T {
	for len(list) <= index {
		var none T
		list = append(list, none)
	}
	return list
}

// limit converts a threshold; a static one is divided over the slices.
func (b *buffer) limit(l plan.Limit) mmu.Limit {
	if l.Dynamic {
		return mmu.DynamicLimit(l.Alpha)
	}
	return mmu.StaticLimit(b.cells(l.Static) / b.slices)
}
