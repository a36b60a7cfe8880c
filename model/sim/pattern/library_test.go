package pattern_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// What became of each scenario of the library on a small pod, in 40 us: its runs, what bounds them and which goals they
// miss. What is counted is checked against itself; internal/scenario has what the figures must be by arithmetic.
func TestLibraryOnAPod(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Folder(t, catalogue, "testdata/pod")
	list := scenario.Traces(nil).All(f)
	for i := range list {
		list[i].Time = min(list[i].Time, 40*units.Microsecond)
	}
	base, jobs, err := pattern.Jobs(p, catalogue.Find, fabric.Options{Size: fabric.Size{Edges: 2, HostsPerEdge: 4}}, list, 0)
	must.Do(t, err)
	for i := range jobs {
		jobs[i].Detailed = i%8 == 3
		jobs[i].SkipSteady = i%5 == 4
	}
	outcomes := must.Get(pattern.Run(context.Background(), jobs, nil))(t)
	var out strings.Builder
	for _, note := range pattern.Notes(base, jobs) {
		fmt.Fprintln(&out, note)
	}
	for i := range outcomes {
		o := &outcomes[i]
		o.WallSeconds, o.PeakMemory, o.Events, o.SkippedUS, o.Doc = 0, 0, 0, 0, "" // how it is computed
		if o.Details != nil {
			checkDetails(t, o)
			o.Details = &pattern.Details{Hosts: o.Details.Hosts}
		}
		text := must.Get(json.Marshal(o))(t)
		fmt.Fprintf(&out, "%s of %d hosts, about %d packet-hops\n  in reach: %v, infeasible: %v\n  %s\n", o.Pattern, len(jobs[i].Network.Hosts), jobs[i].PacketHops(), o.MissedInReach(), o.Infeasible() != nil, strings.ReplaceAll(string(text), `,"`, `, "`))
	}
	diagtest.Golden(t, "../../../golden/sim_library.txt", out.String())
}

// checkDetails compares what is counted by flow and class with the sums.
func checkDetails(t *testing.T, o *pattern.Outcome) {
	bytes, last := int64(0), 0.0
	for _, r := range o.FlowResults {
		bytes += int64(r.Bytes)
		last = max(last, r.StartUS+r.FCTUS)
	}
	drops := int64(0)
	for _, c := range o.Classes {
		drops += c.Drops
	}
	if o.Unfinished == 0 && (bytes != o.Bytes || last != o.Duration) || drops != o.Drops {
		t.Errorf("%s: %d B of %d B, done at %v of %v, %d drops of %d", o.Pattern, bytes, o.Bytes, last, o.Duration, drops, o.Drops)
	}
}
