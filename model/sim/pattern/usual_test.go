package pattern

import "testing"

// The usual latency of scenarios together: a scenario meets it if each of its runs does, those
// that did not run or have a goal of their own do not count.
func TestUsualShare(t *testing.T) {
	run := func(name string, below float64) Outcome {
		return Outcome{Pattern: name, LatencyBelowUsual: below, UsualOfScenarios: true}
	}
	outcomes := []Outcome{run("a", 1), run("a", 0.9), run("b", 0.95), run("b", 0.5), run("b", 1), run("c", 0.9)}
	skipped := run("d", 0)
	skipped.Skipped = "needs more"
	outcomes = append(outcomes, skipped, Outcome{Pattern: "e", LatencyBelowUsual: 0.1})
	if met, judged := UsualShare(outcomes); met != 2 || judged != 3 {
		t.Errorf("%d of %d scenarios meet it, want 2 of 3: a and c of a, b and c", met, judged)
	}
	if !UsualMet(9, 10) || UsualMet(8, 10) || !UsualMet(0, 0) {
		t.Error("nine of ten are expected")
	}
	together := Goals{UsualLatency: 1, MaxLatency: 1 << 60, OfScenarios: true}
	alone := together
	alone.OfScenarios = false
	slow := &Outcome{LatencyBelowUsual: 0.5}
	if len(together.missed(slow)) != 0 || len(alone.missed(slow)) != 1 {
		t.Errorf("missed %v together, %v alone", together.missed(slow), alone.missed(slow))
	}
}
