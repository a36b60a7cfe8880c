package lint

// linkMTUDiffers compares the largest frames.
func linkMTUDiffers(l *joined) {
	a, b := l.a.port.MTU, l.b.port.MTU
	switch {
	case a == 0 || b == 0:
	case a == b:
		l.agree(Frame)
	default:
		if a > b {
			l.sendsLarger(l.a, l.b)
		} else {
			l.sendsLarger(l.b, l.a)
		}
		l.errorf(LinkMTUDiffers, first(l.a.port.MTURange, l.a.port.Range), first(l.b.port.MTURange, l.b.port.Range), "%v accepts frames of %v, but its peer %v of %v: larger frames are dropped", l.a, a, l.b, b).Fixf("give both ends frames of %v", max(a, b))
	}
}

// sendsLarger denies that an end sends no larger frames than the other takes, where lossless frames
// may be as large.
func (l *joined) sendsLarger(larger, smaller *end) {
	if frame := losslessFrame(larger.port); frame == 0 || frame > smaller.port.MTU {
		l.denies(larger, true, first(larger.port.MTURange, larger.port.Range), "sends frames of up to %v, and the port takes %v", larger.port.MTU, smaller.port.MTU)
	}
}
