package calc

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// HeadroomByRatio returns the size of a pool that holds one part of the headroom that suffices in
// every slice, but always what one PG needs: document headroom-by-ratio.
func HeadroomByRatio(all units.Bytes, ratio int64, largest units.Bytes, slices int64, cell units.Bytes) units.Bytes {
	part := units.Bytes(units.CeilMulDiv(int64(all), 1, ratio))
	return max(part.CeilTo(units.Bytes(slices)*cell), largest*units.Bytes(slices))
}

// share makes a pool of the headroom of all PGs: large enough for every PG in every slice,
// or as much smaller as the fabric asks for.
func (h *headrooms) share(found *findings) {
	if h.headroom.Value == 0 {
		return
	}
	h.coverSlices()
	if !h.sharing.Set {
		return
	}
	if !h.pooled {
		found.list.Errorf(HeadroomSharing, h.sharing.Range, "priority groups of %s own their headroom: it cannot be shared", h.chip.Title).
			Fixf("remove headroom_sharing, or use a chip with a pool of headroom")
		return
	}
	whole, slices := h.headroom, int64(h.slices.Value)
	sharing := given("headroom_sharing", h.sharing, h.sharing.Value, "")
	if n := h.sharing.Value.Groups; n > 0 {
		largest := h.largestGroups(n)
		total := largest * units.Bytes(slices)
		if total < whole.Value {
			h.headroom = plan.Of(total, computed("product", "pool of headroom for so many groups", total,
				term("value", rounded("largest", "headroom of the groups that need most", largest, term("sharing", sharing), term("all", whole.Why))),
				term("times", h.slices.Why)))
		}
	} else {
		ratio, largest := plan.Count(h.sharing.Value.Ratio), h.largestGroups(1)
		total := HeadroomByRatio(whole.Value, int64(ratio), largest, slices, h.cell)
		h.headroom = plan.Of(total, computed("headroom-by-ratio", "pool of headroom by ratio", total, term("all", whole.Why),
			term("ratio", rounded("ratio", "ratio", ratio, term("sharing", sharing))),
			term("largest", chosen("headroom of the group that needs most", largest, "one group must always be able to pause")),
			term("slices", h.slices.Why), term("cell", h.cellWhy)))
	}
	if h.headroom.Value < whole.Value {
		held, groups := h.groupsHeld(), h.losslessGroups()
		parts := ""
		if h.slices.Value > 1 {
			parts = fmt.Sprintf("in each of %v parts ", h.slices.Value)
		}
		found.list.Warnf(HeadroomShared, h.sharing.Range, "the headroom pool of %s is %v, and its groups need %v together: %s%d of %d lossless groups can be paused at once, and any further one loses packets",
			h.sw.Label, h.headroom.Value, whole.Value, parts, held, groups).
			Fixf("keep it if no more groups are paused at once, or remove headroom_sharing and shorten cables")
	}
}

// pausedAtOnce returns the number of PGs of a slice that the author assumes to be paused at once:
// as he says, or as many as the pool must hold for him; 0 where all may be.
func (h *headrooms) pausedAtOnce() int {
	switch {
	case !h.sharing.Set || !h.pooled:
		return 0
	case h.sharing.Value.Groups > 0:
		return h.sharing.Value.Groups
	}
	return h.groupsHeld()
}

// groupsHeld returns the number of PGs, the neediest ones, for which a slice's part of the pool suffices.
func (h *headrooms) groupsHeld() int {
	part := h.headroom.Value / units.Bytes(h.slices.Value)
	n := 0
	for n < h.losslessGroups() && h.largestGroups(n+1) <= part {
		n++
	}
	return n
}

// largestGroups adds up the n largest headrooms of all PGs.
func (h *headrooms) largestGroups(n int) units.Bytes {
	kinds := slices.Clone(h.kinds)
	of := func(k *kind) units.Bytes { return h.rooms[k.index].headroom.Value }
	stable.Sort(kinds, func(a, b *kind) int { return cmp.Compare(of(b), of(a)) })
	var sum units.Bytes
	for _, k := range kinds {
		groups := min(n, len(k.ports)*h.groupsOf(k))
		sum += units.Bytes(groups) * of(k)
		n -= groups
	}
	return sum
}

// coverSlices makes a pool of headroom large enough in every slice: slices share nothing,
// and a pool is divided evenly.
func (h *headrooms) coverSlices() {
	slices := units.Bytes(h.slices.Value)
	if slices == 1 {
		return
	}
	largest, known := h.inSlice(func(k *kind) units.Bytes { return h.rooms[k.index].headroom.Value * units.Bytes(h.groupsOf(k)) })
	total := max(h.headroom.Value.CeilTo(slices*h.cell), largest*slices)
	h.headroom = plan.Of(total, computed("slice-headroom", "headroom that suffices in every slice", total,
		term("all", h.headroom.Why), term("largest", h.placed("headroom of the lossless PGs of one slice", largest, known)), term("slices", h.slices.Why), term("cell", h.cellWhy)))
}
