package policy

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// checkCables warns of links of which the port groups at both ends describe two cables, once for
// each two groups: headroom of one end is for another cable than the one that is there. It is no
// error, since what runs is often so, and has to be compiled as it is.
func (w *wiring) checkCables(d *decoder) {
	lengths, media := map[[2]*groupDecl]bool{}, map[[2]*groupDecl]bool{}
	for _, x := range w.wires {
		if x.b.device == none {
			continue
		}
		a, b := w.group(x.a), w.group(x.b)
		if !x.cable.Set && a.Cable.Set && b.Cable.Set && a.Cable.Value != b.Cable.Value && first(lengths, a, b) {
			odd, other := a.Cable, b.Cable
			if odder(other.Value, odd.Value) {
				odd, other = other, odd
			}
			d.diags.Warnf(LinkCable, odd.Range, "%s has a cable of %v, but its other end, %s, gives it %v", w.name(x.a), a.Cable.Value, w.name(x.b), b.Cable.Value).
				Fixf("give both port groups, or the link, the length of the cable: headroom for a shorter cable loses packets").
				Notef(other.Range, "%v is here", other.Value).Notef(x.at, "the link is here")
		}
		if a.Medium.Set && b.Medium.Set && a.Medium.Value != b.Medium.Value && first(media, a, b) {
			d.diags.Warnf(LinkCable, x.at, "the cable of %s is %s, and at its other end, %s, it is %s", w.name(x.a), a.Medium.Value, w.name(x.b), b.Medium.Value).
				Fixf("give both port groups its medium").
				Notef(a.Medium.Range, "%s is here", a.Medium.Value).Notef(b.Medium.Range, "%s is here", b.Medium.Value)
		}
	}
}

// odder reports whether one of two lengths of a cable is more likely the wrong one: that of another unit, the one that is
// less round, else the shorter one, whose headroom is too small.
func odder(a, b units.Length) bool {
	if a > 100*b || b > 100*a {
		return a > b
	}
	digits := func(x units.Length) int { return len(strings.TrimRight(strconv.FormatInt(int64(x), 10), "0")) }
	if digits(a) != digits(b) {
		return digits(a) > digits(b)
	}
	return a < b
}

// first reports whether it is asked of two port groups for the first time, in either order.
func first(told map[[2]*groupDecl]bool, a, b *groupDecl) bool {
	if told[[2]*groupDecl{a, b}] || told[[2]*groupDecl{b, a}] {
		return false
	}
	told[[2]*groupDecl{a, b}] = true
	return true
}
