package main

import "slices"

// kept reports whether packets with a code point stay lossless: the receiver stops them, and all others that enter their group.
func kept(from, to *view, d int, silent []int) bool {
	good := stopped(from, to, d)
	for other, groups := range to.In {
		if groups&to.In[d]&uint16(to.Lossless) != 0 && !slices.Contains(silent, other) {
			good = good && stopped(from, to, other)
		}
	}
	return good
}

// stopped reports whether for each group that a code point enters, which is lossless, pauses of it stop all queues by which it leaves.
func stopped(from, to *view, d int) bool {
	good := from.Out[d] != 0 && to.In[d] != 0
	for g := range 16 {
		if to.In[d]>>g&1 == 0 {
			continue
		}
		queues := uint16(0)
		for p := range 8 {
			if from.PFC&to.PFC>>p&1 == 1 && int(to.Groups[p]) == g && from.Queues[p] < 16 {
				queues |= 1 << from.Queues[p]
			}
		}
		good = good && g < 8 && to.Lossless>>g&1 == 1 && from.Out[d]&^queues == 0
	}
	return good
}

// pairs goes through the pairs of states of a link in a step.
func (w *certificate) pairs(i, step int) pairs {
	l, m := &w.Links[i], &w.Moments[step-1]
	p := pairs{Link: i, Step: step, Verdict: holds}
	if l.Cable[step-1] == 0 {
		return p
	}
	there, back := w.demanded(l.A, l.B), w.demanded(l.B, l.A)
	lost := func(from, to *view, demanded [64]bool) int {
		for _, d := range m.Lossless {
			large := to.Frame > 0 && min(from.Frame, m.Frame) > to.Frame
			if demanded[d] && (large || !kept(from, to, d, m.Silent)) {
				return d
			}
		}
		return -1
	}
	for _, a := range w.during(&w.Chains[l.A[0]], step) {
		for _, b := range w.during(&w.Chains[l.B[0]], step) {
			x, y := w.view(l.A, a), w.view(l.B, b)
			if x == nil || y == nil {
				continue
			}
			p.Pairs++
			plain := func(fec string) bool { return fec == "" || fec == "auto" }
			if x.Speed != y.Speed && x.Speed > 0 && y.Speed > 0 || x.FEC != y.FEC && !plain(x.FEC) && !plain(y.FEC) {
				p.Down++
				continue
			}
			d := lost(x, y, there)
			if d < 0 {
				d = lost(y, x, back)
			}
			if d >= 0 {
				p.Verdict, p.Fails = fails, append(p.Fails, failure{A: a, B: b, DSCP: d})
			}
		}
	}
	return p
}
