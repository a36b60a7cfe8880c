package nvue

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not YAML, or is larger than any configuration.
	YAML diag.Code = "nvue-read-yaml"

	// The document is not a list of operations as in `nv config patch` and `nv config show`, or it
	// has no set operation.
	Shape diag.Code = "nvue-read-shape"

	// A key occurs twice in one mapping, which YAML forbids. It is unknown which of the two values
	// the switch uses.
	//
	//	trust: l3
	//	trust: port
	Duplicate diag.Code = "nvue-read-duplicate"

	// The value is not a number, or is outside the range of the switch.
	//
	//	bw-percent: 130
	Number diag.Code = "nvue-read-number"

	// The leaf does not allow this value.
	//
	//	mode: wrr
	Word diag.Code = "nvue-read-word"

	// A port refers to a profile that the file does not have.
	Undefined diag.Code = "nvue-read-undefined"

	// A lossy priority group has the number of a switch priority that ports pause.
	//
	//	priority-group:
	//	  service3: {switch-priority: {'4': {}}}
	Conflict diag.Code = "nvue-read-conflict"

	// A setting affects QoS, but a plan cannot represent it.
	//
	//	link-pause: …
	NotModelled diag.Code = "nvue-read-not-modelled"
)
