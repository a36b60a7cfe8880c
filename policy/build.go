package policy

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

func (dev device) isCalled(name string) bool { return slices.Contains(dev.refs, name) }

// build makes the shapes and the links of the fabric.
func (w *wiring) build(f *Fabric) {
	shapeOf := make([]*Switch, len(w.devices))
	for _, members := range w.split() {
		s := w.shape(members)
		for _, dev := range members {
			shapeOf[dev] = s
		}
		f.Switches = append(f.Switches, s)
	}
	stable.Sort(f.Switches, func(a, b *Switch) int { return natural.Compare(a.Names[0], b.Names[0]) })
	called := w.byReference(shapeOf)
	for _, s := range f.Switches {
		w.resolvePeers(f, s, shapeOf, called)
	}
	f.Links = w.links()
	f.countSenders()
}

// countSenders sets for each NIC how many ports may send to one of its own at once: the fan-in of
// the port group that leads to it, or every other lossless port of that switch.
func (f *Fabric) countSenders() {
	for _, s := range f.Switches {
		ports := 0
		for _, g := range s.Groups {
			if g.Lossless.Value {
				ports += len(g.Ports)
			}
		}
		for _, g := range s.Groups {
			if g.PeerNIC == nil || !g.Lossless.Value {
				continue
			}
			n, at := max(1, ports-1), g.Range
			if g.FanIn.Set {
				n, at = g.FanIn.Value, g.FanIn.Range
			}
			if of := &g.PeerNIC.Senders; n > of.Value {
				*of = Opt[int]{Value: n, Set: true, Range: at}
			}
		}
	}
}

// split parts the devices into classes that share a template and are wired alike: the
// same cable lengths to the same kind of port, port by port.
func (w *wiring) split() [][]int32 {
	type class struct {
		t      *template
		wiring string
	}
	index := map[*template]uint32{}
	for i, t := range w.templates {
		index[t] = uint32(i)
	}
	members := map[class][]int32{}
	for i := range w.devices {
		dev := &w.devices[i]
		key := class{t: dev.template, wiring: w.signature(int32(i), index)}
		members[key] = append(members[key], int32(i))
	}
	var out [][]int32
	for _, m := range members {
		out = append(out, m)
	}
	return out
}

// signature encodes how a device is wired.
func (w *wiring) signature(dev int32, index map[*template]uint32) string {
	if w.devices[dev].wires == nil {
		return ""
	}
	var key []byte
	for port := range w.devices[dev].wires {
		here := end{dev, int32(port)}
		x := w.wireAt(here)
		if x == nil {
			key = append(key, 0)
			continue
		}
		there := x.other(here)
		key = append(key, 1, map[bool]byte{true: 1}[x.cable.Set])
		key = binary.BigEndian.AppendUint64(key, uint64(x.cable.Value))
		if there.device != none {
			t := w.devices[there.device].template
			key = binary.BigEndian.AppendUint32(key, index[t]+1)
			key = binary.BigEndian.AppendUint32(key, uint32(w.jacks[t][there.port].group))
		} else {
			key = append(key, 0, 0, 0, 0)
		}
	}
	return string(key)
}

func (x *wire) other(e end) end {
	if x.a == e {
		return x.b
	}
	return x.a
}

// shape makes the Switch of devices that are alike. Peers are still missing.
func (w *wiring) shape(members []int32) *Switch {
	first := members[0] // devices are in natural order
	t := w.devices[first].template
	s := *t.Switch
	s.Names, s.Groups = nil, nil
	for _, dev := range members {
		s.Names = append(s.Names, w.devices[dev].name)
	}
	for i, g := range t.groups {
		group := *g.PortGroup
		w.cables(first, i, &group)
		s.Groups = append(s.Groups, &group)
	}
	return &s
}

// cables takes the lengths that links say into a port group: as the length of the
// group where it has none of its own and all links agree, else port by port.
func (w *wiring) cables(dev int32, group int, g *PortGroup) {
	t := w.devices[dev].template
	lengths := map[string]Opt[units.Length]{}
	uniform := !g.Cable.Set
	var last Opt[units.Length]
	for port, j := range w.jacks[t] {
		if j.group != group {
			continue
		}
		x := w.wireAt(end{dev, int32(port)})
		if x == nil || !x.cable.Set {
			uniform = false
			continue
		}
		uniform = uniform && (len(lengths) == 0 || last.Value == x.cable.Value)
		last = x.cable
		lengths[j.name] = last
	}
	switch {
	case len(lengths) == 0:
	case uniform:
		g.Cable = last
	default:
		g.Cables = lengths
	}
}

// resolvePeers points the groups of a shape to what is at the other end: what links
// say first, then what the group says.
func (w *wiring) resolvePeers(f *Fabric, s *Switch, shapeOf []*Switch, called map[string][]*Switch) {
	dev := w.byName[s.Names[0]]
	t := w.devices[dev].template
	for i, g := range s.Groups {
		decl := t.groups[i]
		g.PeerAt = decl.peer.Range
		for port, j := range w.jacks[t] {
			here := end{dev, int32(port)}
			x := w.wireAt(here)
			if j.group != i || x == nil || x.other(here).device == none {
				continue
			}
			there := x.other(here)
			peer := shapeOf[there.device]
			if g.PeerSwitch == nil {
				g.PeerSwitch, g.PeerAt = peer, x.at
				g.PeerPorts = peer.Groups[w.jacks[w.devices[there.device].template][there.port].group]
			}
			if !slices.Contains(g.PeerSwitches, peer) {
				g.PeerSwitches = append(g.PeerSwitches, peer)
			}
		}
		sortShapes(g.PeerSwitches)
		g.namedPeer(f, decl.peer.Value, called)
	}
}

// namedPeer resolves peer = nic.NAME or switch.NAME; links have gone before.
func (g *PortGroup) namedPeer(f *Fabric, ref reference, called map[string][]*Switch) {
	if ref.block == "nic" {
		i := slices.IndexFunc(f.NICs, func(n *NIC) bool { return n.Name == ref.name })
		g.PeerNIC = f.NICs[i] // references are checked when they are evaluated
		if n := g.PeerNIC; g.Speed.Set && (!n.Slowest.Set || g.Speed.Value < n.Slowest.Value) {
			n.Slowest = g.Speed
		}
	}
	if shapes := called[ref.name]; ref.block == "switch" && g.PeerSwitch == nil && len(shapes) > 0 {
		g.PeerSwitch, g.PeerSwitches = shapes[0], shapes
	}
}

// byReference lists the shapes that each NAME of switch.NAME refers to.
func (w *wiring) byReference(shapeOf []*Switch) map[string][]*Switch {
	type entry struct {
		ref   string
		shape *Switch
	}
	seen, called := map[entry]bool{}, map[string][]*Switch{}
	for i, dev := range w.devices {
		for _, ref := range dev.refs {
			if e := (entry{ref, shapeOf[i]}); !seen[e] {
				seen[e] = true
				called[ref] = append(called[ref], shapeOf[i])
			}
		}
	}
	for _, shapes := range called {
		sortShapes(shapes)
	}
	return called
}

func sortShapes(shapes []*Switch) {
	stable.Sort(shapes, func(a, b *Switch) int { return natural.Compare(a.Names[0], b.Names[0]) })
}

// links lists the wires between two switches, the end that comes first by name as A.
func (w *wiring) links() []Link {
	rank := w.portRanks()
	// A device and the place of its port make one number, which is quick to put in order.
	type placed struct {
		at uint64
		x  *wire
	}
	inside := make([]placed, 0, len(w.wires))
	for i := range w.wires {
		x := &w.wires[i]
		if x.b.device == none {
			continue
		}
		a, _ := x.ends()
		inside = append(inside, placed{uint64(a.device)<<32 | uint64(rank[w.devices[a.device].template][a.port]), x})
	}
	stable.Sort(inside, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	out := make([]Link, 0, len(inside))
	for _, one := range inside {
		a, b := one.x.ends()
		out = append(out, Link{w.linkEnd(a), w.linkEnd(b), one.x.cable, one.x.at})
	}
	return out
}

// ends returns both ends of a wire inside of the fabric, the one that comes first by name first.
func (x *wire) ends() (a, b end) {
	if x.b.device < x.a.device {
		return x.b, x.a
	}
	return x.a, x.b
}

func (w *wiring) linkEnd(e end) LinkEnd {
	dev := w.devices[e.device]
	return LinkEnd{dev.name, w.jacks[dev.template][e.port].name}
}

// portRanks gives each port's place in the natural order of names.
func (w *wiring) portRanks() map[*template][]int32 {
	ranks := map[*template][]int32{}
	for t, jacks := range w.jacks {
		order := make([]int32, len(jacks))
		for i := range order {
			order[i] = int32(i)
		}
		stable.Sort(order, func(a, b int32) int { return natural.Compare(jacks[a].name, jacks[b].name) })
		rank := make([]int32, len(jacks))
		for place, port := range order {
			rank[port] = int32(place)
		}
		ranks[t] = rank
	}
	return ranks
}

// basicFrame is the frame, in bytes, that every port of Ethernet takes (IEEE 802.3, clause 3.2.7).
const basicFrame units.Bytes = 1518

// checkFabric demands what the parts owe to the whole.
func checkFabric(d *decoder, f *Fabric) {
	ordered(d, f.ExpectedDelay, f.TolerableDelay)
	checkGoals(d, &f.Targets)
	checkIncasts(d, f)
	if f.LosslessFrame.Set && f.LosslessFrame.Value > f.MTU.Value {
		at, fix, other, name := f.LosslessFrame, "at most", f.MTU, "mtu"
		if f.MTU.Value < basicFrame {
			at, fix, other, name = f.MTU, "mtu of at least", f.LosslessFrame, "lossless_frame"
		}
		d.errorf(FrameOrder, at.Range, "lossless_frame %v is above mtu %v", f.LosslessFrame.Value, f.MTU.Value).
			Fixf("write %s %v", fix, other.Value).Notef(other.Range, "%s is here", name)
	}
	for _, n := range f.NICs {
		if n.MTU.Set && n.MTU.Value > f.MTU.Value {
			d.errorf(FrameOrder, n.MTU.Range, "nic %s sends frames of %v, and the fabric carries %v", n.Name, n.MTU.Value, f.MTU.Value).
				Fixf("write at most %v", f.MTU.Value).Notef(f.MTU.Range, "mtu of the fabric is here")
		}
	}
	for _, s := range f.Switches {
		if s.LossyPool.Set && s.LossyPool.Value < f.MTU.Value {
			d.errorf(OutOfRange, s.LossyPool.Range, "lossy_pool: %v hold no frame of %v", s.LossyPool.Value, f.MTU.Value).
				Fixf("leave it out, or write an amount that holds frames of all lossy queues")
		}
		if s.OS.Value == "sonic" && f.MTU.Set && f.MTU.Value > sonicMTU {
			d.errorf(MTUAboveOS, f.MTU.Range, "mtu %v is above the %v that SONiC's port table takes", f.MTU.Value, sonicMTU).
				Fixf("write at most %q", sonicMTU).Notef(s.OS.Range, "switch %s runs SONiC", s.Label)
			break
		}
	}
	for _, n := range f.NICs {
		frame := min(f.LosslessFrame.Value, f.MTU.Value)
		if n.MTU.Set {
			frame = min(frame, n.MTU.Value)
		}
		derive(&n.RoCEMTU, LargestRoCEMTU(frame))
	}
	checkCalculator(d, f)
	checkCNPs(d, f)
	checkNICSpeeds(d, f)
	checkNICCables(d, f)
	checkNICs(d, f)
	checkMarkingUse(d, f)
}

// checkCalculator refuses the buffer model in which the switch computes by itself where
// no calculator for the chip exists.
func checkCalculator(d *decoder, f *Fabric) {
	for _, s := range f.Switches {
		if s.BufferModel.Value == "dynamic" && s.BufferModel.Set && s.Chip != nil && s.Chip.Family != chips.Spectrum {
			d.errorf(NoCalculator, s.BufferModel.Range, "SONiC has no buffer calculator for %s: its pools would stay empty", s.Chip.Title).
				Fixf("write buffer_model = traditional; dynamic is for NVIDIA Spectrum")
		}
	}
}

func ordered(d *decoder, expected, tolerable Opt[units.Time]) {
	if expected.Set && tolerable.Set && expected.Value >= tolerable.Value {
		d.errorf(DelayOrder, expected.Range, "expected_delay %v is not below tolerable_delay %v", expected.Value, tolerable.Value).
			Fixf("write a longer tolerable_delay: marking begins at the expected delay and is complete at the tolerable one").Notef(tolerable.Range, "tolerable_delay is here")
	}
}

// checkMarkingUse demands a marking block where ports rely on it.
func checkMarkingUse(d *decoder, f *Fabric) {
	var at []diag.Range
	for _, s := range f.Switches {
		for _, g := range s.Groups {
			if g.Trust.Value == "marking" {
				at = append(at, g.Trust.Range)
			}
		}
	}
	if f.Marking == nil && len(at) > 0 {
		d.errorf(MarkingMissing, slices.MinFunc(at, diag.CompareRanges), "the ports have trust = marking, and the fabric has no marking block").Fixf("add marking { … }, or write trust = dscp")
	}
}
