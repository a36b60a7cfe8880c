package record

import "github.com/roceplan/roceplan/diag"

// Findings of joining the parts of a sweep.
const (
	// A result comes before the first header, or the number of results differs from the header.
	// The file was truncated or edited.
	PartIncomplete diag.Code = "part-incomplete"

	// A part belongs to a different sweep. The command, the version of roceplan, the fabric or the
	// set of runs differs from the first part.
	PartForeign diag.Code = "part-foreign"

	// A part of the sweep occurs twice.
	PartTwice diag.Code = "part-twice"

	// A part of the sweep is missing.
	PartMissing diag.Code = "part-missing"
)
