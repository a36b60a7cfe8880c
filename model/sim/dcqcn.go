package sim

import (
	"cmp"
	"math"

	"github.com/roceplan/roceplan/units"
)

// DCQCN is the reaction point of Zhu et al., "Congestion Control for Large-Scale RDMA
// Deployments", SIGCOMM 2015, in the variant of Mellanox NICs as the HPCC simulator
// has it (rdma-hw.cc, cnp_received_mlx and below). A notification is the echo of CE in an
// acknowledgement, at most one per [Transport.CNPInterval].
//
//   - The first notification sets alpha to InitialAlpha, the rate to FirstRate if that is lower, and
//     the target to the rate.
//   - Every AlphaInterval: alpha = (1-Gain)*alpha, plus Gain if a notification came.
//   - Every DecreaseInterval (the first time a nanosecond later, so that alpha is
//     fresh), if a notification came since the last decrease: the target becomes the
//     current rate, but only if ClampTarget or if the rate was increased since the last
//     decrease (by the counter alone with KeepAfterTimer); the rate falls by alpha/2, or by
//     Cut of alpha, but not below LeastKept of itself; the increase starts again.
//   - Every IncreaseInterval after that, and every ByteCounter bytes: the rate goes
//     half-way to the target. Once timer or counter has done so FastRecovery times, the
//     target is first raised by Additive; once both have done so more often, by Hyper.
type DCQCN struct {
	Gain             float64
	AlphaInterval    units.Time
	DecreaseInterval units.Time
	IncreaseInterval units.Time
	ByteCounter      units.Bytes // 0: none, as in the HPCC simulator
	FastRecovery     int
	Additive, Hyper  units.BitRate
	ClampTarget      bool

	// Parameters of NICs that the HPCC simulator lacks; the zero value is the simulator's
	// behaviour.
	InitialAlpha   float64 // 0: 1
	Cut            float64 // of alpha in a decrease; 0: 1/2
	LeastKept      float64 // of the rate in a decrease
	KeepAfterTimer bool    // an increase by the timer lets the target be

	// FirstRate is the rate after the first notification, NVIDIA's rate_to_set_on_first_cnp; 0:
	// that lets the rate be. It is MinRate at least. The first decrease comes as it would without.
	FirstRate units.BitRate

	// Repace lets a packet that waits leave earlier when the rate rises. In the HPCC simulator
	// it waits as long as the rate behind the packet before it says: 9 ms at 1 Mb/s, though
	// the timer may have raised that to gigabits after 300 us.
	Repace bool
}

const never = math.MaxInt64

// dcqcnState is one queue pair's. Its timers run on paper: [dcqcnState.catchUp] does
// what they would have done, when the rate is needed. It fills a cache line.
type dcqcnState struct {
	target uint64
	alpha  float64

	stage, byteStage int32 // increases by timer and by byte counter since the last decrease
	bytesLeft        int64 // until the next increase by byte counter

	alphaAt    int64 // next time of each timer, ps
	decreaseAt int64
	increaseAt int64 // never before the first decrease

	active           bool // a notification has come
	notifiedAlpha    bool // since the last time of the alpha timer
	notifiedDecrease bool // since the last decrease
}

// dcqcnControl is DCQCN of a class's queue pairs.
type dcqcnControl struct {
	states []dcqcnState
	decay  decay
}

func (d *dcqcnControl) start(_ *engine, i int32, _ *flow) { d.states[i] = dcqcnState{} }

func (d *dcqcnControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	if e.marked && !f.done() {
		d.states[i].congestion(s, f, e.left)
	}
}

// congestion takes a notification, which was under way on the last link since left.
func (d *dcqcnState) congestion(s *engine, f *flow, left int64) {
	if !d.active {
		c := &f.law.DCQCN
		if c.FirstRate > 0 {
			f.rate = min(f.rate, uint64(max(c.FirstRate, f.law.MinRate)))
		}
		*d = dcqcnState{
			active: true, alpha: c.initialAlpha(), target: f.rate, notifiedDecrease: true,
			alphaAt:    s.now + int64(c.AlphaInterval),
			decreaseAt: s.now + int64(c.DecreaseInterval+units.Nanosecond),
			increaseAt: never,
		}
		return
	}
	d.catchUp(s, f)
	until := s.now
	if s.now-int64(f.law.DCQCN.AlphaInterval) > left {
		until-- // a timer for now was set after the packet had left: the packet comes first
	}
	d.ageAlpha(f.law, until)
	d.notifiedAlpha = true
	d.notifiedDecrease = true
}

// catchUp lets the decrease and increase timers fire that are due. Without a notification the
// former does nothing, so its times are skipped in one step. Of two timers for the same time, that
// with the longer interval was set first and fires first.
func (d *dcqcnState) catchUp(s *engine, f *flow) {
	if !d.active {
		return
	}
	c := &f.law.DCQCN
	for {
		first := d.increaseAt < d.decreaseAt || d.increaseAt == d.decreaseAt && c.IncreaseInterval > c.DecreaseInterval
		if s.due(d.increaseAt, c.IncreaseInterval) && (!d.notifiedDecrease || first) {
			before := f.rate
			d.increase(c, f)
			if wait := f.nextSend - d.increaseAt; c.Repace && wait > 0 {
				f.nextSend = d.increaseAt + int64(float64(wait)*float64(before)/float64(f.rate))
			}
			d.stage++
			d.increaseAt += int64(c.IncreaseInterval)
		} else if d.notifiedDecrease && s.due(d.decreaseAt, c.DecreaseInterval) {
			d.decrease(s, f)
		} else {
			break
		}
	}
	if behind := s.now - d.decreaseAt; behind >= 0 && !d.notifiedDecrease {
		d.decreaseAt += (behind/int64(c.DecreaseInterval) + 1) * int64(c.DecreaseInterval)
	}
}

// due reports whether a timer fires before the event that is being handled. Of two at the same time
// the one that was set first comes first.
func (s *engine) due(at int64, interval units.Time) bool {
	return at < s.now || at == s.now && at-int64(interval) <= s.setAt
}

func (d *dcqcnState) decrease(s *engine, f *flow) {
	c := &f.law.DCQCN
	d.ageAlpha(f.law, d.decreaseAt)
	if c.ClampTarget || d.stage > 0 && !c.KeepAfterTimer || d.byteStage > 0 {
		d.target = f.rate
	}
	f.rate = max(uint64(f.law.MinRate), scale(f.rate, c.Keeps(d.alpha)))
	d.stage, d.byteStage, d.bytesLeft = 0, 0, int64(c.ByteCounter)
	d.notifiedDecrease = false
	d.increaseAt = d.decreaseAt + int64(c.IncreaseInterval)
	d.decreaseAt += int64(c.DecreaseInterval)
}

func (d *dcqcnState) increase(c *DCQCN, f *flow) {
	least, most := d.stage, d.stage
	if c.ByteCounter > 0 {
		least, most = min(least, d.byteStage), max(most, d.byteStage)
	}
	switch {
	case int(most) < c.FastRecovery:
	case int(least) > c.FastRecovery:
		d.target = min(d.target+uint64(c.Hyper), f.lineRate)
	default:
		d.target = min(d.target+uint64(c.Additive), f.lineRate)
	}
	f.rate = scale(f.rate, 0.5) + scale(d.target, 0.5)
}

func (c *DCQCN) initialAlpha() float64 {
	if c.InitialAlpha == 0 {
		return 1
	}
	return c.InitialAlpha
}

// Keeps returns the part of the rate that a decrease leaves with some alpha.
func (c *DCQCN) Keeps(alpha float64) float64 {
	return max(c.LeastKept, 1-alpha*cmp.Or(c.Cut, 0.5))
}

// waits returns the time until which a queue pair waits for its pace, if it does: it looks no
// further than to the next increase, which may shorten that.
func (d *dcqcnState) waits(s *engine, f *flow) int64 {
	if f.nextSend <= s.now || !d.active {
		return f.nextSend
	}
	d.catchUp(s, f)
	if f.nextSend <= s.now {
		return f.nextSend
	}
	return min(f.nextSend, max(d.increaseAt, s.now+1))
}

// sent counts bytes towards the next increase.
func (d *dcqcnState) sent(s *engine, f *flow, bytes int64) {
	if d.increaseAt == 0 || d.increaseAt == never {
		return
	}
	d.catchUp(s, f)
	c := &f.law.DCQCN
	for d.bytesLeft -= bytes; d.bytesLeft <= 0; d.bytesLeft += int64(c.ByteCounter) {
		d.increase(c, f)
		d.byteStage++
	}
}

// ageAlpha lets the alpha timer fire for all its times up to at. Only the first of
// them can have a notification before it.
func (d *dcqcnState) ageAlpha(l *law, at int64) {
	if at < d.alphaAt {
		return
	}
	c := &l.DCQCN
	times := (at-d.alphaAt)/int64(c.AlphaInterval) + 1
	d.alphaAt += times * int64(c.AlphaInterval)
	d.alpha *= 1 - c.Gain
	if d.notifiedAlpha {
		d.alpha += c.Gain
		d.notifiedAlpha = false
	}
	d.alpha *= l.dcqcn.decay.pow(times - 1)
}

// decay knows the powers of 1-gain: alpha ages a few dozen times between two
// notifications.
type decay struct {
	base   float64
	powers [64]float64
}

func newDecay(gain float64) (d decay) {
	d.base = 1 - gain
	d.powers[0] = 1
	for i := 1; i < len(d.powers); i++ {
		d.powers[i] = d.powers[i-1] * d.base
	}
	return d
}

func (d *decay) pow(n int64) float64 {
	if n < int64(len(d.powers)) {
		return d.powers[n]
	}
	return math.Pow(d.base, float64(n))
}
