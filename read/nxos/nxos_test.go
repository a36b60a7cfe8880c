package nxos_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/nxos"
	"github.com/roceplan/roceplan/units"
)

func parse(name, text string) read.Result {
	return nxos.Format().Read(name, []byte(text), read.Options{})
}

// Each archive holds a configuration with faults, and what is said of it on their lines.
func TestFindings(t *testing.T) {
	diagtest.Run(t, "testdata", 3, func(t *testing.T, archive *txtar.Archive) diag.List {
		f := archive.Files[0]
		return parse(f.Name, expected.ReplaceAllString(string(f.Data), "")).Found
	})
}

// expected is what a line of an archive is to be told; NX-OS knows no remarks behind lines.
var expected = regexp.MustCompile(`(?m) *! want .*$`)

// design returns the configuration of the script in paregupt/nx-os, nxos_config_roce.py, with its
// defaults: what it asks for is in its arguments' help.
func design(t *testing.T) string {
	text := must.Get(os.ReadFile(oracle.Data(t, "nxos/paregupt-nxos_config_roce-printonly.cfg")))(t)
	return string(text)
}

func TestDesign(t *testing.T) {
	r := parse("roce.cfg", design(t))
	if r.Found.HasErrors() || r.Ledger.Count(read.Unmodelled) > 0 {
		t.Fatalf("%v\n%v", r.Found, r.Ledger.Unmodelled())
	}
	sw := r.Switch
	if len(sw.Ports) != 64 {
		t.Fatalf("%d ports", len(sw.Ports))
	}
	type class struct {
		Name     string
		Group    uint8
		DSCPs    []uint8
		Lossless bool
	}
	var got []class
	for _, c := range sw.Classes {
		got = append(got, class{c.Name, c.TrafficClass, c.DSCPs, c.Lossless})
	}
	var rest []uint8 // all but 24 to 31 and 48
	for d := range uint8(64) {
		if d/8 != 3 && d != 48 {
			rest = append(rest, d)
		}
	}
	want := []class{{"qos-group-0", 0, rest, false}, {"ROCEv2", 3, []uint8{24, 25, 26, 27, 28, 29, 30, 31}, true}, {"CNP", 7, []uint8{48}, false}}
	must.NoDiffIn(t, cmp.Diff(want, got), "-want +got:")
	p := sw.Ports[63]
	if p.Name != "Ethernet1/64" || p.MTU != 9216+22 || p.QoS.PFC != 1<<3 || !p.QoS.Watchdog {
		t.Errorf("%+v %+v", p, p.QoS)
	}
	if len(p.QoS.PGs) != 1 || p.QoS.PGs[0].ID != 3 || !p.QoS.PGs[0].Lossless || p.QoS.PGs[0].Headroom.Why != nil {
		t.Errorf("groups: %+v", p.QoS.PGs)
	}
	type queue struct {
		ID     uint8
		Strict bool
		Weight int64
		ECN    string
	}
	var queues []queue
	for _, q := range p.QoS.Queues {
		one := queue{q.ID, q.Scheduler.Strict, q.Scheduler.Weight.Value, ""}
		if q.ECN != nil {
			one.ECN = q.ECN.KMin.Value.String() + " " + q.ECN.KMax.Value.String() + " " + q.ECN.PMax.Value.String()
		}
		queues = append(queues, one)
	}
	marks := (950 * units.KB).String() + " " + (3000 * units.KB).String() + " " + (7 * units.Percent).String()
	must.NoDiffIn(t, cmp.Diff([]queue{{0, false, 50, ""}, {3, false, 50, marks}, {7, true, 0, ""}}, queues), "queues: -want +got:")
}

func buffers() string {
	return strings.Join([]string{
		"policy-map type network-qos N", "  class type network-qos c-8q-nq3", "    pause pfc-cos 4",
		"policy-map type queuing IN", "  class type queuing c-in-q3", "    pause buffer-size 27456 pause-threshold 12480 resume-threshold 12480",
		"policy-map type queuing OUT", "  class type queuing c-out-8q-q3", "    bandwidth remaining percent 50",
		"system qos", "  service-policy type network-qos N", "  service-policy type queuing input IN", "  service-policy type queuing output OUT",
		"interface Ethernet1/1", "  priority-flow-control mode on",
	}, "\n")
}

// A policy of type queuing for input sets the buffer: figures of a N93180YC-EX, NX-OS
// 10.3(8), 132 cells of 208 B with thresholds at 60 cells.
func TestPauseBuffer(t *testing.T) {
	r := parse("x", buffers())
	if len(r.Found) > 0 || len(r.Switch.Ports) != 1 {
		t.Fatal(r.Found, r.Switch.Ports)
	}
	g := r.Switch.Ports[0].QoS.PGs
	if len(g) != 1 || g[0].ID != 3 || g[0].Limit.Value != (plan.Limit{Static: 12480}) || g[0].Headroom.Value != 27456-12480 || g[0].XOn.Value != 12480 {
		t.Errorf("%+v", g)
	}
	m := r.Switch.Maps
	if m.PFCToPG[4] != 3 || m.PFCToQueue[4] != 3 || m.TCToPG[3] != 3 || r.Switch.Ports[0].QoS.PFC != 1<<4 {
		t.Errorf("%+v", m)
	}
}

// Configurations of others are read, and what is not modelled is named. The numbers of ports
// are counted by `grep -c` of "interface Ethernet".
func TestOthers(t *testing.T) {
	ports := map[string]int{"ms-93180yc-lab-full.config": 54, "azurelocal-tor-qos.cfg": 1, "paregupt-nxos_config_roce-printonly.cfg": 64}
	names := must.Get(filepath.Glob(filepath.Join(oracle.Data(t, "nxos"), "*")))(t)
	var out strings.Builder
	read := 0
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasPrefix(base, "LICENSE") {
			continue
		}
		read++
		text := must.Get(os.ReadFile(name))(t)
		if nxos.Format().Recognize(text) == nil {
			t.Errorf("%s is not recognized", base)
		}
		r := parse(base, string(text))
		if len(r.Switch.Ports) != ports[base] {
			t.Errorf("%s has %d ports, want %d", base, len(r.Switch.Ports), ports[base])
		}
		readtest.Summarize(&out, base, r)
	}
	if read < 6 {
		t.Fatalf("%d files", read)
	}
	diagtest.Golden(t, filepath.Join("..", "..", "golden", "ledger", "nxos.txt"), out.String())
}

func language() readtest.Language {
	return readtest.Language{
		Format: nxos.Format(),
		Statement: func(line string) bool {
			line = strings.TrimSpace(line)
			return line != "" && line[0] != '!'
		},
		Undone: func(line string) []string {
			command := strings.TrimLeft(line, " ")
			blanks := line[:len(line)-len(command)]
			if rest, ok := strings.CutPrefix(command, "no "); ok {
				return []string{blanks + rest}
			}
			return []string{blanks + "no " + command}
		},
		SectionEnd: func(lines []string, i int) int {
			end := i + 1
			for j := i + 1; j < len(lines) && (strings.TrimSpace(lines[j]) == "" || indent(lines[j]) >= indent(lines[i])); j++ {
				end = j + 1
			}
			return end
		},
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// alike are edits that change nothing that a device does, by kind and shape, each with its
// reason.
func alike() map[string]string {
	const (
		idle      = "no packet reaches the queue, and it has no share"
		lossy     = "the class is not paused"
		isDefault = "it sets the default: Cisco Nexus 9000 guide, Quality of Service and Interfaces"
	)
	return map[string]string{
		"deleted: class type queuing c-out-Nq-qN":        idle,
		"undone: class type queuing c-out-Nq-qN":         idle,
		"number: class type queuing c-out-Nq-qN":         idle,
		"undone: class type network-qos c-Nq-nqN":        lossy,
		"undone: class type network-qos c-Nq-nq-default": lossy,
		"undone: mtu N":               lossy,
		"undone: class class-default": isDefault,
		"deleted: set qos-group N":    isDefault,
		"undone: set qos-group N":     isDefault,
		"deleted: no shutdown":        isDefault,
	}
}

var number = regexp.MustCompile(`[0-9]+`)

// Every line of these files is deleted, doubled, taken back, and each of its numbers changed:
// what shows nowhere is in the table above.
func TestEveryLine(t *testing.T) {
	known, used := alike(), map[string]bool{}
	files := map[string]string{"roce.cfg": design(t), "buffers.cfg": buffers()}
	text := must.Get(os.ReadFile(oracle.Data(t, "nxos/azurelocal-tor-qos.cfg")))(t)
	files["azure.cfg"] = string(text)
	for name, text := range files {
		language().Try(name, []byte(text), func(trial readtest.Trial) {
			if trial.Shown != readtest.Nowhere || strings.HasPrefix(trial.Kind, "doubled") {
				return // a section that says a line twice says it once
			}
			key := trial.Kind + ": " + number.ReplaceAllString(strings.TrimSpace(trial.Line), "N")
			if used[key] = true; known[key] == "" {
				t.Errorf("%s: %q %s, now %q: nothing shows it\n\t%q", name, trial.Line, trial.Kind, trial.Edited, key)
				known[key] = "told once"
			}
		})
	}
	for key := range known {
		if !used[key] {
			t.Errorf("nothing needs the table's %q", key)
		}
	}
}

// Files beyond all bounds are read up to there.
func TestBounds(t *testing.T) {
	var interfaces strings.Builder
	for i := range 20_001 {
		fmt.Fprintf(&interfaces, "interface Ethernet%d/%d/%d\n", i/10_000, i/100%100, i%100)
	}
	var got strings.Builder
	for _, text := range []string{strings.Repeat("\x00", 33<<20), interfaces.String(), strings.Repeat("class-map type qos a b\nclass-map type qos x\nmatch dscp 64\n", 1001)} {
		r := parse("huge.cfg", text)
		if last := r.Ledger.Statements[len(r.Ledger.Statements)-1]; last.Sort != read.Unmodelled || last.Why != "this line and all below are not read" && last.Why != "the file is not read" || last.Touches.Ports != nil {
			t.Errorf("the last statement is %+v", last)
		}
		ends := slices.DeleteFunc(r.Found, func(d diag.Diagnostic) bool { return d.Code == nxos.Number || d.Code == nxos.Unknown })
		must.Do(t, (diag.Text{}).Write(&got, ends))
	}
	diagtest.Golden(t, "testdata/bounds.txt", got.String())
}

func FuzzRead(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range archives {
		text := must.Get(os.ReadFile(name))(f)
		f.Add(string(text))
	}
	f.Add("interface Ethernet1/1-64\npriority-flow-control mode on\nmtu 9216\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := parse("fuzz", text)
		for _, s := range r.Ledger.Statements {
			if s.At.Start.Byte > len(text) || s.At.End.Byte > len(text) {
				t.Fatalf("%v lies outside", s.At)
			}
		}
		if !slices.IsSortedFunc(r.Ledger.Statements, func(a, b read.Statement) int { return a.At.Start.Byte - b.At.Start.Byte }) {
			t.Fatal("the ledger is not in the order of the file")
		}
	})
}
