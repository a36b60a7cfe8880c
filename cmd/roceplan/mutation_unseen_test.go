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
	"a leaf nobody knows":                  "OpenConfig: the file has no PFC, so no class is known to be lossless that the leaf could touch",
	"one cell less headroom":               "what is right to the cell follows from the peers' pause response, which no file of a switch holds",
	"headroom pool one cell less":          "how many groups are paused at once is the operator's to say; oversubscribed pools are in use",
	"headroom pool left out":               "every group then owns its headroom, which is as valid",
	"cable doubled":                        "NVUE: the file has no speeds, so nothing is known of what its links need",
	"MTU of 1000":                          "OpenConfig: the file has no PFC, so it is not known that frames have to pass",
	"alpha one step up":                    "another threshold is as valid: it pauses later",
	"alpha one step down":                  "another threshold is as valid: it pauses sooner",
	"threshold left out":                   "the switch has a threshold of its own then, which its vendor does not tell",
	"reserve of the lossless group halved": "a smaller reserve is as valid",
	"xon offset tenfold":                   "a group that resumes later is as valid, as long as it resumes before it is empty",
	"lossless queue bounded by a share":    "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"limit of the lossless queue a tenth":  "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"lossy queue may take more":            "another threshold is as valid: lossy bursts get more and lossless ones less",
	"reserve of a lossy queue gone":        "queues without a reserve are as valid",
	"a port is not watched":                "EOS: a port without the line has the default, which is to watch",
	"detection after 1 ms":                 "NVUE: the file has no speeds, so nothing is known of how long a pause lasts",
	"the watchdog only forwards":           "each action is as valid",
	"a DSCP of the rest made lossless":     "OpenConfig: the file has no PFC, so it is not known that the queue is lossless",
	"two classes in one queue":             "OpenConfig: the file has no PFC, so it is not known that one of them is lossless",
	"CNPs with the rest":                   "a fabric whose congestion control has no CNPs maps DSCP 48 anywhere",
	"CNPs share by weight":                 "OpenConfig: the file has no PFC, so it is not known that there are CNPs",
	"Kmin a tenth":                         "another curve is as valid: it marks sooner",
	"Pmax zero":                            "EOS: the edit makes it 100 %, a step, which DCTCP asks for",
	"cap removed":                          "OpenConfig: strict queues of network control have no cap as a rule",
	"cap tenfold":                          "the file has no speeds, so nothing is known of the part that the cap is of a port",
	"the lossless class gets nothing":      "the scheduler that it gets here has a fifth, which is as valid",
	"the lossless class strict":            "OpenConfig: the file has no PFC, and strict queues have no cap as a rule",
	"an interface without profile":         "OpenConfig: a port without a scheduler has that of the device",
	"a port that is gone":                  "which ports a switch uses is for the fabric file to say",
}

// unseen lists the kinds of edits that audit does not find in some file, with the reason.
// A kind without one fails, and so does a reason that nothing needs.
func unseen(t *testing.T, rows table) string {
	missed := map[string]map[string]int{}
	for _, row := range rows.rows[1:] {
		if kind, target := row[0], row[1]; row[5] == "-" {
			if missed[kind] == nil {
				missed[kind] = map[string]int{}
			}
			missed[kind][target]++
		}
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
