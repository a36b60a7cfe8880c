package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/units"
)

// checkLayout demands that the ports of the switch are those which its HwSKU makes of the box. Where
// a hwsku.json lets the configuration break cages out otherwise, that is a warning; the default
// HwSKU of a box is made to be broken out.
func (s *switchDecl) checkLayout(d *decoder) {
	if !s.HwSKU.Set {
		return
	}
	layouts := d.catalogue.Layouts(s.Platform.Value, s.HwSKU.Value)
	i := slices.IndexFunc(layouts, func(l chips.Layout) bool { return strings.EqualFold(l.HwSKU, s.HwSKU.Value) })
	if i < 0 || layouts[i].Flexible && layouts[i].Default {
		return
	}
	for _, g := range s.groups {
		if port := g.besides(&layouts[i]); port >= 0 {
			s.refuseLayout(d, g, port, layouts, &layouts[i])
			return // one group out of place moves the others
		}
	}
}

// besides returns the first port of the group that the layout does not make, -1 where it makes all, or where
// the fabric numbers the lanes itself.
func (g *groupDecl) besides(l *chips.Layout) int {
	if g.Lanes != nil {
		return -1
	}
	for i, at := range g.Places {
		if !l.Makes(g.Ports[i], len(at.Lanes), g.Speed.Value) {
			return i
		}
	}
	return -1
}

func (s *switchDecl) refuseLayout(d *decoder, g *groupDecl, port int, all []chips.Layout, own *chips.Layout) {
	name, lanes := g.Ports[port], len(g.Places[port].Lanes)
	made := "no port " + name
	if row, ok := own.Port(name); ok {
		made = fmt.Sprintf("%s %s", name, ofLanes(len(row.Lanes), row.Speed))
	}
	add := d.diags.Errorf
	if own.Flexible {
		add = d.diags.Warnf
	}
	found := add(HwSKULayout, g.At, "HwSKU %s makes %s, and here %s is %s", own.HwSKU, made, name, ofLanes(lanes, g.Speed.Value)).
		Notef(s.HwSKU.Range, "the HwSKU is here")
	fits := s.fitting(all)
	if len(fits) > 0 {
		found.Repaired(diag.Repair{Fix: "write hwsku = " + enumerate(quotedAll(fits)) + ", which makes all these ports"})
		return
	}
	fix := fmt.Sprintf("use its ports, which `roceplan platforms show %s` lists", own.HwSKU)
	if own.Flexible {
		fix += ", or break the cages out on the switch before this configuration is loaded"
	}
	found.Fixf("%s", fix)
}

// fitting returns the HwSKUs that make all ports of the switch.
func (s *switchDecl) fitting(all []chips.Layout) (names []string) {
	for i := range all {
		if !slices.ContainsFunc(s.groups, func(g *groupDecl) bool { return g.besides(&all[i]) >= 0 }) {
			names = append(names, all[i].HwSKU)
		}
	}
	return names
}

func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = fmt.Sprintf("%q", name)
	}
	return out
}

// ofLanes says what a port is: "a port of 400Gbps on 4 lanes".
func ofLanes(lanes int, speed units.BitRate) string {
	if speed == 0 {
		return "a port on " + natural.Count(lanes, "lane", "lanes")
	}
	return fmt.Sprintf("a port of %v on %s", speed, natural.Count(lanes, "lane", "lanes"))
}
