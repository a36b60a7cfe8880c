//go:build unix

package apply_test

import (
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// held samples the memory that the process has from the system, until the returned function gives the most.
func held() (most func() uint64) {
	over, peak := make(chan struct{}), make(chan uint64)
	go func() {
		all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for most := uint64(0); ; {
			metrics.Read(all)
			most = max(most, all[0].Value.Uint64()-all[1].Value.Uint64())
			select {
			case <-over:
				peak <- most
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(over); return <-peak }
}

// worked returns the processor time of the process and of those that it started.
func worked(t *testing.T) (all time.Duration) {
	t.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		check(t, syscall.Getrusage(who, &used))
		all += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	return all
}

// A fabric of pods of mixed systems gets longer cables: 68 switches, with -hunt 1,028. These take less than ten
// minutes on two cores and 1 GB, the devices included.
func TestLargeRollout(t *testing.T) {
	pods := map[bool]int{false: 2, true: 32}[*hunting]
	changes := year.Pods(pods).Changes(t)
	c := changes[slices.IndexFunc(changes, func(c year.Change) bool { return c.Name == "longer cables" })]
	before, after := compiled(c.Before), compiled(c.After)
	if before == nil || after == nil {
		t.Fatal("the fabric does not compile")
	}
	s := sample{c.Name, "pods", released(before, "202505"), released(after, "202505")}
	l := newSwitches(t, s)
	l.journal, l.quiet = filepath.Join(t.TempDir(), "journal"), true
	catalogue, _ := chips.Load()
	v := verify.New(verify.Options{Catalogue: catalogue})
	l.judge = func(to *plan.Switch, device string) patch.Judge {
		return func(config []byte) (map[string]bool, error) { return v.Fails(to, "sonic", device, config) }
	}
	// The bound is for the program, which collects garbage as Go does by default, and not for what other tests left.
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	debug.FreeOSMemory()
	memory, begin, start := held(), worked(t), time.Now()
	check(t, l.carryOn(t, disk.System{}, false, -1, fakedevice.None))
	work, most := worked(t)-begin, memory()
	t.Logf("%d switches in %v, %v of processor time, %d MB", len(l.rollout.Devices()), time.Since(start), work, most>>20)
	if n := len(l.rollout.Devices()); n != count(s.after) {
		t.Errorf("%d of %d switches change", n, count(s.after))
	}
	if work > 20*time.Minute || most > 1<<30 {
		t.Errorf("%v of processor time, %d MB", work, most>>20)
	}
	l.arrived(t, s, false)
}
