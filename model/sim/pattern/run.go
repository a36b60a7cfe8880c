package pattern

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// An Outcome is what a pattern did. Times are in us.
type Outcome struct {
	Pattern string `json:"pattern"`
	Doc     string `json:"doc"`
	Skipped string `json:"skipped,omitempty"` // why it was not run

	Flows      int   `json:"flows"`
	Unfinished int   `json:"unfinished_flows"` // with probes
	Bytes      int64 `json:"bytes"`

	// Throughput is what the receiving ports carried, with headers and acknowledgements, until
	// the end of the last flow, as a share of what they could. Zero unless the pattern fills
	// them; Judged tells whether the fabric can carry it.
	Throughput float64 `json:"throughput,omitempty"`
	Judged     bool    `json:"throughput_judged"`

	FCTP99      float64 `json:"fct_p99_us"`
	SlowdownP99 float64 `json:"slowdown_p99"`

	// Latency is from the posting of a message of one packet until it is acknowledged.
	LatencyP90 float64 `json:"latency_p90_us"`
	LatencyMax float64 `json:"latency_max_us"`

	Pauses int64 `json:"pfc_pauses"`
	// PauseRate is pauses per second and port, the mean over the run and all ports.
	PauseRate       float64 `json:"pfc_pauses_per_second"`
	PeakEgressQueue int64   `json:"peak_egress_queue_bytes"`
	PeakHeadroom    int64   `json:"peak_headroom_bytes"`
	Marks           int64   `json:"ecn_marks"`
	Drops           int64   `json:"drops"`
	PacketHops      int64   `json:"packet_hops"`
	Events          int64   `json:"events"`
	WallSeconds     float64 `json:"wall_seconds"`

	Missed []string `json:"missed"` // goals, by name
}

// Options say how patterns are run.
type Options struct {
	Window units.Time // in which flows begin, above 0
	Seed   uint64
	Goals  Goals
	Done   func() // is called after each pattern; may be nil
}

// Run runs patterns on a network, as many at a time as there are cores. The error is that
// of the simulator, or of a context that ended.
func Run(ctx context.Context, net *fabric.Network, patterns []Pattern, o Options) ([]Outcome, error) {
	out, errs := make([]Outcome, len(patterns)), make([]error, len(patterns))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i := range patterns {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			out[i], errs[i] = one(ctx, net, &patterns[i], &o)
			if o.Done != nil {
				o.Done()
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out, errors.Join(errs...)
}

func one(ctx context.Context, net *fabric.Network, p *Pattern, o *Options) (Outcome, error) {
	out := Outcome{Pattern: p.Name, Doc: p.Doc, Missed: []string{}}
	if need := p.Hosts(); need > len(net.Hosts) {
		out.Skipped = fmt.Sprintf("needs %d hosts, of which there are %d", need, len(net.Hosts))
		return out, nil
	}
	flows := lay(p, net.Hosts, o.Window, o.Seed)
	if len(flows) == 0 {
		out.Skipped = fmt.Sprintf("no message begins in %v", o.Window)
		return out, nil
	}
	sc := scenario(net, flows, o)
	r, err := sim.Run(ctx, sc)
	if err != nil {
		return out, fmt.Errorf("%s: %w", p.Name, err)
	}
	out.Flows = len(flows)
	for _, f := range flows {
		out.Bytes += int64(f.Bytes)
	}
	out.measure(net, sc, r)
	if k := kinds[p.Kind]; k.fills && p.Message == 0 && r.UnfinishedFlows == 0 {
		out.Throughput = throughput(net, sc, r)
		out.Judged = k.local && p.Receivers == 1 || net.Open
	}
	out.Missed = o.Goals.missed(&out)
	return out, nil
}

// scenario lays flows over the network. A run ends by itself unless packets are lost for
// good; then it is stopped.
func scenario(net *fabric.Network, flows []sim.Flow, o *Options) *sim.Scenario {
	sc := net.Scenario
	sc.Flows = withProbes(flows, len(net.Hosts), o.Window, o.Seed)
	sc.Seed = o.Seed
	sc.Stop = 50*o.Window + 100*units.Millisecond
	return &sc
}

// measure takes over what the run counted.
func (o *Outcome) measure(net *fabric.Network, sc *sim.Scenario, r *sim.Result) {
	var fct, slowdown, latency []float64
	end := float64(sc.Flows[len(sc.Flows)-1].Start) / 1e6
	for _, f := range r.Flows {
		end = max(end, f.StartUS+f.FCTUS)
		if f.Bytes == int64(probeBytes) {
			latency = append(latency, f.FCTUS)
			continue
		}
		fct, slowdown = append(fct, f.FCTUS), append(slowdown, f.Slowdown)
	}
	o.Unfinished = r.UnfinishedFlows
	o.FCTP99, o.SlowdownP99 = percentile(fct, 99), percentile(slowdown, 99)
	o.LatencyP90, o.LatencyMax = percentile(latency, 90), percentile(latency, 100)
	o.Pauses, o.Marks, o.Drops = r.PFCPauses, r.ECNMarks, r.Drops
	ports := 2*len(sc.Links) - len(net.Hosts) // of switches
	o.PauseRate = float64(r.PFCPauses) / (end / 1e6) / float64(ports)
	o.PeakEgressQueue, o.PeakHeadroom = r.PeakEgressQueue, r.PeakHeadroom
	o.PacketHops, o.Events, o.WallSeconds = r.PacketHops, r.Events, r.WallSeconds
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

// What the simulator adds to each payload, and an acknowledgement, without telemetry.
const headerBytes, ackBytes = 48, 60

// throughput relates what came to the receivers, probes left out, to what their ports and
// the senders' allow. Where a receiver sends too, acknowledgements come to it.
func throughput(net *fabric.Network, sc *sim.Scenario, r *sim.Result) float64 {
	payload := int64(sc.Transport.Payload)
	from, packets := map[int]map[int]bool{}, map[int]int64{} // by receiver; by sender
	sources := map[int]bool{}
	wire, end := int64(0), 0.0
	for _, f := range r.Flows {
		if f.Bytes == int64(probeBytes) {
			continue
		}
		n := (f.Bytes + payload - 1) / payload
		wire += f.Bytes + n*headerBytes
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
		wire += packets[dst] * ackBytes
	}
	return float64(wire) * 8e6 / end / min(ports, rate(sources))
}
