package mmu

import "fmt"

// Rules are the ways in which chips differ by a cell. Each value is a documented
// behaviour of the accounting, never a correction of a figure.
type Rules struct {
	Admission Admission `json:"admission"`
	Pause     Pause     `json:"pause"`
	Resume    Resume    `json:"resume"`
	Decided   Decided   `json:"xoff_decided,omitzero"`
}

// Admission is the comparison that lets a cell into the shared part. With s the PG's
// (or queue's) shared cells and T the threshold:
type Admission uint8

const (
	// WithCell counts the cell first, and takes it if s ≤ T then holds. An only PG
	// ends at ⌊alpha·B/(1+alpha)⌋.
	WithCell Admission = iota
	// BelowWithCell counts the cell first, and takes it if s < T then holds.
	BelowWithCell
	// BeforeCell takes the cell if s < T held before it was counted. An only PG ends
	// at ⌈alpha·B/(1+alpha)⌉.
	BeforeCell
)

// Pause is the moment of XOFF.
type Pause uint8

const (
	// WhenFull asserts XOFF with the packet that fills the PG: a further cell would
	// not be admitted to the shared part. All of the headroom is then still free.
	WhenFull Pause = iota
	// OnExcess asserts XOFF with the first packet that enters the headroom.
	OnExcess
)

// Resume is the level that the xon offset is taken from.
type Resume uint8

const (
	// BelowPauseLevel takes it from the cells that the PG held below its threshold when it paused.
	BelowPauseLevel Resume = iota
	// BelowCurrentLimit takes it from the threshold as it is now. A dynamic threshold
	// rises while the PG drains, so the PG resumes earlier.
	BelowCurrentLimit
)

// Decided is with which byte of a packet the decision to pause falls. The counters are the
// same: it is the time that differs, by which a chip that decides with the last byte has
// another frame under way.
type Decided uint8

const (
	// AtStart decides with the first byte of the packet that leaves no room.
	AtStart Decided = iota
	// AtEnd decides when that packet has come in as a whole.
	AtEnd
)

var (
	admissionNames = []string{"with_cell", "below_with_cell", "before_cell"}
	pauseNames     = []string{"when_full", "on_excess"}
	resumeNames    = []string{"below_pause_level", "below_current_limit"}
	decidedNames   = []string{"start", "end"}
)

// MarshalText writes the name that [Admission.UnmarshalText] reads.
func (a Admission) MarshalText() ([]byte, error) { return marshalName(admissionNames, uint8(a)) }

// MarshalText writes the name that [Pause.UnmarshalText] reads.
func (p Pause) MarshalText() ([]byte, error) { return marshalName(pauseNames, uint8(p)) }

// MarshalText writes the name that [Resume.UnmarshalText] reads.
func (r Resume) MarshalText() ([]byte, error) { return marshalName(resumeNames, uint8(r)) }

// MarshalText writes the name that [Decided.UnmarshalText] reads.
func (d Decided) MarshalText() ([]byte, error) { return marshalName(decidedNames, uint8(d)) }

// UnmarshalText reads start or end.
func (d *Decided) UnmarshalText(b []byte) error {
	return unmarshalName(decidedNames, b, (*uint8)(d))
}

// UnmarshalText reads with_cell, below_with_cell or before_cell.
func (a *Admission) UnmarshalText(b []byte) error {
	return unmarshalName(admissionNames, b, (*uint8)(a))
}

// UnmarshalText reads when_full or on_excess.
func (p *Pause) UnmarshalText(b []byte) error { return unmarshalName(pauseNames, b, (*uint8)(p)) }

// UnmarshalText reads below_pause_level or below_current_limit.
func (r *Resume) UnmarshalText(b []byte) error { return unmarshalName(resumeNames, b, (*uint8)(r)) }

func marshalName(names []string, value uint8) ([]byte, error) {
	if int(value) >= len(names) {
		return nil, fmt.Errorf("value %d has no name, want one below %d", value, len(names))
	}
	return []byte(names[value]), nil
}

func unmarshalName(names []string, text []byte, value *uint8) error {
	for i, name := range names {
		if name == string(text) {
			*value = uint8(i)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %v", text, names)
}
