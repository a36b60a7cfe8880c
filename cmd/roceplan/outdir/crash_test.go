package outdir

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/disk/crash"
)

var hunt = flag.Bool("hunt", false, "look at a million states")

// A pod is what the tests write: two files for each device.
func pod(d disk.FS, text string, names ...string) Tree {
	body := emit.NewBody([]byte("hostname " + emit.Mark + "\n" + text + "\n"))
	return Tree{Fabric: "pod", Disk: d, Shapes: []Shape{{names, func() ([]emit.File, error) {
		return []emit.File{{Path: "eos.cfg", Body: body}, {Path: "more/config_db.json", Body: body}, {Path: "same", Body: emit.NewBody([]byte("x"))}}, nil
	}}}}
}

// A situation is a directory before a run.
type situation struct {
	name        string
	disk        func() *crash.Disk
	fresh, many bool // many: a reader between two renames may find some of each
	foreign     map[string]string
}

const place = "/pods/out"

func situations(t *testing.T) (all []situation) {
	empty := func() *crash.Disk {
		d := crash.New()
		for _, folder := range []string{"/pods"} {
			if err := d.Mkdir(folder); err != nil {
				t.Fatal(err)
			}
		}
		return d.Clone()
	}
	mine := map[string]string{"notes": "mine", "gone/notes": "mine"}
	written := func(change func(*crash.Disk)) func() *crash.Disk {
		return func() *crash.Disk {
			d := empty()
			if _, err := pod(d, "one", "a", "b", "gone").Write(t.Context(), place, nil); err != nil {
				t.Fatal(err)
			}
			for path, text := range mine {
				if err := disk.Put(d, place+"/"+path, []byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			change(d)
			return d.Clone()
		}
	}
	all = []situation{
		{name: "fresh", disk: empty, fresh: true},
		{name: "exchanged", disk: written(func(*crash.Disk) {}), foreign: mine},
		{name: "no exchange", disk: written(func(d *crash.Disk) { d.NoExchange = true }), foreign: mine, many: true},
		{name: "no links", disk: written(func(d *crash.Disk) { d.NoLinks = true }), foreign: mine, many: true},
		{name: "mounted", disk: written(func(d *crash.Disk) { d.Mounted = true }), foreign: mine, many: true},
		{name: "folder of others", disk: written(func(d *crash.Disk) {
			if err := errors.Join(d.Mkdir(place+"/docs"), disk.Put(d, place+"/docs/index", []byte("mine"))); err != nil {
				t.Fatal(err)
			}
		}), foreign: map[string]string{"notes": "mine", "gone/notes": "mine", "docs/index": "mine"}, many: true},
	}
	for i := range all {
		all[i].disk = all[i].disk().Clone // each run begins with a copy
	}
	return all
}

// after is what a run should leave.
func (s situation) after(t *testing.T, text string, names ...string) map[string]string {
	d := s.disk()
	if _, err := pod(d, text, names...).Write(t.Context(), place, nil); err != nil {
		t.Fatal(s.name, err)
	}
	return d.Tree(place)
}

// A world is one run of a situation with one fault.
type world struct {
	*testing.T
	situation
	old, new map[string]string
	states   int
	seed     *rand.Rand
}

// TestEveryCallFails has each call of a run fail, be cut short, come late, be the last of a run
// that is killed, or the last before a loss of power that keeps any part of what was not synced. A
// reader who knows nothing of the run finds at every moment exactly the directory of before or that
// of after; the next run ends with exactly its own, and nothing is left beside it.
func TestEveryCallFails(t *testing.T) {
	want := 30_000 // one round with all faults
	if os.Getenv("CI") != "" {
		want = 100_000
	}
	if *hunt {
		want = 1_000_000
	}
	states, all := 0, situations(t)
	for round := 0; states < want; round++ {
		before := states
		for _, s := range all {
			w := &world{T: t, situation: s, seed: rand.New(rand.NewPCG(uint64(round), 31))}
			w.old = s.disk().Tree(place)
			w.new = s.after(t, "two", "a", "b", "new")
			w.round(round)
			states += w.states
			if t.Failed() {
				return
			}
		}
		if states == before {
			t.Fatal("a round looks at no state")
		}
	}
	t.Logf("%d states", states)
}

// round goes through all calls. The faults that are always the same are those of the first round.
func (w *world) round(n int) {
	for at := 0; ; at++ {
		d := w.disk()
		w.run(d, at, crash.None)
		calls, _ := d.Calls()
		if at > calls+2 {
			return
		}
		if n == 0 {
			for _, fault := range []crash.Fault{crash.EIO, crash.Full, crash.Late, crash.Short, crash.Kill, crash.Delay} {
				d := w.disk()
				err := w.run(d, at, fault)
				w.judge(d, fmt.Sprintf("call %d, fault %d (%v)", at, fault, err), fault == crash.Kill)
				if err == nil && !maps.Equal(d.Clone().Tree(place), w.new) {
					w.judge(d, "a run that says that all is well", false)
				}
				w.next(d, fmt.Sprintf("call %d, fault %d", at, fault))
			}
		}
		w.powerless(at)
	}
}

// run writes the next tree, with a reader at every moment.
func (w *world) run(d *crash.Disk, at int, fault crash.Fault) error {
	d.Plan(at, fault)
	d.Watch = func() {
		if got := d.Tree(place); !w.many && !w.sound(got) && !w.Failed() {
			w.Errorf("%s: call %d, fault %d: a reader finds neither the one nor the other: %v", w.name, at, fault, slices.Sorted(maps.Keys(got)))
		}
	}
	_, err := pod(d, "two", "a", "b", "new").Write(w.Context(), place, nil)
	d.Watch = nil
	return err
}

func (w *world) sound(got map[string]string) bool {
	return maps.Equal(got, w.old) || maps.Equal(got, w.new)
}

// judge looks at the directory after a run that failed or was ended.
func (w *world) judge(d *crash.Disk, when string, ended bool) {
	w.states++
	d.Reboot()
	got := d.Tree(place)
	maps.DeleteFunc(got, func(path, _ string) bool { return w.many && strings.HasPrefix(path, ".roceplan-") })
	for path, text := range w.foreign {
		if got[path] != text {
			w.Errorf("%s: %s: %s of the user says %q", w.name, when, path, got[path])
		}
	}
	switch {
	case w.sound(got):
	case !ended || !w.many:
		w.Errorf("%s: %s: the directory is neither that of before nor that of after: %v", w.name, when, got)
	default: // killed between two renames: the next command reports it
		if list, err := Intact(d, place); len(list) == 0 && err == nil {
			w.Errorf("%s: %s: files of before and of after, and no command notices: %v", w.name, when, got)
		}
	}
}

// next has another run write, which ends with exactly its own tree.
func (w *world) next(d *crash.Disk, when string) {
	d.Reboot()
	if _, err := pod(d, "three", "a", "new").Write(w.Context(), place, nil); err != nil {
		w.Errorf("%s: %s: the next run: %v", w.name, when, err)
		return
	}
	got := d.Tree(place)
	if list, err := Intact(d, place); len(list) > 0 || err != nil {
		w.Errorf("%s: %s: after the next run: %v, %v", w.name, when, list, err)
	}
	want := maps.Clone(w.foreign)
	if want == nil {
		want = map[string]string{}
	}
	for _, name := range []string{"a", "new"} {
		want[name+"/eos.cfg"], want[name+"/more/config_db.json"], want[name+"/same"] = "hostname "+name+"\nthree\n", "hostname "+name+"\nthree\n", "x"
	}
	delete(got, ManifestName) // Intact has looked at it
	if !maps.Equal(got, want) {
		w.Errorf("%s: %s: the next run leaves %v", w.name, when, got)
	}
	if beside := d.Names("/pods"); len(beside) != 1 {
		w.Errorf("%s: %s: beside the directory are %v", w.name, when, beside)
	}
}

// powerless ends a run at a call and loses power: nothing is kept of what was not synced, all of
// it, and any part.
func (w *world) powerless(at int) {
	d := w.disk()
	w.run(d, at, crash.Kill)
	n := d.Unsynced()
	ways := []func(int) bool{func(int) bool { return false }, func(int) bool { return true }}
	for range min(24, n) {
		kept := w.seed.Uint64()
		ways = append(ways, func(i int) bool { return kept>>(i%64)&1 != 0 })
	}
	for i, keep := range ways {
		lost := d.Lose(keep, w.seed)
		when := fmt.Sprintf("power lost at call %d, way %d", at, i)
		w.judge(lost, when, true)
		if i%8 < 2 {
			w.next(lost, when)
		}
		if w.Failed() {
			return
		}
	}
}

// The tests above can fail: a run that renames before it syncs, and one that goes file by file where
// a reader looks on, are found.
func TestCrashesAreFound(t *testing.T) {
	var wrong []string
	for _, s := range situations(t) {
		if s.name != "no exchange" {
			continue
		}
		d := s.disk()
		old, new := d.Tree(place), s.after(t, "two", "a", "b", "new")
		d.Watch = func() {
			if got := d.Tree(place); !maps.Equal(got, old) && !maps.Equal(got, new) {
				wrong = append(wrong, strings.Join(slices.Sorted(maps.Keys(got)), " "))
			}
		}
		if _, err := pod(d, "two", "a", "b", "new").Write(t.Context(), place, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(wrong) == 0 {
		t.Error("a reader between two renames finds nothing wrong")
	}
	d := crash.New()
	if err := disk.Put(d, "/a", []byte("old")); err != nil {
		t.Fatal(err)
	}
	d = d.Clone()
	if err := errors.Join(disk.Put(d, "/b", []byte("new")), d.Rename("/b", "/a")); err != nil {
		t.Fatal(err)
	}
	spoilt := false
	for seed := range uint64(20) {
		lost := d.Lose(func(i int) bool { return i > 0 }, rand.New(rand.NewPCG(seed, 0))) // the names are kept, the text is not
		spoilt = spoilt || lost.Tree("/")["a"] != "old" && lost.Tree("/")["a"] != "new"
	}
	if !spoilt {
		t.Error("a text that was not synced is always there")
	}
}
