package headroom

import (
	"errors"

	"github.com/roceplan/roceplan/chips"
)

// A Comparison is one method's answer to the same question.
type Comparison struct {
	Method string
	Source string
	Result Result
	Err    error // why the method has no answer for this port; nil otherwise
	Own    bool  // the method that the catalogue names for the chip
}

// Compare asks every method that the chip's constants allow, in the order of Names, and
// then the platforms that have constants of their own for the chip. A method without
// constants for the chip, or of another family, is left out.
func Compare(chip *chips.Chip, in Input) []Comparison {
	own := chip.HeadroomMethod.Or("")
	names := Names()
	for _, p := range Platforms() {
		if p.Chip == chip.Name {
			names = append(names, "xgs:"+p.Name)
		}
	}
	var all []Comparison
	for _, name := range names {
		m, err := For(chip, name)
		var unknown *chips.Unknown
		var wrong *WrongFamily
		if errors.As(err, &unknown) || errors.As(err, &wrong) {
			continue
		}
		c := Comparison{Method: name, Err: err, Own: name == own}
		if err == nil {
			c.Source = m.Source()
			c.Result, c.Err = m.Compute(in)
		}
		all = append(all, c)
	}
	return all
}
