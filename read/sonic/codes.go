package sonic

import "github.com/roceplan/roceplan/diag"

// What a ConfigDB file says that cannot be read as meant. YANG models see none of the
// findings about structure: they check fields one by one.
const (
	// The text is not JSON.
	JSONInvalid diag.Code = "sonic-json-invalid"

	// Objects are nested far deeper than ConfigDB has levels.
	TooDeep diag.Code = "sonic-too-deep"

	// The file is larger than any ConfigDB.
	TooLarge diag.Code = "sonic-too-large"

	// There are more findings than anybody reads; the rest is left out.
	TooMany diag.Code = "sonic-too-many"

	// A key occurs twice in one object, and the first value is lost.
	DuplicateKey diag.Code = "sonic-duplicate-key"

	// A string is not valid UTF-8.
	InvalidUTF8 diag.Code = "sonic-invalid-utf8"

	// A value has another form than ConfigDB's tables of rows of text have: a table
	// that is a list, a row that is a number.
	WrongShape diag.Code = "sonic-wrong-shape"

	// A scalar is a JSON number or boolean, where ConfigDB has text: "8", not 8.
	NotText diag.Code = "sonic-not-text"

	// A text is not a number, or has blanks around it, or lies outside of what the
	// field can mean.
	Number diag.Code = "sonic-number"

	// A text is none of the words that the field knows.
	Word diag.Code = "sonic-word"

	// The key of a row does not name a port and an index.
	Index diag.Code = "sonic-index"

	// A range of indices runs backwards, such as "4-3", and so holds nothing.
	IndexReversed diag.Code = "sonic-index-reversed"

	// Two rows claim the same PG or queue of a port, such as "3" and "3-4". Which one
	// wins depends on the order in which the switch happens to read them.
	IndexOverlap diag.Code = "sonic-index-overlap"

	// A row refers to one that the file does not have.
	Reference diag.Code = "sonic-reference"

	// A PG has a profile of an egress pool, or a queue one of an ingress pool. The dynamic
	// buffer manager refuses it; the traditional one does not look, so there it is a warning.
	WrongSide diag.Code = "sonic-wrong-side"

	// A row for a queue of a switch with virtual output queues, whose key does not say to
	// which card and chip the queue leads.
	//
	//	"QUEUE": {"Ethernet0|3": {"scheduler": "scheduler.dwrr.60"}}
	VirtualKey diag.Code = "sonic-virtual-key"

	// A profile sets static_th and dynamic_th, of which the chip can have one.
	ThresholdBoth diag.Code = "sonic-threshold-both"

	// A profile sets neither static_th nor dynamic_th.
	ThresholdMissing diag.Code = "sonic-threshold-missing"

	// The name of a profile tells a lower speed or a shorter cable than the port has that
	// uses it, so its headroom is too small.
	ProfileName diag.Code = "sonic-profile-name"

	// The headroom of a pool is larger than the pool. A warning, because on chips whose
	// size counts the shared part alone it can be meant: the tables that ship for
	// Tofino have it (sonic-buildimage device/arista, Arista-7170-64C).
	PoolHeadroom diag.Code = "sonic-pool-headroom"

	// A PG has headroom, but no PFC priority of the port pauses it: it drops when the
	// headroom is full.
	LosslessWithoutPFC diag.Code = "sonic-lossless-without-pfc"

	// A PFC priority is enabled on a port, but its PG has no headroom: the pause comes
	// too late.
	PFCWithoutLossless diag.Code = "sonic-pfc-without-lossless"

	// Ports use different maps of one kind. The plan of a switch has one map of each, but that
	// ports may classify by themselves and have queues of their own; the one that most ports use
	// is read.
	MapDiffers diag.Code = "sonic-map-differs"

	// A port has PFC but lacks a map that brings packets into PG and queue.
	MapMissing diag.Code = "sonic-map-missing"

	// A WRED profile that marks lacks a threshold.
	CurveIncomplete diag.Code = "sonic-curve-incomplete"

	// A WRED profile marks, but its curve for green packets is not enabled.
	CurveOff diag.Code = "sonic-curve-off"

	// A WRED profile marks green packets sooner than yellow or red ones, which are worth less.
	ColourOrder diag.Code = "sonic-colour-order"

	// Ports differ in the timers or the action of the PFC watchdog, or it watches other
	// priorities than those with PFC. The plan of a switch has one watchdog.
	WatchdogDiffers diag.Code = "sonic-watchdog-differs"

	// The PFC watchdog is told to drop everything in lossless queues.
	BigRedSwitch diag.Code = "sonic-big-red-switch"

	// Two ports have the same serdes lane, of which orchagent creates one.
	LaneShared diag.Code = "sonic-lane-shared"

	// The file holds a setting that touches QoS and that a plan cannot hold. What is
	// verified is the switch without it.
	NotModelled diag.Code = "sonic-not-modelled"
)
