package intake

import "github.com/roceplan/roceplan/diag"

const (
	// Unknown: a file is of no format that holds counters.
	Unknown diag.Code = "observe-format-unknown"

	// Invalid: a file of counters is cut off or otherwise malformed; nothing is concluded from
	// it.
	Invalid diag.Code = "observe-invalid"

	// NotNumber: a counter that is known has a value that is not a whole number.
	//
	//	"SAI_QUEUE_STAT_PACKETS": "many"
	NotNumber diag.Code = "observe-not-a-number"

	// Nameless: counters belong to an object that no map of the file names, so it is not
	// known of which port they are.
	Nameless diag.Code = "observe-nameless"

	// Unnamed: output that does not say what it is of must be in a file that does.
	Unnamed diag.Code = "observe-unnamed"

	// Unit: numbers have no unit, so they stay unknown.
	Unit diag.Code = "observe-unit"

	// Empty: a file has the right form and holds no counter from which something is concluded.
	Empty diag.Code = "observe-empty"
)
