package alerts

import "github.com/roceplan/roceplan/diag"

// Codes of findings on a mapping of metrics.
const (
	// The mapping names a counter that no rule needs.
	UnknownCounter diag.Code = "alerts-unknown-counter"

	// The mapping names the metric of a counter twice.
	RepeatedCounter diag.Code = "alerts-repeated-counter"

	// Prometheus does not allow this name of a metric or label.
	BadName diag.Code = "alerts-bad-name"
)
