package lint

import "github.com/roceplan/roceplan/diag"

// What rules for one switch find. Each has a page docs/lint/CODE.md with its sources.
const (
	// A dynamic threshold has an alpha that the chip cannot be set to.
	AlphaNotOnChip diag.Code = "alpha-not-on-chip"

	// The alpha of a lossless priority group is so small that it pauses long before the buffer is used.
	AlphaTooSmall diag.Code = "alpha-too-small"

	// The buffer model is dynamic on a chip that SONiC has no buffer calculator for.
	BufferModelNotOnChip diag.Code = "buffer-model-not-on-chip"

	// A lossless port of a SONiC switch has no cable length, so its headroom is that of another cable or none.
	CableUnknown diag.Code = "cable-unknown"

	// The capped queue of CNPs may hold most of the buffer.
	CNPBufferWide diag.Code = "cnp-buffer-wide"

	// The cap of the strict queue of CNPs is more than CNPs can ever need.
	CNPCapWide diag.Code = "cnp-cap-wide"

	// CNPs travel in a lossless class, so that PFC stops the messages that would end the congestion.
	CNPInLossless diag.Code = "cnp-in-lossless"

	// CNPs are mapped to one queue, and another one is strict: 6 against 7.
	CNPPriority diag.Code = "cnp-priority"

	// CNPs share their queue's bandwidth by weight.
	CNPQueueNotStrict diag.Code = "cnp-queue-not-strict"

	// The strict queue of CNPs has no buffer of its own: a full pool drops them.
	CNPUnreserved diag.Code = "cnp-unreserved"

	// Packets without a DSCP are in a lossless class.
	DefaultLossless diag.Code = "default-lossless"

	// The queue of a lossless class marks nothing, so DCQCN cannot act and PFC does all the work.
	ECNMissing diag.Code = "ecn-missing"

	// A port whose lanes have four levels does without RS-FEC.
	FECMissing diag.Code = "fec-missing"

	// A lossless priority group has another threshold, xon offset or reserve on some ports than on the others.
	GroupUneven diag.Code = "group-uneven"

	// The headroom of a priority group is larger than the pool that it comes from.
	HeadroomAbovePool diag.Code = "headroom-above-pool"

	// The headroom is less than one frame and a pause: even a peer that stops at once overruns it.
	HeadroomBelowFrame diag.Code = "headroom-below-frame"

	// A lossless priority group has no headroom: what is under way when it pauses is lost.
	HeadroomMissing diag.Code = "headroom-missing"

	// A faster port with a longer cable has less headroom than a slower one with a shorter.
	HeadroomNotMonotone diag.Code = "headroom-not-monotone"

	// Priority groups have headroom, and the pool that the chip counts it against has no size.
	HeadroomPoolMissing diag.Code = "headroom-pool-missing"

	// Ports of equal speed and cable have different headroom.
	HeadroomUneven diag.Code = "headroom-uneven"

	// The queue cannot grow to Kmax: packets are dropped, or senders paused, before all of them are marked.
	KmaxAboveLimit diag.Code = "kmax-above-limit"

	// Kmin is larger than Kmax.
	KminAboveKmax diag.Code = "kmin-above-kmax"

	// Kmin is less than one frame: a queue that holds a single packet is marked.
	KminBelowFrame diag.Code = "kmin-below-frame"

	// Kmin is less than three full RoCE packets: flows that are marked so early leave the port idle.
	KminEarly diag.Code = "kmin-early"

	// The queue of RDMA is capped at less than a twentieth of its port.
	LosslessCapped diag.Code = "lossless-capped"

	// The queue of a lossless class drops before its priority group pauses.
	LosslessQueueLimit diag.Code = "lossless-queue-limit"

	// The queue of a class under congestion control has less than a twentieth of what is shared by weight.
	LosslessShareSmall diag.Code = "lossless-share-small"

	// A lossless class has strict priority without a cap and starves all others.
	LosslessStrict diag.Code = "lossless-strict"

	// A priority group has headroom and nothing pauses it.
	LosslessWithoutPFC diag.Code = "lossless-without-pfc"

	// A lossy class leaves from the queue of a lossless one.
	LossyInLosslessQueue diag.Code = "lossy-in-lossless-queue"

	// Ports with PFC take frames of different size.
	MTUUneven diag.Code = "mtu-uneven"

	// A port has no PFC while most ports of the switch have.
	PFCOffOnPort diag.Code = "pfc-off-on-port"

	// A pause from downstream stops another queue than the one that sends the class.
	PFCQueueMismatch diag.Code = "pfc-queue-mismatch"

	// PFC is on for a priority whose packets have no headroom.
	PFCWithoutLossless diag.Code = "pfc-without-lossless"

	// A lossless priority group holds memory and no traffic class leads into it.
	PGUnused diag.Code = "pg-unused"

	// Pmax is 0: nothing is marked until the queue reaches Kmax, and then everything.
	PmaxZero diag.Code = "pmax-zero"

	// Pools and headroom add up to more memory than the chip has.
	PoolAboveChip diag.Code = "pool-above-chip"

	// The queues of one port are told otherwise than those of all other ports of its speed.
	PortOdd diag.Code = "port-odd"

	// A port has no schedulers while most ports of the switch have.
	PortUnscheduled diag.Code = "port-unscheduled"

	// A lossless class leaves from a queue that has no buffer.
	QueueMissing diag.Code = "queue-missing"

	// A queue marks, or has strict priority and a cap, and no code point leads to it.
	QueueUnreached diag.Code = "queue-unreached"

	// A lossless priority group resumes one cell below its threshold: pauses alternate with single packets.
	ResumeAtOnce diag.Code = "resume-at-once"

	// A lossless priority group resumes only when many frames have drained.
	ResumeLate diag.Code = "resume-late"

	// The distance between pause and resume is larger than the threshold: the priority group resumes only when it is empty.
	ResumeTooLow diag.Code = "resume-too-low"

	// Packets leave with a code point that the same maps take for another kind: lossless ones for lossy, or lossy ones for lossless.
	RewriteLeavesLossless diag.Code = "rewrite-leaves-lossless"

	// A port runs at a speed that the chip does not have.
	SpeedNotOnChip diag.Code = "speed-not-on-chip"

	// A strict queue has no cap.
	StrictNoCap diag.Code = "strict-no-cap"

	// A lossless priority group has headroom and no threshold above which that begins.
	ThresholdMissing diag.Code = "threshold-missing"

	// A lossless priority group has a dynamic threshold in a pool of static ones.
	ThresholdMode diag.Code = "threshold-mode"

	// A port with PFC looks at no code point, so nothing is in its lossless classes.
	TrustMissing diag.Code = "trust-missing"

	// The PFC watchdog takes a healthy pause for a storm.
	WatchdogBelowPause diag.Code = "watchdog-below-pause"

	// The PFC watchdog acts sooner than congestion ends.
	WatchdogHasty diag.Code = "watchdog-hasty"

	// Ports with PFC have no watchdog: a NIC that pauses without end stops the fabric.
	WatchdogMissing diag.Code = "watchdog-missing"

	// The PFC watchdog does nothing but tell.
	WatchdogPassive diag.Code = "watchdog-passive"

	// The PFC watchdog polls too seldom for its timers.
	WatchdogPoll diag.Code = "watchdog-poll"

	// The PFC watchdog waits so long that a storm stops the fabric.
	WatchdogSlow diag.Code = "watchdog-slow"

	// A queue that shares by weight has a weight of 0.
	WeightZero diag.Code = "weight-zero"
)

// What rules about links, NICs and the fabric file find.
const (
	// The two ends of a link pause different priorities.
	LinkPFCDiffers diag.Code = "link-pfc-differs"

	// A code point is lossless at one end of a link and not, or under another priority, at the other.
	LinkDSCPDiffers diag.Code = "link-dscp-differs"

	// The two ends of a link take frames of different size.
	LinkMTUDiffers diag.Code = "link-mtu-differs"

	// The two ends of a link have different speeds.
	LinkSpeedDiffers diag.Code = "link-speed-differs"

	// The two ends of a link know different lengths of their cable.
	LinkCableDiffers diag.Code = "link-cable-differs"

	// The two ends of a link correct errors by different codes.
	LinkFECDiffers diag.Code = "link-fec-differs"

	// CNPs have strict priority at one end of a link and not at the other.
	LinkCNPDiffers diag.Code = "link-cnp-differs"

	// A link names a port that the file of its switch does not have.
	LinkPortMissing diag.Code = "link-port-missing"

	// A NIC and its port disagree about a class: its code point, its PFC priority, or whether it is lossless.
	NICClassDiffers diag.Code = "nic-class-differs"

	// A NIC sends larger frames than its port takes.
	NICMTUDiffers diag.Code = "nic-mtu-differs"

	// The CNPs of a NIC do not reach the strict queue of its port: 6 against 7.
	NICCNPDiffers diag.Code = "nic-cnp-differs"

	// A port is missing, or its speed, MTU or cable is not that of the fabric file.
	FabricPortDiffers diag.Code = "fabric-port-differs"

	// A map does not lead where the fabric file says.
	FabricClassDiffers diag.Code = "fabric-class-differs"

	// PFC, trust or the watchdog of a port is not that of the fabric file.
	FabricPFCDiffers diag.Code = "fabric-pfc-differs"

	// A priority group has less headroom than the fabric file gives it, margins included.
	FabricHeadroomLess diag.Code = "fabric-headroom-less"

	// A pool, reserve, limit or resume level is not that of the fabric file.
	FabricThresholdDiffers diag.Code = "fabric-threshold-differs"

	// A marking curve is not that of the fabric file.
	FabricECNDiffers diag.Code = "fabric-ecn-differs"

	// A queue is not scheduled as the fabric file says.
	FabricSchedulingDiffers diag.Code = "fabric-scheduling-differs"

	// Packets choose among equal paths otherwise than the fabric file says.
	FabricBalancingDiffers diag.Code = "fabric-balancing-differs"

	// The PFC watchdog is not that of the fabric file.
	FabricWatchdogDiffers diag.Code = "fabric-watchdog-differs"
)

// Codes returns all of the above: those that have a page docs/lint/CODE.md.
func Codes() []diag.Code {
	return []diag.Code{
		AlphaNotOnChip,
		AlphaTooSmall,
		BufferModelNotOnChip,
		CableUnknown,
		CNPBufferWide,
		CNPCapWide,
		CNPInLossless,
		CNPPriority,
		CNPQueueNotStrict,
		CNPUnreserved,
		DefaultLossless,
		ECNMissing,
		FECMissing,
		GroupUneven,
		HeadroomAbovePool,
		HeadroomBelowFrame,
		HeadroomMissing,
		HeadroomNotMonotone,
		HeadroomPoolMissing,
		HeadroomUneven,
		KmaxAboveLimit,
		KminAboveKmax,
		KminBelowFrame,
		KminEarly,
		LosslessCapped,
		LosslessQueueLimit,
		LosslessShareSmall,
		LosslessStrict,
		LosslessWithoutPFC,
		LossyInLosslessQueue,
		MTUUneven,
		PFCOffOnPort,
		PFCQueueMismatch,
		PFCWithoutLossless,
		PGUnused,
		PmaxZero,
		PoolAboveChip,
		PortOdd,
		PortUnscheduled,
		QueueMissing,
		QueueUnreached,
		ResumeAtOnce,
		ResumeLate,
		ResumeTooLow,
		RewriteLeavesLossless,
		SpeedNotOnChip,
		StrictNoCap,
		ThresholdMissing,
		ThresholdMode,
		TrustMissing,
		WatchdogBelowPause,
		WatchdogHasty,
		WatchdogMissing,
		WatchdogPassive,
		WatchdogPoll,
		WatchdogSlow,
		WeightZero,
		LinkPFCDiffers,
		LinkDSCPDiffers,
		LinkMTUDiffers,
		LinkSpeedDiffers,
		LinkCableDiffers,
		LinkFECDiffers,
		LinkCNPDiffers,
		LinkPortMissing,
		NICClassDiffers,
		NICMTUDiffers,
		NICCNPDiffers,
		FabricPortDiffers,
		FabricClassDiffers,
		FabricPFCDiffers,
		FabricHeadroomLess,
		FabricThresholdDiffers,
		FabricECNDiffers,
		FabricSchedulingDiffers,
		FabricBalancingDiffers,
		FabricWatchdogDiffers,
	}
}
