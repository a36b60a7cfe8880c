package calc

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// ReactionTime returns the time from a queue's reaching a threshold until the slower rate of its
// senders reaches the queue: document reaction-time.
func ReactionTime(base, lag units.Time) units.Time { return 2*base + lag }

// Overshoot returns the growth of each of some queues before their senders react: document overshoot.
func Overshoot(from, to int64, sender, rate units.BitRate, reaction units.Time) units.Bytes {
	excess := max(0, from*int64(sender)-to*int64(rate))
	return units.Bytes(units.CeilMulDiv(excess, int64(reaction), to*8*int64(units.Second)))
}

// senderRate derives the rate at which one host sends to a port: the rate of the port, but no more
// than that of the fastest server of the fabric.
func (s *shape) senderRate(k *kind) plan.Derived[units.BitRate] {
	speed := k.group.Speed
	if host := s.path.Host; host.Value > 0 && host.Value < speed.Value {
		return host
	}
	return plan.Of(speed.Value, given("speed", speed, speed.Value, ""))
}

// bursts returns the patterns whose senders must be able to slow down before they are paused: the
// fewest that fill a port, which one cut stops, and what the fabric declares. More senders
// than the fewest need several cuts; no buffer holds the worst fan-in for so long.
func (s *shape) bursts(k *kind) (list []pattern) {
	if n := int64(k.group.Speed.Value/s.senderRate(k).Value) + 1; n <= int64(s.fanIn(k).Value) {
		list = append(list, pattern{n, 1, k.group.Range, "the fewest senders that fill a port"})
	}
	return append(list, s.declaredPatterns()...)
}

// reactionTime returns the time in which marks of a queue come back to it as a slower rate.
func (s *shape) reactionTime() plan.Derived[units.Time] {
	lag := assume(s.chip, s.chip.Marking.Lag, 0, same[units.Time], "no source says that the chip's marking sees a queue late")
	value := ReactionTime(s.path.Base.Value, lag.Value)
	return plan.Of(value, computed("reaction-time", "time from a mark to a slower rate", value,
		term("base", s.path.Base.Why), term("lag", lag.Why)))
}

// overshoots checks Kmax, and what arrives until the senders have heard of it, against how far
// a queue fills before PFC stops them, for each port and burst.
func (b *budget) overshoots(class *policy.Class, marks curves, alpha plan.Derived[plan.Limit], stuck plan.Derived[plan.Count]) (all []inequality) {
	for _, k := range b.carriers(class) {
		curve := marks[k.index][class]
		if curve == nil {
			continue
		}
		for _, p := range b.bursts(k) {
			all = append(all, b.overshoot(class, marks, k, p, curve.KMax, alpha, stuck))
		}
	}
	return all
}

func (b *budget) overshoot(class *policy.Class, marks curves, k *kind, p pattern, kmax plan.Derived[units.Bytes], alpha plan.Derived[plan.Limit], stuck plan.Derived[plan.Count]) inequality {
	sender, speed, reaction := b.senderRate(k), k.group.Speed, b.reactionTime()
	arrives := Overshoot(p.from, p.to, sender.Value, speed.Value, reaction.Value)
	arrivesWhy := computed("overshoot", "what arrives until senders slow down", arrives,
		count("from", int(p.from), p.what), count("to", int(p.to), "ports they send to"),
		term("sender", sender.Why), term("rate", given("speed", speed, speed.Value, "")), term("reaction", reaction.Why))
	peak := kmax.Value + arrives
	left := plan.Of(peak, computed("marked-peak", "queue when senders slow down", peak, term("kmax", kmax.Why), term("overshoot", arrivesWhy)))
	right, stops := b.markingRoom(class, p, alpha), fmt.Sprintf("At alpha %v PFC stops them", alpha.Value.Alpha)
	if b.staticLimits() {
		stops = "Static limits pause them"
	}
	return atMost("overshoot-before-pfc", where(class, k), left, right, p.at, func(list *diag.List) {
		list.Warnf(OvershootPaused, p.at, "%d hosts of %v that start to send to %d of %s at once fill a queue of class %q to %v: Kmax (%v) and the bytes that arrive in the %v until the first rate cut. %s at %v",
			p.from, sender.Value, p.to, b.sw.Label, class.Name, peak, kmax.Value, reaction.Value, stops, right.Value).
			Fixf("%s", b.overshootHint(class, marks, stuck))
	})
}

// overshootHint says which alpha of the chip makes overshoots fit, and what to change for the
// first inequality that this alpha breaks.
func (b *budget) overshootHint(class *policy.Class, marks curves, stuck plan.Derived[plan.Count]) string {
	var list []remedy
	for _, alpha := range b.chip.Alphas.Or(nil) {
		limit := dynamic(alpha, nil)
		if hold(b.overshoots(class, marks, limit, stuck)) {
			list = append(list, remedy{alpha, b.brokenMust(class, marks, limit), broken(b.wishes(class, marks, limit, stuck))})
		}
	}
	return overshootFix(list)
}

// A remedy is an alpha at which no overshoot is paused, and what it breaks of the other
// inequalities; nil where it breaks nothing.
type remedy struct {
	alpha      units.Alpha
	must, wish *inequality
}

// cost puts an alpha that breaks nothing first, and one with which the switch does not work last.
func (r remedy) cost() int {
	switch {
	case r.must != nil:
		return 2
	case r.wish != nil:
		return 1
	}
	return 0
}

// overshootFix says what to change, by the cheapest of some remedies in ascending order of alpha.
func overshootFix(list []remedy) string {
	const lower = "lower kmax, tolerable_delay or the latency of the path, its cables and send_latency"
	if len(list) == 0 {
		return "no alpha of the chip is large enough: " + lower
	}
	r := slices.MinFunc(list, func(x, y remedy) int { return x.cost() - y.cost() })
	if r.cost() == 0 {
		return fmt.Sprintf("set alpha to %v", r.alpha)
	}
	one := cmp.Or(r.must, r.wish)
	return fmt.Sprintf("alpha %v would be large enough but breaks %s, which demands %v ≤ %v: %s%s", r.alpha, one.ID, one.Left.Value, one.Right.Value, wishFix(one.ID), lower)
}

// wishFix returns the change with which a larger alpha keeps a wish. There is none for a must: a
// switch that breaks one loses packets, or never marks, with any isolation.
func wishFix(id string) string {
	switch id {
	case "newcomer-guarantee":
		return "lower isolation or burst, or "
	case "lossless-leaves-lossy":
		return "lower isolation, or "
	case "xoff-time":
		return "raise xoff_time, or "
	}
	return ""
}
