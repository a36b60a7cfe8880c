package sonic

import (
	"slices"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Words of SWITCH_TRIMMING that have orchagent look a value up, in any case
// (sonic-swss orchagent/switch/trimming/helper.cpp).
const (
	dscpFromTC   = "from-tc" // the port's map has the code point of tc_value
	queueOfClass = "dynamic" // the queue is that of the code point
)

// readTrimming reads how the switch cuts packets. Only a row that says all of it is read:
// what a row leaves out is the SDK's default, which is not published (sonic-swss
// orchagent/switchorch.cpp, setSwitchTrimming, sets what is there), and a code point by
// port is more than a plan holds.
func (r *reader) readTrimming() {
	w := r.table(schema.TableTrimming).row(schema.GlobalTrimming)
	if w == nil || trimmingLacks(w) != "" {
		return
	}
	size, at, ok := r.number(w, schema.TrimSize)
	dscp, _, known := r.number(w, schema.TrimDSCP)
	tc := r.sw.Maps.DSCPToTC[dscp&63]
	queue, found := int64(r.sw.Maps.TCToQueue[tc&7]), true
	if n := w.fields.Get("queue_index"); strings.EqualFold(n.Text, queueOfClass) {
		n.Used = true
	} else {
		queue, _, found = r.number(w, schema.TrimQueue)
	}
	if ok && known && found {
		r.sw.Trim = &plan.Trim{Size: got("size of trimmed packets", units.Bytes(size), at), DSCP: uint8(dscp), TC: tc, Queue: uint8(queue), Range: w.at}
	}
}

// trimmingLacks is why a row does not say by itself what becomes of a packet; empty if it does.
func trimmingLacks(w *row) string {
	for _, field := range []string{"size", "dscp_value", "queue_index"} {
		switch n := w.fields.Get(field); {
		case n == nil:
			return field + " is absent, and the SDK's default is not published"
		case field == "dscp_value" && strings.EqualFold(n.Text, dscpFromTC):
			return "the code point of trimmed packets differs at each port"
		}
	}
	return ""
}

// trims reports whether queues of a profile cut packets, as far as the switch says how. A cut
// packet is lossy traffic of the queue that the switch names, and no proof counts on it.
func (r *reader) trims(w *row) bool {
	n := w.fields.Get("packet_discard_action")
	if n == nil || n.Text != schema.Trimmed {
		return false
	}
	if r.sw.Trim == nil {
		r.found.Warnf(NotModelled, r.doc.At(n), "packets of %s are trimmed, and %s does not say to which size, code point and queue", w.key, schema.TableTrimming)
		return false
	}
	n.Used = true
	return true
}

// claimTrimming says of SWITCH_TRIMMING what the plan does not hold, once it is known which
// queues cut packets and which are lossless.
func (r *reader) claimTrimming() {
	w := r.table(schema.TableTrimming).row(schema.GlobalTrimming)
	if w == nil {
		return
	}
	cut := r.cutQueues()
	if w.fields.Get("dscp_value") != nil && r.sw.Trim != nil {
		r.neutral(w.fields.Get("tc_value"), ruleTrimmedTC)
	}
	lacks := trimmingLacks(w)
	for i := range w.fields.Members {
		switch n := &w.fields.Members[i].Value; {
		case lacks == "" || !slices.Contains(trimmingFields[:], w.fields.Members[i].Key):
		case cut == 0:
			r.neutral(n, ruleNothingCut)
		default:
			r.unmodelled(n, read.Scope{}, "packets that find no buffer are cut and sent on, but it is not known how: %s", lacks)
		}
	}
	for i := range r.sw.Classes {
		if c := &r.sw.Classes[i]; r.sw.Trim != nil && cut != 0 && c.Lossless && r.queuesOf(c)>>r.sw.Trim.Queue&1 == 1 {
			r.unmodelled(w.fields.Get("queue_index"), read.Scope{Queues: 1 << r.sw.Trim.Queue}, "trimmed packets leave from queue %d, which is lossless, and no pause stops them", r.sw.Trim.Queue)
		}
	}
	left := plan.Class{}
	if r.sw.Trim != nil {
		left = plan.Class{TrafficClass: r.sw.Trim.TC, Queue: r.sw.Trim.Queue}
	}
	if n := w.fields.Get("queue_index"); n != nil && strings.EqualFold(n.Text, queueOfClass) && cut != 0 && r.queuesOf(&left) != 1<<left.Queue {
		r.unmodelled(n, read.Scope{}, "trimmed packets leave each port from another queue, as its map says, but a plan has only one")
	}
}

var trimmingFields = [...]string{"size", "dscp_value", "tc_value", "queue_index"}

// cutQueues returns the queues whose packets some port cuts, as bits. A profile without users
// cuts nothing.
func (r *reader) cutQueues() (queues uint16) {
	t := r.table(schema.TableBufferProfile)
	for i := range t.rows {
		if n := t.rows[i].fields.Get("packet_discard_action"); n != nil && n.Text == schema.Trimmed {
			queues |= r.users(schema.TableBufferProfile, t.rows[i].key).Queues
		}
	}
	if !t.present {
		return 1<<16 - 1 // the profiles are in another file
	}
	return queues
}

// claimTrimmed judges the word of a profile by the queues that have it.
func (r *reader) claimTrimmed(w *row) {
	n := w.fields.Get("packet_discard_action")
	if n == nil || n.Text == "drop" {
		return
	}
	users := r.users(w.table, w.key)
	lossless := slices.ContainsFunc(r.sw.Classes, func(c plan.Class) bool { return c.Lossless && users.Queues&r.queuesOf(&c) != 0 })
	switch {
	case n.Text != schema.Trimmed:
		r.unmodelled(n, users, "packet_discard_action is drop or trim, not %s", posjson.Clip(n.Text))
	case lossless:
		r.unmodelled(n, users, "packets of a lossless queue that find no buffer are cut and sent on")
	case !n.Used:
		r.unmodelled(n, users, "packets that find no buffer are cut and sent on, not dropped")
	}
}
