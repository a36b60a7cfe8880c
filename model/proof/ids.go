package proof

// IDs of the obligations.
const (
	PauseReaches  = "pause-reaches-peer"
	Headroom      = "headroom"
	Resume        = "xon-below-xoff"
	HeadroomPool  = "headroom-pool"
	QueueHolds    = "pfc-before-drop"
	PortHolds     = "egress-port-holds"
	EgressHolds   = "egress-pool-holds"
	Memory        = "memory"
	LossyShare    = "lossy-leaves-lossless"
	MarkingOrder  = "kmin-below-kmax"
	MarkingQueue  = "kmax-below-queue-limit"
	MarkingBefore = "ecn-before-pfc"
	Starvation    = "starvation"
	WatchdogPause = "watchdog-above-pause"
	WatchdogPoll  = "watchdog-above-poll"
)

// bufferIDs are those that nothing can be said about without a buffer.
var bufferIDs = []string{PauseReaches, Headroom, Resume, HeadroomPool, QueueHolds, EgressHolds, Memory, LossyShare, MarkingQueue, MarkingBefore}
