// Package junos reads the configuration of a QFX switch with Junos Evolved: the text in
// braces of `show configuration`, or its set commands, ours or anybody's, as a
// [plan.Switch].
//
// The headroom of a port is not configured in bytes. Junos computes it from the length of the cable
// and the largest frame, by a rule that Juniper does not publish; so the plan that is read has the
// cable and no headroom, with no reason given. Pools are whole per cents of a shared buffer whose
// size is not in the file: they are bytes where the chip is known: see [Complete].
//
// A traffic class of the plan is a forwarding class, and has the number of its queue.
package junos

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Read reads a file; name is what ranges call it. The switch is never nil.
func Read(name string, src []byte, o read.Options) read.Result {
	r := &reader{file: name, cell: o.Cell}
	r.begin()
	r.statements = parse(name, src, &r.found)
	for _, s := range r.statements {
		r.take(s)
	}
	r.unitsClassified()
	r.groupsUnbound()
	r.assemble()
	r.sw.Range = hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
	return read.Result{Switch: r.sw, Found: r.found.Sorted(), Ledger: r.ledger(), Assumed: r.assumed}
}

type reader struct {
	file       string
	cell       units.Bytes
	found      diag.List
	statements []*statement
	sw         *plan.Switch

	names       []string
	classes     []*forwardingClass // in the order of the file
	multicast   map[string]bool    // names of classes of multicast queues
	classic     bool               // Junos, not Junos Evolved: by the version, classifiers of whole ports, or a partition for multicast
	classifiers map[string]*classifier
	groups      map[string]word // scheduler maps of traffic control profiles
	groupRates  []*cursor       // statements of traffic control profiles that are not modelled
	groupBound  map[string]bool // traffic control profiles of interfaces
	rewrites    map[string]*rewrite
	levels      map[string]map[string]bool // loss priorities by forwarding class, as classifiers give them
	congestion  map[string]*congestion
	schedulers  map[string]*scheduler
	maps        map[string]*schedulerMap
	drops       map[string]*dropProfile
	partitions  [2]partitions // by direction, then by name
	bindings    []*binding    // of class-of-service interfaces, in order
	ports       map[string]*port
	portOrder   []string
	filters     map[string]bool // bound to a port that carries traffic
	balancing   string
	assumed     []read.Assumption
}

func (r *reader) begin() {
	r.groups, r.groupBound = map[string]word{}, map[string]bool{}
	r.levels = map[string]map[string]bool{}
	r.classifiers, r.rewrites, r.congestion = map[string]*classifier{}, map[string]*rewrite{}, map[string]*congestion{}
	r.schedulers, r.maps, r.drops = map[string]*scheduler{}, map[string]*schedulerMap{}, map[string]*dropProfile{}
	r.partitions = [2]partitions{{}, {}}
	r.ports, r.filters, r.multicast = map[string]*port{}, map[string]bool{}, map[string]bool{}
	r.sw = &plan.Switch{OS: "junos"}
	if r.cell == 0 {
		r.cell = row.Cell
	}
}

// A cursor goes through the words of a statement.
type cursor struct {
	r *reader
	s *statement
	i int
}

// next returns the next word; an empty one where the statement is over.
func (c *cursor) next() word {
	if c.i < len(c.s.words) {
		c.i++
		return c.s.words[c.i-1]
	}
	return word{at: c.s.at}
}

// peek returns the text of the next word.
func (c *cursor) peek() string {
	if c.i < len(c.s.words) {
		return c.s.words[c.i].text
	}
	return ""
}

// is goes past words if they are the next ones.
func (c *cursor) is(words ...string) bool {
	for k, w := range words {
		if c.i+k >= len(c.s.words) || c.s.words[c.i+k].text != w {
			return false
		}
	}
	c.i += len(words)
	return true
}

func (c *cursor) over() bool { return c.i >= len(c.s.words) }

// modelled notes that the plan holds what the statement says, or that a finding says why
// not.
func (c *cursor) modelled() { c.s.entry.Sort, c.s.entry.Why = read.Modelled, "" }

// touches bounds what a statement that is not modelled may change, and says what it does.
func (c *cursor) touches(scope read.Scope, why string) {
	c.s.entry.Touches, c.s.entry.Why = scope, why
}

// leaf reads the number of a row, in its own unit.
func (c *cursor) leaf(id format.ID) (n int64, at diag.Range, ok bool) {
	return c.number(row.Of(id).Bounds())
}

// number reads a whole number in a range; ok is false where there is none.
func (c *cursor) number(low, high int64) (n int64, at diag.Range, ok bool) {
	w := c.next()
	n, err := strconv.ParseInt(w.text, 10, 64)
	if err != nil || n < low || n > high {
		c.r.found.Errorf(Number, w.at, "%q is not a whole number from %d to %d", clip(w.text), low, high).Fixf("write a whole number from %d to %d", low, high)
		c.modelled()
		return 0, w.at, false
	}
	return n, w.at, true
}

func why(name string, at diag.Range) *plan.Why {
	return &plan.Why{Kind: plan.ReadBack, Name: name, Range: at}
}

func of[T any](v T, name string, at diag.Range) plan.Derived[T] { return plan.Of(v, why(name, at)) }

// take looks at one statement.
func (r *reader) take(s *statement) {
	c := &cursor{r: r, s: s}
	if s.entry.Rule == ruleGroup {
		return
	}
	if s.verb == "replace:" {
		return
	}
	if s.verb == "protect" {
		s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, ruleProtected, ""
		return
	}
	if s.inactive || s.verb == "deactivate" || slices.ContainsFunc(s.words, func(w word) bool { return w.text == "inactive:" }) {
		s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, ruleInactive, ""
		return
	}
	switch {
	case c.is("class-of-service"):
		r.classOfService(c)
	case c.is("interfaces"):
		r.physical(c)
	case c.is("system", "host-name"):
		if w := c.next(); w.text != "" {
			r.names = []string{w.text}
		}
		c.modelled()
	case c.is("forwarding-options", "enhanced-hash-key", "ecmp-dlb"):
		r.balance(c)
	case c.is("chassis", "fpc"):
		r.cage(c)
	case c.is("version"): // that of Junos Evolved ends with -EVO
		release := c.next().text
		r.classic = r.classic || release != "" && !strings.Contains(release, "EVO")
		r.neutral(s)
	default:
		r.neutral(s)
	}
}

// cage reads `chassis fpc F pic P port N speed 100g`.
func (r *reader) cage(c *cursor) {
	fpc := c.next()
	if !c.is("pic") {
		r.neutral(c.s)
		return
	}
	pic := c.next()
	if !c.is("port") {
		return
	}
	number := c.next()
	if !c.is("speed") {
		return
	}
	p := r.port("et-" + fpc.text + "/" + pic.text + "/" + number.text)
	r.speed(c, p)
}

func (r *reader) classOfService(c *cursor) {
	switch w := c.next(); w.text {
	case "classifiers":
		r.classifier(c)
	case "forwarding-classes":
		r.forwardingClass(c)
	case "congestion-notification-profile":
		r.congestionProfile(c)
	case "drop-profiles":
		r.dropProfile(c)
	case "schedulers":
		r.scheduler(c)
	case "traffic-control-profiles":
		r.groupProfile(c)
	case "forwarding-class-sets":
		c.modelled() // the scheduler map has the classes of a group too
	case "scheduler-maps":
		r.schedulerMap(c)
	case "shared-buffer":
		r.sharedBuffer(c)
	case "rewrite-rules":
		r.rewrite(c)
	case "interfaces":
		r.binding(c)
	case "dedicated-buffer":
		r.dedicatedBuffer(c)
	case "dedicated-buffer-profile":
		c.touches(read.Scope{}, "it moves buffer between ports, by an amount that Juniper does not publish")
	default:
		c.touches(read.Scope{}, "a part of class-of-service that is not known here")
	}
}

// balance reads dynamic load balancing.
func (r *reader) balance(c *cursor) {
	switch way := c.next().text; {
	case way == "flowlet" && (c.over() || c.is("inactivity-interval")):
		r.balancing = "flowlet"
	case way == "flowlet" && (c.is("flowset-table-size") || c.is("reassignment")):
		r.balancing = "flowlet"
		r.neutral(c.s)
		return
	case way == "per-packet" && c.over():
		r.balancing = "adaptive"
	case way == "ether-type" || way == "sampling-rate" || way == "egress-quantization":
		r.neutral(c.s)
		return
	default:
		c.touches(read.Scope{}, "a way of balancing load that is not known here")
		return
	}
	c.modelled()
}

// ledger gathers what was made of each statement.
func (r *reader) ledger() (l read.Ledger) {
	ended := r.endings()
	for _, s := range r.statements {
		l.Statements = append(l.Statements, s.entry)
		s.lead(&l, ended)
	}
	r.families(&l)
	return l
}

// port returns what is known of a physical port, which is there from its first mention.
func (r *reader) port(name string) *port {
	p := r.ports[name]
	if p == nil {
		p = &port{name: name}
		r.ports[name] = p
		r.portOrder = append(r.portOrder, name)
	}
	return p
}

// carries reports whether an interface is one that servers and switches are connected to.
func carries(name string) bool {
	return strings.HasPrefix(name, "et-") || strings.HasPrefix(name, "xe-") || strings.HasPrefix(name, "ge-")
}

func sortPorts(ports []plan.Port) {
	stable.Sort(ports, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
}
