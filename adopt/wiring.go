package adopt

import (
	"cmp"

	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// wire finds out what is connected: by what was seen, and by descriptions DEVICE:PORT.
func (im *importer) wire() {
	book := cabling.NewBook()
	for _, s := range im.shapes {
		book.Add(s.Names, s.Said.Ports)
		for i := range s.Said.Ports {
			for _, name := range s.Names {
				im.ports[plan.LinkEnd{Switch: name, Port: s.Said.Ports[i].Name}] = &s.Said.Ports[i]
			}
		}
	}
	links, found := book.Links(im.Sightings)
	im.found = append(im.found, found...)
	for _, l := range links {
		im.seen[l.A] = l
		if l.Inside {
			far := l
			far.A, far.B = l.B, l.A
			far.Speed, far.FarSpeed = l.FarSpeed, l.Speed
			im.seen[l.B] = far
		}
	}
	im.links = stable.Delete(links, func(l cabling.Link) bool { return !l.Inside })
}

// A pairing is two groups that are joined by cables.
type pairing struct{ a, b *group }

// wiring writes the links as clos blocks where they have that pattern, and as rows of the
// table of cables where they do not, or where the table has to say lengths anyway.
func (im *importer) wiring() {
	im.clos, im.rows = nil, nil
	at := map[plan.LinkEnd]*group{}
	for _, b := range im.blocks {
		for _, g := range b.groups {
			for _, name := range b.shape.Names {
				for _, p := range g.ports {
					at[plan.LinkEnd{Switch: name, Port: p.Name}] = g
				}
			}
		}
	}
	joined := map[pairing][]cabling.Link{}
	var order []pairing
	inRow := map[plan.LinkEnd]bool{}
	for _, l := range im.links {
		a, b := at[l.A], at[l.B]
		if a == nil || b == nil {
			continue
		}
		pair := pairing{a, b}
		if joined[pairing{b, a}] != nil {
			pair, l.A, l.B = pairing{b, a}, l.B, l.A
		}
		if joined[pair] == nil {
			order = append(order, pair)
		}
		joined[pair] = append(joined[pair], l)
	}
	for _, pair := range order {
		links := joined[pair]
		if c, ok := closOf(pair, links); ok && !pair.a.rows && !pair.b.rows {
			im.clos = append(im.clos, c)
			continue
		}
		for _, l := range links {
			im.rows = append(im.rows, cable{a: l.A, b: l.B, length: im.lengthOf(l)})
			inRow[l.A], inRow[l.B] = true, true
		}
	}
	im.loneRows(inRow)
	stable.Sort(im.rows, func(a, b cable) int {
		return cmp.Or(natural.Compare(a.a.Switch, b.a.Switch), natural.Compare(a.a.Port, b.a.Port))
	})
}

// lengthOf returns the known length of a cable, by either end's file or by what was seen.
func (im *importer) lengthOf(l cabling.Link) units.Length {
	return cmp.Or(im.fileLength(l.A), im.fileLength(l.B), l.Cable)
}

// lengthAt is that of the cable at a port, by its file or by what was seen.
func (im *importer) lengthAt(at plan.LinkEnd) units.Length {
	return cmp.Or(im.fileLength(at), im.seen[at].Cable)
}

// fileLength returns the length that a port's file says, 0 where it says none.
func (im *importer) fileLength(at plan.LinkEnd) units.Length {
	if p := im.ports[at]; p != nil {
		return p.Cable
	}
	return 0
}

// loneRows are of ports that lead out of the fabric, or to an unknown peer.
func (im *importer) loneRows(inRow map[plan.LinkEnd]bool) {
	for _, b := range im.blocks {
		for _, g := range b.groups {
			if !g.rows {
				continue
			}
			for _, name := range b.shape.Names {
				for _, p := range g.ports {
					end := plan.LinkEnd{Switch: name, Port: p.Name}
					if !inRow[end] {
						im.rows = append(im.rows, cable{a: end, length: im.lengthAt(end)})
					}
				}
			}
		}
	}
}

// closOf reports whether links are those of a clos block: lower switch i reaches upper switch
// j from its ports j·n … to the ports i·n … there. The side with more switches is the lower.
func closOf(pair pairing, links []cabling.Link) (clos, bool) {
	lower, upper := pair.a, pair.b
	flip := len(upper.block.shape.Names) > len(lower.block.shape.Names)
	if flip {
		lower, upper = upper, lower
	}
	if lower.block == upper.block {
		return clos{}, false
	}
	n := len(links) / (len(lower.block.shape.Names) * len(upper.block.shape.Names))
	if n == 0 || n*len(lower.block.shape.Names)*len(upper.block.shape.Names) != len(links) {
		return clos{}, false
	}
	want := map[[2]plan.LinkEnd]bool{}
	for i, low := range lower.block.shape.Names {
		for j, up := range upper.block.shape.Names {
			for k := range n {
				if j*n+k >= len(lower.ports) || i*n+k >= len(upper.ports) {
					return clos{}, false
				}
				want[[2]plan.LinkEnd{{Switch: low, Port: lower.ports[j*n+k].Name}, {Switch: up, Port: upper.ports[i*n+k].Name}}] = true
			}
		}
	}
	for _, l := range links {
		ends := [2]plan.LinkEnd{l.A, l.B}
		if flip {
			ends = [2]plan.LinkEnd{l.B, l.A}
		}
		if !want[ends] {
			return clos{}, false
		}
	}
	return clos{name: lower.block.ref() + "-" + upper.block.ref(), lower: lower, upper: upper, perPair: n}, true
}
