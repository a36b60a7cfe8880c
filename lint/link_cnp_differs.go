package lint

// linkCNPDiffers compares the queues that CNPs leave from.
func linkCNPDiffers(l *joined) {
	a, b := l.a.cnpQueue(), l.b.cnpQueue()
	if a == nil || b == nil || a.Scheduler.Strict == b.Scheduler.Strict {
		return
	}
	how := map[bool]string{true: "strict priority", false: "a share by weight"}
	l.errorf(LinkCNPDiffers, l.a.dscpAt(CNPDSCP), l.b.dscpAt(CNPDSCP), "CNPs (DSCP %d) have %s at %v and %s at its peer %v", CNPDSCP, how[a.Scheduler.Strict], l.a, how[b.Scheduler.Strict], l.b).Fixf("give CNPs strict priority at both ends")
}
