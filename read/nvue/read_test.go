package nvue

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	emitnvue "github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// under wraps settings of QoS into a file.
func under(qos string) string {
	return "- set:\n    qos:\n" + indent(qos, 6)
}

func indent(text string, by int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(strings.Repeat(" ", by) + line)
	}
	return out.String()
}

func TestFindings(t *testing.T) {
	var out strings.Builder
	for _, src := range []string{
		"- set: [\n",
		"interface swp1\n",
		"- unset:\n    qos: {}\n",
		"- set:\n    qos: {}\n- sets:\n    system: {}\n",
		"- set: [qos]\n",
		under("mapping:\n  default-global:\n    trust: dscp\n"),
		under("mapping:\n  default-global:\n    trust: l3\n    dscp:\n      '64': {switch-priority: 3}\n      '26': {switch-priority: 8}\n"),
		under("mapping: {default-global: {trust: l3}}\npfc:\n  x: {switch-priority: {'3': {}}, xoff-threshold: 9000, port-buffer: 4000}\n") + "    interface:\n      swp1: {qos: {pfc: {profile: x}}}\n      swp2: {qos: {pfc: {profile: y}}}\n",
		under("egress-scheduler:\n  default-global:\n    traffic-class:\n      '3': {mode: wrr}\n      '4': {mode: dwrr, bw-percent: 130}\n") + "    interface:\n      swp1: {}\n",
		under("advance-buffer-config:\n  default-global:\n    ingress-lossy-buffer:\n      priority-group:\n        gold: {switch-priority: {'2': {}}}\n"),
		under("mapping:\n  default-global: {trust: l3, trust: port}\n"),
		under("mapping:\n  default-global: {trust: l2}\n"),
		under("link-pause:\n  lossy: {rx: enable}\n") + "    interface:\n      swp1: {qos: {link-pause: {profile: lossy}}}\n",
		under("pfc:\n  x: {switch-priority: {'3': {}}, xoff-threshold: 4000, port-buffer: 9000}\n") + "    interface:\n      swp1: {qos: {pfc: {profile: x}}}\n",
		under("mapping:\n  default-global: {trust: l3}\npfc:\n  default-global: {switch-priority: {'3': {}}, xoff-threshold: 4000, port-buffer: 9000}\n"+
			"advance-buffer-config:\n  default-global:\n    ingress-lossy-buffer:\n      priority-group:\n        service3: {switch-priority: {'4': {}}}\n") + "    interface:\n      swp1: {}\n",
		under("mapping:\n  default-global: {trust: l3}\n  a: {trust: port, port-default-sp: 1}\n  b: {trust: port, port-default-sp: 2}\n") +
			"    interface:\n      swp1: {qos: {mapping: {profile: a}}}\n      swp2: {qos: {mapping: {profile: b}}}\n",
		"nv set interface swp1 link mtu 9216\nnv list interface\n",
		"- set: &all\n    qos: *all\n",
	} {
		sw, list := readtest.Switch(Format(), "nvue.yaml", []byte(src))
		if sw == nil || len(list) == 0 {
			t.Errorf("no switch or no finding:\n%s", src)
		}
		out.WriteString(indent(src, 4))
		must.Do(t, (diag.Text{Sources: diag.Sources{"nvue.yaml": []byte(src)}}).Write(&out, list))
		out.WriteString("\n")
	}
	diagtest.Golden(t, "testdata/findings.txt", out.String())
}

// Ports that do not trust the DSCP give every packet their own priority; PFC that works in
// one direction alone is none.
func TestWhatIsOff(t *testing.T) {
	sw, list := readtest.Switch(Format(), "nvue.yaml", []byte(under("mapping:\n  default-global: {trust: port, port-default-sp: 2}\npfc:\n  x: {switch-priority: {'3': {}}, tx: disable}\n")+
		"    interface:\n      swp1: {qos: {pfc: {profile: x}}}\n"))
	if len(list) > 0 || sw.Ports[0].QoS.PFC != 0 {
		t.Errorf("PFC %08b, found %v", sw.Ports[0].QoS.PFC, list)
	}
	for d, tc := range sw.Maps.DSCPToTC {
		must.Equalf(t, tc, 2, "DSCP %d leads to", d)
	}
}

// A file with little in it is a switch with the defaults of Cumulus Linux.
func TestDefaults(t *testing.T) {
	sw, list := readtest.Switch(Format(), "leaf-1.yaml", []byte("- header:\n    model: x\n- set:\n    interface:\n      swp1-3,swp5s0,eth0,lo: {}\n"))
	if len(list) > 0 {
		t.Fatal(list)
	}
	var ports []string
	for _, p := range sw.Ports {
		ports = append(ports, p.Name)
	}
	if got := strings.Join(ports, " "); got != "swp1 swp2 swp3 swp5s0" || sw.Names[0] != "leaf-1" {
		t.Errorf("switch %s has the ports %s", sw.Names[0], got)
	}
	// 5.14, Default Configuration Files: packet_priority_source_set = [802.1p], so that an
	// untagged packet has the port's default priority whatever its DSCP.
	if q := sw.Ports[0].QoS; q.PFC != 0 || sw.Maps.DSCPToTC[26] != 0 || sw.Maps.TCToQueue[5] != 5 || sw.Watchdog != nil {
		t.Errorf("the defaults are %+v, %+v", q, sw.Maps)
	}

	// https://docs.nvidia.com/networking-ethernet-software/cumulus-linux-514/, RDMA over
	// Converged Ethernet: switch priority 3 is lossless, 6 strict, the rest halves.
	sw, list = readtest.Switch(Format(), "leaf-1.yaml", []byte(under("roce: {mode: lossless, cable-length: 40}\n")+"    interface:\n      swp1: {}\n"))
	if len(list) > 0 {
		t.Fatal(list)
	}
	p := sw.Ports[0]
	if p.QoS.PFC != 1<<3 || p.Cable != 40*units.Metre || len(p.QoS.Queues) != 3 || !p.QoS.Queues[2].Scheduler.Strict {
		t.Errorf("RoCE mode is %+v", p.QoS)
	}
	if ecn := p.QoS.Queues[1].ECN; ecn == nil || ecn.KMin.Value != 150_000 || ecn.KMax.Value != 1_500_000 || ecn.PMax.Value != units.One {
		t.Errorf("RoCE mode marks by %+v", ecn)
	}
}

// anySwitch draws one that Cumulus Linux might or might not be able to hold.
func anySwitch(t *rapid.T) *plan.Switch {
	s := anyplan.Switch(t, anyplan.Want{
		Chip: rapid.SampledFrom([]string{"spectrum2", "spectrum4", "spectrum5"}).Draw(t, "chip"), OS: "cumulus", Cell: 192,
		PortName: func(i int) string { return fmt.Sprint("swp", i+1) }, OneNumber: true, OneBuffer: true, Dynamic: true,
		MinAlpha: -7, MaxAlpha: 6, Unbounded: true, LoadBalancing: []string{"", "adaptive"}, Actions: []plan.WatchdogAction{plan.WatchdogDrop}, Trimming: true,
	})
	for _, p := range s.Ports {
		p.QoS.PFC &= -p.QoS.PFC // one lossless class at most
		for i := range p.QoS.PGs {
			if g := &p.QoS.PGs[i]; p.QoS.PFC&(1<<g.ID) == 0 {
				*g = plan.PG{ID: g.ID, Pool: g.Pool, Limit: g.Limit, Reserved: g.Reserved}
			} else { // the reserve of a group on Spectrum covers its headroom
				g.Reserved.Value += g.Headroom.Value
			}
		}
	}
	return s
}

// What emit writes without a finding, or with warnings, reads back: of every port the
// priorities that pause, their reserve, headroom, pause threshold and resume distance,
// the shares of queues and their marking.
func TestReadsWhatIsEmitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, files := emitted(t)
		text := files[0].Body.AppendFor(nil, "x")
		got, list := readtest.Switch(Format(), "x.yaml", text)
		if len(list) > 0 {
			t.Fatalf("%v\n%s", list, text)
		}
		if diff := cmp.Diff(want.Maps.DSCPToTC, got.Maps.DSCPToTC); diff != "" {
			t.Fatalf("DSCP (-want +got):\n%s\n%s", diff, text)
		}
		if want.Chip == "spectrum2" { // which does not cut packets, and a warning says so
			want.Trim = nil
		}
		if diff := cmp.Diff(cuts(want), cuts(got)); diff != "" {
			t.Fatalf("trimming (-want +got):\n%s\n%s", diff, text)
		}
		for i, p := range want.Ports {
			if diff := cmp.Diff(essence(want, p.QoS), essence(got, untold(p.QoS, got.Ports[i].QoS))); diff != "" || p.Name != got.Ports[i].Name {
				t.Fatalf("port %s, read as %s (-want +got):\n%s\n%s", p.Name, got.Ports[i].Name, diff, text)
			}
		}
	})
}

// cuts is how a switch cuts packets, without places.
func cuts(s *plan.Switch) string {
	if s.Trim == nil {
		return ""
	}
	return fmt.Sprintf("to %d with DSCP %d, class %d, queue %d", s.Trim.Size.Value, s.Trim.DSCP, s.Trim.TC, s.Trim.Queue)
}

// emitted is a switch that Cumulus Linux can be told, as about one in five can, and its file.
func emitted(t *rapid.T) (*plan.Switch, []emit.File) {
	for range 60 {
		s := anySwitch(t)
		if out, list := emitnvue.Emit(s); !list.HasErrors() {
			return s, out
		}
	}
	t.Skip("60 switches were refused")
	return nil, nil
}

// untold takes away what the switch does of itself where a plan says nothing: queues that
// the plan does not have, and the curve of queue 0 where it has none.
func untold(want, got *plan.PortQoS) *plan.PortQoS {
	out := *got
	out.Queues = nil
	marks := slices.ContainsFunc(want.Queues, func(q plan.Queue) bool { return q.ECN != nil })
	for _, queue := range got.Queues {
		if slices.ContainsFunc(want.Queues, func(q plan.Queue) bool { return q.ID == queue.ID }) {
			if queue.ID == 0 && !marks {
				queue.ECN = nil
			}
			out.Queues = append(out.Queues, queue)
		}
	}
	return &out
}

// essence returns the parts of a port's plan that the file sets, a line each.
func essence(s *plan.Switch, q *plan.PortQoS) (out []string) {
	out = append(out, fmt.Sprintf("PFC %08b, watched %t", q.PFC, q.Watchdog))
	for tc, queue := range s.Maps.TCToQueue {
		out = append(out, fmt.Sprintf("traffic class %d into queue %d", tc, queue))
	}
	for _, g := range q.PGs {
		if q.PFC&(1<<g.ID) == 0 {
			continue
		}
		own, offset := g.Reserved.Value-g.Headroom.Value, g.XOnOffset.Value
		if slices.ContainsFunc(s.Pools, func(p plan.Pool) bool { return p.Name == g.Pool && p.Headroom.Value > 0 }) {
			own = g.Reserved.Value // headroom is in a pool of its own
		}
		if g.XOn.Value > 0 {
			offset = own - g.XOn.Value
		}
		if g.XOn.Value > 0 && offset <= 0 {
			offset = own // the lowest level that there is
		}
		limit := g.Limit.Value
		if !limit.Dynamic || limit.Alpha == 7 { // no more than the whole pool, which is all of it
			limit = plan.Limit{Static: plan.NoLimit}
		}
		out = append(out, fmt.Sprintf("group %d owns %d headroom %d resume %d limit %v", g.ID, own, g.Headroom.Value, min(offset, own), limit))
	}
	for _, queue := range q.Queues {
		out = append(out, fmt.Sprintf("queue %d strict %t trimmed %t", queue.ID, queue.Scheduler.Strict, queue.Trims && s.Trim != nil))
		if e := queue.ECN; e != nil {
			out = append(out, fmt.Sprintf("queue %d marks from %d to %d at %v", queue.ID, e.KMin.Value, e.KMax.Value, e.PMax.Value))
		}
	}
	return out
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(under("roce: {mode: lossless}\n") + "    interface:\n      swp1-9: {link: {mtu: 9216}}\n"))
	f.Add([]byte("- set: &a\n    qos: *a\n    interface: {swp0-99999999999: *a, swp: [], 'swp1': 7}\n"))
	f.Add([]byte(under("egress-scheduler:\n  default-global:\n    traffic-class: {'0-7': {mode: strict}, 9-1: 3, ? [] : {}}\n")))
	f.Fuzz(func(t *testing.T, src []byte) {
		sw, list := readtest.Switch(Format(), "f.yaml", src)
		if sw == nil {
			t.Fatal("no switch")
		}
		for _, d := range list {
			if r := d.Subject; r.Start.Byte < 0 || r.End.Byte < r.Start.Byte || r.End.Byte > len(src) {
				t.Fatalf("%v lies outside of the file: %+v", d, r)
			}
		}
	})
}
