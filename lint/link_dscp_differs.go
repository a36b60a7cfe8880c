package lint

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

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
		return false // the same, or PFC itself differs, which is said already
	}
	if a != lossy { // these packets are lossy there, or other pauses stop them
		l.denies(to, true, to.dscpAt(out), "has DSCP %d %s", out, b)
	}
	if b != lossy {
		l.denies(from, true, from.dscpAt(dscp), "has DSCP %d %s", dscp, a)
	}
	if out != dscp {
		l.errorf(LinkDSCPDiffers, in.at(from, dscp), to.dscpAt(out), "DSCP %d is %s%s at %v, which sends it on as DSCP %d, and that is %s at its peer %v", dscp, a, in.where(from), from, out, b, to).Fixf("map DSCP %d at %v so that it is %s there too", out, to, a)
		return true
	}
	l.errorf(LinkDSCPDiffers, in.at(from, dscp), to.dscpAt(out), "DSCP %d is %s%s at %v and %s at its peer %v", dscp, a, in.where(from), from, b, to).Fixf("map DSCP %d to the same class at both ends", dscp)
	return true
}

// An admission is how ports of a kind classify what comes in.
type admission struct {
	port    *plan.Port // the first of the kind
	classes [64]uint8
	rules   *plan.Marking // of untrusted ports; else nil
}

// admittedBy is how a port with this QoS classifies.
func admittedBy(sw *plan.Switch, qos *plan.PortQoS) admission {
	if qos != nil && qos.Trust == plan.TrustNone && sw.Marking != nil {
		return admission{classes: sw.Marking.Classes(), rules: sw.Marking}
	}
	return admission{classes: *sw.ClassifiedBy(qos)}
}

// admissions are the ways in which what leaves an end may have come in: those of the port itself
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

// kindsOf are the admissions of a switch, each once.
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

// at is where the file says of which class a code point is.
func (a *admission) at(e *end, dscp uint8) diag.Range {
	if a.rules != nil {
		return first(a.rules.Range, e.dscpAt(dscp))
	}
	return e.dscpAt(dscp)
}
