package way

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A viewer makes the views of a switch. Ports with equal settings share what does not depend on the port.
type viewer struct {
	sw      *plan.Switch
	kinds   []*plan.PortQoS // all of the switch
	of      map[*plan.PortQoS]*View
	tunnels bool // packets change class on their way to the other switch of a pair
}

func newViewer(sw *plan.Switch) *viewer {
	v := &viewer{sw: sw, of: map[*plan.PortQoS]*View{}, tunnels: sw.Tunnel != nil}
	seen := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		if q := sw.Ports[i].QoS; q != nil && !seen[q] {
			seen[q] = true
			v.kinds = append(v.kinds, q)
		}
	}
	return v
}

// view returns the view of a port.
func (v *viewer) view(port *plan.Port) View {
	view := v.of[port.QoS]
	if view == nil {
		view = v.settings(port.QoS)
		v.of[port.QoS] = view
	}
	own := *view
	own.Speed, own.FEC, own.Frame = port.Speed, port.FEC, cmp.Or(port.MTU, v.sw.MTU.Value)
	return own
}

func (v *viewer) settings(q *plan.PortQoS) *View {
	m := &v.sw.Maps
	out := &View{Groups: m.PFCToPG, Queues: m.PFCToQueue, Out: v.leaves(q)}
	if q == nil {
		return out
	}
	out.PFC, out.Lossless = q.PFC, losslessOf(q)
	for d := range 64 {
		tc, _ := v.classed(q, uint8(d))
		out.In[d] = 1 << (m.TCToPG[tc&7] & 7)
	}
	return out
}

func losslessOf(q *plan.PortQoS) (groups uint8) {
	for _, g := range q.PGs {
		if g.Lossless {
			groups |= 1 << (g.ID & 7)
		}
	}
	return groups
}

// classed returns the traffic class of a code point that comes in by a port, and the code point that its packets have
// from there on.
func (v *viewer) classed(q *plan.PortQoS, d uint8) (tc, wire uint8) {
	if q != nil && q.Trust == plan.TrustNone && v.sw.Marking != nil {
		return v.sw.Marking.Classes()[d&63], v.sw.Marking.Writes(d)
	}
	return v.sw.ClassifiedBy(q)[d&63], d
}

// leaves returns the queues by which packets with a code point leave a port: in the classes in which they came in
// lossless; without such a port, by the map of the switch.
func (v *viewer) leaves(q *plan.PortQoS) (out Sets) {
	var rewrite *plan.Rewrite
	if q != nil {
		rewrite = q.Rewrite
	}
	queues := v.sw.QueuesOf(q)
	add := func(tc, wire uint8) { out[rewrite.Of(tc&7, wire)&63] |= 1 << (queues[tc&7] & 15) }
	for _, from := range v.kinds {
		lossless := losslessOf(from)
		for d := range uint8(64) {
			tc, wire := v.classed(from, d)
			if lossless>>(v.sw.Maps.TCToPG[tc&7]&7)&1 == 1 {
				add(tc, wire)
				if t := v.sw.Tunnel; t != nil && q != nil { // to the other switch of the pair
					out[t.Outer.Of(tc&7, wire)&63] |= 1 << (t.TCToQueue[tc&7] & 15)
				}
			}
		}
	}
	for d := range out {
		if out[d] == 0 {
			out[d] = 1 << (queues[v.sw.Maps.DSCPToTC[d]&7] & 15)
		}
	}
	return out
}

// nic returns the view of a NIC: its priorities are its queues and its groups.
func nic(h *plan.Host) View {
	v := View{Frame: h.MTU, PFC: h.Lossless(), Lossless: h.Lossless()}
	for p := range uint8(8) {
		v.Groups[p], v.Queues[p] = p, p
	}
	for d, p := range h.Priorities {
		v.In[d], v.Out[d] = 1<<(p&7), 1<<(p&7)
	}
	return v
}

// half returns the views of a NIC with some old and some new settings, in any order: each code point
// has the old priority or the new one, and PFC is the old or the new one. It takes frames of the
// smaller size.
func half(was, is View) (all []View) {
	for _, pfc := range []View{was, is} {
		v := pfc
		v.Frame = min(was.Frame, is.Frame)
		for d := range v.In {
			v.In[d], v.Out[d] = was.In[d]|is.In[d], was.Out[d]|is.Out[d]
		}
		all = append(all, v)
	}
	return all
}

// sends returns the code points with which a NIC sends lossless packets.
func sends(h *plan.Host) (set uint64) {
	if c := h.RDMA(); c != nil && c.Lossless {
		set = 1 << (c.ToS() >> 2 & 63)
	}
	return set
}

// mostRoCE is the most that is around the payload of a RoCEv2 packet: Ethernet with a VLAN and FCS 22, IPv6 40, UDP 8, and of InfiniBand
// BTH 12, XRCETH 4, RETH 16, immediate data 4 and ICRC 4 (InfiniBand Architecture Specification 1.4, 9.2 to 9.6 and A17).
const mostRoCE units.Bytes = 110

// frameOf returns the largest lossless frame that a NIC sends: that of RDMA if nothing else is lossless.
func frameOf(h *plan.Host) units.Bytes {
	other := func(c plan.HostClass) bool { return c.Lossless && !c.Used }
	if h.RoCEMTU == 0 || slices.ContainsFunc(h.Classes, other) {
		return h.MTU
	}
	return min(h.MTU, h.RoCEMTU+mostRoCE)
}

// trim leaves out what no pair depends on, so that views that differ in nothing else are one: groups of code points that are not
// lossless, and queues of code points that enter a lossless group nowhere.
func (v *View) trim(matter uint64) {
	for d := range v.In {
		if v.In[d]&uint16(v.Lossless) == 0 {
			v.In[d] = 0
		}
		if matter>>d&1 == 0 {
			v.Out[d] = 0
		}
	}
}
