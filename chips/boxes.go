package chips

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/units"
)

// boxesFile holds every box that sonic-buildimage knows: the size of an index, the index,
// and the descriptions, folded and compressed in groups of 32. chips/genboxes writes it. Nothing of it
// is read before a box is asked for, and then the index and the group of that box.
//
//go:embed boxes.bin
var boxesFile string

// A Box is a platform of sonic-buildimage, with the HwSKUs that it can be used as.
type Box struct {
	Name   string // of the platform: "x86_64-arista_7060x6_64pe"
	Vendor string
	ASIC   string // family by SONiC's name: "broadcom", "mellanox"
	// Chip is the canonical name of its chip, empty where it is not known; Basis says how
	// it is: "bcm", "mgmt", "table", "wiki", "published" or "assumed", see
	// chips/genboxes/chips.txt.
	Chip, Basis string
	Default     string   // HwSKU that is used by default; may be empty
	HwSKUs      []string // sorted; a box of several chips has NAME/0, NAME/1 …
	read        func() *boxTables
}

// boxTables is the description of a box.
type boxTables struct {
	cages []boxCage
	skus  map[string]*boxSKU
}

type boxCage struct {
	port  string
	lanes []int
	index int
	modes []boxMode
}

type boxMode struct {
	Breakout
	aliases []string
}

// A boxSKU describes a HwSKU of a box.
type boxSKU struct {
	link     string // "PLATFORM/HWSKU" that it is the same as; empty: none
	rows     []BoxPort
	breakout map[string]string // mode by cage
}

// A BoxPort is a row of a port_config.ini.
type BoxPort struct {
	Name  string
	Lanes []int
	Alias string        // may be empty
	Index int           // 0 where the file has none
	Speed units.BitRate // 0 where the file has none
}

// readBoxes reads the index. A line with a number alone is the size of a group, whose boxes follow, each with the size of its
// description.
func readBoxes(file string) map[string]*Box {
	length, rest, _ := strings.Cut(file, "\n")
	size := func(text string, most int) int {
		n, err := strconv.Atoi(text)
		if err != nil || n > most {
			panic(fmt.Sprintf("chips: boxes.bin: %q is no size", text))
		}
		return n
	}
	at := size(length, len(rest))
	groups := rest[at:]
	boxes := map[string]*Box{}
	var group func() string
	var begin int
	for line := range strings.Lines(packed.Text(rest[:at])) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) == 1 {
			own := groups[:size(f[0], len(groups))]
			group, groups, begin = sync.OnceValue(func() string { return packed.UnfoldRows(packed.Text(own)) }), groups[len(own):], 0
			continue
		}
		all, from, to := group, begin, begin+size(f[6], 1<<20)
		begin = to
		boxes[f[0]] = &Box{f[0], f[1], f[2], f[3], f[4], f[5], strings.Fields(f[7]), sync.OnceValue(func() *boxTables { return readBox(all()[from:to]) })}
	}
	return boxes
}

// readBox reads a description: see chips/genboxes for its lines.
func readBox(text string) *boxTables {
	t := &boxTables{skus: map[string]*boxSKU{}}
	var sku *boxSKU
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch f[0] {
		case "C":
			t.cages = append(t.cages, boxCage{port: f[1], lanes: unfoldLanes(f[2]), index: numberOr0(f[3])})
		case "M":
			if mode, ok := parseBreakout(f[1]); ok {
				cage := &t.cages[len(t.cages)-1]
				cage.modes = append(cage.modes, boxMode{mode, strings.Split(f[2], ",")})
			}
		case "K":
			sku = &boxSKU{link: f[2], breakout: map[string]string{}}
			t.skus[f[1]] = sku
		case "T":
			sku.rows = append(sku.rows, BoxPort{f[1], unfoldLanes(f[2]), f[3], numberOr0(f[4]), units.BitRate(numberOr0(f[5])) * units.Mbps})
		case "B":
			sku.breakout[f[1]] = f[2]
		}
	}
	return t
}

func numberOr0(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// unfoldLanes reads "1-4" or "1,2,3,4".
func unfoldLanes(text string) (lanes []int) {
	if from, to, ok := strings.Cut(text, "-"); ok {
		for lane := numberOr0(from); lane <= numberOr0(to); lane++ {
			lanes = append(lanes, lane)
		}
		return lanes
	}
	for lane := range strings.SplitSeq(strings.Trim(text, ","), ",") { // one file ends its lists so
		lanes = append(lanes, numberOr0(strings.TrimSpace(lane)))
	}
	return lanes
}

// Boxes returns all boxes in the order of their names.
func (c *Catalogue) Boxes() []*Box {
	all := c.boxes()
	out := make([]*Box, 0, len(all))
	for _, name := range sorted(keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// Box returns the platform of that name; the revision at its end and case do not matter.
func (c *Catalogue) Box(platform string) (*Box, bool) {
	all := c.boxes()
	if b := all[strings.ToLower(platform)]; b != nil {
		return b, true
	}
	for name, b := range all {
		if platform != "" && strings.EqualFold(bare(name), bare(platform)) {
			return b, true
		}
	}
	return nil, false
}

// BoxesOf returns the boxes that can be used as the HwSKU.
func (c *Catalogue) BoxesOf(hwsku string) (boxes []*Box) {
	for _, b := range c.Boxes() {
		if hwsku != "" && b.Has(hwsku) {
			boxes = append(boxes, b)
		}
	}
	return boxes
}

// Has reports whether the box can be used as the HwSKU.
func (b *Box) Has(hwsku string) bool { return b.spelling(hwsku) != nil }

// spelling returns the HwSKU as the box spells it, or those of its chips: all parts of
// a box of several.
func (b *Box) spelling(hwsku string) (names []string) {
	for _, name := range b.HwSKUs {
		whole, _, _ := strings.Cut(name, "/")
		if strings.EqualFold(name, hwsku) || strings.EqualFold(whole, hwsku) {
			names = append(names, name)
		}
	}
	return names
}

// ChipOf infers the chip of a switch from its platform, its HwSKU, or both, empty where
// that is not given. ok is false where the catalogue does not know it, or where boxes with
// different chips are called so.
func (c *Catalogue) ChipOf(platform, hwsku string) (chip *Chip, ok bool) {
	if p, found := c.Platform(platform, hwsku); found && p.Chip != "" {
		return c.Find(p.Chip)
	}
	var names []string
	for _, b := range c.boxesCalled(platform, hwsku) {
		names = append(names, b.Chip)
	}
	names = slices.Compact(sorted(names))
	if len(names) != 1 || names[0] == "" {
		return nil, false
	}
	return c.Find(names[0])
}

// ChipAssumed reports whether [Catalogue.ChipOf] has its answer from the name and the ports
// of a box alone: no source says which chip it has.
func (c *Catalogue) ChipAssumed(platform, hwsku string) bool {
	if p, found := c.Platform(platform, hwsku); found {
		return p.ChipAssumed
	}
	return slices.ContainsFunc(c.boxesCalled(platform, hwsku), func(b *Box) bool { return b.Basis == "assumed" })
}

// boxesCalled lists the boxes that fit both names. x86_64-arista_7260cx3_64 of SONiC is EOS's
// DCS-7260CX3-64, and the DCS-7260CX3-64-F, which has other fans.
func (c *Catalogue) boxesCalled(platform, hwsku string) []*Box {
	if b, ok := c.Box(platform); ok {
		return []*Box{b}
	}
	if hwsku == "" {
		model := strings.TrimPrefix(platform, "DCS-")
		for _, name := range []string{model, strings.TrimSuffix(strings.TrimSuffix(model, "-F"), "-R")} {
			if b, ok := c.Box("x86_64-arista_" + strings.ReplaceAll(strings.ToLower(name), "-", "_")); ok {
				return []*Box{b}
			}
		}
	}
	return c.BoxesOf(hwsku)
}

// ChipsIn returns the number of chips of a box, 1 where it is not known.
func (c *Catalogue) ChipsIn(platform, hwsku string) int {
	for _, b := range c.boxesCalled(platform, hwsku) {
		if n := len(b.spelling(hwsku)); n > 0 {
			return n
		}
	}
	return 1
}

// Ports returns the rows of the port_config.ini of a HwSKU in their order.
func (c *Catalogue) Ports(b *Box, hwsku string) (rows []BoxPort) {
	for _, name := range b.spelling(hwsku) {
		if sku := c.sku(b, name); sku != nil {
			rows = append(rows, sku.rows...)
		}
	}
	return rows
}

// sku follows the links between HwSKUs; a chain of them ends somewhere.
func (c *Catalogue) sku(b *Box, name string) *boxSKU {
	for range 8 {
		sku := b.read().skus[name]
		if sku == nil || sku.link == "" {
			return sku
		}
		platform, other, _ := strings.Cut(sku.link, "/")
		next, ok := c.boxes()[platform]
		if !ok {
			return nil
		}
		b, name = next, other
	}
	return nil
}
