package proof

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
)

var reported = [][2]string{
	{PauseReaches, "x"}, {Headroom, "x"}, {Memory, "slice 0"}, {EgressHolds, "slice 0, pool out"}, {QueueHolds, "slice 0, queue 0 of x, 1 sender"}, {QueueHolds, "slice 0, queue 0 of y, 2 senders"},
	{PauseReaches, "y"}, {Headroom, "y"}, {Memory, "slice 1"}, {EgressHolds, "slice 1, pool out"}, {QueueHolds, "slice 1, queue 0 of x, 1 sender"},
}

// A counterexample decides what is open on the way of its packet, where that stands and at its line: arithmetic that
// anybody can check, and nothing beside it. Ports a and b of the three lie in slice 0 and have one queue, c lies in slice 1 and has another.
func TestRefute(t *testing.T) {
	const pool, queueOfA, queueOfC = 3, 4, 5 // of reported
	fromA, fromC := mmu.Packet{InPort: 0, PG: 1, OutPort: 1}, mmu.Packet{InPort: 2, PG: 1, OutPort: 0}
	toC := mmu.Packet{InPort: 0, PG: 1, OutPort: 2}
	for _, c := range []struct {
		what    string
		packet  mmu.Packet
		ids     []string
		open    []int // of reported; nil: all
		decides int   // -1: nothing
	}{
		{"its group", fromA, []string{Headroom}, nil, 1}, {"that of another port", fromC, []string{Headroom}, nil, 7},
		{"its slice", fromA, []string{Memory}, nil, 2}, {"another slice", fromC, []string{Memory}, nil, 8},
		{"its queue", fromA, []string{QueueHolds}, nil, queueOfA}, {"a queue of another kind", toC, []string{QueueHolds}, nil, queueOfC}, {"its queue from another slice", fromC, []string{QueueHolds}, nil, 10},
		{"the pool of its queue", fromA, []string{EgressHolds}, nil, pool}, {"that of another slice", fromC, []string{EgressHolds}, nil, 9},
		{"the first by what is full", fromA, []string{EgressHolds, QueueHolds}, nil, pool}, {"the queue before its pool", fromA, []string{QueueHolds, EgressHolds}, nil, queueOfA},
		{"the second where the first is settled", fromA, []string{EgressHolds, QueueHolds}, []int{queueOfA, 9}, queueOfA},
		{"nothing of its kind is open", fromA, []string{HeadroomPool, Resume}, nil, -1}, {"what is open is elsewhere", fromA, []string{Memory, Headroom, EgressHolds}, []int{7, 8, 9}, -1},
		{"another kind of queue is open", fromA, []string{QueueHolds}, []int{queueOfC}, -1},
	} {
		r := unjudgedReport(reported...)
		for i := range r.Obligations {
			o := &r.Obligations[i]
			o.open = c.open == nil || slices.Contains(c.open, i)
			o.Range.Filename, o.Because = "f", "the order decides"
			o.Range.Start.Line = i + 1
			o.At = lineOf(o.Range)
			if reported[i][1] == "slice 0, queue 0 of y, 2 senders" {
				o.out = 2
			}
		}
		was := slices.Clone(r.Obligations)
		decided := r.Refute(&Refusal{"attack", c.packet, "a counter", 90, 11, 100}, c.ids...)
		if decided != (c.decides >= 0) || len(r.Obligations) != len(was) {
			t.Errorf("%s: decided %v, %d obligations", c.what, decided, len(r.Obligations))
		}
		for i := range r.Obligations {
			o := &r.Obligations[i]
			if o.refuted() != (i == c.decides) {
				t.Errorf("%s: %v", c.what, o)
			}
			if !o.refuted() {
				continue
			}
			if o.ID != was[i].ID || o.Where != was[i].Where || o.Range != was[i].Range || o.At != was[i].At || o.Title != meanings[o.ID].title || !o.Lossless || o.Because != "" || o.open {
				t.Errorf("%s: %+v, and open was %+v", c.what, o, was[i])
			}
			if o.Left != (Side{"x + p", 101}) || o.Right != (Side{"l", 100}) || o.Source != "counterexample: attack" || o.Note != "what is full is a counter" || !r.LosesPackets() {
				t.Errorf("%s: %+v", c.what, o)
			}
			if errs := recheck(o, nil); errs != nil {
				t.Error(c.what, errs)
			}
		}
	}
}

// A port that is bounded as a whole is found by its kind: with another bound it is another one. A headroom pool is that of the group.
func TestRefuteByBoundAndPool(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(r *Report)
		packet mmu.Packet
		o      Obligation
		want   bool
	}{
		{"its port", nil, mmu.Packet{InPort: 0, PG: 1, OutPort: 1}, Obligation{ID: PortHolds, Where: "slice 0, pool out of x, 1 sender", out: 0}, true},
		{"a port of another bound", func(r *Report) { r.Model.Config.Ports[1].Egress[0].Limit = mmu.StaticLimit(6) }, mmu.Packet{InPort: 0, PG: 1, OutPort: 1}, Obligation{ID: PortHolds, Where: "slice 0, pool out of x, 1 sender", out: 0}, false},
		{"a port of other queues", nil, mmu.Packet{InPort: 0, PG: 1, OutPort: 2}, Obligation{ID: PortHolds, Where: "slice 0, pool out of x, 1 sender", out: 0}, false},
		{"its headroom pool", func(r *Report) { r.Model.Config.Ports[1].PGs[1].HeadroomPooled = true }, mmu.Packet{InPort: 1, PG: 1, OutPort: 0}, Obligation{ID: HeadroomPool, Where: "slice 0, pool in"}, true},
		{"headroom of its own", func(r *Report) { r.Model.Config.Ports[1].PGs[1].HeadroomPooled = true }, mmu.Packet{InPort: 0, PG: 1, OutPort: 1}, Obligation{ID: HeadroomPool, Where: "slice 0, pool in"}, false},
	} {
		r := unjudgedReport()
		for i := range r.Model.Config.Ports {
			r.Model.Config.Ports[i].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(5)}}
		}
		if c.change != nil {
			c.change(r)
		}
		c.o.Verdict, c.o.Lossless, c.o.open, c.o.Range = Unjudged, true, true, diag.Range{}
		r.Obligations = []Obligation{c.o}
		must.Equalf(t, r.Refute(&Refusal{Packet: c.packet}, c.o.ID), c.want, "%s:", c.what)
	}
}
