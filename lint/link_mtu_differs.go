package lint

// linkMTUDiffers compares the largest frames.
func linkMTUDiffers(l *joined) {
	a, b := l.a.port.MTU, l.b.port.MTU
	if a != 0 && b != 0 && a != b {
		l.errorf(LinkMTUDiffers, first(l.a.port.MTURange, l.a.port.Range), first(l.b.port.MTURange, l.b.port.Range), "%v takes frames of %v, its peer %v of %v: the larger ones are dropped", l.a, a, l.b, b).Fixf("give both ends frames of %v", max(a, b))
	}
}
