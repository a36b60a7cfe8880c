package pattern

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Job is one run: a scenario on a network with a seed.
type Job struct {
	Scenario *Scenario
	Network  *fabric.Network
	Seed     uint64
	Detailed bool // the outcome is to have [Details]

	// SkipSteady leaves out time in which all goes on as it is: see [sim.Scenario.SkipSteady]. There are no probes then,
	// whose starts nothing is left out across, no distributions of buffers, and no search for a steady state.
	SkipSteady bool

	// Fluid makes messages flows that share links instead of packets: see package fluid. The outcome has the fields of
	// [Outcome.AsFlows], and no goal is judged.
	Fluid bool

	// Longest, if positive, is the time up to which a run is made again, twice as long each time,
	// while it has not settled and misses a goal.
	Longest units.Time

	// Prepare are called with what is about to be simulated, so many messages and then probes,
	// and may ask for samples.
	Prepare []func(sc *sim.Scenario, messages int)
}

// Jobs lists the runs of scenarios on a plan, seed after seed. Scenarios that ask for
// nothing of their own share a network, which is the first value; o says how it is made. One
// that needs more hosts than that gets more, as far as the fabric has them.
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
		need, local := max(s.needs(), s.needsGPUs()), s.needsLocal()
		servers := s.servers(p, o.Size)
		if !s.plain() || servers != nil || need > len(base.Hosts) || local > o.Size.HostsPerEdge {
			own := o
			own.Size.HostsPerEdge = max(own.Size.HostsPerEdge, local)
			own.Size.Edges = max(own.Size.Edges, (need+own.Size.HostsPerEdge-1)/own.Size.HostsPerEdge)
			own.Hosts, own.Keep = s.Hosts, s.named()
			if s.Hosts == nil {
				own.Hosts = servers
			}
			own.LoadBalancing, own.FlowletGap, own.CongestionControl = s.LoadBalancing, s.FlowletGap, s.CongestionControl
			own.Transport, own.DC, own.Memory, own.Swift, own.RTTCC, own.Polling, own.ECNByPart = s.Transport, s.DC, s.Memory, s.Swift, s.RTTCC, s.Polling, s.ECNByPart
			if net, err = fabric.New(p, chip, own); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		for seed := range cmp.Or(seeds, s.Seeds) {
			jobs = append(jobs, Job{Scenario: s, Network: net, Seed: uint64(seed) + 1})
		}
	}
	return base, jobs, nil
}

// servers returns the NICs of the servers that a scenario with GPUs runs on: as many as the size has hosts for, and
// at least those that it needs. Nil where it counts no GPUs, or the plan has no servers.
func (s *Scenario) servers(p *plan.Plan, size fabric.Size) (nics []plan.LinkEnd) {
	gpus, need := 0, s.needsGPUs()
	for i := range p.Servers {
		own := &p.Servers[i]
		if need == 0 || gpus >= need && len(nics)+len(own.NICs) > size.Edges*size.HostsPerEdge {
			break
		}
		gpus += own.GPUs
		nics = append(nics, own.NICs...)
	}
	return nics
}

// Notes says what was cut and assumed for the networks of jobs: of the base, which others
// share, then of single scenarios.
func Notes(base *fabric.Network, jobs []Job) []string {
	list := []string{}
	if slices.ContainsFunc(jobs, func(j Job) bool { return j.Network == base }) {
		list = append(list, base.Notes...)
	}
	for _, j := range jobs {
		for _, note := range j.Network.Notes {
			own := "scenario " + j.Scenario.Name + ": " + note
			if j.Network != base && !slices.Contains(list, own) && !slices.Contains(list, note) {
				list = append(list, own)
			}
		}
	}
	for _, j := range jobs {
		if note := j.Scenario.idle(j.Network); note != "" && !slices.Contains(list, note) {
			list = append(list, note)
		}
	}
	if slices.ContainsFunc(jobs, func(j Job) bool { return len(j.Scenario.Events)+len(j.Network.Faults) > 0 }) {
		list = append(list, fmt.Sprintf("assumed: where something goes wrong in the network, hosts send again after %v and give up after %d tries, as perftest does", fabric.AckTimeout, fabric.Retries))
	}
	return list
}

// Run runs jobs, as many at a time as there are cores, and calls done after each; it may be
// nil. Where there are fewer jobs than cores, each has several. The error is that of the simulator, or of a context that ended.
func Run(ctx context.Context, jobs []Job, done func()) ([]Outcome, error) {
	return RunBy(ctx, jobs, done, func(ctx context.Context, j *Job, cores int) (Outcome, error) { return j.Once(ctx, cores) })
}

// A Runner makes one run on so many cores with [Job.Once], or knows its outcome.
type Runner func(ctx context.Context, j *Job, cores int) (Outcome, error)

// RunBy is Run by a runner.
func RunBy(ctx context.Context, jobs []Job, done func(), one Runner) ([]Outcome, error) {
	out := make([]Outcome, len(jobs))
	cores := runtime.GOMAXPROCS(0)
	err := parallel.Each(ctx, cores, len(jobs), func(i int) (err error) {
		if done != nil {
			defer done()
		}
		out[i], err = jobs[i].settle(ctx, cores/len(jobs), one)
		return err
	})
	if ctx.Err() != nil {
		return nil, err
	}
	return out, err
}

// worthDividing is the number of hosts from which on a run takes less time if it is divided among cores.
const worthDividing = 512

// Once makes one run of the length that the scenario says.
func (j *Job) Once(ctx context.Context, cores int) (Outcome, error) {
	s, net := j.Scenario, j.Network
	out := Outcome{Pattern: s.Name, Doc: s.Doc, Seed: j.Seed, Time: float64(s.Time) / 1e6, Bounds: []Bound{}, Missed: []string{}}
	if j.Fluid {
		out.Fluid, out.On = true, len(net.Hosts)
	}
	if out.Skipped = j.unfit(); out.Skipped != "" {
		return out.skip(s), nil
	}
	if j.Fluid && j.streams() {
		return j.stream(ctx, out)
	}
	sc, messages := j.Build()
	if messages == 0 {
		return out.none(s), nil
	}
	for _, prepare := range j.Prepare {
		prepare(sc, messages)
	}
	if j.Fluid {
		return j.fluid(ctx, out, sc, messages)
	}
	if len(net.Hosts) >= worthDividing {
		sc.Cores = cores
	}
	r, err := sim.Run(ctx, sc)
	if err != nil {
		return out, fmt.Errorf("%s: %w", s.Name, err)
	}
	out.count(sc.Flows[:messages])
	m, t := &measured{net: net, sc: sc, r: r, goals: &s.Goals, messages: messages}, bound.Of(sc, messages)
	out.measure(m)
	done := m.completion(s, t)
	out.Completion = &done
	if j.Detailed {
		out.Details = m.details(s.names())
	}
	if out.Judged = s.unasked() == "" && r.UnfinishedFlows == 0; out.Judged {
		m.even = t.Even()
		out.Throughput = float64(m.even.Least) / 1e6 / out.Duration
	}
	if !j.SkipSteady {
		out.Steady = m.steady(s, out.Judged)
	}
	out.UsualOfScenarios = s.Goals.OfScenarios && !s.Goals.LongTransfers
	j.judge(&out, sc, t)
	return out, nil
}

// Judge says which goals an outcome misses and how far, and what bounds it, of what the job builds or, where it
// was made again and longer, of a job of that length. All else in the outcome stays as it was measured.
func (j *Job) Judge(o *Outcome, sc *sim.Scenario, messages int) {
	j.judge(o, sc, bound.Of(sc, messages))
}

// judge is [Job.Judge] of what is sent.
func (j *Job) judge(o *Outcome, sc *sim.Scenario, t *bound.Traffic) {
	if o.Unasked = j.Scenario.unasked(); o.Unasked == "" && !o.Judged {
		o.Unasked = ByUnfinished
	}
	o.Missed = j.Scenario.Goals.missed(o)
	o.Far = nil
	o.Bounds = j.bounds(o, sc, t)
	for _, goal := range o.Missed {
		o.Far = append(o.Far, j.Scenario.far(o, goal, t))
	}
	o.Room = j.Scenario.Goals.room(o)
}

// count counts messages and their bytes.
func (o *Outcome) count(flows []sim.Flow) {
	for i := range flows {
		if f := &flows[i]; f.Src != f.Dst {
			o.Flows++
		}
		o.Bytes += int64(flows[i].Bytes) * int64(max(1, flows[i].Repeat))
	}
}

// none returns the outcome of a scenario without messages.
func (o Outcome) none(s *Scenario) Outcome {
	o.Skipped = fmt.Sprintf("has no message that begins in %v", s.Time)
	return o.skip(s)
}

func (o Outcome) skip(s *Scenario) Outcome {
	if s.Asked {
		o.Missed = append(o.Missed, NotRun)
	}
	return o
}

// PacketHops is about how often the run sends a packet over a link: as often as all hosts at line rate do in the time in
// which messages begin, with full packets and an acknowledgement of each; a workload adds its own bytes.
func (j *Job) PacketHops() int64 {
	net, links := j.Network, int64(2)
	rate, switches, sent := units.BitRate(0), map[string]bool{}, units.Bytes(0)
	for _, h := range net.Hosts {
		rate += h.Rate
		switches[h.Switch] = true
	}
	if len(switches) > 1 {
		links = 4
	}
	data, _ := net.Scenario.Wire.Taken()
	packet := net.Scenario.Transport.Payload + data
	packets := units.CeilMulDiv(int64(rate), int64(j.Scenario.Time), int64(units.Second)) / int64(8*packet)
	for i := range j.Scenario.Traffic {
		if w := j.Scenario.Traffic[i].Workload; w != nil && j.Fits() {
			sent += w.Sent(siteOf(net))
		}
	}
	return 2 * links * (packets + int64(sent/net.Scenario.Transport.Payload))
}

// Fits reports whether the scenario can run on the network.
func (j *Job) Fits() bool { return j.unfit() == "" }

// Build makes what the simulator runs, of a scenario that fits the network: the messages, so
// many of them, then probes. A run ends by itself unless packets are lost for good; then it
// is stopped.
func (j *Job) Build() (sc *sim.Scenario, messages int) {
	own := j.Network.Scenario
	flows, first := lay(j.Scenario, j.Network, j.Seed)
	if len(flows) == 0 {
		return &own, 0
	}
	window := j.Scenario.Time
	if own.Flows = flows; !j.SkipSteady && !j.Fluid {
		own.Flows = withProbes(flows, j.Network, window, j.Seed)
	}
	own.Seed, own.Ports, own.SkipSteady = j.Seed, j.Network.Ports(), j.SkipSteady
	own.Observe = &sim.Observation{Usual: j.Scenario.Goals.UsualLatency, Beside: ungoaled(flows), Buffers: j.Detailed && !j.SkipSteady}
	own.Stop = longest(window)
	if slices.ContainsFunc(flows, func(f sim.Flow) bool { return f.TCP }) {
		own.Stop += 10 * units.Second // its timer may run out several times
	}
	if j.Scenario.needsGPUs() > 0 {
		own.Stop += 100 * units.Second // they compute for their stated times
	}
	if len(j.Network.Faults) > 0 || own.Transport.Retries > 0 {
		own.Stop += 2 * fabric.Retries * fabric.AckTimeout
	}
	j.Scenario.befall(&own, j.Network, j.Seed, flows[:first])
	return &own, len(flows)
}

// longest returns the longest duration of a run without failures whose messages begin in a time.
func longest(window units.Time) units.Time { return 50*window + 100*units.Millisecond }

// ungoaled has a bit per class that no goal is about: those of TCP, where there are other messages
// too.
func ungoaled(flows []sim.Flow) (tcp uint8) {
	for i := range flows {
		if flows[i].TCP {
			tcp |= 1 << flows[i].Class
		}
	}
	if slices.ContainsFunc(flows, func(f sim.Flow) bool { return !f.TCP }) {
		return tcp
	}
	return 0
}
