package calc

import "github.com/roceplan/roceplan/diag"

// Findings of the formulas and inequalities.
const (
	// The chip catalogue lacks a value that a formula needs.
	//
	//	chip = "tomahawk6"
	ChipDatumUnknown diag.Code = "chip-datum-unknown"

	// The headroom method is unknown, or an input that it needs is missing.
	//
	//	headroom_method = "table"
	HeadroomMethod diag.Code = "headroom-method"

	// A pinned number, or a number of a running fabric, breaks an inequality. roceplan writes the
	// number anyway, because the running fabric uses it.
	//
	//	pinned {
	//	  priority_group "3" { headroom = "10kB" }
	//	}
	PinnedBreaks diag.Code = "pinned-breaks"

	// A lossless port group has no cable length.
	//
	//	port_group "servers" { speed = "25Gbps" }
	CableMissing diag.Code = "cable-missing"

	// The headroom suffices for the declared peer, but not for a peer that responds to a pause as
	// late as IEEE 802.3 allows.
	//
	//	headroom_method = "ucloud"
	HeadroomBelow8023 diag.Code = "headroom-below-8023"

	// The headroom suffices for a conforming peer, but the vendor of the chip uses more in its SDK
	// or in its published tables.
	//
	//	headroom_method = "worst-case"
	HeadroomBelowVendor diag.Code = "headroom-below-vendor"

	// The headroom in the file is less than the data that can arrive after the pause.
	//
	//	headroom = "10kB"
	HeadroomShort diag.Code = "headroom-short"

	// The file asks for a headroom pool that is smaller than the sum of the headroom of all
	// groups.
	//
	//	headroom_sharing = "4:1"
	HeadroomShared diag.Code = "headroom-shared"

	// The chip has no shared headroom pool.
	//
	//	headroom_sharing = "2:1"
	//	chip             = "trident2"
	HeadroomSharing diag.Code = "headroom-sharing"

	// The queue for trimmed packets is too slow for them, so the switch drops some. The receivers
	// are not notified of this loss.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmedLost diag.Code = "trimmed-lost"

	// Reserves and headroom exceed the buffer of the chip.
	//
	//	cable = "40km"
	BufferExceeded diag.Code = "buffer-exceeded"

	// No alpha of the chip satisfies the inequalities, or the alpha in the file does not.
	//
	//	alpha = "8"
	AlphaInfeasible diag.Code = "alpha-infeasible"

	// The chip cannot be set to this alpha.
	//
	//	alpha = "1/1024"
	AlphaUnsettable diag.Code = "alpha-unsettable"

	// While other priority groups are stuck at their thresholds, one more group is paused before
	// its queue marks, or before it holds the declared burst.
	//
	//	isolation = 100
	NewcomerStarved diag.Code = "newcomer-starved"

	// Priority groups that are stuck at their thresholds take so much buffer that lossy queues
	// cannot fill their pool.
	//
	//	alpha = "8"
	LosslessTakesLossy diag.Code = "lossless-takes-lossy"

	// If several hosts start to send at once, PFC pauses them before ECN can slow them down. Alpha
	// leaves the queue less than Kmax plus the data that arrives before the first rate cut takes
	// effect.
	//
	//	alpha = "1/64"
	OvershootPaused diag.Code = "overshoot-paused"

	// A port sends for longer than xoff_time before its priority group pauses it.
	//
	//	xoff_time = "1us"
	XOFFLate diag.Code = "xoff-late"

	// PFC pauses the senders before the queue reaches Kmax, so ECN has no effect.
	//
	//	tolerable_delay = "10ms"
	PFCBeforeECN diag.Code = "pfc-before-ecn"

	// Kmin or Kmax is above the bandwidth-delay product that limits it.
	//
	//	ecn { kmin = "10MB" kmax = "20MB" pmax = "1%" }
	ECNAboveDelay diag.Code = "ecn-above-delay"

	// At Pmax, every receiver already sends CNPs at its maximum rate. The upper part of the curve
	// has no effect.
	//
	//	ecn { kmin = "100kB" kmax = "400kB" pmax = "50%" }
	PMaxUseless diag.Code = "pmax-useless"

	// The chip cannot mark with the probability Pmax. The device uses the next lower probability.
	//
	//	ecn { kmin = "100kB" kmax = "400kB" pmax = "20%" }
	PMaxStep diag.Code = "pmax-step"

	// Kmin or Kmax is below the step of the chip's thresholds, so it would become 0.
	//
	//	ecn { kmin = "1B" kmax = "200kB" pmax = "1%" }
	ECNTooFine diag.Code = "ecn-too-fine"

	// The steady-state marking probability of DCQCN is above Pmax, so the queue stays at Kmax.
	//
	//	queue_pairs = 128
	FixedPointAbovePMax diag.Code = "fixed-point-above-pmax"

	// The rate cap of a strict queue is below the rate of CNPs, or so high that the weighted
	// queues miss their goal.
	//
	//	max_rate = "1Mbps"
	StrictCap diag.Code = "strict-cap"

	// The transit time of a CNP exceeds the expected delay.
	//
	//	expected_delay = "3us"
	CNPLate diag.Code = "cnp-late"

	// A timer of the PFC watchdog is shorter than pauses in healthy traffic, or too short for the
	// watchdog to observe.
	//
	//	detection = "1ms"
	WatchdogTimer diag.Code = "watchdog-timer"

	// The switches do not provide the signal that the congestion control of a class needs.
	//
	//	congestion_control = "hpcc"
	CongestionNeeds diag.Code = "congestion-needs"

	// Per-packet load balancing reorders packets, but the NIC accepts packets only in order.
	//
	//	fabric "pod" { load_balancing = "spray" }
	//	nic "cx5" { direct_placement = false }
	BalancingOrder diag.Code = "balancing-order"

	// Per-packet load balancing does not prevent incast at the last hop, where an RDMA class of
	// the NIC has no PFC.
	//
	//	fabric "pod" { load_balancing = "spray" }
	//	traffic_class "rdma" { congestion_control = "dcqcn" }
	BalancingLastHop diag.Code = "balancing-last-hop"

	// Lossy queues can take so much buffer that too little is left for lossless traffic.
	//
	//	weight = 100
	LossyTakesLossless diag.Code = "lossy-takes-lossless"

	// The path without queues takes most of the latency goal. The remaining time is too short for
	// a single packet in a queue, so roceplan cannot derive an ECN curve.
	//
	//	targets { usual_latency = "3us" }
	DelaySpent diag.Code = "delay-spent"

	// The ECN curve suits a few flows, but not the number of flows in the buffer check. With that
	// many flows, the DCQCN queue is longer than the latency goal allows.
	//
	//	queue_pairs = 64
	CurveOneEnd diag.Code = "curve-one-end"

	// CNPs arrive so rarely that alpha decays more between two CNPs than one CNP adds. Marked
	// flows take longer to halve their rate than the queue may grow.
	//
	//	nic "cx5" { cnp_interval = "50us" }
	CNPsBehindAlpha diag.Code = "cnps-behind-alpha"

	// The NIC sends the CNPs of all its flows one after the other. A flow waits for its CNP longer
	// than the queue may grow.
	//
	//	nic "cx5" { cnp_scope = port }
	CNPsOfPort diag.Code = "cnps-of-port"
)
