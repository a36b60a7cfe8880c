package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// mtuUneven warns of ports with RDMA that take smaller frames than others: what comes in on
// one of those and leaves by one of these is dropped, lossless or not. Ports of which the file
// says nothing are told together: that none of them is in use is as likely.
func mtuUneven(s *subject) {
	var largest *plan.Port
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if s.roce(k) && port.MTU != 0 && (largest == nil || port.MTU > largest.MTU) {
				largest = port
			}
		}
	}
	var silent []*plan.Port
	for _, k := range s.kinds {
		for _, port := range k.ports {
			switch {
			case !s.roce(k) || port.MTU == 0 || port.MTU >= largest.MTU:
			case port.MTURange.Filename == "":
				silent = append(silent, port)
			default:
				s.smaller(port, largest, port.Name+" accepts")
			}
		}
	}
	switch others := len(silent) - 1; {
	case others == 0:
		s.smaller(silent[0], largest, silent[0].Name+" accepts")
	case others > 0:
		s.smaller(silent[0], largest, fmt.Sprintf("%s and %s without an MTU accept", silent[0].Name, natural.Count(others, "other port", "other ports")))
	}
}

func (s *subject) smaller(port, largest *plan.Port, takes string) {
	s.found.Warnf(MTUUneven, first(port.MTURange, port.Range), "%s frames of %v, but %s, which carries RDMA too, of %v: larger frames that leave by %s are dropped", takes, port.MTU, largest.Name, largest.MTU, port.Name).
		Fixf("give all ports with lossless classes one MTU").Notef(first(largest.MTURange, largest.Range), "the larger one")
}
