package chips

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Catalogue is a set of chips and of platforms around them, each found under its names.
// It may be used by several goroutines.
type Catalogue struct {
	chips  map[string]func() *Chip // by canonical name; reads the file at the first call
	byName map[string]string       // lower-case name or alias → canonical name
	// platforms are the boxes around the chips, by name; reads their files at the first call.
	platforms func() map[string]*Platform
	nics      func() map[string]*NIC // by name; likewise
	boxes     func() map[string]*Box // of sonic-buildimage, by name; reads their index at the first call
	published func() map[string]*Configuration
}

func newCatalogue() *Catalogue {
	return &Catalogue{map[string]func() *Chip{}, map[string]string{}, func() map[string]*Platform { return nil }, func() map[string]*NIC { return nil }, func() map[string]*Box { return nil },
		func() map[string]*Configuration { return nil }}
}

// Find returns the chip of that name or alias; case does not matter.
func (c *Catalogue) Find(name string) (*Chip, bool) {
	canonical, ok := c.byName[strings.ToLower(name)]
	if !ok {
		return nil, false
	}
	return c.chips[canonical](), true
}

// Names returns the canonical names in alphabetical order.
func (c *Catalogue) Names() []string { return slices.Sorted(maps.Keys(c.chips)) }

// Chips returns all chips in the order of Names.
func (c *Catalogue) Chips() []*Chip {
	all := make([]*Chip, 0, len(c.chips))
	for _, name := range c.Names() {
		all = append(all, c.chips[name]())
	}
	return all
}

// inOrder returns the values of a map in the order of their names.
func inOrder[T any](all map[string]*T) []*T {
	out := make([]*T, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// over reads a layer when it is first asked for, with what replaces or adds to it.
func over[T any](below func() map[string]*T, more map[string]*T) func() map[string]*T {
	if len(more) == 0 {
		return below
	}
	return sync.OnceValue(func() map[string]*T {
		all := maps.Clone(below())
		maps.Copy(all, more)
		return all
	})
}

func (c *Catalogue) clone() *Catalogue {
	return &Catalogue{maps.Clone(c.chips), maps.Clone(c.byName), c.platforms, c.nics, c.boxes, c.published}
}
