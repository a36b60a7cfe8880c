package junos

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not a Junos configuration. A brace, a bracket, a quote or a semicolon is
	// missing, or a command is not a set command.
	//
	//	class-of-service { shared-buffer {
	Syntax diag.Code = "junos-read-syntax"

	// The value is not a number, or is outside the range of Junos.
	//
	//	queue-num 44;
	Number diag.Code = "junos-read-number"

	// A statement refers to something that the file does not define.
	//
	//	scheduler-map sm1;
	Undefined diag.Code = "junos-read-undefined"

	// The partitions of the shared buffer are wrong. Junos rejects partitions that do not add up
	// to 100 per cent. Junos Evolved requires equal ingress and egress partitions.
	//
	//	buffer-partition lossless { percent 66; }
	Partitions diag.Code = "junos-read-partitions"

	// The protection of a lossless class is incomplete. PFC does not cover all of its code points,
	// its headroom is computed for smaller frames than arrive, or pauses from a peer do not stop
	// its queue.
	PauseIncomplete diag.Code = "junos-read-pause-incomplete"

	// Ports have different values of a setting, but a plan has only one value per switch.
	//
	//	classifiers { dscp other; }
	Differs diag.Code = "junos-read-differs"

	// roceplan understands the statement, but a plan cannot represent it.
	//
	//	fill-level [ 55 90 ];
	NotModelled diag.Code = "junos-read-not-modelled"

	// Junos does not allow the statement in this place.
	//
	//	buffer-dynamic-threshold 7; of a lossless queue
	Refused diag.Code = "junos-read-refused"
)
