package policy

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// linkDecl is one instance of a link block.
type linkDecl struct {
	a, b  Opt[string]
	cable Opt[units.Length]
}

var linkBlock = &block[linkDecl]{
	example: linkExample,
	name:    "link",
	doc: "A cable between two ports. With `for_each = csvdecode(file(\"cables.csv\"))` an inventory lists them. " +
		"Without `b`, the block only gives the length of the cable at `a`, such as a server's.",
	fields: []field[linkDecl]{
		forEachField[linkDecl](),
		countField[linkDecl](),
		opt("a", textKind("SWITCH:PORT", "leaf-01:Ethernet0"), func(l *linkDecl) *Opt[string] { return &l.a }, "one end").must(),
		opt("b", textKind("SWITCH:PORT", "leaf-01:Ethernet0"), func(l *linkDecl) *Opt[string] { return &l.b }, "the other end").otherwise("outside of the fabric"),
		opt("cable", cableKind(), func(l *linkDecl) *Opt[units.Length] { return &l.cable }, "length").otherwise("`cable` of the port groups"),
	},
}

// maxWires bounds the cables of a fabric.
const maxWires = 1 << 21

// none is the far end of a wire that leaves the fabric.
const none = -1

// An end is one port of one device, by their indices in wiring.
type end struct{ device, port int32 }

// A wire is one cable.
type wire struct {
	a, b  end // b.device is none where it leaves the fabric
	cable Opt[units.Length]
	at    diag.Range
}

// A device is one switch while links are read.
type device struct {
	name     string
	refs     []string // its possible names in switch.NAME
	template *template
	wires    []int32 // by port: 1 + index of the wire, 0 where there is none; nil: no wire at all
}

// A jack is one port of a template.
type jack struct {
	name  string
	group int // in template.groups
}

// wiring knows the devices by name and which wire is in which port.
type wiring struct {
	templates []*template
	jacks     map[*template][]jack
	ports     map[*template]map[string]int32
	devices   []device // in natural order of names
	byName    map[string]int32
	wires     []wire
	room      map[*groupDecl]bool  // ports of an upper tier: some are for switches to come
	asked     map[*groupDecl]asked // of a lower tier
}

// An asked is the place at which a clos block gives the links of a lower switch to each upper one, with their number.
type asked struct {
	at     diag.Range
	uppers int
}

func newWiring(templates []*template) *wiring {
	w := &wiring{
		templates: templates, byName: map[string]int32{},
		jacks: map[*template][]jack{}, ports: map[*template]map[string]int32{}, room: map[*groupDecl]bool{}, asked: map[*groupDecl]asked{},
	}
	for _, t := range templates {
		for g, group := range t.groups {
			for _, p := range group.Ports {
				w.jacks[t] = append(w.jacks[t], jack{p, g})
			}
		}
		for _, dev := range t.devices {
			dev.template = t
			w.devices = append(w.devices, dev)
		}
	}
	stable.Sort(w.devices, func(a, b device) int { return natural.Compare(a.name, b.name) })
	w.devices = slices.CompactFunc(w.devices, func(a, b device) bool { return a.name == b.name })
	for i, dev := range w.devices {
		w.byName[dev.name] = int32(i)
	}
	return w
}

// portsOf gives the index of a template's ports by name.
func (w *wiring) portsOf(t *template) map[string]int32 {
	if w.ports[t] == nil {
		index := make(map[string]int32, len(w.jacks[t]))
		for i, j := range w.jacks[t] {
			index[j.name] = int32(i)
		}
		w.ports[t] = index
	}
	return w.ports[t]
}

func (w *wiring) group(e end) *groupDecl {
	t := w.devices[e.device].template
	return t.groups[w.jacks[t][e.port].group]
}

func (w *wiring) name(e end) string {
	dev := w.devices[e.device]
	return dev.name + ":" + w.jacks[dev.template][e.port].name
}

func (w *wiring) decodeLinks(d *decoder, blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		for in := range d.instances(b) {
			var l linkDecl
			linkBlock.decode(in.decoder, b.Body, b.TypeRange, &l)
			if !l.a.Set {
				continue
			}
			x := wire{b: end{none, none}, cable: l.cable, at: l.a.Range}
			var okA, okB bool
			x.a, okA = w.find(in.decoder, "a", l.a)
			if okB = !l.b.Set; l.b.Set {
				x.b, okB = w.find(in.decoder, "b", l.b)
			}
			if okA && okB {
				w.connect(in.decoder, x, l.b.Range)
			}
		}
	}
}

// find looks up an end written as SWITCH:PORT.
func (w *wiring) find(d *decoder, attr string, text Opt[string]) (end, bool) {
	name, port, ok := strings.Cut(text.Value, ":")
	if !ok {
		d.errorf(BadLinkEnd, text.Range, "%s: %q is not a link end: the colon is missing", attr, clip(text.Value)).Fixf(`write it like "leaf-01:Ethernet0"`)
		return end{}, false
	}
	dev, ok := w.byName[name]
	if !ok {
		d.errorf(UnknownSwitch, text.Range, "%s: there is no switch %q", attr, clip(name)).Repaired(renamed(name, w.someNames(), "declare it, or leave b out for what lies outside"))
		return end{}, false
	}
	t := w.devices[dev].template
	i, ok := w.portsOf(t)[port]
	if !ok {
		d.errorf(UnknownPort, text.Range, "%s: switch %s has no port %q", attr, name, clip(port)).
			Repaired(renamed(port, w.somePorts(t), "add it to a port_group")).Notef(t.Range, "the switch is here")
		return end{}, false
	}
	return end{dev, i}, true
}

// someNames and somePorts bound the search for what was meant.
func (w *wiring) someNames() []string {
	var names []string
	for i := 0; i < len(w.devices) && i < 2048; i++ {
		names = append(names, w.devices[i].name)
	}
	return names
}

func (w *wiring) somePorts(t *template) []string {
	var names []string
	for _, j := range w.jacks[t] {
		names = append(names, j.name)
	}
	return names
}

// connect puts a wire into its ports unless they are taken or do not match. atB is
// where end b is written.
func (w *wiring) connect(d *decoder, x wire, atB diag.Range) {
	if len(w.wires) >= maxWires {
		d.errorf(RangeTooLarge, x.at, "there are more than %d links", maxWires).Fixf("describe at most %d links in one fabric", maxWires)
		return
	}
	if !w.free(d, x.a, x.at) || x.b.device != none && !w.free(d, x.b, atB) {
		return
	}
	if x.b.device != none && !w.match(d, x, atB) {
		return
	}
	w.wires = append(w.wires, x)
	w.plug(x.a)
	if x.b.device != none {
		w.plug(x.b)
	}
}

func (w *wiring) plug(e end) {
	dev := &w.devices[e.device]
	if dev.wires == nil {
		dev.wires = make([]int32, len(w.jacks[dev.template]))
	}
	dev.wires[e.port] = int32(len(w.wires))
}

func (w *wiring) wireAt(e end) *wire {
	dev := &w.devices[e.device]
	if dev.wires == nil || dev.wires[e.port] == 0 {
		return nil
	}
	return &w.wires[dev.wires[e.port]-1]
}

func (w *wiring) free(d *decoder, e end, at diag.Range) bool {
	before := w.wireAt(e)
	if before == nil {
		return true
	}
	d.errorf(LinkTwice, at, "port %s is linked twice", w.name(e)).Fixf("remove one of the links").Notef(before.at, "the first link is here")
	return false
}

// match refuses a link whose ends cannot be joined.
func (w *wiring) match(d *decoder, x wire, atB diag.Range) bool {
	if x.a.device == x.b.device {
		d.errorf(LinkSelf, atB, "%s is linked to its own switch, to %s", w.name(x.a), w.name(x.b)).Fixf("name another switch")
		return false
	}
	a, b := w.group(x.a), w.group(x.b)
	if a.Speed.Set && b.Speed.Set && a.Speed.Value != b.Speed.Value {
		d.errorf(LinkSpeed, atB, "%s has %v and %s has %v", w.name(x.a), a.Speed.Value, w.name(x.b), b.Speed.Value).
			Fixf("join ports of one speed").Notef(a.Speed.Range, "%v is here", a.Speed.Value).Notef(b.Speed.Range, "%v is here", b.Speed.Value)
		return false
	}
	okA, okB := w.expected(d, x.a, x.b, x.at), w.expected(d, x.b, x.a, atB)
	return okA && okB
}

// expected checks a link against what the port group says of its peer.
func (w *wiring) expected(d *decoder, here, there end, at diag.Range) bool {
	g, peer := w.group(here), w.devices[there.device]
	if !g.peer.Set || g.peer.Value.block == "switch" && peer.isCalled(g.peer.Value.name) {
		return true
	}
	d.errorf(PeerMismatch, at, "%s is linked to %s, but its port group says that the peer is %s.%s",
		w.name(here), w.name(there), g.peer.Value.block, g.peer.Value.name).
		Fixf("change the link or the peer").Notef(g.peer.Range, "the peer is here")
	return false
}

const linkExample = `
link {
  a     = "tor-01:Ethernet48"
  b     = "spine-a:Ethernet32/1"
  cable = "120m"
}

link {
  for_each = csvdecode(file("cables.csv"))
  a        = "${each.value.switch}:${each.value.port}"
  b        = each.value.far != "" ? each.value.far : null
  cable    = "${each.value.metres}m"
}
`
