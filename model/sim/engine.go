package sim

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/conweave"
)

// engine is a run in progress. Its state is in rooms, which [builder] sets up.
type engine struct {
	timekeeper
	packetStore
	network
	hosts
	paths
	mishaps
	sight

	domain  *domain    // nil: the run is one
	randoms []rand.PCG // by node
	streams *streams   // instead, for ECN

	counters
	left int64 // packets of domains that have come to their end
}

// timekeeper knows what happens when.
type timekeeper struct {
	now     int64         // ps
	shown   *atomic.Int64 // shows it from time to time; may be nil
	skipped int64         // ps by which what is reported is later, see [skipper]
	order   uint64        // of the event being handled
	drawn   uint64        // last order given out, if chained

	// chained lets events of one instant happen in the order in which they were scheduled, as in
	// ns-3, which is a chain through the whole network; see [engine.place].
	chained bool
	setAt   int64 // when the event being handled was set, if that may be long ago; or never
	events  *eventQueue
	agenda  agenda
	glanced uint32 // see [engine.glance]
	clock   clock
}

// network is ports and the switches' buffers.
type network struct {
	ports     []port
	configs   []portConfig // by port
	queues    []queue      // by class and port: [engine.cell]
	usages    []usage      // by class and port
	curves    []uint8      // by class and port: index in profiles
	headrooms []uint32     // by port: bytes per class
	obeyAt    []int64      // by port and class: when a pause takes effect, ps
	dwrr      *dwrr
	shapers   *shapers // nil: no class has a limit
	profiles  []ecnProfile
	averages  []average  // by port and class; nil if no queue is polled
	pools     []hpccPool // by node
	silicon   []*silicon // by node; nil where the pool counts
	entrances []entrance // by port; nil if no node has silicon
	rates     []float64  // bit/s, by rate index
	txTimes   [][]int32  // transmission times in ps, by rate index and size in bytes
	parts     []uint32   // bytes in queues by part of the buffer, where a curve goes by those; else nil
	mostParts int        // of a buffer
}

func newNetwork(ports, nodes int) network {
	return network{
		ports:     make([]port, ports),
		configs:   make([]portConfig, ports),
		queues:    make([]queue, ports*classes),
		usages:    make([]usage, ports*classes),
		curves:    make([]uint8, ports*classes),
		headrooms: make([]uint32, ports),
		obeyAt:    make([]int64, ports*classes),
		pools:     make([]hpccPool, nodes),
	}
}

// hosts holds the messages of hosts, and the rules by which they send and receive.
type hosts struct {
	nics     []nic
	acks     []list    // by class and NIC: [engine.acksOf]
	flows    []flow    // queue pairs
	inbound  []inbound // their receiving halves
	messages []message

	onDelivery, onCompletion waiting
	eachDelivered, eachDone  waiting   // of trains
	each                     [][]int32 // by message: what each time of a train waits for; nil: there are none

	initiators []initiator // nil without DC
	selective  []selective // by queue pair; nil: go-back-N

	transport transport
	host      hostTimes
	laws      [classes]*law // congestion control, by class
	repaces   bool          // see [DCQCN.Repace]
}

// paths is which way packets go.
type paths struct {
	routes   []int32
	ways     ways
	manyWays bool              // packets of a queue pair may take several
	balancer *balance.Balancer // nil: along routes
	loads    []int64           // at next hops that are to be chosen among
	weaver   *conweave.Weaver  // nil without ConWeave
	woven    []wovenRoute      // by queue pair, of ConWeave
	heldBack []list            // by queue pair: what ConWeave holds back
	cells    *cellFabric       // nil but in a scheduled fabric
}

// mishaps holds the faults of a run, and the reactions to them.
type mishaps struct {
	outages   *outages // nil: no link fails
	storms    []Storm
	receivers []receiver
	watchdogs []watchdog // by node; nil: none
	guards    []guard    // by port and class; nil: no watchdog
	timed     []timed    // by port: pauses that expire; nil: they do not
	expireAt  []int64    // by port and class, ps
}

// sight holds the measurements of a run.
type sight struct {
	seen     *observer // nil unless asked for
	noting   bool      // [engine.note] is to be called
	samplers []sampler
	counts   *counting // nil unless asked for
}

// counters of a run. Data packets and acknowledgements obey
// created = delivered + dropped + lost + flushed + unrouted + overrun + guarded + still in the
// network.
type counters struct {
	created, delivered, dropped int64

	lost       int64 // on the wire
	flushed    int64 // from queues of a port whose link went down
	unrouted   int64 // at a switch with no way to go on
	overrun    int64 // at a NIC that is stuck or full
	guarded    int64 // by watchdogs
	lostFrames int64 // of PFC

	refreshes, watchdogEvents int64

	outOfOrder, flowletsBegun int64

	hops, handled int64
	pauses, marks int64
	cnps          int64
	peakQueue     uint32
	peakHeadroom  uint32
	timeouts      int64
	refused       int64 // connections
	finished      int   // messages
	failed        int   // messages
}

// place returns the rank of an event among those of its instant: by kind and port, so that events
// at a node do not depend on simultaneous events elsewhere; or the next rank of all.
func (s *engine) place(event eventID) uint64 {
	if !s.chained {
		return fixedPlace(event)
	}
	s.drawn++
	return s.drawn
}

// fixedPlace returns the place of an event where each event has its own.
func fixedPlace(event eventID) uint64 { return uint64(event) }

// eventID names an event by what it does, its kind above its port; at any time each is pending at most once.
type eventID int32

// Kinds of event. In their order those of one instant happen where nothing else orders them: a packet is in before the next
// one comes, and what comes finds what has not left.
const (
	kindFrameIn     = iota // the last byte of the foremost PFC frame is in
	kindPacketIn           // the foremost packet that came in by the port can leave the switch
	kindArrival            // the foremost packet on the port's link arrives
	kindTransmitted        // the port has sent its packet and something waits
	kindWake               // a queue pair of the host behind the port may send again
	kindTask               // the first of the agenda (one event for all ports)
)

const (
	portBits  = 20
	eventBits = portBits + 3 // for six kinds
)

func eventOf(port, kind int32) eventID { return eventID(kind<<portBits | port) }

func (e eventID) port() int32 { return int32(e & (1<<portBits - 1)) }
func (e eventID) kind() int32 { return int32(e >> portBits) }

func arrival(port int32) eventID     { return eventOf(port, kindArrival) }
func transmitted(port int32) eventID { return eventOf(port, kindTransmitted) }
func wake(port int32) eventID        { return eventOf(port, kindWake) }
func packetIn(port int32) eventID    { return eventOf(port, kindPacketIn) }
func frameIn(port int32) eventID     { return eventOf(port, kindFrameIn) }

const planned = eventID(kindTask << portBits)

// packetsPerEvent is more than one event can create: a data packet, a pause and a resume
// frame, and a reply and a notice of ConWeave.
const packetsPerEvent = 8

// step handles the next event; false if there is none before the given time. It is nearly always in
// a slot that has been sorted and looked at.
func (s *engine) step(until int64) bool {
	q := s.events
	if len(q.ready) <= q.unseen || len(q.late) > 0 {
		if !q.settle(until) {
			return false
		}
		s.glance()
	}
	e, at, ok := q.popSettled(until)
	if !ok {
		return false
	}
	s.now, s.order = at, q.order(e)
	s.handled++
	s.room(packetsPerEvent)
	id := q.event(e)
	port := id.port()
	switch id.kind() {
	case kindArrival:
		s.arrive(port)
	case kindTransmitted:
		s.transmissionEnded(port)
	case kindWake:
		s.wakeUp(port)
	case kindPacketIn:
		s.packetCame(port)
	case kindFrameIn:
		s.frameCame(port)
	case kindTask:
		s.doTask()
	}
	return true
}

// cached is the number of packets, of 32 B each, that fit into a processor's own cache of 1 MB or 2
// MB in addition to all else.
const cached = 48 << 10

// glance looks at the ports and packets that coming events are about, so that their lines are on the way
// into the cache by then: of [glances] events at a time, because the waits for memory of one pass overlap. An
// entry names both, so that no read has to wait for another; of events that are chained the port knows the packet. Where
// all packets fit the cache it costs more than it saves.
func (s *engine) glance() {
	q := s.events
	if len(s.packets) <= cached {
		q.unseen = 0
		return
	}
	n := len(q.ready)
	if n > q.unseen {
		return
	}
	q.unseen = max(0, n-glances)
	if coming := q.ready[q.unseen:]; fetches && !q.chained {
		fetch(&coming[0], len(coming), &s.ports[0], &s.packets[0])
	} else {
		s.glanced += s.readAll(coming)
	}
}

// readAll reads from those ports and packets. The result has no meaning: it keeps the reads in the
// program.
func (s *engine) readAll(coming []entry) (sum uint32) {
	q := s.events
	for _, e := range coming {
		p, about := &s.ports[q.event(e).port()], e.about()
		if q.chained {
			about = p.flight.head
		}
		sum += uint32(p.backlog) + s.packets[about].seq
	}
	return sum
}

// glances is the number of events that are looked at together.
const glances = 64

// arrive takes the foremost packet off a port's link, at the link's other end.
func (s *engine) arrive(in int32) {
	p := &s.ports[in]
	if p.intake&ownFirst != 0 {
		s.firstByte(in, p)
		return
	}
	id, pk := s.land(in, p)
	switch {
	case p.trouble != 0 && s.intercept(in, p, id, pk):
	case pk.kind >= pauseFrame:
		s.receiveFrame(in, p, id, pk)
	case p.nic >= 0:
		s.hostReceive(in, p, id, pk)
	default:
		s.switchReceive(in, p, id, pk)
	}
}

func (s *engine) transmissionEnded(pi int32) {
	p := &s.ports[pi]
	p.txPending = false
	s.trySend(pi, p)
}

// trySend lets an idle port send what its node has for it.
func (s *engine) trySend(pi int32, p *port) {
	if p.nic >= 0 {
		s.hostSend(pi, p)
	} else {
		s.switchSend(pi, p)
	}
}

// kick is [engine.trySend] for a port that may be busy: then its turn comes at the end of
// the transmission.
func (s *engine) kick(pi int32, p *port) {
	if s.busy(p) {
		s.wakeAtEnd(pi, p)
	} else {
		s.trySend(pi, p)
	}
}
