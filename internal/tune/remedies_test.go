package tune

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// Each remedy changes one thing, and what breaks an inequality is not tried.
func TestRemedies(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Text(t, catalogue, tiny)
	list, err := Remedies(f, p)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i := range list {
		r := &list[i]
		kinds[r.Kind]++
		if r.Change == "" || (r.plan == p) != (r.change != nil) {
			t.Errorf("%+v", r)
		}
	}
	if kinds["nic"] < 3 || kinds["curve"] == 0 || kinds["balancing"] != 2 || kinds["control"] != 2 {
		t.Errorf("%v", kinds)
	}
	f, p = plantest.Text(t, catalogue, strings.Replace(tiny, "congestion_control = dcqcn", "congestion_control = hpcc", 1))
	if _, err := Remedies(f, p); err == nil || !strings.Contains(err.Error(), "marks nothing") {
		t.Errorf("a class without marks: %v", err)
	}
}

// What any change meets is met with the first, and what no packet can with none of them, of all kinds.
func TestTry(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Text(t, catalogue, tiny)
	list, err := Remedies(f, p)
	if err != nil {
		t.Fatal(err)
	}
	trials := &Trials{Remedies: list, Size: fabric.Size{Edges: 1, HostsPerEdge: 5}, Chip: catalogue.Find}
	four := scenario.Traces(nil).All(f)
	four = slices.DeleteFunc(four, func(s pattern.Scenario) bool { return s.Name != "four" })
	easy, never := four[0], four[0]
	easy.Goals = pattern.Goals{MaxLatency: units.Second, UsualLatency: units.Second, PausesPerSecond: 1 << 40}
	never.Goals = easy.Goals
	never.Goals.Throughput = 2 * units.One
	missed := &pattern.Outcome{Time: 200, Seed: 1}
	if got, err := trials.Try(t.Context(), &easy, missed); err != nil || got.Tried != 1 || got.Kind != list[0].Kind {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := trials.Try(t.Context(), &never, missed)
	if err != nil || got.Kind != pattern.NoRemedy || got.Tried != len(list) || got.Change != "none alone of curve, nic, alpha, balancing, control" {
		t.Errorf("%+v, %v", got, err)
	}
}
