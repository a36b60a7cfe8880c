package fabric

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Fault is in what a network is not as its plan says.
type Fault struct {
	Kind FaultKind
	At   plan.LinkEnd // port of a switch; of SteepKMin it may be a whole switch, whose Port is empty
	With plan.LinkEnd // of SwappedCables: the other port

	Length      units.Length // of LongCable: what the cable at the port really has
	Response    units.Time   // of SlowPeer: of the other end of the cable
	Times       int64        // of SteepKMin: the factor
	From, Until units.Time   // of StormingNIC; Until of 0: the end of the run
}

// FaultKind names a fault as the command does.
type FaultKind string

const (
	LongCable     FaultKind = "cable"    // is longer than the plan says
	SlowPeer      FaultKind = "response" // the other end of a cable obeys a pause later than the plan says
	SteepKMin     FaultKind = "kmin"     // a port, or all of a switch, marks later: Kmin times a factor
	MissingPFC    FaultKind = "no_pfc"   // at a port of a switch: it sends no pauses and obeys none
	LostCNPs      FaultKind = "no_cnp"   // that come to the NIC at a port
	SwappedCables FaultKind = "swap"     // the cables of two ports
	StormingNIC   FaultKind = "storm"    // pauses all lossless classes without end, at a port
)

// FaultKinds lists all.
func FaultKinds() []FaultKind {
	return []FaultKind{LongCable, SlowPeer, SteepKMin, MissingPFC, LostCNPs, SwappedCables, StormingNIC}
}

// An Injected fault is the answer that a measurement should find: which fault, where, and how much.
type Injected struct {
	Kind     FaultKind `json:"fault"`
	At       string    `json:"at"`                  // SWITCH:PORT; of a whole switch its name
	Peer     string    `json:"peer,omitempty"`      // the other end of its cable; of a server's NIC nic.SWITCH.PORT
	With     string    `json:"with,omitempty"`      // of a swap: the other port
	WithPeer string    `json:"with_peer,omitempty"` // where the plan has that one's cable go
	Told     string    `json:"told,omitempty"`      // by the plan, with its unit
	Real     string    `json:"real,omitempty"`
}

// Where hosts may lose packets, they send again: after 4.096 us times 2 to the 14th, seven times,
// as perftest does by default (linux-rdma/perftest, src/perftest_parameters.h: DEF_QP_TIME; a retry
// count of 7 in ctx_connect).
const (
	AckTimeout = 4096 * units.Nanosecond << 14
	Retries    = 7
)

// Faulty returns the network with faults. The error says which of them it cannot have.
func (n *Network) Faulty(faults ...Fault) (*Network, error) {
	own := *n
	own.ends, own.Faults = slices.Clone(n.ends), nil
	sc := &own.Scenario
	sc.Links, sc.Storms = slices.Clone(sc.Links), slices.Clip(sc.Storms)
	sc.Silicon = slices.Clone(sc.Silicon)
	sc.Transport.AckTimeout, sc.Transport.Retries = AckTimeout, Retries
	for i := range faults {
		truth, err := own.inject(&faults[i])
		if err != nil {
			return nil, err
		}
		own.Faults = append(own.Faults, truth)
	}
	return &own, nil
}

func (n *Network) inject(f *Fault) (truth Injected, err error) {
	truth = Injected{Kind: f.Kind, At: place(f.At)}
	if f.Kind == SteepKMin && f.At.Port == "" {
		err = n.steepen(f, &truth, func(e plan.LinkEnd) bool { return e.Switch == f.At.Switch })
		return truth, err
	}
	link, end := n.At(f.At)
	if link < 0 {
		return Injected{}, fmt.Errorf("%s is not among the ports that are simulated", place(f.At))
	}
	truth.Peer = n.endName(link, 1-end, place)
	l := &n.Scenario.Links[link]
	host := link < len(n.Hosts)
	switch f.Kind {
	case LongCable:
		if f.Length <= n.Cables[link] {
			return Injected{}, fmt.Errorf("the cable at %s is %v long by the plan; as a fault it must be longer than that, not %v", place(f.At), n.Cables[link], f.Length)
		}
		truth.Told, truth.Real = n.Cables[link].String(), f.Length.String()
		l.Delay = delay(f.Length)
	case SlowPeer:
		if told := l.Response[1-end]; f.Response <= told {
			return Injected{}, fmt.Errorf("the port at the other end of %s obeys a pause after %v by the plan; as a fault it must be later, not %v", place(f.At), told, f.Response)
		}
		truth.Told, truth.Real = l.Response[1-end].String(), f.Response.String()
		l.Response[1-end] = f.Response
	case SteepKMin:
		err = n.steepen(f, &truth, func(e plan.LinkEnd) bool { return e == f.At })
	case MissingPFC:
		l.NoPFC[end] = true
	case LostCNPs, StormingNIC:
		if !host {
			return Injected{}, fmt.Errorf("at %s there is no server, whose NIC could have this fault", place(f.At))
		}
		if f.Kind == LostCNPs {
			l.LosesCNPs[1-end] = true
			break
		}
		if f.Until != 0 && f.Until <= f.From {
			return Injected{}, fmt.Errorf("a storm from %v to %v ends before it begins", f.From, f.Until)
		}
		truth.Real = f.From.String()
		for class := range uint8(8) {
			if n.Lossless>>class&1 != 0 {
				n.Scenario.Storms = append(n.Scenario.Storms, sim.Storm{Host: l.A, Class: class, From: f.From, To: f.Until})
			}
		}
	case SwappedCables:
		err = n.swap(link, end, f, &truth)
	default:
		err = fmt.Errorf("there is no fault %q; there are %v", f.Kind, FaultKinds())
	}
	return truth, err
}

// steepen multiplies Kmin of the lossless classes at some ports; Kmax is at least as much.
func (n *Network) steepen(f *Fault, truth *Injected, is func(plan.LinkEnd) bool) error {
	if f.Times < 2 || f.Times > 1000 {
		return fmt.Errorf("a fault makes Kmin 2 to 1000 times what the plan says, not %d", f.Times)
	}
	told := units.Bytes(0)
	changed := map[*sim.Egress]*sim.Egress{}
	for i, ends := range n.ends {
		for j, end := range ends {
			before := n.Scenario.Links[i].Egress[j]
			if end == (plan.LinkEnd{}) || !is(end) || before == nil {
				continue
			}
			if changed[before] == nil {
				e := *before
				for class := range e.ECN {
					if c := &e.ECN[class]; c.KMax > 0 && n.Lossless>>class&1 != 0 {
						told = c.KMin
						c.KMin *= units.Bytes(f.Times)
						c.KMax = max(c.KMax, c.KMin)
					}
				}
				changed[before] = &e
			}
			n.Scenario.Links[i].Egress[j] = changed[before]
		}
	}
	if told == 0 {
		return fmt.Errorf("%s marks no lossless class", place(f.At))
	}
	truth.Told, truth.Real = told.String(), (told * units.Bytes(f.Times)).String()
	return nil
}

// swap exchanges the ends of two cables: the cable at At is then at With, and the other way round.
// The settings of a port stay with the port.
func (n *Network) swap(link, end int, f *Fault, truth *Injected) error {
	other, otherEnd := n.At(f.With)
	switch {
	case other < 0:
		return fmt.Errorf("%s is not among the ports that are simulated", place(f.With))
	case other == link:
		return fmt.Errorf("%s and %s are the ends of one cable", place(f.At), place(f.With))
	}
	a, b := &n.Scenario.Links[link], &n.Scenario.Links[other]
	if a.Rate != b.Rate || (link < len(n.Hosts)) != (other < len(n.Hosts)) {
		return fmt.Errorf("the cables at %s and %s cannot be swapped: they differ in rate, or in whether a server is at the other end", place(f.At), place(f.With))
	}
	truth.With, truth.WithPeer = place(f.With), n.endName(other, 1-otherEnd, place)
	chips := n.chipPorts()
	exchange(&n.ends[link][end], &n.ends[other][otherEnd])
	exchange(&a.Egress[end], &b.Egress[otherEnd])
	exchange(&a.Response[end], &b.Response[otherEnd])
	exchange(&a.NoPFC[end], &b.NoPFC[otherEnd])
	exchange(&chips[2*link+end], &chips[2*other+otherEnd])
	exchange(nodeOf(a, end), nodeOf(b, otherEnd))
	if a.A == a.B || b.A == b.B {
		return fmt.Errorf("with the cables at %s and %s swapped, a switch would be cabled to itself", place(f.At), place(f.With))
	}
	n.plugIn(chips)
	return nil
}

func exchange[T any](a, b *T) { *a, *b = *b, *a }

// chipPorts returns the ports of the switches' chips, by link and end.
func (n *Network) chipPorts() []int {
	used, ports := make([]int, len(n.Scenario.Nodes)), make([]int, 2*len(n.Scenario.Links))
	for i := range ports {
		node := *nodeOf(&n.Scenario.Links[i/2], i%2)
		if b := n.silicon(node); b != nil {
			ports[i] = b.Ports[used[node]]
			used[node]++
		}
	}
	return ports
}

// ChipPort returns the port of the buffer that a port of the simulator is, as [sim.Scenario.Links] count.
func (n *Network) ChipPort(port int) int { return n.chipPorts()[port] }

// plugIn does the inverse of [Network.chipPorts].
func (n *Network) plugIn(ports []int) {
	for node := range n.Scenario.Nodes {
		if b := n.silicon(node); b != nil {
			own := *b
			own.Ports = nil
			n.Scenario.Silicon[node] = &own
		}
	}
	for i, port := range ports {
		if b := n.silicon(*nodeOf(&n.Scenario.Links[i/2], i%2)); b != nil {
			b.Ports = append(b.Ports, port)
		}
	}
}

// nodeOf returns the node at an end of a link.
func nodeOf(l *sim.Link, end int) *int {
	if end == 0 {
		return &l.A
	}
	return &l.B
}

// silicon returns the buffer of a switch; nil of a host.
func (n *Network) silicon(node int) *sim.SiliconBuffer {
	if node >= len(n.Scenario.Silicon) {
		return nil
	}
	return n.Scenario.Silicon[node]
}
