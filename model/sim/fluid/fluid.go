// Package fluid computes when the messages of a scenario are done without sending a packet: they are flows that share links.
//
// It runs the scenarios of package sim and returns times in the same form. The time of a message alone, with its headers and the
// latency of cables, switches and hosts, is that of the packets, to the picosecond ([sim.Passage]); so are the ways of ECMP's
// hash.
//
// Messages slow one another down in the same places as packets:
//
//   - Queue pairs of a host take turns: its port divides its rate evenly among the flows that nothing else holds back (max-min fair:
//     D. Bertsekas and R. Gallager, "Data Networks", section 6.5.2). Acknowledgements take their part of the links that they come
//     back on. Rates change when a flow begins, ends or is cut, and only at links that the change reaches ([sharing]).
//   - Traffic beyond the rate of a switch's link waits there, first in, first out ([queue]), and the last packet of a message waits
//     for the queue that it finds.
//   - Senders run DCQCN ([sender]): they begin at line rate, their packets are marked by the curve, their receiver notifies them at
//     most once in its interval, and their rates are cut and rise. The marked packet is drawn at random, as in the run of packets.
//
// Other congestion controls are not modelled: their flows are max-min fair at once, at all links, and nothing waits.
//
// The steps of a collective operation are one flow: trains that wait for each other go at one rate, which is fair ([group]).
//
// Queues have no limit, so there are no results on overflow: pauses, losses, headroom. A run counts how often a queue is so long that
// packets would be paused ([Result]).
package fluid

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Unfit returns the reason why a scenario cannot be run as flows; empty where it can.
func Unfit(sc *sim.Scenario) string {
	switch {
	case len(sc.Outages)+len(sc.Storms)+len(sc.Receivers) > 0:
		return "something befalls the fabric"
	case len(sc.Generators) > 0:
		return "it has generators of traffic"
	case sc.Transport.Service == sim.DC:
		return "its connections come and go"
	}
	for i := range sc.Flows {
		if sc.Flows[i].TCP {
			return "it sends over TCP"
		}
	}
	return ""
}

// Run computes when the messages of a scenario are done. Fields of the result that a fluid run does not model are zero. The error names
// a value of the scenario that is out of range, a part that cannot be run, or the end of the context.
func Run(ctx context.Context, sc *sim.Scenario) (*Result, error) {
	begin := time.Now()
	if why := Unfit(sc); why != "" {
		return nil, fmt.Errorf("a fluid run is not of this scenario: %s", why)
	}
	e, err := newEngine(sc)
	if err != nil {
		return nil, err
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.measured(e.result(), begin), nil
}

// A Result holds the results of a run.
type Result struct {
	*sim.Result
	// Windows is the number of times that queues were compared with the thresholds of priority groups, and LikelyPauses
	// the number of times that the group of the worst port was above: packets would be paused there, and times of the run are too
	// short. Both are 0 where packets of a message take many ways.
	Windows, LikelyPauses int
}

// run handles all events.
func (e *engine) run(ctx context.Context) error {
	for n := 0; e.step(); n++ {
		if n%1024 != 0 {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.sc.Clock != nil {
			e.sc.Clock.Store(e.now)
		}
	}
	return nil
}

// measured adds the cost of a run to its result.
func (e *engine) measured(r *sim.Result, begin time.Time) *Result {
	r.WallSeconds = time.Since(begin).Seconds()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.PeakMemory = int64(m.Sys)
	return &Result{r, e.pauses.windows, slices.Max(append(e.pauses.over, 0))}
}

// engine is a run in progress.
type engine struct {
	sc       *sim.Scenario
	passages []sim.Passage
	of       []int32 // by flow: its passage; none: it is work

	now    int64 // ps
	events agenda
	count  int64

	messages []message // by passage
	flows    []int32   // by passage
	order
	sharing
	pauses  pauses
	groups  []*group
	groupOf []int32 // by passage; none
	pairs   map[pair]*line
	work    []sim.Work // that is over, with [sim.Flow.Ends]
	stream  *stream    // nil: all messages are known at the start
}

// none is no index.
const none = -1

// message is one that is being sent.
type message struct {
	started, sent int64 // ps, from the start of the run
	there, back   int64 // waits of the last packet and its acknowledgement in queues, ps
}

// newEngine prepares a run.
func newEngine(sc *sim.Scenario) (*engine, error) {
	e := &engine{sc: sc, pairs: map[pair]*line{}}
	var err error
	if e.passages, e.of, err = sc.Passages(); err != nil {
		return nil, err
	}
	e.messages, e.flows = make([]message, len(e.passages)), make([]int32, len(e.passages))
	for i, own := range e.of {
		if own >= 0 {
			e.flows[own] = int32(i)
		}
	}
	if len(e.passages) > 0 {
		e.sharing = newSharing(e)
		e.pauses = newPauses(sc, sc.Flows[e.flows[0]].Class)
	}
	e.findGroups()
	e.order = newOrder(sc.Flows)
	for i := range sc.Flows {
		if len(sc.Flows[i].After) == 0 {
			e.ready(int32(i), int64(sc.Flows[i].Start))
		}
	}
	return e, nil
}

// step handles the next events, all of one time, and then lets rates follow; false if there are no more.
func (e *engine) step() bool {
	first, ok := e.events.peek()
	if !ok {
		return false
	}
	e.now = max(e.now, first)
	e.pauses.until(e, e.now)
	for at, ok := first, true; ok && at <= e.now; at, ok = e.events.peek() {
		next := e.events.pop()
		switch next.kind {
		case comes:
			drawn, until, more := e.stream.source.Draw(e.stream.drawn)
			e.stream.drawn = drawn
			e.come(until, more)
		case posted:
			e.count++
			e.post(next.of)
		case begins:
			e.count++
			e.groups[next.of].begin(e)
		case ends:
			e.ended(next.of, next.at)
		case fills:
			e.fills(e, next.of, next.at)
		case looks:
			e.look(e, next.of, next.at)
		case cuts:
			e.cut(e, next.of, next.at)
		case rises:
			e.rise(e, next.of, next.at)
		}
	}
	e.relax(e)
	return true
}

// ready posts a message at a time that may be in the future, or ends work then.
func (e *engine) ready(flow int32, at int64) {
	own := e.of[flow]
	if own == none {
		e.over(flow, at, at)
		return
	}
	e.messages[own].started = at
	if g := e.groupOf[own]; g != none {
		e.groups[g].released(e, g, at)
		return
	}
	e.events.push(event{at + int64(e.passages[own].Post), own, posted})
}

// post sends a message, after those of its queue pair.
func (e *engine) post(own int32) {
	f := &e.sc.Flows[e.flows[own]]
	if f.QueuePair > 0 {
		key := pair{f.Src, f.Dst, f.QueuePair}
		l := e.pairs[key]
		if l == nil {
			l = &line{}
			e.pairs[key] = l
		}
		if l.waits = append(l.waits, own); len(l.waits) > 1 {
			return
		}
	}
	e.send(own)
}

// send begins to send a message.
func (e *engine) send(own int32) {
	p := &e.passages[own]
	e.sharing.begin(e, transfer{of: own, uses: e.route(own), left: e.bits(p), limit: e.links[p.There[0]].capacity, sender: sender{trip: int64(p.Acked - p.Post - p.Carried)}})
}

// ended ends a transfer that has sent all by the time of an event; another one, whose rate has fallen since, ends later.
func (e *engine) ended(at int32, when int64) {
	t := &e.transfers[at]
	if t.due != when {
		return
	}
	t.due = 0
	if t.until == when {
		e.count++
		e.end(at)
	} else {
		e.await(e, at)
	}
}

// end handles the time at which the last packet of a transfer is sent or, of a group, that of its next member.
func (e *engine) end(at int32) {
	t := &e.transfers[at]
	own := t.of
	if t.group {
		if g := e.groups[own]; g.passes(e, t) {
			e.goesOn(e, at)
		} else {
			e.finish(e, at)
		}
		return
	}
	m := &e.messages[own]
	m.there, m.back = e.queued(e, t.uses)
	e.finish(e, at)
	e.sent(own, e.now)
	f := &e.sc.Flows[e.flows[own]]
	if f.QueuePair > 0 {
		l := e.pairs[pair{f.Src, f.Dst, f.QueuePair}]
		if l.waits = l.waits[1:]; len(l.waits) > 0 {
			e.send(l.waits[0])
		}
	}
}

// sent notes when a message's last packet left, and releases the messages that wait for it.
func (e *engine) sent(own int32, at int64) {
	e.messages[own].sent = at
	if e.stream != nil {
		e.gone(own)
		return
	}
	delivered, acked := e.ends(own)
	e.over(e.flows[own], delivered, acked)
}

// ends returns when the receiver has a message, and when its sender learns of that.
func (e *engine) ends(own int32) (delivered, acked int64) {
	p, m := &e.passages[own], &e.messages[own]
	at := m.sent + m.there - int64(p.Post+p.Carried)
	return at + int64(p.Delivered), at + m.back + int64(p.Acked)
}

// pair identifies a queue pair.
type pair struct{ src, dst, number int }

// line has the messages of a queue pair; the first one is being sent.
type line struct{ waits []int32 }

// result returns the outcome of a run.
func (e *engine) result() *sim.Result {
	r := &sim.Result{Seed: e.sc.Seed, Events: e.count, Work: e.work, Flows: make([]sim.FlowResult, 0, len(e.messages))}
	for own := range e.messages {
		if e.messages[own].sent == 0 {
			r.UnfinishedFlows++
			continue
		}
		r.Flows = append(r.Flows, e.resultOf(int32(own)))
	}
	return r
}

// resultOf returns the result of a message that has been sent.
func (e *engine) resultOf(own int32) sim.FlowResult {
	m, p, i := &e.messages[own], &e.passages[own], e.flows[own]
	f := &e.sc.Flows[i]
	delivered, acked := e.ends(own)
	took := max(acked-m.started, int64(p.Ideal))
	return sim.FlowResult{
		Index: int(i), Src: f.Src, Dst: f.Dst, Bytes: int64(f.Bytes) * int64(max(1, f.Repeat)),
		StartUS: micros(m.started), FCTUS: micros(took), DeliveredUS: micros(delivered - m.started),
		Slowdown: float64(took) / float64(p.Ideal),
	}
}

func micros(ps int64) float64 { return float64(ps) / float64(units.Microsecond) }
