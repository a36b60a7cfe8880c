package pattern

import (
	"context"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/model/sim/fluid"
)

// AsFlows is the outcome of a fluid run. It lacks the fields that such a run does not model: a zero would mean that nothing was lost.
type AsFlows struct {
	Pattern     string   `json:"pattern"`
	Seed        uint64   `json:"seed"`
	Doc         string   `json:"doc"`
	Skipped     string   `json:"skipped,omitempty"`
	On          int      `json:"on_hosts"`
	NotModelled []string `json:"not_modelled"` // in words

	Time        float64     `json:"time_us"`
	Flows       int         `json:"flows"`
	Unfinished  int         `json:"unfinished_flows"`
	Bytes       int64       `json:"bytes"`
	FCTP99      float64     `json:"fct_p99_us"`
	SlowdownP99 float64     `json:"slowdown_p99"`
	Completion  *Completion `json:"completion,omitempty"`
	Duration    float64     `json:"duration_us"`

	// Queues are compared with the thresholds of priority groups in PauseWindows windows. LikelyPauses is in how many of them the group
	// of the worst port is above its threshold: packets would be paused, and the times are too short.
	PauseWindows int `json:"pfc_windows"`
	LikelyPauses int `json:"pfc_windows_likely"`

	Events      int64   `json:"events"`
	WallSeconds float64 `json:"wall_seconds"`
	PeakMemory  int64   `json:"peak_memory_bytes"`

	Hosts       []string         `json:"hosts,omitempty"`
	FlowResults []sim.FlowResult `json:"flow_results,omitempty"`
	BySize      []SizeGroup      `json:"slowdown_by_size,omitempty"`
}

// NotModelled lists what the fluid run does not model.
func (o *Outcome) NotModelled() (list []string) {
	if o.Fair != "" {
		list = append(list, fmt.Sprintf("the congestion control %s and waiting in queues (flows are fair at once; tails are too short)", o.Fair))
	}
	for _, other := range o.Unlike {
		list = append(list, fmt.Sprintf("the congestion control %s (all messages have that of the first one's class)", other))
	}
	return append(list, "losses", "pauses", "marks", "queues and headroom", "deadlocks", "watchdogs", "latency of packets", "throughput")
}

// AsFlows has the fields of the outcome that a fluid run models.
func (o *Outcome) AsFlows() AsFlows {
	a := AsFlows{
		o.Pattern, o.Seed, o.Doc, o.Skipped, o.On, o.NotModelled(), o.Time, o.Flows, o.Unfinished, o.Bytes, o.FCTP99, o.SlowdownP99,
		o.Completion, o.Duration, o.PauseWindows, o.LikelyPauses, o.Events, o.WallSeconds, o.PeakMemory, nil, nil, nil,
	}
	if o.Details != nil {
		a.Hosts, a.FlowResults, a.BySize = o.Hosts, o.FlowResults, o.BySize
	}
	return a
}

// FitsFluid reports whether the job can run as flows.
func (j *Job) FitsFluid() bool {
	s, net := j.Scenario, j.Network
	tcp := func(t Traffic) bool { return t.tcp(net) }
	return j.Fits() && len(s.Events)+len(net.Faults) == 0 && s.DC == nil && !slices.ContainsFunc(s.Traffic, tcp)
}

// fluid makes a run of flows. Its outcome has when messages are done, and no goal is judged.
func (j *Job) fluid(ctx context.Context, out Outcome, sc *sim.Scenario, messages int) (Outcome, error) {
	s := j.Scenario
	if why := fluid.Unfit(sc); why != "" {
		out.Skipped = "is not for a fluid run: " + why
		return out.skip(s), nil
	}
	r, err := fluid.Run(ctx, sc)
	if err != nil {
		return out, fmt.Errorf("%s: %w", s.Name, err)
	}
	out.PauseWindows, out.LikelyPauses = r.Windows, r.LikelyPauses
	classes := []uint8{sc.Flows[0].Class}
	for i := range sc.Flows {
		if class := sc.Flows[i].Class; !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
	}
	out.Fair, out.Unlike = fluid.Unmodelled(sc, classes...)
	out.count(sc.Flows[:messages])
	m := &measured{net: j.Network, sc: sc, r: r.Result, goals: &s.Goals, messages: messages}
	out.measureFlows(m)
	out.Unfinished, out.Events, out.WallSeconds, out.PeakMemory = r.UnfinishedFlows, r.Events, r.WallSeconds, r.PeakMemory
	done := m.completion(s, bound.Of(sc, messages))
	out.Completion = &done
	if j.Detailed {
		r.Observed = &sim.Observed{}
		out.Details = m.details(s.names())
	}
	return out, nil
}
