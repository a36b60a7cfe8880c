package plan

import "github.com/roceplan/roceplan/units"

// Headrooms returns the largest headroom of the lossless groups on a pool, and that of all of them
// together.
func (s *Switch) Headrooms(pool string) (largest, all units.Bytes) {
	for i := range s.Ports {
		if s.Ports[i].QoS == nil {
			continue
		}
		for _, pg := range s.Ports[i].QoS.PGs {
			if pg.Lossless && pg.Pool == pool {
				largest, all = max(largest, pg.Headroom.Value), all+pg.Headroom.Value
			}
		}
	}
	return largest, all
}
