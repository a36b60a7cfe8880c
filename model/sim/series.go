package sim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// Series asks for counters at the multiples of a period, from the last one before the first
// flow on.
//
// A counter is called KIND:NAME. Of the kinds of a queue or a priority group the name is
// PORT.NUMBER, of those of a port PORT, of those of a flow PORT.FLOW with the port of the sender's
// NIC. A selection is such a name; it may be cut before a dot, and * in it matches any text. A flow
// may be called by its number alone, and all of a kind by the kind.
type Series struct {
	Period  units.Time // at least 1 ns
	Select  []string
	Begin   func(names []string) error // is called once, before all else
	Sampled func(at units.Time, values []int64) error
}

// Kinds of counter, with what they count and their unit.
const (
	countQueue    = "queue"    // bytes in an egress queue of a switch
	countPG       = "pg"       // bytes that a priority group holds: of reserve, shared pool and headroom
	countHeadroom = "headroom" // bytes of those in the headroom
	countVOQ      = "voq"      // bytes that wait for a port and class in the leaves of a fabric of cells
	countXOFF     = "xoff"     // bytes beyond the reserve at which the group would pause now
	countPaused   = "paused"   // 1 while a class obeys a pause at the port that sends it, else 0
	countPauses   = "pauses"   // pauses that the port has begun to send
	countTX       = "tx"       // bit/s sent since the last sample
	countMarks    = "marks"    // packets marked at an egress port
	countDrops    = "drops"    // packets refused that came in by the port
	countCNPs     = "cnps"     // echoes of congestion sent by a host
	countRate     = "rate"     // bit/s that the congestion control allows a flow under way, else 0
	countGoodput  = "goodput"  // bit/s of payload acknowledged since the last sample
)

// gauge is one counter. Its source is known before the run.
type gauge struct {
	kind   string
	name   string
	port   int32
	class  uint8 // or the number of a PG
	flow   int32
	before int64 // value at the last sample, of those that are a difference
}

// sampler is a [Series] in progress.
type sampler struct {
	series *Series
	gauges []gauge
	values []int64
	err    error
}

// failure returns the error with which the taker of samples ended the run, or that of too many packets.
func (s *engine) failure() error {
	for i := range s.samplers {
		if err := s.samplers[i].err; err != nil {
			return err
		}
	}
	if s.counts != nil && s.counts.err != nil {
		return s.counts.err
	}
	return s.crowd()
}

// buildSeries finds the counters that are asked for.
func (s *builder) buildSeries() error {
	if s.sc.Observe == nil {
		return nil
	}
	for _, series := range s.sc.Observe.Series {
		if err := s.addSeries(series); err != nil {
			return err
		}
	}
	return nil
}

func (s *builder) addSeries(series *Series) error {
	if series.Period < units.Nanosecond {
		return fmt.Errorf("a sample every %v is more often than every ns", series.Period)
	}
	all := s.gauges(s.sc)
	p := sampler{series: series}
	chosen := make([]bool, len(all))
	for _, selection := range series.Select {
		if !choose(all, selection, chosen) {
			return fmt.Errorf("there is no counter %q; %s", selection, examples(all, selection))
		}
	}
	var names []string
	for i, g := range all {
		if chosen[i] {
			p.gauges = append(p.gauges, g)
			names = append(names, g.kind+":"+g.name)
		}
	}
	p.values = make([]int64, len(names))
	first := int64(never)
	for i := range s.sc.Flows {
		first = min(first, int64(s.sc.Flows[i].Start))
	}
	s.plan(taskSample, int32(len(s.samplers)), first-first%int64(series.Period))
	s.samplers = append(s.samplers, p)
	return series.Begin(names)
}

// gauges lists all counters, kind after kind in the order of the ports and flows.
func (s *engine) gauges(sc *Scenario) []gauge {
	names, used := sc.portNames(), [classes]bool{}
	for i := range sc.Flows {
		used[sc.Flows[i].Class] = true
	}
	var all []gauge
	for _, kind := range []string{countQueue, countPG, countHeadroom, countXOFF, countPaused} {
		for i := range s.ports {
			for class := range uint8(classes) {
				if used[class] && (s.ports[i].nic < 0 || kind == countPaused) {
					queue, pg := s.numbers(i, class)
					number := queue
					if kind != countQueue {
						number = pg
					}
					all = append(all, gauge{kind: kind, name: names[i] + "." + strconv.Itoa(int(number)), port: int32(i), class: class})
				}
			}
		}
	}
	if s.cells != nil {
		for _, port := range s.cells.ports {
			for class := range uint8(classes) {
				if used[class] {
					all = append(all, gauge{kind: countVOQ, name: names[port] + "." + strconv.Itoa(int(class)), port: port, class: class})
				}
			}
		}
	}
	for _, kind := range []string{countPauses, countTX, countMarks, countDrops, countCNPs} {
		for i := range s.ports {
			all = append(all, gauge{kind: kind, name: names[i], port: int32(i)})
		}
	}
	for _, kind := range []string{countRate, countGoodput} {
		for i := range s.messages {
			if s.messages[i].pair == none {
				continue
			}
			port := s.flows[s.messages[i].pair].port
			all = append(all, gauge{kind: kind, name: names[port] + "." + strconv.Itoa(i), port: port, flow: int32(i)})
		}
	}
	return all
}

// choose marks the counters that a selection is of; false if there are none.
func choose(all []gauge, selection string, chosen []bool) (some bool) {
	kind, name, named := strings.Cut(selection, ":")
	if !named {
		name = "*"
	}
	number, err := strconv.Atoi(name)
	for i := range all {
		g := &all[i]
		if g.kind != kind {
			continue
		}
		is := matches(name, g.name) || matches(name+".*", g.name)
		if err == nil && (kind == countRate || kind == countGoodput) {
			is = int(g.flow) == number
		}
		if is {
			chosen[i], some = true, true
		}
	}
	return some
}

// matches reports whether a text matches a pattern, where * matches any text.
func matches(pattern, text string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	if !star {
		return text == ""
	}
	for i := range len(text) + 1 {
		if matches(rest, text[i:]) {
			return true
		}
	}
	return false
}

// examples names counters of a selection's kind, or the kinds.
func examples(all []gauge, selection string) string {
	kind, _, _ := strings.Cut(selection, ":")
	var some, kinds []string
	for i := range all {
		if g := &all[i]; i == 0 || g.kind != all[i-1].kind {
			kinds = append(kinds, g.kind)
		}
		if all[i].kind == kind && len(some) < 3 {
			some = append(some, kind+":"+all[i].name)
		}
	}
	if len(some) > 0 {
		return "there are " + strings.Join(some, ", ") + " and others like them"
	}
	return "the kinds are " + strings.Join(kinds, ", ") + ", as in " + all[0].kind + ":" + all[0].name
}

// sample reads the counters. It goes on as long as something else will happen.
func (s *engine) sample(about int32) {
	s.handled-- // an event of the run it is not
	p := &s.samplers[about]
	for i := range p.gauges {
		p.values[i] = s.read(&p.gauges[i], p.series.Period)
	}
	if p.err = p.series.Sampled(units.Time(s.now), p.values); p.err != nil {
		return
	}
	if s.moreThanSamples() {
		s.plan(taskSample, about, s.now+int64(p.series.Period))
	}
}

// moreThanSamples reports whether anything else is going to happen.
func (s *engine) moreThanSamples() bool {
	for _, t := range s.agenda.tasks {
		if kind := t.id & (1<<taskBits - 1); kind != taskSample && kind != taskPoll {
			return true
		}
	}
	if len(s.agenda.tasks) > 0 { // the first one has an event
		s.events.remove(planned, s.agenda.tasks[0].at)
		defer s.scheduleTask()
	}
	return !s.events.empty()
}

func (s *engine) read(g *gauge, period units.Time) int64 {
	switch g.kind {
	case countQueue:
		return int64(s.queue(g.port, g.class).bytes)
	case countPG, countHeadroom, countXOFF:
		return s.readPG(g)
	case countVOQ:
		return s.cells.Waiting(s.cells.out[g.port], g.class)
	case countPaused:
		return int64(s.ports[g.port].paused >> g.class & 1)
	case countPauses:
		return s.seen.pauses.ports[g.port].sum()
	case countTX:
		return s.perSecond(g, int64(s.ports[g.port].sent), period)
	case countMarks:
		return s.seen.ports[g.port].marks
	case countDrops:
		return s.seen.ports[g.port].drops
	case countCNPs:
		return s.seen.ports[g.port].cnps
	case countRate:
		return s.readRate(g.flow)
	}
	return s.perSecond(g, s.messages[g.flow].acked(s), period)
}

func (s *engine) readPG(g *gauge) int64 {
	p := &s.ports[g.port]
	var held, headroom, threshold int64
	if b := s.silicon[p.node]; b != nil {
		state := b.PG(s.configs[g.port].chipPort, int(b.pg[g.class]))
		held, headroom, threshold = int64(state.Total())*b.cellBytes, int64(state.Headroom)*b.cellBytes, int64(state.Threshold)*b.cellBytes
	} else {
		u := s.usage(g.port, g.class)
		held, headroom, threshold = int64(u.ingress+u.headroom), int64(u.headroom), int64(s.pools[p.node].threshold(p.shift))
	}
	switch g.kind {
	case countPG:
		return held
	case countHeadroom:
		return headroom
	}
	return threshold
}

// perSecond turns bytes in all into bits per second since the last sample.
func (s *engine) perSecond(g *gauge, bytes int64, period units.Time) int64 {
	since := bytes - g.before
	g.before = bytes
	rate, _ := units.MulDiv(since, 8e12, int64(period))
	return rate
}

// readRate returns the rate at which a flow may send while it is under way.
func (s *engine) readRate(i int32) int64 {
	m := &s.messages[i]
	if f := &s.flows[m.pair]; m.end > 0 && m.finished == 0 && !m.failed {
		return int64(s.currentRate(m.pair, f))
	}
	return 0
}

// acked returns the number of acknowledged bytes of a message.
func (m *message) acked(s *engine) int64 {
	switch {
	case m.finished > 0:
		return m.bytes * int64(max(1, m.repeat))
	case m.end == 0:
		return 0
	case m.repeat > 0:
		return s.flows[m.pair].acked
	}
	return max(0, min(s.flows[m.pair].acked, m.end)-m.begin)
}

func (p *pausedPort) sum() (n int64) {
	for class := range p.classes {
		n += p.classes[class].pauses
	}
	return n
}
