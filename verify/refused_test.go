package verify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/openconfig"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A switch with a chip whose cells nobody publishes is not judged, and says why; others of the same
// run are. Nothing is certified of it.
func TestChipWithoutCells(t *testing.T) {
	o := trident3(t)
	o.Chip, _ = o.Catalogue.Find("trident5-x12")
	r := judge(t, o, Text("config_db.json", sample(t)))
	if got := reasons(r.Switches[0]); r.Verdict() != NotJudged || !strings.Contains(got, "no cell_size for trident5-x12") {
		t.Errorf("%v, because %s", r.Verdict(), got)
	}
	if list, err := r.Certificates(); err != nil || len(list.Shapes) != 0 || len(list.Lacks) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// What cannot be evaluated is an error of whoever asks: here a chip without cells, where one was asked
// to be known before.
func TestWhatCannotBeEvaluated(t *testing.T) {
	unknown := &chips.Chip{Name: "unknown"}
	lossless := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}
	failing := func() *proof.Report {
		return &proof.Report{Obligations: []proof.Obligation{{ID: proof.QueueHolds, Lossless: true, Verdict: proof.Fails, Left: proof.Side{Value: 1}}}}
	}
	s := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{QoS: lossless}, {QoS: lossless}}}, chip: unknown, Proof: failing()}
	if err := (&Verifier{}).activeAtOnce(s); err == nil {
		t.Error("how many ports may have packets at once is told of a chip without cells")
	}
	// One port alone needs no second proof: no smaller number is a condition.
	s = &Switch{Plan: &plan.Switch{Ports: []plan.Port{{QoS: lossless}}}, chip: unknown, Proof: failing()}
	if err := (&Verifier{}).activeAtOnce(s); err != nil || s.AtOnce != 0 || s.Proof.Obligations[0].Verdict != proof.Fails {
		t.Errorf("one port: %v, %d at once", err, s.AtOnce)
	}
}

// What the fabric plans for a format that cannot say it must be a plan: for a chip without cells there is
// none, and whoever asks is told.
func TestPlanWithoutCells(t *testing.T) {
	planned := &plan.Switch{Names: []string{"leaf-1"}, Chip: "trident5-x12", Targets: []string{"openconfig"}}
	v := New(Options{Fabric: &Fabric{Plan: &plan.Plan{Switches: []*plan.Switch{planned}}, Targets: []emit.Target{openconfig.Target()}}})
	text := []byte(`{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet0", "config": {"name": "Ethernet0"}}]}}`)
	if r, err := v.Judge([]File{Text("leaf-1/openconfig.json", text)}); r != nil || err == nil || !strings.Contains(err.Error(), "no cell_size for trident5-x12") {
		t.Errorf("%v, %v", r, err)
	}
	if faults, err := v.Fails(planned, "openconfig", "leaf-1", text); faults != nil || err == nil {
		t.Errorf("%v, %v", faults, err)
	}
}

// An obligation that a smaller number of ports does not have is no matter of their number.
func TestFailsWhateverIsActive(t *testing.T) {
	v := New(Options{})
	s := judge(t, Options{}, Text("junos.conf", []byte(fanIn(32, 32, 66)))).Switches[0]
	if s.AtOnce == 0 {
		t.Fatal("all ports fit at once")
	}
	again := &Switch{Plan: s.Plan, chip: s.chip}
	var err error
	if again.Proof, err = proof.Prove(s.Plan, s.chip, v.context); err != nil {
		t.Fatal(err)
	}
	again.Proof.Obligations = append(again.Proof.Obligations, proof.Obligation{ID: "of another kind", Lossless: true, Verdict: proof.Fails, Left: proof.Side{Value: 1}})
	if err := v.activeAtOnce(again); err != nil || again.AtOnce != s.AtOnce {
		t.Errorf("%d at once, want %d; %v", again.AtOnce, s.AtOnce, err)
	}
	for _, o := range again.Proof.Obligations {
		if want := o.ID == "of another kind"; (o.Verdict == proof.Fails) != want || want && len(o.Conditions) > 0 {
			t.Errorf("%s: %v, %+v", o.ID, o.Verdict, o.Conditions)
		}
	}
}

// A folder that is a link is refused, and named; a link to a file is read as the file, and one that
// leads nowhere fails when it is read.
func TestLinksBelow(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "site", "leaf-1"), 0o777), os.MkdirAll(filepath.Join(dir, "elsewhere"), 0o777),
		os.WriteFile(filepath.Join(dir, "elsewhere", "a.json"), []byte("{}"), 0o666), os.Symlink(filepath.Join("..", "..", "elsewhere", "a.json"), filepath.Join(dir, "site", "leaf-1", "a.json")),
		os.Symlink("nothing", filepath.Join(dir, "site", "leaf-1", "b.json")),
	} {
		must.Do(t, err)
	}
	fsys := os.DirFS(dir)
	files, err := Below(fsys, "site")
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	if text, err := files[0].Read(); string(text) != "{}" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := files[1].Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	must.Do(t, os.Symlink(filepath.Join("..", "elsewhere"), filepath.Join(dir, "site", "leaf-2")))
	var at *fs.PathError
	if _, err := Below(fsys, "site"); !errors.As(err, &at) || at.Op != "read" || at.Path != "site/leaf-2" || at.Err.Error() != "this folder is a link; name the folder that it leads to" {
		t.Errorf("%v", err)
	}
}

// Four leaves under two spines. When the first two leaves have lost their links to different spines,
// they reach each other over one of the other leaves, down and up again; what does so at either of these
// can wait for each other in a circle.
func TestCircleAfterFailures(t *testing.T) {
	p := &plan.Plan{Hosts: []*plan.Host{{Name: "nic"}}, Routing: "shortest_paths"}
	for _, name := range []string{"leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1", "spine-2"} {
		sw := &plan.Switch{Names: []string{name}}
		for range 5 {
			sw.Ports = append(sw.Ports, plan.Port{QoS: &plan.PortQoS{PFC: 1 << 3}})
		}
		if strings.HasPrefix(name, "leaf") {
			sw.Ports[0].Peer = "nic"
			for _, spine := range []string{"spine-1", "spine-2"} {
				p.Links = append(p.Links, plan.Link{A: plan.LinkEnd{Switch: name}, B: plan.LinkEnd{Switch: spine}})
			}
		}
		p.Switches = append(p.Switches, sw)
	}
	r, found, err := checkDeadlock(p, nil)
	if err != nil || r.Free {
		t.Fatalf("%+v, %v", r, err)
	}
	i := slices.IndexFunc(r.AfterFailure, func(c DeadlockCase) bool { return len(c.Cycle) > 0 })
	if i < 0 || len(r.AfterFailure[i].Failed) != 2 || len(r.AfterFailure[i].Cycle) != 4 {
		t.Fatalf("%+v", r.AfterFailure)
	}
	own := r.AfterFailure[i]
	want := "with " + own.Failed[0] + " and " + own.Failed[1] + " failed" + others(own.Alike) + ", if packets take the shortest remaining paths: each of these 4 links waits for the next, and the last for the first: " + strings.Join(own.Cycle, ", ")
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return d.Code == DeadlockCycle && d.Message == want && d.Severity == diag.Error
	}) {
		t.Errorf("no %q among %v", want, found)
	}
	if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == PathCut }) {
		t.Errorf("one failure cuts nobody off: %v", found)
	}
}

// What does not compile is no form that a file could be compared with.
func TestFormThatDoesNotCompile(t *testing.T) {
	p, catalogue := planOf(t, "mixed-cabling")
	planned := plannedSwitch(t, p, "tor-1")
	v := New(Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p}})
	if _, err := v.compiled(planned, planned, "telex", "f"); err == nil || !strings.HasPrefix(err.Error(), "its targets are ") {
		t.Errorf("%v", err)
	}
	if _, err := v.compiled(planned, planned, planned.Targets[0], "f"); err == nil || err.Error() != "nothing writes it" {
		t.Errorf("%v", err)
	}
}

// Inputs of a certificate are not compared where only the fabric could tell what the file leaves open,
// nor those of ports that say nothing.
func TestInputsThatAreNotCompared(t *testing.T) {
	of := func(c func(*proof.Certificate), sw *plan.Switch) []error {
		list := must.Get(ParseCertificates(certified(t, sample(t))))(t)
		list.Shapes[0].Switches = []string{"leaf-1"}
		c(list.Shapes[0])
		return sameInputs(list.Shapes[0], &Shape{Result: read.Result{Switch: sw}, Devices: []string{"leaf-1"}, Files: []string{"f"}})
	}
	bare := func() *plan.Switch { return &plan.Switch{Ports: []plan.Port{{Name: "Ethernet4"}}} }
	computed := bare()
	computed.BufferModel = plan.DynamicModel // and says no parameter of it
	for name, c := range map[string]struct {
		sw   *plan.Switch
		edit func(*proof.Certificate)
	}{
		"what the switch computes": {computed, func(c *proof.Certificate) { c.Model.Config.CellBytes++ }},
		"a chip without cells":     {bare(), func(c *proof.Certificate) { c.Chip = "trident5-x12"; c.Model.Config.CellBytes++ }},
		"groups of a pool that is not there": {&plan.Switch{
			Pools: []plan.Pool{{Name: "in", Size: plan.Of(units.Bytes(1<<20), nil), Both: true}},
			Ports: []plan.Port{{Name: "Ethernet4", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Pool: "nowhere"}}}}},
		}, func(c *proof.Certificate) { c.Model.Config.CellBytes++ }},
		"a port that says nothing": {bare(), func(c *proof.Certificate) { c.Model.Ports[1].Pausable++ }},
	} {
		if errs := of(c.edit, c.sw); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
		// That it is of another switch is told all the same.
		other := func(c *proof.Certificate) { c.Switches = []string{"leaf-9"} }
		if errs := of(other, c.sw); len(errs) != 1 && c.sw.BufferModel == plan.DynamicModel {
			t.Errorf("%s, of another switch: %v", name, errs)
		}
	}
}

// A lossless group of a file is looked for on ports that have any; so is one of the certificate.
func TestGroupsOfBarePorts(t *testing.T) {
	shape := &Shape{Files: []string{"f"}}
	shape.Switch = &plan.Switch{Ports: []plan.Port{{Name: "bare"}, {Name: "e1", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 4}}}}}}
	of := func(lossless map[string][]int) *model.Switch {
		m := &model.Switch{Config: &mmu.Config{}}
		for port, numbers := range lossless {
			own := mmu.Port{PGs: make([]mmu.PG, 8)}
			for _, number := range numbers {
				own.PGs[number].Lossless = true
			}
			m.Ports, m.Config.Ports = append(m.Ports, model.Port{Name: port}), append(m.Config.Ports, own)
		}
		return m
	}
	for _, c := range []struct {
		groups map[string][]int
		want   string
	}{
		{map[string][]int{"e1": {3}}, ""},
		{nil, "priority group 3 of e1 is lossless in f, but the certificate lacks the group"},
		{map[string][]int{"e1": {3, 4}}, "the certificate has priority group 4 of e1, which is not lossless in f"},
		{map[string][]int{"e1": {3}, "bare": {3}}, "the certificate has priority group 3 of bare, which is not lossless in f"},
	} {
		if errs := sameGroups(&proof.Certificate{Model: of(c.groups)}, shape); (len(errs) == 0) != (c.want == "") || len(errs) > 0 && (len(errs) != 1 || errs[0].Error() != c.want) {
			t.Errorf("%+v: %v, want %q", c.groups, errs, c.want)
		}
	}
}

// A place that nobody gives is none.
func TestPlaceOfNothing(t *testing.T) {
	s := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}}}}}
	must.Equal(t, s.losslessRange(), diag.Range{})
	must.Equal(t, lineOf(diag.Range{}), "")
	at := diag.Range{Filename: "f"}
	at.Start.Line = 17
	must.Equal(t, lineOf(at), "f:17")
}

// Of a chip without cells, or without a slice's method, nothing is said of the headroom partition; a
// port that says nothing, or of which a figure is not known, asks for none of it.
func TestPartitionWithoutFigures(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	bare := *chip
	bare.CellSize = chips.Datum[units.Bytes]{}
	sw := &plan.Switch{Ports: []plan.Port{{Name: "bare"}, {Name: "e1", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}}}}
	if p := (&divider{told: sw, sw: sw, chip: &bare}).partition(); p != nil {
		t.Errorf("%+v", p)
	}
	known := &plan.Switch{MTU: plan.Of(units.Bytes(9216), nil), Ports: []plan.Port{{Name: "e1", Speed: 400 * units.Gbps, Cable: 5 * units.Metre, QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 0}, {ID: 3, Lossless: true}, {ID: 7}}}}}}
	if p := (&divider{told: known, sw: known, chip: chip}).partition(); p == nil || len(p.Groups) != 1 || p.Groups[0].PG != 3 || len(p.Groups[0].Ports) != 1 {
		t.Errorf("a port with one lossless group of three: %+v", p)
	}
	p := (&divider{told: sw, sw: sw, chip: chip}).partition()
	if p == nil || len(p.Groups) != 0 || p.Drops != 0 || p.DropGroups != 0 || p.Parts != chip.Slices.Or(0) {
		t.Errorf("%+v", p)
	}
}
