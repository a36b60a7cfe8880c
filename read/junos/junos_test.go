package junos_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	schema "github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/junos"
	"github.com/roceplan/roceplan/units"
)

var qfx5240 = read.Options{}

// Each archive holds a configuration with faults, and what is said of it on their lines.
func TestFindings(t *testing.T) {
	diagtest.Run(t, "testdata", 5, func(t *testing.T, archive *txtar.Archive) diag.List {
		f := archive.Files[0]
		return junos.Read(f.Name, f.Data, qfx5240).Found
	})
}

func want() anyplan.Want {
	return anyplan.Want{
		Chip: "tomahawk5", OS: "junos", Dynamic: true, OneBuffer: true,
		PortName:      func(i int) string { return fmt.Sprintf("et-0/0/%d", i) },
		LoadBalancing: []string{"", "flowlet", "adaptive"},
		Actions:       []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogForward},
	}
}

// drawn draws a switch that Junos can be told, and prints it.
func drawn(t *rapid.T, print func(*plan.Switch) ([]emit.File, diag.List)) (*plan.Switch, []byte) {
	s := anyplan.Switch(t, want())
	s.Marking = nil // the emitter says that it is carried in part
	for i := range s.Ports {
		s.Ports[i].QoS.Trust = plan.TrustDSCP
	}
	files, found := print(s)
	if found.HasErrors() {
		t.Skip("Junos does not support this switch:", found) // shares a queue, polls in half milliseconds, …
	}
	return s, files[0].Body.AppendFor(nil, s.Names[0])
}

// What is printed is read back: everything of a plan that Junos has words for.
func TestEmitThenRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, text := drawn(t, schema.Emit)
		result := junos.Read("junos.conf", text, qfx5240)
		if result.Found.HasErrors() {
			t.Fatalf("%v\n%s", result.Found, text)
		}
		for _, st := range result.Ledger.Unmodelled() {
			t.Errorf("%s is not modelled: %s", st.Text, st.Why)
		}
		if diff := cmp.Diff(held(s), held(result.Switch)); diff != "" {
			t.Fatalf("-printed +read:\n%s\n%s", diff, text)
		}
	})
}

// A heldPort is what Junos carries of a port.
type heldPort struct {
	Name    string
	Speed   units.BitRate
	Cable   units.Length
	MTU     units.Bytes
	PFC     uint8
	Dog     bool
	Resume  map[uint8]units.Bytes
	Queues  map[uint8]plan.Scheduler
	Classes string
}

func held(s *plan.Switch) (all []heldPort) {
	for _, p := range s.Ports {
		h := heldPort{Name: p.Name, Speed: p.Speed, MTU: p.MTU, PFC: p.QoS.PFC, Resume: map[uint8]units.Bytes{}, Queues: map[uint8]plan.Scheduler{}, Classes: byQueue(s)}
		if h.PFC != 0 {
			h.Cable = units.Length(units.CeilMulDiv(int64(p.Cable), 1, int64(units.Metre))) * units.Metre
			h.Dog = p.QoS.Watchdog && s.Watchdog != nil
			if h.Cable == 0 {
				h.Cable = 100 * units.Metre // Junos CLI reference, cable-length
			}
		}
		for _, g := range p.QoS.PGs {
			if !g.Lossless || p.QoS.PFC>>g.ID&1 == 0 || !fed(s, g.ID) {
				continue
			}
			if h.Resume[g.ID] = g.XOnOffset.Value; g.XOnOffset.Value == 0 {
				h.Resume[g.ID] = 20 * 254 // the emitter warns
			}
		}
		for _, q := range p.QoS.Queues {
			h.Queues[q.ID] = plan.Scheduler{Strict: q.Scheduler.Strict}
		}
		all = append(all, h)
	}
	return all
}

// fed reports whether some code point leads to a group: the offset stands there.
func fed(s *plan.Switch, group uint8) bool {
	for _, tc := range s.Maps.DSCPToTC {
		if s.Maps.TCToPG[tc] == group {
			return true
		}
	}
	return false
}

// byQueue says which queue and which pause each code point has.
func byQueue(s *plan.Switch) string {
	var b strings.Builder
	for d := range s.Maps.DSCPToTC {
		tc := s.Maps.DSCPToTC[d]
		fmt.Fprintf(&b, "%d:%d ", d, s.Maps.TCToQueue[tc])
	}
	return b.String()
}

// Text in braces and set commands say the same.
func TestBothFormsReadTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, curly := drawn(t, schema.Emit)
		files, _ := schema.EmitSet(s)
		set := files[0].Body.AppendFor(nil, s.Names[0])
		a, b := junos.Read("x", curly, qfx5240).Switch, junos.Read("x", set, qfx5240).Switch
		if !readtest.Same(a, b) {
			t.Fatalf("braces and commands differ:\n%s\n%s", curly, set)
		}
	})
}

var ledgerGolden = filepath.Join("..", "..", "golden", "ledger", "junos.txt")

// Juniper's validated configurations are read without an error that Junos itself would not
// raise, and every statement is accounted for; the golden file lists what is not modelled.
func TestJunipersConfigurations(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(oracle.Data(t, "junos"), "*.conf"))
	if err != nil || len(names) < 12 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	var out strings.Builder
	for _, name := range names {
		text := must.Get(os.ReadFile(name))(t)
		if junos.Format().Recognize(text) == nil {
			t.Errorf("%s is not recognized", name)
		}
		readtest.Summarize(&out, filepath.Base(name), junos.Read(filepath.Base(name), text, read.Options{}))
	}
	diagtest.Golden(t, ledgerGolden, out.String())
}

// Juniper's own design for RDMA on a QFX5240: what its text says, by its comments and by
// arithmetic on the defaults of the box.
func TestJunipersLosslessDesign(t *testing.T) {
	text := must.Get(os.ReadFile(oracle.Data(t, "junos/leaf1_qfx5240-64od.conf")))(t)
	r := junos.Read("leaf1.conf", text, qfx5240)
	if len(r.Switch.Names) != 1 || r.Switch.Names[0] != "GPU-R1-L1" {
		t.Errorf("the device has the name %v", r.Switch.Names)
	}
	p := r.Switch.Ports[0]
	if p.Name != "et-0/0/0:0" || p.Speed != 400*units.Gbps || p.MTU != 9220 || p.QoS.PFC != 1<<3 || !p.QoS.Watchdog {
		t.Errorf("first port: %s, %v, %v, PFC %b, watchdog %v; want et-0/0/0:0 of 400G, frames of 9216 B and an FCS of 4, PFC 3, watched", p.Name, p.Speed, p.MTU, p.QoS.PFC, p.QoS.Watchdog)
	}
	if tc := r.Switch.Maps.DSCPToTC[26]; r.Switch.Maps.TCToQueue[tc] != 4 || r.Switch.Maps.TCToPG[tc] != 3 || r.Switch.Maps.PFCToQueue[3] != 4 {
		t.Errorf("DSCP 26 goes to traffic class %d; want queue 4, group 3 and pauses for queue 4", tc)
	}
	// By default 84,206 KiB are shared, and ports own 30,847 and 47,208 KiB, of which they keep 15 and
	// 30 %, 4,627 and 14,162 KiB: 26,220 and 33,046 KiB are shared too. 24 % of 143,472 KiB are
	// 35,259,678.72 B: 138,817 whole cells of 254 B.
	must.Get(junos.Complete(r.Switch, "tomahawk5"))(t)
	for _, pool := range r.Switch.Pools {
		if pool.Name == "ingress-lossless" && pool.Headroom.Value != 138_817*254 {
			t.Errorf("the headroom pool is %v, want 35259518 B", pool.Headroom.Value)
		}
	}
}

// A group for every unit of every port takes time by their number: compared each with each it would
// take minutes.
func TestGroupOfMany(t *testing.T) {
	var text strings.Builder
	text.WriteString("groups { g { interfaces { <*> { unit <*> { description y; } } } } }\napply-groups g;\ninterfaces {\n")
	for i := range 60_000 {
		fmt.Fprintf(&text, "et-0/0/%d { unit %d { family inet; } }\n", i, i)
	}
	if r := junos.Read("x", []byte(text.String()+"}\n"), qfx5240); len(r.Switch.Ports) != 60_000 {
		t.Errorf("%d ports; %v", len(r.Switch.Ports), r.Found)
	}
}

// Hostile files end with a finding, in time.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"deep":      "class-of-service " + strings.Repeat("a { ", 200_000),
		"words":     "class-of-service " + strings.Repeat("a ", 1_000_000) + ";",
		"list":      "class-of-service { a [ " + strings.Repeat("a ", 1_000_000),
		"quote":     `system { host-name "` + strings.Repeat("a", 1_000_000),
		"brace":     "} } }",
		"comment":   "/* " + strings.Repeat("a", 1_000_000),
		"semicolon": strings.Repeat(";", 1_000_000),
		"delete":    "delete class-of-service",
	} {
		t.Run(name, func(t *testing.T) {
			r := junos.Read("x", []byte(text), qfx5240)
			if name != "comment" && name != "semicolon" && !r.Found.HasErrors() {
				t.Error("nothing is said of it")
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("class-of-service { forwarding-classes { class a queue-num 3 no-loss pfc-priority 3; } }"))
	f.Add([]byte("set class-of-service classifiers dscp x forwarding-class a loss-priority low code-points [ 000001 ef ]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := junos.Read("x", text, qfx5240)
		if r.Switch == nil {
			t.Fatal("no switch")
		}
	})
}
