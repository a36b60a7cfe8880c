package sim

import "github.com/roceplan/roceplan/units"

// A Way describes the path and times of a flow's packets when nothing is in their way.
type Way struct {
	Ports   []int        // that they leave by, in order, on the way that ECMP's hash takes: 2i at A and 2i+1 at B of link i; nil: no way leads there
	Before  []units.Time // of the cables and the switches before each of Ports
	Delay   units.Time   // of the cables and the switches, one way; of all ways of so few links the shortest
	Serial  units.Time   // of a full payload without headers on each of the links
	Slowest units.BitRate
}

// LeastRTT returns the least time from when a packet with a full payload is in its sender's queue until
// an answer of its receiver or of a switch can be there: the sender has no feedback before.
func (w *Way) LeastRTT() units.Time { return 2*w.Delay + w.Serial }

// Ways returns the ways of the flows, in their order. Messages of a queue pair take that of its first one.
func (sc *Scenario) Ways() []Way {
	topo, clock := newTopology(sc), clock{sc.Times, int32(sc.Wire.Gap)}
	ways := make([]Way, len(sc.Flows))
	towards := make([][]int, len(sc.Nodes))
	for i := range sc.Flows {
		towards[sc.Flows[i].Dst] = append(towards[sc.Flows[i].Dst], i)
	}
	var r tree
	for node, flows := range towards {
		if len(flows) == 0 {
			continue
		}
		r.find(topo, node, int64(sc.Transport.Payload), clock)
		for _, i := range flows {
			f := &sc.Flows[i]
			s := &r.steps[f.Src]
			before := int64(0)
			for _, port := range r.path(topo, f.Src, f.key()) {
				ways[i].Ports, ways[i].Before = append(ways[i].Ports, int(port)), append(ways[i].Before, units.Time(before))
				before += int64(topo.links[port/2].Delay) + topo.latency(topo.node(port^1))
			}
			ways[i].Delay, ways[i].Serial, ways[i].Slowest = units.Time(s.least), units.Time(s.payload), units.BitRate(s.slowest)
		}
	}
	first := map[ends]int{}
	for i := range sc.Flows {
		f := &sc.Flows[i]
		pair := ends{f.Src, f.Dst, f.QueuePair, f.TCP}
		if k, known := first[pair]; known {
			ways[i] = ways[k]
		} else if f.QueuePair > 0 {
			first[pair] = i
		}
	}
	return ways
}
