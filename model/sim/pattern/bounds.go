package pattern

import (
	"fmt"
	"math"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// A Bound is a limit that no setting can beat, in a scenario with a seed.
type Bound struct {
	Kind  string  `json:"kind"`
	Goal  string  `json:"goal"`
	Value float64 `json:"value"` // us for a latency or a time, a share for a throughput or a load, a multiple for a slowdown
	Why   string  `json:"why"`
	// Judged says that it bounds what is judged of the run, and not only its start.
	Judged bool `json:"judged,omitempty"`
	// Beyond says that the goal is beyond the bound, in what is judged of the run: no setting can
	// meet it, but for other NIC constants where the bound is SlowestCuts.
	Beyond bool `json:"goal_beyond,omitempty"`
}

// A Remedy is one change under which a run that misses goals meets them all, as a run of it has shown.
type Remedy struct {
	Kind   string `json:"kind"`   // "nic", "curve", "alpha", "balancing", "control", or [NoRemedy]
	Change string `json:"change"` // as the language says it
	Tried  int    `json:"tried"`  // changes, this one included
}

// NoRemedy is the kind where none of the changes that were tried is enough.
const NoRemedy = "none"

// Kinds of bounds. A goal beyond one is out of reach for marking curve, alpha and the constants of
// NICs; beyond ECMPCollisions, and beyond a LineRateStart over a link between switches, it is
// within reach of another way to balance load. SlowestCuts is one of the run's NIC constants alone:
// NICs that cut deeper beat it, and another congestion control, so that no goal is infeasible by
// it.
const (
	LineRateStart  = "line-rate-start"
	SlowestCuts    = "dcqcn-cuts"
	ECMPCollisions = "ecmp-collisions"
	LinkCapacity   = "link-capacity"
	EmptyWay       = "empty-way"   // the time of a packet alone: of a latency whatever is judged
	LeastSteps     = "least-steps" // until an operation is done: the goal is a multiple of it
	SharedPort     = "shared-port" // messages that begin at once at a port are done one after the other
)

// bounds returns the bounds of a run.
func (j *Job) bounds(o *Outcome, sc *sim.Scenario, t *bound.Traffic) []Bound {
	list, s := []Bound{}, j.Scenario
	if b := start(t); b != nil {
		b.Judged = true
		b.Beyond = above(float64(s.Goals.MaxLatency)/1e6, b.Value)
		list = append(list, *b)
	}
	if load, what := s.overload(j.Network); load > 1 {
		list = append(list, Bound{Kind: LinkCapacity, Goal: Finish, Value: load, Why: what + ": what waits grows without end, and there is no steady state to judge", Beyond: true})
	}
	if o.Judged && sc.Balancing.Mode == balance.ECMP {
		if b := collisions(o, t); b.Value < 1 {
			b.Judged, b.Beyond = true, b.Value < float64(s.Goals.Throughput)/float64(units.One)
			list = append(list, b)
		}
	}
	if c := s.cuts(t); c != nil {
		list = append(list, *c)
	}
	return append(list, j.completions(o)...)
}

// completions returns the bounds of times that messages take.
func (j *Job) completions(o *Outcome) (list []Bound) {
	c := o.Completion
	if c == nil {
		return nil
	}
	for i := range c.Blocks {
		if b := &c.Blocks[i]; b.Least > 0 {
			list = append(list, b.steps(len(c.Blocks) > 1))
		}
	}
	for _, goal := range []string{MeanSlowdown, SlowdownP99} {
		what, least := "in the mean", c.LeastMean
		if goal == SlowdownP99 {
			what, least = "in more than one of a hundred", c.LeastP99
		}
		if least > 1 {
			asked := j.Scenario.Goals.multiple(goal)
			list = append(list, Bound{
				Kind: SharedPort, Goal: goal, Value: least, Judged: true, Beyond: above(asked, least),
				Why: fmt.Sprintf("messages that begin at once at a port are done one after the other, and none at a host that is stuck: %s they take at least %.1f times as long as alone", what, least),
			})
		}
	}
	return list
}

// start returns the contention of senders that have no feedback yet: at the link to their receiver, or
// at one between switches, over which their hash sends them; nil where no host sends.
func start(t *bound.Traffic) *Bound {
	st := t.Start()
	if st.Port < 0 {
		return nil
	}
	b := &Bound{Kind: LineRateStart, Goal: MaxLatency, Value: float64(st.Latency) / 1e6}
	b.Why = fmt.Sprintf("%d hosts begin to send to one at line rate, and nothing comes back to them for %v: the last of these packets has the others before it", st.Senders, st.RTT)
	if w := t.Wave(bound.Cuts{}); w.Latency > st.Latency {
		b.Value = float64(w.Latency) / 1e6
		b.Why = fmt.Sprintf("%d hosts begin to send at line rate over %d queue pairs, and before anything comes back they send %v through one link, by %v: the last of these packets has the others before it", w.Senders, w.Pairs, w.Bytes, w.At)
	}
	return b
}

// steps returns the least time that operations take whose messages wait for one another; named: of several blocks.
func (b *Block) steps(named bool) Bound {
	out := Bound{Kind: LeastSteps, Goal: Finish, Value: b.Least, Why: "of messages each of which waits for the one before, the longest row takes as long, alone on its way"}
	if b.LeastBy == ByPort {
		out.Why = "the port of one host takes as long to carry what the host sends, or what is sent to it"
	}
	if named {
		out.Why = b.Name + ": " + out.Why
	}
	return out
}

// collisions returns the bound of the throughput, as the run is judged by it, that ways by a hash set.
func collisions(o *Outcome, t *bound.Traffic) Bound {
	b := Bound{Kind: ECMPCollisions, Goal: Throughput}
	even := t.Even()
	if o.Steady != nil && o.Steady.Settled {
		share, flows := t.Collisions(even.Rate)
		b.Value, b.Why = share, fmt.Sprintf("of the flows that share a link by their hash, up to %d have more to send than it carries", flows)
		return b
	}
	least, flows := t.Hashed()
	b.Value = min(1, float64(even.Least)/float64(least))
	b.Why = fmt.Sprintf("%d flows share a link by their hash, which takes %v to carry what they send, and links %v if all were shared evenly", flows, least, even.Least)
	return b
}

// cuts returns the latency that DCQCN cannot avoid since it slows senders down no faster: nil where they have another
// control.
func (s *Scenario) cuts(t *bound.Traffic) *Bound {
	cuts, ok := t.Cuts()
	if !ok {
		return nil
	}
	w := t.Wave(cuts)
	if w.Port < 0 {
		return nil
	}
	b := &Bound{Kind: SlowestCuts, Goal: MaxLatency, Value: float64(w.Latency) / 1e6, Judged: true, Beyond: s.Goals.MaxLatency > 0 && w.Latency > s.Goals.MaxLatency}
	b.Why = fmt.Sprintf("%d hosts begin over %d queue pairs; with a CNP every %v, and %.0f %% of the rate left by each, they have sent %v through one link after %v: its last packet waits for the others, or PFC stops them", w.Senders, w.Pairs, cuts.Apart, 100*cuts.Kept, w.Bytes, w.At)
	return b
}

// Infeasible returns a bound that a missed goal exceeds, so that no setting can meet all goals; nil if
// there is none.
func (o *Outcome) Infeasible() *Bound {
	return o.beyond(func(b *Bound) bool { return b.Kind != SlowestCuts })
}

// BeyondCuts returns a bound of the run's NIC constants that a missed goal exceeds; nil if there is
// none.
func (o *Outcome) BeyondCuts() *Bound {
	return o.beyond(func(b *Bound) bool { return b.Kind == SlowestCuts })
}

func (o *Outcome) beyond(kind func(*Bound) bool) *Bound {
	for i := range o.Bounds {
		b := &o.Bounds[i]
		if b.Beyond && kind(b) && len(o.Missed) > 0 && (b.Kind == LinkCapacity || slices.Contains(o.Missed, b.Goal)) {
			return b
		}
	}
	return nil
}

// MissedInReach reports whether a run misses goals, and each is within the bounds.
func (o *Outcome) MissedInReach() bool {
	return o.Skipped == "" && len(o.Missed) > 0 && o.Infeasible() == nil
}

// overload returns the larger share of what hosts and of what the links above their switches are offered;
// what says it in words.
func (s *Scenario) overload(net *fabric.Network) (share float64, what string) {
	share, where := s.offered(net)
	if up := s.offeredUp(net); up > share {
		return up, fmt.Sprintf("the links above a switch of hosts are offered %.0f %% of what they carry", 100*up)
	}
	return share, fmt.Sprintf("%s are offered %.0f %% of what their port carries", where, 100*share)
}

// offeredUp returns the same for the links of a switch with hosts to other switches, all together: loads go to
// hosts drawn at random among all others.
func (s *Scenario) offeredUp(net *fabric.Network) (share float64) {
	hosts, all := map[int]float64{}, 0.0 // rates by switch
	local := map[int]int{}
	up := map[int]float64{}
	for i := range net.Scenario.Links {
		switch l := &net.Scenario.Links[i]; {
		case net.Scenario.Nodes[l.A] == sim.Host:
			hosts[l.B] += float64(l.Rate)
			local[l.B]++
		default:
			up[l.A] += float64(l.Rate)
			up[l.B] += float64(l.Rate)
		}
	}
	for i := range s.Traffic {
		t := &s.Traffic[i]
		if carry := net.Carriers(t.Class, t.Lossy); t.Load > 0 && len(carry) > 0 && net.Lossless>>carry[0]&1 != 0 {
			all += t.each(net, 1)
		}
	}
	for node, rate := range hosts {
		if away := float64(len(net.Hosts)-local[node]) / float64(max(1, len(net.Hosts)-1)); up[node] > 0 {
			share = max(share, all*rate*away/up[node])
		}
	}
	return share
}

// offered returns the most that RDMA traffic offers to a host on the mean for as long as it goes on, as
// a share of what its port carries: what comes again and again to every host or to the receivers of
// an incast, and loads, with headers and gaps. Traffic with a given number of messages, and traffic
// that fills the time of the scenario, is bounded by itself. where names the hosts.
func (s *Scenario) offered(net *fabric.Network) (share float64, where string) {
	fastest := units.BitRate(1)
	for i := range net.Hosts {
		fastest = max(fastest, net.Hosts[i].Rate)
	}
	all, most := 0.0, 0.0 // to every host; to those of an incast
	for i := range s.Traffic {
		t := &s.Traffic[i]
		if carry := net.Carriers(t.Class, t.Lossy); len(carry) == 0 || net.Lossless>>carry[0]&1 == 0 {
			continue
		}
		each := t.each(net, fastest)
		if t.Kind == "incast" {
			most = max(most, each)
		} else {
			all += each
		}
	}
	if most > 0 {
		return all + most, "the receivers of the incast"
	}
	return all, "hosts"
}

// each returns the load that a traffic offers to one of its receivers, as a share of a rate.
func (t *Traffic) each(net *fabric.Network, fastest units.BitRate) float64 {
	if t.Load > 0 {
		return float64(t.Load) / float64(units.One) * float64(max(1, t.Copies)) * t.taken(&net.Scenario)
	}
	if t.Every == 0 || t.Message == 0 || t.Kind == "flow" { // which is to one host, and ends
		return 0
	}
	messages := 1.0
	switch t.Kind {
	case "incast":
		messages = float64(t.Senders)
	case "all_to_all":
		messages = float64(len(net.Hosts) - 1)
	}
	return messages * float64(t.Message) * t.taken(&net.Scenario) * 8e12 / float64(t.Every) / float64(fastest)
}

// taken returns the bytes on links for a byte of messages, with headers and gaps. For sizes that are drawn it is a
// lower bound, since a queue pair sends a packet for each full one, and another for the rest.
func (t *Traffic) taken(sc *sim.Scenario) float64 {
	extra, _ := sc.Wire.Taken()
	mean, pairs, full := t.mean(), float64(max(1, t.QueuePairs)), float64(sc.Transport.Payload)
	part := max(smallest, math.Floor(mean/pairs))
	packets := math.Ceil(part / full)
	if t.Sizes != nil {
		part = max(smallest, mean/pairs-1) // whole bytes are sent
		packets = max(1, part/full)
	}
	return pairs * (part + packets*float64(extra)) / mean
}
