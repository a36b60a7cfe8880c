package scenario

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// pod has 64 hosts at 100G on four leaves, and spines that carry them all.
const pod = `
fabric "pod" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = "%s"
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
nic "cx6" {
  model = "connectx-6"
  dcqcn { constants = model } # slow to come back: runs that settle late are looked at
}
switch "leaf-[1..4]" {
  chip = "trident3"
  os   = "sonic"
  port_group "servers" {
    ports      = "Ethernet[0..60/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "5m"
    peer       = nic.cx6
  }
  port_group "up" {
    ports      = "Ethernet[64..124/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 65
    cable      = "40m"
    peer       = switch.spine
  }
}
switch "spine-[1..2]" {
  chip = "trident3"
  os   = "sonic"
  port_group "down" {
    ports      = "Ethernet[0..124/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "40m"
    peer       = switch.leaf
  }
}
clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "up"
  upper_ports    = "down"
  links_per_pair = 8
}
`

// compiled is a fabric with the text of further blocks, and its plan.
func compiled(t *testing.T, control, more string) (*policy.Fabric, *plan.Plan) {
	t.Helper()
	catalogue, _ := chips.Load()
	return plantest.Text(t, catalogue, fmt.Sprintf(pod, control)+more)
}

var whole = fabric.Size{Edges: 4, HostsPerEdge: 16}

// jobs lists the runs of scenarios in a shorter time than is usual.
func jobs(t *testing.T, p *plan.Plan, size fabric.Size, list []pattern.Scenario, window units.Time) []pattern.Job {
	t.Helper()
	catalogue, _ := chips.Load()
	list = append([]pattern.Scenario(nil), list...)
	for i := range list {
		list[i].Time = window
	}
	_, out, err := pattern.Jobs(p, catalogue.Find, fabric.Options{Size: size}, list, 0)
	must.Do(t, err)
	return out
}

func run(t *testing.T, jobs []pattern.Job) []pattern.Outcome {
	t.Helper()
	out := must.Get(pattern.Run(context.Background(), jobs, nil))(t)
	return out
}

// Whatever the scenario, every packet that was made came to somebody or is counted as lost,
// and buffers are empty when nothing is left. Where nothing befalls the fabric, every packet
// is sent once over each link of its way and acknowledged once, and nothing else is sent but
// CNPs: hosts of one leaf are two links apart, others four.
func TestConservation(t *testing.T) {
	const window = 30 * units.Microsecond
	for _, control := range []string{"dcqcn", "none"} {
		f, p := compiled(t, control, "")
		list := jobs(t, p, whole, Traces(nil).All(f), window)
		for i, o := range run(t, list) {
			if o.Skipped != "" {
				t.Errorf("%s was not run: it %s", o.Pattern, o.Skipped)
				continue
			}
			if o.LosslessDrops != 0 || o.Unfinished != 0 || o.Throughput > 1 {
				t.Errorf("%s, %s: %d lossless drops, %d flows unfinished, throughput %v", o.Pattern, control, o.LosslessDrops, o.Unfinished, o.Throughput)
			}
			sc, _ := list[i].Build()
			want := hops(list[i].Network, sc)
			if least, most := want+2*o.CNPs, want+4*o.CNPs; len(list[i].Scenario.Events) == 0 && (o.PacketHops < least || o.PacketHops > most) {
				t.Errorf("%s, %s: %d packet-hops, want %d and two to four for each of %d CNPs", o.Pattern, control, o.PacketHops, want, o.CNPs)
			}
			checkLedger(t, o.Pattern, sc)
		}
	}
}

// checkLedger runs a scenario again and demands that its account of packets balances.
func checkLedger(t *testing.T, name string, sc *sim.Scenario) {
	t.Helper()
	r := must.Get(sim.Run(context.Background(), sc))(t)
	l := r.Packets
	if came := l.Delivered + r.Drops + r.LostOnWire + r.Flushed + r.Unrouted + r.Overrun + r.WatchdogDrops + l.Left; came != l.Created || l.Created == 0 {
		t.Errorf("%s: %d packets made, %d accounted for: %+v", name, l.Created, came, l)
	}
	if l.Left != 0 || l.Buffered != 0 {
		t.Errorf("%s: %d packets are left, %d B in buffers", name, l.Left, l.Buffered)
	}
}

// Events do what they say: a dead link loses packets that hosts send again, a slow host
// makes its switch pause, a storm strands messages until it ends or the watchdog drops them.
func TestEvents(t *testing.T) {
	f, p := compiled(t, "dcqcn", "")
	var list []pattern.Scenario
	for _, s := range Traces(nil).All(f) {
		if len(s.Events) > 0 {
			list = append(list, s)
		}
	}
	catalogue, _ := chips.Load()
	_, all, err := pattern.Jobs(p, catalogue.Find, fabric.Options{Size: whole}, list, 0)
	must.Do(t, err)
	for _, o := range run(t, all) {
		if slices.ContainsFunc(o.Missed, func(goal string) bool { return goal != pattern.LosslessLosses }) || o.Drops != 0 || o.Unfinished != 0 { // what is on a wire or in a queue that fails is lost
			t.Errorf("%s: %d drops, %d flows unfinished, missed %v", o.Pattern, o.Drops, o.Unfinished, o.Missed)
		}
		var done bool
		switch {
		case strings.HasPrefix(o.Pattern, "link-failure"):
			done = o.Lost > 0 && o.Watchdog == 0
		case strings.HasPrefix(o.Pattern, "slow-receiver"):
			done = o.Lost == 0 && o.Pauses > 10
		case strings.HasPrefix(o.Pattern, "victim-storm"):
			done = o.Watchdog == 0 && o.Stranded == 0 && o.LatencyMax > 10_000 // of 12 ms
		case o.Pattern == "pfc-storm-short":
			done = o.Watchdog == 0 && o.Stranded == 0 && o.LatencyMax > 400 // of 500 us
		case o.Pattern == "pfc-storm-watchdog":
			done = o.Watchdog > 0 && o.Lost > 0 && o.Stranded > 0
		}
		if !done {
			t.Errorf("%s: %+v", o.Pattern, o)
		}
	}
}

// TCP fills its own queue until it loses packets, and RDMA beside it loses none: that is what
// pools and weights of the plan are for. The queue may take 17.2 MB: the windows of 40 senders come
// to 16 MB of it, those of 60 do not fit.
func TestTCPLosesItsOwn(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "full" {
  incast {
    senders = 8
    message = "64KB"
    every   = "100us"
  }
  incast {
    class   = traffic_class.rest
    senders = 60
    message = "1MB"
  }
}`)
	o := run(t, jobs(t, p, whole, Traces(nil).All(f)[:1], 500*units.Microsecond))[0]
	if o.Drops == 0 || o.LosslessDrops != 0 || o.Unfinished != 0 {
		t.Errorf("%d drops, %d of them lossless, %d flows unfinished", o.Drops, o.LosslessDrops, o.Unfinished)
	}
}

func hops(net *fabric.Network, sc *sim.Scenario) (sum int64) {
	payload := sc.Transport.Payload
	for _, f := range sc.Flows {
		links := int64(4)
		if net.Hosts[f.Src].Switch == net.Hosts[f.Dst].Switch {
			links = 2
		}
		sum += 2 * links * int64((f.Bytes+payload-1)/payload) * int64(max(1, f.Repeat))
	}
	return sum
}

func TestEqualSeedsGiveEqualResults(t *testing.T) {
	f, p := compiled(t, "dcqcn", "")
	list := jobs(t, p, fabric.Size{Edges: 2, HostsPerEdge: 8}, Traces(nil).All(f), 50*units.Microsecond)
	same := cmpopts.IgnoreFields(pattern.Outcome{}, "WallSeconds", "PeakMemory")
	first := run(t, list)
	must.NoDiffIn(t, cmp.Diff(first, run(t, list), same), "a second run differs:")
	for i := range list {
		list[i].Seed = 2
	}
	if cmp.Equal(first, run(t, list), same, cmpopts.IgnoreFields(pattern.Outcome{}, "Seed")) {
		t.Error("another seed gives the same results")
	}
}

// Without congestion control a long incast is stopped by PFC alone. The plan's headroom
// loses nothing; the same switches without headroom lose packets, and the verdict says so.
func TestHeadroomIsWhatKeepsPackets(t *testing.T) {
	f, p := compiled(t, "none", `
scenario "long" {
  incast {
    senders = 15
    message = "4MB"
  }
}`)
	list := jobs(t, p, fabric.Size{Edges: 1, HostsPerEdge: 16}, Traces(nil).All(f)[:1], 300*units.Microsecond)
	o := run(t, list)[0]
	if o.Pauses == 0 || o.PeakHeadroom == 0 || o.Drops != 0 || o.Unfinished != 0 {
		t.Errorf("with headroom: %+v", o)
	}
	// Its senders are stopped most of the time, which the goal of few pauses cannot overlook.
	if !slices.Contains(o.Missed, pattern.PausesPerSecond) || o.WindowsOver < o.PauseWindows/2 || o.PausedUS < o.Duration {
		t.Errorf("pauses: %+v", o)
	}
	sc, _ := list[0].Build()
	if want := hops(list[0].Network, sc); o.PacketHops != want {
		t.Errorf("with headroom: %d packet-hops, want %d", o.PacketHops, want)
	}
	for _, b := range list[0].Network.Scenario.Silicon {
		if b == nil {
			continue
		}
		for i := range b.Config.Ports {
			pgs := b.Config.Ports[i].PGs
			for j := range pgs {
				pgs[j].HeadroomCells = 0
			}
		}
	}
	o = run(t, list)[0]
	if o.Drops == 0 || len(o.Missed) == 0 || o.Missed[0] != pattern.LosslessDrops {
		t.Errorf("without headroom: %+v", o)
	}
}

// A single sender has the port for itself: what it sends takes its bytes at line rate.
func TestThroughputOfOne(t *testing.T) {
	f, p := compiled(t, "none", `
scenario "one" {
  incast {
    senders = 1
  }
}`)
	o := run(t, jobs(t, p, fabric.Size{Edges: 1, HostsPerEdge: 2}, Traces(nil).All(f)[:1], units.Millisecond))[0]
	if o.Throughput < 0.99 || o.Throughput > 1 || !o.Judged || len(o.Missed) > 0 {
		t.Errorf("%+v", o)
	}
}

func TestScenariosThatDoNotFitSayWhy(t *testing.T) {
	f, p := compiled(t, "dcqcn", "")
	list := Traces(nil).All(f)
	for i := range list {
		for _, port := range []string{"Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"} {
			list[i].Hosts = append(list[i].Hosts, plan.LinkEnd{Switch: "leaf-1", Port: port})
		}
	}
	out := run(t, jobs(t, p, whole, list, 20*units.Microsecond))
	ran := 0
	for _, o := range out {
		if o.Skipped == "" {
			ran++
		} else if !strings.Contains(o.Skipped, "needs") && !strings.Contains(o.Skipped, "message") {
			t.Errorf("%s: %s", o.Pattern, o.Skipped)
		}
	}
	if ran < len(out)/3 || ran > len(out)*2/3 {
		t.Errorf("%d of %d were run with 4 hosts", ran, len(out))
	}
}

func TestLibrary(t *testing.T) {
	all := policy.Library()
	if len(all) < 50 {
		t.Errorf("%d scenarios", len(all))
	}
	used := map[string]bool{}
	for _, s := range all {
		if s.Doc.Value == "" {
			t.Errorf("scenario %q has no doc", s.Name)
		}
		for _, t := range s.Traffic {
			used[t.Kind] = true
		}
	}
	for _, kind := range pattern.Kinds() {
		if kind != "flow" && kind != "trace" && !used[kind] { // a flow names its hosts and a trace is a file, which no library can
			t.Errorf("no scenario of the library has %s", kind)
		}
	}
}

// Arrivals come to the load that the scenario says, within four standard deviations of a
// Poisson number of messages with the sizes of the distribution.
func TestLoad(t *testing.T) {
	f, p := compiled(t, "dcqcn", "")
	windows := map[string]units.Time{"websearch": 15 * units.Millisecond, "hadoop": 900 * units.Microsecond}
	tested := 0
	for _, s := range Traces(nil).All(f) {
		if len(s.Traffic) != 1 || s.Traffic[0].Sizes == nil || s.Traffic[0].Lossy || len(s.Events) > 0 {
			continue
		}
		sizes := s.Traffic[0].Sizes
		window, sum := windows[sizes.Name], 0.0
		job := jobs(t, p, whole, []pattern.Scenario{s}, window)[0]
		job.Seed = 3
		sc, messages := job.Build()
		if messages > 7600 {
			t.Fatalf("%s: %d flows, so that the time was cut", s.Name, messages)
		}
		for _, f := range sc.Flows[:messages] {
			sum += float64(f.Bytes)
		}
		mean, deviation := moments(sizes)
		cv := deviation / mean
		want := 64 * float64(job.Network.Hosts[0].Rate.FloorBytes(window)) * float64(s.Traffic[0].Load) / float64(units.One)
		if off := sum/want - 1; math.Abs(off) > 4*math.Sqrt((1+cv*cv)/float64(messages)) {
			t.Errorf("%s: %d flows, load is off by %.1f %%", s.Name, messages, 100*off)
		}
		tested++
	}
	if tested < 8 {
		t.Errorf("%d scenarios have a load", tested)
	}
}

// moments returns the mean and the standard deviation of sizes.
func moments(s *pattern.Sizes) (mean, deviation float64) {
	square := 0.0
	for i := 1; i < len(s.CDF); i++ {
		a, b, share := float64(s.Bytes[i-1]), float64(s.Bytes[i]), (s.CDF[i]-s.CDF[i-1])/100
		mean += share * (a + b) / 2
		square += share * (a*a + a*b + b*b) / 3
	}
	return mean, math.Sqrt(square - mean*mean)
}

// A fabric for long transfers is judged by the latency of packets where its author states one: in the fabric or in a
// scenario. Others have the default.
func TestLatencyGoal(t *testing.T) {
	usual := policy.Opt[units.Time]{Value: 80 * units.Microsecond}
	own := policy.Opt[units.Time]{Value: 50 * units.Microsecond, Set: true}
	for _, c := range []struct {
		purpose          string
		fabric, scenario policy.Opt[units.Time]
		want             units.Time
	}{
		{"storage", usual, policy.Opt[units.Time]{}, 0},
		{"training", usual, policy.Opt[units.Time]{}, 0},
		{"training", own, policy.Opt[units.Time]{}, own.Value},
		{"storage", usual, own, own.Value},
		{"requests", usual, policy.Opt[units.Time]{}, usual.Value},
		{"mixed", usual, policy.Opt[units.Time]{}, usual.Value},
	} {
		f, s := &policy.Fabric{Purpose: policy.Opt[string]{Value: c.purpose}}, &policy.Scenario{}
		f.Targets.MaxLatency, s.Goals.MaxLatency = c.fabric, c.scenario
		must.Equalf(t, latencyGoal(s, f), c.want, "%+v:", c)
	}
}
