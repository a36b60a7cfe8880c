package lint

import (
	"github.com/roceplan/roceplan/diag"
)

// fabricClassDiffers compares the maps entry by entry.
func fabricClassDiffers(c *comparison) {
	got, want, at := &c.got.Maps, &c.want.Maps, &c.got.Places
	entries(c, "DSCP %d leads to traffic class %d", got.DSCPToTC[:], want.DSCPToTC[:], at.DSCPToTC[:])
	entries(c, "traffic class %d leads to queue %d", got.TCToQueue[:], want.TCToQueue[:], at.TCToQueue[:])
	entries(c, "traffic class %d leads to priority group %d", got.TCToPG[:], want.TCToPG[:], at.TCToPG[:])
	entries(c, "a pause of priority %d stops queue %d", got.PFCToQueue[:], want.PFCToQueue[:], at.PFCToQueue[:])
	entries(c, "PFC priority %d is that of priority group %d", got.PFCToPG[:], want.PFCToPG[:], at.PFCToPG[:])
	if (c.got.Marking == nil) != (c.want.Marking == nil) {
		c.errorf(FabricClassDiffers, c.got.Range, "rules for ports that trust nobody are in one of file and fabric, and not in the other")
	}
}

func entries(c *comparison, what string, got, want []uint8, at []diag.Range) {
	for i := range got {
		if got[i] != want[i] {
			d := c.errorf(FabricClassDiffers, first(at[i], c.got.Range), what+"; by the fabric to %d", i, got[i], want[i])
			if len(got) == 64 {
				d.Notef(first(c.got.Places.TCToQueue[got[i]&7], c.got.Range), "that class")
			}
		}
	}
}
