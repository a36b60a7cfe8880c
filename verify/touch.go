package verify

import (
	"math/bits"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// A lossless is the part of a switch that lossless packets see.
type lossless struct {
	ports  map[string]uint8 // lossless groups of every port that the file has
	groups uint8            // of any port
	tcs    uint8            // traffic classes that are in them
	queues uint16           // that those leave from
	dscps  uint64           // code points that lead to them
}

func losslessOf(sw *plan.Switch) *lossless {
	l := &lossless{ports: map[string]uint8{}}
	for i := range sw.Ports {
		port := &sw.Ports[i]
		l.ports[port.Name] = 0
		if port.QoS != nil {
			l.ports[port.Name] = groupsOf(port.QoS)
			l.groups |= l.ports[port.Name]
		}
	}
	m := sw.Maps
	if m == (plan.Maps{}) { // the file says nothing: number to number, as package model has it
		for i := range uint8(8) {
			m.TCToQueue[i], m.TCToPG[i] = i, i
		}
		for d := range m.DSCPToTC {
			m.DSCPToTC[d] = uint8(d / 8)
		}
	}
	for tc := range uint8(8) {
		in := l.groups>>(m.TCToPG[tc]&7)&1 == 1
		if t := sw.Tunnel; t != nil {
			if in { // put into it
				l.queues |= 1 << (t.TCToQueue[tc] & 15)
			}
			in = in || l.groups>>(t.TCToPG[tc]&7)&1 == 1 // taken out of it
		}
		if in {
			l.tcs |= 1 << tc
			l.queues |= 1 << (m.TCToQueue[tc] & 15)
		}
	}
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil && qos.TCToQueue != nil {
			l.leave(&qos.TCToQueue.To)
		}
	}
	l.admit(&m.DSCPToTC)
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil && qos.DSCPToTC != nil {
			l.admit(qos.DSCPToTC)
		}
	}
	if sw.Tunnel != nil {
		l.admit(&sw.Tunnel.DSCPToTC)
	}
	return l
}

// leave adds the queues by which lossless classes leave ports with a map of their own.
func (l *lossless) leave(queues *[8]uint8) {
	for tc, queue := range queues {
		if l.tcs>>tc&1 == 1 {
			l.queues |= 1 << (queue & 15)
		}
	}
}

// admit adds the code points that a classification brings into lossless classes.
func (l *lossless) admit(classes *[64]uint8) {
	for d, tc := range classes {
		if l.tcs>>(tc&7)&1 == 1 {
			l.dscps |= 1 << d
		}
	}
}

// touches reports whether a statement that is not modelled may change what becomes of the
// packets of a lossless group: whether its scope and the group meet in everything that the
// scope bounds. Where lossless packets leave, every port matters, so a scope of ports spares
// a group only by what else it bounds, or where none of its ports has a lossless group and
// none is unknown.
func (l *lossless) touches(s read.Scope, g *Group) bool {
	if len(s.Ports) > 0 && !slices.ContainsFunc(s.Ports, func(name string) bool { return l.concerns(name, g) }) {
		return false
	}
	return (s.PGs == 0 || s.PGs>>g.PG&1 == 1) && (s.TCs == 0 || s.TCs&l.tcs != 0) &&
		(s.Queues == 0 || s.Queues&l.queues != 0) && (s.DSCPs == 0 || s.DSCPs&l.dscps != 0)
}

// concerns reports whether what happens at a port may concern a group: the port has it, or
// packets of it can leave there, or the file does not have the port.
func (l *lossless) concerns(port string, g *Group) bool {
	groups, known := l.ports[port]
	return !known || groups>>g.PG&1 == 1
}

func bits8(set uint8) int { return bits.OnesCount8(set) }
