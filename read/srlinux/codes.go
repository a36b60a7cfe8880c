package srlinux

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not JSON, or not UTF-8.
	//
	//	{"srl_nokia-qos:qos":
	JSON diag.Code = "srlinux-read-json"

	// The file is larger, or nested deeper, than any document of the models.
	TooLarge diag.Code = "srlinux-read-too-large"

	// A value has another form than the models give it: text where a list is expected.
	//
	//	{"srl_nokia-qos:qos": {"queues": {"queue": "rdma"}}}
	Shape diag.Code = "srlinux-read-shape"

	// A member occurs twice in one object, an entry twice in one list, or a number is given
	// to two.
	//
	//	{"srl_nokia-qos:qos": {}, "srl_nokia-qos:qos": {}}
	Duplicate diag.Code = "srlinux-read-duplicate"

	// A number is malformed, or out of the range of its leaf.
	//
	//	"dscp": [{"value": 64}]
	Number diag.Code = "srlinux-read-number"

	// A name refers to an entry that the document does not have.
	//
	//	"pfc": {"pfc-mapping-profile": "gone"}
	Reference diag.Code = "srlinux-read-reference"

	// Profiles contradict each other in what the whole switch has once: the group or the
	// queue of a PFC priority.
	Differs diag.Code = "srlinux-read-differs"

	// Marking curves without explicit-congestion-notification, which marks nothing then.
	//
	//	"queue-management-profile": [{"name": "ecn", …}]
	NotMarking diag.Code = "srlinux-read-not-marking"

	// The halves of the chip reserve different parts of the buffer for headroom.
	//
	//	"forwarding-complex": [{"name": "0", "input": {"pfc-buffer-reservation": 10}}]
	Halves diag.Code = "srlinux-read-halves"

	// A port has no DSCP policy: the system's own classifies its packets.
	//
	//	"interface": [{"interface-id": "ethernet-1/1"}]
	Unclassified diag.Code = "srlinux-read-unclassified"
)
