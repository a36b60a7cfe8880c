package lint

// linkDSCPDiffers follows every code point through both ends.
func linkDSCPDiffers(l *joined) {
	if l.a.silent() || l.b.silent() {
		return
	}
	for dscp := range uint8(64) {
		a, b := l.a.priority(dscp), l.b.priority(dscp)
		if a == b || a != lossy && l.b.pfc()&(1<<a) == 0 || b != lossy && l.a.pfc()&(1<<b) == 0 {
			continue // the same, or PFC itself differs, which is said already
		}
		l.errorf(LinkDSCPDiffers, l.a.dscpAt(dscp), l.b.dscpAt(dscp), "DSCP %d is %s at %v and %s at its peer %v", dscp, a, l.a, b, l.b)
		return
	}
}
