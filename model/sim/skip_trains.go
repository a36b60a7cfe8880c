package sim

import (
	"cmp"
	"math"
	"slices"
)

// pace is the common pace of trains that wait for one another, so that all go on by as many times:
// those of a ring, or of a tree. Others go at a pace of their own, and as much time is skipped for
// them.
type pace struct {
	trains []int32
	lags   []float64 // times that each would have gone on more than it was taken to, by train
	debt   float64   // ps that were skipped and were no whole time
}

// paces parts the trains of a run by what waits for what.
func paces(s *engine) (list []pace) {
	of := map[int32]int32{} // one for all that wait for one another, by train
	var first func(i int32) int32
	first = func(i int32) int32 {
		if of[i] != i {
			of[i] = first(of[i])
		}
		return of[i]
	}
	for i := range s.messages {
		if s.messages[i].repeat > 0 {
			of[int32(i)] = int32(i)
		}
	}
	for i := range of {
		for _, before := range s.each[i] {
			a, b := first(i), first(before)
			of[max(a, b)] = min(a, b)
		}
	}
	at := map[int32]int{}
	for i := range s.messages {
		if s.messages[i].repeat == 0 {
			continue
		}
		group := first(int32(i))
		k, known := at[group]
		if !known {
			k = len(list)
			at[group], list = k, append(list, pace{})
		}
		list[k].trains = append(list[k].trains, int32(i))
	}
	for i := range list {
		list[i].lags = make([]float64, len(list[i].trains))
	}
	return list
}

// begun reports whether a train was posted once.
func (s *engine) begun(i int32) bool { return s.flows[s.messages[i].pair].last == i }

// running reports whether a train has begun and not ended.
func (s *engine) running(i int32) bool { m := &s.messages[i]; return s.begun(i) && !m.last(m.done) }

// period returns the time that a train took for one of its times, in ps.
func (t *stretch) period(m *message) float64 {
	a, c := &t.a[m.pair], &t.c[m.pair]
	return float64(c.doneAt-a.doneAt) / float64(c.done-a.done)
}

// period returns the mean of those that run, 0 where none does, and how many times are left to skip for each of them.
// Where some have not begun there are none, for these will wait for every time of the others.
func (p *pace) period(s *engine, t *stretch) (ps float64, left int32) {
	n, begun := 0, true
	left = math.MaxInt32
	for _, i := range p.trains {
		if m := &s.messages[i]; s.running(i) {
			ps, n, left = ps+t.period(m), n+1, min(left, m.repeat-m.times-2)
		}
		begun = begun && s.begun(i)
	}
	switch {
	case n == 0:
		return 0, 0
	case !begun:
		left = 0
	}
	return ps / float64(n), left
}

// times returns the number of times that fit into the skipped time, with the rest from before.
func (p *pace) times(period float64, ps int64) float64 {
	return math.Max(0, math.Round((float64(ps)+p.debt)/period))
}

// together reports whether trains that wait for one another are taken to go on alike as they do, after so much more is
// skipped: those whose pace seems another one for a while may lag by a time, and by [driftShare] of all that they have.
func (p *pace) together(s *engine, t *stretch, period float64, ps int64) bool {
	for k, i := range p.trains {
		if m := &s.messages[i]; s.running(i) && math.Abs(p.lag(k, t.period(m), period, ps)) > 1+driftShare*float64(m.done) {
			return false
		}
	}
	return true
}

// lag returns how far a train of its own period lags after so much more is skipped.
func (p *pace) lag(train int, own, period float64, ps int64) float64 {
	return p.lags[train] + float64(ps)/own - float64(ps)/period
}

// jump takes off the times that are skipped.
func (p *pace) jump(s *engine, t *stretch, ps int64) {
	period, _ := p.period(s, t)
	if period == 0 {
		return
	}
	times := p.times(period, ps)
	p.debt += float64(ps) - times*period
	for k, i := range p.trains {
		if m := &s.messages[i]; s.running(i) {
			p.lags[k] = p.lag(k, t.period(m), period, ps)
			m.repeat -= int32(times)
		}
	}
}

// ofTrains returns the time that can be skipped of running trains: whole times of the slowest, and about as many of
// the others as they have in it.
func (k *skipper) ofTrains(s *engine, t *stretch, most int64) int64 {
	type running struct {
		*pace
		period float64
		left   int32
	}
	var all []running
	for i := range k.paces {
		p := &k.paces[i]
		if period, left := p.period(s, t); period > 0 {
			all = append(all, running{p, period, left})
			most = min(most, int64(math.Max(0, float64(left)-1)*period-p.debt))
		}
	}
	if len(all) == 0 {
		return most
	}
	slowest := slices.MaxFunc(all, func(a, b running) int { return cmp.Compare(a.period, b.period) }).period
	for ; most >= steadyWindow; most /= 2 {
		ps := int64(math.Floor(float64(most)/slowest) * slowest)
		if !slices.ContainsFunc(all, func(r running) bool { return !r.together(s, t, r.period, ps) }) {
			return ps
		}
	}
	return 0
}
