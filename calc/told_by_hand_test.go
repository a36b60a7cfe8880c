package calc

import (
	"os"
	"reflect"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

func set[T any](v T) policy.Opt[T] { return policy.Opt[T]{Value: v, Set: true} }

// A NIC of which nothing is known has the constants of DCQCN's paper (table 14 and section 5.2): a timer of 55 us, 10 MB,
// five times fast, 40 Mb/s, a g of 1/256, which is 1020 of 1024 kept; alpha begins at one, and half of it is taken
// (2^-11 of 1024ths, no less than half of the rate). The paper has no hyper increase: ten times the additive one.
func TestReactionOfThePaper(t *testing.T) {
	r := reactionOf(&policy.Fabric{}, nil, &plan.Path{})
	for name, c := range map[string]struct {
		got, want any
	}{
		"cnp_interval": {r.CNPInterval.Value, 50 * units.Microsecond}, "per port": {r.CNPPerPort.Value, plan.Flag(false)},
		"clamp": {r.ClampTarget.Value, plan.Flag(true)}, "clamp after timer": {r.ClampAfterTimer.Value, plan.Flag(true)},
		"threshold": {r.Threshold.Value, plan.Count(5)}, "time reset": {r.TimeReset.Value, 55 * units.Microsecond}, "byte reset": {r.ByteReset.Value, 10_000_000 * units.Byte},
		"ai": {r.AIRate.Value, 40 * units.Mbps}, "hai": {r.HAIRate.Value, 400 * units.Mbps}, "gd": {r.GD.Value, plan.Count(11)}, "fac": {r.MinDecFac.Value, 50 * units.Percent},
		"least": {r.MinRate.Value, units.Mbps}, "g": {r.G.Value, plan.Count(1024 - 1024/256)}, "alpha": {r.AlphaInterval.Value, 55 * units.Microsecond},
		"decrease": {r.DecreaseInterval.Value, 50 * units.Microsecond}, "initial": {r.InitialAlpha.Value, plan.Count(1023)},
	} {
		must.Equalf(t, c.got, c.want, "%s:", name)
	}
	for _, v := range []plan.Derived[plan.Flag]{r.ClampTarget, r.CNPPerPort, r.ClampAfterTimer} {
		if v.Why.Kind != plan.Default || v.Why.Value != v.Value {
			t.Errorf("%+v", v.Why)
		}
	}
}

// What an author gives goes before what is derived, and that before the paper's: with CNPs every 4 us and a path of
// 6.7 us the timer is 10.7 us, up to a microsecond; a flow rises by a hundredth of the slowest port, or by its part of a
// tenth where more than ten share one, and by ten times that.
func TestReactionThatIsDerived(t *testing.T) {
	f, path := &policy.Fabric{}, &plan.Path{Base: plan.Of(6700*units.Nanosecond, nil)}
	nic := &policy.NIC{CNPInterval: set(4 * units.Microsecond), Slowest: set(400 * units.Gbps)}
	nic.Reaction.Derived = set(true)
	r := reactionOf(f, nic, path)
	if r.AlphaInterval.Value != 5*units.Microsecond || r.Threshold.Value != 5 || r.TimeReset.Value != 11*units.Microsecond || r.AIRate.Value != 4*units.Gbps || r.HAIRate.Value != 40*units.Gbps || r.GD.Value != 10 || r.MinDecFac.Value != 10*units.Percent ||
		r.DecreaseInterval.Value != units.Microsecond || bool(r.ClampTarget.Value) || !bool(r.ClampAfterTimer.Value) || r.AIRate.Why.Kind != plan.Formula {
		t.Errorf("%+v", r)
	}
	nic.Reaction.AIRate, nic.Reaction.ClampTarget = set(7*units.Mbps), set(true)
	if r = reactionOf(f, nic, path); r.AIRate.Value != 7*units.Mbps || r.HAIRate.Value != 70*units.Mbps || !bool(r.ClampTarget.Value) || r.AIRate.Why.Kind != plan.Given {
		t.Errorf("%+v", r)
	}
	nic.Slowest, nic.Reaction.AIRate = policy.Opt[units.BitRate]{}, policy.Opt[units.BitRate]{}
	if r = reactionOf(f, nic, path); r.AIRate.Value != 40*units.Mbps || r.HAIRate.Value != 400*units.Mbps {
		t.Errorf("no port leads to it: %+v", r)
	}
	nic.Reaction.Derived = set(false)
	if r = reactionOf(f, nic, path); r.AlphaInterval.Value != 55*units.Microsecond || r.DecreaseInterval.Value != 50*units.Microsecond {
		t.Errorf("nothing is derived: %+v", r)
	}
	for interval, want := range map[units.Time]units.Time{50: 55, 10: 11, 9: 10, 1: 2} {
		must.Equalf(t, AlphaInterval(interval*units.Microsecond), want*units.Microsecond, "alpha for %d us:", int64(interval))
	}
	for rate, want := range map[units.BitRate]units.BitRate{100 * units.Gbps: 1000, 25 * units.Gbps: 250, 25*units.Gbps + 99*units.Mbps: 250, 50 * units.Mbps: 1} {
		must.Equalf(t, AIRate(rate), want*units.Mbps, "additive at %v:", rate)
	}
	for base, want := range map[units.Time]units.Time{6000: 10, 6001: 11, 0: 4} {
		must.Equalf(t, TimeReset(base*units.Nanosecond, 4*units.Microsecond), want*units.Microsecond, "timer of a path of %d ns:", int64(base))
	}
}

// What an eos block says, with names in order.
func TestPlanEOS(t *testing.T) {
	if planEOS(nil) != nil {
		t.Error("something of nothing")
	}
	got := planEOS(&policy.EOS{FlowSetSize: set(8), QueueMonitor: set(true), DCBX: set([]string{"b", "a"})})
	if want := (&plan.EOS{FlowSetSize: 8, QueueMonitor: true, DCBX: []string{"a", "b"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	got = planEOS(&policy.EOS{Cluster: &policy.Cluster{Hosts: set([]string{"d", "c"}), Destinations: set("vtep"), FlowLimit: set(int64(9)), Aging: set(7 * units.Second)}})
	if want := (&plan.Cluster{Hosts: []string{"c", "d"}, Destinations: "vtep", FlowLimit: 9, Aging: 7 * units.Second}); !reflect.DeepEqual(got.Cluster, want) {
		t.Errorf("%+v", got.Cluster)
	}
}

// Servers and links of the fabric are those of the plan.
func TestServersAndLinksAreTakenOver(t *testing.T) {
	catalogue, _ := chips.Load()
	text := must.Get(os.ReadFile("../examples/tomahawk5-ai-pod/fabric.hcl"))(t)
	f := must.Sound(policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: text}}, Root: os.DirFS("../examples/tomahawk5-ai-pod"), Catalogue: catalogue}))(t)
	p, _ := Compute(f)
	if len(f.Servers) == 0 || len(p.Servers) != len(f.Servers) || len(p.Links) != len(f.Links) {
		t.Fatalf("%d servers of %d, %d links of %d", len(p.Servers), len(f.Servers), len(p.Links), len(f.Links))
	}
	for i, s := range f.Servers {
		own := p.Servers[i]
		if own.Name != s.Name || own.GPUs != s.GPUs || own.Machine != s.Machine || len(own.NICs) != len(s.NICs) {
			t.Errorf("%+v, want %+v", own, s)
			continue
		}
		for k, end := range s.NICs {
			if own.NICs[k] != plan.LinkEnd(end) {
				t.Errorf("%s: NIC %d at %+v, want %+v", s.Name, k, own.NICs[k], end)
			}
		}
	}
	for i, l := range f.Links {
		if p.Links[i].A != plan.LinkEnd(l.A) || p.Links[i].B != plan.LinkEnd(l.B) {
			t.Errorf("link %d: %+v, want %+v", i, p.Links[i], l)
		}
	}
}
