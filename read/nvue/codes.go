package nvue

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not YAML, or larger than any configuration.
	YAML diag.Code = "nvue-read-yaml"

	// The document is not the list of operations that `nv config patch` takes and
	// `nv config show` prints, or it has none that sets something.
	Shape diag.Code = "nvue-read-shape"

	// A key occurs twice in one mapping, where YAML has each once; which value the switch
	// takes is its own to decide.
	//
	//	trust: l3
	//	trust: port
	Duplicate diag.Code = "nvue-read-duplicate"

	// A value is not a number, or not one that the switch takes.
	//
	//	bw-percent: 130
	Number diag.Code = "nvue-read-number"

	// A value is none of the words that the leaf knows.
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

	// The file holds a setting that touches QoS and that a plan cannot hold.
	//
	//	link-pause: …
	NotModelled diag.Code = "nvue-read-not-modelled"
)
