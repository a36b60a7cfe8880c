package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// unseenBecause says of kinds of edits why audit cannot see all of them: what is left is a
// file that somebody might have meant so.
var unseenBecause = map[string]string{
	"one cell less headroom":              "what is right to the cell follows from the peers' pause response, which no file of a switch holds",
	"headroom pool one cell less":         "how many groups are paused at once is the operator's to say; oversubscribed pools are in use",
	"alpha one step down":                 "another threshold is as valid: it pauses sooner",
	"lossless queue bounded by a share":   "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"limit of the lossless queue a tenth": "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"reserve of a lossy queue gone":       "SONiC: a queue other than that of CNPs is as valid without a reserve",
	"Kmin a tenth":                        "a queue that marks from one packet on is as valid: it is for short messages",
	"cap tenfold":                         "the file has no speeds, so nothing is known of the part that the cap is of a port",
}

// mostUnseen is the part of harmful edits that may need the fabric file to be found: one in so many at the most.
const mostUnseen = 30

// unseen lists the kinds of edits that audit does not find in some file, with the reason.
// A kind without one fails, so does a reason that nothing needs, and so do too many edits.
func unseen(t *testing.T, rows table) string {
	missed := map[string]map[string]int{}
	all := 0
	for _, row := range rows.rows[1:] {
		if kind, target := row[0], row[1]; row[5] == "-" {
			all++
			if missed[kind] == nil {
				missed[kind] = map[string]int{}
			}
			missed[kind][target]++
		}
	}
	if edits := len(rows.rows) - 1; all*mostUnseen > edits {
		t.Errorf("%d of %d harmful edits need the fabric file to be found, want one in %d at most", all, edits, mostUnseen)
	}
	for kind := range unseenBecause {
		if missed[kind] == nil {
			t.Errorf("audit finds all of %q: it needs no reason", kind)
		}
	}
	var out table
	out.add("NOT SEEN WITHOUT THE FABRIC FILE", "FILES", "BECAUSE")
	for _, kind := range slices.Sorted(maps.Keys(missed)) {
		if unseenBecause[kind] == "" {
			t.Errorf("audit does not find %q, and nothing says why", kind)
		}
		var files []string
		for _, target := range slices.Sorted(maps.Keys(missed[kind])) {
			files = append(files, fmt.Sprintf("%d %s", missed[kind][target], target))
		}
		out.add(kind, strings.Join(files, ", "), unseenBecause[kind])
	}
	return out.String()
}
