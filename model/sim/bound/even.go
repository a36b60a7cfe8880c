package bound

import (
	"math"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Even is the part of a traffic that a fabric can carry if each switch divides each flow evenly
// over the ports of its shortest ways, as a balancing of single packets does. Throughput is
// compared with it: it can be reached on the fabric, so that to ask for nearly as much is to ask
// for nothing that links forbid, and no flow gets more of it than its fair share.
type Even struct {
	// Rate is the sum of the rates of all flows, in bit/s of data on the wire, where they are fair:
	// all grow alike, until a link is full, whose flows keep what they have while the others grow on
	// (max-min fairness: Bertsekas and Gallager, "Data Networks", 2nd edition, section 6.5.2).
	Rate float64

	// Least is the least time in which links carry all of it: that of the fullest one. Flows that
	// have rates in proportion to their bytes fill it, and no other link.
	Least units.Time

	Wire units.Bytes // of data, with headers and gaps
}

// Even divides all flows, those of TCP too. Acknowledgements, one for each packet, take the ports' other
// directions.
func (t *Traffic) Even() Even {
	pairs := t.pairs()
	e := Even{Rate: t.fair(pairs)}
	carry := make([]float64, 2*len(t.sc.Links)) // bytes, by port
	for i := range pairs {
		e.Wire += units.Bytes(pairs[i].bytes)
		for _, s := range pairs[i].uses {
			carry[s.Port] += s.Part * pairs[i].bytes
		}
	}
	for port, bytes := range carry {
		e.Least = max(e.Least, units.Time(bytes*8e12/float64(t.rate(port))))
	}
	return e
}

// pair is all that a host sends to another.
type pair struct {
	uses  []sim.Share // of ports, for each bit of data
	flows float64     // that divide a link with those of others
	bytes float64     // of data on the wire
}

// pairs returns the pairs of all flows, in the order of these.
func (t *Traffic) pairs() (list []pair) {
	at := map[[2]int]int{}
	var hosts [][2]int
	for i := range t.ways[:t.messages] {
		f := &t.sc.Flows[i]
		if t.ways[i].Ports == nil {
			continue
		}
		key := [2]int{f.Src, f.Dst}
		k, known := at[key]
		if !known {
			k, at[key] = len(list), len(list)
			list, hosts = append(list, pair{}), append(hosts, key)
		}
		list[k].flows++
		list[k].bytes += float64(t.wire(i)) * float64(max(1, f.Repeat))
	}
	_, ack := t.sc.Wire.Taken()
	back := float64(ack) / float64(t.packet)
	for k, shares := range t.sc.Spread(hosts) {
		for _, s := range shares {
			list[k].uses = append(list[k].uses, s, sim.Share{Port: s.Port ^ 1, Part: s.Part * back})
		}
	}
	return list
}

// fair returns the sum of max-min fair rates.
func (t *Traffic) fair(pairs []pair) (sum float64) {
	left := make([]float64, 2*len(t.sc.Links)) // of rates, by port
	for port := range left {
		left[port] = float64(t.rate(port))
	}
	grown := 0.0 // rate that each flow has, of those that still grow
	for growing := slices.Clone(pairs); ; {
		slope := make([]float64, len(left))
		for i := range growing {
			for _, s := range growing[i].uses {
				slope[s.Port] += s.Part * growing[i].flows
			}
		}
		step := math.Inf(1)
		for port, a := range slope {
			if a > 0 {
				step = min(step, left[port]/a)
			}
		}
		if math.IsInf(step, 1) {
			return sum // nothing grows any more
		}
		grown += step
		full := make([]bool, len(left))
		for port, a := range slope {
			left[port] -= step * a
			full[port] = left[port] <= 1e-9*float64(t.rate(port))
		}
		growing = stable.Delete(growing, func(p pair) bool {
			stops := slices.ContainsFunc(p.uses, func(s sim.Share) bool { return full[s.Port] })
			if stops {
				sum += grown * p.flows
			}
			return stops
		})
	}
}
