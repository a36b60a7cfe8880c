// Package bound computes bounds that no setting of a fabric can beat: neither its marking curve,
// nor alpha, nor the constants of its NICs, nor, unless stated, how load is balanced. They follow
// from who sends what to whom and when, from links and from cables, and from nothing that a run
// measured.
//
// It assumes that a queue pair begins at line rate, as RoCE's do (Zhu et al., "Congestion Control
// for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3: "no slow start"), or with a window of
// its path's bandwidth-delay product, which is the same for the time considered; and that no PFC
// pause stops it in that time. See [Start].
package bound

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// A Traffic is a scenario as bounds see it.
type Traffic struct {
	sc       *sim.Scenario
	ways     []sim.Way // by flow
	flows    []int     // that are judged, in the order of the scenario
	messages int       // before the probes
	packet   int64     // full, on the wire, bytes
	extra    int64     // of them not payload
}

// Of takes the first flows of a scenario, so many of them, that are RDMA: probes come after.
func Of(sc *sim.Scenario, messages int) *Traffic {
	t := &Traffic{sc: sc, ways: sc.Ways(), messages: messages}
	extra, _ := sc.Wire.Taken()
	t.extra = int64(extra)
	t.packet = int64(sc.Transport.Payload) + t.extra
	for i := range sc.Flows[:messages] {
		if !sc.Flows[i].TCP && t.ways[i].Ports != nil {
			t.flows = append(t.flows, i)
		}
	}
	return t
}

// hashed reports whether each flow keeps to the way that its hash gave it.
func (t *Traffic) hashed() bool {
	return t.sc.Balancing.Mode == balance.ECMP && len(t.sc.Outages) == 0
}

// rate returns the rate of a port's link.
func (t *Traffic) rate(port int) units.BitRate { return t.sc.Links[port/2].Rate }

// wire returns the bytes of a message on a link: its payload, and headers and gap of each packet.
func (t *Traffic) wire(flow int) int64 {
	size, payload := int64(t.sc.Flows[flow].Bytes), int64(t.sc.Transport.Payload)
	return size + (size+payload-1)/payload*t.extra
}
