package cabling

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Report is what became of the cables of a fabric.
type Report struct {
	Planned int // links between switches of the fabric
	Right   int // of these, seen where they belong
	Unheard int // of these, with no device at either end that was asked
	Servers int // ports with a neighbour outside of the fabric
	Lengths int // ports whose transceiver reports the length of its cable
	Found   diag.List
}

// Check checks what was seen against the cables of a plan. Every fault is named once: two
// cables that have exchanged ends are one finding, at the place of one sighting.
func Check(p *plan.Plan, sightings []Sighting) *Report {
	book := NewBook()
	ports := map[plan.LinkEnd]*plan.Port{}
	for _, sw := range p.Switches {
		book.Add(sw.Names, sw.Ports)
		for _, name := range sw.Names {
			for i := range sw.Ports {
				ports[plan.LinkEnd{Switch: name, Port: sw.Ports[i].Name}] = &sw.Ports[i]
			}
		}
	}
	links, found := book.Links(sightings)
	c := &checker{
		report: &Report{Found: found}, ports: ports, asked: map[string]bool{}, reported: map[plan.LinkEnd]bool{},
		planned: map[plan.LinkEnd]plan.LinkEnd{}, seen: map[plan.LinkEnd]*Link{},
	}
	for i := range sightings {
		if device, ok := book.Device(sightings[i].A.Device); ok && sightings[i].Heard {
			c.asked[device] = true
		}
	}
	for i := range links {
		l := &links[i]
		c.seen[l.A] = l
		if l.Inside {
			c.seen[l.B] = l
		}
	}
	for _, l := range p.Links {
		if l.B.Switch != "" {
			c.planned[l.A], c.planned[l.B] = l.B, l.A
		}
	}
	c.strangers(book, sightings)
	c.links(p.Links)
	c.others()
	c.rails(links)
	c.measures(links)
	c.report.Found = c.report.Found.Sorted()
	return c.report
}

type checker struct {
	report   *Report
	ports    map[plan.LinkEnd]*plan.Port
	planned  map[plan.LinkEnd]plan.LinkEnd // both ways
	seen     map[plan.LinkEnd]*Link        // both ways
	asked    map[string]bool               // devices that listed their neighbours
	reported map[plan.LinkEnd]bool         // ports that a finding is about
}

// far returns the end that was seen at the other end of a port's cable.
func (c *checker) far(at plan.LinkEnd) (far plan.LinkEnd, inside, ok bool) {
	l := c.seen[at]
	switch {
	case l == nil || l.B.Switch == "":
		return far, false, false
	case l.A == at:
		return l.B, l.Inside, true
	}
	return l.A, true, true
}

// strangers reports devices that listed neighbours and that neither the fabric has nor any of its
// switches sees, where the fabric has none of these neighbours either.
func (c *checker) strangers(book *Book, sightings []Sighting) {
	known, from := map[string]bool{}, map[string]*Sighting{}
	for i := range sightings {
		s := &sightings[i]
		_, a := book.Device(s.A.Device)
		_, b := book.Device(s.B.Device)
		known[s.A.Device] = known[s.A.Device] || a || b || !s.Heard
		known[s.B.Device] = known[s.B.Device] || a
		if from[s.A.Device] == nil {
			from[s.A.Device] = s
		}
	}
	for _, device := range slices.SortedFunc(maps.Keys(from), natural.Compare) {
		if !known[device] {
			c.report.Found.Warnf(NotCompared, from[device].At, "the fabric has no device %q, and none of the devices that it is connected to; these cables were not checked", device).
				Fixf("name the file after the switch that listed its neighbours, as in the fabric")
		}
	}
}

// links looks at each cable of the fabric.
func (c *checker) links(links []plan.Link) {
	for _, l := range links {
		if l.B.Switch == "" {
			continue
		}
		c.report.Planned++
		farA, _, seenA := c.far(l.A)
		_, _, seenB := c.far(l.B)
		switch {
		case seenA && farA == l.B:
			c.report.Right++
		case c.reported[l.A] && c.reported[l.B]:
		case c.swapped(l):
		case seenA && !c.reported[l.A]:
			c.misplaced(l.A, l.B)
		case seenB && !c.reported[l.B]:
			c.misplaced(l.B, l.A)
		case seenA || seenB:
			// the finding about the other end names it
		case !c.asked[l.A.Switch] && !c.asked[l.B.Switch]:
			c.report.Unheard++
		default:
			c.tell(c.errorf(Missing, c.ports[l.A], "%s and %s are not connected: neither sees a neighbour", endText(l.A), endText(l.B)).
				Fixf("check whether the cable is there and the port is up"), l.A, l.B)
		}
	}
	if n := c.report.Unheard; n > 0 {
		c.report.Found.Warnf(Unheard, diag.Range{}, "%d of %d links have no device at either end that listed its neighbours; they were not checked", n, c.report.Planned).
			Fixf("add the LLDP table of one device at each")
	}
}

func (c *checker) errorf(code diag.Code, port *plan.Port, format string, args ...any) *diag.Diagnostic {
	at := diag.Range{}
	if port != nil {
		at = port.Range
	}
	return c.report.Found.Errorf(code, at, format, args...)
}

// tell adds the place of what was seen to a finding, and notes which ports it is about.
func (c *checker) tell(d *diag.Diagnostic, about ...plan.LinkEnd) {
	for _, end := range about {
		if l := c.seen[end]; l != nil && len(d.Related) == 0 {
			d.Notef(l.At, "seen here")
		}
		c.reported[end] = true
	}
}

// swapped finds the cable with which this one has exchanged an end: the four ends are joined
// to one another, in another way than they should be.
func (c *checker) swapped(l plan.Link) bool {
	farA, inside, ok := c.far(l.A)
	if !ok || !inside || farA == l.B {
		return false
	}
	other, isPlanned := c.planned[farA] // where the far port's own cable should lead
	if !isPlanned {
		return false
	}
	farB, inside, ok := c.far(l.B)
	unasked := !ok && !c.asked[l.B.Switch] && !c.asked[other.Switch]
	if !unasked && (!inside || farB != other) {
		return false
	}
	rest := fmt.Sprintf("and %s to %s", endText(l.B), endText(other))
	if unasked {
		rest = fmt.Sprintf("so that %s and %s are joined or free: neither was asked", endText(l.B), endText(other))
	}
	c.tell(c.errorf(Swapped, c.ports[l.A], "two cables are swapped: %s is connected to %s, %s", endText(l.A), endText(farA), rest).
		Fixf("connect %s to %s, and %s to %s", endText(l.A), endText(l.B), endText(farA), endText(other)), l.A, l.B, farA, other)
	return true
}

// misplaced reports a port whose cable leads elsewhere.
func (c *checker) misplaced(at, want plan.LinkEnd) {
	far, inside, _ := c.far(at)
	code, what := WrongPeer, "is connected to"
	if far.Switch == want.Switch {
		code, what = WrongPort, "is connected to the right switch at the wrong port:"
	}
	d := c.errorf(code, c.ports[at], "%s %s %s, and should be to %s", endText(at), what, endText(far), endText(want)).
		Fixf("move the cable to %s", endText(want))
	about := []plan.LinkEnd{at}
	if _, _, seen := c.far(want); !seen {
		about = append(about, want)
	}
	if inside {
		if _, isPlanned := c.planned[far]; !isPlanned {
			about = append(about, far)
		}
	}
	c.tell(d, about...)
}

// others looks at ports that have a neighbour and no cable in the fabric.
func (c *checker) others() {
	unplanned := 0
	for _, at := range stable.Sorted(maps.Keys(c.seen), compareEnds) {
		far, inside, ok := c.far(at)
		_, isPlanned := c.planned[at]
		switch {
		case !ok || c.reported[at]:
		case !inside && !isPlanned:
			c.report.Servers++
		case inside && !isPlanned && len(c.planned) > 0:
			c.tell(c.errorf(Unplanned, c.ports[at], "%s is connected to %s, and the fabric has no cable there", endText(at), endText(far)).
				Fixf("add a link, or remove the cable"), at, far)
		case inside && len(c.planned) == 0:
			unplanned++
		}
	}
	if unplanned > 0 {
		c.report.Found.Warnf(NotCompared, diag.Range{}, "the fabric has no link between switches; %s of it are connected to each other, which was not checked", natural.Count(unplanned, "port", "ports")).
			Fixf("declare the connected ports in the fabric file, by link or clos blocks")
	}
}

// measures compares speeds and lengths.
func (c *checker) measures(links []Link) {
	for i := range links {
		l := &links[i]
		port := c.ports[l.A]
		if port == nil {
			continue
		}
		c.speed(l.A, l.Speed, l)
		if l.Inside {
			c.speed(l.B, l.FarSpeed, l)
		}
		if l.Cable == 0 {
			continue
		}
		c.report.Lengths++
		if planned := planned(port, l, c.ports); planned > 0 && l.Cable > wholeMetres(planned) {
			c.errorf(TooLong, port, "the cable at %s is %v long, but headroom is computed for %v", endText(l.A), l.Cable, planned).
				Fixf("write cable = %q, or install a shorter cable", l.Cable).Notef(l.At, "seen here")
		}
	}
}

// speed compares the speed of one port.
func (c *checker) speed(at plan.LinkEnd, seen units.BitRate, l *Link) {
	if port := c.ports[at]; port != nil && seen > 0 && seen != port.Speed {
		c.errorf(WrongSpeed, port, "%s runs at %v, but its buffer is computed for %v", endText(at), seen, port.Speed).
			Fixf("set the speed of the port, or speed in the port group").Notef(l.At, "seen here")
	}
}

// planned returns the shorter of the lengths that headroom at both ends was computed for.
func planned(port *plan.Port, l *Link, ports map[plan.LinkEnd]*plan.Port) units.Length {
	length := port.Cable
	if l.Inside {
		if far := ports[l.B]; far != nil && far.Cable > 0 {
			length = min(length, far.Cable)
		}
	}
	return length
}

// wholeMetres rounds up to metres, as most EEPROMs do (SFF-8636 byte 146, SFF-8472 byte 18).
func wholeMetres(l units.Length) units.Length {
	return units.Length(units.CeilMulDiv(int64(l), 1, int64(units.Metre))) * units.Metre
}

// rails finds servers' NICs at the leaf of another rail. A leaf belongs to a rail where at
// least two of three of its servers, and two at least, are there with ports of one name; a
// port of another name is at the wrong leaf if another leaf has that rail.
func (c *checker) rails(links []Link) {
	names := map[string]map[string]int{} // by leaf, then by port of a server
	for i := range links {
		if l := &links[i]; !l.Inside && l.B.Port != "" && !isMAC(l.B.Port) {
			if names[l.A.Switch] == nil {
				names[l.A.Switch] = map[string]int{}
			}
			names[l.A.Switch][l.B.Port]++
		}
	}
	railOf, leaves := map[string]string{}, map[string][]string{}
	for leaf, ports := range names {
		all, best := 0, ""
		for name, n := range ports {
			all += n
			if n > ports[best] || n == ports[best] && natural.Compare(name, best) < 0 {
				best = name
			}
		}
		if n := ports[best]; n >= 2 && 3*n >= 2*all {
			railOf[leaf] = best
			leaves[best] = append(leaves[best], leaf)
		}
	}
	for i := range links {
		l := &links[i]
		rail, ok := railOf[l.A.Switch]
		if l.Inside || !ok || l.B.Port == rail || len(leaves[l.B.Port]) == 0 || c.reported[l.A] {
			continue
		}
		c.tell(c.errorf(WrongRail, c.ports[l.A], "%s of %s is connected to %s, the leaf of %s; %s belongs to %s", l.B.Port, l.B.Switch, endText(l.A), rail, l.B.Port, someOf(leaves[l.B.Port])).
			Fixf("swap the cables of %s", l.B.Switch), l.A)
	}
}

// someOf lists names, at most three.
func someOf(names []string) string {
	slices.SortFunc(names, natural.Compare)
	if len(names) > 3 {
		return fmt.Sprintf("%s, %s and %d others", names[0], names[1], len(names)-2)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// isMAC reports whether a port is called by its MAC address, which says nothing of rails.
func isMAC(name string) bool {
	hex := 0
	for _, c := range []byte(name) {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
			hex++
		case c != ':' && c != '-' && c != '.':
			return false
		}
	}
	return hex == 12
}
