package adopt

import "github.com/roceplan/roceplan/diag"

const (
	// A file names no port, so its device is not in the fabric.
	NothingToImport diag.Code = "import-nothing"

	// Two files of one format are from the same device. roceplan uses only one of the files.
	DeviceTwice diag.Code = "import-device-twice"

	// A value of the imported fabric compiles to something else than the file has. The value
	// cannot be pinned, or the target has no command for it.
	Differs diag.Code = "import-differs"

	// The imported fabric does not compile, because it contradicts itself or no target supports a
	// value. roceplan pins values that break an inequality, and ports that the switch hardware
	// cannot have.
	Refused diag.Code = "import-refused"

	// A running value is not pinned, because a proof shows that the derived value is safe.
	Adopted diag.Code = "import-adopted"

	// Nothing is proved about a switch, so no change to it is known to be safe.
	NothingAdopted diag.Code = "import-nothing-adopted"

	// roceplan cannot write configuration for the operating system of a switch, so the fabric uses
	// a different one.
	OtherSystem diag.Code = "import-other-system"

	// No file gives code points for a class. The fabric uses the class selector of its traffic
	// class.
	ByPriority diag.Code = "import-by-priority"

	// The files lack a value that a fabric needs.
	//
	//	chip = var.leaf_chip
	HoleLeft diag.Code = "import-hole"

	// The files do not contain the cable lengths. Enter them in the table of cables.
	CableUnknown diag.Code = "import-cable-unknown"

	// No file gives the largest lossless frame. The suggested size would explain the headroom.
	FrameSuggested diag.Code = "import-frame-suggested"

	// A statement that can affect lossless traffic is not in the fabric file.
	NotModelled diag.Code = "import-not-modelled"
)
