package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/year"
)

// An applying calls apply on devices that run the pod of a year, for one of its changes.
type applying struct {
	t       *testing.T
	fleet   *fakedevice.Fleet
	folder  string
	from    string // in the folder; empty: the fabric as it was
	devices map[string]fakedevice.Device
}

func newApplying(t *testing.T, before, after string) *applying {
	t.Helper()
	a := &applying{t: t, folder: t.TempDir()}
	catalogue, _ := chips.Load()
	_, old := plantest.Text(t, catalogue, before)
	_, new := plantest.Text(t, catalogue, after)
	setRelease(old, "202505")
	a.fleet = fakedevice.NewFleet(t)
	var lines []string
	a.devices, lines = a.fleet.Run(old, new)
	for name, text := range map[string]string{"old.hcl": before, "new.hcl": after, "devices.txt": strings.Join(lines, "\n") + "\n"} {
		check(t, os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o666))
	}
	return a
}

// call runs the command, and checks its exit code and that its outputs, which it returns, have texts.
func (a *applying) call(code int, flags string, want ...string) string {
	a.t.Helper()
	in := func(name string) string { return filepath.Join(a.folder, name) }
	from := a.from
	if from == "" {
		from = "old.hcl"
	}
	args := append([]string{"apply", in("new.hcl"), "--from", in(from), "--devices", in("devices.txt"), "--journal", in("journal"), "--release", "202505", "--soak", "0s"}, strings.Fields(flags)...)
	var out, told strings.Builder
	if got := run(args, strings.NewReader(""), &out, &told, os.Getenv); got != code {
		a.t.Errorf("%s: exit code %d, not %d:\n%s%s", flags, got, code, out.String(), told.String())
	}
	for _, text := range want {
		if !strings.Contains(out.String()+told.String(), text) {
			a.t.Errorf("%s: no %q in\n%s%s", flags, text, out.String(), told.String())
		}
	}
	if strings.Contains(flags, "--json") {
		check(a.t, fitsSchema(args, []byte(out.String())))
	}
	return out.String() + told.String()
}

// change is a change of a year, by the names of both.
func change(t *testing.T, system, name string) year.Change {
	t.Helper()
	for _, y := range year.All(t) {
		for _, c := range y.Changes(t) {
			if y.System == system && c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("no change of %s is called %q", system, name)
	return year.Change{}
}

// Longer cables: the switches have room for them first, a person changes the cables, and the way back.
func TestApply(t *testing.T) {
	c := change(t, "sonic, HwSKU known to the updater", "longer cables")
	a := newApplying(t, c.Before, c.After)
	a.call(1, "--dry-run", "leaf-[1..2] tor-[1..2]: old", "03-cable: by hand: change the cables of")
	a.call(1, "--dry-run --json", `"end": "not begun"`, `"class": "old"`)
	a.call(2, "", "there is no terminal to ask on: add --yes")
	a.call(1, "--yes --wave 1", "01-whole leaf-1 kept", "1 wave is done, as --wave says")
	a.call(1, "--dry-run", "leaf-1: new", "leaf-2 tor-[1..2]: old")
	a.call(1, "--yes --only leaf-2", "01-whole leaf-2 kept", "tor-[1..2] are not named by --only")
	a.call(0, "--yes --until 02-whole", "02-whole tor-2 kept")
	a.call(1, "--yes", "03-cable: it is for a person: change the cables of leaf-[1..2] tor-[1..2]; do it, and run again with --done 03-cable")
	a.call(0, "--yes --done 03-cable", "done: the devices run the fabric")
	a.call(0, "--dry-run", "leaf-[1..2] tor-[1..2]: new")
	a.call(1, "--yes --undo", "undo-03-cable: it is for a person: take back, if it was done: change the cables")
	a.call(0, "--yes --undo --done undo-03-cable --json", `"end": "origin"`)
	a.call(1, "--dry-run", "leaf-[1..2] tor-[1..2]: old")

	a.devices["tor-2"].Edit()
	a.call(1, "--yes", "tor-2: drifted: replace /BUFFER_PROFILE/", "stopped at tor-2: it runs none of the states of this rollout")
	a.call(2, "--yes --until 07-none", "there is no step 07-none; the steps are 01-whole, 02-whole, 03-cable")
	a.call(2, "--yes --soak 9m", "--soak of 9m0s leaves too little of --confirm")
}

// A class that changes its queue: its traffic stops before the first step, and also before the first step of the way back from its
// end, which is proved by itself.
func TestApplyStopsFirst(t *testing.T) {
	c := change(t, "sonic, HwSKU known to the updater", "longer cables")
	after := strings.NewReplacer("= 3\n", "= 4\n").Replace(c.Before)
	if after == c.Before {
		t.Fatal("no class has queue 3")
	}
	a := newApplying(t, c.Before, after)
	a.call(1, "--dry-run", "00-quiet-26: by hand: stop traffic with DSCP 26 until the last step")
	a.call(1, "--yes", "00-quiet-26: it is for a person: stop traffic with DSCP 26")
	done := " --done 00-quiet-26 --done 01-accept --done 04-host --done 07-drop"
	a.call(0, "--yes"+done, "done: the devices run the fabric")
	a.call(1, "--yes --undo", "stopped at undo-00-quiet-26: it is for a person: stop traffic with DSCP 26 until the last step")
	a.call(0, "--yes --undo"+strings.ReplaceAll(done, "done ", "done undo-"), "done: the devices run their previous configuration")
}

// The way back begins at what the way there leaves, in which a row of BUFFER_PG for each class has taken the place of one for both: no
// switch is drained for them.
func TestApplyBackDrainsNothing(t *testing.T) {
	c := change(t, "sonic, HwSKU known to the updater", "second lossless class")
	a := newApplying(t, c.Before, c.After)
	devices, err := os.ReadFile(filepath.Join(a.folder, "devices.txt"))
	check(t, err)
	check(t, os.WriteFile(filepath.Join(a.folder, "devices.txt"), append(devices, "drain = true\nundrain = true\n"...), 0o666))
	a.call(0, "--yes --done 01-accept --done 04-host", "done: the devices run the fabric")
	if out := a.call(1, "--undo --dry-run", "undo-03-whole"); strings.Contains(out, "drained") {
		t.Errorf("a switch is drained:\n%s", out)
	}
}

// From any state: tor-2 was edited by hand, and no file has the fabric as it was. The folder is filled once, with what
// runs, which only its owner can read. A later call begins at that, and --undo leads back to it.
func TestApplyFromWhatRuns(t *testing.T) {
	c := change(t, "sonic, HwSKU known to the updater", "alpha and curve")
	a := newApplying(t, c.Before, c.After)
	a.from = "running"
	a.call(2, "--dry-run", "there is no file or folder")
	check(t, os.Mkdir(filepath.Join(a.folder, "running"), 0o700))
	a.devices["tor-2"].Edit()
	a.devices["tor-2"].Save()
	edited := a.devices["tor-2"].Running()
	a.call(1, "--dry-run", "leaf-[1..2] tor-[1..2]: old")
	if list, err := os.ReadDir(filepath.Join(a.folder, "running")); err != nil || len(list) > 0 {
		t.Errorf("--dry-run has filled the folder: %v, %v", list, err)
	}
	a.call(2, "--undo --yes", "running is empty, so it does not give the previous state of the devices")
	a.call(1, "--yes --wave 1", "1 wave is done, as --wave says")
	if info, err := os.Stat(filepath.Join(a.folder, "running", "tor-2", "config_db.json")); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("what tor-2 runs is in a file with %v, %v", info.Mode(), err)
	}
	a.call(0, "--yes", "done: the devices run the fabric")
	a.call(0, "--dry-run", "leaf-[1..2] tor-[1..2]: new")
	a.call(0, "--yes --undo", "done: the devices run their previous configuration")
	if got := string(a.devices["tor-2"].Running()); !strings.Contains(got, `"xoff":"4242"`) && !strings.Contains(got, `"xoff": "4242"`) || !strings.Contains(string(edited), "4242") {
		t.Errorf("tor-2 lost the edit: %s", got)
	}

	check(t, os.Remove(filepath.Join(a.folder, "running", "tor-2", "config_db.json")))
	a.call(1, "--dry-run", "error[rollout-unknown]: the configuration of tor-2 is not known: its configuration is missing")
}

// Another PFC priority turns PFC off for a moment on SONiC. Each switch is drained before, one of a tier at a time,
// and is back in service after it.
func TestApplyDrains(t *testing.T) {
	before := change(t, "sonic, HwSKU known to the updater", "longer cables").Before
	after := strings.Replace(before, "pfc                = 3", "pfc                = 4", 1)
	a := newApplying(t, before, after)
	a.call(2, "--dry-run", "nothing was sent: leaf-[1..2] tor-[1..2] would have to be drained, and no command does that: add lines drain = COMMAND and undrain = COMMAND")
	path := filepath.Join(a.folder, "devices.txt")
	lines, err := os.ReadFile(path)
	check(t, err)
	log := filepath.Join(a.folder, "log")
	hooks := func(text string) { check(t, os.WriteFile(path, append(lines, text...), 0o666)) }
	hooks("drain = echo out\n")
	a.call(2, "--dry-run", "drain and undrain go together")
	hooks("drain = echo BGP holds >&2; exit 3\nundrain = echo in $1 >>" + log + "\n")
	a.call(1, "--dry-run", "05-shrink: tor-[1..2]; drained, wave by wave: tor-[1..2]", "06-shrink: leaf-[1..2]; drained, wave by wave: leaf-[1..2]")
	a.call(1, "--yes --done 01-accept --done 04-host --done 07-drop", "tor-1: it could not be drained, and nothing was sent to it", "ended with exit status 3 BGP holds")
	check(t, os.Remove(log))
	hooks("drain = echo out $1 >>" + log + "\nundrain = echo in $1 >>" + log + "\n")
	a.call(0, "--yes --done 01-accept --done 04-host --done 07-drop", "05-shrink tor-1 draining: PFC priority ", "05-shrink tor-1 in service again", "done: the devices run the fabric")
	got, err := os.ReadFile(log)
	check(t, err)
	if want := "out tor-1\nin tor-1\nout tor-2\nin tor-2\nout leaf-1\nin leaf-1\nout leaf-2\nin leaf-2\n"; string(got) != want {
		t.Errorf("drained:\n%s", got)
	}

	// Another box takes its whole configuration, which apply does not load.
	box := filepath.Join(a.folder, "new.hcl")
	check(t, os.WriteFile(box, []byte(strings.ReplaceAll(before, "Arista-7050CX3-32S-C32", "Arista-7050CX3-32C-C32")), 0o666))
	a.call(2, "--dry-run", "nothing was sent: leaf-1 takes its whole configuration at once, which apply does not load: the HwSKU changes")
}

// What apply cannot do is refused by name before a device is asked anything.
func TestApplyRefuses(t *testing.T) {
	folder := t.TempDir()
	text := func(name, text string) string {
		path := filepath.Join(folder, name)
		check(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	c, alone := change(t, "eos and openconfig", "longer cables"), strings.NewReplacer(`["eos", "openconfig"]`, `["openconfig"]`)
	args := []string{"apply", text("new.hcl", alone.Replace(c.After)), "--from", text("old.hcl", alone.Replace(c.Before)), "--devices", text("devices.txt", ""), "--dry-run"}
	var out, told strings.Builder
	if code := run(args, strings.NewReader(""), &out, &told, os.Getenv); code != 2 || !strings.Contains(told.String(), "leaf-1 has no address for openconfig: add a line such as leaf-1=gnmi://admin@leaf-1:PORT") {
		t.Errorf("exit code %d: %s%s", code, out.String(), told.String())
	}
}

// A code point moves. Servers that have a line are changed with the switches, and those of a NIC without one
// are for a person, with the scripts of diff --steps.
func TestApplyServers(t *testing.T) {
	c := change(t, "junos", "DSCP moves")
	a := newApplying(t, c.Before, c.After)
	a.call(1, "--dry-run", "leaf-[1..2]: old", "01-accept: by hand: run roce.sh of this step (roceplan diff --steps) on the servers of nic cx7", "03-host: by hand", ", and restart programs with open queue pairs", "2 switches in 5 steps")

	steps := filepath.Join(t.TempDir(), "steps")
	var out, told strings.Builder
	if code := run([]string{"diff", filepath.Join(a.folder, "old.hcl"), filepath.Join(a.folder, "new.hcl"), "--steps", steps}, strings.NewReader(""), &out, &told, os.Getenv); code > 1 {
		t.Fatalf("diff --steps: %d\n%s%s", code, out.String(), told.String())
	}
	// 26 and 24 are the code points before and after; the ToS is four times that, with ECT(0).
	for file, wants := range map[string][]string{
		"01-accept/cx7/roce.sh":      {" 24,3", " 26,3", "put 106 "},
		"01-accept/cx7/undo/roce.sh": {" 24,0", " 26,3", "put 106 "},
		"03-host/cx7/roce.sh":        {" 24,3", " 26,3", "put 98 "},
		"05-drop/cx7/roce.sh":        {" 24,3", " 26,0", "put 98 "},
		"05-drop/cx7/undo/roce.sh":   {" 24,3", " 26,3", "put 98 "},
	} {
		text, err := os.ReadFile(filepath.Join(steps, file))
		check(t, err)
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q", file, want)
			}
		}
	}

	catalogue, _ := chips.Load()
	_, old := plantest.Text(t, catalogue, c.Before)
	servers, lines := a.fleet.RunServers(old.Hosts)
	devices := filepath.Join(a.folder, "devices.txt")
	text, err := os.ReadFile(devices)
	check(t, err)
	check(t, os.WriteFile(devices, []byte(string(text)+strings.Join(lines, "\n")+"\n"), 0o666))
	a.call(1, "--dry-run", "cx7-server-[1..2] leaf-[1..2]: old", "01-accept: cx7-server-[1..2]", "2 switches and 2 servers in 5 steps")
	for _, d := range servers {
		d.Keeps, d.Real = true, true
	}
	a.call(1, "--yes --pairs 0s", "queue pairs keep the ToS from before: cx7-server-1: 4 of python3 (pid 4242)", "add --done 03-host-pairs")
	a.call(1, "--dry-run", "cx7-server-[1..2]: part-way, after 03-host, state 3 of 4")
	for _, d := range servers {
		d.Keeps = false
	}
	a.call(0, "--yes --pairs 5s", "04-shrink leaf-1 kept", "05-drop cx7-server-2 kept", "done: the devices run the fabric")
	a.call(0, "--dry-run", "cx7-server-[1..2] leaf-[1..2]: new")
	servers["cx7-server-1"].Edit()
	a.call(1, "--yes", "cx7-server-1: drifted: eth2: DSCP 24 has priority 7 at the NIC, but 3", "stopped at cx7-server-1: it runs none of the states of this rollout")
	check(t, os.WriteFile(devices, []byte(strings.ReplaceAll(string(text)+lines[0], "nic=cx7", "nic=cx9")), 0o666))
	a.call(2, "--dry-run", "cx7-server-1 has nic=cx9, but the fabric has no NIC of that name")
}
