package bound

import (
	"cmp"
	"math"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// Slowdown returns the least that the mean and the 99th percentile of the slowdowns of messages can be,
// whatever senders learn. ideal is the time of each message alone, by flow; 0: it is not among
// them. most is a 99th percentile that was reached, above which nothing is looked for.
//
// Messages that begin at one time and pass one port of a host finish there one after the other, or later: of those that do
// so in some order the last one takes no less than what the port takes for all of them. So
//
//   - the sum of their slowdowns is no less than in the order of the product of size and ideal, which no order of one
//     machine beats (W. E. Smith, "Various Optimizers for Single-Stage Production", Naval Research Logistics Quarterly 3,
//     1956: the sum of weighted completion times);
//   - no more of them have a slowdown up to x than can be finished by x times their ideals on one machine (J. M. Moore,
//     "An n Job, One Machine Sequencing Algorithm for Minimizing the Number of Late Jobs", Management Science 15(1), 1968).
//
// Each message counts at one of its two ports, that at which more begins with it. A message to a
// host that is stuck ([sim.Storm]) is not done before the end of the storm. All other messages may
// have a slowdown of 1.
func (t *Traffic) Slowdown(ideal []units.Time, most float64) (mean, p99 float64) {
	all := 0
	for _, d := range ideal {
		if d > 0 {
			all++
		}
	}
	if all == 0 {
		return 1, 1
	}
	groups := t.together(ideal)
	sum := float64(all)
	for _, g := range groups {
		sum += max(0, smith(g)-float64(len(g)))
	}
	held := t.held(ideal)
	for _, least := range held {
		sum += max(0, least-1)
	}
	return sum / float64(all), percentile99(groups, held, all, most)
}

// held returns the least slowdowns of messages to hosts that are stuck when they begin.
func (t *Traffic) held(ideal []units.Time) (list []float64) {
	for _, i := range t.flows {
		if until := t.stuck(i); until > 0 && i < len(ideal) && ideal[i] > 0 {
			list = append(list, float64(until-t.sc.Flows[i].Start)/float64(ideal[i]))
		}
	}
	return list
}

// stuck returns the time until which the receiver of a message takes nothing in; 0: it does when the
// message begins.
func (t *Traffic) stuck(i int) units.Time {
	f := &t.sc.Flows[i]
	for _, w := range t.sc.Storms {
		if w.Host == f.Dst && w.Class == f.Class && w.From <= f.Start && f.Start < w.To && len(f.After) == 0 {
			return w.To
		}
	}
	return 0
}

// job is a message at a port.
type job struct {
	took, ideal int64 // ps
}

// together returns the messages that begin at one time at one port, two at least, in the order of their ideals.
func (t *Traffic) together(ideal []units.Time) (groups [][]job) {
	type place struct {
		port  int
		start units.Time
	}
	wire := map[place]int64{}
	at := func(i int) (from, to place) {
		ports, start := t.ways[i].Ports, t.sc.Flows[i].Start
		return place{ports[0], start}, place{ports[len(ports)-1], start}
	}
	var counted []int
	for _, i := range t.flows {
		if i < len(ideal) && ideal[i] > 0 && len(t.sc.Flows[i].After) == 0 && t.sc.Flows[i].Repeat < 2 && t.stuck(i) == 0 {
			counted = append(counted, i)
			from, to := at(i)
			wire[from] += t.wire(i)
			wire[to] += t.wire(i)
		}
	}
	known := map[place]int{}
	for _, i := range counted {
		from, where := at(i)
		if wire[from] > wire[where] {
			where = from
		}
		k, ok := known[where]
		if !ok {
			k, known[where] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], job{int64(t.rate(where.port).FloorTime(units.Bytes(t.wire(i)))), int64(ideal[i])})
	}
	several := groups[:0]
	for _, g := range groups {
		if len(g) > 1 {
			stable.Sort(g, func(a, b job) int { return cmp.Compare(a.ideal, b.ideal) })
			several = append(several, g)
		}
	}
	return several
}

// smith returns the least sum of the slowdowns of messages that finish one after the other.
func smith(g []job) (sum float64) {
	order := append([]job(nil), g...)
	stable.Sort(order, func(a, b job) int {
		return cmp.Compare(float64(a.took)*float64(a.ideal), float64(b.took)*float64(b.ideal))
	})
	now := int64(0)
	for _, j := range order {
		now += j.took
		sum += float64(now) / float64(j.ideal)
	}
	return sum
}

// percentile99 returns a slowdown that more than one in a hundred of all messages exceed, as large as is proved, to 1
// %; 1 where none is.
func percentile99(groups [][]job, held []float64, all int, most float64) float64 {
	allowed := all - int(math.Ceil(0.99*float64(all)))
	beyond := func(x float64) bool {
		n := 0
		for _, g := range groups {
			n += late(g, x)
		}
		for _, least := range held {
			if least > x {
				n++
			}
		}
		return n > allowed
	}
	if len(groups)+len(held) == 0 || most <= 1 || !beyond(1) {
		return 1
	}
	low, high := 1.0, most
	for high > 1.01*low {
		if x := math.Sqrt(low * high); beyond(x) {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// late returns the least number of messages that finish after x times their ideals. In the order of these, the longest
// of those before a message that would be late is given up.
func late(g []job, x float64) (n int) {
	now, kept := int64(0), longest{}
	for _, j := range g {
		now += j.took
		kept = kept.with(j.took)
		if float64(now) > x*float64(j.ideal) {
			now -= kept[0]
			kept = kept.without()
			n++
		}
	}
	return n
}

// longest is a binary heap whose first value is the largest.
type longest []int64

func (h longest) with(v int64) longest {
	h = append(h, v)
	for i := len(h) - 1; i > 0 && h[i] > h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	return h
}

// without takes the largest value out.
func (h longest) without() longest {
	last := len(h) - 1
	h[0], h = h[last], h[:last]
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && h[child+1] > h[child] {
			child++
		}
		if h[i] >= h[child] {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return h
}
