package lint

import "github.com/roceplan/roceplan/plan"

// mtuUneven warns of ports with RDMA that take smaller frames than others: what comes in on
// one of those and leaves by one of these is dropped, lossless or not.
func mtuUneven(s *subject) {
	var largest *plan.Port
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if s.roce(k) && port.MTU != 0 && (largest == nil || port.MTU > largest.MTU) {
				largest = port
			}
		}
	}
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if s.roce(k) && port.MTU != 0 && port.MTU < largest.MTU {
				s.found.Warnf(MTUUneven, first(port.MTURange, port.Range), "%s takes frames of %v, and %s, which carries RDMA too, of %v: what is larger and leaves by %s is lost", port.Name, port.MTU, largest.Name, largest.MTU, port.Name).
					Fixf("give all ports with lossless classes one MTU").Notef(first(largest.MTURange, largest.Range), "the larger one")
			}
		}
	}
}
