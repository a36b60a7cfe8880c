package way_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// A class that changes its place while packets are under way: no order keeps all of these lossless, and then the order says which
// traffic must stop, so that the rest is proved.
func TestMovedClassesAreProvedOrStopped(t *testing.T) {
	stops := map[string]int{}
	for _, y := range year.All(t) {
		for _, move := range []struct {
			name, pattern, text string
			dscps               []int // that move
		}{
			{"queue", `(?m)^( +queue +=) [34]$`, "$1 5", []int{26}},
			{"priority", `(?m)^( +pfc +=) [34]$`, "$1 5", []int{26}},
			{"queue and priority", `(?m)^( +(?:queue|pfc) +=) [34]$`, "$1 5", []int{26}},
			{"code point into it", `\[26\]`, "[26, 10]", []int{10}}, // and, back, out of it
		} {
			moved := regexp.MustCompile(move.pattern).ReplaceAllString(y.Text, move.text)
			if moved == y.Text {
				t.Fatalf("%s: nothing is moved", y.System)
			}
			for _, wiring := range wirings {
				for _, back := range []bool{false, true} {
					name := y.System + "/" + move.name + "/" + wiring.name
					if back {
						name += "/back"
					}
					t.Run(name, func(t *testing.T) {
						before, after := compiled(y.Text), compiled(moved)
						if before == nil || after == nil || !written(before) || !written(after) {
							t.Log("the system cannot have it")
							return
						}
						if before, after = wiring.of(before), wiring.of(after); back {
							before, after = after, before
						}
						rollout := &diff.Compare(before, after).Rollout
						r := proved(t, before, after, rollout)
						if r.Found.HasErrors() {
							t.Error(messages(r.Found))
						}
						if !r.Way.Proved() {
							t.Error(r.Way.Says())
						}
						for _, d := range r.Way.Stopped {
							if moves := move.dscps; !slices.Contains(moves, d) {
								t.Errorf("DSCP %d is stopped, and %v move", d, moves)
							}
						}
						if y.System != "srlinux" || move.name != "priority" { // a group of SR Linux sends one priority
							stops[move.name+"/"+wiring.name] += len(r.Way.Stopped)
						}
						t.Log(len(rollout.Steps), rollout.Notes(), r.Way.Says())
					})
				}
			}
		}
	}
	for _, must := range []string{"queue/cabled", "queue/one switch", "queue and priority/cabled", "queue and priority/links not known", "queue and priority/one switch", "code point into it/cabled"} {
		if stops[must] == 0 {
			t.Errorf("%s: nothing is stopped", must)
		}
	}
	if n := stops["queue and priority/one switch, no NICs"] + stops["priority/cabled"]; n > 0 {
		t.Errorf("%d code points are stopped although nothing demands it", n)
	}
}

// wirings are what is known of the links of a plan.
var wirings = []struct {
	name string
	of   func(*plan.Plan) *plan.Plan
}{
	{"cabled", func(p *plan.Plan) *plan.Plan { return p }},
	{"links not known", func(p *plan.Plan) *plan.Plan { p.Links = nil; return p }},
	{"one switch", alone},
	{"one switch, no NICs", func(p *plan.Plan) *plan.Plan { p = alone(p); p.Hosts = nil; return p }},
}

// A class that gets other code points, another queue and another priority in one change, drawn at random: all that is between is proved,
// and at most the packets of that class stop. A code point that gets a group of its own for a while gets headroom for it too.
func TestDrawnMovesAreProvedOrStopped(t *testing.T) {
	random := rand.New(rand.NewPCG(32, 1))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	proven, stopped, refused := 0, 0, 0
	for _, y := range year.All(t) {
		draws := 6
		switch {
		case strings.HasPrefix(y.System, "sonic"): // it has states between patches
			draws = 10
		case y.System == "cumulus" || y.System == "srlinux": // they cannot have both places of a class
			draws = 20
		}
		for draw := range draws {
			dscps, queue, pfc, wiring, back := pick("[24]", "[24]", "[26]", "[26, 24]"), pick("$2", "5"), pick("$2", "5"), wirings[random.IntN(len(wirings))], random.IntN(2) == 1
			if draw == 0 { // all of it
				dscps, queue, pfc, wiring = "[24]", "5", "5", wirings[0]
			}
			moved := strings.Replace(y.Text, "[26]", dscps, 1)
			moved = regexp.MustCompile(`(?m)^( +queue +=) ([34])$`).ReplaceAllString(moved, "$1 "+queue)
			moved = regexp.MustCompile(`(?m)^( +pfc +=) ([34])$`).ReplaceAllString(moved, "$1 "+pfc)
			before, after := compiled(y.Text), compiled(moved)
			if before == nil || after == nil || !written(before) || !written(after) {
				refused++ // the system cannot have one of them
				continue
			}
			t.Run(fmt.Sprintf("%s/%d: %s, queue %s, priority %s, %s, %t", y.System, draw, dscps, queue, pfc, wiring.name, back), func(t *testing.T) {
				if before, after = wiring.of(before), wiring.of(after); back {
					before, after = after, before
				}
				rollout := &diff.Compare(before, after).Rollout
				r := proved(t, before, after, rollout)
				if r.Found.HasErrors() {
					t.Error(messages(r.Found))
				}
				for _, l := range r.Proofs.Lacks {
					t.Error(l)
				}
				if !r.Way.Proved() {
					t.Error(r.Way.Says())
				}
				for _, d := range r.Way.Stopped {
					if d != 24 && d != 26 {
						t.Errorf("DSCP %d is stopped, and it does not move", d)
					}
				}
				switch {
				case len(r.Way.Stopped) > 0:
					stopped++
				case dscps != "[26]":
					proven++
				}
				t.Log(rollout.Notes(), r.Way.Says())
			})
		}
	}
	if proven < 10 || stopped < 5 || refused > proven+stopped {
		t.Errorf("%d draws stop nothing, %d stop something, %d are not possible", proven, stopped, refused)
	}
}

// written reports whether the files of a plan can be written.
func written(p *plan.Plan) bool {
	return !slices.ContainsFunc(p.Switches, func(sw *plan.Switch) bool {
		return slices.ContainsFunc(sw.Targets, func(system string) bool {
			_, found := target.Render(sw, target.Forms(system, nil))
			return found.HasErrors()
		})
	})
}

// alone is a plan of the first switch with NICs.
func alone(p *plan.Plan) *plan.Plan {
	of := map[string]bool{}
	for _, h := range p.Hosts {
		of[h.Name] = true
	}
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if of[sw.Ports[i].Peer] {
				one := *sw
				one.Names = sw.Names[:1]
				return &plan.Plan{Hosts: p.Hosts, Switches: []*plan.Switch{&one}}
			}
		}
	}
	return p
}

// The way back of every change of a year is proved too: it begins with what the end of the rollout sends, and SONiC passes other states
// between its patches.
func TestTheWayBackIsProved(t *testing.T) {
	for _, y := range year.All(t) {
		for _, c := range y.Changes(t) {
			t.Run(y.System+"/"+c.Name, func(t *testing.T) {
				before, after := compiled(c.Before), compiled(c.After)
				if before == nil || after == nil {
					return // the system cannot have it: golden/rollouts.txt says so
				}
				there, devices := &diff.Compare(before, after).Rollout, map[string]*patch.Device{}
				provedOn(t, before, after, there, devices)
				back := there.Reversed(before)
				r := provedOn(t, after, before, back, devices)
				if r.Found.HasErrors() {
					t.Error(messages(r.Found))
				}
				if len(back.Quiet) > 0 {
					t.Errorf("%v", back.Notes())
				}
				if again := back.Reversed(after); !slices.Equal(ends(again), ends(there)) || len(again.Steps) != len(there.Steps) {
					t.Error("the way back of the way back is not the way there")
				}
			})
		}
	}
}

// An end is a device after a step.
type end struct {
	step   int
	device string
	gone   bool
}

func ends(r *diff.Rollout) (all []end) {
	for i, s := range r.Steps {
		n := len(all)
		for _, told := range s.Told {
			for _, name := range told.Devices {
				all = append(all, end{i, name, told.Switch == nil})
			}
		}
		slices.SortFunc(all[n:], func(a, b end) int { return strings.Compare(a.device, b.device) })
	}
	return all
}
