package sim

import "github.com/roceplan/roceplan/units"

// PFC describes how pause frames are made and obeyed. The zero value is the HPCC simulator's.
type PFC struct {
	// HostResponse and SwitchResponse are the times for which a port goes on after a pause frame
	// has arrived: a frame that begins in the last instant is still sent as a whole. A resume is
	// obeyed at once.
	HostResponse, SwitchResponse units.Time

	// Quanta is the validity of a pause frame, in times of 512 bits at the rate of the link (IEEE
	// 802.3 annex 31B, IEEE 802.1Q clause 36): at most [LargestQuanta], which switches send. A port
	// that goes on pausing repeats the frame when half of that time is over. 0: a pause holds until
	// it is taken back.
	Quanta uint16
}

// LargestQuanta is the longest pause that a frame can ask for: 335.5 us at 100 Gb/s.
const LargestQuanta = 65535

func (s *engine) pause(pi int32, p *port, class uint8) {
	if p.trouble&deaf != 0 {
		return
	}
	p.pausing |= 1 << class
	s.pauses++
	if s.seen != nil {
		s.seen.pauses.begin(s.now, pi, class)
	}
	s.sendPFC(pi, p, class, pauseFrame)
	if s.timed != nil {
		s.refreshLater(pi)
	}
}

func (s *engine) resume(pi int32, p *port, class uint8) {
	if p.trouble&deaf != 0 {
		return
	}
	p.pausing &^= 1 << class
	if s.seen != nil {
		s.seen.pauses.end(s.now, pi, class)
	}
	s.sendPFC(pi, p, class, resumeFrame)
}

// sendPFC asks the other end of a port's link to stop or to go on with a class. The frame goes
// through queue 0, so that it waits at most for the packet on the wire.
func (s *engine) sendPFC(pi int32, p *port, class uint8, kind packetKind) {
	if p.trouble&down != 0 {
		return
	}
	if s.streams != nil {
		s.streams.skip() // ns-3 gives the frame's IP header a random identification
	}
	if s.counts != nil {
		s.counts.Ports[pi].Classes[class].PFCSent++
	}
	id := s.take()
	s.packets[id] = packet{kind: kind, label: label(class), size: s.transport.pfcSize}
	s.enqueue(pi, p, 0, id)
	s.kick(pi, p)
}

// receiveFrame takes what is not a packet: a PFC frame, or a frame between ConWeave's switches.
func (s *engine) receiveFrame(pi int32, p *port, id packetID, pk *packet) {
	if pk.kind <= resumeFrame {
		s.receivePFC(pi, p, id, pk)
	} else {
		s.receiveSignal(id, pk)
	}
}

// receivePFC obeys a PFC frame.
func (s *engine) receivePFC(pi int32, p *port, id packetID, pk *packet) {
	class, resume := pk.label.class(), pk.kind == resumeFrame
	s.put(id)
	if s.counts != nil {
		s.counts.Ports[pi].Classes[class].PFCReceived++
	}
	if p.trouble&deaf != 0 {
		return
	}
	if p.trouble&guarded != 0 && s.ignores(pi, class) {
		return
	}
	bit := uint8(1) << class
	if resume {
		p.paused &^= bit
		p.obeying &^= bit
		s.kick(pi, p)
		return
	}
	if s.timed != nil {
		s.expireLater(pi, class)
	}
	if response := s.configs[pi].response; response == 0 {
		s.stop(pi, p, class)
	} else if (p.paused|p.obeying)&bit == 0 {
		p.obeying |= bit
		s.obeyAt[pi*classes+int32(class)] = s.now + response
	}
}

// stop pauses a class at a port.
func (s *engine) stop(pi int32, p *port, class uint8) {
	if p.paused>>class&1 != 0 {
		return
	}
	p.paused |= 1 << class
	if s.guards != nil {
		s.watch(pi, p, class)
	}
}

// obey pauses the classes whose response time is over. It is called before each choice of
// what to send: a pause has no other effect.
func (s *engine) obey(pi int32, p *port) {
	for class := range uint8(classes) {
		if bit := uint8(1) << class; p.obeying&bit != 0 && s.obeyAt[pi*classes+int32(class)] < s.now {
			p.obeying &^= bit
			s.stop(pi, p, class)
		}
	}
}

// repeatPauses asks again for the pauses that a port has not taken back.
func (s *engine) repeatPauses(pi int32, p *port) {
	for class := range uint8(classes) {
		if p.pausing>>class&1 != 0 {
			s.room(packetsPerEvent)
			s.refreshes++
			s.sendPFC(pi, p, class, pauseFrame)
		}
	}
}
