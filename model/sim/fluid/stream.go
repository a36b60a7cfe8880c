package fluid

import (
	"context"
	"time"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// A Source hands out messages, those of one span of time after the other.
type Source interface {
	// Draw adds the messages of the next span to a list, in any order, and says when the span ends; all that begin before are drawn then.
	// They wait for no other, have queue pairs of their own and are sent once. false: there is no span after it.
	Draw(list []sim.Flow) (drawn []sim.Flow, until units.Time, more bool)

	// Done takes the result of a message, in the order in which they end. Its index is the [sim.Flow.Operation] of the message.
	Done(r sim.FlowResult)
}

// stream is the messages that come from a source. The engine keeps those that are drawn or under way: their places are used again.
type stream struct {
	source Source
	router *sim.Router
	drawn  []sim.Flow
	free   []int32 // places
	err    error
}

// Stream is [Run] of a scenario whose messages come from a source instead of its flows. Memory depends on how many messages are under
// way at a time, not on how many there are. The result has what is not of single messages.
func Stream(ctx context.Context, sc *sim.Scenario, source Source) (*Result, error) {
	begin, own, s := time.Now(), *sc, &stream{source: source}
	var err error
	if s.router, err = sim.NewRouter(sc); err != nil {
		return nil, err
	}
	until, more := units.Time(0), true
	for len(s.drawn) == 0 {
		if !more {
			return &Result{Result: &sim.Result{Seed: sc.Seed}}, nil
		}
		s.drawn, until, more = source.Draw(nil)
	}
	own.Flows = s.drawn[:1]
	e := &engine{sc: &own, pairs: map[pair]*line{}, flows: []int32{0}, stream: s}
	e.sharing = newSharing(e)
	e.pauses = newPauses(sc, s.drawn[0].Class)
	own.Flows, e.flows = nil, nil
	e.come(until, more)
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.measured(&sim.Result{Seed: sc.Seed, Events: e.count}, begin), s.err
}

// come begins what is drawn, and waits for the next span. An error ends the stream.
func (e *engine) come(until units.Time, more bool) {
	s := e.stream
	for i := range s.drawn {
		own := e.place()
		e.sc.Flows[own] = s.drawn[i]
		if s.err = s.router.Passage(&s.drawn[i], &e.passages[own]); s.err != nil {
			return
		}
		e.ready(own, int64(s.drawn[i].Start))
	}
	if s.drawn = s.drawn[:0]; more {
		e.events.push(event{at: int64(until), kind: comes})
	}
}

// place is one for a message: of the flow of that number, too.
func (e *engine) place() int32 {
	if n := len(e.stream.free); n > 0 {
		own := e.stream.free[n-1]
		e.stream.free = e.stream.free[:n-1]
		e.messages[own] = message{}
		return own
	}
	own := int32(len(e.messages))
	e.sc.Flows, e.passages, e.messages = append(e.sc.Flows, sim.Flow{}), append(e.passages, sim.Passage{}), append(e.messages, message{})
	e.of, e.flows, e.groupOf = append(e.of, own), append(e.flows, own), append(e.groupOf, none)
	return own
}

// gone hands out the result of a message that has been sent, and frees its place.
func (e *engine) gone(own int32) {
	r := e.resultOf(own)
	r.Index = int(e.sc.Flows[own].Operation)
	e.stream.source.Done(r)
	e.stream.free = append(e.stream.free, own)
}
