package headroom_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// lab is a chip with round numbers.
func lab(t *testing.T, more string) *chips.Chip {
	t.Helper()
	datum := func(name, value string) string {
		return "  " + name + " {\n value = " + value + "\n confidence = \"assumed\"\n source = \"by hand\"\n note = \"of a test\"\n }\n"
	}
	return chipOf(t, "xgs", datum("cell_size", `"100B"`)+datum("packet_metadata", `"10B"`)+datum("xoff_decided", `"end"`)+datum("pause_delay", `"100ns"`)+
		datum("headroom_fixed", `"1000B"`)+datum("headroom_response", `"500ns"`)+datum("headroom_wire_per_cell", `"84B"`)+
		datum("headroom_speed_classes", `["25Gbps", "100Gbps"]`)+datum("headroom_responses", `["700ns", "600ns"]`)+
		datum("headroom_min_cable", `"10m"`)+datum("headroom_long_cable", `"300m"`)+datum("headroom_long_speed", `"50Gbps"`)+more)
}

// chipOf is a chip that has these data alone.
func chipOf(t *testing.T, family, data string) *chips.Chip {
	t.Helper()
	text := "chip \"lab\" {\n title = \"Lab\"\n vendor = \"nobody\"\n family = \"" + family + "\"\n" + data + "}\n"
	catalogue := must.Sound(chips.Load(chips.Source{Name: "lab.hcl", Text: []byte(text)}))(t)
	chip, _ := catalogue.Find("lab")
	return chip
}

// bench is 10 Gb/s over 40 m, which light takes 400 ns for, there and back: 500 B.
func bench() headroom.Input {
	return headroom.Input{Speed: 10 * units.Gbps, Cable: 40 * units.Metre, PortMTU: 1500, LosslessMTU: 1000,
		Gearbox: 50 * units.Nanosecond, PeerResponse: 300 * units.Nanosecond, Lanes: 4}
}

func mixed(in *headroom.Input) { in.MixDeclared, in.SmallPackets = true, 50*units.Percent }

// Cells of each method, by hand. A frame of 64 B with its metadata is 74 B, a cell; one of 91 B
// is the first of two cells, 111 B on the wire, and the worst one; one of 1000 B is eleven.
// In a mix of halves 84 + 1020 B are 1 + 11 cells, 92 B a cell.
func TestMethodsByHand(t *testing.T) {
	chip := lab(t, "")
	book := formulas.Load()
	for _, c := range []struct {
		method string
		change func(in *headroom.Input)
		want   units.Cells
		why    string
	}{
		// 1604 B at 0.9999 of the rate are 1,283,329 ps; with cable, gearboxes, layers and response
		// 2,183,329 ps, in which 1.0001 of the rate is 2729 B.
		{"worst-case", nil, 49 + 22, "⌊2729·2/111⌋ and two frames"},
		{"worst-case", mixed, 26 + 22, "two large and four small ones"},
		{"worst-case", func(in *headroom.Input) { mixed(in); in.SmallPackets = 100 * units.Percent }, 49 + 22, "all small says nothing"},
		{"worst-case", func(in *headroom.Input) { mixed(in); in.SmallPackets = 0 }, 49 + 22, "none small says nothing"},
		{"worst-case", func(in *headroom.Input) { in.LosslessMTU = 1490 }, 49 + 30, "frames of 15 cells"},
		{"worst-case", func(in *headroom.Input) { in.LosslessMTU = 9000 }, 49 + 32, "no frame is larger than the port's, 16 cells"},
		// 1520 + 84 + 1024 + 375 + 500 = 3503 B.
		{"ieee8021q", nil, 64 + 11, "⌈3503·2/111⌉ and a frame"},
		{"ieee8021q", mixed, 39 + 11, "⌈3503/92⌉ and a frame"},
		{"ieee8021q", func(in *headroom.Input) { in.LosslessMTU = 91 }, 64 + 2, "the worst frame is just allowed"},
		{"ieee8021q", func(in *headroom.Input) { in.LosslessMTU = 90 }, 42 + 1, "⌈3503/84⌉, 90 B are one cell"},
		// 1520 + 84 + 1020 + 1024 + 375 + 500 = 4523 B.
		{"cisco", nil, 46, "⌈4523/100⌉"},
		{"cisco", mixed, 50, "⌈4523/92⌉"},
		// Three times the 250 B of one way.
		{"hpcc", nil, 8, "⌈750/100⌉"},
		{"hpcc", mixed, 9, "⌈750/92⌉"},
		// 3000 B and 700 ns, 875 B.
		{"ucloud", nil, 47, "⌈3875/84⌉"},
		{"ucloud", mixed, 43, "⌈3875/92⌉"},
		{"ucloud", func(in *headroom.Input) { in.Frame = 1000 }, 35, "⌈2875/84⌉"},
		{"ucloud", func(in *headroom.Input) { in.Cable, in.PeerResponse = 0, 19_200 }, 36, "3024/84, and no cell more"},
		{"ucloud", func(in *headroom.Input) { in.PeerResponse = 0 }, 64, "1900 ns, ⌈5375/84⌉"},
		// 1000 B and, at 25 Gb/s, 1100 ns: 3437.5 B.
		{"xgs", nil, 53, "⌈4437.5/84⌉"},
		{"xgs", mixed, 49, "⌈4437.5/92⌉"},
		{"xgs", func(in *headroom.Input) { in.Speed = 25 * units.Gbps }, 53, "the same class"},
		{"xgs", func(in *headroom.Input) { in.Speed = 25*units.Gbps + units.Mbps }, 161, "100 Gb/s, 1000 ns: ⌈13500/84⌉"},
		{"xgs", func(in *headroom.Input) { in.Speed = 200 * units.Gbps }, 280, "no class, 900 ns: ⌈23500/84⌉"},
		{"xgs", func(in *headroom.Input) { in.Cable = 10 * units.Metre }, 42, "800 ns, 2500 B: ⌈3500/84⌉"},
		{"xgs", func(in *headroom.Input) { in.Cable = 0 }, 42, "no cable is shorter"},
		{"xgs", func(in *headroom.Input) { in.Cable = 11 * units.Metre }, 43, "810 ns, 2531.25 B: ⌈3531.25/84⌉"},
		{"xgs", func(in *headroom.Input) { in.Cable = 299 * units.Metre }, 150, "25 Gb/s, 3690 ns: ⌈12531.25/84⌉"},
		{"xgs", func(in *headroom.Input) { in.Cable = 300 * units.Metre }, 548, "50 Gb/s is of the class of 100: 3600 ns, ⌈46000/84⌉"},
	} {
		in := bench()
		if c.change != nil {
			c.change(&in)
		}
		m := must.Get(headroom.For(chip, c.method))(t)
		r, d, err := m.Explain(in)
		// Nothing is known of a reserve or a pool: a largest frame of the port, and headroom besides.
		want := headroom.Result{XOff: c.want.Bytes(100), Size: 1500 + c.want.Bytes(100), Cells: c.want}
		if err != nil || r != want {
			t.Errorf("%s: %+v, %v, want %d cells: %s", c.method, r, err, c.want, c.why)
			continue
		}
		for _, why := range []*plan.Why{d.XOff, d.Size, d.XOn} {
			plantest.Sound(t, book, why)
		}
		if computed, err := m.Compute(in); err != nil || computed != r {
			t.Errorf("%s: %+v is computed, %+v explained", c.method, computed, r)
		}
	}
}

// A reserve and a pool that the catalogue knows of.
func TestReserveAndPool(t *testing.T) {
	const known = "\n confidence = \"assumed\"\n source = \"by hand\"\n }\n"
	reserve, pool := "pg_reserve {\n value = \"777B\""+known, "headroom_pool {\n value = true"+known
	for more, want := range map[string]units.Bytes{reserve: 777 + 800, pool: 1500, reserve + pool: 777} {
		m := must.Get(headroom.For(lab(t, more), "hpcc"))(t)
		r, d, err := m.Explain(bench())
		if err != nil || r.Size != want || r.XOff != 800 || d.Size.Value != want {
			t.Errorf("%s: %+v, %v, want a size of %v", more, r, err, want)
		}
		plantest.Sound(t, formulas.Load(), d.Size)
	}
}

// The response of a speed that IEEE 802.3 31B.3.7 does not list is the longer one of its
// neighbours'; below the slowest that one's, above the fastest that one's.
func TestStandardResponse(t *testing.T) {
	const ps = units.Picosecond
	chip := lab(t, "")
	for speed, want := range map[units.BitRate]units.Time{
		50 * units.Mbps:  5_120_000 * ps, // one quantum of 512 bits at 100 Mb/s
		100 * units.Mbps: 5_120_000 * ps,
		units.Gbps:       1_024_000 * ps, // 2 quanta
		5 * units.Gbps:   3_430_400 * ps, // 67 quanta at 10 Gb/s
		20 * units.Gbps:  3_430_400 * ps, // more than 80 quanta at 25 Gb/s
		25 * units.Gbps:  1_638_400 * ps,
		60 * units.Gbps:  2_017_280 * ps, // 394 quanta at 100 Gb/s
		400 * units.Gbps: 1_158_400 * ps, // 905 quanta
		800 * units.Gbps: 1_158_400 * ps,
	} {
		in := bench()
		in.Speed, in.PeerResponse = speed, 0
		m := must.Get(headroom.For(chip, "worst-case"))(t)
		_, d, err := m.Explain(in)
		must.Do(t, err)
		if w := find(d.XOff, "longest response of a conforming peer"); w == nil || w.Value != want {
			t.Errorf("%v: %+v, want %v", speed, w, want)
		}
		ieee := must.Get(headroom.For(chip, "ieee8021q"))(t)
		if _, d, err = ieee.Explain(in); err != nil {
			t.Fatal(err)
		}
		if w := find(d.XOff, "bytes while the peer responds"); w == nil || w.Value != speed.CeilBytes(want) {
			t.Errorf("%v: %+v, want %v", speed, w, speed.CeilBytes(want))
		}
	}
}

// The port's own layers by the speed, where the catalogue knows nothing: bit times of the
// class, and from 200 Gb/s the 614.4 ns that 40 Gb/s takes.
func TestOwnLayers(t *testing.T) {
	for speed, want := range map[units.BitRate]units.Time{
		10 * units.Gbps: 819_200, 25 * units.Gbps: 245_760, 40 * units.Gbps: 614_400, 50 * units.Gbps: 245_760,
		100 * units.Gbps: 1_228_800, 100*units.Gbps + units.Mbps: 614_400, 200 * units.Gbps: 614_400,
	} {
		in := bench()
		in.Speed = speed
		_, d, err := bind(t, "th5", "worst-case").Explain(in)
		must.Do(t, err)
		if w := find(d.XOff, "the port's own layers, out and in"); w == nil || w.Value != want*units.Picosecond {
			t.Errorf("%v: %+v, want %v", speed, w, want)
		}
	}
	for speed, want := range map[units.BitRate]units.Bytes{100*units.Gbps + units.Mbps: 7681, 200 * units.Gbps: 15360} {
		in := bench()
		in.Speed = speed // 100,001 Mb/s · 614.4 ns are 61,440.6 bits
		if got := headroom.CiscoBytes(in) - in.PortMTU - in.LosslessMTU - 124 - speed.CeilBytes(700*units.Nanosecond); got != want && got != want-1 {
			t.Errorf("%v: %v, want %v", speed, got, want)
		}
	}
}

// What the usual frame is where nothing is said: SONiC's MTU, RoCE's, half of the packets
// small, four lanes (sonic-swss#3235).
func TestDefaults(t *testing.T) {
	if in := headroom.Defaults(); in.PortMTU != 9100 || in.LosslessMTU != 1024 || in.SmallPackets != 50*units.Percent || in.Lanes != 4 {
		t.Errorf("%+v", in)
	}
}

// The mean bytes of a mix per cell, rounded down: a quarter of 84 B for a cell and three of
// 1020 B for eleven are 3144 B for 34.
func TestMixPerCell(t *testing.T) {
	if got := headroom.MixPerCell(100, 10, 1000, 25*units.Percent); got != 92 { // 92.47
		t.Error(got)
	}
	if got := headroom.MixPerCell(74, 10, 64, 25*units.Percent); got != 84 { // 74 B are just a cell
		t.Error(got)
	}
	must.Equal(t, headroom.MixPerCell(73, 10, 64, 25*units.Percent), 42)
	for bytes, want := range map[units.Bytes]units.Cells{
		83: 0, 84: 1, 1019: 2, // at most as many small ones as the two beside
		1020: 11, 1272: 14, 2039: 14, 2040: 22, 2376: 26, 2729: 26,
	} {
		must.Equalf(t, headroom.MixedCells(bytes, 100, 10, 1000, 50*units.Percent, 2), want, "%v:", bytes)
	}
}

// Every reason of every method is sound, at common speeds and at one that nothing is known of.
func TestReasonsAreSound(t *testing.T) {
	book := formulas.Load()
	for _, b := range bindings {
		m := bind(t, b.chip, b.method)
		for _, speed := range []units.BitRate{20 * units.Gbps, 100 * units.Gbps, 400 * units.Gbps} {
			for _, change := range []func(in *headroom.Input){
				func(in *headroom.Input) { in.PeerResponse = 0 },
				func(in *headroom.Input) { in.OverSubscribe, in.Frame = 2, 1500 },
				func(in *headroom.Input) { mixed(in); in.Lanes = 8 },
				func(in *headroom.Input) { in.Cable, in.PeerResponse = 300*units.Metre, 0 },
				func(in *headroom.Input) { in.Cable, in.PeerResponse, in.SmallPackets = 0, 0, units.One },
			} {
				in := bench()
				in.Speed = speed
				change(&in)
				r, d, err := m.Explain(in)
				if err != nil || d.XOff.Value != r.XOff || d.XOn.Value != r.XOn || d.Size.Value != r.Size {
					t.Fatalf("%s: %+v, %v", m.Name(), r, err)
				}
				for _, why := range []*plan.Why{d.XOff, d.Size, d.XOn} {
					plantest.Sound(t, book, why)
				}
			}
		}
	}
}

// A number is a quantity: ten digits as well as nine, with a unit or without.
func TestQuantitiesOfABatch(t *testing.T) {
	catalogue := catalogue(t)
	answers := func(header, row string) string {
		var out strings.Builder
		must.Get(headroom.Batch(strings.NewReader(header+"\n"+row+"\n"), &out, catalogue))(t)
		lines := strings.Split(out.String(), "\n")
		return strings.TrimPrefix(lines[1], row+",")
	}
	const header = "chip,method,speed,cable,port_mtu"
	for _, row := range []string{
		"td3,ieee8021q,10000,0,1500", "td3,ieee8021q,10Gbps,0m,1500B", "td3,ieee8021q,000010000,000000000,000001500",
		"td3,ieee8021q,0000010000,0000000000,0000001500", "td3,ieee8021q,10000.0,0.0,1500",
	} {
		got := answers(header, row)
		if first := answers(header, "td3,ieee8021q,10000,0,1500"); got != first || strings.Count(got, ",") != 4 || !strings.HasSuffix(got, ",") {
			t.Errorf("%s: %s, want %s", row, got, first)
		}
	}
}

// Barefoot's calculator for packets of one size, which take their bytes: 1024 B, and 9100 B and 819.2 B of MAC and PHY and
// what arrives meanwhile, up to whole KiB. At 100 Gb/s that are 394 quanta of 64 B, at 400 Gb/s twice 905, or 1 us where
// that is declared. 40 m of cable bring 40,000·100,000/811,008 = 4932.1 B, gearboxes of 100 ns 2·1220.7 B.
func TestTofinoByHand(t *testing.T) {
	for _, c := range []struct {
		change func(in *headroom.Input)
		want   units.Bytes // before rounding
	}{
		{func(*headroom.Input) {}, 36_160},
		{func(in *headroom.Input) { in.Cable = 40 * units.Metre }, 41_092},
		{func(in *headroom.Input) { in.Gearbox = 100 * units.Nanosecond }, 38_601},
		{func(in *headroom.Input) { in.Speed = 400 * units.Gbps }, 126_784},
		{func(in *headroom.Input) { in.Speed, in.PeerResponse = 400*units.Gbps, units.Microsecond }, 60_944},
	} {
		in := headroom.Defaults()
		in.Speed, in.SmallPackets = 100*units.Gbps, 0
		c.change(&in)
		r, err := bind(t, "tofino2", "tofino").Compute(in)
		if want := c.want.CeilTo(units.KiB); err != nil || r.XOff != want {
			t.Errorf("%+v: %v, %v, want %v", in, r.XOff, err, want)
		}
	}
}
