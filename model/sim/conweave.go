package sim

import "github.com/roceplan/roceplan/model/sim/conweave"

// weaver is ConWeave in a run.
type weaver struct {
	conweave.Config
	flows   []woven // by queue pair
	avoided []int64 // by path: until when it is not taken, ps
	holding []int32 // by port: queues in use

	woveCounters
}

type woveCounters struct {
	reroutes, held, refused, expired int64
	mostQueues                       int32
}

// woven is what two leaves know of a queue pair.
type woven struct {
	// Its paths: count routes of length hops from route on; path i is avoided by paths+i.
	// count is 0 within a leaf, and where links that are down leave none.
	route, hops, paths, count int32
	rtt                       int64 // between the leaves without queues, ps

	// At the source.
	epoch    uint32
	moved    bool  // the TAIL of this epoch has been sent
	settled  bool  // the reply was in time
	path     int32 // the one in use
	usedAt   int64 // last packet, ps
	deadline int64 // of the reply; or never
	tailAt   int64 // when the TAIL was sent

	// At the destination.
	seen             uint32 // epoch
	tailed           bool   // its TAIL has come, or is not waited for
	heard            bool   // a packet of the old path has come in this epoch
	oldSent, oldCame int64  // the last of these
	out              int32  // port to the host, if packets are held
	held             list
	awaited          int64 // when the TAIL was sent that the held packets wait for
	flushAt          int64 // while packets are held
	flushPlanned     int64 // the next task about it; or never
}

// tag is what ConWeave writes on a data packet.
type tag struct {
	sent   int64 // when it left the source's leaf
	tailAt int64 // on the new path: when the TAIL did
	epoch  uint32
	path   int32 // index in [weaver.avoided]
	moved  bool  // it takes the new path
	mark   tagMark
}

type tagMark uint8

const (
	tagNone tagMark = iota
	tagAsk          // the first packet of an epoch
	tagTail         // the last packet of the old path
)

// wovenPort is the port by which a packet leaves a switch; -1 if no way leads on.
func (w *weaver) wovenPort(s *engine, id packetID, pk *packet) int32 {
	if pk.route == unwoven {
		switch f := &w.flows[pk.flow]; {
		case f.count == 0:
			return none
		case pk.kind == dataPacket:
			w.weave(s, id, pk)
		default:
			pk.route = f.route + f.path*f.hops
		}
	}
	out := s.routes[pk.route]
	pk.route++
	return out
}

// weave chooses the path of a data packet that has come to its source's leaf.
func (w *weaver) weave(s *engine, id packetID, pk *packet) {
	f := &w.flows[pk.flow]
	fresh := s.now-f.usedAt > int64(w.Expiry) || w.severed(s, f, f.path)
	t := tag{sent: s.now}
	switch {
	case fresh || f.settled:
		f.epoch, f.moved, f.settled = f.epoch+1, false, false
		f.deadline = s.now + f.rtt + int64(w.ReplySlack)
		t.mark = tagAsk
	case s.now > f.deadline:
		f.deadline, f.moved, f.tailAt = never, true, s.now
		t.mark = tagTail
	}
	f.usedAt = s.now
	if fresh {
		w.repath(s, pk.flow, f)
	}
	t.epoch, t.path = f.epoch, f.paths+f.path
	pk.route = f.route + f.path*f.hops
	if t.mark == tagTail {
		w.repath(s, pk.flow, f)
	} else if f.moved {
		t.moved, t.tailAt = true, f.tailAt
	}
	s.tags[id] = t
}

// repath takes one of two paths drawn at random that is not to be avoided, if there is one.
func (w *weaver) repath(s *engine, pair int32, f *woven) {
	for range 2 {
		path := int32(s.randoms[s.ports[s.flows[pair].port^1].node].Uint64() % uint64(f.count))
		if w.avoided[f.paths+path] <= s.now && !w.severed(s, f, path) {
			w.takePath(s, f, path)
			return
		}
	}
	if w.severed(s, f, f.path) {
		w.leavePath(s, f)
	}
}

func (w *weaver) takePath(s *engine, f *woven, path int32) {
	if path != f.path {
		w.reroutes++
	}
	f.path = path
}

// holdsBack takes a data packet that has come to its destination's leaf, answers what the
// source's leaf asks, and reports whether the packet is held. Its buffer may have been admitted.
func (w *weaver) holdsBack(s *engine, in, out int32, id packetID, pk *packet, admitted bool) bool {
	if pk.kind != dataPacket || s.ports[out^1].nic < 0 || w.flows[pk.flow].count == 0 {
		return false
	}
	t := &s.tags[id]
	f := &w.flows[pk.flow]
	if t.epoch < f.seen {
		return false
	}
	if t.epoch > f.seen {
		w.letGo(s, f)
		f.seen, f.tailed, f.heard = t.epoch, false, false
	}
	if pk.label&ce != 0 {
		w.signalBack(s, out, pk.flow, noticeFrame, uint32(t.path))
	}
	if t.mark != tagNone {
		w.signalBack(s, out, pk.flow, replyFrame, t.epoch<<1|uint32(t.mark-tagAsk))
	}
	if t.moved {
		return !f.tailed && w.hold(s, f, in, out, id, pk, admitted)
	}
	f.heard, f.oldSent, f.oldCame = true, t.sent, s.now
	switch waiting := f.held.head != 0; {
	case t.mark == tagTail && waiting:
		w.flushBy(s, f, pk.flow, s.now)
	case t.mark == tagTail:
		f.tailed = true
	case waiting:
		w.flushBy(s, f, pk.flow, w.tailDue(s, f))
	}
	return false
}

// tailDue is when held packets no longer wait for a TAIL.
func (w *weaver) tailDue(s *engine, f *woven) int64 {
	if !f.heard {
		return s.now + int64(w.FirstWait+w.FlushSlack)
	}
	return max(s.now, f.oldCame+max(0, f.awaited-f.oldSent)+int64(w.FlushSlack))
}

// hold puts a packet into the reorder queue of its queue pair, if there is one for it; false
// if there is none.
func (w *weaver) hold(s *engine, f *woven, in, out int32, id packetID, pk *packet, admitted bool) bool {
	first := f.held.head == 0
	if first && w.ReorderQueues > 0 && int(w.holding[out]) >= w.ReorderQueues {
		w.refused++
		return false
	}
	pk.in = in
	if !admitted && !s.admit(in, &s.ports[in], pk.label.class(), pk) {
		s.refuse(in, out, id)
		return true
	}
	if first {
		w.holding[out]++
		w.mostQueues = max(w.mostQueues, w.holding[out])
		f.out, f.awaited = out, s.tags[id].tailAt
		w.flushBy(s, f, pk.flow, w.tailDue(s, f))
	}
	w.held++
	f.held.push(s.packets, id)
	return true
}

// flushBy plans when held packets go on. A task is not taken back: what was planned for an
// earlier time finds that it is not time yet, and plans again.
func (w *weaver) flushBy(s *engine, f *woven, pair int32, at int64) {
	f.flushAt = at
	if at < f.flushPlanned {
		f.flushPlanned = at
		s.plan(taskFlush, pair, at)
	}
}

// flushDue lets held packets go on whose time has come.
func (w *weaver) flushDue(s *engine, pair int32) {
	f := &w.flows[pair]
	if s.now >= f.flushPlanned {
		f.flushPlanned = never
	}
	switch {
	case f.held.head == 0:
	case s.now < f.flushAt:
		w.flushBy(s, f, pair, f.flushAt)
	default:
		if s.now > f.oldCame {
			w.expired++
		}
		w.letGo(s, f)
	}
}

// letGo lets held packets go on to their host, and those that are on their way follow.
func (w *weaver) letGo(s *engine, f *woven) {
	if f.held.head == 0 {
		return
	}
	f.tailed = true
	w.holding[f.out]--
	to := &s.ports[f.out]
	for f.held.head != 0 {
		id := f.held.pop(s.packets)
		pk := &s.packets[id]
		class := pk.label.class()
		if counter := s.refuses(f.out, to, class); counter != nil {
			s.room(packetsPerEvent) // a packet's leaving may resume its sender
			s.release(f.out, to.node, class, &s.packets[id])
			s.discard(id, &s.packets[id], counter)
			continue
		}
		s.enqueue(f.out, to, class, id)
	}
	s.kick(f.out, to)
}

// signalBack sends a reply or a notice from the destination's leaf to the source's, along the
// way of the queue pair's acknowledgements and before all else.
func (w *weaver) signalBack(s *engine, from, pair int32, kind packetKind, what uint32) {
	id := s.take()
	s.packets[id] = packet{kind: kind, flow: pair, route: s.inbound[pair].ackRoute, seq: what, size: signalBytes}
	w.passSignal(s, id, &s.packets[id])
}

// signalBytes is the smallest Ethernet frame, as in the simulator.
const signalBytes = 64

func (w *weaver) passSignal(s *engine, id packetID, pk *packet) {
	out := s.routes[pk.route]
	pk.route++
	if out < 0 || s.ports[out].trouble&down != 0 {
		s.discard(id, pk, &s.unrouted)
		return
	}
	s.enqueue(out, &s.ports[out], 0, id)
	s.kick(out, &s.ports[out])
}

// receiveSignal passes a reply or a notice on, or takes it at the source's leaf.
func (w *weaver) receiveSignal(s *engine, id packetID, pk *packet) {
	if s.ports[s.routes[pk.route]^1].nic < 0 {
		w.passSignal(s, id, pk)
		return
	}
	f := &w.flows[pk.flow]
	epoch, tail := pk.seq>>1, pk.seq&1 != 0
	switch {
	case pk.kind == noticeFrame:
		w.avoided[pk.seq] = s.now + int64(w.PathPause)
	case epoch == f.epoch&(1<<31-1) && tail == f.moved && (tail || s.now < f.deadline):
		f.settled, f.deadline = true, never
	}
	s.put(id)
}
