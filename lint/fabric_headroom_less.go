package lint

import (
	"github.com/roceplan/roceplan/plan"
)

// fabricHeadroomLess compares headroom. More of it is a matter of whether it fits.
func fabricHeadroomLess(c *comparison, port *plan.Port, got, want *plan.PG) {
	if got.Headroom.Value < want.Headroom.Value {
		c.errorf(FabricHeadroomLess, at(got.Headroom, at(got.Limit, got.Range, port.Range)), "priority group %d of %s has %v of headroom, but in the fabric, margins included, %v", got.ID, port.Name, got.Headroom.Value, want.Headroom.Value).
			Notef(first(got.Range, port.Range), "where the port gets it")
	}
}
