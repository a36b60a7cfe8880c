package policy

import "github.com/roceplan/roceplan/diag"

// What can be wrong with the text and its expressions.
const (
	// A file, a value or a number that is larger than any fabric needs.
	//
	//	mtu = 1e999
	TooLarge diag.Code = "too-large"

	// Brackets or operators nested deeper than the parser can be trusted with.
	//
	//	locals { x = ((((((((… }
	TooDeep diag.Code = "too-deep"

	// A block type that does not exist, or not there.
	//
	//	swich "leaf" {}
	UnknownBlock diag.Code = "unknown-block"

	// A block with the wrong number of labels.
	//
	//	fabric { … }
	BlockLabel diag.Code = "block-label"

	// A block that may stand once occurs twice.
	//
	//	fabric "a" {}
	//	fabric "b" {}
	DuplicateBlock diag.Code = "duplicate-block"

	// An attribute that the block does not have.
	//
	//	fabric "pod1" { mtuu = "9216B" }
	UnknownAttribute diag.Code = "unknown-attribute"

	// An attribute that the block needs is missing.
	//
	//	nic "cx5" {}
	AttributeMissing diag.Code = "attribute-missing"

	// A name in an expression that nothing is called by: a local, a variable, a NIC, a
	// switch, a keyword.
	//
	//	peer = nic.cx9
	UnknownName diag.Code = "unknown-name"

	// An expression that cannot be evaluated.
	//
	//	queue = [1, 2][5]
	BadExpression diag.Code = "bad-expression"

	// A function that does not exist, or that refuses its arguments.
	//
	//	weight = maximum(1, 2)
	BadCall diag.Code = "bad-call"

	// file() was asked for something that does not lie below the folder of the fabric.
	//
	//	file("../secret")
	FileOutside diag.Code = "file-outside"

	// file() cannot read what it was asked for.
	//
	//	file("missing.csv")
	FileUnreadable diag.Code = "file-unreadable"

	// for_each and count in one block.
	//
	//	switch "a" {
	//	  for_each = [1]
	//	  count    = 2
	//	}
	RepeatTwice diag.Code = "repeat-twice"
)

// What can be wrong with a value.
const (
	// A value of another type than is expected.
	//
	//	queue = "5"
	WrongType diag.Code = "wrong-type"

	// A number, or a text with a number alone, where a quantity with its unit is expected.
	//
	//	cable = 100
	UnitMissing diag.Code = "unit-missing"

	// A text that is not a quantity of the wanted kind.
	//
	//	cable = "100Gbps"
	BadQuantity diag.Code = "bad-quantity"

	// A value outside its bounds.
	//
	//	queue = 9
	OutOfRange diag.Code = "out-of-range"

	// A word that is not on the list of words.
	//
	//	medium = "fibre"
	UnknownValue diag.Code = "unknown-value"

	// A name that devices, ports or blocks cannot have. Devices name folders.
	//
	//	switch "../leaf" {}
	BadName diag.Code = "bad-name"

	// Brackets in a name that are not a range.
	//
	//	switch "leaf-[32..01]" {}
	BadRange diag.Code = "bad-range"

	// A range, a list or a count that stands for more than is allowed.
	//
	//	ports = "Ethernet[0..9999999]"
	RangeTooLarge diag.Code = "range-too-large"

	// Two blocks of one type, two locals or two switches with one name.
	//
	//	nic "cx5" { … }
	//	nic "cx5" { … }
	DuplicateName diag.Code = "duplicate-name"
)

// What can be wrong with variables and locals.
const (
	// A variable without value and default.
	//
	//	variable "racks" {}
	VariableMissing diag.Code = "variable-missing"

	// A type that does not exist, or a value that is not of the type.
	//
	//	variable "racks" {
	//	  type    = number
	//	  default = "many"
	//	}
	VariableType diag.Code = "variable-type"

	// A value that the variable's own validation refuses.
	//
	//	validation { condition = var.racks < 32 … }
	VariableInvalid diag.Code = "variable-invalid"

	// A value for a variable that nobody declares.
	//
	//	roceplan check --var rakcs=4 fabric.hcl
	VariableUndeclared diag.Code = "variable-undeclared"

	// Locals that depend on each other in a circle.
	//
	//	locals {
	//	  a = local.b
	//	  b = local.a
	//	}
	LocalsCycle diag.Code = "locals-cycle"
)

// What can be wrong with the fabric and its classes.
const (
	// No fabric block in any file.
	//
	//	nic "cx5" { model = "connectx-5" }
	FabricMissing diag.Code = "fabric-missing"

	// The expected delay is not below the tolerable one, or a latency that nine packets in ten keep is
	// above the one that all keep.
	//
	//	expected_delay  = "80us"
	//	tolerable_delay = "40us"
	DelayOrder diag.Code = "delay-order"

	// A frame that is larger than the fabric carries.
	//
	//	mtu            = "1518B"
	//	lossless_frame = "9216B"
	FrameOrder diag.Code = "frame-order"

	// An MTU above what an operating system of the fabric takes.
	//
	//	mtu = "9416B"   # and a switch with os = sonic
	MTUAboveOS diag.Code = "mtu-above-os"

	// A code point in two classes, or twice in one.
	//
	//	dscp = [26, 26]
	DuplicateDSCP diag.Code = "duplicate-dscp"

	// Two classes with dscp = rest.
	RestTwice diag.Code = "rest-twice"

	// Code points that no class lists would enter a lossless class.
	//
	//	traffic_class "rdma" {
	//	  dscp  = [26]
	//	  queue = 0
	//	  pfc   = 3
	//	}
	RestLossless diag.Code = "rest-lossless"

	// Two lossless classes with one PFC priority.
	PFCCollision diag.Code = "pfc-collision"

	// A lossless class that shares its priority group.
	PGCollision diag.Code = "pg-collision"

	// A lossless class that shares its queue, or two lossy ones that disagree on it.
	QueueCollision diag.Code = "queue-collision"

	// Two classes of one traffic class with different queues.
	TCCollision diag.Code = "tc-collision"

	// A strict class with a weight.
	//
	//	scheduling = strict
	//	weight     = 10
	StrictWeight diag.Code = "strict-weight"

	// Packets of a lossless class cannot be trimmed, and what is left of others needs a queue of
	// its own, of a lossy class.
	TrimmingClass diag.Code = "trimming-class"

	// What a pair of switches sends back through its tunnel changes from a lossless class to
	// another one, which is not sent back itself. The code points that a class keeps there must
	// be its own.
	TunnelClass diag.Code = "tunnel-class"

	// A tunnel, or ports, through which nothing is sent back.
	TunnelUnused diag.Code = "tunnel-unused"

	// Two classes are trimmed in different ways, and a switch has one.
	TrimmingDiffers diag.Code = "trimming-differs"

	// A class that shares by DWRR without a weight.
	WeightMissing diag.Code = "weight-missing"

	// A strict class without max_rate; a warning.
	//
	//	scheduling = strict
	StrictUncapped diag.Code = "strict-uncapped"

	// No class has pfc; a warning.
	NoLossless diag.Code = "no-lossless"

	// Kmin above Kmax.
	//
	//	ecn {
	//	  kmin = "2MB"
	//	  kmax = "1MB"
	//	  pmax = "5%"
	//	}
	ECNOrder diag.Code = "ecn-order"

	// A value that no queue uses: the curve of a class that marks nothing, the alpha of a class
	// that is lossy, or a lossy pool where no class is lossy.
	//
	//	port_group "uplinks" {
	//	  ecn {
	//	    class = traffic_class.bulk # ecn = off
	//	    …
	//	  }
	//	}
	ValueUnused diag.Code = "value-unused"

	// CNPs travel in a lossless class; a warning.
	CNPLossless diag.Code = "cnp-lossless"

	// CNPs travel in a class that is not strict, or in none; a warning.
	CNPNotStrict diag.Code = "cnp-not-strict"

	// The priority of a NIC's CNPs is not that of the class which carries them, or is one
	// that a pause of a lossless class stops.
	//
	//	nic "thor" { model = "thor2" }   # 7, and traffic_class "cnp" has 6
	NICCNPPriority diag.Code = "nic-cnp-priority"

	// A NIC's CNPs have a code point of another class than the strict one that the
	// switches have for them.
	//
	//	cnp_dscp = 26
	NICCNPDSCP diag.Code = "nic-cnp-dscp"

	// A NIC's acknowledgements have a code point that no class takes.
	//
	//	nic "cx6" {
	//	  model    = "connectx-6"
	//	  ack_dscp = 40
	//	}
	NICAckDSCP diag.Code = "nic-ack-dscp"

	// Two NICs in one class take frames of different sizes.
	//
	//	nic "a" {
	//	  model = "connectx-5"
	//	  mtu   = "1518B"
	//	}
	NICFrame diag.Code = "nic-frame"

	// A NIC uses a lossless class, and the ports it is connected to have none.
	//
	//	lossless = false
	//	peer     = nic.cx5
	NICLossless diag.Code = "nic-lossless"

	// A NIC sends a code point that the marking block takes away.
	NICMarking diag.Code = "nic-marking"

	// Ports rely on a marking block that is not there.
	//
	//	trust = marking
	MarkingMissing diag.Code = "marking-missing"

	// A marking rule for a code point of no class, or of another one.
	//
	//	rule {
	//	  dscp  = 46
	//	  class = traffic_class.cnp
	//	}
	MarkingDSCP diag.Code = "marking-dscp"
)

// What can be wrong with switches and links.
const (
	// A chip that the catalogue does not have.
	//
	//	chip = "tridant3"
	UnknownChip diag.Code = "unknown-chip"

	// A speed that the chip has no ports of.
	//
	//	chip = "trident3" … speed = "800Gbps"
	UnsupportedSpeed diag.Code = "unsupported-speed"

	// A speed that is not that of the breakout.
	//
	//	breakout = "4x25G"
	//	speed    = "100Gbps"
	BreakoutSpeed diag.Code = "breakout-speed"

	// A port in two groups, or twice in one.
	//
	//	ports = ["Ethernet0", "Ethernet[0..3]"]
	PortTwice diag.Code = "port-twice"

	// A serdes lane that two ports have.
	//
	//	first_lane = 30
	LaneTwice diag.Code = "lane-twice"

	// A chip that the platform does not have.
	//
	//	chip     = "spectrum3"
	//	platform = "x86_64-nvidia_sn5600-r0"
	PlatformChip diag.Code = "platform-chip"

	// A platform that sonic-buildimage does not have, that nearly has the name of one, and for
	// which the fabric numbers no lanes.
	//
	//	platform = "x86_64-dellemc_s5322f_c3538-r0"
	UnknownPlatform diag.Code = "unknown-platform"

	// A HwSKU that the platform does not have in sonic-buildimage.
	//
	//	platform = "x86_64-dellemc_s5232f_c3538-r0"
	//	hwsku    = "Accton-AS7326-56X"
	PlatformHwSKU diag.Code = "platform-hwsku"

	// Ports are not those which the HwSKU makes of the box: other names, other lanes, or faster. A
	// warning where a hwsku.json lets the configuration break cages out otherwise, which the switch
	// has to do before the configuration is loaded.
	//
	//	hwsku = "Mellanox-SN5600-C224O8"
	//	…
	//	breakout = "2x400G" # of a cage that the HwSKU breaks out into eight ports
	HwSKULayout diag.Code = "hwsku-layout"

	// Ports that are faster together than the chip, or more than it can have.
	//
	//	ports = "Ethernet[0..760/8]"   # 96 of 800G on a chip of 51.2T
	ChipCapacity diag.Code = "chip-capacity"

	// Ports of one cage that need more lanes than it has, by their names.
	//
	//	ports = "Ethernet1/[1..7/2]"   # four of 400G in eight lanes of 100G
	CageLanes diag.Code = "cage-lanes"

	// A cable that is longer than its kind reaches at the rate of its lanes.
	//
	//	medium = dac
	//	cable  = "500m"
	CableReach diag.Code = "cable-reach"

	// A NIC that has no ports of the speed of the port that it is linked to.
	//
	//	speed = "400Gbps"
	//	peer  = nic.cx5
	NICSpeed diag.Code = "nic-speed"

	// A port that the platform does not have under this name, or not where its cage is
	// split so.
	//
	//	ports = "Ethernet1/1"
	PlatformPort diag.Code = "platform-port"

	// A way to use a cage that the platform does not list, or two ways at once.
	//
	//	breakout = "3x100G"
	PlatformBreakout diag.Code = "platform-breakout"

	// Lanes that are numbered otherwise than those of the platform.
	//
	//	first_lane = 0
	PlatformLanes diag.Code = "platform-lanes"

	// Code points that no class takes, so that they fall to traffic class 0.
	//
	//	dscp = [0] # and no class with dscp = rest
	CodePointsUnclaimed diag.Code = "code-points-unclaimed"

	// The switch's own buffer calculator is asked of a chip that has none.
	//
	//	buffer_model = dynamic
	NoCalculator diag.Code = "no-calculator"

	// As many aliases or lane lists as there are ports are expected.
	//
	//	ports   = "Ethernet[0..3]"
	//	aliases = ["a", "b"]
	CountMismatch diag.Code = "count-mismatch"

	// A link end that is not SWITCH:PORT.
	//
	//	a = "leaf-01/Ethernet0"
	BadLinkEnd diag.Code = "bad-link-end"

	// A link end, or a tier of a Clos, that names a switch which is not there.
	//
	//	a = "leef-01:Ethernet0"
	UnknownSwitch diag.Code = "unknown-switch"

	// A link end, or a side of a Clos, that names a port or port group which is not
	// there.
	//
	//	a = "leaf-01:Ethernet999"
	UnknownPort diag.Code = "unknown-port"

	// A port with two links.
	LinkTwice diag.Code = "link-twice"

	// A link from a switch to itself.
	//
	//	a = "leaf-01:Ethernet0"
	//	b = "leaf-01:Ethernet4"
	LinkSelf diag.Code = "link-self"

	// A link between ports of different speeds, or port groups that are each other's peers and have none in common.
	LinkSpeed diag.Code = "link-speed"

	// A link whose ends describe two cables, of different length or medium. Headroom is for what the
	// port group says.
	//
	//	cable = "40m"   # of the leaf's ports
	//	cable = "10m"   # of the spine's
	LinkCable diag.Code = "link-cable"

	// Ports whose port group says that their peer is a switch, and that no link joins to one.
	//
	//	peer = switch.spine   # and neither clos nor link
	PeerUnwired diag.Code = "peer-unwired"

	// Some switches have no path to the others.
	//
	//	link {
	//	  a = "leaf-1:Ethernet0"
	//	  b = "leaf-2:Ethernet0"
	//	}
	//	# and none to leaf-3
	FabricParts diag.Code = "fabric-parts"

	// A link to another peer than the port group names.
	//
	//	peer = nic.cx5   # and a link to a switch
	PeerMismatch diag.Code = "peer-mismatch"

	// A Clos that needs more ports than the group has.
	ClosPorts diag.Code = "clos-ports"
)

// What can be wrong with servers.
const (
	// A server whose GPUs, NICs, rails and switches do not go up.
	//
	//	gpus = 8
	//	nics = 3
	ServerRails diag.Code = "server-rails"

	// Switches whose ports to hosts are not those of whole servers.
	//
	//	nics  = 8
	//	rails = 4   # two ports each, and a leaf with 63
	ServerPorts diag.Code = "server-ports"
)

// What can be wrong with scenarios.
const (
	// A scenario in which nobody sends.
	//
	//	scenario "quiet" {}
	ScenarioEmpty diag.Code = "scenario-empty"

	// A port that a scenario takes for a host, or for the end of a link, and that is none.
	//
	//	src = "leaf-01:Ethernet64"   # which leads to a spine
	ScenarioHost diag.Code = "scenario-host"

	// More hosts than there are.
	//
	//	incast { senders = 500 }
	ScenarioHosts diag.Code = "scenario-hosts"

	// Processes share queue pairs, and nothing of the scenario is sent on these: collectives and traces keep their own.
	//
	//	processes = 4
	//	ring_all_reduce { message = "8MB" }
	ProcessesUnused diag.Code = "processes-unused"

	// Messages of one size and of a distribution at once.
	//
	//	sizes   = sizes.hadoop
	//	message = "64KB"
	SizesTwice diag.Code = "sizes-twice"

	// Points that are not a distribution.
	//
	//	share = ["10%", "100%"]
	BadSizes diag.Code = "bad-sizes"
)
