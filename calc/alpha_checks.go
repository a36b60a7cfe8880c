package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A pattern is n senders that fill m ports.
type pattern struct {
	from, to int64
	at       diag.Range
	what     string
}

// patterns returns the patterns that a port has to hold: one sender, the worst fan-in, and the
// declared ones.
func (s *shape) patterns(k *kind) []pattern {
	worst := s.fanIn(k)
	list := []pattern{
		{1, 1, k.group.Range, "one sender"},
		{int64(worst.Value), 1, worst.Why.Range, "worst fan-in"},
	}
	return append(list, s.declaredPatterns()...)
}

// declaredPatterns returns the patterns that the fabric declares.
func (s *shape) declaredPatterns() (list []pattern) {
	for _, declared := range s.fabric.FanIn {
		list = append(list, pattern{int64(declared.From), int64(declared.To), declared.Range, "declared fan_in"})
	}
	return list
}

// largestHeadrooms adds up the n largest headrooms of a class over all ports.
func (h *headrooms) largestHeadrooms(n int) units.Bytes {
	kinds := slices.Clone(h.kinds)
	of := func(k *kind) units.Bytes { return h.rooms[k.index].headroom.Value }
	stable.Sort(kinds, func(a, b *kind) int { return int(of(b) - of(a)) })
	var sum units.Bytes
	for _, k := range kinds {
		ports := min(n, len(k.ports))
		sum += units.Bytes(ports) * of(k)
		n -= ports
	}
	return sum
}

// pgShare returns the threshold of a class when the worst fan-in of one slice fills it.
func (b *budget) pgShare(k *kind, alpha plan.Derived[plan.Limit]) plan.Derived[units.Bytes] {
	n := b.fanInOfSlice(k)
	share := PGShare(b.slice.Value, alpha.Value.Alpha, int64(n.Value), b.cell)
	return plan.Of(share, computed("pg-share", "share of each of N PGs", share,
		append([]plan.Term{term("shared", b.slice.Why), term("n", n.Why), term("cell", b.cellWhy)}, alphaTerms(alpha)...)...))
}

// pgBeforeQueue checks the PGs of a lossless class at the worst fan-in against their
// queue. Slices share nothing: those senders of the fan-in that write to one slice fill
// that slice's part of the queue.
func (b *budget) pgBeforeQueue(class *policy.Class, k *kind, alpha plan.Derived[plan.Limit]) inequality {
	n, share, reserve := b.fanInOfSlice(k), b.pgShare(k, alpha), b.pgReserve[k.index]
	headrooms, because := b.largestHeadrooms(int(n.Value)), "each with its own speed and cable"
	if part := b.headroom.Value / units.Bytes(b.slices.Value); b.pooled && part < headrooms {
		headrooms, because = part, "a pool of headroom that is shared holds no more in one slice"
	}
	sum := (share.Value+reserve.Value)*units.Bytes(n.Value) + headrooms
	left := plan.Of(sum, computed("pg-sum", "what N PGs hold", sum, term("share", share.Why), term("reserve", reserve.Why),
		term("headroom", chosen("sum of the N largest headrooms", headrooms, because)), term("n", n.Why)))
	return b.bytesAtMost("pg-before-queue", BufferExceeded, class.Name, k, left, b.queueLimit(), n.Why.Range,
		fmt.Sprintf("with %v senders the queue reaches its limit before PFC stops them", n.Value), "lower fan_in or alpha, or shorten cables")
}

// xonBelowXoff checks the XON offset of a PG against its threshold.
func (b *budget) xonBelowXoff(class *policy.Class, k *kind, alpha plan.Derived[plan.Limit]) inequality {
	share := b.pgShare(k, alpha)
	limit := share.Value + b.pgReserve[k.index].Value
	return b.bytesAtMost("xon-below-xoff", AlphaInfeasible, class.Name, k, b.xonOffset(), plan.Of(limit, share.Why), class.Range,
		"the PG can resume only when it is empty: the XON offset is above the threshold", "raise alpha, or lower fan_in")
}

// markBeforePause checks Kmax against how far a queue fills before PFC stops its senders,
// for each pattern.
func (b *budget) markBeforePause(class *policy.Class, k *kind, alpha plan.Derived[plan.Limit], curve *plan.ECN) []inequality {
	var all []inequality
	for i, p := range b.patterns(k) {
		if at, set := ownKMax(k.group.CurveOf(class)); set && (i == 0 || len(all) > 0 && !all[0].Holds) {
			p.at = at // it is above what one sender may fill: who sends is not at fault
		}
		all = append(all, b.bytesAtMost("ecn-before-pfc", PFCBeforeECN, class.Name, k, curve.KMax, b.markingRoom(class, p, alpha), p.at,
			"PFC stops the senders before the queue reaches Kmax ("+p.what+")", "lower tolerable_delay or kmax, raise alpha, or shorten cables so that more buffer is shared"))
	}
	return all
}

// ownKMax returns the place at which the author gives Kmax, and whether he does.
func ownKMax(own *policy.Curve) (at diag.Range, set bool) {
	if own.KMax.Set {
		return own.KMax.Range, true
	}
	return own.KMaxDelay.Range, own.KMaxDelay.Set
}

// markingRoom derives how far the queues of a pattern fill before PFC stops its senders. Curves of NICs that recover
// slowly are as deep as there is buffer, so that packets count which lossy queues take beyond their limits.
func (b *budget) markingRoom(class *policy.Class, p pattern, alpha plan.Derived[plan.Limit]) plan.Derived[units.Bytes] {
	shared := b.leftover
	if b.recoversSlowly(class) {
		shared = b.besideFrames()
	}
	room := MarkingRoom(shared.Value, alpha.Value.Alpha, p.from, p.to)
	terms := append([]plan.Term{count("from", int(p.from), p.what), count("to", int(p.to), "ports they send to")}, alphaTerms(alpha)...)
	value := plan.Of(room, computed("marking-room", "queue when PFC begins", room, append(terms, term("shared", shared.Why))...))
	if static := b.staticRoom(p, alpha); b.staticLimits() && static.Value < room {
		return static
	}
	return value
}

// besideFrames derives the part of a slice that remains when the lossy queues of each port exceed their limit by one
// frame: a queue below its limit admits a whole packet.
func (b *budget) besideFrames() plan.Derived[units.Bytes] {
	frame := FrameReserve(b.fabric.MTU.Value, 0, b.cell)
	left := max(0, b.leftover.Value-units.Bytes(b.ports)*frame)
	return plan.Of(left, computed("leftover", "the same with a frame beyond the limit on each port", left,
		term("shared", b.leftover.Why), term("lossy", decided("lossy", units.Bytes(0), "is not part of it").Why), count("slices", 1, "of one"),
		count("queues", b.ports, "ports"), term("queue_reserve", decided("frame", frame, "a queue below its limit takes a whole packet").Why)))
}

// queueLimit derives the limit of a lossless queue in one slice: the whole slice.
func (s *shape) queueLimit() plan.Derived[units.Bytes] {
	value := units.Bytes(int64(s.usable.Value) / int64(s.slices.Value)).FloorTo(s.cell)
	return plan.Of(value, computed("slice-part", "limit of a lossless queue in one slice", value,
		term("whole", s.usable.Why), term("slices", s.slices.Why), term("cell", s.cellWhy)))
}

// xonOffset derives how far below its threshold a PG resumes.
func (s *shape) xonOffset() plan.Derived[units.Bytes] {
	frame := s.fabric.LosslessFrame
	value := XOnOffset(frame.Value, s.cell)
	return plan.Of(value, computed("xon-offset", "xon offset", value,
		term("frame", given("lossless_frame", frame, frame.Value, "the fabric's mtu")), term("cell", s.cellWhy)))
}
