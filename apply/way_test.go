package apply_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
	"github.com/roceplan/roceplan/way"
)

// A stage is a state that a device has from a step on, or within it.
type stage struct {
	step   int
	sw     *plan.Switch
	config []byte // within a patch
}

// stages returns the states of each switch, and the way that they make.
func stages(t *testing.T, s sample) (map[string][]stage, *way.Result, *diff.Result) {
	t.Helper()
	result := diff.Compare(s.before, s.after)
	all, r := stagesOf(t, s, &result.Rollout, map[string]*patch.Device{})
	return all, r, result
}

// stagesOf is stages of a rollout. devices run what patches before it have left, and what its own leave in the end.
func stagesOf(t *testing.T, s sample, rollout *diff.Rollout, devices map[string]*patch.Device) (map[string][]stage, *way.Result) {
	t.Helper()
	catalogue, _ := chips.Load()
	b := way.New(catalogue, s.before, s.after, rollout)
	v := verify.New(verify.Options{Catalogue: catalogue})
	all := map[string][]stage{}
	for _, sw := range s.before.Switches {
		for _, name := range sw.Names {
			all[name] = []stage{{sw: sw}}
		}
	}
	judged := map[string]map[string]bool{}
	for i, step := range rollout.Steps {
		for _, told := range step.Told {
			for _, name := range told.Devices {
				was := all[name]
				if was != nil && told.Switch != nil && told.Switch.Targets[0] == "sonic" {
					if devices[name] == nil {
						from := was[len(was)-1].sw
						running, found := patch.Read(name, written(t, from, name)) // with ports and their speeds, as devices have them
						if found != nil {
							t.Fatal(found)
						}
						devices[name] = patch.On(running, from, name)
					}
					p, found := devices[name].Change(told.Switch, func(config []byte) (map[string]bool, error) {
						key := fmt.Sprintf("%p %s", told.Switch, config)
						if faults, known := judged[key]; known {
							return faults, nil
						}
						faults, err := v.Fails(told.Switch, "sonic", name, config)
						judged[key] = faults
						return faults, err
					})
					switch {
					case p == nil:
						delete(devices, name)
						b.Drain(i+1, name, found[0].Message)
					case slices.ContainsFunc(found, isInterrupted):
						b.Drain(i+1, name, "PFC is interrupted")
					default:
						b.Passes(i+1, name, p)
						for _, between := range p.Between {
							was = append(was, stage{i + 1, told.Switch, between.Config})
						}
					}
				}
				all[name] = append(was, stage{step: i + 1, sw: told.Switch})
			}
		}
	}
	r, err := b.Prove()
	check(t, err)
	return all, r
}

// liveIn is one of the states that a device can have during a step.
func liveIn(all []stage, step int, random *rand.Rand) (s stage, ok bool) {
	var can []stage
	for _, s := range all {
		switch {
		case s.step < step:
			can = []stage{s}
		case s.step == step:
			can = append(can, s)
		}
	}
	if len(can) == 0 {
		return s, false
	}
	s = can[random.IntN(len(can))]
	return s, s.sw != nil
}

// Ways of drawn rollouts are proved; of their states that the order allows together, some are drawn, each device in one of its own and
// each server with what it can send, and simulated: no lossless packet is lost.
func TestProvedWaysLoseNothing(t *testing.T) {
	all := samples(t)
	var systems []string
	for _, s := range all {
		systems = append(systems, s.system)
	}
	systems = slices.Compact(systems)
	draws, moments := 28, 3
	if *hunting {
		draws, moments = 500, 8
	}
	for n := range draws {
		random := rand.New(rand.NewPCG(uint64(n), 3232))
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			s := mixedOr(t, random, all, systems, n)
			states, r, result := stages(t, s)
			t.Logf("%s: %s", s.name, r.Way.Says())
			if r.Found.HasErrors() {
				t.Fatalf("%v", r.Found)
			}
			steps := result.Rollout.Steps
			if len(steps) == 0 || !r.Way.Proved() {
				return // nothing is promised
			}
			runs, used := 0, 0
			for range moments {
				step := 1 + random.IntN(len(steps))
				p := &replay{t: t, l: &lab{rollout: apply.Plan(s.before, s.after, result)}, s: s, texts: map[string][]byte{}, sends: map[string][]uint8{}, base: s.before, runs: &runs, used: &used}
				for i, done := range steps[:step] {
					if done.Action == diff.Cable && (i+1 < step || random.IntN(2) == 0) {
						p.base = s.after
					}
				}
				var device string
				for name, own := range states {
					if at, ok := liveIn(own, step, random); ok {
						if p.texts[name] = at.config; at.config == nil {
							p.texts[name] = written(t, at.sw, name)
						}
						if at.step == step && (device == "" || name < device) {
							device = name
						}
					}
				}
				if device == "" {
					device = s.before.Switches[0].Names[0]
				}
				for _, h := range s.before.Hosts {
					p.sends[h.Name] = sending(h, steps, step)
				}
				p.check(device)
				for _, wrong := range p.wrong {
					t.Errorf("during step %d, %s: %s", step, steps[step-1].Action, wrong)
				}
			}
			t.Logf("%d fabrics, %d use headroom", runs, used)
		})
	}
}

func mixedOr(t *testing.T, random *rand.Rand, all []sample, systems []string, n int) sample {
	t.Helper()
	if n%2 == 0 {
		return mixed(t, random, 12)
	}
	system := systems[n/2%len(systems)]
	of := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.system != system })
	return of[random.IntN(len(of))]
}

// sending returns the code points with which servers can send during a step: before and after they change, and
// open queue pairs.
func sending(h *plan.Host, steps []diff.Step, step int) []uint8 {
	all := []uint8{uint8(h.RDMA().ToS() >> 2)}
	for i, s := range steps[:step] {
		for _, n := range s.NICs {
			if n.Is == nil || n.Is.Name != h.Name || n.Is.RDMA() == nil {
				continue
			}
			now := uint8(n.Is.RDMA().ToS() >> 2)
			if all = append(all, now); i+1 < step {
				all = []uint8{now}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func isInterrupted(d diag.Diagnostic) bool { return d.Code == patch.Interrupted }
