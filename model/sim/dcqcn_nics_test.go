package sim

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// cardOf is DCQCN of a card of the catalogue, in the simulator's terms and in calc's. What the
// catalogue does not know is the paper's, as in calc.
func cardOf(t *testing.T, name string) (DCQCN, calc.Steady) {
	t.Helper()
	catalogue, _ := chips.Load()
	n, ok := catalogue.NIC(name)
	if !ok {
		t.Fatalf("no NIC %s", name)
	}
	const us = units.Microsecond
	s := calc.Steady{
		Gap: n.CNPInterval.Or(50 * us), DecreaseInterval: n.DecreaseInterval.Or(50 * us),
		Timer: n.TimeReset.Or(55 * us), Bytes: n.ByteReset.Or(10 * units.MB), Threshold: int64(n.Threshold.Or(5)),
		Additive: n.AIRate.Or(40 * units.Mbps), Hyper: n.HAIRate.Or(400 * units.Mbps), G: int64(n.G.Or(1020)), GD: 11,
		AlphaInterval: n.AlphaInterval.Or(55 * us), Clamp: n.ClampTarget.Or(true),
	}
	return DCQCN{
		Gain: float64(1024-s.G) / 1024, AlphaInterval: s.AlphaInterval, DecreaseInterval: s.DecreaseInterval, IncreaseInterval: s.Timer,
		ByteCounter: s.Bytes, FastRecovery: int(s.Threshold), Additive: s.Additive, Hyper: s.Hyper, ClampTarget: s.Clamp, Repace: true,
	}, s
}

var everyCard = flag.Bool("cards", false, "simulate every row of golden/sim_dcqcn.txt, which takes a quarter of an hour, not three of them")

// A cardRow is a comparison of golden/sim_dcqcn.txt.
type cardRow struct {
	card string
	rate units.BitRate
	n    int
}

// often is whether a row is simulated with every change.
func (r cardRow) often() bool {
	return r == cardRow{"connectx-7", 25 * units.Gbps, 8} || r == cardRow{"connectx-4", 100 * units.Gbps, 1} || r == cardRow{"connectx-7", 25 * units.Gbps, 2}
}

// unlike is why a row need not be within 10 % of the closed form: a number in the head of
// golden/sim_dcqcn.txt, 0 if it must be.
func (r cardRow) unlike() int {
	switch {
	case r.card == "e810":
		return 1
	case r.n == 2 && r.rate == 400*units.Gbps:
		return 2
	}
	return 0
}

// The closed form of the fixed point and the simulator agree for cards, speeds and numbers of
// flows; where they do not, golden/sim_dcqcn.txt says why. Rows that are not simulated now are
// those of the file, which have to be within 10 % as well and have today's closed form.
func TestFixedPointsOfCards(t *testing.T) {
	const golden = "../../golden/sim_dcqcn.txt"
	var kept map[cardRow]float64
	if !*everyCard {
		kept = keptRows(t, golden)
	}
	var report bytes.Buffer
	report.WriteString(cardsHead + cardsColumns)
	for _, card := range []string{"connectx-7", "connectx-4", "e810"} {
		for _, rate := range []units.BitRate{25 * units.Gbps, 100 * units.Gbps, 400 * units.Gbps} {
			for _, n := range []int{1, 2, 8, 32} {
				row := cardRow{card, rate, n}
				got, known := kept[row]
				want := 100 * row.theory(t)
				if !known || row.often() {
					got = 100 * row.simulated(t)
				}
				got = math.Round(1e4*got) / 1e4 // as the file has it
				off, why := 100*(got/want-1), row.unlike()
				fmt.Fprintf(&report, "%-11s %8v %5d %10.4f %10.4f %+8.1f", card, rate, n, got, want, off)
				if why > 0 {
					fmt.Fprintf(&report, "   (%d)", why)
				}
				report.WriteByte('\n')
				if math.Abs(off) > 10 && why == 0 {
					t.Errorf("%s at %v, %d flows: %.4f %% are marked, theory says %.4f %%: %+.1f %%", card, rate, n, got, want, off)
				}
			}
		}
	}
	compareGolden(t, "sim_dcqcn.txt", report.Bytes())
}

// keptRows returns the simulated rows, by the golden file.
func keptRows(t *testing.T, golden string) map[cardRow]float64 {
	kept := map[cardRow]float64{}
	text, err := os.ReadFile(golden)
	_, table, found := strings.Cut(string(text), cardsColumns)
	if !found {
		t.Fatalf("%s has no table, %v: simulate it anew with -cards", golden, err)
	}
	for line := range strings.Lines(table) {
		var row cardRow
		var rate string
		var got float64
		if _, err := fmt.Sscan(line, &row.card, &rate, &row.n, &got); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		var err error
		if row.rate, err = units.ParseBitRate(rate); err != nil {
			t.Fatal(err)
		}
		kept[row] = got
	}
	return kept
}

// theory returns the closed form's share of marked packets.
func (r cardRow) theory(t *testing.T) float64 {
	_, steady := cardOf(t, r.card)
	steady.Flows, steady.Rate, steady.PacketRate = int64(r.n), r.rate, calc.PacketRate(r.rate, cardPayload)
	return float64(steady.FixedPoint()) / float64(units.One)
}

const cardPayload = 4096

// simulated returns the share of marked packets once the queue has swung to and fro. The curve is so
// wide that the probability changes little while it does, and steady enough that it comes to rest.
func (r cardRow) simulated(t *testing.T) float64 {
	d, steady := cardOf(t, r.card)
	sc := towards(r.n, 2*r.rate, 0) // a flow alone must be able to exceed the port
	for i := range sc.Flows {
		sc.Flows[i].Bytes = 1000 * units.GB
	}
	sc.Links[0].Rate = r.rate
	sc.Wire = Ethernet()
	sc.Buffer.Size, sc.Buffer.AlphaShift = 4095*units.MiB, 0
	sc.Transport.Payload, sc.Transport.CNPInterval = cardPayload, steady.Gap
	sc.Congestion.Algorithm, sc.Congestion.DCQCN = UseDCQCN, d
	kmin := 20 * units.KB
	sc.ECN = []ECN{{Rate: r.rate, KMin: kmin, KMax: kmin + r.rate.FloorBytes(20*units.Millisecond), PMax: min(1, 2*r.theory(t))}}
	s := must.Get(newEngine(sc))(t)
	const port, class = 1, 3
	// The queue begins where the closed form has it, and a quarter higher: what the run finds
	// must not be where it began.
	for high := int64(5 * sc.ECN[0].KMax / 8); int64(s.queue(port, class).bytes) < high; {
		r.begin(s, 2)
		for k := 0; k < 100*r.n && s.step(never); k++ {
		}
	}
	r.begin(s, 1)
	from, to := s.now, s.now+int64(1200*units.Millisecond)
	if r.rate > 25*units.Gbps {
		to = s.now + int64(600*units.Millisecond)
	}
	for from += int64(100 * units.Millisecond); s.now < from && s.step(never); {
	}
	sent, marks := s.ports[port].sent, s.marks
	for s.now < to && s.step(never) {
	}
	packet := float64(s.transport.payload + int64(s.transport.dataHeader))
	return float64(s.marks-marks) / (float64(s.ports[port].sent-sent) / packet)
}

// begin lets flows send at some times their share of the port, their timers one after the other.
func (r cardRow) begin(s *engine, times uint64) {
	for i := range r.n {
		f := &s.flows[i]
		c := &f.law.DCQCN
		f.rate = times * uint64(r.rate) / uint64(r.n)
		at := s.now + int64(i+1)*int64(c.IncreaseInterval)/int64(r.n)
		f.law.dcqcn.states[i] = dcqcnState{active: true, alpha: 0.01, target: f.rate, alphaAt: at, decreaseAt: at, increaseAt: at, bytesLeft: int64(c.ByteCounter)}
	}
}

const cardsHead = `Where DCQCN settles with the constants of NICs: simulated, and by formula dcqcn-fixed-point

So many flows share a port, 4,096 B per packet, whose queue marks by a curve 20 ms wide, Pmax twice
the fixed point. The queue begins a quarter above where the formula has it, flows at their shares;
the marks of 1.1 s at 25G and of 0.5 s at other speeds count, once 0.1 s have passed. What the
catalogue does not know of a card is the paper's. Rows without a number are enforced at 10 %.

The closed form is the balance of means. The loop of queue and rates swings around it, lightly
damped, and the narrower the curve, the further: on one of 2 ms the queue of eight ConnectX-7 at
100G goes from Kmin to Kmax and back every 78 ms, and what is marked is 20 % off, of one ConnectX-4
15 times as much. docs/dcqcn.md has the phase margin.

(1) E810, with the paper's constants where its own are not known, leaves the curve: marks are heard
    once their packets have left the queue, so while a run begins flows rise unheard for 12.5 ms,
    the queue grows to many times the curve, and it stands there or empties. The closed form is
    not at fault: in a model apart, where marks are heard at once, eight flows are 1.3 % off at
    25G and 0.1 % at 100G; where they wait, 25G settles and 100G swings without end
    (TestMarksThatWaitInTheQueue, docs/dcqcn.md).
(2) A swing lasts about as long as the run; in 1.8 s the row of ConnectX-7 is 9 % below.

`

const cardsColumns = "card           speed flows  simulated     theory        %\n"

// Why the E810 leaves wide curves: a switch marks packets as they come in, and a mark reaches the
// sender when the packet has left the queue. Flows stepped by the microsecond, apart from the
// simulator, meet the closed form within 10 % where marks are heard at once. Where they wait as long
// as the queue, eight flows still do at 25 Gb/s, and at 100 Gb/s swing beyond the curve without end.
func TestMarksThatWaitInTheQueue(t *testing.T) {
	for rate, settles := range map[units.BitRate]bool{25 * units.Gbps: true, 100 * units.Gbps: false} {
		row := cardRow{"e810", rate, 8}
		want := row.theory(t)
		atOnce, late := row.stepped(t, want, false), row.stepped(t, want, true)
		t.Logf("%v: theory %.3f %%, marks heard at once %.3f %%, after the queue %.3f %%", rate, 100*want, 100*atOnce, 100*late)
		if math.Abs(atOnce/want-1) > 0.1 {
			t.Errorf("%v: %.3f %% are marked where marks are heard at once, theory says %.3f %%", rate, 100*atOnce, 100*want)
		}
		if near := math.Abs(late/want-1) <= 0.1; near != settles {
			t.Errorf("%v: %.3f %% are marked where marks wait in the queue, theory says %.3f %%", rate, 100*late, 100*want)
		}
	}
}

// A steppedFlow is DCQCN's reaction point with target and rate in bit/s.
type steppedFlow struct {
	rate, target, alpha   float64
	fade, timer, counter  float64 // seconds, seconds and bits to the next event
	silent                float64 // seconds in which no decrease may come
	timerSteps, byteSteps int
}

// stepped returns the share of marked packets on a curve of 20 ms, twice the closed form high, in a model
// of its own: each flow's rate is constant for a microsecond.
func (r cardRow) stepped(t *testing.T, want float64, waits bool) float64 {
	const dt, lasts = 1e-6, 0.2
	d, s := cardOf(t, r.card)
	random := rand.New(rand.NewPCG(1, 1))
	capacity := float64(r.rate)
	width := 20e-3 * capacity
	seconds := func(x units.Time) float64 { return float64(x) / 1e12 }
	flows := make([]steppedFlow, r.n)
	for i := range flows {
		share := capacity / float64(r.n)
		flows[i] = steppedFlow{rate: share, target: share, alpha: 0.3, fade: random.Float64() * seconds(d.AlphaInterval),
			timer: random.Float64() * seconds(d.IncreaseInterval), counter: random.Float64() * float64(8*d.ByteCounter)}
	}
	heard := make([]float64, int(lasts/dt)+1) // probability of the packets that leave in a step
	queue, sent, marked, left := 0.625*width, 0.0, 0.0, 0
	for step := range int(lasts / dt) {
		p := min(1, 2*want*queue/width)
		at := step
		if waits {
			at += int(queue / capacity / dt)
		}
		for left <= at && left < len(heard) {
			heard[left] = p
			left++
		}
		arrived := 0.0
		for i := range flows {
			f := &flows[i]
			packets := f.rate * dt / (8 * (4096 + 82))
			arrived += f.rate * dt
			if step > int(lasts/dt)/4 {
				sent, marked = sent+packets, marked+p*packets
			}
			f.advance(dt, &d, seconds(max(s.Gap, s.DecreaseInterval)), capacity, random.Float64() < -math.Expm1(-heard[step]*packets))
		}
		queue = max(0, queue+arrived-capacity*dt)
	}
	return marked / sent
}

func (f *steppedFlow) advance(dt float64, d *DCQCN, gap, most float64, cnp bool) {
	f.silent -= dt
	if cnp && f.silent <= 0 {
		f.target = f.rate
		f.rate = max(1e6, f.rate*(1-f.alpha/2))
		f.alpha += d.Gain * (1 - f.alpha)
		f.silent, f.fade, f.timer, f.counter = gap, float64(d.AlphaInterval)/1e12, float64(d.IncreaseInterval)/1e12, float64(8*d.ByteCounter)
		f.timerSteps, f.byteSteps = 0, 0
		return
	}
	if f.fade -= dt; f.fade <= 0 {
		f.fade = float64(d.AlphaInterval) / 1e12
		f.alpha *= 1 - d.Gain
	}
	if f.timer -= dt; f.timer <= 0 {
		f.timer = float64(d.IncreaseInterval) / 1e12
		f.timerSteps++
		f.increase(d, most)
	}
	if f.counter -= f.rate * dt; f.counter <= 0 {
		f.counter += float64(8 * d.ByteCounter)
		f.byteSteps++
		f.increase(d, most)
	}
}

func (f *steppedFlow) increase(d *DCQCN, most float64) {
	switch timer, counter := f.timerSteps > d.FastRecovery, f.byteSteps > d.FastRecovery; {
	case timer && counter:
		f.target = min(most, f.target+float64(d.Hyper))
	case timer || counter:
		f.target = min(most, f.target+float64(d.Additive))
	}
	f.rate = min(most, (f.rate+f.target)/2)
}
