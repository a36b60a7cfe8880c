package hpcc

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// linkDown is the link that LINK_DOWN takes down, for good.
type linkDown struct {
	at    int64 // us after the first 2 s
	a, b  int64 // nodes
	where word
}

// readLinkDown reads "time a b"; a time of 0 is never.
func (c *config) readLinkDown(w *words) {
	var d linkDown
	d.at, d.where = w.integer("LINK_DOWN's time", 0, 1<<40)
	d.a, _ = w.integer("LINK_DOWN's first node", 0, 1<<31)
	d.b, _ = w.integer("LINK_DOWN's second node", 0, 1<<31)
	if c.linkDown = nil; d.at > 0 {
		c.linkDown = &d
	}
}

// fails plans the outage as third.cc's TakeDownLink does: counted from 2 s on, when flows
// begin; the routes change at once; and of several links between the nodes it is the one that
// routes know.
func (r *reader) fails(d *linkDown, sc *sim.Scenario) {
	for i := range sc.Links {
		l := &sc.Links[i]
		if l.Unrouted || [2]int{min(l.A, l.B), max(l.A, l.B)} != [2]int{int(min(d.a, d.b)), int(max(d.a, d.b))} {
			continue
		}
		sc.Outages = []sim.Outage{{Link: i, Down: 2*units.Second + units.Time(d.at)*units.Microsecond}}
		host := l.A
		if sc.Nodes[host] != sim.Host {
			host = l.B
		}
		if sc.Nodes[host] == sim.Host {
			r.found.Errorf(Inconsistent, d.where.at, "LINK_DOWN cuts off node %d, which is a host: the HPCC simulator stops with an assertion", host).
				Fixf("take down a link between two switches")
			return
		}
		r.found.Warnf(Approximate, d.where.at, "in the HPCC simulator what LINK_DOWN discards from queues remains charged to the switch's buffer for ever, and queue pairs take their turns in another order from then on; roceplan frees the buffer and keeps the order")
		return
	}
	r.found.Errorf(Inconsistent, d.where.at, "LINK_DOWN names nodes %d and %d, which no link connects", d.a, d.b).
		Fixf("name the two ends of a link, or set LINK_DOWN 0 0 0")
}
