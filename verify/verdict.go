package verify

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/proof"
)

// A Verdict says whether lossless packets can be lost. The larger one is the worse one.
type Verdict uint8

const (
	// Proved: none can, by what is declared, known of the chip, and demanded by standards.
	Proved Verdict = iota
	// Conditional: none can if [Switch.Conditions] hold, which are not declared.
	Conditional
	// NotJudged: something is missing, or a statement is not understood that may matter:
	// see [Switch.Because].
	NotJudged
	// Refuted: one can; an inequality fails, with all its terms.
	Refuted
)

var verdictNames = [...]string{"proved", "conditional", "not judged", "refuted"}

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

// verdictOf translates the outcome of an obligation.
func verdictOf(v proof.Verdict) Verdict {
	return map[proof.Verdict]Verdict{
		proof.Holds: Proved, proof.Conditional: Conditional, proof.Unjudged: NotJudged, proof.Fails: Refuted,
	}[v]
}

// A Reason is why a verdict is not better.
type Reason struct {
	Message string     `json:"message"`
	Range   diag.Range `json:"-"`
	At      string     `json:"at,omitempty"` // the line, "leaf-1/config_db.json:17"
}

// fewReasons are listed one by one; of more, those of one kind are one.
const fewReasons = 5

// InBrief are reasons as a person reads them: of many, those that differ by names and numbers
// alone are one, which counts them and says where the others are.
func InBrief(all []Reason) []Reason {
	if len(all) <= fewReasons {
		return all
	}
	var found diag.List
	for _, r := range all {
		found = append(found, diag.Diagnostic{Message: r.Message, Subject: r.Range}) // as errors: of other words is another kind
	}
	var brief []Reason
	for _, d := range diag.NewDigest(found, len(all)).Shown {
		brief = append(brief, Reason{d.Message, d.Subject, lineOf(d.Subject)})
	}
	return brief
}

// inAnyFile returns the reason with its line in the file of any device of the switch.
func (r Reason) inAnyFile() string {
	return fmt.Sprintf("line %d: %s", r.Range.Start.Line, r.Message)
}

// A Group is the verdict on a lossless priority group of ports with the same settings.
type Group struct {
	proof.Group
	Verdict Verdict `json:"verdict"`
}

// worsen gives a group a verdict if that is worse.
func (g *Group) worsen(v Verdict) { g.Verdict = max(g.Verdict, v) }

// Coverage counts the evidence behind a verdict.
type Coverage = proof.Coverage
