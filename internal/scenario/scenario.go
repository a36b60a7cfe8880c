// Package scenario gives the simulator what the language says of scenarios: neither sees
// the other.
package scenario

import (
	"cmp"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// All lists the scenarios of a fabric, then those of the library that have no namesake there,
// each judged by the fabric's targets as far as it has no goals of its own. Blocks trace run the
// workloads that were read for them, and nothing where none was.
func (w Traces) All(f *policy.Fabric) []pattern.Scenario {
	var list []pattern.Scenario
	known := map[string]bool{}
	for i, of := range [][]*policy.Scenario{f.Scenarios, policy.Library()} {
		for _, s := range of {
			if !known[s.Name] {
				own := w.scenario(s, f)
				own.Asked = i == 0
				list = append(list, own)
			}
		}
		for _, s := range of {
			known[s.Name] = true
		}
	}
	return list
}

func (w Traces) scenario(s *policy.Scenario, f *policy.Fabric) pattern.Scenario {
	targets := &f.Targets
	out := pattern.Scenario{
		Name: s.Name, Doc: s.Doc.Value, Time: s.Time.Value, Seeds: s.Seeds.Value, Hosts: ends(s.Hosts.Value),
		LoadBalancing: s.LoadBalancing.Value, FlowletGap: s.FlowletGap.Value, CongestionControl: s.CongestionControl.Value,
		Transport: s.Transport.Value, Processes: s.Processes.Value, DC: dc(s.DC), Memory: memory(s.Memory), Swift: swift(s.Swift), RTTCC: rttcc(s.RTTCC), Polling: polling(s.PolledECN), ECNByPart: s.ECNByPart.Value,
		Goals: pattern.Goals{
			Throughput:      or(s.Goals.Throughput, targets.Throughput),
			PausesPerSecond: or(s.Goals.PausesPerSecond, targets.PausesPerSecond),
			MaxLatency:      latencyGoal(s, f),
			UsualLatency:    or(s.Goals.UsualLatency, targets.UsualLatency),
			OfScenarios:     !s.Goals.UsualLatency.Set,
			LongTransfers:   f.LongTransfers() && !targets.UsualLatency.Set,
			Slowdown:        multiple(or(s.Goals.Slowdown, targets.Slowdown)),
			SlowdownP99:     multiple(or(s.Goals.SlowdownP99, targets.SlowdownP99)),
			Steps:           multiple(or(s.Goals.Steps, targets.Steps)),
		},
	}
	for i := range s.Traffic {
		t := traffic(&s.Traffic[i])
		t.Workload = w[s.Traffic[i].Path.Value]
		out.Traffic = append(out.Traffic, t)
	}
	for _, e := range s.Events {
		out.Events = append(out.Events, pattern.Event{
			Kind: pattern.EventKind(e.Kind), Where: plan.LinkEnd(e.Where), At: e.At.Value, Until: e.Until.Value,
			Convergence: e.Convergence.Value, Rate: e.Rate.Value, Buffer: e.Buffer.Value,
		})
	}
	return out
}

// latencyGoal returns the greatest latency that packets may have. A fabric for long transfers has none unless its
// author states one: a queue delays these less than a mark does.
func latencyGoal(s *policy.Scenario, f *policy.Fabric) units.Time {
	if f.LongTransfers() && !s.Goals.MaxLatency.Set && !f.Targets.MaxLatency.Set {
		return 0
	}
	return or(s.Goals.MaxLatency, f.Targets.MaxLatency)
}

func dc(c *policy.DC) *fabric.DC {
	if c == nil {
		return nil
	}
	return &fabric.DC{
		Initiators: c.Initiators.Value, Targets: c.Targets.Value,
		Connect: c.Connect.Value, Disconnect: c.Disconnect.Value, Linger: c.Linger.Value, Busy: c.Busy.Value,
	}
}

func memory(m *policy.Memory) *fabric.Memory {
	if m == nil {
		return nil
	}
	return &fabric.Memory{Rate: m.Rate.Value, Fetch: m.Fetch.Value, Inline: m.Inline.Value}
}

func swift(w *policy.Swift) *fabric.Swift {
	if w == nil {
		return nil
	}
	return &fabric.Swift{Target: w.Target.Value, PerHop: w.PerHop.Value, Endpoint: w.Endpoint.Value}
}

func rttcc(r *policy.RTTCC) *sim.RTTCC {
	if r == nil {
		return nil
	}
	return &sim.RTTCC{
		Target: r.Target.Value, Interval: r.Interval.Value, Additive: r.Additive.Value,
		Beta: fraction(r.Beta.Value), MaxDecrease: fraction(r.MaxDecrease.Value), Gain: fraction(r.Gain.Value), Steepness: fraction(r.Steepness.Value),
	}
}

func polling(p *policy.PolledECN) fabric.Polling {
	if p == nil {
		return fabric.Polling{}
	}
	return fabric.Polling{Period: p.Period.Value, Weight: fraction(p.Weight.Value)}
}

// multiple returns a number that is 1 or more; 0: there is none.
func multiple(m policy.Multiple) float64 { return float64(m) / 1000 }

func fraction(r units.Ratio) float64 { return float64(r) / float64(units.One) }

func or[T any](own, fabric policy.Opt[T]) T {
	if own.Set {
		return own.Value
	}
	return fabric.Value
}

func ends(list []policy.LinkEnd) (out []plan.LinkEnd) {
	for _, e := range list {
		out = append(out, plan.LinkEnd(e))
	}
	return out
}

func traffic(t *policy.Traffic) pattern.Traffic {
	return pattern.Traffic{
		Kind: t.Kind, Name: t.Name.Value, Class: t.Class.Value.Class, Lossy: t.Class.Value.Lossy, QueuePairs: t.QueuePairs.Value, Start: t.Start.Value,
		Senders: t.Senders.Value, Receivers: t.Receivers.Value, Local: t.Local.Value, By: t.By.Value, Message: t.Message.Value, Every: t.Every.Value,
		Load: t.Load.Value, Sizes: sizes(t.Sizes), Copies: cmp.Or(t.Copies.Value, 1), Repeat: t.Repeat.Value,
		Src: plan.LinkEnd(t.Src), Dst: plan.LinkEnd(t.Dst), Collective: collective(t),
	}
}

func collective(t *policy.Traffic) *pattern.Collective {
	if t.Kind != "collective" {
		return nil
	}
	kinds := map[string]workload.Kind{}
	for k := workload.AllReduce; k <= workload.Reduce; k++ {
		kinds[k.String()] = k
	}
	return &pattern.Collective{
		Kind: kinds[t.Operation.Value], Algorithm: workload.Algorithm(t.Algorithm.Value), Protocol: workload.Protocol(t.Protocol.Value), Group: t.Group.Value, Stride: t.Stride.Value,
		Compute: t.Compute.Value, Skew: fraction(t.Skew.Value),
	}
}

func sizes(s *policy.Sizes) *pattern.Sizes {
	if s == nil {
		return nil
	}
	out := &pattern.Sizes{Name: s.Name}
	for i, b := range s.Bytes.Value {
		out.Bytes = append(out.Bytes, int64(b))
		out.CDF = append(out.CDF, float64(s.Share.Value[i])/float64(units.Percent))
	}
	return out
}
