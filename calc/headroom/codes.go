package headroom

import "github.com/roceplan/roceplan/diag"

// Codes of findings in a vendor's headroom table.
const (
	// A line does not have the form "speed cable size xon xoff threshold [xon_offset]".
	//
	//	100000 40m 1248
	TableSyntax diag.Code = "headroom-table-syntax"

	// A field does not have the type of its column, or is out of range.
	//
	//	100000 40 1248 2288 177632 0
	TableValue diag.Code = "headroom-table-value"

	// The table has two rows for the same speed and length.
	//
	//	100000 40m 1248 2288 177632 0
	//	100000 40m 1248 2288 165568 0
	TableDuplicate diag.Code = "headroom-table-duplicate"

	// The table has no rows.
	TableEmpty diag.Code = "headroom-table-empty"

	// A longer cable has less headroom than a shorter one. This is a warning, because vendors ship
	// such tables: in sonic-buildimage, Mellanox-SN5600-C224O8 has such rows for 10G at 40 m and
	// 250 m.
	//
	//	10000 40m 19456 19456 20480 0
	//	10000 250m 19456 19456 14336 0
	TableShrinks diag.Code = "headroom-table-shrinks"
)
