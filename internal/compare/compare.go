// Package compare runs what people run on a fabric under its own settings and under those that others
// published, and says by kind how much longer it takes under its own.
package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/published"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
)

// Options say what is compared.
type Options struct {
	Purpose completion.Purpose // whose kinds come first; empty: mixed
	Beside  []*chips.Configuration
	Size    fabric.Size // that the fabric is cut to; zero: as package completion does
	Seed    uint64      // of the first run; 0: 1
	Seeds   int         // of each scenario; 0: 1
}

// A Result compares settings with published ones.
type Result struct {
	Purpose  completion.Purpose `json:"purpose"`
	Kinds    []completion.Kind  `json:"kinds"` // the kinds of the purpose first
	Seeds    int                `json:"seeds"`
	Hosts    int                `json:"hosts"`   // that were simulated
	Verdict  Verdict            `json:"verdict"` // against the best of each kind
	Compiled Side               `json:"compiled"`
	Beside   []Row              `json:"published"` // those for the fabric first, by name
}

// A Side holds the results of runs under one setting.
type Side struct {
	Figures completion.Figures `json:"figures"` // geometric means over seeds
	Pauses  int64              `json:"pfc_pauses"`
}

// A Row compares a published configuration with the compiled settings.
type Row struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	For     string   `json:"for,omitempty"`      // the use that its source gives it for, where the fabric is another
	LeftOut []string `json:"left_out,omitempty"` // of it, as the fabric's chips cannot do it
	NotRun  string   `json:"not_run,omitempty"`  // why it cannot be laid over the fabric
	Side

	Ratios    map[completion.Kind]completion.Ratio `json:"ratios"`     // compiled by published: below 1 the compiled settings are faster
	OfPurpose completion.Ratio                     `json:"of_purpose"` // of the purpose's kinds together
	All       completion.Ratio                     `json:"all"`        // of all kinds together
}

// A Comparison is runs that are to be made.
type Comparison struct {
	result *Result
	jobs   []pattern.Job
	sides  []side
}

// A side is the jobs of one setting.
type side struct {
	row  int // in Beside; -1: compiled
	jobs int
}

// Prepare lays the configurations over the plan.
func Prepare(p *plan.Plan, chip func(string) (*chips.Chip, bool), o Options) (*Comparison, error) {
	o.Purpose, o.Seeds = cmp.Or(o.Purpose, completion.Mixed), max(o.Seeds, 1)
	c := &Comparison{result: &Result{Purpose: o.Purpose, Kinds: o.Purpose.Kinds(), Seeds: o.Seeds, Beside: []Row{}}}
	for _, k := range completion.Kinds() {
		if !slices.Contains(c.result.Kinds, k) {
			c.result.Kinds = append(c.result.Kinds, k)
		}
	}
	add := func(p *plan.Plan, row int) error {
		jobs, err := completion.Jobs(p, chip, completion.Options{Size: o.Size, Seed: o.Seed, Seeds: o.Seeds})
		c.jobs, c.sides = append(c.jobs, jobs...), append(c.sides, side{row, len(jobs)})
		return err
	}
	if err := add(p, -1); err != nil {
		return nil, err
	}
	for _, j := range c.jobs {
		c.result.Hosts = max(c.result.Hosts, len(j.Network.Hosts))
	}
	beside := slices.Clone(o.Beside)
	stable.Sort(beside, func(a, b *chips.Configuration) int {
		return cmp.Or(cmp.Compare(min(len(published.Foreign(p, a)), 1), min(len(published.Foreign(p, b)), 1)), cmp.Compare(a.Name, b.Name))
	})
	for _, from := range beside {
		row := Row{Name: from.Name, Title: from.Title, For: published.Foreign(p, from), Side: Side{Figures: completion.Figures{}}, Ratios: map[completion.Kind]completion.Ratio{}}
		laid, err := published.Lay(p, from, chip)
		if err != nil {
			row.NotRun = err.Error()
		} else {
			row.LeftOut = laid.LeftOut
			if err := add(laid.Plan, len(c.result.Beside)); err != nil {
				return nil, err
			}
		}
		c.result.Beside = append(c.result.Beside, row)
	}
	return c, nil
}

// Runs returns the number of runs.
func (c *Comparison) Runs() int { return len(c.jobs) }

// Run makes the runs, or finds them in the store, and calls step after each; both may be nil.
func (c *Comparison) Run(ctx context.Context, store *runs.Store, step func()) (*Result, error) {
	made, err := completion.RunAll(ctx, c.jobs, store, step)
	if err != nil {
		return nil, err
	}
	var ours completion.Set
	for _, s := range c.sides {
		own := made[:s.jobs]
		made = made[s.jobs:]
		set := completion.Of(own)
		if s.row < 0 {
			ours, c.result.Compiled = set, sideOf(set, own)
			continue
		}
		c.result.Beside[s.row].compare(c.result, ours, set, own)
	}
	c.result.Verdict = c.result.verdict()
	return c.result, nil
}

func (r *Row) compare(of *Result, ours, theirs completion.Set, made []completion.Run) {
	r.Side = sideOf(theirs, made)
	for _, k := range of.Kinds {
		r.Ratios[k] = completion.Compare(ours, theirs, k)
	}
	r.OfPurpose = completion.Compare(ours, theirs, of.Purpose.Kinds()...)
	r.All = completion.Compare(ours, theirs, completion.Kinds()...)
}

func sideOf(set completion.Set, made []completion.Run) Side {
	s := Side{Figures: completion.Figures{}}
	for i := range made {
		s.Pauses += made[i].Pauses
	}
	for _, k := range completion.Kinds() {
		s.Figures[k] = set.Mean(k)
	}
	return s
}

// A Verdict holds the gains and losses of the compiled settings against the best published
// configuration, by kind.
type Verdict struct {
	Purpose Against   `json:"purpose"`
	Loses   []Against `json:"loses"` // the largest loss first
	Even    []Against `json:"even"`  // within what seeds differ
	Wins    []Against `json:"wins"`  // the largest win first
	Unknown []Against `json:"unknown"`
}

// An Against compares the compiled settings with the best configuration.
type Against struct {
	Kind   completion.Kind  `json:"kind,omitempty"` // empty: the purpose's together
	Best   string           `json:"best,omitempty"` // empty: there is none
	Ratio  completion.Ratio `json:"ratio"`
	Beaten int              `json:"beaten_by"` // configurations that do better beyond what seeds differ
	Of     int              `json:"of"`        // configurations that gave a figure
}

// verdict compares with the best of each kind.
func (r *Result) verdict() Verdict {
	v := Verdict{Purpose: r.against("", func(row *Row) completion.Ratio { return row.OfPurpose }), Loses: []Against{}, Even: []Against{}, Wins: []Against{}, Unknown: []Against{}}
	for _, k := range r.Kinds {
		a := r.against(k, func(row *Row) completion.Ratio { return row.Ratios[k] })
		list := &v.Even
		switch {
		case a.Best == "":
			list = &v.Unknown
		case lost(a.Ratio):
			list = &v.Loses
		case won(a.Ratio):
			list = &v.Wins
		}
		*list = append(*list, a)
	}
	stable.Sort(v.Loses, func(a, b Against) int { return cmp.Compare(b.Ratio.Ratio, a.Ratio.Ratio) })
	stable.Sort(v.Wins, func(a, b Against) int { return cmp.Compare(a.Ratio.Ratio, b.Ratio.Ratio) })
	return v
}

// lost reports whether a ratio is above 1, beyond what seeds differ where there are several.
func lost(r completion.Ratio) bool { return r.Worse() || r.Seeds == 1 && r.Ratio > 1 }

// won reports whether it is below.
func won(r completion.Ratio) bool { return r.Better() || r.Seeds == 1 && r.Ratio < 1 }

// against finds the configuration against which a ratio is largest.
func (r *Result) against(kind completion.Kind, ratio func(*Row) completion.Ratio) Against {
	a := Against{Kind: kind, Ratio: completion.Ratio{Unusable: "there is no published configuration with a figure"}}
	worst := math.Inf(-1)
	for i := range r.Beside {
		row := &r.Beside[i]
		if row.NotRun != "" {
			continue
		}
		own := ratio(row)
		if own.Unusable != "" {
			if a.Best == "" {
				a.Ratio = own
			}
			continue
		}
		a.Of++
		if lost(own) {
			a.Beaten++
		}
		if own.Ratio > worst {
			worst, a.Best, a.Ratio = own.Ratio, row.Name, own
		}
	}
	return a
}
