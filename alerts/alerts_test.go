package alerts

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/plan"
)

// examples returns the sets of all examples with the metrics of an exporter, by name.
func examples(t *testing.T, m Metrics) map[string]*Set {
	t.Helper()
	catalogue := must.Sound(chips.Load())(t)
	folders, err := filepath.Glob("../examples/*/fabric.hcl")
	if err != nil || len(folders) < 8 {
		t.Fatal(folders, err)
	}
	sets := map[string]*Set{}
	for _, file := range folders {
		folder := filepath.Dir(file)
		f, p := plantest.Folder(t, catalogue, folder)
		sets[filepath.Base(folder)] = Of(p, m, f.Targets.PausesPerSecond.Value)
	}
	return sets
}

// promtool runs Prometheus' own tool.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(oracle.Command(t, "promtool", "prometheus"), args...).CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%.4000s", strings.Join(args[:2], " "), err, out)
	}
}

func write(t *testing.T, path string, text []byte) string {
	t.Helper()
	must.Do(t, os.WriteFile(path, text, 0o600))
	return path
}

// Prometheus accepts the rules of every example, and fires each one just above its threshold, and not at it.
func TestPromtool(t *testing.T) {
	var rules, tests []string
	for name, m := range map[string]Metrics{"sonic": Sonic(), "sonic-exporter": SonicExporter()} {
		for example, set := range examples(t, m) {
			dir := filepath.Join(t.TempDir(), example)
			must.Do(t, os.Mkdir(dir, 0o777))
			rules = append(rules, write(t, filepath.Join(dir, "rules.yml"), set.YAML()))
			tests = append(tests, write(t, filepath.Join(dir, "test.yml"), ruleTests(set)))
			// Of a fabric for training or storage, which states no latency goal, an exporter shows two.
			if least := map[string]int{"sonic": 8, "sonic-exporter": 2}[name]; len(set.Rules) < least {
				t.Errorf("%s with %s: %d rules", example, name, len(set.Rules))
			}
			if name == "sonic" && len(set.Without) > 0 {
				t.Errorf("%s: without %q", example, set.Without)
			}
		}
	}
	promtool(t, append([]string{"check", "rules"}, rules...)...)
	promtool(t, append([]string{"test", "rules"}, tests...)...)
}

// A run is rules that are tested side by side: promtool makes a database for each.
type run struct {
	fires bool
	rules []*Rule
	taken map[string]bool // counters of devices
}

// runs puts together rules that look at different counters, or at different devices.
func runs(set *Set) (list []*run) {
	for _, fires := range []bool{true, false} {
		for i := range set.Rules {
			r := &set.Rules[i]
			if r.Form == Absent {
				continue
			}
			keys := []string{fmt.Sprint(r.Measured.Counter, r.Measured.Devices), fmt.Sprint(r.Silent.Counter, r.Measured.Devices)}
			at := slices.IndexFunc(list, func(g *run) bool { return g.fires == fires && !g.taken[keys[0]] && !g.taken[keys[1]] })
			if at < 0 {
				at, list = len(list), append(list, &run{fires: fires, taken: map[string]bool{}})
			}
			g := list[at]
			g.rules, g.taken[keys[0]] = append(g.rules, r), true
			g.taken[keys[1]] = r.Silent.Counter != ""
		}
	}
	return list
}

// ruleTests are tests in promtool's form: for each rule one in which it fires, and one at the
// threshold, in which it does not. Watermarks are bytes; rates are per second, so counters that are read each
// minute grow by 60 times as much.
func ruleTests(set *Set) []byte {
	out := []byte("rule_files: [rules.yml]\nevaluation_interval: 1m\ntests:\n")
	for _, g := range runs(set) {
		out = append(out, "- interval: 1m\n  input_series:\n"...)
		for _, r := range g.rules {
			for _, s := range series(r, g.fires) {
				out = fmt.Appendf(out, "  - series: %s\n    values: %s\n", quote(s[0]), quote(s[1]))
			}
		}
		out = append(out, "  promql_expr_test:\n"...)
		samples := "[]"
		if g.fires {
			samples = "[{labels: '{}', value: 1}]"
		}
		for _, r := range g.rules {
			out = fmt.Appendf(out, "  - expr: %s\n    eval_time: 10m\n    exp_samples: %s\n", quote("count("+r.Expr+")"), samples)
		}
		if g.fires {
			continue
		}
		out = append(out, "  alert_rule_test:\n"...)
		for _, r := range g.rules {
			out = fmt.Appendf(out, "  - alertname: %s\n    eval_time: 10m\n    exp_alerts: []\n", r.Alert)
		}
	}
	return out
}

// series returns the series measured at the last of a rule's devices and ports: name and values in ten minutes.
func series(r *Rule, fires bool) [][2]string {
	above := r.Threshold
	if fires {
		above++
	}
	measured, silent := one(&r.Measured), one(&r.Silent)
	switch r.Form {
	case Above:
		return [][2]string{{measured, fmt.Sprintf("%dx10", above)}}
	case Grows:
		return [][2]string{{measured, fmt.Sprintf("0+%dx10", 60*above)}}
	case Unanswered: // at the threshold, whatever the other does; above it, if the other grows
		if fires {
			return [][2]string{{measured, fmt.Sprintf("%dx10", above)}, {silent, "7x10"}}
		}
		return [][2]string{{measured, fmt.Sprintf("%dx10", above+1)}, {silent, "0+1x10"}}
	}
	// Of 100 CNPs a minute as many arrive as the threshold says in percent, or one less.
	if fires {
		above = r.Threshold - 1
	}
	return [][2]string{{measured + `{device="a"}`, "0+100x10"}, {silent + `{device="b"}`, fmt.Sprintf("0+%dx10", above)}}
}

// one is a series that a selector chooses.
func one(s *Selector) string {
	if len(s.Devices) == 0 {
		return s.Metric.Name
	}
	device := s.Devices[len(s.Devices)-1]
	if s.Metric.Device == "instance" {
		device += ":9101"
	}
	labels := []string{
		fmt.Sprintf("%s=%q", s.Metric.Device, device),
		fmt.Sprintf("%s=%q", s.Metric.Port, s.Ports[len(s.Ports)-1]),
	}
	if s.Index != "" {
		labels = append(labels, fmt.Sprintf("%s=%q", s.Metric.Index, s.Index))
	}
	return s.Metric.Name + "{" + strings.Join(append(labels, s.Metric.With...), ",") + "}"
}

// Queries of the dashboard are PromQL, and its panels cover the rules.
func TestDashboard(t *testing.T) {
	var files []string
	for example, set := range examples(t, Sonic()) {
		var board struct {
			Title  string
			Panels []struct {
				Title   string
				Targets []struct{ Expr string }
			}
		}
		must.Do(t, json.Unmarshal(set.Dashboard(), &board))
		rules := []byte("groups:\n- name: panels\n  rules:\n")
		for i, p := range board.Panels {
			for j, target := range p.Targets {
				rules = fmt.Appendf(rules, "  - record: panel%d:%d\n    expr: %s\n", i, j, quote(target.Expr))
			}
		}
		files = append(files, write(t, filepath.Join(t.TempDir(), example+".yml"), rules))
		compared := 0
		for i := range set.Rules {
			if set.Rules[i].Form != Absent {
				compared++
			}
		}
		if len(board.Panels) != compared || compared == 0 {
			t.Errorf("%s: %d panels for %d rules", example, len(board.Panels), compared)
		}
	}
	promtool(t, append([]string{"check", "rules"}, files...)...)
}

// Thresholds are the plan's, at each port: Kmax of the queue; the headroom less one frame in whole cells.
func TestThresholds(t *testing.T) {
	catalogue, _ := chips.Load()
	f, p := plantest.Folder(t, catalogue, "../examples/tomahawk5-ai-pod")
	set := Of(p, Sonic(), f.Targets.PausesPerSecond.Value)
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			port := &sw.Ports[i]
			if port.QoS == nil || port.QoS.PFC == 0 {
				continue
			}
			for _, g := range port.QoS.PGs {
				if !g.Lossless {
					continue
				}
				frame := int64(port.Assumed.LosslessFrame.Value)
				cells := (frame + int64(sw.Cell) - 1) / int64(sw.Cell)
				want(t, set, "RoceCableOrResponse", sw, port.Name, g.ID, int64(g.Headroom.Value)-cells*int64(sw.Cell))
				want(t, set, "RoceLosslessDrop", sw, port.Name, g.ID, 0)
			}
			for _, q := range port.QoS.Queues {
				if q.ECN != nil && slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && c.Queue == q.ID }) {
					want(t, set, "RoceMarking", sw, port.Name, q.ID, int64(q.ECN.KMax.Value))
				}
			}
		}
	}
}

// want demands that one rule speaks of a port, with a threshold.
func want(t *testing.T, set *Set, alert string, sw *plan.Switch, port string, index uint8, threshold int64) {
	t.Helper()
	found := 0
	for i := range set.Rules {
		r := &set.Rules[i]
		if r.Alert == alert && slices.Equal(r.Measured.Devices, sw.Names) && slices.Contains(r.Measured.Ports, port) && r.Measured.Index == fmt.Sprint(index) {
			found++
			must.Equalf(t, r.Threshold, threshold, "%s of %s %s %d: threshold", alert, sw.Names[0], port, index)
		}
	}
	if found != 1 {
		t.Errorf("%d rules %s of %s %s %d", found, alert, sw.Names[0], port, index)
	}
}

// A mapping names metrics and labels; what is left out is as usual, and what no rule needs is told.
func TestParseMetrics(t *testing.T) {
	m, found := ParseMetrics("m.hcl", []byte(`
metric "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES" {
  name   = "q"
  device = "instance"
  index  = "queue"
  with   = { type = "periodic" }
}
metric "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES" { name = "pool" }
`))
	if len(found) > 0 {
		t.Fatal(found)
	}
	s := Selector{Metric: m[observe.QueueShared], Devices: []string{"leaf.1"}, Ports: []string{"Ethernet1/1", "Ethernet2/1"}, Index: "3"}
	must.Equal(t, s.String(), `q{instance=~"(?:leaf\\.1)(?::[0-9]+)?",port=~"Ethernet1/1|Ethernet2/1",queue="3",type="periodic"}`)
	if pool := m[observe.PoolHeadroom]; pool.Port != "pool" || len(pool.With) > 0 || len(m) != 2 {
		t.Errorf("%+v", m)
	}
}
