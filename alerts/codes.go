package alerts

import "github.com/roceplan/roceplan/diag"

// Codes of findings on a mapping of metrics.
const (
	// A mapping names a counter that no rule needs.
	UnknownCounter diag.Code = "alerts-unknown-counter"

	// A mapping names the metric of a counter twice.
	RepeatedCounter diag.Code = "alerts-repeated-counter"

	// The name of a metric or of a label is none that Prometheus takes.
	BadName diag.Code = "alerts-bad-name"
)
