package sim

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// Outage takes a link down and brings it back.
//
// When a link goes down, the packets on the wire in either direction are lost. The packets queued
// for it are discarded, with the pauses that held them: a port without link sends nothing, and
// packets that cannot be sent must not hold the shared buffer. The HPCC simulator does the same
// (QbbNetDevice::TakeDown in src/point-to-point/model/qbb-net-device.cc), except that there the
// discarded packets remain charged to the buffer for ever.
//
// A switch drops what its routes send to a dead port until Convergence is over and the routes have
// changed. [balance.Adaptive] and [balance.Flowlet] choose by the state of their own ports, so they
// take one that is up at once; a dead link further on they learn about from the routes. When the
// link comes back, its queues are empty, nothing is paused, and a receiver that still asks for a
// pause asks again.
type Outage struct {
	Link     int        // index in Scenario.Links
	Down, Up units.Time // 0 ≤ Down; Up is 0: never, or above Down by a packet's time on the link
}

// outages holds the state for finding new routes.
type outages struct {
	nodes       []Node
	links       []Link // Unrouted where a link is down, too
	unrouted    []bool // by link: as given
	convergence int64

	next *nextHops
	keys []balance.Key // by queue pair
}

// buildOutages plans the outages; first is the first message of each queue pair.
func (s *builder) buildOutages(next *nextHops, first []int) {
	if len(s.sc.Outages) == 0 {
		return
	}
	o := &outages{nodes: s.sc.Nodes, links: slices.Clone(s.sc.Links), convergence: int64(s.sc.Convergence), next: next}
	for i := range o.links {
		o.unrouted = append(o.unrouted, o.links[i].Unrouted)
	}
	for _, i := range first {
		o.keys = append(o.keys, s.sc.Flows[i].key())
	}
	s.outages = o
	for _, out := range s.sc.Outages {
		s.plan(taskLinkDown, int32(out.Link), int64(out.Down))
		if out.Up > 0 {
			s.plan(taskLinkUp, int32(out.Link), int64(out.Up))
		}
	}
}

// key returns the fields of a packet that ECMP hashes, as [tree.path] does.
func (o *outages) key(pk *packet) balance.Key {
	key := o.keys[pk.flow]
	if pk.kind != dataPacket {
		return key.Reversed()
	}
	return key
}

func (s *engine) linkDown(link int32) {
	if s.cells != nil && s.ports[2*link].nic < 0 && s.ports[2*link+1].nic < 0 {
		s.memberDown(link)
		return
	}
	s.portsDown(link)
	s.outages.links[link].Unrouted = true
	s.plan(taskRoutes, 0, s.now+s.outages.convergence)
}

// portsDown stops what is at both ends of a link.
func (s *engine) portsDown(link int32) {
	for _, pi := range [2]int32{2 * link, 2*link + 1} {
		p := &s.ports[pi]
		p.trouble |= down
		s.setLink(pi, false)
		p.paused, p.obeying = 0, 0
		s.flush(pi, p, 1<<classes-1, &s.flushed)
		if p.nic < 0 {
			continue
		}
		for n := &s.nics[p.nic]; n.acking != 0; {
			id := s.popAck(p.nic, n.acking)
			s.discard(id, &s.packets[id], &s.flushed)
		}
	}
}

func (s *engine) linkUp(link int32) {
	if s.cells != nil && s.ports[2*link].nic < 0 && s.ports[2*link+1].nic < 0 {
		s.memberUp(link)
		return
	}
	s.portsUp(link)
	s.outages.links[link].Unrouted = s.outages.unrouted[link]
	s.plan(taskRoutes, 0, s.now+s.outages.convergence)
}

// portsUp lets both ends of a link go on.
func (s *engine) portsUp(link int32) {
	for _, pi := range [2]int32{2 * link, 2*link + 1} {
		s.ports[pi].trouble &^= down
		s.setLink(pi, true)
	}
	for _, pi := range [2]int32{2 * link, 2*link + 1} {
		p := &s.ports[pi]
		if p.nic >= 0 {
			s.nics[p.nic].waitsUntil = 0
		}
		s.repeatPauses(pi, p)
		s.kick(pi, p)
	}
}

// setLink notifies the choosers of paths.
func (s *engine) setLink(pi int32, up bool) {
	if s.weaver != nil {
		s.weaver.SetLink(pi, up)
	}
}

// flush discards what is queued at a port in some classes.
func (s *engine) flush(pi int32, p *port, which uint8, counter *int64) {
	for class := range uint8(classes) {
		for which>>class&1 != 0 && s.queue(pi, class).head != 0 {
			s.room(packetsPerEvent) // a packet's leaving may resume its sender
			id := s.dequeue(pi, p, class)
			pk := &s.packets[id]
			if pk.kind < pauseFrame {
				s.release(pi, p.node, class, pk)
				if s.cells != nil {
					s.neverComes(pi, class, pk)
				}
			}
			if k := s.counted(pi, class); k != nil && counter == &s.guarded {
				k.DroppedOut++
			}
			s.discard(id, pk, counter)
		}
	}
}

// reroute finds the routes again. All switches change them at the same time, so that a packet
// comes nearer to its destination with every hop.
func (s *engine) reroute() {
	o := s.outages
	topo := newTopology(&Scenario{Nodes: o.nodes, Links: o.links})
	switch {
	case s.cells != nil:
		return // the ways through the fabric stay
	case s.weaver != nil:
		s.reweave(topo)
		return
	}
	h, t := o.next, &tree{}
	h.Forget()
	for root, row := range h.rows {
		if row != none {
			t.find(topo, root, s.transport.payload, s.clock)
			h.Fill(row, len(topo.nodes), t.next(topo))
		}
	}
}

// check demands that what is on the wire when a link goes down is gone when it comes back.
func (o *Outage) check(sc *Scenario) error {
	if o.Link < 0 || o.Link >= len(sc.Links) {
		return fmt.Errorf("link %d is none of %d", o.Link, len(sc.Links))
	}
	l := &sc.Links[o.Link]
	longest := l.Delay + units.Time(clock{}.duration(int32(min(sc.Transport.Payload, maxPayload)+100), uint64(max(l.Rate, units.Mbps))))
	if o.Down < 0 || o.Up != 0 && o.Up <= o.Down+longest {
		return fmt.Errorf("link %d goes down at %d ps and comes back at %d ps; a packet may be on it for %d ps", o.Link, o.Down, o.Up, longest)
	}
	return nil
}
