package adopt

import "github.com/roceplan/roceplan/diag"

const (
	// NothingToImport: no file names a port.
	NothingToImport diag.Code = "import-nothing"

	// DeviceTwice: two files of one format are of the same device, and only one counts.
	DeviceTwice diag.Code = "import-device-twice"

	// Differs: compiling what was written gives another value than a file has, which cannot be
	// pinned, or the target has no line for it.
	Differs diag.Code = "import-differs"

	// Refused: compile refuses what was written: no target writes it, or it contradicts itself. What breaks
	// an inequality, and ports that a box cannot have, are pinned.
	Refused diag.Code = "import-refused"

	// Adopted: a value that runs is not pinned, since the change to what compile derives is proved
	// harmless.
	Adopted diag.Code = "import-adopted"

	// NothingAdopted: nothing is proved of a switch, so that no change of it is known to be harmless.
	NothingAdopted diag.Code = "import-nothing-adopted"

	// OtherSystem: nothing is written for the system of a switch, and its fabric is for another one.
	OtherSystem diag.Code = "import-other-system"

	// ByPriority: no file gives a class code points, and the fabric gives it the class selector of its traffic class.
	ByPriority diag.Code = "import-by-priority"

	// HoleLeft: nobody says something that a fabric needs.
	//
	//	chip = var.leaf_chip
	HoleLeft diag.Code = "import-hole"

	// CableUnknown: nobody says how long cables are; the table of cables asks for it.
	CableUnknown diag.Code = "import-cable-unknown"

	// FrameSuggested: a largest lossless frame, which no file says, would explain the headroom.
	FrameSuggested diag.Code = "import-frame-suggested"

	// NotModelled: a statement that may touch lossless traffic is in no fabric file.
	NotModelled diag.Code = "import-not-modelled"
)
