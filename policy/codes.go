package policy

import "github.com/roceplan/roceplan/diag"

// Faults of the text and its expressions.
const (
	// A file, value or number is larger than any fabric needs.
	//
	//	mtu = 1e999
	TooLarge diag.Code = "too-large"

	// Brackets or operators are nested more deeply than the parser allows.
	//
	//	locals { x = ((((((((… }
	TooDeep diag.Code = "too-deep"

	// The block type does not exist, or is not allowed here.
	//
	//	swich "leaf" {}
	UnknownBlock diag.Code = "unknown-block"

	// The block has the wrong number of labels.
	//
	//	fabric { … }
	BlockLabel diag.Code = "block-label"

	// A block that is allowed once occurs twice.
	//
	//	fabric "a" {}
	//	fabric "b" {}
	DuplicateBlock diag.Code = "duplicate-block"

	// The block has no attribute of this name.
	//
	//	fabric "pod1" { mtuu = "9216B" }
	UnknownAttribute diag.Code = "unknown-attribute"

	// The block lacks a required attribute.
	//
	//	nic "cx5" {}
	AttributeMissing diag.Code = "attribute-missing"

	// An expression uses a name that is not defined: a local, a variable, a NIC, a switch or a
	// keyword.
	//
	//	peer = nic.cx9
	UnknownName diag.Code = "unknown-name"

	// The expression cannot be evaluated.
	//
	//	queue = [1, 2][5]
	BadExpression diag.Code = "bad-expression"

	// The function does not exist, or it rejects its arguments.
	//
	//	weight = maximum(1, 2)
	BadCall diag.Code = "bad-call"

	// The path given to file() is outside the folder of the fabric.
	//
	//	file("../secret")
	FileOutside diag.Code = "file-outside"

	// The function file() cannot read the file.
	//
	//	file("missing.csv")
	FileUnreadable diag.Code = "file-unreadable"

	// A block has both for_each and count.
	//
	//	switch "a" {
	//	  for_each = [1]
	//	  count    = 2
	//	}
	RepeatTwice diag.Code = "repeat-twice"
)

// Faults of a value.
const (
	// The value has the wrong type.
	//
	//	queue = "5"
	WrongType diag.Code = "wrong-type"

	// A quantity has no unit.
	//
	//	cable = 100
	UnitMissing diag.Code = "unit-missing"

	// The text is not a quantity of the expected kind.
	//
	//	cable = "100Gbps"
	BadQuantity diag.Code = "bad-quantity"

	// The value is out of range.
	//
	//	queue = 9
	OutOfRange diag.Code = "out-of-range"

	// The word is not one of the allowed words.
	//
	//	medium = "fibre"
	UnknownValue diag.Code = "unknown-value"

	// Devices, ports and blocks cannot have this name. Device names are also folder names.
	//
	//	switch "../leaf" {}
	BadName diag.Code = "bad-name"

	// The brackets in the name are not a valid range.
	//
	//	switch "leaf-[32..01]" {}
	BadRange diag.Code = "bad-range"

	// A range, list or count has more elements than allowed.
	//
	//	ports = "Ethernet[0..9999999]"
	RangeTooLarge diag.Code = "range-too-large"

	// Two blocks of one type, two locals or two switches have the same name.
	//
	//	nic "cx5" { … }
	//	nic "cx5" { … }
	DuplicateName diag.Code = "duplicate-name"
)

// Faults of variables and locals.
const (
	// The variable has no value and no default.
	//
	//	variable "racks" {}
	VariableMissing diag.Code = "variable-missing"

	// The type does not exist, or the value is not of the declared type.
	//
	//	variable "racks" {
	//	  type    = number
	//	  default = "many"
	//	}
	VariableType diag.Code = "variable-type"

	// The validation of the variable rejects the value.
	//
	//	validation { condition = var.racks < 32 … }
	VariableInvalid diag.Code = "variable-invalid"

	// A value is given for a variable that the fabric does not declare.
	//
	//	roceplan check --var rakcs=4 fabric.hcl
	VariableUndeclared diag.Code = "variable-undeclared"

	// Locals depend on each other in a cycle.
	//
	//	locals {
	//	  a = local.b
	//	  b = local.a
	//	}
	LocalsCycle diag.Code = "locals-cycle"
)

// Faults of the fabric and its classes.
const (
	// No file has a fabric block.
	//
	//	nic "cx5" { model = "connectx-5" }
	FabricMissing diag.Code = "fabric-missing"

	// The expected delay is not below the tolerable delay, or the usual latency is above the
	// maximum latency.
	//
	//	expected_delay  = "80us"
	//	tolerable_delay = "40us"
	DelayOrder diag.Code = "delay-order"

	// A frame is larger than the MTU of the fabric.
	//
	//	mtu            = "1518B"
	//	lossless_frame = "9216B"
	FrameOrder diag.Code = "frame-order"

	// The MTU is above the maximum of an operating system in the fabric.
	//
	//	mtu = "9416B"   # and a switch with os = sonic
	MTUAboveOS diag.Code = "mtu-above-os"

	// A code point is in two classes, or twice in the same class.
	//
	//	dscp = [26, 26]
	DuplicateDSCP diag.Code = "duplicate-dscp"

	// Two classes have dscp = rest.
	RestTwice diag.Code = "rest-twice"

	// Code points that no class lists enter a lossless class.
	//
	//	traffic_class "rdma" {
	//	  dscp  = [26]
	//	  queue = 0
	//	  pfc   = 3
	//	}
	RestLossless diag.Code = "rest-lossless"

	// Two lossless classes have the same PFC priority.
	PFCCollision diag.Code = "pfc-collision"

	// A lossless class shares its priority group with another class.
	PGCollision diag.Code = "pg-collision"

	// A lossless class shares its queue, or two lossy classes configure the same queue
	// differently.
	QueueCollision diag.Code = "queue-collision"

	// Two classes of one traffic class have different queues.
	TCCollision diag.Code = "tc-collision"

	// A strict class has a weight.
	//
	//	scheduling = strict
	//	weight     = 10
	StrictWeight diag.Code = "strict-weight"

	// Packets of a lossless class cannot be trimmed. Trimmed packets of other classes need a queue
	// of their own in a lossy class.
	TrimmingClass diag.Code = "trimming-class"

	// A pair of switches moves the lossless packets that it sends back through its tunnel to
	// another class. The pair must not send back packets of the other class. The code points in
	// keep_dscp must belong to the class that keeps them.
	TunnelClass diag.Code = "tunnel-class"

	// No traffic is sent back through the tunnel or through the ports.
	TunnelUnused diag.Code = "tunnel-unused"

	// Two classes have different trimming settings. A switch has one size and one code point for
	// all trimmed packets.
	TrimmingDiffers diag.Code = "trimming-differs"

	// A DWRR class has no weight.
	WeightMissing diag.Code = "weight-missing"

	// A strict class has no max_rate and can starve the other queues. This is a warning.
	//
	//	scheduling = strict
	StrictUncapped diag.Code = "strict-uncapped"

	// No class has pfc. This is a warning.
	NoLossless diag.Code = "no-lossless"

	// Kmin is above Kmax.
	//
	//	ecn {
	//	  kmin = "2MB"
	//	  kmax = "1MB"
	//	  pmax = "5%"
	//	}
	ECNOrder diag.Code = "ecn-order"

	// Nothing uses the value. Examples of unused values are the curve of a class that does not
	// mark, the alpha of a lossy class, a lossy pool without a lossy class, and a NIC that is the
	// peer of no port group.
	//
	//	port_group "uplinks" {
	//	  ecn {
	//	    class = traffic_class.bulk # ecn = off
	//	    …
	//	  }
	//	}
	ValueUnused diag.Code = "value-unused"

	// CNPs are in a lossless class. This is a warning.
	CNPLossless diag.Code = "cnp-lossless"

	// CNPs are in a class that is not strict, or in no class. This is a warning.
	CNPNotStrict diag.Code = "cnp-not-strict"

	// The priority of a NIC's CNPs differs from that of the CNP class, or a pause of a lossless
	// class stops it.
	//
	//	nic "thor" { model = "thor2" }   # 7, and traffic_class "cnp" has 6
	NICCNPPriority diag.Code = "nic-cnp-priority"

	// The CNPs of a NIC have a code point that is not in the strict class for CNPs.
	//
	//	cnp_dscp = 26
	NICCNPDSCP diag.Code = "nic-cnp-dscp"

	// The acknowledgements of a NIC have a code point that is in no class.
	//
	//	nic "cx6" {
	//	  model    = "connectx-6"
	//	  ack_dscp = 40
	//	}
	NICAckDSCP diag.Code = "nic-ack-dscp"

	// Two NICs of one class have different MTUs.
	//
	//	nic "a" {
	//	  model = "connectx-5"
	//	  mtu   = "1518B"
	//	}
	NICFrame diag.Code = "nic-frame"

	// A NIC uses a lossless class, but its switch ports have no lossless classes.
	//
	//	lossless = false
	//	peer     = nic.cx5
	NICLossless diag.Code = "nic-lossless"

	// A NIC sends a code point that the marking block rewrites.
	NICMarking diag.Code = "nic-marking"

	// Ports use trust = marking, but the fabric has no marking block.
	//
	//	trust = marking
	MarkingMissing diag.Code = "marking-missing"

	// A marking rule names a code point that is in no class, or not in the class of the rule.
	//
	//	rule {
	//	  dscp  = 46
	//	  class = traffic_class.cnp
	//	}
	MarkingDSCP diag.Code = "marking-dscp"
)

// Faults of switches and links.
const (
	// The catalogue does not have this chip.
	//
	//	chip = "tridant3"
	UnknownChip diag.Code = "unknown-chip"

	// The chip has no ports of this speed.
	//
	//	chip = "trident3" … speed = "800Gbps"
	UnsupportedSpeed diag.Code = "unsupported-speed"

	// The port speed does not match the breakout.
	//
	//	breakout = "4x25G"
	//	speed    = "100Gbps"
	BreakoutSpeed diag.Code = "breakout-speed"

	// A port is in two groups, or twice in the same group.
	//
	//	ports = ["Ethernet0", "Ethernet[0..3]"]
	PortTwice diag.Code = "port-twice"

	// Two ports use the same serdes lane.
	//
	//	first_lane = 30
	LaneTwice diag.Code = "lane-twice"

	// The platform does not have this chip.
	//
	//	chip     = "spectrum3"
	//	platform = "x86_64-nvidia_sn5600-r0"
	PlatformChip diag.Code = "platform-chip"

	// sonic-buildimage has no platform of this name, but has one with a similar name. The fabric
	// does not give the lanes of the ports.
	//
	//	platform = "x86_64-dellemc_s5322f_c3538-r0"
	UnknownPlatform diag.Code = "unknown-platform"

	// sonic-buildimage does not have this HwSKU for the platform.
	//
	//	platform = "x86_64-dellemc_s5232f_c3538-r0"
	//	hwsku    = "Accton-AS7326-56X"
	PlatformHwSKU diag.Code = "platform-hwsku"

	// The ports differ from the HwSKU in name, lanes or speed. If hwsku.json allows the breakout,
	// this is a warning: break out the cages on the switch before you load the configuration.
	//
	//	hwsku = "Mellanox-SN5600-C224O8"
	//	…
	//	breakout = "2x400G" # of a cage that the HwSKU breaks out into eight ports
	HwSKULayout diag.Code = "hwsku-layout"

	// The ports exceed the bandwidth or the port count of the chip.
	//
	//	ports = "Ethernet[0..760/8]"   # 96 of 800G on a chip of 51.2T
	ChipCapacity diag.Code = "chip-capacity"

	// The ports of one cage need more lanes than the cage has.
	//
	//	ports = "Ethernet1/[1..7/2]"   # four of 400G in eight lanes of 100G
	CageLanes diag.Code = "cage-lanes"

	// The cable is longer than its medium reaches at the rate of its lanes.
	//
	//	medium = dac
	//	cable  = "500m"
	CableReach diag.Code = "cable-reach"

	// The NIC does not support the speed of its switch port.
	//
	//	speed = "400Gbps"
	//	peer  = nic.cx5
	NICSpeed diag.Code = "nic-speed"

	// The platform has no port of this name, or only with a different breakout.
	//
	//	ports = "Ethernet1/1"
	PlatformPort diag.Code = "platform-port"

	// The platform does not list this breakout for the cage, or the cage has two breakouts at
	// once.
	//
	//	breakout = "3x100G"
	PlatformBreakout diag.Code = "platform-breakout"

	// The lane numbers differ from those of the platform.
	//
	//	first_lane = 0
	PlatformLanes diag.Code = "platform-lanes"

	// Code points that no class lists go to traffic class 0.
	//
	//	dscp = [0] # and no class with dscp = rest
	CodePointsUnclaimed diag.Code = "code-points-unclaimed"

	// The dynamic buffer model needs SONiC's buffer calculator, which does not support this chip.
	//
	//	buffer_model = dynamic
	NoCalculator diag.Code = "no-calculator"

	// The number of aliases or lane lists differs from the number of ports.
	//
	//	ports   = "Ethernet[0..3]"
	//	aliases = ["a", "b"]
	CountMismatch diag.Code = "count-mismatch"

	// A link end is not in the form SWITCH:PORT.
	//
	//	a = "leaf-01/Ethernet0"
	BadLinkEnd diag.Code = "bad-link-end"

	// A link end or a tier of a Clos names a switch that does not exist.
	//
	//	a = "leef-01:Ethernet0"
	UnknownSwitch diag.Code = "unknown-switch"

	// A link end or a side of a Clos names a port or port group that does not exist.
	//
	//	a = "leaf-01:Ethernet999"
	UnknownPort diag.Code = "unknown-port"

	// A port has two links.
	LinkTwice diag.Code = "link-twice"

	// A link connects a switch to itself.
	//
	//	a = "leaf-01:Ethernet0"
	//	b = "leaf-01:Ethernet4"
	LinkSelf diag.Code = "link-self"

	// A link connects ports of different speeds, or two port groups that are peers have no speed
	// in common.
	LinkSpeed diag.Code = "link-speed"

	// The two ends of a link have different cable lengths or media. roceplan computes the headroom
	// of each end from the cable of its port group.
	//
	//	cable = "40m"   # of the leaf's ports
	//	cable = "10m"   # of the spine's
	LinkCable diag.Code = "link-cable"

	// A port group names a switch as its peer, but no link connects its ports to a switch.
	//
	//	peer = switch.spine   # and neither clos nor link
	PeerUnwired diag.Code = "peer-unwired"

	// The fabric is split: some switches have no path to the other switches.
	//
	//	link {
	//	  a = "leaf-1:Ethernet0"
	//	  b = "leaf-2:Ethernet0"
	//	}
	//	# and none to leaf-3
	FabricParts diag.Code = "fabric-parts"

	// A link connects a port to a peer that its port group does not name.
	//
	//	peer = nic.cx5   # and a link to a switch
	PeerMismatch diag.Code = "peer-mismatch"

	// A Clos needs more ports than the group has.
	ClosPorts diag.Code = "clos-ports"
)

// Faults of servers.
const (
	// The numbers of GPUs, NICs, rails and switches of a server do not divide evenly.
	//
	//	gpus = 8
	//	nics = 3
	ServerRails diag.Code = "server-rails"

	// The host ports of a switch do not match a whole number of servers.
	//
	//	nics  = 8
	//	rails = 4   # two ports each, and a leaf with 63
	ServerPorts diag.Code = "server-ports"
)

// Faults of scenarios.
const (
	// No host sends traffic in the scenario.
	//
	//	scenario "quiet" {}
	ScenarioEmpty diag.Code = "scenario-empty"

	// A scenario names a port that is not a host port, or not the end of a link.
	//
	//	src = "leaf-01:Ethernet64"   # which leads to a spine
	ScenarioHost diag.Code = "scenario-host"

	// A scenario needs more hosts than the fabric has.
	//
	//	incast { senders = 500 }
	ScenarioHosts diag.Code = "scenario-hosts"

	// Nothing in the scenario uses the queue pairs that processes share. Collectives and traces
	// have their own queue pairs.
	//
	//	processes = 4
	//	ring_all_reduce { message = "8MB" }
	ProcessesUnused diag.Code = "processes-unused"

	// The messages have both a fixed size and a size distribution.
	//
	//	sizes   = sizes.hadoop
	//	message = "64KB"
	SizesTwice diag.Code = "sizes-twice"

	// The points do not form a cumulative distribution.
	//
	//	share = ["10%", "100%"]
	BadSizes diag.Code = "bad-sizes"
)
