package apply_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/crash"
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

// Each call of the disk fails in each way, and at each moment the run is killed or power is lost: the
// journal can be opened again, and has every entry that was added, whole and in turn.
func TestJournalSurvives(t *testing.T) {
	const adds = 5
	files := []apply.File{{Path: "change", Text: strings.Repeat("x", 100)}}
	// added counts the entries that were added before the first error.
	added := func(d *crash.Disk) (n int) {
		j, err := apply.OpenJournal(d, "/journal")
		if err != nil {
			return 0
		}
		defer j.Close()
		for n < adds && j.Add(apply.Entry{Event: apply.Sending, Step: fmt.Sprint("step-", n), Files: files}) == nil {
			n++
		}
		return n
	}
	states := 0
	holds := func(d *crash.Disk, sure int, when string) {
		t.Helper()
		states++
		d.Reboot()
		for range 2 { // also after what the first wrote
			j, err := apply.OpenJournal(d, "/journal")
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			check(t, j.Add(apply.Entry{Event: apply.Stopped}))
			check(t, j.Close())
		}
		text, err := disk.Text(d, "/journal", 1<<20)
		check(t, err)
		n := 0
		for line := range strings.Lines(string(text)) {
			var e apply.Entry
			if json.Unmarshal([]byte(line), &e) == nil && e.Event == apply.Sending {
				if e.Step != fmt.Sprint("step-", n) || len(e.Files) != 1 || e.Files[0] != files[0] {
					t.Fatalf("%s: entry %d is %s", when, n, line)
				}
				n++
			}
		}
		if n < sure || strings.Count(string(text), "stopped") != 2 {
			t.Fatalf("%s: %d of %d entries are in\n%s", when, n, sure, text)
		}
	}
	random := rand.New(rand.NewPCG(1, 31))
	whole := crash.New()
	if added(whole) != adds {
		t.Fatal("not all entries were added")
	}
	for at := range whole.Calls() {
		for _, fault := range []crash.Fault{crash.None, crash.EIO, crash.Full, crash.Late, crash.Short} {
			d, moments := crash.New(), []*crash.Disk(nil)
			d.Plan(at, fault)
			d.Moment = func() { moments = append(moments, d.Clone()) }
			sure := added(d)
			when := fmt.Sprintf("fault %d at call %d", fault, at)
			for range 20 {
				holds(powerless(t, d, sure, random), sure, when+", then power was lost")
			}
			for i, then := range moments {
				holds(powerless(t, then, 0, random), 0, fmt.Sprintf("%s, power was lost at moment %d", when, i))
				holds(then, 0, fmt.Sprintf("%s, killed at moment %d", when, i))
			}
			holds(d, sure, when+", then it was killed")
		}
	}
	t.Logf("%d states", states)
}

// powerless is a disk after a loss of power: of what was not synced a beginning is left, with zeros after
// it or not, or the name of the file is lost too.
func powerless(t *testing.T, d *crash.Disk, sure int, random *rand.Rand) *crash.Disk {
	d = d.Lose(func(i int) bool { return i == 0 || random.IntN(2) == 0 }, random) // the text is the first
	text, err := disk.Text(d, "/journal", 1<<20)
	if err != nil && sure == 0 {
		return d
	}
	check(t, err)
	synced := 0
	for line := range strings.Lines(string(text)) {
		if sure == 0 {
			break
		}
		sure--
		synced += len(line)
	}
	left := synced + random.IntN(len(text)-synced+1)
	zeros := strings.Repeat("\x00", random.IntN(2)*(len(text)-left))
	return rewritten(t, string(text[:left])+zeros)
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
