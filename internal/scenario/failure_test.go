package scenario

import (
	"encoding/json"
	"testing"

	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// A switch that fails is all its links that do: 8 to each of 4 leaves, so that a spine is 32 blocks of link_failure. Neither loses
// another packet, nor is any message later. One that is drawn is one of the two spines, which are alike to random traffic but for its ways.
func TestSwitchFailure(t *testing.T) {
	const traffic = `
  poisson {
    sizes = sizes.websearch
    load  = "30%"
  }
`
	f, p := compiled(t, "dcqcn", `
scenario "switch" {`+traffic+`
  switch_failure {
    switch      = "spine-1"
    at          = "50us"
    until       = "150us"
    convergence = "20us"
  }
}
scenario "links" {`+traffic+`
  link_failure {
    count       = 32
    link        = "spine-1:Ethernet${4 * count.index}"
    at          = "50us"
    until       = "150us"
    convergence = "20us"
  }
}
scenario "drawn" {`+traffic+`
  switch_failure {
    at = "50us"
  }
}
`)
	all := Traces(nil).All(f)[:3]
	o := run(t, jobs(t, p, whole, all, 200*units.Microsecond))
	told := map[string]string{}
	for i := range o {
		if o[i].Skipped != "" || o[i].Losses == nil || o[i].Losses.OnWire+o[i].Losses.Flushed+o[i].Losses.Unrouted == 0 || o[i].Unfinished != 0 {
			t.Errorf("%s: skipped %q, losses %+v, %d unfinished", o[i].Pattern, o[i].Skipped, o[i].Losses, o[i].Unfinished)
		}
		text, err := json.Marshal([]any{o[i].Losses, o[i].Completion, o[i].Duration, o[i].Marks})
		if err != nil {
			t.Fatal(err)
		}
		told[o[i].Pattern] = string(text)
	}
	if told["switch"] != told["links"] {
		t.Errorf("the switch: %s\nits links: %s", told["switch"], told["links"])
	}
}

// A switch that the simulated part does not have is said by its name.
func TestSwitchFailureElsewhere(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "leaf" {
  permutation {
  }
  switch_failure {
    switch = "leaf-4"
  }
}
`)
	o := run(t, jobs(t, p, fabric.Size{Edges: 2, HostsPerEdge: 4}, Traces(nil).All(f)[:1], 100*units.Microsecond))
	if want := "names leaf-4, which is not among what is simulated"; o[0].Skipped != want || o[0].Missed[0] != pattern.NotRun {
		t.Errorf("%q, missed %v; want %q", o[0].Skipped, o[0].Missed, want)
	}
}
