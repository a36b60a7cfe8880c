package sonic

import (
	"strconv"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// queueMap reads the map of ports that send classes from queues of their own.
func (r *reader) queueMap(w *row) *plan.QueueMap {
	if own := r.maps.queues[w]; own != nil {
		return own
	}
	own := &plan.QueueMap{}
	w.used, r.maps.queues[w] = true, own
	r.fillMap(tcToQueue, w, own.To[:], own.At[:])
	if t := r.sw.Tunnel; t != nil {
		for _, dscp := range t.Kept { // carried as the class that the maps of the switch have it in
			tc, as := mapEntry(r.maps.dscpToTC, int64(dscp)), strconv.Itoa(int(r.sw.Maps.DSCPToTC[dscp]))
			if n := w.fields.Get(tc); w.fields.Get(as) != nil && (n == nil || n.Text != w.fields.Get(as).Text) {
				r.unmodelled(w.fields.Get(as), read.Scope{DSCPs: 1 << dscp}, "DSCP %d, which is kept in the tunnel, leaves from another queue than its class", dscp)
			}
		}
	}
	return own
}

// ownQueues returns the map from traffic classes to queues of a port that has its own; nil where it says
// the same as that of the switch.
func (r *reader) ownQueues(w *row) *plan.QueueMap {
	n := w.fields.Get(tcToQueue.field)
	if n == nil {
		return nil
	}
	own := r.maps.queues[r.table(tcToQueue.table).row(plainName(n.Text))]
	if own == nil || own.To == r.sw.Maps.TCToQueue {
		return nil
	}
	return own
}

// queuesOf returns the set of queues from which a class leaves some port.
func (r *reader) queuesOf(c *plan.Class) (queues uint16) {
	queues = 1 << (c.Queue & 15)
	for _, k := range r.kinds {
		queues |= 1 << (k.qos.QueueOf(c) & 15)
	}
	return queues
}
