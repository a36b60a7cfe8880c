package sim

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/units"
)

// Whatever the adversary makes a switch lose, the simulator's switch loses too, hosts sending
// what the counterexample has come in and obeying pauses by themselves: its headroom, its
// headroom pool, its queues or its egress pool.
func TestCounterexamplesLose(t *testing.T) {
	const fabrics = 60
	cat := catalogue(t)
	names := judgeable(t, cat)
	played, kinds := 0, map[string]int{}
	for seed := range fabrics {
		var a *attacked
		var refused error
		rapid.Custom(func(t *rapid.T) int { a, refused = drawAttack(t, cat, names); return 0 }).Example(seed)
		if refused != nil || a.needed < 1 {
			continue
		}
		for what, sw := range a.shortened() {
			result := must.Get(adversary.Search(sw, adversary.Options{Seed: 1, Random: 1, Packets: 300_000}))(t)
			if result.Found == nil || apart(result.Found) != nil {
				continue
			}
			r, err := newReplay(sw, result.Found)
			if err != nil {
				continue // packets leave, which the replay has no way to time
			}
			lost := must.Get(r.run())(t)
			played++
			kinds[result.Found.Loss.Why]++
			if lost == 0 {
				t.Errorf("fabric %d, %s: attack %q loses %v, and the simulator nothing", seed, what, result.Found.Attack, result.Found.Loss)
			}
		}
	}
	t.Logf("%d counterexamples: %v", played, kinds)
	if played < fabrics/2 || len(kinds) < 3 {
		t.Errorf("%d counterexamples of the kinds %v: too few to mean something", played, kinds)
	}
}

// shortened are switches that lose packets: by headroom, by the pool of it, and by what
// holds the packets on their way out.
func (a *attacked) shortened() map[string]*model.Switch {
	headroom := a.with(a.needed / 2)
	pool := a.with(a.needed)
	for i := range pool.Config.IngressPools {
		if p := &pool.Config.IngressPools[i]; p.HeadroomCells > 0 {
			p.HeadroomCells = units.Cells(a.needed / 2)
		}
	}
	egress := a.with(a.needed)
	egress.Config.EgressPools = append(egress.Config.EgressPools[:0:0], egress.Config.EgressPools...)
	for i := range egress.Config.EgressPools {
		egress.Config.EgressPools[i].SharedCells = min(egress.Config.EgressPools[i].SharedCells, 400)
	}
	return map[string]*model.Switch{"headroom": headroom, "headroom pool": pool, "egress pool": egress}
}
