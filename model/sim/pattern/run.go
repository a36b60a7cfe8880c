package pattern

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// An Outcome is what a pattern did. Times are in us.
type Outcome struct {
	Pattern string `json:"pattern"`
	Seed    uint64 `json:"seed"`
	Doc     string `json:"doc"`
	Skipped string `json:"skipped,omitempty"` // why it was not run

	Flows      int   `json:"flows"`
	Unfinished int   `json:"unfinished_flows"`         // with probes, without stranded ones
	Stranded   int   `json:"stranded_flows,omitempty"` // unfinished, to or from a host that was stuck
	Bytes      int64 `json:"bytes"`

	// Duration is from the start of the run to the end of the last message.
	Duration float64 `json:"duration_us"`

	// Throughput is what the receiving ports carried, with headers and acknowledgements, until
	// the end of the last flow, as a share of what they could. Zero unless the pattern fills
	// them; Judged tells whether the fabric can carry it.
	Throughput float64 `json:"throughput,omitempty"`
	Judged     bool    `json:"throughput_judged"`

	FCTP99      float64 `json:"fct_p99_us"`
	SlowdownP99 float64 `json:"slowdown_p99"`

	// Latency is from the posting of a message of one packet until it is acknowledged.
	LatencyP90 float64 `json:"latency_p90_us"`
	LatencyP99 float64 `json:"latency_p99_us"`
	LatencyMax float64 `json:"latency_max_us"`

	Pauses int64 `json:"pfc_pauses"`
	// PauseRate is pauses per second and port, the mean over the run and all ports.
	PauseRate       float64 `json:"pfc_pauses_per_second"`
	PeakEgressQueue int64   `json:"peak_egress_queue_bytes"`
	PeakHeadroom    int64   `json:"peak_headroom_bytes"`
	Marks           int64   `json:"ecn_marks"`
	Drops           int64   `json:"drops"`
	Lost            int64   `json:"lost_to_events"` // packets, on wires, in queues and at hosts
	Watchdog        int64   `json:"watchdog_events"`
	PacketHops      int64   `json:"packet_hops"`
	Events          int64   `json:"events"`
	WallSeconds     float64 `json:"wall_seconds"`

	Missed []string `json:"missed"` // goals, by name
}

// A Job is one run: a scenario on a network with a seed.
type Job struct {
	Scenario *Scenario
	Network  *fabric.Network
	Seed     uint64
}

// Jobs lists the runs of scenarios on a plan, seed after seed. Scenarios that ask for
// nothing of their own share a network, which is the first value; o says how it is made.
// seeds, if positive, goes before the scenarios' own number of runs.
func Jobs(p *plan.Plan, chip func(string) (*chips.Chip, bool), o fabric.Options, scenarios []Scenario, seeds int) (*fabric.Network, []Job, error) {
	base, err := fabric.New(p, chip, o)
	if err != nil {
		return nil, nil, err
	}
	var jobs []Job
	for i := range scenarios {
		s := &scenarios[i]
		net := base
		if !s.plain() {
			own := o
			own.Hosts, own.Keep = s.Hosts, s.named()
			own.LoadBalancing, own.FlowletGap, own.CongestionControl = s.LoadBalancing, s.FlowletGap, s.CongestionControl
			if net, err = fabric.New(p, chip, own); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		for seed := range cmp.Or(seeds, s.Seeds) {
			jobs = append(jobs, Job{s, net, uint64(seed) + 1})
		}
	}
	return base, jobs, nil
}

// Run runs jobs, as many at a time as there are cores, and calls done after each; it may be
// nil. The error is that of the simulator, or of a context that ended.
func Run(ctx context.Context, jobs []Job, done func()) ([]Outcome, error) {
	out, errs := make([]Outcome, len(jobs)), make([]error, len(jobs))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i := range jobs {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			out[i], errs[i] = jobs[i].run(ctx)
			if done != nil {
				done()
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out, errors.Join(errs...)
}

func (j *Job) run(ctx context.Context) (Outcome, error) {
	s, net := j.Scenario, j.Network
	out := Outcome{Pattern: s.Name, Doc: s.Doc, Seed: j.Seed, Missed: []string{}}
	if out.Skipped = s.unfit(net); out.Skipped != "" {
		return out, nil
	}
	sc, messages := j.Build()
	if messages == 0 {
		out.Skipped = fmt.Sprintf("has no message that begins in %v", s.Time)
		return out, nil
	}
	r, err := sim.Run(ctx, sc)
	if err != nil {
		return out, fmt.Errorf("%s: %w", s.Name, err)
	}
	out.Flows = messages
	for i := range sc.Flows[:messages] {
		out.Bytes += int64(sc.Flows[i].Bytes)
	}
	m := &measured{net, sc, r, messages}
	out.measure(m)
	if t := &s.Traffic[0]; len(s.Traffic) == 1 && len(s.Events) == 0 && kinds[t.Kind].fills && t.Message == 0 && r.UnfinishedFlows == 0 {
		out.Throughput = m.throughput()
		out.Judged = kinds[t.Kind].local && t.Receivers == 1 || net.Open
	}
	out.Missed = s.Goals.missed(&out)
	return out, nil
}

// Build makes what the simulator runs, of a scenario that fits the network: the messages, so
// many of them, then probes. A run ends by itself unless packets are lost for good; then it
// is stopped.
func (j *Job) Build() (sc *sim.Scenario, messages int) {
	own := j.Network.Scenario
	flows := lay(j.Scenario, j.Network, j.Seed)
	if len(flows) == 0 {
		return &own, 0
	}
	window := j.Scenario.Time
	own.Flows = withProbes(flows, len(j.Network.Hosts), window, j.Seed)
	own.Seed = j.Seed
	own.Stop = 50*window + 100*units.Millisecond
	j.Scenario.befall(&own, j.Network, j.Seed)
	return &own, len(flows)
}

// measured is a run with what it came from.
type measured struct {
	net      *fabric.Network
	sc       *sim.Scenario
	r        *sim.Result
	messages int // flows before the probes
}

// measure takes over what the run counted.
func (o *Outcome) measure(m *measured) {
	sc, r := m.sc, m.r
	var fct, slowdown, latency []float64
	end := float64(sc.Flows[len(sc.Flows)-1].Start) / 1e6
	for _, f := range r.Flows {
		end = max(end, f.StartUS+f.FCTUS)
		if f.Index >= m.messages {
			latency = append(latency, f.FCTUS)
			continue
		}
		o.Duration = max(o.Duration, f.StartUS+f.FCTUS)
		fct, slowdown = append(fct, f.FCTUS), append(slowdown, f.Slowdown)
	}
	o.Stranded = m.stranded()
	o.Unfinished = r.UnfinishedFlows - o.Stranded
	o.Lost = r.LostOnWire + r.Flushed + r.Unrouted + r.Overrun + r.WatchdogDrops
	o.Watchdog = r.WatchdogEvents
	o.FCTP99, o.SlowdownP99 = percentile(fct, 99), percentile(slowdown, 99)
	o.LatencyP90, o.LatencyP99, o.LatencyMax = percentile(latency, 90), percentile(latency, 99), percentile(latency, 100)
	o.Pauses, o.Marks, o.Drops = r.PFCPauses, r.ECNMarks, r.Drops
	ports := 2*len(sc.Links) - len(m.net.Hosts) // of switches
	o.PauseRate = float64(r.PFCPauses) / (end / 1e6) / float64(ports)
	o.PeakEgressQueue, o.PeakHeadroom = r.PeakEgressQueue, r.PeakHeadroom
	o.PacketHops, o.Events, o.WallSeconds = r.PacketHops, r.Events, r.WallSeconds
}

// stranded counts the messages that did not finish for their host was stuck.
func (m *measured) stranded() (n int) {
	if len(m.sc.Storms) == 0 {
		return 0
	}
	finished := make([]bool, len(m.sc.Flows))
	for i := range m.r.Flows {
		finished[m.r.Flows[i].Index] = true
	}
	for i := range m.sc.Flows {
		if !finished[i] && stranded(m.sc, &m.sc.Flows[i]) {
			n++
		}
	}
	return n
}

// percentile is the smallest value that so many percent are not above; 0 of none.
func percentile(values []float64, percent float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	rank := int(math.Ceil(float64(len(values)) * percent / 100))
	return values[max(0, rank-1)]
}

// throughput relates what came to the receivers, probes left out, to what their ports and
// the senders' allow. Where a receiver sends too, acknowledgements come to it.
func (m *measured) throughput() float64 {
	net, sc, r := m.net, m.sc, m.r
	payload := int64(sc.Transport.Payload)
	header, ack := sc.Wire.Taken()
	from, packets := map[int]map[int]bool{}, map[int]int64{} // by receiver; by sender
	sources := map[int]bool{}
	wire, end := int64(0), 0.0
	for _, f := range r.Flows {
		if f.Index >= m.messages {
			continue
		}
		n := (f.Bytes + payload - 1) / payload
		wire += f.Bytes + n*int64(header)
		end = max(end, f.StartUS+f.FCTUS)
		packets[f.Src] += n
		sources[f.Src] = true
		if from[f.Dst] == nil {
			from[f.Dst] = map[int]bool{}
		}
		from[f.Dst][f.Src] = true
	}
	rate := func(hosts map[int]bool) (sum float64) {
		for h := range hosts {
			sum += float64(net.Hosts[h].Rate)
		}
		return sum
	}
	ports := 0.0
	for dst, senders := range from {
		ports += min(rate(senders), float64(net.Hosts[dst].Rate))
		wire += packets[dst] * int64(ack)
	}
	return float64(wire) * 8e6 / end / min(ports, rate(sources))
}
