package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

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

// linkCNPDiffers compares the queues that CNPs leave from.
func linkCNPDiffers(l *joined) {
	a, b := l.a.cnpQueue(), l.b.cnpQueue()
	if a == nil || b == nil || a.Scheduler.Strict == b.Scheduler.Strict {
		return
	}
	how := map[bool]string{true: "strict priority", false: "a share by weight"}
	l.errorf(LinkCNPDiffers, l.a.dscpAt(CNPDSCP), l.b.dscpAt(CNPDSCP), "CNPs (DSCP %d) have %s at %v and %s at its peer %v", CNPDSCP, how[a.Scheduler.Strict], l.a, how[b.Scheduler.Strict], l.b).Fixf("give CNPs strict priority at both ends")
}

// linkDSCPDiffers follows every code point through both ends. The class of a packet is decided by
// the port that it comes in by, and what it leaves with by that class: with another DSCP it
// belongs to the class of that at the peer.
func linkDSCPDiffers(l *joined) {
	if l.a.silent() || l.b.silent() {
		return
	}
	for _, ends := range [2][2]*end{{l.a, l.b}, {l.b, l.a}} {
		for _, in := range l.s.admissions(ends[0]) {
			for dscp := range uint8(64) {
				if l.otherClass(ends[0], ends[1], in, dscp) {
					return
				}
			}
		}
	}
	l.agree(Classes)
}

// otherClass reports a code point whose packets change between lossy and lossless, or from
// one PFC priority to another, on their way from one end to the other.
func (l *joined) otherClass(from, to *end, in *admission, dscp uint8) bool {
	out := from.leaves(in, dscp)
	a, b := from.pauses(in.classes[dscp]&7), to.priority(out)
	if a == b || a != lossy && to.pfc()&(1<<a) == 0 || b != lossy && from.pfc()&(1<<b) == 0 {
		return false // the same, or PFC itself differs, which is reported already
	}
	if a != lossy { // these packets are lossy there, or other pauses stop them
		l.denies(to, true, to.dscpAt(out), "has DSCP %d %s", out, b)
	}
	if b != lossy {
		l.denies(from, true, from.dscpAt(dscp), "has DSCP %d %s", dscp, a)
	}
	if out != dscp {
		l.errorf(LinkDSCPDiffers, in.at(from, dscp), to.dscpAt(out), "DSCP %d is %s%s at %v, which sends it on as DSCP %d, and that is %s at its peer %v", dscp, a, in.where(from), from, out, b, to).Fixf("send DSCP %d on unchanged from %v, or as a DSCP that is %s at %v", dscp, from, a, to)
		return true
	}
	l.errorf(LinkDSCPDiffers, in.at(from, dscp), to.dscpAt(out), "DSCP %d is %s%s at %v and %s at its peer %v", dscp, a, in.where(from), from, b, to).Fixf("map DSCP %d to the same class at both ends", dscp)
	return true
}

// An admission is the classification at ports of a kind.
type admission struct {
	port    *plan.Port // the first of the kind
	classes [64]uint8
	rules   *plan.Marking // of untrusted ports; else nil
}

// admittedBy returns the classification at a port with this QoS.
func admittedBy(sw *plan.Switch, qos *plan.PortQoS) admission {
	if qos != nil && qos.Trust == plan.TrustNone && sw.Marking != nil {
		return admission{classes: sw.Marking.Classes(), rules: sw.Marking}
	}
	return admission{classes: *sw.ClassifiedBy(qos)}
}

// admissions returns the ways in which what leaves an end may have come in: those of the port itself
// first, for all that are alike.
func (s *survey) admissions(e *end) []*admission {
	own := admittedBy(e.sw, e.port.QoS)
	own.port = e.port
	all := []*admission{&own}
	for _, in := range s.kindsOf(e.sw) {
		if !slices.ContainsFunc(all, in.alike) {
			all = append(all, in)
		}
	}
	return all
}

// kindsOf returns the admissions of a switch, each once.
func (s *survey) kindsOf(sw *plan.Switch) []*admission {
	if known, ok := s.kinds[sw]; ok {
		return known
	}
	var all []*admission
	seen := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; qos != nil && !seen[qos] {
			seen[qos] = true
			in := admittedBy(sw, qos)
			in.port = &sw.Ports[i]
			if !slices.ContainsFunc(all, in.alike) {
				all = append(all, &in)
			}
		}
	}
	s.kinds[sw] = all
	return all
}

func (a *admission) alike(b *admission) bool { return a.rules == b.rules && a.classes == b.classes }

// where names the port that the packets come in by, if that is not the end itself.
func (a *admission) where(e *end) string {
	if a.port == e.port {
		return ""
	}
	return ", if it arrives at " + a.port.Name + ","
}

// at returns the place in the file that sets the class of a code point.
func (a *admission) at(e *end, dscp uint8) diag.Range {
	if a.rules != nil {
		return first(a.rules.Range, e.dscpAt(dscp))
	}
	return e.dscpAt(dscp)
}

// linkFECDiffers compares the codes that correct errors. The default of a device is not known:
// where the other end has another code than RS-FEC, or none, at a rate with a choice, a person has
// to look.
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
		return // the code of the rates that need one
	}
	l.s.found.Warnf(LinkFECDiffers, says.port.Range, "%v has FEC %q, but the file of its peer %v leaves the choice to the device: if the device chooses another code, the link stays down", says, says.port.FEC, silent).
		Notef(silent.port.Range, "the other end").Fixf("give both ends the same code: rs if both support it")
}

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

// linkPFCDiffers compares the priorities that are lossless.
func linkPFCDiffers(l *joined) {
	if l.a.silent() || l.b.silent() || l.a.pfc() == l.b.pfc() {
		return
	}
	l.errorf(LinkPFCDiffers, l.a.pfcAt(), l.b.pfcAt(), "%v has PFC for %s, but its peer %v for %s: one of them ignores pauses of the other", l.a, Priorities(l.a.pfc()), l.b, Priorities(l.b.pfc())).Fixf("enable PFC for the same priorities at both ends")
}

// Priorities writes a set of PFC priorities.
func Priorities(set uint8) string {
	var all []string
	for p := range 8 {
		if set&(1<<p) != 0 {
			all = append(all, strconv.Itoa(p))
		}
	}
	switch len(all) {
	case 0:
		return "no priority"
	case 1:
		return "priority " + all[0]
	}
	return "priorities " + strings.Join(all, ", ")
}

// linkPortMissing reports an end that is not there.
func (s *survey) linkPortMissing(sw *plan.Switch, name, port string, peer plan.LinkEnd) {
	s.found.Errorf(LinkPortMissing, sw.Range, "%s has no port %s, which the cabling joins to %s of %s", name, port, peer.Port, peer.Switch).Fixf("add the port to the file, or correct the cabling")
}

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

// pausesIgnored looks whether each end stops when the other pauses it. It finds nothing by itself:
// link-pfc-differs and pfc-queue-mismatch do.
func pausesIgnored(l *joined) {
	if l.a.silent() || l.b.silent() {
		return
	}
	before := len(l.joint.Denied)
	for _, own := range []*end{l.a, l.b} {
		for p := range uint8(8) {
			if own.pfc()>>p&1 == 1 {
				l.ignored(own, l.other(own), p)
			}
		}
	}
	if len(l.joint.Denied) == before {
		l.agree(Pauses)
	}
}

// ignored denies that a peer obeys the pauses of a priority, if its file says that it does not, or
// that they stop another queue than the one that the packets leave from.
func (l *joined) ignored(own, peer *end, p uint8) {
	if peer.pfc()>>p&1 == 0 {
		l.denies(peer, true, peer.pfcAt(), "does not obey pauses of priority %d: it has PFC for %s", p, Priorities(peer.pfc()))
		return
	}
	stops := peer.sw.Maps.PFCToQueue[p]
	for _, in := range l.s.admissions(peer) {
		for dscp := range uint8(64) {
			queue := peer.sw.QueuesOf(peer.port.QoS)[in.classes[dscp]&7]
			if own.priority(peer.leaves(in, dscp)) != priority(p) || queue == stops {
				continue
			}
			at := first(peer.sw.Places.PFCToQueue[p], peer.pfcAt())
			l.denies(peer, true, at, "does not obey pauses of priority %d: they stop %s, and packets of DSCP %d leave from queue %d", p, queueName(stops), dscp, queue)
			return
		}
	}
}
