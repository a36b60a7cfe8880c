package observe

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// queue concludes on the marking of an egress queue.
func (c *checker) queue(s *site, q *plan.Queue) {
	if q.ECN == nil || q.ECN.KMax.Value < q.ECN.KMin.Value {
		return
	}
	object := Object{Kind: Queue, Name: s.end.Port, ID: q.ID}
	high, measured := c.r.highest(s.end.Switch, object, QueueShared)
	marks, counted := c.r.grown(s.end.Switch, object, QueueMarked)
	if !measured || !counted {
		return
	}
	peak := units.Bytes(min(high.Value, 1<<62))
	frame := c.largest(s, q.ID)
	if expected := leastMarks(q.ECN, peak, frame); tooFew(expected, marks.total()) && !c.heldUp(s, q.ID) {
		c.unmarked(s, object, q, peak, expected, high, marks)
	}
	if marks.Amount > 0 && c.covers(s, object, marks) && peak+q.Reserved.Value+frame <= q.ECN.KMin.Value {
		c.say(s, object, Conclusion{Code: MarkedEarly, Assumption: AssumesMarking, Worth: Likely, severity: diag.Warning,
			Message: fmt.Sprintf("%s of %s marked %d packets and held %v at most, but nothing should be marked below Kmin, %v", object, s.end.Switch, marks.Amount, peak+q.Reserved.Value, q.ECN.KMin.Value),
			Fix:     "check Kmin on the switch, also its unit; a switch that averages the queue length marks after the queue has become short",
		}, append(marks.evidence(), high)...)
	}
}

// largest returns the largest frame that a queue sends.
func (c *checker) largest(s *site, queue uint8) units.Bytes {
	for _, class := range s.sw.Classes {
		if s.port.QoS.QueueOf(&class) == queue && !class.Lossless {
			return c.fabric.MTU.Value
		}
	}
	return c.fabric.LosslessFrame.Value
}

// heldUp reports whether others paused the queue so often that it may have been long without
// sending: chips that mark what leaves mark nothing then.
func (c *checker) heldUp(s *site, queue uint8) bool {
	for _, class := range s.sw.Classes {
		if !class.Lossless || s.port.QoS.QueueOf(&class) != queue {
			continue
		}
		got, ok := c.r.grown(s.end.Switch, Object{Kind: Port, Name: s.end.Port}, PFCReceived(class.PFC))
		if ok && got.total() > uint64(c.fabric.Targets.PausesPerSecond.Value) {
			return true
		}
	}
	return false
}

// covers reports whether watermarks cover all the time in which marks were counted: those that last
// do; those of one interval do if every reading is there.
func (c *checker) covers(s *site, o Object, marks growth) bool {
	all := c.r.of[target{s.end.Switch, o, QueueShared}]
	since := 0
	for _, row := range all {
		if !row.Cleared && !row.Until.Before(marks.Last.Until) {
			return true
		}
		if row.Until.After(marks.First.Until) {
			since++
		}
	}
	return since >= marks.Readings-1 && since > 0
}

func (c *checker) unmarked(s *site, o Object, q *plan.Queue, peak units.Bytes, expected int64, high Row, marks growth) {
	k := Conclusion{Code: Unmarked, Assumption: AssumesMarking, Worth: Certain, severity: diag.Error}
	if peak > q.ECN.KMax.Value {
		k.Message = fmt.Sprintf("%s of %s held %v, above Kmax, %v, and marked %d packets; %d or more were expected", o, s.end.Switch, peak, q.ECN.KMax.Value, marks.total(), expected/1000)
	} else {
		k.Message = fmt.Sprintf("%s of %s held %v, between Kmin, %v, and Kmax, %v, and marked %d packets; %d or more were expected", o, s.end.Switch, peak, q.ECN.KMin.Value, q.ECN.KMax.Value, marks.total(), expected/1000)
	}
	k.Fix = "check Kmin, Kmax and Pmax on the switch, and whether packets carry ECT"
	c.say(s, o, k, high, marks.Last)
}

// leastMarks is how many packets are marked, on average, in thousandths and rounded down, while a
// queue grows to a level for the first time: the fewest packets that can fill it are the largest,
// and those that are sent meanwhile are left out. The chance of a packet is that of the level at
// which it comes in: 0 below Kmin, from there linear to Pmax at Kmax, and 1 above.
//
//	sum over packets ≥ ∫ p(x) dx / frame, from Kmin to the level less one frame
//	                 = Pmax · (x−Kmin)² / (2 · (Kmax−Kmin) · frame) up to Kmax, and 1/frame per byte above
func leastMarks(e *plan.ECN, level, frame units.Bytes) int64 {
	level -= frame
	kmin, kmax := int64(e.KMin.Value), int64(e.KMax.Value)
	below := min(int64(level), kmax) - kmin
	if below <= 0 || frame <= 0 {
		return 0
	}
	bytes := max(0, int64(level)-kmax)
	if kmax > kmin {
		square := units.FloorMulDiv(below, below, 2*(kmax-kmin))
		bytes += units.FloorMulDiv(square, int64(e.PMax.Value), int64(units.One))
	}
	return units.FloorMulDiv(bytes, 1000, int64(frame))
}

// oneInAMillion is −ln 10⁻⁶ in thousandths, rounded up.
const oneInAMillion = 13_816

// tooFew reports whether so few marks have a chance below one in a million. Of packets that are
// marked independently, the chance of none is at most exp(−μ), and of m or fewer at most
// exp(−(μ−m)²/2μ): Chernoff's bound on the lower tail of a Poisson trial (Mitzenmacher and Upfal,
// Probability and Computing, theorem 4.5).
func tooFew(expected int64, marks uint64) bool {
	if marks == 0 {
		return expected >= oneInAMillion
	}
	if expected <= 0 || marks >= uint64(expected)/1000 {
		return false
	}
	short := expected - int64(marks)*1000
	return units.FloorMulDiv(short, short, 2*expected) >= oneInAMillion
}
