package pattern

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
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
nic "cx6" { model = "connectx-6" }
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

func network(t *testing.T, control string, size fabric.Size) *fabric.Network {
	t.Helper()
	text := []byte(fmt.Sprintf(pod, control))
	catalogue, _ := chips.Load()
	f, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "pod.hcl", Text: text}}, Catalogue: catalogue})
	if found.HasErrors() {
		t.Fatal(found)
	}
	p, found := calc.Compute(f)
	if found.HasErrors() {
		t.Fatal(found)
	}
	net, err := fabric.New(p, catalogue.Find, size)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

var (
	whole = fabric.Size{Edges: 4, HostsPerEdge: 16}
	goals = Goals{Throughput: 95 * units.Percent, PausesPerSecond: 5, MaxLatency: 80 * units.Microsecond, UsualLatency: 40 * units.Microsecond}
)

func run(t *testing.T, net *fabric.Network, patterns []Pattern, window units.Time, seed uint64) []Outcome {
	t.Helper()
	out, err := Run(context.Background(), net, patterns, Options{Window: window, Seed: seed, Goals: goals})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every packet is sent once over each link of its way and acknowledged once, whatever the
// pattern: hosts of one leaf are two links apart, others four.
func TestConservation(t *testing.T) {
	const window = 30 * units.Microsecond
	for _, control := range []string{"dcqcn", "none"} {
		net := network(t, control, whole)
		for i, o := range run(t, net, Library(), window, 7) {
			p := Library()[i]
			if o.Skipped != "" {
				t.Errorf("%s was not run: it %s", p.Name, o.Skipped)
				continue
			}
			if o.Drops != 0 || o.Unfinished != 0 {
				t.Errorf("%s, %s: %d drops, %d flows unfinished", p.Name, control, o.Drops, o.Unfinished)
			}
			sc := scenario(net, lay(&p, net.Hosts, window, 7), &Options{Window: window, Seed: 7})
			if want := hops(net, sc); o.PacketHops != want {
				t.Errorf("%s, %s: %d packet-hops, want %d", p.Name, control, o.PacketHops, want)
			}
			if o.Throughput > 1 {
				t.Errorf("%s, %s: throughput %v", p.Name, control, o.Throughput)
			}
		}
	}
}

func hops(net *fabric.Network, sc *sim.Scenario) (sum int64) {
	payload := sc.Transport.Payload
	for _, f := range sc.Flows {
		links := int64(4)
		if net.Hosts[f.Src].Switch == net.Hosts[f.Dst].Switch {
			links = 2
		}
		sum += 2 * links * int64((f.Bytes+payload-1)/payload)
	}
	return sum
}

func TestEqualSeedsGiveEqualResults(t *testing.T) {
	net := network(t, "dcqcn", fabric.Size{Edges: 2, HostsPerEdge: 8})
	const window = 50 * units.Microsecond
	same := cmpopts.IgnoreFields(Outcome{}, "WallSeconds")
	first := run(t, net, Library(), window, 1)
	if diff := cmp.Diff(first, run(t, net, Library(), window, 1), same); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
	if cmp.Equal(first, run(t, net, Library(), window, 2), same) {
		t.Error("another seed gives the same results")
	}
}

// Without congestion control a long incast is stopped by PFC alone. The plan's headroom
// loses nothing; the same switches without headroom lose packets, and the verdict says so.
func TestHeadroomIsWhatKeepsPackets(t *testing.T) {
	long := []Pattern{{Name: "long", Kind: "incast", Senders: 15, Receivers: 1, QueuePairs: 1, Copies: 1, Message: 4 * units.MB}}
	net := network(t, "none", fabric.Size{Edges: 1, HostsPerEdge: 16})
	o := run(t, net, long, 300*units.Microsecond, 1)[0]
	if o.Pauses == 0 || o.PeakHeadroom == 0 || o.Drops != 0 || o.Unfinished != 0 {
		t.Errorf("with headroom: %+v", o)
	}
	sc := scenario(net, lay(&long[0], net.Hosts, 300*units.Microsecond, 1), &Options{Window: 300 * units.Microsecond, Seed: 1})
	if want := hops(net, sc); o.PacketHops != want {
		t.Errorf("with headroom: %d packet-hops, want %d", o.PacketHops, want)
	}
	for _, b := range net.Scenario.Silicon {
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
	o = run(t, net, long, 300*units.Microsecond, 1)[0]
	if o.Drops == 0 || len(o.Missed) == 0 || o.Missed[0] != LosslessDrops {
		t.Errorf("without headroom: %+v", o)
	}
}

// A single sender has the port for itself: what it sends takes its bytes at line rate.
func TestThroughputOfOne(t *testing.T) {
	net := network(t, "none", fabric.Size{Edges: 1, HostsPerEdge: 2})
	alone := []Pattern{{Name: "one", Kind: "incast", Senders: 1, Receivers: 1, QueuePairs: 1, Copies: 1}}
	o := run(t, net, alone, units.Millisecond, 1)[0]
	if o.Throughput < 0.99 || o.Throughput > 1 || !o.Judged || len(o.Missed) > 0 {
		t.Errorf("%+v", o)
	}
}

func TestPatternsThatDoNotFitSayWhy(t *testing.T) {
	net := network(t, "dcqcn", fabric.Size{Edges: 1, HostsPerEdge: 4})
	for i, o := range run(t, net, Library(), 20*units.Microsecond, 1) {
		if p := Library()[i]; p.Hosts() > 4 && o.Skipped == "" {
			t.Errorf("%s was run with 4 hosts", p.Name)
		}
	}
}

func TestLibrary(t *testing.T) {
	all, names := Library(), map[string]bool{}
	if len(all) < 50 {
		t.Errorf("%d patterns", len(all))
	}
	for _, p := range all {
		if names[p.Name] || p.Doc == "" {
			t.Errorf("pattern %q is there twice or has no doc", p.Name)
		}
		names[p.Name] = true
		if s := p.Sizes; s != nil {
			sum, n := 0.0, 100_000
			for i := range n {
				sum += float64(s.at(100 * (float64(i) + 0.5) / float64(n)))
			}
			if mean := sum / float64(n); math.Abs(mean/s.mean()-1) > 0.001 {
				t.Errorf("%s: mean of the samples is %v, of the distribution %v", s.Name, mean, s.mean())
			}
		}
	}
}
