package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// A box is a switch in one of the ways in which its cages can be used.
type box struct {
	chip            string
	platform, hwsku string // as `platform` and `hwsku` of a switch; empty where the system names none
	title           string // for comments
	most            int    // ports of the chip
	capacity        units.BitRate
	lane            units.BitRate // of the chip, at most
	cages           []cage
}

// A cage holds ports of one mode.
type cage struct{ modes []mode }

// A mode is a way to use a cage: as so many ports of a rate.
type mode struct {
	rate     units.BitRate
	breakout string // as a fabric file says it; empty where the cage is one port
	ports    []string
}

// at returns the mode with ports of a rate; of several the one with most.
func (c *cage) at(rate units.BitRate) (ports []string) {
	ports, _ = c.mode(rate)
	return ports
}

func (c *cage) mode(rate units.BitRate) (ports []string, breakout string) {
	for _, m := range c.modes {
		if m.rate == rate && len(m.ports) > len(ports) {
			ports, breakout = m.ports, m.breakout
		}
	}
	return ports, breakout
}

// An ask is for ports of a rate.
type ask struct {
	ports int
	rate  units.BitRate
}

// A built box has ports for each ask.
type built struct {
	*box
	groups []group
}

// A group is the ports that were found for an ask.
type group struct {
	rate     units.BitRate
	breakout string
	ports    []string
}

// build takes cages in their order for one ask after another.
func (b *box) build(asks []ask) (got built, spare int, ok bool) {
	got.box = b
	free, total, rate := slices.Clone(b.cages), 0, units.BitRate(0)
	for _, a := range asks {
		g := group{rate: a.rate}
		for i := 0; i < len(free) && len(g.ports) < a.ports; {
			ports, breakout := free[i].mode(a.rate)
			if len(ports) == 0 || len(g.ports) > 0 && breakout != g.breakout {
				i++
				continue
			}
			g.ports, g.breakout = append(g.ports, ports[:min(len(ports), a.ports-len(g.ports))]...), breakout
			free = slices.Delete(free, i, i+1)
		}
		if len(g.ports) < a.ports {
			return got, 0, false
		}
		total, rate = total+a.ports, rate+units.BitRate(a.ports)*a.rate
		got.groups = append(got.groups, g)
	}
	return got, len(free), total <= b.most && rate <= b.capacity
}

// best returns the box that fits: one with fewest cages to spare, of equal ones the first.
func best(boxes []box, asks []ask) (found built, ok bool) {
	least := 0
	for i := range boxes {
		got, spare, fits := boxes[i].build(asks)
		if !fits {
			continue
		}
		if !ok || spare < least {
			found, least, ok = got, spare, true
		}
	}
	return found, ok
}

// boxes returns the boxes of a chip, or of a platform, under the system of the wish: the described ones alone, or all.
func (w *Wish) boxes(catalogue *chips.Catalogue, name string, described bool) ([]box, error) {
	chip, known := catalogue.Find(name)
	platform := ""
	if p, ok := catalogue.Platform(name, ""); !known && ok {
		if c, ok := catalogue.Find(p.Chip); ok {
			chip, known, platform = c, true, p.Names[0]
		}
	}
	if !known {
		var err error
		if chip, err = w.byModel(catalogue, name); err != nil {
			return nil, err
		}
	}
	if chip.Family == chips.DNX {
		return nil, fmt.Errorf("%s has virtual output queues, and its chassis has rows that a fabric file cannot have: choose a chip with a shared buffer", chip.Name)
	}
	if w.OS != "sonic" {
		return w.numbered(chip)
	}
	all := sonicBoxes(catalogue, chip, platform, described, append(w.uplinks(), w.NIC))
	if len(all) == 0 {
		return nil, fmt.Errorf("no platform of sonic-buildimage with known ports has the chip %s: `roceplan platforms` lists those of other chips", chip.Name)
	}
	return all, nil
}

// byModel returns the chip of the model that has a name, qfx5240 or 7060X6, if it runs the system of the wish. Another system's model is
// named with its chip.
func (w *Wish) byModel(catalogue *chips.Catalogue, name string) (*chips.Chip, error) {
	plain := func(name string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, strings.ToLower(name))
	}
	wanted, other := plain(name), ""
	for _, n := range numberings() {
		for _, chip := range slices.Sorted(maps.Keys(n.models)) {
			m := n.models[chip]
			if len(wanted) < 5 || !strings.Contains(plain(m.name), wanted) {
				continue
			}
			if c, ok := catalogue.Find(chip); ok && n.system == w.OS {
				return c, nil
			}
			other = fmt.Sprintf("; %s has the chip %s and runs %s: write the chip, or --os %s", m.name, chip, n.system, n.system)
		}
	}
	if other != "" {
		return nil, fmt.Errorf("there is no chip and no platform %q under %s%s", name, w.OS, other)
	}
	return nil, fmt.Errorf("there is no chip and no platform %q: `roceplan chips` and `roceplan platforms` list them", name)
}

// sonicBoxes returns the boxes of sonic-buildimage, each once for every HwSKU that describes its ports.
func sonicBoxes(catalogue *chips.Catalogue, chip *chips.Chip, platform string, described bool, rates []units.BitRate) (all []box) {
	for _, b := range catalogue.Boxes() {
		if b.Chip != chip.Name || b.Basis == "assumed" || platform != "" && platform != b.Name || strings.Contains(b.Name, "_simx") || catalogue.ChipsIn(b.Name, b.Default) != 1 {
			continue
		}
		if p, ok := catalogue.Platform(b.Name, ""); described && (!ok || len(p.Cages) == 0) {
			continue
		}
		for _, l := range catalogue.Layouts(b.Name, "") {
			p, ok := catalogue.Platform(b.Name, l.HwSKU)
			if !ok {
				continue
			}
			one := boxOf(chip, p.Title)
			one.platform, one.hwsku = b.Name, l.HwSKU
			if l.Flexible && !l.Default {
				l.Flexible = false // as it is, or it is another one
			}
			for i := range l.Ports {
				if c, ok := one.sonicCage(p, &l, &l.Ports[i], rates); ok {
					one.cages = append(one.cages, c)
				}
			}
			all = append(all, one)
		}
	}
	return all
}

// boxOf returns a box around a chip, without cages.
func boxOf(chip *chips.Chip, title string) box {
	return box{chip: chip.Name, title: title, most: chip.MaxPorts.Or(1 << 20), capacity: chip.Capacity.Or(1 << 62), lane: chip.LaneRate.Or(1 << 50)}
}

// rates returns the rates of Ethernet that a port of RDMA may have.
func rates() []units.BitRate {
	return []units.BitRate{25 * units.Gbps, 40 * units.Gbps, 50 * units.Gbps, 100 * units.Gbps, 200 * units.Gbps, 400 * units.Gbps, 800 * units.Gbps}
}

// sonicCage returns a row of a port_config.ini: the port that it is, and, where the HwSKU lets the configuration
// break cages out, those that it may be.
func (b *box) sonicCage(p *chips.Platform, l *chips.Layout, row *chips.BoxPort, rates []units.BitRate) (c cage, ok bool) {
	if row.Speed != 0 && row.Speed < 25*units.Gbps {
		return c, false // for management
	}
	for _, rate := range rates {
		if row.Speed != 0 && rate != row.Speed && !l.Flexible || rate > b.lane*units.BitRate(len(row.Lanes)) {
			continue
		}
		for _, parts := range []int{1, 2, 4, 8} {
			if m, ok := sonicMode(p, l, row, parts, rate, b.lane); ok {
				c.modes = append(c.modes, m)
			}
		}
	}
	return c, len(c.modes) > 0
}

func sonicMode(p *chips.Platform, l *chips.Layout, row *chips.BoxPort, parts int, rate, lane units.BitRate) (m mode, ok bool) {
	use := chips.Use{Ports: parts, Speed: rate}
	if !l.Flexible {
		use.Lanes = len(row.Lanes)
	}
	at, err := p.Place(row.Name, use)
	if err != nil || l.Flexible && at.Parent != row.Name || rate > lane*units.BitRate(len(at.Lanes)) {
		return m, false // the cage is that of another row, or its lanes are too few
	}
	m = mode{rate: rate, ports: []string{row.Name}}
	if parts > 1 {
		m.breakout = fmt.Sprintf("%dx%s", parts, rate.PortSpeed())
	}
	if !l.Flexible {
		return m, true
	}
	number := 0
	if _, err := fmt.Sscanf(row.Name, "Ethernet%d", &number); err != nil {
		return m, parts == 1
	}
	for k := 1; k < parts; k++ {
		name := fmt.Sprintf("Ethernet%d", number+k*len(at.Lanes))
		if _, err := p.Place(name, use); err != nil {
			return m, false
		}
		m.ports = append(m.ports, name)
	}
	return m, true
}

// A numbering is a system's scheme of names for the ports of cages that count from 1 or 0.
type numbering struct {
	system string
	port   func(cage, part, parts, lanes int) string // cage and part from 0, lanes of a cage
	models map[string]model                          // by chip
	any    bool                                      // runs on chips without a model too
}

// A model is a box as its vendor calls it.
type model struct {
	name         string
	cages, lanes int
	cage         units.BitRate // of all lanes together
}

// numberings returns the numberings of the systems that name no HwSKU. Names: Arista EOS user manual, Ethernet Ports
// (cage/lane); Junos Evolved, channelized interfaces (et-FPC/PIC/PORT:CHANNEL); NVUE, breakout (swpNsM); SR Linux,
// breakout ports (ethernet-SLOT/PORT/BREAKOUT). Models: the vendors' data sheets; that Cumulus Linux 5 runs on
// Spectrum alone, its hardware compatibility list.
func numberings() []numbering {
	cumulus := func(cage, part, parts, _ int) string {
		if parts == 1 {
			return fmt.Sprintf("swp%d", cage+1)
		}
		return fmt.Sprintf("swp%ds%d", cage+1, part)
	}
	arista := func(cage, part, parts, lanes int) string {
		return fmt.Sprintf("Ethernet%d/%d", cage+1, part*lanes/parts+1)
	}
	junos := func(cage, part, parts, _ int) string {
		if parts == 1 {
			return fmt.Sprintf("et-0/0/%d", cage)
		}
		return fmt.Sprintf("et-0/0/%d:%d", cage, part)
	}
	srlinux := func(cage, part, parts, _ int) string {
		if parts == 1 {
			return fmt.Sprintf("ethernet-1/%d", cage+1)
		}
		return fmt.Sprintf("ethernet-1/%d/%d", cage+1, part+1)
	}
	const g = units.Gbps
	return []numbering{
		{"eos", arista, map[string]model{
			"tomahawk5": {"Arista 7060X6-64PE", 64, 8, 800 * g}, "tomahawk4": {"Arista 7060DX5-64S", 64, 8, 400 * g}, "tomahawk3": {"Arista 7060DX4-32", 32, 8, 400 * g},
			"tomahawk2": {"Arista 7260CX3-64", 64, 4, 100 * g}, "tomahawk": {"Arista 7060CX-32S", 32, 4, 100 * g},
			"trident4-x11": {"Arista 7050DX4-32S", 32, 8, 400 * g}, "trident3": {"Arista 7050CX3-32S", 32, 4, 100 * g},
		}, false},
		{"openconfig", arista, nil, true},
		{"cumulus", cumulus, map[string]model{
			"spectrum1": {"NVIDIA SN2700", 32, 4, 100 * g}, "spectrum2": {"NVIDIA SN3700", 32, 4, 200 * g}, "spectrum3": {"NVIDIA SN4700", 32, 8, 400 * g}, "spectrum4": {"NVIDIA SN5600", 64, 8, 800 * g},
		}, false},
		{"junos", junos, map[string]model{
			"tomahawk5": {"Juniper QFX5240-64OD", 64, 8, 800 * g}, "tomahawk4": {"Juniper QFX5230-64CD", 64, 8, 400 * g}, "tomahawk3": {"Juniper QFX5220-32CD", 32, 8, 400 * g}, "trident4-x11": {"Juniper QFX5130-32CD", 32, 8, 400 * g},
		}, false},
		{"srlinux", srlinux, map[string]model{
			"tomahawk5": {"Nokia 7220 IXR-H5", 64, 8, 800 * g}, "tomahawk4": {"Nokia 7220 IXR-H4", 64, 8, 400 * g}, "trident4-x11": {"Nokia 7220 IXR-D5", 32, 8, 400 * g},
		}, false},
	}
}

// numbered returns the box of a chip under a system that names no HwSKU.
func (w *Wish) numbered(chip *chips.Chip) ([]box, error) {
	all := numberings()
	i := slices.IndexFunc(all, func(n numbering) bool { return n.system == w.OS })
	if i < 0 {
		return nil, fmt.Errorf("there is no operating system %q: want sonic, eos, cumulus, junos, srlinux or openconfig", w.OS)
	}
	n := all[i]
	m, ok := n.models[chip.Name]
	if !ok && n.any {
		m, ok = modelOf(chip)
	}
	if !ok {
		var known []string
		for c, m := range n.models {
			known = append(known, c+" ("+m.name+")")
		}
		slices.Sort(known)
		return nil, fmt.Errorf("no box with the chip %s is known to run %s: there are %s", chip.Name, w.OS, strings.Join(known, ", "))
	}
	b := boxOf(chip, m.name)
	for k := range m.cages {
		var c cage
		for _, rate := range rates() {
			for parts := m.lanes; parts >= 1; parts /= 2 {
				if m.cage/units.BitRate(parts) >= rate {
					one := mode{rate: rate}
					for part := range parts {
						one.ports = append(one.ports, n.port(k, part, parts, m.lanes))
					}
					c.modes = append(c.modes, one)
					break
				}
			}
		}
		b.cages = append(b.cages, c)
	}
	return []box{b}, nil
}

// modelOf returns a box with all of a chip's capacity in cages of eight lanes, or of four where lanes have 25G:
// QSFP28 has four, OSFP and QSFP-DD have eight.
func modelOf(chip *chips.Chip) (model, bool) {
	capacity, lane := chip.Capacity.Or(0), chip.LaneRate.Or(0)
	if capacity == 0 || lane == 0 {
		return model{}, false
	}
	m := model{name: "a box", lanes: 8}
	if lane < 50*units.Gbps {
		m.lanes = 4
	}
	m.cage = lane * units.BitRate(m.lanes)
	m.cages = int(capacity / m.cage)
	return m, true
}
