package junos

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not a Junos configuration: a brace, a bracket, a quote or a semicolon is
	// missing, or a command is not set.
	//
	//	class-of-service { shared-buffer {
	Syntax diag.Code = "junos-read-syntax"

	// A value is not a number, or not one that Junos accepts.
	//
	//	queue-num 44;
	Number diag.Code = "junos-read-number"

	// A statement names something that the file does not define.
	//
	//	scheduler-map sm1;
	Undefined diag.Code = "junos-read-undefined"

	// The partitions of the shared buffer do not sum to 100 per cent, or the egress side does
	// not have the partitions of the ingress side. Junos refuses to commit the first, and
	// Junos Evolved demands the second.
	//
	//	buffer-partition lossless { percent 66; }
	Partitions diag.Code = "junos-read-partitions"

	// A lossless class is not protected on all of its code points, its headroom is computed for
	// smaller frames than come in, or the pause of a peer does not stop the queue of the class.
	PauseIncomplete diag.Code = "junos-read-pause-incomplete"

	// Ports are told different things of which a plan holds one.
	//
	//	classifiers { dscp other; }
	Differs diag.Code = "junos-read-differs"

	// A statement is understood, and a plan cannot hold what it says.
	//
	//	fill-level [ 55 90 ];
	NotModelled diag.Code = "junos-read-not-modelled"

	// A statement is refused by Junos where it stands.
	//
	//	buffer-dynamic-threshold 7; of a lossless queue
	Refused diag.Code = "junos-read-refused"
)
