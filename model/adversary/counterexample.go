package adversary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// Schema is the version of the form of a counterexample.
const Schema = "roceplan/counterexample/1"

// A Counterexample is a sequence of packets after which a lossless one is lost, with
// everything that is needed to play it again.
type Counterexample struct {
	Schema string       `json:"schema"`
	Attack string       `json:"attack"` // the attack that found it
	Config *mmu.Config  `json:"config"`
	Ports  []model.Port `json:"ports"`
	Events []Event      `json:"events"`
	Loss   *Loss        `json:"loss"`
}

// Marshal writes it as JSON that Replay reads.
func (c *Counterexample) Marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(c)
	return out.Bytes(), err
}

// minimise takes packets away as long as one is still lost: whole events first, then
// halves of what is left of each, again until none can be done without or as many packets
// have been played as are allowed. The last event is the one that loses.
func minimise(empty, g *game, name string, allowed int64) *Counterexample {
	c := &Counterexample{Schema: Schema, Attack: name, Config: g.sw.Config, Ports: g.sw.Ports, Events: slices.Clone(g.events), Loss: g.loss}
	var fewer []Event
	again, shorter := empty.fresh(), true
	try := func(events []Event) {
		if allowed < 0 {
			return
		}
		again.restart(empty)
		_ = again.play(events) // a packet that breaks a rule loses none before
		if allowed -= again.packets; again.loss != nil {
			c.Events, c.Loss = append(c.Events[:0], again.events...), again.loss
			shorter = true
		}
	}
	for shorter {
		shorter = false
		for n := len(c.Events) / 2; n >= 1; n /= 2 { // runs of events, then single ones
			for i := len(c.Events) - 1 - n; i >= 0; i -= n {
				if i+n < len(c.Events) {
					fewer = append(append(fewer[:0], c.Events[:i]...), c.Events[i+n:]...)
					try(fewer)
				}
			}
		}
		for i := len(c.Events) - 1; i >= 0; i-- {
			for cut := 1 << 16; cut >= 1; cut /= 2 {
				if i < len(c.Events) && c.Events[i].Count > cut {
					fewer = append(fewer[:0], c.Events...)
					fewer[i].Count -= cut
					try(fewer)
				}
			}
		}
	}
	return c
}

// play runs events as they are and checks each packet against the rules. It stops with
// the first loss, and cuts the events there.
func (g *game) play(events []Event) error {
	for i := range events {
		e := &events[i]
		if err := g.known(e); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		for n := range e.Count {
			if f := g.again(e, n); f.rule != "" {
				f.event, f.packet = i, n
				return f
			}
			if g.loss != nil {
				return nil
			}
		}
	}
	return nil
}

// A foul is a packet that breaks a rule. It is put into words only for who reads them: who minimises meets thousands.
type foul struct {
	event, packet int
	rule          string // a format; empty: none is broken
	args          []any
}

func (f foul) Error() string {
	return fmt.Sprintf("event %d, packet %d: "+f.rule, append([]any{f.event, f.packet}, f.args...)...)
}

// known checks that the ports, group and queue of an event exist.
func (g *game) known(e *Event) error {
	n := len(g.config.Ports)
	switch {
	case e.In < 0 || e.In >= n || e.Out < 0 || e.Out >= n:
		return fmt.Errorf("ports %d and %d: there are ports 0 to %d", e.In, e.Out, n-1)
	case e.PG < 0 || e.PG >= len(g.config.Ports[e.In].PGs):
		return fmt.Errorf("port %d has no priority group %d", e.In, e.PG)
	case e.Queue < 0 || e.Queue >= len(g.config.Ports[e.Out].Queues):
		return fmt.Errorf("port %d has no queue %d", e.Out, e.Queue)
	case g.sw.Ports[e.In].Link.Unknown("") != "":
		return errors.New(g.sw.Ports[e.In].Link.Unknown(fmt.Sprintf("port %d", e.In)))
	case e.Bytes < 1 || e.Bytes > 1<<20 || e.Count < 1 || e.At < 0 || e.At > 1<<60:
		return fmt.Errorf("%d packets of %d B at %d ps", e.Count, e.Bytes, e.At)
	}
	return nil
}

// again plays the n-th packet of an event.
func (g *game) again(e *Event, n int) (none foul) {
	if e.Kind == Leave {
		g.now = max(g.now, e.At)
		if !g.leave(e.Out, e.Queue) {
			return foul{rule: "queue %d of port %d is empty", args: []any{e.Queue, e.Out}}
		}
		return none
	}
	at := e.At
	if n > 0 {
		at = g.wires[e.In].free // right behind the one before
	}
	p := mmu.Packet{InPort: e.In, PG: e.PG, OutPort: e.Out, Queue: e.Queue, Bytes: e.Bytes}
	earliest := g.start(e.In, e.PG)
	state := &g.pauses[e.In*maxPGs+e.PG]
	switch {
	case earliest == never || state.on && at > state.until:
		return foul{rule: "at %d ps the peer of %s is paused", args: []any{at, g.sw.Ports[e.In].Name}}
	case at < earliest:
		return foul{rule: "at %d ps the wire of %s is busy until %d ps", args: []any{at, g.sw.Ports[e.In].Name, earliest}}
	case !g.assumed(&p):
		return foul{rule: "a packet of %d B breaks the assumptions on the peer of %s", args: []any{e.Bytes, g.sw.Ports[e.In].Name}}
	}
	g.arrive(p, at)
	return none
}
