package plan

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
)

// A Tunnel describes how packets change class between the two switches to which a server is
// connected (dual-ToR): one that must not send to the server sends back, through the network above
// it, to the other. Returned packets wait in queues of their own, since two paths in opposite
// directions through one queue can wait for each other.
//
// Sources: SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2; SAI saitunnel.h.
type Tunnel struct {
	Name string // "MuxTunnel0"
	// Of packets that are taken out of the tunnel, by the code point inside: their traffic
	// class, and the priority group of that class. They leave by the queue of Maps.
	DSCPToTC [64]uint8
	TCToPG   [8]uint8
	// Of packets that are put into it, by the traffic class in which they came: the queue by
	// which they leave, and the code point outside. That inside stays.
	TCToQueue [8]uint8
	Outer     Rewrite
	// Kept are code points that are outside too. Each has a traffic class of its own from 8 on, which
	// is carried as the class that Maps and DSCPToTC have it in. Sorted.
	Kept  []uint8
	Range diag.Range
}

// MostKept is the number of traffic classes from 8 on.
const MostKept = 8

// Says reports whether two tunnels change packets alike. Either may be nil.
func (t *Tunnel) Says(o *Tunnel) bool {
	if t == nil || o == nil {
		return t == o
	}
	return t.Differs(o) == ""
}

// Differs says in short in what two tunnels differ first, and is empty where they change packets
// alike.
func (t *Tunnel) Differs(o *Tunnel) string {
	entry := func(what string, from int, is, should uint8) string {
		return fmt.Sprintf("%s %d is %d, not %d", what, from, is, should)
	}
	for d := range t.DSCPToTC {
		if t.DSCPToTC[d] != o.DSCPToTC[d] {
			return entry("the traffic class of what comes out with DSCP", d, t.DSCPToTC[d], o.DSCPToTC[d])
		}
	}
	for tc := range t.TCToPG {
		switch {
		case t.TCToPG[tc] != o.TCToPG[tc]:
			return entry("the priority group of what comes out in traffic class", tc, t.TCToPG[tc], o.TCToPG[tc])
		case t.TCToQueue[tc] != o.TCToQueue[tc]:
			return entry("the queue of what goes in from traffic class", tc, t.TCToQueue[tc], o.TCToQueue[tc])
		case t.Outer.TCs>>tc&1 != o.Outer.TCs>>tc&1:
			return fmt.Sprintf("traffic class %d has a code point outside in one of them alone", tc)
		case t.Outer.DSCP[tc] != o.Outer.DSCP[tc]:
			return entry("the DSCP outside of traffic class", tc, t.Outer.DSCP[tc], o.Outer.DSCP[tc])
		}
	}
	if !slices.Equal(t.Kept, o.Kept) {
		return fmt.Sprintf("the code points that are kept are %v, not %v", t.Kept, o.Kept)
	}
	if t.Name != o.Name {
		return fmt.Sprintf("it is called %s, not %s", t.Name, o.Name)
	}
	return ""
}

// ClassifiedBy returns the map from code points to traffic classes of a port, its own or that of
// the switch.
func (s *Switch) ClassifiedBy(q *PortQoS) *[64]uint8 {
	if q != nil && q.DSCPToTC != nil {
		return q.DSCPToTC
	}
	return &s.Maps.DSCPToTC
}
