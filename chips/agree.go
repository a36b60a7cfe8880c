package chips

import "github.com/roceplan/roceplan/diag"

// agree reports data of a chip that contradict each other.
func (r *reader) agree(c *Chip) {
	whole, usable := c.PacketBuffer, c.UsableBuffer
	if usable.Or(0) > whole.Or(1<<62) {
		r.errorf(Contradiction, c.place(usable.fact), "usable_buffer of %s is %v, more than the packet_buffer of %v", c.Name, usable.value, whole.value).
			Notef(c.place(whole.fact), "here")
	}
	if metadata := c.PacketMetadata; metadata.Or(0) >= c.CellSize.Or(1<<62) {
		r.errorf(Contradiction, c.place(metadata.fact), "packet_metadata of %s is %v and leaves no room in a cell of %v", c.Name, metadata.value, c.CellSize.value).
			Notef(c.place(c.CellSize.fact), "here")
	}
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

// place is where a fact stands in the chip's own file, or the chip where the fact is
// inherited.
func (c *Chip) place(f *Fact) diag.Range {
	if f == nil || f.Range.Filename != c.Range.Filename {
		return c.Range
	}
	return f.Range
}
