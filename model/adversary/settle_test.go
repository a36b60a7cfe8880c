package adversary_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
)

// What the prover leaves open, a counterexample decides: the obligation then fails by
// arithmetic that anybody can check. Where no packet is lost, the reader is told how far
// was searched.
func TestSettle(t *testing.T) {
	generator := drawing(t)
	for _, c := range []struct {
		seed int
		lost bool
	}{{36, true}, {154, true}, {224, true}, {314, false}} { // see golden/proof/open.txt for others
		d := generator.Example(c.seed)
		report, err := proof.Prove(d.sw, d.chip, proof.Context{})
		if err != nil || len(report.Open()) == 0 || report.LosesPackets() {
			t.Fatalf("seed %d: %v, open %v, failing %v", c.seed, err, report.Open(), report.Failing())
		}
		result, err := adversary.Settle(report, adversary.Options{Seed: 1})
		if err != nil || (result.Found != nil) != c.lost || report.LosesPackets() != c.lost {
			t.Errorf("seed %d: %v, %v", c.seed, result, err)
		}
		for _, err := range proof.Recheck(proof.Certify(report, nil, d.sw.Chip, nil), nil) {
			t.Errorf("seed %d: %v", c.seed, err)
		}
		if open := report.Open(); !c.lost && !strings.Contains(open[0].Because, "no lossless packet lost in") {
			t.Errorf("seed %d: %v", c.seed, open)
		}
	}
	// A switch that cannot be played is an error of the search, also of that at the worst, which is made
	// where what groups share is open: the headroom pool of 224, and nothing of 314.
	for seed, shared := range map[int]bool{224: true, 314: false} {
		d := generator.Example(seed)
		report := must.Get(proof.Prove(d.sw, d.chip, proof.Context{}))(t)
		report.Worst = &model.Switch{Config: &mmu.Config{}}
		if result, err := adversary.SearchShared(report, adversary.Options{}); result != nil || (err != nil) != shared {
			t.Errorf("seed %d: %v, %v", seed, result, err)
		}
		report.Model = report.Worst
		if result, err := adversary.Settle(report, adversary.Options{}); result != nil || err == nil {
			t.Errorf("seed %d: %v, %v", seed, result, err)
		}
	}
	sure := &proof.Report{}
	if result, err := adversary.Settle(sure, adversary.Options{}); result != nil || err != nil {
		t.Errorf("nothing is open, and %v, %v", result, err)
	}
}

// What a counterexample decides keeps its name: one obligation of those that were open fails where it stands, and none comes
// beside it. Of 154 two groups are open, of 441 a headroom pool, of 1886 the pool on the way out.
func TestSettledInPlace(t *testing.T) {
	type name struct{ id, where string }
	for _, seed := range []int{36, 154, 224, 441, 1886} {
		s := smallswitch.Generator(t).Example(seed)
		report, err := proof.Prove(s.Plan, s.Chip, proof.Context{})
		if err != nil || report.LosesPackets() {
			t.Fatal(seed, err, report.Failing())
		}
		obligations, open := len(report.Obligations), map[name]bool{}
		for _, o := range report.Open() {
			open[name{o.ID, o.Where}] = true
		}
		result, err := adversary.Settle(report, adversary.Options{Seed: 1})
		if err != nil || result.Found == nil {
			t.Fatal(seed, err, result)
		}
		var lost []*proof.Obligation
		for _, o := range report.Failing() {
			if o.Lossless {
				lost = append(lost, o)
			}
		}
		if len(report.Obligations) != obligations || len(lost) != 1 || len(report.Open()) != len(open)-1 || !open[name{lost[0].ID, lost[0].Where}] {
			t.Errorf("seed %d: open were %v, and %v fail of %d obligations, which were %d", seed, open, lost, len(report.Obligations), obligations)
			continue
		}
		if lost[0].ID == proof.Resume && !strings.HasSuffix(lost[0].Where, fmt.Sprintf(", PG %d", result.Found.Loss.PG)) {
			t.Errorf("seed %d: %v, and what is lost is %v", seed, lost[0], result.Found.Loss)
		}
	}
}

// A switch that no buffer can be made of is not settled: seed 314 draws one of which something is open.
func TestSettleTellsWhatCannotBePlayed(t *testing.T) {
	s := smallswitch.Generator(t).Example(314)
	report, err := proof.Prove(s.Plan, s.Chip, proof.Context{})
	if err != nil || len(report.Open()) == 0 {
		t.Fatal(err, report.Open())
	}
	report.Model.Config.CellBytes = 0
	if result, err := adversary.Settle(report, adversary.Options{}); err == nil {
		t.Errorf("%v", result)
	}
}

// Where the switch as it is loses nothing, and at its worst it does by what groups share, that is what is said; the
// obligation fails and nothing is open of it. What was lost by what is not open refutes nothing. Seed 224 leaves a
// headroom pool open that loses a packet, 314 headroom that loses none.
func TestSettledAtTheWorst(t *testing.T) {
	prove := func(seed int) *proof.Report {
		s := smallswitch.Generator(t).Example(seed)
		report, err := proof.Prove(s.Plan, s.Chip, proof.Context{})
		if err != nil || len(report.Open()) == 0 {
			t.Fatal(seed, err, report.Open())
		}
		return report
	}
	// deeper gives a report a switch that has more headroom than it has at its worst.
	deeper := func(report *proof.Report) {
		m, config := *report.Model, *report.Model.Config
		config.IngressPools = slices.Clone(config.IngressPools)
		config.IngressPools[0].HeadroomCells *= 2
		config.SliceCells, m.Config, report.Model = 0, &config, &m
	}
	shared, own := prove(224), prove(314)
	deeper(shared)
	result, err := adversary.Settle(shared, adversary.Options{Seed: 1})
	if err != nil || result == nil || result.Found == nil || !shared.LosesPackets() {
		t.Errorf("%v, %v", result, err)
	}
	for _, o := range shared.Open() {
		if strings.Contains(o.Because, "lost after") {
			t.Errorf("%v", o)
		}
	}
	// An error of the search at the worst is one of both. What is looked for there is what is open, whatever else is asked for.
	unplayable := prove(224)
	deeper(unplayable)
	unplayable.Worst = &model.Switch{Config: &mmu.Config{}}
	if result, err := adversary.Settle(unplayable, adversary.Options{}); result != nil || err == nil {
		t.Errorf("%v, %v", result, err)
	}
	if result, err := adversary.SearchShared(own, adversary.Options{Only: []string{proof.Memory}}); result != nil || err != nil {
		t.Errorf("nothing that is shared is open: %v, %v", result, err)
	}
	// What is open and lost is refuted, and what is lost and not open is not.
	pool := prove(224)
	last := func(report *proof.Report) []adversary.Event {
		return []adversary.Event{{PG: report.Groups[0].PG, Out: 1}}
	}
	lost := adversary.Loss{Why: mmu.DropHeadroomPool.String(), Counter: "a pool", Value: 3, Cells: 2, Limit: 4}
	if !adversary.Refute(pool, &adversary.Counterexample{Loss: &lost, Attack: "a test", Events: last(pool)}) || !pool.LosesPackets() {
		t.Errorf("%v", pool.Open())
	}
	if adversary.Refute(own, &adversary.Counterexample{Loss: &adversary.Loss{Why: mmu.DropPortLimit.String()}, Events: last(own)}) || own.LosesPackets() {
		t.Errorf("refuted: %v", own.Failing())
	}
}
