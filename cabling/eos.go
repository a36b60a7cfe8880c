package cabling

import (
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// eos reads `show lldp neighbors detail | json`, where lldpNeighbors is an object by
// interface, and `show lldp neighbors | json`, where it is a list (Arista EOS, eAPI; examples
// in aristanetworks/anta, tests/units/anta_tests/test_connectivity.py).
func (r *reader) eos(n *posjson.Node) {
	if n.Kind == posjson.Array {
		for i := range n.Items {
			row := &n.Items[i]
			r.eosNeighbour(text(row.Get("port")), text(row.Get("neighborDevice")), text(row.Get("neighborPort")), nil, row)
		}
		return
	}
	for i := range n.Members {
		port := &n.Members[i]
		for _, entry := range documents(&port.Value) {
			for _, far := range documents(entry.Get("lldpNeighborInfo")) {
				face := far.Get("neighborInterfaceInfo")
				id := text(face.Get("interfaceId_v2"))
				if id == "" { // older releases quote it within the text
					id = strings.Trim(text(face.Get("interfaceId")), `"`)
				}
				var also []string
				if d := text(face.Get("interfaceDescription")); d != "" {
					also = portNames(d)
				}
				r.eosNeighbour(port.Key, text(far.Get("systemName")), id, also, far)
			}
		}
	}
}

func (r *reader) eosNeighbour(port, device, far string, also []string, at *posjson.Node) {
	if device == "" {
		device = text(at.Get("chassisId"))
	}
	r.see(Sighting{
		A: End{Device: r.device, Port: port}, B: End{Device: device, Port: far, Also: also},
		System: text(at.Get("systemDescription")), Heard: true, At: r.doc.At(at),
	})
}
