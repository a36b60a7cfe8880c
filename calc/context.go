package calc

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A context is the planning of one shape of switch: what went in, what the chip is,
// and the numbers found so far, in the order in which they depend on each other.
type context struct {
	fabric *policy.Fabric
	sw     *policy.Switch
	list   *diag.List

	chip     *chips.Chip
	cell     units.Bytes
	cellWhy  *plan.Why
	usable   plan.Derived[units.Bytes] // buffer that configuration can distribute
	slices   plan.Derived[plan.Count]
	sizeMean chips.PoolSize
	pooled   bool // PGs share a pool of headroom

	lossless []*policy.Class // sorted by traffic class
	lossy    []*policy.Class
	kinds    []*kind
	ports    int // on the whole switch

	queueReserve plan.Derived[units.Bytes] // of a lossy queue
	reserved     plan.Derived[units.Bytes] // all of them
	headroom     plan.Derived[units.Bytes] // of all lossless PGs
	slice        plan.Derived[units.Bytes] // shared buffer of one slice
	shared       plan.Derived[units.Bytes] // of the whole chip
	lossyPool    plan.Derived[units.Bytes]
	leftover     plan.Derived[units.Bytes] // of one slice, with lossy traffic at its limit

	fits   bool // reserves, headroom and the lossy pool leave something to share
	alphas map[*policy.Class]plan.Derived[plan.Limit]

	checks []plan.Check
}

// A kind is ports of a group that are told the same: those with one cable length.
type kind struct {
	group *policy.PortGroup
	cable policy.Opt[units.Length]
	ports []int // indices into group.Ports

	headroom   plan.Derived[units.Bytes] // of each lossless PG; zero where the group is lossy
	reserve    plan.Derived[units.Bytes] // of each lossless PG
	xon        plan.Derived[units.Bytes] // level at which it resumes; zero: by the offset
	assumed    *plan.Assumed             // what that headroom allows the peer
	ecn        map[*policy.Class]*plan.ECN
	schedulers map[*policy.Class]plan.Scheduler
}

// lossless tells whether ports of this kind carry lossless classes.
func (k *kind) lossless() bool { return k.group.Lossless.Value }

// newContext gathers the chip's data. A datum that the catalogue lacks is an error at
// the line that names the chip.
func newContext(f *policy.Fabric, sw *policy.Switch, list *diag.List) (*context, bool) {
	c := &context{fabric: f, sw: sw, list: list, chip: sw.Chip, alphas: map[*policy.Class]plan.Derived[plan.Limit]{}}
	ok := c.chipData()
	for _, class := range f.Classes {
		if class.Lossless.Value {
			c.lossless = append(c.lossless, class)
		} else {
			c.lossy = append(c.lossy, class)
		}
	}
	byTC := func(a, b *policy.Class) int { return cmp.Compare(a.TrafficClass.Value, b.TrafficClass.Value) }
	slices.SortStableFunc(c.lossless, byTC)
	slices.SortStableFunc(c.lossy, byTC)
	for _, group := range sw.Groups {
		c.kinds = append(c.kinds, kindsOf(group)...)
		c.ports += len(group.Ports)
	}
	return c, ok
}

func (c *context) chipData() bool {
	ok := true
	c.cell, ok = need(c, c.chip.CellSize, ok)
	buffer := c.chip.PacketBuffer
	if c.chip.UsableBuffer.Fact() != nil {
		buffer = c.chip.UsableBuffer
	}
	usable, ok := need(c, buffer, ok)
	if !ok {
		return false
	}
	c.cellWhy = datum(c.chip, c.chip.CellSize, c.cell)
	c.usable = plan.Of(usable.FloorTo(c.cell), datum(c.chip, buffer, usable))
	c.slices = assume(c.chip, c.chip.Slices, 1, func(n int) plan.Count { return plan.Count(n) }, "the catalogue knows no division into slices")
	c.sizeMean = c.chip.PoolSize.Or(chips.Gross)
	// Spectrum can pool headroom, and does when PGs oversubscribe it; a fabric cannot
	// ask for that.
	c.pooled = c.chip.Family != chips.Spectrum && c.chip.HeadroomPool.Or(c.sizeMean != chips.GrossOwnHeadroom)
	return true
}

// need fetches a datum or reports that it is missing.
func need[T any](c *context, d chips.Datum[T], ok bool) (T, bool) {
	value, err := d.Get()
	if err != nil {
		c.list.Errorf(ChipDatumUnknown, c.sw.ChipAt, "%v, and the buffer of %s cannot be planned without it", err, c.sw.Label).
			Fixf("add the datum with its source in a file of your own and pass --chips")
		return value, false
	}
	return value, ok
}

// assume fetches a datum, or takes a fallback that the user gets to see.
func assume[T any, V interface{ String() string }](chip *chips.Chip, d chips.Datum[T], fallback T, as func(T) V, because string) plan.Derived[V] {
	value, err := d.Get()
	if err != nil {
		v := as(fallback)
		return plan.Of(v, chosen(d.Name(), v, "assumed: "+because))
	}
	v := as(value)
	return plan.Of(v, datum(chip, d, v))
}

// kindsOf splits a group by cable length, longest first as the group's own comes
// first: ports without a length of their own have the group's.
func kindsOf(group *policy.PortGroup) []*kind {
	var kinds []*kind
	at := map[units.Length]*kind{}
	for i, port := range group.Ports {
		cable := group.Cable
		if own, ok := group.Cables[port]; ok {
			cable = own
		}
		k := at[cable.Value]
		if k == nil {
			k = &kind{group: group, cable: cable}
			at[cable.Value] = k
			kinds = append(kinds, k)
		}
		k.ports = append(k.ports, i)
	}
	return kinds
}

// nicOf returns the NIC whose CNPs come fastest among those that use a class; nil
// when no NIC names it.
func (c *context) nicOf(class *policy.Class) *policy.NIC {
	var fastest *policy.NIC
	for _, nic := range c.fabric.NICs {
		if !slices.Contains(nic.Classes, class) {
			continue
		}
		if fastest == nil || intervalOf(nic) < intervalOf(fastest) {
			fastest = nic
		}
	}
	return fastest
}

// intervalOf is a NIC's CNP interval, the paper's where the NIC's is unknown.
func intervalOf(nic *policy.NIC) units.Time {
	if nic.CNPInterval.Value == 0 {
		return defaultCNPInterval
	}
	return nic.CNPInterval.Value
}

// check records an inequality.
func (c *context) check(id, where string, left, right *plan.Why, holds bool, slack string, at diag.Range) {
	c.checks = append(c.checks, plan.Check{ID: id, Where: where, Left: left, Right: right, Holds: holds, Slack: slack, Range: at})
}
