package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// What stands behind a verdict is counted by hand: of three ports two have lossless groups, one of
// them two; code points lead to the classes 0, 3 and 7, and 3 and 7 lie in lossless groups.
func TestCoverageByHand(t *testing.T) {
	one := &plan.PortQoS{PGs: []plan.PG{{ID: 0}, {ID: 3, Lossless: true}}}
	two := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 7, Lossless: true}}}
	s := &Switch{shape: &Shape{}, Plan: &plan.Switch{Ports: []plan.Port{{QoS: one}, {QoS: two}, {}}}}
	s.Plan.Maps.DSCPToTC[24], s.Plan.Maps.DSCPToTC[25], s.Plan.Maps.DSCPToTC[63] = 3, 3, 7
	s.Plan.Maps.TCToPG = [8]uint8{0, 0, 3, 3, 0, 0, 0, 7} // class 2 would too, and no code point leads to it
	s.shape.Ledger.Statements = []read.Statement{{Sort: read.Modelled}, {Sort: read.Modelled}, {Sort: read.Neutral}, {}}
	s.count()
	want := Coverage{Ports: 3, Lossless: 2, Groups: 3, Classes: 3, LosslessClasses: 2, LosslessDSCPs: "24-25,63", Modelled: 2, Neutral: 1, Unmodelled: 1}
	must.Equal(t, s.Coverage, want)
}

// What lies between switches is in the report: its links, and what their failures do.
func TestBetweenIsReported(t *testing.T) {
	r, err := Judge(nil, Options{Fabric: &Fabric{Plan: linked(map[string]int{"a": 2, "b": 3, "c": 2}, "ac", "a-b", "b-c")}})
	if err != nil || r.Links != 2 || r.Deadlock == nil || r.Deadlock.Devices != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := codes(r.Findings); !slices.Equal(got, []diag.Code{PathCut, SwitchMissing, SwitchMissing, SwitchMissing}) && !slices.Equal(got, []diag.Code{SwitchMissing, SwitchMissing, SwitchMissing, PathCut}) {
		t.Errorf("%v", got)
	}
}

// What is judged of a format that cannot say it is the plan's, by the name of the file's device.
func TestAsPlannedByName(t *testing.T) {
	p, catalogue := planOf(t, "mixed-cabling")
	planned := plannedSwitch(t, p, "spine-1")
	format, _ := FormatOf("openconfig")
	v := New(Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p}})
	s := newSwitch(&Shape{Format: format, Files: []string{"f"}}, &plan.Switch{})
	s.Names = []string{"spine-1"}
	s.chip, _ = catalogue.Find(planned.Chip)
	must.Do(t, v.asPlanned(s, planned))
	if !slices.Equal(s.Plan.Names, s.Names) || s.Plan == planned || s.Coverage.Ports != len(planned.Ports) || !s.AsPlanned() {
		t.Errorf("%v, %+v", s.Plan.Names, s.Coverage)
	}
	for _, o := range s.Proof.Obligations {
		if o.Lossless && (len(o.Conditions) == 0 || o.Conditions[len(o.Conditions)-1].ID != AsPlanned) {
			t.Errorf("%s holds without a condition", o.ID)
		}
	}
}

// The adversary is asked where something fails, and the first packet lost is noted.
func TestAttack(t *testing.T) {
	good := judge(t, trident3(t), Text("config_db.json", sample(t))).Switches[0]
	if result, err := good.Attack(adversary.Options{Seed: 1}); result != nil || err != nil {
		t.Errorf("nothing fails: %v, %v", result, err)
	}
	text := strings.ReplaceAll(string(sample(t)), `"xoff": "250112"`, `"xoff": "2560"`)
	bad := judge(t, trident3(t), Text("config_db.json", []byte(text))).Switches[0]
	if result, err := bad.Attack(adversary.Options{Seed: 1}); err != nil || result == nil || result.Found == nil || bad.Lost == nil {
		t.Errorf("%+v, %v", result, err)
	}
}
