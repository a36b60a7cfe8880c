package runs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

func jobs(t *testing.T, time units.Time) []pattern.Job {
	t.Helper()
	in := must.Get(roceplan.In(os.DirFS("../.."), "examples/ucloud-pod"))(t)
	run := must.Get(roceplan.Prepare(roceplan.Load(in), roceplan.SimulateOptions{
		Scenarios: []string{"incast-2", "incast-4", "burst-8-16kb", "incast-63"}, Time: time, Size: fabric.Size{Edges: 2, HostsPerEdge: 8},
	}))(t)
	return run.Jobs
}

// A run is made once, its outcome is the same when it is found again, another time or version is
// another run, and a file that was cut is one that is not there.
func TestRunsOnce(t *testing.T) {
	folder := t.TempDir()
	all := jobs(t, 100*units.Microsecond)
	same := cmpopts.IgnoreFields(pattern.Outcome{}, "WallSeconds", "PeakMemory")
	plain := must.Get(pattern.Run(t.Context(), all, nil))(t)
	for round, found := range []int64{0, int64(len(all))} {
		s, ended := Open(folder, "a"), 0
		got, err := s.Run(t.Context(), all, func() { ended++ })
		if diff := cmp.Diff(plain, got, same); diff != "" || err != nil || ended != len(all) || s.Found.Load() != found {
			t.Errorf("round %d: %d found, %d ended, %v\n%s", round, s.Found.Load(), ended, err, diff)
		}
	}
	for name, s := range map[string]*Store{"version": Open(folder, "b"), "time": Open(folder, "a")} {
		other := all[:1]
		if name == "time" {
			other = jobs(t, 90*units.Microsecond)[:1]
		}
		if _, err := s.Run(t.Context(), other, nil); err != nil || s.Found.Load() != 0 {
			t.Errorf("another %s: %d found, %v", name, s.Found.Load(), err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	for _, name := range files {
		must.Do(t, os.Truncate(name, 20))
	}
	s := Open(folder, "a")
	if got, err := s.Run(t.Context(), all, nil); err != nil || s.Found.Load() != 0 || !cmp.Equal(plain, got, same) {
		t.Errorf("cut files: %d found, %v", s.Found.Load(), err)
	}
	for _, name := range files { // one digit is another: the digest does not fit
		text := must.Get(os.ReadFile(name))(t)
		at := bytes.LastIndexAny(text, "0123456789")
		text[at] = '0' + (text[at]-'0'+1)%10
		must.Do(t, os.WriteFile(name, text, 0o600))
	}
	s = Open(folder, "a")
	if got, err := s.Run(t.Context(), all, nil); err != nil || s.Found.Load() != 0 || !cmp.Equal(plain, got, same) {
		t.Errorf("changed files: %d found, %v", s.Found.Load(), err)
	}
}

// What does not fit is said, and nothing is kept of it.
func TestUnfit(t *testing.T) {
	folder, all := t.TempDir(), jobs(t, 100*units.Microsecond)[:1]
	few := *all[0].Network
	few.Hosts = few.Hosts[:1]
	all[0].Network = &few
	got, err := Open(folder, "a").Run(t.Context(), all, nil)
	if files, _ := os.ReadDir(folder); err != nil || got[0].Skipped == "" || len(files) > 0 {
		t.Errorf("%+v, %d files, %v", got, len(files), err)
	}
}

// ending is a context that ends when it has been asked once.
type ending struct {
	context.Context
	asked atomic.Int64
}

func (e *ending) Err() error {
	if e.asked.Add(1) > 1 {
		return context.Canceled
	}
	return nil
}

// An interrupt while it is said that something does not fit is an interrupt.
func TestUnfitInterrupted(t *testing.T) {
	all := jobs(t, 100*units.Microsecond)[:1]
	few := *all[0].Network
	few.Hosts = few.Hosts[:1]
	all[0].Network = &few
	if _, err := Open(t.TempDir(), "a").Run(&ending{Context: t.Context()}, all, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A run is another one where the network is, though the simulator is handed the same: of which classes
// it counts the packets that are lost.
func TestAnotherNetwork(t *testing.T) {
	all := jobs(t, 100*units.Microsecond)[:1]
	s := Open(t.TempDir(), "a")
	more := *all[0].Network
	more.Lossless |= 1 << 7
	for _, net := range []*fabric.Network{all[0].Network, &more} {
		all[0].Network = net
		if _, err := s.Run(t.Context(), all, nil); err != nil || s.Found.Load() != 0 {
			t.Errorf("%d found, %v", s.Found.Load(), err)
		}
	}
}

// Of a run that is made again and longer each one is kept as it was measured, and the verdict is that of
// who asks.
func TestJudgedAgain(t *testing.T) {
	folder := t.TempDir()
	all := slices.DeleteFunc(jobs(t, 100*units.Microsecond), func(j pattern.Job) bool { return j.Scenario.Name != "incast-2" })
	all[0].Scenario.Goals.Throughput = 2 * units.One // which none meets
	all[0].Longest = 200 * units.Microsecond
	first, err := Open(folder, "a").Run(t.Context(), all, nil)
	if err != nil || len(first[0].Missed) == 0 || first[0].Time != 200 {
		t.Fatalf("%v us, missed %v, %v", first[0].Time, first[0].Missed, err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	for _, name := range files {
		text := must.Get(os.ReadFile(name))(t)
		var o pattern.Outcome
		if !opened(text, &o) {
			t.Fatalf("%s is not as it was written", name)
		}
		o.Missed, o.Bounds = nil, nil
		must.Do(t, write(name, &o))
	}
	s := Open(folder, "a")
	again, err := s.Run(t.Context(), all, nil)
	if diff := cmp.Diff(first, again); diff != "" || err != nil || len(files) != 2 || s.Found.Load() != 2 {
		t.Errorf("%d files, %d found, %v\n%s", len(files), s.Found.Load(), err, diff)
	}
}

// What had ended when a search was interrupted is not run again.
func TestInterrupted(t *testing.T) {
	folder, all := t.TempDir(), jobs(t, 100*units.Microsecond)
	ctx, stop := context.WithCancel(t.Context())
	must.Get(Open(folder, "a").Run(ctx, all[:2], nil))(t)
	stop()
	if _, err := Open(folder, "a").Run(ctx, all, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	s := Open(folder, "a")
	if _, err := s.Run(t.Context(), all, nil); err != nil || s.Found.Load() != 2 {
		t.Errorf("%d found of two, %v", s.Found.Load(), err)
	}
}

// What a run depends on is written into its key as JSON, which passes over fields without a capital:
// there is none in a scenario but what observes it and its clock, and the only ones of a network are by what names
// its classes, links and switches are found: what these come to is in the scenario.
func TestKeyHasAllFields(t *testing.T) {
	known := map[string]bool{"Scenario.Clock": true, "Network.classes": true, "Network.lossy": true, "Network.ends": true, "Network.spines": true}
	seen := map[reflect.Type]bool{reflect.TypeFor[sim.Observation](): true, reflect.TypeFor[atomic.Int64](): true}
	fields := 0
	var visit func(reflect.Type)
	visit = func(of reflect.Type) {
		if seen[of] {
			return
		}
		seen[of] = true
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			visit(of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				f := of.Field(i)
				if name := of.Name() + "." + f.Name; (!f.IsExported() || f.Tag.Get("json") == "-") && !known[name] {
					t.Errorf("%s is not in the key of a run", name)
				}
				fields++
				visit(f.Type)
			}
		}
	}
	for _, of := range []any{pattern.Scenario{}, sim.Scenario{}, fabric.Network{}} {
		visit(reflect.TypeOf(of))
	}
	if fields < 200 {
		t.Errorf("%d fields", fields)
	}
}

// What several callers make of one run is kept apart, and what failed is not kept.
func TestKept(t *testing.T) {
	store, job, made := Open(t.TempDir(), "1"), &jobs(t, 20*units.Microsecond)[0], 0
	ask := func(name string, fails error) int {
		n, err := Kept(store, name, job, func() (int, error) { made++; return made, fails })
		if !errors.Is(err, fails) {
			t.Fatal(err)
		}
		return n
	}
	broken := errors.New("broken")
	for i, want := range []struct {
		name  string
		fails error
		n     int
	}{{"a", broken, 1}, {"a", nil, 2}, {"a", nil, 2}, {"b", nil, 3}, {"a", nil, 2}} {
		must.Equalf(t, ask(want.name, want.fails), want.n, "%d: got what was made as number", i)
	}
	if n, err := Kept(nil, "a", job, func() (int, error) { return 9, nil }); n != 9 || err != nil {
		t.Error(n, err)
	}
}

// Runs without a message are those of their seeds, when they are found too.
func TestWithoutMessages(t *testing.T) {
	few := jobs(t, units.Microsecond)[:1]
	few[0].Scenario = &pattern.Scenario{Name: "rare", Time: units.Microsecond, Traffic: []pattern.Traffic{{Kind: "poisson", Message: units.MB, Load: units.Percent, Copies: 1}}}
	few = append(few, few[0])
	few[1].Seed = 7
	s := Open(t.TempDir(), "a")
	for round := range 2 {
		got, err := s.Run(t.Context(), few, nil)
		if err != nil || got[0].Skipped == "" || got[0].Seed != few[0].Seed || got[1].Seed != 7 || s.Found.Load() != int64(2*round) {
			t.Errorf("round %d: %+v, %v", round, got, err)
		}
	}
}
