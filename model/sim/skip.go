package sim

import (
	"cmp"
	"context"
	"math"
)

// A run with [Scenario.SkipSteady] leaves out time in which nothing new happens, as Wormhole does (NSDI
// 2026): when what every queue pair gets through repeats from one window to the next, and so do the bytes
// under way, the windows that follow are taken to be like these.
//
// The network's clock stops meanwhile. The skipped progress is taken off what is left to send (of a
// message its bytes, of a train its times), events from outside come sooner, and reported times are
// later ([engine.skipped]). So queues, rates, timers and packets under way are always those of a
// state that was simulated.
//
// A frozen state is an error where it would have changed. So how much the last two windows differed
// is taken for a trend, and what the trends that were skipped come to, with their signs, is kept
// for each queue pair: there are no more jumps than leave that below [driftShare]. A difference of
// a packet more or less in a window cancels out in the long run; a slow recovery uses up its share,
// and then all is simulated.
//
// Nothing is skipped across the start or the end of a message. The progress of all is read at the end of each
// window. Stretches of one window, of two, of four are compared, so that slow repetitions are found too.
type skipper struct {
	history  [][]reading // by window, the latest last, and by queue pair
	since    int         // windows since the last jump
	finished int         // messages at the last reading
	drifts   []drift     // by queue pair
	paces    []pace
}

// stretch is two times so many windows, the last that there were.
type stretch struct {
	windows int
	a, b, c []reading // at their beginning, between, and at their end, by queue pair
}

func (t *stretch) ps() int64 { return int64(t.windows) * steadyWindow }

// drift sums the trends of a queue pair that were skipped: of its throughput, as a share of that; of the
// bytes under way, as a share of its throughput in a window.
type drift struct{ rate, underWay float64 }

// vague returns the largest trend that may be behind one that was read off packets: one of them more or less.
func (d drift) vague(packet float64) drift { return drift{math.Abs(d.rate) + packet, d.underWay} }

// with adds a trend so many times.
func (d drift) with(trend drift, times float64) drift {
	return drift{d.rate + times*trend.rate, d.underWay + times*trend.underWay}
}

// small reports whether it may be left out.
func (d drift) small() bool {
	return math.Abs(d.rate) <= driftShare && math.Abs(d.underWay) <= swellShare
}

// reading is the progress of a queue pair.
type reading struct {
	done     int64 // bytes acknowledged, or times of a train
	doneAt   int64 // of a train: when the last of these was, ps
	underWay int64 // bytes
	message  int32 // the last one posted
}

const (
	steadyWindow int64 = 50_000_000 // ps

	// mostWindows is the number of windows that are kept, and longestStretch the most of a stretch.
	mostWindows, longestStretch = 129, 64

	// driftShare bounds the change of a queue pair that is extrapolated as if it went on as before;
	// swellShare is likewise for the bytes under way.
	driftShare, swellShare = 0.03, 1

	// mostSkipped and leastSkipped bound how many times a stretch is skipped.
	mostSkipped, leastSkipped = 8, 1

	// leastTimes is the number of times that a train must have been sent in a stretch for its period to be known.
	leastTimes = 2
)

// skippable reports whether all that a run does begins with its messages: nothing goes wrong and
// nothing is sampled at a time of its own, and acknowledgements are of a number of bytes.
// Observations of packets and pauses are of the time that is not left out, by a clock that was
// stopped meanwhile.
func (sc *Scenario) skippable() bool {
	for i := range sc.Flows {
		if sc.Flows[i].TCP {
			return false
		}
	}
	if o := sc.Observe; o != nil && (o.Buffers || len(o.Series) > 0 || o.Counters != nil) {
		return false
	}
	return len(sc.Outages)+len(sc.Storms)+len(sc.Receivers)+len(sc.Generators) == 0 &&
		sc.Transport.Service != DC && !sc.Transport.Selective
}

// runSkipping handles all events before a time, but for what it skips.
func (s *engine) runSkipping(ctx context.Context, until int64) error {
	k := &skipper{drifts: make([]drift, len(s.flows)), paces: paces(s)}
	for begin := s.now; ; {
		end := begin + steadyWindow
		for s.step(min(end, until-s.skipped)) {
		}
		next := s.events.next()
		show(s.shown, s.now+s.skipped)
		switch {
		case cmp.Or(ctx.Err(), s.crowd()) != nil:
			return cmp.Or(ctx.Err(), s.crowd())
		case next == never || next >= until-s.skipped:
			return nil
		case next > end+steadyWindow: // nothing is under way
			begin, k.history = next, k.history[:0]
			continue
		}
		begin = end
		k.look(s, end, until)
	}
}

// look reads how far all have come at the end of a window, and skips what it may.
func (k *skipper) look(s *engine, now, until int64) {
	k.read(s)
	if k.since++; s.finished != k.finished {
		k.finished, k.since = s.finished, 0
		k.history = k.history[len(k.history)-1:]
		return
	}
	best := int64(0)
	var jump func()
	for n := 1; n <= min(longestStretch, k.since, (len(k.history)-1)/2); n *= 2 {
		last := len(k.history) - 1
		t := &stretch{n, k.history[last-2*n], k.history[last-n], k.history[last]}
		if ps := k.skips(s, t, now, until); ps > best {
			best, jump = ps, func() { k.jump(s, t, ps) }
		}
	}
	if jump != nil {
		jump()
	}
}

// read adds a reading behind those that there are.
func (k *skipper) read(s *engine) {
	var r []reading
	if len(k.history) == mostWindows {
		r = k.history[0]
		k.history = append(k.history[:0], k.history[1:]...)
	} else {
		r = make([]reading, len(s.flows))
	}
	for i := range s.flows {
		f := &s.flows[i]
		r[i] = reading{done: f.acked, underWay: f.next - f.acked, message: f.last}
	}
	for _, p := range k.paces {
		for _, i := range p.trains {
			m := &s.messages[i]
			r[m.pair] = reading{done: int64(m.done), doneAt: m.doneAt, message: i}
		}
	}
	k.history = append(k.history, r)
}

// trend returns the difference between the two halves of a stretch of a queue pair, whether anything happens
// there, and whether it goes on by itself for a while: as a train, or as a message with no other behind it.
func (t *stretch) trend(s *engine, i int) (d drift, moves, ok bool) {
	a, b, c, f := &t.a[i], &t.b[i], &t.c[i], &s.flows[i]
	if f.last == none {
		return d, false, true
	}
	if m := &s.messages[f.last]; m.repeat > 0 {
		if !s.running(f.last) {
			return d, false, true
		}
		if a.done == 0 || min(b.done-a.done, c.done-b.done) < leastTimes {
			return d, true, false
		}
		before := float64(b.doneAt-a.doneAt) / float64(b.done-a.done)
		last := float64(c.doneAt-b.doneAt) / float64(c.done-b.done)
		return drift{rate: 2 * (before - last) / (before + last)}, true, true
	}
	if f.done() {
		return d, false, a.message == c.message
	}
	mean := float64(c.done-a.done) / 2
	if a.message != c.message || mean == 0 || f.completing != f.last || f.sending != f.last || s.inbound[i].receiving != f.last {
		return d, true, false
	}
	swell := float64(c.underWay-a.underWay) / 2 / mean * float64(t.windows)
	return drift{float64(c.done-b.done-(b.done-a.done)) / mean, swell}, true, true
}

// times returns the number of times that all trends allow a stretch to be skipped.
func (k *skipper) times(s *engine, t *stretch) (n float64) {
	n = mostSkipped
	for i := range s.flows {
		d, _, ok := t.trend(s, i)
		if !ok {
			return 0
		}
		packet := 0.0
		if rate := t.rate(s, i); rate > 0 {
			packet = float64(s.transport.payload) / (rate * float64(t.ps()))
		}
		for ; n >= leastSkipped && !((drift{}).with(d.vague(packet), n).small() && k.drifts[i].with(d, n).small()); n /= 2 {
		}
	}
	return n
}

// skips returns the time that may be skipped after a stretch: as much as no message starts or ends in, in ps.
func (k *skipper) skips(s *engine, t *stretch, now, until int64) int64 {
	n := k.times(s, t)
	if n < leastSkipped {
		return 0
	}
	most := min(int64(n*float64(t.ps())), s.nextStart()-now, until-s.skipped-now)
	for i := range s.flows {
		if rate := t.rate(s, i); rate > 0 {
			f := &s.flows[i]
			most = min(most, int64(float64(f.sendEnd-f.next)/rate)-steadyWindow)
		}
	}
	ps := k.ofTrains(s, t, most)
	if ps < steadyWindow {
		return 0
	}
	return ps
}

func (k *skipper) jump(s *engine, t *stretch, ps int64) {
	for i := range s.flows {
		if d, moves, _ := t.trend(s, i); moves {
			k.drifts[i] = k.drifts[i].with(d, float64(ps)/float64(t.ps()))
		}
	}
	for i := range k.paces {
		k.paces[i].jump(s, t, ps)
	}
	for i := range s.flows {
		if rate := t.rate(s, i); rate > 0 {
			s.cut(int32(i), int64(rate*float64(ps)))
		}
	}
	s.skipped += ps
	s.sooner(ps)
	k.since = 0
}

// rate returns the throughput of a queue pair that sends a message, in bytes per ps.
func (t *stretch) rate(s *engine, i int) float64 {
	f := &s.flows[i]
	if f.last == none || f.done() || s.messages[f.last].repeat > 0 {
		return 0
	}
	return float64(t.c[i].done-t.a[i].done) / float64(2*t.ps())
}

// cut takes whole packets off what is left to send of a queue pair's only message.
func (s *engine) cut(i int32, bytes int64) {
	f, there := &s.flows[i], &s.inbound[i]
	m := &s.messages[f.last]
	bytes -= bytes % s.transport.payload
	m.bytes, m.end = m.bytes-bytes, m.end-bytes
	f.bytes, f.sendEnd, f.completeEnd = f.bytes-bytes, f.sendEnd-bytes, f.completeEnd-bytes
	there.bytes, there.receiveEnd = there.bytes-bytes, there.receiveEnd-bytes
}

// nextStart returns the time at which the next message begins that is not the next time of a train.
func (s *engine) nextStart() int64 {
	next := int64(never)
	for _, t := range s.agenda.tasks {
		if s.comes(t) {
			next = min(next, t.at)
		}
	}
	return next
}

// comes reports whether a task begins a message, which is not the network's doing.
func (s *engine) comes(t pending) bool {
	if t.id&(1<<taskBits-1) != taskPost {
		return false
	}
	i := int32(t.id) >> taskBits
	return s.messages[i].repeat == 0 || !s.begun(i)
}

// sooner lets what comes from outside come sooner by a time.
func (s *engine) sooner(ps int64) {
	a := &s.agenda
	if len(a.tasks) == 0 {
		return
	}
	s.events.remove(planned, a.tasks[0].at)
	old := a.tasks
	a.tasks = make(eventHeap, 0, cap(old))
	for _, t := range old {
		if s.comes(t) {
			t.at -= ps
		}
		a.tasks.push(t)
	}
	s.scheduleTask()
}
