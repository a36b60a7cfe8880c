package calc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// HeadroomWithMargin adds what the fabric asks for on top: document headroom-margin.
func HeadroomWithMargin(needed units.Bytes, margin units.Ratio, extra, cell units.Bytes) units.Bytes {
	return (needed + units.Bytes(margin.CeilOf(int64(needed))) + extra).CeilTo(cell)
}

// defaultMethod is the one standard on every chip: what the prover asks for. It needs
// nothing of a chip but its cell size.
const defaultMethod = "worst-case"

// Headrooms are the first stage: the data that each PG has to take after it paused its peer.
type headrooms struct {
	*shape
	rooms    []room                    // by kind
	headroom plan.Derived[units.Bytes] // of all lossless PGs
}

// A room holds the headroom and thresholds of one lossless PG of a kind of port; zero where the kind is lossy.
type room struct {
	headroom plan.Derived[units.Bytes]
	xon      plan.Derived[units.Bytes] // level at which it resumes; zero: by the offset
	reserve  plan.Derived[units.Bytes] // where the method says that too; zero: the chip's
}

// planHeadrooms computes the headroom of each kind of lossless port and their sum.
func planHeadrooms(s *shape, found *findings) headrooms {
	h := headrooms{shape: s, rooms: make([]room, len(s.kinds))}
	h.headroom = decided("headroom", units.Bytes(0), "no lossless port")
	method, ok := s.headroomMethod(found)
	if !ok {
		return h
	}
	for _, k := range s.kinds {
		if s.groupsOf(k) == 0 {
			continue
		}
		pin, reported := s.pinnedHeadroom(k), found
		if pin != nil {
			reported = &findings{trial: true} // the derived value is not used
		}
		own, ok := s.room(method, k, reported)
		if pin != nil {
			s.pinRoom(&own, pin, k, found)
		} else if !ok {
			continue
		}
		h.rooms[k.index] = own
		h.add(k)
	}
	h.share(found)
	if h.pooled {
		put(&h.headroom, s.ofSwitch().of(policy.PinnedPool, 0, IngressPool, "headroom"))
	}
	return h
}

// room computes the headroom of a PG of a kind, with the margin that the fabric asks for.
func (s *shape) room(method headroom.Method, k *kind, found *findings) (room, bool) {
	own, ok := s.needed(method, k, found)
	if ok {
		own.headroom = s.besideVendors(k, own.headroom)
		own.headroom = s.withMargin(k, own.headroom, found)
		s.warnBelow8023(method, k, own.headroom.Value, found)
	}
	return own, ok
}

func (h *headrooms) add(k *kind) {
	pgs := len(k.ports) * h.groupsOf(k)
	sum := h.headroom.Value + h.rooms[k.index].headroom.Value*units.Bytes(pgs)
	h.headroom = plan.Of(sum, computed("all-headroom", "headroom of all lossless PGs", sum,
		term("first", h.headroom.Why), term("headroom", h.rooms[k.index].headroom.Why), count("pgs", pgs, "lossless PGs of "+k.group.Name)))
}

// methodName returns the fabric's method, or the standard.
func (s *shape) methodName() string {
	if s.fabric.HeadroomMethod.Set {
		return s.fabric.HeadroomMethod.Value
	}
	return defaultMethod
}

// headroomMethod binds the method to the chip.
func (s *shape) headroomMethod(found *findings) (headroom.Method, bool) {
	name, at := s.methodName(), s.fabric.HeadroomMethod.Range
	if !s.fabric.HeadroomMethod.Set {
		at = s.sw.ChipAt
	}
	if name == "table" {
		return s.tableMethod(found)
	}
	method, err := headroom.For(s.chip, name)
	var unknown *chips.Unknown
	var wrong *headroom.WrongFamily
	switch {
	case err == nil:
		return method, true
	case errors.As(err, &wrong):
		found.list.Errorf(HeadroomMethod, at, "%v", err).Fixf("set headroom_method to another one: %s", strings.Join(headroom.Names(), ", "))
	case errors.As(err, &unknown):
		found.list.Errorf(HeadroomMethod, at, "headroom method %q: %v", name, err).
			Fixf("add the datum with --chips, or set headroom_method to another one: %s", strings.Join(headroom.Names(), ", "))
	default:
		found.list.Errorf(HeadroomMethod, at, "%v", err).Repaired(diag.Rename(name, headroom.Names(), "write one of them"))
	}
	return nil, false
}

// input returns the input of the method for a kind of port.
func (s *shape) input(method headroom.Method, k *kind) headroom.Input {
	return HeadroomInput(s.fabric, k.group, k.cable.Value, method)
}

// HeadroomInput returns the input of a method for a port of a group with a cable.
func HeadroomInput(f *policy.Fabric, g *policy.PortGroup, cable units.Length, method headroom.Method) headroom.Input {
	in := headroom.Defaults()
	in.Speed, in.Cable = g.Speed.Value, cable
	in.PortMTU, in.LosslessMTU = headroom.PortMTU(method, f.MTU.Value), f.LosslessFrame.Value
	in.PeerResponse = PeerResponse(g).Value
	in.Frame = f.LosslessFrame.Value
	if f.SmallPackets.Set {
		in.SmallPackets, in.MixDeclared = f.SmallPackets.Value, true
	}
	in.Gearbox = g.Gearbox.Value
	in.Lanes = lanes(g)
	in.FirstByte = g.Headroom.Set // the author's value is refused only where it is certainly too small
	return in
}

// lanes returns the number of serdes lanes of a port, four by default.
func lanes(g *policy.PortGroup) int {
	if g.LaneCount.Set {
		return g.LaneCount.Value
	}
	return headroom.Defaults().Lanes
}

// PeerResponse returns the time that the peers of a group take to fall silent, as the fabric
// declares it; not set and 0 where only the method knows.
func PeerResponse(g *policy.PortGroup) policy.Opt[units.Time] {
	if !g.PauseResponse.Set && g.PeerNIC != nil && g.PeerNIC.PauseResponse.Set {
		return g.PeerNIC.PauseResponse
	}
	return g.PauseResponse
}

// needed returns the headroom by the method alone, with the inputs' lines in its reason.
func (s *shape) needed(method headroom.Method, k *kind, found *findings) (room, bool) {
	if !k.cable.Set {
		found.list.Errorf(CableMissing, k.group.Range, "port group %q is lossless and has no cable length", k.group.Name).
			Fixf("add cable = \"…m\", or lossless = false")
		return room{}, false
	}
	result, derivation, err := method.Explain(s.input(method, k))
	if err != nil {
		found.list.Errorf(HeadroomMethod, k.group.Range, "headroom of port group %q: %v", k.group.Name, err).Fixf("give the group a speed and a cable that the method knows, or choose another headroom_method")
		return room{}, false
	}
	s.locate(derivation.XOff, k)
	own := s.spectrumProfile(k, result, derivation)
	own.headroom = s.wholeCells("headroom", plan.Of(result.XOff, derivation.XOff))
	return own, true
}

// locate gives the leaves of a derivation that came from the fabric their lines.
func (s *shape) locate(why *plan.Why, k *kind) {
	places := map[string]diag.Range{
		"speed": k.group.Speed.Range, "cable": k.cable.Range,
		"port_mtu": s.fabric.MTU.Range, "lossless_mtu": s.fabric.LosslessFrame.Range, "frame": s.fabric.LosslessFrame.Range,
		"small_packets": s.fabric.SmallPackets.Range, "gearbox": k.group.Gearbox.Range,
		"lanes": k.group.LaneCount.Range, "peer_response": PeerResponse(k.group).Range,
	}
	var walk func(*plan.Why)
	walk = func(w *plan.Why) {
		if at, ok := places[w.Name]; ok && w.Kind == plan.Given {
			w.Range = at
			if w.Name == "port_mtu" {
				s.lessPortOverhead(w)
			}
		}
		for _, t := range w.Terms {
			walk(t.Why)
		}
	}
	walk(why)
}

// lessPortOverhead makes the reason of a port's MTU, where it is not the fabric's, the
// fabric's less what SONiC's PORT table does not count.
func (s *shape) lessPortOverhead(w *plan.Why) {
	mtu := s.fabric.MTU
	if w.Value.String() == mtu.Value.String() {
		return
	}
	*w = *computed("less", "MTU in SONiC's PORT table", w.Value,
		term("whole", given("mtu", mtu, mtu.Value, "the largest frame of jumbo Ethernet in use")),
		term("part", standard("Ethernet header, VLAN tag and FCS", headroom.PortOverhead, "sonic-swss, orchagent/port.h and portsorch.cpp")))
}

// warnBelow8023 says when a peer that uses all the time that 802.3 allows would need
// more than the method gives: for response and cable alone, and with the two frames
// that may be in transmission.
func (s *shape) warnBelow8023(method headroom.Method, k *kind, given units.Bytes, found *findings) {
	in, cells := s.input(method, k), given.FloorCells(s.cell)
	alone, framed := headroom.IEEEWorstCase(in.Speed, in.Cable, 0), headroom.IEEEWorstCase(in.Speed, in.Cable, 2*in.LosslessMTU)
	if framed <= cells || method.Name() == defaultMethod && !k.group.Headroom.Set {
		s.warnBelowVendor(k, given, found)
		return
	}
	from, fix := fmt.Sprintf("by method %q, margin included", method.Name()), "raise headroom_margin"
	if k.group.Headroom.Set {
		from, fix = "as given", "raise headroom"
	}
	found.list.Warnf(HeadroomBelow8023, k.group.Range,
		"port group %q of %s has %d cells of headroom %s. A peer that takes all the time that IEEE 802.3 allows at %v needs %d cells for response and cable, and %d with a frame of %v in transmission at each end",
		k.group.Name, s.sw.Label, cells, from, k.group.Speed.Value, alone, framed, in.LosslessMTU).
		Fixf("%s, or keep it if the peers are known to respond to a pause sooner", fix)
}

// withMargin adds the fabric's margin, or checks the headroom that the group gives
// against what is needed.
func (s *shape) withMargin(k *kind, needed plan.Derived[units.Bytes], found *findings) plan.Derived[units.Bytes] {
	if k.group.Headroom.Set {
		return s.givenHeadroom(k, needed, found)
	}
	share, extra := s.fabric.HeadroomMargin, s.fabric.HeadroomMarginBytes
	if !share.Set && !extra.Set {
		return needed
	}
	value := HeadroomWithMargin(needed.Value, share.Value, extra.Value, s.cell)
	return plan.Of(value, computed("headroom-margin", "headroom with margin", value, term("headroom", needed.Why),
		term("margin", given("headroom_margin", share, share.Value, "none")),
		term("extra", given("headroom_margin_bytes", extra, extra.Value, "none")), term("cell", s.cellWhy)))
}

func (s *shape) givenHeadroom(k *kind, needed plan.Derived[units.Bytes], found *findings) plan.Derived[units.Bytes] {
	own := k.group.Headroom
	value := own.Value.FloorTo(s.cell)
	result := plan.Of(value, computed("whole-cells-down", "headroom", value,
		term("bytes", given("headroom", own, own.Value, "")), term("cell", s.cellWhy)))
	if s.fabric.Running.Value {
		value = own.Value
		result = plan.Of(value, given("headroom", own, value, ""))
	}
	found.record(atMost("headroom-covers", k.group.Name, needed, result, own.Range, func(list *diag.List) {
		list.Errorf(HeadroomShort, own.Range, "the headroom given to port group %q of %s is %v, and %v may still arrive after a pause",
			k.group.Name, s.sw.Label, value, needed.Value).Fixf("%s headroom to %v, or shorten the cable", map[bool]string{true: "raise", false: "remove headroom, so that it is computed, or raise"}[s.fabric.Running.Value], needed.Value)
	}))
	return result
}

// tableMethod reads the vendor's table that the fabric gives.
func (s *shape) tableMethod(found *findings) (headroom.Method, bool) {
	text := s.fabric.HeadroomTable
	if !text.Set {
		found.list.Errorf(HeadroomMethod, s.fabric.HeadroomMethod.Range, "headroom_method = \"table\" needs the table").
			Fixf("add headroom_table = file(\"pg_profile_lookup.ini\")")
		return nil, false
	}
	table, wrong := headroom.ParseTable("headroom_table", []byte(text.Value))
	for _, d := range wrong {
		d.Message = fmt.Sprintf("headroom_table, line %d: %s", d.Subject.Start.Line, d.Message)
		d.Subject = text.Range
		found.list = append(found.list, d)
	}
	if wrong.HasErrors() {
		return nil, false
	}
	method, err := table.Method(s.chip, s.fabric.HeadroomInterpolate.Value)
	if err != nil {
		found.list.Errorf(HeadroomMethod, text.Range, "%v", err).Fixf("write a table with values that the chip supports, or choose a headroom_method")
	}
	return method, err == nil
}
