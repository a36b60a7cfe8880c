package adopt

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Choice names the chip of devices whose files do not: Devices is a pattern as of path.Match,
// empty for all.
type Choice struct {
	Devices string
	Chip    *chips.Chip
}

// blocksOf joins shapes that differ in lengths of cables alone, and finds their chips.
func (im *importer) blocksOf() {
	known := map[string]*block{}
	for _, s := range im.shapes {
		if len(s.Said.Ports) == 0 {
			continue
		}
		chip := im.chipOf(s)
		key := looseKey(s, chip) + im.pins[s].key()
		b := known[key]
		if b == nil {
			b = &block{shape: s, chip: chip, role: s.Said.Role}
			known[key] = b
			im.blocks = append(im.blocks, b)
		}
		b.shapes = append(b.shapes, s)
	}
	taken := map[string]bool{}
	for _, b := range im.blocks {
		if len(b.shapes) > 1 {
			all := *b.shape
			all.Names = nil
			for _, s := range b.shapes {
				all.Names = append(all.Names, s.Names...)
			}
			slices.SortFunc(all.Names, natural.Compare)
			b.shape = &all
		}
		b.setLabel(taken)
		if b.chip == nil {
			b.chipHole = variableName(b.ref() + "_chip")
		}
	}
}

// chipOf finds the chip by what the caller says, or else by platform and HwSKU.
func (im *importer) chipOf(s *Shape) *chips.Chip {
	for _, c := range im.Chips {
		for _, name := range s.Names {
			if ok, err := path.Match(c.Devices, name); c.Devices == "" || ok && err == nil {
				return c.Chip
			}
		}
	}
	chip, _ := im.Catalogue.ChipOf(s.Said.Platform, s.Said.HwSKU)
	return chip
}

// looseKey is equal for switches that one block can describe.
func looseKey(s *Shape, chip *chips.Chip) string {
	var b strings.Builder
	sw := s.Said
	name := ""
	if chip != nil {
		name = chip.Name
	}
	fmt.Fprintln(&b, name, sw.OS, s.Also, sw.Platform, sw.HwSKU, sw.Role, sw.BufferModel)
	for i := range sw.Ports {
		p := &sw.Ports[i]
		fmt.Fprintln(&b, p.Name, int64(p.Speed), perCage(p), lossless(p), untrusted(p), p.Peer, p.Alias, p.Lanes, int64(p.MTU))
	}
	return b.String()
}

func lossless(p *plan.Port) bool { return p.QoS != nil && p.QoS.PFC != 0 }

func untrusted(p *plan.Port) bool { return p.QoS != nil && p.QoS.Trust == plan.TrustNone }

// marks reports whether a file says how untrusted ports classify packets. Without that, a fabric cannot have such ports.
func (im *importer) marks() bool {
	return slices.ContainsFunc(im.shapes, func(s *Shape) bool { return s.Said.Marking != nil })
}

var cageMode = regexp.MustCompile(`^([0-9]+)x`)

// perCage is how many ports share a cage by its mode, 0 where it is not split.
func perCage(p *plan.Port) int {
	m := cageMode.FindStringSubmatch(p.Cage.Mode)
	if m == nil {
		return 0
	}
	if n, err := strconv.Atoi(m[1]); err == nil && n > 1 {
		return n
	}
	return 0
}

// mostLengths is how many lengths ports that are alike otherwise may have before the table of
// cables says them.
const mostLengths = 3

// groupPorts divides the ports of a block.
func (im *importer) groupPorts(b *block) {
	b.groups = nil
	var order []groupKey
	members := map[groupKey][]*plan.Port{}
	own := b.shape.Said.OwnQueues()
	for i := range b.shape.Said.Ports {
		p := &b.shape.Said.Ports[i]
		key := groupKey{speed: im.speed(b, p), lossless: lossless(p) || b.shape.Format.Silent != "", marking: untrusted(p) && im.marks(), breakout: perCage(p)}
		if key.speed == 0 {
			key.lanes = len(p.Lanes)
		}
		key.sentBack = key.lossless && im.passesBack(p)
		key.routed = p.Routed && b.shape.As.Name == "eos"
		key.to, key.nic = im.peer(b, p)
		if im.rooms {
			key.headroom = headroomOf(p)
		}
		if mtu := carried(b.shape.Format.Name, p.MTU); im.mtus && mtu != im.mtu {
			key.mtu = mtu
		}
		if im.unlike[p] {
			key.curves = curvesText(p)
		}
		if own {
			key.ownQueues, key.leave = true, *b.shape.Said.QueuesOf(p.QoS)
		}
		if members[key] == nil {
			order = append(order, key)
		}
		members[key] = append(members[key], p)
	}
	for _, key := range order {
		b.groups = append(b.groups, im.byLength(b, key, members[key])...)
	}
	im.nameGroups(b)
}

// byLength divides ports once more by the lengths of their cables, unless these are many, or
// differ between devices: then the table of cables says them.
func (im *importer) byLength(b *block, key groupKey, ports []*plan.Port) (groups []*group) {
	lengths := map[units.Length][]*plan.Port{}
	var order []units.Length
	table := false
	for _, p := range ports {
		length, same := im.length(b, p)
		table = table || !same
		if lengths[length] == nil {
			order = append(order, length)
		}
		lengths[length] = append(lengths[length], p)
	}
	if table || len(order) > mostLengths {
		return []*group{{groupKey: key, block: b, ports: ports, medium: ports[0].Medium, rows: true}}
	}
	for _, length := range order {
		ports := lengths[length]
		groups = append(groups, &group{groupKey: key, block: b, ports: ports, medium: ports[0].Medium, cable: length, rows: length == 0 && key.lossless})
	}
	return groups
}

// length is that of the cable at a port of a block, 0 where it is not known; same is false
// where devices of the block have different ones.
func (im *importer) length(b *block, p *plan.Port) (length units.Length, same bool) {
	at := func(device string) units.Length { return im.lengthAt(plan.LinkEnd{Switch: device, Port: p.Name}) }
	length = at(b.shape.Names[0])
	return length, !slices.ContainsFunc(b.shape.Names, func(device string) bool { return at(device) != length })
}

// speed is that of a port, or of what it is connected to, or that which its HwSKU gives it: a port of SONiC without a
// speed keeps what the HwSKU's files for the chip say. 0: not known.
func (im *importer) speed(b *block, p *plan.Port) units.BitRate {
	if p.Speed > 0 {
		return p.Speed
	}
	for _, name := range b.shape.Names {
		l := im.seen[plan.LinkEnd{Switch: name, Port: p.Name}]
		if l.Speed > 0 {
			return l.Speed
		}
		if far := im.ports[l.B]; l.Inside && far != nil && far.Speed > 0 {
			return far.Speed
		}
	}
	said := b.shape.Said
	for _, layout := range im.Catalogue.Layouts(said.Platform, said.HwSKU) {
		if row, ok := layout.Port(p.Name); ok && strings.EqualFold(layout.HwSKU, said.HwSKU) {
			return row.Speed
		}
	}
	return 0
}

// peer returns the other end of a port on all devices of a block: a block, or a NIC that the description
// names.
func (im *importer) peer(b *block, p *plan.Port) (to *block, nic string) {
	for i, name := range b.shape.Names {
		l := im.seen[plan.LinkEnd{Switch: name, Port: p.Name}]
		var here *block
		if l.Inside {
			here = im.blockOf[l.B.Switch]
		}
		if i == 0 {
			to = here
		} else if to != here {
			return nil, ""
		}
	}
	if to != nil || p.Peer == "" {
		return to, ""
	}
	if i := slices.IndexFunc(im.blocks, func(o *block) bool { return o != b && (o.label == p.Peer || o.ref() == p.Peer) }); i >= 0 {
		return im.blocks[i], ""
	}
	if _, ok := im.Catalogue.NIC(p.Peer); ok && isName(p.Peer) {
		return nil, p.Peer
	}
	return nil, ""
}

// headroomOf returns the headroom of the first lossless group of a port.
func headroomOf(p *plan.Port) units.Bytes {
	if g := losslessGroup(p); g != nil {
		return g.Headroom.Value
	}
	return 0
}

func losslessGroup(p *plan.Port) *plan.PG {
	if p.QoS != nil {
		for i := range p.QoS.PGs {
			if p.QoS.PGs[i].Lossless {
				return &p.QoS.PGs[i]
			}
		}
	}
	return nil
}

// nameGroups calls groups by what they lead to, or by their speed.
func (im *importer) nameGroups(b *block) {
	taken := map[string]bool{}
	for _, g := range b.groups {
		name := "ports"
		switch {
		case g.to != nil && isName(g.to.ref()):
			name = plural(g.to.ref())
		case g.nic != "":
			name = g.nic
		case !g.lossless:
			name = "lossy"
		case g.speed > 0:
			name = "ports-" + strings.ToLower(g.speed.PortSpeed())
		}
		base := name
		if taken[name] && g.cable > 0 {
			name = base + "-" + g.cable.String()
		}
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[name] = true
		g.name = name
		if g.speed == 0 {
			g.speedHole = variableName(b.ref() + "_" + g.name + "_speed")
		}
	}
}

// plural returns the name of several devices of a kind.
func plural(name string) string {
	if head, ok := strings.CutSuffix(name, "leaf"); ok {
		return head + "leaves"
	}
	return strings.TrimSuffix(name, "s") + "s"
}

// variableName makes a word that may be the name of a variable.
func variableName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, text)
	if name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

// nicsOf lists the NICs that groups name.
func nicsOf(blocks []*block) (nics []nic) {
	for _, b := range blocks {
		for _, g := range b.groups {
			if g.nic != "" && !slices.ContainsFunc(nics, func(n nic) bool { return n.name == g.nic }) {
				nics = append(nics, nic{name: g.nic})
			}
		}
	}
	stable.Sort(nics, func(a, b nic) int { return cmp.Compare(a.name, b.name) })
	return nics
}
