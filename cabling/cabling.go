// Package cabling reads what devices, inventories and transceivers say of cables, and checks
// it against the cables of a fabric.
//
// Lists of cables have many formats, which [Read] recognizes: SONiC's "show lldp table" and dumps
// of its databases, lldpd's JSON, EOS's JSON, containerlab topologies, NetBox's cables as CSV or
// REST JSON, DOT, tables of comma-separated values, and the EEPROMs of transceivers. Each statement
// becomes a [Sighting]; a [Book] knows the devices and joins the sightings of both ends to a
// [Link].
//
// A neighbour's port is often not named as in its configuration: SONiC sends the alias as the
// port's ID (sonic-buildimage, dockers/docker-lldp/lldpmgrd), and hosts send MAC addresses. All
// names of an end are kept until the book resolves them.
package cabling

import (
	"cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// An End is one port of one device, as a source names it.
type End struct {
	Device string
	Port   string
	Also   []string // other names that the port may be meant by
}

// A Sighting is what one source says of one cable. B.Device is empty where only end A is
// known, as by a transceiver.
type Sighting struct {
	A, B   End
	System string        // what B says that it is
	Cable  units.Length  // 0: unknown
	Speed  units.BitRate // of the port at A; 0: unknown
	Medium string        // "dac", "aoc", "fiber", "copper"; empty: unknown
	Heard  bool          // the device at A said it itself, so what it does not say is not there
	At     diag.Range
}

// A Link is a cable between two ports, at least A being a port of the book.
type Link struct {
	A plan.LinkEnd
	// B is the other end: a port of the book where Inside is set, and else as its neighbour calls it.
	// B.Switch is empty where it is unknown.
	B      plan.LinkEnd
	Inside bool
	System string
	Cable  units.Length
	Speed  units.BitRate // of the port at A
	// FarSpeed is that of the port at B, if it is Inside.
	FarSpeed units.BitRate
	Medium   string
	At       diag.Range // of the first sighting
}

// A Book knows devices and their ports by the names that they go by.
type Book struct {
	devices map[string]string            // lower case, with and without domain → name
	ports   map[string]map[string]string // by device: any name → name
}

// NewBook makes an empty one.
func NewBook() *Book {
	return &Book{devices: map[string]string{}, ports: map[string]map[string]string{}}
}

// Add adds devices of one shape.
func (b *Book) Add(devices []string, ports []plan.Port) {
	names := make(map[string]string, 2*len(ports))
	for i := range ports {
		if alias := ports[i].Alias; alias != "" {
			names[alias] = ports[i].Name
		}
	}
	for i := range ports {
		names[ports[i].Name] = ports[i].Name // goes before an alias of another port
	}
	for _, device := range devices {
		b.ports[device] = names
		for _, name := range spellings(device) {
			if _, taken := b.devices[name]; !taken {
				b.devices[name] = device
			}
		}
		b.devices[fold(device)] = device
	}
}

// Device finds a device by a name that may have another case, or a domain more or less.
func (b *Book) Device(name string) (string, bool) {
	for _, spelt := range spellings(name) {
		if device, ok := b.devices[spelt]; ok {
			return device, true
		}
	}
	return "", false
}

// Port finds a port of a device by the first of its names that is one.
func (b *Book) Port(device string, end End) (string, bool) {
	ports := b.ports[device]
	for _, name := range append([]string{end.Port}, end.Also...) {
		if port, ok := ports[name]; ok {
			return port, true
		}
	}
	return "", false
}

// end resolves an end; false where the book has no such port.
func (b *Book) end(e End) (plan.LinkEnd, bool) {
	device, ok := b.Device(e.Device)
	if !ok {
		return plan.LinkEnd{}, false
	}
	port, ok := b.Port(device, e)
	return plan.LinkEnd{Switch: device, Port: port}, ok
}

// Links joins the sightings of every cable. The links are sorted; of a port that is described twice
// and differently, the first sighting by place counts and the other is a finding.
func (b *Book) Links(sightings []Sighting) ([]Link, diag.List) {
	j := joiner{book: b, at: map[plan.LinkEnd]*Link{}}
	for i := range sightings {
		if s := &sightings[i]; s.B.Device != "" {
			j.join(s)
		}
	}
	for i := range sightings {
		if s := &sightings[i]; s.B.Device == "" {
			j.alone(s)
		}
	}
	links := make([]Link, 0, len(j.all))
	for _, l := range j.all {
		links = append(links, *l)
	}
	stable.Sort(links, func(a, b Link) int { return compareEnds(a.A, b.A) })
	return links, j.found
}

func compareEnds(a, b plan.LinkEnd) int {
	return cmp.Or(natural.Compare(a.Switch, b.Switch), natural.Compare(a.Port, b.Port))
}

// A joiner gathers links by their ends.
type joiner struct {
	book  *Book
	at    map[plan.LinkEnd]*Link
	all   []*Link
	found diag.List
}

func (j *joiner) join(s *Sighting) {
	a, okA := j.book.end(s.A)
	b, okB := j.book.end(s.B)
	if !okA {
		if !okB {
			return // between devices, or ports such as those of management, that are not ours
		}
		a, b, okB = b, plan.LinkEnd{Switch: s.A.Device, Port: s.A.Port}, false
	} else if !okB {
		b = plan.LinkEnd{Switch: s.B.Device, Port: s.B.Port}
	}
	speedOf := a // the end that the speed is of
	if okB && compareEnds(b, a) < 0 {
		a, b = b, a
	}
	have := j.at[a]
	if have == nil && okB {
		have = j.at[b]
	}
	if have == nil {
		have = &Link{A: a, B: b, Inside: okB, At: s.At}
		j.at[a] = have
		if okB {
			j.at[b] = have
		}
		j.all = append(j.all, have)
	} else if have.A != a || have.B != b {
		j.found.Warnf(Contradiction, s.At, "%s is connected to %s here, but %s to %s in another source", endText(a), endText(b), endText(have.A), endText(have.B)).
			Fixf("ask both devices again: one of the sources is outdated").Notef(have.At, "the other source, which counts")
		return
	}
	have.fill(s, speedOf)
}

// alone notes the facts about one end.
func (j *joiner) alone(s *Sighting) {
	a, ok := j.book.end(s.A)
	if !ok {
		return
	}
	if j.at[a] == nil {
		l := &Link{A: a, At: s.At}
		j.at[a] = l
		j.all = append(j.all, l)
	}
	j.at[a].fill(s, a)
}

// fill adds what the link did not have; of two lengths the longer one counts. The speed is
// that of the end which is described.
func (l *Link) fill(s *Sighting, speedOf plan.LinkEnd) {
	l.System = cmp.Or(l.System, s.System)
	l.Cable = max(l.Cable, s.Cable)
	if speedOf == l.A {
		l.Speed = cmp.Or(l.Speed, s.Speed)
	} else {
		l.FarSpeed = cmp.Or(l.FarSpeed, s.Speed)
	}
	l.Medium = cmp.Or(l.Medium, s.Medium)
}

func endText(e plan.LinkEnd) string {
	if e.Port == "" {
		return e.Switch
	}
	return e.Switch + ":" + e.Port
}
