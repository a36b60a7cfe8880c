package lint

// linkFECDiffers compares the codes that correct errors. What a device takes by itself is not known.
func linkFECDiffers(l *joined) {
	a, b := l.a.port.FEC, l.b.port.FEC
	switch known := func(fec string) bool { return fec != "" && fec != "auto" }; {
	case !known(a) || !known(b):
	case a == b:
		l.agree(FEC)
	default:
		l.deniesBoth(l.a.port.Range, l.b.port.Range, "has FEC %q", a, b)
		l.errorf(LinkFECDiffers, l.a.port.Range, l.b.port.Range, "%v has FEC %q, its peer %v FEC %q: the link stays down, or frames that one end cannot correct are lost", l.a, a, l.b, b).Fixf("give both ends the same code: rs, where both can")
	}
}
