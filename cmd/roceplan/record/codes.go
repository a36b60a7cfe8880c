package record

import "github.com/roceplan/roceplan/diag"

// What is found when the parts of a sweep are joined.
const (
	// A result comes before the first header, or the number of results differs from the header.
	// The file was truncated or edited.
	PartIncomplete diag.Code = "part-incomplete"

	// A part belongs to a different sweep. Its command, version of roceplan, fabric or set of runs
	// differs from the first part.
	PartForeign diag.Code = "part-foreign"

	// A part occurs twice.
	PartTwice diag.Code = "part-twice"

	// A part is missing.
	PartMissing diag.Code = "part-missing"
)
