package sonic

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// ARSPath is the file of the adaptive routing tables below a device's folder.
const ARSPath = "ars.json"

// Tables of adaptive routing and switching (SONiC doc/ARS/Local_ARS_HLD.md rev 1.4).
const (
	TableARSInterfaces = "ARS_INTERFACES"
	TableARSObject     = "ARS_OBJECT"
	TableARSProfile    = "ARS_PROFILE"
)

// arsName is the one profile and the one object.
const arsName = "roceplan"

// arsModes says how packets are assigned to paths: by the flowlet or by the packet, to
// the path that is loaded least. Plain spraying ignores load, and ARS has no word for it.
var arsModes = map[string]string{"flowlet": "per_flowlet_quality", "adaptive": "per_packet_quality"}

// ARS prints what `config load` adds for adaptive routing, on builds of SONiC that have the tables
// of the design document; SONiC's own releases do not. A group of next hops is balanced so where
// all of them leave by ports of ARS_INTERFACES, so every port with QoS is one. Timers and weights
// are left to the document's defaults: flowlets end after 256 us, the load is measured every 16 us.
func ARS(sw *plan.Switch) ([]emit.File, diag.List) {
	var found diag.List
	mode := arsModes[sw.LoadBalancing]
	if mode == "" {
		way := sw.LoadBalancing
		if way == "" {
			way = "ecmp"
		}
		at := sw.LoadBalancingAt
		if at.Filename == "" {
			at = sw.Range
		}
		found.Errorf(ARSRefused, at, "SONiC's adaptive routing cannot balance load by %q: it goes by the load of paths, for each flowlet or for each packet", way).
			Fixf(`set load_balancing to "flowlet" or "adaptive", or leave the form ars out`)
		return nil, found
	}
	found.Warnf(ARSUnmerged, sw.LoadBalancingAt, "the tables of %s are those of a design document (SONiC doc/ARS/Local_ARS_HLD.md rev 1.4) that SONiC's releases do not carry out", ARSPath).
		Fixf("load them only on a build whose orchagent has ARS; others ignore them and hash flows (ecmp)")
	w := newWriter(1024 + 64*len(sw.Ports))
	w.startTable(TableARSInterfaces)
	for i := range sw.Ports {
		if p := &sw.Ports[i]; p.QoS != nil {
			w.startRow(p.Name)
			w.text("ars_obj_name", arsName)
			w.number("scaling_factor", 0) // by the speed of the port
		}
	}
	w.startTable(TableARSObject)
	w.startRow(arsName)
	w.text("assign_mode", mode)
	w.startTable(TableARSProfile)
	w.startRow(arsName)
	w.text("algorithm", "ewma")
	w.text("ars_nhg_path_selector_mode", "interface")
	w.text("default_ars_object", arsName)
	w.text("ipv4_enable", "true")
	w.text("ipv6_enable", "true")
	return []emit.File{{Path: ARSPath, Body: emit.NewBody(w.end())}}, found
}
