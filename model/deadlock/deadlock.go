// Package deadlock looks for cyclic buffer dependencies: a circle of links, each of
// which can only drain when the next one does. With PFC such a circle may stop for
// good. It is necessary for a deadlock, not sufficient; a fabric without one cannot
// deadlock.
//
// The nodes of the dependency graph are directed links of one lossless class; an edge leads from a
// link to the next one if some packet goes from one to the other. Packets start at edge devices,
// and every device forwards over all links that are on a shortest path to the destination (ECMP),
// or where routing is free of valleys over links that lead up and then down; that alone proves that
// there is no circle. Classes that are never rewritten on the way have equal graphs, so one is
// enough.
//
// Whether two links follow each other needs no path to be enumerated. Let Used(l) be
// the destinations of the packets that cross link l. A packet for d that arrives at a
// device leaves over each next hop for d; so link in is followed by link out if and
// only if they meet and Used(in) and Used(out) have a destination in common.
//
// Sources: Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section
// 4.2; Hu et al., Deadlocks in Datacenter Networks: Why Do They Form, and How to Avoid
// Them, HotNets 2016; Hu et al., Tagger, CoNEXT 2017, for bounced paths.
package deadlock

import "fmt"

// A Topology is devices and the links between them. Parallel links are listed each.
type Topology struct {
	Devices []Device
	Links   []Link
	// ValleyFree: packets go up, over one link within a tier at the most, and down. A pair of
	// devices without such a path is cut off. Else packets take all shortest paths.
	ValleyFree bool
}

// A Device is a switch. Edge devices have hosts: packets start and end there.
type Device struct {
	Name string
	Edge bool
}

// A Link joins two devices by their indices.
type Link struct{ A, B int32 }

// A Hop is one directed link of a witness.
type Hop struct{ From, To string }

func (h Hop) String() string { return h.From + " → " + h.To }

// A Verdict is the result for one state of the fabric.
type Verdict struct {
	// Cycle is a circle of links in the order in which they wait for each other: the
	// first one waits for the second, the last one for the first. Empty: there is none.
	Cycle []Hop
	// Bounce is a turn from a downward to an upward link, without which no circle is
	// possible in a tiered fabric. Empty: every path goes up and then down, which
	// proves the fabric free of circles.
	Bounce []Hop
	// Cut counts the pairs of edge devices that no path joins.
	Cut int
}

// Free reports whether the state cannot deadlock.
func (v Verdict) Free() bool { return len(v.Cycle) == 0 }

// validate refuses indices that name nothing.
func (t *Topology) validate() error {
	for i, link := range t.Links {
		if min(link.A, link.B) < 0 || int(max(link.A, link.B)) >= len(t.Devices) || link.A == link.B {
			return fmt.Errorf("link %d joins devices %d and %d of %d", i, link.A, link.B, len(t.Devices))
		}
	}
	return nil
}
