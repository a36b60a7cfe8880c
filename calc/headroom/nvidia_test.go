package headroom_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// parameters are what an NVIDIA table was made with, as far as its figures tell.
type parameters struct {
	sku          string // the first that ships the table
	method       string
	portMTU      units.Bytes
	losslessMTU  units.Bytes
	smallPackets units.Ratio
	gearbox      units.Time
	farFrom      units.Length // from this length on, with a port MTU of 1024 B; 0: never
}

const (
	all, half = 100 * units.Percent, 50 * units.Percent
	tool2020  = "spectrum:static-2020"
	tool2021  = "spectrum:static-2021"
	tool2024  = "spectrum:202405"
)

// nvidia are the parameters of every table. They were found by trying customary values
// in turn; where several give the same figures, the most customary is here.
var nvidia = []parameters{
	{"ACS-MSN2010", tool2020, 9216, 1024, all, 0, 0},
	{"ACS-SN2201", tool2020, 9216, 1024, all, 0, 0},
	{"Mellanox-SN2700", tool2020, 9216, 1024, half, 0, 0},
	{"Mellanox-SN2700-A1-D40C8S8", tool2020, 9216, 1024, half, 0, 0},
	{"ACS-MSN3420", tool2020, 9216, 1024, all, 0, 0},
	{"ACS-MSN3800", tool2020, 9216, 1024, all, 400 * units.Nanosecond, 0},
	{"Mellanox-SN3800-C64", tool2020, 9216, 1024, half, 400 * units.Nanosecond, 0},
	{"ACS-MSN4410", tool2020, 9216, 1024, all, 0, 0},
	{"ACS-SN4280", tool2020, 9216, 1024, all, 0, 0},
	{"Mellanox-SN4600C-C64", tool2021, 9216, 1024, half, 0, 0},
	{"Mellanox-SN4280-C48", tool2024, 1024, 9216, 35 * units.Percent, 0, 0},
	{"Mellanox-SN4280-O28", tool2024, 1024, 9216, 35 * units.Percent, 0, 0},
	{"Mellanox-SN4700-O32", tool2024, 1024, 9216, 35 * units.Percent, 0, 0},
	{"ACS-SN5400", tool2024, 9216, 1024, all, 0, 0},
	{"ACS-SN5600", tool2024, 9216, 1024, all, 0, 0},
	{"Mellanox-SN5600-C256S1", tool2024, 9216, 4096, half, 0, 1000 * units.Metre},
	{"Mellanox-SN5600-C224O8", tool2024, 9216, 4096, half, 0, 250 * units.Metre},
	{"Mellanox-SN5610N-C224O8", tool2024, 9216, 4096, half, 0, 250 * units.Metre},
	{"Mellanox-SN5610N-C256S2", tool2024, 9216, 4096, half, 0, 250 * units.Metre},
	{"Mellanox-SN5640-C448O16", tool2024, 9216, 4096, half, 0, 0},
	{"ACS-SN6600", tool2024, 9216, 4096, half, 0, 0},
	{"ACS-SN6600_LD", tool2024, 9216, 4096, half, 0, 0},
	{"ACS-SN6810_LD", tool2024, 9216, 4096, half, 0, 0},
}

// wide are the speeds at which the tables' ports have eight lanes.
var wide = map[string]units.BitRate{"spectrum3": 400 * units.Gbps, "spectrum4": 800 * units.Gbps}

func (p *parameters) input(s *shipped, pooled bool) headroom.Input {
	in := s.in
	in.PortMTU, in.LosslessMTU, in.SmallPackets, in.Gearbox = p.portMTU, p.losslessMTU, p.smallPackets, p.gearbox
	if p.farFrom > 0 && in.Cable >= p.farFrom {
		in.PortMTU = 1024
	}
	if in.Speed == wide[s.asic] {
		in.Lanes = 8
	}
	if pooled {
		in.OverSubscribe = 2
	}
	if s.asic == "spectrum6" && in.Speed == 800*units.Gbps {
		// Twice the quanta of 400G, where the calculator in SONiC has those of 400G.
		in.PeerResponse = 2 * 905 * 512 * 1250 * units.Picosecond / 1000
	}
	return in
}

func (p *parameters) String() string {
	text := fmt.Sprintf("%s, port MTU %d, lossless MTU %d, small packets %s", p.method, p.portMTU, p.losslessMTU, p.smallPackets)
	if p.gearbox > 0 {
		text += ", gearbox " + p.gearbox.String()
	}
	if p.farFrom > 0 {
		text += fmt.Sprintf(", port MTU 1024 from %s on", p.farFrom)
	}
	return text
}

// writeNVIDIA lists each table with the parameters that reproduce it.
func writeNVIDIA(t *testing.T, w *strings.Builder, cat *chips.Catalogue) {
	w.WriteString(nvidiaHead)
	rows := slices.DeleteFunc(readShipped(t), func(s shipped) bool { return !strings.HasPrefix(s.asic, "spectrum") })
	exact, total := 0, 0
	for _, p := range nvidia {
		table := slices.DeleteFunc(slices.Clone(rows), func(s shipped) bool { return s.sku != p.sku })
		if len(table) == 0 {
			t.Errorf("there is no table of %s", p.sku)
			continue
		}
		n, others := p.hold(t, cat, table)
		exact, total = exact+n, total+len(table)
		fmt.Fprintf(w, "\n%s (%s): %d of %d\n  %s\n%s", p.sku, table[0].asic, n, len(table), p.String(), others)
	}
	fmt.Fprintf(w, "\nExact: %d of %d rows, %s.\n", exact, total, percent(int64(exact)*1_000_000/int64(total)))
	if total != len(rows) {
		t.Errorf("%d NVIDIA rows of %d have parameters", total, len(rows))
	}
	if exact*10 < total*8 {
		t.Errorf("%d of %d NVIDIA rows are exact, 80 %% are expected", exact, total)
	}
}

// hold compares a table with the calculator and returns the rows that are not equal.
func (p *parameters) hold(t *testing.T, cat *chips.Catalogue, table []shipped) (exact int, others string) {
	chip, ok := cat.Find(table[0].asic)
	if !ok {
		t.Fatalf("no chip %s", table[0].asic)
	}
	m := must.Get(headroom.For(chip, p.method))(t)
	pooled := mostlyPooled(table)
	var list strings.Builder
	for _, s := range table {
		r := must.Get(m.Compute(p.input(&s, pooled)))(t)
		if r.XOff == s.xoff && r.XOn == s.xon && r.Size == s.size {
			exact++
			continue
		}
		mark := ""
		if r.XOff < s.xoff {
			mark = " LOWER"
		}
		if s.xoff == (r.XOff / 2).CeilTo(units.KiB) {
			mark += " (theirs is half)"
		}
		fmt.Fprintf(&list, "  %7s %6s  xon %d xoff %d size %d, theirs %d %d %d%s\n", s.in.Speed, s.in.Cable, r.XOn, r.XOff, r.Size, s.xon, s.xoff, s.size, mark)
	}
	return exact, list.String()
}

// mostlyPooled reports whether a table is made for a shared headroom pool, in which the
// size is xon alone. Mellanox-SN5600-C256S1 is, except for one row.
func mostlyPooled(table []shipped) bool {
	pooled := 0
	for _, s := range table {
		if s.size == s.xon {
			pooled++
		}
	}
	return 2*pooled > len(table)
}

const nvidiaHead = `
NVIDIA
======

xon, xoff and size of each row against NVIDIA's calculator under the parameters that the
table's figures show. Releases: 202405 is the calculator in SONiC before sonic-swss#4757 and
#4797; the static tables of 2020 and 2021 come from a tool that counts small packets by
number, 2020 with a response of 3.8 KiB at every speed. Ports of 400G on Spectrum-3 and 800G
on Spectrum-4 have eight lanes. Spectrum-6 at 800G: 1810 quanta of response.
What is left: 2000 m on Spectrum-1 to 3 is half of the figure; on SN4700 and SN4280, 400G at
1500 m and 2000 m repeats 200G and a few other long cables have one step of 1 KiB less; 30 m on
SN4280-C48 repeats 40 m; below 10G SN2201 repeats 10G; two sizes of SN5400 and SN5600 are rounded
once where the calculator rounds twice; one size of SN5600-C256S1 is that without a pool.
`
