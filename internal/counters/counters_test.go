package counters

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pod has 8 hosts at 100G on two leaves, and a spine.
const pod = `
fabric "pod" {
  mtu            = "9216B"
  lossless_frame = "4200B"
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
  congestion_control = "dcqcn"
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
nic "cx6" { model = "connectx-6" }
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
    ports      = "Ethernet[64..76/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 65
    cable      = "40m"
    peer       = switch.spine
  }
}
switch "spine-[1..1]" {
  chip = "trident3"
  os   = "sonic"
  port_group "down" {
    ports      = "Ethernet[0..28/4]"
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
  links_per_pair = 4
}
`

// job is an incast of seven hosts with a congestion control. Without one, ports
// pause; with DCQCN, hosts are told of marks.
func job(t testing.TB, control string) pattern.Job {
	t.Helper()
	catalogue := must.Sound(chips.Load())(t)
	_, p := plantest.Text(t, catalogue, pod)
	time := 500 * units.Microsecond
	if control == "none" {
		time = 4 * units.Millisecond // until the buffer of 32 MB is full
	}
	incast := pattern.Scenario{Name: "incast", Time: time, Seeds: 1, CongestionControl: control, Traffic: []pattern.Traffic{
		{Kind: "incast", Senders: 7, Receivers: 1, QueuePairs: 1},
	}}
	_, jobs, err := pattern.Jobs(p, catalogue.Find, fabric.Options{Size: fabric.Size{Edges: 2, HostsPerEdge: 4}}, []pattern.Scenario{incast}, 1)
	must.Do(t, err)
	return jobs[0]
}

// run makes a job's readings, and gives the simulator's own result.
func run(t *testing.T, j pattern.Job, o Options) ([]*Reading, *sim.Result) {
	t.Helper()
	var all []*Reading
	r := NewRecorder(j.Network, o, func(one *Reading) error {
		all = append(all, one)
		return nil
	})
	sc, n := j.Build()
	r.Prepare(sc, n)
	result := must.Get(sim.Run(t.Context(), sc))(t)
	return all, result
}

// rows reads the files of a reading back, all of them but ethtool's and rdma's.
func rows(t *testing.T, r *Reading) (all []observe.Row) {
	t.Helper()
	for _, f := range r.Files() {
		if strings.Contains(f.Path, "/nic.") {
			continue
		}
		read, found := intake.Read(f.Path, f.Text)
		if len(found) > 0 {
			t.Fatal(found)
		}
		all = append(all, read...)
	}
	return all
}

// sums are of the counters of all devices, and of watermarks the highest value of a table.
func sums(list []observe.Row) map[string]int64 {
	sum := map[string]int64{}
	for _, row := range list {
		key := string(row.Counter)
		if row.Kind == observe.Watermark {
			key = row.Source + " " + key
			sum[key] = max(sum[key], int64(row.Value))
			continue
		}
		sum[key] += int64(row.Value)
	}
	return sum
}

func nicSum(r *Reading, counter observe.Counter) (sum int64) {
	for _, n := range r.NICs {
		for _, c := range n.Counters {
			if c.Name == counter {
				sum += c.Value
			}
		}
	}
	return sum
}

// What is read back from the dumps is what the simulator counted in all, to the last frame.
func TestConservation(t *testing.T) {
	for _, c := range []struct {
		control  string
		interval units.Time
	}{{"dcqcn", 0}, {"none", 0}, {"none", 5 * units.Millisecond}} {
		all, r := run(t, job(t, c.control), Options{Interval: c.interval})
		last := all[len(all)-1]
		got := sums(rows(t, last))
		if r.ECNMarks == 0 || (r.PFCPauses > 0) != (c.control == "none") {
			t.Fatalf("%s: %d pauses, %d CNPs, %d marks", c.control, r.PFCPauses, r.CNPs, r.ECNMarks)
		}
		sent := got[string(observe.PFCSent(3))] + nicSum(last, observe.NICPauseSent(3))
		received := got[string(observe.PFCReceived(3))] + nicSum(last, observe.NICPauseReceived(3))
		if c.control == "none" {
			r.CNPs = 0 // the simulator's are echoes that no sender obeys, no packets
		}
		want := map[string]int64{
			"marks": r.ECNMarks, "drops": r.Drops, "CNPs sent": r.CNPs, "CNPs received": r.CNPs, "overruns": r.Overrun,
			"headroom": r.PeakHeadroom, "pauses": 2*r.PFCPauses + r.PFCRefreshes, "pauses received": 2*r.PFCPauses + r.PFCRefreshes,
		}
		if diff := cmp.Diff(want, map[string]int64{
			"marks": got[string(observe.QueueMarked)], "drops": got[string(observe.GroupDropped)] + got[string(observe.QueueDropped)],
			"CNPs sent": nicSum(last, observe.CNPSent), "CNPs received": nicSum(last, observe.CNPHandled) + nicSum(last, observe.CNPIgnored),
			"overruns": nicSum(last, observe.OutOfBuffer), "headroom": got[intake.LastingMarks+" "+string(observe.GroupHeadroom)],
			"pauses": sent, "pauses received": received,
		}); diff != "" {
			t.Errorf("%s every %v (-simulator +dumps):\n%s", c.control, c.interval, diff)
		}
		for key, n := range sums(rows(t, all[0])) {
			must.Equalf(t, n, 0, "before the run, %s is", key)
		}
	}
}

// Watermarks are those of one interval in COUNTERS, since the telemetry's timer in
// PERIODIC_WATERMARKS, and since ever in the other two.
func TestWatermarks(t *testing.T) {
	const interval, telemetry = 100 * units.Microsecond, 300 * units.Microsecond
	all, _ := run(t, job(t, "dcqcn"), Options{Interval: interval, Telemetry: telemetry})
	marks := func(r *Reading) map[string]int64 {
		out := map[string]int64{}
		for key, n := range sums(rows(t, r)) {
			if table, counter, ok := strings.Cut(key, " "); ok && counter == string(observe.QueueShared) {
				out[table] = n
			}
		}
		return out
	}
	var periodic, ever int64
	fell := false
	for i, r := range all {
		m := marks(r)
		if begun := i > 1 && r.At > telemetry && (r.At-interval)%telemetry == 0; begun {
			fell = fell || m[intake.Counters] < periodic
			periodic = 0
		}
		periodic, ever = max(periodic, m[intake.Counters]), max(ever, m[intake.Counters])
		want := map[string]int64{intake.Counters: m[intake.Counters], intake.PeriodicMarks: periodic, intake.UserMarks: ever, intake.LastingMarks: ever}
		must.NoDiffIn(t, cmp.Diff(want, m), "at %v (-want +got):", r.At)
		if i > 10 {
			break
		}
	}
	if ever == 0 || !fell {
		t.Errorf("highest %d; the periodic watermark ever fell: %v", ever, fell)
	}
}

// A reading's files say which device they are of, and when it was made.
func TestFiles(t *testing.T) {
	all, _ := run(t, job(t, "dcqcn"), Options{Interval: 200 * units.Microsecond})
	at := all[1]
	var paths []string
	for _, f := range at.Files() {
		paths = append(paths, f.Path)
	}
	if want := "counters/leaf-1/20000101T000000.000200Z.json"; !slices.Contains(paths, want) || len(paths) != 3+2*8 {
		t.Errorf("%d files, %q not among them: %q", len(paths), want, paths)
	}
	devices := map[string]int{}
	for _, row := range rows(t, at) {
		devices[row.Device]++
		if !row.Until.Equal(time.Date(2000, 1, 1, 0, 0, 0, 200_000, time.UTC)) {
			t.Fatalf("%+v", row)
		}
	}
	if got := slices.Sorted(maps.Keys(devices)); !slices.Equal(got, []string{"leaf-1", "leaf-2", "spine-1"}) {
		t.Errorf("devices %q", got)
	}
	nic := at.NICs[0]
	if got := string(nic.Ethtool()); !strings.HasPrefix(got, "NIC statistics:\n     tx_prio3_pause: ") {
		t.Error(got)
	}
	if got := string(nic.RDMA()); !strings.HasPrefix(got, `[{"ifindex":0,"ifname":"mlx5_0","port":1,"np_cnp_sent":`) {
		t.Error(got)
	}
}

// Each fault shows in the counters at the place where it is, and in those of a healthy run it does not.
func TestFaults(t *testing.T) {
	pausing, notified := job(t, "none"), job(t, "dcqcn")
	end := func(text string) plan.LinkEnd {
		sw, port, _ := strings.Cut(text, ":")
		return plan.LinkEnd{Switch: sw, Port: port}
	}
	value := func(r *Reading, device, object string, counter observe.Counter) int64 {
		for _, row := range rows(t, r) {
			if row.Device == device && row.Object.String() == object && row.Counter == counter && (row.Kind != observe.Watermark || row.Source == intake.LastingMarks) {
				return int64(row.Value)
			}
		}
		t.Fatalf("no %s of %s %s", counter, device, object)
		return 0
	}
	receiver := receiverOf(t, pausing)
	sender := plan.LinkEnd{Switch: receiver.Switch, Port: "Ethernet0"}
	if receiver == sender {
		sender.Port = "Ethernet4"
	}
	healthy, result := run(t, pausing, Options{})
	if result.Drops != 0 {
		t.Fatalf("the healthy fabric drops %d packets", result.Drops)
	}
	before := healthy[len(healthy)-1]
	pg, queue := sender.Port+" PG 3", receiver.Port+" queue 3"
	for _, c := range []struct {
		fault string
		truth fabric.Injected
		found func(r *Reading) bool
	}{
		{fmt.Sprintf("cable@%s:%s=300m", sender.Switch, sender.Port), fabric.Injected{Told: "5m", Real: "300m"}, func(r *Reading) bool {
			return value(r, sender.Switch, pg, observe.GroupHeadroom) > value(before, sender.Switch, pg, observe.GroupHeadroom)+20_000 // 590 m at 100G are 37 KB
		}},
		{fmt.Sprintf("response@%s:%s=5us", sender.Switch, sender.Port), fabric.Injected{Told: "2017.28ns", Real: "5us"}, func(r *Reading) bool {
			return value(r, sender.Switch, pg, observe.GroupHeadroom) > value(before, sender.Switch, pg, observe.GroupHeadroom)+20_000 // told are 394 quanta of 512 bits (IEEE 802.3 31B.3.7); 3 us at 100G are 37 KB
		}},
		{fmt.Sprintf("kmin@%s:%s=4", receiver.Switch, receiver.Port), fabric.Injected{}, func(r *Reading) bool {
			return value(r, receiver.Switch, queue, observe.QueueMarked) < value(before, receiver.Switch, queue, observe.QueueMarked)
		}},
		{fmt.Sprintf("no_pfc@%s:%s", sender.Switch, sender.Port), fabric.Injected{}, func(r *Reading) bool {
			return value(r, sender.Switch, sender.Port, observe.PFCSent(3)) == 0 && value(before, sender.Switch, sender.Port, observe.PFCSent(3)) > 0 &&
				value(r, sender.Switch, pg, observe.GroupDropped) > 0
		}},
		{fmt.Sprintf("no_cnp@%s:%s", sender.Switch, sender.Port), fabric.Injected{}, func(r *Reading) bool {
			return nicSum(r, observe.CNPSent) > nicSum(r, observe.CNPHandled)+nicSum(r, observe.CNPIgnored)
		}},
		{fmt.Sprintf("storm@%s:%s=0s", receiver.Switch, receiver.Port), fabric.Injected{}, func(r *Reading) bool {
			return value(r, receiver.Switch, receiver.Port, observe.PFCReceived(3)) > 0 && value(before, receiver.Switch, receiver.Port, observe.PFCReceived(3)) == 0
		}},
	} {
		f, err := fabric.ParseFault(c.fault)
		must.Do(t, err)
		own := pausing
		if f.Kind == fabric.LostCNPs {
			own = notified
		}
		if own.Network, err = own.Network.Faulty(f); err != nil {
			t.Fatal(err)
		}
		truth := own.Network.Faults[0]
		if truth.Kind != f.Kind || end(truth.At) != f.At || c.truth.Told != "" && (truth.Told != c.truth.Told || truth.Real != c.truth.Real) {
			t.Errorf("%s: %+v", c.fault, truth)
		}
		all, _ := run(t, own, Options{})
		if !c.found(all[len(all)-1]) {
			t.Errorf("%s does not show", c.fault)
		}
	}
	if again, _ := run(t, pausing, Options{}); cmp.Diff(before, again[len(again)-1]) != "" {
		t.Error("a fault of one run is left in the next one")
	}
}

// receiverOf returns the port of the host that gets the incast.
func receiverOf(t *testing.T, j pattern.Job) plan.LinkEnd {
	t.Helper()
	sc, n := j.Build()
	if n == 0 {
		t.Fatal("no message")
	}
	return j.Network.Hosts[sc.Flows[0].Dst].End()
}
