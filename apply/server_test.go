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

// A change of the ToS that is taken back, after a kill or with its wave, leaves queue pairs that were opened while it
// was there. The way back stops with their name before anything drops their class, and continues when they are
// gone. It does not wait for those from before the change.
func TestQueuePairsOfAChangeTakenBack(t *testing.T) {
	s := sampleNamed(t, "junos : DSCP moves")
	const sending = 39 // the message with the change of the ToS of the first server
	for name, f := range map[string]struct {
		at    int
		fault fakedevice.Fault
		wrong error // while the change soaks
	}{
		"killed before it is sent":       {at: sending, fault: fakedevice.Kill},
		"killed after it is sent":        {at: sending, fault: fakedevice.KillLate},
		"killed after it is read back":   {at: sending + 3, fault: fakedevice.KillLate},
		"something is wrong as it soaks": {at: -1, wrong: errors.New("packets are dropped")},
		"the server restarts":            {at: sending + 3, fault: fakedevice.Unsaved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, s)
			l.watchServers(t)
			d := crash.New()
			if f.wrong != nil {
				l.until = "02-grow"
				check(t, l.carry(t, d, false, -1, fakedevice.None))
				l.until, l.wrong = "", f.wrong
			}
			server := l.servers["cx7-server-1"]
			before := server.Sends()[0]
			other := func() bool {
				return slices.ContainsFunc(server.Sends(), func(dscp uint8) bool { return dscp != before })
			}
			changed := server.Changed
			server.Keeps, server.Changed = true, func() {
				server.Open(before) // a job starts
				changed()
			}
			err := l.carry(t, d, false, f.at, f.fault)
			t.Log(l.Seen, l.Hit, err, server.Sends())
			if err == nil {
				t.Fatal("the run did not stop")
			}
			l.wrong = nil
			opened := other()
			if want := f.fault == fakedevice.KillLate || f.wrong != nil; opened != want {
				t.Fatalf("there are queue pairs with the ToS of the change: %v, not %v", opened, want)
			}
			err = l.carry(t, d, true, -1, fakedevice.None)
			var stop *apply.Stop
			switch {
			case !opened && err != nil:
				t.Errorf("queue pairs from before are waited for: %v", err)
			case opened && (!errors.As(err, &stop) || !strings.Contains(stop.Why, "cx7-server-1: ") || stop.Step != "undo-03-host"):
				t.Errorf("the way back ended with %v", err)
			}
			server.Keeps = false
			check(t, l.carry(t, d, true, -1, fakedevice.None))
			l.arrived(t, s, true)
		})
	}
}
