package sim

import "github.com/roceplan/roceplan/model/sim/cells"

// Package cells grants credits. Its inputs and the use of its credits are here: the packets of its
// virtual output queue (VoQ) go into the fabric, which is one link of each leaf to one spine.

// cellFabric maps the numbers of a [cells.Fabric] to places.
type cellFabric struct {
	*cells.Fabric
	voqs  []list  // by [cells.Fabric.Queue]
	ports []int32 // out of the fabric
	out   []int32 // by port: index in ports; or none
	leaf  []int32 // by node: number of a leaf; or none
}

// unaccounted is the ingress port of packets that no buffer counts: inside a scheduled fabric.
const unaccounted = -1

// enterCells takes a packet that has come to a switch of the fabric.
func (s *engine) enterCells(in int32, from *port, id packetID, pk *packet) {
	if pk.label&torn != 0 {
		s.lostInCells(in, pk)
		s.discard(id, pk, &s.lost)
		return
	}
	c, out := s.cells, s.nextPort(from.node, id, pk)
	class := pk.label.class()
	if s.ports[in^1].nic < 0 {
		pk.in = unaccounted
		s.moveOn(out, class, id)
		return
	}
	pk.in = in
	if !s.admit(in, from, class, pk) {
		s.refuse(in, out, id)
		return
	}
	last := out
	if c.out[out] == none {
		last = s.routes[pk.route+1] // behind the fabric
	}
	to := c.out[last]
	voq := c.Queue(c.leaf[from.node], to, class)
	c.voqs[voq].push(s.packets, id)
	s.cameAt[id] = s.now
	again := c.Came(voq, to, int64(pk.size), s.now)
	s.noteVOQ(in, last, class, int64(pk.size))
	s.planCredit(to, again)
}

func (s *engine) planCredit(out int32, at int64) {
	if at != cells.Never {
		s.plan(taskCredit, out, at)
	}
}

// grantCredit asks for a port's credit.
func (s *engine) grantCredit(out int32) {
	g := s.cells.Grant(out, s.now)
	if g.Queue != cells.None {
		g.Again = s.useCredit(out, &g)
	}
	s.planCredit(out, g.Again)
}

// useCredit sends packets of a VoQ into the fabric, or out of the leaf if that is their port, and returns when to
// ask for the next credit.
func (s *engine) useCredit(out int32, g *cells.Granted) (again int64) {
	c, voq := s.cells, &s.cells.voqs[g.Queue]
	port, class := c.ports[out], uint8(g.Queue%cells.Classes)
	m := s.curve(port, class)
	congested := m.active && s.draws(s.ports[port].node, m, uint32(c.Bytes(g.Queue)))
	sent := int64(0)
	for voq.head != 0 && sent < int64(c.Credit) {
		id := voq.pop(s.packets)
		pk := &s.packets[id]
		sent += int64(pk.size)
		if congested {
			s.countMark(port, class)
			if pk.kind == dataPacket {
				pk.label |= ce
			}
		}
		by := port
		if g.Across {
			by = s.routes[pk.route-1]
		}
		s.moveOn(by, class, id)
	}
	again = c.Sent(g.Queue, out, sent, s.cameAt[voq.head], s.now)
	s.noteVOQ(none, port, class, -sent)
	return again
}

// moveOn queues a packet that needs no place in a buffer any more.
func (s *engine) moveOn(out int32, class uint8, id packetID) {
	to := &s.ports[out]
	if to.trouble&down != 0 {
		s.cutOff(out, to, class, id)
		return
	}
	s.enqueue(out, to, class, id)
	s.peakQueue = max(s.peakQueue, s.queue(out, class).bytes)
	s.kick(out, to)
}

// leaveCells notes that a packet leaves a port, and reports whether no buffer counts it.
func (s *engine) leaveCells(out int32, class uint8, pk *packet) bool {
	if i := s.cells.out[out]; i != none {
		s.noLongerComing(i, class, pk)
	}
	return pk.in == unaccounted
}

// noLongerComing takes a packet off what is on its way to a port and in it.
func (s *engine) noLongerComing(out int32, class uint8, pk *packet) {
	s.planCredit(out, s.cells.Left(out, class, int64(pk.size), s.now))
}

// lostInCells lets the port know of a packet that a link inside the fabric has lost, at once.
func (s *engine) lostInCells(in int32, pk *packet) {
	class := pk.label.class()
	if s.ports[in].nic >= 0 || s.ports[in^1].nic >= 0 || pk.kind >= pauseFrame || class == 0 {
		return
	}
	s.noLongerComing(s.exit(pk), class, pk)
}

// exit returns the port out of the fabric that a packet inside goes to, an index in [cellFabric.ports].
func (s *engine) exit(pk *packet) int32 {
	if i := s.cells.out[s.routes[pk.route]]; i != none {
		return i
	}
	return s.cells.out[s.routes[pk.route+1]]
}
