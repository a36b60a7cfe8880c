package calc

import (
	"errors"
	"fmt"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// HeadroomWithMargin adds what the fabric asks for on top: document headroom-margin.
func HeadroomWithMargin(needed units.Bytes, margin units.Ratio, extra, cell units.Bytes) units.Bytes {
	return (needed + units.Bytes(margin.CeilOf(int64(needed))) + extra).CeilTo(cell)
}

// fallbackMethod needs nothing of a chip but its cell size.
const fallbackMethod = "ieee8021q"

// planHeadroom computes the headroom of each kind of lossless port and their sum.
func (c *context) planHeadroom() {
	none := plan.Of(units.Bytes(0), chosen("headroom", units.Bytes(0), "no lossless port"))
	c.headroom = none
	method, ok := c.headroomMethod()
	if !ok {
		return
	}
	for _, k := range c.kinds {
		if !k.lossless() || len(c.lossless) == 0 {
			continue
		}
		needed, ok := c.needed(method, k)
		if !ok {
			continue
		}
		k.headroom = c.withMargin(k, needed)
		c.warnBelow8023(method, k)
		c.addHeadroom(k)
	}
	c.coverSlices()
}

// coverSlices makes a pool of headroom large enough in every slice, whichever ports
// lie there: slices share nothing, and a pool is divided evenly.
func (c *context) coverSlices() {
	slices := units.Bytes(c.slices.Value)
	if slices == 1 || !c.pooled || c.headroom.Value == 0 {
		return
	}
	ports := int(units.CeilMulDiv(int64(c.losslessPorts()), 1, int64(slices)))
	largest := c.largestHeadrooms(ports) * units.Bytes(len(c.lossless))
	total := max(c.headroom.Value.CeilTo(slices*c.cell), largest*slices)
	c.headroom = plan.Of(total, computed("slice-headroom", "pool of headroom that suffices in every slice", total,
		term("all", c.headroom.Why), term("largest", chosen("headroom of the ports that need most, as many as lie in one slice", largest, "which ports share a slice is not known")),
		term("slices", c.slices.Why), term("cell", c.cellWhy)))
}

func (c *context) addHeadroom(k *kind) {
	pgs := len(k.ports) * len(c.lossless)
	sum := c.headroom.Value + k.headroom.Value*units.Bytes(pgs)
	c.headroom = plan.Of(sum, computed("all-headroom", "headroom of all lossless PGs", sum,
		term("first", c.headroom.Why), term("headroom", k.headroom.Why), count("pgs", pgs, "lossless PGs of "+k.group.Name)))
}

// headroomMethod binds the fabric's method, the chip's, or the standard's to the chip.
func (c *context) headroomMethod() (headroom.Method, bool) {
	name, at := c.fabric.HeadroomMethod.Value, c.fabric.HeadroomMethod.Range
	if !c.fabric.HeadroomMethod.Set {
		name, at = c.chip.HeadroomMethod.Or(fallbackMethod), c.sw.ChipAt
	}
	if name == "table" {
		return c.tableMethod()
	}
	method, err := headroom.For(c.chip, name)
	var unknown *chips.Unknown
	var wrong *headroom.WrongFamily
	switch {
	case err == nil:
		return method, true
	case errors.As(err, &wrong):
		c.list.Errorf(HeadroomMethod, at, "%v", err).Fixf("set headroom_method to another of %v", headroom.Names())
	case errors.As(err, &unknown):
		c.list.Errorf(HeadroomMethod, at, "headroom method %q: %v", name, err).
			Fixf("set headroom_method to another of %v, or add the datum with --chips", headroom.Names())
	default:
		c.list.Errorf(HeadroomMethod, at, "%v", err)
	}
	return nil, false
}

// portOverhead is what a frame has beyond the MTU of SONiC's PORT table, which NVIDIA's
// calculator is given: Ethernet header, one VLAN tag and FCS (sonic-swss,
// orchagent/port.h and portsorch.cpp).
const portOverhead units.Bytes = 22

// input is what the method is asked for a kind of port.
func (c *context) input(k *kind) headroom.Input {
	in := headroom.Defaults()
	in.Speed, in.Cable = k.group.Speed.Value, k.cable.Value
	in.PortMTU, in.LosslessMTU = c.fabric.MTU.Value-portOverhead, c.fabric.LosslessFrame.Value
	in.PeerResponse = c.peerResponse(k)
	in.Frame = c.fabric.LosslessFrame.Value
	if c.fabric.SmallPackets.Set {
		in.SmallPackets = c.fabric.SmallPackets.Value
	}
	if k.group.Gearbox.Set {
		in.Gearbox = k.group.Gearbox.Value
	}
	if k.group.LaneCount.Set {
		in.Lanes = k.group.LaneCount.Value
	}
	return in
}

// peerResponse is what the peer takes to fall silent, 0 where only the method knows.
func (c *context) peerResponse(k *kind) units.Time {
	switch {
	case k.group.PauseResponse.Set:
		return k.group.PauseResponse.Value
	case k.group.PeerNIC != nil && k.group.PeerNIC.PauseResponse.Set:
		return k.group.PeerNIC.PauseResponse.Value
	}
	return 0
}

// needed is the headroom by the method alone, with the inputs' lines in its reason.
func (c *context) needed(method headroom.Method, k *kind) (plan.Derived[units.Bytes], bool) {
	if !k.cable.Set {
		c.list.Errorf(CableMissing, k.group.Range, "port group %q is lossless and does not say how long its cables are", k.group.Name).
			Fixf("add cable = \"…m\", or lossless = false")
		return plan.Derived[units.Bytes]{}, false
	}
	result, derivation, err := method.Explain(c.input(k))
	if err != nil {
		c.list.Errorf(HeadroomMethod, k.group.Range, "headroom of port group %q: %v", k.group.Name, err)
		return plan.Derived[units.Bytes]{}, false
	}
	c.locate(derivation.XOff, k)
	c.spectrumProfile(k, result, derivation)
	k.assumed = headroom.Allows(method, c.input(k), result.Cells, c.fabric.MTU.Value, c.fabric.LosslessFrame.Value)
	return c.wholeCells("headroom", plan.Of(result.XOff, derivation.XOff)), true
}

// wholeCells rounds up to cells as a step of its own, where there is something to round.
func (c *context) wholeCells(name string, v plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	rounded := v.Value.CeilTo(c.cell)
	if rounded == v.Value {
		return v
	}
	return plan.Of(rounded, computed("whole-cells", name, rounded, term("bytes", v.Why), term("cell", c.cellWhy)))
}

// locate gives the leaves of a derivation that came from the fabric their lines.
func (c *context) locate(why *plan.Why, k *kind) {
	places := map[string]diag.Range{
		"speed": k.group.Speed.Range, "cable": k.cable.Range,
		"port_mtu": c.fabric.MTU.Range, "lossless_mtu": c.fabric.LosslessFrame.Range, "frame": c.fabric.LosslessFrame.Range,
		"small_packets": c.fabric.SmallPackets.Range, "gearbox": k.group.Gearbox.Range,
		"lanes": k.group.LaneCount.Range, "peer_response": k.group.PauseResponse.Range,
	}
	if !k.group.PauseResponse.Set && k.group.PeerNIC != nil {
		places["peer_response"] = k.group.PeerNIC.PauseResponse.Range
	}
	var walk func(*plan.Why)
	walk = func(w *plan.Why) {
		if at, ok := places[w.Name]; ok && w.Kind == plan.Given {
			w.Range = at
		}
		for _, t := range w.Terms {
			walk(t.Why)
		}
	}
	walk(why)
}

// warnBelow8023 tells when a peer that uses all the time that 802.3 allows would need
// more than the method gives: for response and cable alone, and with the two frames
// that may be in transmission.
func (c *context) warnBelow8023(method headroom.Method, k *kind) {
	in, cells := c.input(k), k.headroom.Value.FloorCells(c.cell)
	alone, err := headroom.IEEEWorstCase(in.Speed, in.Cable, 0)
	if err != nil {
		return
	}
	framed, err := headroom.IEEEWorstCase(in.Speed, in.Cable, 2*in.LosslessMTU)
	if err != nil || framed <= cells {
		return
	}
	from, fix := fmt.Sprintf("by method %q, margin included", method.Name()), "raise headroom_margin"
	if k.group.Headroom.Set {
		from, fix = "as given", "raise headroom"
	}
	c.list.Warnf(HeadroomBelow8023, k.group.Range,
		"port group %q of %s: %d cells %s; a peer that takes all the time IEEE 802.3 allows at %v would need %d for response and cable, %d with a frame of %v in transmission at each end",
		k.group.Name, c.sw.Label, cells, from, k.group.Speed.Value, alone, framed, in.LosslessMTU).
		Fixf("%s, or keep it if the peers' pause response is known to be shorter", fix)
}

// withMargin adds the fabric's margin, or holds the headroom that the group gives
// against what is needed.
func (c *context) withMargin(k *kind, needed plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	if k.group.Headroom.Set {
		return c.givenHeadroom(k, needed)
	}
	share, extra := c.fabric.HeadroomMargin, c.fabric.HeadroomMarginBytes
	if !share.Set && !extra.Set {
		return needed
	}
	value := HeadroomWithMargin(needed.Value, share.Value, extra.Value, c.cell)
	return plan.Of(value, computed("headroom-margin", "headroom with margin", value, term("headroom", needed.Why),
		term("margin", given("headroom_margin", share, share.Value, "none")),
		term("extra", given("headroom_margin_bytes", extra, extra.Value, "none")), term("cell", c.cellWhy)))
}

func (c *context) givenHeadroom(k *kind, needed plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	own := k.group.Headroom
	value := own.Value.FloorTo(c.cell)
	result := plan.Of(value, computed("whole-cells-down", "headroom", value,
		term("bytes", given("headroom", own, own.Value, "")), term("cell", c.cellWhy)))
	holds := needed.Value <= value
	c.check("headroom-covers", k.group.Name, needed.Why, result.Why, holds, fmt.Sprint(value-needed.Value), own.Range)
	if !holds {
		c.list.Errorf(HeadroomShort, own.Range, "the headroom given to port group %q of %s is %v, and %v may still arrive after a pause",
			k.group.Name, c.sw.Label, value, needed.Value).Fixf("raise headroom to %v, or shorten the cable", needed.Value)
	}
	return result
}

// repairFit finds what would make the buffer suffice: the cable length, or the given
// headroom, of the group that takes most.
func (c *context) repairFit() (diag.Range, string) {
	var most *kind
	var taken units.Bytes
	for _, k := range c.kinds {
		if all := k.headroom.Value * units.Bytes(len(k.ports)); all > taken {
			most, taken = k, all
		}
	}
	switch {
	case most == nil:
		return c.sw.Range, "use a chip with more buffer, or fewer ports"
	case most.group.Headroom.Set:
		return most.group.Headroom.Range, "lower headroom, or use fewer lossless classes or fewer lossless ports"
	}
	if length, ok := c.longestCable(most); ok {
		return most.cable.Range, "cables of at most " + length.String() + " in port group \"" + most.group.Name + "\" would fit; fewer lossless classes or fewer lossless ports would help too"
	}
	return most.cable.Range, "even without any cable the headroom does not fit: use fewer lossless classes or fewer lossless ports, or a chip with more buffer"
}

// longestCable bisects for the longest cable of a kind of port, in whole metres, with
// which the buffer suffices.
func (c *context) longestCable(k *kind) (units.Length, bool) {
	low, high := units.Length(0), k.cable.Value/units.Metre+1
	for high-low > 1 {
		if middle := (low + high) / 2; c.fitsWith(k, middle*units.Metre) {
			low = middle
		} else {
			high = middle
		}
	}
	return low * units.Metre, low > 0
}

// fitsWith plans headroom, reserves and pools again with another cable, in a copy that
// reports nothing.
func (c *context) fitsWith(k *kind, cable units.Length) bool {
	trial := *c
	trial.list, trial.kinds = &diag.List{}, nil
	for _, other := range c.kinds {
		own := *other
		if other == k {
			own.cable.Value = cable
		}
		trial.kinds = append(trial.kinds, &own)
	}
	trial.planHeadroom()
	trial.planReserves()
	trial.planShared()
	fit, _ := trial.fitSum()
	lossy, _, needed := trial.lossySum()
	return fit <= trial.usable.Value && (!needed || lossy <= trial.shared.Value)
}

// tableMethod reads the vendor's table that the fabric gives.
func (c *context) tableMethod() (headroom.Method, bool) {
	text := c.fabric.HeadroomTable
	if !text.Set {
		c.list.Errorf(HeadroomMethod, c.fabric.HeadroomMethod.Range, "headroom_method = \"table\" needs the table").
			Fixf("add headroom_table = file(\"pg_profile_lookup.ini\")")
		return nil, false
	}
	table, found := headroom.ParseTable("headroom_table", []byte(text.Value))
	for _, d := range found {
		d.Message = fmt.Sprintf("headroom_table, line %d: %s", d.Subject.Start.Line, d.Message)
		d.Subject = text.Range
		*c.list = append(*c.list, d)
	}
	if found.HasErrors() {
		return nil, false
	}
	method, err := table.Method(c.chip, c.fabric.HeadroomInterpolate.Value)
	if err != nil {
		c.list.Errorf(HeadroomMethod, text.Range, "%v", err)
	}
	return method, err == nil
}
