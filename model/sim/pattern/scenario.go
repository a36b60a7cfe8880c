// Package pattern lays the traffic of a scenario over a fabric, runs it and judges the result.
package pattern

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Scenario is the traffic over a network, and the faults meanwhile.
type Scenario struct {
	Name, Doc string

	// Asked says that it is to run: the fabric or the call names it. Where it cannot run, that is
	// a miss of [NotRun].
	Asked bool

	Time  units.Time // in which messages begin, above 0
	Seeds int        // runs, with seeds from 1 on

	Hosts             []plan.LinkEnd // that take part; nil: all of the network
	LoadBalancing     string         // empty: the plan's
	FlowletGap        units.Time     // 0: see fabric.Options
	CongestionControl string         // empty: the plan's
	Transport         string         // empty: the plan's
	Processes         int            // of each host, that messages go between in turn; 0: a queue pair for each message
	DC                *fabric.DC     // see fabric.Options
	Memory            *fabric.Memory // see fabric.Options
	Swift             *fabric.Swift  // see fabric.Options
	RTTCC             *sim.RTTCC     // see fabric.Options
	Polling           fabric.Polling // of queues, for ECN
	ECNByPart         bool           // see fabric.Options

	Traffic []Traffic
	Events  []Event
	Goals   Goals
}

// A Traffic says which hosts send how much to which ones, and when. Kinds are those of [Kinds]; a
// field that a kind does not use is zero.
type Traffic struct {
	Kind string
	Name string // in results; empty: its kind

	Class      string // of the plan; empty: its first lossless class, or lossy one
	Lossy      bool
	QueuePairs int // that a message is divided over, at least 1
	Start      units.Time

	Senders, Receivers int         // of an incast
	Local              bool        // of an incast: on one switch, that of all local ones, each with hosts of its own
	By                 int         // of a shift; 0: half of the hosts
	Message            units.Bytes // 0: what fills the time of the scenario
	Every              units.Time  // 0: once
	Load               units.Ratio // of each host's line rate
	Sizes              *Sizes      // that messages are drawn from, instead of Message
	Copies             int         // hosts that each message goes to, at least 1
	Repeat             int         // messages of a flow, at least 1
	Src, Dst           plan.LinkEnd
	Collective         *Collective        // of that kind
	Workload           *workload.Workload // of a trace; nil: it was not read
}

// Sizes is a cumulative distribution, linear between its points.
type Sizes struct {
	Name  string
	Bytes []int64
	CDF   []float64 // percent, from 0 to 100
}

// An Event is something that befalls the fabric.
type Event struct {
	Kind      EventKind
	Where     plan.LinkEnd // port of a link or a host, or a switch without one; empty: drawn by the seed
	At, Until units.Time   // Until of 0: the end of the run

	Convergence units.Time    // after a failure, until routes avoid what failed
	Rate        units.BitRate // of a slow receiver
	Buffer      units.Bytes   // of its NIC
}

// EventKind names an event as the language does.
type EventKind string

const (
	LinkFailure   EventKind = "link_failure"
	SwitchFailure EventKind = "switch_failure"
	SlowReceiver  EventKind = "slow_receiver"
	PFCStorm      EventKind = "pfc_storm"
)

// plain reports whether a scenario runs on the network that others run on.
func (s *Scenario) plain() bool {
	return s.Hosts == nil && s.LoadBalancing == "" && s.CongestionControl == "" && s.Transport == "" && s.DC == nil && s.Memory == nil && s.Swift == nil && s.RTTCC == nil &&
		s.Polling == fabric.Polling{} && !s.ECNByPart && len(s.named()) == 0
}

// needs returns the least number of hosts of a scenario.
func (s *Scenario) needs() (n int) {
	for i := range s.Traffic {
		n = max(n, s.Traffic[i].needs())
	}
	return max(n, s.needsLocal())
}

// needsGPUs returns the number of GPUs of a scenario; 0 where it does not count them.
func (s *Scenario) needsGPUs() (n int) {
	for i := range s.Traffic {
		n = max(n, s.Traffic[i].needsGPUs())
	}
	return n
}

func (t *Traffic) needsGPUs() int {
	switch t.Kind {
	case "collective":
		return max(2, t.Collective.Group) * t.Collective.Stride
	case "trace":
		if t.Workload != nil {
			return t.Workload.Ranks
		}
	}
	return 0
}

// needsLocal returns the number of hosts of one switch that it needs.
func (s *Scenario) needsLocal() (n int) {
	for i := range s.Traffic {
		if t := &s.Traffic[i]; t.Local {
			n += t.needs()
		}
	}
	return n
}

// named lists the ports that a scenario names apart from its hosts.
func (s *Scenario) named() (list []plan.LinkEnd) {
	add := func(e plan.LinkEnd) {
		if e != (plan.LinkEnd{}) {
			list = append(list, e)
		}
	}
	for i := range s.Traffic {
		add(s.Traffic[i].Src)
		add(s.Traffic[i].Dst)
	}
	for i := range s.Events {
		add(s.Events[i].Where)
	}
	return list
}

// unfit says why a job cannot run; empty where it can.
func (j *Job) unfit() string {
	if j.Fluid && j.streams() {
		return j.Scenario.unfitAbove(j.Network, maxStreamed)
	}
	return j.Scenario.unfit(j.Network)
}

// unfit says why a scenario cannot run on a network with a list of its messages; empty where it can.
func (s *Scenario) unfit(net *fabric.Network) string { return s.unfitAbove(net, maxMessages) }

// unfitAbove is unfit with another limit for the messages of each traffic but a trace.
func (s *Scenario) unfitAbove(net *fabric.Network, mostMessages float64) string {
	hosts := func(e plan.LinkEnd) bool {
		return slices.ContainsFunc(net.Hosts, func(h fabric.Host) bool { return h.End() == e })
	}
	for i := range s.Traffic {
		t := &s.Traffic[i]
		if t.Kind == "trace" && t.Workload == nil {
			return "runs a trace that was not read"
		}
		if need := t.needs(); need > len(net.Hosts) {
			return fmt.Sprintf("needs %d hosts, of which there are %d", need, len(net.Hosts))
		}
		if len(net.Carriers(t.Class, t.Lossy)) == 0 {
			return fmt.Sprintf("sends in %s, which the switches do not have", t.carrier())
		}
		gpus := t.needsGPUs()
		if there := len(siteOf(net).GPUs); gpus > there {
			return fmt.Sprintf("needs %d GPUs, of which there are %d", gpus, there)
		}
		most := mostMessages
		if t.Kind == "trace" {
			most = workload.MaxMessages
		}
		n := t.messages(net, s.Time)
		if gpus > 0 && n <= most && !net.Trains(t.tcp(net)) {
			n = t.unrolled(net) * float64(t.QueuePairs)
		}
		if n > most {
			return fmt.Sprintf("is %.0f messages of %s, above %d", n, t.Kind, int(most))
		}
		for _, e := range []plan.LinkEnd{t.Src, t.Dst} {
			if e != (plan.LinkEnd{}) && !hosts(e) {
				return fmt.Sprintf("names %s:%s, which is not among its hosts", e.Switch, e.Port)
			}
		}
	}
	if need := s.needsLocal(); need > 0 && len(rooms(net, need)) == 0 {
		return fmt.Sprintf("needs a switch with %d hosts", need)
	}
	return cmp.Or(s.unfitMemory(net), s.unfitEvents(net))
}

// unfitMemory says that hosts read their memory more slowly than a link is; empty where they do not.
func (s *Scenario) unfitMemory(net *fabric.Network) string {
	fastest := units.BitRate(0)
	for i := range net.Scenario.Links {
		fastest = max(fastest, net.Scenario.Links[i].Rate)
	}
	if s.Memory == nil || s.Memory.Rate >= fastest {
		return ""
	}
	return fmt.Sprintf("lets hosts read their memory at %v, more slowly than a link of %v", s.Memory.Rate, fastest)
}

// maxMessages keeps what a scenario says within memory, for each of its traffics.
const maxMessages = 1_000_000

// maxStreamed keeps the results of messages that are drawn as they begin within 640 MB.
const maxStreamed = 20_000_000

// Messages is about how many messages a job has; 0 where it does not fit its network.
func (j *Job) Messages() (sum float64) {
	if !j.Fits() {
		return 0
	}
	for i := range j.Scenario.Traffic {
		sum += j.Scenario.Traffic[i].messages(j.Network, j.Scenario.Time)
	}
	return sum
}

// messages returns the number of messages of a traffic, one for each queue pair, and of others they
// wait for; of a Poisson process the mean.
func (t *Traffic) messages(net *fabric.Network, time units.Time) (sum float64) {
	hosts := net.Hosts
	n, qp, times := float64(len(hosts)), float64(t.QueuePairs), 1.0
	if t.Every > 0 {
		times += float64(time) / float64(t.Every)
	}
	switch t.Kind {
	case "incast":
		return float64(t.Senders) * float64(t.Receivers) * times * qp
	case "permutation", "shift":
		return n * times * qp
	case "all_to_all":
		return n * n * times * qp
	case "ring_all_reduce":
		if net.Trains(t.tcp(net)) {
			return n * qp * qp
		}
		return 2 * n * n * qp * qp
	case "collective":
		return t.Collective.messages(len(siteOf(net).GPUs)) * float64(t.Repeat) * qp
	case "trace":
		return float64(t.Workload.Messages(siteOf(net))) * qp
	case "tree_all_reduce":
		return 2 * n * qp * qp
	case "flow":
		return float64(t.Repeat) * qp * qp
	case "poisson", "storage_write", "storage_read":
		for i := range hosts {
			sum += float64(time-t.Start) / t.gap(&hosts[i]) * float64(t.Copies) * qp
		}
	}
	return sum
}

// tcp reports whether hosts send it by TCP, as in all lossy classes; the network has its class.
func (t *Traffic) tcp(net *fabric.Network) bool {
	return net.Lossless>>net.Carriers(t.Class, t.Lossy)[0]&1 == 0
}

func (t *Traffic) carrier() string {
	switch {
	case t.Class != "":
		return "class " + t.Class
	case t.Lossy:
		return "a lossy class"
	}
	return "a lossless class"
}

// needs returns the least number of hosts of a traffic.
func (t *Traffic) needs() int {
	switch t.Kind {
	case "incast":
		return t.Senders + t.Receivers
	case "shift":
		return max(2, t.By+1)
	case "storage_write":
		return t.Copies + 1
	case "ring_all_reduce", "tree_all_reduce":
		return 3
	}
	return 2
}

// smallest is the least size of a message, in bytes: a size drawn from a distribution may be
// nothing at all.
const smallest = 64

// at returns the size below which the given percentage of messages is.
func (s *Sizes) at(percent float64) units.Bytes {
	for i := 1; i < len(s.CDF); i++ {
		if percent <= s.CDF[i] && s.CDF[i] > s.CDF[i-1] {
			share := (percent - s.CDF[i-1]) / (s.CDF[i] - s.CDF[i-1])
			return max(smallest, units.Bytes(float64(s.Bytes[i-1])+share*float64(s.Bytes[i]-s.Bytes[i-1])))
		}
	}
	return units.Bytes(s.Bytes[len(s.Bytes)-1])
}

// mean returns the mean size in bytes.
func (s *Sizes) mean() float64 {
	sum := 0.0
	for i := 1; i < len(s.CDF); i++ {
		sum += (s.CDF[i] - s.CDF[i-1]) / 100 * float64(s.Bytes[i]+s.Bytes[i-1]) / 2
	}
	return sum
}
