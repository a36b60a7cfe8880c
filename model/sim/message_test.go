package sim

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// run simulates a scenario whose messages all finish, and returns them.
func run(t testing.TB, sc *Scenario) []FlowResult {
	t.Helper()
	r := must.Get(Run(t.Context(), sc))(t)
	if r.UnfinishedFlows > 0 {
		t.Fatalf("%d messages have not finished", r.UnfinishedFlows)
	}
	return r.Flows
}

// A storage read: the data starts when the last byte of the request has come and the disk
// has found it, to the picosecond. What waits for the data's end at the server's side starts
// with the acknowledgement.
func TestRequestAndResponse(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 100, 0)
	sc.flow(1, 0, 10_000, 0)
	sc.flow(1, 0, 1000, 0)
	sc.Flows[1].After, sc.Flows[1].Delay = []int32{0}, 70*units.Microsecond
	sc.Flows[2].After = []int32{1}
	flows := run(t, sc)
	const (
		request, data, ack = 148 * 80, 1048 * 80, 60 * 80 // ps on the wire, at each of two links
		cables             = 2 * 1_000_000
		start              = 2*request + cables + 70_000_000
	)
	for i, want := range []struct{ start, delivered, fct int }{
		{0, 2*request + cables, 2*request + 2*ack + 2*cables},
		{start, 11*data + cables, 11*data + 2*ack + 2*cables},
		{start + 11*data + 2*ack + 2*cables, 2*data + cables, 2*data + 2*ack + 2*cables},
	} {
		f := &flows[i]
		got := [3]int{ps(f.StartUS), ps(f.DeliveredUS), ps(f.FCTUS)}
		if got != [3]int{want.start, want.delivered, want.fct} {
			t.Errorf("message %d: start, delivery, completion %v ps, want %v", i, got, want)
		}
	}
}

func ps(us float64) int { return int(math.Round(us * 1e6)) }

// A ring of steps, each of which waits for the step before at the sender: with nothing in the
// way all hosts are in step, and a step lasts what its message takes to arrive.
func TestRing(t *testing.T) {
	const n, steps = 4, 6
	sc := leafSpine(1, n, 0)
	for step := range steps {
		for src := range n {
			sc.flow(src, (src+1)%n, 4000, 0)
			f := &sc.Flows[len(sc.Flows)-1]
			f.QueuePair = 1
			if step > 0 {
				f.After = []int32{int32((step-1)*n + (src+n-1)%n)}
			}
		}
	}
	flows := run(t, sc)
	step := ps(flows[0].DeliveredUS)
	if least := 5*1048*80 + 2_000_000; step != least {
		t.Errorf("the first step takes %d ps, want %d", step, least)
	}
	for i := range flows {
		late := ps(flows[i].StartUS) - i/n*step
		if ack := 60 * 80; late < 0 || late > i/n*(ack+1048*80) { // acknowledgements are in the way
			t.Errorf("message %d starts %d ps after its turn", i, late)
		}
	}
}

// Messages on one queue pair go one after the other without a gap, each in packets of its own.
func TestMessagesOfAQueuePair(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	for range 3 {
		sc.flow(0, 1, 2500, 0)
		sc.Flows[len(sc.Flows)-1].QueuePair = 7
	}
	flows := run(t, sc)
	const full, half = 1048 * 80, 548 * 80
	for i := range flows {
		want := full + (i+1)*(2*full+half) + 2_000_000 // the second link is busy from the first packet on
		if got := ps(flows[i].DeliveredUS); got != want {
			t.Errorf("message %d is there after %d ps, want %d", i, got, want)
		}
	}
}

// A queue pair that was slowed down goes on so with its next message; a new one starts at
// line rate.
func TestQueuePairKeepsItsRate(t *testing.T) {
	for _, number := range []int{0, 1} {
		sc := scenario(leafSpine(1, 9, 0), "incast", "dcqcn", 500*units.KB)
		incast := len(sc.Flows)
		for src := 1; src <= incast; src++ {
			sc.Flows[src-1].QueuePair = number
			sc.flow(src, 0, 1000, 0)
			f := &sc.Flows[len(sc.Flows)-1]
			f.After, f.Delay, f.QueuePair = []int32{int32(src - 1)}, 10*units.Microsecond, number
		}
		s := must.Get(newEngine(sc))(t)
		for s.step(never) {
		}
		last := &s.flows[s.messages[incast].pair]
		if slow := last.rate < last.lineRate/2; slow != (number == 1) {
			t.Errorf("number %d: rate %d after the second message", number, last.rate)
		}
	}
}

// Whatever waits for whatever and shares queue pairs: messages end in the
// order in which their queue pair was given them, and begin after what they wait for.
func TestMessagesAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(2, 2, 2)
		sc.Transport.DirectPlacement = rapid.Bool().Draw(t, "direct placement")
		sc.Balancing.Mode = rapid.SampledFrom([]balance.Mode{balance.ECMP, balance.Spray}).Draw(t, "balancing")
		if sc.Balancing.Mode == balance.Spray && !sc.Transport.DirectPlacement {
			// A message's last packet that is overtaken twice is refused without a NACK, since one
			// is on its way: without a timer nobody sends it again.
			sc.Transport.AckTimeout, sc.Transport.Retries = 100*units.Microsecond, 100
		}
		for i := range rapid.IntRange(2, 40).Draw(t, "messages") {
			dst := rapid.IntRange(0, 3).Draw(t, "dst")
			sc.flow((dst+rapid.IntRange(1, 3).Draw(t, "src"))%4, dst, units.Bytes(rapid.IntRange(1, 5000).Draw(t, "bytes")), 0)
			f := &sc.Flows[i]
			f.Start = units.Time(rapid.IntRange(0, 5).Draw(t, "start")) * units.Microsecond
			f.QueuePair = rapid.IntRange(0, 2).Draw(t, "queue pair")
			for range rapid.IntRange(0, min(2, i)).Draw(t, "waits") {
				f.After = append(f.After, rapid.Int32Range(0, int32(i)-1).Draw(t, "after"))
			}
		}
		s := must.Get(newEngine(sc))(t)
		for s.step(never) {
		}
		checkMessages(t, sc, s)
	})
}

func checkMessages(t failer, sc *Scenario, s *engine) {
	t.Helper()
	if s.finished != len(s.messages) {
		t.Fatalf("%d of %d messages finished", s.finished, len(s.messages))
	}
	for i := range s.messages {
		m := &s.messages[i]
		if m.delivered <= m.started || m.finished <= m.delivered || m.started < int64(sc.Flows[i].Start) {
			t.Fatalf("message %d starts at %d, is delivered at %d and finished at %d", i, m.started, m.delivered, m.finished)
		}
		if m.next != none && s.messages[m.next].finished < m.finished {
			t.Fatalf("message %d ends after the one behind it", i)
		}
		for _, before := range sc.Flows[i].After {
			b := &s.messages[before]
			over := b.finished
			if sc.Flows[before].Dst == sc.Flows[i].Src {
				over = b.delivered
			}
			if m.started < over {
				t.Fatalf("message %d starts at %d, before %d is over at %d", i, m.started, before, over)
			}
		}
	}
}

// Messages that wait for one another are an error.
func TestWaitingForever(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	for i := range 4 {
		sc.flow(0, 1, 1, 0)
		sc.Flows[i].After = [][]int32{{}, {2, 0}, {3}, {1}}[i]
	}
	_, err := newEngine(sc)
	if err == nil || !strings.Contains(err.Error(), "flow 1 and 2 more wait for each other") {
		t.Errorf("error %v", err)
	}
}

// Steps that wait for one another allocate nothing, nor do messages on used queue pairs.
func TestNoAllocationOfMessages(t *testing.T) {
	sc := leafSpine(1, 8, 0)
	for step := range 4000 {
		for src := range 8 {
			sc.flow(src, (src+1)%8, 3000, 0)
			f := &sc.Flows[len(sc.Flows)-1]
			if f.QueuePair = 1; step > 0 {
				f.After = []int32{int32((step-1)*8 + (src+7)%8)}
			}
		}
	}
	s := must.Get(newEngine(sc))(t)
	s.steps(never, 100_000)
	allocs := testing.AllocsPerRun(5, func() { s.steps(never, 50_000) })
	if allocs != 0 || s.finished == len(s.messages) {
		t.Errorf("%v allocations, %d messages finished", allocs, s.finished)
	}
}
