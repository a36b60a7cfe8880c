package proof

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model"
)

// Verdict is the outcome of an obligation.
type Verdict uint8

const (
	Holds       Verdict = iota // by what is declared, known and demanded by standards alone
	Conditional                // it holds if something undeclared does: see Obligation.Conditions
	Fails                      // the configuration breaks it
	Unjudged                   // something is not known: see Obligation.Because
)

// Rank orders verdicts from best to worst, from 0 on: an unknown obligation may still hold.
func (v Verdict) Rank() int { return [...]int{Holds: 0, Conditional: 1, Unjudged: 2, Fails: 3}[v] }

var verdictNames = [...]string{"holds", "conditional", "fails", "cannot be judged"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the name.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %v", text, verdictNames)
}

// Units of terms and sides.
const (
	InCells = "cells"
	InBytes = "B"
	InTime  = "ps"
	InRate  = "bit/s"
	inMM    = "mm"
	inPPB   = "ppb"
	inOnes  = ""
)

// A Term is one figure of an obligation.
type Term struct {
	_      [0]func() // not comparable: no comparison of arrays is compiled
	Symbol string    `json:"symbol"` // as in the expressions
	Name   string    `json:"name"`   // as a person says it
	Value  int64     `json:"value"`
	Unit   string    `json:"unit,omitempty"`
	// Expr computes the value from earlier terms; empty where it was given.
	Expr string `json:"expr,omitempty"`
	// At is the line that gives it, "leaf-1/config_db.json:17"; empty where none does.
	At string `json:"at,omitempty"`
}

// from notes the line that gives a term.
func (t Term) from(at diag.Range) Term {
	t.At = lineOf(at)
	return t
}

func lineOf(at diag.Range) string {
	if at.Filename == "" {
		return ""
	}
	return at.Filename + ":" + strconv.Itoa(at.Start.Line)
}

// A Side is one side of the inequality: an expression over the terms (see
// docs/certificates.md) and its value.
type Side struct {
	Expr  string `json:"expr"`
	Value int64  `json:"value"`
}

// An Inequality is the form of an obligation under its conditions.
type Inequality struct {
	Terms []Term `json:"terms"`
	Left  Side   `json:"left"`
	Right Side   `json:"right"`

	fills []Fill
}

// Read returns the inequality of an obligation, for one that keeps its form under its conditions.
func (o *Obligation) Read() *Inequality { return &Inequality{o.Terms, o.Left, o.Right, o.fills} }

// An Obligation is one inequality, Left ≤ Right, that has to hold of one place.
type Obligation struct {
	ID    string `json:"id"`    // "headroom"
	Title string `json:"title"` // the requirement, in a sentence
	Where string `json:"where"` // "gpus (64 × 400Gbps, 5m), PG 3"
	// Lossless is set where a lossless packet can be lost where it fails. Others protect
	// order, fairness or throughput.
	Lossless bool    `json:"lossless"`
	Terms    []Term  `json:"terms"`
	Left     Side    `json:"left"`
	Right    Side    `json:"right"`
	Unit     string  `json:"unit,omitempty"`
	Source   string  `json:"source"`
	Verdict  Verdict `json:"verdict"`
	Because  string  `json:"because,omitempty"` // why it cannot be judged
	// Conditions are its assumptions: some exactly where the verdict is Conditional.
	Conditions []Condition `json:"conditions,omitempty"`
	// Under is its form under its conditions, where these change more than the terms that they
	// name.
	Under *Inequality `json:"under,omitempty"`
	Note  string      `json:"note,omitempty"` // further information
	// Range is the line of the file that gives the figure at fault; zero where none does.
	Range diag.Range `json:"-"`
	At    string     `json:"at,omitempty"` // Range in words, as in Term

	open bool // everything is known, and the order of packets decides
	// Of one on a queue or a port on the way out: the first port that has it, for all of its kind; and the one that it is on.
	out, port int
	fills     []Fill // the fills of the shared parts of pools, in the order of arrival
}

// leaveOpen takes a verdict back that the order of packets decides.
func (o *Obligation) leaveOpen(because string) {
	o.Verdict, o.Because, o.open = Unjudged, because, true
}

// unjudgedBy takes a failure back that rests on something that is not known; "" is nothing.
func (o *Obligation) unjudgedBy(because string) {
	if o.Verdict == Fails && because != "" {
		o.Verdict, o.Because = Unjudged, because
	}
}

// openIfLoose takes back a failure that only a loose bound shows: no order of arrivals is known to
// reach it. surely is the value that some order reaches.
func (o *Obligation) openIfLoose(surely, limit int64) {
	if o.Verdict == Fails && surely <= limit {
		o.leaveOpen(loosely)
	}
}

// Slack returns the right side less the left, in the obligation's unit; negative where it fails.
func (o *Obligation) Slack() int64 { return o.Right.Value - o.Left.Value }

// Place returns the subject of an obligation, whichever of the ports that are alike has it: "slice 0, queue 3".
func (o *Obligation) Place() string {
	place, _, _ := strings.Cut(o.Where, " of ")
	return place
}

func (o *Obligation) String() string {
	if o.Verdict == Unjudged {
		return fmt.Sprintf("%s, %s: cannot be judged: %s", o.ID, o.Where, o.Because)
	}
	if o.Verdict == Conditional {
		return fmt.Sprintf("%s, %s: conditional: %d ≤ %d %s if %s", o.ID, o.Where, o.Left.Value, o.Right.Value, o.Unit, o.Conditions[0].Assumes)
	}
	return fmt.Sprintf("%s, %s: %s: %d ≤ %d %s, slack %d", o.ID, o.Where, o.Verdict, o.Left.Value, o.Right.Value, o.Unit, o.Slack())
}

// A Group is a lossless priority group of ports with the same settings and the same kind of peer.
// Obligations on it alone have its Where; others are on all groups.
type Group struct {
	Where string   `json:"where"` // "gpus (64 × 400Gbps, 5m), PG 3"
	Ports []string `json:"ports"` // their names
	PG    int      `json:"pg"`
}

// A Report holds the verdicts on all obligations of a switch.
type Report struct {
	Obligations []Obligation
	// Groups are the lossless priority groups; none where there is no model.
	Groups []Group
	// Assumptions are the facts about the chip that were assumed.
	Assumptions []string
	// Model is the subject of the verdicts, under the conditions; nil where the files hold too
	// little to build it. Worst is the same with whatever the standards allow, and equal to Model
	// where there are no conditions.
	Model, Worst *model.Switch

	// heldAtOnce is, by slice, what can be held at once and how much memory there is.
	heldAtOnce []Obligation
	// ports has a port for each group of ports, by the name of the group.
	ports map[string]string
	// lessTight are those on queues and ports where another of their kind is worse: see worstOf.
	lessTight []Obligation
}

// Holds reports whether no obligation fails.
func (r *Report) Holds() bool { return len(r.Failing()) == 0 }

// Failing returns the obligations that fail, in order.
func (r *Report) Failing() []*Obligation { return r.with(Fails) }

// Conditional returns the obligations that hold under conditions, in order.
func (r *Report) Conditional() []*Obligation { return r.with(Conditional) }

// Unjudged returns the obligations that could not be judged, in order.
func (r *Report) Unjudged() []*Obligation { return r.with(Unjudged) }

// Open returns the obligations on lossless packets that could not be judged although
// everything is known: what arrives and leaves when decides them. A search for a
// counterexample can: see package adversary.
func (r *Report) Open() (found []*Obligation) {
	for _, o := range r.Unjudged() {
		if o.open && o.Lossless {
			found = append(found, o)
		}
	}
	return found
}

func (r *Report) with(v Verdict) (found []*Obligation) {
	for i := range r.Obligations {
		if r.Obligations[i].Verdict == v {
			found = append(found, &r.Obligations[i])
		}
	}
	return found
}

// LosesPackets reports whether an obligation fails that protects lossless packets.
func (r *Report) LosesPackets() bool {
	return slices.ContainsFunc(r.Failing(), func(o *Obligation) bool { return o.Lossless })
}
