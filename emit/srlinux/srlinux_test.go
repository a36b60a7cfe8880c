package srlinux_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A validator checks documents against Nokia's models.
type validator struct{ lint, models, features string }

func newValidator(t *testing.T) validator {
	v := validator{lint: oracle.Command(t, "yanglint", "libyang2-tools"), models: t.TempDir()}
	copyModels(t, oracle.Shared(t, "yang/srlinux"), v.models)
	text := must.Get(os.ReadFile(filepath.Join(v.models, "srl_nokia-features.yang")))(t)
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

// meant are the rules of srl_nokia-qos that no document passes by the letter of XPath 1.0 and
// that devices do not read so: a leaf compared with false() is true where the leaf is there
// (section 3.4), so that no default of false passes, and a leaf that is not there is not equal
// to a text nor different from it, so that no weighted scheduler and no subinterface without a
// type passes. Each is replaced by what its own error message says.
var meant = [][2]string{
	// pfc cannot be enabled on sub-interfaces
	{`must '. = false() or string(../../interface-ref/subinterface) = ""'`, `must '. = "false" or string(../../interface-ref/subinterface) = ""'`},
	// pfc and ethernet flow-control are mutually exclusive
	{`must ". = false() or string(../../interface-ref/interface) = '' or ` + receive + ` = false()"`, `must ". = 'false' or string(../../interface-ref/interface) = '' or not(` + receive + ` = 'true')"`},
	// scheduler with sequence 1 must be weighted RR
	{`(. = 1 and ../priority != 'strict')`, `(. = 1 and not(../priority = 'strict'))`},
	// qos configuration not supported on mirror subinterface
	{`must "` + kindOf + ` != 'srl_nokia-if:local-mirror-dest'"`, `must "not(` + kindOf + ` = 'srl_nokia-if:local-mirror-dest')"`},
	// rewrite-rules not allowed with type bridged (three leaves)
	{`must "` + rewritten + ` != 'srl_nokia-if:bridged' "`, `must "not(` + rewritten + ` = 'srl_nokia-if:bridged')"`},
}

const (
	receive = "/srl_nokia-if:interface[srl_nokia-if:name=current()/../../interface-ref/interface]/srl_nokia-if:ethernet/srl_nokia-if:flow-control/srl_nokia-if:receive"
	kindOf  = "/srl_nokia-if:interface[srl_nokia-if:name=current()/../interface]/srl_nokia-if:subinterface[srl_nokia-if:index=current()]/srl_nokia-if:type"

	rewritten = "/srl_nokia-if:interface[srl_nokia-if:name=current()/../../../interface-ref/interface]/srl_nokia-if:subinterface[srl_nokia-if:index=current()/../../../interface-ref/subinterface]/srl_nokia-if:type"
)

// copyModels copies the models, with the rules of meant. Documents are not touched.
func copyModels(t *testing.T, from, to string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*.yang"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no models in %s: %v", from, err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		out := string(text)
		if filepath.Base(file) == "srl_nokia-qos.yang" {
			for _, rule := range meant {
				if !strings.Contains(out, rule[0]) {
					t.Fatalf("%s has no rule %s", file, rule[0])
				}
				out = strings.ReplaceAll(out, rule[0], rule[1])
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(to, filepath.Base(file)), []byte(out), 0o644))
	}
}

// refuse returns what the models say against a document as it was printed; empty: nothing.
func (v validator) refuse(file string) string {
	out, err := exec.Command(v.lint, "-Q", "-p", v.models, "-t", "config", "-F", v.features,
		filepath.Join(v.models, "srl_nokia-features.yang"), filepath.Join(v.models, "srl_nokia-qos.yang"), file).CombinedOutput()
	if err != nil {
		return string(out) + err.Error()
	}
	return ""
}

// refuseText returns the same for a text.
func (v validator) refuseText(t *testing.T, text []byte) string {
	file := filepath.Join(t.TempDir(), "srlinux.json")
	must.Do(t, os.WriteFile(file, text, 0o644))
	return v.refuse(file)
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
	v, valid := newValidator(t), 0
	random := rapid.Custom(func(t *rapid.T) *plan.Switch { return anyplan.Switch(t, want()) })
	for seed := range 60 {
		s := random.Example(seed)
		files, found := srlinux.Emit(s)
		if found.HasErrors() {
			continue // two priorities in one group, or frames below 1,504 B
		}
		text := files[0].Body.AppendFor(nil, s.Names[0])
		if said := v.refuseText(t, text); said != "" {
			t.Fatalf("%s\n%s", said, text)
		}
		valid++
	}
	if valid < 30 {
		t.Errorf("%d switches were checked against the models, too few to mean anything", valid)
	}
}

// Every golden file is valid for Nokia's models as it stands.
func TestGoldensAreValid(t *testing.T) {
	v := newValidator(t)
	files, err := filepath.Glob("../../golden/*/*/" + srlinux.File)
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range append(files, "testdata/leaf.json") {
		must.Equalf(t, v.refuse(file), "", "%s:", file)
	}
}

// A rule that is replaced still refuses what its message says.
func TestRulesStillRefuse(t *testing.T) {
	v := newValidator(t)
	files, _ := srlinux.Emit(leaf())
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	for message, edit := range map[string][2]string{
		"pfc cannot be enabled on sub-interfaces": {`"input": {
            "classifiers"`, `"pfc": {"pfc-enable": true}, "input": {
            "classifiers"`},
		"pfc and ethernet flow-control are mutually exclusive":   {`"port-speed": "400G"`, `"port-speed": "400G", "flow-control": {"receive": true}`},
		"scheduler with sequence 1 must be weighted RR":          {`"sequence": 1,`, `"sequence": 1, "priority": "strict",`},
		"qos configuration not supported on mirror subinterface": {`"index": 0`, `"index": 0, "type": "srl_nokia-interfaces:local-mirror-dest"`},
	} {
		if !strings.Contains(text, edit[0]) {
			t.Fatalf("no %s in\n%s", edit[0], text)
		}
		if said := v.refuseText(t, []byte(strings.Replace(text, edit[0], edit[1], 1))); !strings.Contains(said, message) {
			t.Errorf("%s: the models say %q", message, said)
		}
	}
}

// The validator sees mistakes: without this, a silent tool would pass everything.
func TestValidatorRefuses(t *testing.T) {
	v := newValidator(t)
	files, _ := srlinux.Emit(leaf())
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	if said := v.refuseText(t, []byte(text)); said != "" {
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
		if v.refuseText(t, []byte(strings.Replace(text, from, to, 1))) == "" {
			t.Errorf("nothing is said of %s", to)
		}
	}
}

func faults() []plantest.Fault[plan.Switch] {
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
	return []plantest.Fault[plan.Switch]{
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
		{"trimming", plantest.Trimming},
		{"what is sent back, and a port that classifies by itself", plantest.SentBack},
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
	diagtest.Golden(t, "testdata/findings.txt", plantest.Findings(t, leaf, srlinux.Emit, faults()))
}

// The document of a leaf, for eyes.
func TestLeaf(t *testing.T) {
	files, _ := srlinux.Emit(leaf())
	diagtest.Golden(t, "testdata/leaf.json", string(files[0].Body.AppendFor(nil, "leaf-1")))
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
