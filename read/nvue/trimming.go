package nvue

import (
	"slices"

	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
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
	size, priority, dscp := r.set.row(row.TrimSize), r.set.row(row.TrimPriority), r.set.row(row.TrimDSCP)
	if !size.there() || !priority.there() || !dscp.there() {
		return
	}
	if text, _ := dscp.says(); text == "port-level" || !n.get("state").on(false) {
		return
	}
	r.sw.Trim = &plan.Trim{
		Size: of(units.Bytes(size.orElse(row.TrimSize, row.Of(row.TrimSize).Least)), size, "size of trimmed packets"), DSCP: uint8(dscp.of(row.TrimDSCP)),
		TC: uint8(priority.of(row.TrimPriority)), Range: n.at(),
	}
	r.sw.Trim.Queue = r.sw.Maps.TCToQueue[r.sw.Trim.TC]
}

// trimmed returns the traffic classes of a port that are cut, as one word; none where the plan has no
// trimming.
func (r *reader) trimmed(classes *node) (all string) {
	if r.sw.Trim == nil {
		return ""
	}
	classes.each(func(tc string, _ *node) { all += tc + " " })
	return all
}

// trims has queues of a port cut their packets. Packets cut in a lossless queue are lost to it, and
// the plan has no queue that is otherwise not in the file. A lossless group has the number of its
// switch priority: see losslessGroup.
func (r *reader) trims(port *plan.Port, classes *node) {
	if r.sw.Trim == nil {
		return
	}
	classes.instances(7, func(tc int, kid *node) {
		at := slices.IndexFunc(port.QoS.Queues, func(q plan.Queue) bool { return int(q.ID) == tc })
		pauses := slices.ContainsFunc(port.QoS.PGs, func(g plan.PG) bool { return g.Lossless && int(r.sw.Maps.TCToQueue[g.ID]) == tc })
		switch scope := (read.Scope{Ports: []string{port.Name}, Queues: 1 << tc}); {
		case pauses:
			kid.doubtf(scope, "packets of a lossless queue that find no buffer are cut and sent on")
		case at < 0:
			kid.doubtf(scope, "packets of the queue are cut instead of waiting, and the file does not say how")
		default:
			port.QoS.Queues[at].Trims = true
		}
	})
}
