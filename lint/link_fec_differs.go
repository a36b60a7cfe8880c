package lint

import "github.com/roceplan/roceplan/units"

// linkFECDiffers compares the codes that correct errors. What a device takes by itself is not known: where the
// other end has another code than RS-FEC, or none, at a rate at which that is a choice, somebody has to look.
func linkFECDiffers(l *joined) {
	a, b := l.a.port.FEC, l.b.port.FEC
	switch known := func(fec string) bool { return fec != "" && fec != "auto" }; {
	case !known(a) && !known(b), l.a.port.Speed < 25*units.Gbps && !(known(a) && known(b)):
	case !known(a):
		l.oneCode(l.b, l.a)
	case !known(b):
		l.oneCode(l.a, l.b)
	case a == b:
		l.agree(FEC)
	default:
		l.deniesBoth(l.a.port.Range, l.b.port.Range, "has FEC %q", a, b)
		l.errorf(LinkFECDiffers, l.a.port.Range, l.b.port.Range, "%v has FEC %q, its peer %v FEC %q: the link stays down, or frames that one end cannot correct are lost", l.a, a, l.b, b).Fixf("give both ends the same code: rs if both support it")
	}
}

// oneCode reports a code that only one end has by its file.
func (l *joined) oneCode(says, silent *end) {
	if says.port.FEC == "rs" {
		return // what the rates that need it have
	}
	l.s.found.Warnf(LinkFECDiffers, says.port.Range, "%v has FEC %q, but the file of its peer %v leaves the choice to the device: if the device chooses another code, the link stays down", says, says.port.FEC, silent).
		Notef(silent.port.Range, "the other end").Fixf("give both ends the same code: rs if both support it")
}
