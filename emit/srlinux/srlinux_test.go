package srlinux_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/internal/anyplan"
	"github.com/roceplan/roceplan/internal/oracle"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A validator checks documents against Nokia's models.
type validator struct{ lint, models, features string }

func newValidator(t *testing.T) validator {
	v := validator{lint: oracle.Command(t, "yanglint", "libyang2-tools"), models: oracle.Shared(t, "yang/srlinux")}
	text, err := os.ReadFile(filepath.Join(v.models, "srl_nokia-features.yang"))
	if err != nil {
		t.Fatal(err)
	}
	var features []string
	for _, m := range regexp.MustCompile(`(?m)^  feature ([a-z0-9A-Z._-]+)`).FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(absent, m[1]) {
			features = append(features, m[1])
		}
	}
	v.features = "srl_nokia-features:" + strings.Join(features, ",")
	return v
}

// absent are features that a 7220 IXR does not have: a rewriting policy for ECN is for
// Jericho 2 (leaf ecn-dscp-policy); its queues are for one receiver or for many; the default of a leaf of the facility loopback offends
// against its own rule.
var absent = []string{"qos-ecn-dscp-policy", "qos-multi-traffic-queue", "loopback-mode-facility"}

// refuse returns what the models say against a document; empty: nothing. Some rules of
// Nokia's compare with leaves that are not there, or a leaf with false(), which no document
// passes by the letter of XPath though devices take it: that against 802.3x and that against
// PFC of subinterfaces (leaf pfc-enable), so ports are checked against the models without
// interface-ref, and subinterfaces by themselves without the feature of PFC; and that of leaf
// sequence, priority != 'strict', so all inputs of schedulers are given to sequence 0.
func (v validator) refuse(folder string, text []byte) string {
	return v.run(folder, text, v.features, portsAlone) + v.run(folder, text, v.without("qos-pfc"), subinterfacesAlone)
}

// portsAlone takes subinterfaces out.
func portsAlone(doc map[string]any) {
	var ports []any
	for _, i := range list(doc, "srl_nokia-qos:qos", "interfaces", "interface") {
		if i["interface-ref"].(map[string]any)["subinterface"] == nil {
			delete(i, "interface-ref")
			ports = append(ports, i)
		}
	}
	at(doc, "srl_nokia-qos:qos", "interfaces")["interface"] = ports
	for _, policy := range list(doc, "srl_nokia-qos:qos", "scheduler-policies", "scheduler-policy") {
		var inputs []any
		for _, s := range list(policy, "scheduler") {
			inputs = append(inputs, s["input"].([]any)...)
		}
		policy["scheduler"] = []any{map[string]any{"sequence": 0, "priority": "strict", "input": inputs}}
	}
}

// subinterfacesAlone takes ports out, and puts in the subinterfaces that routing makes.
func subinterfacesAlone(doc map[string]any) {
	routed := []any{map[string]any{"index": 0, "type": "routed"}}
	for _, i := range list(doc, "srl_nokia-interfaces:interface") {
		if i["breakout-mode"] == nil {
			i["subinterface"] = routed
		}
	}
	var subinterfaces []any
	for _, i := range list(doc, "srl_nokia-qos:qos", "interfaces", "interface") {
		if i["interface-ref"].(map[string]any)["subinterface"] != nil {
			subinterfaces = append(subinterfaces, i)
		}
	}
	qos := at(doc, "srl_nokia-qos:qos")
	at(qos, "interfaces")["interface"] = subinterfaces
	delete(at(qos, "queues"), "pfc-queue")
	for _, name := range []string{"pfc-mapping-profile", "buffer-management", "linecard", "scheduler-policies"} {
		delete(qos, name)
	}
}

// without are the features but those that begin with a word.
func (v validator) without(word string) string {
	module, all, _ := strings.Cut(v.features, ":")
	list := slices.DeleteFunc(strings.Split(all, ","), func(f string) bool { return strings.HasPrefix(f, word) })
	return module + ":" + strings.Join(list, ",")
}

func (v validator) run(folder string, text []byte, features string, change func(map[string]any)) string {
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		return err.Error()
	}
	change(doc)
	changed, err := json.Marshal(doc)
	if err != nil {
		return err.Error()
	}
	file := filepath.Join(folder, "srlinux.json")
	if err := os.WriteFile(file, changed, 0o644); err != nil {
		return err.Error()
	}
	out, err := exec.Command(v.lint, "-Q", "-p", v.models, "-t", "config", "-F", features,
		filepath.Join(v.models, "srl_nokia-features.yang"), filepath.Join(v.models, "srl_nokia-qos.yang"), file).CombinedOutput()
	if err != nil {
		return string(out) + err.Error()
	}
	return ""
}

// at follows names from container to container.
func at(in map[string]any, path ...string) map[string]any {
	for _, name := range path {
		in, _ = in[name].(map[string]any)
	}
	return in
}

// list is a list of entries below containers, empty where there is none.
func list(in map[string]any, path ...string) (entries []map[string]any) {
	all, _ := at(in, path[:len(path)-1]...)[path[len(path)-1]].([]any)
	for _, e := range all {
		entries = append(entries, e.(map[string]any))
	}
	return entries
}

func want() anyplan.Want {
	return anyplan.Want{
		Chip: "tomahawk5", OS: "srlinux",
		PortName: func(i int) string { return fmt.Sprintf("ethernet-1/%d", i+1) },
		Actions:  []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogForward},
	}
}

// What is printed of random switches is valid for Nokia's models.
func TestValidForYANG(t *testing.T) {
	v, folder, valid := newValidator(t), t.TempDir(), 0
	random := rapid.Custom(func(t *rapid.T) *plan.Switch { return anyplan.Switch(t, want()) })
	for seed := range 60 {
		s := random.Example(seed)
		files, found := srlinux.Emit(s)
		if found.HasErrors() {
			continue // two priorities in one group, or frames below 1,504 B
		}
		text := files[0].Body.AppendFor(nil, s.Names[0])
		if said := v.refuse(folder, text); said != "" {
			t.Fatalf("%s\n%s", said, text)
		}
		valid++
	}
	if valid < 30 {
		t.Errorf("%d switches were checked against the models, too few to mean anything", valid)
	}
}

// The validator sees mistakes: without this, a silent tool would pass everything.
func TestValidatorRefuses(t *testing.T) {
	v := newValidator(t)
	files, _ := srlinux.Emit(leaf())
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	if said := v.refuse(t.TempDir(), []byte(text)); said != "" {
		t.Fatalf("a switch without fault: %s", said)
	}
	for from, to := range map[string]string{
		`"pfc-mapping-profile": "pause-00001000"`:  `"pfc-mapping-profile": "gone"`,
		`"pfc-pause-frame-priority": 3`:            `"pfc-pause-frame-priority": 8`,
		`"maximum-pfc-reserved-share-bytes": 1016`: `"maximum-pfc-reserved-share-bytes": 104857601`,
		`"mtu": 9212`:          `"mtu": 9501`,
		`"port-speed": "400G"`: `"port-speed": "401G"`,
		`"queue-index": 0`:     `"queue-number": 0`,
	} {
		if !strings.Contains(text, from) {
			t.Fatalf("no %s in\n%s", from, text)
		}
		if v.refuse(t.TempDir(), []byte(strings.Replace(text, from, to, 1))) == "" {
			t.Errorf("nothing is said of %s", to)
		}
	}
}

// A fault is a switch that SR Linux cannot be told, or not all of.
type fault struct {
	name   string
	change func(*plan.Switch)
}

func faults() []fault {
	qos := func(change func(*plan.PortQoS)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(s.Ports[0].QoS) }
	}
	of := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, nil) }
	dog := func(action plan.WatchdogAction, detect, poll units.Time) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Watchdog = &plan.Watchdog{Poll: plan.Of(poll, nil), Detection: plan.Of(detect, nil), Restoration: plan.Of(200*units.Millisecond, nil), Action: action}
			s.Ports[0].QoS.Watchdog = true
		}
	}
	return []fault{
		{"a chip that no 7220 IXR has", func(s *plan.Switch) { s.Chip = "spectrum4" }},
		{"a name of SONiC", func(s *plan.Switch) { s.Ports[0].Name = "Ethernet0" }},
		{"a class that is called like a queue of the system", func(s *plan.Switch) { s.Classes[1].Name = "pfc3" }},
		{"a frame that no port takes", func(s *plan.Switch) { s.Ports[0].MTU = 9500 }},
		{"alpha 1/4", qos(func(q *plan.PortQoS) { q.PGs[0].Limit = plan.Of(plan.Limit{Dynamic: true, Alpha: -2}, nil) })},
		{"a reserve", qos(func(q *plan.PortQoS) { q.PGs[0].Reserved = of(2540) })},
		{"a level of XON", qos(func(q *plan.PortQoS) { q.PGs[0].XOnOffset = of(2540) })},
		{"headroom of 110 MB", qos(func(q *plan.PortQoS) { q.PGs[0].Headroom = of(110_000_000) })},
		{"headroom beyond the buffer", func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].QoS.PGs[0].Headroom = of(100_000_000)
			}
		}},
		{"marking with half a per cent", qos(func(q *plan.PortQoS) {
			q.Queues[0].ECN = &plan.ECN{KMin: of(100 * units.KiB), KMax: of(400 * units.KiB), PMax: plan.Of(units.Percent/2, nil)}
		})},
		{"a cap of 5 Gb/s at 400G", qos(func(q *plan.PortQoS) { q.Queues[1].Scheduler.MaxRate = plan.Of(5*units.Gbps, nil) })},
		{"a watchdog that drops", dog(plan.WatchdogDrop, 200*units.Millisecond, 0)},
		{"a watchdog that polls and waits too long", dog(plan.WatchdogForward, 2*units.Second, 100*units.Millisecond)},
		{"senders that are not trusted", func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: 3}}}
		}},
		{"two priorities that stop one queue", func(s *plan.Switch) {
			s.Ports[0].QoS.PFC |= 1 << 4
			s.Maps.PFCToQueue[4], s.Maps.PFCToPG[4] = 3, 4
		}},
		{"packet spraying", func(s *plan.Switch) { s.LoadBalancing = "spray" }},
		{"trimming", func(s *plan.Switch) {
			s.Trim = &plan.Trim{Size: plan.Of(units.Bytes(2000), nil), DSCP: 48, TC: 6, Queue: 6}
		}},
		{"the buffer model of SONiC", func(s *plan.Switch) { s.BufferModel = plan.DynamicModel }},
	}
}

// leaf is a switch with a lossless and a lossy class that SR Linux can be told.
func leaf() *plan.Switch {
	s := &plan.Switch{
		Names: []string{"leaf-1"}, Chip: "tomahawk5", OS: "srlinux", Cell: 254,
		Classes: []plan.Class{{Name: "rest"}, {Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, Lossless: true, DSCPs: []uint8{26}}},
		Pools:   []plan.Pool{{Name: "in", Dynamic: true}},
	}
	s.Maps.DSCPToTC[26] = 3
	s.Maps.TCToQueue[3], s.Maps.TCToPG[3], s.Maps.PFCToQueue[3], s.Maps.PFCToPG[3] = 3, 3, 3, 3
	for i := range 2 {
		limit := plan.Of(plan.Limit{Static: units.MiB}, nil)
		s.Ports = append(s.Ports, plan.Port{
			Name: fmt.Sprintf("ethernet-1/%d", i+1), Speed: 400 * units.Gbps, Cable: 30 * units.Metre, MTU: 9216, Group: fmt.Sprintf("group%d", i),
			QoS: &plan.PortQoS{
				PFC:    1 << 3,
				PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true, Limit: limit, Headroom: plan.Of[units.Bytes](1016, nil)}},
				Queues: []plan.Queue{{ID: 0, Limit: limit}, {ID: 3, Limit: limit, Scheduler: plan.Scheduler{Strict: true}}},
			},
		})
	}
	return s
}

// What is said of each fault stands in testdata. Of a switch without one it is said only
// what per cents do to the pool of headroom.
func TestFindings(t *testing.T) {
	if _, found := srlinux.Emit(leaf()); len(found) != 1 || found[0].Code != srlinux.Rounded {
		t.Errorf("a switch without fault: %v", found)
	}
	var out strings.Builder
	for _, f := range faults() {
		s := leaf()
		f.change(s)
		_, found := srlinux.Emit(s)
		fmt.Fprintf(&out, "# %s\n", f.name)
		if err := (diag.Text{}).Write(&out, found); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
	}
	golden(t, "testdata/findings.txt", out.String())
}

// The document of a leaf, for eyes.
func TestLeaf(t *testing.T) {
	files, _ := srlinux.Emit(leaf())
	golden(t, "testdata/leaf.json", string(files[0].Body.AppendFor(nil, "leaf-1")))
}

// Dynamic thresholds as limits: α·S/(1+α·n). With α = 1/4, two groups and the 166,115,492 B
// of the box: 166,115,492 / (4+2) = 27,685,915 and a third.
func TestAlphaAsLimit(t *testing.T) {
	s := leaf()
	for i := range s.Ports {
		s.Ports[i].QoS.PGs[0].Limit = plan.Of(plan.Limit{Dynamic: true, Alpha: -2}, nil)
	}
	files, _ := srlinux.Emit(s)
	if text := string(files[0].Body.AppendFor(nil, "leaf-1")); strings.Count(text, `"maximum-burst-size": 27685915`) != 2 {
		t.Errorf("not what two groups may have together:\n%s", text)
	}
}

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; -update rewrites it (-golden +now):\n%s", name, diff)
	}
}
