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

var titles = map[string]string{
	PauseReaches:  "a pause of the priority group reaches the peer",
	Headroom:      "headroom takes all that still comes in after a pause",
	Resume:        "a group that resumes has its headroom free again",
	HeadroomPool:  "the headroom pool takes what comes in after all pauses",
	QueueHolds:    "all senders are paused before the queue drops",
	PortHolds:     "a port that is bounded as a whole takes all that its senders can hold",
	EgressHolds:   "the egress pool takes all that lossless groups can hold",
	Memory:        "reserves, shared parts and headroom fit the memory",
	LossyShare:    "lossy traffic leaves a frame for every lossless group",
	MarkingOrder:  "marking begins below the level at which all is marked",
	MarkingQueue:  "the queue can reach the level at which all is marked",
	MarkingBefore: "all is marked before the first pause",
	Starvation:    "strict queues leave the others their part",
	WatchdogPause: "the watchdog waits for ten of the longest pauses",
	WatchdogPoll:  "the watchdog's timers last longer than its poll",
}

// lossless are those whose failure loses lossless packets. Memory is one where what can
// really be held exceeds it.
var lossless = map[string]bool{
	PauseReaches: true, Headroom: true, Resume: true, HeadroomPool: true, QueueHolds: true, PortHolds: true, EgressHolds: true,
}
