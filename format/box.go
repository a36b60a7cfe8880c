package format

import (
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A Box is a switch that a vendor builds, with the buffer that it divides.
type Box struct {
	Model string // "QFX5240"
	Chip  string // in the catalogue
	Cell  units.Bytes
	// Shared is what the per cents of the vendor's configuration are of.
	Shared units.Bytes
}

// Boxes are those of one vendor, by chip: one with each.
type Boxes []Box

// Of finds the box with a chip.
func (all Boxes) Of(chip string) (Box, bool) {
	for _, b := range all {
		if b.Chip == chip {
			return b, true
		}
	}
	return Box{}, false
}

// Use says what to change where a chip is in none of them.
func (all Boxes) Use() string {
	var chips []string
	for _, b := range all {
		chips = append(chips, b.Chip+" ("+b.Model+")")
	}
	return "use one of " + strings.Join(chips, ", ") + ", or set os to what the switch runs"
}
