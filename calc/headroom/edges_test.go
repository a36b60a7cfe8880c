package headroom_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Each field of a table is read up to its bound, and not beyond.
func TestTableBounds(t *testing.T) {
	row := []string{"100000", "40m", "1248", "2288", "177632", "0", "2288"}
	for _, c := range []struct {
		field int
		value string
		ok    bool
	}{
		{0, "0", true}, {0, "10000000", true}, {0, "10000001", false}, {0, "-1", false}, {1, "0m", true}, {1, "40", false},
		{2, "0", true}, {2, "1073741824", true}, {2, "1073741825", false}, {3, "1073741824", true}, {3, "1073741825", false},
		{4, "1073741824", true}, {4, "1073741825", false}, {4, "-1", false}, {5, "-8", true}, {5, "-9", false}, {5, "8", true}, {5, "9", false}, {5, "0.5", false},
		{6, "0", true}, {6, "1073741824", true}, {6, "1073741825", false},
	} {
		fields := append([]string(nil), row...)
		fields[c.field] = c.value
		_, found := headroom.ParseTable("t.ini", []byte(strings.Join(fields, " ")))
		if found.HasErrors() == c.ok {
			t.Errorf("field %d of %s: %v", c.field, c.value, found)
		}
		if !c.ok && (len(found) != 1 || found[0].Code != headroom.TableValue) {
			t.Errorf("field %d of %s: %v", c.field, c.value, found)
		}
	}
}

// A table is asked within the bounds of all methods, and what it has no row for has no reasons.
func TestTableRefuses(t *testing.T) {
	m := tableMethod(t, tomahawk, false)
	in := headroom.Defaults()
	in.Speed, in.Cable = 40*units.Gbps, -1
	var out *headroom.OutOfRange
	if _, err := m.Compute(in); !errors.As(err, &out) {
		t.Errorf("computed: %v", err)
	}
	if _, _, err := m.Explain(in); !errors.As(err, &out) {
		t.Errorf("explained: %v", err)
	}
	in.Cable = 41 * units.Metre
	if _, d, err := m.Explain(in); !errors.As(err, new(*headroom.NoRow)) || d.XOff != nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// A row and its end have up to 64 KiB.
func TestRowsOfABatchAreBounded(t *testing.T) {
	for length, bad := range map[int]int{65_535: 0, 65_536: 1} {
		row := "th5,100000,40,"
		_, got := batch(t, "chip,speed,cable,method\n"+row+strings.Repeat(" ", length-len(row))+"\n")
		if got != bad {
			t.Errorf("%d bytes: %d rows without answer", length, got)
		}
	}
}

// A full disk has room for some of a batch, and then for nothing.
type disk struct{ left int }

var errFull = errors.New("the disk is full")

func (d *disk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// What cannot be written ends a batch wherever that is, and is its error.
func TestBatchOnAFullDisk(t *testing.T) {
	questions := "chip,speed,cable\n" + strings.Repeat("th5,100000,40\nth5,,\n", 5000)
	var out bytes.Buffer
	if bad, err := headroom.Batch(strings.NewReader(questions), &out, catalogue(t)); bad != 5000 || err != nil {
		t.Fatal(bad, err)
	}
	for _, left := range []int{0, 1 << 16, out.Len() - 1} {
		bad, err := headroom.Batch(strings.NewReader(questions), &disk{left}, catalogue(t))
		if !errors.Is(err, errFull) || bad == 0 || bad > 5000 {
			t.Errorf("room for %d: %d without answer, %v", left, bad, err)
		}
	}
	if _, err := headroom.Batch(strings.NewReader(questions), &disk{out.Len()}, catalogue(t)); err != nil {
		t.Error(err)
	}
}

// The driver's arithmetic where it rounds and where its least speed and MTU end. (301 + 2)·40.001
// is 12,120.3 and 2.72·9217 is 25,070.24; 2.16 m of cable bring 2, and 2.72·64 is 174.08.
func TestMLX5Rounds(t *testing.T) {
	for _, c := range []struct {
		speed        units.BitRate // in Mb/s
		cable        units.Length
		mtu, cell    units.Bytes
		xoff, buffer units.Bytes
	}{
		{40_001, units.Metre, 9217, 128, 12_120 + 25_070, 12_120 + 25_070 + 9217 + 128},
		{40_001, 2*units.Metre - 1, 9216, 1, 12_120 + 25_067, 12_120 + 25_067 + 9216 + 1},
		{40_000, 2 * units.Metre, 64, 0, 305*40 + 174, 305*40 + 174 + 9216},
		{39_999, 0, 64, 0, 301*40 + 174, 301*40 + 174 + 9216},
		{10_000_000, 1000 * units.Kilometre, 65_536, 144, 2_160_301*10_000 + 178_257, 2_160_301*10_000 + 178_257 + 65_536 + 144},
	} {
		h, err := headroom.MLX5(c.speed*units.Mbps, c.cable, c.mtu, c.cell)
		if err != nil || h.XOff != c.xoff || h.Buffer != c.buffer {
			t.Errorf("%+v: %+v, %v", c, h, err)
		}
	}
}

// Where a chip's reserve, and where the response of a class of speeds, come from.
func TestReasonsNameTheirDatum(t *testing.T) {
	const reserve = " pg_reserve {\n value = \"1800B\"\n confidence = \"assumed\"\n source = \"by hand\"\n note = \"of a test\"\n }\n"
	for _, c := range []struct {
		more    string
		speed   units.BitRate
		size    units.Bytes // without headroom
		reserve string      // datum of it
		why     string      // datum of the response
	}{
		{"", 25 * units.Gbps, 1500, "", "headroom_responses"}, {reserve, 100 * units.Gbps, 1800, "pg_reserve", "headroom_responses"}, {reserve, 200 * units.Gbps, 1800, "pg_reserve", "headroom_response"},
	} {
		m, err := headroom.For(lab(t, c.more), "xgs")
		if err != nil {
			t.Fatal(err)
		}
		in := bench()
		in.Speed = c.speed
		r, d, err := m.Explain(in)
		if err != nil || r.Size != c.size+r.XOff {
			t.Fatalf("%v: %+v, %v", c, r, err)
		}
		if got := fmt.Sprint(named(d.XOff, "response")); got != c.why {
			t.Errorf("at %v the response is of %q, want %q", c.speed, got, c.why)
		}
		if got := named(d.Size, "reserve"); got != c.reserve {
			t.Errorf("the reserve is of %q, want %q", got, c.reserve)
		}
	}
}

// named is the datum of the catalogue that stands under a symbol in a derivation.
func named(w *plan.Why, symbol string) string {
	for _, term := range w.Terms {
		if term.Symbol == symbol {
			if term.Why.Kind != plan.Catalogue {
				return ""
			}
			return term.Why.ID
		}
		if id := named(term.Why, symbol); id != "" {
			return id
		}
	}
	return ""
}

// Delays between tiles are whole nanoseconds, as NVIDIA's table has them.
func TestTilesOfWholeNanoseconds(t *testing.T) {
	for delay, ok := range map[string]bool{"120ns": true, "120.5ns": false, "999ps": false} {
		datum := func(name, value string) string {
			return "  " + name + " {\n value = \"" + value + "\"\n confidence = \"assumed\"\n source = \"by hand\"\n note = \"of a test\"\n }\n"
		}
		chip := chipOf(t, "spectrum", datum("cell_size", "100B")+datum("pipeline_latency", "18KiB")+datum("tile_delay", delay))
		_, err := headroom.For(chip, "spectrum")
		if (err == nil) != ok || !ok && !strings.Contains(err.Error(), "whole nanoseconds") {
			t.Errorf("%s: %v", delay, err)
		}
	}
}

// The steps of NVIDIA's calculator by hand: 9100 + 819.2 + 394·64 B, and half of all packets small:
// a mean of 544 B, and 608/544 cells' bytes for each.
func TestSpectrumTellsItsSteps(t *testing.T) {
	in := headroom.Defaults()
	in.Speed, in.Cable, in.PortMTU, in.LosslessMTU, in.SmallPackets = 100*units.Gbps, 0, 9100, 1024, 50*units.Percent
	_, d, err := bind(t, "spectrum-1", "spectrum").Explain(in)
	if err != nil {
		t.Fatal(err)
	}
	for why := d.XOff; why.Note != "propagation 35135.200, cell occupancy 1.117"; why = why.Terms[0].Why {
		if len(why.Terms) == 0 {
			t.Fatalf("%+v", d.XOff)
		}
	}
	chip, _ := catalogue(t).Find("spectrum-1")
	const want = `NVIDIA's calculator has no release "2019"; there are spectrum:202405, spectrum:static-2021, spectrum:static-2020`
	if _, err := headroom.For(chip, "spectrum:2019"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
