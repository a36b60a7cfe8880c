package exampletarget_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format/system"
	"github.com/roceplan/roceplan/internal/exampletarget"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

func of[T any](v T) plan.Derived[T] { return plan.Of(v, &plan.Why{}) }

// leaf is a switch whose numbers ExampleOS takes without rounding.
func leaf() *plan.Switch {
	s := &plan.Switch{
		Names: []string{"leaf-1"}, Chip: "tomahawk5", OS: "exampleos", LoadBalancing: "flowlet",
		Classes: []plan.Class{
			{Name: "rest", TrafficClass: 0, Queue: 1, PG: 0},
			{Name: "rdma", TrafficClass: 3, Queue: 4, PG: 2, PFC: 5, Lossless: true, DSCPs: []uint8{26}},
		},
		Pools:    []plan.Pool{{Name: "in", Dynamic: true, Size: of(100 * units.MB), Headroom: of(20 * units.MB)}, {Name: "out", Direction: plan.Egress, Dynamic: true, Size: of(90 * units.MB)}},
		Watchdog: &plan.Watchdog{Detection: of(200 * units.Millisecond), Restoration: of(400 * units.Millisecond), Poll: of(50 * units.Millisecond), Action: plan.WatchdogForward},
	}
	s.Maps.DSCPToTC[26] = 3
	s.Classes[0].DSCPs = s.Maps.DSCPsOf(0)
	s.Maps.TCToQueue, s.Maps.TCToPG = [8]uint8{1, 1, 1, 4}, [8]uint8{3: 2}
	s.Maps.PFCToPG, s.Maps.PFCToQueue = [8]uint8{5: 2}, [8]uint8{5: 4, 7: plan.NoQueue}
	for _, name := range []string{"eth1", "eth2", "eth10"} {
		s.Ports = append(s.Ports, plan.Port{Name: name, Speed: 400 * units.Gbps, MTU: 9216, Routed: true, QoS: &plan.PortQoS{
			PFC: 1 << 5, Watchdog: true,
			PGs: []plan.PG{
				{ID: 0, Pool: "in", Reserved: of(2 * units.KB), Limit: of(plan.Limit{Static: units.MB})},
				{ID: 2, Pool: "in", Lossless: true, Reserved: of(5 * units.KB), Limit: of(plan.Limit{Dynamic: true, Alpha: -2}), XOn: of(3 * units.KB), XOnOffset: of(units.KB), Headroom: of(120 * units.KB)},
			},
			Queues: []plan.Queue{
				{ID: 1, Pool: "out", Limit: of(plan.Limit{Dynamic: true, Alpha: 1}), Scheduler: plan.Scheduler{Weight: of(int64(40))}},
				{ID: 4, Pool: "out", Reserved: of(units.KB), Limit: of(plan.Limit{Static: 5 * units.MB}), Scheduler: plan.Scheduler{Strict: true, MaxRate: of(10 * units.Gbps)},
					ECN: &plan.ECN{KMin: of(200 * units.KB), KMax: of(800 * units.KB), PMax: of(10 * units.Percent)}},
			},
		}})
	}
	return s
}

// alike ignores places, reasons and what no file of a switch has.
var alike = cmp.Options{
	cmp.Comparer(func(a, b diag.Range) bool { return true }), cmp.Comparer(func(a, b *plan.Why) bool { return (a == nil) == (b == nil) }),
	cmp.FilterPath(func(p cmp.Path) bool {
		switch p.String() {
		case "Names", "Chip", "Cell", "Places":
			return true
		}
		return false
	}, cmp.Ignore()),
}

func emitted(t *testing.T, s *plan.Switch) string {
	t.Helper()
	files, found := system.Target(exampletarget.System()).Forms[0].Emit(s)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return string(files[0].Body.AppendFor(nil, "leaf-1"))
}

// What is written is read back as the same plan, and the ledger has all of it as modelled.
func TestWrittenIsRead(t *testing.T) {
	want, text := leaf(), emitted(t, leaf())
	if !strings.HasPrefix(text, "{\n  \"exampleos\": {\n    \"balancing\": \"flowlets\",\n    \"watchdog\": {\n      \"action\": \"release\",\n      \"detect\": 200,") {
		t.Errorf("the document begins\n%.200s", text)
	}
	r := system.Format(exampletarget.System()).Read("leaf", []byte(text), read.Options{})
	if len(r.Found) > 0 || r.Ledger.Count(read.Modelled) < 100 || r.Ledger.Count(read.Unmodelled) > 0 {
		t.Errorf("%v; %d statements are modelled, %d not", r.Found, r.Ledger.Count(read.Modelled), r.Ledger.Count(read.Unmodelled))
	}
	must.NoDiffIn(t, cmp.Diff(want, r.Switch, alike), "(-written +read):")
}

// Random plans are written, read without an error, and written as the same document again.
func TestAnyPlan(t *testing.T) {
	f, target := system.Format(exampletarget.System()), system.Target(exampletarget.System())
	written := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := anyplan.Switch(rt, anyplan.Want{Chip: "tomahawk5", OS: "exampleos", PortName: func(i int) string { return fmt.Sprintf("eth%d", i+1) }})
		files, found := target.Forms[0].Emit(s)
		if found.HasErrors() {
			return
		}
		written++
		text := files[0].Body.AppendFor(nil, "x")
		r := f.Read("x", text, read.Options{})
		if r.Found.HasErrors() {
			rt.Fatal(r.Found)
		}
		r.Switch.Chip = "tomahawk5"
		again, more := target.Forms[0].Emit(r.Switch)
		if len(more) > 0 || string(again[0].Body.AppendFor(nil, "x")) != string(text) {
			rt.Fatalf("%v\n%s\n%s", more, text, again)
		}
	})
	if written == 0 {
		t.Error("no plan was written")
	}
}

// ExampleOS carries at least 20 intents in at most 400 lines.
func TestSmall(t *testing.T) {
	source := must.Get(os.ReadFile("exampletarget.go"))(t)
	carried := 0
	for _, c := range system.Target(exampletarget.System()).Can {
		if c.Support != emit.No {
			carried++
		}
	}
	if lines := strings.Count(string(source), "\n"); carried < 20 || lines > 400 {
		t.Errorf("%d intents in %d lines", carried, lines)
	}
}

// A finding names what is lost or refused, at its line of the fabric.
func TestFindings(t *testing.T) {
	at := func(line int) (r diag.Range) {
		r.Filename, r.Start.Line = "fabric.hcl", line
		return r
	}
	for name, c := range map[string]struct {
		change func(*plan.Switch)
		want   string
	}{
		"a chip":       {func(s *plan.Switch) { s.Chip, s.Range = "spectrum4", at(3) }, "3 error[exampleos-chip]: ExampleOS does not run on the chip spectrum4"},
		"a name":       {func(s *plan.Switch) { s.Ports[0].Name, s.Ports[0].Range = "Ethernet0", at(4) }, `4 error[exampleos-name]: "Ethernet0" is not a port of ExampleOS`},
		"another name": {func(s *plan.Switch) { s.Ports[0].Name, s.Ports[0].Range = "eth01", at(4) }, `4 error[exampleos-name]: "eth01" is not a port of ExampleOS`},
		"an alpha": {func(s *plan.Switch) {
			s.Ports[0].QoS.PGs[1].Limit = plan.Of(plan.Limit{Dynamic: true, Alpha: 4}, &plan.Why{Range: at(5)})
		}, "5 error[exampleos-range]: a dynamic group threshold of 16 is not supported: ExampleOS takes 1/128 to 8"},
		"a probability": {func(s *plan.Switch) {
			s.Ports[0].QoS.Queues[1].ECN.PMax = plan.Of(15*units.Percent/10, &plan.Why{Range: at(6)})
		}, "6 warning[exampleos-rounded]: a marking probability of 1.5% is not supported: ExampleOS takes whole per cent from 1 to 100, and gets 1%"},
		"a rule": {func(s *plan.Switch) { s.Marking, s.Range = &plan.Marking{}, at(7) }, "7 warning[exampleos-lost]: a marking rule at the edge is not written: ExampleOS has no line for it"},
		"a word": {func(s *plan.Switch) { s.LoadBalancing, s.Range = "adaptive", at(8) }, "8 warning[exampleos-lost]: a load balancing of adaptive is not written: ExampleOS has no line for it"},
		"a port's pool": {func(s *plan.Switch) {
			s.Ports[2].QoS.Pools, s.Ports[2].Range = []plan.PortPool{{Pool: "in"}}, at(9)
		}, "9 warning[exampleos-lost]: a bound of a port in a pool is not written: ExampleOS has no line for it"},
	} {
		s := leaf()
		c.change(s)
		files, found := system.Target(exampletarget.System()).Forms[0].Emit(s)
		if len(found) != 1 {
			t.Fatalf("%s: %v", name, found)
		}
		d := found[0]
		if got := fmt.Sprintf("%d %s[%s]: %s", d.Subject.Start.Line, d.Severity, d.Code, d.Message); got != c.want || (files == nil) != found.HasErrors() {
			t.Errorf("%s: %s, want %s; %d files", name, got, c.want, len(files))
		}
	}
}

// A change replaces the entry in which a number differs, and deletes what is gone. Equal plans give no file.
func TestChange(t *testing.T) {
	change := system.Target(exampletarget.System()).Change
	next := leaf()
	next.Ports[1].QoS.PGs[1].Headroom = of(130 * units.KB)
	next.Watchdog.Action = plan.WatchdogDrop
	next.Ports = next.Ports[:2]
	files, found := change(leaf(), next)
	if len(files) != 1 || found != nil {
		t.Fatal(files, found)
	}
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	for _, want := range []string{
		`"/exampleos/port[name=eth10]/group[id=2]"`, `"/exampleos/port[name=eth10]/mtu"`, "\"path\": \"/exampleos/watchdog/action\",\n      \"encoding\": \"json_ietf\",\n      \"value\": \"discard\"",
		`"path": "/exampleos/port[name=eth2]/group[id=2]"`, `"headroom": 130000`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "name=eth1]") || strings.Index(text, "watchdog/action") > strings.Index(text, "name=eth2]") {
		t.Errorf("eth1 is as before, and the watchdog comes before the ports:\n%s", text)
	}
	if files, _ := change(leaf(), leaf()); files != nil {
		t.Error("nothing changes, and there is a file")
	}
	bad := leaf()
	bad.Chip = "spectrum4"
	if files, found := change(bad, leaf()); files != nil || !found.HasErrors() {
		t.Error("a change from a refused switch")
	}
	if files, found := change(leaf(), bad); files != nil || !found.HasErrors() {
		t.Error("a change to a refused switch")
	}
}

// The root of a document recognizes it, leaves of neutral rows are neutral, and places are those of the file.
func TestReading(t *testing.T) {
	f := system.Format(exampletarget.System())
	for head, want := range map[string]string{`{"exampleos": {}}`: `"exampleos"`, `[{"exampleos": 1}]`: "", `{"other": 1}`: "", ``: ""} {
		if got := f.Recognize([]byte(head)); string(got) != want {
			t.Errorf("%q is recognized by %q, want %q", head, got, want)
		}
	}
	if name, at := f.Device(nil); name != "" || at != 0 {
		t.Errorf("%q at %d", name, at)
	}
	const text = `{"exampleos": {
  "management": {"user": "x"}, "port": [
    {"name": "eth2"},
    {"name": "eth1", "description": "y", "led": 1,
     "group": [
       {"id": 3, "pool": "in"}]}],
  "balancing": "guess"}}`
	r := f.Read("f", []byte(text), read.Options{})
	var told []string
	for _, s := range r.Ledger.Statements {
		if s.Sort != read.Modelled {
			told = append(told, fmt.Sprintf("%d %s %s%v", s.At.Start.Line, s.Text, s.Rule, s.Touches.Ports))
		}
	}
	for _, d := range r.Found {
		told = append(told, fmt.Sprintf("%d %s: %s", d.Subject.Start.Line, d.Code, d.Message))
	}
	want := []string{
		"2 exampleos management user x exampleos management[]", "4 exampleos port description y exampleos port description[]", "4 exampleos port led 1 [eth1]",
		`7 exampleos-read-shape: "guess" is not one of ["flowlets" "packets"]`,
	}
	must.NoDiff(t, cmp.Diff(want, told))
	p := r.Switch.Ports
	if len(p) != 2 || p[0].Name != "eth1" || p[0].Range.Start.Line != 4 || len(p[0].QoS.PGs) != 1 || p[0].QoS.PGs[0].Range.Start.Line != 6 || p[0].QoS.PGs[0].Lossless {
		t.Errorf("%+v", p)
	}
	rules := map[string]string{}
	for _, rule := range f.Neutral {
		rules[rule.ID] = rule.Evidence
	}
	if rules["exampleos management"] != exampletarget.System().Source || len(rules) != 6 {
		t.Errorf("%v", rules)
	}
}

// A leaf that is a text takes any text, "true" as well; one that is true or false takes nothing else.
func TestTextsAndFlags(t *testing.T) {
	const yes = "exampleos-read-shape: this must be true or false"
	for leaf, want := range map[string]string{
		`"group": [{"id": 1, "pool": "true"}]`:  "",
		`"group": [{"id": 1, "pool": true}]`:    "exampleos-read-shape: this must be a string",
		`"queue": [{"id": 1, "strict": "yes"}]`: yes,
		`"queue": [{"id": 1, "strict": {}}]`:    yes,
		`"watched": 1`:                          yes,
		`"watched": true`:                       "",
	} {
		r := system.Format(exampletarget.System()).Read("f", []byte(`{"exampleos": {"port": [{"name": "eth1", `+leaf+`}]}}`), read.Options{})
		got := ""
		for _, d := range r.Found {
			got += fmt.Sprintf("%s: %s", d.Code, d.Message)
		}
		must.Equalf(t, got, want, "%s:", leaf)
		if strings.Contains(leaf, `"true"`) && r.Switch.Ports[0].QoS.PGs[0].Pool != "true" {
			t.Errorf("the pool is %q", r.Switch.Ports[0].QoS.PGs[0].Pool)
		}
	}
}
