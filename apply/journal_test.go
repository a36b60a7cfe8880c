package apply_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/disk/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
)

// rewritten is a disk with a journal of a text.
func rewritten(t *testing.T, text string) *crash.Disk {
	t.Helper()
	d := crash.New()
	check(t, disk.PutSynced(d, "/journal", []byte(text)))
	return d
}

// A journal that is cut off anywhere in its last entry is read without that entry, however often, and
// one with a line that is none is refused with its number.
func TestJournalIsCutOff(t *testing.T) {
	const whole = `{"time":"2026-01-02T03:04:05Z","event":"began","rollout":"a","way":"there"}` + "\n"
	const last = `{"time":"2026-01-02T03:04:05Z","event":"sending","rollout":"a","step":"01-whole","device":"leaf-1"}`
	for cut := range len(last) + 1 {
		d := rewritten(t, whole+last[:cut])
		for range 2 {
			j, err := apply.OpenJournal(d, "/journal")
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			check(t, j.Add(apply.Entry{Event: apply.Stopped, Why: "test"}))
			check(t, j.Close())
			d.Reboot()
		}
		text, err := disk.Text(d, "/journal", 1<<20)
		check(t, err)
		if n := strings.Count(string(text), `"event":"stopped"`); n != 2 {
			t.Errorf("cut at %d: %d entries were added to\n%s", cut, n, text)
		}
	}
	for text, want := range map[string]string{
		whole + "nonsense\n" + whole: "/journal:2: this is not an entry",
		"switch leaf-1\n":            "/journal:1: this is not an entry",
	} {
		if _, err := apply.OpenJournal(rewritten(t, text), "/journal"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

// One run has a journal at a time, and no other rollout can use it before the one in it has ended.
func TestJournalIsOfOneRollout(t *testing.T) {
	d := crash.New()
	j, err := apply.OpenJournal(d, "/journal")
	check(t, err)
	if _, err := apply.OpenJournal(d, "/journal"); err == nil || !strings.Contains(err.Error(), "another roceplan apply works with this journal") {
		t.Errorf("%v", err)
	}
	check(t, j.Close())
	l := newLab(t, sonicSample(t, "add switches or ports"))
	d = crash.New()
	l.stop = true
	var stop *apply.Stop
	if err := l.carry(t, d, false, -1, fakedevice.None); !errors.As(err, &stop) {
		t.Fatal(err)
	}
	other := newLab(t, sonicSample(t, "remove them"))
	if err := other.carry(t, d, false, -1, fakedevice.None); err == nil || !strings.Contains(err.Error(), "another rollout that has not ended") {
		t.Errorf("%v", err)
	}
	l.stop = false
	check(t, l.carry(t, d, false, -1, fakedevice.None))
	check(t, other.carry(t, d, false, -1, fakedevice.None))
}

// A disk that takes no more ends the run before anything is sent that is not in the journal; the next
// run goes on.
func TestDiskFails(t *testing.T) {
	s := sonicSample(t, "add switches or ports")
	for _, at := range []int{2, 6} {
		l := newLab(t, s)
		d := crash.New()
		d.Plan(3+at, crash.Full)
		err := l.carryOn(t, d, false, -1, fakedevice.None)
		if err == nil {
			t.Errorf("call %d: the run did not end", at)
		}
		sent := 0
		for name, device := range l.devices {
			if string(device.Running()) != string(l.before[name]) {
				sent++
			}
		}
		text, _ := disk.Text(d, "/journal", 1<<30)
		if noted := strings.Count(string(text), `"event":"sending"`); sent > noted {
			t.Errorf("call %d: %d devices were changed, %d are in the journal: %v", at, sent, noted, err)
		}
		if err := l.carry(t, d, false, -1, fakedevice.None); err != nil {
			t.Errorf("call %d: the next run: %v", at, err)
		}
		l.arrived(t, s, false)
	}
}

// What is wrong while a wave soaks takes the wave back: the first device of a step alone.
func TestSoak(t *testing.T) {
	s := sonicSample(t, "add switches or ports")
	l := newLab(t, s)
	l.wrong = errors.New("Ethernet0 PG 3 dropped 7 packets")
	err := l.carry(t, crash.New(), false, -1, fakedevice.None)
	var stop *apply.Stop
	if !errors.As(err, &stop) || !strings.Contains(stop.Why, "dropped 7 packets") {
		t.Fatal(err)
	}
	l.arrived(t, s, true)
	if len(l.soaked) != 1 || len(l.soaked[0]) != 1 {
		t.Errorf("soaked: %v", l.soaked)
	}
}

// A change on SONiC has no timer. What is sent over a connection that is lost may begin after the run
// has read the switch and found it as before: it does nothing then, and the next run ends at the
// target.
func TestLateScript(t *testing.T) {
	s := sonicSample(t, "add switches or ports")
	hit := false
	for at := 3; at < 6; at++ {
		l := newLab(t, s)
		d := crash.New()
		err := l.carry(t, d, false, at, fakedevice.Late)
		l.Settle()
		t.Logf("message %d at %s: %v", at, l.Hit, err)
		if err != nil && string(l.devices[l.Hit].Running()) != string(l.before[l.Hit]) {
			t.Errorf("message %d: %s was found as before and is not: %v", at, l.Hit, err)
		}
		hit = hit || err != nil
		check(t, l.carry(t, d, false, -1, fakedevice.None))
		l.arrived(t, s, false)
	}
	if !hit {
		t.Error("no run stopped")
	}
}
