package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/roceplan/roceplan/observe/live"
)

// Lossless packets that are dropped while a change soaks end the soak at once, and nothing does where all
// is well: also not packets that were dropped before.
func TestSoak(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fabric.hcl")
	check(t, os.WriteFile(file, []byte(watchedPod), 0o666))
	fabric, err := sourceFlags{}.load(&terminal{Context: t.Context(), out: bufio.NewWriter(io.Discard), err: io.Discard}, []string{file})
	check(t, err)
	network, device := newPipes(), &simDevice{name: "leaf-1"}
	a, err := live.ParseAddress("leaf-1=redis://" + network.add("leaf-1", device.serve))
	check(t, err)
	var told []string
	watch := func(soak time.Duration) error {
		s := &soaking{loaded: fabric, counters: []*live.Address{a}, soak: soak, every: 20 * time.Millisecond, dial: network.dial, say: func(_, _, what string) { told = append(told, what) }}
		return s.watch(t.Context(), []string{"leaf-1", "leaf-2"})
	}
	device.drops.Store(7) // before the change
	begin := time.Now()
	if err := watch(100 * time.Millisecond); err != nil || time.Since(begin) < 100*time.Millisecond || device.reads.Load() < 3 {
		t.Errorf("after %v and %d readings: %v", time.Since(begin), device.reads.Load(), err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "not watched, no address for their counters: leaf-2") {
		t.Errorf("told %q", told)
	}
	read := device.reads.Load()
	go func() {
		for device.reads.Load() < read+3 {
			time.Sleep(time.Millisecond)
		}
		device.drops.Store(8)
	}()
	begin = time.Now()
	if err := watch(10 * time.Minute); err == nil || !strings.Contains(err.Error(), "while the change soaked: ") || time.Since(begin) > time.Minute {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := (&soaking{soak: time.Hour, every: time.Hour}).watch(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
