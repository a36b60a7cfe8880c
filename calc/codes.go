package calc

import "github.com/roceplan/roceplan/diag"

// What the formulas and inequalities find.
const (
	// A formula needs a datum that the chip catalogue does not have.
	//
	//	chip = "tomahawk6"
	ChipDatumUnknown diag.Code = "chip-datum-unknown"

	// The formula for headroom cannot be used: it is unknown, or it needs what is not
	// given.
	//
	//	headroom_method = "table"
	HeadroomMethod diag.Code = "headroom-method"

	// A pinned number, or one of a fabric that runs, breaks an inequality. It is written all the same, since it is
	// what runs.
	//
	//	pinned {
	//	  priority_group "3" { headroom = "10kB" }
	//	}
	PinnedBreaks diag.Code = "pinned-breaks"

	// A lossless port group does not say how long its cables are.
	//
	//	port_group "servers" { speed = "25Gbps" }
	CableMissing diag.Code = "cable-missing"

	// The headroom holds for the declared peer, but one that uses all the time that
	// IEEE 802.3 allows would need more.
	//
	//	headroom_method = "ucloud"
	HeadroomBelow8023 diag.Code = "headroom-below-8023"

	// The headroom that the fabric chose suffices for a conforming peer, but the vendor of
	// the chip gives more: by default in its SDK, or in the tables that ship.
	//
	//	headroom_method = "worst-case"
	HeadroomBelowVendor diag.Code = "headroom-below-vendor"

	// The headroom that the file gives is less than what may still arrive.
	//
	//	headroom = "10kB"
	HeadroomShort diag.Code = "headroom-short"

	// The pool of headroom is smaller than what all groups need, as the file asks for.
	//
	//	headroom_sharing = "4:1"
	HeadroomShared diag.Code = "headroom-shared"

	// The chip has no pool of headroom that could be shared.
	//
	//	headroom_sharing = "2:1"
	//	chip             = "trident2"
	HeadroomSharing diag.Code = "headroom-sharing"

	// What is left of trimmed packets does not pass by its queue, so that some are lost unheard.
	//
	//	trimming {
	//	  size = "256B"
	//	  dscp = 48
	//	}
	TrimmedLost diag.Code = "trimmed-lost"

	// Reserves and headroom do not fit the chip's buffer.
	//
	//	cable = "40km"
	BufferExceeded diag.Code = "buffer-exceeded"

	// No alpha of the chip, or not the alpha that the file fixes, keeps the
	// inequalities.
	//
	//	alpha = "8"
	AlphaInfeasible diag.Code = "alpha-infeasible"

	// The alpha is not one that the chip can be set to.
	//
	//	alpha = "1/1024"
	AlphaUnsettable diag.Code = "alpha-unsettable"

	// With other priority groups stuck, a further one is paused before its queue marks, or
	// before it holds the burst that the file declares.
	//
	//	isolation = 100
	NewcomerStarved diag.Code = "newcomer-starved"

	// Stuck priority groups take so much that lossy queues do not find their pool.
	//
	//	alpha = "8"
	LosslessTakesLossy diag.Code = "lossless-takes-lossy"

	// Hosts that begin to send at once are paused before the first cut of their rate reaches the
	// queue, whatever ECN does: alpha leaves the queue less than Kmax and what arrives meanwhile.
	//
	//	alpha = "1/64"
	OvershootPaused diag.Code = "overshoot-paused"

	// A port sends for longer than it should before its priority group pauses it.
	//
	//	xoff_time = "1us"
	XOFFLate diag.Code = "xoff-late"

	// PFC stops the senders before the queue reaches Kmax: ECN never acts.
	//
	//	tolerable_delay = "10ms"
	PFCBeforeECN diag.Code = "pfc-before-ecn"

	// Kmin or Kmax lies above the bandwidth-delay product that bounds it.
	//
	//	ecn { kmin = "10MB" kmax = "20MB" pmax = "1%" }
	ECNAboveDelay diag.Code = "ecn-above-delay"

	// Pmax lies where every receiver sends as many CNPs as it may: the upper part of the
	// curve changes nothing.
	//
	//	ecn { kmin = "100kB" kmax = "400kB" pmax = "50%" }
	PMaxUseless diag.Code = "pmax-useless"

	// Pmax is none of the probabilities that the chip can mark with; the device takes the
	// next lower one.
	//
	//	ecn { kmin = "100kB" kmax = "400kB" pmax = "20%" }
	PMaxStep diag.Code = "pmax-step"

	// Kmin or Kmax is finer than the chip's thresholds, and would become 0.
	//
	//	ecn { kmin = "1B" kmax = "200kB" pmax = "1%" }
	ECNTooFine diag.Code = "ecn-too-fine"

	// DCQCN's marking probability in the steady state lies above Pmax, so the queue
	// stays at Kmax.
	//
	//	queue_pairs = 128
	FixedPointAbovePMax diag.Code = "fixed-point-above-pmax"

	// The cap of a strict queue is below the rate of CNPs, or so high that the weighted
	// queues miss their goal.
	//
	//	max_rate = "1Mbps"
	StrictCap diag.Code = "strict-cap"

	// A CNP waits longer on its way than the expected delay.
	//
	//	expected_delay = "3us"
	CNPLate diag.Code = "cnp-late"

	// A timer of the PFC watchdog is shorter than what healthy traffic can need, or
	// than the watchdog can observe.
	//
	//	detection = "1ms"
	WatchdogTimer diag.Code = "watchdog-timer"

	// The congestion control of a class does not get from the switches what it works
	// with.
	//
	//	congestion_control = "hpcc"
	CongestionNeeds diag.Code = "congestion-needs"

	// Load balancing by packet brings a NIC packets out of order, and the NIC takes them
	// in order only.
	//
	//	fabric "pod" { load_balancing = "spray" }
	//	nic "cx5" { direct_placement = false }
	BalancingOrder diag.Code = "balancing-order"

	// Load balancing by packet leaves the incast at the last hop, and an RDMA class of a
	// NIC there has no PFC.
	//
	//	fabric "pod" { load_balancing = "spray" }
	//	traffic_class "rdma" { congestion_control = "dcqcn" }
	BalancingLastHop diag.Code = "balancing-last-hop"

	// Lossy queues may hold so much that lossless traffic is left without.
	//
	//	weight = 100
	LossyTakesLossless diag.Code = "lossy-takes-lossless"

	// The path without queues takes so much of the latency goal that a queue cannot hold a packet: no curve can be derived.
	//
	//	targets { usual_latency = "3us" }
	DelaySpent diag.Code = "delay-spent"

	// With as many flows as the buffers are checked against, DCQCN's queue stands above what the
	// latency goal leaves it, though the curve begins where a few flows need it.
	//
	//	queue_pairs = 64
	CurveOneEnd diag.Code = "curve-one-end"

	// CNPs come so slowly that alpha forgets more between two of them than one adds: marked
	// flows take longer to halve than the queue may grow.
	//
	//	nic "cx5" { cnp_interval = "50us" }
	CNPsBehindAlpha diag.Code = "cnps-behind-alpha"

	// The NIC sends the CNPs of all its flows one after the other, and a flow waits for its
	// turn longer than the queue may grow.
	//
	//	nic "cx5" { cnp_scope = port }
	CNPsOfPort diag.Code = "cnps-of-port"
)
