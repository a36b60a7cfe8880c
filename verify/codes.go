package verify

import "github.com/roceplan/roceplan/diag"

// What is found when files are judged. What the proof finds has the code of the obligation
// with "proof-" before it: see docs/findings.md.
const (
	// No reader recognizes a file: it is none of the formats that can be read.
	//
	//	hello world
	FormatUnknown diag.Code = "format-unknown"

	// A file is of a system that has no reader. The line or the key is shown by which it was
	// recognized, which no other system has.
	//
	//	trust dot1p-map RDMA
	FormatForeign diag.Code = "format-foreign"

	// No lossless priority group was read of a file, so there is nothing that a verdict could
	// be on. A warning where no port of the file has PFC either: such a switch may carry no RoCE.
	NothingLossless diag.Code = "nothing-lossless"

	// A statement that may touch lossless traffic is not modelled, so the verdict is not known.
	NotAccounted diag.Code = "not-accounted"

	// A file leaves what lossy traffic may have of the buffer to defaults that are not published;
	// all of it is taken.
	DefaultUnknown diag.Code = "default-unknown"

	// Reserves and headroom take more memory than the chip has.
	MemoryExceeded diag.Code = "memory-exceeded"

	// A file in the folder of a device holds configuration and is not called like it, so that it was
	// not judged: what it adds or takes away is not in the verdict.
	FileIgnored diag.Code = "file-ignored"

	// A file lies in the folder of one device and names another.
	DeviceMisplaced diag.Code = "device-misplaced"

	// Two files of one name say that they are of the same device.
	DeviceTwice diag.Code = "device-twice"

	// A switch of the fabric has no configuration file among those that were given.
	SwitchMissing diag.Code = "switch-missing"

	// A configuration file belongs to no switch of the fabric.
	SwitchUnknown diag.Code = "switch-unknown"

	// A file is in the language of a target that the switch does not have by the fabric.
	TargetOther diag.Code = "target-other"

	// Links wait for each other in a circle, in the fabric as it is or with one or two links failed: with
	// PFC they may stop for good.
	DeadlockCycle diag.Code = "deadlock-cycle"

	// A statement of a switch may lead packets elsewhere than on the ways that the search for deadlocks
	// lets them take: a static route, a policy of BGP, a port that bridges. The verdict on deadlocks does
	// not hold for that switch.
	DeadlockNotJudged diag.Code = "deadlock-not-judged"

	// One end of a link negotiates its speed by its file, and the other one does not by its own. The one waits
	// for the other and the link stays down, or it has another speed or FEC than the files say. Over fibre
	// nothing is negotiated: such links are not compared where the fabric says what they are of.
	NegotiationDiffers diag.Code = "negotiation-differs"

	// Links can wait for each other in a circle while routing converges after a failure.
	DeadlockConverging diag.Code = "deadlock-converging"

	// No path joins switches with hosts, as the fabric is cabled or after a failure.
	PathCut diag.Code = "path-cut"

	// The platform or HwSKU in a file has another chip than the caller or the fabric says.
	ChipDiffers diag.Code = "chip-differs"

	// The list of cables says another speed or length of a port than its file. The list counts.
	CablesDiffer diag.Code = "cables-differ"

	// The list of cables has a port that the file of its switch does not have.
	CablesPortMissing diag.Code = "cables-port-missing"

	// The list of cables is not a table of switch, port and cable.
	CablesInvalid diag.Code = "cables-invalid"

	// A device in SONiC's dynamic buffer model has less headroom for a port than its priority groups
	// need together: it refuses their profiles, and the port stays without headroom.
	HeadroomAboveDevice diag.Code = "headroom-above-device"

	// A file that was given with --state-db is no dump of SONiC's STATE_DB, or has no maximum of
	// headroom.
	HeadroomLimitsInvalid diag.Code = "headroom-limits-invalid"
)
