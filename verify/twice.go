package verify

import (
	"net/netip"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// twice reports addresses that two switches have: those of loopbacks, which identify a switch, and of ports of the fabric. Of
// several addresses of a loopback the first is its own; others may be shared. In two routing instances one address is of
// two networks (RFC 4364, 1.2, on overlapping address spaces).
func (v *Verifier) twice(all []*Switch, says map[plan.LinkEnd]*ending, order []plan.LinkEnd) (found diag.List) {
	type owner struct {
		plan.LinkEnd
		*read.Way
	}
	type place struct {
		address  netip.Addr
		instance string
	}
	first, instances := map[place]owner{}, instancesOf(all)
	linked := sync.OnceValue(func() map[[2]plan.LinkEnd]bool { // of no use to a network without a fault
		linked := map[[2]plan.LinkEnd]bool{}
		for _, link := range v.Fabric.Plan.Links {
			linked[[2]plan.LinkEnd{link.A, link.B}], linked[[2]plan.LinkEnd{link.B, link.A}] = true, true
		}
		return linked
	})
	reported := map[[2]diag.Range]bool{}
	for _, end := range order {
		own := says[end].of(read.Loopback)
		if own = own[:min(1, len(own))]; v.planned[end.Switch] == nil {
			continue
		} else if v.has(end.Switch, end.Port) {
			own = says[end].of(read.Addressed)
		}
		for _, w := range own {
			p, err := netip.ParsePrefix(addressOf(w))
			if err != nil || p.Addr().IsLinkLocalUnicast() || end.Port != "" && v.has(end.Switch, end.Port) && p.IsSingleIP() {
				continue
			}
			at := place{p.Addr(), instances[end]}
			other, ok := first[at]
			if !ok {
				first[at] = owner{end, w}
			} else if places := [2]diag.Range{w.At, other.At}; other.Switch != end.Switch && !linked()[[2]plan.LinkEnd{end, other.LinkEnd}] && !reported[places] {
				reported[places] = true
				found.Errorf(AddressTwice, w.At, "%s has the address %v, and %s has it too: packets for one of them reach the other, or none", end.Switch, p.Addr(), other.Switch).
					Fixf("give each switch an address of its own").Notef(other.At, "the other one")
			}
		}
	}
	return found
}

// instancesOf returns the routing instances of ports that are not in the default one.
func instancesOf(all []*Switch) map[plan.LinkEnd]string {
	in := map[plan.LinkEnd]string{}
	for _, s := range all {
		for i := range s.shape.Ledger.Ways {
			w := &s.shape.Ledger.Ways[i]
			if w.Why != read.WayInstance || strings.EqualFold(w.Value, "default") {
				continue
			}
			for _, name := range s.Names {
				in[plan.LinkEnd{Switch: name, Port: w.Port}] = w.Value
			}
		}
	}
	return in
}
