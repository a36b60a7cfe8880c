package srlinux

import "github.com/roceplan/roceplan/diag"

const (
	// The text is not JSON, or not UTF-8.
	//
	//	{"srl_nokia-qos:qos":
	JSON diag.Code = "srlinux-read-json"

	// The file is larger or more deeply nested than any document of the models.
	TooLarge diag.Code = "srlinux-read-too-large"

	// A value does not have the structure of the models, such as a string in place of a list.
	//
	//	{"srl_nokia-qos:qos": {"queues": {"queue": "rdma"}}}
	Shape diag.Code = "srlinux-read-shape"

	// A member occurs twice in one object, an entry occurs twice in one list, or two entries have
	// the same number.
	//
	//	{"srl_nokia-qos:qos": {}, "srl_nokia-qos:qos": {}}
	Duplicate diag.Code = "srlinux-read-duplicate"

	// A number is malformed or outside the range of its leaf.
	//
	//	"dscp": [{"value": 64}]
	Number diag.Code = "srlinux-read-number"

	// A name refers to an entry that the document does not have.
	//
	//	"pfc": {"pfc-mapping-profile": "gone"}
	Reference diag.Code = "srlinux-read-reference"

	// Profiles give different values of a switch-wide setting: the group or the queue of a PFC
	// priority.
	Differs diag.Code = "srlinux-read-differs"

	// Marking curves lack explicit-congestion-notification, so they do not mark.
	//
	//	"queue-management-profile": [{"name": "ecn", …}]
	NotMarking diag.Code = "srlinux-read-not-marking"

	// The two halves of the chip reserve different amounts of buffer for headroom.
	//
	//	"forwarding-complex": [{"name": "0", "input": {"pfc-buffer-reservation": 10}}]
	Halves diag.Code = "srlinux-read-halves"

	// A port has no DSCP policy, so the default policy of the system classifies its packets.
	//
	//	"interface": [{"interface-id": "ethernet-1/1"}]
	Unclassified diag.Code = "srlinux-read-unclassified"
)
