package sim

import (
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
)

// As long as a chip's buffer is calm ([mmu.Calm]), a packet's first byte decides nothing, and need
// be no event: the packet goes from the link into [entrance.packets] at once, uncounted, and most
// leave the switch straight through an idle port, without being counted. A packet that has to wait
// is counted when its last byte is in.
//
// The packet that goes beyond a bound ends that. Then packets that have begun to come in are counted, the
// others go back to their link ([engine.disturb]), and all is as if each first byte had been an event, to
// the last byte of the result. A switch that has been calm for a while becomes quiet again, each port with
// the next packet whose first byte it meets.

// uncounted is the egress port of a packet that has not been looked up: its first byte was no
// event.
const uncounted = -2

// patience is after how many first bytes it is looked whether a switch is calm again.
const patience = 512

// quiet is a switch whose buffer may be calm.
type quiet struct {
	calm  *mmu.Calm
	is    bool
	ports []int32 // of the switch
	until int     // first bytes until the next look
}

// buildQuiet finds the switches that may be quiet, if nothing but the packets looks into buffers and the way
// of a packet does not depend on when it is chosen.
func (s *builder) buildQuiet() {
	observed := s.noting || s.averages != nil || s.sc.Observe != nil && (len(s.sc.Observe.Series) > 0 || s.sc.Observe.Counters != nil)
	if s.chained || observed || s.balancer != nil || s.weaver != nil || s.cells != nil || len(s.sc.Outages) > 0 {
		return
	}
	used := s.sc.usedClasses()
	for node, b := range s.silicon {
		if b == nil {
			continue
		}
		own := s.byNode[node]
		if slices.ContainsFunc(own, func(pi int32) bool { return s.ports[pi].delay == 0 }) {
			continue // a packet may come within the instant in which it is sent
		}
		if calm := s.calm(b, own, used); calm != nil {
			b.quiet = &quiet{calm: calm, is: true, ports: own}
			calm.Relax()
			for _, pi := range own {
				s.ports[pi^1].intake |= peerQuiet
			}
		}
	}
}

// usedClasses returns the classes in which packets travel, a bit each.
func (sc *Scenario) usedClasses() (used uint8) {
	for i := range sc.Flows {
		used |= 1 << sc.Flows[i].Class
	}
	if sc.Transport.Acks == AcksApart {
		used |= 1 << sc.Transport.AckClass
	}
	if sc.Transport.CNPPackets {
		used |= 1 << sc.Transport.CNPClass
	}
	return used
}

func (s *builder) calm(b *silicon, ports []int32, used uint8) *mmu.Calm {
	var pairs []mmu.Packet
	for class := range classes {
		if used>>class&1 != 0 {
			pairs = append(pairs, mmu.Packet{PG: int(b.pg[class]), Queue: int(b.queues.Queue[class])})
			for _, own := range b.queues.Own {
				if p := (mmu.Packet{PG: int(b.pg[class]), Queue: int(own[class])}); !slices.Contains(pairs, p) {
					pairs = append(pairs, p)
				}
			}
		}
	}
	coming, largest := map[int]int64{}, int64(0)
	most := make([]int64, len(s.txTimes)) // by rate; 0: not asked yet
	for _, pi := range ports {
		rate := s.ports[pi].rateIndex
		if most[rate] == 0 {
			most[rate] = s.coming(b, s.txTimes[rate], s.entrances[pi].latency)
		}
		coming[s.configs[pi].chipPort] = most[rate]
		largest = max(largest, b.Cells(len(s.txTimes[rate])-1))
	}
	return b.Calm(pairs, coming, largest)
}

// coming returns the number of cells that can have begun to come in by a port of some rate without
// being able to leave. Packets that began within the time of a packet and of the pipeline were
// begun to be sent within that time, so all but the last one were sent.
func (s *builder) coming(b *silicon, times []int32, latency int64) (most int64) {
	t := &s.transport
	window := latency + 2*int64(times[len(times)-1])
	for size := int(min(t.dataHeader+1, t.ackSize, int32(t.cnpSize))); size < len(times); size++ {
		most = max(most, (window/int64(times[size])+1)*b.Cells(size))
	}
	return most
}

// comeQuietly puts what is sent to a quiet switch where its last byte will find it.
func (s *engine) comeQuietly(in int32, id packetID, pk *packet, whole int64) {
	pk.in = uncounted
	s.comeIn(in, &s.entrances[in], id, pk, whole)
}

// goesThrough lets an uncounted packet whose last byte is in leave a switch by an idle port, to which it would have
// come and gone within the instant; else it counts it, and returns false.
func (s *engine) goesThrough(in int32, from *port, id packetID, pk *packet) bool {
	out := s.routes[pk.route]
	to := &s.ports[out]
	if from.trouble != 0 || !s.idle(out, to, pk) {
		s.count(in, from, id, pk)
		return false
	}
	pk.route++
	s.peakQueue = max(s.peakQueue, uint32(pk.size))
	s.stamp(out, to, id, pk)
	s.transmit(out, to, id, pk)
	return true
}

// idle reports whether a port can send a packet now for which nothing has to be marked or held back, and if so takes
// its turn.
func (s *engine) idle(pi int32, p *port, pk *packet) bool {
	if p.waiting|p.paused|p.obeying|uint8(p.trouble) != 0 || s.busy(p) {
		return false
	}
	class := pk.label.class()
	if s.shapers != nil {
		if s.shapers.holds(s, pi, class) {
			return false
		}
		s.shapers.charge(s, pi, class, pk.size)
	}
	if class != 0 {
		p.last = class
		if s.dwrr != nil {
			s.dwrr.alone(pi, class, int32(pk.size))
		}
	}
	return true
}

// disturb ends the quiet of a switch.
func (s *engine) disturb(b *silicon) {
	b.quiet.is, b.quiet.until = false, patience
	b.quiet.calm.Settle()
	for _, pi := range b.quiet.ports {
		if by, is := s.quietMark(pi); *by&is != 0 {
			*by &^= is
			s.sortOut(pi, &s.ports[pi], &s.entrances[pi])
		}
	}
}

// quietMark returns the mark that first bytes at a port are no events: at the other end, which puts packets into the
// entrance, or here, where they come from another domain.
func (s *engine) quietMark(pi int32) (*intake, intake) {
	if p := &s.ports[pi]; p.intake&crossing != 0 {
		return &p.intake, ownQuiet
	}
	return &s.ports[pi^1].intake, peerQuiet
}

// sortOut counts what has begun to come in by a port, and puts the rest back to the link.
func (s *engine) sortOut(pi int32, p *port, e *entrance) {
	last, at := packetID(0), e.at
	for id := e.packets.head; id != 0; id = s.packets[id].next {
		pk := &s.packets[id]
		if pk.in == uncounted {
			if s.begins(pi, p, e, pk, at) {
				s.putBack(pi, p, e, last, id, at)
				return
			}
			s.count(pi, p, id, pk)
		}
		last, at = id, at+int64(pk.nextAt-uint32(at))
	}
}

// begins reports whether the first byte of a packet that can leave at a time is yet to come.
func (s *engine) begins(pi int32, p *port, e *entrance, pk *packet, at int64) bool {
	first := s.firstAt(p, e, pk, at)
	return first > s.now || first == s.now && s.order < fixedPlace(arrival(pi))
}

// firstAt returns the arrival of the first byte of a packet that can leave at a time.
func (s *engine) firstAt(p *port, e *entrance, pk *packet, at int64) int64 {
	return at - e.latency - int64(s.txTimes[p.rateIndex][pk.size])
}

// putBack moves the packets behind one, the first of which can leave at a time, from the entrance of a port to its
// link, which is empty.
func (s *engine) putBack(pi int32, p *port, e *entrance, last, id packetID, at int64) {
	p.flight = list{id, e.packets.tail}
	if e.packets.tail = last; last == 0 {
		e.packets.head = 0
		s.events.remove(packetIn(pi), at)
	} else {
		s.packets[last].next = 0
	}
	s.events.push(arrival(pi), s.firstAt(p, e, &s.packets[id], at), fixedPlace(arrival(pi)), id)
	for id != 0 {
		pk := &s.packets[id]
		if id = pk.next; id != 0 {
			at += int64(pk.nextAt - uint32(at))
			pk.nextAt = uint32(s.firstAt(p, e, &s.packets[id], at))
		}
	}
}

// calmedDown reports whether a switch that takes a packet in by its first byte need not do so with the next one.
func (b *silicon) calmedDown() bool {
	q := b.quiet
	if q == nil || q.is {
		return q != nil
	}
	if q.until--; q.until <= 0 {
		q.until, q.is = patience, q.calm.Returns()
	}
	return q.is
}

// quieten takes all that is on the link to a port for the entrance; the foremost would come at a time.
func (s *engine) quieten(in int32, p *port, at int64) {
	by, is := s.quietMark(in)
	*by |= is
	id := p.flight.head
	if p.flight.head = 0; id != 0 {
		s.events.remove(arrival(in), at)
	}
	for id != 0 {
		pk := &s.packets[id]
		next, nextAt := pk.next, pk.nextAt
		s.comeQuietly(in, id, pk, at+int64(s.txTimes[p.rateIndex][pk.size]))
		id, at = next, at+int64(nextAt-uint32(at))
	}
}
