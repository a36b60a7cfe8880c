package pattern

import (
	"math"
	"sort"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/model/sim/fabric"
)

// An Outcome holds the results of a scenario. Times are in us. docs/sim-results.md explains each field.
type Outcome struct {
	Pattern string `json:"pattern"`
	Seed    uint64 `json:"seed"`
	Doc     string `json:"doc"`
	Skipped string `json:"skipped,omitempty"` // why it was not run

	// Fluid says that messages were flows: only the fields of [Outcome.AsFlows] are set. On is the number of hosts. Fair is the
	// congestion control if that is not modelled: then nothing waited. Unlike are those of other classes.
	Fluid  bool     `json:"-"`
	On     int      `json:"-"`
	Fair   string   `json:"-"`
	Unlike []string `json:"-"`

	Time  float64 `json:"time_us"`         // in which messages begin
	GPUs  int     `json:"gpus,omitempty"`  // of a sweep: on how many it ran
	Swept string  `json:"swept,omitempty"` // of a sweep: the value of the variable

	Flows      int   `json:"flows"`
	Unfinished int   `json:"unfinished_flows"`         // with probes, without stranded ones
	Stranded   int   `json:"stranded_flows,omitempty"` // unfinished, to or from a host that was stuck
	Bytes      int64 `json:"bytes"`

	// Throughput is the least time in which links carry all that is sent, see [bound.Even], as a
	// share of the time until the last message was done. Zero unless the pattern fills ports, which
	// Judged reports: then it is a goal.
	Throughput float64 `json:"throughput,omitempty"`
	Judged     bool    `json:"throughput_judged"`
	Unasked    string  `json:"throughput_not_judged,omitempty"` // why it is no goal: one of the words below

	FCTP99      float64 `json:"fct_p99_us"`
	SlowdownP99 float64 `json:"slowdown_p99"` // of all messages, TCP's too

	Completion *Completion `json:"completion,omitempty"` // nil: it was not run

	// Latency is one-way, of the packets of all classes but those of TCP: [sim.ClassResult]. Of
	// several classes it is the worst one's.
	LatencyP50        float64 `json:"latency_p50_us"`
	LatencyP90        float64 `json:"latency_p90_us"`
	LatencyP99        float64 `json:"latency_p99_us"`
	LatencyMax        float64 `json:"latency_max_us"`
	LatencyBelowUsual float64 `json:"latency_below_usual"` // share of packets below [Goals.UsualLatency]

	// UsualOfScenarios says that the usual latency is a goal of all scenarios together.
	UsualOfScenarios bool `json:"usual_latency_of_scenarios,omitempty"`

	// MessageLatency is from the posting of a message of one packet, a probe, until it is
	// acknowledged.
	MessageLatencyP90 float64 `json:"message_latency_p90_us"`
	MessageLatencyP99 float64 `json:"message_latency_p99_us"`
	MessageLatencyMax float64 `json:"message_latency_max_us"`

	Pauses int64 `json:"pfc_pauses"`
	// PauseRate is pauses per second and port, the mean over the run and all ports.
	PauseRate float64 `json:"pfc_pauses_per_second"`
	PausedUS  float64 `json:"pfc_paused_us"` // sum over ports and classes

	// The run is divided into windows. WindowsOver is at the worst port in how many of them
	// more pauses were in force than [Goals.PausesPerSecond] allows for their length.
	PauseWindow  float64 `json:"pfc_window_us"`
	PauseWindows int     `json:"pfc_windows"`
	WindowsOver  int     `json:"pfc_windows_over"`
	LikelyPauses int     `json:"-"` // of a fluid run: see [AsFlows]

	PeakEgressQueue int64 `json:"peak_egress_queue_bytes"`
	PeakHeadroom    int64 `json:"peak_headroom_bytes"`
	Marks           int64 `json:"ecn_marks"`
	CNPs            int64 `json:"cnps"`
	Drops           int64 `json:"drops"`
	LosslessDrops   int64 `json:"lossless_drops"` // of lossless classes
	Lost            int64 `json:"lost_to_events"` // packets, on wires, in queues and at hosts
	LosslessLost    int64 `json:"lossless_lost"`  // of these, packets of lossless classes

	Losses   *Losses `json:"losses,omitempty"` // by what they were lost to; nil: none was
	Watchdog int64   `json:"watchdog_events"`

	// Duration is from the start of the run to the end of the last message or operation.
	Duration    float64 `json:"duration_us"`
	PacketHops  int64   `json:"packet_hops"`
	Events      int64   `json:"events"`
	WallSeconds float64 `json:"wall_seconds"`
	PeakMemory  int64   `json:"peak_memory_bytes"` // of the process

	SkippedUS float64 `json:"skipped_us,omitempty"` // time left out, with [Job.SkipSteady]

	Steady *Steady `json:"steady_state,omitempty"`

	Bounds []Bound  `json:"bounds"`
	Missed []string `json:"missed"`           // goals, by name
	Far    []Far    `json:"far,omitempty"`    // of each of these
	Remedy *Remedy  `json:"remedy,omitempty"` // of a missed one; nil: not searched

	*Details // nil unless [Job.Detailed]

	// Room is the margin of the goal that is closest to being missed, 0 to 1, as a share of the goal; 0 where one is
	// missed.
	Room float64 `json:"-"`
}

// Losses are packets that were lost to something other than a switch's buffer.
type Losses struct {
	OnWire   int64 `json:"lost_on_wire"`   // of a link that went down, or has errors
	Flushed  int64 `json:"flushed"`        // from queues of links that went down
	Unrouted int64 `json:"unrouted"`       // at switches whose routes lead to a dead link
	Overrun  int64 `json:"nic_overrun"`    // at NICs that were stuck or full
	Watchdog int64 `json:"watchdog_drops"` // in queues that a watchdog held
}

// sum returns all of them.
func (l Losses) sum() int64 { return l.OnWire + l.Flushed + l.Unrouted + l.Overrun + l.Watchdog }

// Why throughput is no goal of a run, whose other goals are all asked.
const (
	ByEvents     = "event"      // something befalls the fabric
	BySeveral    = "several"    // kinds of traffic, which share ports by weight or by their loads
	ByLoad       = "load"       // less than line rate is offered: it is carried where messages finish and latency stays
	BySize       = "size"       // of messages is given, however long they take
	BySteps      = "steps"      // of a collective operation wait for one another
	ByUnfinished = "unfinished" // messages, which is a goal of its own
)

// unasked says why throughput is no goal of a scenario; empty where it is.
func (s *Scenario) unasked() string {
	switch t := &s.Traffic[0]; {
	case len(s.Events) > 0:
		return ByEvents
	case len(s.Traffic) > 1:
		return BySeveral
	case t.Load > 0:
		return ByLoad
	case t.Kind == "flow" || t.Message > 0 && kinds[t.Kind].fills:
		return BySize
	case !kinds[t.Kind].fills:
		return BySteps
	}
	return ""
}

// Details are the results that a summary does not need.
type Details struct {
	Hosts       []string           `json:"hosts"` // that src and dst of flows are indices of
	FlowResults []sim.FlowResult   `json:"flow_results"`
	BySize      []SizeGroup        `json:"slowdown_by_size"` // of the messages that goals are about
	Classes     []sim.ClassResult  `json:"classes"`
	Queues      []sim.BufferResult `json:"queues"`
	PGs         []sim.BufferResult `json:"pgs"`
	PausedPorts []sim.PauseResult  `json:"pauses"`
	Ports       []sim.PortResult   `json:"ports"`
}

// measured is a run with what it came from.
type measured struct {
	net      *fabric.Network
	sc       *sim.Scenario
	r        *sim.Result
	goals    *Goals
	messages int        // flows before the probes
	even     bound.Even // the part of them that links carry; zero unless they fill ports
}

// measure takes over what the run counted.
func (o *Outcome) measure(m *measured) {
	r := m.r
	o.Stranded = m.stranded()
	o.Unfinished = r.UnfinishedFlows - o.Stranded
	if l := (Losses{r.LostOnWire, r.Flushed, r.Unrouted, r.Overrun, r.WatchdogDrops}); l.sum() > 0 {
		o.Lost, o.Losses = l.sum(), &l
	}
	o.Watchdog = r.WatchdogEvents
	o.Marks, o.CNPs, o.Drops = r.ECNMarks, r.CNPs, r.Drops
	o.PeakEgressQueue, o.PeakHeadroom = r.PeakEgressQueue, r.PeakHeadroom
	o.PacketHops, o.Events = r.PacketHops, r.Events
	o.WallSeconds, o.PeakMemory, o.SkippedUS = r.WallSeconds, r.PeakMemory, r.SkippedUS
	o.measureFlows(m)
	o.measurePauses(m)
	o.measureClasses(m)
}

func (o *Outcome) measureFlows(m *measured) {
	var fct, slowdown, latency []float64
	for _, f := range m.r.Flows {
		if f.Index >= m.messages {
			latency = append(latency, f.FCTUS)
			continue
		}
		o.Duration = max(o.Duration, f.StartUS+f.FCTUS)
		fct, slowdown = append(fct, f.FCTUS), append(slowdown, f.Slowdown)
	}
	for _, w := range m.r.Work {
		o.Duration = max(o.Duration, w.EndUS)
	}
	o.FCTP99, o.SlowdownP99 = percentile(fct, 99), percentile(slowdown, 99)
	o.MessageLatencyP90, o.MessageLatencyP99 = percentile(latency, 90), percentile(latency, 99)
	o.MessageLatencyMax = percentile(latency, 100)
}

func (o *Outcome) measurePauses(m *measured) {
	end := float64(m.sc.Flows[len(m.sc.Flows)-1].Start) / 1e6
	for _, f := range m.r.Flows {
		end = max(end, f.StartUS+f.FCTUS)
	}
	ports := 2*len(m.sc.Links) - len(m.net.Hosts) // of switches
	o.Pauses, o.PausedUS = m.r.PFCPauses, m.r.PausedUS
	o.PauseRate = float64(m.r.PFCPauses) / (end / 1e6) / float64(ports)
	o.PauseWindow = m.r.WindowUS
	o.WindowsOver, o.PauseWindows = m.r.WindowsOver(m.goals.PausesPerSecond, 0, math.MaxInt64)
}

func (o *Outcome) measureClasses(m *measured) {
	tcp := m.tcp()
	o.LatencyBelowUsual = 1
	for _, c := range m.r.Classes {
		if tcp[c.Class] {
			continue
		}
		if m.net.Lossless>>c.Class&1 != 0 {
			o.LosslessDrops += c.Drops
			o.LosslessLost += c.Lost
		}
		o.LatencyP50, o.LatencyP90 = max(o.LatencyP50, c.P50US), max(o.LatencyP90, c.P90US)
		o.LatencyP99, o.LatencyMax = max(o.LatencyP99, c.P99US), max(o.LatencyMax, c.MaxUS)
		if c.Packets > 0 {
			o.LatencyBelowUsual = min(o.LatencyBelowUsual, c.Below)
		}
	}
}

// tcp reports which classes carry it.
func (m *measured) tcp() (classes [8]bool) {
	for i := range m.sc.Flows {
		if f := &m.sc.Flows[i]; f.TCP {
			classes[f.Class] = true
		}
	}
	return classes
}

func (m *measured) details(names []string) *Details {
	d := &Details{
		Hosts: []string{}, FlowResults: []sim.FlowResult{}, Classes: m.r.Classes,
		Queues: append([]sim.BufferResult{}, m.r.Queues...), PGs: append([]sim.BufferResult{}, m.r.PGs...), PausedPorts: m.r.Pauses, Ports: m.r.Ports,
	}
	for _, h := range m.net.Hosts {
		d.Hosts = append(d.Hosts, h.Name())
	}
	var asked []sim.FlowResult
	for _, f := range m.r.Flows {
		if f.Index < m.messages {
			if m.asked(f.Index) {
				asked = append(asked, f)
			}
			f.Block = names[m.sc.Flows[f.Index].Block]
			d.FlowResults = append(d.FlowResults, f)
		}
	}
	d.BySize = bySize(asked)
	return d
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

// percentile returns the smallest value that so many percent are not above; 0 of none.
func percentile(values []float64, percent float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sort.Float64s(values)
	rank := int(math.Ceil(float64(len(values)) * percent / 100))
	return values[max(0, rank-1)]
}
