package openconfig

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not JSON, or not UTF-8.
	//
	//	{"openconfig-qos:qos":
	JSON diag.Code = "openconfig-read-json"

	// The file is larger or more deeply nested than any document of the models.
	TooLarge diag.Code = "openconfig-read-too-large"

	// A value does not have the structure of the models, such as a string in place of a list.
	//
	//	{"openconfig-qos:qos": {"queues": {"queue": "ROCE"}}}
	Shape diag.Code = "openconfig-read-shape"

	// A member occurs twice in one object, or an entry occurs twice in one list.
	//
	//	{"openconfig-qos:qos": {}, "openconfig-qos:qos": {}}
	Duplicate diag.Code = "openconfig-read-duplicate"

	// A number is malformed or outside the range of its leaf.
	//
	//	"dscp-set": [64]
	Number diag.Code = "openconfig-read-number"

	// A name refers to an entry that the document does not have.
	//
	//	"scheduler-policy": {"config": {"name": "gone"}}
	Reference diag.Code = "openconfig-read-reference"

	// A queue has no number. roceplan numbers the queues in the order of their names.
	//
	//	"queues": {"queue": [{"name": "ROCE", "config": {"name": "ROCE"}}]}
	Unnumbered diag.Code = "openconfig-read-unnumbered"

	// roceplan understands the setting, but does not model its effect.
	//
	//	"two-rate-three-color": {"config": {"cir": "1000"}}
	NotModelled diag.Code = "openconfig-read-not-modelled"
)
