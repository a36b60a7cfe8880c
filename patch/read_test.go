package patch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Whatever a running configuration holds, reading it and making a patch ends with
// findings or with a patch, and applying that gives what it promises.
func FuzzMake(f *testing.F) {
	for _, name := range []string{"running.json", "other.json", "old.json", "recreated.json", "unsafe.json", "text.json"} {
		f.Add(script(f, name))
	}
	f.Add([]byte(`{"PORT":{"Ethernet0":{"speed":100000,"lanes":["1"]},"Ethernet4":{"speed":"100000"},"Ethernet8":{"speed":"100000"}},"BUFFER_PG":{"|":{},"Ethernet0|3-2":{},"Ethernet0":{"profile":"x"}},"X":{}}`))
	f.Add([]byte(`{"PORT":{},"PORT":{"a":{"b":1,"b":null}}}`))
	f.Add([]byte(strings.Repeat(`{"a":`, 20000)))
	f.Fuzz(func(t *testing.T, src []byte) {
		old, found := patch.Read("running.json", src)
		if (old == nil) != found.HasErrors() {
			t.Fatalf("%v with %v", old, found)
		}
		if old == nil {
			return
		}
		p, found := patch.Make(defaults(), "tor-1", old, nil)
		if (p == nil) != found.HasErrors() {
			t.Fatalf("%v with %v", p, found)
		}
		for _, d := range found {
			if at := d.Subject; at.Start.Byte > at.End.Byte || at.End.Byte > len(src) {
				t.Errorf("%s lies outside of the file: %v", d.Message, at)
			}
		}
		if p == nil || len(p.Steps) == 0 {
			return
		}
		now := running(t, apply(t, src, p.Operations()...))
		must.NoDiffIn(t, cmp.Diff(p.Target, now.DB), "(-promised +patched):")
		if again, _ := patch.Make(defaults(), "tor-1", now, nil); again == nil || len(again.Steps) > 0 {
			t.Error("a patched switch is patched again")
		}
	})
}

// A file without the same text but of the same meaning needs no patch.
func TestSameMeaning(t *testing.T) {
	src := full(t, withLanes())
	for from, to := range map[string]string{
		`"pfc_enable": "5"`: `"pfc_enable": " 5"`,
		`"size": "0"`:       `"size": 0`,
	} {
		if !strings.Contains(string(src), from) {
			t.Fatalf("no %s in\n%s", from, src)
		}
		p, found := patch.Make(defaults(), "tor-1", running(t, []byte(strings.ReplaceAll(string(src), from, to))), nil)
		if len(found) > 0 || len(p.Steps) > 0 {
			t.Errorf("%s: %v\n%s", to, found, show(p))
		}
	}
}

// SONiC's YANG models take the configuration after each step: `config apply-patch`
// refuses a patch that ends in one that they do not take.
func TestStepsYANG(t *testing.T) {
	validate := oracle.Shared(t, "tools/check-sonic")
	oracle.Command(t, "yanglint", "libyang2-tools")
	state := script(t, "running.json")
	p := must.Sound(patch.Make(defaults(), "tor-1", running(t, state), nil))(t)
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "before.json")}
	check(t, os.WriteFile(files[0], state, 0o666))
	for i, step := range p.Steps {
		state = apply(t, state, step.Operations...)
		files = append(files, filepath.Join(dir, fmt.Sprintf("%02d.json", i)))
		check(t, os.WriteFile(files[i+1], state, 0o666))
	}
	if len(files) < 10 {
		t.Fatalf("%d files, too few to mean anything", len(files))
	}
	if out, err := exec.Command(validate, files...).CombinedOutput(); err != nil {
		t.Errorf("check-sonic: %v\n%s", err, out)
	}
	// The validator looks at references.
	broken := parseAny(t, state)
	delete(broken, "BUFFER_POOL")
	text, err := json.Marshal(broken)
	check(t, err)
	check(t, os.WriteFile(files[0], text, 0o666))
	if out, err := exec.Command(validate, files[0]).CombinedOutput(); err == nil {
		t.Errorf("check-sonic takes profiles without pools\n%s", out)
	}
}

func parseAny(t *testing.T, src []byte) (doc map[string]any) {
	t.Helper()
	check(t, json.Unmarshal(src, &doc))
	return doc
}

func of[T any](v T) plan.Derived[T] { return plan.Of(v, nil) }

func alpha(a units.Alpha) plan.Derived[plan.Limit] { return of(plan.Limit{Dynamic: true, Alpha: a}) }

// defaults is a switch with the first three of the four ports of running.json, lossless
// in PG 5 alone.
func defaults() *plan.Switch {
	sw := &plan.Switch{
		Names: []string{"tor-1"}, OS: "sonic", MTU: of(units.Bytes(9216)),
		Pools: []plan.Pool{
			{Name: "egress_lossy_pool", Direction: plan.Egress, Dynamic: true, Size: of(units.Bytes(20_000_000))},
			{Name: "ingress_lossless_pool", Dynamic: true, Size: of(units.Bytes(30_000_000)), Headroom: of(units.Bytes(700_000))},
		},
	}
	for i := range 8 {
		sw.Maps.TCToQueue[i], sw.Maps.PFCToQueue[i], sw.Maps.PFCToPG[i] = uint8(i), uint8(i), uint8(i)
	}
	sw.Maps.TCToPG[5], sw.Maps.DSCPToTC[46] = 5, 5
	qos := &plan.PortQoS{
		PFC: 1 << 5,
		PGs: []plan.PG{
			{ID: 0, Pool: "ingress_lossless_pool", Limit: alpha(3)},
			{ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(0), Headroom: of(units.Bytes(226_560))},
		},
		Queues: []plan.Queue{
			{ID: 0, Pool: "egress_lossy_pool", Limit: alpha(1), Scheduler: plan.Scheduler{Weight: of(int64(40))}},
			{ID: 5, Pool: "egress_lossy_pool", Limit: alpha(7), Scheduler: plan.Scheduler{Weight: of(int64(60))}},
		},
	}
	for _, name := range []string{"Ethernet0", "Ethernet4", "Ethernet8"} {
		sw.Ports = append(sw.Ports, plan.Port{Name: name, Speed: 100 * units.Gbps, Cable: 100 * units.Metre, MTU: 9216, QoS: qos})
	}
	return sw
}

// withLanes returns the same with all that a whole ConfigDB needs.
func withLanes() *plan.Switch {
	sw := defaults()
	for i := range sw.Ports {
		sw.Ports[i].Lanes = []int{i + 1}
	}
	return sw
}
