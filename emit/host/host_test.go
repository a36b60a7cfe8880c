package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// nic is a NIC of a model in a fabric with RDMA, CNPs and all else.
func nic(model string) *plan.Host {
	h := &plan.Host{
		Name: "nic", Model: model, MTU: 9216, CNPDSCP: 48, CNPPFC: 6,
		CNPInterval: plan.Derived[units.Time]{Value: 4 * units.Microsecond},
		Cable:       3 * units.Metre, Speed: 100 * units.Gbps, Buffer: plan.Derived[units.Bytes]{Value: 66011},
		Classes: []plan.HostClass{
			{Name: "rest", Priority: 0, Share: 40, CongestionControl: "none"},
			{Name: "rdma", DSCPs: []uint8{26}, Priority: 3, Lossless: true, Share: 60, Used: true, ECN: true, CongestionControl: "dcqcn"},
			{Name: "cnp", DSCPs: []uint8{48}, Priority: 6, Strict: true, CNP: true, CongestionControl: "none"},
		},
	}
	for d := range uint8(64) {
		switch d {
		case 26:
			h.Priorities[d] = 3
		case 48:
			h.Priorities[d] = 6
		default:
			h.Classes[0].DSCPs = append(h.Classes[0].DSCPs, d)
		}
	}
	return h
}

// scripts prints the two scripts of a NIC that can be told.
func scripts(t *testing.T, h *plan.Host) (roce, lldp string) {
	t.Helper()
	files, list := Emit(h)
	if len(files) != 2 || list.HasErrors() {
		t.Fatalf("%d files, %v", len(files), list)
	}
	return string(files[0].Body.AppendFor(nil, "")), string(files[1].Body.AppendFor(nil, ""))
}

// variants are NICs that reach every line of the templates.
func variants() map[string]*plan.Host {
	all := make(map[string]*plan.Host)
	for _, m := range models() {
		all[m.name] = nic(m.name)
	}
	rtt := nic("connectx-7")
	rtt.Classes[1].CongestionControl, rtt.Classes[1].ECN = "rttcc", false
	all["rtt"] = rtt
	for _, model := range []string{"connectx-5", "thor2", "other"} {
		lossy := nic(model)
		lossy.Classes[1].Lossless = false
		lossy.Buffer, lossy.Cable, lossy.CNPInterval.Value = plan.Derived[units.Bytes]{}, 0, 0
		all["lossy-"+model] = lossy
		bare := nic(model)
		bare.Classes = bare.Classes[:1]
		all["bare-"+model] = bare
	}
	two := nic("connectx-6")
	two.Classes = append(two.Classes, plan.HostClass{Name: "store", DSCPs: []uint8{34}, Priority: 4, Lossless: true, Share: 0, Used: true, CongestionControl: "dcqcn"})
	two.Priorities[34] = 4
	all["two"] = two
	return all
}

func TestScripts(t *testing.T) {
	for _, name := range []string{"connectx-7", "thor2", "other", "rtt", "two"} {
		roce, lldp := scripts(t, variants()[name])
		diagtest.Golden(t, filepath.Join("testdata", name+".roce.sh"), roce)
		if name == "two" {
			diagtest.Golden(t, filepath.Join("testdata", name+".lldp.sh"), lldp)
		}
	}
}

// TestShellcheck: no script gives shellcheck anything to say, in sh and with all checks.
func TestShellcheck(t *testing.T) {
	shellcheck := oracle.Command(t, "shellcheck", "shellcheck")
	dir := t.TempDir()
	args := []string{"--shell=sh", "--severity=style"}
	for name, h := range variants() {
		roce, lldp := scripts(t, h)
		for file, text := range map[string]string{"roce.sh": roce, "lldp.sh": lldp} {
			path := filepath.Join(dir, name+"-"+file)
			must.Do(t, os.WriteFile(path, []byte(text), 0o644))
			args = append(args, path)
		}
	}
	if out, err := exec.Command(shellcheck, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A constant of the reaction point that the fabric gives is written by both ways, and no other:
// 40 Mb/s as 40, 2,097,088 B as 32,767 times 64 B.
func TestRegisters(t *testing.T) {
	h := nic("connectx-7")
	given := &plan.Why{Kind: plan.Given}
	h.Reaction.AIRate = plan.Of(40*units.Mbps, given)
	h.Reaction.ByteReset = plan.Of(units.Bytes(2_097_088), given)
	h.Reaction.HAIRate = plan.Of(50*units.Mbps, &plan.Why{Kind: plan.Catalogue})
	roce, _ := scripts(t, h)
	for _, want := range []string{
		`put 40 "$ecn/roce_rp/rpg_ai_rate"`, `put 40 "$cc/rp_ai_rate"`,
		`put 32767 "$ecn/roce_rp/rpg_byte_reset"`, `put 32767 "$cc/rp_byte_reset"`,
	} {
		if !strings.Contains(roce, want) {
			t.Errorf("the script lacks %s", want)
		}
	}
	h.Reaction.TimeReset = plan.Of(55*units.Microsecond, &plan.Why{Kind: plan.Formula})
	h.Reaction.ClampTarget = plan.Of(plan.Flag(true), &plan.Why{Kind: plan.Standard})
	if derived, _ := scripts(t, h); !strings.Contains(derived, `put 55 "$ecn/roce_rp/rpg_time_reset"`) || !strings.Contains(derived, `put 1 "$cc/rp_clamp_tgt_rate"`) {
		t.Error("the script lacks constants that are derived")
	}
	if strings.Contains(roce, "hai_rate") {
		t.Error("the script writes a constant that is as it left the factory")
	}
	h.Model = "thor2"
	if _, found := Emit(h); len(found) == 0 {
		t.Error("nobody is told that a Thor cannot be told")
	}
}

// What becomes of NICs that cannot be told all.
func TestFindings(t *testing.T) {
	diagtest.Golden(t, "testdata/findings.txt", plantest.Findings(t, func() *plan.Host { return nic("connectx-7") }, Emit, []plantest.Fault[plan.Host]{
		{"as it is", func(*plan.Host) {}},
		{"a name that is not a folder", func(h *plan.Host) { h.Name = "../up" }},
		{"CNPs in the priority of all else", func(h *plan.Host) { h.Classes[2].Priority, h.CNPPFC = 0, 0 }},
		{"half a microsecond", func(h *plan.Host) { h.CNPInterval.Value = 2500 * units.Nanosecond }},
		{"two kilometres", func(h *plan.Host) { h.Cable = 2000 * units.Metre }},
		{"delay in the network", func(h *plan.Host) { h.Classes[1].CongestionControl = "swift" }},
		{"probes without hardware", func(h *plan.Host) { h.Model, h.Classes[1].CongestionControl = "connectx-4", "rttcc" }},
		{"two classes", func(h *plan.Host) { *h = *variants()["two"] }},
		{"two classes on Broadcom", func(h *plan.Host) { *h = *variants()["two"]; h.Model = "thor2" }},
		{"two code points on Broadcom", func(h *plan.Host) { h.Model, h.Classes[1].DSCPs = "thor2", []uint8{26, 27} }},
	}))
}
