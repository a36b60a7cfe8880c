package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// packetID is a packet's index; 0 means none.
type packetID int32

type packetKind uint8

const (
	dataPacket packetKind = iota
	bareFrame             // of a [Generator]
	ackPacket
	nackPacket
	cnpPacket     // congestion notification; see [Transport.CNPPackets]
	probePacket   // measures a round trip; see [probe]
	answerPacket  // to a probe
	connectPacket // an initiator asks for a connection; see [DC]
	connectedPacket
	refusedPacket
	disconnectPacket
	pauseFrame // from here on a link's, not a host's
	resumeFrame
	replyFrame  // of ConWeave
	noticeFrame // of ConWeave
)

// packet is half a cache line and never moves while it is under way: a pod has ten
// thousand of them, and a hop that misses the cache costs as much as all its arithmetic.
type packet struct {
	next packetID // behind it in the same queue or on the same link

	// On a link: when the next packet arrives (see [intake]) and its place among events of that time,
	// the low bits of both. Here rather than in the next packet, so that scheduling its
	// arrival need not fetch it.
	nextAt, nextOrder uint32

	flow  int32
	route int32  // index in [engine.routes] of the port that it leaves the next node by
	in    int32  // port by which it came into the switch where it waits; see [entrance]
	seq   uint32 // low bits of: data: first byte; ACK: next byte expected
	size  uint16 // bytes on the wire
	kind  packetKind
	label label
}

// label is a packet's class and whether it has met congestion.
type label uint8

const (
	classMask label = classes - 1
	ce        label = 0x80 // data: congestion experienced; ACK: the echo of it
	refused   label = 0x40 // by the buffer that it is coming into
	byQueue   label = 0x20 // refused: at the egress side
	torn      label = 0x10 // a link that failed has taken one of its cells
)

func (l label) class() uint8 { return uint8(l & classMask) }

// fullSeq restores a sequence number from its low bits and one less than 2 GiB away.
func fullSeq(low uint32, near int64) int64 { return near + int64(int32(low-uint32(near))) }

// mostPackets is the largest number of packets under way at once: with the notes of a control about each they take some
// gigabytes.
const mostPackets = 1 << 24

// crowd returns the error of a run with more packets under way than that. It does not end by itself: its hosts send
// faster than the network carries.
func (s *engine) crowd() error {
	if len(s.packets) <= s.most {
		return nil
	}
	return fmt.Errorf("%v after its begin the run has more than %d packets under way, the most that are simulated: its hosts send more than the network carries; ask for fewer hosts, shorter messages, or a congestion control with a window", units.Time(s.now), s.most)
}

// packetStore holds all packets; freed ones are chained. Fields for some congestion controls are in
// parallel arrays, which are nil for the others.
type packetStore struct {
	packets []packet
	sent    []int64        // when a data packet or a probe left its host, ps; its ACK or answer carries it back
	waited  []int64        // the time that a packet has waited in NICs of slow hosts, ps; its ACK carries it back
	int     []telemetry    // INT header
	ready   []int64        // since when a data packet was in its NIC's queue, ps; for [observer]
	tags    []conweave.Tag // ConWeave's fields on a data packet
	cameAt  []int64        // when a packet came to its VoQ, ps
	free    []packetID
	most    int // see [engine.crowd]
}

// leaves notes that a packet leaves its host now.
func (s *engine) leaves(id packetID) {
	s.sent[id] = s.now
	if s.waited != nil {
		s.waited[id] = 0
	}
}

// room makes sure that n packets can be taken without growing: growing moves them.
func (s *packetStore) room(n int) {
	if len(s.free) < n {
		s.grow(max(n, len(s.packets), 256))
	}
}

func (s *packetStore) grow(n int) {
	first := max(len(s.packets), 1) // index 0 is none
	s.packets = append(s.packets, make([]packet, first+n-len(s.packets))...)
	if s.sent != nil {
		s.sent = append(s.sent, make([]int64, len(s.packets)-len(s.sent))...)
	}
	if s.waited != nil {
		s.waited = append(s.waited, make([]int64, len(s.packets)-len(s.waited))...)
	}
	if s.tags != nil {
		s.tags = append(s.tags, make([]conweave.Tag, len(s.packets)-len(s.tags))...)
	}
	if s.cameAt != nil {
		s.cameAt = append(s.cameAt, make([]int64, len(s.packets)-len(s.cameAt))...)
	}
	if s.int != nil {
		s.int = append(s.int, make([]telemetry, len(s.packets)-len(s.int))...)
	}
	if s.ready != nil {
		s.ready = append(s.ready, make([]int64, len(s.packets)-len(s.ready))...)
	}
	for i := first + n - 1; i >= first; i-- {
		s.put(packetID(i))
	}
}

func (s *packetStore) take() packetID {
	last := len(s.free) - 1
	id := s.free[last]
	s.free = s.free[:last]
	return id
}

func (s *packetStore) put(id packetID) { s.free = append(s.free, id) }
