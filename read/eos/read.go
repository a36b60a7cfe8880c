// Package eos reads an Arista EOS running-config, ours or anybody's, into a
// [plan.Switch]: classification, queues, PFC, ECN, the watchdog, buffer profiles, speeds
// and which interface uses what.
//
// Every other line is in the ledger: neutral by a rule of the table in neutral_lines.go, or not
// modelled, with the ports and queues that it can touch. A line is entered as not modelled unless
// the parser that took it says otherwise, so unknown lines are named. So are lines that remove
// others, "no" and "default".
//
// Such a file does not have the chip, the sizes of pools, speeds and cables. emit/eos.Holds lists
// the values that come back from our own files. Where a line is left out, the default of EOS holds:
// the DSCP map 0-7→1, 8-15→0, 16-23→2 and so on, queues that are strict, ports that are switched;
// routed ports trust the DSCP, switched ones the CoS, which the plan does not hold. An amount of
// buffer without a line has no Why: it is the device's own, not 0.
package eos

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// Bounds on a file. A running-config of a full chassis has some 5 MB, 5,000 interfaces
// and 10,000 entries of access lists.
const (
	maxSize     = 32 << 20 // bytes
	maxObjects  = 200_000  // interfaces, profiles, lists, entries, …
	maxFindings = 1000

	maxStatements = 300_000
)

// readAll reads a file, with a table of what is skipped.
func readAll(name string, src []byte, cell units.Bytes, t cli.Table) read.Result {
	r := newReader(name, cell, t)
	if len(src) > maxSize {
		at := diag.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		r.Found.Errorf(TooLarge, at, "the file has %d bytes; more than %d are not read", len(src), maxSize).Fixf("give roceplan the running-config of one switch at a time")
		r.ledger = []read.Statement{{At: at, Why: "the file is not read"}}
		return read.Result{Switch: r.plan(), Found: r.Found, Ledger: read.Ledger{Statements: r.ledger}}
	}
	r.lines(string(src))
	r.inherit()
	sw := r.plan()
	return read.Result{Switch: sw, Found: r.Found.Sorted(), Ledger: read.Ledger{Statements: r.ledger, Ways: r.ways, Ends: r.ends, Policies: r.routes}}
}

// A reader collects what the lines say.
type reader struct {
	file string
	cell units.Bytes
	cli.Findings

	table    cli.Table
	ledger   []read.Statement
	ways     []read.Way
	routes   read.Policies
	ends     []read.Way
	owners   []owned
	disputes []dispute

	objects  int
	inRanges int // lines that ports got by ranges

	host, model string
	dscps       [64]uint8
	dscpAt      [8]diag.Range // where code points of a class are mapped
	places      plan.MapPlaces
	queueOf     [8]uint8
	names       [8]string
	nameAt      [8]diag.Range
	rewriting   rewriting
	dynamic     bool
	dynamicAt   diag.Range
	watchdog    watchdog
	allOff      bool // PFC, on all ports
	allOffAt    diag.Range
	defaultMTU  amount // of ports that say none
	routed      bool   // ports that do not say whether they are

	profiles   map[string]*port // qos profiles
	channels   map[string]*port // port channels, by number
	elsewhere  []string         // policies and profiles that interfaces without queues use
	interfaces []*port
	byName     map[string]*port
	templates  map[string]*template // interface profiles

	mmus         map[string]*mmu
	applied      string
	appliedAt    diag.Range
	headroomPool amount

	lists    map[string]*accessList // by family and name
	classes  map[string]*classMap
	policies map[string]*policyMap
}

func newReader(name string, cell units.Bytes, t cli.Table) *reader {
	r := &reader{
		file: name, cell: cell, table: t, channels: map[string]*port{},
		profiles: map[string]*port{}, templates: map[string]*template{}, byName: map[string]*port{}, mmus: map[string]*mmu{},
		lists: map[string]*accessList{}, classes: map[string]*classMap{}, policies: map[string]*policyMap{},
	}
	for d := range r.dscps {
		r.dscps[d] = defaultClass(uint8(d))
	}
	for tc := range r.queueOf {
		r.queueOf[tc] = uint8(tc)
	}
	return r
}

// A rewriting is the code points with which traffic classes leave, and the entries of the ledger that say so.
type rewriting struct {
	on    bool
	by    int
	dscp  plan.Rewrite
	lines [8]int
	at    diag.Range
}

// An amount is a number of bytes that a line gives; the zero amount is not given.
type amount struct {
	bytes units.Bytes
	given bool
	at    diag.Range
}

// derived returns the amount as a plan holds it.
func (a amount) derived(name string) plan.Derived[units.Bytes] {
	if !a.given {
		return plan.Derived[units.Bytes]{}
	}
	return read.From(a.bytes, name, a.at)
}

// A limit is a dynamic threshold that a line gives.
type limit struct {
	alpha units.Alpha
	given bool
	at    diag.Range
}

func (l limit) derived(name string) plan.Derived[plan.Limit] {
	if !l.given {
		return plan.Derived[plan.Limit]{}
	}
	return read.From(plan.Limit{Dynamic: true, Alpha: l.alpha}, name, l.at)
}

// share is the buffer of one priority group or queue.
type share struct {
	reserved  amount
	threshold limit
}

// An mmu is one buffer profile.
type mmu struct {
	at               diag.Range
	ingress          share // of groups that say nothing themselves
	headroom, resume amount
	groups, queues   [8]*share
}

// A port is a qos profile, an interface or a port channel: all take the same lines.
type port struct {
	name  string
	at    diag.Range
	entry int // of the ledger, of the line that opens an interface

	*taken           // nil: it has no line
	profile   string // not in a profile
	profileAt diag.Range
	channel   string // number of the port channel that the interface is a member of
	mtu       amount
	speed     units.BitRate
	fec       string
	routed    *bool
	shut      bool

	trust       *trust
	policy      string
	policyAt    diag.Range
	policyEntry int
	fallback    int // entry of a line that classifies packets without a trusted value
	pfc         *bool
	noDrop      [8]*bool
	pfcAt       diag.Range // the last line that says it
	watchdog    *bool
	watchdogAt  diag.Range
	queues      [8]*queue
}

// A queue is one tx-queue block.
type queue struct {
	at         diag.Range
	strict     *bool
	strictLine diag.Range
	weight     int64
	weightAt   diag.Range
	rate       units.BitRate
	rateAt     diag.Range
	ecn        *plan.ECN
	guaranteed *bool
}

type watchdog struct {
	timeout, recovery, polling duration
	action, override           plan.WatchdogAction
	at                         diag.Range // of the action
}

type duration struct {
	time  units.Time
	given bool
	at    diag.Range
}

func (d duration) derived(name string) plan.Derived[units.Time] {
	if !d.given {
		return plan.Derived[units.Time]{}
	}
	return read.From(d.time, name, d.at)
}

// An accessList holds the entries that can form a rule of the edge.
type accessList struct {
	at      diag.Range
	entries []entry
	numbers map[string]int // place of an entry
}

type entry struct {
	number string
	port   uint16
	dscps  []uint8 // nil: any
	known  bool
	gone   bool // taken back
	at     diag.Range
}

type classMap struct {
	at    diag.Range
	list  string // key of the access list; empty where it matches a DSCP
	dscps []uint8
}

type policyMap struct {
	at      diag.Range
	classes []*policyClass
	byName  map[string]*policyClass
}

type policyClass struct {
	name string
	at   diag.Range
	gone bool // taken back
	tc   *uint8
	dscp *uint8
}
