// Package policy is the language: it reads the HCL files of a fabric and gives a
// [Fabric], resolved against the chip catalogue, in which every value knows the line
// it came from.
package policy

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// Opt is a value that the author may leave out. Range is the value in the file; where
// it is left out, Set is false, Value the documented default, if there is one, and
// Range the block that could have said it.
type Opt[T any] struct {
	Value T
	Set   bool
	Range diag.Range
}

// A Fabric is one description, resolved: ranges of names are expanded to shapes,
// references point to what they name.
type Fabric struct {
	Name  string
	Range diag.Range // label of the fabric block

	MTU            Opt[units.Bytes] // largest frame of any class, with header and FCS; default 9216 B
	LosslessFrame  Opt[units.Bytes] // largest frame of a lossless class; default MTU
	Purpose        Opt[string]      // "training", "storage", "requests" or "mixed" (default): whose completion counts
	ExpectedDelay  Opt[units.Time]  // queueing delay below which nothing is marked (Kmin)
	TolerableDelay Opt[units.Time]  // queueing delay above which everything is marked (Kmax)

	// Isolation is the number of PGs of a switch that may be stuck and still leave a further one
	// its share. Not set: derived.
	Isolation Opt[int]
	XOFFTime  Opt[units.Time] // longest time to fill a PG's threshold at line rate; default 1 ms

	// HeadroomMargin is added to computed headroom: a share, a fixed amount, or both.
	HeadroomMargin      Opt[units.Ratio]
	HeadroomMarginBytes Opt[units.Bytes]
	HeadroomMethod      Opt[string] // overrides the chip's: see calc/headroom
	HeadroomTable       Opt[string] // pg_profile_lookup.ini text for method "table"
	// HeadroomInterpolate lets method "table" go between its rows; refused by default.
	HeadroomInterpolate Opt[bool]
	// Running is set where the fabric describes switches as they run: a broken inequality is a warning.
	Running Opt[bool]
	// HeadroomSharing oversubscribes the pool of headroom on purpose.
	HeadroomSharing Opt[Sharing]
	// SmallPackets is the share of packets that are minimum-sized, the others being largest.
	SmallPackets Opt[units.Ratio]

	Targets       Targets
	Routing       Opt[string] // "shortest_paths", "valley_free"
	LoadBalancing Opt[string] // "ecmp" (default), "flowlet", "spray", "adaptive", "global", "conweave", "cell"
	// FanIn are the incast patterns N→M to hold in addition to each switch's worst N→1.
	FanIn []FanIn

	Classes  []*Class  // sorted by name
	Marking  *Marking  // nil: every port trusts DSCP
	Watchdog *Watchdog // nil: watchdog with derived timers
	NICs     []*NIC    // sorted by name
	Switches []*Switch // sorted by first name
	Links    []Link    // sorted
	Servers  []Server  // in the order of their blocks, switches and ports

	Scenarios []*Scenario // sorted by name

	Texts []Source // of files that blocks name, which findings point into
}

// Targets are the goals that the fabric is judged by.
type Targets struct {
	Throughput      Opt[units.Ratio] // default 95 %
	PausesPerSecond Opt[int64]       // default 5
	MaxLatency      Opt[units.Time]  // default 80 us
	UsualLatency    Opt[units.Time]  // of nine packets in ten, in 90 % of the scenarios; default 40 us

	Slowdown    Opt[Multiple] // of messages in the mean, of what they take alone; not set: no goal
	SlowdownP99 Opt[Multiple] // the same of 99 % of them; default 100
	Steps       Opt[Multiple] // of collective operations, of their bound; default 5
}

// A Curve says how a class marks, as far as it is given.
type Curve struct {
	Speed Opt[units.BitRate] // of the ports that it is for; not set: all others
	KMin  Opt[units.Bytes]
	KMax  Opt[units.Bytes]
	// KMinDelay and KMaxDelay say the same as what a port drains in a time.
	KMinDelay Opt[units.Time]
	KMaxDelay Opt[units.Time]
	PMax      Opt[units.Ratio]
}

// CurveAt returns the curve of ports of a speed.
func (c *Class) CurveAt(speed units.BitRate) *Curve {
	for i := range c.CurvesAt {
		if c.CurvesAt[i].Speed.Value == speed {
			return &c.CurvesAt[i]
		}
	}
	return &c.Curve
}

// CurveOf returns the curve of a class on the ports of a group: what the group says of the class,
// else what it says of all classes, else what the class says of ports of this speed.
func (g *PortGroup) CurveOf(c *Class) *Curve {
	var all *Curve
	for i := range g.Curves {
		switch own := &g.Curves[i]; own.Class {
		case c:
			return &own.Curve
		case nil:
			all = &own.Curve
		}
	}
	if all != nil {
		return all
	}
	return c.CurveAt(g.Speed.Value)
}

// A Sharing says how far a pool of headroom may be smaller than one in which all groups have room at once:
// by a ratio, or so that it holds so many PGs that are paused at once. One of the two is
// zero.
type Sharing struct {
	Ratio  int64 // of all headroom to the pool
	Groups int
}

func (s Sharing) String() string {
	if s.Groups > 0 {
		return fmt.Sprintf("%d groups", s.Groups)
	}
	return fmt.Sprintf("%d:1", s.Ratio)
}

// A FanIn is an incast pattern: From ports send to To ports at once.
type FanIn struct {
	From, To int
	Range    diag.Range
}

// A Class is one traffic_class block.
type Class struct {
	Name  string
	Range diag.Range // the label

	DSCPs Opt[[]uint8] // sorted, `rest` already expanded
	Rest  bool         // dscp = rest

	TrafficClass  Opt[uint8] // default: Queue
	Queue         Opt[uint8] // required
	PFC           Opt[uint8] // set: the class is lossless
	PriorityGroup Opt[uint8] // default: PFC of a lossless class, 0 otherwise
	Lossless      Opt[bool]  // PFC.Set
	Strict        Opt[bool]  // scheduling = strict
	Weight        Opt[int64] // DWRR, 1–100
	MaxRate       Opt[units.BitRate]
	Alpha         Opt[units.Alpha] // fixes what calc would choose
	Burst         Opt[units.Bytes] // of one sender, that its PG takes though others are stuck; default Kmax

	// ECN: derived by default for a lossless class whose congestion control needs it.
	ECN Opt[string] // "derived", "given", "off"
	Curve
	CurvesAt []Curve // of ports of a speed, instead

	CongestionControl Opt[string]  // one of congestionControls
	QueuePairs        Opt[int64]   // per port; default 1
	Transport         Opt[string]  // "rc" (default), "xrc", "dc"
	Recovery          Opt[string]  // "go_back_n" (default), "selective"
	Trimming          *Trimming    // nil: packets without room are dropped
	SentBackAs        Opt[string]  // name of the class in which a switch of a pair sends packets back; not set: they stay
	SentBack          bool         // some class is sent back as this one
	KeepDSCP          Opt[[]uint8] // that stay outside a tunnel; sorted
	Pinned            []Pinned     // of its priority group and its queue
	CNP               bool         // the class that carries CNPs: some NIC's cnp_dscp is among DSCPs
}

// Marking is the marking block: which packets ports of an untrusted role may bring
// into which class, and what all else becomes.
type Marking struct {
	Range   diag.Range
	UDPPort Opt[uint16] // default 4791
	Rules   []MarkRule  // in the order of the file
	Rewrite Opt[uint8]  // DSCP of everything else
	Class   *Class      // class of everything else
}

// A MarkRule admits UDPPort with a DSCP into a class.
type MarkRule struct {
	DSCP  Opt[uint8]
	Class *Class
	Range diag.Range
}

// Watchdog is the pfc_watchdog block.
type Watchdog struct {
	Range       diag.Range
	Off         bool
	Detection   Opt[units.Time]
	Restoration Opt[units.Time]
	Poll        Opt[units.Time]
	Action      Opt[string] // "drop", "forward", "alert"
}

// A NIC is one nic block.
type NIC struct {
	Name  string
	Range diag.Range

	Model           Opt[string]
	Card            *chips.NIC         // the catalogue's entry of the model; nil: none
	Reaction        Reaction           // the block's settings of DCQCN's reaction point
	Slowest         Opt[units.BitRate] // of the ports that lead to it; not set: none does
	Senders         Opt[int]           // most ports that may send to one of these at once, of all groups that lead to it; not set: none does
	PauseResponse   Opt[units.Time]    // from the last bit of a PFC frame to silence
	CNPInterval     Opt[units.Time]    // least time between two CNPs; default by model
	CNPPerPort      Opt[bool]          // scope of the interval: per port rather than per flow
	CNPDSCP         Opt[uint8]         // default 48
	AckDSCP         Opt[uint8]         // of acknowledgements and NACKs; not set: that of their data
	CNPPFC          Opt[uint8]         // 802.1p priority of CNPs; default by model
	SendLatency     Opt[units.Time]    // from posting a message until the NIC works on it
	ReceiveLatency  Opt[units.Time]    // from a message's last byte until the process knows
	MTU             Opt[units.Bytes]   // largest frame it sends; default the fabric's
	RoCEMTU         Opt[units.Bytes]   // payload per packet; default: the largest that fits
	DirectPlacement Opt[bool]          // accepts out-of-order packets
	Classes         []*Class           // that its traffic uses, sorted by name
}

// A Switch is all switches of one shape.
type Switch struct {
	Names []string // sorted naturally; at least one
	Label string   // as written: "tor-[01..16]"
	Range diag.Range

	Chip     *chips.Chip
	ChipAt   diag.Range
	OS       Opt[string]   // "sonic", "eos", "cumulus", "openconfig", "junos", "srlinux"
	Targets  Opt[[]string] // default: what the OS takes
	Platform Opt[string]
	HwSKU    Opt[string]
	Release  Opt[string] // of SONiC: "202505"
	Role     Opt[string]
	// Box is the platform, nil where the catalogue does not have it.
	Box    *chips.Platform
	Groups []*PortGroup // sorted by name
	// BufferModel of SONiC: "traditional" or "dynamic"; default by chip family.
	BufferModel Opt[string]
	// EOS is nil where there is no eos block.
	EOS *EOS
	// Alpha is of all lossless PGs here; not set: as their classes say.
	Alpha Opt[units.Alpha]
	// LossyPool is the limit of all lossy queues together; not set: derived.
	LossyPool Opt[units.Bytes]
	// Tunnel is the name of the tunnel to the other switch of a pair; not set: there is none.
	Tunnel Opt[string]
	Pinned []Pinned
}

// LongTransfers reports whether the fabric is for transfers that a queue delays less than a mark does.
func (f *Fabric) LongTransfers() bool {
	return f.Purpose.Value == "storage" || f.Purpose.Value == "training"
}

// AlphaOf returns the alpha that the author fixes for a class on the switch: what the switch says, else what
// the class says. It is not set where neither does.
func (s *Switch) AlphaOf(c *Class) Opt[units.Alpha] {
	if s.Alpha.Set {
		return s.Alpha
	}
	return c.Alpha
}

// A PortGroup is ports of a switch that are alike.
type PortGroup struct {
	Name  string
	Range diag.Range

	Ports   []string // expanded, in the order of the file
	Aliases []string // as many as Ports, or none
	Lanes   [][]int  // as many as Ports, or none
	Indices []int    // as many as Ports, or none
	// Places are the positions of the ports in the switch's Box; as many as Ports, or none.
	Places []chips.Place
	At     diag.Range
	Speed  Opt[units.BitRate]
	Cable  Opt[units.Length]
	// Cables gives single ports a length of their own, by port name (from csvdecode).
	Cables    map[string]Opt[units.Length]
	Medium    Opt[string] // "dac", "aoc", "fiber", "copper"
	Breakout  Opt[string] // "4x25G"; empty: none
	LaneCount Opt[int]    // serdes lanes per port

	PeerNIC    *NIC    // the peer: one of the two, or none
	PeerSwitch *Switch // any switch of that shape: at the first linked port, else the first by name
	// PeerSwitches are all shapes that are at the other end: more than one where a role has several,
	// or where links lead to several.
	PeerSwitches []*Switch
	PeerAt       diag.Range
	PeerPorts    *PortGroup // the group at the other end, where links say so

	Lossless      Opt[bool]       // default true
	SentBack      Opt[bool]       // whether packets that a switch of a pair sends back pass; default false
	FanIn         Opt[int]        // ports that may send to one of these at once; default all others
	Trust         Opt[string]     // "dscp" (default), "marking"
	PauseResponse Opt[units.Time] // of the peer, overriding its NIC's or the standard's
	Gearbox       Opt[units.Time]
	Headroom      Opt[units.Bytes] // given: checked, not computed
	Routed        Opt[bool]        // default false
	Curves        []PortCurve      // instead of those of the classes
	Queues        []PortQueue      // classes that leave from queues of others
	Pinned        []Pinned
}

// A PortQueue is a class that leaves the ports of a group from the queue of another.
type PortQueue struct {
	Class, Of *Class
	Range     diag.Range
}

// Carries reports whether a class is lossless on the ports: one in which packets are sent back
// where they pass alone.
func (g *PortGroup) Carries(c *Class) bool {
	return g.Lossless.Value && c.Lossless.Value && (!c.SentBack || g.SentBack.Value)
}

// QueueOf returns the class from whose queue a class leaves the ports: itself, unless a block queue says
// another one.
func (g *PortGroup) QueueOf(c *Class) *Class {
	for i := range g.Queues {
		if g.Queues[i].Class == c {
			return g.Queues[i].Of
		}
	}
	return c
}

// A PortCurve is the marking curve of one class on the ports of a group.
type PortCurve struct {
	Class *Class // nil: every class that marks
	Range diag.Range
	Curve
}

// A Link joins two ports.
type Link struct {
	A, B  LinkEnd
	Cable Opt[units.Length]
	Range diag.Range
}

// A LinkEnd is one port of one switch.
type LinkEnd struct{ Switch, Port string }
