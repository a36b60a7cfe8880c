package observe

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/units"
)

const pod2 = `
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
  max_rate   = "1Gbps"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = "dcqcn"
  ecn {
    kmin = "12544B"
    kmax = "145408B"
    pmax = "1%"
  }
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
nic "cx5" {
  model          = "connectx-5"
  pause_response = "1us"
}
switch "leaf-[1..2]" {
  chip = "trident3"
  os   = "sonic"
  port_group "servers" {
    ports = "Ethernet[0..28/4]"
    speed = "100Gbps"
    cable = "3m"
    peer  = nic.cx5
  }
  port_group "up" {
    ports          = "Ethernet[96..100/4]"
    speed          = "100Gbps"
    cable          = "30m"
    pause_response = "1us"
  }
}
switch "spine-1" {
  chip = "trident3"
  os   = "sonic"
  port_group "down" {
    ports          = "Ethernet[0..12/4]"
    speed          = "100Gbps"
    cable          = "30m"
    pause_response = "1us"
  }
}
link {
  a = "leaf-1:Ethernet96"
  b = "spine-1:Ethernet0"
}
link {
  a = "leaf-1:Ethernet100"
  b = "spine-1:Ethernet4"
}
link {
  a = "leaf-2:Ethernet96"
  b = "spine-1:Ethernet8"
}
link {
  a = "leaf-2:Ethernet100"
  b = "spine-1:Ethernet12"
}
`

// catalogue is read once.
var catalogue = sync.OnceValue(func() *chips.Catalogue {
	c, _ := chips.Load()
	return c
})

// reading is a row of a counter at a second of the test's clock.
func reading(device string, o Object, c Counter, second int, value uint64) Row {
	return Row{Device: device, Object: o, Counter: c, Value: value, Kind: c.Kind(), Source: "PERSISTENT_WATERMARKS",
		Until: time.Date(2026, 1, 2, 3, 0, second, 0, time.UTC)}
}

func onPort(name string) Object           { return Object{Kind: Port, Name: name} }
func onGroup(name string) Object          { return Object{Kind: Group, Name: name, ID: 3} }
func onQueue(name string, q uint8) Object { return Object{Kind: Queue, Name: name, ID: q} }

// check compiles the fabric and checks rows against it.
func check(t *testing.T, text string, rows ...Row) *Report {
	t.Helper()
	f, p := plantest.Text(t, catalogue(), text)
	return Check(f, p, rows)
}

// only demands one conclusion, on an object, about an assumption, whose message has the words.
func only(t *testing.T, r *Report, code diag.Code, device, object string, a Assumption, words ...string) Conclusion {
	t.Helper()
	if len(r.Conclusions) != 1 {
		t.Fatalf("%d conclusions, want one: %v", len(r.Conclusions), r.Findings())
	}
	k := r.Conclusions[0]
	if k.Code != code || k.Device != device || k.Object != object || k.Assumption != a {
		t.Errorf("%s on %s %s about %q, want %s on %s %s about %q", k.Code, k.Device, k.Object, k.Assumption, code, device, object, a)
	}
	for _, word := range words {
		if !strings.Contains(k.Message, word) {
			t.Errorf("%q lacks %q", k.Message, word)
		}
	}
	if len(k.Evidence) == 0 && code != Doubtful && code != Elsewhere {
		t.Error("no evidence")
	}
	return k
}

// At 100 Gb/s with 3 m of cable and a response of 1 us the window is
//
//	(9216 + 20 + 84) B · 8 / 100 Gb/s · 10000/9999   745,675 ps
//	2 · 3 m · 5 ns/m                                  30,000 ps
//	interface, 122,880 bit / 100 Gb/s              1,228,800 ps
//	response                                       1,000,000 ps
//
// together 3,004,475 ps, in which ⌊3,004,475 · 0.0125 · 1.0001⌋ = 37,559 B come in. Frames of
// 64 B take a cell of 256 B for 84 B of wire: 447 cells; with the last frame, ⌈(4200+64)/256⌉ = 17,
// and the one with which the chip may decide to pause, 17 again, the worst case is 481 cells, 123,136 B.
//
// If 497 cells, 127,232 B, were used, 463 of them came in the window: 463 · 84 = 38,892 B take
// 38,892 / 0.01250125 = 3,111,049 ps. Without cable the window has 2,974,475 ps, so that
// 136,574 ps are left for the cable: 13.66 m. Without response it has 2,004,475 ps with the
// cable of 3 m, so that 1,106,574 ps are left for the response.
func TestHeadroomExceeded(t *testing.T) {
	r := check(t, pod2, reading("leaf-1", onGroup("Ethernet0"), GroupHeadroom, 0, 127_232))
	k := only(t, r, Exceeded, "leaf-1", "Ethernet0 PG 3", AssumesLink, "127232B", "123136B", "13.7m", "1.107us")
	if want := (Bound{Cable: 13_700 * units.Millimetre, Response: 1107 * units.Nanosecond}); k.Bound == nil || *k.Bound != want {
		t.Errorf("bound %v, want %v", k.Bound, want)
	}
	if u := r.Uses[0]; u.Used != 127_232 || u.Computed != 123_136 || u.Bound == nil {
		t.Errorf("%+v", u)
	}
}

// The worst case itself is allowed; and of what nobody measured nothing is said.
func TestHeadroomKept(t *testing.T) {
	r := check(t, pod2, reading("leaf-1", onGroup("Ethernet0"), GroupHeadroom, 0, 123_136))
	if len(r.Conclusions) != 0 || len(r.Uses) != 1 || r.Groups != 24 { // 2 leaves of 10 ports, a spine of 4
		t.Errorf("%v, %d uses, %d groups", r.Findings(), len(r.Uses), r.Groups)
	}
	if r = check(t, pod2); len(r.Conclusions) != 0 || len(r.Uses) != 0 {
		t.Errorf("of nothing: %v", r.Findings())
	}
}

// A cable that is too long costs headroom at both ends: the worst case of the
// links to the spine, with 30 m, is 504 cells, 129,024 B (270 ns more: 40,935 B, 487 cells and 17).
func TestWhichEnd(t *testing.T) {
	a, b := onGroup("Ethernet96"), onGroup("Ethernet0")
	r := check(t, pod2, reading("leaf-1", a, GroupHeadroom, 0, 135_168), reading("spine-1", b, GroupHeadroom, 0, 134_912))
	for _, k := range r.Conclusions {
		must.Equalf(t, k.Assumption, AssumesCable, "%s about", k.Message)
	}
	must.Equalf(t, len(r.Conclusions), 2, "%v:", r.Findings())
	// That one end used less clears no cable.
	only(t, check(t, pod2, reading("leaf-1", a, GroupHeadroom, 0, 140_032), reading("spine-1", b, GroupHeadroom, 0, 128_000)), Exceeded, "leaf-1", "Ethernet96 PG 3", AssumesLink)
}

// Of drops, counters tell the assumption: the headroom of the ports to servers is 160,512 B.
func TestDrops(t *testing.T) {
	port, group := onPort("Ethernet0"), onGroup("Ethernet0")
	drop := reading("leaf-1", group, GroupDropped, 10, 7)
	none := reading("leaf-1", group, GroupDropped, 0, 2)
	t.Run("unknown", func(t *testing.T) {
		only(t, check(t, pod2, none, drop), Dropped, "leaf-1", "Ethernet0 PG 3", AssumesNone, "dropped 5 packets", "was not measured")
	})
	t.Run("full", func(t *testing.T) {
		// A frame of 4200 B takes 17 cells, 4352 B, and 160,512 − 157,696 = 2816 B were left.
		k := only(t, check(t, pod2, drop, reading("leaf-1", group, GroupHeadroom, 10, 157_696)), Dropped, "leaf-1", "Ethernet0 PG 3", AssumesLink,
			"dropped 7 packets before the first reading", "was full", "at least")
		if k.Bound == nil || k.Worth != Bounded {
			t.Errorf("%+v", k)
		}
	})
	t.Run("no pause", func(t *testing.T) {
		only(t, check(t, pod2, none, drop, reading("leaf-1", group, GroupHeadroom, 10, 160_512), reading("leaf-1", port, PFCSent(3), 10, 0)),
			Dropped, "leaf-1", "Ethernet0 PG 3", AssumesPFC, "sent no pause")
	})
	t.Run("unheard", func(t *testing.T) {
		only(t, check(t, pod2, reading("leaf-1", onGroup("Ethernet96"), GroupDropped, 10, 7), reading("leaf-1", onPort("Ethernet96"), PFCSent(3), 10, 40),
			reading("spine-1", onPort("Ethernet0"), PFCReceived(3), 10, 0)), Dropped, "leaf-1", "Ethernet96 PG 3", AssumesPFC, "spine-1:Ethernet0 got none of the 40")
	})
	t.Run("deaf", func(t *testing.T) {
		// The spine used headroom at the other end and sent no pause: PFC is off there, which is a
		// finding of its own, and explains the drop.
		r := check(t, pod2, reading("leaf-1", onGroup("Ethernet96"), GroupDropped, 10, 7), reading("leaf-1", onGroup("Ethernet96"), GroupHeadroom, 10, 170_496),
			reading("spine-1", onGroup("Ethernet0"), GroupHeadroom, 10, 5120), reading("spine-1", onPort("Ethernet0"), PFCSent(3), 10, 0))
		if len(r.Conclusions) != 2 || r.Conclusions[0].Assumption != AssumesPFC || r.Conclusions[1].Code != PauseOff || !strings.Contains(r.Conclusions[0].Message, "spine-1:Ethernet0 sends no pause") {
			t.Errorf("%v", r.Findings())
		}
	})
	t.Run("disobeyed", func(t *testing.T) {
		// 100 drops for 2 pauses: 50 frames of 17 cells, 217,600 B, after one of them at least, and the
		// headroom is 160,512 B. 72 drops are 36 frames, 156,672 B.
		rows := []Row{reading("leaf-1", group, GroupHeadroom, 10, 160_512), reading("leaf-1", port, PFCSent(3), 10, 2)}
		only(t, check(t, pod2, append(rows, reading("leaf-1", group, GroupDropped, 10, 100))...), Dropped, "leaf-1", "Ethernet0 PG 3", AssumesPFC, "its neighbour does not obey")
		only(t, check(t, pod2, append(rows, reading("leaf-1", group, GroupDropped, 10, 72))...), Dropped, "leaf-1", "Ethernet0 PG 3", AssumesLink, "was full")
	})
	t.Run("elsewhere", func(t *testing.T) {
		only(t, check(t, pod2, drop, reading("leaf-1", group, GroupHeadroom, 10, 1024)), Dropped, "leaf-1", "Ethernet0 PG 3", AssumesNone, "not to blame")
	})
}

// A group that used headroom has paused: a port that sent no pause has none to send.
func TestPauseOff(t *testing.T) {
	group := onGroup("Ethernet4")
	only(t, check(t, pod2, reading("leaf-2", group, GroupHeadroom, 5, 51_200), reading("leaf-2", onPort("Ethernet4"), PFCSent(3), 5, 0)),
		PauseOff, "leaf-2", "Ethernet4 PG 3", AssumesPFC, "sent no pause of priority 3")
}

// Kmin is 12,544 B, Kmax 145,408 B and Pmax 1 %. A queue of 300,000 B has grown by frames of at
// most 4200 B: up to 295,800 B at least, 150,392 B above Kmax, each marked; and between Kmin and
// Kmax 1 % · 132,864 / 2 = 664 B worth. 151,056 / 4200 = 35.966 marks are to be expected.
func TestUnmarked(t *testing.T) {
	queue := onQueue("Ethernet0", 3)
	level := reading("leaf-1", queue, QueueShared, 9, 300_000)
	only(t, check(t, pod2, level, reading("leaf-1", queue, QueueMarked, 9, 0)), Unmarked, "leaf-1", "Ethernet0 queue 3", AssumesMarking,
		"above Kmax", "marked 0 packets; 35 or more")
	// (35.966 − m)² ≥ 2 · 35.966 · 13.816 = 993.8 holds up to m = 4.44.
	for marks, want := range map[uint64]int{4: 1, 5: 0, 36: 0} {
		if r := check(t, pod2, level, reading("leaf-1", queue, QueueMarked, 9, marks)); len(r.Conclusions) != want {
			t.Errorf("%d marks: %v", marks, r.Findings())
		}
	}
	// A port that is paused does not send, so that nothing of its queue is marked.
	paused := append(pausesOf("", "", "leaf-1", "Ethernet96", 400), reading("leaf-1", onQueue("Ethernet96", 3), QueueShared, 9, 300_000), reading("leaf-1", onQueue("Ethernet96", 3), QueueMarked, 9, 0))
	if r := check(t, pod2, paused...); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
	// Without a count of marks nothing is known; and 200,000 B are 12.1 marks, which may be none
	// once in 180,000 times: (200,000 − 4200 − 145,408 + 664) / 4200 = 12.15.
	for _, rows := range [][]Row{{level}, {reading("leaf-1", queue, QueueShared, 9, 200_000), reading("leaf-1", queue, QueueMarked, 9, 0)}} {
		if r := check(t, pod2, rows...); len(r.Conclusions) != 0 {
			t.Errorf("%v", r.Findings())
		}
	}
}

// 8000 B and a frame of 4200 B are below Kmin, 12,544 B; 8400 B are not.
func TestMarkedEarly(t *testing.T) {
	queue := onQueue("Ethernet0", 3)
	marks := []Row{reading("leaf-1", queue, QueueMarked, 0, 10), reading("leaf-1", queue, QueueMarked, 9, 30)}
	only(t, check(t, pod2, append(marks, reading("leaf-1", queue, QueueShared, 9, 8000))...), MarkedEarly, "leaf-1", "Ethernet0 queue 3", AssumesMarking, "marked 20 packets")
	if r := check(t, pod2, append(marks, reading("leaf-1", queue, QueueShared, 9, 8400))...); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
	// The watermark of one interval does not speak of the time before.
	one := reading("leaf-1", queue, QueueShared, 9, 8000)
	one.Cleared = true
	longer := append(marks, reading("leaf-1", queue, QueueMarked, 20, 60), one)
	if r := check(t, pod2, longer...); slices.ContainsFunc(r.Conclusions, func(k Conclusion) bool { return k.Code == MarkedEarly }) {
		t.Errorf("%v", r.Findings())
	}
}

// pausesOf are two readings, ten seconds apart, of pauses that the first port sent and the second
// got. The goal is 5 a second, 50 in ten seconds.
func pausesOf(a, aPort, b, bPort string, n uint64) (rows []Row) {
	for second, value := range map[int]uint64{0: 1000, 10: 1000 + n} {
		if a != "" {
			rows = append(rows, reading(a, onPort(aPort), PFCSent(3), second, value))
		}
		if b != "" {
			rows = append(rows, reading(b, onPort(bPort), PFCReceived(3), second, value))
		}
	}
	return rows
}

// The NIC at leaf-1:Ethernet4 is slow: leaf-1 is paused there, pauses the spine, and the spine
// leaf-2, which pauses a server of its own.
func TestPauses(t *testing.T) {
	rows := slices.Concat(
		pausesOf("", "", "leaf-1", "Ethernet4", 900),
		pausesOf("leaf-1", "Ethernet96", "spine-1", "Ethernet0", 500),
		pausesOf("spine-1", "Ethernet8", "leaf-2", "Ethernet96", 200),
		pausesOf("leaf-2", "Ethernet12", "", "", 51))
	only(t, check(t, pod2, rows...), Pauses, "leaf-1", "Ethernet4", AssumesGoal, "the NIC at leaf-1:Ethernet4", "4 ports wait",
		"leaf-2:Ethernet12, leaf-2:Ethernet96, spine-1:Ethernet0, leaf-1:Ethernet4")
	if r := check(t, pod2, pausesOf("", "", "leaf-1", "Ethernet4", 50)...); len(r.Conclusions) != 0 {
		t.Errorf("at the goal: %v", r.Findings())
	}
	// Where nobody pauses the switch, its longest queue is the root.
	rows = append(pausesOf("leaf-1", "Ethernet0", "", "", 60), reading("leaf-1", onQueue("Ethernet8", 3), QueueShared, 10, 90_000),
		reading("leaf-1", onQueue("Ethernet12", 3), QueueShared, 10, 80_000))
	only(t, check(t, pod2, rows...), Pauses, "leaf-1", "Ethernet8", AssumesGoal, "cannot send at the rate of its arrivals")
	// Two switches that paused each other did not do so at one time, or nothing would move: where
	// no queue is known, nothing is said.
	rows = slices.Concat(pausesOf("leaf-1", "Ethernet96", "spine-1", "Ethernet0", 60), pausesOf("spine-1", "Ethernet4", "leaf-1", "Ethernet100", 60))
	if r := check(t, pod2, rows...); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
}

// What the ends of a cable count is the same, except for 2 % and what is on its way.
func TestLinks(t *testing.T) {
	link := func(a, aPort string, sent uint64, b, bPort string, got uint64) []Row {
		return slices.Concat(pausesOf(a, aPort, "", "", sent), pausesOf("", "", b, bPort, got))
	}
	if r := check(t, pod2, link("leaf-1", "Ethernet96", 50, "spine-1", "Ethernet0", 48)...); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
	// leaf-1:Ethernet96 and leaf-2:Ethernet96 lead to each other's ports of the spine.
	rows := slices.Concat(link("leaf-1", "Ethernet96", 40, "spine-1", "Ethernet0", 11), link("leaf-2", "Ethernet96", 11, "spine-1", "Ethernet8", 40))
	only(t, check(t, pod2, rows...), Crossed, "leaf-1", "Ethernet96", AssumesCabling, "leaf-2:Ethernet96 are swapped")
	rows = slices.Concat(pausesOf("leaf-1", "Ethernet96", "", "", 40), []Row{
		reading("spine-1", onPort("Ethernet0"), PFCReceived(3), 0, 0), reading("spine-1", onPort("Ethernet0"), PFCReceived(3), 10, 0)})
	only(t, check(t, pod2, rows...), PauseUnheard, "spine-1", "Ethernet0", AssumesPFC, "got none of the 40")
	// Readings that are a second apart in ten tell nothing of a difference.
	for i := range rows {
		if rows[i].Device == "spine-1" {
			rows[i].Until = rows[i].Until.Add(time.Second)
		}
	}
	if r := check(t, pod2, rows...); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
}

func TestCNPs(t *testing.T) {
	nic := Object{Kind: NIC, Name: "mlx5_0/1"}
	rows := func(host string, sent, handled uint64) []Row {
		return []Row{reading(host, nic, CNPSent, 0, 5), reading(host, nic, CNPSent, 10, 5+sent), reading(host, nic, CNPHandled, 0, 7), reading(host, nic, CNPHandled, 10, 7+handled)}
	}
	all := slices.Concat(rows("a", 1000, 0), rows("b", 0, 500))
	r := check(t, pod2, all...)
	if len(r.Conclusions) != 1 || r.Conclusions[0].Code != CNPsLost || !strings.Contains(r.Conclusions[0].Message, "sent 1000 CNPs, and senders handled 500; none were handled by a mlx5_0/1") {
		t.Errorf("%v", r.Findings())
	}
	lost := onQueue("Ethernet96", 6)
	only(t, check(t, pod2, append(all, reading("leaf-1", lost, QueueDropped, 0, 0), reading("leaf-1", lost, QueueDropped, 10, 500))...),
		CNPsLost, "leaf-1", "Ethernet96 queue 6", AssumesCNP, "queue 6 of leaf-1:Ethernet96 dropped 500")
	// 980 of 1000 are enough; and where a NIC is not known to send or handle any, nothing is said.
	for _, rows := range [][]Row{slices.Concat(rows("a", 1000, 0), rows("b", 0, 980)), append(all, reading("c", nic, CNPSent, 0, 1))} {
		if r := check(t, pod2, rows...); len(r.Conclusions) != 0 {
			t.Errorf("%v", r.Findings())
		}
	}
}

// EOS, Junos and NX-OS count what queues dropped, and no groups: a queue of a lossless class must drop nothing. That of a lossy class may.
func TestQueueDrops(t *testing.T) {
	lost := onQueue("Ethernet4", 3)
	for _, counter := range []Counter{QueueDropped, VOQDropped} {
		only(t, check(t, pod2, reading("leaf-1", lost, counter, 0, 2), reading("leaf-1", lost, counter, 10, 9)), Dropped, "leaf-1", "Ethernet4 queue 3", AssumesNone,
			"Ethernet4 queue 3 of leaf-1 dropped 7 packets of the lossless class rdma")
	}
	only(t, check(t, pod2, reading("leaf-1", lost, QueueDropped, 0, 2)), Dropped, "leaf-1", "Ethernet4 queue 3", AssumesNone, "dropped 2 packets of the lossless class rdma before the first reading")
	only(t, check(t, pod2, reading("leaf-1", lost, QueueDropped, 0, 2), reading("leaf-1", lost, WatchdogDetected, 0, 1)), Dropped, "leaf-1", "Ethernet4 queue 3", AssumesPFC, "storm of pauses")
	only(t, check(t, pod2, reading("leaf-1", lost, WatchdogDroppedTx, 0, 3)), Dropped, "leaf-1", "Ethernet4 queue 3", AssumesPFC, "storm of pauses")
	for _, rows := range [][]Row{{reading("leaf-1", onQueue("Ethernet4", 0), QueueDropped, 0, 2)}, {reading("leaf-1", lost, QueueDropped, 0, 0)}} {
		if r := check(t, pod2, rows...); len(r.Conclusions) != 0 {
			t.Errorf("%v", r.Findings())
		}
	}
}

// The pool is for half of what all groups need: 8 of 10 ports need 160,512 B and two 170,496 B,
// together 1,625,088 B, so 812,544 B and no frame of 17 cells, 4352 B, more.
func TestHeadroomPool(t *testing.T) {
	shared := strings.Replace(pod2, `expected_delay  =`, "headroom_sharing = \"2:1\"\n  expected_delay  =", 1)
	pool := Object{Kind: Pool, Name: "ingress_lossless_pool"}
	full := uint64(812_544 - 4351)
	k := only(t, check(t, shared, reading("leaf-1", pool, PoolHeadroom, 0, full)), PoolFull, "leaf-1", "ingress_lossless_pool", AssumesSharing,
		"5 groups or more") // 808,193 / 170,496 = 4.74
	must.Equalf(t, k.Worth, Bounded, "%+v:", k)
	if r := check(t, shared, reading("leaf-1", pool, PoolHeadroom, 0, full-1)); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
	only(t, check(t, shared, reading("leaf-1", pool, PoolHeadroom, 0, full), reading("leaf-1", onGroup("Ethernet0"), GroupDropped, 0, 0)), PoolFull, "leaf-1", "ingress_lossless_pool", AssumesSharing)
	r := check(t, shared, reading("leaf-1", pool, PoolHeadroom, 0, full), reading("leaf-1", onGroup("Ethernet0"), GroupDropped, 9, 1), reading("leaf-1", onGroup("Ethernet0"), GroupHeadroom, 9, 50_000))
	if i := slices.IndexFunc(r.Conclusions, func(k Conclusion) bool { return k.Code == Dropped }); i < 0 || r.Conclusions[i].Assumption != AssumesSharing {
		t.Errorf("%v", r.Findings())
	}
}

func TestDoubts(t *testing.T) {
	bytes := onQueue("Ethernet0", 3)
	only(t, check(t, pod2, reading("leaf-1", bytes, QueueSent, 0, 100), reading("leaf-1", bytes, QueueSent, 9, 40)), Doubtful, "leaf-1", "", AssumesNone, "they were cleared")
	derived := reading("leaf-1", bytes, QueueSent, 0, 100)
	derived.Derived = true
	only(t, check(t, pod2, derived), Doubtful, "leaf-1", "", AssumesNone, "from others")
	interval := reading("leaf-1", bytes, QueueShared, 0, 100)
	interval.Cleared, interval.Every = true, time.Minute
	only(t, check(t, pod2, interval), Doubtful, "leaf-1", "", AssumesNone, "every 1m0s")
	only(t, check(t, pod2, reading("leaf-9", bytes, QueueSent, 0, 1)), Elsewhere, "leaf-9", "", AssumesNone, "no switch leaf-9")
	only(t, check(t, pod2, reading("LEAF-1.example.net", onPort("Ethernet200"), PFCSent(3), 0, 1)), Elsewhere, "leaf-1", "", AssumesNone, "1 port of leaf-1")
}
