// Package fabric builds the network of a plan for model/sim: switches with the buffers of
// their chips, links with the delay of their cables, and a host behind each server port.
//
// A large fabric is cut: some edge switches, some hosts of each, and the switches between them. The
// switches that are left keep the whole buffer that the plan gives them. [Network.Notes] lists what
// was cut, and the parts of the plan that the simulator does not support.
package fabric

import (
	"errors"
	"fmt"
	"math"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Network is a scenario that lacks only flows.
type Network struct {
	Scenario sim.Scenario
	Hosts    []Host // a host's index is its node in the scenario
	Notes    []string

	RDMA     uint8    // the class of RDMA traffic: the first lossless one
	Lossless uint8    // a bit per class
	Classes  int      // in use: from 1 on
	Priority [8]uint8 // of a lossless class: that of its PFC frames

	Cables []units.Length // of Scenario.Links, as the plan has them
	Faults []Injected     // the deviations from the plan

	Servers []Server // with GPUs, those with all NICs in the network

	classes map[string]uint8  // by name in the plan
	lossy   uint8             // the class of other traffic; 0: none
	ends    [][2]plan.LinkEnd // of Scenario.Links; a host has none
	spines  []string          // switches at which the plan has no host
}

// A Host is a server's port.
type Host struct {
	Switch, Port string
	Rate         units.BitRate
}

// A Server has GPUs, as many for each of its NICs.
type Server struct {
	GPUs int
	NICs []int // hosts
	plan.Machine
}

// End returns the port at which the host is attached.
func (h Host) End() plan.LinkEnd { return plan.LinkEnd{Switch: h.Switch, Port: h.Port} }

// Size is the size to which a fabric is cut, both numbers at least 1.
type Size struct{ Edges, HostsPerEdge int }

// OrWhole returns the size, or where it is zero one to which nothing is cut.
func (s Size) OrWhole() Size {
	if s == (Size{}) {
		return Size{Edges: math.MaxInt32, HostsPerEdge: math.MaxInt32}
	}
	return s
}

// OrUsual returns the size, or where it is zero one of which 60 scenarios take minutes on two cores.
func (s Size) OrUsual() Size {
	if s == (Size{}) {
		return Size{Edges: 4, HostsPerEdge: 16}
	}
	return s
}

// Options say how a network is made of a plan.
type Options struct {
	Size  Size
	Hosts []plan.LinkEnd // instead of Size: these, all of them
	Keep  []plan.LinkEnd // hosts that are kept in addition to Size

	// Changes of a scenario to the plan; may be empty.
	LoadBalancing     string
	FlowletGap        units.Time // 0: 100 us, assumed
	CongestionControl string
	Transport         string // "rc", "xrc", "dc", "srd"

	// DC describes that transport of hosts; nil: any number of initiators, fitted and assumed times.
	DC *DC

	// Memory has the times of hosts to read and to write messages; nil: no time.
	Memory *Memory

	// Swift are its targets; nil, or 0: htsim's, and for the endpoint an assumed one.
	Swift *Swift

	// RTTCC are the constants of NVIDIA's RTT-based control; nil: assumed ones.
	RTTCC *sim.RTTCC

	Polling   Polling
	ECNByPart bool // see [sim.ECN]
}

// DC has the limits of the dynamically connected transport: see [sim.HostTimes].
type DC struct {
	Initiators int // of each process, at least 1
	Targets    int // initiators that are connected to a host at a time; 0: any number

	Connect, Disconnect, Linger, Busy units.Time
}

// Memory has the times of hosts' memory: see [sim.HostTimes].
type Memory struct {
	Rate   units.BitRate // at least that of the fastest link
	Fetch  units.Time
	Inline units.Bytes
}

// Swift holds the settings that users can choose: see [sim.Swift].
type Swift struct{ Target, PerHop, Endpoint units.Time }

// Polling describes how the software of switches reads queues for ECN: [sim.ECN]. A Period of 0:
// marks go by the queue as it is.
type Polling struct {
	Period units.Time
	Weight float64
}

// builder is a Network while it is built.
type builder struct {
	plan    *plan.Plan
	options Options
	chip    func(name string) (*chips.Chip, bool)
	devices []*device
	net     Network
	sc      *sim.Scenario
	silicon []*sim.SiliconBuffer // by node
	names   []string             // of classes, by number; the first name of those that share a queue
	sends   map[sender]*sim.Egress
}

// New builds the network of a plan whose chips are found by name. The error says why the
// plan cannot be simulated: no lossless class, no two hosts that reach each other, or a
// datum of a chip that is not known.
func New(p *plan.Plan, chip func(name string) (*chips.Chip, bool), o Options) (*Network, error) {
	b := &builder{plan: p, chip: chip, options: o, sends: map[sender]*sim.Egress{}}
	b.sc = &b.net.Scenario
	b.connect()
	for _, d := range b.devices {
		if len(d.hosts) == 0 {
			b.net.spines = append(b.net.spines, d.name)
		}
	}
	if err := b.cut(); err != nil {
		return nil, err
	}
	if err := b.classify(); err != nil {
		return nil, err
	}
	b.nodes()
	for _, d := range b.devices {
		if err := b.buffer(d); err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
	}
	b.links()
	b.sc.Silicon = b.silicon
	b.sc.PFC.Quanta = sim.LargestQuanta
	b.sc.Wire = sim.Ethernet()
	b.sc.ExactIdeal = true
	b.transport()
	b.balancing()
	b.congestion()
	b.latencies()
	b.markingByPart()
	return &b.net, nil
}

// nodes numbers hosts first, then switches.
func (b *builder) nodes() {
	for _, d := range b.devices {
		for _, port := range d.hosts {
			p := &d.sw.Ports[port]
			b.net.Hosts = append(b.net.Hosts, Host{d.name, p.Name, p.Speed})
		}
	}
	b.sc.Nodes = make([]sim.Node, len(b.net.Hosts))
	for _, d := range b.devices {
		d.node = len(b.sc.Nodes)
		b.sc.Nodes = append(b.sc.Nodes, sim.Switch)
	}
	b.servers()
	b.silicon = make([]*sim.SiliconBuffer, len(b.sc.Nodes))
}

// servers finds those whose NICs are all there.
func (b *builder) servers() {
	at := map[plan.LinkEnd]int{}
	for i, h := range b.net.Hosts {
		at[h.End()] = i
	}
	for _, s := range b.plan.Servers {
		own := Server{GPUs: s.GPUs, Machine: s.Machine}
		for _, end := range s.NICs {
			if host, ok := at[end]; ok {
				own.NICs = append(own.NICs, host)
			}
		}
		if len(own.NICs) == len(s.NICs) {
			b.net.Servers = append(b.net.Servers, own)
		}
	}
}

var errNotLossless = errors.New("no class is lossless")

// buffer takes over what the chip makes of the switch's plan.
func (b *builder) buffer(d *device) error {
	if lossless(d.sw) == nil {
		return errNotLossless
	}
	chip, ok := b.chip(d.sw.Chip)
	if !ok {
		return fmt.Errorf("the chip %q is not known", d.sw.Chip)
	}
	config, err := model.Buffer(d.sw, chip)
	if err != nil {
		return err
	}
	own := &sim.SiliconBuffer{Config: config}
	for number := 1; number < len(b.names); number++ {
		if c := b.class(d.sw, number); c != nil {
			own.PG[number], own.Queue[number] = c.PG, c.Queue
		}
	}
	if d.sw.OwnQueues() {
		for i := range d.sw.Ports {
			queues := own.Queue
			for number := 1; number < len(b.names); number++ {
				if c := b.class(d.sw, number); c != nil {
					queues[number] = d.sw.Ports[i].QoS.QueueOf(c)
				}
			}
			own.Own = append(own.Own, queues)
		}
	}
	b.silicon[d.node] = own
	b.sc.Watchdogs = append(b.sc.Watchdogs, make([]*sim.Watchdog, d.node-len(b.sc.Watchdogs))...)
	b.sc.Watchdogs = append(b.sc.Watchdogs, b.watchdog(d.sw))
	return nil
}

// links lays the cables of hosts, then those between switches.
func (b *builder) links() {
	host := 0
	for _, d := range b.devices {
		for _, port := range d.hosts {
			l := b.link(host, d.node, &d.sw.Ports[port], plan.LinkEnd{}, b.net.Hosts[host].End())
			l.Response[0] = response(&d.sw.Ports[port])
			l.Egress[1] = b.egress(d, &d.sw.Ports[port])
			b.plug(d, port)
			host++
		}
	}
	for _, d := range b.devices {
		for _, c := range d.cables {
			if d.node < c.peer.node {
				own, other := &d.sw.Ports[c.port], &c.peer.sw.Ports[c.peerPort]
				l := b.link(d.node, c.peer.node, own, d.end(c.port), c.peer.end(c.peerPort))
				l.Response = [2]units.Time{response(other), response(own)}
				l.Egress = [2]*sim.Egress{b.egress(d, own), b.egress(c.peer, other)}
				b.plug(d, c.port)
				b.plug(c.peer, c.peerPort)
			}
		}
	}
}

func (b *builder) link(from, to int, port *plan.Port, ends ...plan.LinkEnd) *sim.Link {
	b.net.ends = append(b.net.ends, [2]plan.LinkEnd(ends))
	b.net.Cables = append(b.net.Cables, port.Cable)
	b.sc.Links = append(b.sc.Links, sim.Link{A: from, B: to, Rate: port.Speed, Delay: delay(port.Cable)})
	return &b.sc.Links[len(b.sc.Links)-1]
}

// delay of a cable.
func delay(cable units.Length) units.Time {
	return units.Time(units.CeilMulDiv(int64(cable), int64(model.LightDelay), int64(units.Metre)))
}

// response returns the time for which the peer of a port goes on sending after a pause: as the
// fabric declares, else the longest that the standard allows; 0 where none is known.
func response(p *plan.Port) units.Time {
	if p.Assumed != nil && p.Assumed.Declared {
		return p.Assumed.Response.Value
	}
	longest, _ := model.StandardResponse(p.Speed)
	return longest
}

// markingByPart says what of it is assumed, and where it changes nothing.
func (b *builder) markingByPart() {
	if !b.options.ECNByPart {
		return
	}
	for _, own := range b.silicon {
		if own != nil && own.Config.Slices > 1 {
			b.note("assumed: queues of chips with a buffer of several parts are marked by what they hold in each; which part a port writes to is as the plan places it")
			return
		}
	}
	b.note("ecn_by_part changes nothing: no chip here has a buffer of several parts")
}

func (b *builder) plug(d *device, port int) {
	own := b.silicon[d.node]
	own.Ports = append(own.Ports, port)
}

func (b *builder) note(format string, args ...any) {
	b.net.Notes = append(b.net.Notes, fmt.Sprintf(format, args...))
}

// lossless returns the class of RDMA traffic: the first one; nil if there is none.
func lossless(sw *plan.Switch) *plan.Class {
	for i := range sw.Classes {
		if sw.Classes[i].Lossless {
			return &sw.Classes[i]
		}
	}
	return nil
}
