package roceplan

import (
	"fmt"

	"github.com/roceplan/roceplan/observe"
)

// Observe checks what was measured, as package observe/intake reads it, against a fabric, which must
// have no errors: which assumption of its plan reality broke, with the evidence.
func Observe(f *Fabric, rows []observe.Row) (*observe.Report, error) {
	p, found := f.Plan()
	if found.HasErrors() {
		return nil, fmt.Errorf("there is no plan to compare with: %w", ErrFindings)
	}
	return observe.Check(f.Policy, p, rows), nil
}
