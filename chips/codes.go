package chips

import "github.com/roceplan/roceplan/diag"

// Codes of findings in chip files.
const (
	// Chip files have no block, attribute or datum of this name.
	//
	//	cell_sise { … }
	UnknownName diag.Code = "chip-unknown-name"

	// A required item is missing: the title, vendor or family of a chip, the value, source or
	// confidence of a datum, or a label.
	//
	//	cell_size { value = "254B" }
	Missing diag.Code = "chip-missing"

	// The value has the wrong type, has no unit or the wrong unit, or is out of range.
	//
	//	cell_size { value = 254 … }
	BadValue diag.Code = "chip-value"

	// The elements of the list are not in ascending order.
	//
	//	alphas { value = ["1", "1/2"] … }
	NotAscending diag.Code = "chip-not-ascending"

	// The name, alias, source or datum is already defined.
	//
	//	aliases = ["th5"]   # of another chip than Tomahawk 5
	Duplicate diag.Code = "chip-duplicate"

	// The source or chip is not defined.
	//
	//	source = source.datasheet
	Undefined diag.Code = "chip-undefined"

	// Two values of a chip contradict each other.
	//
	//	cell_size { value = "64B" … }
	//	packet_metadata { value = "64B" … }
	Contradiction diag.Code = "chip-contradiction"

	// The chip replaces one of roceplan's own. This is a warning. If a chip has `extends`,
	// roceplan does not warn.
	//
	//	chip "tomahawk5" { … }
	Replaced diag.Code = "chip-replaced"
)
