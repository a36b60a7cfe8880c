package nvue

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// trimming reads how the switch cuts packets, and of which traffic classes of which ports
// (Cumulus Linux 5.15 user guide, Packet Trimming). The profile with NVIDIA's values and code
// points by port are not modelled.
func (r *reader) trimming() {
	n := r.set.get("system", "forwarding", "packet-trim")
	if !n.there() || n.get("profile").there() {
		return
	}
	size, priority, dscp := n.get("size"), n.get("switch-priority"), n.get("remark", "dscp")
	if !size.there() || !priority.there() || !dscp.there() {
		return
	}
	if text, _ := dscp.says(); text == "port-level" || !n.get("state").on(false) {
		return
	}
	r.sw.Trim = &plan.Trim{
		Size: of(units.Bytes(size.number(256, 1024, 256)), size, "size of what is left"), DSCP: uint8(dscp.number(0, 63, 0)),
		TC: uint8(priority.number(0, 7, 0)), Range: n.at(),
	}
	r.sw.Trim.Queue = r.sw.Maps.TCToQueue[r.sw.Trim.TC]
}

// trimmed are the traffic classes of a port that are cut, as bits.
func (r *reader) trimmed(classes *node) (bits uint8) {
	if r.sw.Trim == nil {
		return 0
	}
	classes.instances(7, func(tc int, kid *node) {
		kid.mark()
		bits |= 1 << tc
	})
	return bits
}
