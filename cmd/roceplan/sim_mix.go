package main

import (
	"fmt"

	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// mixNote returns a note on runs that lost lossless packets where the fabric declares how many packets
// are small: headroom is computed for that mix and proved under it, and a scenario's messages and
// acknowledgements may be smaller than declared. Other runs have none.
func mixNote(f *policy.Fabric, outcomes []pattern.Outcome) []string {
	share := f.SmallPackets
	if !share.Set || share.Value >= units.One {
		return nil
	}
	for i := range outcomes {
		if o := &outcomes[i]; o.LosslessDrops > 0 {
			return []string{fmt.Sprintf("%s lost lossless packets; headroom is enough if at most %v of the packets after a pause have the smallest size, as %s declares with small_packets, but scenarios do not obey that: without small_packets, headroom is for any mix",
				o.Pattern, share.Value, share.Range)}
		}
	}
	return nil
}
