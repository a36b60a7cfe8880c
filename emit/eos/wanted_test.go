package eos

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// No two profiles have one name, whatever groups are called.
func TestProfileNames(t *testing.T) {
	var taken []*profileView
	for _, c := range []struct{ group, want string }{
		{"2", "roceplan-2"}, {"bad name", "roceplan-3"}, {"x", "roceplan-x"}, {"x", "roceplan-4"}, {"4", "roceplan-5"}, {"", "roceplan-6"},
	} {
		got := profileName(c.group, taken)
		if got != c.want && c.group != "" {
			t.Errorf("group %q: %s, want %s", c.group, got, c.want)
		}
		if slices.ContainsFunc(taken, func(p *profileView) bool { return p.Name == got }) {
			t.Errorf("group %q: %s is taken", c.group, got)
		}
		taken = append(taken, &profileView{Name: got})
	}
}

// What EOS is told of a switch with one change.
func TestWanted(t *testing.T) {
	form := emit.Form{Name: "running-config", Emit: Emit}
	unbuffered := func(s *plan.Switch) {
		s.Chip = "jericho2"
		noBuffer(s)
		for i := range s.Ports {
			q := s.Ports[i].QoS
			for k := range q.PGs {
				q.PGs[k] = plan.PG{ID: q.PGs[k].ID, Lossless: q.PGs[k].Lossless}
			}
		}
	}
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		"a cluster on a chip of which none is published": {func(s *plan.Switch) {
			s.Chip, s.EOS = "trident4-x9", &plan.EOS{Cluster: &plan.Cluster{Hosts: []string{s.Ports[0].Group}, Destinations: "vtep"}}
		}, []string{"warning eos-load-balancing: cluster load balancing is published for switches with Tomahawk 5"}, []string{"load-balance cluster"}},
		"a queue with two alphas": {func(s *plan.Switch) { s.Ports[2].QoS.Queues[0].Limit = dynamic(-1) }, []string{"alpha of queue 1 is 1/2 on some ports and 1 on others"}, nil},
		"a queue with one":        {func(*plan.Switch) {}, []string{"EOS has no lines for these values and chooses them itself: the size of ingress (101600000B)"}, []string{"alpha of queue", "the absolute XON level"}},
		"an absolute level":       {func(s *plan.Switch) { s.Ports[0].QoS.PGs[1].XOn = given(units.Bytes(1)) }, []string{"the absolute XON level (1B)"}, nil},
		"nothing that EOS sets":   {func(s *plan.Switch) { s.Pools[0].Size.Value = 0 }, nil, []string{"EOS sets"}},
		"a chip without lines for buffers, and nothing for them": {unbuffered, nil, []string{"has no lines for buffers"}},
		"a byte of headroom": {func(s *plan.Switch) {
			unbuffered(s)
			s.Ports[0].QoS.PGs[1].Headroom = given(units.Bytes(1))
		}, []string{"has no lines for buffers: 1B of headroom"}, nil},
		"ports that switch": {func(s *plan.Switch) { s.Ports[2].Routed, s.Ports[3].Routed = false, false }, []string{"warning eos-switched: ports of uplinks are switched ports", "their mtu of 9198 B"}, nil},
		"of which no frame is known": {func(s *plan.Switch) {
			s.Ports[2].Routed, s.Ports[3].Routed, s.Ports[2].MTU, s.Ports[3].MTU = false, false, 0, 0
		}, nil, []string{"eos-switched"}},
		"a calculator":            {func(s *plan.Switch) { s.Calculator = &plan.Calculator{} }, []string{"EOS computes no headroom and no pools from speeds and cables"}, nil},
		"flowlets of a size":      {func(s *plan.Switch) { s.EOS = &plan.EOS{FlowSetSize: 1} }, []string{"distribution dynamic flow-set-size 1"}, []string{"flow_set_size applies to flowlets only"}},
		"of none":                 {func(s *plan.Switch) { s.EOS = &plan.EOS{} }, []string{"distribution dynamic"}, []string{"flow-set-size", "flow_set_size applies to flowlets only"}},
		"a size without flowlets": {func(s *plan.Switch) { s.EOS, s.LoadBalancing = &plan.EOS{FlowSetSize: 1}, "ecmp" }, []string{"warning eos-load-balancing: flow_set_size applies to flowlets only"}, []string{"flow-set-size", "distribution dynamic"}},
		"group 8":                 {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].ID = 8 }, []string{"error eos-priority: EOS has priority groups 0 to 7, not 8"}, nil},
	} {
		plantest.Wants(t, form, leaf(), name, c.change, c.has, c.not)
	}
}

// AVD has no key for what is guaranteed to queues that share too: their lines stand below one header for each profile.
func TestGuaranteesForAVD(t *testing.T) {
	s := leaf()
	for i := range s.Ports {
		q := s.Ports[i].QoS
		q.PFC |= 1 << 1
		q.PGs = append(q.PGs, plan.PG{ID: 1, Pool: "ingress", Limit: dynamic(-2), Lossless: true})
	}
	s.Maps.TCToPG[1], s.Maps.PFCToPG[1] = 1, 1
	v, found := compose(s)
	if v == nil {
		t.Fatal(found)
	}
	const want = "!\nqos profile roceplan-servers\n   uc-tx-queue 1\n      bandwidth guaranteed percent 1\n   uc-tx-queue 3\n      bandwidth guaranteed percent 1\n!\nqos profile roceplan-uplinks\n   uc-tx-queue 1\n"
	if got := v.avdLines(); !strings.Contains(got, want) {
		t.Errorf("%s\nlacks\n%s", got, want)
	}
}

// Each key that needs a release of AVD is named with what brought it, and nothing else is; a flow limit and an aging of
// one are keys.
func TestWhatAVDMustKnow(t *testing.T) {
	for _, c := range []struct {
		v    view
		want string
	}{
		{view{}, ""}, {view{MMU: &mmuView{}}, "# It needs AVD 5.5.0 or later (ingress profiles of platform.trident.mmu: pull request 5479).\n"}, {view{HeadroomPool: 1}, "# It needs AVD 5.5.0 or later (platform.trident.mmu.headroom_pool: 5459).\n"},
		{view{Dynamic: true}, "# It needs AVD 5.5.0 or later (ip_hardware.fib.load_balance_distribution: 5450).\n"}, {view{Cluster: &clusterView{}}, "# It needs AVD 5.6.0 or later (load_balance.cluster: 5648).\n"},
	} {
		must.Equal(t, c.v.minimumAVD(), c.want)
	}
	for n, want := range map[int64][2]string{
		0: {"destination_grouping: prefix length\n    prefix_length: '24'\n    load_balance_method_flow_round_robin: true\n    port_groups:\n    - group: Ethernet1\n      interface: Ethernet1\n", "uc_tx_queues:\n  - id: 0\n    priority: no priority\n    bandwidth_guaranteed_percent: 1\n"},
		1: {"destination_grouping: prefix length\n    prefix_length: '24'\n    load_balance_method_flow_round_robin: true\n    flow:\n      source_learning_aging_timeout: 1\n    port_groups:\n    - group: Ethernet1\n      interface: Ethernet1\n      flow:\n        limit: 1\n", "uc_tx_queues:\n  - id: 0\n    priority: no priority\n    bandwidth_percent: 1\n    shape:\n      rate: 1 kbps\n"},
	} {
		v := &view{Queue: "uc-tx-queue", HeadroomPool: n, Cluster: &clusterView{Grouping: "prefix length 24", Aging: n, FlowLimit: n, Ports: []string{"Ethernet1"}}, Profiles: []*profileView{{Queues: []queueView{{Kbps: n, Guaranteed: true, Percent: n}}}}}
		text, err := yaml.Dump(v.avd(), yaml.WithIndent(2))
		if got := string(text); err != nil || !strings.Contains(got, want[0]) || !strings.Contains(got, want[1]) || strings.Contains(got, "headroom_pool:\n        limit: 1\n") != (n > 0) {
			t.Errorf("%d: %v\n%s", n, err, text)
		}
	}
}

// A line is taken back by `no` before it, and one that begins so by its words.
func TestNegated(t *testing.T) {
	for line, want := range map[string]string{"mtu 9214": "no mtu 9214", "no priority": "priority", "none": "no none"} {
		must.Equalf(t, negated(line), want, "%q is taken back by", line)
	}
}

// A change from or to a switch that EOS cannot be told is none.
func TestNoChangeOfWhatCannotBeTold(t *testing.T) {
	bad := leaf()
	bad.Ports[0].MTU = 20 * units.KB
	for _, c := range [][2]*plan.Switch{{bad, leaf()}, {leaf(), bad}} {
		if files, found := EmitChange(c[0], c[1]); len(files) > 0 || !found.HasErrors() {
			t.Errorf("%d files, found %v", len(files), found)
		}
	}
	_, usual := Emit(leaf())
	if files, found := EmitChange(leaf(), leaf()); len(files) > 0 || found.HasErrors() || len(found) != len(usual) {
		t.Errorf("to itself: %d files, found %v", len(files), found)
	}
}
