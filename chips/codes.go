package chips

import "github.com/roceplan/roceplan/diag"

// Codes of findings in chip files.
const (
	// A block, attribute or datum that chip files do not have.
	//
	//	cell_sise { … }
	UnknownName diag.Code = "chip-unknown-name"

	// Something that must be there is not: a chip's title, vendor or family, a
	// datum's value, source or confidence, a label.
	//
	//	cell_size { value = "254B" }
	Missing diag.Code = "chip-missing"

	// A value of the wrong kind: no unit, the wrong unit, a number where a text is
	// expected, out of range.
	//
	//	cell_size { value = 254 … }
	BadValue diag.Code = "chip-value"

	// A list whose elements do not ascend.
	//
	//	alphas { value = ["1", "1/2"] … }
	NotAscending diag.Code = "chip-not-ascending"

	// A name, alias, source or datum that is defined already.
	//
	//	aliases = ["th5"]   # of another chip than Tomahawk 5
	Duplicate diag.Code = "chip-duplicate"

	// A reference to a source or to a chip that is nowhere defined.
	//
	//	source = source.datasheet
	Undefined diag.Code = "chip-undefined"

	// Data of one chip that cannot be true together.
	//
	//	cell_size { value = "64B" … }
	//	packet_metadata { value = "64B" … }
	Contradiction diag.Code = "chip-contradiction"

	// A chip that takes the place of one of roceplan's own; a warning. A chip that
	// says `extends` replaces without it.
	//
	//	chip "tomahawk5" { … }
	Replaced diag.Code = "chip-replaced"
)
