package record

import "github.com/roceplan/roceplan/diag"

// What is found when the parts of a sweep are joined.
const (
	// A result stands before any header, or a header has more results or fewer than it says: the
	// file was cut, or put together by hand.
	PartIncomplete diag.Code = "part-incomplete"

	// A part belongs to another sweep than the first one: to another command, another version of
	// roceplan, another fabric, or other runs.
	PartForeign diag.Code = "part-foreign"

	// A part is there twice.
	PartTwice diag.Code = "part-twice"

	// A part is missing.
	PartMissing diag.Code = "part-missing"
)
