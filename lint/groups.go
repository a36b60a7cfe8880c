package lint

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// groupUneven compares what lossless PGs of one number have on all ports, whatever their
// speed and cable: 59 of the 61 headroom tables that ship with SONiC give all of them one
// threshold and one xon offset. The other two are for Jericho, which counts time.
func groupUneven(s *subject) {
	if s.chip != nil && s.chip.Family == chips.DNX {
		return
	}
	common := map[uint8]unevenPG{}
	for k, pg := range s.groups {
		if !pg.Lossless || s.computed(pg) {
			continue
		}
		now := unevenPG{k, pg}
		was, known := common[pg.ID]
		if !known {
			common[pg.ID] = now
			continue
		}
		if len(was.kind.ports) < len(now.kind.ports) { // the rarer one is the odd one
			common[pg.ID], was, now = now, now, was
		}
		if was.pg.Pool == now.pg.Pool {
			s.uneven(now, was)
		}
	}
}

// An unevenPG is a PG of ports with the same settings.
type unevenPG struct {
	kind kind
	pg   *plan.PG
}

func (s *subject) uneven(odd, usual unevenPG) {
	a, b := odd.pg, usual.pg
	if a.Limit.Why != nil && b.Limit.Why != nil && a.Limit.Value != b.Limit.Value {
		s.unevenIn("a threshold", odd, usual, fmt.Sprint(a.Limit.Value), fmt.Sprint(b.Limit.Value), at(a.Limit), at(b.Limit))
	}
	// On chips with an xon level, that and the reserve go by speed, cable and frame; NVUE calls
	// it a threshold.
	if s.sw.OS == "cumulus" || a.XOn.Value != 0 || b.XOn.Value != 0 || odd.kind.ports[0].MTU != usual.kind.ports[0].MTU {
		return
	}
	if a.XOnOffset.Why != nil && b.XOnOffset.Why != nil && a.XOnOffset.Value != b.XOnOffset.Value {
		s.unevenIn("an xon offset", odd, usual, a.XOnOffset.Value.String(), b.XOnOffset.Value.String(), at(a.XOnOffset), at(b.XOnOffset))
	}
	apart := func(pg *plan.PG) bool { return pg.Reserved.Why != nil && pg.Reserved.Value < pg.Headroom.Value } // the headroom is not in it
	if apart(a) && apart(b) && a.Reserved.Value != b.Reserved.Value {
		s.unevenIn("a reserve", odd, usual, a.Reserved.Value.String(), b.Reserved.Value.String(), at(a.Reserved), at(b.Reserved))
	}
}

func (s *subject) unevenIn(what string, odd, usual unevenPG, own, other string, oddAt, usualAt diag.Range) {
	s.found.Warnf(GroupUneven, first(oddAt, odd.kind.ports[0].Range), "priority group %d of %v has %s of %s, and that of %v one of %s: ports that fill the same pool are paused at different levels", odd.pg.ID, odd.kind, what, own, usual.kind, other).
		Fixf("give the priority group the same on all ports").Notef(first(usualAt, usual.kind.ports[0].Range), "the other one")
}

// resumeAtOnce warns of PGs without hysteresis.
func resumeAtOnce(s *subject) {
	for k, pg := range s.groups {
		if pg.Lossless && !s.computed(pg) && pg.Headroom.Why != nil && pg.XOn.Value == 0 && pg.XOnOffset.Value == 0 && s.sw.OS != "srlinux" { // its boxes decide by themselves
			s.found.Warnf(ResumeAtOnce, first(at(pg.XOnOffset, at(pg.XOn)), at(pg.Headroom)), "priority group %d of %v has neither an xon level nor an xon offset: it pauses and resumes with every packet", pg.ID, k).
				Fixf("set an xon offset of about two frames")
		}
	}
}

// mostOffset is the largest usual drain of a PG before it resumes, in largest frames. In the tables
// that ship with SONiC it is one and a half at most (13,824 B, Teralynx 10), and two in OpenBCM's
// defaults. Jericho's are larger: it counts time.
const mostOffset = 4

// resumeLate warns of PGs that keep their senders paused long after there is room.
func resumeLate(s *subject) {
	if s.chip != nil && s.chip.Family == chips.DNX {
		return
	}
	for _, k := range s.kinds {
		frame := k.ports[0].MTU
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			if pg.Lossless && frame != 0 && pg.XOn.Value == 0 && pg.XOnOffset.Why != nil && pg.XOnOffset.Value > mostOffset*frame && !s.levelled(pg) && !s.resumesEmpty(pg) {
				s.found.Warnf(ResumeLate, at(pg.XOnOffset, k.ports[0].Range), "priority group %d of %v resumes when %v have drained, more than %d frames of %v: its senders stay stopped although it could take their packets", pg.ID, k, pg.XOnOffset.Value, mostOffset, frame).
					Fixf("resume after about two frames")
			}
		}
	}
}

// levelled reports whether an offset is a level within the reserve, as NVUE has it.
func (s *subject) levelled(pg *plan.PG) bool {
	return s.sw.OS == "cumulus" && pg.XOnOffset.Value <= pg.Reserved.Value
}

// resumeTooLow finds resume levels below nothing.
func resumeTooLow(s *subject) {
	for k, pg := range s.groups {
		if s.resumesEmpty(pg) {
			s.found.Errorf(ResumeTooLow, at(pg.XOnOffset, k.ports[0].Range), "priority group %d of %v resumes %v below the level of its pause, but that level is at most %v: it resumes only when it is empty", pg.ID, k, pg.XOnOffset.Value, s.highestPause(pg)).Fixf("resume less than %v below the level of the pause", s.highestPause(pg))
		}
	}
}

// resumesEmpty reports whether the xon offset of a lossless PG is at least the highest level
// at which it pauses.
func (s *subject) resumesEmpty(pg *plan.PG) bool {
	top := s.highestPause(pg)
	return pg.Lossless && pg.XOn.Value == 0 && top > 0 && pg.XOnOffset.Value >= top
}

// highestPause returns the level at which a PG pauses that has its pool for itself; 0 where the
// file does not say enough.
func (s *subject) highestPause(pg *plan.PG) units.Bytes {
	pool := s.sw.Pool(pg.Pool)
	if pool == nil || pool.Size.Value == 0 || pg.Limit.Why == nil {
		return 0
	}
	return pg.Reserved.Value + mostShared(pg.Limit.Value, pool.Size.Value)
}

// unlimited is the largest alpha of SONiC, dynamic_th 7, which NVIDIA's switches read as no
// limit at all.
const unlimited = units.Alpha(7)

// alphaNotOnChip checks every alpha against what the chip can be set to.
func alphaNotOnChip(s *subject) {
	if s.chip == nil {
		return
	}
	settable, err := s.chip.Alphas.Get()
	if err != nil {
		return
	}
	judge := func(l plan.Derived[plan.Limit], k kind, what string, id uint8) {
		if l.Why == nil || !l.Value.Dynamic || slices.Contains(settable, l.Value.Alpha) || s.chip.Family == chips.Spectrum && l.Value.Alpha == unlimited {
			return
		}
		s.found.Errorf(AlphaNotOnChip, at(l, k.ports[0].Range), "%s %d of %v has alpha %v, but %s supports only %v to %v", what, id, k, l.Value.Alpha, s.chip.Title, settable[0], settable[len(settable)-1]).Fixf("choose an alpha from %v to %v", settable[0], settable[len(settable)-1])
	}
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			judge(pg.Limit, k, "priority group", pg.ID)
		}
		for _, q := range k.qos.Queues {
			judge(q.Limit, k, "queue", q.ID)
		}
	}
}

// smallestAlpha is the alpha of the incident in Guo et al.
const smallestAlpha = units.Alpha(-6)

// alphaTooSmall warns of PGs that pause while the buffer is almost empty.
func alphaTooSmall(s *subject) {
	for k, pg := range s.groups {
		if l := pg.Limit; pg.Lossless && l.Value.Dynamic && l.Value.Alpha <= smallestAlpha {
			s.found.Warnf(AlphaTooSmall, at(l, k.ports[0].Range), "priority group %d of %v pauses at alpha %v of the free buffer, so the rest of the buffer absorbs no burst", pg.ID, k, l.Value.Alpha).
				Fixf("raise alpha, for example to 1/16")
		}
	}
}

// thresholdMissing warns of lossless PGs whose headroom the file sizes and whose threshold it
// leaves to the switch: headroom begins where the threshold ends.
func thresholdMissing(s *subject) {
	for k, pg := range s.groups {
		if pg.Lossless && pg.Headroom.Why != nil && pg.Limit.Why == nil && !s.computed(pg) {
			s.found.Warnf(ThresholdMissing, at(pg.Headroom, k.ports[0].Range), "the file gives the lossless priority group %d of %v headroom but no threshold, so it pauses at the switch's default", pg.ID, k).
				Fixf("say the threshold")
		}
	}
}

// thresholdMode warns of lossless PGs with a dynamic threshold in a pool that takes static
// ones. Files that ship mix the two at egress, and never here.
func thresholdMode(s *subject) {
	for k, pg := range s.groups {
		pool := s.sw.Pool(pg.Pool)
		if !pg.Lossless || pg.Limit.Why == nil || !pg.Limit.Value.Dynamic || pool == nil || pool.Direction != plan.Ingress || pool.Dynamic || pool.Size.Why == nil || pool.Size.Why.Kind != plan.ReadBack {
			continue
		}
		s.found.Warnf(ThresholdMode, first(pool.Range, at(pool.Size)), "%s has static thresholds, but priority group %d of %v has %v", pool.Name, pg.ID, k, pg.Limit.Value).
			Fixf("make the pool dynamic").Notef(at(pg.Limit), "the threshold")
	}
}

// poolAboveChip sums what the ingress side takes of the memory of the chip.
func poolAboveChip(s *subject) {
	if s.chip == nil {
		return
	}
	memory, err := s.chip.PacketBuffer.Get()
	if usable, unknown := s.chip.UsableBuffer.Get(); unknown == nil && (err != nil || usable > memory) {
		memory, err = usable, nil
	}
	if err != nil {
		return
	}
	var sum units.Bytes
	var largest *plan.Pool
	for i := range s.sw.Pools {
		pool := &s.sw.Pools[i]
		if pool.Size.Value > memory {
			s.found.Errorf(PoolAboveChip, at(pool.Size, s.sw.Range), "pool %s has %v, but %s has only %v", pool.Name, pool.Size.Value, s.chip.Title, memory).Fixf("give the pool at most %v", memory)
			return
		}
		if pool.Direction != plan.Ingress {
			continue
		}
		sum += pool.Size.Value
		if s.chip.PoolSize.Or(chips.Gross) == chips.Net {
			sum += pool.Headroom.Value
		}
		if largest == nil || pool.Size.Value > largest.Size.Value {
			largest = pool
		}
	}
	if s.chip.PoolSize.Or(chips.Gross) == chips.Net {
		sum += s.portReserves()
	}
	if own := s.queueReserves(); own > memory {
		s.found.Errorf(PoolAboveChip, s.sw.Range, "the queues of all ports reserve %v, but %s has only %v", own, s.chip.Title, memory).Fixf("give the queues smaller reserves, together less than %v", memory)
	}
	if sum > memory && largest != nil {
		s.found.Errorf(PoolAboveChip, at(largest.Size, s.sw.Range), "the ingress pools take %v, with headroom and reserves of ports, but %s has only %v: %v too much", sum, s.chip.Title, memory, sum-memory).Fixf("take %v from %s, or reduce headroom and reserves", sum-memory, largest.Name)
	}
}

// queueReserves returns the sum of the reserves of all queues.
func (s *subject) queueReserves() (sum units.Bytes) {
	for _, k := range s.kinds {
		for i := range k.qos.Queues {
			sum += k.qos.Queues[i].Reserved.Value * units.Bytes(len(k.ports))
		}
	}
	return sum
}

// portReserves returns the sum of the reserves of whole ports in the ingress pools.
func (s *subject) portReserves() (sum units.Bytes) {
	for _, k := range s.kinds {
		for _, p := range k.qos.Pools {
			if pool := s.sw.Pool(p.Pool); pool != nil && pool.Direction == plan.Ingress {
				sum += p.Reserved.Value * units.Bytes(len(k.ports))
			}
		}
	}
	return sum
}

// bufferModelNotOnChip finds the dynamic buffer model on silicon that SONiC has no calculator
// for.
func bufferModelNotOnChip(s *subject) {
	if s.chip == nil || s.chip.Family == chips.Spectrum || s.chip.Family == chips.TofinoFam || s.sw.BufferModel != plan.DynamicModel {
		return
	}
	s.found.Errorf(BufferModelNotOnChip, first(s.sw.BufferModelAt, s.sw.Range), "the buffer model is dynamic, but SONiC has no calculator for %s, so its buffer manager sets no buffers", s.chip.Title).
		Fixf("set buffer_model to traditional, and give the size of every pool and profile: only NVIDIA Spectrum has the dynamic model")
}

// pgUnused warns of headroom for traffic that cannot come. A class that has a name or a queue and
// no code point brings none, where the file says which code points lead where.
func pgUnused(s *subject) {
	if len(s.sw.Classes) == 0 {
		return
	}
	mapped := s.sw.Places.DSCPToTC != [64]diag.Range{}
	reached := func(q *plan.PortQoS, pg uint8) bool {
		return q.Trust == plan.TrustNone && s.admits(func(tc uint8) bool { return s.sw.Maps.TCToPG[tc&7] == pg }) ||
			q.DSCPToTC != nil && slices.ContainsFunc(q.DSCPToTC[:], func(tc uint8) bool { return s.sw.Maps.TCToPG[tc&7] == pg }) ||
			slices.ContainsFunc(s.sw.Classes, func(c plan.Class) bool { return c.PG == pg && (!mapped || len(c.DSCPs) > 0) })
	}
	for k, pg := range s.groups {
		if pg.Lossless && len(s.pauses(k, pg.ID)) > 0 && !reached(k.qos, pg.ID) {
			s.found.Warnf(PGUnused, at(pg.Headroom, k.pfcAt()), "no code point leads to the lossless priority group %d of %v, so no packet reaches it and its reserve is unused", pg.ID, k).Fixf("map a code point to the group, or make it lossy and disable PFC for its priority")
		}
	}
}
