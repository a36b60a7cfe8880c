package headroom_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
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
		must.Equalf(t, got, bad, "%d bytes: rows without answer:", length)
	}
}

// A row that is too long has no answer, whatever is in it, and the next one has.
func TestRowBehindOneThatIsTooLong(t *testing.T) {
	for _, filling := range []string{" ", "\t", "x"} {
		long := "th5,100000,40," + strings.Repeat(filling, 200_000)
		out, bad := batch(t, "chip,speed,cable,method\n"+long+"\nth5,100000,40,\n"+long+"\nth5,400000,5,\n")
		rows := strings.Split(strings.TrimSpace(out), "\n")
		if bad != 2 || len(rows) != 5 || !strings.HasPrefix(rows[2], "th5,100000,40,") || !strings.HasPrefix(rows[4], "th5,400000,5,") {
			t.Errorf("%q: %d without answer: %q", filling, bad, rows)
		}
	}
}

// Tomahawk 5 counts ports as those of a class of speeds, and on 300 m and more as at least 100 Gb/s, which is told
// where it is why.
func TestLongCablesAreToldWhereTheyCount(t *testing.T) {
	for _, c := range []struct {
		gbps, metres int64
		note         string
	}{{10, 5, ""}, {10, 299, ""}, {10, 300, "from 300m on at least 100Gbps"}, {60, 5, ""}, {60, 300, "from 300m on at least 100Gbps"}, {150, 300, ""}} {
		in := headroom.Defaults()
		in.Speed, in.Cable = units.BitRate(c.gbps)*units.Gbps, units.Length(c.metres)*units.Metre
		_, d, err := bind(t, "tomahawk5", "xgs").Explain(in)
		must.Do(t, err)
		if why := at(d.XOff, "rate"); why == nil || why.Kind != plan.Rounding || why.Note != c.note {
			t.Errorf("%+v: %+v", c, why)
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
		m := must.Get(headroom.For(lab(t, c.more), "xgs"))(t)
		in := bench()
		in.Speed = c.speed
		r, d, err := m.Explain(in)
		if err != nil || r.Size != c.size+r.XOff {
			t.Fatalf("%v: %+v, %v", c, r, err)
		}
		must.Equalf(t, fmt.Sprint(named(d.XOff, "response")), c.why, "at %v the response is of", c.speed)
		worst := must.Get(headroom.For(lab(t, c.more), "worst-case"))(t)
		if _, d, err := worst.Explain(in); err != nil || named(d.XOff, "frames") != "xoff_decided" {
			t.Errorf("that two frames come besides is of %q, %v", named(d.XOff, "frames"), err)
		}
		must.Equalf(t, named(d.Size, "reserve"), c.reserve, "the reserve is of")
	}
}

// named returns the datum of the catalogue that a derivation has under a symbol.
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
	must.Do(t, err)
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

// Between two rows each figure is on its line, up to a byte at either end, and the headroom up to a cell of
// 208 B; the larger xon counts. At 10 m of 5 to 30 that is a fifth of the way.
func TestTableInterpolatesEachFigure(t *testing.T) {
	m := tableMethod(t, "40000 5m 1000 2288 20800 0\n40000 30m 2003 2080 41600 0\n", true)
	in := headroom.Defaults()
	in.Speed = 40 * units.Gbps
	for cable, want := range map[units.Length]headroom.Result{
		5:  {Size: 1000, XOn: 2288, XOff: 20_800, Cells: 100},
		10: {Size: 800 + 401, XOn: 2288, XOff: 24_960, Cells: 120},
		29: {Size: 40 + 1923, XOn: 2288, XOff: 196 * 208, Cells: 196}, // 832 + 39,936
		30: {Size: 2003, XOn: 2080, XOff: 41_600, Cells: 200},
	} {
		in.Cable = cable * units.Metre
		r, d, err := m.Explain(in)
		if err != nil || r != want || d.XOff.Value != want.XOff || d.XOn.Value != want.XOn || d.Size.Value != want.Size {
			t.Errorf("%d m: %+v, %v, %v, want %+v", cable, r, d.Size.Value, err, want)
			continue
		}
		if exact := cable == 5 || cable == 30; (d.XOff.Kind == plan.Given) != exact || (d.XOff.Kind == plan.Rounding) == exact {
			t.Errorf("%d m: the headroom is %v", cable, d.XOff.Kind)
		}
		if cable != 5 && cable != 30 && (fmt.Sprint(d.Size.Terms[1].Why.Value, d.Size.Terms[2].Why.Value) != "1000B 2003B" || fmt.Sprint(d.XOn.Terms[1].Why.Value, d.XOn.Terms[2].Why.Value) != "2288B 2080B") {
			t.Errorf("%d m: the rows are %v", cable, d.Size.Terms)
		}
	}
}

// What comes while a peer responds is computed from what is declared of it, and else of the standard.
func TestSpectrumTellsTheResponse(t *testing.T) {
	for response, want := range map[units.Time]string{0: "25216B", units.Microsecond: "12500B"} {
		in := headroom.Defaults()
		in.Speed, in.PeerResponse = 100*units.Gbps, response
		_, d, err := bind(t, "spectrum-1", "spectrum").Explain(in)
		must.Do(t, err)
		why := find(d.XOff, "bytes while the peer responds")
		if why == nil || why.Value.String() != want || (why.Kind == plan.Formula) != (response > 0) {
			t.Errorf("%v: %+v, want %s", response, why, want)
		}
	}
	// At 100 Gb/s it is the standard's, in the release of 2020 and at a speed without quanta NVIDIA's.
	for _, c := range []struct {
		method, source string
		speed          units.BitRate
	}{{"spectrum", "IEEE 802.3", 100}, {"spectrum:static-2021", "IEEE 802.3", 100}, {"spectrum:static-2020", "asic_table.j2: peer_response_time", 100}, {"spectrum", "asic_table.j2: peer_response_time", 1600}} {
		in := headroom.Defaults()
		in.Speed = c.speed * units.Gbps
		_, d, err := bind(t, "spectrum-1", c.method).Explain(in)
		must.Do(t, err)
		if why := find(d.XOff, "bytes while the peer responds"); why == nil || !strings.Contains(why.Source, c.source) {
			t.Errorf("%+v: %+v", c, why)
		}
	}
}

// A row with two faults has two findings, each at its field, and gives no figures; the other rows do.
func TestRowWithTwoFaults(t *testing.T) {
	const good = "100000 40m 1248 2288 177632 0\n"
	table, found := headroom.ParseTable("t.ini", []byte("100000 5 1248 2288 -1 0\n"+good))
	if len(found) != 2 || found[0].Code != headroom.TableValue || found[1].Code != headroom.TableValue || found[0].Subject.Start.Column != 8 || found[1].Subject.Start.Column != 20 {
		t.Fatalf("%v", found)
	}
	chip, _ := catalogue(t).Find("th")
	m := must.Get(table.Method(chip, false))(t)
	in := headroom.Defaults()
	in.Speed, in.Cable = 100*units.Gbps, 40*units.Metre
	if r, err := m.Compute(in); err != nil || r.XOff != 177_632 {
		t.Errorf("%+v, %v", r, err)
	}
	in.Cable = 5 * units.Metre
	if r, err := m.Compute(in); err == nil {
		t.Errorf("the row with faults gives %+v", r)
	}
}
