package adopt

import (
	"crypto/sha256"
	"fmt"

	"github.com/roceplan/roceplan/plan"
)

// content is equal for switches with the same settings: places, reasons, names and descriptions do
// not count.
func content(format string, sw *plan.Switch) [32]byte {
	h := sha256.New()
	put := func(values ...any) { fmt.Fprintln(h, values...) }
	put(format, sw.OS, sw.Platform, sw.HwSKU, sw.Role, sw.BufferModel, sw.LoadBalancing, sw.MTU.Value, sw.Maps)
	for _, c := range sw.Classes {
		put(c.Name, c.TrafficClass, c.Queue, c.PG, c.PFC, c.DSCPs, c.Lossless)
	}
	if t := sw.Tunnel; t != nil {
		put(t.Name, t.DSCPToTC, t.TCToPG, t.TCToQueue, t.Outer, t.Kept)
	}
	for _, p := range sw.Pools {
		put(p.Name, p.Direction, p.Dynamic, p.Size.Value, p.Infinite, p.Percent, p.HeadroomPercent, p.Headroom.Value)
	}
	if w := sw.Watchdog; w != nil {
		put(w.Detection.Value, w.Restoration.Value, w.Poll.Value, w.Action)
	}
	if c := sw.Calculator; c != nil {
		put(c.DefaultAlpha.Value, c.Oversubscribe.Value, c.LosslessFrame.Value, c.SmallPackets.Value)
	}
	if m := sw.Marking; m != nil {
		put(m.Rules, m.Default, m.DefaultTC)
	}
	kinds := map[*plan.PortQoS]int{}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		kind, known := kinds[p.QoS]
		if !known {
			kind = len(kinds)
			kinds[p.QoS] = kind
			put(qosText(p.QoS))
		}
		put(p.Name, p.Alias, p.Index, p.Numbered, p.Lanes, p.Cage, p.FEC, int64(p.Speed), int64(p.Cable), p.Medium, int64(p.MTU), p.Routed, kind)
	}
	var sum [32]byte
	h.Sum(sum[:0])
	return sum
}

// qosText returns the QoS of ports, without places.
func qosText(q *plan.PortQoS) string {
	if q == nil {
		return "nothing"
	}
	text := fmt.Sprintln(q.Trust, q.PFC, q.Watchdog, q.Unwatched, q.Rewrite)
	if q.DSCPToTC != nil {
		text += fmt.Sprintln(*q.DSCPToTC)
	}
	if q.TCToQueue != nil {
		text += fmt.Sprintln("queues", q.TCToQueue.To)
	}
	for _, g := range q.PGs {
		text += fmt.Sprintln(g.ID, g.Pool, g.Lossless, g.Reserved.Value, g.Limit.Value, g.XOn.Value, g.XOnOffset.Value, g.Headroom.Value, g.Override)
	}
	for _, q := range q.Queues {
		text += fmt.Sprintln(q.ID, q.Pool, q.Reserved.Value, q.Limit.Value, q.Scheduler.Strict, q.Scheduler.Weight.Value, q.Scheduler.MaxRate.Value)
		if e := q.ECN; e != nil {
			text += fmt.Sprintln(e.KMin.Value, e.KMax.Value, e.PMax.Value)
		}
	}
	for _, p := range q.Pools {
		text += fmt.Sprintln(p.Pool, p.Reserved.Value, p.Limit.Value)
	}
	return text
}
