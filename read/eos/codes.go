package eos

import "github.com/roceplan/roceplan/diag"

const (
	// The file is larger than any running-config, and is not read.
	TooLarge diag.Code = "eos-read-too-large"

	// There are more objects or findings than any real file has; the rest of the file is
	// not read.
	TooMany diag.Code = "eos-read-too-many"

	// A number is missing, malformed, or out of the range that EOS takes.
	//
	//	qos map dscp 64 to traffic-class 3
	Number diag.Code = "eos-read-number"

	// A line of a QoS command that EOS does not take. Several circulate on the web.
	//
	//	priority-flow-control mode on
	Wrong diag.Code = "eos-read-wrong"

	// A line of QoS, PFC or buffers whose form is not known, so what it does is not in
	// what was read.
	//
	//	platform trident mmu queue profile p
	//	    ingress something 4
	Unknown diag.Code = "eos-read-unknown"

	// A line that is understood, and that nothing here accounts for.
	//
	//	random-detect drop minimum-threshold 1 kbytes maximum-threshold 10 kbytes drop-probability 90
	NotModelled diag.Code = "eos-read-not-modelled"

	// A profile, policy-map, class-map or access list is used and nowhere defined.
	//
	//	interface Ethernet1
	//	   service-profile missing
	Undefined diag.Code = "eos-read-undefined"

	// A buffer profile is defined, but the switch does not apply it.
	//
	//	platform trident mmu queue profile p
	//	    ingress headroom 64000
	Unapplied diag.Code = "eos-read-unapplied"

	// An amount in cells, where the size of the chip's cells is not known.
	//
	//	platform trident mmu headroom-pool limit cells 9600
	Cells diag.Code = "eos-read-cells"

	// An ECN threshold in a unit that is not bytes: segments differ by platform, and
	// times depend on the port.
	//
	//	random-detect ecn minimum-threshold 2000 segments maximum-threshold 10000 segments
	Unit diag.Code = "eos-read-unit"

	// A queue says that it is strict, but a higher queue shares by weight; EOS then
	// shares this one by weight as well.
	StrictOrder diag.Code = "eos-read-strict-order"

	// One line turns PFC off on all ports, some of which enable it.
	//
	//	priority-flow-control all off
	AllOff diag.Code = "eos-read-all-off"

	// The watchdog is on at a port, but it watches only queues with guaranteed bandwidth,
	// and a lossless queue has none.
	//
	//	interface Ethernet1
	//	   priority-flow-control on
	//	   priority-flow-control priority 3 no-drop
	//	   priority-flow-control pause watchdog
	//	   uc-tx-queue 3
	//	      no bandwidth guaranteed
	Unwatched diag.Code = "eos-read-unwatched"
)
