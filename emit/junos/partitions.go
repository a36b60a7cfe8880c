package junos

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Split divides the shared buffer, in whole per cent that sum to 100. Junos Evolved
// demands the same lossless and lossy partition on both sides, and takes the headroom out of
// the egress side as well (TechPost as in platform.go, uniform buffer model). A fabric that
// runs otherwise states the shares of egress.
type Split struct{ Lossless, Headroom, Lossy int64 }

// partitions prints how the shared buffer is divided, and the thresholds in it.
func (b *builder) partitions() {
	b.sizesAreShares()
	split, ok := b.stated()
	if !ok && b.classic {
		return // it keeps its own
	}
	if b.s.Paused() == 0 {
		if !ok {
			split = Split{Lossy: 100}
		}
		b.sharedBuffer(split, nil, b.alphaOf(plan.Ingress, false), nil)
		return
	}
	if !ok {
		split, ok = b.split()
	}
	if !ok {
		return
	}
	b.sharedBuffer(split, b.alphaOf(plan.Ingress, true), b.alphaOf(plan.Ingress, false), b.alphaOf(plan.Egress, true))
}

// stated returns the split of the buffer that the fabric states, if any.
func (b *builder) stated() (s Split, ok bool) {
	lossless, lossy := b.given[row.Pool("ingress", true)], b.given[row.Pool("ingress", false)]
	s = Split{lossless.Percent, lossless.HeadroomPercent, lossy.Percent}
	if sum := s.Lossless + s.Headroom + s.Lossy; len(b.given) > 0 && sum != 100 {
		b.list.Errorf(Partitions, b.s.Range, "the shares of the buffer sum to %d per cent; Junos demands 100", sum).
			Fixf("give the pool %s share and headroom_share and the pool %s share so that they sum to 100", row.Pool("ingress", true), row.Pool("ingress", false))
	}
	return s, len(b.given) > 0
}

// sizesAreShares says that the bytes of pools do not go into the file.
func (b *builder) sizesAreShares() {
	for _, p := range b.s.Pools {
		if p.Size.Value > 0 && b.classic {
			b.list.WarnOncef(DeviceDecides, p.Size.Why.RangeOr(b.s.Range), "the size of pool %s, %v, is not written: partitions are whole per cent of the shared buffer of %s", p.Name, p.Size.Value, b.box.Model)
		} else if p.Size.Value > 0 {
			b.list.WarnOncef(DeviceDecides, p.Size.Why.RangeOr(b.s.Range), "the size of pool %s, %v, is not written: partitions are whole per cent of the shared buffer of %s, %v", p.Name, p.Size.Value, b.box.Model, b.box.Shared)
		}
	}
}

func (b *builder) sharedBuffer(s Split, lossless, lossy, egress *units.Alpha) {
	b.split100 = s
	percent := func(section *statement, part string, share int64, alpha *units.Alpha) {
		at := section.at("buffer-partition " + part)
		at.put(row.Share, share)
		if alpha != nil {
			at.put(row.PartitionThreshold, row.Of(row.PartitionThreshold).Of(int64(*alpha)))
		}
	}
	in, out := b.cos.at("shared-buffer", "ingress"), b.cos.at("shared-buffer", "egress")
	percent(in, "lossless", s.Lossless, lossless)
	percent(in, "lossless-headroom", s.Headroom, nil)
	percent(in, "lossy", s.Lossy, lossy)
	outLossless, outLossy := s.Lossless, s.Lossy
	if b.classic {
		outLossy = max(0, outLossy-row.ClassicMulticast)
	}
	for lossless, out := range map[bool]*int64{true: &outLossless, false: &outLossy} {
		if own := b.given[row.Pool("egress", lossless)]; own.Percent > 0 {
			*out = own.Percent
		}
	}
	percent(out, "lossless", outLossless, egress)
	percent(out, "lossy", outLossy, nil)
	if b.classic {
		percent(out, "multicast", max(0, 100-outLossless-outLossy), nil)
	}
}

// split turns the plan's bytes into per cent: the headroom is rounded up, and what is
// left is divided between lossless and lossy as the plan divides it.
func (b *builder) split() (Split, bool) {
	headroom, where := b.headroom()
	s := Split{Headroom: units.CeilMulDiv(int64(headroom), 100, int64(b.box.Shared))}
	if s.Headroom > 98 {
		b.list.Errorf(Partitions, where, "the headroom of all ports is %v, and %s has a shared buffer of %v", headroom, b.box.Model, b.box.Shared).
			Fixf("shorten cables, or use fewer lossless ports or classes")
		return s, false
	}
	s.Lossy = b.lossyShare(100 - s.Headroom)
	s.Lossless = 100 - s.Headroom - s.Lossy
	if headroom > 0 {
		b.list.WarnOncef(DeviceDecides, where, "the headroom of all ports, %v, is written as %d %% of the shared buffer of %s: %v",
			headroom, s.Headroom, b.box.Model, b.box.Shared*units.Bytes(s.Headroom)/100)
	}
	return s, true
}

// lossyShare returns the share of lossy traffic in the rest, in per cent of the whole.
func (b *builder) lossyShare(rest int64) int64 {
	var lossy, all units.Bytes
	for _, p := range b.s.Pools {
		if p.Direction != plan.Ingress {
			continue
		}
		size := max(0, p.Size.Value-p.Headroom.Value)
		all += size
		if !b.poolIsLossless(p.Name) {
			lossy += size
		}
	}
	share := int64(row.Lossy)
	if lossy > 0 {
		share = units.CeilMulDiv(int64(lossy), rest, int64(all))
	} else if out := b.lossyAtEgress(); out > 0 {
		share = units.CeilMulDiv(int64(out), 100, int64(b.box.Shared))
	}
	return min(max(share, 1), rest-1)
}

// lossyAtEgress returns the size of the plan's pools of lossy queues.
func (b *builder) lossyAtEgress() (sum units.Bytes) {
	lossless := map[string]bool{}
	for _, k := range b.kinds {
		for _, q := range k.QoS().Queues {
			if b.queueIsLossless(q.ID) {
				lossless[q.Pool] = true
			}
		}
	}
	for _, p := range b.s.Pools {
		if p.Direction == plan.Egress && !lossless[p.Name] {
			sum += p.Size.Value
		}
	}
	return sum
}

func (b *builder) poolIsLossless(name string) bool {
	for _, k := range b.kinds {
		for _, pg := range k.QoS().PGs {
			if pg.Lossless && pg.Pool == name {
				return true
			}
		}
	}
	return false
}

// headroom returns the size of the headroom partition: the plan's pool of headroom, or the sum of
// the groups' own.
func (b *builder) headroom() (units.Bytes, diag.Range) {
	for _, p := range b.s.Pools {
		if p.Direction == plan.Ingress && p.Headroom.Value > 0 {
			return p.Headroom.Value, p.Headroom.Why.RangeOr(b.s.Range)
		}
	}
	var sum units.Bytes
	for _, k := range b.kinds {
		for _, pg := range k.QoS().PGs {
			if pg.Lossless {
				sum += pg.Headroom.Value * units.Bytes(len(k.Ports))
			}
		}
	}
	return sum, b.s.Range
}

// alphaOf returns the one dynamic threshold that the box has for a partition; nil where the
// plan has none there. Groups that want another one are a conflict.
func (b *builder) alphaOf(side plan.Direction, lossless bool) *units.Alpha {
	var found *units.Alpha
	for _, k := range b.kinds {
		for _, limit := range b.limits(k, side, lossless) {
			alpha, ok := b.threshold(k, limit)
			switch {
			case !ok:
			case found == nil:
				found = &alpha
			case *found != alpha:
				b.list.WarnOncef(Conflict, limit.Why.RangeOr(k.First().Range), "ports need alpha %v and %v, and Junos has one alpha for all ports: it gets %v", *found, alpha, min(*found, alpha)).Fixf("give all lossless ports the alpha %v", min(*found, alpha))
				*found = min(*found, alpha)
			}
		}
	}
	return found
}

// limits returns the thresholds of a kind of port in a partition.
func (b *builder) limits(k *emit.Kind, side plan.Direction, lossless bool) (all []plan.Derived[plan.Limit]) {
	if side == plan.Ingress {
		for _, pg := range k.QoS().PGs {
			if pg.Lossless == lossless && (lossless || pg.Limit.Value.Dynamic) {
				all = append(all, pg.Limit)
			}
		}
		return all
	}
	for _, q := range k.QoS().Queues {
		if b.queueIsLossless(q.ID) == lossless && q.Limit.Value.Dynamic {
			all = append(all, q.Limit)
		}
	}
	return all
}

// threshold reports whether Junos can say a limit, as a dynamic one.
func (b *builder) threshold(k *emit.Kind, limit plan.Derived[plan.Limit]) (units.Alpha, bool) {
	l := limit.Value
	switch {
	case !l.Dynamic && (l.Static == 0 || l.Static >= plan.NoLimit):
		return 0, false
	case !l.Dynamic:
		b.list.WarnOncef(Threshold, limit.Why.RangeOr(k.First().Range), "a static threshold of %v is not supported: thresholds of Junos are dynamic", l.Static).Fixf("write an alpha from 1/128 to 8 instead of the bytes")
		return 0, false
	case !row.Of(row.Threshold).Fits(int64(l.Alpha)):
		b.list.Errorf(Threshold, limit.Why.RangeOr(k.First().Range), "alpha %v is not supported: Junos has 1/128 to 8", l.Alpha).Fixf("give an alpha from 1/128 to 8")
		return 0, false
	}
	return l.Alpha, true
}

func (b *builder) queueIsLossless(queue uint8) bool {
	for _, c := range b.s.Classes {
		if c.Lossless && c.Queue == queue {
			return true
		}
	}
	return false
}
