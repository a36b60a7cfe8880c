package lint

import "github.com/roceplan/roceplan/diag"

// Findings of rules for one switch. Each has a page docs/lint/CODE.md with its sources.
const (
	// The chip cannot be set to the alpha of a dynamic threshold.
	AlphaNotOnChip diag.Code = "alpha-not-on-chip"

	// The alpha of a lossless priority group is so small that PFC pauses its senders long before
	// the buffer is full.
	AlphaTooSmall diag.Code = "alpha-too-small"

	// The buffer model is dynamic, but SONiC has no buffer calculator for the chip.
	BufferModelNotOnChip diag.Code = "buffer-model-not-on-chip"

	// A lossless port of a SONiC switch has no cable length, so its headroom may be missing or
	// wrong.
	CableUnknown diag.Code = "cable-unknown"

	// Packets of a lossless class arrive at ports that do not pause it.
	ClassUnpaused diag.Code = "class-unpaused"

	// The capped CNP queue can fill most of the buffer.
	CNPBufferWide diag.Code = "cnp-buffer-wide"

	// The rate cap of the strict CNP queue is higher than CNPs can ever need.
	CNPCapWide diag.Code = "cnp-cap-wide"

	// CNPs are in a lossless class, so PFC can stop the packets that would end the congestion.
	CNPInLossless diag.Code = "cnp-in-lossless"

	// CNPs are in a weighted queue, but another queue is strict. The usual cause is a mix of
	// priorities 6 and 7.
	CNPPriority diag.Code = "cnp-priority"

	// The CNP queue is weighted instead of strict.
	CNPQueueNotStrict diag.Code = "cnp-queue-not-strict"

	// The strict CNP queue has no reserved buffer, so CNPs are dropped when the pool is full.
	CNPUnreserved diag.Code = "cnp-unreserved"

	// Packets with DSCP 0, the default, are in a lossless class.
	DefaultLossless diag.Code = "default-lossless"

	// The queue of a lossless class does not mark packets, so PFC acts instead of DCQCN.
	ECNMissing diag.Code = "ecn-missing"

	// A port has no RS-FEC, but its link needs it.
	FECMissing diag.Code = "fec-missing"

	// The threshold, xon offset or reserve of a lossless priority group differs between ports.
	GroupUneven diag.Code = "group-uneven"

	// The headroom of a priority group is larger than its pool, or than the size of its profile
	// where that covers the headroom.
	HeadroomAbovePool diag.Code = "headroom-above-pool"

	// The headroom is less than one frame and a pause frame, so even a peer that stops at once
	// overruns it.
	HeadroomBelowFrame diag.Code = "headroom-below-frame"

	// A lossless priority group has no headroom, so packets that arrive after a pause are lost.
	HeadroomMissing diag.Code = "headroom-missing"

	// A port has less headroom than a slower port with a shorter cable.
	HeadroomNotMonotone diag.Code = "headroom-not-monotone"

	// Priority groups have headroom, but the size of their headroom pool is not set.
	HeadroomPoolMissing diag.Code = "headroom-pool-missing"

	// Ports with the same speed and cable length have different headroom.
	HeadroomUneven diag.Code = "headroom-uneven"

	// The queue cannot reach Kmax, so packets are dropped or senders paused before all packets are
	// marked.
	KmaxAboveLimit diag.Code = "kmax-above-limit"

	// Kmin is above Kmax.
	KminAboveKmax diag.Code = "kmin-above-kmax"

	// Kmin is less than one frame, so a queue with a single packet marks it.
	KminBelowFrame diag.Code = "kmin-below-frame"

	// Kmin is less than three full RoCE packets. Marks at such short queues leave the port partly
	// idle.
	KminEarly diag.Code = "kmin-early"

	// The rate cap of the RDMA queue is below 5 % of the port speed.
	LosslessCapped diag.Code = "lossless-capped"

	// The queue of a lossless class drops packets before its priority group pauses.
	LosslessQueueLimit diag.Code = "lossless-queue-limit"

	// The weight of a queue with congestion control is below 5 % of the sum of weights.
	LosslessShareSmall diag.Code = "lossless-share-small"

	// A lossless class has strict priority without a cap and can starve all other classes.
	LosslessStrict diag.Code = "lossless-strict"

	// A priority group has headroom, but PFC does not pause it.
	LosslessWithoutPFC diag.Code = "lossless-without-pfc"

	// A lossy class uses the queue of a lossless class.
	LossyInLosslessQueue diag.Code = "lossy-in-lossless-queue"

	// Ports with PFC have different MTUs.
	MTUUneven diag.Code = "mtu-uneven"

	// A port has no PFC, but most ports of the switch do.
	PFCOffOnPort diag.Code = "pfc-off-on-port"

	// A pause from downstream stops the wrong queue.
	PFCQueueMismatch diag.Code = "pfc-queue-mismatch"

	// PFC is enabled for a priority without headroom.
	PFCWithoutLossless diag.Code = "pfc-without-lossless"

	// A lossless priority group reserves memory, but no traffic class uses it.
	PGUnused diag.Code = "pg-unused"

	// Pmax is 0, so the queue marks no packets below Kmax and all packets above it.
	PmaxZero diag.Code = "pmax-zero"

	// The sum of pools and headroom exceeds the memory of the chip.
	PoolAboveChip diag.Code = "pool-above-chip"

	// The queues of one port are configured differently from those of all other ports of its
	// speed.
	PortOdd diag.Code = "port-odd"

	// A port has no schedulers, but most ports of the switch do.
	PortUnscheduled diag.Code = "port-unscheduled"

	// A lossless class uses a queue without a buffer profile.
	QueueMissing diag.Code = "queue-missing"

	// A queue marks, or is strict with a cap, but no code point maps to it.
	QueueUnreached diag.Code = "queue-unreached"

	// A lossless priority group resumes one cell below its threshold, so it pauses again after
	// each packet.
	ResumeAtOnce diag.Code = "resume-at-once"

	// A lossless priority group resumes only after many frames have drained.
	ResumeLate diag.Code = "resume-late"

	// The xon offset is at least the threshold, so the priority group resumes only when it is
	// empty.
	ResumeTooLow diag.Code = "resume-too-low"

	// The switch rewrites lossless packets to a lossy code point, or lossy packets to a lossless
	// code point.
	RewriteLeavesLossless diag.Code = "rewrite-leaves-lossless"

	// The chip does not support the speed of a port.
	SpeedNotOnChip diag.Code = "speed-not-on-chip"

	// A strict queue has no rate cap.
	StrictNoCap diag.Code = "strict-no-cap"

	// A lossless priority group has headroom, but no threshold.
	ThresholdMissing diag.Code = "threshold-missing"

	// A lossless priority group has a dynamic threshold in a static pool.
	ThresholdMode diag.Code = "threshold-mode"

	// A port with PFC does not use DSCP, so no packet is in its lossless classes.
	TrustMissing diag.Code = "trust-missing"

	// The PFC watchdog mistakes a healthy pause for a storm.
	WatchdogBelowPause diag.Code = "watchdog-below-pause"

	// The PFC watchdog acts before normal congestion ends.
	WatchdogHasty diag.Code = "watchdog-hasty"

	// Ports with PFC have no watchdog, so a NIC that pauses forever can stop the fabric.
	WatchdogMissing diag.Code = "watchdog-missing"

	// The PFC watchdog only reports storms.
	WatchdogPassive diag.Code = "watchdog-passive"

	// The PFC watchdog polls too rarely for its timers.
	WatchdogPoll diag.Code = "watchdog-poll"

	// The PFC watchdog waits so long that a storm can stop the fabric.
	WatchdogSlow diag.Code = "watchdog-slow"

	// A weighted queue has a weight of 0.
	WeightZero diag.Code = "weight-zero"
)

// Findings of rules about links, NICs and the fabric file.
const (
	// The two ends of a link enable PFC for different priorities.
	LinkPFCDiffers diag.Code = "link-pfc-differs"

	// A code point is lossless at only one end of a link, or has different priorities at the two
	// ends.
	LinkDSCPDiffers diag.Code = "link-dscp-differs"

	// The two ends of a link have different MTUs.
	LinkMTUDiffers diag.Code = "link-mtu-differs"

	// The two ends of a link have different speeds.
	LinkSpeedDiffers diag.Code = "link-speed-differs"

	// The two ends of a link have different cable lengths.
	LinkCableDiffers diag.Code = "link-cable-differs"

	// The two ends of a link use different FEC codes.
	LinkFECDiffers diag.Code = "link-fec-differs"

	// CNPs have strict priority at only one end of a link.
	LinkCNPDiffers diag.Code = "link-cnp-differs"

	// The file of a switch lacks a port of a link.
	LinkPortMissing diag.Code = "link-port-missing"

	// A NIC and its switch port differ in the code point, PFC priority or losslessness of a class.
	NICClassDiffers diag.Code = "nic-class-differs"

	// The MTU of a NIC exceeds the MTU of its switch port.
	NICMTUDiffers diag.Code = "nic-mtu-differs"

	// The CNPs of a NIC do not use the strict queue of its port. The usual cause is a mix of
	// priorities 6 and 7.
	NICCNPDiffers diag.Code = "nic-cnp-differs"

	// A port is missing, or its speed, MTU or cable differs from the fabric file.
	FabricPortDiffers diag.Code = "fabric-port-differs"

	// A classification map differs from the fabric file.
	FabricClassDiffers diag.Code = "fabric-class-differs"

	// PFC, trust or the watchdog of a port differs from the fabric file.
	FabricPFCDiffers diag.Code = "fabric-pfc-differs"

	// A priority group has less headroom than in the fabric file, including margins.
	FabricHeadroomLess diag.Code = "fabric-headroom-less"

	// A pool, reserve, limit or resume level differs from the fabric file.
	FabricThresholdDiffers diag.Code = "fabric-threshold-differs"

	// A marking curve differs from the fabric file.
	FabricECNDiffers diag.Code = "fabric-ecn-differs"

	// The scheduling of a queue differs from the fabric file.
	FabricSchedulingDiffers diag.Code = "fabric-scheduling-differs"

	// The switch balances load differently from the fabric file.
	FabricBalancingDiffers diag.Code = "fabric-balancing-differs"

	// The PFC watchdog differs from the fabric file.
	FabricWatchdogDiffers diag.Code = "fabric-watchdog-differs"
)
