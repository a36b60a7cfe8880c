package sim

import (
	"errors"
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// A Passage has the ways and the times of a message with nothing else on its way, for a model that sends no packets.
type Passage struct {
	// There and Back are the ports by which its packets and their acknowledgements leave, in order, on the ways of ECMP's
	// hash: 2i at A and 2i+1 at B of link i.
	There, Back []int32

	Post      units.Time // from its posting until its first packet can be sent
	Carried   units.Time // of its packets on the slowest link of the way, one behind the other
	Delivered units.Time // from its posting until the receiving process has it
	Acked     units.Time // from its posting until the sender has its acknowledgement

	// Ideal is the least time with all repetitions ([Flow.Repeat]); slowdowns relate to it: see [Scenario.ExactIdeal].
	Ideal units.Time
}

// Passages lists those of the messages that send something, in their order. of has the passage of each flow; -1: it is work.
// The error names a value of the scenario that is out of range, or the flows without a path.
func (sc *Scenario) Passages() (list []Passage, of []int32, err error) {
	if err := sc.check(); err != nil {
		return nil, nil, err
	}
	s := newBuilder(sc)
	of, first := queuePairs(sc.Flows)
	routes, err := s.routesOf(first)
	if err != nil {
		return nil, nil, err
	}
	for i, pair := range of {
		if pair != none {
			of[i] = int32(len(list))
			list = append(list, s.passage(&sc.Flows[i], &routes[pair]))
		}
	}
	return list, of, nil
}

// routed has the ports of a queue pair's packets and acknowledgements, and their ways in [engine.ways].
type routed struct {
	there, back       []int32
	wayThere, wayBack int32
}

// routesOf finds the ports and ways of queue pairs, once for each switch with hosts that are an end of one. The error names
// the hosts without a path.
func (s *builder) routesOf(first []int) ([]routed, error) {
	routes, errs := make([]routed, len(first)), []error(nil)
	towards, back := s.sc.byEnds(first)
	r := &tree{}
	for node := range s.sc.Nodes {
		if len(towards[node])+len(back[node]) == 0 {
			continue
		}
		r.find(s.topo, node, s.transport.payload, s.clock)
		for _, pair := range towards[node] {
			f, own := &s.sc.Flows[first[pair]], &routes[pair]
			if own.there = r.path(s.topo, f.Src, f.key()); own.there == nil {
				errs = append(errs, fmt.Errorf("no path from node %d to node %d", f.Src, f.Dst))
				continue
			}
			own.wayThere = s.addWay(r, f.Src, own.there)
		}
		for _, pair := range back[node] {
			f, own := &s.sc.Flows[first[pair]], &routes[pair]
			if own.back = r.path(s.topo, f.Dst, f.key().Reversed()); own.back != nil {
				own.wayBack = s.addWay(r, f.Dst, own.back)
			}
		}
	}
	return routes, errors.Join(errs...)
}

// passage returns the passage of a message on the route of its queue pair.
func (s *builder) passage(from *Flow, by *routed) Passage {
	m, f := &message{bytes: int64(from.Bytes)}, &flow{wayThere: by.wayThere, wayBack: by.wayBack}
	post := s.host.postTime(m.bytes, s.transport.payload)
	return Passage{
		There: by.there, Back: by.back, Post: units.Time(post), Carried: units.Time(s.carried(m, f)),
		Delivered: units.Time(post + s.one(m, f) + s.host.memoryTime((m.bytes-1)%s.transport.payload+1) + s.host.deliver),
		Acked:     units.Time(s.alone(m, f)), Ideal: units.Time(s.idealOf(m, f, from)),
	}
}
