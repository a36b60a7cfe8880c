package lint

import "github.com/roceplan/roceplan/units"

// linkCableDiffers compares lengths.
func linkCableDiffers(l *joined) {
	a, b := l.a.port.Cable, l.b.port.Cable
	switch {
	case a == 0 || b == 0:
	case a == b:
		l.agree(Cable)
	default:
		l.longer(a, b)
		l.errorf(LinkCableDiffers, first(l.a.port.CableRange, l.a.port.Range), first(l.b.port.CableRange, l.b.port.Range), "%v has a cable of %v, but its peer %v gives the same cable %v", l.a, a, l.b, b).Fixf("give both ends the length of the cable")
	}
}

// longer denies the end that says the shorter length: its headroom is for that.
func (l *joined) longer(a, b units.Length) {
	by := l.a
	if b > a {
		by = l.b
	}
	l.denies(by, false, first(by.port.CableRange, by.port.Range), "has a cable of %v", max(a, b))
}
