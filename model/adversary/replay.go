package adversary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// A Replayed is a counterexample that was played again.
type Replayed struct {
	Counterexample *Counterexample
	Loss           *Loss
	Lines          []Line
}

// A Line of the timeline is a run of packets, or the packet with which something changed.
type Line struct {
	At    units.Time
	Text  string // "Ethernet0 PG 3 → Ethernet4 queue 3: 402 × 64 B"
	State string // counters of the group after it
	Event string // "XOFF", "XON", "LOST", or empty
}

// ReadCounterexample reads what Marshal wrote and refuses whatever it could not play.
func ReadCounterexample(text []byte) (*Counterexample, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	c := &Counterexample{}
	if err := dec.Decode(c); err != nil {
		return nil, fmt.Errorf("this is not a counterexample: %w", err)
	}
	switch {
	case c.Schema != Schema:
		return nil, fmt.Errorf("the schema is %q, this program reads %q", c.Schema, Schema)
	case c.Config == nil || len(c.Config.Ports) != len(c.Ports):
		return nil, errors.New("a configuration with as many ports as there are links is missing")
	}
	total := 0
	for i, e := range c.Events {
		if total += max(0, e.Count); total > 1<<28 {
			return nil, fmt.Errorf("more than %d packets", 1<<28)
		}
		if e.Kind != Arrive && e.Kind != Leave {
			return nil, fmt.Errorf("event %d is of kind %q", i, e.Kind)
		}
	}
	for i := range c.Ports {
		l := &c.Ports[i].Link
		if l.LosslessFrame > l.PortFrame || l.SmallPackets < 0 || l.SmallPackets >= units.One {
			return nil, fmt.Errorf("the link of port %d is %+v", i, *l)
		}
	}
	return c, nil
}

// Replay plays a counterexample again, packet by packet, against the rules that senders
// keep. The error says which packet breaks one, or that nothing was lost, or something
// else than was recorded.
func Replay(text []byte) (*Replayed, error) {
	c, err := ReadCounterexample(text)
	if err != nil {
		return nil, err
	}
	t := &timeline{}
	g, err := newGame(&model.Switch{Config: c.Config, Ports: c.Ports})
	if err != nil {
		return nil, err
	}
	g.watch = t.watch
	if err := g.play(c.Events); err != nil {
		return nil, err
	}
	r := &Replayed{Counterexample: c, Loss: g.loss, Lines: t.lines}
	switch {
	case g.loss == nil:
		return r, errors.New("no packet was lost")
	case c.Loss != nil && *c.Loss != *g.loss:
		return r, fmt.Errorf("the recorded loss is %v, but this run lost %v", c.Loss, g.loss)
	}
	return r, nil
}

// Write prints the timeline.
func (r *Replayed) Write(w io.Writer) error {
	var out bytes.Buffer
	for _, l := range r.Lines {
		fmt.Fprintf(&out, "%14v  %-4s  %s  [%s]\n", l.At, l.Event, l.Text, l.State)
	}
	fmt.Fprintf(&out, "%v\n", r.Loss)
	_, err := out.WriteTo(w)
	return err
}

// timeline makes lines of packets: runs of equal ones in which nothing changes are one.
type timeline struct {
	lines []Line
	run   Event
}

func (t *timeline) watch(g *game, e *Event, v mmu.Verdict) {
	event := ""
	if v.PFC != mmu.Steady {
		event = v.PFC.String()
	}
	if g.loss != nil {
		event = "LOST"
	}
	one := *e
	one.At, one.Count = g.now, 1
	if n := len(t.lines); n > 0 && event == "" && t.lines[n-1].Event == "" && t.run.same(&one) {
		t.run.Count++
		t.lines[n-1].Text, t.lines[n-1].State = describe(g, &t.run), state(g, e)
		return
	}
	t.run = one
	t.lines = append(t.lines, Line{units.Time(g.now), describe(g, &t.run), state(g, e), event})
}

func describe(g *game, e *Event) string {
	if e.Kind == Leave {
		return fmt.Sprintf("%s queue %d: %d × %d B leave", g.sw.Ports[e.Out].Name, e.Queue, e.Count, e.Bytes)
	}
	return fmt.Sprintf("%s PG %d → %s queue %d: %d × %d B", g.sw.Ports[e.In].Name, e.PG, g.sw.Ports[e.Out].Name, e.Queue, e.Count, e.Bytes)
}

// state returns the state of the group, in cells.
func state(g *game, e *Event) string {
	pg, config := g.buffer.PG(e.In, e.PG), g.pg(e.In, e.PG)
	text := fmt.Sprintf("reserve %d/%d, shared %d, threshold %d", pg.Reserved, config.ReservedCells, pg.Shared, pg.Threshold)
	if config.Lossless {
		text += fmt.Sprintf(", headroom %d/%d", pg.Headroom, config.HeadroomCells)
	}
	return text
}
