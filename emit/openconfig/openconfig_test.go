package openconfig

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func draw(t *rapid.T) *plan.Switch {
	return anyplan.Switch(t, anyplan.Want{
		Chip: "tomahawk5", OS: rapid.SampledFrom([]string{"eos", "openconfig", "sonic"}).Draw(t, "os"),
		LoadBalancing: []string{"", "ecmp", "adaptive"},
	})
}

func render(t interface{ Fatalf(string, ...any) }, s *plan.Switch) []byte {
	files, list := Emit(s)
	if list.HasErrors() {
		t.Fatalf("refused: %v", list)
	}
	return files[0].Body.AppendFor(nil, s.Names[0])
}

// TestValidUnderTheModels gives documents of random switches to yanglint.
func TestValidUnderTheModels(t *testing.T) {
	oracle.Command(t, "yanglint", "libyang2-tools")
	check := oracle.Shared(t, "tools/check-openconfig")
	dir := t.TempDir()
	var files []string
	for seed := range 25 {
		path := filepath.Join(dir, fmt.Sprintf("%d.json", seed))
		s := rapid.Custom(draw).Example(seed)
		must.Do(t, os.WriteFile(path, render(t, s), 0o600))
		files = append(files, path)
	}
	if out, err := exec.Command(check, files...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTheModelsRefuseABrokenDocument shows that the check above can fail.
func TestTheModelsRefuseABrokenDocument(t *testing.T) {
	oracle.Command(t, "yanglint", "libyang2-tools")
	check := oracle.Shared(t, "tools/check-openconfig")
	path := filepath.Join(t.TempDir(), "broken.json")
	text := strings.Replace(string(render(t, rapid.Custom(draw).Example(3))), `"IPV4"`, `"IPV5"`, 1)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	if out, err := exec.Command(check, path).CombinedOutput(); err == nil {
		t.Errorf("yanglint takes a classifier of type IPV5:\n%s", out)
	}
}

// paths lists the schema paths of all leaves of a document.
func paths(v any, at string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			_, bare, found := strings.Cut(name, ":")
			if !found {
				bare = name
			}
			paths(child, at+"/"+bare, into)
		}
	case []any:
		for _, child := range v {
			if _, ok := child.(map[string]any); !ok {
				into[at] = true
				return
			}
			paths(child, at, into)
		}
	default:
		into[at] = true
	}
}

// TestNothingThatEOSRefuses compares the paths of EOS documents with the deviations
// that Arista publishes.
func TestNothingThatEOSRefuses(t *testing.T) {
	var refused []string
	for _, row := range oracle.Rows(t, "eos_refused_paths.csv") {
		refused = append(refused, row["path"])
	}
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		s.OS = "eos"
		var doc any
		must.Do(t, json.Unmarshal(render(t, s), &doc))
		have := map[string]bool{}
		paths(doc, "", have)
		for path := range have {
			for _, r := range refused {
				if path == r || strings.HasPrefix(path, r+"/") {
					t.Fatalf("prints %s, which EOS refuses", path)
				}
			}
		}
	})
}

// TestFindings: what the models and EOS leave out, and what does not fit a leaf.
func TestFindings(t *testing.T) {
	diagtest.Golden(t, "testdata/findings.txt", plantest.Findings(t, func() *plan.Switch { return rack(1) }, Emit, []plantest.Fault[plan.Switch]{
		{"every intent, under the models", func(*plan.Switch) {}},
		{"every intent, on EOS", func(s *plan.Switch) { s.OS, s.Targets = "eos", []string{"eos", "openconfig"} }},
		{"rounding", func(s *plan.Switch) { s.Ports[0].QoS.Queues[1].ECN.PMax.Value = units.Percent / 2 }},
		{"a frame beyond the leaf mtu", func(s *plan.Switch) { s.Ports[0].MTU = 70_000 }},
		{"a limit beyond its leaf", func(s *plan.Switch) { s.Ports[0].QoS.Queues[0].Limit = given(plan.Limit{Static: 5 * units.GiB}) }},
	}))
}

func TestDocuments(t *testing.T) {
	diagtest.Golden(t, "testdata/generic.json", string(render(t, rack(2))))
	onEOS := rack(2)
	onEOS.OS = "eos"
	diagtest.Golden(t, "testdata/eos.json", string(render(t, onEOS)))
}

func given[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

// rack is a switch with every kind of intent.
func rack(ports int) *plan.Switch {
	s := &plan.Switch{
		Names: []string{"leaf-1"}, Chip: "tomahawk5", OS: "openconfig", Cell: 254, LoadBalancing: "adaptive", MTU: given(units.Bytes(9216)),
		Classes: []plan.Class{
			{Name: "rest", TrafficClass: 1, Queue: 1, DSCPs: []uint8{0}},
			{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, DSCPs: []uint8{26}, Lossless: true},
			{Name: "cnp", TrafficClass: 6, Queue: 6, DSCPs: []uint8{48}},
		},
		Pools:    []plan.Pool{{Name: "ingress", Dynamic: true, Size: given(100_000 * units.Bytes(254)), Headroom: given(100 * units.Bytes(254))}},
		Watchdog: &plan.Watchdog{Detection: given(200 * units.Millisecond), Restoration: given(400 * units.Millisecond), Poll: given(100 * units.Millisecond), Action: plan.WatchdogDrop},
		Marking:  &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: 3}}, DefaultTC: 1},
	}
	for d := range s.Maps.DSCPToTC {
		s.Maps.DSCPToTC[d] = 1
	}
	s.Maps.DSCPToTC[26], s.Maps.DSCPToTC[48] = 3, 6
	for i := range uint8(8) {
		s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i] = i, i
	}
	s.Maps.TCToPG[3], s.Maps.PFCToPG[3] = 3, 3
	half := given(plan.Limit{Dynamic: true, Alpha: -1})
	q := &plan.PortQoS{
		PFC: 1 << 3, Watchdog: true, Trust: plan.TrustNone,
		PGs: []plan.PG{
			{ID: 0, Pool: "ingress", Limit: half},
			{ID: 3, Pool: "ingress", Limit: half, Lossless: true, XOnOffset: given(units.Bytes(2540)), Headroom: given(370 * units.Bytes(254))},
		},
		Queues: []plan.Queue{
			{ID: 1, Limit: half, Scheduler: plan.Scheduler{Weight: given(int64(40)), MaxRate: given(10 * units.Gbps)}},
			{ID: 3, Limit: half, Scheduler: plan.Scheduler{Weight: given(int64(60))}, ECN: &plan.ECN{KMin: given(units.Bytes(254_000)), KMax: given(units.Bytes(508_000)), PMax: given(5 * units.Percent)}},
			{ID: 6, Limit: half, Scheduler: plan.Scheduler{Strict: true, MaxRate: given(units.Gbps)}},
		},
	}
	for i := range ports {
		s.Ports = append(s.Ports, plan.Port{Name: fmt.Sprintf("Ethernet%d/1", i+1), Group: "servers", MTU: 9216, QoS: q})
	}
	return s
}

func BenchmarkEmit64Ports(b *testing.B) {
	s := rack(64)
	b.ReportAllocs()
	for b.Loop() {
		if _, list := Emit(s); list.HasErrors() {
			b.Fatal(list)
		}
	}
}
