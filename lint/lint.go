// Package lint judges the settings of a switch, whatever vendor's file they are from: those that
// contradict each other, that lose packets of a class that should lose none, or that are known to
// hurt a RoCE fabric. It looks at one switch ([Switch]), at both ends of every link ([Links],
// [Hosts]), and at what the fabric file says ([Agree]).
//
// A rule is a function that is named after its code, in the file of its subject, and a page
// docs/lint/CODE.md. Rules judge what a file says; whether the numbers are large enough
// is for the model to prove.
package lint

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Switch returns what is wrong with a switch by itself, in the order of its file. chip may
// be nil: rules that need it are then left out.
func Switch(sw *plan.Switch, chip *chips.Chip) diag.List {
	s := &subject{sw: sw, chip: chip, kinds: kindsOf(sw)}
	for _, judge := range rules() {
		judge(s)
	}
	return once(s.found)
}

// rules returns all rules for one switch.
func rules() []func(*subject) {
	return []func(*subject){
		alphaNotOnChip, alphaTooSmall, bufferModelNotOnChip, cableUnknown, classUnpaused, cnpBufferWide, cnpCapWide, cnpInLossless, cnpPriority, cnpQueueNotStrict, cnpUnreserved, defaultLossless,
		ecnMissing, fecMissing, groupUneven, headroomAbovePool, headroomBelowFrame, headroomMissing, headroomNotMonotone, headroomPoolMissing, headroomUneven, kmaxAboveLimit,
		kminAboveKmax, kminBelowFrame, kminEarly, losslessCapped, losslessQueueLimit, losslessShareSmall, losslessStrict, losslessWithoutPFC,
		lossyInLosslessQueue, mtuUneven, pfcOffOnPort, pfcQueueMismatch, pfcWithoutLossless, pgUnused, pmaxZero, poolAboveChip, portOdd, portUnscheduled,
		queueMissing, queueUnreached, resumeAtOnce, resumeLate, resumeTooLow, rewriteLeavesLossless, speedNotOnChip, strictNoCap, thresholdMissing, thresholdMode, trustMissing, watchdogBelowPause,
		watchdogHasty, watchdogMissing, watchdogPassive, watchdogPoll, watchdogSlow, weightZero,
	}
}

// A subject is a switch under examination.
type subject struct {
	sw    *plan.Switch
	chip  *chips.Chip
	kinds []kind
	found diag.List

	lossless map[uint8]bool // traffic classes; nil until they are asked for
}

// A kind is ports with the same settings.
type kind struct {
	qos   *plan.PortQoS
	ports []*plan.Port
}

func kindsOf(sw *plan.Switch) []kind {
	var kinds []kind
	at := map[*plan.PortQoS]int{}
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil {
			continue
		}
		k, ok := at[port.QoS]
		if !ok {
			k = len(kinds)
			at[port.QoS] = k
			kinds = append(kinds, kind{qos: port.QoS})
		}
		kinds[k].ports = append(kinds[k].ports, port)
	}
	return kinds
}

// groups visits what each kind of port has for each priority group. Inlined into each rule, it
// would make the program larger.
//
//go:noinline
func (s *subject) groups(yield func(kind, *plan.PG) bool) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			if !yield(k, &k.qos.PGs[i]) {
				return
			}
		}
	}
}

// queues visits what each kind of port has for each queue.
//
//go:noinline
func (s *subject) queues(yield func(kind, *plan.Queue) bool) {
	for _, k := range s.kinds {
		for i := range k.qos.Queues {
			if !yield(k, &k.qos.Queues[i]) {
				return
			}
		}
	}
}

// eachMap calls a function for kinds of port, once it reports true for no more of those that have
// the same map from classes to queues.
func (s *subject) eachMap(found func(kind) bool) {
	done := map[*plan.QueueMap]bool{}
	for _, k := range s.kinds {
		if !done[k.qos.TCToQueue] {
			done[k.qos.TCToQueue] = found(k)
		}
	}
}

// String names the ports: "Ethernet0 and 31 more ports".
func (k kind) String() string {
	switch more := len(k.ports) - 1; more {
	case 0:
		return k.ports[0].Name
	case 1:
		return k.ports[0].Name + " and " + k.ports[1].Name
	default:
		return fmt.Sprintf("%s and %d more ports", k.ports[0].Name, more)
	}
}

// count counts the ports for which a condition holds, and all.
func (s *subject) count(holds func(kind) bool) (with, all int) {
	for _, k := range s.kinds {
		all += len(k.ports)
		if holds(k) {
			with += len(k.ports)
		}
	}
	return with, all
}

// verb returns the form of a verb that fits the ports: has for one, have for several.
func (k kind) verb(one, several string) string {
	if len(k.ports) == 1 {
		return one
	}
	return several
}

// pfcAt returns the place of the ports' PFC, the port itself where the file has none.
func (k kind) pfcAt() diag.Range { return first(k.qos.Range, k.ports[0].Range) }

// at returns the place of a value, the first of the fallbacks where it has none.
//
//go:noinline
func at[T any](v plan.Derived[T], fallbacks ...diag.Range) diag.Range {
	if v.Why != nil && v.Why.Range.Filename != "" {
		return v.Why.Range
	}
	return first(fallbacks...)
}

// first returns the first range that is a place.
//
//go:noinline
func first(ranges ...diag.Range) diag.Range {
	for _, r := range ranges {
		if r.Filename != "" {
			return r
		}
	}
	return diag.Range{}
}

// once keeps the first finding of each code at each place, and names in it what the others are
// about: profiles are shared by ports.
func once(found diag.List) diag.List {
	type key struct {
		code diag.Code
		at   diag.Range
		verb string
	}
	seen := map[key]int{}
	others := map[int][]string{}
	var kept diag.List
	for _, d := range found.Sorted() {
		k := key{d.Code, d.Subject, verbOf(d.Message)}
		if i, again := seen[k]; again && d.Subject.Filename != "" {
			others[i] = append(others[i], other(kept[i].Message, d.Message))
			continue
		}
		seen[k] = len(kept)
		kept = append(kept, d)
	}
	for i, all := range others {
		kept[i].Message += "; the same with " + strings.Join(all[:min(few, len(all))], ", ")
		if more := len(all) - few; more > 0 {
			kept[i].Message += fmt.Sprintf(" and %d more", more)
		}
	}
	return kept
}

// verbOf returns the verb of a message, for one port or several: messages of one code that say different things differ in it.
func verbOf(message string) string {
	for _, w := range strings.Fields(message) {
		switch w {
		case "has", "have":
			return "has"
		case "is", "are":
			return "is"
		case "resumes", "resume":
			return "resumes"
		}
	}
	return ""
}

// few is the number of other kinds of ports that a finding names.
const few = 3

// other returns the words of a message that differ from those of the first.
func other(first, message string) string {
	a, b := strings.Fields(first), strings.Fields(message)
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 1 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) != len(b) {
		a = make([]string, len(b))
	}
	var parts []string
	for i := 0; i < len(b); i++ {
		begins := i
		for i < len(b) && a[i] != b[i] {
			i++
		}
		if part := strings.TrimRight(strings.Join(b[begins:i], " "), ",:"); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " and ")
}

// pauses returns the PFC priorities of the ports that pause a PG.
func (s *subject) pauses(k kind, pg uint8) (priorities []uint8) {
	for p := range uint8(8) {
		if k.qos.PFC&(1<<p) != 0 && s.sw.Maps.PFCToPG[p] == pg {
			priorities = append(priorities, p)
		}
	}
	return priorities
}

// losslessClasses returns the classes with packets that some port pauses.
func (s *subject) losslessClasses() (classes []plan.Class) {
	for _, c := range s.sw.Classes {
		if slices.ContainsFunc(s.kinds, func(k kind) bool { return s.carries(k, c) }) {
			classes = append(classes, c)
		}
	}
	return classes
}

// rdmaClasses returns the classes that RDMA travels in: the lossless ones, and where a format
// has no PFC, those whose queues mark.
func (s *subject) rdmaClasses() (classes []plan.Class) {
	for _, c := range s.sw.Classes {
		if slices.ContainsFunc(s.kinds, func(k kind) bool { return s.rdma(k, c) }) {
			classes = append(classes, c)
		}
	}
	return classes
}

// leaving visits the queue from which a class leaves each kind of port, where a condition holds.
func (s *subject) leaving(c plan.Class, holds func(kind, *plan.Queue) bool) iter.Seq2[kind, *plan.Queue] {
	return func(yield func(kind, *plan.Queue) bool) {
		for _, k := range s.kinds {
			if q := k.queue(c); q != nil && holds(k, q) && !yield(k, q) {
				return
			}
		}
	}
}

// silent reports whether the format of the file has no word for PFC.
func (s *subject) silent() bool { return s.sw.OS == "openconfig" }

// rdmaQueues visits the queues that classes of RDMA leave from.
func (s *subject) rdmaQueues() iter.Seq2[kind, *plan.Queue] {
	return func(yield func(kind, *plan.Queue) bool) {
		for _, c := range s.rdmaClasses() {
			for k, q := range s.leaving(c, func(k kind, _ *plan.Queue) bool { return s.rdma(k, c) }) {
				if !yield(k, q) {
					return
				}
			}
		}
	}
}

// rdma reports whether a kind of port carries a class of RDMA.
func (s *subject) rdma(k kind, c plan.Class) bool {
	if !s.silent() {
		return s.carries(k, c)
	}
	q := k.queue(c)
	return q != nil && q.ECN != nil
}

// roce reports whether a kind of port carries RDMA.
func (s *subject) roce(k kind) bool {
	if !s.silent() {
		return k.lossless()
	}
	return slices.ContainsFunc(k.qos.Queues, func(q plan.Queue) bool { return q.ECN != nil })
}

// carries reports whether a kind of port means to carry a class without loss: the PG of
// the class is lossless there, or a priority pauses it.
func (s *subject) carries(k kind, c plan.Class) bool {
	pg := k.qos.PG(c.PG)
	return pg != nil && pg.Lossless || len(s.pauses(k, c.PG)) > 0
}

// losslessPort reports whether a kind of port has PFC or a lossless PG.
func (k kind) lossless() bool {
	return k.qos.PFC != 0 || slices.ContainsFunc(k.qos.PGs, func(pg plan.PG) bool { return pg.Lossless })
}

// queue returns the queue of a class on a kind of port, nil where the file has none.
func (k kind) queue(c plan.Class) *plan.Queue { return k.qos.Queue(k.qos.QueueOf(&c)) }

// computed reports whether the switch computes the headroom of a PG itself.
func (s *subject) computed(pg *plan.PG) bool {
	return s.sw.BufferModel == plan.DynamicModel && !pg.Override
}

// mostShared returns the most that one PG or queue takes of a pool that nothing else uses:
// alpha·B/(1+alpha), Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet
// Switches, IEEE/ACM ToN 1998.
func mostShared(l plan.Limit, pool units.Bytes) units.Bytes {
	if !l.Dynamic {
		return l.Static
	}
	num, den := l.Alpha.Fraction()
	return units.Bytes(units.FloorMulDiv(int64(max(0, pool)), num, num+den))
}

// CNPDSCP is the code point that NICs give to CNPs by default: mlxconfig CNP_DSCP 48, and
// bnxt_setupcc.sh.
const CNPDSCP = 48

// cnpClass returns the class of CNPs; false where the switch knows no classes or is not in a
// RoCE fabric: nothing on it is lossless.
func (s *subject) cnpClass() (plan.Class, bool) {
	if len(s.rdmaClasses()) == 0 {
		return plan.Class{}, false
	}
	for _, c := range s.sw.Classes {
		if slices.Contains(c.DSCPs, CNPDSCP) {
			return c, true
		}
	}
	return plan.Class{}, false
}

// dscpAt returns the place at which a code point is mapped.
func (s *subject) dscpAt(dscp uint8, c plan.Class) diag.Range {
	return first(s.sw.Places.DSCPToTC[dscp&63], c.Range, s.sw.Range)
}
