package lsp

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
)

// blockAround returns the text of the outermost block around a byte: from its first line to the next block. It need
// not parse.
func blockAround(text []byte, at int) string {
	start := 0
	for _, m := range opens.FindAllIndex(text, -1) {
		if m[0] > at {
			return string(text[start:m[0]])
		}
		start = m[0]
	}
	return string(bytes.Clone(text[start:]))
}

// opens is the first line of an outermost block.
var opens = regexp.MustCompile(`(?m)^[a-z_]+ .*\{`)

var said = regexp.MustCompile(`(?m)^\s*(chip|platform|hwsku)\s*=\s*"?([^"\s#]+)`)

// boards returns the platforms, HwSKUs or breakouts that a switch may have, by what its block says of chip, platform
// and HwSKU.
func (a *analysis) boards(attr, block string) (known []string) {
	has := map[string]string{}
	for _, m := range said.FindAllStringSubmatch(block, -1) {
		has[m[1]] = m[2]
	}
	catalogue := a.fabric.Catalogue
	switch attr {
	case "platform":
		chip, ok := catalogue.Find(has["chip"])
		for _, b := range catalogue.Boxes() {
			if !ok || b.Chip == chip.Name {
				known = append(known, b.Name)
			}
		}
	case "hwsku":
		for _, b := range catalogue.Boxes() {
			if strings.EqualFold(b.Name, has["platform"]) {
				known = b.HwSKUs
			}
		}
	case "breakout":
		if p, ok := catalogue.Platform(has["platform"], has["hwsku"]); ok {
			known = breakouts(p)
		}
	}
	return known
}

// breakouts returns the ways in which cages of a platform are split, as a fabric says them.
func breakouts(p *chips.Platform) (known []string) {
	for _, c := range p.Cages {
		for _, b := range c.Breakouts.Or(nil) {
			for _, speed := range b.Speeds {
				if text := fmt.Sprintf("%dx%s", b.Ports, speed.PortSpeed()); b.Ports > 1 && !slices.Contains(known, text) {
					known = append(known, text)
				}
			}
		}
	}
	return known
}
