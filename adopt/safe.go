package adopt

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// A standing ranks the obligations and inequalities of a fabric: 0 where one holds, higher the less of it is proved.
type standing map[string]int

// worse lists the verdicts on an obligation from best to worst.
var worse = []proof.Verdict{proof.Holds, proof.Conditional, proof.Unjudged, proof.Fails}

// portCount is the number of ports in the place of an obligation. Pins change it, since they divide the ports of a
// group.
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
			i := slices.IndexFunc(im.Targets, func(target emit.Target) bool { return target.Name == shape.As.Name })
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
			judged, err := v.Rendered(planned, shape.As.Name, files[0], nil)
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

// keeps reports whether no obligation and no inequality ranks worse than before.
func (s standing) keeps(before standing) bool {
	for key, rank := range s {
		if rank > before[key] {
			return false
		}
	}
	return true
}

// provable are the attributes that obligations and inequalities are about: those that divide the buffer. Maps,
// schedulers and curves change what traffic gets. No proof covers that.
var provable = []string{"headroom", "xon", "xon_offset", "reserved", "alpha", "limit", "size"}

// adoptSafe deletes the pins without which no obligation and no inequality ranks worse: all of them at once, or
// attribute by attribute, or value by value.
func (im *importer) adoptSafe() {
	before, ok := im.stand(im.last)
	if !ok {
		im.found.Warnf(NothingAdopted, diag.Top(im.blocks[0].shape.File), "the written fabric cannot be proved, so no pinned value is adopted").
			Fixf("name the chip with --chip, and give a table of cables with lengths and speeds")
		return
	}
	values := func() []pin { return im.units(im.pins, pin.itself) }
	adopt := func(which func(pin) bool) bool {
		out := func(p pin) bool { return slices.Contains(provable, p.attribute) && which(p) }
		if !slices.ContainsFunc(values(), out) {
			return false
		}
		left := map[*Shape]pinned{}
		for shape, p := range im.pins {
			left[shape] = p.but(func(_ string, one pin) bool { return out(one) })
		}
		return im.keep(func(s *sketch) { s.pins = left }, func(new, _ trial) bool {
			now, ok := im.stand(new)
			if ok = ok && now.keeps(before); ok {
				before = now
			}
			return ok
		})
	}
	all := im.pinnedValues()
	if !adopt(func(pin) bool { return true }) {
		for _, unit := range im.units(im.pins, pin.unit) {
			if adopt(func(p pin) bool { return p.unit() == unit }) {
				continue
			}
			for _, one := range values() {
				if one.unit() == unit {
					adopt(func(p pin) bool { return p == one })
				}
			}
		}
	}
	if im.adopted = all - im.pinnedValues(); im.adopted > 0 { // shapes that were apart may be alike now
		im.keep(func(*sketch) { im.divide() }, func(new, old trial) bool { return new.score() <= old.score() })
	}
}
