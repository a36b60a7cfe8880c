package adopt

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// A standing is how far the obligations and inequalities of a fabric hold, and which rules find errors.
type standing map[string]degree

// A degree ranks what is proved of an obligation or an inequality: 0 where it holds, higher the less of it is proved. short is
// by how much it does not hold outright, or how many errors a rule has.
type degree struct {
	rank  int
	short int64
}

// lowest is the rank of an inequality that does not hold and of a rule's error, below that of every verdict.
var lowest = proof.Fails.Rank() + 1

// portCount is the number of ports in the place of an obligation. Pins change it, since they divide the ports of a
// group.
var portCount = regexp.MustCompile(`\([0-9]+ × `)

// prove judges the compiled text.
func (im *importer) prove(t trial) (s standing, ok bool) {
	if t.plan == nil || len(t.refused) > 0 || len(im.blocks) == 0 {
		return nil, false
	}
	s = standing{}
	note := func(key string, rank int, short int64) {
		if rank > 0 {
			s[key] = degree{max(s[key].rank, rank), max(s[key].short, short)}
		}
	}
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
				note(fmt.Sprintln(shape.Names[0], c.ID, c.Where), map[bool]int{false: lowest}[c.Holds], c.Short)
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
				note(fmt.Sprintln(shape.Names[0], o.ID, portCount.ReplaceAllString(o.Where, "(")), o.Verdict.Rank(), -o.Slack())
			}
			for _, d := range lint.Switch(judged.Plan, b.chip) {
				if d.Severity == diag.Error {
					key := fmt.Sprintln(shape.Names[0], d.Code)
					s[key] = degree{lowest, s[key].short + 1}
				}
			}
		}
	}
	return s, true
}

// keeps reports whether no obligation, no inequality and no rule is worse than before: a lower rank, or shorter in the same.
func (s standing) keeps(before standing) bool {
	for key, now := range s {
		if was := before[key]; now.rank > was.rank || now.rank == was.rank && now.short > was.short {
			return false
		}
	}
	return true
}

// provable are the attributes that obligations and inequalities are about: those that divide the buffer. Maps,
// schedulers and curves change what traffic gets. No proof covers that.
var provable = []string{"headroom", "xon", "xon_offset", "reserved", "alpha", "limit", "size"}

// adoptSafe deletes the pins without which no obligation, no inequality and no rule is worse: all of them at once, or
// attribute by attribute, or value by value.
func (im *importer) adoptSafe() {
	before, ok := im.prove(im.last)
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
		var tried trial
		harmless := func(new, _ trial) bool {
			tried = new
			now, ok := im.prove(new)
			if ok = ok && now.keeps(before); ok {
				before = now
			}
			return ok
		}
		if im.keep(func(s *sketch) { s.pins = left }, harmless) {
			return true
		}
		// Values derived otherwise without them, such as a threshold from the headroom, may stay as they
		// run.
		held := maps.Clone(left)
		for shape, back := range tried.back {
			more := differences(tried.planned(shape), back, shape.Said).but(func(port string, one pin) bool {
				return out(one) || slices.ContainsFunc(im.pins[shape][port], func(p pin) bool { return out(p) && p.part() == one.part() })
			})
			held[shape] = left[shape].with(more)
		}
		same := func(a, b pinned) bool { return a.equal(b) }
		return !maps.EqualFunc(held, left, same) && im.keep(func(s *sketch) { s.pins = held }, harmless)
	}
	blocks := im.blocks
	different := func() (n int) { // values that compiling gives otherwise than they were read
		all := map[*Shape]pinned{}
		for shape, back := range im.last.back {
			all[shape] = differences(im.last.planned(shape), back, shape.Said)
		}
		for i := range blocks {
			n += len(unitsOf(blocks[i:i+1], all, pin.itself))
		}
		return n
	}
	ran := different()
	more := !adopt(func(pin) bool { return true })
	for more { // what is harmless may depend on what is adopted
		more = false
		for _, unit := range im.units(im.pins, pin.unit) {
			if adopt(func(p pin) bool { return p.unit() == unit }) {
				more = true
				continue
			}
			for _, one := range values() {
				if one.unit() == unit && adopt(func(p pin) bool { return p == one }) {
					more = true
				}
			}
		}
	}
	if im.adopted = max(0, different()-ran); im.adopted > 0 { // shapes that were apart may be alike now
		im.keep(func(*sketch) { im.divide() }, func(new, old trial) bool { return new.score() <= old.score() })
	}
}
