package headroom_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

// row is one line of a CSV file by column name.
type row map[string]string

func (r row) number(t testing.TB, column string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(r[column], 10, 64)
	if err != nil {
		t.Fatalf("column %s: %v", column, err)
	}
	return n
}

func readCSV(t testing.TB, path string) []row {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	lines := must.Get(csv.NewReader(file).ReadAll())(t)
	var rows []row
	for _, line := range lines[1:] {
		r := make(row)
		for i, name := range lines[0] {
			r[name] = line[i]
		}
		rows = append(rows, r)
	}
	return rows
}

func catalogue(t testing.TB) *chips.Catalogue {
	t.Helper()
	cat, faults := chips.Load()
	if faults.HasErrors() {
		t.Fatalf("catalogue: %v", faults)
	}
	return cat
}

func bind(t testing.TB, chip, method string) headroom.Method {
	t.Helper()
	c, ok := catalogue(t).Find(chip)
	if !ok {
		t.Fatalf("no chip %q", chip)
	}
	m := must.Get(headroom.For(c, method))(t)
	return m
}

// Every row that SONiC's own calculator gave, to the byte.
func TestSpectrumIsTheCalculator(t *testing.T) {
	rows := readCSV(t, oracle.Figures(t, "spectrum_headroom.csv"))
	bound := make(map[string]headroom.Method)
	for i, r := range rows {
		m, ok := bound[r["asic"]]
		if !ok {
			m = bind(t, r["asic"], "spectrum")
			bound[r["asic"]] = m
		}
		in := spectrumInput(t, r)
		got := must.Get(m.Compute(in))(t)
		want := headroom.Result{
			XOff: units.Bytes(r.number(t, "xoff_bytes")), XOn: units.Bytes(r.number(t, "xon_bytes")),
			Size: units.Bytes(r.number(t, "size_bytes")), Cells: whole(r.number(t, "xoff_bytes"), r.number(t, "cell_size_bytes")),
		}
		must.Equalf(t, got, want, "row %d, %v: got", i+2, r)
		if explained, d, err := m.Explain(in); err != nil || explained != got || d.XOff.Value != got.XOff || d.XOn.Value != got.XOn || d.Size.Value != got.Size {
			t.Errorf("row %d: the derivation ends in %v, %v, %v, computed is %v", i+2, d.XOff.Value, d.XOn.Value, d.Size.Value, got)
		}
	}
	if len(rows) < 900 {
		t.Fatalf("%d rows, want all of them", len(rows))
	}
}

// whole is how many cells an amount takes.
func whole(bytes, cell int64) units.Cells { return units.Cells((bytes + cell - 1) / cell) }

func spectrumInput(t testing.TB, r row) headroom.Input {
	return headroom.Input{
		Speed: units.BitRate(r.number(t, "speed_mbps")) * units.Mbps, Cable: units.Length(r.number(t, "cable_m")) * units.Metre,
		PortMTU: units.Bytes(r.number(t, "port_mtu_bytes")), LosslessMTU: units.Bytes(r.number(t, "lossless_mtu_bytes")),
		SmallPackets: units.Ratio(r.number(t, "small_packet_percent")) * units.Percent,
		Gearbox:      units.Time(r.number(t, "gearbox_delay_ns")) * units.Nanosecond,
		Lanes:        int(r.number(t, "lanes")), OverSubscribe: int(r.number(t, "over_subscribe_ratio")),
	}
}
