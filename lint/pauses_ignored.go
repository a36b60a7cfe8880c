package lint

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
