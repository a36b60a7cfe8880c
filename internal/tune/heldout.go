package tune

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/completion"
)

// holdOut runs the best points and the compiled settings where neither search has been: with other seeds, and
// in other scenarios.
func (s *search) holdOut(ctx context.Context, best []*candidate) error {
	if len(best) == 0 {
		return nil
	}
	var b batch
	names := slices.Concat(s.searched, s.unseen)
	for _, c := range append([]*candidate{&s.compiled}, best...) {
		if _, err := s.add(&b, c.plan, &c.held, names, s.Seeds+1, s.HeldOut); err != nil {
			return err
		}
	}
	return s.run(ctx, &b)
}

// without leaves out the seeds of which the compiled settings have no figure.
func without(set completion.Set, kinds []completion.Kind) completion.Set {
	set = maps.Clone(set)
	maps.DeleteFunc(set, func(_ uint64, f completion.Figures) bool {
		return slices.ContainsFunc(kinds, func(k completion.Kind) bool { return f[k].Unusable != "" })
	})
	return set
}

// heldOut compares a candidate with the compiled settings there.
func (s *search) heldOut(c *candidate) *HeldOut {
	own, compiled := s.Aim.setOf(c.held), s.Aim.setOf(s.compiled.held)
	ratio := func(kinds []completion.Kind) Ratio {
		return completion.Compare(own, without(compiled, kinds), kinds...)
	}
	h := &HeldOut{Seeds: s.HeldOut, First: s.Seeds + 1, Aim: ratio(s.objective.aim), Others: []string{}, Breach: breach(c.held, s.compiled.held)}
	var kinds []completion.Kind
	for _, name := range s.unseen {
		if k := likeKind(name); len(without(compiled, []completion.Kind{k})) > 0 {
			h.Others, kinds = append(h.Others, name), append(kinds, k)
		}
	}
	if kinds != nil {
		h.Unseen = ratio(kinds)
	}
	return h
}

// objection says why settings are not worth a change; empty: they are.
func (h *HeldOut) objection() string {
	switch {
	case h.Breach != "":
		return "in a held-out run the best point " + breachText(h.Breach)
	case h.Aim.Unusable != "":
		return h.Aim.Unusable
	case !h.Aim.Better():
		return fmt.Sprintf("held out, the best point takes %s of what they take, which is no gain beyond what seeds differ", spread(h.Aim))
	case h.Unseen.Worse():
		return fmt.Sprintf("in scenarios that the search has not seen the best point takes %s of what they take", spread(h.Unseen))
	}
	return ""
}

// breachText puts a breach into a sentence.
func breachText(breach string) string {
	if strings.HasPrefix(breach, "left ") || strings.HasPrefix(breach, "lost ") { // of package completion
		return breach
	}
	return "misses " + breach + ", as they do not"
}

func spread(r Ratio) string { return fmt.Sprintf("%.2f (%.2f-%.2f)", r.Ratio, r.Low, r.High) }

// conclude shows the front, and chooses of the best points of which nothing speaks against it where neither
// search has been.
func (s *search) conclude(all, best []*candidate) {
	r, trials := &s.report, map[*candidate]*Trial{}
	var list []*Trial
	for _, c := range all {
		if c.ratio.Unusable != "" || breach(c.runs, s.compiled.runs) != "" {
			continue
		}
		trials[c] = s.trial(c)
		list = append(list, trials[c])
	}
	r.Why = "no point finishes sooner with all seeds"
	var chosen *candidate
	for i, c := range best {
		t := trials[c]
		t.Best, t.HeldOut = true, s.heldOut(c)
		objection := t.HeldOut.objection()
		if objection == "" && (chosen == nil || s.prefers(c, chosen, t.Ends[1], trials[chosen].Ends[1])) {
			chosen = c
		}
		if i == 0 {
			r.Why = objection
		}
	}
	r.Front = Front(r.Compiled, list)
	if chosen != nil {
		r.Why, r.Chosen = "", slices.Index(r.Front, trials[chosen])+1
	}
}

// prefers reports whether a point is to be chosen before another: it finishes sooner held out beyond what seeds
// differ or, where neither does, costs less at the other end.
func (s *search) prefers(c, than *candidate, cost, costThan Ratio) bool {
	r := completion.Compare(s.Aim.setOf(c.held), s.Aim.setOf(than.held), s.objective.aim...)
	even := !r.Better() && !r.Worse()
	return r.Better() || even && cost.Unusable == "" && costThan.Unusable == "" && cost.Ratio < costThan.Ratio
}
