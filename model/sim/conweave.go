package sim

import "github.com/roceplan/roceplan/model/sim/conweave"

// Package conweave decides for two leaves. Its inputs and its decisions' effects are here: the
// route of a packet, the queue of packets that are held back, the frames between the leaves.

// unwoven is the route of a packet whose path the source's leaf still has to choose.
const unwoven = -1

// wovenPort returns the port by which a packet leaves a switch; -1 if no way leads on.
func (s *engine) wovenPort(node int32, id packetID, pk *packet) int32 {
	if pk.route == unwoven {
		switch r := &s.woven[pk.flow]; {
		case r.count == 0:
			return none
		case pk.kind == dataPacket:
			path, tag := s.weaver.Send(pk.flow, s.now, &s.randoms[node])
			s.tags[id], pk.route = tag, r.way(path)
		default:
			pk.route = r.way(s.weaver.Path(pk.flow))
		}
	}
	out := s.routes[pk.route]
	pk.route++
	return out
}

// holdsBack shows a data packet that has come to its destination's leaf, answers what the
// source's leaf asks, and reports whether the packet is held. Its buffer may have been admitted.
func (s *engine) holdsBack(in, out int32, id packetID, pk *packet, admitted bool) bool {
	if pk.kind != dataPacket || s.ports[out^1].nic < 0 || s.woven[pk.flow].count == 0 {
		return false
	}
	t := &s.tags[id]
	v := s.weaver.Receive(pk.flow, out, s.now, t, pk.label&ce != 0)
	if v.Release {
		s.letGo(pk.flow)
	}
	if v.Notice {
		s.signalBack(out, pk.flow, noticeFrame, uint32(t.Path))
	}
	if v.Reply {
		s.signalBack(out, pk.flow, replyFrame, t.Reply())
	}
	s.planFlush(pk.flow, v.Again)
	if !v.Hold {
		return false
	}
	pk.in = in
	if !admitted && !s.admit(in, &s.ports[in], pk.label.class(), pk) {
		s.refuse(in, out, id)
		return true
	}
	s.planFlush(pk.flow, s.weaver.Hold(pk.flow, out, s.now, t))
	s.heldBack[pk.flow].push(s.packets, id)
	return true
}

func (s *engine) planFlush(pair int32, at int64) {
	if at != conweave.Never {
		s.plan(taskFlush, pair, at)
	}
}

// flushDue asks whether held packets go on.
func (s *engine) flushDue(pair int32) {
	release, again := s.weaver.Due(pair, s.now)
	s.planFlush(pair, again)
	if release {
		s.letGo(pair)
	}
}

// letGo lets held packets go on to their host.
func (s *engine) letGo(pair int32) {
	held, out := &s.heldBack[pair], s.flows[pair].receiver^1
	to := &s.ports[out]
	for held.head != 0 {
		id := held.pop(s.packets)
		pk := &s.packets[id]
		class := pk.label.class()
		if counter := s.refuses(out, to, class); counter != nil {
			s.room(packetsPerEvent) // a packet's leaving may resume its sender
			s.release(out, to.node, class, &s.packets[id])
			s.discard(id, &s.packets[id], counter)
			continue
		}
		s.enqueue(out, to, class, id)
	}
	s.kick(out, to)
}

// signalBack sends a reply or a notice from the destination's leaf to the source's, along the
// way of the queue pair's acknowledgements and before all else.
func (s *engine) signalBack(from, pair int32, kind packetKind, what uint32) {
	id := s.take()
	s.packets[id] = packet{kind: kind, flow: pair, route: s.inbound[pair].ackRoute, seq: what, size: signalBytes}
	s.passSignal(id, &s.packets[id])
}

// signalBytes is the smallest Ethernet frame, as in the simulator.
const signalBytes = 64

func (s *engine) passSignal(id packetID, pk *packet) {
	out := s.routes[pk.route]
	pk.route++
	if out < 0 || s.ports[out].trouble&down != 0 {
		s.discard(id, pk, &s.unrouted)
		return
	}
	s.enqueue(out, &s.ports[out], 0, id)
	s.kick(out, &s.ports[out])
}

// receiveSignal passes a reply or a notice on, or hands it to the source's leaf.
func (s *engine) receiveSignal(id packetID, pk *packet) {
	switch {
	case s.ports[s.routes[pk.route]^1].nic < 0:
		s.passSignal(id, pk)
		return
	case pk.kind == noticeFrame:
		s.weaver.Noticed(int32(pk.seq), s.now)
	default:
		s.weaver.Replied(pk.flow, pk.seq, s.now)
	}
	s.put(id)
}
