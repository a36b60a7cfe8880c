package sonic

import "github.com/roceplan/roceplan/diag"

// Settings that SONiC does not support.
const (
	// A port has no serdes lanes. SONiC cannot create a port without lanes.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	LanesMissing diag.Code = "sonic-lanes-missing"

	// The value is outside the range of SONiC's YANG models.
	//
	//	fabric "pod" { mtu = "9.5KiB" }
	ValueRefused diag.Code = "sonic-value-refused"

	// The value was rounded to the unit of its field. Marking probabilities are rounded down to a
	// whole per cent but not to 0, rate caps up to a byte per second, and watchdog timers up to a
	// millisecond.
	//
	//	pmax = "2.5%"
	Rounded diag.Code = "sonic-rounded"

	// The name is not valid in a ConfigDB key.
	//
	//	ports = "Ethernet0|1"
	NameRefused diag.Code = "sonic-name-refused"

	// The plan uses the dynamic buffer model without inputs for SONiC's buffer calculator, or uses
	// a pool that does not exist.
	PlanIncomplete diag.Code = "sonic-plan-incomplete"

	// Two kinds of ports have the same speed and cable length but different lossless profiles.
	// buffermgrd has one profile per speed and length, and applies it to both.
	ProfileClash diag.Code = "sonic-profile-clash"

	// The numbers of a PFC priority and its PG differ. buffermgrd uses the priorities in
	// pfc_enable as PG numbers. SONiC writes the map from priorities to PGs for NVIDIA and Intel
	// chips only.
	//
	//	pfc = 3  priority_group = 4
	PGNotPriority diag.Code = "sonic-pg-not-priority"

	// roceplan does not write some marking rules, because SONiC classifies by DSCP only and
	// rewrites each traffic class to one DSCP.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "sonic-marking-lost"

	// The marking rules contradict each other when they match by DSCP only.
	MarkingConflict diag.Code = "sonic-marking-conflict"

	// SONiC has no configuration for this load balancing.
	//
	//	load_balancing = "spray"
	LoadBalancingLost diag.Code = "sonic-load-balancing-lost"

	// The switch drops packets that the plan trims, or may drop them. The chip trims to a
	// different size or not at all, or no public source says that it trims.
	//
	//	trimming {
	//	  size = "256B" # Tomahawk 5 cuts to 206 B
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "sonic-trimming-lost"

	// roceplan cannot write the complete configuration of a chassis with virtual output queues.
	//
	//	chip = "jericho2c+"
	SystemPorts diag.Code = "sonic-system-ports"

	// The configuration for Enterprise SONiC is based on a design document and a collection of
	// Ansible modules. There is no public model, and the configuration has not been tested on a
	// device.
	//
	//	os = "sonic"   # with compile --form enterprise
	EnterpriseAssumed diag.Code = "sonic-enterprise-assumed"

	// Lossless traffic needs a setting that Enterprise SONiC does not support, as far as public
	// documents show. Unsupported settings are other chips, priorities other than 3 and 4, and
	// values of headroom, alpha or timers that are out of range.
	//
	//	traffic_class "rdma" { pfc = 5 }   # with compile --form enterprise
	EnterpriseRefused diag.Code = "sonic-enterprise-refused"

	// Enterprise SONiC has no public configuration for a part of the plan: pool sizes, queue
	// limits, rate caps or marking rules at the edge.
	//
	//	traffic_class "cnp" { max_rate = "2Gbps" }   # with compile --form enterprise
	EnterpriseLost diag.Code = "sonic-enterprise-lost"

	// SONiC's adaptive routing does not support this load balancing.
	//
	//	load_balancing = "spray"   # with compile --form ars
	ARSRefused diag.Code = "sonic-ars-refused"

	// The plan uses adaptive routing, but no SONiC release has its tables.
	//
	//	load_balancing = "adaptive"   # with compile --form ars
	ARSUnmerged diag.Code = "sonic-ars-unmerged"
)
