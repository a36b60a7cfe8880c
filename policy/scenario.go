package policy

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A Scenario is one instance of a scenario block: the traffic, the faults meanwhile, and the goals.
type Scenario struct {
	Name  string
	Range diag.Range // the label

	Doc   Opt[string]
	Hosts Opt[[]LinkEnd]  // ports of hosts, each once; left out: the simulator chooses
	Time  Opt[units.Time] // in which messages begin
	Seeds Opt[int]        // runs, with seeds from 1 on

	LoadBalancing     Opt[string] // left out: as compiled
	FlowletGap        Opt[units.Time]
	CongestionControl Opt[string]
	Transport         Opt[string]
	Processes         Opt[int]   // of each host; left out: as many as messages
	DC                *DC        // nil: assumed constants
	Memory            *Memory    // nil: it takes no time
	Swift             *Swift     // nil: assumed constants
	RTTCC             *RTTCC     // nil: assumed constants
	PolledECN         *PolledECN // nil: by the queue as it is
	ECNByPart         Opt[bool]

	Goals   Targets // those that are left out are the fabric's
	Traffic []Traffic
	Events  []Event
}

// Memory is the memory block: what hosts take to read and to write messages.
type Memory struct {
	Rate   Opt[units.BitRate]
	Fetch  Opt[units.Time]
	Inline Opt[units.Bytes]
}

// Swift is the swift block: targets of Swift.
type Swift struct {
	Target, PerHop, Endpoint Opt[units.Time]
}

// RTTCC is the rttcc block: constants of an RTT-based control.
type RTTCC struct {
	Target, Interval                   Opt[units.Time]
	Additive                           Opt[units.BitRate]
	Beta, MaxDecrease, Gain, Steepness Opt[units.Ratio]
}

// DC is the dc block: the limits and times of hosts with the dynamically connected transport.
type DC struct {
	Initiators Opt[int] // of each process
	Targets    Opt[int] // initiators that a host lets be connected at a time; left out: any number

	Connect, Disconnect, Linger, Busy Opt[units.Time]
}

// PolledECN is the polled_ecn block: marking by an average of readings.
type PolledECN struct {
	Period Opt[units.Time]
	Weight Opt[units.Ratio]
}

// Traffic is one block that sends. Fields without an attribute in its Kind are zero.
type Traffic struct {
	Kind  string // name of the block: "incast", "flow", …
	Range diag.Range

	Name       Opt[string] // in results
	Class      Opt[Carrier]
	QueuePairs Opt[int] // that each message is divided over
	Start      Opt[units.Time]

	Senders, Receivers Opt[int]
	Local              Opt[bool]        // of an incast: on one switch, apart from other local ones
	By                 Opt[int]         // shift: hosts further on; left out: half of them
	Message            Opt[units.Bytes] // left out: what fills the time of the scenario
	Every              Opt[units.Time]  // left out: once
	Load               Opt[units.Ratio] // of each host's line rate
	Sizes              *Sizes           // instead of Message
	Copies             Opt[int]         // hosts that each message goes to
	Repeat             Opt[int]
	Operation          Opt[string] // of a collective
	Algorithm          Opt[string] // of an all-reduce; left out: what NCCL takes
	Protocol           Opt[string] // left out: "wire"
	Group              Opt[int]    // GPUs; left out: all
	Stride             Opt[int]    // from one GPU of a group to the next
	Compute            Opt[units.Time]
	Skew               Opt[units.Ratio] // exponent of Zipf's law
	Path               Opt[string]      // of a trace: a file or a folder below that of the fabric
	Src, Dst           LinkEnd

	src, dst Opt[string]
	sizes    Opt[reference]
}

// A Carrier is the class of a traffic: by name, or the first of the lossless or lossy ones.
type Carrier struct {
	Class string // name; empty: the first one
	Lossy bool   // first of the lossy ones
}

// An Event is something that befalls the fabric during a scenario.
type Event struct {
	Kind  string // "link_failure", "switch_failure", "slow_receiver", "pfc_storm"
	Range diag.Range

	Where LinkEnd // port of the link or host, or a switch without one; empty: the simulator chooses
	At    Opt[units.Time]
	Until Opt[units.Time] // left out: the end of the run

	Convergence Opt[units.Time]    // after a failure, until routes avoid what failed
	Rate        Opt[units.BitRate] // of a slow receiver
	Buffer      Opt[units.Bytes]   // of its NIC

	where Opt[string]
}

// Sizes is a distribution of message sizes: Share[i] of all messages are of Bytes[i] or
// less, with straight lines between.
type Sizes struct {
	Name   string
	Range  diag.Range
	Doc    Opt[string]
	Source Opt[string]
	File   Opt[string]        // that the points are from
	Bytes  Opt[[]units.Bytes] // ascending
	Share  Opt[[]units.Ratio] // ascending from 0 to 1, as many as Bytes
}
