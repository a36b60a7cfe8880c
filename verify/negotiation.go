package verify

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// negotiation compares the ends of links whose files set negotiation. It reports two statements once, on however many
// links they are.
func (v *Verifier) negotiation(all []*Switch) (found diag.List) {
	says := map[plan.LinkEnd]read.Way{}
	for _, s := range all {
		for _, w := range s.shape.Ledger.Speeds {
			for _, name := range s.Names {
				says[plan.LinkEnd{Switch: name, Port: w.Port}] = w
			}
		}
	}
	reported := map[[2]diag.Range]bool{}
	for _, link := range v.Fabric.Plan.Links {
		a, b := says[link.A], says[link.B]
		if a.Why == "" || b.Why == "" || a.Why == b.Why || reported[[2]diag.Range{a.At, b.At}] || v.optical(link.A) {
			continue
		}
		reported[[2]diag.Range{a.At, b.At}] = true
		found.Errorf(NegotiationDiffers, a.At, "%s %s %s, and its peer %s %s %s: the link stays down, or has another speed or FEC than the files say", link.A.Switch, link.A.Port, a.Why, link.B.Switch, link.B.Port, b.Why).
			Fixf("negotiate at both ends, or at none").Notef(b.At, "the other end")
	}
	return found
}

// optical reports whether the fabric says that a port has a fibre, over which nothing is negotiated.
func (v *Verifier) optical(end plan.LinkEnd) bool {
	sw := v.planned[end.Switch]
	return sw != nil && slices.ContainsFunc(sw.Ports, func(p plan.Port) bool {
		return p.Name == end.Port && (p.Medium == "fiber" || p.Medium == "aoc")
	})
}
