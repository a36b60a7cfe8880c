// Package plan is the intermediate form between the formulas and the files: the settings of each
// switch and each host, in the field's standard terms and independent of any vendor. The compiler
// fills it from a fabric, emitters print it, readers rebuild it from configuration files, and the
// models verify it.
//
// Switches of one shape share one [Switch]: it is computed and printed once, and only names differ.
// Within a switch, ports with the same settings share a [PortQoS].
//
// Everything that counts buffer is in bytes as the chip will hold them: multiples of
// the cell size. Two plans say the same when they are equal apart from their Whys
// and ranges.
package plan

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// A Plan is the settings of the whole fabric.
type Plan struct {
	Fabric   string
	Switches []*Switch // sorted by first name
	Hosts    []*Host   // sorted by name
	// Reaction is DCQCN as hosts are assumed to have it that no nic block names.
	Reaction Reaction
	// Path has the delays that latency goals leave for queues.
	Path    Path
	Links   []Link   // sorted by A; empty where the fabric says no cabling
	Servers []Server // with GPUs; empty where the fabric says nothing of them
	// Routing is which ways packets take: "shortest_paths", "valley_free"; empty: nothing is declared.
	Routing string
}

// A Link joins two ports of switches. B.Switch is empty where the cable leaves the
// fabric, to a server or to a router elsewhere.
type Link struct{ A, B LinkEnd }

// A Server has GPUs, and NICs that are at ports of switches.
type Server struct {
	Name string
	GPUs int       // a multiple of the NICs; GPU i sends by NIC i * NICs / GPUs
	NICs []LinkEnd // the ports that they are at
	Machine
}

// A Machine has the properties of servers and GPUs on which times of collectives depend.
type Machine struct {
	NVLink      units.BitRate // of a GPU in one direction; 0: not said
	NVLS        bool          // switches of NVLink add up data and multicast them (NVLink SHARP)
	AMD         bool          // CPUs are AMD's; otherwise Intel's, as NCCL's cost model knows two kinds
	StepLatency units.Time    // the hosts' time for each step over the network beyond NCCL's cost model
}

// A LinkEnd is one port of one device.
type LinkEnd struct{ Switch, Port string }

// A Switch is the configuration of all switches of one shape.
type Switch struct {
	Names    []string // the devices, sorted; at least one
	Chip     string   // canonical name in the catalogue
	Cell     units.Bytes
	OS       string   // "sonic", "eos", "cumulus", "openconfig", "junos", "srlinux"
	Targets  []string // the targets to emit: "sonic", "eos", "openconfig"; sorted
	Platform string   // "x86_64-arista_7060x6_64pe" or an EOS model; may be empty
	HwSKU    string   // SONiC hardware SKU; may be empty
	Release  string   // of SONiC, by year and month: "202505"; may be empty
	Role     string   // "tor", "leaf", "spine", "border", …
	Range    diag.Range
	// Pinned is the first block of the fabric that pins something of it; zero where none does.
	Pinned diag.Range

	MTU     Derived[units.Bytes] // largest frame on every port
	Classes []Class              // sorted by traffic class
	Maps    Maps
	Places  MapPlaces
	Pools   []Pool // sorted by name
	Ports   []Port // in natural order of names
	// BufferModel says who computes headroom and pool sizes; empty means Traditional.
	BufferModel BufferModel
	// BufferModelAt is its place in a file that was read.
	BufferModelAt diag.Range
	// Calculator is the input of the switch's own calculator. Nil unless the BufferModel is
	// DynamicModel.
	Calculator *Calculator
	// Watchdog is nil where the switch has none.
	Watchdog *Watchdog
	// Marking are the rules of ports that do not trust the sender. Nil where all trust.
	Marking *Marking
	// Trim describes how packets are cut that find no room in queues that trim. Nil where none does.
	Trim *Trim
	// Tunnel describes how packets change class on their way to the other switch of a pair. Nil
	// where they do not.
	Tunnel *Tunnel
	// LoadBalancing is "ecmp", "flowlet", "spray", "adaptive" or empty.
	LoadBalancing string
	// LoadBalancingAt is its place in the fabric.
	LoadBalancingAt diag.Range

	// EOS holds the settings for switches with EOS alone; nil: none.
	EOS *EOS

	// DedicatedPercent is the share that ports keep of their own default buffer, in per cent, by
	// Direction, where a file that was read sets it; 0: all of it. The rest is shared.
	DedicatedPercent [2]int64

	// VOQ is set where packets wait in virtual output queues at ingress, one for each port and
	// queue of all line cards, in a memory that one pool accounts.
	VOQ bool

	// PausedPGs is the largest number of PGs of one part of the buffer that are paused at once, as
	// the fabric declares, since its pool of headroom is for no more; 0: all of them.
	PausedPGs int

	// Checks are the inequalities that the compiler evaluated for this switch.
	Checks []Check
}

// EOS holds settings of EOS on which no number of a plan depends.
type EOS struct {
	FlowSetSize  int      // of dynamic load balancing, 1 to 7; 0: what EOS has
	QueueMonitor bool     // record how long queues are
	DCBX         []string // port groups that announce PFC to their peers; sorted
	Cluster      *Cluster // nil: flows are not balanced over all hosts
	Range        diag.Range
}

// A Cluster describes how EOS balances the flows of all hosts.
type Cluster struct {
	Hosts        []string   // port groups to which hosts are connected; sorted
	Destinations string     // "BGP field-set", "vtep" or "prefix length 24"
	FlowLimit    int64      // flows of one port; 0: what EOS has
	Aging        units.Time // whole seconds; 0: what EOS has
}

// BrokenByPins returns the inequalities that do not hold on a switch with pins. Such a switch is never proved.
func (s *Switch) BrokenByPins() (broken []Check) {
	if s.Pinned.Filename == "" {
		return nil
	}
	for _, c := range s.Checks {
		if !c.Holds {
			broken = append(broken, c)
		}
	}
	return broken
}

// Paused returns the priorities for which some port has PFC, as bits.
func (s *Switch) Paused() (priorities uint8) {
	for i := range s.Ports {
		if q := s.Ports[i].QoS; q != nil {
			priorities |= q.PFC
		}
	}
	return priorities
}

// ClassAt returns the place of the first class with a traffic class; the place of the switch where it has none.
func (s *Switch) ClassAt(tc uint8) diag.Range {
	if c := s.Class(tc); c != nil {
		return c.Range
	}
	return s.Range
}

// Frame returns the largest frame of a port: its own, or that of the switch. 0: it is not known.
func (s *Switch) Frame(p *Port) Derived[units.Bytes] {
	if p.MTU > 0 {
		return Derived[units.Bytes]{p.MTU, s.MTU.Why}
	}
	return s.MTU
}

// PortsByName gives the ports of a switch by their names.
func (s *Switch) PortsByName() map[string]*Port {
	ports := make(map[string]*Port, len(s.Ports))
	for i := range s.Ports {
		ports[s.Ports[i].Name] = &s.Ports[i]
	}
	return ports
}

// A Class is a traffic class: how one kind of traffic is carried everywhere.
type Class struct {
	Name         string
	TrafficClass uint8   // internal priority, 0–7
	Queue        uint8   // egress queue, 0–7; ports may have others: see PortQoS.QueueOf
	PG           uint8   // ingress priority group, 0–7
	PFC          uint8   // PFC priority, meaningful when Lossless
	DSCPs        []uint8 // sorted; what maps to this class
	Lossless     bool
	// CongestionControl of its hosts: "dcqcn", "timely", "hpcc", "swift", "rttcc", "none".
	CongestionControl string
	// Transport of its hosts: "xrc", "dc"; empty: "rc".
	Transport string
	Range     diag.Range
}

// Maps are the classification tables as the switch holds them. Index is the code
// point, value the target.
type Maps struct {
	DSCPToTC   [64]uint8
	TCToQueue  [8]uint8
	TCToPG     [8]uint8
	PFCToQueue [8]uint8
	PFCToPG    [8]uint8
}

// NoQueue in PFCToQueue is a pause that stops no queue. No queue has this number.
const NoQueue uint8 = 15

// DSCPsOf returns the code points that map to a traffic class, ascending.
func (m *Maps) DSCPsOf(tc uint8) (dscps []uint8) {
	for d, to := range m.DSCPToTC {
		if to == tc {
			dscps = append(dscps, uint8(d))
		}
	}
	return dscps
}

// MapPlaces are the places of the entries of the maps in a file that was read. A zero Range is an
// entry that the file leaves to the chip's default.
type MapPlaces struct {
	DSCPToTC   [64]diag.Range
	TCToQueue  [8]diag.Range
	TCToPG     [8]diag.Range
	PFCToQueue [8]diag.Range
	PFCToPG    [8]diag.Range
}

// Direction is the side of the buffer that a pool accounts.
type Direction uint8

const (
	Ingress Direction = iota
	Egress
)

func (d Direction) String() string { return [...]string{"ingress", "egress"}[d] }

// BufferModel says who computes the headroom and the pool sizes of a SONiC switch.
type BufferModel string

const (
	Traditional  BufferModel = "traditional" // the configuration holds every size
	DynamicModel BufferModel = "dynamic"     // the switch computes from speed, cable and Calculator
)

// A Calculator is the input of the buffer calculator that NVIDIA's switches run in
// SONiC's dynamic model. Lengths and speeds it takes from the ports.
type Calculator struct {
	DefaultAlpha  Derived[units.Alpha] // of lossless PGs that say nothing else
	Oversubscribe Derived[int64]       // ratio of the headroom pool; 0: none, or Pool.Headroom says its size
	LosslessFrame Derived[units.Bytes] // largest frame of a lossless class, at most 9216 B
	SmallPackets  Derived[units.Ratio] // share of packets that are minimum-sized, in whole percent
}

// Pools by the names that SONiC gives them: of lossless priority groups, of lossless queues and of lossy ones.
const (
	LosslessPool   = "ingress_lossless_pool"
	LosslessQueues = "egress_lossless_pool"
	LossyQueues    = "egress_lossy_pool"
)

// A Pool is a part of the packet buffer.
type Pool struct {
	Name      string // "ingress_lossless_pool"
	Direction Direction
	Dynamic   bool                 // thresholds may be dynamic
	Size      Derived[units.Bytes] // as the chip's configuration counts it: see chips.PoolSize
	Both      bool                 // it accounts queues too, with an ingress pool's Direction: SONiC's type "both"
	Infinite  bool                 // where a file that was read says so: it bounds nothing
	Percent   int64                // of what the switch has left, where a file that was read counts so
	// HeadroomPercent is the headroom pool, counted likewise, and HeadroomRange its place.
	HeadroomPercent int64
	HeadroomRange   diag.Range
	Headroom        Derived[units.Bytes] // headroom pool; zero where PGs own their headroom
	Range           diag.Range           // where a file that was read gives it
}

// A Limit bounds how much shared buffer a PG or queue may take.
type Limit struct {
	Dynamic bool
	Alpha   units.Alpha // when Dynamic: 2^Alpha times the free shared buffer
	Static  units.Bytes // otherwise
}

// NoLimit is a static limit beyond any buffer: the pool alone bounds.
const NoLimit units.Bytes = 1 << 50

func (l Limit) String() string {
	if l.Dynamic {
		return "alpha " + l.Alpha.String()
	}
	if l.Static >= NoLimit {
		return "no limit"
	}
	return l.Static.String()
}

// A Port is one front-panel port.
type Port struct {
	Name  string
	Alias string // label on the box; may be empty
	Index int    // physical port; many boxes begin with 0
	// Numbered is set where Index is known.
	Numbered bool
	Lanes    []int  // serdes lanes; empty where unknown
	Cage     Cage   // zero where the platform is unknown
	FEC      string // "rs", "fc", "none", "auto"; empty: what the device takes
	Speed    units.BitRate
	Cable    units.Length
	Medium   string // "dac", "aoc", "fiber", "copper"; may be empty
	Peer     string // the peer, for descriptions; may be empty
	Group    string // name of the port group
	MTU      units.Bytes
	Routed   bool // whether the port routes; a switched one need not obey its MTU
	QoS      *PortQoS
	Range    diag.Range
	// Server is set where a server of a pair of switches is known to be, by the fabric or by a row of
	// MUX_CABLE: packets that are sent back to the other switch do not leave there.
	Server bool
	// CableRange and MTURange are their places in a file that was read.
	CableRange, MTURange diag.Range
	// NameRange is the place at which a fabric names the port; empty in plans that were read back.
	NameRange diag.Range

	// Gearbox is one passage through the gearboxes or retimers at both ends of the cable.
	Gearbox units.Time
	// Assumed holds the fabric's declarations about the peer and the traffic. Nil where there are
	// none, and in plans that were read back: no file of a switch holds it.
	Assumed *Assumed
	// HeadroomSum is the headroom of the port that SONiC's dynamic model sums up and compares with
	// the device's maximum; without a reason elsewhere, and in plans that were read back.
	HeadroomSum Derived[units.Bytes]
}

// NamedAt returns the place at which the port is named: in its fabric, else the place of the group or the file that it
// is from.
func (p *Port) NamedAt() diag.Range {
	if p.NameRange.Filename == "" {
		return p.Range
	}
	return p.NameRange
}

// A Cage is the position of a port, and the use of that place.
type Cage struct {
	// Port is the name by which SONiC calls the cage: that of its first port.
	Port string
	// Mode is the breakout mode, in the platform's words: "2x400G[200G,100G]".
	Mode string
	// Subport is the port's number in the cage, from 1 on; 0 where it has it for itself.
	Subport int
}

// PortQoS is the settings of ports of one kind.
type PortQoS struct {
	Trust Trust
	// DSCPToTC classifies at the port; nil: by Maps of the switch.
	DSCPToTC *[64]uint8
	// TCToQueue is by which queues packets leave the port; nil: as Maps of the switch say.
	TCToQueue *QueueMap
	PFC       uint8 // bit p is set where PFC is on for priority p
	Watchdog  bool  // watches the queues of these
	// Unwatched are priorities with PFC that the watchdog of the port leaves alone.
	Unwatched uint8
	PGs       []PG    // sorted by ID
	Queues    []Queue // sorted by ID
	// Pools bounds what the whole port may take of a pool, sorted by pool. Chips that
	// know no such bound have none; SONiC on Spectrum needs one for each pool.
	Pools []PortPool
	Rewritten
	// Range is the place in a file that was read which says which priorities have PFC.
	Range diag.Range
}

// Watched returns the priorities that the watchdog of a port watches.
func (q *PortQoS) Watched() uint8 {
	if !q.Watchdog {
		return 0
	}
	return q.PFC &^ q.Unwatched
}

// A Rewrite is the DSCP that packets get when they leave, by traffic class. Packets of
// classes that it does not name keep theirs.
type Rewrite struct {
	TCs  uint8 // bit t: traffic class t is rewritten
	DSCP [8]uint8
}

// Add rewrites one more traffic class.
func (r *Rewrite) Add(tc, dscp uint8) {
	r.TCs |= 1 << (tc & 7)
	r.DSCP[tc&7] = dscp
}

// Of returns the code point with which a packet of a traffic class leaves. r may be nil.
func (r *Rewrite) Of(tc, dscp uint8) uint8 {
	if r == nil || tc > 7 || r.TCs&(1<<tc) == 0 {
		return dscp
	}
	return r.DSCP[tc]
}

// Rewritten is the [Rewrite] of a port with its places.
type Rewritten struct {
	// Rewrite sets the code points of packets that leave by the port. Nil where packets keep their
	// DSCP except for the rules of Switch.Marking.
	Rewrite *Rewrite
	// RewriteRange is where a fabric or a file says so, by traffic class.
	RewriteRange [8]diag.Range
}

// FirstRange returns the first place that says so.
//
//go:noinline
func (w *Rewritten) FirstRange() diag.Range {
	return cmp.Or(w.RewriteRange[:]...)
}

// AddRewrite rewrites one more traffic class, as a line says.
//
//go:noinline
func (w *Rewritten) AddRewrite(tc, dscp uint8, at diag.Range) {
	r := *cmp.Or(w.Rewrite, &Rewrite{})
	r.Add(tc, dscp)
	w.Rewrite, w.RewriteRange[tc&7] = &r, at
}

// A PortPool is the reserve and the limit of a whole port in one pool.
type PortPool struct {
	Pool     string
	Reserved Derived[units.Bytes]
	Limit    Derived[Limit]
}

// Trust says what a port believes of the packets that come in.
type Trust uint8

const (
	TrustDSCP Trust = iota // the DSCP as sent
	TrustNone              // nothing: Switch.Marking decides
)

// A PG is an ingress priority group of a port.
type PG struct {
	ID       uint8
	Pool     string
	Lossless bool
	// Reserved belongs to the PG alone. It is the size of SONiC's profile, which on NVIDIA Spectrum
	// and Trident 2 covers the headroom too where there is no pool of headroom.
	Reserved Derived[units.Bytes]
	Limit    Derived[Limit]
	// Of a lossless PG. XOn is the fill below which the peer may send again, XOnOffset
	// the distance below the threshold, Headroom what may still come in after the pause.
	XOn       Derived[units.Bytes]
	XOnOffset Derived[units.Bytes]
	Headroom  Derived[units.Bytes]
	// MRU is the largest frame that the device computes the headroom for itself, where a file
	// that was read says it or leaves it to a default.
	MRU units.Bytes
	// Override is set where Reserved, XOn and Headroom of a lossless PG are written in
	// the dynamic buffer model too, because the switch would compute others.
	Override bool
	Range    diag.Range // where a file that was read gives it to a port
}

// WithoutHeadroom returns the reserve of a PG that covers its headroom, without that.
func (g *PG) WithoutHeadroom() units.Bytes {
	return g.Reserved.Value - min(g.Reserved.Value, g.Headroom.Value)
}

// A Queue is an egress queue of a port.
type Queue struct {
	ID        uint8
	Pool      string
	Reserved  Derived[units.Bytes]
	Limit     Derived[Limit]
	Scheduler Scheduler
	ECN       *ECN // nil where nothing is marked
	// Curve is a curve by fill, which a file has where its vendor does not publish the amounts in
	// bytes; empty where there is none.
	Curve      Levels
	CurveRange diag.Range // its place
	Trims      bool       // packets without room are cut as Switch.Trim says, not dropped
	Range      diag.Range // where a file that was read gives it to a port
}

// A Trim describes how a switch cuts packets that it would drop.
type Trim struct {
	Size  Derived[units.Bytes] // the size of a trimmed packet
	DSCP  uint8                // of what is left
	TC    uint8                // and its traffic class
	Queue uint8                // by which it leaves
	Range diag.Range
}

// A Scheduler says when a queue may send.
type Scheduler struct {
	Strict  bool
	Weight  Derived[int64]         // DWRR, 1–100; zero when Strict
	MaxRate Derived[units.BitRate] // shaper; zero where there is none
	Range   diag.Range             // where a file that was read gives it
}

// ECN is the marking curve of a queue: nothing below KMin, PMax at KMax, all above.
type ECN struct {
	KMin Derived[units.Bytes]
	KMax Derived[units.Bytes]
	PMax Derived[units.Ratio]
}

// WatchdogAction says how a PFC watchdog handles a queue that is stuck.
type WatchdogAction string

const (
	WatchdogDrop    WatchdogAction = "drop"
	WatchdogForward WatchdogAction = "forward"
	WatchdogAlert   WatchdogAction = "alert"
)

// A Watchdog frees queues that PFC has stopped for too long.
type Watchdog struct {
	Detection   Derived[units.Time]
	Restoration Derived[units.Time]
	Poll        Derived[units.Time]
	Action      WatchdogAction
	Range       diag.Range // where a file that was read gives the action
}

// Marking classifies at the edge of the fabric, where the sender is not believed. The first rule
// that matches wins; packets that match none are rewritten.
type Marking struct {
	Rules   []MarkRule
	Default uint8 // DSCP written into everything else
	// DefaultTC is the traffic class of everything else.
	DefaultTC uint8
	Range     diag.Range
}

// Rewriting returns the rewriting of DSCPs at egress that follows from the rules, where a system
// rewrites by traffic class: each class that packets can be in has the code point of its first rule,
// else its smallest one.
func (m *Marking) Rewriting(maps *Maps) (r Rewrite) {
	for dscp := 63; dscp >= 0; dscp-- {
		r.Add(maps.DSCPToTC[dscp], uint8(dscp))
	}
	for i := len(m.Rules) - 1; i >= 0; i-- {
		r.Add(m.Rules[i].TC, m.Rules[i].DSCP)
	}
	r.Add(m.DefaultTC, m.Default)
	return r
}

// Classes returns the traffic classes that the rules give to code points, whatever their UDP port. m
// may not be nil.
func (m *Marking) Classes() (classes [64]uint8) {
	for dscp := range classes {
		classes[dscp] = m.DefaultTC
	}
	for i := len(m.Rules) - 1; i >= 0; i-- { // the first rule wins
		classes[m.Rules[i].DSCP&63] = m.Rules[i].TC
	}
	return classes
}

// Writes returns the code point that a packet has once the rules have admitted it.
func (m *Marking) Writes(dscp uint8) uint8 {
	if slices.ContainsFunc(m.Rules, func(r MarkRule) bool { return r.DSCP == dscp }) {
		return dscp
	}
	return m.Default
}

// A MarkRule admits traffic into a traffic class.
type MarkRule struct {
	UDPPort uint16 // destination port; 0: any
	DSCP    uint8
	TC      uint8
}

// A Check is one inequality, Left ≤ Right, evaluated.
type Check struct {
	ID    string // formula id of the inequality
	Where string // port group or port, class; may be empty
	Left  *Why
	Right *Why
	Holds bool
	Slack string // Right − Left, in its unit
	Short int64  // Left − Right where it does not hold, in the base unit
	Range diag.Range
}
