package intake

import "github.com/roceplan/roceplan/diag"

const (
	// The file has no known format for counters.
	Unknown diag.Code = "observe-format-unknown"

	// A file of counters is truncated or malformed, so roceplan ignores it.
	Invalid diag.Code = "observe-invalid"

	// The value of a known counter is not an integer.
	//
	//	"SAI_QUEUE_STAT_PACKETS": "many"
	NotNumber diag.Code = "observe-not-a-number"

	// The file does not map these counters to a port.
	Nameless diag.Code = "observe-nameless"

	// The output does not name its device, so the name of its file must.
	Unnamed diag.Code = "observe-unnamed"

	// Numbers have no unit, so roceplan ignores them.
	Unit diag.Code = "observe-unit"

	// The file has the right format, but no counter that roceplan uses.
	Empty diag.Code = "observe-empty"
)
