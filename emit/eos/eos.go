// Package eos prints a switch's settings as an Arista EOS configuration.
//
// The lines are in the order of a running-config, as Arista's own AVD renders it, so that a diff
// with the device is short. Every line has a shape that some public configuration or Arista's
// schema shows for the platform; the tests hold the list.
//
// # What EOS holds
//
// One buffer profile (`platform trident mmu queue profile`) applies to the whole
// switch: its reserve, headroom and resume offset are the largest of all ports, its
// thresholds must be the same on all. The sizes of pools and the absolute XON
// level are the device's own. A PFC priority, its traffic class and its priority
// group are one number. [Holds] states it all as a function.
//
// # Forms
//
// [Emit] prints a running-config, [EmitSession] a script for the CLI that EOS takes back unless it
// is confirmed, [EmitAVD] input for Arista AVD. All say the same.
//
// # Rounding
//
// Buffer amounts are printed in bytes, which loses nothing. The marking probability
// is rounded down to a whole per cent, but not to 0; a shaper up to 1 kb/s; DWRR
// weights that exceed 100 in sum are scaled to 100 by largest remainder; the
// watchdog's detection and restoration times up to 10 ms, its polling interval down
// to 1 ms. Each rounding that changes a value is a warning.
package eos

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
)

// File is the path of the configuration below the device's folder.
const File = "eos.cfg"

//go:embed eos.tmpl
var text string

// Emit prints the configuration of all switches of one shape. Where the list has
// errors there are no files.
func Emit(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, File, compose, (*view).running)
}

// compose works out what all forms of the output say; nil where the list has errors.
func compose(s *plan.Switch) (*view, diag.List) {
	b := &builder{s: s}
	rules, ok := rulesFor(s.Chip)
	if !ok {
		b.list.Errorf(Platform, s.Range, "EOS runs on no switch with the chip %q that public configurations show", s.Chip).
			Fixf("set os to what the switch runs, or chip to one of %s", strings.Join(chipNames(), ", "))
		return nil, b.list
	}
	b.rules = rules
	v := b.view()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return &v, b.list
}

// config is the template, parsed when the first switch is printed.
var config = sync.OnceValue(func() *template.Template { return template.Must(template.New(File).Parse(text)) })

// running prints the view as a running-config.
func (v *view) running() []byte {
	var out bytes.Buffer
	if err := config().Execute(&out, v); err != nil {
		panic("eos.tmpl: " + err.Error())
	}
	return out.Bytes()
}

// A builder turns a plan into what the template prints, and collects findings.
type builder struct {
	s     *plan.Switch
	rules platform
	list  diag.List
}

// write converts a quantity of the plan for the line of a row, as [emit.Write] does; refused is the code of the error
// where it is out of bounds.
func write[Q format.Quantity](b *builder, id format.ID, refused diag.Code, d plan.Derived[Q], otherwise diag.Range) int64 {
	return emit.Write(format.Voice{List: &b.list, System: "EOS", Rounded: Rounded, Range: refused}, row.Of(id), d, otherwise)
}

// view is the configuration as the template prints it: strings and numbers only.
type view struct {
	Host         string
	Queue        string // keyword of a queue block
	MMU          *mmuView
	Profiles     []*profileView
	Ports        []portView
	Marks        []markView
	DefaultDSCP  uint8
	DefaultTC    uint8
	Marking      bool
	Dynamic      bool
	FlowSetSize  int // 0: what EOS has
	QueueMonitor bool
	Cluster      *clusterView
	DSCPs        []dscpView
	Queues       []queueMapView
	Rewrites     []rewriteView
	QueueNames   []nameView
	ClassNames   []nameView
	Watchdog     *watchdogView
	HeadroomPool int64
}

type nameView struct {
	ID   uint8
	Name string
}

type queueMapView struct{ TC, Queue uint8 }

type rewriteView struct{ TC, DSCP uint8 }

type dscpView struct {
	TC    uint8
	DSCPs []uint8
}

type portView struct {
	Name, Profile string
	MTU           int64 // largest packet in bytes; 0: not printed
	Routed        bool
	Counted       []uint8 // queues that count what they mark
	DCBX          bool
}

func (b *builder) view() view {
	if b.rules.assumed {
		b.list.Warnf(PlatformAssumed, b.s.Range, "EOS on %s: the keyword %q for a queue is assumed, by analogy with other chips of the family", b.s.Chip, b.rules.queue).
			Fixf("compare with `show running-config all` of one switch before rollout")
	}
	b.checkNames()
	b.checkPriorities()
	emit.TrimmingLost(&b.list, TrimmingLost, b.s, "the lines of EOS for it are not public")
	emit.RemappingLost(&b.list, RemappingLost, b.s, "no line of EOS for it is public")
	v := view{Host: emit.Mark, Queue: b.rules.queue, Dynamic: b.dynamic()}
	if e := b.s.EOS; e != nil {
		v.QueueMonitor, v.FlowSetSize = e.QueueMonitor, e.FlowSetSize
		b.checkFlowSetSize(e, v.Dynamic)
		v.Cluster = b.cluster(e.Cluster)
	}
	v.DSCPs, v.Queues = b.maps()
	v.Rewrites = b.rewriting()
	v.QueueNames, v.ClassNames = b.names()
	v.Watchdog = b.watchdog()
	v.MMU, v.HeadroomPool = b.buffers()
	v.Profiles, v.Ports = b.ports()
	if m := b.s.Marking; m != nil {
		v.Marking, v.DefaultDSCP, v.DefaultTC = true, m.Default, m.DefaultTC
		v.Marks = marks(m)
	}
	return v
}

var (
	hostName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$`) })
	portName  = regexp.MustCompile(`^Ethernet[0-9]{1,4}(/[0-9]{1,4}){0,2}$`)
	classWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,62}$`) })
)

// checkNames refuses what would not stay one word of a line.
func (b *builder) checkNames() {
	for _, n := range b.s.Names {
		if !hostName().MatchString(n) {
			b.list.Errorf(Name, b.s.Range, "%q is not a host name that EOS takes", n).
				Fixf("use letters, digits, dots and dashes, at most 64")
		}
	}
	for _, p := range b.s.Ports {
		if !portName.MatchString(p.Name) {
			b.list.Errorf(Name, p.NamedAt(), "%q is not an interface of EOS", p.Name).
				Fixf("name ports like Ethernet1, Ethernet1/1 or Ethernet3/1/1")
		}
	}
	for _, c := range b.s.Classes {
		if !classWord().MatchString(c.Name) {
			b.list.Errorf(Name, c.Range, "%q is not a name that EOS takes for a traffic class", c.Name).
				Fixf("use letters, digits, dashes and underscores, a letter first")
		}
	}
}

// dynamic reports whether flowlets are balanced by load. An unsupported method is a warning: flows
// are hashed over equal paths then, and nothing lossless depends on it.
func (b *builder) dynamic() bool {
	switch b.s.LoadBalancing {
	case "", "ecmp":
		return false
	case "flowlet":
		if b.rules.dynamic {
			return true
		}
	}
	b.list.Warnf(LoadBalancing, b.s.LoadBalancingAt, "EOS on %s has no line for %s load balancing; the switch hashes flows over equal paths (ecmp)", b.s.Chip, b.s.LoadBalancing).
		Fixf(`set load_balancing to "ecmp"%s, or configure it outside this file`, map[bool]string{true: ` or "flowlet"`}[b.rules.dynamic])
	return false
}

// checkFlowSetSize reports a size of flowlets that the switch cannot use: it is in a line that only
// flowlets have.
func (b *builder) checkFlowSetSize(e *plan.EOS, dynamic bool) {
	if e.FlowSetSize > 0 && !dynamic {
		b.list.Warnf(LoadBalancing, e.Range, "flow_set_size applies to flowlets only, and this switch does not balance load by flowlets: it is left out").
			Fixf(`set load_balancing = "flowlet" in the fabric, or remove flow_set_size`)
	}
}

// maps returns the classification: code points by traffic class, and the queue of
// each class but 7, which EOS ties to queue 7.
func (b *builder) maps() (dscps []dscpView, queues []queueMapView) {
	m := &b.s.Maps
	for tc := range uint8(8) {
		if of := m.DSCPsOf(tc); of != nil {
			dscps = append(dscps, dscpView{tc, of})
		}
		if tc < 7 {
			queues = append(queues, queueMapView{tc, m.TCToQueue[tc]})
		}
	}
	if m.DSCPsOf(7) != nil && m.TCToQueue[7] != 7 {
		b.list.Errorf(QueueSeven, b.s.ClassAt(7), "traffic class 7 goes to queue %d, but EOS ties it to queue 7", m.TCToQueue[7]).
			Fixf("give the class another traffic class, or queue 7")
	}
	return dscps, queues
}

// rewriting returns the code points with which the classes leave. EOS has one map for all classes and ports, and its
// default is not published, so that the map has a line for each class with code points.
func (b *builder) rewriting() (all []rewriteView) {
	rewritings := emit.Rewritings(b.s)
	if rewritings == nil {
		return nil
	}
	r := rewritings[0]
	complete, why := emit.Completed(b.s, r)
	if why != "" {
		why = "`qos rewrite dscp` is of all traffic classes, and " + why
	}
	entries := complete.Entries()
	for i, tc := range entries.From {
		all = append(all, rewriteView{tc, entries.To[i]})
	}
	for i := range b.s.Ports {
		if q := b.s.Ports[i].QoS; q != nil && (q.Rewrite == nil || *q.Rewrite != r) {
			why = "`qos rewrite dscp` is of all ports"
		}
	}
	if b.s.Marking != nil {
		why = "with marking rules they alone decide what packets leave with"
	}
	if why != "" {
		emit.RewritingLost(&b.list, RewritingLost, b.s, why)
		return nil
	}
	return all
}

// names returns the names of queues and classes. OpenConfig on EOS knows both by name
// alone, so they are the names that the OpenConfig target uses.
func (b *builder) names() (queues, classes []nameView) {
	for id := range uint8(8) {
		if slices.ContainsFunc(b.s.Classes, func(c plan.Class) bool { return b.s.Maps.TCToQueue[c.TrafficClass] == id }) {
			queues = append(queues, nameView{id, b.s.QueueName(id)})
		}
		if c := b.s.Class(id); c != nil {
			classes = append(classes, nameView{id, c.Name})
		}
	}
	return queues, classes
}

// checkPriorities demands that each lossless class has one number on all counts.
func (b *builder) checkPriorities() {
	m, lossless := &b.s.Maps, b.s.Paused()
	for p := range uint8(8) {
		if lossless&(1<<p) == 0 {
			continue
		}
		at := b.s.ClassAt(p)
		if m.TCToPG[p] != p || m.PFCToPG[p] != p {
			b.list.Errorf(Priority, at, "priority %d is lossless, its traffic class is in priority group %d, and its pauses act on group %d: EOS has one number for all three",
				p, m.TCToPG[p], m.PFCToPG[p]).Fixf("give the class the same traffic class, priority group and pfc")
		}
		if m.PFCToQueue[p] != m.TCToQueue[p] {
			b.list.Errorf(Priority, at, "priority %d pauses queue %d, but traffic class %d is sent from queue %d", p, m.PFCToQueue[p], p, m.TCToQueue[p]).
				Fixf("let priority and traffic class name the same queue")
		}
		for tc, pg := range m.TCToPG {
			if pg == p && uint8(tc) != p {
				b.list.Errorf(Priority, b.s.ClassAt(uint8(tc)), "traffic class %d shares the lossless priority group %d, which EOS gives to traffic class %d alone", tc, p, p).
					Fixf("give the class a priority group of its own")
			}
		}
	}
}

// kinds returns one port of each kind: ports of a kind share their QoS, so a fault of one is
// reported once.
func (b *builder) kinds() (out []*plan.Port) {
	seen := map[*plan.PortQoS]bool{nil: true}
	for i := range b.s.Ports {
		if p := &b.s.Ports[i]; !seen[p.QoS] {
			seen[p.QoS] = true
			out = append(out, p)
		}
	}
	return out
}
