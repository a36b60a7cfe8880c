package readtest

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/read"
)

// Summarize writes what a reader made of a file: its ports, its statements by sort, its
// findings, and each reason why statements are not modelled, with the first of them.
func Summarize(out io.Writer, name string, r read.Result) {
	fmt.Fprintf(out, "%s: %d ports; %d statements modelled, %d neutral, %d not modelled\n", name, len(r.Switch.Ports),
		r.Ledger.Count(read.Modelled), r.Ledger.Count(read.Neutral), r.Ledger.Count(read.Unmodelled))
	for _, d := range r.Found {
		fmt.Fprintf(out, "  %d: %s[%s]: %s\n", d.Subject.Start.Line, d.Severity, d.Code, d.Message)
	}
	count, first := map[string]int{}, map[string]string{}
	for _, s := range r.Ledger.Unmodelled() {
		if count[s.Why]++; count[s.Why] == 1 {
			first[s.Why] = fmt.Sprintf("%d: %s", s.At.Start.Line, s.Text)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(out, "  %d not modelled: %s\n    such as line %s\n", count[why], why, first[why])
	}
}
