package junos_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit/junos"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A validator checks configurations against Juniper's model of class of service.
type validator struct{ convert, lint, module, models string }

func newValidator(t *testing.T) validator {
	models := oracle.Shared(t, "yang/junos")
	return validator{
		convert: oracle.Shared(t, "tools/junos2json.py"), lint: oracle.Command(t, "yanglint", "libyang2-tools"),
		module: filepath.Join(models, "junos-qfx-conf-class-of-service@2024-01-01.yang"), models: models,
	}
}

// convertAll runs the converter on many files. It parses the model once.
const convertAll = `
import functools, sys
tool, model, module, root = sys.argv[1:5]
text = open(tool).read()
exec(text[:text.rindex("main()")])
Schema = functools.cache(Schema)
for conf in sys.argv[5:]:
    sys.argv, sys.stdout = [tool, model, module, root, conf], open(conf + ".json", "w")
    try:
        main()
    except SystemExit as e:
        if e.code:
            sys.exit(conf)
`

// refuse returns what the model says against the first configuration that it refuses; empty: nothing.
func (v validator) refuse(folder string, texts ...string) string {
	convert := []string{"-c", convertAll, v.convert, v.module, "junos-qfx-conf-class-of-service", "junos-qfx-conf-root"}
	lint := []string{"-Q", "-p", v.models, "-t", "config", v.module}
	for i, text := range texts {
		conf := filepath.Join(folder, fmt.Sprintf("%d.conf", i))
		if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
			return err.Error()
		}
		convert, lint = append(convert, conf), append(lint, conf+".json")
	}
	for _, cmd := range []*exec.Cmd{exec.Command("python3", convert...), exec.Command(v.lint, lint...)} {
		if out, err := cmd.CombinedOutput(); err != nil {
			return string(out) + err.Error()
		}
	}
	return ""
}

func want() anyplan.Want {
	return anyplan.Want{
		Chip: "tomahawk5", OS: "junos", Dynamic: true, OneBuffer: true,
		PortName:      func(i int) string { return fmt.Sprintf("et-0/0/%d", i) },
		LoadBalancing: []string{"", "flowlet", "adaptive"},
		Actions:       []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogForward},
	}
}

// What is printed of 200 random switches is valid for Juniper's YANG model.
func TestValidForYANG(t *testing.T) {
	var texts []string
	random := rapid.Custom(func(t *rapid.T) *plan.Switch { return anyplan.Switch(t, want()) })
	for seed := range 200 {
		s := random.Example(seed)
		files, found := junos.Emit(s)
		if found.HasErrors() {
			continue // Junos cannot be told this switch: it shares a queue, or polls in half milliseconds
		}
		texts = append(texts, string(files[0].Body.AppendFor(nil, s.Names[0])))
	}
	if len(texts) < 50 {
		t.Errorf("%d switches were checked against the model, too few to mean anything", len(texts))
	}
	v := newValidator(t)
	if v.refuse(t.TempDir(), texts...) == "" {
		return
	}
	for _, text := range texts { // which one it is
		if said := v.refuse(t.TempDir(), text); said != "" {
			t.Fatalf("%s\n%s", said, text)
		}
	}
	t.Error("all are refused, and none of them alone")
}

// The validator sees mistakes: without this, a silent tool would pass everything.
func TestValidatorRefuses(t *testing.T) {
	v := newValidator(t)
	for name, text := range map[string]string{
		"threshold": "class-of-service { shared-buffer { ingress { buffer-partition lossless { percent 10; dynamic-threshold 11; } } } }",
		"queue":     "class-of-service { congestion-notification-profile { x { output { ieee-802.1 { code-point 011 { flow-control-queue 8; } } } } } }",
		"word":      "class-of-service { shared-bufer { ingress { percent 10; } } }",
	} {
		if v.refuse(t.TempDir(), text) == "" {
			t.Errorf("%s: nothing is said of %s", name, text)
		}
	}
}

func faults() []plantest.Fault[plan.Switch] {
	qos := func(change func(*plan.PortQoS)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(s.Ports[0].QoS) }
	}
	of := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, nil) }
	dynamic := func(a units.Alpha) plan.Derived[plan.Limit] { return plan.Of(plan.Limit{Dynamic: true, Alpha: a}, nil) }
	return []plantest.Fault[plan.Switch]{
		{"a chip that no QFX has", func(s *plan.Switch) { s.Chip = "spectrum4" }},
		{"a name of SONiC", func(s *plan.Switch) { s.Ports[0].Name = "Ethernet0" }},
		{"a lossless class that shares its queue", func(s *plan.Switch) { s.Classes[1].Queue = 3 }},
		{"headroom beyond the shared buffer", qos(func(q *plan.PortQoS) { q.PGs[0].Headroom = of(90 * units.MiB) })},
		{"alpha 16", qos(func(q *plan.PortQoS) { q.PGs[0].Limit = dynamic(4) })},
		{"a static threshold", qos(func(q *plan.PortQoS) { q.PGs[0].Limit = plan.Of(plan.Limit{Static: units.MiB}, nil) })},
		{"another alpha at the second port", func(s *plan.Switch) { s.Ports[1].QoS.PGs[0].Limit = dynamic(-2) }},
		{"an offset of less than a cell", qos(func(q *plan.PortQoS) { q.PGs[0].XOnOffset = of(100) })},
		{"weights of 180", qos(func(q *plan.PortQoS) {
			q.Queues[0].Scheduler.Weight, q.Queues[1].Scheduler.Weight = plan.Of[int64](90, nil), plan.Of[int64](90, nil)
		})},
		{"marking", qos(func(q *plan.PortQoS) {
			q.Queues[0].ECN = &plan.ECN{KMin: of(100 * units.KiB), KMax: of(400 * units.KiB), PMax: plan.Of(20*units.Percent, nil)}
		})},
		{"a watchdog that alerts", func(s *plan.Switch) {
			s.Watchdog = &plan.Watchdog{Poll: plan.Of(100*units.Millisecond, nil), Detection: plan.Of(250*units.Millisecond, nil), Action: plan.WatchdogAlert}
			s.Ports[0].QoS.Watchdog = true
		}},
		{"a detection time between two polls", func(s *plan.Switch) {
			s.Watchdog = &plan.Watchdog{Poll: plan.Of(100*units.Millisecond, nil), Detection: plan.Of(250*units.Millisecond, nil), Restoration: plan.Of(200*units.Millisecond, nil), Action: plan.WatchdogDrop}
			s.Ports[0].QoS.Watchdog = true
		}},
		{"senders that are not trusted", func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: 3}}}
		}},
		{"packet spraying", func(s *plan.Switch) { s.LoadBalancing = "spray" }},
		{"trimming", plantest.Trimming},
		{"what is sent back, and a port that classifies by itself", plantest.SentBack},
		{"the buffer model of SONiC", func(s *plan.Switch) { s.BufferModel = plan.DynamicModel }},
	}
}

// leaf is a switch with a lossless and a lossy class that Junos can be told.
func leaf() *plan.Switch {
	s := &plan.Switch{
		Names: []string{"leaf-1"}, Chip: "tomahawk5", OS: "junos", Cell: 254,
		Classes: []plan.Class{{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, Lossless: true, DSCPs: []uint8{26}}, {Name: "rest"}},
		Pools:   []plan.Pool{{Name: "in", Dynamic: true}},
	}
	s.Maps.DSCPToTC[26] = 3
	s.Maps.TCToQueue[3], s.Maps.TCToPG[3], s.Maps.PFCToQueue[3], s.Maps.PFCToPG[3] = 3, 3, 3, 3
	for i := range 2 {
		limit := plan.Of(plan.Limit{Dynamic: true}, nil)
		s.Ports = append(s.Ports, plan.Port{
			Name: fmt.Sprintf("et-0/0/%d", i), Speed: 400 * units.Gbps, Cable: 30 * units.Metre, MTU: 9216, Group: fmt.Sprintf("group%d", i),
			QoS: &plan.PortQoS{
				PFC:    1 << 3,
				PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true, Limit: limit, XOnOffset: plan.Of[units.Bytes](5080, nil)}},
				Queues: []plan.Queue{{ID: 3, Limit: limit}, {ID: 0, Limit: limit}},
			},
		})
	}
	return s
}

// What is said of each fault stands in testdata; for a switch without one there is no finding.
func TestFindings(t *testing.T) {
	if _, found := junos.Emit(leaf()); len(found) > 0 {
		t.Errorf("a switch without fault: %v", found)
	}
	diagtest.Golden(t, "testdata/findings.txt", plantest.Findings(t, leaf, junos.Emit, faults()))
}

// The files of a leaf, for eyes.
func TestLeaf(t *testing.T) {
	files, _ := junos.Emit(leaf())
	diagtest.Golden(t, "testdata/leaf.conf", string(files[0].Body.AppendFor(nil, "leaf-1")))
	files, _ = junos.EmitSet(leaf())
	diagtest.Golden(t, "testdata/leaf.set", string(files[0].Body.AppendFor(nil, "leaf-1")))
}

// The sample output of Juniper's article shows a QFX5240 whose ports own 23,135 and 25,964 KB: 75
// and 55 % of the defaults in its table. By the table its shared buffer is then what the sample
// shows, to the kilobyte. Of 23,135 and 25,964 KB 75 and 55 % are 17,351 and 14,280.
func TestSharedBuffer(t *testing.T) {
	box, _ := row.Boxes().Of("tomahawk5")
	for _, c := range []struct {
		keep        [2]int64
		least, most units.Bytes
	}{
		{[2]int64{}, 84_206 * units.KiB, 113_162 * units.KiB},
		{[2]int64{100, 100}, 84_206 * units.KiB, 113_162 * units.KiB},
		{[2]int64{75, 55}, 113_162 * units.KiB, (113_162 + 5_784 + 11_684) * units.KiB},
	} {
		if least, most := row.SharedBuffer(box, c.keep); least != c.least || most != c.most {
			t.Errorf("keeping %v: %v to %v, want %v to %v", c.keep, least, most, c.least, c.most)
		}
	}
	for _, chip := range []string{"tomahawk3", "tomahawk4", "trident4-x11"} {
		box, _ := row.Boxes().Of(chip)
		if least, most := row.SharedBuffer(box, [2]int64{}); least != box.Shared || most != least {
			t.Errorf("%s: %v to %v, want %v", box.Model, least, most, box.Shared)
		}
	}
}
