package sim

// packetID is a packet's index; 0 means none.
type packetID int32

type packetKind uint8

const (
	dataPacket packetKind = iota
	ackPacket
	nackPacket
	pauseFrame
	resumeFrame
)

// packet fills one cache line and never moves while it is under way.
type packet struct {
	next  packetID // behind it in the same queue or on the same link
	flow  int32
	route int32 // index into [Sim.routes] of the port that it leaves the next node by
	in    int32 // port by which it came into the switch where it waits
	size  int32 // bytes on the wire
	kind  packetKind
	class uint8 // of its queue; for PFC frames the class that they speak of
	ce    bool  // data: congestion experienced; ACK: the echo of it

	seq   int64  // data: first byte; ACK: next byte expected
	sent  int64  // when the data packet left its host, in ps; the ACK carries it back
	at    int64  // when it arrives at the end of its link
	order uint64 // its arrival's place among events of that time
}

// packetStore is where all packets lie; freed ones are chained.
type packetStore struct {
	packets []packet
	int     []telemetry // parallel to packets, if the congestion control needs it
	free    packetID
	spare   int // length of the chain of free packets
}

// room makes sure that n packets can be taken without growing: growing moves them.
func (s *packetStore) room(n int) {
	if s.spare < n {
		s.grow(max(n, len(s.packets), 256))
	}
}

func (s *packetStore) grow(n int) {
	first := max(len(s.packets), 1) // index 0 is none
	s.packets = append(s.packets, make([]packet, first+n-len(s.packets))...)
	if s.int != nil {
		s.int = append(s.int, make([]telemetry, len(s.packets)-len(s.int))...)
	}
	for i := first + n - 1; i >= first; i-- {
		s.put(packetID(i))
	}
}

func (s *packetStore) take() packetID {
	id := s.free
	s.free = s.packets[id].next
	s.spare--
	return id
}

func (s *packetStore) put(id packetID) {
	s.packets[id].next = s.free
	s.free = id
	s.spare++
}

// list is a first-in-first-out chain of packets.
type list struct{ head, tail packetID }

func (l *list) push(packets []packet, id packetID) {
	packets[id].next = 0
	if l.head == 0 {
		l.head = id
	} else {
		packets[l.tail].next = id
	}
	l.tail = id
}

func (l *list) pop(packets []packet) packetID {
	id := l.head
	l.head = packets[id].next
	return id
}
