package model

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A link of 100 Gb/s and 100 m by hand. Ahead of the pause are a frame of 9,216 B and 20 B, and the
// pause of 84 B: 9,320 B, 745.6 ns, by a clock that is slow by 100 ppm 745.6 · 10,000/9,999 =
// 745.6745… ns. The cable takes 500 ns each way, the port's layers 122,880 bits or 1,228.8 ns, the
// peer 394 · 512 bits or 2,017.28 ns. In 4,991.755 ns a peer whose clock is fast sends
// 62,396.9375 · 10,001/10,000 = 62,403.17… B; 1,500 B take it 120 · 10,000/10,001 = 119.988001… ns.
func TestLinkByHand(t *testing.T) {
	port := &plan.Port{Name: "p", Speed: 100 * units.Gbps, Cable: 100 * units.Metre, MTU: 9216}
	l := NewLink(port, 1500, plan.Assumed{})
	if got := l.Window(); got != 4_991_755 {
		t.Errorf("window %d ps", int64(got))
	}
	if got := l.Bytes(); got != 62_403 {
		t.Errorf("%d B", int64(got))
	}
	if got := l.PeerTime(1500); got != 119_989 {
		t.Errorf("1,500 B take %d ps", int64(got))
	}
	must.Equalf(t, l.RoundTrip(), units.Microsecond, "round trip")
	l.Gearbox = 50 * units.Nanosecond // in both ways
	if got := l.Window(); got != 4_991_755+100_000 {
		t.Errorf("with a gearbox %d ps", int64(got))
	}
}

// What a link has from its port, what from a declaration, and what from a standard.
func TestNewLink(t *testing.T) {
	declared := plan.Assumed{Declared: true, Response: plan.Of(units.Microsecond, nil), LosslessFrame: plan.Of(units.Bytes(4200), nil), SmallPackets: plan.Of(units.One, nil)}
	port := &plan.Port{Speed: 10 * units.Gbps, MTU: 9216}
	if l := NewLink(port, 1500, declared); l.PortFrame != 9216 || l.LosslessFrame != 4200 || l.Response != units.Microsecond || l.SmallPackets != 0 {
		t.Errorf("declared: %+v", l)
	}
	declared.Declared, declared.SmallPackets = false, plan.Of(units.One-1, nil)
	port.MTU = 0
	if l := NewLink(port, 1500, declared); l.PortFrame != 1500 || l.LosslessFrame != 1500 || l.Response != 3_430_400 || l.SmallPackets != units.One-1 {
		t.Errorf("of the standard, with a smaller port: %+v", l)
	}
	declared.LosslessFrame.Value = 0
	if l := NewLink(port, 1500, declared); l.LosslessFrame != 1500 {
		t.Errorf("no frame is declared: %+v", l)
	}
}

// IEEE 802.3 31B.3.7 counts in quanta of 512 bits: 67 of 10G are 34,304 bits or 3,430.4 ns. The
// layers of a port take 8,192 bits at 10G, 6,144 at 25G, 24,576 at 40G and 122,880 at 100G.
func TestStandardTimes(t *testing.T) {
	for rate, want := range map[units.BitRate]units.Time{
		100 * units.Mbps: 5_120_000, units.Gbps: 1_024_000, 10 * units.Gbps: 3_430_400, 25 * units.Gbps: 1_638_400, 40 * units.Gbps: 1_510_400, 50 * units.Gbps: 1_505_280,
		100 * units.Gbps: 2_017_280, 200 * units.Gbps: 1_159_680, 400 * units.Gbps: 1_158_400, 800 * units.Gbps: 0, 0: 0,
	} {
		if got, ok := StandardResponse(rate); got != want || ok != (want > 0) {
			t.Errorf("response at %v: %d ps, %v; want %d", rate, int64(got), ok, int64(want))
		}
	}
	for rate, want := range map[units.BitRate]units.Time{
		0: 0, -1: 0, 1: 8192 * units.Second, units.Gbps: 8_192_000, 10 * units.Gbps: 819_200, 25 * units.Gbps: 245_760, 40 * units.Gbps: 614_400, 50 * units.Gbps: 245_760, 100 * units.Gbps: 1_228_800,
		100*units.Gbps + 1: 614_400, 400 * units.Gbps: 614_400, 8_193: 999_877_944_587, 20 * units.Gbps: 307_200,
		10*units.Gbps + 1: 614_400, 25*units.Gbps + 1: 983_040, 40*units.Gbps + 1: 307_200, 50*units.Gbps + 1: 2_457_600,
	} {
		if got := InterfaceDelay(rate); got != want {
			t.Errorf("layers at %v: %d ps, want %d", rate, int64(got), int64(want))
		}
	}
}

// Figures at their bounds are judged, and one beyond is not.
func TestUnknownLinks(t *testing.T) {
	whole := Link{Rate: 100 * units.Gbps, Cable: units.Metre, PortFrame: 9216, LosslessFrame: 9216, Response: units.Microsecond}
	for _, c := range []struct {
		edit func(l *Link)
		want string
	}{
		{func(*Link) {}, ""},
		{func(l *Link) { l.Rate = 0 }, "the speed of p is not known"},
		{func(l *Link) { l.Rate = units.Mbps }, ""},
		{func(l *Link) { l.Rate = units.Mbps - 1 }, "the speed of p is 999.999kbps, but only speeds from 1Mbps to 10000Gbps are judged"},
		{func(l *Link) { l.Rate = 10 * units.Tbps }, ""},
		{func(l *Link) { l.Rate = 10*units.Tbps + 1 }, "the speed of p is 10000000000.001kbps, but only speeds from 1Mbps to 10000Gbps are judged"},
		{func(l *Link) { l.PortFrame, l.LosslessFrame = 64, 64 }, ""},
		{func(l *Link) { l.PortFrame = 63 }, "the largest frame of p is not known"},
		{func(l *Link) { l.LosslessFrame = 63 }, "the largest frame of p is not known"},
		{func(l *Link) { l.PortFrame = 65536 }, ""},
		{func(l *Link) { l.PortFrame = 65537 }, "the largest frame of p is 65537B, but only frames of up to 65536B are judged"},
		{func(l *Link) { l.Cable = 0 }, ""},
		{func(l *Link) { l.Cable = -1 }, "the cable of p is -1mm long, but only cables of up to 1000km are judged"},
		{func(l *Link) { l.Cable = 1000 * units.Kilometre }, ""},
		{func(l *Link) { l.Cable = 1000*units.Kilometre + 1 }, "the cable of p is 1000000.001m long, but only cables of up to 1000km are judged"},
		{func(l *Link) { l.Response, l.Gearbox, l.Interface = units.Second, units.Second, units.Second }, ""},
		{func(l *Link) { l.Response = units.Second + 1 }, "the response of the peer of p, a gearbox or its own layers take a negative time or more than 1s"},
		{func(l *Link) { l.Gearbox = units.Second + 1 }, "the response of the peer of p, a gearbox or its own layers take a negative time or more than 1s"},
		{func(l *Link) { l.Interface = units.Second + 1 }, "the response of the peer of p, a gearbox or its own layers take a negative time or more than 1s"},
		{func(l *Link) { l.Response, l.Gearbox, l.Interface = 0, 0, 0 }, ""},
		{func(l *Link) { l.Response = -1 }, "the response of the peer of p, a gearbox or its own layers take a negative time or more than 1s"},
		{func(l *Link) { l.Gearbox = -1 }, "the response of the peer of p, a gearbox or its own layers take a negative time or more than 1s"},
	} {
		l := whole
		c.edit(&l)
		if got := l.Unknown("p"); (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %q, want %q", l, got, c.want)
		}
	}
}

// Which queues a group feeds, and which groups a pause is sent for. A file without maps has number
// to number; with a map of code points, classes that none leads to feed nothing.
func TestRoutes(t *testing.T) {
	m := plan.Maps{}
	if got := routes(&plan.Switch{Maps: m}, &plan.PortQoS{}, leaving{queues: m.TCToQueue}); got[0] != 1 || got[7] != 1<<7 {
		t.Errorf("without maps: %b", got)
	}
	m.TCToPG, m.TCToQueue = [8]uint8{0, 0, 0, 3, 3, 0, 0, 7}, [8]uint8{0, 1, 2, 3, 4, 5, 6, 7}
	if got := routes(&plan.Switch{Maps: m}, &plan.PortQoS{}, leaving{queues: m.TCToQueue}); got[0] != 1<<0|1<<1|1<<2|1<<5|1<<6 || got[3] != 1<<3|1<<4 || got[7] != 1<<7 || got[4] != 0 {
		t.Errorf("without a map of code points: %b", got)
	}
	m.DSCPToTC[26], m.DSCPToTC[63] = 3, 7
	if got := routes(&plan.Switch{Maps: m}, &plan.PortQoS{}, leaving{queues: m.TCToQueue}); got[0] != 1 || got[3] != 1<<3 || got[7] != 1<<7 || got[4] != 0 {
		t.Errorf("with one: %b", got)
	}
	if pausable(&plan.Port{}, &m) != 0 {
		t.Error("a port that is told nothing pauses")
	}
	port := &plan.Port{QoS: &plan.PortQoS{PFC: 1<<0 | 1<<3 | 1<<7}}
	must.Equalf(t, pausable(port, &m), 1<<0|1<<3|1<<7, "number to number:")
	m.PFCToPG = [8]uint8{1, 9, 0, 4, 0, 0, 0, 15} // a group has three bits
	must.Equalf(t, pausable(port, &m), 1<<1|1<<4|1<<7, "by a map:")
}

// A static bound that its pool cannot reach is none, one of what the pool shares neither; a reserve
// at egress goes to the first lossy queue of the pool, and nowhere where lossless packets wait in it.
func TestBoundsOfPorts(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("trident3") // cells of 256 B, one part
	if chip.CellSize.Or(0) != 256 || chip.Slices.Or(1) != 1 || chip.PoolSize.Or(chips.Gross) == chips.Net {
		t.Fatal("the chip has other figures")
	}
	b := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, nil) }
	static := func(v units.Bytes) plan.Derived[plan.Limit] { return plan.Of(plan.Limit{Static: v}, nil) }
	var first uint8 // queue
	make := func(edit func(q *plan.PortQoS, sw *plan.Switch)) (*mmu.Config, error) {
		qos := &plan.PortQoS{PGs: []plan.PG{{ID: 0, Pool: "in", Limit: static(25600)}}, Queues: []plan.Queue{{ID: 2, Pool: "out", Limit: static(25600)}, {ID: 4, Pool: "out", Limit: static(25600)}}}
		sw := &plan.Switch{Names: []string{"s"}, Ports: []plan.Port{{Name: "p", QoS: qos}}, Pools: []plan.Pool{{Name: "in", Size: b(25600)}, {Name: "out", Direction: plan.Egress, Size: b(25600)}}}
		edit(qos, sw)
		first = qos.Queues[0].ID
		return Buffer(sw, chip)
	}
	for _, c := range []struct {
		name            string
		edit            func(q *plan.PortQoS, sw *plan.Switch)
		ingress, egress int         // bounds
		reserve         units.Cells // of the first queue
		err             string
	}{
		{"none", func(*plan.PortQoS, *plan.Switch) {}, 0, 0, 0, ""},
		{"at egress", func(q *plan.PortQoS, _ *plan.Switch) { q.Pools = []plan.PortPool{{Pool: "out", Limit: static(25599)}} }, 0, 1, 0, ""},
		{"as much as the pool", func(q *plan.PortQoS, _ *plan.Switch) { q.Pools = []plan.PortPool{{Pool: "out", Limit: static(25600)}} }, 0, 0, 0, ""},
		{"at ingress", func(q *plan.PortQoS, _ *plan.Switch) { q.Pools = []plan.PortPool{{Pool: "in", Limit: static(256)}} }, 1, 0, 0, ""},
		{"dynamic", func(q *plan.PortQoS, _ *plan.Switch) {
			q.Pools = []plan.PortPool{{Pool: "in", Limit: plan.Of(plan.Limit{Dynamic: true}, nil)}}
		}, 1, 0, 0, ""},
		{"a reserve", func(q *plan.PortQoS, _ *plan.Switch) {
			q.Pools = []plan.PortPool{{Pool: "out", Reserved: b(512), Limit: static(25600)}}
		}, 0, 0, 2, ""},
		{"a reserve of queue 0", func(q *plan.PortQoS, _ *plan.Switch) {
			q.Queues[0].ID = 0
			q.Pools = []plan.PortPool{{Pool: "out", Reserved: b(512), Limit: static(25600)}}
		}, 0, 0, 2, ""},
		{"a bound before one that cannot be reached", func(q *plan.PortQoS, sw *plan.Switch) {
			sw.Pools = append(sw.Pools, plan.Pool{Name: "more", Direction: plan.Egress, Size: b(256)})
			q.Pools = []plan.PortPool{{Pool: "out", Limit: static(256)}, {Pool: "more", Limit: static(256)}}
		}, 0, 1, 0, ""},
		{"a reserve beside lossy packets", func(q *plan.PortQoS, _ *plan.Switch) {
			q.PGs[0].ID = 2
			q.Pools = []plan.PortPool{{Pool: "out", Reserved: b(512), Limit: static(25600)}}
		}, 0, 0, 2, ""},
		{"a reserve beside lossless packets", func(q *plan.PortQoS, _ *plan.Switch) {
			q.Queues[1].ID = 5
			q.PGs[0] = plan.PG{ID: 5, Pool: "in", Lossless: true, Limit: static(25600)} // without maps it feeds queue 5
			q.Pools = []plan.PortPool{{Pool: "out", Reserved: b(512), Limit: static(25600)}}
		}, 0, 0, 0, ""},
		{"a reserve in the pool of another queue", func(q *plan.PortQoS, sw *plan.Switch) {
			sw.Pools = append(sw.Pools, plan.Pool{Name: "more", Direction: plan.Egress, Size: b(25600)})
			q.Queues[1].Pool = "more"
			q.Pools = []plan.PortPool{{Pool: "more", Reserved: b(512), Limit: static(25600)}}
		}, 0, 0, 0, ""},
		{"a reserve at ingress", func(q *plan.PortQoS, _ *plan.Switch) { q.Pools = []plan.PortPool{{Pool: "in", Reserved: b(1)}} }, 0, 0, 0, "the reserve of 1B of the whole port in the ingress pool in is not modelled"},
		{"no such pool", func(q *plan.PortQoS, _ *plan.Switch) { q.Pools = []plan.PortPool{{Pool: "x"}} }, 0, 0, 0, `a bound of the whole port refers to a pool "x" that does not exist`},
		{"a group without a pool", func(q *plan.PortQoS, _ *plan.Switch) { q.PGs[0].Pool = "out" }, 0, 0, 0, `priority group 0 refers to an ingress pool "out" that does not exist`},
		{"a queue without a pool", func(q *plan.PortQoS, _ *plan.Switch) { q.Queues[0].Pool = "in" }, 0, 0, 0, `queue 2 refers to an egress pool "in" that does not exist`},
		{"the last group", func(q *plan.PortQoS, _ *plan.Switch) { q.PGs[0].ID = mmu.MaxPGs - 1 }, 0, 0, 0, ""},
		{"a group beyond", func(q *plan.PortQoS, _ *plan.Switch) { q.PGs[0].ID = mmu.MaxPGs }, 0, 0, 0, "priority group"},
		{"the last queue", func(q *plan.PortQoS, _ *plan.Switch) { q.Queues[1].ID = mmu.MaxQueues - 1 }, 0, 0, 0, ""},
		{"a queue beyond", func(q *plan.PortQoS, _ *plan.Switch) { q.Queues[1].ID = mmu.MaxQueues }, 0, 0, 0, "queue"},
		{"a pool of both sides", func(q *plan.PortQoS, sw *plan.Switch) {
			sw.Pools = []plan.Pool{{Name: "all", Both: true, Size: b(25600)}}
			q.PGs[0].Pool, q.Queues[0].Pool, q.Queues[1].Pool = "all", "all", "all"
		}, 0, 0, 0, ""},
	} {
		config, err := make(c.edit)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "port p: ") {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		port := config.Ports[0]
		if len(port.Ingress) != c.ingress || len(port.Egress) != c.egress || port.Queues[first].ReservedCells != c.reserve {
			t.Errorf("%s: %d bounds at ingress, %d at egress, a reserve of %d; want %d, %d, %d", c.name, len(port.Ingress), len(port.Egress), port.Queues[first].ReservedCells, c.ingress, c.egress, c.reserve)
		}
	}
}

// A pool's size holds reserves, own headroom and the reserves of queues; with a pool of headroom,
// that and the reserves. 100,000 B less 1,000 and 2,000 and 500 are 96,500 B or 376 cells of 256 B; less
// 9,000 of headroom, 1,000 and 500 they are 89,500 B or 349 cells.
func TestWhatPoolsShare(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("trident3")
	b := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, nil) }
	for headroom, want := range map[units.Bytes]units.Cells{0: 376, 9000: 349} {
		qos := &plan.PortQoS{
			PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true, Reserved: b(1000), Headroom: b(2000)}},
			Queues: []plan.Queue{{ID: 3, Pool: "out", Reserved: b(500)}},
		}
		sw := &plan.Switch{Names: []string{"s"}, Ports: []plan.Port{{Name: "p", QoS: qos}, {Name: "down"}}, Pools: []plan.Pool{
			{Name: "in", Size: b(100_000), Headroom: b(headroom)}, {Name: "out", Direction: plan.Egress, Size: b(99_999)},
		}}
		config := must.Get(Buffer(sw, chip))(t)
		in, pg := config.IngressPools[0], config.Ports[0].PGs[3]
		if in.SharedCells != want || in.HeadroomCells != headroom.FloorCells(256) || config.EgressPools[0].SharedCells != 390 {
			t.Errorf("headroom of %v: %+v and %+v, want %d shared", headroom, in, config.EgressPools[0], want)
		}
		if pg.ReservedCells != 3 || pg.HeadroomCells != 7 || pg.HeadroomPooled != (headroom > 0) || len(config.Ports[1].PGs) != 0 {
			t.Errorf("headroom of %v: %+v", headroom, pg)
		}
		if with, without := Reserved(sw, chip, true), Reserved(sw, chip, false); with != 3000 || without != 1000 {
			t.Errorf("reserved %v with headroom, %v without", with, without)
		}
	}
}
