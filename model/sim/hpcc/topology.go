package hpcc

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Bounds of a link: what fits [sim.Link] at the largest payload.
const (
	slowest  = units.Gbps
	farthest = 3 * units.Millisecond
)

// readTopology reads "nodes switches links", the numbers of the switches, and for each
// link "a b rate delay error-rate".
func readTopology(w *words, c *config, sc *sim.Scenario) {
	nodes, _ := w.integer("the number of nodes", 2, 1<<20)
	switches, _ := w.integer("the number of switches", 0, nodes)
	links, _ := w.integer("the number of links", 0, 1<<24)
	sc.Nodes = make([]sim.Node, nodes)
	w.each(switches, "a switch's number", func() {
		v, _ := w.integer("a switch's number", 0, nodes-1)
		sc.Nodes[v] = sim.Switch
	})
	w.each(links, "a link", func() { readLink(w, c, sc) })
	unrouteParallel(sc.Links)
}

// unrouteParallel takes all but the last link between two nodes out of the routes: the
// HPCC simulator remembers one link per neighbour.
func unrouteParallel(links []sim.Link) {
	last := map[[2]int]int{}
	for i := range links {
		l := &links[i]
		pair := [2]int{min(l.A, l.B), max(l.A, l.B)}
		if before, parallel := last[pair]; parallel {
			links[before].Unrouted = true
		}
		last[pair] = i
	}
}

func readLink(w *words, c *config, sc *sim.Scenario) {
	last := int64(len(sc.Nodes) - 1)
	a, _ := w.integer("a link's first node", 0, last)
	b, at := w.integer("a link's second node", 0, last)
	rate, rateAt := w.rate("a link's rate")
	delay, delayAt := w.delay("a link's delay")
	loss, _ := w.number("a link's error rate", 0, 1)
	if a == b {
		w.found.Errorf(Inconsistent, at.at, "a link connects node %d with itself", a).Fixf("name two different nodes")
		return
	}
	if rate < slowest {
		w.found.Errorf(BadValue, rateAt.at, "a link's rate is %d bit/s, which is below %d", rate, slowest).Fixf("write a rate of at least %d bit/s", slowest)
		return
	}
	if delay > farthest {
		w.found.Errorf(BadValue, delayAt.at, "a link's delay is %d ps, which is above %d", delay, farthest).Fixf("write a delay of at most %d ps", farthest)
		return
	}
	if sc.Times == sim.NS3Times {
		delay -= delay % units.Nanosecond
	}
	if loss == 0 {
		loss = c.errorRate
	} else {
		c.ownErrorRates++
	}
	checkECN(w, c, sc, rate, rateAt, sc.Nodes[a] == sim.Switch || sc.Nodes[b] == sim.Switch)
	sc.Links = append(sc.Links, sim.Link{A: int(a), B: int(b), Rate: rate, Delay: delay, ErrorRate: loss})
}

// checkECN demands ECN thresholds for each rate of a switch's port.
func checkECN(w *words, c *config, sc *sim.Scenario, rate units.BitRate, at word, atSwitch bool) {
	if !atSwitch {
		return
	}
	for _, e := range sc.ECN {
		if e.Rate == rate {
			return
		}
	}
	kmin, hasMin := c.kmin[rate]
	kmax, hasMax := c.kmax[rate]
	pmax, hasP := c.pmax[rate]
	if !hasMin || !hasMax || !hasP {
		w.found.Errorf(Inconsistent, at.at, "a switch has a port of %d bit/s, for which KMIN_MAP, KMAX_MAP or PMAX_MAP says nothing", rate).
			Fixf("add %d to all three maps", rate)
	}
	if kmin > kmax {
		w.found.Errorf(Inconsistent, at.at, "at %d bit/s Kmin is %d KB and Kmax is %d KB, which is less", rate, kmin, kmax).Fixf("write a Kmax of at least %d KB", kmin)
	}
	e := sim.ECN{Rate: rate, KMin: units.Bytes(kmin) * units.KB, KMax: units.Bytes(kmax) * units.KB, PMax: pmax}
	sc.ECN = append(sc.ECN, e)
}
