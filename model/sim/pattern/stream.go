package pattern

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/fluid"
	"github.com/roceplan/roceplan/units"
)

// streams reports whether a fluid run can take messages as they begin, without a list of all: those of one Poisson process at each host,
// which wait for nothing, on the ways of ECMP's hash, in a fabric without events.
func (j *Job) streams() bool {
	s, net := j.Scenario, &j.Network.Scenario
	if len(s.Traffic) != 1 {
		return false
	}
	t := &s.Traffic[0]
	return (t.Kind == "poisson" || t.Kind == "storage_write") && t.Copies == 1 && t.QueuePairs == 1 && !t.tcp(j.Network) &&
		s.Processes == 0 && len(j.Prepare)+len(s.Events)+len(j.Network.Faults) == 0 && net.Balancing.Mode == balance.ECMP && net.Transport.Service != sim.DC
}

// stream makes a run of flows whose messages are drawn as they begin. Memory is for those that are under way, and 32 bytes for each
// result.
func (j *Job) stream(ctx context.Context, out Outcome) (Outcome, error) {
	s, sc := j.Scenario, j.Network.Scenario
	sc.Seed, sc.Stop = j.Seed, longest(s.Time)
	a := newArrivals(j)
	if a.flows == 0 {
		return out.none(s), nil
	}
	r, err := fluid.Stream(ctx, &sc, a)
	if err != nil {
		return out, fmt.Errorf("%s: %w", s.Name, err)
	}
	done := a.completion(s)
	out.PauseWindows, out.LikelyPauses = r.Windows, r.LikelyPauses
	out.Flows, out.Bytes, out.Completion = a.flows, a.bytes, &done
	out.Fair, out.Unlike = fluid.Unmodelled(&sc, a.carry...)
	out.FCTP99, out.SlowdownP99, out.Duration = done.FCTP99, done.SlowdownP99, a.end
	out.Unfinished, out.Events, out.WallSeconds, out.PeakMemory = a.flows-done.Messages, r.Events, r.WallSeconds, r.PeakMemory
	if j.Detailed {
		out.Details = a.details(s.names()[0])
	}
	return out, nil
}

// A process is the messages of a host that come at random: the next one, and the state of the random numbers behind it.
type process struct {
	host, index int
	at          float64 // from the start of the traffic, ps
	size        units.Bytes
	peer        int // of the first copy, behind the host
	state       rand.PCG
}

// next draws the next message of a process; false if it comes after the end.
func (l *laying) next(p *process) bool {
	if p.at += l.random.ExpFloat64() * l.gap(&l.hosts[p.host]); p.at >= float64(l.window) {
		return false
	}
	if p.size = l.Message; l.Sizes != nil {
		p.size = l.Sizes.at(100 * l.random.Float64())
	}
	p.peer = l.random.IntN(len(l.hosts) - 1)
	return true
}

// arrivals has the messages that [laying.arrivals] lays, span by span, and takes their results.
type arrivals struct {
	laying
	state     rand.PCG // of the random numbers
	processes []process
	flows     int

	until units.Time // from the start of the traffic: what begins before is drawn

	bytes      int64
	begin, end float64 // us
	sizes      []times // by bin
	results    []sim.FlowResult
	detailed   bool
}

// draws is into how many spans the time of a run is divided.
const draws = 1024

// newArrivals draws all messages once, to know where the random numbers of each host begin.
func newArrivals(j *Job) *arrivals {
	t := &j.Scenario.Traffic[0]
	a := &arrivals{begin: math.Inf(1), sizes: make([]times, len(binEdges)), detailed: j.Detailed, state: *sourceOf(j.Seed, 0)}
	a.laying = laying{Traffic: t, carry: j.Network.Carriers(t.Class, t.Lossy), hosts: j.Network.Hosts, window: max(1, j.Scenario.Time-t.Start), random: rand.New(&a.state)}
	for host := range a.hosts {
		a.processes = append(a.processes, process{host: host, index: a.flows, state: a.state})
		for p := (process{host: host}); a.laying.next(&p); a.flows++ {
			a.bytes += int64(max(smallest, p.size))
		}
	}
	for i := range a.processes {
		a.ahead(&a.processes[i])
	}
	return a
}

// ahead draws the next message of a process from its own random numbers. Behind the last one it is never.
func (a *arrivals) ahead(p *process) {
	a.state = p.state
	if !a.laying.next(p) {
		p.at = math.Inf(1)
	}
	p.state = a.state
}

// Draw implements [fluid.Source].
func (a *arrivals) Draw(list []sim.Flow) (drawn []sim.Flow, until units.Time, more bool) {
	a.until = min(a.until+max(1, a.window/draws), a.window)
	for i := range a.processes {
		for p := &a.processes[i]; p.at < float64(a.until); a.ahead(p) {
			f := a.message(p.host, (p.host+1+p.peer)%len(a.hosts), p.size, units.Time(p.at), p.index, p.index)
			f.Operation = int32(p.index)
			a.begin = min(a.begin, float64(f.Start)/1e6)
			list = append(list, f)
			p.index++
		}
	}
	return list, a.Start + a.until, a.until < a.window
}

// Done implements [fluid.Source].
func (a *arrivals) Done(r sim.FlowResult) {
	a.end = max(a.end, r.StartUS+r.FCTUS)
	a.sizes[binOf(r.Bytes)].add(r.FCTUS, r.Slowdown)
	if a.detailed {
		a.results = append(a.results, r)
	}
}

// completion returns the completion of the messages, the one block of the scenario. No bound is above 1: hosts do not
// begin messages at once.
func (a *arrivals) completion(s *Scenario) Completion {
	var all times
	for i := range a.sizes {
		all.fct, all.slowdown = append(all.fct, a.sizes[i].fct...), append(all.slowdown, a.sizes[i].slowdown...)
	}
	b := Block{Name: s.names()[0], Kind: a.Kind, Unfinished: a.flows - len(all.fct), Bytes: a.bytes, Spread: all.spread()}
	if b.Unfinished == 0 {
		b.Duration = a.end - a.begin
	}
	return Completion{Spread: b.Spread, Sizes: bins(a.sizes), Blocks: []Block{b}, LeastMean: 1, LeastP99: 1}
}

// details has the results of single messages, in the order of the hosts.
func (a *arrivals) details(block string) *Details {
	d := &Details{Hosts: []string{}, FlowResults: a.results}
	stable.Sort(a.results, func(x, y sim.FlowResult) int { return cmp.Compare(x.Index, y.Index) })
	for i := range a.results {
		a.results[i].Block = block
	}
	for _, h := range a.hosts {
		d.Hosts = append(d.Hosts, h.Name())
	}
	d.BySize = bySize(slices.Clone(a.results))
	return d
}
