package lint

// nicCNPDiffers follows a NIC's CNPs into the port.
func nicCNPDiffers(n *attached) {
	if n.host.CNPDSCP == 0 || n.marked() {
		return
	}
	queue := n.end.sw.QueuesOf(n.end.port.QoS)[n.end.class(n.host.CNPDSCP)]
	q := queueOf(n.end.port.QoS, queue)
	if q != nil && q.Scheduler.Strict {
		return
	}
	for _, other := range n.end.port.QoS.Queues {
		if other.Scheduler.Strict {
			n.errorf(NICCNPDiffers, n.end.dscpAt(n.host.CNPDSCP), "the NIC %q sends CNPs with DSCP %d, 802.1p priority %d, but %v sends them from queue %d, which shares by weight, although queue %d is strict", n.host.Name, n.host.CNPDSCP, n.host.CNPPFC, n.end, queue, other.ID).Fixf("map DSCP %d to queue %d", n.host.CNPDSCP, other.ID)
			return
		}
	}
}
