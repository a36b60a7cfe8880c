package eos

import "github.com/roceplan/roceplan/diag"

const (
	// The file is larger than any running-config, so roceplan does not read it.
	TooLarge diag.Code = "eos-read-too-large"

	// The file has more objects or findings than any real file. roceplan does not read the rest.
	TooMany diag.Code = "eos-read-too-many"

	// A number is missing, malformed or outside the range of EOS.
	//
	//	qos map dscp 64 to traffic-class 3
	Number diag.Code = "eos-read-number"

	// EOS rejects this QoS command, although examples on the web use such commands.
	//
	//	priority-flow-control mode on
	Wrong diag.Code = "eos-read-wrong"

	// roceplan does not know this form of a QoS, PFC or buffer command, and ignores it.
	//
	//	platform trident mmu queue profile p
	//	    ingress something 4
	Unknown diag.Code = "eos-read-unknown"

	// roceplan understands the command, but does not model its effect.
	//
	//	random-detect drop minimum-threshold 1 kbytes maximum-threshold 10 kbytes drop-probability 90
	NotModelled diag.Code = "eos-read-not-modelled"

	// A profile, policy-map, class-map or access list is used but not defined.
	//
	//	interface Ethernet1
	//	   service-profile missing
	Undefined diag.Code = "eos-read-undefined"

	// A buffer profile is defined, but not applied.
	//
	//	platform trident mmu queue profile p
	//	    ingress headroom 64000
	Unapplied diag.Code = "eos-read-unapplied"

	// An amount is in cells, but the cell size of the chip is unknown.
	//
	//	platform trident mmu headroom-pool limit cells 9600
	Cells diag.Code = "eos-read-cells"

	// An ECN threshold is not in bytes. The size of a segment differs by platform, and times
	// depend on the port.
	//
	//	random-detect ecn minimum-threshold 2000 segments maximum-threshold 10000 segments
	Unit diag.Code = "eos-read-unit"

	// A queue is strict, but a higher-numbered queue is weighted. EOS then schedules the strict
	// queue by weight as well.
	StrictOrder diag.Code = "eos-read-strict-order"

	// One command turns off PFC on all ports, but some ports enable it.
	//
	//	priority-flow-control all off
	AllOff diag.Code = "eos-read-all-off"

	// The watchdog is enabled on a port, but a lossless queue has no guaranteed bandwidth. The
	// watchdog watches only queues with guaranteed bandwidth.
	//
	//	interface Ethernet1
	//	   priority-flow-control on
	//	   priority-flow-control priority 3 no-drop
	//	   priority-flow-control pause watchdog
	//	   uc-tx-queue 3
	//	      no bandwidth guaranteed
	Unwatched diag.Code = "eos-read-unwatched"
)
