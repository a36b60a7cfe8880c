package fabric

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Class returns the number in the scenario of a class of the plan: by its name, or, without one,
// that of RDMA or of lossy traffic; false where no flow can be in it.
func (n *Network) Class(name string, lossy bool) (uint8, bool) {
	class := n.classes[name]
	switch {
	case name == "" && lossy:
		class = n.lossy
	case name == "":
		class = n.RDMA
	}
	return class, class != 0
}

// Carriers returns the classes that carry what names no class: all lossless ones, or that of lossy
// traffic; of a class that is named, it alone. None where no flow can be in it.
func (n *Network) Carriers(name string, lossy bool) []uint8 {
	if name == "" && !lossy {
		var all []uint8
		for class := range uint8(8) {
			if n.Lossless>>class&1 != 0 {
				all = append(all, class)
			}
		}
		return all
	}
	if class, ok := n.Class(name, lossy); ok {
		return []uint8{class}
	}
	return nil
}

// Trains reports whether hosts can repeat a message: [sim.Flow.Repeat].
func (n *Network) Trains(tcp bool) bool {
	t := &n.Scenario.Transport
	return !tcp && !t.Selective && t.Service != sim.DC
}

// Host returns the node of the host at a port; -1 if there is none.
func (n *Network) Host(at plan.LinkEnd) int {
	return slices.IndexFunc(n.Hosts, func(h Host) bool { return h.End() == at })
}

// First returns the ports of the hosts that have the first so many GPUs: those of whole servers, or, where the
// network has none, one at each host. The error says how many there are.
func (n *Network) First(gpus int) (hosts []plan.LinkEnd, err error) {
	servers := n.Servers
	for host := range n.Hosts {
		if len(n.Servers) == 0 {
			servers = append(servers, Server{GPUs: 1, NICs: []int{host}})
		}
	}
	taken, total := 0, 0
	for _, s := range servers {
		if total += s.GPUs; taken >= gpus {
			continue
		}
		taken += s.GPUs
		for _, nic := range s.NICs {
			hosts = append(hosts, n.Hosts[nic].End())
		}
	}
	switch {
	case total < gpus:
		return nil, fmt.Errorf("the fabric has %d GPUs, fewer than %d", total, gpus)
	case taken > gpus:
		return nil, fmt.Errorf("%d GPUs are no whole servers: the first ones have %d", gpus, taken)
	}
	return hosts, nil
}

// Link returns the link at a port, as an index in Scenario.Links; -1 if there is none.
func (n *Network) Link(at plan.LinkEnd) int {
	if at == (plan.LinkEnd{}) {
		return -1
	}
	return slices.IndexFunc(n.ends, func(e [2]plan.LinkEnd) bool { return e[0] == at || e[1] == at })
}

// Ports returns the names of all ports, by link and end: SWITCH.PORT, and of a host's NIC that of
// the port that it is to be plugged into behind "nic.".
func (n *Network) Ports() []string {
	names := make([]string, 0, 2*len(n.ends))
	for link := range n.ends {
		names = append(names, n.endName(link, 0, portName), n.endName(link, 1, portName))
	}
	return names
}

// endName returns the name of an end of a link. The links of hosts come first, in their order.
func (n *Network) endName(link, end int, name func(plan.LinkEnd) string) string {
	if e := n.ends[link][end]; e != (plan.LinkEnd{}) {
		return name(e)
	}
	return "nic." + name(n.Hosts[link].End())
}

// At returns the link at a port and which end of it that is; -1 if there is none.
func (n *Network) At(port plan.LinkEnd) (link, end int) {
	if link = n.Link(port); link >= 0 && n.ends[link][1] == port {
		end = 1
	}
	return link, end
}

// End returns the port at an end of a link; that of a host is zero.
func (n *Network) End(link, end int) plan.LinkEnd { return n.ends[link][end] }

// place writes a port as the language does; of a whole switch, the switch.
func place(e plan.LinkEnd) string {
	if e.Port == "" {
		return e.Switch
	}
	return e.Switch + ":" + e.Port
}

// Name of a host's port, as in [Network.Ports].
func (h *Host) Name() string { return "nic." + portName(h.End()) }

func portName(end plan.LinkEnd) string { return end.Switch + "." + end.Port }

// Trunks returns the links between switches, as indices in Scenario.Links.
func (n *Network) Trunks() (list []int) {
	for i, l := range n.Scenario.Links {
		if n.Scenario.Nodes[l.A] == sim.Switch && n.Scenario.Nodes[l.B] == sim.Switch {
			list = append(list, i)
		}
	}
	return list
}

// LinksOf returns the links of a switch, as indices in Scenario.Links; none where it is not simulated.
func (n *Network) LinksOf(name string) (list []int) {
	for i, e := range n.ends {
		if e[0].Switch == name || e[1].Switch == name {
			list = append(list, i)
		}
	}
	return list
}

// Spines returns the switches at which the plan has no host, as far as they are simulated.
func (n *Network) Spines() (names []string) {
	for _, name := range n.spines {
		if len(n.LinksOf(name)) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// balancingMode returns the scenario's, or that of the first edge switch.
func (b *builder) balancingMode() string {
	return cmp.Or(b.options.LoadBalancing, b.edges()[0].sw.LoadBalancing)
}

// congestionControl returns the scenario's, or that of the first edge switch's lossless class.
func (b *builder) congestionControl() string {
	return cmp.Or(b.options.CongestionControl, lossless(b.edges()[0].sw).CongestionControl)
}

// flowletGap returns the assumed default: above the round-trip time of a fabric, so that packets keep
// their order when a flow changes its way.
func (b *builder) flowletGap() units.Time {
	return cmp.Or(b.options.FlowletGap, 100*units.Microsecond)
}
