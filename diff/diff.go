package diff

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// A Result is the difference between two plans.
type Result struct {
	Changes []Change // in the order of their causes; empty where the plans say the same
	Rollout Rollout
	// Switches of both plans together, and how many of them differ.
	Switches, Changed int
	// Begins are the devices' configurations before the first step; empty where the first plan is a fabric.
	Begins []Begin
	// Way is the proof about the states that the order of the rollout allows; nil: there is none.
	Way *Way
}

// A Way is a verdict on all states that the order of a rollout allows: see package way.
type Way struct {
	Verdict string   `json:"verdict"` // holds, conditional, cannot be judged, fails
	Says    string   `json:"says"`
	States  int      `json:"states"`            // of devices
	Pairs   int      `json:"pairs"`             // of states of both ends of a cable
	Assumed []string `json:"assumed,omitempty"` // of traffic
	Drained []Left   `json:"drained,omitempty"`
}

// Left are devices whose states within a step are left out, as they are drained.
type Left struct {
	Step    string   `json:"step"`
	Devices []string `json:"devices"`
	Because string   `json:"because"`
}

// A Begin describes a device whose configuration was read, before the first step.
type Begin struct {
	Device string   `json:"device"`
	Class  string   `json:"class"`           // old, new, part-way, drifted, fresh
	Step   string   `json:"step,omitempty"`  // of part-way: the last step that it has
	Lines  []string `json:"lines,omitempty"` // where it differs from the nearest state of the rollout
}

// Any reports whether the plans differ.
func (r *Result) Any() bool { return len(r.Changes) > 0 }

// Kind says which sides of a change there are.
type Kind uint8

const (
	Changed Kind = iota
	Added
	Removed
)

func (k Kind) String() string { return [...]string{"changed", "added", "removed"}[k] }

// A Change is one quantity that is different in the same way wherever it is listed.
type Change struct {
	Kind     Kind
	Of       string // "PG 3 (rdma)", "pool ingress_lossless_pool"; empty for a port or switch as a whole
	Quantity string // "headroom"
	Old, New string // as plans print values; one is empty where Kind is not Changed
	Delta    string // "+212 cells"; empty where the values are not amounts
	Causes   []Cause
	Where    []Where // sorted
}

// Ports counts the ports of a change, 0 where it is of switches as a whole.
func (c *Change) Ports() (n int) {
	for _, w := range c.Where {
		n += len(w.Switches) * len(w.Ports)
	}
	return n
}

// Switches counts the switches, or hosts, of a change.
func (c *Change) Switches() (n int) {
	for _, w := range c.Where {
		n += len(w.Switches)
	}
	return n
}

// A Where is switches that have a change on the same ports.
type Where struct {
	Switches []string // in natural order
	Ports    []string // in natural order; empty: the switch as a whole
}

// A Cause is a leaf of a derivation that is different.
type Cause struct {
	Name     string // "cable"
	Old, New string // empty where there is none on that side
	Kind     plan.Kind
	Source   string       // of a catalogue's or standard's new value
	At       []diag.Range // lines of the new plan that say so; of the old one where it is gone
}

// Compare finds what is different, why, and the order of the change. Neither plan is
// changed.
func Compare(before, after *plan.Plan) *Result {
	pairs := pairUp(before, after)
	m := newMerger()
	r := &Result{}
	for _, p := range pairs {
		r.Switches += len(p.names)
		if found := m.compare(p); len(found) > 0 {
			r.Changed += len(p.names)
			p.differs = true
		}
	}
	m.hosts(before, after)
	r.Changes = m.finish()
	r.Rollout = order(before, after, pairs)
	r.Rollout.Steps = append(installations(pairs), r.Rollout.Steps...)
	return r
}

// A pair is devices that had one shape before and have one shape after. Either is nil
// where they are in one plan alone.
type pair struct {
	names   []string
	old     *plan.Switch
	new     *plan.Switch
	differs bool
}

// pairUp groups all switches, in natural order of first names.
func pairUp(before, after *plan.Plan) []*pair {
	type shapes struct{ old, new *plan.Switch }
	of := map[string]shapes{}
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			of[name] = shapes{old: sw}
		}
	}
	for _, sw := range after.Switches {
		for _, name := range sw.Names {
			of[name] = shapes{of[name].old, sw}
		}
	}
	joined := map[shapes]*pair{}
	var pairs []*pair
	for name, s := range of {
		p := joined[s]
		if p == nil {
			p = &pair{old: s.old, new: s.new}
			joined[s] = p
			pairs = append(pairs, p)
		}
		p.names = append(p.names, name)
	}
	for _, p := range pairs {
		slices.SortFunc(p.names, natural.Compare)
	}
	stable.Sort(pairs, func(a, b *pair) int { return natural.Compare(a.names[0], b.names[0]) })
	return pairs
}

// compareCauses puts what the user wrote first, in the order of the file.
func compareCauses(a, b Cause) int {
	rank := func(c Cause) int {
		if len(c.At) > 0 {
			return 0
		}
		return 1
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	if len(a.At) > 0 {
		if c := compareRanges(a.At[0], b.At[0]); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
}

func compareRanges(a, b diag.Range) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Start.Line, b.Start.Line), cmp.Compare(a.Start.Column, b.Start.Column))
}
