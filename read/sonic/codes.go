package sonic

import "github.com/roceplan/roceplan/diag"

// Faults of a ConfigDB file. YANG models see none of the findings about structure: they check
// fields one by one.
const (
	// The text is not JSON.
	JSONInvalid diag.Code = "sonic-json-invalid"

	// Objects are nested more deeply than in any ConfigDB.
	TooDeep diag.Code = "sonic-too-deep"

	// The file is larger than any ConfigDB.
	TooLarge diag.Code = "sonic-too-large"

	// The file has more findings than roceplan reports.
	TooMany diag.Code = "sonic-too-many"

	// A key occurs twice in one object. The first value is lost.
	DuplicateKey diag.Code = "sonic-duplicate-key"

	// A string is not valid UTF-8.
	InvalidUTF8 diag.Code = "sonic-invalid-utf8"

	// A dump of APPL_DB was given without the configuration of its device. It has the buffers that run,
	// but nothing that says which of them are lossless.
	RunningAlone diag.Code = "sonic-running-alone"

	// A value does not have the structure of a ConfigDB table. For example, a table is a list or a
	// row is a number.
	WrongShape diag.Code = "sonic-wrong-shape"

	// A value is a JSON number or boolean. ConfigDB has strings only: "8", not 8.
	NotText diag.Code = "sonic-not-text"

	// A string is not a number, has spaces around it, or is out of range for its field.
	Number diag.Code = "sonic-number"

	// The field does not allow this value.
	Word diag.Code = "sonic-word"

	// The key of a row does not name a port and an index.
	Index diag.Code = "sonic-index"

	// A range of indices is reversed and therefore empty, such as "4-3".
	IndexReversed diag.Code = "sonic-index-reversed"

	// Two rows configure the same PG or queue of a port, such as "3" and "3-4". The switch applies
	// the rows in no fixed order.
	IndexOverlap diag.Code = "sonic-index-overlap"

	// A row refers to a row that the file does not have.
	Reference diag.Code = "sonic-reference"

	// A PG has a profile of an egress pool, or a queue has a profile of an ingress pool. The
	// dynamic buffer manager rejects such a profile. The traditional buffer manager does not check
	// it, so the finding is a warning there.
	WrongSide diag.Code = "sonic-wrong-side"

	// The switch has virtual output queues, but the key of a queue does not name the card and
	// chip. Or the key of a priority group does, which is of a port of the card itself.
	//
	//	"QUEUE": {"Ethernet0|3": {"scheduler": "scheduler.dwrr.60"}}
	VirtualKey diag.Code = "sonic-virtual-key"

	// A profile sets both static_th and dynamic_th. The chip supports only one threshold.
	ThresholdBoth diag.Code = "sonic-threshold-both"

	// A profile sets neither static_th nor dynamic_th.
	ThresholdMissing diag.Code = "sonic-threshold-missing"

	// The name of a profile gives a lower speed or a shorter cable than the port has, so the
	// headroom of the port is too small.
	ProfileName diag.Code = "sonic-profile-name"

	// The headroom of a pool is larger than the pool. This is a warning, because the size of a
	// pool excludes the headroom on some chips. For example, Arista ships such tables for Tofino
	// (sonic-buildimage device/arista, Arista-7170-64C).
	PoolHeadroom diag.Code = "sonic-pool-headroom"

	// A PG has headroom, but no PFC priority of the port pauses it. The PG drops packets when its
	// headroom is full.
	LosslessWithoutPFC diag.Code = "sonic-lossless-without-pfc"

	// A PFC priority is enabled on a port, but its PG has no headroom. Packets that arrive after
	// the pause are lost.
	PFCWithoutLossless diag.Code = "sonic-pfc-without-lossless"

	// Ports use different maps of the same type. The plan has one map of each type per switch,
	// except for ports with their own classification and queues. roceplan reads the map that most
	// ports use.
	MapDiffers diag.Code = "sonic-map-differs"

	// A port has PFC, but lacks a map that assigns packets to PGs and queues.
	MapMissing diag.Code = "sonic-map-missing"

	// A WRED profile marks packets but lacks a threshold.
	CurveIncomplete diag.Code = "sonic-curve-incomplete"

	// A WRED profile marks packets, but its curve for green packets is disabled.
	CurveOff diag.Code = "sonic-curve-off"

	// A WRED profile marks green packets earlier than yellow or red packets, which have lower
	// priority.
	ColourOrder diag.Code = "sonic-colour-order"

	// Ports have different timers or actions of the PFC watchdog, or the watchdog watches
	// priorities without PFC. The plan has one watchdog per switch.
	WatchdogDiffers diag.Code = "sonic-watchdog-differs"

	// The PFC watchdog is configured to drop all packets in lossless queues.
	BigRedSwitch diag.Code = "sonic-big-red-switch"

	// Two ports have the same serdes lane. orchagent creates only one of the ports.
	LaneShared diag.Code = "sonic-lane-shared"

	// A setting affects QoS, but a plan cannot represent it. roceplan verifies the switch without
	// this setting.
	NotModelled diag.Code = "sonic-not-modelled"
)
