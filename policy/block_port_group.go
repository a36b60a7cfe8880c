package policy

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// maxPorts bounds the ports of one switch, far above any chassis.
const maxPorts = 4096

// groupDecl is a port_group block while its peer is still a name.
type groupDecl struct {
	*PortGroup
	peer      Opt[reference]
	firstLane Opt[int]
	lanesAt   diag.Range // first_lane or lane_list, whichever says the lanes
	curves    []portCurveDecl
	queues    []portQueueDecl
}

var portGroupBlock = &block[groupDecl]{
	name: "port_group", labels: []string{"NAME"},
	doc: "Ports of a switch with equal settings.",
	fields: []field[groupDecl]{
		custom("ports", "texts with ranges, `\"Ethernet[0..124/4]\"`, one or a list", "names of the ports", func(d *decoder, g *groupDecl, expr hclsyntax.Expression) (ok bool) {
			g.Ports, ok = patternsKind().decode(d, "ports", expr)
			if g.At = expr.Range(); ok && len(g.Ports) == 0 {
				d.errorf(OutOfRange, g.At, "ports: the list is empty").Fixf("name a port, or remove the group")
			}
			return ok
		}).must(),
		opt("speed", portSpeed(), func(g *groupDecl) *Opt[units.BitRate] { return &g.Speed }, "rate of each port").otherwise("that of `breakout`"),
		opt("cable", cableKind(), func(g *groupDecl) *Opt[units.Length] { return &g.Cable }, "length of the cable; a link may give it for one port"),
		opt("medium", oneOf("dac", "aoc", "fiber", "copper"), func(g *groupDecl) *Opt[string] { return &g.Medium }, "kind of cable"),
		opt("peer", referenceTo("`nic.NAME` or `switch.NAME`", "nic", "switch"), func(g *groupDecl) *Opt[reference] { return &g.peer },
			"station at the other end; a switch by its label, its role, or its label without ranges").otherwise("the other end of the links, else any station that conforms to IEEE 802.3"),
		optDefault("lossless", boolKind(), func(g *groupDecl) *Opt[bool] { return &g.Lossless }, true, "whether lossless classes run on these ports"),
		optDefault("sent_back", boolKind(), func(g *groupDecl) *Opt[bool] { return &g.SentBack }, false,
			"whether packets that a switch with a `tunnel` sends back pass these ports. The classes of `sent_back_as` are lossless on these ports alone"),
		opt("fan_in", whole(1, maxPorts), func(g *groupDecl) *Opt[int] { return &g.FanIn }, "largest number of ports that send to one of these ports at once").
			otherwise("all other ports of the switch"),
		optDefault("trust", oneOf("dscp", "marking"), func(g *groupDecl) *Opt[string] { return &g.Trust }, "dscp", "`dscp`: the port trusts the sender's DSCP; `marking`: the marking block classifies packets"),
		opt("breakout", textKind("a mode", "4x25G").where(breakoutMode), func(g *groupDecl) *Opt[string] { return &g.Breakout }, "how the cages are split").otherwise("not split"),
		opt("lanes", whole(1, 16), func(g *groupDecl) *Opt[int] { return &g.LaneCount }, "serdes lanes of each port").otherwise("by the platform"),
		opt("first_lane", whole(0, 65535), func(g *groupDecl) *Opt[int] { return &g.firstLane }, "first lane number; numbers rise port by port; needs `lanes`").otherwise("by the platform"),
		custom("lane_list", "a list of lists of numbers, one per port", "lane numbers that do not rise port by port", setLanes),
		custom("index_list", "a list of numbers, one per port", "number of each port's cage in the box, by which SONiC finds the transceiver; parts of a split cage have the same", setIndices).otherwise("by the platform"),
		custom("aliases", "texts with ranges, one or a list", "labels on the box, one for each port", func(d *decoder, g *groupDecl, expr hclsyntax.Expression) (ok bool) {
			if g.Aliases, ok = patternsKind().decode(d, "aliases", expr); ok && len(g.Ports) > 0 && len(g.Aliases) != len(g.Ports) {
				d.errorf(CountMismatch, expr.Range(), "there are %d aliases for %d ports", len(g.Aliases), len(g.Ports)).
					Fixf("write as many aliases as ports").Notef(g.At, "the ports are here")
			}
			return ok
		}),
		opt("pause_response", responseKind(), func(g *groupDecl) *Opt[units.Time] { return &g.PauseResponse }, "time in which the peer obeys a pause").
			otherwise("that of its NIC, else the formula's; for the proof, the limit of IEEE 802.3"),
		opt("gearbox", timeKind(), func(g *groupDecl) *Opt[units.Time] { return &g.Gearbox }, "delay of a gearbox or retimer between chip and cage").otherwise("none"),
		pinField("fec", "fec", "forward error correction; `device`: the device's default", pinKind(plan.FEC("")), ownPort).otherwise("by the rate of the lanes"),
		pinField("mtu", "mtu", "largest frame of these ports", pinKind(units.Bytes(0)), ownPort).otherwise("that of the fabric"),
		opt("headroom", bytesKind(), func(g *groupDecl) *Opt[units.Bytes] { return &g.Headroom }, "given headroom of each lossless priority group; it is checked, not computed").otherwise("derived"),
		optDefault("routed", boolKind(), func(g *groupDecl) *Opt[bool] { return &g.Routed }, false,
			"whether these ports route; EOS then has `no switchport`. A port of EOS that switches ignores its MTU"),
	},
	nested: []nested[groupDecl]{inner(portCurveBlock, false, decodePortCurve), inner(portQueueBlock, false, decodePortQueue),
		pinned(pinnedOfGroup, func(g *groupDecl, p Pinned) { g.Pinned = append(g.Pinned, p) })},
}

// portSpeed returns a rate that Ethernet has or will have, also as ports are called: "400G".
func portSpeed() kind[units.BitRate] {
	rate := quantity("a data rate", "400Gbps", units.ParsePortSpeed)
	rate.name += " or `\"400G\"`"
	return between(rate.where(positive), 10*units.Mbps, 10*units.Tbps)
}

// cableKind returns the length of a cable. None between boxes is shorter than 10 cm (assumed; the shortest that are
// sold have 50 cm): 0 m would be taken for unknown by readers of the configuration.
func cableKind() kind[units.Length] {
	return between(lengthKind(), 100*units.Millimetre, 1000*units.Kilometre)
}

// patternsKind is one text with ranges or a list of them, expanded.
//
//go:noinline
func patternsKind() kind[[]string] {
	return kind[[]string]{"texts with ranges", func(d *decoder, attr string, expr hclsyntax.Expression) ([]string, bool) {
		if _, list := expr.(*hclsyntax.TupleConsExpr); !list {
			v, ok := d.eval(expr)
			if !ok || v.IsNull() {
				return nil, false
			}
			if v.Type() == cty.String {
				return d.expandText(attr, expr, v.AsString())
			}
		}
		parts, ok := d.elements(attr, expr, "texts with ranges")
		if !ok {
			return nil, false
		}
		var names []string
		for _, part := range parts {
			text, fine := textKind("a name or range", "Ethernet[0..124/4]").decode(d, attr, part)
			if ok = ok && fine; !fine {
				continue
			}
			more, fine := d.expandText(attr, part, text)
			if ok = ok && fine; len(names)+len(more) > maxNames {
				d.report(attr, part, tooMany(text, len(names)+len(more)))
				return nil, false
			}
			names = append(names, more...)
		}
		return names, ok
	}}
}

// expandText expands a pattern once for all instances; the result is shared and must
// not be written to.
func (d *decoder) expandText(attr string, expr hclsyntax.Expression, text string) ([]string, bool) {
	if names, ok := d.patterns[text]; ok {
		return names, true
	}
	names, p := expand(text)
	if p != nil {
		d.report(attr, expr, p)
		return nil, false
	}
	d.patterns[text] = names
	return names, true
}

var breakoutText = regexp.MustCompile(`^([1-9][0-9]?)x([1-9][0-9]{0,3})G$`)

// nearlyBreakout is a mode in other signs, without its unit, or backwards.
var nearlyBreakout = regexp.MustCompile(`^ *(?:([1-9][0-9]?) *(?:[xX*×-]|by) *([1-9][0-9]{1,3}) *(?i:g[a-z/]*)?|([1-9][0-9]{1,3})G? *[xX*×] *([1-9]))$`)

func breakoutMode(text string) *problem {
	if breakoutText.MatchString("1x" + text) {
		return problemf(UnknownValue, "%q is a speed, not a breakout mode", clip(text)).fixf("write speed = %q where the cage is not split, else the number of ports, such as \"2x%s\"", text, text)
	}
	if !breakoutText.MatchString(text) {
		wrong := problemf(UnknownValue, "%q is not a breakout mode", clip(text)).fixf(`write it like "4x25G": four ports of 25 Gb/s`)
		if m := nearlyBreakout.FindStringSubmatch(text); m != nil {
			return wrong.meant(m[1] + m[4] + "x" + m[2] + m[3] + "G")
		}
		return wrong
	}
	return nil
}

// breakoutSpeed returns the rate of one port of a mode that breakoutMode admits.
func breakoutSpeed(mode string) units.BitRate {
	gbps, _ := strconv.Atoi(breakoutText.FindStringSubmatch(mode)[2])
	return units.BitRate(gbps) * units.Gbps
}

// breakoutPorts returns the number of ports of a mode, 0 where there is none.
func breakoutPorts(mode string) (ports int) {
	if mode != "" {
		ports, _ = strconv.Atoi(breakoutText.FindStringSubmatch(mode)[1])
	}
	return ports
}

func setLanes(d *decoder, g *groupDecl, expr hclsyntax.Expression) (ok bool) {
	lane := whole(0, 65535)
	of := listOf("a list of lane numbers", lane)
	if g.Lanes, ok = listOf("a list of lists of lane numbers", of).decode(d, "lane_list", expr); !ok {
		return false
	}
	g.lanesAt = expr.Range()
	if len(g.Ports) > 0 && len(g.Lanes) != len(g.Ports) {
		d.errorf(CountMismatch, expr.Range(), "there are %d lists of lanes for %d ports", len(g.Lanes), len(g.Ports)).
			Fixf("write one list per port").Notef(g.At, "the ports are here")
	}
	return true
}

func setIndices(d *decoder, g *groupDecl, expr hclsyntax.Expression) (ok bool) {
	g.Indices, ok = listOf("a list of numbers", whole(0, maxPorts)).decode(d, "index_list", expr)
	if ok && len(g.Ports) > 0 && len(g.Indices) != len(g.Ports) {
		d.errorf(CountMismatch, expr.Range(), "there are %d numbers for %d ports", len(g.Indices), len(g.Ports)).
			Fixf("write one number per port").Notef(g.At, "the ports are here")
	}
	return ok
}

func decodePortGroup(d *decoder, b *hclsyntax.Block) *groupDecl {
	g := &groupDecl{PortGroup: &PortGroup{Name: b.Labels[0], Range: labelRange(b)}}
	portGroupBlock.decode(d, b.Body, g.Range, g)
	d.checkLabel(b)
	for _, p := range g.Ports {
		if problem := safePort(p); problem != nil {
			d.errorf(problem.code, g.At, "ports: %s", problem.message).Repaired(problem.repair)
			break
		}
	}
	if g.Breakout.Set {
		speed := breakoutSpeed(g.Breakout.Value)
		if g.Speed.Set && g.Speed.Value != speed {
			d.errorf(BreakoutSpeed, g.Speed.Range, "a port of breakout %s has %v, not %v", g.Breakout.Value, speed, g.Speed.Value).
				Fixf("write speed = %q, or leave it out", speed).Notef(g.Breakout.Range, "breakout is here")
		}
		if !g.Speed.Set {
			g.Speed = Opt[units.BitRate]{speed, true, g.Breakout.Range}
		}
	}
	if n := g.LaneCount.Value; g.LaneCount.Set && n > 4 && g.Speed.Set && g.Speed.Value < units.BitRate(n)*10*units.Gbps {
		d.errorf(OutOfRange, g.LaneCount.Range, "lanes: %v on %d lanes are less than 10Gbps each, and only ports of up to 4 lanes have slower ones", g.Speed.Value, n).
			Fixf("leave it out where the platform is known, or write a smaller number")
	}
	g.demandSpeed(d)
	g.countLanes(d)
	return g
}

// demandSpeed reports a group that says its speed neither itself nor by a breakout. A wrong speed
// has been reported already.
func (g *groupDecl) demandSpeed(d *decoder) {
	if !g.Speed.Set && g.Speed.Range == g.Range && g.Breakout.Range == g.Range {
		d.errorf(AttributeMissing, g.Range, "port_group needs speed, the rate of each port, or breakout").Fixf(`add speed = "100Gbps", or breakout`)
	}
}

// countLanes numbers the lanes from first_lane on.
func (g *groupDecl) countLanes(d *decoder) {
	if !g.firstLane.Set || g.Lanes != nil {
		return
	}
	if !g.LaneCount.Set && g.LaneCount.Range != g.Range {
		return // wrong, and reported
	}
	if !g.LaneCount.Set {
		d.errorf(AttributeMissing, g.firstLane.Range, "first_lane needs lanes, the number of lanes of each port").Fixf("add lanes")
		return
	}
	next := g.firstLane.Value
	g.lanesAt = g.firstLane.Range
	for range g.Ports {
		lanes := make([]int, g.LaneCount.Value)
		for i := range lanes {
			lanes[i] = next
			next++
		}
		g.Lanes = append(g.Lanes, lanes)
	}
}

// channel matches the suffix of Junos for a port of a cage that is split: et-0/0/1:3.
var channel = regexp.MustCompile(`:[0-9]{1,2}$`)

// safePort reports whether a port may have the name: characters of interface names only, and none
// that could end a line or a key of a configuration.
func safePort(name string) *problem {
	if strings.Contains(name, ":") {
		name = channel.ReplaceAllString(name, "")
	}
	fine := len(name) > 0 && len(name) <= 64 && name[0] != '/' && name[0] != ':'
	for _, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c)
		fine = fine && (letter || c == '/' || c == '.' || c == '_' || c == '-')
	}
	if fine {
		return nil
	}
	wrong := problemf(BadName, "%q is not a port name", clip(name))
	if strings.ContainsAny(name, ", ") {
		return wrong.fixf(`write several as a list: ["Ethernet[1..4]/1", "Ethernet9/1"]`)
	}
	return wrong.fixf("use letters, digits, '/', '.', '_' and '-', as in Ethernet1/1")
}
