package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// A Rollout leads devices from one plan to another.
type Rollout struct {
	// Name is a digest of the steps and of the configurations: two rollouts of one name are the
	// same.
	Name  string
	Steps []Step
	// States are the configurations of each device in turn. The first is its configuration before
	// all steps, nil where the device is new. The last is that after them.
	States map[string][]*plan.Switch
	// NICs are the configurations of the NICs of each server in turn: see [Rollout.On].
	NICs map[string][]*plan.Host
	// Read has the readings of first states that were read from devices: see [Start].
	Read map[*plan.Switch]*plan.Switch
}

// A Step has changes whose order is free.
type Step struct {
	Name string // "01-grow"
	// Hand says what a person does, in a clause, before the works; empty: nothing.
	Hand  string
	Works []Work

	nics []diff.NIC
}

// A Work is the change of a device from one of its states to the next.
type Work struct {
	Device   string
	From, To int    // of the states
	Drain    string // why the device has to be out of service for it; empty: it does not
}

// Plan makes a rollout from the ordered differences between two plans.
func Plan(before, after *plan.Plan, result *diff.Result) *Rollout {
	r := &Rollout{States: map[string][]*plan.Switch{}}
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			r.States[name] = []*plan.Switch{sw}
		}
	}
	r.Stop("", result.Rollout.Quiet)
	for i, s := range result.Rollout.Steps {
		step := Step{Name: fmt.Sprintf("%02d-%s", i+1, s.Action)}
		switch s.Action {
		case diff.Cable:
			step.Hand = "change the cables of " + diff.Fold(s.Devices)
		case diff.Upgrade:
			step.Hand = "install " + s.Changes[0].New + " on " + diff.Fold(s.Devices) + ", one switch of each redundant group after the other"
		case diff.Accept, diff.Host, diff.Drop:
			step.nics, step.Hand = s.NICs, byHand(s.NICs)
		case diff.Install:
			step.Hand = "install " + diff.Fold(s.Devices) + " with the files of roceplan compile"
		case diff.Retire:
			step.Hand = "take " + diff.Fold(s.Devices) + " out of the fabric"
		default:
			for _, told := range s.Told {
				for _, device := range told.Devices {
					states := append(r.States[device], told.Switch)
					r.States[device] = states
					step.Works = append(step.Works, Work{Device: device, From: len(states) - 2, To: len(states) - 1})
				}
			}
		}
		r.Steps = append(r.Steps, step)
	}
	for name, states := range r.States {
		if len(states) < 2 {
			delete(r.States, name) // it does not change
		}
	}
	for _, sw := range after.Switches {
		for _, name := range sw.Names {
			if states := r.States[name]; states != nil {
				states[len(states)-1] = sw // the same settings, with the names that compile gives
			}
		}
	}
	r.Name = r.digest(result)
	return r
}

func spelled(dscps []uint8) string {
	return strings.ReplaceAll(plan.Ranges(dscps), ",", "-")
}

// digest returns the digest of all that the rollout does.
func (r *Rollout) digest(result *diff.Result) string {
	h := sha256.New()
	fmt.Fprintln(h, result.Text())
	for _, step := range r.Steps {
		for _, nic := range step.nics {
			h.Write([]byte(script(nic.Is)))
		}
	}
	for _, device := range r.Devices() {
		fmt.Fprintln(h, device)
		for _, sw := range r.States[device] {
			files, _ := rendered(sw, systemOf(sw))
			for _, f := range files {
				h.Write(f.Body.AppendFor(nil, device))
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Devices returns the switches and servers that change, sorted.
func (r *Rollout) Devices() (names []string) {
	names = slices.AppendSeq(slices.Collect(maps.Keys(r.States)), maps.Keys(r.NICs))
	slices.SortFunc(names, natural.Compare)
	return names
}

// backward begins the name of a step on the way back.
const backward = "undo-"

// opposite returns the name that a step has on the other way.
func opposite(step string) string {
	if there, found := strings.CutPrefix(step, backward); found {
		return there
	}
	return backward + step
}

// quietly begins the name of a step that stops traffic.
const quietly = "00-quiet-"

// Stop begins the rollout with steps that stop traffic, those that it does not have; their names begin with undo on the way back.
func (r *Rollout) Stop(undo string, quiet []diff.Quiet) {
	var first []Step
	for _, q := range quiet {
		step := Step{Name: undo + quietly + spelled(q.DSCPs), Hand: "stop traffic with DSCP " + plan.Ranges(q.DSCPs) + " until the last step: no order keeps it lossless"}
		if !slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Name == step.Name }) {
			first = append(first, step)
		}
	}
	r.Steps = append(first, r.Steps...)
}

// Reversed returns the way back: the same states in the opposite order. Traffic that has to stop on the
// way stops before it.
func (r *Rollout) Reversed() *Rollout {
	back := &Rollout{Name: r.Name, States: reversed(r.States), NICs: reversed(r.NICs), Read: r.Read}
	for _, s := range slices.Backward(r.Steps) {
		if strings.HasPrefix(strings.TrimPrefix(s.Name, backward), quietly) {
			s.Name = opposite(s.Name)
			back.Steps = append([]Step{s}, back.Steps...)
			continue
		}
		step := Step{Name: opposite(s.Name), nics: s.nics}
		if s.Hand != "" {
			step.Hand = "take back, if it was done: " + s.Hand
		}
		for _, w := range s.Works {
			last := r.count(w.Device) - 1
			step.Works = append(step.Works, Work{w.Device, last - w.To, last - w.From, w.Drain})
		}
		back.Steps = append(back.Steps, step)
	}
	return back
}

func reversed[T any](of map[string][]T) map[string][]T {
	back := map[string][]T{}
	for name, states := range of {
		back[name] = slices.Clone(states)
		slices.Reverse(back[name])
	}
	return back
}

// count returns the number of states of a device.
func (r *Rollout) count(device string) int { return max(len(r.States[device]), len(r.NICs[device])) }

// A File is part of a change, as the journal keeps it.
type File struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

func fileOf(f emit.File, path, device string) File {
	return File{path, string(f.Body.AppendFor(nil, device))}
}
