package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/units"
)

// jsonLayout is the layout of a HwSKU of a box, as --json shows it.
type jsonLayout struct {
	HwSKU    string     `json:"hwsku"`
	Flexible bool       `json:"flexible"`
	Ports    []jsonPort `json:"ports"`
}

type jsonPort struct {
	Name  string        `json:"name"`
	Lanes []int         `json:"lanes"`
	Alias string        `json:"alias,omitempty"`
	Speed units.BitRate `json:"speed,omitempty"`
}

// layoutsOf returns the layouts of a platform, or of one HwSKU where that is the name asked for.
func layoutsOf(catalogue *chips.Catalogue, p *chips.Platform, name string) []chips.Layout {
	for _, platform := range append([]string{name}, p.Names...) {
		if all := catalogue.Layouts(platform, ""); all != nil {
			return layoutsNamed(all, name)
		}
	}
	return layoutsNamed(catalogue.Layouts("", name), name)
}

// layoutsNamed returns the layout of that name alone, all where none is called so.
func layoutsNamed(all []chips.Layout, name string) []chips.Layout {
	if i := slices.IndexFunc(all, func(l chips.Layout) bool { return strings.EqualFold(l.HwSKU, name) }); i >= 0 {
		return all[i : i+1]
	}
	return all
}

func newJSONLayouts(all []chips.Layout) (out []jsonLayout) {
	for _, l := range all {
		shown := jsonLayout{l.HwSKU, l.Flexible, []jsonPort{}}
		for _, p := range l.Ports {
			shown.Ports = append(shown.Ports, jsonPort{p.Name, p.Lanes, p.Alias, p.Speed})
		}
		out = append(out, shown)
	}
	return out
}

// printLayouts prints the ports of each HwSKU, as many in a line as fabric files say in one text.
func printLayouts(t *terminal, all []chips.Layout) {
	for _, l := range all {
		t.printf("\nports of HwSKU %s:\n", l.HwSKU)
		var rows table
		for rest := l.Ports; len(rest) > 0; {
			n := alike(rest)
			speed := "any speed"
			if rest[0].Speed != 0 {
				speed = rest[0].Speed.String()
			}
			rows.add("  "+rangeOf(rest[:n]), speed, natural.Count(len(rest[0].Lanes), "lane", "lanes"), natural.Count(n, "port", "ports"))
			rest = rest[n:]
		}
		t.printf("%s", rows)
	}
}

// alike returns the number of ports, from the first on, that have its lanes and its speed, and names of one range.
func alike(ports []chips.BoxPort) int {
	n := 1
	for n < len(ports) && ports[n].Speed == ports[0].Speed && len(ports[n].Lanes) == len(ports[0].Lanes) &&
		(n < 2 || step(ports[n-1:]) == step(ports)) && step(ports[n-1:]) > 0 {
		n++
	}
	return n
}

// step returns the difference between the numbers of the first two ports, 0 where they have none.
func step(ports []chips.BoxPort) int {
	first, err := strconv.Atoi(strings.TrimPrefix(ports[0].Name, "Ethernet"))
	second, err2 := strconv.Atoi(strings.TrimPrefix(ports[1].Name, "Ethernet"))
	if err != nil || err2 != nil {
		return 0
	}
	return second - first
}

// rangeOf names ports as fabric files do: "Ethernet[0..248/8]".
func rangeOf(ports []chips.BoxPort) string {
	if len(ports) == 1 {
		return ports[0].Name
	}
	first, last := strings.TrimPrefix(ports[0].Name, "Ethernet"), strings.TrimPrefix(ports[len(ports)-1].Name, "Ethernet")
	if by := step(ports); by > 1 {
		return fmt.Sprintf("Ethernet[%s..%s/%d]", first, last, by)
	}
	return fmt.Sprintf("Ethernet[%s..%s]", first, last)
}
