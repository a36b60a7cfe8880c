package way_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/verify"
	"github.com/roceplan/roceplan/way"
)

// compiled returns the plan of a text, nil where it has errors.
func compiled(text string) *plan.Plan {
	catalogue, _ := chips.Load()
	_, p, found := plantest.Compile(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
	if found.HasErrors() {
		return nil
	}
	return p
}

// proved returns the way of a rollout, with the states of SONiC between patches.
func proved(t testing.TB, before, after *plan.Plan, rollout *diff.Rollout) *way.Result {
	t.Helper()
	return provedOn(t, before, after, rollout, map[string]*patch.Device{})
}

// provedOn is proved for devices that run what patches have left, and which then run what the rollout leaves.
func provedOn(t testing.TB, before, after *plan.Plan, rollout *diff.Rollout, devices map[string]*patch.Device) *way.Result {
	t.Helper()
	catalogue, _ := chips.Load()
	b := way.New(catalogue, before, after, rollout)
	v := verify.New(verify.Options{Catalogue: catalogue})
	running := map[string]*plan.Switch{}
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			running[name] = sw
		}
	}
	for i, step := range rollout.Steps {
		for _, told := range step.Told {
			for _, name := range told.Devices {
				from := running[name]
				running[name] = told.Switch
				if told.Switch == nil || from == nil || told.Switch.Targets[0] != "sonic" {
					continue
				}
				if devices[name] == nil {
					devices[name], _ = patch.NewDevice(from, name)
				}
				p, found := devices[name].Change(told.Switch, func(config []byte) (map[string]bool, error) { return v.Fails(told.Switch, "sonic", name, config) })
				if p == nil {
					delete(devices, name)
					b.Drain(i+1, name, found[0].Message)
					continue
				}
				for _, d := range found {
					if d.Code == patch.Interrupted {
						b.Drain(i+1, name, d.Message)
					}
				}
				b.Passes(i+1, name, p)
			}
		}
	}
	r := must.Get(b.Prove())(t)
	for _, err := range way.Recheck(r.Way, r.Proofs) {
		t.Errorf("checked again: %v", err)
	}
	return r
}

func messages(found diag.List) string {
	var out strings.Builder
	for _, d := range found {
		fmt.Fprintf(&out, "%s: %s\n", d.Code, d.Message)
	}
	return out.String()
}

// open are changes of which verify leaves an end open, with no word of the way.
var open = map[string]string{
	"cumulus/second lossless class": "the new plan cannot be written",
	"junos/add switches or ports":   "the queues of the old plan are not judged: others may hold cells of their pool",
	"junos/remove them":             "those of the new plan",
	"junos/second lossless class":   "those of the new plan",
}

// The planner's order of every change of a year is proved on every system: no state on the way loses a lossless packet that
// neither end loses.
func TestTheYearIsProved(t *testing.T) {
	for _, y := range year.All(t) {
		for _, c := range y.Changes(t) {
			t.Run(y.System+"/"+c.Name, func(t *testing.T) {
				before, after := compiled(c.Before), compiled(c.After)
				if before == nil || after == nil {
					return // the system cannot have it: golden/rollouts.txt says so
				}
				r := proved(t, before, after, &diff.Compare(before, after).Rollout)
				if r.Found.HasErrors() {
					t.Error(messages(r.Found))
				}
				if r.Way.Verdict != proof.Holds && r.Way.Verdict != proof.Conditional {
					if why, known := open[y.System+"/"+c.Name]; !known {
						t.Errorf("%v: %+v", r.Way.Verdict, r.Proofs.Lacks)
					} else {
						t.Log(why)
					}
				}
				checked, err := verify.Alone(r.Proofs, func(name string) verify.File {
					i := slices.IndexFunc(r.Files, func(f way.File) bool { return f.Path == name })
					return verify.Text(name, r.Files[i].Text)
				})
				if err != nil || len(checked.Problems) > 0 {
					t.Errorf("%v %+v", err, checked)
				}
				text, err := r.Way.Marshal()
				must.Do(t, err)
				t.Logf("%d steps, %d chains, %d views, %d links, %d certificates, %d B, found %s%s", len(r.Way.Moments), len(r.Way.Chains), len(r.Way.Views), len(r.Way.Links), len(r.Proofs.Shapes), len(text), messages(r.Found), r.Way.Text())
			})
		}
	}
}

// longer makes all cables between switches so long that no vendor's headroom for the old ones is enough.
const longer = "cables of 300 m"

// change is one of a year's changes, or longer; back turns it round.
func change(t *testing.T, y year.Year, name string, back bool) (before, after *plan.Plan) {
	t.Helper()
	for _, c := range append(y.Changes(t), year.Change{Name: longer, Before: y.Text, After: strings.ReplaceAll(y.Text, `"40m"`, `"300m"`)}) {
		if c.Name == name {
			if before, after = compiled(c.Before), compiled(c.After); back {
				return after, before
			}
			return before, after
		}
	}
	t.Fatal("no change is called " + name)
	return nil, nil
}

// whole is a step in which all switches change to a plan.
func whole(p *plan.Plan) diff.Step {
	s := diff.Step{Action: diff.Whole}
	for _, sw := range p.Switches {
		s.Devices = append(s.Devices, sw.Names...)
		s.Told = append(s.Told, diff.Told{Devices: sw.Names, Switch: sw})
	}
	return s
}

// hosts is a step in which all NICs change at once.
func hosts(before, after *plan.Plan) diff.Step {
	s := diff.Step{Action: diff.Host}
	for i, h := range before.Hosts {
		s.Devices = append(s.Devices, h.Name)
		s.NICs = append(s.NICs, diff.NIC{Was: h, Is: after.Hosts[i]})
	}
	return s
}

// of returns the steps of an order with an action.
func of(before, after *plan.Plan, action diff.Action) (all []diff.Step) {
	for _, s := range diff.Compare(before, after).Rollout.Steps {
		if s.Action == action {
			all = append(all, s)
		}
	}
	return all
}

// Wrong orders are refuted on every system, in words that name the step, both states and the code point.
func TestWrongOrdersAreRefuted(t *testing.T) {
	told := "Wrong orders, and what is said of them. go test ./way -run TestWrongOrdersAreRefuted -update writes this file.\n"
	for first, y := range year.All(t) {
		for _, c := range []struct {
			name, change string
			back         bool
			steps        func(before, after *plan.Plan) []diff.Step
			says         []string
		}{
			{"the cable is longer before headroom is larger", longer, false, func(before, after *plan.Plan) []diff.Step {
				return append(of(before, after, diff.Cable), whole(after))
			}, []string{"the state before the rollout of", "with the cables and peers that it can have by then"}},
			{"headroom is less before the cable is shorter", longer, true, func(before, after *plan.Plan) []diff.Step {
				return append([]diff.Step{whole(after)}, of(before, after, diff.Cable)...)
			}, []string{"step 01-whole of", "with the cables and peers that it can have by then"}},
			{"hosts have the new DSCP before switches map it", "DSCP moves", false, func(before, after *plan.Plan) []diff.Step {
				return []diff.Step{hosts(before, after), whole(after)}
			}, []string{"during step 01-host", "DSCP 24", "nic ", "it enters no lossless priority group"}},
			{"switches drop the code point before hosts leave it", "DSCP moves", false, func(before, after *plan.Plan) []diff.Step {
				return []diff.Step{whole(after), hosts(before, after)}
			}, []string{"during step 01-whole", "in the state before the rollout", "in the state after step 01-whole", "DSCP 26"}},
			{"hosts drop the code point before they leave it", "DSCP moves", false, func(before, after *plan.Plan) []diff.Step {
				var grown []diff.Step
				for _, s := range diff.Compare(before, after).Rollout.Steps {
					if s.Action == diff.Grow {
						grown = append(grown, s)
					}
				}
				return append(grown, hosts(before, after), whole(after))
			}, []string{"-host", "DSCP 24"}},
		} {
			t.Run(y.System+"/"+c.name, func(t *testing.T) {
				before, after := change(t, y, c.change, c.back)
				rollout := &diff.Rollout{Steps: c.steps(before, after)}
				r := proved(t, before, after, rollout)
				said := messages(r.Found)
				if first == 0 {
					told += fmt.Sprintf("\n%s, %s\n", y.System, c.name)
					for _, d := range r.Found {
						told += fmt.Sprintf("%s:%d:%d: %s[%s]: %s\n      = fix: %s\n", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Severity, d.Code, d.Message, d.Fix)
					}
				}
				for _, want := range c.says {
					if !strings.Contains(said, want) {
						t.Errorf("nothing says %q:\n%s", want, said)
					}
				}
				if !r.Found.HasErrors() || c.change != longer && r.Way.Verdict != proof.Fails { // headroom may suffice for a better peer
					t.Errorf("%v", r.Way.Verdict)
				}
				if right := proved(t, before, after, &diff.Compare(before, after).Rollout); right.Found.HasErrors() {
					t.Errorf("the planner's order: %s", messages(right.Found))
				}
			})
		}
	}
	diagtest.Golden(t, filepath.Join("..", "golden", "way.txt"), told)
}
