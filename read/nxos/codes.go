package nxos

import "github.com/roceplan/roceplan/diag"

const (
	// The file is larger than any running-config, so roceplan does not read it.
	TooLarge diag.Code = "nxos-read-too-large"

	// The file has more objects or findings than any real file. roceplan does not read the rest.
	TooMany diag.Code = "nxos-read-too-many"

	// A number is missing, malformed or outside the range of NX-OS.
	//
	//	set qos-group 8
	Number diag.Code = "nxos-read-number"

	// NX-OS rejects this QoS command, although examples on the web use such commands.
	//
	//	priority-flow-control watch-dog-interval 200
	Wrong diag.Code = "nxos-read-wrong"

	// roceplan does not know this form of a QoS or PFC command, and ignores it.
	//
	//	random-detect minimum-threshold 150 packets maximum-threshold 3000 packets
	Unknown diag.Code = "nxos-read-unknown"

	// roceplan understands the command, but does not model its effect.
	//
	//	set dscp 26
	NotModelled diag.Code = "nxos-read-not-modelled"

	// A policy-map or class-map is used but not defined.
	//
	//	system qos
	//	  service-policy type network-qos missing
	Undefined diag.Code = "nxos-read-undefined"

	// The thresholds of a no-drop class contradict each other. NX-OS needs a resume threshold
	// below the pause threshold, and a pause threshold below the buffer size.
	//
	//	pause buffer-size 27456 pause-threshold 27456 resume-threshold 30000
	Thresholds diag.Code = "nxos-read-thresholds"

	// A port has a no-drop class, but its PFC mode is not on. The port negotiates PFC by DCBX, and
	// never pauses a NIC that does not answer.
	//
	//	priority-flow-control mode auto
	Negotiated diag.Code = "nxos-read-negotiated"

	// The watchdog must be enabled both for the switch and for the port.
	//
	//	interface Ethernet1/1
	//	  priority-flow-control watch-dog-interval on
	Unwatched diag.Code = "nxos-read-unwatched"

	// The queue of a no-drop class has no share of the bandwidth.
	//
	//	class type queuing c-out-8q-q3
	//	  bandwidth remaining percent 0
	NoShare diag.Code = "nxos-read-no-share"
)
