package apply_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
)

// A code point moves on switches and servers. In every state on the way each server takes in lossless what
// any server sends, queue pairs from before included; and so it is on the way back.
func TestServers(t *testing.T) {
	s := sampleNamed(t, "junos : DSCP moves")
	l := newLab(t, s)
	l.watchServers(t)
	var steps []string
	for _, step := range l.rollout.Steps {
		_, name, _ := strings.Cut(step.Name, "-")
		if steps = append(steps, name); step.Hand != "" {
			t.Errorf("%s is for a person: %s", step.Name, step.Hand)
		}
	}
	if want := []string{"accept", "grow", "host", "shrink", "drop"}; !slices.Equal(steps, want) {
		t.Fatalf("the steps are %v, not %v", steps, want)
	}
	d := crash.New()
	for _, undo := range []bool{false, true} {
		if err := l.carry(t, d, undo, -1, fakedevice.None); err != nil {
			t.Fatal(err)
		}
		l.arrived(t, s, undo)
	}
	text, err := disk.Text(d, "/journal", 1<<30)
	check(t, err)
	for _, want := range []string{`"event":"pairs"`, "mlx5_0/1 178 of python3 (pid 4242)"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the journal has no %s", want)
		}
	}
}

// As long as a job keeps its queue pairs, nothing is dropped: the stop names what has them. When they are
// gone, the next run continues; where a person says that they do no harm, it does too.
func TestQueuePairsFromBefore(t *testing.T) {
	s := sampleNamed(t, "junos : DSCP moves")
	l := newLab(t, s)
	l.watchServers(t)
	for _, d := range l.servers {
		d.Keeps = true
	}
	d := crash.New()
	err := l.carry(t, d, false, -1, fakedevice.None)
	var stop *apply.Stop
	if !errors.As(err, &stop) || !strings.Contains(stop.Why, "server-1: 4 of python3 (pid 4242)") || !strings.Contains(stop.Next, "--done "+stop.Step+"-pairs") {
		t.Fatalf("the run ended with %#v", err)
	}
	for _, d := range l.servers {
		d.Keeps = false
	}
	check(t, l.carry(t, d, false, -1, fakedevice.None))
	l.arrived(t, s, false)
}
