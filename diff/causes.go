package diff

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// reasons finds causes, and remembers them: many quantities share derivations.
type reasons struct{ known map[[2]*plan.Why][]Cause }

// of returns the leaves that are different between two derivations of one quantity,
// each once. It is empty where either side has none.
func (r *reasons) of(a, b *plan.Why) []Cause {
	key := [2]*plan.Why{a, b}
	if a == nil || b == nil || a.Kind == plan.ReadBack || b.Kind == plan.ReadBack {
		return nil // a line of a file is no more than the value
	}
	if found, ok := r.known[key]; ok {
		return found
	}
	found := settle(r.walk(a, b))
	r.known[key] = found
	return found
}

// walk goes down both trees while they have the same structure.
func (r *reasons) walk(a, b *plan.Why) []Cause {
	if a == b || a == nil || b == nil || valueOf(a) == valueOf(b) {
		return nil
	}
	switch {
	case len(a.Terms) == 0 || len(b.Terms) == 0 || a.Kind == plan.Pinned || b.Kind == plan.Pinned:
		return []Cause{leafCause(a, b)}
	case a.Kind == b.Kind && a.ID == b.ID && isFold(a, b):
		return r.folded(a, b)
	case a.Kind == b.Kind && a.ID == b.ID:
		return r.terms(a, b)
	}
	if inner, others := unwrap(b, a.ID); inner != nil {
		return append(r.of(a, inner), oneSided(others, false)...)
	}
	if inner, others := unwrap(a, b.ID); inner != nil {
		return append(r.of(inner, b), oneSided(others, true)...)
	}
	return r.unlike(a, b)
}

// terms compares the inputs of one formula by their symbols.
func (r *reasons) terms(a, b *plan.Why) (found []Cause) {
	used := make([]bool, len(a.Terms))
	for _, t := range b.Terms {
		i := slices.IndexFunc(a.Terms, func(s plan.Term) bool { return s.Symbol == t.Symbol })
		for i >= 0 && i < len(a.Terms) && (used[i] || a.Terms[i].Symbol != t.Symbol) {
			i++
		}
		if i < 0 || i >= len(a.Terms) {
			found = append(found, oneSided([]plan.Term{t}, false)...)
			continue
		}
		used[i] = true
		found = append(found, r.of(a.Terms[i].Why, t.Why)...)
	}
	for i, t := range a.Terms {
		if !used[i] {
			found = append(found, oneSided([]plan.Term{t}, true)...)
		}
	}
	return found
}

// isFold reports whether a formula adds to an earlier result of itself on either side.
func isFold(a, b *plan.Why) bool {
	return a.Terms[0].Why.ID == a.ID || b.Terms[0].Why.ID == b.ID
}

// folded compares sums whose terms may have become more or fewer. The terms of a link are known by
// the name of its last input.
func (r *reasons) folded(a, b *plan.Why) (found []Cause) {
	found = r.of(base(a), base(b))
	was := map[string][][]plan.Term{}
	for _, link := range links(a) {
		name := link[len(link)-1].Why.Name
		was[name] = append(was[name], link)
	}
	for _, link := range links(b) {
		name := link[len(link)-1].Why.Name
		if len(was[name]) == 0 {
			found = append(found, oneSided(link[len(link)-1:], false)...)
			continue
		}
		old := was[name][0]
		was[name] = was[name][1:]
		found = append(found, r.terms(&plan.Why{Terms: old}, &plan.Why{Terms: link})...)
	}
	for _, link := range links(a) {
		name := link[len(link)-1].Why.Name
		if len(was[name]) > 0 {
			found = append(found, oneSided(was[name][0][len(link)-1:], true)...)
			was[name] = was[name][1:]
		}
	}
	return found
}

// base returns what a fold begins with.
func base(w *plan.Why) *plan.Why {
	for first := w; ; first = first.Terms[0].Why {
		if len(first.Terms) == 0 || first.ID != w.ID {
			return first
		}
	}
}

// links lists what each step of a fold adds, the first step first.
func links(w *plan.Why) (all [][]plan.Term) {
	if len(w.Terms) < 2 {
		return nil
	}
	if first := w.Terms[0].Why; first.ID == w.ID {
		all = links(first)
	}
	return append(all, w.Terms[1:])
}

// unwrap finds a formula among the inputs of a step that is around it: a margin that
// was added, a rounding that became needed.
func unwrap(w *plan.Why, id string) (inner *plan.Why, others []plan.Term) {
	for i, t := range w.Terms {
		if t.Why.ID == id && len(t.Why.Terms) > 0 {
			return t.Why, slices.Concat(w.Terms[:i], w.Terms[i+1:])
		}
	}
	return nil, nil
}

// unlike compares two formulas by the leaves that they have in common.
func (r *reasons) unlike(a, b *plan.Why) []Cause {
	found := []Cause{{Name: "formula of " + b.Name, Old: a.ID, New: b.ID, Kind: plan.Formula}}
	was := map[string]*plan.Why{}
	eachLeaf(a, map[*plan.Why]bool{}, func(w *plan.Why) { was[w.Name] = w })
	eachLeaf(b, map[*plan.Why]bool{}, func(w *plan.Why) {
		if old := was[w.Name]; old != nil && valueOf(old) != valueOf(w) {
			found = append(found, leafCause(old, w))
		}
	})
	return found
}

func eachLeaf(w *plan.Why, seen map[*plan.Why]bool, do func(*plan.Why)) {
	if w == nil || seen[w] {
		return
	}
	seen[w] = true
	if len(w.Terms) == 0 {
		do(w)
	}
	for _, t := range w.Terms {
		eachLeaf(t.Why, seen, do)
	}
}

func leafCause(a, b *plan.Why) Cause {
	if a.Kind == plan.Catalogue && b.Kind == plan.Catalogue && a.ID != b.ID {
		return Cause{Name: chipCause, Old: a.ID, New: b.ID, Kind: plan.Catalogue}
	}
	c := Cause{Name: b.Name, Old: valueOf(a), New: valueOf(b), Kind: b.Kind, Source: b.Source}
	if counts := a.Kind == plan.Given && b.Kind == plan.Given; counts && a.Name != b.Name && a.Range == b.Range { // another amount took its place
		c.Old += " (" + a.Name + ")"
	}
	switch {
	case b.Range.Filename != "":
		c.At = append(c.At, b.Range)
	case a.Range.Filename != "":
		c.At, c.Kind = append(c.At, a.Range), a.Kind
	}
	return c
}

// chipCause is the one cause for all data of a chip.
const chipCause = "chip"

// oneSided returns the causes among inputs that the other side does not have: lines of the
// user, counts, and why a step of a chip's menu was refused.
func oneSided(terms []plan.Term, gone bool) (found []Cause) {
	for _, t := range terms {
		w := t.Why
		if w == nil || (w.Kind != plan.Given || len(w.Terms) > 0) && t.Symbol != "refused" {
			continue
		}
		c := Cause{Name: w.Name, New: valueOf(w), Kind: w.Kind}
		if gone {
			c.Old, c.New = c.New, ""
		}
		if w.Range.Filename != "" {
			c.At = append(c.At, w.Range)
		}
		found = append(found, c)
	}
	return found
}

// settle drops what is not a reason of its own: roceplan's own choices where something
// else is different; data of chips and formulas where the chip is another; and, where the
// user changed a line, data that are looked up by what he wrote.
func settle(all []Cause) []Cause {
	otherChip := slices.ContainsFunc(all, func(c Cause) bool { return c.Name == chipCause })
	chosen := func(c Cause) bool { return c.Kind == plan.Default && len(c.At) == 0 }
	byUser := slices.ContainsFunc(all, func(c Cause) bool { return c.Kind == plan.Given && len(c.At) > 0 })
	onlyChosen := !slices.ContainsFunc(all, func(c Cause) bool { return !chosen(c) })
	var kept []Cause
	for _, c := range all {
		ofChip := c.Name != chipCause && (c.Kind == plan.Catalogue || c.Kind == plan.Standard || c.Kind == plan.Formula)
		if (otherChip || byUser && c.Kind != plan.Formula) && ofChip || chosen(c) && !onlyChosen {
			continue
		}
		kept = addCause(kept, c)
	}
	stable.Sort(kept, compareCauses)
	return kept
}

// addCause joins causes of equal values and keeps all their lines.
func addCause(all []Cause, c Cause) []Cause {
	for i := range all {
		if have := &all[i]; have.Name == c.Name && have.Old == c.Old && have.New == c.New {
			have.At = joinRanges(have.At, c.At)
			return all
		}
	}
	c.At = slices.Clone(c.At)
	return append(all, c)
}

func valueOf(w *plan.Why) string {
	if w.Value == nil {
		return ""
	}
	return w.Value.String()
}
