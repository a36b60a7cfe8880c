package sim

import (
	"sync/atomic"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// A Scenario is everything a run depends on.
type Scenario struct {
	Nodes []Node // a node's index is its number
	Links []Link
	Flows []Flow

	Generators []Generator // traffic in addition to the flows

	Transport  Transport
	TCP        TCP // of the flows that are not RDMA
	Congestion Congestion
	Classes    [classes]*ClassControl // instead of Congestion, and of Transport's windows, for queue pairs of a class
	Buffer     HPCCBuffer
	Silicon    []*SiliconBuffer // by node: replaces Buffer at that switch; may be short
	Latency    []units.Time     // by node: from a packet's last byte in until it can leave a switch with Silicon; may be short
	ECN        []ECN            // by link rate; a rate that is not listed does not mark

	Scheduler Scheduler
	Balancing balance.Config
	PFC       PFC
	Wire      Wire
	Watchdogs []*Watchdog // by node: of a switch; nil: none; may be short

	// Faults while the fabric runs.
	Outages   []Outage
	Storms    []Storm
	Receivers []Receiver

	// Convergence is the time after a change of a link until all routes follow it, 0 or more. Until
	// then a switch goes on sending packets into a dead link if they have no other way there.
	Convergence units.Time

	// Observe asks for more than totals. Nil: none.
	Observe *Observation

	// Ports are the names of ports, by link and end: of link i at A and at B they are 2i and
	// 2i+1. Without names, a port is NODE.INTERFACE, where a node's interfaces are counted from
	// 1 in the order of its links, as in ns-3.
	Ports []string

	// Times decides how transmission times are rounded.
	Times Times

	// ExactIdeal makes [FlowResult.Slowdown] relate to the least time that a message can take
	// alone; else it relates to the HPCC simulator's ideal, which short messages can beat.
	ExactIdeal bool

	// Cores is the largest number of cores of the run, if it can be divided: see [Scenario.divisible].
	// The result is the same, to the last byte.
	Cores int

	// Clock, unless nil, shows from time to time up to which time the run has come, in picoseconds.
	Clock *atomic.Int64 `json:"-"`

	// SkipSteady leaves out stretches in which all goes on as it is: see [skipper]. Completion times
	// are then off by some per cent, and counters are of the time that was not left out. It is passed
	// over where anything but the messages has a time of its own: see [Scenario.skippable].
	SkipSteady bool

	// Stop ends the run even if packets are still under way. 0: when nothing is left
	// to happen.
	Stop units.Time

	// Seed starts the random numbers: which packets ECN marks between Kmin and Kmax,
	// which ones a link with errors loses.
	Seed uint64

	// FirstStream, if positive, takes the random numbers for ECN from ns-3's generator
	// instead: those of run Seed, from this stream on.
	FirstStream int
}

// Node says what a node of the network is.
type Node uint8

const (
	Host Node = iota
	Switch
)

// Link connects two nodes in both directions.
type Link struct {
	A, B  int // node numbers
	Rate  units.BitRate
	Delay units.Time // one way

	// ErrorRate is the probability that a packet is lost on the wire, 0 to 1.
	ErrorRate float64

	// Unrouted keeps routes off the link; its ports still take their part of the buffers.
	Unrouted bool

	// Egress says how the ports at A and at B send, if they are switches'. Where it is nil,
	// Scenario.Scheduler and the Scenario.ECN of the link's rate do.
	Egress [2]*Egress

	// Response is the time for which the ports at A and at B go on after a pause frame; 0: as
	// Scenario.PFC says.
	Response [2]units.Time

	// Faults at A and at B: PFC is off there, so that no pause is sent or obeyed; the CNPs that come
	// in there are lost.
	NoPFC, LosesCNPs [2]bool
}

// Node returns the node at an end: that of A at 0, of B at 1.
func (l *Link) Node(end int) int {
	if end == 0 {
		return l.A
	}
	return l.B
}

// Flow is one message from a host to another.
//
// It is posted at Start or, if it waits for others, at the latest of Start and Delay after
// the last of them. A host knows of another message what a host can know: as its receiver,
// that its last byte has come; everywhere else, that its sender has the acknowledgement.
//
// One of 0 bytes from a host to itself is work: it sends nothing, and is over when it would be posted.
type Flow struct {
	Src, Dst         int // node numbers of hosts
	SrcPort, DstPort uint16
	Class            uint8 // priority group and queue, 0 to 7
	Bytes            units.Bytes
	Start            units.Time

	// TCP sends it over TCP instead of the RoCE transport, as background traffic on a lossy
	// class.
	TCP bool

	// Ends has [Result.Work] say when work is over.
	Ends bool

	// Block and Operation are numbers for the maker of the flow. The run passes them over.
	Block, Operation int32

	After []int32    // indices in Scenario.Flows of the messages that this one waits for
	Delay units.Time // after the last of them

	// Repeat, if above 1, sends the message so many times over a queue pair of its own: see [train].
	// Each time but the first waits for the time before of all messages in Each, which are repeated
	// as often, or of itself where there are none, and Delay more. A message that names it in After
	// waits for the last time.
	//
	// With Ahead, a time waits for one so many before that: -1 is the same time of those in Each, as where
	// a host passes on what comes; s-1 lets s times be under way, as where a step is cut into s slices.
	Repeat int
	Each   []int32
	Ahead  int

	// QueuePair, if positive, puts the message on the queue pair of that number between
	// its two hosts (with [DC]: on the initiator of that number of its source), behind the
	// messages that were posted there before. The queue pair keeps its congestion control
	// and takes class, ports and path from its first message. 0: a queue pair of its own.
	QueuePair int
}

// Transport describes the hosts' RoCE stack apart from congestion control: go-back-N with an
// acknowledgement per packet or per interval.
type Transport struct {
	Payload units.Bytes // of a full data packet

	// AckInterval acknowledges after this many bytes, and at multiples of Chunk.
	AckInterval, Chunk units.Bytes

	// BackToZero lets a loss go back to the start of the chunk.
	BackToZero bool

	// Acks says in which class acknowledgements and NACKs travel; AckClass is for those that
	// do not follow their data.
	Acks     AckPath
	AckClass uint8

	Window Window

	// VariableWindow scales the window with the current rate.
	VariableWindow bool

	// Unpaced lets a queue pair send at line rate whatever its rate says; the window
	// alone holds it back.
	Unpaced bool

	// CNPInterval is the shortest time between two echoes of congestion: of a queue pair,
	// or of a port if CNPPerPort. 0 echoes each mark.
	CNPInterval units.Time
	CNPPerPort  bool

	// DirectPlacement lets the receiver place packets in whatever order they come. Without
	// it, each one out of order costs going back. With it, the loss of a packet is not
	// noticed: it is for lossless fabrics.
	DirectPlacement bool

	// Selective sends again only what is lost. It needs DirectPlacement and AckTimeout.
	Selective bool

	// NackInterval is the shortest time between two NACKs for the same packet.
	NackInterval units.Time

	// DisorderNotice lets a receiver of [DCQCN] answer a packet out of order by a congestion notification too, at most one
	// per CNPInterval: what the authors of ConWeave saw of NVIDIA's NICs (README of conweave-project/conweave-ns3).
	DisorderNotice bool

	// AckTimeout is the time for which a queue pair with packets under way waits for an
	// acknowledgement before it sends them again. 0: for ever, as in the HPCC simulator.
	AckTimeout units.Time

	// Retries is the number of times in a row that AckTimeout may pass before the queue pair fails,
	// and all its messages with it. InfiniBand's retry count goes from 0 to 7.
	Retries int

	// Service is the kind of queue pairs, and Host what hosts take for their part.
	Service Service
	Host    HostTimes

	// CNPPackets makes the receiver send congestion notification packets in CNPClass
	// instead of an echo of CE in the acknowledgement, as RoCEv2 does (InfiniBand
	// Architecture Specification Volume 1, annex A17.9). They go before all else that a host
	// sends and obey the PFC of their own class. Only [DCQCN] knows them.
	CNPPackets bool
	CNPClass   uint8
}

// AckPath is the class of acknowledgements and NACKs.
type AckPath uint8

const (
	// AcksHeldBy is the HPCC simulator's: at switches they travel in their data's class, and
	// the PFC pause that stops them at a host is that of AckClass.
	AcksHeldBy AckPath = iota
	// AcksWithData puts them in the class of their data, whose pause stops them at hosts too.
	AcksWithData
	// AcksApart puts all of them in AckClass.
	AcksApart
)

// Window limits the bytes of a queue pair that are not acknowledged.
type Window uint8

const (
	NoWindow   Window = iota
	PathBDP           // the bandwidth-delay product of its own path
	LargestBDP        // the largest of all pairs of hosts, and the largest base RTT
)

// ECN marks packets of a class with more than KMin bytes behind them, with a
// probability that rises to PMax at KMax and is 1 above.
type ECN struct {
	Rate       units.BitRate // of the links it applies to
	KMin, KMax units.Bytes
	PMax       float64

	// PollPeriod, if not 0, marks by an average instead: each period the length of the
	// queue is read and enters the average with Weight, 0 to 1, as where a switch's
	// software polls the queue (Broadcom SDK).
	PollPeriod units.Time
	Weight     float64

	// ByPart compares what a queue holds in the part of a [SiliconBuffer] that a packet came into, as where a chip keeps
	// the state of its curves for each part of the buffer; not with a PollPeriod.
	ByPart bool
}

// Times is the arithmetic of transmission times.
type Times uint8

const (
	// ExactTimes is bytes times picoseconds per byte.
	ExactTimes Times = iota
	// NS3Times cuts each transmission time to whole nanoseconds, as ns-3 does:
	// 1,048 B at 100 Gb/s take 83 ns instead of 83.84.
	NS3Times
)

// Congestion chooses the congestion control and its parameters.
type Congestion struct {
	Algorithm Algorithm
	MinRate   units.BitRate

	DCQCN  DCQCN
	TIMELY TIMELY
	HPCC   HPCC
	DCTCP  DCTCP
	Swift  Swift
	RTTCC  RTTCC

	RTTTemplate RTTTemplate
}

// ClassControl is the congestion control of a class's queue pairs. Packets of all classes have room for what the
// control that needs most writes into them.
type ClassControl struct {
	Congestion
	Window         Window
	VariableWindow bool // see [Transport]
}

// Algorithm names a congestion control.
type Algorithm uint8

const (
	NoControl Algorithm = iota
	UseDCQCN
	UseTIMELY
	UseHPCC
	UseDCTCP
	UseSwift
	UseRTTCC
	UseRTTTemplate
)

// String is its name.
func (a Algorithm) String() string {
	return [...]string{"none", "dcqcn", "timely", "hpcc", "dctcp", "swift", "rttcc", "rtt_template"}[a]
}
