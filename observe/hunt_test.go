package observe_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/counters"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// pod has eight servers at 100G on two leaves with two spines. Its PG thresholds are the smallest
// of the chip, so that a tenth of a millisecond is enough for pauses; marking begins below them.
const pod = `
fabric "pod" {
  mtu            = "4200B"
  lossless_frame = "4200B"
  small_packets  = "1%"
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
  alpha              = "1/128"
  ecn {
    kmin = "150KB"
    kmax = "160KB"
    pmax = "10%"
  }
  congestion_control = "dcqcn"
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
nic "cx6" {
  model          = "connectx-6"
  pause_response = "1us"
}
switch "leaf-[1..2]" {
  chip = "trident3"
  os   = "sonic"
  port_group "servers" {
    ports      = "Ethernet[0..12/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "5m"
    peer       = nic.cx6
  }
  port_group "up" {
    ports          = "Ethernet[64..68/4]"
    speed          = "100Gbps"
    lanes          = 4
    first_lane     = 65
    cable          = "40m"
    pause_response = "1us"
    peer           = switch.spine
  }
}
switch "spine-[1..2]" {
  chip = "trident3"
  os   = "sonic"
  port_group "down" {
    ports          = "Ethernet[0..4/4]"
    speed          = "100Gbps"
    lanes          = 4
    first_lane     = 1
    cable          = "40m"
    pause_response = "1us"
    peer           = switch.leaf
  }
}
clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "up"
  upper_ports    = "down"
  links_per_pair = 1
}
`

var (
	hunt     = flag.Bool("hunt", false, "inject 1,000 faults and write golden/observe.txt")
	huntSeed = flag.Uint64("hunt.seed", 0, "added to the seeds of all faults and runs: other faults than those of golden/observe.txt, which is then left")
)

const huntGolden = "../golden/observe.txt"

// A field is the fabric, and what runs on it: every server gets, one after another, messages of a
// neighbour on its leaf and of one on the other, so that every port is congested once.
type field struct {
	fabric *policy.Fabric
	plan   *plan.Plan
	jobs   map[string]pattern.Job // by control of congestion
}

func newField(t *testing.T) *field {
	catalogue, _ := chips.Load()
	fd := &field{jobs: map[string]pattern.Job{}}
	fd.fabric, fd.plan = plantest.Text(t, catalogue, pod)
	size := fabric.Options{Size: fabric.Size{Edges: 2, HostsPerEdge: 4}}
	base := must.Get(fabric.New(fd.plan, catalogue.Find, size))(t)
	for _, control := range []string{"none", "dcqcn"} {
		s := pattern.Scenario{Name: "turns", Time: 2 * units.Millisecond, Seeds: 1, CongestionControl: control}
		for i := range base.Hosts {
			for _, from := range []int{i ^ 1, i ^ 5} {
				s.Traffic = append(s.Traffic, pattern.Traffic{Kind: "flow", QueuePairs: 4, Repeat: 1, Copies: 1, Message: 1_500_000,
					Start: units.Time(i) * 250 * units.Microsecond, Src: base.Hosts[from].End(), Dst: base.Hosts[i].End()})
			}
		}
		_, jobs, err := pattern.Jobs(fd.plan, catalogue.Find, size, []pattern.Scenario{s}, 1)
		must.Do(t, err)
		fd.jobs[control] = jobs[0]
	}
	return fd
}

// A sighting is what a run shows: polled before it and at its end, as by a poll each 60 s.
type sighting struct {
	report *observe.Report
	rows   []observe.Row
	lldp   diag.List
}

func (fd *field) observe(j pattern.Job) (*sighting, error) {
	s := &sighting{}
	all, err := record(j)
	if err != nil && len(j.Network.Faults) > 0 && j.Network.Faults[0].Kind == fabric.SwappedCables {
		err = nil // some pairs of swapped cables leave no path: LLDP still tells of them
	}
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		for _, f := range r.Files() {
			rows, found := intake.Read(f.Path, f.Text)
			if found.HasErrors() {
				return nil, fmt.Errorf("%s: %v", f.Path, found)
			}
			s.rows = append(s.rows, rows...)
		}
	}
	s.report = observe.Check(fd.fabric, fd.plan, s.rows)
	var seen []cabling.Sighting
	for _, f := range counters.Cabling(j.Network) {
		more, _ := cabling.Read(f.Path, f.Text)
		seen = append(seen, more...)
	}
	s.lldp = cabling.Check(fd.plan, seen).Found
	return s, nil
}

// most returns the highest value of a counter at an object.
func (s *sighting) most(device string, o observe.Object, c observe.Counter) (most int64) {
	for _, r := range s.rows {
		if r.Device == device && r.Object == o && r.Counter == c {
			most = max(most, int64(r.Value))
		}
	}
	return most
}

// errors are conclusions that contradict the plan. That ports pause since more comes for a port
// than it sends is none: it is so.
func (s *sighting) errors() (all []string) {
	for _, d := range s.report.Findings() {
		if d.Severity == diag.Error {
			all = append(all, string(d.Code)+": "+d.Message)
		}
	}
	for _, d := range s.lldp {
		if d.Severity == diag.Error {
			all = append(all, string(d.Code)+": "+d.Message)
		}
	}
	return all
}

// draw chooses the place by the simulator's own lottery, and how much is wrong: 50 m to 800 m more
// cable, 0.5 us to 8 us more response.
func draw(net *fabric.Network, kind fabric.FaultKind, seed uint64) (fabric.Fault, error) {
	random := rand.New(rand.NewPCG(seed, 14))
	f, err := net.Draw(fabric.Fault{Kind: kind}, seed)
	if err != nil {
		return f, err
	}
	link, end := net.At(f.At)
	switch kind {
	case fabric.LongCable:
		f.Length = net.Cables[link] + units.Length(50+random.IntN(750))*units.Metre
	case fabric.SlowPeer:
		f.Response = net.Scenario.Links[link].Response[1-end] + units.Time(500+random.IntN(7500))*units.Nanosecond
	}
	return f, nil
}

// unseen says why counters that are polled each 60 s cannot show a fault; empty where they can. It
// is declared before the faulty run, by the plan and by what the same traffic does without a fault.
func (fd *field) unseen(net *fabric.Network, f fabric.Fault, healthy *sighting) string {
	link, end := net.At(f.At)
	group := observe.Object{Kind: observe.Group, Name: f.At.Port, ID: 3}
	switch f.Kind {
	case fabric.LongCable, fabric.SlowPeer:
		// A longer wait brings 12.5 B/ns more at 100 Gb/s. It is seen where that exceeds what the worst
		// case allows beyond what is used: layers, frames and packing that are not all at their worst.
		extra := 2 * units.Time(int64(f.Length-net.Cables[link])*5/1000) * units.Nanosecond
		if f.Kind == fabric.SlowPeer {
			extra = f.Response - net.Scenario.Links[link].Response[1-end]
		}
		used := healthy.most(f.At.Switch, group, observe.GroupHeadroom)
		for _, u := range healthy.report.Uses {
			if u.Device == f.At.Switch && u.Port == f.At.Port && used+int64(extra/units.Nanosecond)*25/2 <= int64(u.Computed) {
				return "within the worst case"
			}
		}
		if used == 0 {
			return "no pause at the port"
		}
	case fabric.SwappedCables:
		if link < len(net.Hosts) {
			return "the fabric does not say which server is where"
		}
	case fabric.MissingPFC:
		if healthy.most(f.At.Switch, group, observe.GroupHeadroom) == 0 {
			return "no pause at the port"
		}
	case fabric.SteepKMin:
		queue := observe.Object{Kind: observe.Queue, Name: f.At.Port, ID: 3}
		if healthy.most(f.At.Switch, observe.Object{Kind: observe.Port, Name: f.At.Port}, observe.PFCReceived(3)) > 5 {
			return "the port is paused itself"
		}
		// 14 marks of frames of 4.2 kB above Kmax, 160 kB, are 59 kB: shorter queues leave it to chance.
		if healthy.most(f.At.Switch, queue, observe.QueueShared) < 240_000 {
			return "the queue is short"
		}
	case fabric.LostCNPs:
		// Lost are those for one server; a fiftieth of all may be on its way.
		nic, all := int64(0), int64(0)
		for _, r := range healthy.rows {
			if r.Counter == observe.CNPHandled {
				all += int64(r.Value)
				if r.Device == "nic."+f.At.Switch+"."+f.At.Port {
					nic += int64(r.Value)
				}
			}
		}
		if all < 200 || nic < all/25 {
			return "hardly any CNP for the server"
		}
	}
	return ""
}

// named reports whether the report names the fault: the place, and what is wrong there.
func named(f fabric.Injected, s *sighting) bool {
	mentions := func(k observe.Conclusion, place string) bool {
		return k.Device+":"+k.Port == place || strings.Contains(k.Message, place)
	}
	about := func(at string, assumptions ...observe.Assumption) bool {
		return slices.ContainsFunc(s.report.Conclusions, func(k observe.Conclusion) bool {
			return mentions(k, at) && slices.Contains(assumptions, k.Assumption)
		})
	}
	switch f.Kind {
	case fabric.LongCable:
		return about(f.At, observe.AssumesLink, observe.AssumesCable) || about(f.Peer, observe.AssumesLink, observe.AssumesCable)
	case fabric.SlowPeer:
		return about(f.At, observe.AssumesLink)
	case fabric.SteepKMin:
		return about(f.At, observe.AssumesMarking)
	case fabric.MissingPFC:
		return about(f.At, observe.AssumesPFC)
	case fabric.LostCNPs:
		return about(strings.Replace(f.Peer, ":", ".", 1), observe.AssumesCNP)
	case fabric.StormingNIC:
		return slices.ContainsFunc(s.report.Conclusions, func(k observe.Conclusion) bool {
			return k.Code == observe.Pauses && k.Device+":"+k.Port == f.At && strings.Contains(k.Message, "the NIC at "+f.At)
		})
	}
	return slices.ContainsFunc(s.lldp, func(d diag.Diagnostic) bool {
		return d.Code == cabling.Swapped && strings.Contains(d.Message, f.At) && strings.Contains(d.Message, f.With)
	})
}

// seeds is how many healthy runs of each control faulty runs are held against.
const seeds = 5

// A tally counts faults of one kind.
type tally struct{ injected, unseen, named int }

// Faults that are injected are named, healthy runs have no errors. Sixty faults and ten healthy
// runs; with -hunt 1,000 and 200.
func TestFaultsAreNamed(t *testing.T) {
	fd := newField(t)
	faults, healthyRuns := 60, seeds
	if *hunt {
		faults, healthyRuns = 1000, 100
	}
	healthy := map[string][]*sighting{}
	falsely := 0
	for i := range healthyRuns {
		for _, control := range []string{"none", "dcqcn"} {
			j := fd.jobs[control]
			j.Seed = *huntSeed + uint64(i) + 1
			s := must.Get(fd.observe(j))(t)
			if i < seeds {
				healthy[control] = append(healthy[control], s)
			}
			if wrong := s.errors(); len(wrong) > 0 {
				falsely++
				t.Logf("healthy, %s, seed %d: %q", control, j.Seed, wrong)
			}
		}
	}
	tallies := map[fabric.FaultKind]*tally{}
	for n := range faults {
		kinds := fabric.FaultKinds()
		kind := kinds[n%len(kinds)]
		if tallies[kind] == nil {
			tallies[kind] = &tally{}
		}
		fd.one(t, kind, *huntSeed+uint64(n)+1, healthy, tallies[kind])
	}
	text, share := summary(tallies, falsely, 2*healthyRuns)
	t.Log(text)
	if share < 950 {
		t.Errorf("%d of 1000 faults that can be seen are named, fewer than 950", share)
	}
	if falsely*100 > 2*healthyRuns {
		t.Errorf("%d of %d healthy runs have errors, more than one in a hundred", falsely, 2*healthyRuns)
	}
	if !*hunt || *huntSeed > 0 {
		return
	}
	must.Do(t, os.WriteFile(huntGolden, []byte(text), 0o666))
}

func (fd *field) one(t *testing.T, kind fabric.FaultKind, seed uint64, healthy map[string][]*sighting, count *tally) {
	control := "none"
	if kind == fabric.SteepKMin || kind == fabric.LostCNPs {
		control = "dcqcn"
	}
	j := fd.jobs[control]
	run := (seed - *huntSeed) % seeds
	j.Seed = *huntSeed + run + 1
	f, err := draw(j.Network, kind, seed)
	must.Do(t, err)
	why := fd.unseen(j.Network, f, healthy[control][run])
	if j.Network, err = j.Network.Faulty(f); err != nil {
		t.Fatal(err)
	}
	s := must.Get(fd.observe(j))(t)
	count.injected++
	switch {
	case why != "":
		count.unseen++
	case named(j.Network.Faults[0], s):
		count.named++
	default:
		t.Logf("not named: %+v: %q", j.Network.Faults[0], s.errors())
	}
}

// summary returns the table, and how many in a thousand of the faults that can be seen are named.
func summary(tallies map[fabric.FaultKind]*tally, falsely, healthy int) (string, int) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-10s %8s %16s %8s\n", "fault", "injected", "declared unseen", "named")
	var all tally
	for _, kind := range fabric.FaultKinds() {
		c := tallies[kind]
		if c == nil {
			continue
		}
		fmt.Fprintf(&out, "%-10s %8d %16d %8d\n", kind, c.injected, c.unseen, c.named)
		all.injected, all.unseen, all.named = all.injected+c.injected, all.unseen+c.unseen, all.named+c.named
	}
	fmt.Fprintf(&out, "%-10s %8d %16d %8d\n\n%d of %d healthy runs have an error\n", "all", all.injected, all.unseen, all.named, falsely, healthy)
	return out.String(), all.named * 1000 / max(1, all.injected-all.unseen)
}

// record runs a job and keeps all readings. Nothing is written.
func record(job pattern.Job) ([]*counters.Reading, error) {
	var all []*counters.Reading
	r := counters.NewRecorder(job.Network, counters.Options{}, func(one *counters.Reading) error {
		all = append(all, one)
		return nil
	})
	job.Prepare = append(slices.Clip(job.Prepare), r.Prepare)
	out, err := pattern.Run(context.Background(), []pattern.Job{job}, nil)
	if err != nil {
		return nil, err
	}
	if out[0].Skipped != "" {
		return nil, fmt.Errorf("scenario %s %s", out[0].Pattern, out[0].Skipped)
	}
	return all, nil
}
