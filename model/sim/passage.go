package sim

import (
	"errors"
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// A Passage is what a message takes when nothing else is on its way: what a model that sends no packets has to know of them.
type Passage struct {
	// There and Back are the ports that its packets and their acknowledgements leave by, in order, on the ways that ECMP's
	// hash takes: 2i at A and 2i+1 at B of link i.
	There, Back []int32

	Post      units.Time // from its posting until its first packet can be sent
	Carried   units.Time // that its packets take on the slowest link of the way, one behind the other
	Delivered units.Time // from its posting until the receiving process has it
	Acked     units.Time // from its posting until the sender has its acknowledgement

	// Ideal is the least time of all its times ([Flow.Repeat]), which slowdowns relate to: see [Scenario.ExactIdeal].
	Ideal units.Time
}

// Passages are those of the messages that send something, in their order; of says which one is a flow's, -1 where it is work.
// The error says what in the scenario is out of range, or which flows have no path.
func (sc *Scenario) Passages() (list []Passage, of []int32, err error) {
	if err := sc.check(); err != nil {
		return nil, nil, err
	}
	s := &builder{sc: sc, topo: newTopology(sc), byNode: sc.portsByNode(), engine: &engine{
		timekeeper: timekeeper{clock: clock{sc.Times, int32(sc.Wire.Gap)}},
		network:    newNetwork(2*len(sc.Links), len(sc.Nodes)),
		hosts:      hosts{transport: newTransport(sc), host: newHostTimes(&sc.Transport.Host)},
	}}
	s.manyWays, s.ways.known = sc.manyWays(), map[string]int32{}
	s.buildPorts()
	p := &passages{builder: s, of: make([]int32, len(sc.Flows))}
	p.pair()
	p.search()
	for i, own := range p.of {
		if own >= 0 {
			p.time(i, &p.list[own])
		}
	}
	return p.list, p.of, errors.Join(p.errs...)
}

// passages are being found.
type passages struct {
	*builder
	list        []Passage
	of          []int32
	first       []int32 // by passage: the flow whose way it takes, the first one of its queue pair
	there, back []int32 // by passage: ways
	to, from    [][]int32
	errs        []error
}

// pair lists the passages, and by node those that lead to it or come back to it.
func (p *passages) pair() {
	p.to, p.from = make([][]int32, len(p.sc.Nodes)), make([][]int32, len(p.sc.Nodes))
	known := map[ends]int32{}
	for i := range p.sc.Flows {
		f := &p.sc.Flows[i]
		if p.of[i] = none; f.work() {
			continue
		}
		own, first := int32(len(p.first)), int32(i)
		if key := (ends{f.Src, f.Dst, f.QueuePair, f.TCP}); f.QueuePair > 0 {
			if before, ok := known[key]; ok {
				first = before
			} else {
				known[key] = first
			}
		}
		p.of[i] = own
		if p.first = append(p.first, first); first == int32(i) {
			p.to[f.Dst], p.from[f.Src] = append(p.to[f.Dst], own), append(p.from[f.Src], own)
		}
	}
	p.list, p.there, p.back = make([]Passage, len(p.first)), make([]int32, len(p.first)), make([]int32, len(p.first))
}

// search finds the ways, once for each switch with hosts that are an end of one.
func (p *passages) search() {
	r := &tree{}
	for node := range p.sc.Nodes {
		if len(p.to[node])+len(p.from[node]) == 0 {
			continue
		}
		r.find(p.topo, node, p.transport.payload, p.clock)
		for _, own := range p.to[node] {
			f := &p.sc.Flows[p.first[own]]
			path := r.path(p.topo, f.Src, f.key())
			if path == nil {
				p.errs = append(p.errs, fmt.Errorf("no path from node %d to node %d", f.Src, f.Dst))
				continue
			}
			p.list[own].There, p.there[own] = path, p.addWay(r, f.Src, path)
		}
		for _, own := range p.from[node] {
			f := &p.sc.Flows[p.first[own]]
			if path := r.path(p.topo, f.Dst, f.key().Reversed()); path != nil {
				p.list[own].Back, p.back[own] = path, p.addWay(r, f.Dst, path)
			}
		}
	}
}

// time fills in what a flow's passage takes.
func (p *passages) time(i int, own *Passage) {
	from := &p.sc.Flows[i]
	first := p.of[p.first[p.of[i]]]
	if p.list[first].There == nil {
		return
	}
	own.There, own.Back = p.list[first].There, p.list[first].Back
	m, f := &message{bytes: int64(from.Bytes)}, &flow{wayThere: p.there[first], wayBack: p.back[first]}
	post := p.host.postTime(m.bytes, p.transport.payload)
	there := p.one(m, f)
	own.Post, own.Carried = units.Time(post), units.Time(p.carried(m, f))
	own.Acked, own.Ideal = units.Time(p.alone(m, f)), units.Time(p.idealOf(m, f, from))
	own.Delivered = units.Time(post + there + p.host.memoryTime((m.bytes-1)%p.transport.payload+1) + p.host.deliver)
}
