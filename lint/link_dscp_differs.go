package lint

// linkDSCPDiffers follows every code point through both ends, with what a port makes of
// it: a packet that leaves with another DSCP belongs to the class of that at its peer.
func linkDSCPDiffers(l *joined) {
	if l.a.silent() || l.b.silent() {
		return
	}
	for dscp := range uint8(64) {
		if l.otherClass(l.a, l.b, dscp) || l.otherClass(l.b, l.a, dscp) {
			return
		}
	}
}

// otherClass reports a code point whose packets change between lossy and lossless, or from
// one PFC priority to another, on their way from one end to the other.
func (l *joined) otherClass(from, to *end, dscp uint8) bool {
	out := from.leaves(dscp)
	a, b := from.priority(dscp), to.priority(out)
	if a == b || a != lossy && to.pfc()&(1<<a) == 0 || b != lossy && from.pfc()&(1<<b) == 0 {
		return false // the same, or PFC itself differs, which is said already
	}
	if out != dscp {
		l.errorf(LinkDSCPDiffers, from.dscpAt(dscp), to.dscpAt(out), "DSCP %d is %s at %v, which sends it on as DSCP %d, and that is %s at its peer %v", dscp, a, from, out, b, to).Fixf("map DSCP %d at %v so that it is %s there too", out, to, a)
		return true
	}
	l.errorf(LinkDSCPDiffers, from.dscpAt(dscp), to.dscpAt(out), "DSCP %d is %s at %v and %s at its peer %v", dscp, a, from, b, to).Fixf("map DSCP %d to the same class at both ends", dscp)
	return true
}
