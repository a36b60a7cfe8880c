package chips

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// agree reports data of a chip that contradict each other.
func (r *reader) agree(c *Chip) {
	whole, usable := c.PacketBuffer, c.UsableBuffer
	if usable.Or(0) > whole.Or(1<<62) {
		r.errorf(Contradiction, c.place(usable.fact), "usable_buffer of %s is %v, more than the packet_buffer of %v", c.Name, usable.value, whole.value).Fixf("give a usable_buffer of at most %v, or correct packet_buffer", whole.value).
			Notef(c.place(whole.fact), "here")
	}
	// Where headroom is counted in larger units than packets, cells are the unit of accounts, and
	// packets are in those.
	if metadata := c.PacketMetadata; metadata.Or(0) >= max(c.CellSize.Or(1<<62), c.HeadroomCell.Or(0)) {
		r.errorf(Contradiction, c.place(metadata.fact), "packet_metadata of %s is %v and leaves no room in a cell of %v", c.Name, metadata.value, c.CellSize.value).Fixf("give a packet_metadata smaller than the cell, %v", c.CellSize.value).
			Notef(c.place(c.CellSize.fact), "here")
	}
	r.agreeParts(c)
	r.agreeSDK(c)
	x := &c.XGSHeadroom
	if classes, responses := len(x.SpeedClass.value), len(x.Responses.value); responses > 0 && responses != classes {
		r.errorf(Contradiction, c.place(x.Responses.fact), "headroom_responses of %s has %d times for %d headroom_speed_classes", c.Name, responses, classes).
			Fixf("give one time for each class, in the same order")
	}
	if cable, speed := x.LongCable.fact, x.LongSpeed.fact; (cable == nil) != (speed == nil) {
		given := cable
		if given == nil {
			given = speed
		}
		r.errorf(Contradiction, c.place(given), "%s has one of headroom_long_cable and headroom_long_speed", c.Name).Fixf("give both, or none")
	}
}

// agreeParts demands the pipes of every part, and no others. A map that is inherited by a
// chip with other parts is forgotten: it is another chip's.
func (r *reader) agreeParts(c *Chip) {
	for _, datum := range []*Datum[[]Pipes]{&c.Parts.Ingress, &c.Parts.Egress} {
		if datum.fact == nil {
			continue
		}
		if inherited := datum.fact.Range.Filename != c.Range.Filename; inherited && len(datum.value) != c.Slices.Or(1) {
			datum.fact = nil
			continue
		}
		if parts := c.Slices.Or(1); len(datum.value) != parts {
			r.errorf(Contradiction, c.place(datum.fact), "%s of %s has pipes of %d parts, the chip has %d", datum.name, c.Name, len(datum.value), parts).
				Fixf("give the pipes of every part, and slices")
		}
		for _, pipes := range datum.value {
			if last := pipes[len(pipes)-1]; last >= c.Parts.Pipes.Or(0) {
				r.errorf(Contradiction, c.place(datum.fact), "%s of %s names pipe %d, the chip has %d pipes", datum.name, c.Name, last, c.Parts.Pipes.Or(0)).
					Fixf("pipes are counted from 0; give pipes")
				break
			}
		}
	}
}

// agreeSDK demands a headroom for each speed.
func (r *reader) agreeSDK(c *Chip) {
	speeds := len(c.SDKHeadroom.Speeds.value)
	for _, datum := range []Datum[[]units.Cells]{c.SDKHeadroom.LineRate, c.SDKHeadroom.Oversubscribed} {
		if datum.fact != nil && len(datum.value) != speeds {
			r.errorf(Contradiction, c.place(datum.fact), "%s of %s has %d values for %d sdk_headroom_speeds", datum.name, c.Name, len(datum.value), speeds).
				Fixf("give one for each speed, in the same order")
		}
	}
}

// place returns the place of a fact in the chip's own file, or the chip where the fact is inherited.
func (c *Chip) place(f *Fact) diag.Range {
	if f == nil || f.Range.Filename != c.Range.Filename {
		return c.Range
	}
	return f.Range
}
