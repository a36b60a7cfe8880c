package intake

import "github.com/roceplan/roceplan/diag"

const (
	// The file has no known format for counters.
	Unknown diag.Code = "observe-format-unknown"

	// A file of counters is truncated or malformed. roceplan ignores it.
	Invalid diag.Code = "observe-invalid"

	// The value of a known counter is not an integer.
	//
	//	"SAI_QUEUE_STAT_PACKETS": "many"
	NotNumber diag.Code = "observe-not-a-number"

	// No map in the file names the object of these counters, so their port is unknown.
	Nameless diag.Code = "observe-nameless"

	// The output does not name its device. The name of its file must do so.
	Unnamed diag.Code = "observe-unnamed"

	// Numbers have no unit, so roceplan ignores them.
	Unit diag.Code = "observe-unit"

	// The file has the right format, but no counter that roceplan uses.
	Empty diag.Code = "observe-empty"
)
