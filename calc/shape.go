package calc

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A shape is the input of the stages: switches of one form in their fabric, their chip's data and
// their ports. Once made, it never changes, except for the solutions that are filled in.
type shape struct {
	fabric *policy.Fabric
	sw     *policy.Switch
	path   *plan.Path // the longest of the fabric

	chip     *chips.Chip
	cell     units.Bytes
	cellWhy  *plan.Why
	usable   plan.Derived[units.Bytes] // buffer that configuration can distribute
	divided  policy.DividedBuffer      // by the system of the switch, if it is less
	slices   plan.Derived[plan.Count]
	sizeMean chips.PoolSize
	brief    bool                       // repairs of findings are not looked for
	pooled   bool                       // PGs share a pool of headroom
	sharing  policy.Opt[policy.Sharing] // the reduction of that pool against all headroom

	classes  []*policy.Class // of the fabric, that packets can have on the switch
	lossless []*policy.Class // of these; sorted by traffic class
	lossy    []*policy.Class
	kinds    []*kind
	ports    int             // on the whole switch
	profiles *headroom.Table // that run; nil: there is no table, or it is one to check

	cut int64 // the divisor of derived curves, so that marks act before a pause; 0: none

	// Of lossless ports, and of those to other switches, as many as may be in one slice.
	together, trunks plan.Derived[plan.Count]

	// fixedPoints are those that have been solved, of this shape and of those that are tried
	// instead of it: curves and their inequalities ask again and again, at 30 steps each.
	fixedPoints map[Steady]units.Ratio
	slow        map[*policy.Class]bool // whether NICs of a class recover slowly, as far as it was asked
}

// A kind is ports of a group with equal numbers: those with one cable length and the same pins.
type kind struct {
	index int // in the shape's kinds, and in what the stages say of each
	group *policy.PortGroup
	cable policy.Opt[units.Length]
	pins  pins
	ports []int // indices into group.Ports
}

// lossless reports whether ports of this kind carry lossless classes.
func (k *kind) lossless() bool { return k.group.Lossless.Value }

// carries reports whether ports of this kind carry a lossless class: one in which packets are
// sent back where they pass alone.
func (k *kind) carries(class *policy.Class) bool {
	return k.group.Carries(class)
}

// carriers returns the kinds of port that carry a lossless class.
func (s *shape) carriers(class *policy.Class) (list []*kind) {
	for _, k := range s.kinds {
		if k.carries(class) {
			list = append(list, k)
		}
	}
	return list
}

// groupsOf returns the number of lossless PGs of a port of a kind.
func (s *shape) groupsOf(k *kind) (n int) {
	for _, class := range s.lossless {
		if k.carries(class) {
			n++
		}
	}
	return n
}

// losslessGroups returns the number of lossless PGs of the switch.
func (s *shape) losslessGroups() (n int) {
	for _, k := range s.kinds {
		n += len(k.ports) * s.groupsOf(k)
	}
	return n
}

// sendsBack reports whether packets that are sent back pass the switch.
func sendsBack(sw *policy.Switch) bool {
	return slices.ContainsFunc(sw.Groups, func(g *policy.PortGroup) bool { return g.SentBack.Value })
}

// newShape gathers the chip's data. A datum that the catalogue lacks is an error at the
// line that names the chip.
func newShape(f *policy.Fabric, sw *policy.Switch, path *plan.Path, found *findings) (*shape, bool) {
	s := &shape{fabric: f, sw: sw, path: path, chip: sw.Chip, classes: classesOn(f.Classes, sw), sharing: f.HeadroomSharing, fixedPoints: map[Steady]units.Ratio{}, slow: map[*policy.Class]bool{}, brief: found.brief}
	ok := s.chipData(found)
	for _, class := range s.classes {
		if class.Lossless.Value {
			s.lossless = append(s.lossless, class)
		} else {
			s.lossy = append(s.lossy, class)
		}
	}
	byTC := func(a, b *policy.Class) int { return cmp.Compare(a.TrafficClass.Value, b.TrafficClass.Value) }
	stable.Sort(s.lossless, byTC)
	stable.Sort(s.lossy, byTC)
	if f.Running.Value && f.HeadroomMethod.Value == "table" {
		s.profiles, _ = headroom.ParseTable("headroom_table", []byte(f.HeadroomTable.Value))
	}
	for _, group := range sw.Groups {
		s.kinds = append(s.kinds, s.kindsOf(group)...)
		s.ports += len(group.Ports)
	}
	for i, k := range s.kinds {
		k.index = i
	}
	if ok {
		s.together = s.portsOfSlice("lossless ports of one slice", (*kind).lossless)
		s.trunks = s.portsOfSlice("ports of one slice to other switches", func(k *kind) bool { return k.lossless() && k.group.PeerSwitch != nil })
	}
	return s, ok
}

func (s *shape) chipData(found *findings) bool {
	cell, okCell := need(s, s.chip.CellSize, found)
	buffer := s.chip.PacketBuffer
	if s.chip.UsableBuffer.Fact() != nil {
		buffer = s.chip.UsableBuffer
	}
	usable, okBuffer := need(s, buffer, found)
	if !okCell || !okBuffer {
		return false
	}
	s.cell, s.cellWhy = cell, datum(s.chip, s.chip.CellSize, cell)
	s.usable = plan.Of(usable.FloorTo(cell), datum(s.chip, buffer, usable))
	s.divide()
	s.slices = assume(s.chip, s.chip.Slices, 1, func(n int) plan.Count { return plan.Count(n) }, "the catalogue has no division into slices")
	s.sizeMean = s.chip.PoolSize.Or(chips.Gross)
	// Spectrum can pool headroom, and does when PGs oversubscribe it; a fabric cannot
	// ask for that.
	s.pooled = s.chip.Family != chips.Spectrum && s.chip.HeadroomPool.Or(s.sizeMean != chips.GrossOwnHeadroom)
	return true
}

// divide bounds the buffer by what the system of the switch divides. Headroom and the lossy part are rounded up to whole
// per cent, so that two per cent less are left for lossless traffic at worst.
func (s *shape) divide() {
	var ok bool
	if s.divided, ok = s.sw.DividedBuffer(s.chip.Name); !ok {
		return
	}
	if value := (s.divided.Shared * 98 / 100).FloorTo(s.cell); value < s.usable.Value {
		s.usable = plan.Of(value, rounded("whole-per-cents", "buffer that "+s.divided.Model+" divides, less two per cent", value,
			term("shared", chosen("shared buffer of "+s.divided.Model, s.divided.Shared, s.divided.Source))))
	}
}

// assume fetches a datum, or takes a fallback that the user gets to see.
func assume[T any, V interface{ String() string }](chip *chips.Chip, d chips.Datum[T], fallback T, as func(T) V, because string) plan.Derived[V] {
	value, err := d.Get()
	if err != nil {
		v := as(fallback)
		return decided(d.Name(), v, "assumed: "+because)
	}
	v := as(value)
	return plan.Of(v, datum(chip, d, v))
}

// kindsOf splits a group by cable length and by pins. The longest comes first, as the group's own does.
// Ports without a length of their own have the group's.
func (s *shape) kindsOf(group *policy.PortGroup) []*kind {
	type key struct {
		cable units.Length
		pins  string
	}
	var kinds []*kind
	at, pinsOf := map[key]*kind{}, s.pinsOf(group)
	for i, port := range group.Ports {
		cable := group.Cable
		if own, ok := group.Cables[port]; ok {
			cable = own
		}
		pins, all := pinsOf(port)
		own := key{cable.Value, pins}
		k := at[own]
		if k == nil {
			k = &kind{group: group, cable: cable, pins: append(s.profilePins(group, cable.Value), all...)}
			at[own] = k
			kinds = append(kinds, k)
		}
		k.ports = append(k.ports, i)
	}
	return kinds
}

// withCable returns the shape with another cable on one kind of port.
func (s *shape) withCable(k *kind, cable units.Length) *shape {
	other := *s
	other.kinds = slices.Clone(s.kinds)
	changed := *k
	changed.cable.Value = cable
	other.kinds[k.index] = &changed
	return &other
}

// withSharing returns the shape with a smaller pool of headroom.
func (s *shape) withSharing(ratio int64) *shape {
	other := *s
	other.sharing = policy.Opt[policy.Sharing]{Value: policy.Sharing{Ratio: ratio}, Set: true, Range: s.fabric.Range}
	return &other
}

// withClasses returns the shape with its first lossless classes alone; the others are lossy.
func (s *shape) withClasses(n int) *shape {
	other := *s
	other.lossless, other.lossy = s.lossless[:n], slices.Concat(s.lossy, s.lossless[n:])
	return &other
}

func (s *shape) losslessPorts() int {
	n := 0
	for _, k := range s.kinds {
		if k.lossless() {
			n += len(k.ports)
		}
	}
	return n
}

// fanIn derives the number of ports that may send to one port of a kind at once: as declared, or
// every other lossless port of the switch.
func (s *shape) fanIn(k *kind) plan.Derived[plan.Count] {
	if k.group.FanIn.Set {
		n := plan.Count(k.group.FanIn.Value)
		return plan.Of(n, given("fan-in", k.group.FanIn, n, ""))
	}
	value := plan.Count(max(1, s.losslessPorts()-1))
	why := &plan.Why{Kind: plan.Given, Name: "fan-in: all other lossless ports", Value: value, Range: k.group.Range}
	return plan.Of(value, why)
}

// fanInOfSlice derives the number of senders of the fan-in that may write to one slice.
func (s *shape) fanInOfSlice(k *kind) plan.Derived[plan.Count] {
	n := s.fanIn(k)
	value := min(n.Value, s.together.Value)
	return plan.Of(value, computed("slice-fan-in", "fan-in of one slice", value, term("fan_in", n.Why), term("ports", s.together.Why)))
}

// nicOf returns the NIC whose CNPs come fastest among those that use a class; nil
// when no NIC names it.
func (s *shape) nicOf(class *policy.Class) *policy.NIC {
	var fastest *policy.NIC
	for _, nic := range s.fabric.NICs {
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

// wholeCells rounds up to cells as a step of its own, where there is something to round.
func (s *shape) wholeCells(name string, v plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	rounded := v.Value.CeilTo(s.cell)
	if rounded == v.Value {
		return v
	}
	return plan.Of(rounded, computed("whole-cells", name, rounded, term("bytes", v.Why), term("cell", s.cellWhy)))
}
