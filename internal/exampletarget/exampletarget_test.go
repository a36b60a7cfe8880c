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
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

func of[T any](v T) plan.Derived[T] { return plan.Of(v, &plan.Why{}) }

// leaf is a switch of which every number can be told without rounding.
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

// What is written is read back as the same plan, with nothing lost and nothing left unaccounted.
func TestWrittenIsRead(t *testing.T) {
	want, text := leaf(), emitted(t, leaf())
	if !strings.HasPrefix(text, "{\n  \"exampleos\": {\n    \"balancing\": \"flowlets\",\n    \"watchdog\": {\n      \"action\": \"release\",\n      \"detect\": 200,") {
		t.Errorf("the document begins\n%.200s", text)
	}
	r := system.Format(exampletarget.System()).Read("leaf", []byte(text), read.Options{})
	if len(r.Found) > 0 || r.Ledger.Count(read.Modelled) < 100 || r.Ledger.Count(read.Unmodelled) > 0 {
		t.Errorf("%v; %d statements are modelled, %d not", r.Found, r.Ledger.Count(read.Modelled), r.Ledger.Count(read.Unmodelled))
	}
	if diff := cmp.Diff(want, r.Switch, alike); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

// Random plans that are written are read without an error, and what is written of what was read is
// the same document.
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
	t.Logf("%d written", written)
}

// It carries at least 20 intents, and this in at most 400 lines.
func TestSmall(t *testing.T) {
	source, err := os.ReadFile("exampletarget.go")
	if err != nil {
		t.Fatal(err)
	}
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
