package tune

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/stable"
)

// A Report holds the results of a search.
type Report struct {
	Purpose  completion.Purpose `json:"purpose"`
	Own      bool               `json:"own_patterns"` // the objective is the patterns, each by itself, and not the kinds of the purpose
	Searched []string           `json:"patterns"`     // by which points are compared
	Beside   []string           `json:"patterns_beside"`
	Hosts    int                `json:"hosts"` // that were simulated
	Notes    []string           `json:"notes"`
	Skipped  []string           `json:"skipped"` // scenarios that say nothing of this fabric, with the reason
	Classes  []string           `json:"traffic_classes"`
	NICs     []string           `json:"nics"` // whose constants are searched
	Axes     []string           `json:"axes"` // numbers that are searched
	Parts    []string           `json:"parts"`
	Ends     [2]string          `json:"ends"` // of the front

	Budget   int            `json:"budget"`
	Runs     int            `json:"runs"` // all of them
	Spent    Spent          `json:"runs_by_stage"`
	Points   int            `json:"points_searched"`
	Drawn    int            `json:"points_random"`
	Rejected map[string]int `json:"points_rejected"` // before they ran, by the inequality that they break
	Dropped  map[string]int `json:"points_dropped"`  // after a run, by what it must not do

	Seeds       int      `json:"seeds"` // with which the best points were compared
	Compiled    *Trial   `json:"compiled"`
	Front       []*Trial `json:"front"`  // that no other beats in both ends, and the best of each search, by the first end
	Chosen      int      `json:"chosen"` // place in Front, from 1 on; 0: the compiled settings stay
	Why         string   `json:"why"`
	Interrupted bool     `json:"interrupted,omitempty"`
}

// Spent counts the runs of a search by their use.
type Spent struct {
	Compiled int `json:"compiled"`
	Search   int `json:"search"`
	Random   int `json:"random"`
	HeldOut  int `json:"held_out"`
}

// By whom a point was found.
const (
	BySearch = "search"
	ByRandom = "random"
)

// A Trial is settings with what became of them. Ratios are of completion, by that of the compiled settings in
// runs of the same messages: below 1 is sooner.
type Trial struct {
	By       string `json:"by,omitempty"` // empty: as compiled
	Point    *Lines `json:"point,omitempty"`
	Settings        // at the port of a server

	Aim    completion.Ratio            `json:"objective"`
	Parts  map[string]completion.Ratio `json:"parts"`
	Ends   [2]completion.Ratio         `json:"ends"`
	Pauses int64                       `json:"pfc_pauses"`
	Best   bool                        `json:"best,omitempty"` // of those that were found so
	Warned []string                    `json:"advice_broken"`  // inequalities of which check will warn

	HeldOut *HeldOut `json:"held_out,omitempty"` // nil: it was not tried there
}

// Lines are the lines to write for a point.
type Lines struct {
	KMin      string `json:"kmin,omitempty"` // as times; empty: the compiled curve
	KMax      string `json:"kmax,omitempty"`
	PMax      string `json:"pmax,omitempty"`
	Alpha     string `json:"alpha,omitempty"` // empty: as compiled
	NIC       string `json:"nic_constants"`
	Balancing string `json:"load_balancing,omitempty"`
	HCL       string `json:"hcl"`
}

// HeldOut holds the results of settings in runs that the search has not seen.
type HeldOut struct {
	Seeds  int              `json:"seeds"` // of each scenario
	First  int              `json:"first_seed"`
	Aim    completion.Ratio `json:"objective"` // the same scenarios
	Others []string         `json:"patterns"`  // that the search does not see at all
	Unseen completion.Ratio `json:"unseen"`    // of these
	Breach string           `json:"breach,omitempty"`
}

// lines returns the lines of a point.
func (s *space) lines(p *Point) *Lines {
	l := &Lines{NIC: p.constants(), Balancing: p.Balancing, HCL: s.hcl(p)}
	if p.KMax != 0 {
		l.KMin, l.KMax, l.PMax = p.KMin.String(), p.KMax.String(), p.PMax.String()
	}
	if p.OwnAlpha {
		l.Alpha = p.Alpha.String()
	}
	return l
}

// beats reports whether a trial is nowhere worse at the two ends, and somewhere better.
func (t *Trial) beats(o *Trial) bool {
	a, b := t.Ends, o.Ends
	if a[0].Unusable != "" || a[1].Unusable != "" || b[0].Unusable != "" || b[1].Unusable != "" {
		return false
	}
	return a[0].Ratio <= b[0].Ratio && a[1].Ratio <= b[1].Ratio && (a[0].Ratio < b[0].Ratio || a[1].Ratio < b[1].Ratio)
}

// Front keeps the trials that neither another nor the compiled settings beat, of equal ones the first, and the
// best of each search, by the first end.
func Front(compiled *Trial, list []*Trial) []*Trial {
	out := []*Trial{}
	for i, t := range list {
		beaten := compiled.beats(t) || slices.ContainsFunc(list, func(o *Trial) bool { return o.beats(t) })
		again := slices.ContainsFunc(list, func(o *Trial) bool { return o.Ends == t.Ends && (o.Best || slices.Contains(list[:i], o)) })
		if t.Best || !beaten && !again {
			out = append(out, t)
		}
	}
	stable.Sort(out, func(a, b *Trial) int { return cmp.Compare(a.Ends[0].Ratio, b.Ends[0].Ratio) })
	return out
}

// Join adds the report of the same search with other random numbers: its points to the front, and its choice if
// that finishes sooner held out.
func (r *Report) Join(o *Report) {
	chosen := r.chosen()
	if next := o.chosen(); chosen == nil || next != nil && next.HeldOut.Aim.Ratio < chosen.HeldOut.Aim.Ratio {
		chosen = next
	}
	if r.Chosen == 0 && o.Chosen > 0 {
		r.Why = ""
	}
	r.Budget, r.Runs, r.Points, r.Drawn = r.Budget+o.Budget, r.Runs+o.Runs, r.Points+o.Points, r.Drawn+o.Drawn
	r.Spent = Spent{r.Spent.Compiled + o.Spent.Compiled, r.Spent.Search + o.Spent.Search, r.Spent.Random + o.Spent.Random, r.Spent.HeldOut + o.Spent.HeldOut}
	for name, n := range o.Rejected {
		r.Rejected[name] += n
	}
	for name, n := range o.Dropped {
		r.Dropped[name] += n
	}
	all := slices.Concat(r.Front, o.Front)
	for _, by := range []string{BySearch, ByRandom} {
		bestOf(all, by, chosen)
	}
	r.Front = Front(r.Compiled, all)
	r.Chosen = slices.Index(r.Front, chosen) + 1
}

// chosen returns the point that was chosen; nil: none.
func (r *Report) chosen() *Trial {
	if r.Chosen == 0 {
		return nil
	}
	return r.Front[r.Chosen-1]
}

// bestOf leaves one best trial of those that were found so: the chosen one, or the one that finishes soonest.
func bestOf(list []*Trial, by string, chosen *Trial) {
	var best *Trial
	for _, t := range list {
		if t.By == by && t.Best && (best == nil || t == chosen || best != chosen && t.Aim.Ratio < best.Aim.Ratio) {
			best = t
		}
	}
	for _, t := range list {
		if t.By == by {
			t.Best = t == best
		}
	}
}
