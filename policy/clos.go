package policy

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/units"
)

// closDecl is one instance of a clos block.
type closDecl struct {
	lower, upper           Opt[tier]
	lowerPorts, upperPorts Opt[string]
	cable                  Opt[units.Length]
	perPair                Opt[int]
}

// A tier is the switches on one side: by reference, or by their names.
type tier struct {
	ref   reference
	names []string
}

var closBlock = &block[closDecl]{
	example: closExample,
	name:    "clos", labels: []string{"NAME"},
	doc: "Links of every lower switch to every upper switch. Switches have the natural order of their names, ports the order of " +
		"their group. With *n* links per pair, lower switch *i* reaches upper switch *j* from its ports *j·n …* to the ports *i·n …* there. " +
		"Two blocks make three stages; names with ranges select a pod or a plane.",
	fields: []field[closDecl]{
		forEachField[closDecl](),
		countField[closDecl](),
		opt("lower", tierKind(), func(c *closDecl) *Opt[tier] { return &c.lower }, "switches of the lower tier").must(),
		opt("upper", tierKind(), func(c *closDecl) *Opt[tier] { return &c.upper }, "switches of the upper tier").must(),
		opt("lower_ports", textKind("a port group", "uplinks"), func(c *closDecl) *Opt[string] { return &c.lowerPorts }, "port group of the lower switches").must(),
		opt("upper_ports", textKind("a port group", "uplinks"), func(c *closDecl) *Opt[string] { return &c.upperPorts }, "port group of the upper switches").must(),
		opt("cable", cableKind(), func(c *closDecl) *Opt[units.Length] { return &c.cable }, "length of each cable").otherwise("`cable` of the port groups"),
		optDefault("links_per_pair", whole(1, maxPorts), func(c *closDecl) *Opt[int] { return &c.perPair }, 1, "parallel links between two switches"),
	},
}

// tierKind returns a reference to switches, or their names.
//
//go:noinline
func tierKind() kind[tier] {
	const words = "`switch.NAME`, or names with ranges, one or a list"
	return kind[tier]{words, func(d *decoder, attr string, expr hclsyntax.Expression) (tier, bool) {
		if _, list := expr.(*hclsyntax.TupleConsExpr); !list {
			v, ok := d.eval(expr)
			if !ok || v.IsNull() {
				return tier{}, false
			}
			if v.Type() != cty.String && !v.CanIterateElements() {
				ref, ok := referenceTo(words, "switch").decode(d, attr, expr)
				return tier{ref: ref}, ok
			}
		}
		names, ok := patternsKind().decode(d, attr, expr)
		return tier{names: names}, ok
	}}
}

func (w *wiring) decodeClos(d *decoder, blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		for in := range d.instances(b) {
			var c closDecl
			at := labelRange(b)
			closBlock.decode(in.decoder, b.Body, at, &c)
			if !c.lower.Set || !c.upper.Set || !c.lowerPorts.Set || !c.upperPorts.Set {
				continue
			}
			lower := w.tier(in.decoder, "lower", c.lower, c.lowerPorts)
			upper := w.tier(in.decoder, "upper", c.upper, c.upperPorts)
			if w.leads(in.decoder, lower, upper, c.lowerPorts) && w.leads(in.decoder, upper, lower, c.upperPorts) && w.enough(in.decoder, lower, upper, c.lowerPorts, c.perPair) && w.enough(in.decoder, upper, lower, c.upperPorts, c.perPair) {
				w.roomFor(upper)
				for _, p := range lower {
					w.asked[w.group(end{p.device, p.ports[0]})] = asked{c.perPair.Range, len(upper)}
				}
				w.mesh(in.decoder, lower, upper, &c, at)
			}
		}
	}
}

// A post is one switch of a tier with the ports that it may use.
type post struct {
	device int32
	ports  []int32
}

// tier finds the devices of one side and their ports. Nil when something is unknown.
func (w *wiring) tier(d *decoder, attr string, side Opt[tier], group Opt[string]) []post {
	var devices []int32
	for i, dev := range w.devices {
		if side.Value.names == nil && dev.isCalled(side.Value.ref.name) {
			devices = append(devices, int32(i))
		}
	}
	for _, name := range side.Value.names {
		dev, ok := w.byName[name]
		if !ok {
			d.errorf(UnknownSwitch, side.Range, "%s: there is no switch %q", attr, clip(name)).Repaired(renamed(name, w.someNames(), "declare it"))
			return nil
		}
		devices = append(devices, dev)
	}
	slices.Sort(devices)
	ports := map[*template][]int32{}
	var posts []post
	for _, dev := range slices.Compact(devices) {
		t := w.devices[dev].template
		if ports[t] == nil {
			if ports[t] = w.portsOfGroup(t, group.Value); ports[t] == nil {
				d.errorf(UnknownPort, group.Range, "switch %s has no port group %q", w.devices[dev].name, clip(group.Value)).
					Repaired(renamed(group.Value, t.groupNames(), "add it")).Notef(t.Range, "the switch is here")
				return nil
			}
		}
		posts = append(posts, post{dev, ports[t]})
	}
	return posts
}

func (w *wiring) portsOfGroup(t *template, name string) []int32 {
	var ports []int32
	for i, j := range w.jacks[t] {
		if t.groups[j.group].Name == name {
			ports = append(ports, int32(i))
		}
	}
	return ports
}

func (s *switchDecl) groupNames() []string {
	var names []string
	for _, g := range s.groups {
		names = append(names, g.Name)
	}
	return names
}

// enough looks whether each switch of a tier has the ports for its links to those of the other one.
func (w *wiring) enough(d *decoder, posts, others []post, group Opt[string], perPair Opt[int]) bool {
	for _, p := range posts {
		if need, has := len(others)*perPair.Value, len(p.ports); has < need {
			fix := fmt.Sprintf("give the group %d ports", need)
			if has >= len(others) {
				fix += fmt.Sprintf(", write links_per_pair = %d", has/len(others))
			}
			if has >= perPair.Value {
				fix += fmt.Sprintf(", or take %d switches at the other end", has/perPair.Value)
			}
			found := d.errorf(ClosPorts, w.short(p, others, group, perPair.Value, len(posts)), "switch %s needs %d ports for its links, and %s has %d", w.devices[p.device].name, need, group.Value, has).
				Fixf("%s", fix)
			if perPair.Set {
				found.Notef(perPair.Range, "so many links per pair are asked for")
			}
			found.Notef(w.devices[others[0].device].template.Range, "the other end is %s", natural.Count(len(others), "switch", "switches")).
				Notef(w.group(end{p.device, p.ports[0]}).At, "the ports are here")
			return false
		}
	}
	return len(posts) > 0
}

// short returns the place to blame where links lack ports of a switch. If the other end has exactly the ports that it
// needs, they lack because of these ports, or of the number of switches at the other end, where the ports are enough
// for fewer of them.
func (w *wiring) short(p post, others []post, group Opt[string], perPair, here int) diag.Range {
	switch has := len(p.ports); {
	case len(others[0].ports) != here*perPair:
		return group.Range
	case has%perPair == 0 && (has > perPair || has == 1):
		return w.devices[others[0].device].template.Range
	}
	return w.group(end{p.device, p.ports[0]}).At
}

// leads looks whether the port group of a tier has its peer in the other one.
func (w *wiring) leads(d *decoder, posts, others []post, group Opt[string]) bool {
	if len(posts) == 0 || len(others) == 0 {
		return false
	}
	g, far := w.group(end{posts[0].device, posts[0].ports[0]}), w.devices[others[0].device]
	if !g.peer.Set || g.peer.Value.block == "switch" && far.isCalled(g.peer.Value.name) {
		return true
	}
	d.errorf(PeerMismatch, group.Range, "port group %q is wired to %s, and its peer is %s.%s", g.Name, far.template.Label, g.peer.Value.block, g.peer.Value.name).
		Fixf("name the port group that leads there, or change the peer").Notef(g.peer.Range, "the peer is here")
	return false
}

// mesh links every lower switch to every upper one.
func (w *wiring) mesh(d *decoder, lower, upper []post, c *closDecl, at diag.Range) {
	n := c.perPair.Value
	w.wires = slices.Grow(w.wires, min(max(len(lower)*len(upper)*n, len(w.wires)), maxWires)) // many blocks copy them seldom
	for i, l := range lower {
		for j, u := range upper {
			for k := range n {
				before := len(d.diags)
				w.connect(d, wire{end{l.device, l.ports[j*n+k]}, end{u.device, u.ports[i*n+k]}, c.cable, at}, at)
				if len(d.diags) > before {
					return // a fault of one link is a fault of all
				}
			}
		}
	}
}

const closExample = `
clos "pod1" {
  lower          = switch.tor
  upper          = switch.spine
  lower_ports    = "uplinks"
  upper_ports    = "downlinks"
  links_per_pair = 2
  cable          = var.trunk
}
`
