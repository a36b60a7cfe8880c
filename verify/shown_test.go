package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pin pins what the fabric plans of a pool.
func pin(sw *plan.Switch, name string, headroom bool, size func(units.Bytes) units.Bytes) {
	sw.Pools = slices.Clone(sw.Pools)
	for i := range sw.Pools {
		if p := &sw.Pools[i]; p.Name == name {
			p.Size = plan.Of(size(p.Size.Value), &plan.Why{Kind: plan.Pinned, Name: "size"})
			if headroom {
				p.Headroom = plan.Of(p.Headroom.Value, &plan.Why{Kind: plan.Pinned, Name: "headroom"})
			}
		}
	}
}

// Sizes of pools that a fabric pins are declared where a configuration cannot have them: with both of lossless
// traffic there is no condition on the division of the buffer, with one of them there is. A pool of queues that is
// too small for what groups let in refutes.
func TestSizesThatAFabricPins(t *testing.T) {
	as := func(size units.Bytes) units.Bytes { return size }
	tenth := func(size units.Bytes) units.Bytes { return size / 10 }
	for _, c := range []struct {
		example  string
		target   emit.Target
		file     string
		headroom bool // of the ingress pool too
	}{
		{"tomahawk4-eos-storage", eos.Target(), "eos.cfg", false},
		{"srlinux-rail", srlinux.Target(), "srlinux.json", true},
	} {
		for _, k := range []struct {
			name string
			pin  func(*plan.Switch)
			want Verdict
		}{
			{"nothing", func(*plan.Switch) {}, Conditional},
			{"the ingress pool", func(sw *plan.Switch) { pin(sw, plan.LosslessPool, c.headroom, as) }, Conditional},
			{"both", func(sw *plan.Switch) {
				pin(sw, plan.LosslessPool, c.headroom, as)
				pin(sw, plan.LosslessQueues, false, as)
			}, Proved},
			{"a small egress pool", func(sw *plan.Switch) {
				pin(sw, plan.LosslessPool, c.headroom, as)
				pin(sw, plan.LosslessQueues, false, tenth)
			}, Refuted},
		} {
			p, catalogue := planOf(t, c.example)
			planned := plannedSwitch(t, p, "leaf-1")
			files, _ := c.target.Forms[0].Emit(planned)
			k.pin(planned)
			r := judge(t, Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{c.target}}},
				Text("leaf-1/"+c.file, files[0].Body.AppendFor(nil, "leaf-1")))
			s := r.Switches[0]
			divides := slices.ContainsFunc(s.Conditions, func(c proof.Condition) bool { return c.ID == DeviceDivides })
			declared := strings.Count(strings.Join(s.Declared, "\n"), "as the device shows it")
			if s.Verdict != k.want || divides != (k.want == Conditional) || declared < 2 && k.want != Conditional {
				t.Errorf("%s with %s pinned: %v, conditions %v, declared %q", c.example, k.name, s.Verdict, s.Conditions, s.Declared)
			}
		}
	}
}

// What a fabric pins of a pool is no fact about a device whose configuration holds sizes, or shares of them.
func TestSizesOfFilesStay(t *testing.T) {
	for _, c := range []struct {
		example, device, file string
		target                emit.Target
		want                  Verdict
	}{
		{"cumulus-storage", "leaf-1", "nvue.yaml", nvue.Target(), Proved},
		{"spectrum4-storage", "leaf-01", "config_db.json", sonic.Target(), Proved},
		{"junos-rail", "leaf-1", "junos.conf", junos.Target(), Conditional},
	} {
		p, catalogue := planOf(t, c.example)
		planned := plannedSwitch(t, p, c.device)
		files, _ := c.target.Forms[0].Emit(planned)
		text := Text(c.device+"/"+c.file, files[0].Body.AppendFor(nil, c.device))
		o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{c.target}}}
		want := judge(t, o, text).Switches[0]
		for _, name := range []string{plan.LosslessPool, plan.LosslessQueues} {
			pin(planned, name, true, func(size units.Bytes) units.Bytes { return size / 10 })
		}
		got := judge(t, o, text).Switches[0]
		for i, pool := range got.Plan.Pools {
			if was := want.Plan.Pools[i]; pool.Size.Value != was.Size.Value || pool.Headroom.Value != was.Headroom.Value {
				t.Errorf("%s: pool %s has %v and %v, and the file %v and %v", c.example, pool.Name, pool.Size.Value, pool.Headroom.Value, was.Size.Value, was.Headroom.Value)
			}
		}
		if got.Verdict != c.want || strings.Contains(strings.Join(got.Declared, "\n"), "as the device shows it") {
			t.Errorf("%s: %v, declared %q", c.example, got.Verdict, got.Declared)
		}
	}
}

// Shares of pools are those of all memory, or of what groups leave of it. The verdict is proved where it is so
// either way, and conditional where the shares of all memory do not fit beside what groups own: 83 % of 158,229,504 B
// and 25,339,392 B of port buffers do, 84 % do not.
func TestSharesOfEitherMemory(t *testing.T) {
	p, catalogue := planOf(t, "cumulus-storage")
	files, _ := nvue.Target().Forms[0].Emit(plannedSwitch(t, p, "leaf-1"))
	text := string(files[0].Body.AppendFor(nil, "leaf-1"))
	for share, want := range map[string]Verdict{"80": Proved, "50": Proved, "83": Proved, "84": Conditional, "100": Conditional} {
		changed := strings.Replace(text, "memory-percent: 80", "memory-percent: "+share, 1)
		if share != "80" && changed == text {
			t.Fatal("the file has no share of 80 %")
		}
		s := judge(t, Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{nvue.Target()}}}, Text("leaf-1/nvue.yaml", []byte(changed))).Switches[0]
		if s.Verdict != want {
			t.Errorf("%s %%: %v, want %v: %v", share, s.Verdict, want, s.Conditions)
		}
	}
}
