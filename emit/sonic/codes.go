package sonic

import "github.com/roceplan/roceplan/diag"

// What SONiC cannot be told.
const (
	// A port has no serdes lanes; SONiC cannot create a port without knowing them.
	//
	//	port_group "servers" { ports = "Ethernet[0..31]" }
	LanesMissing diag.Code = "sonic-lanes-missing"

	// A value is out of the range that ConfigDB's models accept.
	//
	//	fabric "pod" { mtu = "9.5KiB" }
	ValueRefused diag.Code = "sonic-value-refused"

	// A value was rounded to the unit of its field: a marking probability down to a whole per cent, but not
	// to 0, a rate cap up to a byte per second, times of the watchdog up to a millisecond.
	//
	//	pmax = "2.5%"
	Rounded diag.Code = "sonic-rounded"

	// A name cannot be part of a key of ConfigDB.
	//
	//	ports = "Ethernet0|1"
	NameRefused diag.Code = "sonic-name-refused"

	// The dynamic buffer model is asked for, but nothing says what the switch's
	// calculator is to be given; or a pool is used that does not exist.
	PlanIncomplete diag.Code = "sonic-plan-incomplete"

	// Two kinds of port have the same speed and cable length but different lossless
	// profiles. buffermgrd knows one profile per speed and length and gives it to both.
	ProfileClash diag.Code = "sonic-profile-clash"

	// A PFC priority pauses a PG of another number. buffermgrd takes the priorities of
	// pfc_enable for PGs, and SONiC writes the map between them for NVIDIA and Intel
	// chips alone.
	//
	//	pfc = 3  priority_group = 4
	PGNotPriority diag.Code = "sonic-pg-not-priority"

	// A part of the marking rules is lost: SONiC classifies by DSCP alone, and rewrites
	// a whole traffic class to one DSCP.
	//
	//	marking { udp_port = 4791 }
	MarkingLost diag.Code = "sonic-marking-lost"

	// Marking rules contradict each other once only DSCP can be matched.
	MarkingConflict diag.Code = "sonic-marking-conflict"

	// SONiC has no configuration for this way of load balancing.
	//
	//	load_balancing = "spray"
	LoadBalancingLost diag.Code = "sonic-load-balancing-lost"

	// Packets are dropped that the plan cuts, or may be: the chip cuts to another size, or not at all,
	// or nobody has published that it does.
	//
	//	trimming {
	//	  size = "256B" # Tomahawk 5 cuts to 206 B
	//	  dscp = 48
	//	}
	TrimmingLost diag.Code = "sonic-trimming-lost"

	// A switch with virtual output queues, whose chassis has more tables and rows than one
	// switch of a fabric can say.
	//
	//	chip = "jericho2c+"
	SystemPorts diag.Code = "sonic-system-ports"

	// The lines for Enterprise SONiC rest on a design document and on a collection of Ansible
	// modules; there is no public model, and no device has checked them.
	//
	//	os = "sonic"   # with compile --form enterprise
	EnterpriseAssumed diag.Code = "sonic-enterprise-assumed"

	// Something that Enterprise SONiC cannot be told, as far as is published, and without which
	// lossless traffic would be lost: another chip, other numbers than 3 and 4, headroom, alpha
	// or timers beyond its ranges.
	//
	//	traffic_class "rdma" { pfc = 5 }   # with compile --form enterprise
	EnterpriseRefused diag.Code = "sonic-enterprise-refused"

	// A part of the plan for which Enterprise SONiC has no line that is public: sizes of pools,
	// limits of queues, caps, rules of the edge.
	//
	//	traffic_class "cnp" { max_rate = "2Gbps" }   # with compile --form enterprise
	EnterpriseLost diag.Code = "sonic-enterprise-lost"

	// A way of load balancing that SONiC's adaptive routing does not have either.
	//
	//	load_balancing = "spray"   # with compile --form ars
	ARSRefused diag.Code = "sonic-ars-refused"

	// Adaptive routing is asked for, whose tables SONiC's releases do not have.
	//
	//	load_balancing = "adaptive"   # with compile --form ars
	ARSUnmerged diag.Code = "sonic-ars-unmerged"
)
