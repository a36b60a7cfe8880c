package adopt

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// A standing is what is known of the switches of a fabric, by what is to hold: 0 where it holds, more the less of it
// is proved.
type standing map[string]int

// worse is what may become of an obligation, from best to worst.
var worse = []proof.Verdict{proof.Holds, proof.Conditional, proof.Unjudged, proof.Fails}

// ports are counted in the place of an obligation: pins divide ports otherwise than what is derived.
var portCount = regexp.MustCompile(`\([0-9]+ × `)

// stand proves what the present text compiles to. ok is false where nothing is proved of some switch: its chip,
// a speed or the length of a cable is not known.
func (im *importer) stand(t trial) (s standing, ok bool) {
	if t.plan == nil || len(t.refused) > 0 || len(im.blocks) == 0 {
		return nil, false
	}
	s = standing{}
	note := func(key string, rank int) { s[key] = max(s[key], rank) }
	v := verify.New(verify.Options{Catalogue: im.Catalogue, Fabric: &verify.Fabric{Plan: t.plan, Targets: im.Targets}})
	for _, b := range im.blocks {
		for _, g := range b.groups {
			if b.chip == nil || g.speedHole != "" || g.rows && g.lossless && im.openRows(b, g) > 0 {
				return nil, false
			}
		}
		for _, shape := range b.shapes {
			planned := t.planned(shape)
			i := slices.IndexFunc(im.Targets, func(target emit.Target) bool { return target.Name == shape.Format.Name })
			if planned == nil || i < 0 {
				return nil, false
			}
			for _, c := range planned.Checks {
				note(fmt.Sprintln(shape.Names[0], c.ID), map[bool]int{false: len(worse)}[c.Holds])
			}
			files, _ := im.Targets[i].Forms[0].Emit(planned)
			if len(files) == 0 {
				return nil, false
			}
			judged, err := v.Rendered(planned, shape.Format.Name, files[0], nil)
			if err != nil || judged.Proof == nil {
				return nil, false
			}
			for _, o := range judged.Proof.Obligations {
				note(fmt.Sprintln(shape.Names[0], o.ID, portCount.ReplaceAllString(o.Where, "(")), slices.Index(worse, o.Verdict))
			}
		}
	}
	return s, true
}

// keeps reports whether everything stands at least as well as before.
func (s standing) keeps(before standing) bool {
	for key, rank := range s {
		if rank > before[key] {
			return false
		}
	}
	return true
}

// provable are the attributes that obligations and inequalities are about: how the buffer is divided. What a
// class is, who is sent from first and when senders slow down changes what traffic gets, which nothing proves
// harmless.
var provable = []string{"headroom", "xon", "xon_offset", "reserved", "alpha", "limit", "size"}

// adoptSafe deletes the pins without which every obligation and every inequality stands at least as well: all of
// them at once, or attribute by attribute, or value by value.
func (im *importer) adoptSafe() {
	before, ok := im.stand(im.last)
	if !ok {
		im.found.Warnf(NothingAdopted, top(im.blocks[0].shape.File), "nothing can be proved of what was written, so no pinned value is adopted").
			Fixf("name the chip with --chip, and give a table of cables with lengths and speeds")
		return
	}
	adopt := func(which func(pin) bool) bool {
		pins, last := im.pins, im.last
		im.pins = map[*Shape]*pinned{}
		for shape, p := range pins {
			im.pins[shape] = p.but(func(p pin) bool { return slices.Contains(provable, p.attribute) && which(p) })
		}
		if im.pinnedLines() == im.linesOf(pins) {
			im.pins = pins
			return false
		}
		im.last = im.try()
		if now, ok := im.stand(im.last); ok && now.keeps(before) {
			before = now
			return true
		}
		im.pins, im.last = pins, last
		return false
	}
	lines := im.pinnedLines()
	if !adopt(func(pin) bool { return true }) {
		for _, unit := range im.units(func(p pin) pin { p.id, p.value = 0, ""; return p }) {
			same := func(p pin) bool { p.id, p.value = 0, ""; return p == unit }
			if adopt(same) {
				continue
			}
			for _, one := range im.units(func(p pin) pin { return p }) {
				if same(one) {
					adopt(func(p pin) bool { return p == one })
				}
			}
		}
	}
	if im.adopted = lines - im.pinnedLines(); im.adopted > 0 { // what was apart may be alike now
		im.keep(func(*sketch) { im.blocks = nil; im.blocksOf(); im.layOut() }, func(new, old trial) bool { return new.score() <= old.score() })
	}
}

// linesOf counts the lines of other pins.
func (s sketch) linesOf(pins map[*Shape]*pinned) int {
	s.pins = pins
	return s.pinnedLines()
}

// units lists what is pinned, each once, as a function sees it.
func (im *importer) units(as func(pin) pin) (all []pin) { return im.unitsOf(im.pins, as) }

func (im *importer) unitsOf(pins map[*Shape]*pinned, as func(pin) pin) (all []pin) {
	seen := map[pin]bool{}
	add := func(pins []pin) {
		for _, p := range pins {
			if u := as(p); !seen[u] {
				seen[u] = true
				all = append(all, u)
			}
		}
	}
	for _, b := range im.blocks {
		for _, s := range b.shapes {
			if p := pins[s]; p != nil {
				add(p.whole)
				for i := range s.Said.Ports {
					add(p.ports[s.Said.Ports[i].Name])
				}
			}
		}
	}
	return all
}

// but is what is pinned without some of it.
func (p *pinned) but(which func(pin) bool) *pinned {
	left := &pinned{whole: slices.DeleteFunc(slices.Clone(p.whole), which), ports: maps.Clone(p.ports)}
	for port, pins := range left.ports {
		if left.ports[port] = slices.DeleteFunc(slices.Clone(pins), which); len(left.ports[port]) == 0 {
			delete(left.ports, port)
		}
	}
	return left
}
