package observe

import (
	"sort"

	"github.com/roceplan/roceplan/units"
)

// Bounds of the search: package calc/headroom does not compute beyond them.
const (
	longestCable    = 1000 * units.Kilometre
	longestResponse = units.Millisecond
)

// A Bound is what headroom that was used says of a link. The worst case is the most that can be
// used, so a cable or a response for which it is less than what was used is refuted; all longer
// ones are possible.
type Bound struct {
	// Cable is the least length, if the response is as the fabric has it; Response the least
	// response, if the cable is.
	Cable    units.Length `json:"cable_mm"`
	Response units.Time   `json:"response_ps"`
}

// invert finds the least cable, in decimetres, and the least response, in nanoseconds, for which
// the worst case is as much as was used. False where none is.
func (d *pod) invert(s *site, used units.Bytes) (Bound, bool) {
	enough := func(cable units.Length, response units.Time) bool {
		need, ok := d.need(s, cable, response)
		return ok && need >= used
	}
	const decimetre = units.Metre / 10
	told := s.port.Cable
	cables := sort.Search(int(longestCable/decimetre), func(n int) bool { return enough(units.Length(n)*decimetre, 0) })
	times := 1 + sort.Search(int(longestResponse/units.Nanosecond)-1, func(n int) bool { return enough(told, units.Time(n+1)*units.Nanosecond) })
	b := Bound{Cable: units.Length(cables) * decimetre, Response: units.Time(times) * units.Nanosecond}
	return b, enough(b.Cable, 0) && enough(told, b.Response)
}

// frameRoom returns the room that the largest lossless frame takes of the buffer: used headroom that is less
// than this below the limit was full for that frame.
func (d *pod) frameRoom(s *site) units.Bytes {
	return (d.fabric.LosslessFrame.Value + s.shape.Chip.PacketMetadata.Or(0)).CeilTo(max(s.sw.Cell, 1))
}
