package lint

// linkSpeedDiffers compares speeds.
func linkSpeedDiffers(l *joined) {
	a, b := l.a.port.Speed, l.b.port.Speed
	switch {
	case a == 0 || b == 0:
	case a == b:
		l.agree(Speed)
	default:
		l.deniesBoth(l.a.port.Range, l.b.port.Range, "runs at %v", a, b)
		l.errorf(LinkSpeedDiffers, l.a.port.Range, l.b.port.Range, "%v runs at %v, but its peer %v at %v", l.a, a, l.b, b).Fixf("give both ends the speed of the link")
	}
}
