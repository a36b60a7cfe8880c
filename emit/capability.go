package emit

import (
	"encoding/json"
	"fmt"

	"github.com/roceplan/roceplan/diag"
)

// Support says how much of an intent a target carries.
type Support uint8

const (
	No   Support = iota // nothing of it is in the file; a finding says so
	Part                // on some chips or for some values; elsewhere a finding says what is lost
	Yes                 // all of it: what is read back from the file is what the plan says
)

func (s Support) String() string { return [...]string{"no", "part", "yes"}[s] }

// MarshalJSON writes the word.
func (s Support) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// A Capability says how far a target supports one intent.
type Capability struct {
	Intent  Intent
	Support Support
	// Codes of the findings that report where the intent is not in the file as the plan has it; none
	// where Support is Yes.
	Codes []diag.Code
	// Note says which part, in a few words; for Yes it may name the lines that carry the intent.
	Note string
	// Evidence is the public source that says the target can, or cannot.
	Evidence string
}

// Cell returns the capability of a target for one intent, as a row of its table has it.
func Cell(support Support, intent Intent, note, evidence string, codes ...diag.Code) Capability {
	return Capability{Intent: intent, Support: support, Codes: codes, Note: note, Evidence: evidence}
}

// Of returns what a target makes of an intent. A target that is silent about one is a
// fault of the program.
func (t Target) Of(intent Intent) Capability {
	for _, c := range t.Can {
		if c.Intent == intent {
			return c
		}
	}
	panic(fmt.Sprintf("target %s says nothing of %s", t.Name, intent))
}
