package lint

import (
	"github.com/roceplan/roceplan/plan"
)

// linkPortMissing reports an end that is not there.
func (s *survey) linkPortMissing(sw *plan.Switch, name, port string, peer plan.LinkEnd) {
	s.found.Errorf(LinkPortMissing, sw.Range, "%s has no port %s, which the cabling joins to %s of %s", name, port, peer.Port, peer.Switch).Fixf("add the port to the file, or correct the cabling")
}
