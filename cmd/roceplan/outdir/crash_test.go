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
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/must"
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
	name    string
	disk    func() *crash.Disk
	many    bool // a reader between two renames may find some of each
	foreign map[string]string
}

const place = "/pods/out"

func situations(t *testing.T) (all []situation) {
	empty := func() *crash.Disk {
		d := crash.New()
		for _, folder := range []string{"/pods"} {
			must.Do(t, d.Mkdir(folder))
		}
		return d.Clone()
	}
	mine := map[string]string{"notes": "mine", "gone/notes": "mine"}
	written := func(change func(*crash.Disk)) func() *crash.Disk {
		return func() *crash.Disk {
			d := empty()
			must.Get(pod(d, "one", "a", "b", "gone").Write(t.Context(), place, nil))(t)
			for path, text := range mine {
				must.Do(t, disk.Put(d, place+"/"+path, []byte(text), 0o666))
			}
			change(d)
			return d.Clone()
		}
	}
	all = []situation{
		{name: "fresh", disk: empty},
		{name: "exchanged", disk: written(func(*crash.Disk) {}), foreign: mine},
		{name: "no exchange", disk: written(func(d *crash.Disk) { d.NoExchange = true }), foreign: mine, many: true},
		{name: "no links", disk: written(func(d *crash.Disk) { d.NoLinks = true }), foreign: mine, many: true},
		{name: "mounted", disk: written(func(d *crash.Disk) { d.Mounted = true }), foreign: mine, many: true},
		{name: "folder of others", disk: written(func(d *crash.Disk) {
			must.Do(t, errors.Join(d.Mkdir(place+"/docs"), disk.Put(d, place+"/docs/index", []byte("mine"), 0o666)))
		}), foreign: map[string]string{"notes": "mine", "gone/notes": "mine", "docs/index": "mine"}, many: true},
	}
	for i := range all {
		all[i].disk = all[i].disk().Clone // each run begins with a copy
	}
	return all
}

// second writes the tree after the first.
func second(t *testing.T) func(*crash.Disk) error {
	return func(d *crash.Disk) error {
		_, err := pod(d, "two", "a", "b", "new").Write(t.Context(), place, nil)
		return err
	}
}

// trial returns the run in a situation.
func (s situation) trial(t *testing.T) crash.Trial {
	tr := crash.Trial{Name: s.name, Place: place, Disk: s.disk, Run: second(t), Foreign: s.foreign, Losses: 24, Every: 3,
		Faults: func(int) []crash.Fault {
			return []crash.Fault{crash.EIO, crash.Full, crash.Late, crash.Short, crash.Delay}
		},
		Next: func(d *crash.Disk) error { return s.next(t, d) }}
	if s.many {
		tr.Mix = func(d *crash.Disk) bool {
			list, err := Intact(t.Context(), d, place, 1)
			return len(list) > 0 || err != nil
		}
	}
	return tr
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
	for round := 0; states < want && !t.Failed(); round++ {
		for _, s := range all {
			states += s.trial(t).Round(t, round)
		}
	}
	t.Logf("%d states", states)
}

// next has another run write, which ends with exactly its own tree.
func (s situation) next(t *testing.T, d *crash.Disk) error {
	if _, err := pod(d, "three", "a", "new").Write(t.Context(), place, nil); err != nil {
		return err
	}
	got := d.Tree(place)
	if list, err := Intact(t.Context(), d, place, 1); len(list) > 0 || err != nil {
		return fmt.Errorf("it leaves %v, %v", list, err)
	}
	want := map[string]string{}
	maps.Copy(want, s.foreign)
	for _, name := range []string{"a", "new"} {
		want[name+"/eos.cfg"], want[name+"/more/config_db.json"], want[name+"/same"] = "hostname "+name+"\nthree\n", "hostname "+name+"\nthree\n", "x"
	}
	delete(got, ManifestName) // Intact has looked at it
	if !maps.Equal(got, want) {
		return fmt.Errorf("it leaves %v", got)
	}
	if beside := d.Names("/pods"); len(beside) != 1 {
		return fmt.Errorf("beside the directory are %v", beside)
	}
	return nil
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
		after := s.disk()
		must.Do(t, second(t)(after))
		old, new := d.Tree(place), after.Tree(place)
		d.Watch = func() {
			if got := d.Tree(place); !maps.Equal(got, old) && !maps.Equal(got, new) {
				wrong = append(wrong, strings.Join(slices.Sorted(maps.Keys(got)), " "))
			}
		}
		must.Do(t, second(t)(d))
	}
	if len(wrong) == 0 {
		t.Error("a reader between two renames finds nothing wrong")
	}
	d := crash.New()
	must.Do(t, disk.Put(d, "/a", []byte("old"), 0o666))
	d = d.Clone()
	must.Do(t, errors.Join(disk.Put(d, "/b", []byte("new"), 0o666), d.Rename("/b", "/a")))
	spoilt := false
	for seed := range uint64(20) {
		lost := d.Lose(func(i int) bool { return i > 0 }, rand.New(rand.NewPCG(seed, 0))) // the names are kept, the text is not
		spoilt = spoilt || lost.Tree("/")["a"] != "old" && lost.Tree("/")["a"] != "new"
	}
	if !spoilt {
		t.Error("a text that was not synced is always there")
	}
}
