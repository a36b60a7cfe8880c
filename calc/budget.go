package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// FrameReserve returns the reserve that always takes one largest frame: document
// frame-reserve.
func FrameReserve(frame, metadata, cell units.Bytes) units.Bytes {
	return (frame + metadata).CeilTo(cell)
}

// XOnOffset returns how far below its threshold a PG resumes: document xon-offset.
func XOnOffset(frame, cell units.Bytes) units.Bytes { return (2 * frame).CeilTo(cell) }

// SharedBuffer returns the shared part of one slice, without reserves and headroom: document
// shared-buffer.
func SharedBuffer(usable, reserved, headroom units.Bytes, slices int64, cell units.Bytes) units.Bytes {
	left := max(0, usable-reserved-headroom)
	return units.Bytes(int64(left) / slices).FloorTo(cell)
}

// LossyPool returns the limit of all lossy queues together: document lossy-pool.
func LossyPool(shared units.Bytes, lossyWeight, allWeight int64, least, cell units.Bytes) units.Bytes {
	share := units.Bytes(units.FloorMulDiv(int64(shared), min(lossyWeight, allWeight), allWeight))
	return max(share, min(least, shared)).FloorTo(cell)
}

// A budget is the second stage: the part that headroom and reserves leave to share, and the lossy
// part of that.
type budget struct {
	headrooms
	pgReserve    []plan.Derived[units.Bytes] // of each lossless PG, by kind
	queueReserve plan.Derived[units.Bytes]   // of a lossy queue
	reserved     plan.Derived[units.Bytes]   // all of them
	slice        plan.Derived[units.Bytes]   // shared buffer of one slice
	shared       plan.Derived[units.Bytes]   // of the whole chip
	lossyPool    plan.Derived[units.Bytes]
	leftover     plan.Derived[units.Bytes] // of one slice, with lossy traffic at its limit
	usual        plan.Derived[units.Bytes] // of one slice, with lossy traffic at its share by weight
}

// planBudget decides what PGs and queues own, nets it out, and divides what is left.
func planBudget(h headrooms, found *findings) budget {
	b := budget{headrooms: h, pgReserve: make([]plan.Derived[units.Bytes], len(h.kinds))}
	if b.chip.Family == chips.Spectrum {
		b.spectrumReserves(found)
	} else {
		b.reserves()
	}
	b.share()
	return b
}

// reserves decides what PGs and queues own and adds it up. A queue's reserve is taken
// once in every slice, because a port may send from each; that of PGs in every slice as often
// as in the fullest, because a pool is cut into equal parts.
func (b *budget) reserves() {
	pgReserve := b.reserve(b.chip.PGReserve, b.fabric.LosslessFrame.Value, "the largest lossless frame")
	for i := range b.pgReserve {
		b.pgReserve[i] = pgReserve
	}
	b.queueReserve = b.reserve(b.chip.QueueReserve, b.fabric.MTU.Value, "the largest frame")
	b.pinReserves()
	perQueue := int64(b.slices.Value)
	pgs, queues := int(b.together.Value)*int(b.slices.Value)*len(b.lossless), b.ports*len(b.lossy)
	total := units.Bytes(int64(pgs)*int64(pgReserve.Value) + int64(queues)*perQueue*int64(b.queueReserve.Value))
	b.reserved = plan.Of(total, computed("reserved", "reserves of all PGs and queues", total,
		count("pgs", pgs, "lossless PGs, in every slice as many as in the fullest"), term("pg_reserve", pgReserve.Why),
		count("queues", queues, "lossy queues of all ports"), term("queue_reserve", b.queueReserve.Why),
		term("slices", b.slices.Why)))
}

// reserve returns the chip's factory default in whole cells, or room for one frame.
func (s *shape) reserve(d chips.Datum[units.Bytes], frame units.Bytes, what string) plan.Derived[units.Bytes] {
	if value, err := d.Get(); err == nil {
		return s.wholeCells(d.Name(), plan.Of(value, datum(s.chip, d, value)))
	}
	metadata := assume(s.chip, s.chip.PacketMetadata, 0, same[units.Bytes], "the catalogue has no metadata in a packet's first cell")
	value := FrameReserve(frame, metadata.Value, s.cell)
	return plan.Of(value, computed("frame-reserve", "reserve of one frame", value,
		term("frame", chosen(what, frame, "UCloud, RoCE network design: guarantees are one max frame")),
		term("metadata", metadata.Why), term("cell", s.cellWhy)))
}

func same[T any](v T) T { return v }

// share nets out the shared buffer and divides it between lossless and lossy.
func (b *budget) share() {
	value := SharedBuffer(b.usable.Value, b.reserved.Value, b.headroom.Value, int64(b.slices.Value), b.cell)
	b.slice = plan.Of(value, computed("shared-buffer", "shared buffer of one slice", value,
		term("usable", b.usable.Why), term("reserved", b.reserved.Why), term("headroom", b.headroom.Why),
		term("slices", b.slices.Why), term("cell", b.cellWhy)))
	whole := value * units.Bytes(b.slices.Value)
	b.shared = plan.Of(whole, computed("product", "shared buffer of the chip", whole,
		term("value", b.slice.Why), term("times", b.slices.Why)))
	b.shareLossy()
	b.leaveLossless()
	b.usual = b.leftover
	if own := b.sw.LossyPool; own.Set && len(b.lossy) > 0 {
		b.lossyPool = plan.Of(own.Value, given("lossy_pool", own, own.Value, ""))
		b.leaveLossless()
	}
	if put(&b.lossyPool, b.pinnedLossyPool()) {
		b.leaveLossless()
	}
}

// growHeadroom gives headroom what a queue whose threshold is dynamic cannot hold: with all senders of the worst fan-in
// paused the queue would be full before their headroom is. A queue alone holds alpha/(1 + alpha) of its pool, and n equal
// groups n·alpha/(1 + n·alpha) of theirs (Choudhury, Hahne, Dynamic Queue Length Thresholds, IEEE/ACM ToN 1998, section III).
// Where that would take more than half of what is shared, nothing is changed, and the verdict says what may be lost.
func (b *budget) growHeadroom(marks curves) {
	if b.divided.Shared == 0 || !b.pooled {
		return
	}
	part := units.Bytes(int64(b.usable.Value-b.lossyPool.Value) / int64(b.slices.Value))
	queue := PGShare(part, b.divided.Queue, 1, b.cell)
	most := b.slice.Value
	for class, alpha := range planAlphas(b, marks, b.searchAlpha, true, &findings{trial: true}) {
		for _, k := range b.kinds {
			if n := int64(b.fanInOfSlice(k).Value); k.lossless() && k.carries(class) && n > 0 {
				room := max(0, queue-b.largestHeadrooms(int(n))-units.Bytes(n)*b.pgReserve[k.index].Value)
				num, den := alpha.limit.Value.Alpha.Fraction()
				most = min(most, units.Bytes(units.FloorMulDiv(int64(room), den+num*n, num*n)))
			}
		}
	}
	if most == b.slice.Value || most < b.slice.Value/2 {
		return
	}
	value := b.headroom.Value + (b.slice.Value-most)*units.Bytes(b.slices.Value)
	b.headroom = plan.Of(value, rounded("no-more-in-a-queue", "headroom, with what a queue cannot hold", value, term("headroom", b.headroom.Why)))
	b.share()
}

func (s *shape) pinnedLossyPool() *policy.Pin {
	return s.ofSwitch().of(policy.PinnedPool, 0, EgressLossyPool, "size")
}

// leaveLossless derives the part of a slice that lossy traffic at its limit leaves to lossless traffic.
func (b *budget) leaveLossless() {
	part := units.Bytes(int64(b.lossyPool.Value) / int64(b.slices.Value))
	queues := b.ports * len(b.lossy)
	left := max(0, b.slice.Value-part-units.Bytes(queues)*b.queueReserve.Value)
	b.leftover = plan.Of(left, computed("leftover", "shared buffer of one slice with lossy traffic at its limit", left,
		term("shared", b.slice.Why), term("lossy", b.lossyPool.Why), term("slices", b.slices.Why),
		count("queues", queues, "lossy queues of all ports"), term("queue_reserve", b.queueReserve.Why)))
}

// shareLossy derives the limit of all lossy classes together.
func (b *budget) shareLossy() {
	if len(b.lossy) == 0 {
		b.lossyPool = decided("lossy pool", units.Bytes(0), "the fabric has no lossy class")
		return
	}
	lossy, all := weights(b.lossy), weights(b.classes)
	if all == 0 {
		lossy, all = int64(len(b.lossy)), int64(len(b.classes))
	}
	b.lossyPart(lossy, all, "DWRR weights")
}

// lossyPart gives the lossy pool its part of the shared buffer: lossy parts of all, counted in of.
func (b *budget) lossyPart(lossy, all int64, of string) {
	least := units.Bytes(len(b.lossy)) * FrameReserve(b.fabric.MTU.Value, 0, b.cell)
	value := LossyPool(b.shared.Value, lossy, all, least, b.cell)
	if part := (b.divided.Shared * units.Bytes(b.divided.Lossy) / 100).FloorTo(b.cell); b.divided.Shared > 0 && part < value {
		b.lossyPool = plan.Of(part, rounded("lossy-part", fmt.Sprintf("%d %% of the buffer that %s divides: lossless traffic cannot use this part", b.divided.Lossy, b.divided.Model), part,
			term("shared", chosen("shared buffer of "+b.divided.Model, b.divided.Shared, b.divided.Source))))
		return
	}
	b.lossyPool = plan.Of(value, computed("lossy-pool", "pool of all lossy queues", value,
		term("shared", b.shared.Why), count("lossy_weight", int(lossy), of+" of the lossy classes"),
		count("all_weight", int(all), of+" of all classes"),
		term("least", chosen("one frame for each lossy queue of a port", least, "a lossy queue that can never hold a frame is dead")),
		term("cell", b.cellWhy)))
}

// widerLossy are shares of the shared buffer that lossy classes may have where lossless ones can
// spare them. Shipped templates give them 58 to 75 % (sonic-buildimage, egress_lossy_pool of
// Tomahawk and Trident 3).
var widerLossy = [][2]int64{{3, 4}, {2, 3}, {3, 5}, {1, 2}, {2, 5}, {1, 3}}

// widenLossy enlarges the lossy pool as far as the alphas stay that it has by weight, and
// keep marking before pausing. One that the author gives stays.
func (b *budget) widenLossy(marks curves) {
	before, ok := b.kept(marks)
	if !ok || len(b.lossy) == 0 || b.sw.LossyPool.Set || b.pinnedLossyPool() != nil {
		return
	}
	for _, share := range widerLossy {
		wider := *b
		wider.lossyPart(share[0], share[1], "parts that lossless classes spare")
		wider.leaveLossless()
		if wider.lossyPool.Value <= b.lossyPool.Value || !hold(wider.inequalities()) {
			continue
		}
		if after, ok := wider.kept(marks); ok && slices.Equal(before, after) {
			*b = wider
			return
		}
	}
}

// kept returns the alphas of lossless classes that isolate best, whatever hosts do until they have
// heard of a mark: with the given lossy pool, alpha does as much for that as it can. ok is whether
// all keep what they must.
func (b *budget) kept(marks curves) (list []units.Alpha, ok bool) {
	chosen := planAlphas(b, marks, b.isolatingAlpha, false, &findings{trial: true})
	for _, class := range b.lossless {
		alpha, known := chosen[class]
		if !known || b.brokenMust(class, marks, alpha.limit) != nil {
			return nil, false
		}
		list = append(list, alpha.limit.Value.Alpha)
	}
	return list, true
}

// weights adds the DWRR weights up; strict classes have none.
func weights(classes []*policy.Class) int64 {
	var sum int64
	for _, class := range classes {
		if !class.Strict.Value {
			sum += class.Weight.Value
		}
	}
	return sum
}
