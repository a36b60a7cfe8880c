package calc

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// repairFit finds what would make the buffer suffice: the cable length, or the given
// headroom, of the group that takes most.
func (b *budget) repairFit() (diag.Range, string) {
	var most *kind
	var taken units.Bytes
	for _, k := range b.kinds {
		if all := b.rooms[k.index].headroom.Value * units.Bytes(len(k.ports)); all > taken {
			most, taken = k, all
		}
	}
	switch {
	case most == nil:
		return b.sw.Range, "use a chip with more buffer, or fewer ports"
	case most.group.Headroom.Set:
		return most.group.Headroom.Range, "lower headroom, or use fewer lossless classes or fewer lossless ports"
	}
	if length, ok := b.longestCable(most); ok {
		return most.cable.Range, "cables of at most " + length.String() + " in port group \"" + most.group.Name + "\" would fit; fewer lossless classes or fewer lossless ports would help too"
	}
	return most.cable.Range, "even without any cable the headroom does not fit: use fewer lossless classes or fewer lossless ports, or a chip with more buffer"
}

// longestCable bisects for the longest cable of a kind of port, in whole metres, with
// which the buffer suffices.
func (s *shape) longestCable(k *kind) (units.Length, bool) {
	low, high := units.Length(0), k.cable.Value/units.Metre+1
	for high-low > 1 {
		if middle := (low + high) / 2; s.withCable(k, middle*units.Metre).fits() {
			low = middle
		} else {
			high = middle
		}
	}
	return low * units.Metre, low > 0
}

// fits plans headroom, reserves and pools of a trial and reports whether they fit the
// chip. What they find on the way is of no interest.
func (s *shape) fits() bool {
	var ignored findings
	b := planBudget(planHeadrooms(s, &ignored), &ignored)
	return hold(b.inequalities())
}
