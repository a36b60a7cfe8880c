package verify

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// `nv set qos roce` is judged, as commands and as YAML, with the headroom of NVIDIA's calculator. The verdict names that
// as a condition. A port without a speed has the fastest of its box.
func TestRoCEModeIsJudged(t *testing.T) {
	const commands = "nv set system hostname leaf01\nnv set interface swp1-8 link speed 100G\nnv set qos roce\nnv config apply\n"
	const tree = "- header:\n    model: MSN3700\n- set:\n    qos:\n      roce:\n        mode: lossless\n    interface:\n      swp1-8: {type: swp%s}\n"
	catalogue, _ := chips.Load()
	for _, c := range []struct {
		name, chip, file, text string
		speed                  units.BitRate
		guessed                bool
	}{
		{"commands", "spectrum2", "leaf01/nvue.sh", commands, 100 * units.Gbps, false},
		{"yaml", "", "leaf01/startup.yaml", strings.Replace(tree, "%s", ", link: {speed: 100G}", 1), 100 * units.Gbps, false},
		{"no speed", "", "leaf01/startup.yaml", strings.Replace(tree, "%s", "", 1), 200 * units.Gbps, true},
	} {
		o := Options{Catalogue: catalogue}
		if c.chip != "" {
			o.Chip, _ = catalogue.Find(c.chip)
		}
		s := judge(t, o, Text(c.file, []byte(c.text))).Switches[0]
		if s.Verdict != Conditional {
			t.Errorf("%s: %v; %v", c.name, s.Verdict, s.Because)
			continue
		}
		chip, _ := catalogue.Find("spectrum2")
		method := must.Get(headroom.For(chip, "spectrum"))(t)
		in := headroom.Defaults()
		in.Speed, in.Cable, in.PortMTU = c.speed, 100*units.Metre, 9216 // RDMA over Converged Ethernet: cable-length 100
		want := must.Get(method.Compute(in))(t)
		for _, pg := range s.Plan.Ports[0].QoS.PGs {
			if whole := want.XOff.CeilTo(chip.CellSize.Or(1)); pg.Lossless && pg.Headroom.Value != whole {
				t.Errorf("%s: headroom %v, want %v", c.name, pg.Headroom.Value, whole)
			}
		}
		told := ""
		for _, condition := range s.Conditions {
			told += condition.Assumes + "\n"
		}
		if !strings.Contains(told, "computes headroom as NVIDIA's calculator in SONiC does") || strings.Contains(told, "negotiate their speed") != c.guessed {
			t.Errorf("%s: the conditions are\n%s", c.name, told)
		}
	}
}

// A guess refutes nothing: a switch whose guessed headroom is too little for any packets is not judged, with
// both numbers.
func TestGuessRefutesNothing(t *testing.T) {
	text := "- header:\n    model: SN5600\n- set:\n    qos:\n      roce: {mode: lossless}\n    interface:\n      swp1-2: {type: swp, link: {speed: 800G}}\n"
	catalogue, _ := chips.Load()
	response := responseAt400G()
	s := judge(t, Options{Catalogue: catalogue, Peers: Peers{LosslessFrame: 9238, Response: &response}}, Text("leaf01/startup.yaml", []byte(text))).Switches[0]
	if s.Verdict != NotJudged || len(s.Because) == 0 || !strings.Contains(s.Because[0].Message, "the headroom of the switch is not known; with that of NVIDIA's calculator in SONiC it fails: ") {
		t.Errorf("%v: %v", s.Verdict, s.Because)
	}
}
