package adversary_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// silentFor returns the switch of twoPorts with peers that declare nothing, or that respond
// within a time.
func silentFor(t *testing.T, response *units.Time, change func(sw *plan.Switch)) (*plan.Switch, *chips.Chip) {
	sw, chip := twoPorts(t, 0)
	for i := range sw.Ports {
		own := *sw.Ports[i].Assumed
		if own.Declared = response != nil; own.Declared {
			own.Response = plan.Of(*response, nil)
		}
		sw.Ports[i].Assumed = &own
	}
	change(sw)
	return sw, chip
}

// A queue, a whole port, an egress pool or a memory that is short where peers take what the
// standard allows them, and not where they are silent sooner, holds if they are: up to the time
// that the condition names, and no longer. Declared, that time proves it, and twice that refutes it.
func TestWhatIsSharedIsConditional(t *testing.T) {
	for _, tt := range []struct {
		id     string
		change func(sw *plan.Switch, cell units.Bytes)
	}{
		{proof.QueueHolds, func(sw *plan.Switch, cell units.Bytes) { sw.Ports[0].QoS.Queues[0].Limit.Value.Static = 95 * cell }},
		{proof.EgressHolds, func(sw *plan.Switch, cell units.Bytes) {
			sw.Ports[0].QoS.Queues[0].Limit.Value.Static = 9_000 * cell
			sw.Pools[1].Size = plan.Of(150*cell, nil)
		}},
		{proof.PortHolds, func(sw *plan.Switch, cell units.Bytes) {
			sw.Ports[0].QoS.Queues[0].Limit.Value.Static = 9_000 * cell
			sw.Ports[0].QoS.Pools = []plan.PortPool{{Pool: "out", Limit: plan.Of(plan.Limit{Static: 95 * cell}, nil)}}
		}},
		{proof.Memory, func(sw *plan.Switch, cell units.Bytes) {
			sw.Ports[0].QoS.Queues[0].Limit.Value.Static = 1 << 30
			// The chip has 61,376 cells: two thresholds of 30,661 leave 54 of them.
			sw.Pools[0].Size, sw.Pools[1].Size = plan.Of(64_600*cell, nil), plan.Of(1<<20*cell, nil)
			sw.Ports[0].QoS.PGs[0].Limit = plan.Of(plan.Limit{Static: 30_661 * cell}, nil)
			sw.Ports[0].QoS.PGs[0].Headroom = plan.Of(1_600*cell, nil)
		}},
	} {
		t.Run(tt.id, func(t *testing.T) {
			at := func(response *units.Time) (*proof.Report, *proof.Obligation) {
				sw, chip := silentFor(t, response, func(sw *plan.Switch) { tt.change(sw, sw.Cell) })
				report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
				for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
					t.Error(err)
				}
				last := -1
				for i, o := range report.Obligations {
					if o.ID == tt.id && (last < 0 || o.Lossless) {
						last = i
					}
				}
				if last < 0 {
					t.Fatalf("%s is not among %v", tt.id, report.Obligations)
				}
				return report, &report.Obligations[last]
			}
			report, o := at(nil)
			i := slices.IndexFunc(o.Conditions, func(c proof.Condition) bool { return c.ID == proof.PeerResponse })
			if o.Verdict != proof.Conditional || i < 0 || o.Under == nil || o.Under.Left.Value > o.Under.Right.Value {
				t.Fatalf("%v, %+v\n%v", o, o.Conditions, report.Failing())
			}
			c := o.Conditions[i]
			if c.Short != o.Left.Value-o.Right.Value || c.Short <= 0 || c.Bound <= 0 || c.Bound >= c.Worst {
				t.Errorf("%+v", c)
			}
			lost := func(r *proof.Report, worst bool) bool {
				sw := r.Model
				if worst {
					sw = r.Worst
				}
				result := must.Get(adversary.Search(sw, adversary.Options{Seed: 1}))(t)
				return result.Found != nil
			}
			if lost(report, false) || !lost(report, true) {
				t.Errorf("under the condition packets are lost: %v; without it: %v", lost(report, false), lost(report, true))
			}
			for _, declared := range []struct {
				response units.Time
				refuted  bool
			}{{units.Time(c.Bound), false}, {2 * units.Time(c.Worst), true}} {
				if report, o := at(&declared.response); report.LosesPackets() != declared.refuted {
					t.Errorf("%v declared: %v; %v", declared.response, o, report.Failing())
				}
			}
		})
	}
}

// A memory that is short by a figure that the catalogue assumes is not a loss: what it would have to
// be is the condition. That more is configured than it is said to have stays a fault.
func TestAssumedMemoryIsConditional(t *testing.T) {
	for _, confidence := range []string{"assumed", "published"} {
		sw, _ := twoPorts(t, 0)
		text := fmt.Sprintf("chip \"trident2\" {\n  extends = \"trident2\"\n  usable_buffer {\n    value = \"20800B\"\n    confidence = %q\n    source = \"a test\"\n  }\n}\n", confidence)
		all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte(text)})
		chip, ok := all.Find("trident2")
		if !ok {
			t.Fatal(found)
		}
		sw.Ports[0].QoS.Queues[0].Limit.Value.Static = 1 << 30
		report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Error(err)
		}
		configured := slices.ContainsFunc(report.Failing(), func(o *proof.Obligation) bool { return o.ID == proof.Memory })
		// 200 cells are shared, and 100 are there.
		needed := slices.ContainsFunc(report.Conditions(), func(c proof.Condition) bool {
			return c.ID == proof.AssumedDatum && c.Bound == 100 && c.Worst > 100 && c.Short == c.Worst-100
		})
		if assumed := confidence == "assumed"; !configured || needed != assumed || report.LosesPackets() == assumed {
			t.Errorf("%s: %v, %+v", confidence, report.Failing(), report.Conditions())
		}
	}
}
