package lint

import (
	"slices"
)

// defaultLossless warns when DSCP 0 is lossless.
func defaultLossless(s *subject) {
	for _, c := range s.losslessClasses() {
		if slices.Contains(c.DSCPs, 0) {
			s.found.Warnf(DefaultLossless, s.dscpAt(0, c), "DSCP 0 is in traffic class %d, which is lossless: everything that nobody marked is paused with RDMA", c.TrafficClass).
				Fixf("map the code points of RDMA to the lossless class, and no others")
		}
	}
}
