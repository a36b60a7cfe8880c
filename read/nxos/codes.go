package nxos

import "github.com/roceplan/roceplan/diag"

const (
	// The file is larger than any running-config, and is not read.
	TooLarge diag.Code = "nxos-read-too-large"

	// There are more objects or findings than any real file has; the rest of the file is
	// not read.
	TooMany diag.Code = "nxos-read-too-many"

	// A number is missing, malformed, or out of the range that NX-OS takes.
	//
	//	set qos-group 8
	Number diag.Code = "nxos-read-number"

	// A line of a QoS command that NX-OS does not take. Several circulate on the web.
	//
	//	priority-flow-control watch-dog-interval 200
	Wrong diag.Code = "nxos-read-wrong"

	// A line of QoS or PFC whose form is not known, so what it does is not in what was
	// read.
	//
	//	random-detect minimum-threshold 150 packets maximum-threshold 3000 packets
	Unknown diag.Code = "nxos-read-unknown"

	// A line that is understood, and that nothing here accounts for.
	//
	//	set dscp 26
	NotModelled diag.Code = "nxos-read-not-modelled"

	// A policy-map or class-map is used and nowhere defined.
	//
	//	system qos
	//	  service-policy type network-qos missing
	Undefined diag.Code = "nxos-read-undefined"

	// The thresholds of a paused class contradict each other: NX-OS resumes below the
	// threshold at which it pauses, and pauses before the buffer is full.
	//
	//	pause buffer-size 27456 pause-threshold 27456 resume-threshold 30000
	Thresholds diag.Code = "nxos-read-thresholds"

	// A class is paused, but the port does not say that PFC is on: it asks its peer by DCBX,
	// and a NIC that does not answer is never paused.
	//
	//	priority-flow-control mode auto
	Negotiated diag.Code = "nxos-read-negotiated"

	// The watchdog is on for the switch or for a port, and needs both.
	//
	//	interface Ethernet1/1
	//	  priority-flow-control watch-dog-interval on
	Unwatched diag.Code = "nxos-read-unwatched"

	// A queue of a paused class has no share of the bandwidth.
	//
	//	class type queuing c-out-8q-q3
	//	  bandwidth remaining percent 0
	NoShare diag.Code = "nxos-read-no-share"
)
