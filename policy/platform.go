package policy

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
)

// A lookup is a catalogue that finds each platform once: switches of one kind ask again and again.
type lookup struct {
	Catalogue
	known map[[2]string]*chips.Platform // by platform and HwSKU; nil: there is none
}

func remembering(c Catalogue) Catalogue {
	if c == nil {
		return nil
	}
	return &lookup{c, map[[2]string]*chips.Platform{}}
}

func (l *lookup) Platform(platform, hwsku string) (*chips.Platform, bool) {
	p, asked := l.known[[2]string{platform, hwsku}]
	if !asked {
		p, _ = l.Catalogue.Platform(platform, hwsku)
		l.known[[2]string{platform, hwsku}] = p
	}
	return p, p != nil
}

// findPlatform looks the box up, where the switch says what it is.
func (s *switchDecl) findPlatform(d *decoder) {
	if d.catalogue == nil || !s.Platform.Set && !s.HwSKU.Set {
		return
	}
	if !s.checkHwSKU(d) {
		return
	}
	p, ok := d.catalogue.Platform(s.Platform.Value, s.HwSKU.Value)
	if !ok {
		s.checkSpelling(d)
		return
	}
	// Where the box has its chip by assumption, the author knows better.
	if s.Chip != nil && p.Chip != "" && s.Chip.Name != p.Chip && !p.ChipAssumed {
		d.errorf(PlatformChip, s.ChipAt, "the chip of %s is %s, not %s", p.Title, p.Chip, s.Chip.Name).
			Fixf("write chip = %q", p.Chip).Notef(s.platformAt(), "the platform is here")
		return
	}
	s.Box = p
	if s.OS.Value != "sonic" && !slices.Contains(s.Targets.Value, "sonic") {
		return // its ports have other names
	}
	for _, g := range s.groups {
		s.placeGroup(d, g)
	}
	s.checkModes(d)
	s.checkLayout(d)
}

// checkHwSKU demands that sonic-buildimage has the HwSKU for the platform, or uses the platform as it by default, and reports
// whether it has, or does not know the platform.
func (s *switchDecl) checkHwSKU(d *decoder) bool {
	if s.OS.Value != "sonic" || !s.Platform.Set || !s.HwSKU.Set {
		return true
	}
	box, ok := d.catalogue.Box(s.Platform.Value)
	if p, _ := d.catalogue.Platform(s.Platform.Value, ""); !ok || len(box.HwSKUs) == 0 || box.Has(s.HwSKU.Value) || strings.EqualFold(box.Default, s.HwSKU.Value) || p.Lists(s.HwSKU.Value) {
		return true
	}
	at, other, name, fix := s.HwSKU.Range, s.Platform.Range, "platform", "write "+enumerate(box.HwSKUs)+", which it has"
	for _, fits := range d.catalogue.Boxes() {
		if s.Chip != nil && fits.Chip == s.Chip.Name && box.Chip != fits.Chip && fits.Has(s.HwSKU.Value) { // two of three fit
			at, other, name, fix = s.Platform.Range, s.HwSKU.Range, "HwSKU", "write platform = "+strconv.Quote(fits.Name)+", which has it and that chip"
		}
	}
	d.errorf(PlatformHwSKU, at, "%s has no HwSKU %s", box.Name, clip(s.HwSKU.Value)).Fixf("%s", fix).Notef(other, "the %s is here", name)
	return false
}

// checkSpelling demands of a platform that is not known, and that nearly has the name of one,
// that the lanes of its ports are given: else it was meant.
func (s *switchDecl) checkSpelling(d *decoder) {
	if s.OS.Value != "sonic" || !s.Platform.Set || !slices.ContainsFunc(s.groups, func(g *groupDecl) bool { return g.Lanes == nil }) {
		return
	}
	var known []string
	for _, box := range d.catalogue.Boxes() {
		known = append(known, box.Name)
	}
	if near := cmp.Or(diag.Nearest(s.Platform.Value, known), diag.NearestSlip(s.Platform.Value, known)); near != "" {
		d.errorf(UnknownPlatform, s.Platform.Range, "there is no platform %s", clip(s.Platform.Value)).
			Repaired(diag.Repair{Fix: "did you mean " + near + "? If it is another one, give the lanes of its port groups", Meant: near})
	}
}

// platformAt returns the place at which the switch names its platform.
func (s *switchDecl) platformAt() diag.Range {
	if s.Platform.Set {
		return s.Platform.Range
	}
	return s.HwSKU.Range
}

// placeGroup finds the ports of a group in the box.
func (s *switchDecl) placeGroup(d *decoder, g *groupDecl) {
	use := chips.Use{Ports: breakoutPorts(g.Breakout.Value), Lanes: g.LaneCount.Value, Speed: g.Speed.Value}
	if !g.Speed.Set {
		return // an error already
	}
	var places []chips.Place
	for _, port := range g.Ports {
		at, err := s.Box.Place(port, use)
		if err != nil {
			s.refusePlace(d, g, port, len(places), err)
			return
		}
		places = append(places, at)
	}
	g.Places = places
	if !g.LaneCount.Set && len(places) > 0 {
		g.LaneCount = Opt[int]{Value: len(places[0].Lanes), Set: true, Range: s.platformAt()}
	}
	s.compareLanes(d, g)
}

// refusePlace says why a port is not in the box, before which so many of the group are. Where the fabric numbers the lanes
// itself, it knows better.
func (s *switchDecl) refusePlace(d *decoder, g *groupDecl, port string, before int, err error) {
	var name *chips.NotAPort
	var mode *chips.NotAMode
	switch {
	case g.Lanes != nil:
	case errors.As(err, &name):
		found := s.physical(d.errorf(PlatformPort, g.At, "%v", err)).Notef(s.platformAt(), "the platform is here")
		if called, ok := s.Box.Called(port); ok {
			found.Fixf("SONiC calls it %s", called)
		} else if name.Parent != "" && !g.Breakout.Set {
			split, ok := name.Split(g.Speed.Value)
			if !ok {
				split = "2x…G"
			}
			found.Fixf(`%s is a whole cage; where it is split, write breakout = "%s"`, name.Parent, split)
		} else {
			found.Fixf("%s`roceplan platforms show %s` lists its ports", fewer(before), s.Box.Name)
		}
	case errors.As(err, &mode):
		at, what := g.Speed.Range, "one port of "+g.Speed.Value.String()
		if g.Breakout.Set {
			at, what = g.Breakout.Range, g.Breakout.Value
		} else if g.LaneCount.Set {
			what = "ports of " + g.Speed.Value.String() + " with " + strconv.Itoa(g.LaneCount.Value) + " lanes each"
		}
		var known []string
		for _, b := range mode.Known {
			known = append(known, b.Text)
		}
		if before > 0 { // the box has such ports, but not so many
			at = g.At
		}
		s.physical(d.errorf(PlatformBreakout, at, "%s of %s cannot be %s", mode.Parent, s.Box.Title, what)).
			Fixf("%swrite %s", fewer(before), enumerate(known)).Notef(s.platformAt(), "the platform is here")
	}
}

// fewer advises to use the ports that are in the box; empty where none is.
func fewer(ports int) string {
	if ports == 0 {
		return ""
	}
	return "use the first " + strconv.Itoa(ports) + " of these ports; "
}

// compareLanes warns where the fabric numbers lanes otherwise than the catalogue.
func (s *switchDecl) compareLanes(d *decoder, g *groupDecl) {
	for i, at := range g.Places {
		if i >= len(g.Lanes) || slices.Equal(g.Lanes[i], at.Lanes) {
			continue
		}
		d.diags.Warnf(PlatformLanes, g.lanesAt, "the lanes of %s are %v here, and %v on %s", g.Ports[i], g.Lanes[i], at.Lanes, s.Box.Title).
			Fixf("leave them out: the platform has them").Notef(s.platformAt(), "the platform is here")
		return
	}
}

// checkModes demands that a cage is used in one way.
func (s *switchDecl) checkModes(d *decoder) {
	type user struct {
		mode string
		port string
		g    *groupDecl
	}
	cages := map[string]user{}
	for _, g := range s.groups {
		for i, at := range g.Places {
			if i < len(g.Lanes) || at.Parent == "" {
				continue // the fabric gives the lanes, or no cage has them
			}
			before, used := cages[at.Parent]
			cages[at.Parent] = user{at.Mode, g.Ports[i], g}
			if used && before.mode != at.Mode {
				s.physical(d.errorf(PlatformBreakout, g.At, "%s and %s share a cage of %s and need it as %s and as %s at once", before.port, g.Ports[i], s.Box.Title, before.mode, at.Mode)).
					Fixf("split the cage in one way").Notef(before.g.At, "%s is here", before.port)
				return
			}
		}
	}
}
