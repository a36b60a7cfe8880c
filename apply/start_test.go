package apply_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// shapes returns the shapes that devices run, by name.
func shapes(t *testing.T, texts map[string][]byte) []*verify.Shape {
	t.Helper()
	var files []verify.File
	for name, text := range texts {
		files = append(files, verify.Text(name+"/"+fileOf(text), text))
	}
	all, err := verify.Read(files, 0)
	check(t, err)
	return all
}

// fileOf returns the name that a configuration has in the folder of its device.
func fileOf(text []byte) string {
	for _, f := range verify.Formats() {
		if f.Recognize(text[:min(len(text), 1<<16)]) != nil {
			return f.Files[0]
		}
	}
	return "unknown"
}

// written returns the configuration of a state.
func written(t *testing.T, sw *plan.Switch, name string) []byte {
	t.Helper()
	files, found := target.Render(sw, target.Forms(sw.Targets[0], nil))
	if found.HasErrors() {
		t.Fatal(found)
	}
	return files[0].Body.AppendFor(nil, name)
}

// standings returns the standings of a start by device.
func standings(s *apply.Start) map[string]*apply.Standing {
	all := map[string]*apply.Standing{}
	for _, d := range s.Devices {
		all[d.Device] = d
	}
	return all
}

// Each device is found in its state of the rollout, and the steps begin there: a device that has its first
// step does not get that step again.
func TestFrom(t *testing.T) {
	for _, name := range []string{"sonic, HwSKU known to the updater 202511: second lossless class", "eos and openconfig : second lossless class", "cumulus : longer cables", "junos : DSCP moves", "srlinux : second lossless class"} {
		s := sampleNamed(t, name)
		r := apply.Plan(s.before, s.after, diff.Compare(s.before, s.after))
		devices := r.Devices()
		texts := map[string][]byte{}
		for _, device := range devices {
			texts[device] = written(t, r.States[device][0], device)
		}
		further, done := devices[0], devices[1]
		texts[further] = written(t, r.States[further][1], further)
		texts[done] = written(t, r.States[done][len(r.States[done])-1], done)
		start := apply.From(s.before, s.after, shapes(t, texts), nil)
		is := standings(start)
		first := ""
		for _, step := range r.Steps {
			if first == "" && slices.ContainsFunc(step.Works, func(w apply.Work) bool { return w.Device == further }) {
				first = step.Name
			}
		}
		if len(r.States[further]) > 2 && (is[further].Class != apply.PartWay || is[further].Step != first) {
			t.Errorf("%s: %s is %v after %q, and not part-way after %s", name, further, is[further].Class, is[further].Step, first)
		}
		if is[done].Class != apply.New {
			t.Errorf("%s: %s is %v, and not new", name, done, is[done].Class)
		}
		for _, device := range devices[2:] {
			if is[device].Class != apply.Old {
				t.Errorf("%s: %s is %v, and not old: %v", name, device, is[device].Class, is[device].Lines)
			}
		}
		rest := apply.Plan(start.Plan, s.after, diff.Compare(start.Plan, s.after))
		if slices.Contains(rest.Devices(), done) || len(rest.States[further]) != len(r.States[further])-1 && len(r.States[further]) > 2 {
			t.Errorf("%s: %s has %d states left of %d, and %v change", name, further, len(rest.States[further]), len(r.States[further]), rest.Devices())
		}
	}
}

// A device without a file is unknown unless it is new, and so is one that runs another system.
func TestFromUnknown(t *testing.T) {
	s := sonicSample(t, "add switches or ports") // a third ToR
	texts := map[string][]byte{}
	for _, sw := range s.before.Switches {
		for _, name := range sw.Names {
			texts[name] = written(t, sw, name)
		}
	}
	delete(texts, "tor-1")
	texts["leaf-1"] = []byte("! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)\nhostname leaf-1\ninterface Ethernet1/1\n   mtu 9214\n")
	texts["spare"] = written(t, s.before.Switches[0], "spare")
	want := map[string]string{
		"tor-1": "unknown: its configuration is missing", "tor-2": "new: ", "leaf-2": "old: ",
		"leaf-1": "unknown: it runs EOS, but the fabric has sonic for it: that is another system, which has to be installed",
	}
	for fresh, tor3 := range map[string]string{"": "unknown: its configuration is missing", "tor-3": "fresh: "} {
		want["tor-3"] = tor3
		start := apply.From(nil, s.after, shapes(t, texts), []string{fresh})
		for name, d := range standings(start) {
			if got := fmt.Sprintf("%s: %s", d.Class, d.Why); got != want[name] {
				t.Errorf("%s is %q, and not %q", name, got, want[name])
			}
		}
		if !slices.Equal(start.Others, []string{"spare"}) {
			t.Errorf("not of the fabric: %v", start.Others)
		}
	}
	// The fabric as it was says that tor-3 is new.
	if d := standings(apply.From(s.before, s.after, shapes(t, texts), nil))["tor-3"]; d.Class != apply.Fresh {
		t.Errorf("tor-3 is %v", d.Class)
	}
	// Without the old fabric nothing says who configured the port to a third ToR. It stays, and is reported.
	grown := map[string][]byte{}
	for _, sw := range s.after.Switches {
		for _, name := range sw.Names {
			grown[name] = written(t, sw, name)
		}
	}
	start := apply.From(nil, s.before, shapes(t, grown), nil)
	if got := start.Leftovers["leaf-1"]; !slices.Equal(got, []string{"Ethernet8"}) {
		t.Errorf("left on leaf-1: %v", got)
	}
}

// inPercent are systems whose curves, partitions and pools are in per cent, and have no way back.
var inPercent = []string{"junos", "nvue", "srlinux"}

// begin lets the rollout of a lab begin at what its devices run, in place of the plan before. It reports
// what there would be no way back to.
func (l *lab) begin(t *testing.T, s sample) (lost []string) {
	t.Helper()
	texts, fresh := map[string][]byte{}, []string{}
	for name, d := range l.devices {
		if l.servers[name] == nil {
			texts[name] = d.Running()
		}
	}
	for _, sw := range s.after.Switches {
		for _, name := range sw.Names {
			if texts[name] == nil {
				fresh = append(fresh, name)
			}
		}
	}
	start := apply.From(nil, s.after, shapes(t, texts), fresh)
	for _, d := range start.Devices {
		if d.Class == apply.Unknown {
			t.Fatalf("%s: %s", d.Device, d.Why)
		}
		lost = append(lost, d.Lost...)
	}
	if lost != nil {
		return lost
	}
	l.rollout = apply.Plan(start.Plan, s.after, diff.Compare(start.Plan, s.after))
	l.rollout.Read = start.Read
	check(t, l.rollout.On(l.addresses, s.after.Hosts))
	return nil
}

// From a mixed state, with one device that has been done and one that was changed by hand, a rollout ends at
// the target. Its way back ends at what ran, the edit too.
func TestAnyState(t *testing.T) {
	for _, name := range []string{"sonic, HwSKU known to the updater 202505: alpha and curve", "eos and openconfig : alpha and curve", "cumulus : alpha and curve", "junos : watchdog", "srlinux : alpha and curve"} {
		s := sampleNamed(t, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, s)
			d := crash.New()
			l.stop = true // after the canary
			if err := l.carry(t, d, false, -1, fakedevice.None); err == nil {
				t.Fatal("one wave has changed all")
			}
			l.stop = false
			var done, edited string
			for _, name := range l.rollout.Devices() {
				if string(l.devices[name].Running()) != string(l.before[name]) {
					done = name
				} else if edited == "" {
					edited = name
				}
			}
			ran := map[string][]byte{}
			if !strings.HasPrefix(s.name, "junos") { // see TestNoWayBack
				l.devices[edited].Edit()
				l.devices[edited].Save()
				if string(l.devices[edited].Running()) == string(l.before[edited]) {
					t.Fatalf("%s was not edited", edited)
				}
			}
			for name, device := range l.devices {
				ran[name] = device.Running()
			}
			if lost := l.begin(t, s); lost != nil {
				t.Fatal(lost)
			}
			if slices.Contains(l.rollout.Devices(), done) {
				t.Errorf("%s is to be changed again", done)
			}
			d = crash.New()
			must.Do(t, l.carry(t, d, false, -1, fakedevice.None))
			l.arrived(t, s, false)
			must.Do(t, l.carry(t, d, true, -1, fakedevice.None))
			for name, device := range l.devices {
				l.same(t, name, ran[name], device.Running())
			}
		})
	}
}

// Junos has the largest frame of a port and that of its headroom. Where only the first was edited by hand, roceplan
// cannot write what runs, and says so.
func TestNoWayBack(t *testing.T) {
	s := sampleNamed(t, "junos : watchdog")
	l := newLab(t, s)
	l.devices["leaf-1"].Edit()
	start := apply.From(nil, s.after, shapes(t, map[string][]byte{"leaf-1": l.devices["leaf-1"].Running(), "leaf-2": l.devices["leaf-2"].Running()}), nil)
	for name, d := range standings(start) {
		if told := strings.Contains(strings.Join(d.Lost, "; "), "largest frame of its headroom"); told != (name == "leaf-1") {
			t.Errorf("%s: %v", name, d.Lost)
		}
	}
}

// same checks that a device runs what it ran: by lines, and with SONiC, where rows may have other names,
// by what they say.
func (l *lab) same(t *testing.T, name string, ran, runs []byte) {
	t.Helper()
	if _, sonic := l.devices[name].(*fakedevice.Sonic); !sonic {
		want, have := paths(ran), paths(runs)
		for line := range want {
			if !have[line] {
				t.Errorf("%s lacks %q, which it ran", name, line)
			}
		}
		for line := range have {
			if !want[line] {
				t.Errorf("%s has %q, which it did not run", name, line)
			}
		}
		return
	}
	var sides [2]*plan.Plan
	for i, text := range [][]byte{ran, runs} {
		sides[i] = &plan.Plan{Switches: []*plan.Switch{shapes(t, map[string][]byte{name: text})[0].Switch}}
	}
	if result := diff.Compare(sides[0], sides[1]); result.Any() {
		t.Errorf("%s does not run what it ran:\n%s", name, result.Text())
	}
}

// What a device runs before a change of the year can be written again: there is a way back to it. Where the file has
// shares in per cent there may be none.
func TestWaysBack(t *testing.T) {
	for _, s := range samples(t) {
		if strings.Contains(s.name, releases[1]) || strings.Contains(s.name, releases[2]) {
			continue // the file is that of the first release
		}
		texts, percent := map[string][]byte{}, false
		for _, sw := range s.before.Switches {
			percent = percent || slices.Contains(inPercent, sw.Targets[0])
			texts[sw.Names[0]] = written(t, sw, sw.Names[0])
		}
		for _, d := range apply.From(nil, s.after, shapes(t, texts), nil).Devices {
			if d.Lost != nil && !percent {
				t.Errorf("%s: %s: %v", s.name, d.Device, d.Lost)
			}
		}
	}
}
