package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The page, "Obligations": where figures come from.

// A span is what a figure may be, from low to high. Exact figures have a span of one.
type span struct{ low, high int64 }

func exactly(n int64) span { return span{n, n} }
func atLeast(n int64) span { return span{n, math.MaxInt64} }

// outside reports terms that are not within their spans.
func outside(terms []term, spans map[string]span) (wrong problems) {
	for _, t := range terms {
		if s, is := spans[t.Symbol]; is && (t.Value < s.low || t.Value > s.high) {
			wrong.addf("%s is %d, and from %d to %d in the model", t.Symbol, t.Value, s.low, s.high)
		}
	}
	return wrong
}

// figures checks sides, derived terms and given figures of an obligation against the model.
func (c *certificate) figures(o *obligation) (wrong problems) {
	m, known := o.meaning()
	if !known || m.lossless && !o.Lossless {
		wrong.addf("there is no such obligation, or it is one on lossless packets")
	}
	both := []inequality{o.inequality}
	shared := slices.Contains([]string{"pfc-before-drop", "egress-port-holds", "egress-pool-holds", "memory"}, o.ID)
	if o.Under != nil {
		if both = append(both, *o.Under); !shared {
			wrong.addf("only what groups share reads otherwise under conditions")
		}
	}
	for _, q := range both {
		if !matches(q.Left.Expr, m.left) || !matches(q.Right.Expr, m.right) {
			wrong.addf("it is %s ≤ %s, and not %s ≤ %s", q.Left.Expr, q.Right.Expr, m.left, m.right)
		}
	}
	wrong = append(append(wrong, o.derived()...), o.conditionTerms()...)
	switch {
	case o.ID == "pause-reaches-peer" || o.ID == "headroom" || o.ID == "xon-below-xoff":
		return append(wrong, c.onGroup(o)...)
	case !shared && o.ID != "headroom-pool":
		return wrong
	}
	first, _, _ := strings.Cut(o.Where, ",")
	slice, err := strconv.Atoi(strings.TrimPrefix(first, "slice "))
	if err != nil || slice < 0 || slice >= c.Model.Config.Slices {
		wrong.addf("there is no such slice")
		return wrong
	}
	for _, q := range both {
		wrong = append(wrong, outside(q.Terms, c.sharedSpans(o, slice))...)
	}
	if o.ID == "headroom-pool" {
		return append(wrong, c.onPool(o, slice)...)
	}
	accounts, besides, ok := c.Model.holders(o, both, slice)
	if !ok {
		wrong.addf("no queue or port has this right side and so many senders")
	}
	for i, q := range both {
		if accounts != nil && (i == 0 || !o.has("paused-at-once")) { // under which not all have packets
			wrong = append(wrong, c.Model.sum(q, accounts, besides)...)
		}
	}
	return wrong
}

func matches(expr, pattern string) bool {
	begin, goesOn := strings.CutSuffix(pattern, "…")
	return expr == pattern || goesOn && strings.HasPrefix(expr, begin)
}

// derived checks how terms follow from those before them.
func (o *obligation) derived() (wrong problems) {
	if !slices.Contains([]string{"headroom", "xon-below-xoff", "headroom-pool"}, o.ID) {
		return nil
	}
	for _, t := range o.Terms {
		letters, number := stem(t.Symbol)
		as := func(expr string) bool { return t.Expr == strings.ReplaceAll(expr, "~", number) }
		if letters == "w" && !as(windowOf) || letters == "W" && !as(bytesOf) || letters == "N" && !as(anyMix) && !as(fewSmall) && (t.Expr != "" || o.ID != "headroom-pool") {
			wrong.addf("%s is %q", t.Symbol, t.Expr)
		}
	}
	return wrong
}

// linkSpans are the figures of a link that no condition changes, with a number behind their symbols.
func (b *buffer) linkSpans(l link, number string) map[string]span {
	own := map[string]span{"e" + number: exactly(1)}
	if b.Rules.Decided == "end" {
		own["e"+number] = exactly(2)
	}
	for symbol, value := range map[string]int64{"A": l.PortFrame + gap, "P": 64 + gap, "R": l.Rate, "L": l.Cable, "v": 5, "g": l.Gearbox, "F": l.LosslessFrame} {
		own[symbol+number] = exactly(value)
	}
	return own
}

// onGroup checks an obligation on a group with the figures of each of its ports.
func (c *certificate) onGroup(o *obligation) (wrong problems) {
	i := slices.IndexFunc(c.Groups, func(g group) bool { return g.Where == o.Where && len(g.Ports) > 0 })
	if i < 0 {
		return problems{"no group is called so"}
	}
	resumes := o.ID != "xon-below-xoff" // it is on the worst slice
	for _, name := range c.Groups[i].Ports {
		at := slices.IndexFunc(c.Model.Ports, func(p port) bool { return p.Name == name })
		if at < 0 || c.Groups[i].PG < 0 || c.Groups[i].PG >= len(c.Model.Config.Ports[at].PGs) {
			return problems{"the model has no such port or group"}
		}
		a := c.Model.account(at, c.Groups[i].PG)
		if wrong = c.onPort(o, a); wrong != nil {
			return wrong
		}
		resumes = resumes || c.Model.resumes(o, a)
	}
	if !resumes {
		wrong.addf("f or T are not those of the group in any slice")
	}
	return wrong
}

func (c *certificate) onPort(o *obligation, a account) (wrong problems) {
	p, b := &c.Model.Ports[a.port], c.Model.Config
	spans := b.linkSpans(p.Link, "")
	spans["C"], spans["M"], spans["H"], spans["on"] = exactly(b.Cell), exactly(b.Metadata), exactly(a.pg.Headroom), exactly(int64(p.Pausable>>a.number&1))
	if o.ID == "xon-below-xoff" {
		spans["X"], spans["r"], spans["B"] = exactly(a.pg.Xon), exactly(a.pg.Reserved), exactly(b.Ingress[a.pg.Pool].Shared)
	}
	wrong = outside(o.Terms, spans)
	all := slices.Clone(o.Terms)
	for _, condition := range o.Conditions {
		all = append(all, condition.Terms...)
	}
	spans = map[string]span{"q": {0, 1}} // under conditions too
	if b.Rules.Pause == "on_excess" {
		spans["q"] = exactly(0)
	}
	if o.Verdict == holds || o.Verdict == conditional {
		for _, t := range all {
			if t.Symbol != "q" {
				spans[t.Symbol] = atLeast(0)
			}
		}
		spans["i"], spans["t"], spans["s"] = atLeast(p.Link.Interface), atLeast(p.Link.Response), atLeast(p.Link.Small)
	}
	if p.Link.Small == 0 {
		spans["s"] = span{1, 0} // none
	}
	return append(wrong, outside(all, spans)...)
}

// sharedSpans are the figures of what groups share in a slice.
func (c *certificate) sharedSpans(o *obligation, slice int) map[string]span {
	b := c.Model.Config
	spans := map[string]span{"C": exactly(b.Cell), "M": exactly(b.Metadata)}
	sums := map[string]int64{}
	for i, p := range b.Ingress {
		spans[fmt.Sprint("B", i)] = exactly(p.Shared)
		if o.ID == "headroom-pool" && strings.HasSuffix(o.Where, ", pool "+p.Name) {
			spans["S"] = exactly(p.Headroom)
		}
		sums["B"], sums["S"] = sums["B"]+p.Shared, sums["S"]+p.Headroom
	}
	for _, p := range b.Egress {
		if o.ID == "egress-pool-holds" && strings.HasSuffix(o.Where, ", pool "+p.Name) {
			spans["S"] = exactly(p.Shared)
		}
	}
	if o.ID == "memory" && (o.Under == nil || !o.has("assumed-datum")) {
		spans["V"] = exactly(c.memory())
	}
	if o.ID != "memory" || strings.HasSuffix(o.Where, atOnce) {
		return spans
	}
	for _, a := range c.Model.accounts(func(a account) bool { return a.slice == slice }) {
		if sums["r"] += a.pg.Reserved; !a.pg.Pooled {
			sums["h"] += a.pg.Headroom
		}
	}
	for _, symbol := range []string{"B", "S", "r", "h"} {
		spans[symbol] = exactly(sums[symbol])
	}
	return spans
}

// memory of a slice: that of the model, unless a condition says that it is more than the catalogue assumes.
func (c *certificate) memory() int64 {
	cells := c.Model.Config.SliceCells
	for _, o := range c.Obligations {
		for _, condition := range o.Conditions {
			if o.ID == "memory" && condition.ID == "assumed-datum" && condition.Worst == cells {
				return min(cells, condition.Bound)
			}
		}
	}
	return cells
}

// onPool checks each part of a headroom pool, and that the neediest groups have what comes in.
func (c *certificate) onPool(o *obligation, slice int) (wrong problems) {
	m, groups := c.Model, int64(0)
	for _, t := range o.Terms {
		number, part := strings.CutPrefix(t.Symbol, "n")
		if !part {
			continue
		}
		groups += t.Value
		of := m.accounts(func(a account) bool {
			return a.slice == slice && slices.ContainsFunc(c.Groups, func(g group) bool {
				return strings.HasPrefix(g.Where, strings.TrimPrefix(t.Name, "groups of ")+", PG ") && g.PG == a.number && slices.Contains(g.Ports, m.Ports[a.port].Name)
			})
		})
		cells := slices.IndexFunc(o.Terms, func(t term) bool { return t.Symbol == "N"+number })
		if t.Value < 0 || t.Value > int64(len(of)) || len(of) == 0 || cells < 0 {
			wrong.addf("%s is %d, and there are %d such groups", t.Symbol, t.Value, len(of))
			continue
		}
		spans := m.Config.linkSpans(m.Ports[of[0].port].Link, number)
		if o.Terms[cells].Expr == "" {
			spans["N"+number] = atLeast(slices.Min(figure(of, m.above)))
		}
		wrong = append(wrong, outside(o.Terms, spans)...)
	}
	all := m.accounts(func(a account) bool {
		return a.slice == slice && a.pg.Lossless && a.pg.Pooled && strings.HasSuffix(o.Where, ", pool "+m.Config.Ingress[a.pg.Pool].Name)
	})
	atOnce := int64(-1) // so many by a condition
	for _, condition := range o.Conditions {
		if condition.ID == "paused-at-once" && len(condition.Terms) == 0 {
			atOnce = condition.Bound
		}
	}
	few := groups < int64(len(all)) && groups != atOnce && (o.Verdict == holds || o.Verdict == conditional)
	if groups < 0 || groups > int64(len(all)) || few {
		wrong.addf("it is on %d groups, and the model has %d", groups, len(all))
		return wrong
	}
	needs := figure(all, func(a account) int64 { return max(0, min(m.need(a)-1, a.pg.Headroom)) })
	if least := total(needs, int(groups)) - 1; o.Left.Value < least { // of one a cell is below its threshold in any case
		wrong.addf("left is %d, and at least %d cells come in", o.Left.Value, least)
	}
	return wrong
}
