package lint

// linkCableDiffers compares lengths.
func linkCableDiffers(l *joined) {
	a, b := l.a.port.Cable, l.b.port.Cable
	if a != 0 && b != 0 && a != b {
		l.errorf(LinkCableDiffers, first(l.a.port.CableRange, l.a.port.Range), first(l.b.port.CableRange, l.b.port.Range), "%v has a cable of %v, its peer %v one of %v, and it is the same cable", l.a, a, l.b, b).Fixf("give both ends the length that the cable has")
	}
}
