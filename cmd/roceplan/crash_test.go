package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/plantest"
)

// writtenPod is a switch with three servers, whose priority is a variable.
const writtenPod = `
variable "priority" {
  type    = number
  default = 5
}
fabric "pod" {
  mtu             = "1522B"
  lossless_frame  = "1500B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
}
traffic_class "rdma" {
  dscp               = [46]
  queue              = var.priority
  pfc                = var.priority
  weight             = 60
  congestion_control = dcqcn
}
traffic_class "rest" {
  dscp   = rest
  queue  = 2
  weight = 40
}
nic "cx5" {
  model = "connectx-5"
}
switch "tor-1" {
  chip = "trident3"
  os   = sonic
  port_group "servers" {
    ports      = "Ethernet[0..2]"
    speed      = "25Gbps"
    lanes      = 1
    first_lane = 1
    cable      = "15m"
    peer       = nic.cx5
  }
}
`

// A writer is a command that writes to PLACE.
type writer struct {
	file  string // in which it writes
	args  string
	place string
	old   string // what is there before: "none", "file", "empty" folder, or "folder" with files of the user's
}

// writers are all commands that write. IN is a folder with what they read.
var writers = []writer{
	{"compile.go", "compile IN/pod.hcl -o PLACE", "/out/configs", "none"},
	{"fmt.go", "fmt PLACE", "IN/loose.hcl", "file"},
	{"fix.go", "check --fix --yes PLACE", "IN/wrong.hcl", "file"},
	{"init.go", "init PLACE", "/out/fabric.hcl", "none"},
	{"new.go", "new PLACE --gpus 8 --nic 25G --leaf trident3 --os eos", "/out/pod.hcl", "none"},
	{"report.go", "report IN/watched.hcl -o PLACE", "/out/page.html", "none"},
	{"report.go", "report IN/watched.hcl -o PLACE", "/out/page.html", "file"},
	{"alerts.go", "alerts IN/watched.hcl -o PLACE", "/out/rules", "none"},
	{"alerts.go", "alerts IN/watched.hcl -o PLACE", "/out/rules", "folder"},
	{"import.go", "import IN/leaf-1.cfg --chip trident3 -o PLACE", "/out/fabric", "none"},
	{"import.go", "import IN/leaf-1.cfg --chip trident3 -o PLACE --replace", "/out/fabric", "folder"},
	{"man.go", "man PLACE", "/out/man", "folder"},
	{"certificate.go", "verify IN/tor-1.json --chip trident3 --certificate PLACE", "/out/certificate.json", "none"},
	{"certificate.go", "verify IN/tor-1.json --chip trident3 --certificate PLACE", "/out/certificate.json", "file"},
	{"attack.go", "verify IN/tor-1.json --chip trident3 --response 100us --counterexample PLACE", "/out/lost.json", "file"},
	{"sim_series.go", "sim IN/pod.hcl --pattern incast-2 --time 2us --series PLACE", "/out/samples.csv", "file"},
	{"sim_plots.go", "sim IN/pod.hcl --pattern incast-2 --time 2us --plots PLACE", "/out/plots", "folder"},
	{"sweep_plot.go", "sim IN/pod.hcl --pattern incast-2 --time 2us --sweep gpus=3 --plots PLACE", "/out/plots", "folder"},
	{"sim_counters.go", "sim IN/pod.hcl --pattern incast-2 --time 2us --interval 2us --counters PLACE", "/out/counters", "none"},
	{"patch.go", "patch IN/pod.hcl tor-1 --var priority=3 --against IN/tor-1.json --steps PLACE", "/out/steps", "none"},
	{"rollout.go", "diff IN/watched.hcl IN/other.hcl --steps PLACE", "/out/steps", "none"},
	{"way.go", "diff IN/watched.hcl IN/other.hcl --steps /out/steps --certificate PLACE", "/out/way.json", "none"},
	{"apply.go", "apply IN/pod.hcl --from PLACE --devices IN/devices.txt --journal IN/journal --release 202505 --yes", "IN/running", "empty"},
}

// writerInputs returns the inputs.
func writerInputs(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pod.hcl": writtenPod, "other.hcl": strings.Replace(watchedPod, `"3m"`, `"5m"`, 1), "watched.hcl": watchedPod,
		"loose.hcl": strings.ReplaceAll(watchedPod, "  ", " "), "wrong.hcl": strings.Replace(watchedPod, `"3m"`, `"3"`, 1),
	} {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for fabric, files := range map[string][2]string{"pod.hcl": {"tor-1/config_db.json", "tor-1.json"}, "watched.hcl": {"leaf-1/eos.cfg", "leaf-1.cfg"}} {
		out := filepath.Join(dir, "configs")
		check(t, runOn(t, disk.System{}, "compile", filepath.Join(dir, fabric), "-o", out, "--force"))
		text, err := os.ReadFile(filepath.Join(out, files[0]))
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, files[1]), text, 0o666))
		check(t, os.RemoveAll(out))
	}
	check(t, os.Mkdir(filepath.Join(dir, "running"), 0o700))
	catalogue, _ := chips.Load()
	_, pod := plantest.Text(t, catalogue, writtenPod)
	setRelease(pod, "202505")
	_, devices := fakedevice.NewFleet(t).Run(pod)
	check(t, os.WriteFile(filepath.Join(dir, "devices.txt"), []byte(strings.Join(devices, "\n")), 0o666))
	return dir
}

// runOn runs a command that writes to a disk. That there are findings is no error.
func runOn(t *testing.T, d disk.FS, args ...string) error {
	var told bytes.Buffer
	err := dispatch(args, &terminal{Context: t.Context(), in: strings.NewReader(""), out: bufio.NewWriter(io.Discard), err: &told, tty: &told, disk: d})
	if errors.Is(err, errFindings) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w %s", err, told.Bytes())
	}
	return nil
}

// faultsOf has each call of a command fail in one of the ways, in turn; CI and the hunt try all. Of many
// files the calls are alike.
func faultsOf(at int) []crash.Fault {
	all := []crash.Fault{crash.EIO, crash.Short, crash.Late, crash.Full}
	switch {
	case *hunting || os.Getenv("CI") != "":
		return all
	case at >= 50 && at%4 != 0:
		return nil
	}
	return []crash.Fault{all[(at+at/4)%len(all)]}
}

// A mirror shows a file of a disk where commands read it.
type mirror struct {
	*crash.Disk
	place string
}

func (m mirror) show() error {
	return os.WriteFile(m.place, []byte(m.Tree(m.place)[""]), 0o666)
}

func (m mirror) Rename(from, to string) error {
	return errors.Join(m.Disk.Rename(from, to), m.show())
}

// trial makes the command with what is there before.
func (w writer) trial(t *testing.T, in string, losses int) crash.Trial {
	place := strings.Replace(w.place, "IN", in, 1)
	args := strings.Fields(w.args)
	for i := range args {
		args[i] = strings.NewReplacer("IN", in, "PLACE", place).Replace(args[i])
	}
	begin := crash.New()
	check(t, disk.MkdirAll(begin, filepath.Dir(place)))
	tr := crash.Trial{Name: w.args + " with " + w.old, Place: place, Losses: losses, Every: 401, Faults: faultsOf}
	switch w.old {
	case "file":
		text, err := os.ReadFile(place)
		if errors.Is(err, fs.ErrNotExist) {
			text, err = []byte("what was there before\n"), nil
		}
		check(t, err)
		check(t, disk.Put(begin, place, text, 0o666))
	case "empty":
		check(t, begin.Mkdir(place))
	case "folder":
		tr.Foreign = map[string]string{"notes": "mine"}
		check(t, errors.Join(begin.Mkdir(place), disk.Put(begin, place+"/notes", []byte("mine"), 0o666)))
	}
	tr.Disk = begin.Clone().Clone
	tr.Run = func(d *crash.Disk) error { return runOn(t, d, args...) }
	if w.old == "file" && place != w.place {
		tr.Run = func(d *crash.Disk) error {
			both := mirror{d, place}
			return errors.Join(both.show(), runOn(t, both, args...))
		}
	}
	done := tr.Disk()
	check(t, tr.Run(done))
	want, beside := done.Tree(place), done.Names(filepath.Dir(place))
	tr.Next = func(d *crash.Disk) error {
		before := d.Clone().Tree(place)
		err := tr.Run(d)
		switch got := d.Tree(place); {
		case err != nil && !maps.Equal(before, want): // some write into nothing alone, and all was there
			return err
		case !maps.Equal(got, want):
			return fmt.Errorf("it leaves %v", slices.Sorted(maps.Keys(got)))
		case err == nil && !slices.Equal(d.Names(filepath.Dir(place)), beside):
			return fmt.Errorf("beside it are %v", d.Names(filepath.Dir(place)))
		}
		return nil
	}
	return tr
}

// Each call of the file system that a command makes fails, is cut short, comes late, or is the last
// before the run is killed or power is lost, and a reader who knows nothing of the run finds what
// was there before or all that the command writes.
func TestCommandsWriteWhole(t *testing.T) {
	want := 0 // one round with all faults
	if *hunting {
		want = 1_000_000
	}
	in := writerInputs(t)
	states := 0
	var trials []crash.Trial
	for _, w := range writers {
		trials = append(trials, w.trial(t, in, 120))
	}
	for round := 0; round == 0 || states < want && !t.Failed(); round++ {
		for _, tr := range trials {
			states += tr.Round(t, round)
		}
	}
	t.Logf("%d commands, %d states", len(writers), states)
}

// Whoever writes is among the commands that are tried.
func TestWritersAreKnown(t *testing.T) {
	writes := regexp.MustCompile(`\bwhole\.(Write|Files|Folder|Begin|Open)\(|\b(tree\.Write|writeFolder)\(`)
	files, err := filepath.Glob("*.go")
	check(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		check(t, err)
		if !strings.HasSuffix(name, "_test.go") && writes.Match(text) && !slices.ContainsFunc(writers, func(w writer) bool { return w.file == name }) {
			t.Errorf("%s writes, and no command of it is tried", name)
		}
	}
}
