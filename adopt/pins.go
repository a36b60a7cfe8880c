package adopt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/policy"
)

// A value that compile derives otherwise than the files have it, and that has no other attribute,
// is pinned: attribute by attribute, for as many ports at once as have the same.

// A pin is an attribute in a pinned block.
type pin struct {
	of               policy.PinnedOf
	id               uint8  // of a priority group or queue
	name             string // of a pool
	attribute, value string // as they are written
}

// itself returns the pin.
func (p pin) itself() pin { return p }

// shares reports whether a pin is of a part of the buffer in per cent.
func (p pin) shares() bool { return p.attribute == "share" || p.attribute == "headroom_share" }

// inPerCent reports whether a pin says in per cent what is else in bytes.
func (p pin) inPerCent() bool {
	return p.shares() || p.attribute == "fill_levels" || p.attribute == "ecn"
}

// part returns the part that the pin gives a value.
func (p pin) part() pin {
	p.value = ""
	return p
}

// unit returns the pin without its number and its value.
func (p pin) unit() pin {
	p.id, p.value = 0, ""
	return p
}

// pinned has the pins of the switches of a shape, by port; those of the switch as a whole are under ofSwitch. No list
// is empty.
type pinned map[string][]pin

const ofSwitch = ""

// key is equal for shapes with the same pins.
func (p pinned) key() string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintln(&text, name, p[name])
	}
	return text.String()
}

func (p pinned) equal(o pinned) bool { return maps.EqualFunc(p, o, slices.Equal[[]pin]) }

// but returns the pins without some of them.
func (p pinned) but(which func(port string, one pin) bool) pinned {
	left := pinned{}
	for port, pins := range p {
		if some := stable.Delete(slices.Clone(pins), func(one pin) bool { return which(port, one) }); len(some) > 0 {
			left[port] = some
		}
	}
	return left
}

// with returns the pins with more; a later one of an attribute replaces an earlier one.
func (p pinned) with(more pinned) pinned {
	join := func(have, more []pin) []pin {
		out := slices.Clone(have)
		for _, m := range more {
			same := func(o pin) bool {
				return o.of == m.of && o.id == m.id && o.name == m.name && (o.attribute == m.attribute || threshold(o.attribute) && threshold(m.attribute))
			}
			if i := slices.IndexFunc(out, same); i >= 0 {
				out[i] = m
			} else {
				out = append(out, m)
			}
		}
		return out
	}
	all := pinned{}
	maps.Copy(all, p)
	for port, pins := range more {
		all[port] = join(all[port], pins)
	}
	return all
}

// threshold reports whether an attribute is one of the two that write the limit of a part.
func threshold(attribute string) bool { return attribute == "alpha" || attribute == "limit" }

// units lists what is pinned, each once, as a function sees it.
func (im *importer) units(pins map[*Shape]pinned, as func(pin) pin) []pin {
	return unitsOf(im.blocks, pins, as)
}

func unitsOf(blocks []*block, pins map[*Shape]pinned, as func(pin) pin) (all []pin) {
	seen := map[pin]bool{}
	add := func(pins []pin) {
		for _, p := range pins {
			if u := as(p); !seen[u] {
				seen[u] = true
				all = append(all, u)
			}
		}
	}
	for _, b := range blocks {
		for _, s := range b.shapes {
			add(pins[s][ofSwitch])
			for i := range s.Said.Ports {
				add(pins[s][s.Said.Ports[i].Name])
			}
		}
	}
	return all
}
