package cabling

import (
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// modelled reads neighbours in trees of YANG models, wherever in a document they are, and reports whether there is one:
// of OpenConfig, interface[name]/neighbors/neighbor/state (openconfig-lldp), of SR Linux, interface[name]/neighbor
// (srl_nokia-lldp), and Junos' lldp-neighbor-information. gNMI clients such as gnmic print the name of an
// interface in a path. port is the interface that the node is below.
func (r *reader) modelled(port string, n *posjson.Node) (known bool) {
	for i := range n.Items {
		known = r.modelled(port, &n.Items[i]) || known
	}
	if n.Get("neighbors") != nil || n.Get("openconfig-lldp:neighbors") != nil || n.Get("neighbor") != nil {
		for _, name := range []string{"name", "openconfig-lldp:name"} {
			if s := text(n.Get(name)); s != "" {
				port = s
			}
		}
	}
	if path := text(n.Get("Path")); path != "" {
		port = nameIn(path, port)
	}
	for i := range n.Members {
		m := &n.Members[i]
		within := nameIn(m.Key, port)
		switch kind := lastElement(m.Key); {
		case kind == "neighbor":
			for _, far := range documents(&m.Value) {
				known = r.neighbour(within, far) || known
			}
		case kind == "state" && strings.Contains(m.Key, "neighbor"):
			known = r.neighbour(within, &m.Value) || known
		case kind == "lldp-neighbor-information":
			for _, far := range documents(&m.Value) {
				known = r.junosNeighbour(far) || known
			}
		default:
			known = r.modelled(within, &m.Value) || known
		}
	}
	return known
}

// neighbour reads a neighbour of a port; OpenConfig has its values below state.
func (r *reader) neighbour(port string, n *posjson.Node) bool {
	at := n
	for _, state := range []string{"state", "openconfig-lldp:state"} {
		if below := n.Get(state); below != nil {
			n = below
		}
	}
	get := func(name string) string {
		for i := range n.Members {
			if lastElement(n.Members[i].Key) == name {
				return text(&n.Members[i].Value)
			}
		}
		return ""
	}
	device, far := get("system-name"), get("port-id")
	if device == "" {
		device = get("chassis-id")
	}
	if port == "" || device == "" || far == "" {
		return false // a neighbour of BGP, such as there are in configuration
	}
	b := End{Device: device, Port: far}
	if d := get("port-description"); d != "" {
		b.Also = portNames(d)
	}
	r.see(Sighting{A: End{Device: r.device, Port: port}, B: b, System: get("system-description"), Heard: true, At: r.doc.At(at)})
	return true
}

// junosNeighbour reads one of `show lldp neighbors | display json`: each value is a list of one with data.
func (r *reader) junosNeighbour(n *posjson.Node) bool {
	one := func(names ...string) string {
		for _, name := range names {
			if s := text(n.Get(name)); s != "" {
				return s
			}
		}
		return ""
	}
	port := one("lldp-local-port-id", "lldp-local-interface")
	b := End{Device: one("lldp-remote-system-name", "lldp-remote-chassis-id"), Port: one("lldp-remote-port-id", "lldp-remote-port-description")}
	if d := one("lldp-remote-port-description"); d != "" && d != b.Port {
		b.Also = portNames(d)
	}
	if port == "" || b.Device == "" {
		return false
	}
	r.see(Sighting{A: End{Device: r.device, Port: port}, B: b, Heard: true, At: r.doc.At(n)})
	return true
}

// lastElement returns the last element of a path, without keys and the name of a module.
func lastElement(path string) string {
	for {
		from, to := strings.LastIndexByte(path, '['), strings.LastIndexByte(path, ']')
		if from < 0 || to < from {
			break
		}
		path = path[:from] + path[to+1:]
	}
	path = path[strings.LastIndexByte(path, '/')+1:]
	return path[strings.LastIndexByte(path, ':')+1:]
}

// nameIn returns the name of the interface in a path: interfaces/interface[name=Ethernet1]/…; else the one
// that was known.
func nameIn(path, known string) string {
	if _, rest, ok := strings.Cut(path, "interface[name="); ok {
		known, _, _ = strings.Cut(rest, "]")
	}
	return known
}
