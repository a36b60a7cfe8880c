package chips

import (
	"slices"
	"strings"
)

// A Catalogue is a set of chips, each found under its name and its aliases.
type Catalogue struct {
	chips  map[string]*Chip  // by canonical name
	byName map[string]string // lower-case name or alias → canonical name
}

// Find returns the chip of that name or alias; case does not matter.
func (c *Catalogue) Find(name string) (*Chip, bool) {
	chip, ok := c.chips[c.byName[strings.ToLower(name)]]
	return chip, ok
}

// Names returns the canonical names in order.
func (c *Catalogue) Names() []string {
	names := make([]string, 0, len(c.chips))
	for name := range c.chips {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Chips returns all chips in the order of Names.
func (c *Catalogue) Chips() []*Chip {
	all := make([]*Chip, 0, len(c.chips))
	for _, name := range c.Names() {
		all = append(all, c.chips[name])
	}
	return all
}
