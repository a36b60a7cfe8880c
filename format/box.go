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
	// Shared is the buffer that is 100 % in the vendor's configuration.
	Shared units.Bytes
}

// Boxes are the boxes of one vendor: one for each chip.
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

// Use returns the advice for a chip that none of them has.
func (all Boxes) Use() string {
	var chips []string
	for _, b := range all {
		chips = append(chips, b.Chip+" ("+b.Model+")")
	}
	return "use one of " + strings.Join(chips, ", ") + ", or set os to what the switch runs"
}
