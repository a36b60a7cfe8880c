package policy

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
			short, long := a.Cable, b.Cable
			if long.Value < short.Value {
				short, long = long, short
			}
			d.diags.Warnf(LinkCable, short.Range, "%s has a cable of %v, but its other end, %s, gives it %v", w.name(x.a), a.Cable.Value, w.name(x.b), b.Cable.Value).
				Fixf("give both port groups, or the link, the length of the cable: headroom for a shorter cable loses packets").
				Notef(long.Range, "%v is here", long.Value).Notef(x.at, "the link is here")
		}
		if a.Medium.Set && b.Medium.Set && a.Medium.Value != b.Medium.Value && first(media, a, b) {
			d.diags.Warnf(LinkCable, x.at, "the cable of %s is %s, and at its other end, %s, it is %s", w.name(x.a), a.Medium.Value, w.name(x.b), b.Medium.Value).
				Fixf("give both port groups its medium").
				Notef(a.Medium.Range, "%s is here", a.Medium.Value).Notef(b.Medium.Range, "%s is here", b.Medium.Value)
		}
	}
}

// first reports whether it is asked of two port groups for the first time, in either order.
func first(told map[[2]*groupDecl]bool, a, b *groupDecl) bool {
	if told[[2]*groupDecl{a, b}] || told[[2]*groupDecl{b, a}] {
		return false
	}
	told[[2]*groupDecl{a, b}] = true
	return true
}
