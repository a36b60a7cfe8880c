package crash

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A Trial is a run that writes, which is tried with every fault at every call.
type Trial struct {
	Name  string
	Place string            // the file or the folder that the run changes
	Disk  func() *Disk      // a new one, as it is before the run
	Run   func(*Disk) error // what it returns is whether it says that all is well
	// Next makes another run, after one that failed or was ended. Its error is what is wrong with
	// what the other run leaves.
	Next func(*Disk) error

	// Mix, if not nil, is for a disk that cannot exchange folders: files are renamed one after
	// another. It reports whether the next command notices that some are old and some are new.
	Mix     func(*Disk) bool
	Faults  func(at int) []Fault // of a call
	Foreign map[string]string    // files of the user, which stay whatever happens
	Losses  int                  // how many ways to lose power are drawn at each call, beside nothing kept and all
	Every   int                  // after every so many states another run is made
}

// A trying is a round of a trial.
type trying struct {
	Trial
	t        testing.TB
	old, new map[string]string
	round    uint64
	states   int
	chance   *rand.Rand
}

// Round has each call of the run fail, be cut short, come late, be the last of a run that is killed,
// or the last before a loss of power that keeps any part of what was not synced. A reader who knows
// nothing of the run finds at every moment exactly the place of before or that of after. It returns
// how many states were looked at. The faults that are always the same are those of round 0; losses
// of power differ from round to round.
func (tr Trial) Round(t testing.TB, round int) (states int) {
	w := &trying{Trial: tr, t: t, round: uint64(round), chance: rand.New(rand.NewPCG(uint64(round), 31))}
	w.old = tr.Disk().Tree(tr.Place)
	done := tr.Disk()
	if err := tr.Run(done); err != nil {
		t.Fatalf("%s: without a fault: %v", tr.Name, err)
	}
	w.new = done.Tree(tr.Place)
	if maps.Equal(w.old, w.new) {
		t.Fatalf("%s changes nothing", tr.Name)
	}
	calls, writes := w.ends(round == 0)
	for at := 0; round == 0 && at < calls && !t.Failed(); at++ {
		faults := tr.Faults(at)
		for _, fault := range faults {
			if fault == Short && !writes[at] && slices.Contains(faults, Full) {
				continue // nothing but a write has a half: it fails as with Full
			}
			w.fails(at, fault)
		}
	}
	return w.states
}

// ends has the run be killed at every moment, and power be lost. Which states these leave one run
// shows. It returns how many calls there are, and which of them are writes.
func (w *trying) ends(kill bool) (calls int, writes map[int]bool) {
	d := w.Disk()
	d.Moment = func() {
		if w.t.Failed() {
			return
		}
		at := d.Calls()
		if kill {
			killed, when := d.Clone(), fmt.Sprintf("killed at call %d", at)
			w.judge(killed, when, true)
			w.next(killed, when)
		}
		w.powerless(d, at)
	}
	w.run(d, -1, None)
	if lost := d.Lose(func(int) bool { return false }, w.chance); !maps.Equal(w.tree(lost), w.new) {
		w.t.Errorf("%s: power is lost when the run says that all is well, and so is what it wrote", w.Name)
	}
	return d.Calls(), d.writes
}

// run makes the run, with a reader at every moment.
func (w *trying) run(d *Disk, at int, fault Fault) error {
	d.Plan(at, fault)
	d.Watch = func() {
		if got := d.Tree(w.Place); w.Mix == nil && !w.sound(got) && !w.t.Failed() {
			w.t.Errorf("%s: call %d, fault %d: a reader finds neither the one nor the other: %v", w.Name, at, fault, slices.Sorted(maps.Keys(got)))
		}
	}
	err := w.Run(d)
	d.Watch = nil
	return err
}

// fails has a call fail in a run that goes on.
func (w *trying) fails(at int, fault Fault) {
	d := w.Disk()
	err := w.run(d, at, fault)
	when := fmt.Sprintf("call %d, fault %d (%v)", at, fault, err)
	w.judge(d, when, false)
	if err == nil && !maps.Equal(d.Clone().Tree(w.Place), w.new) {
		w.t.Errorf("%s: %s: the run says that all is well, and it is not", w.Name, when)
	}
	w.next(d, when)
}

// tree returns the content of the place, without the files that the next run removes where files are moved one by one.
func (w *trying) tree(d *Disk) map[string]string {
	got := d.Tree(w.Place)
	maps.DeleteFunc(got, func(path, _ string) bool { return w.Mix != nil && strings.HasPrefix(path, ".roceplan-") })
	return got
}

func (w *trying) sound(got map[string]string) bool {
	return maps.Equal(got, w.old) || maps.Equal(got, w.new)
}

// judge looks at the place after a run that failed or was ended.
func (w *trying) judge(d *Disk, when string, ended bool) {
	w.states++
	d.Reboot()
	got := w.tree(d)
	for path, text := range w.Foreign {
		if got[path] != text {
			w.t.Errorf("%s: %s: %s of the user says %q", w.Name, when, path, got[path])
		}
	}
	switch {
	case w.sound(got):
	case !ended || w.Mix == nil:
		w.t.Errorf("%s: %s: the place is neither that of before nor that of after: %v", w.Name, when, got)
	case !w.Mix(d):
		w.t.Errorf("%s: %s: files of before and of after, and no command notices: %v", w.Name, when, got)
	}
}

// next has another run follow some of the states that were judged.
func (w *trying) next(d *Disk, when string) {
	if w.states%w.Every != 0 {
		return
	}
	d.Reboot()
	if err := w.Next(d); err != nil {
		w.t.Errorf("%s: %s: the next run: %v", w.Name, when, err)
	}
}

// powerless loses power after a run that was ended at a call: nothing is kept of what was not
// synced, all of it, and any part.
func (w *trying) powerless(d *Disk, at int) {
	names, texts := d.Unsynced()
	ways, drawn := []func(int) bool{func(int) bool { return false }}, w.Losses
	if texts == 0 { // else each may be cut anywhere
		drawn = min(drawn, 1<<min(names, 16)-1)
	}
	if names+texts > 0 {
		ways = append(ways, func(int) bool { return true })
	}
	for range drawn {
		kept := w.chance.Uint64()
		ways = append(ways, func(i int) bool { return kept>>(i%64)&1 != 0 })
	}
	for i, keep := range ways {
		lost := d.Lose(keep, w.chance)
		when := fmt.Sprintf("power lost at call %d, way %d of round %d", at, i, w.round)
		w.judge(lost, when, true)
		w.next(lost, when)
		if w.t.Failed() {
			return
		}
	}
}
