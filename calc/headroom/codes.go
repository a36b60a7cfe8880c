package headroom

import "github.com/roceplan/roceplan/diag"

// Codes of findings in a vendor's headroom table.
const (
	// A line that is not "speed cable size xon xoff threshold [xon_offset]".
	//
	//	100000 40m 1248
	TableSyntax diag.Code = "headroom-table-syntax"

	// A field that is not what its column holds, or is out of range.
	//
	//	100000 40 1248 2288 177632 0
	TableValue diag.Code = "headroom-table-value"

	// A speed and a length that the table has already.
	//
	//	100000 40m 1248 2288 177632 0
	//	100000 40m 1248 2288 165568 0
	TableDuplicate diag.Code = "headroom-table-duplicate"

	// A table without a row.
	TableEmpty diag.Code = "headroom-table-empty"

	// Headroom that shrinks as the cable grows; a warning. Such rows ship: see
	// sonic-buildimage Mellanox-SN5600-C224O8, 10G at 40 m and 250 m.
	//
	//	10000 40m 19456 19456 20480 0
	//	10000 250m 19456 19456 14336 0
	TableShrinks diag.Code = "headroom-table-shrinks"
)
