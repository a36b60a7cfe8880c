package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/units"
)

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

// stepped is the share of marked packets on a curve of 20 ms, twice the closed form high, in a model
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
