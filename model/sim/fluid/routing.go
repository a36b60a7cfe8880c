package fluid

import (
	"math"
	"math/rand/v2"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
)

// routing finds the links of a message. A port is one direction of a link: numbers are those of [sim.Passage].
type routing struct {
	law    *sim.Congestion
	random *rand.Rand
	packet float64          // bits of a full one on a link
	spread map[[2]int][]use // between two switches, where packets take all ways
	acks   float64          // bits of an acknowledgement on a link
}

// newSharing makes a link of each port.
func newSharing(e *engine) sharing {
	data, ack := e.sc.Wire.Taken()
	s := sharing{links: make([]link, 2*len(e.sc.Links)), routing: routing{
		law:  lawOf(e.sc, e.sc.Flows[e.flows[0]].Class),
		acks: float64(8 * ack), packet: float64(8 * (e.sc.Transport.Payload + data)), random: rand.New(rand.NewPCG(e.sc.Seed, 0x6d61726b73)),
	}}
	for i := range s.links {
		s.links[i] = link{capacity: float64(e.sc.Links[i/2].Rate), level: math.Inf(1), queue: newQueue(e.sc, i, e.sc.Flows[e.flows[0]].Class)}
	}
	if e.sc.Balancing.Mode != balance.ECMP {
		e.sharing = s
		s.spread = spreads(e)
	}
	return s
}

// spreads returns the parts of a flow on the ports between two switches, where packets or flowlets take turns on all
// ways.
func spreads(e *engine) map[[2]int][]use {
	var keys, pairs [][2]int
	known := map[[2]int]bool{}
	for own := range e.passages {
		f, there := &e.sc.Flows[e.flows[own]], edges(e.sc, e.passages[own].There)
		for _, way := range [][2][2]int{{there, {f.Src, f.Dst}}, {{there[1], there[0]}, {f.Dst, f.Src}}} {
			if !known[way[0]] {
				known[way[0]] = true
				keys, pairs = append(keys, way[0]), append(pairs, way[1])
			}
		}
	}
	return alike(e, keys, e.sc.Spread(pairs))
}

// alike represents all ports that carry the same part of the same flows at the same rate by one of them: a fair rate at one is fair at
// each.
func alike(e *engine, keys [][2]int, ways [][]sim.Share) map[[2]int][]use {
	type kind struct {
		flows uint64
		rate  float64
	}
	flows := make([]uint64, len(e.links))
	for i, way := range ways {
		for _, s := range way {
			flows[s.Port] = (flows[s.Port] ^ uint64(i+1) ^ math.Float64bits(s.Part)) * 0x9e3779b97f4a7c15
		}
	}
	out := make(map[[2]int][]use, len(keys))
	for i, way := range ways {
		var list []use
		at := map[kind]int{}
		for _, s := range way {
			if e.sc.Nodes[nodeOf(e.sc, s.Port)] == sim.Host || e.sc.Nodes[nodeOf(e.sc, s.Port^1)] == sim.Host {
				continue
			}
			k := kind{flows[s.Port], e.links[s.Port].capacity}
			if before, ok := at[k]; ok {
				list[before].part += s.Part
				continue
			}
			at[k] = len(list)
			list = append(list, use{link: int32(s.Port), weight: s.Part, part: s.Part})
		}
		out[keys[i]] = list
	}
	return out
}

// edges returns the switches that a way begins and ends at.
func edges(sc *sim.Scenario, ports []int32) [2]int {
	return [2]int{nodeOf(sc, int(ports[0]^1)), nodeOf(sc, int(ports[len(ports)-1]))}
}

// nodeOf returns the node that a port is at.
func nodeOf(sc *sim.Scenario, port int) int { return sc.Links[port/2].Node(port % 2) }

// slowest returns the rate of the slowest link on a way.
func (e *engine) slowest(p *sim.Passage) float64 {
	least := math.Inf(1)
	for _, port := range p.There {
		least = min(least, e.links[port].capacity)
	}
	return least
}

// bits returns the size of a message on a link, with headers and gaps.
func (e *engine) bits(p *sim.Passage) float64 { return float64(p.Carried) * e.slowest(p) / 1e12 }

// route has the links that a message uses, and its acknowledgements.
func (e *engine) route(own int32) []use {
	p, f := &e.passages[own], &e.sc.Flows[e.flows[own]]
	packets := (f.Bytes + e.sc.Transport.Payload - 1) / e.sc.Transport.Payload
	acks := e.acks * float64(packets) / e.bits(p)
	list := make([]use, 0, len(p.There)+len(p.Back))
	list = e.along(list, p.There, 1, false)
	return e.along(list, p.Back, acks, true)
}

// along adds the links of a way.
func (e *engine) along(list []use, ports []int32, weight float64, acks bool) []use {
	if len(ports) == 0 {
		return list
	}
	add := func(port int32) { list = append(list, use{link: port, acks: acks, weight: weight, part: 1}) }
	if e.spread == nil || len(ports) < 3 {
		for _, port := range ports {
			add(port)
		}
		return list
	}
	add(ports[0])
	for _, u := range e.spread[edges(e.sc, ports)] {
		u.acks, u.weight = acks, u.weight*weight
		list = append(list, u)
	}
	add(ports[len(ports)-1])
	return list
}
