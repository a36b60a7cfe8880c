package scenario

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
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
		text := must.Get(json.Marshal([]any{o[i].Losses, o[i].Completion, o[i].Duration, o[i].Marks}))(t)
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

// Two all-reduces of 8 GPUs over 16,000,000 B, which compute 100 us before each: each sends 14/8 of the data. By what nccl-tests calls bus bandwidth
// that is no more than a port of 100 Gb/s carries, 12.5 GB/s, and with headers and steps that wait for others not less than 10. An
// all-gather sends 7/8.
func TestBusBandwidth(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "reduce" {
  hosts = ["leaf-1:Ethernet[0..28/4]"]
  collective {
    operation = all_reduce
    algorithm = ring
    message   = "16MB"
    repeat    = 2
    compute   = "100us"
  }
}
scenario "gather" {
  hosts = ["leaf-1:Ethernet[0..28/4]"]
  collective {
    operation = all_gather
    message   = "16MB"
  }
}
`)
	list := Traces(nil).All(f)[:2]
	for _, o := range run(t, jobs(t, p, whole, list, 100*units.Microsecond)) {
		b := &o.Completion.Blocks[0]
		want := 16e6 * 7 / 8 / b.Duration / 1e3
		if o.Pattern == "reduce" {
			want = 16e6 * 2 * 7 / 8 / (b.Duration/2 - 100) / 1e3
		}
		if got := b.BusBandwidth; math.Abs(got/want-1) > 1e-9 || got < 10 || got > 12.5 {
			t.Errorf("%s: %v GB/s in %v us, want %v", o.Pattern, got, b.Duration, want)
		}
	}
}

// A ring on a compiled fabric that leaves out what repeats ends when the whole run does, to 1 %: its steps are alike, but for
// the hosts' turns. It loses nothing and sends less. Two milliseconds of 126 steps are left out in part.
func TestSkipSteady(t *testing.T) {
	for _, control := range []string{"none", "dcqcn", "hpcc"} {
		f, p := compiled(t, control, `
			scenario "ring" {
			  ring_all_reduce {
			    message = "8MB"
			  }
			}`)
		list := jobs(t, p, whole, Traces(nil).All(f)[:1], 100*units.Microsecond)
		list[0].SkipSteady, list[0].Detailed = true, true
		skipped := run(t, list)[0]
		list[0].Prepare = append(list[0].Prepare, func(sc *sim.Scenario, _ int) { sc.SkipSteady = false })
		all := run(t, list)[0]
		if off := math.Abs(skipped.Duration/all.Duration - 1); off > 0.01 || skipped.SkippedUS < all.Duration/10 || skipped.PacketHops >= all.PacketHops {
			t.Errorf("%s: %.1f us, off by %.4f, %.1f us left out of %.1f, %d hops of %d", control, skipped.Duration, off, skipped.SkippedUS, all.Duration, skipped.PacketHops, all.PacketHops)
		}
		if skipped.Unfinished+int(skipped.Drops) > 0 || len(skipped.FlowResults) != len(all.FlowResults) || skipped.Queues == nil || skipped.Steady != nil {
			t.Errorf("%s: %d unfinished, %d dropped, %d results, steady %+v", control, skipped.Unfinished, skipped.Drops, len(skipped.FlowResults), skipped.Steady)
		}
		t.Logf("%s: off by %.5f, %.0f of %.0f us left out", control, skipped.Duration/all.Duration-1, skipped.SkippedUS, all.Duration)
	}
}
