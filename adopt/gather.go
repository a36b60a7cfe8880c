package adopt

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A Shape is devices of which their files say the same, except for names, addresses and
// descriptions.
type Shape struct {
	Names  []string // in natural order
	Said   *plan.Switch
	Format read.Format
	// As is the format that compile writes for the devices: Format, or another one where nothing is written for their system.
	As read.Format
	// Also are the formats of other files that the devices have; the one that says most counts.
	Also  []string
	File  string // of the first device
	Text  []byte
	Found diag.List
	// Mixed is set where descriptions of ports differ between the devices.
	Mixed bool

	statements []read.Statement // that are not modelled
}

// atOnce is how many files are read before duplicates are freed: a thousand configurations with
// their ledgers do not fit into memory.
const atOnce = 16

// Gather reads files and joins devices with the same settings. cell gives amounts in cells a
// meaning; 0: that of the chip that a file names, if the catalogue knows it. A file of an unknown
// format is a finding of its own shape.
func Gather(files []verify.File, cell units.Bytes, catalogue *chips.Catalogue) ([]*Shape, error) {
	g := gatherer{known: map[[32]byte]*Shape{}, of: map[string][]*Shape{}}
	for part := range slices.Chunk(files, atOnce) {
		read, err := verify.Read(part, cell)
		if err != nil {
			return nil, err
		}
		for _, s := range read {
			if chip, ok := catalogue.ChipOf(s.Switch.Platform, s.Switch.HwSKU); ok && cell == 0 {
				s = s.In(chip.CellSize.Or(0))
			}
			g.take(s)
		}
	}
	return g.primary(), nil
}

type gatherer struct {
	known map[[32]byte]*Shape
	all   []*Shape
	of    map[string][]*Shape // by device
}

func (g *gatherer) take(s *verify.Shape) {
	key := content(s.Format.Name, s.Switch)
	shape := g.known[key]
	if shape == nil || s.Format.Name == "" {
		shape = &Shape{Said: s.Switch, Format: s.Format, As: writtenAs(s.Format), File: s.First(), Text: s.Text, Found: s.Found, statements: s.Ledger.Unmodelled()}
		g.known[key] = shape
		g.all = append(g.all, shape)
	} else {
		shape.mix(s.Switch)
	}
	for _, name := range s.Devices {
		shape.Names = append(shape.Names, name)
		g.of[name] = append(g.of[name], shape)
	}
}

// A standIn is the system for which the design of another one is written, since nothing is written for that. Their
// ports have the same names. frame is the largest that the first takes, and own that of a port of the second without a line.
type standIn struct {
	format     string
	frame, own units.Bytes
}

// standIns are those of systems by the names of their formats.
var standIns = map[string]standIn{"nxos": {"eos", 9232, 1522}} // 1522: 1500 with header, tag and FCS (read/nxos)

// carried returns the largest frame that is written for that of a port, 0 where the file leaves it to the
// device.
func carried(system string, frame units.Bytes) units.Bytes {
	as := standIns[system]
	return min(cmp.Or(frame, as.own), cmp.Or(as.frame, frame))
}

// writtenAs returns the format in which compile writes the design that a format holds.
func writtenAs(f read.Format) read.Format {
	if as, ok := verify.FormatOf(standIns[f.Name].format); ok {
		return as
	}
	return f
}

// mix forgets descriptions that are not the same on all devices.
func (s *Shape) mix(other *plan.Switch) {
	for i := range s.Said.Ports {
		if p := &s.Said.Ports[i]; p.Peer != other.Ports[i].Peer {
			p.Peer, s.Mixed = "", true
		}
	}
}

// primary leaves each device the shape of the file that says most. Devices of a shape that
// have other files in different formats are different shapes.
func (g *gatherer) primary() (shapes []*Shape) {
	type kind struct {
		first *Shape
		also  string
	}
	kinds := map[kind]*Shape{}
	for _, shape := range g.all {
		for _, name := range shape.Names {
			files := g.of[name]
			best := slices.MinFunc(files, func(a, b *Shape) int { return verify.Telling(a.Format) - verify.Telling(b.Format) })
			if best != shape {
				continue
			}
			var also []string
			text := ""
			for _, f := range files {
				if f.Format.Name != best.Format.Name && f.Format.Name != "" && !slices.Contains(also, f.As.Name) && f.As.Name != best.As.Name {
					also = append(also, f.As.Name)
					text += f.Format.Name + " "
				}
			}
			k := kind{shape, text}
			if kinds[k] == nil {
				own := *shape
				own.Names, own.Also, own.Found = nil, also, slices.Clone(shape.Found)
				kinds[k] = &own
				shapes = append(shapes, &own)
			}
			if s := kinds[k]; !slices.Contains(s.Names, name) {
				s.Names = append(s.Names, name)
			}
			for _, f := range files {
				if f != best && f.Format.Name == best.Format.Name {
					kinds[k].Found.Warnf(DeviceTwice, diag.Top(f.File), "this file and %s are both of %s, but the fabric uses only the other", best.File, name).
						Fixf("leave one of them out, or give its device another name")
				}
			}
		}
	}
	for _, s := range shapes {
		slices.SortFunc(s.Names, natural.Compare)
		said := *s.Said
		said.Names = s.Names
		s.Said = &said
	}
	stable.Sort(shapes, func(a, b *Shape) int { return natural.Compare(a.Names[0], b.Names[0]) })
	return shapes
}
