package policy

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// checkPhysics refuses what no box can be: ports that are faster together than the chip,
// more of them than it has, cages that hold more than they have lanes for, links to NICs
// of another speed, cables that are longer than their kind reaches.
func (s *switchDecl) checkPhysics(d *decoder) {
	total := 0
	for _, g := range s.groups {
		total += len(g.Ports)
	}
	if s.Chip != nil && total <= maxPorts { // more are reported already
		s.checkCapacity(d)
		s.checkCages(d)
	}
	for _, g := range s.groups {
		g.checkReach(d, s.Chip)
	}
}

// Boxes have one to four slow ports for management that their chip's capacity does not count
// (sonic-buildimage, port_config.ini: two of 10G with 32 of 100G on Trident 3, two of 25G with 64
// of 800G on Tomahawk 5, one of 100G and one of 1G on Tomahawk 6): none of them faster than
// managementRate or than one part of the capacity.
const (
	managementPorts = 4
	managementPart  = 256
	managementRate  = 100 * units.Gbps
)

// management counts the ports of each group that the capacity leaves out: the slowest of a
// switch that has faster ones.
func (s *switchDecl) management(capacity units.BitRate) map[*groupDecl]int {
	var fastest units.BitRate
	groups := slices.Clone(s.groups)
	for _, g := range groups {
		fastest = max(fastest, g.Speed.Value)
	}
	stable.Sort(groups, func(a, b *groupDecl) int { return cmp.Compare(a.Speed.Value, b.Speed.Value) })
	left, beside := managementPorts, map[*groupDecl]int{}
	most := min(managementRate, capacity/managementPart)
	for _, g := range groups {
		for left > 0 && beside[g] < len(g.Ports) && g.Speed.Value < fastest && g.Speed.Value <= most {
			left--
			beside[g]++
		}
	}
	return beside
}

// checkCapacity adds the ports up. A box of several chips has the sum of theirs.
func (s *switchDecl) checkCapacity(d *decoder) {
	capacity, unknown := s.Chip.Capacity.Get()
	boxes := units.BitRate(s.chipsInBox(d))
	var sum units.BitRate
	ports, beside := 0, s.management(capacity*boxes)
	for _, g := range s.groups {
		counted := len(g.Ports) - beside[g]
		ports += counted
		sum += g.Speed.Value * units.BitRate(counted)
		if unknown == nil && sum > capacity*boxes {
			fix := "leave out ports, or take a faster chip"
			if fit := (capacity*boxes - sum + g.Speed.Value*units.BitRate(counted)) / g.Speed.Value; fit > 0 {
				fix = fmt.Sprintf("use at most %d of these ports, or a faster chip", fit)
			}
			s.physical(d.errorf(ChipCapacity, g.At, "with these the ports have %v together, and %s has %v", sum, s.Chip.Title, capacity*boxes)).
				Fixf("%s", fix).Notef(s.ChipAt, "the chip is here: %s", s.Chip.Capacity.Fact().Source)
			return
		}
		if most := s.Chip.MaxPorts; most.Fact() != nil && most.Fact().Confidence >= chips.Published && ports > most.Or(0)*int(boxes)+managementPorts {
			s.physical(d.errorf(ChipCapacity, g.At, "with these there are %d ports, and %s can have %d", ports, s.Chip.Title, most.Or(0)*int(boxes))).
				Fixf("use wider ports").Notef(s.ChipAt, "the chip is here: %s", most.Fact().Source)
			return
		}
	}
}

// chipsInBox returns the number of chips of the box that the switch is, 1 where it is not known.
func (s *switchDecl) chipsInBox(d *decoder) int {
	if d.catalogue == nil {
		return 1
	}
	return d.catalogue.ChipsIn(s.Platform.Value, s.HwSKU.Value)
}

// A cagePort is a port that is part of a cage.
type cagePort struct {
	port string
	lane int // its first, from 0; -1 where its name does not have it
	g    *groupDecl
}

// Names with the cage: those of EOS, Ethernet1/5, count lanes from 1; those of Cumulus, swp1s1,
// parts from 0.
var (
	eosPart     = regexp.MustCompile(`^(Ethernet[0-9]+(?:/[0-9]+)*)/([0-9]{1,2})$`)
	cumulusPart = regexp.MustCompile(`^(swp[0-9]+)s([0-7])$`)
)

// mostLanes is the largest number of lanes of a cage: QSFP-DD and OSFP have eight.
const mostLanes = 8

// checkCages adds up what shares a cage, where the names of the ports show it: a cage can do what
// the widest port of the chip does. Names of SONiC are checked against the box.
func (s *switchDecl) checkCages(d *decoder) {
	cages := map[string][]cagePort{}
	var order []string
	for _, g := range s.groups {
		if g.Places != nil || !g.Speed.Set {
			continue
		}
		for _, port := range g.Ports {
			cage, lane, ok := cageOfName(s.OS.Value, port)
			if !ok {
				continue
			}
			if cages[cage] == nil {
				order = append(order, cage)
			}
			cages[cage] = append(cages[cage], cagePort{port, lane, g})
		}
	}
	for _, cage := range order {
		if !s.checkCage(d, cage, cages[cage]) {
			return // others of the same group would be wrong likewise
		}
	}
}

// cageOfName splits the name of a part of a cage. Other systems may count ports of a line
// card where EOS counts lanes.
func cageOfName(os, port string) (cage string, lane int, ok bool) {
	if m := eosPart.FindStringSubmatch(port); m != nil && os == "eos" {
		n, _ := strconv.Atoi(m[2])
		return m[1], n - 1, true
	}
	if m := cumulusPart.FindStringSubmatch(port); m != nil {
		return m[1], -1, true
	}
	return "", 0, false
}

// checkCage looks at the ports of one cage, and reports whether they fit.
func (s *switchDecl) checkCage(d *decoder, cage string, ports []cagePort) bool {
	if slices.ContainsFunc(ports, func(p cagePort) bool { return p.lane >= mostLanes }) {
		return true // the second number counts ports of a line card, not lanes
	}
	speeds := s.Chip.PortSpeeds.Or(nil)
	if len(speeds) == 0 {
		return true
	}
	widest, sum := speeds[len(speeds)-1], units.BitRate(0)
	stable.Sort(ports, func(a, b cagePort) int { return a.lane - b.lane })
	for _, p := range ports {
		if sum += p.g.Speed.Value; sum > widest && len(ports) > 1 {
			s.physical(d.errorf(CageLanes, p.g.At, "the ports %s to %s have %v together, and a cage of %s has at most %v", cage, p.port, sum, s.Chip.Title, widest)).
				Fixf("split a cage into fewer or slower ports").Notef(s.ChipAt, "the chip is here: its widest port")
			return false
		}
	}
	rate, unknown := s.Chip.LaneRate.Get()
	for i, p := range ports[:max(len(ports)-1, 0)] {
		if room := ports[i+1].lane - p.lane; unknown == nil && room > 0 && p.g.Speed.Value > rate*units.BitRate(room) {
			s.physical(d.errorf(CageLanes, p.g.At, "%s has %s before %s, and %v needs %d of %v", p.port, natural.Count(room, "lane", "lanes"), ports[i+1].port, p.g.Speed.Value, lanesFor(p.g.Speed.Value, rate), rate)).
				Fixf("name a part of a cage by its first lane: Ethernet1/1 and Ethernet1/5 have four each").
				Notef(s.ChipAt, "the chip is here: %s", s.Chip.LaneRate.Fact().Source)
			return false
		}
	}
	return true
}

// lanesFor returns the number of lanes of a rate that a port needs.
func lanesFor(speed, rate units.BitRate) int { return int((speed + rate - 1) / rate) }

// fastestPairs is the fastest Ethernet over twisted pairs.
const fastestPairs = 40 * units.Gbps

// Twisted pairs.
var twistedPairs = []chips.Reach{
	{Lane: 10 * units.Gbps, Length: 100 * units.Metre, Source: "10GBASE-T, IEEE 802.3 clause 55: 100 m"},
	{Lane: 40 * units.Gbps, Length: 30 * units.Metre, Source: "25GBASE-T and 40GBASE-T, IEEE 802.3 clause 113: 30 m"},
}

// longestAOC is the longest active optical cable that is sold: 100 m with parallel
// multimode fibre at 100G and above (NVIDIA, MFA1A00 and MFS1S00 cables), 300 m at 10G.
const longestAOC = 300 * units.Metre

// checkReach checks the cables of a group against what their kind reaches.
func (g *groupDecl) checkReach(d *decoder, chip *chips.Chip) {
	if !g.Medium.Set || !g.Speed.Set || !g.Cable.Set {
		return
	}
	switch g.Medium.Value {
	case "dac":
		g.checkTwinax(d, chip)
	case "aoc":
		if g.Cable.Value > longestAOC {
			d.errorf(CableReach, g.Cable.Range, "an active optical cable of %v is too long: the longest on sale have %v", g.Cable.Value, longestAOC).
				Fixf("write medium = fiber").Notef(g.Medium.Range, "the medium is here")
		}
	case "copper": // twisted pairs where there are such, else twinax
		if g.Speed.Value > fastestPairs {
			g.checkTwinax(d, chip)
			return
		}
		g.checkTwistedPairs(d)
	}
}

func (g *groupDecl) checkTwinax(d *decoder, chip *chips.Chip) {
	if longest := chips.Twinax()[0]; g.Cable.Value > longest.Length {
		d.errorf(CableReach, g.Cable.Range, "a direct-attach cable of %v is too long: none reaches further than %v", g.Cable.Value, longest.Length).
			Fixf("write medium = aoc or fiber, or a shorter cable").Notef(g.Medium.Range, "the medium is here: %s", longest.Source)
		return
	}
	lanes := g.LaneCount.Value
	if rate, err := g.laneRate(chip); lanes == 0 && err == nil {
		lanes = lanesFor(g.Speed.Value, rate)
	}
	if lanes == 0 {
		return
	}
	rate := g.Speed.Value / units.BitRate(lanes)
	r, known := chips.TwinaxAt(rate)
	if over := r.Length * 3 / 2; known && g.Cable.Value > over {
		d.diags.Warnf(CableReach, g.Cable.Range, "a direct-attach cable of %v is longer than 1.5 times the reach that the standard specifies at %v in %d lanes", g.Cable.Value, g.Speed.Value, lanes).
			Fixf("write medium = aoc, or have the cables tested").Notef(g.Medium.Range, "%s", r.Source)
	}
}

// laneRate returns the fastest lane that both ends can be taken to have.
func (g *groupDecl) laneRate(chip *chips.Chip) (units.BitRate, error) {
	if chip == nil {
		return 0, &chips.Unknown{}
	}
	return chip.LaneRate.Get()
}

func (g *groupDecl) checkTwistedPairs(d *decoder) {
	for _, r := range twistedPairs {
		if g.Speed.Value > r.Lane {
			continue
		}
		if g.Cable.Value > r.Length {
			d.errorf(CableReach, g.Cable.Range, "twisted pairs of %v are too long for %v: they reach %v", g.Cable.Value, g.Speed.Value, r.Length).
				Fixf("write medium = fiber, or a shorter cable").Notef(g.Medium.Range, "%s", r.Source)
		}
		return
	}
}

// checkNICSpeeds demands that a port has a rate that the NIC at its other end has.
func checkNICSpeeds(d *decoder, f *Fabric) {
	for _, sw := range f.Switches {
		for _, g := range sw.Groups {
			if g.PeerNIC == nil || !g.Speed.Set || d.catalogue == nil {
				continue
			}
			model, ok := d.catalogue.NIC(g.PeerNIC.Model.Value)
			if !ok {
				continue
			}
			speeds, err := model.PortSpeeds.Get()
			if err != nil || slices.Contains(speeds, g.Speed.Value) {
				continue
			}
			at := g.Speed.Range
			if at == (diag.Range{}) {
				at = g.Range
			}
			fix := fmt.Sprintf("write %s, which it has", enumerate(rateWords(speeds)))
			if other := d.nicOf(g.Speed.Value, g.PeerNIC.Model.Value); other != "" {
				fix += fmt.Sprintf("; model = %q has such ports", other)
			}
			note, card := fmt.Sprint("the model is here: ", model.PortSpeeds.Fact().Source), g.PeerNIC.Model.Range
			if f.modelIsOdd(g, speeds) {
				at, card, note = card, at, "the port is here"
			}
			d.errorf(NICSpeed, at, "nic %s is %s, which has no ports of %v", g.PeerNIC.Name, model.Title, g.Speed.Value).
				Fixf("%s", fix).Notef(card, "%s", note)
		}
	}
}

// checkNICCables warns of cables to NICs that are longer than three times all between switches (assumed): a wrong unit, more likely.
func checkNICCables(d *decoder, f *Fabric) {
	var longest units.Length
	for _, sw := range f.Switches {
		for _, g := range sw.Groups {
			if g.PeerNIC == nil {
				longest = max(longest, g.Cable.Value)
			}
		}
	}
	told := map[diag.Range]bool{}
	for _, sw := range f.Switches {
		for _, g := range sw.Groups {
			if g.PeerNIC != nil && longest > 0 && g.Cable.Value > max(3*longest, longCable) && !told[g.Cable.Range] &&
				!slices.ContainsFunc(d.diags, func(x diag.Diagnostic) bool { return x.Subject == g.Cable.Range }) {
				told[g.Cable.Range] = true
				d.diags.Warnf(CableReach, g.Cable.Range, "cables to nic %s have %v, and no cable between switches has more than %v", g.PeerNIC.Name, g.Cable.Value, longest).
					Fixf("write their length in metres")
			}
		}
	}
}

// longCable is more than cables to hosts have: transceivers for rows of racks reach 500 m (IEEE 802.3, clause 124, DR).
const longCable = 500 * units.Metre

var modelNumber = regexp.MustCompile("[0-9]+$")

// modelIsOdd reports whether a NIC that does not have the speed of a port more likely has the wrong model than the port
// the wrong speed: the NIC's name has another number, or it has none, the NIC is slower, and other port groups have the speed too.
func (f *Fabric) modelIsOdd(g *PortGroup, speeds []units.BitRate) bool {
	name, model := modelNumber.FindString(g.PeerNIC.Name), modelNumber.FindString(g.PeerNIC.Model.Value)
	if name != "" && model != "" {
		return name != model
	}
	others := 0
	for _, sw := range f.Switches {
		for _, other := range sw.Groups {
			if other != g && other.Speed.Value == g.Speed.Value {
				others++
			}
		}
	}
	return others > 0 && g.Speed.Value > slices.Max(speeds)
}

// nicOf returns a model with ports of a speed whose name begins as that of another one; empty where there is none.
func (d *decoder) nicOf(speed units.BitRate, as string) string {
	series, _, _ := strings.Cut(as, "-")
	for _, n := range d.catalogue.NICs() {
		if strings.HasPrefix(n.Name, series) && slices.Contains(n.PortSpeeds.Or(nil), speed) {
			return n.Name
		}
	}
	return ""
}

func rateWords(speeds []units.BitRate) []string {
	words := make([]string, len(speeds))
	for i, v := range speeds {
		words[i] = v.String()
	}
	return words
}
