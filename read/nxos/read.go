// Package nxos reads a running-config of Cisco NX-OS on Nexus 9000 into a [plan.Switch]:
// the qos-group of each DSCP, which groups are paused, queues with their shares and
// marking curves, PFC and its watchdog, and which interface uses what.
//
// A qos-group is at once traffic class, egress queue and priority group: c-out-8q-q3 is
// the queue of qos-group 3, and `pause pfc-cos 3` in class c-8q-nq3 pauses it by priority 3.
//
// Every other line is in the ledger: neutral by a rule of the table in neutral.go, or not
// modelled, with the ports and queues that it can touch. Without a queuing policy of type
// input the buffer, the threshold and the headroom of a paused class are the switch's own.
// Cisco publishes neither them nor the sizes of its chips' cells, so no verdict rests on
// such a file: the amounts are absent, not 0.
//
// Nothing writes NX-OS here: most of what a plan holds has no command with public
// evidence.
package nxos

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// Bounds on a file. A running-config of a chassis has some 5 MB and 1,000 interfaces.
const (
	maxSize       = 32 << 20 // bytes
	maxObjects    = 20_000   // interfaces, classes and policies
	maxFindings   = 1000
	maxStatements = 300_000
	maxRange      = 1024 // interfaces in one line
)

func readAll(name string, src []byte, table cli.Table) read.Result {
	r := &reader{
		file: name, table: table, byName: map[string]*port{}, channels: map[string]*port{},
		classes: map[string]*classMap{}, policies: map[policyKey]*policy{}, profiles: map[string]*profile{},
	}
	if len(src) > maxSize {
		at := diag.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		r.Found.Errorf(TooLarge, at, "the file has %d bytes; more than %d are not read", len(src), maxSize).Fixf("give roceplan the running-config of one switch at a time")
		r.ledger = []read.Statement{{At: at, Why: "the file is not read"}}
	} else {
		r.lines(string(src))
	}
	sw := r.assemble()
	return read.Result{Switch: sw, Found: r.Found.Sorted(), Ledger: read.Ledger{Statements: r.ledger, Ways: r.ways, Ends: r.ends, Policies: r.routes}}
}

// A reader collects what the lines say.
type reader struct {
	file  string
	table cli.Table
	cli.Findings

	ledger  []read.Statement
	ways    []read.Way
	routes  read.Policies
	ends    []read.Way
	owners  []*owner // of the statements, nil where the whole switch obeys one
	objects int

	host     string
	classes  map[string]*classMap
	policies map[policyKey]*policy
	profiles map[string]*profile
	system   policyUses
	watched  flag // the watchdog of the switch
	restore  plan.Derived[units.Time]

	interfaces []*port
	byName     map[string]*port
	channels   map[string]*port
}

// An owner is a part of the configuration that lines belong to; who obeys it is known when
// the whole file is read.
type owner struct {
	ports []string // names, sorted
	whole bool     // the switch
}

// A flag is something that a line turns on or off.
type flag struct {
	on bool
	at diag.Range
}

// A use is a line that applies a policy.
type use struct {
	name  string // empty: none is applied
	at    diag.Range
	entry int
}

// policyUses are the policies that a switch or a port applies.
type policyUses struct {
	network, qos, in, out use
}

// A port is an interface or a port channel.
type port struct {
	name    string
	at      diag.Range
	entry   int // of the line that opens it
	owner   *owner
	shut    bool
	routed  *bool
	channel string // that it is a member of
	mtu     plan.Derived[units.Bytes]
	speed   units.BitRate
	fec     string
	mode    pfcMode
	modeAt  diag.Range
	modeRow int // entry of the line
	watched flag
	policyUses
	inherits, own []lineAt // profiles, and lines that win over them
}

// pfcMode is `priority-flow-control mode`.
type pfcMode uint8

const (
	pfcAuto pfcMode = iota // what holds without a line: DCBX decides
	pfcOn
	pfcOff
)

// A classMap is one of type qos: what classes packets.
type classMap struct {
	name    string
	at      diag.Range
	owner   *owner
	all     bool    // match-all
	matches []match // of its lines
}

type match struct {
	dscps uint64 // as bits
	cos   bool   // it matches something else than a DSCP
}

type policyKey struct{ kind, name string }

// A policy is a policy-map; kind is "qos", "network-qos" or "queuing".
type policy struct {
	policyKey
	at      diag.Range
	owner   *owner
	classes []*policyClass
	// replaced ends a finding on a policy that NX-OS has by itself.
	replaced string
}

// A policyClass is what a policy does with one class.
type policyClass struct {
	name string
	at   diag.Range
	row  int // entry of the line that opens it

	group *uint8 // qos-group that packets get
	// of network-qos
	pause   uint8 // PFC priorities, as bits
	paused  bool
	pauseAt diag.Range
	mtu     units.Bytes
	mtuRow  int
	// of queuing
	queue       uint8
	input       bool
	weight      plan.Derived[int64]
	weightGiven bool
	strict      bool
	rate        plan.Derived[units.BitRate] // of its shaper; zero: it has none
	ecn         *plan.ECN
	buffer      *buffer
}

// A buffer is `pause buffer-size B pause-threshold X resume-threshold R`, in bytes.
type buffer struct {
	size, pause, resume units.Bytes
	at                  diag.Range
}
