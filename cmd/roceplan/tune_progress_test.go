package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/tune"
)

// A log gets a line from time to time, with the best point once there is one that is better; a short command leaves none.
func TestProgressInALog(t *testing.T) {
	var log bytes.Buffer
	defer func(was time.Duration) { logInterval = was }(logInterval)
	logInterval = time.Millisecond
	var found best
	step, stop := (&terminal{err: &log}).watch("runs", 7, found.String)
	step()
	step()
	found.better(completion.Ratio{Ratio: 1.2, Seeds: 1})
	time.Sleep(30 * time.Millisecond)
	found.better(completion.Ratio{Ratio: 0.8, Seeds: 1})
	time.Sleep(30 * time.Millisecond)
	stop()
	lines := strings.Split(strings.TrimRight(log.String(), "\n"), "\n")
	if lines[0] != "0 of 7 runs" && lines[0] != "1 of 7 runs" && lines[0] != "2 of 7 runs" || lines[len(lines)-1] != "2 of 7 runs; the best point so far takes 0.80 of what the compiled settings take" {
		t.Errorf("%q", lines)
	}
	log.Reset()
	logInterval = time.Hour
	_, stop = (&terminal{err: &log}).watch("runs", 7)
	stop()
	if log.Len() > 0 {
		t.Errorf("%q", log.String())
	}
	logInterval = time.Millisecond
	_, stop = (&terminal{err: &log}).watch("importing", 0)
	time.Sleep(30 * time.Millisecond)
	stop()
	if !strings.HasPrefix(log.String(), "importing for 0 s\n") {
		t.Errorf("%q", log.String())
	}
}

// A search that is interrupted says so and prints what it has, and the error is that of an interrupt.
func TestTuneInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, nil)
	defer cancel()
	cut, stop := context.WithCancel(t.Context())
	context.AfterFunc(ctx, stop)
	var out bytes.Buffer
	to := &terminal{Context: cut, out: bufio.NewWriter(&out), err: io.Discard, tty: io.Discard}
	c := tuneCmd{Files: []string{"../../examples/ucloud-pod"}, Budget: 100_000, Seeds: 2, HeldOut: 2, Runs: t.TempDir()}
	if err := c.Run(to); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	to.out.Flush()
	if text := out.String(); !strings.HasPrefix(text, "Tuned for purpose mixed, ") || !strings.Contains(text, "\nInterrupted: ") || !strings.HasSuffix(text, "The same call continues from here.\n") {
		t.Error(text)
	}
}

// The best point so far is printed as lines of the fabric.
func TestWhatIsLeft(t *testing.T) {
	var out bytes.Buffer
	to := &terminal{out: bufio.NewWriter(&out)}
	best := &tune.Trial{Point: &tune.Lines{HCL: "traffic_class \"x\" {\n  alpha = 1/4\n}\n"}, Aim: completion.Ratio{Ratio: 0.5, Seeds: 1}}
	r := &tuning{diag.List{}, &tune.Report{Searched: []string{"a"}, Front: []*tune.Trial{best}, Interrupted: true}}
	r.verdict(to)
	to.out.Flush()
	want := "\nInterrupted: the best point so far, which is not held out, is\ntraffic_class \"x\" {\n  # roceplan tune: completion of a takes 0.50 of that as compiled\n  alpha = 1/4\n}\nThe same call continues from here.\n"
	must.Equal(t, out.String(), want)
}
