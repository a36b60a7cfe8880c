package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
)

// A Stop is the end of a rollout that is not complete. Every device is in a state that the order
// allows, or is named here.
type Stop struct {
	Step   string `json:"step,omitempty"`
	Device string `json:"device,omitempty"`
	Why    string `json:"why"`
	Next   string `json:"next"` // the advice
}

func (s *Stop) Error() string {
	return strings.TrimSpace(strings.Join([]string{s.Step, s.Device}, " ")) + ": " + s.Why + "; " + s.Next
}

// again is the advice where only another run is needed.
const again = "run the same command again, or with --undo"

// addOrRemove is the advice where a device runs settings that the fabric does not have.
const addOrRemove = "add the difference to the fabric, or remove it from the device, and run again"

// Run carries out a rollout, from the states that its devices are in. The error is a *Stop where the
// rollout stopped in good order, and another one where the journal or the caller ended it. After
// both the next run continues from there.
func Run(ctx context.Context, r *Rollout, way string, o Options) error {
	x := newRun(r, o)
	err := x.Journal.fits(r)
	if err == nil {
		err = x.Journal.begin(r.Name, way)
	}
	if err != nil {
		return err
	}
	err = x.all(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		_ = x.Journal.Add(Entry{Event: Stopped, Rollout: r.Name, Why: err.Error()}) // the error that stopped the run is the one to return
		return err
	}
	return nil
}

func (x *run) all(ctx context.Context) error {
	if _, err := x.survey(ctx); err != nil {
		return err
	}
	if err := x.settle(ctx); err != nil {
		return err
	}
	if err := x.inOrder(); err != nil {
		return err
	}
	if err := x.restore(ctx, "", x.Devices()); err != nil { // after a killed run
		return err
	}
	for i := range x.Steps {
		if err := x.step(ctx, &x.Steps[i]); err != nil {
			return err
		}
		if x.Steps[i].Name == x.Until {
			return nil
		}
	}
	return x.arrived(ctx)
}

// arrived reads all devices once more.
func (x *run) arrived(ctx context.Context) error {
	all, err := x.survey(ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.Class != New {
			return x.elsewhere("", s)
		}
	}
	return x.Journal.Add(Entry{Event: Done, Rollout: x.Name})
}

// settle takes back changes of an earlier run that this way does not want.
func (x *run) settle(ctx context.Context) error {
	for _, device := range x.Devices() {
		e := x.unsettled(device)
		if e == nil || x.wanted(e) {
			continue
		}
		err := x.takeBack(ctx, e.Step, device, e, true)
		if errors.Is(err, errStays) { // that run was killed before it could say so, and the steps lead back
			err = x.Journal.Add(Entry{Event: Kept, Rollout: x.Name, Step: e.Step, Device: device, Change: e.Change})
		}
		if err != nil {
			return err
		}
		x.at[device] = x.standing(ctx, device)
	}
	return nil
}

// saveBack saves the state before a change where a killed run may have saved that after it.
func (x *run) saveBack(ctx context.Context, device string, e *Entry) error {
	if x.systemOf(device).back != nil || !x.Journal.there(e) {
		return nil
	}
	s, from := x.systemOf(device), x.numbered(e, e.From)
	c := &change{ID: newID()}
	if nics := x.NICs[device]; nics != nil {
		c.Files = nicFiles(nics[from], nics[from], s.address(x.Addresses[device]))
	}
	err := x.with(ctx, device, func(l link) error { return x.ask(ctx, l, s.save(c), x.Work) })
	if err != nil {
		return &Stop{e.Step, device, "it is as before, but that could not be saved: " + err.Error(), "save its running configuration, and run again"}
	}
	return nil
}

// wanted reports whether a change is one of this way.
func (x *run) wanted(e *Entry) bool {
	return slices.ContainsFunc(x.Steps, func(s Step) bool { return s.Name == e.Step })
}

// inOrder checks that every device is in a state that the order allows: no device is further than a
// step that others have not done. Where --only names all of those, the run brings them into order.
func (x *run) inOrder() error {
	for _, s := range x.at {
		if (s.Class == Drifted || s.Class == Unknown) && x.mayChange(s.Device) {
			return x.elsewhere("", s)
		}
	}
	var further []string
	waits, others := "", false // the first step that is not done, and whether it is open on devices that --only leaves out
	var stop *Stop
	for _, step := range x.Steps {
		open := false
		for _, w := range step.Works {
			at := x.at[w.Device].At // −1 where the journal knows its change
			switch {
			case x.at[w.Device].most < w.To:
				waits = cmp.Or(waits, step.Name)
				open = open || len(x.Only) == 0 || !x.mayChange(w.Device)
			case others && w.From < at && !slices.Contains(further, w.Device):
				further = append(further, w.Device)
				stop = cmp.Or(stop, &Stop{step.Name, w.Device, fmt.Sprintf("it is further than the order allows: step %s is not done on all devices", waits), ""})
			}
		}
		others = others || open
	}
	if stop == nil {
		return nil
	}
	stop.Next = "take back what is further by --undo --only " + strings.Join(further, ",") + ", and run again"
	if strings.HasPrefix(stop.Step, backward) {
		stop.Next = "bring forward what is further by --only " + strings.Join(further, ",") + " without --undo, and run again"
	}
	return stop
}

// elsewhere returns the stop of a device that is not in the state that it should be in.
func (x *run) elsewhere(step string, s *Standing) error {
	switch s.Class {
	case Unknown:
		return &Stop{step, s.Device, "it cannot be read: " + s.Why, "make sure that it answers, and run again"}
	case Drifted:
		return &Stop{step, s.Device, "it runs none of the states of this rollout; it differs from the nearest in " + diff.FirstFew(s.Lines), addOrRemove}
	}
	return &Stop{step, s.Device, fmt.Sprintf("it is in state %d of %d", s.At+1, s.States), again}
}

// step carries out a step, wave by wave.
func (x *run) step(ctx context.Context, step *Step) error {
	if step.Hand != "" {
		if err := x.byHand(step); err != nil || len(step.Works) == 0 {
			return err
		}
	}
	var left, held []Work
	begun := false
	for _, w := range stable.Sorted(slices.Values(step.Works), func(a, b Work) int { return natural.Compare(a.Device, b.Device) }) {
		switch {
		case x.settled(w):
			begun = true
		case x.mayChange(w.Device):
			left = append(left, w)
		default:
			held = append(held, w)
		}
	}
	for _, works := range x.wavesOf(left, !begun) {
		if x.Waves > 0 && x.waves == x.Waves {
			return &Stop{step.Name, "", natural.Count(x.Waves, "wave is", "waves are") + " done, as --wave says", again}
		}
		if err := x.wave(ctx, step, works); err != nil {
			return err
		}
		x.waves++
	}
	if len(held) > 0 {
		return &Stop{step.Name, "", diff.Fold(devicesOf(held)) + " are not named by --only, and later steps wait for them", "run again without --only"}
	}
	return x.awaitPairs(ctx, step)
}

// settled reports whether a device is past a work, and nothing of it is open.
func (x *run) settled(w Work) bool {
	e := x.unsettled(w.Device)
	return x.at[w.Device].At >= w.To && (e == nil || x.at[w.Device].At > w.To)
}

func (x *run) byHand(step *Step) error {
	if x.Journal.byHand(step.Name) || x.past(step) {
		return nil
	}
	if x.Hand == nil || !x.Hand(*step) {
		return &Stop{step.Name, "", "it is for a person: " + step.Hand, "do it, and run again with --done " + step.Name}
	}
	return x.Journal.Add(Entry{Event: ByHand, Rollout: x.Name, Step: step.Name})
}

// past reports whether devices are in a later step already, so that this one was done.
func (x *run) past(step *Step) bool {
	after := false
	for i := range x.Steps {
		if after && slices.ContainsFunc(x.Steps[i].Works, func(w Work) bool { return x.at[w.Device].At >= w.To }) {
			return true
		}
		after = after || &x.Steps[i] == step
	}
	return false
}

func devicesOf(works []Work) (names []string) {
	for _, w := range works {
		names = append(names, w.Device)
	}
	return names
}
