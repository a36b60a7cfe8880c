package main

import (
	"math"
	"math/big"
	"slices"
	"strings"
)

// The page, "The model".

// bounded reports whether a buffer is within the bounds of the page.
func (m *model) bounded() bool {
	b, good := m.Config, true
	within := func(low, high int64, all ...int64) {
		for _, n := range all {
			good = good && n >= low && n <= high
		}
	}
	amounts := func(all ...int64) { within(0, 1<<40, all...) } // cells
	one := func(word ruleWord, of ...ruleWord) { good = good && (word == "" || slices.Contains(of, word)) }
	limited := func(l limit) {
		if amounts(l.Static); l.Dynamic {
			within(-8, 8, int64(l.Alpha))
		}
		within(0, 32, int64(l.Code.Bits))
	}
	whole := func(list []bound, pools int) {
		seen := map[int]bool{}
		for _, x := range list {
			within(0, int64(pools)-1, int64(x.Pool))
			limited(x.Limit)
			good, seen[x.Pool] = good && !seen[x.Pool], true
		}
	}
	within(1, 1<<20, b.Cell)
	within(0, 1<<20, b.Metadata, b.Unit, b.Overhead)
	within(1, 64, int64(b.Slices))
	one(b.Rules.Admission, "with_cell", "below_with_cell", "before_cell")
	one(b.Rules.Pause, "when_full", "on_excess")
	one(b.Rules.Resume, "below_pause_level")
	one(b.Rules.Decided, "start", "end")
	within(1, math.MaxInt64, int64(len(b.Ingress)), int64(len(b.Egress)))
	within(int64(len(m.Ports)), int64(len(m.Ports)), int64(len(b.Ports)))
	for _, p := range slices.Concat(b.Ingress, b.Egress) {
		amounts(p.Shared, p.Headroom)
	}
	for _, p := range b.Ports {
		within(0, int64(b.Slices)-1, int64(p.Slice))
		within(0, 8, int64(len(p.PGs)))
		within(0, 16, int64(len(p.Queues)))
		whole(p.Ingress, len(b.Ingress))
		whole(p.Egress, len(b.Egress))
		for _, g := range p.PGs {
			within(0, int64(len(b.Ingress))-1, int64(g.Pool))
			amounts(g.Reserved, g.Headroom, g.Xon, g.XonOffset)
			limited(g.Limit)
			good = good && (g.Headroom == 0 || g.Lossless && (!g.Pooled || b.Ingress[g.Pool].Headroom > 0))
		}
		for _, q := range p.Queues {
			within(0, int64(len(b.Egress))-1, int64(q.Pool))
			amounts(q.Reserved)
			limited(q.Limit)
		}
	}
	return good
}

// rule of admission by number, as functions take it.
func (b *buffer) rule() int64 {
	return map[ruleWord]int64{"below_with_cell": 1, "before_cell": 2}[b.Rules.Admission]
}

// An account is a priority group of a port, with what bounds its part of the shared cells: its own limit, and that of its
// whole port in the pool, if both count.
type account struct {
	port, number, slice int
	pg                  *pg
	limits              []limit
	joint               bool // others of the port have a part in what it may take
}

func (m *model) account(port, number int) account {
	p := &m.Config.Ports[port]
	own := &p.PGs[number]
	a := account{port, number, p.Slice, own, []limit{own.Limit}, false}
	whole, bounded := boundIn(p.Ingress, own.Pool)
	switch {
	case !bounded:
		return a
	case own.Limit.Dynamic != whole.Dynamic:
		a.limits = append(a.limits, whole)
	case whole.Dynamic: // the lesser of two of a kind
		a.limits[0] = limit{Dynamic: true, Alpha: min(own.Limit.Alpha, whole.Alpha)}
	default:
		a.limits[0] = limit{Static: min(own.Limit.Static, whole.Static)}
	}
	for i, g := range p.PGs {
		a.joint = a.joint || i != number && g.Pool == own.Pool && (g.Limit.Dynamic || g.Limit.Static > 0)
	}
	return a
}

func boundIn(bounds []bound, pool int) (limit, bool) {
	i := slices.IndexFunc(bounds, func(b bound) bool { return b.Pool == pool })
	if i < 0 {
		return limit{}, false
	}
	return bounds[i].Limit, true
}

// accounts that pass, by port and number.
func (m *model) accounts(pass func(account) bool) (list []account) {
	for port := range m.Config.Ports {
		for number := range m.Config.Ports[port].PGs {
			if a := m.account(port, number); pass(a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// feeds reports whether packets of a lossless account leave by a queue of a port that passes.
func (m *model) feeds(a account, out int, pass func(number int, q queue) bool) bool {
	fed := m.Ports[a.port].Queues
	if k := m.Ports[out].Map; k > 0 && k <= len(m.Ports[a.port].Other) {
		fed = m.Ports[a.port].Other[k-1]
	}
	for number, q := range m.Config.Ports[out].Queues {
		if a.pg.Lossless && fed[a.number]>>number&1 == 1 && pass(number, q) {
			return true
		}
	}
	return false
}

// known reports whether all figures of a link are within the bounds of the page.
func (l link) known() bool {
	return l.Rate >= 1e6 && l.Rate <= 1e13 && l.Cable > 0 && l.Cable <= 1e9 && l.PortFrame >= 64 && l.PortFrame <= 1<<16 && l.LosslessFrame >= 64 &&
		max(l.Response, l.Gearbox, l.Interface) <= 1e12 && min(l.Response, l.Gearbox, l.Interface) >= 0
}

// need is N of the link of an account: what comes in after its pause, in cells; 0 where that is not known.
func (m *model) need(a account) int64 {
	l, b := m.Ports[a.port].Link, m.Config
	if cells, done := m.needs[l]; done || !l.known() {
		return cells
	}
	terms := map[string]*big.Int{"C": big.NewInt(b.Cell), "M": big.NewInt(b.Metadata), "i": big.NewInt(l.Interface), "t": big.NewInt(l.Response), "s": big.NewInt(l.Small)}
	for symbol, span := range b.linkSpans(l, "") {
		terms[symbol] = big.NewInt(span.low)
	}
	mix := anyMix
	if l.Small > 0 {
		mix = fewSmall
	}
	for _, step := range []struct{ symbol, expr string }{{"w", windowOf}, {"W", bytesOf}, {"N", mix}} {
		cells, err := evaluate(strings.ReplaceAll(step.expr, "~", ""), terms)
		if err != nil {
			return 0
		}
		terms[step.symbol] = cells
	}
	if m.needs == nil {
		m.needs = map[link]int64{}
	}
	m.needs[l] = terms["N"].Int64()
	return m.needs[l]
}

// above is the least that an account holds in its headroom: what comes in, and no more than there is.
func (m *model) above(a account) int64 { return min(m.need(a), a.pg.Headroom) }
