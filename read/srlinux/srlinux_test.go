package srlinux_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/srlinux"
	"github.com/roceplan/roceplan/units"
)

// JSON has no comments: what is found in the documents of faults.txtar stands beside them,
// in findings.txt.
func TestFindings(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/faults.txtar"))(t)
	var out strings.Builder
	for _, f := range archive.Files {
		_, found := readtest.Switch(srlinux.Format(), f.Name, f.Data)
		if len(found) == 0 {
			t.Errorf("nothing is found in %s", f.Name)
		}
		must.Do(t, (diag.Text{Sources: diag.Sources{f.Name: f.Data}}).Write(&out, found))
	}
	diagtest.Golden(t, "testdata/findings.txt", out.String())
}

// drawn draws a switch that SR Linux can be told, and prints it.
func drawn(t *rapid.T) (*plan.Switch, []byte) {
	s := anyplan.Switch(t, anyplan.Want{
		Chip: "tomahawk5", OS: "srlinux",
		PortName: func(i int) string { return fmt.Sprintf("ethernet-1/%d", i+1) },
		Actions:  []plan.WatchdogAction{plan.WatchdogForward},
	})
	s.Marking = nil // the emitter says that it is carried in part
	for i := range s.Ports {
		s.Ports[i].QoS.Trust = plan.TrustDSCP
	}
	files, found := schema.Emit(s)
	if found.HasErrors() {
		t.Skip("SR Linux does not support this switch:", found) // priorities share a queue, frames are too short
	}
	return s, files[0].Body.AppendFor(nil, s.Names[0])
}

// What is printed is read back: everything of a plan that SR Linux has leaves for.
func TestEmitThenRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, text := drawn(t)
		result := srlinux.Format().Read("srlinux.json", text, read.Options{})
		if result.Found.HasErrors() {
			t.Fatalf("%v\n%s", result.Found, text)
		}
		for _, st := range result.Ledger.Unmodelled() {
			t.Errorf("%s is not modelled: %s", st.Text, st.Why)
		}
		printed, got := held(s), held(result.Switch)
		for i := range min(len(printed), len(got)) { // dynamic limits come back as static ones
			maps.DeleteFunc(got[i].Limit, func(id uint8, _ units.Bytes) bool { return printed[i].Limit[id] == 0 })
		}
		if diff := cmp.Diff(printed, got); diff != "" {
			t.Fatalf("-printed +read:\n%s\n%s", diff, text)
		}
	})
}

// A heldPort is what SR Linux carries of a port.
type heldPort struct {
	Name     string
	Speed    units.BitRate
	MTU      units.Bytes
	PFC      uint8
	Watched  bool
	Headroom map[uint8]units.Bytes
	Limit    map[uint8]units.Bytes // static ones of lossless groups
	Queues   map[uint8]string
	Classes  string
}

func held(s *plan.Switch) (all []heldPort) {
	for _, p := range s.Ports {
		h := heldPort{
			Name: p.Name, Speed: p.Speed, MTU: p.MTU, PFC: p.QoS.PFC, Watched: p.QoS.PFC != 0 && p.QoS.Watchdog && s.Watchdog != nil,
			Headroom: map[uint8]units.Bytes{}, Limit: map[uint8]units.Bytes{}, Queues: map[uint8]string{}, Classes: waysOf(s),
		}
		for _, g := range p.QoS.PGs {
			if !g.Lossless || !paused(s, p.QoS.PFC, g.ID) {
				continue
			}
			h.Headroom[g.ID] = g.Headroom.Value
			if l := g.Limit.Value; !l.Dynamic && l.Static > 0 && l.Static < units.GiB {
				h.Limit[g.ID] = l.Static
			}
		}
		for _, q := range p.QoS.Queues {
			h.Queues[q.ID] = queueText(&q)
		}
		all = append(all, h)
	}
	return all
}

func paused(s *plan.Switch, pfc, group uint8) bool {
	for p, g := range s.Maps.PFCToPG {
		if g == group && pfc>>p&1 == 1 {
			return true
		}
	}
	return false
}

// queueText returns the exact parts of a queue: marking thresholds, strictness and weight.
func queueText(q *plan.Queue) string {
	weight := max(1, q.Scheduler.Weight.Value)
	if q.Scheduler.Strict {
		weight = 0
	}
	curve := "none"
	if e := q.ECN; e != nil {
		curve = fmt.Sprintf("%d to %d, %d %%", e.KMin.Value, e.KMax.Value, max(1, int64(e.PMax.Value/units.Percent)))
	}
	return fmt.Sprintf("strict %v, weight %d, marking %s", q.Scheduler.Strict, weight, curve)
}

// waysOf says of each code point its queue, and of each paused priority its group and queue.
func waysOf(s *plan.Switch) string {
	var b strings.Builder
	known := map[uint8]bool{}
	for _, c := range s.Classes {
		known[c.TrafficClass] = true
	}
	for d, tc := range s.Maps.DSCPToTC {
		if known[tc] {
			fmt.Fprintf(&b, "%d:%d ", d, s.Maps.TCToQueue[tc])
		}
	}
	for _, p := range s.Ports {
		for priority := range uint8(8) {
			if p.QoS.PFC>>priority&1 == 1 {
				fmt.Fprintf(&b, "pfc %d: group %d ", priority, s.Maps.PFCToPG[priority])
			}
		}
	}
	return b.String()
}

// Every change of every leaf shows: in the plan, by a finding, or in the ledger.
func TestEveryLeafIsAccountedFor(t *testing.T) {
	report := readtest.Report{}
	for _, file := range []string{
		"../../emit/srlinux/testdata/leaf.json", filepath.Join("testdata", "everything.json"), oracle.Shared(t, "yang/srlinux/sample_ok.json"),
	} {
		text := must.Get(os.ReadFile(file))(t)
		tree := must.Get(readtest.ParseTree(text))(t)
		readIt := func(text []byte) read.Result { return srlinux.Format().Read("srlinux.json", text, read.Options{}) }
		old := readIt(tree.Text())
		for e := range tree.Edits() {
			o := readtest.Compare(old, readIt(e.Text), e.Before, e.After)
			if o.Shows == "" {
				t.Errorf("%s: %s of %s shows nowhere", filepath.Base(file), e.What, e.Path)
			}
			report.Add(e.What, e.Path, o)
		}
	}
	diagtest.Golden(t, "../../golden/ledger/srlinux.txt", report.String())
}

// A document that others made, valid for Nokia's models: what it says by its own text.
func TestSample(t *testing.T) {
	text := must.Get(os.ReadFile(oracle.Shared(t, "yang/srlinux/sample_ok.json")))(t)
	sw, found := readtest.Switch(srlinux.Format(), "sample.json", text)
	if !found.HasErrors() || found[0].Code != srlinux.NotMarking {
		t.Errorf("it has a curve, and nothing that turns marking on: %v", found)
	}
	p := sw.Ports[0]
	g := p.QoS.PGs[0]
	if p.Name != "ethernet-1/1" || p.QoS.PFC != 1<<3 || g.Headroom.Value != 165_100 || g.Limit.Value.Static != 4_000_000 || !p.QoS.Watchdog {
		t.Errorf("port %s, PFC %b, headroom %v, limit %v", p.Name, p.QoS.PFC, g.Headroom.Value, g.Limit.Value)
	}
	// One half says 10 %, the other nothing, which is 1 %: 1 % of the 166,115,492 B of Tomahawk 5
	// are 1,661,154.92 B, 6,539 cells of 254 B.
	must.Get(srlinux.Complete(sw, "tomahawk5"))(t)
	must.Equalf(t, sw.Pools[1].Headroom.Value, 6_539*254, "the headroom pool is")
}

func FuzzRead(f *testing.F) {
	text := must.Get(os.ReadFile("../../emit/srlinux/testdata/leaf.json"))(f)
	f.Add(text)
	f.Add([]byte(`{"srl_nokia-qos:qos":{"interfaces":{"interface":[{"interface-id":"a.b"},{"interface-id":""}]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if sw, _ := readtest.Switch(srlinux.Format(), "x", text); sw == nil {
			t.Fatal("no switch")
		}
	})
}

// An MTU matters where the largest packet of RoCEv2 does not fit: 4,184 B of IP, and 6 + 6 + 4 + 2
// more in a frame with one VLAN tag, of which srl_nokia-interfaces and Nokia's guide (Interfaces,
// MTU) count all but the FCS.
func TestMTUs(t *testing.T) {
	const subinterface, system = `{"interface": [{"name": "ethernet-1/1", "subinterface": [{"index": 0, "%s": %d}]}]}`, `{"system": {"mtu": {"%s": %d}}}`
	for _, c := range []struct {
		format, leaf string
		fits         int
	}{{subinterface, "ip-mtu", 4184}, {subinterface, "l2-mtu", 4202}, {system, "default-ip-mtu", 4184}, {system, "default-l2-mtu", 4202}, {system, "default-port-mtu", 4202}} {
		for v, want := range map[int]read.Sort{c.fits: read.Neutral, c.fits - 1: read.Unmodelled} {
			all := srlinux.Format().Read("f", fmt.Appendf(nil, c.format, c.leaf, v), read.Options{}).Ledger.Statements
			if last := all[len(all)-1]; last.Sort != want || !strings.HasSuffix(last.Text, fmt.Sprint(c.leaf, " ", v)) {
				t.Errorf("%s %d: %+v", c.leaf, v, last)
			}
		}
	}
}
