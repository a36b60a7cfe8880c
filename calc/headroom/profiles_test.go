package headroom_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

const profilesGolden = "../../golden/pg_profiles.txt"

// platforms says which table is checked against a platform's own constants rather than
// the chip's, by the first HwSKU that ships it.
var platforms = map[string]string{
	"Arista-7050SX3-48C8":   "xgs:arista",
	"Arista-7260CX3-D96C16": "xgs:arista-d96c16",
	"Nokia-IXR7220-H6-O256": "xgs:nokia",
	"Nokia-IXR7220-D4-36D":  "xgs:nokia",
}

// shipped is one row of a table that ships with SONiC.
type shipped struct {
	table, asic, sku string
	in               headroom.Input
	xoff, xon, size  units.Bytes
}

func readShipped(t *testing.T) []shipped {
	var all []shipped
	for _, r := range readCSV(t, oracle.Figures(t, "sonic_pg_profiles.csv")) {
		in := headroom.Defaults()
		in.Speed, in.Cable = units.BitRate(r.number(t, "speed_mbps"))*units.Mbps, units.Length(r.number(t, "cable_m"))*units.Metre
		sku, _, _ := strings.Cut(r["hwskus"], " ")
		all = append(all, shipped{r["table"], r["asic"], sku, in,
			units.Bytes(r.number(t, "xoff_bytes")), units.Bytes(r.number(t, "xon_bytes")), units.Bytes(r.number(t, "size_bytes"))})
	}
	return all
}

// readAnomalies returns what is known to be wrong: "table", or "table speed cable".
func readAnomalies(t *testing.T) map[string]bool {
	wrong := make(map[string]bool)
	for _, r := range readCSV(t, oracle.Figures(t, "sonic_pg_anomalies.csv")) {
		if r["speed_mbps"] == "-" || r["speed_mbps"] == "*" {
			wrong[r["blob"]] = true
			continue
		}
		wrong[r["blob"]+" "+r["speed_mbps"]+" "+strings.TrimSuffix(r["cable_m"], ".0")] = true
	}
	return wrong
}

func (s *shipped) named(wrong map[string]bool) bool {
	return wrong[s.table] || wrong[fmt.Sprintf("%s %d %d", s.table, s.in.Speed/units.Mbps, s.in.Cable/units.Metre)]
}

// compared is a row with our figure.
type compared struct {
	shipped
	method string
	ours   units.Bytes
}

// off returns the relative error in parts per million, negative where ours is lower.
func (c *compared) off() int64 { return int64(c.ours-c.xoff) * 1_000_000 / int64(c.xoff) }

func abs(n int64) int64 { return max(n, -n) }

// distribution prints how far a set of rows is off.
func distribution(rows []compared) (line string, median int64, within5 int) {
	errors := make([]int64, len(rows))
	lower, exact := 0, 0
	for i, c := range rows {
		errors[i] = abs(c.off())
		if errors[i] <= 50_000 {
			within5++
		}
		if c.ours < c.xoff {
			lower++
		}
		if c.ours == c.xoff {
			exact++
		}
	}
	slices.Sort(errors)
	n := len(errors)
	median = errors[n/2]
	return fmt.Sprintf("%4d %5d %7s %7s %7s %5d/%d %6d", n, exact, percent(median), percent(errors[(9*n+9)/10-1]), percent(errors[n-1]), within5, n, lower), median, within5
}

func percent(ppm int64) string {
	sign := ""
	if ppm < 0 {
		sign, ppm = "-", -ppm
	}
	return fmt.Sprintf("%s%d.%02d%%", sign, ppm/10_000, ppm/100%100)
}

// The figures of method xgs beside the headroom tables that ship with SONiC. The
// report lists the distribution by chip and every row that differs, so that nobody
// has to take a tolerance on trust.
func TestProfilesThatShip(t *testing.T) {
	var report strings.Builder
	report.WriteString(profilesHead)
	cat, wrong := catalogue(t), readAnomalies(t)
	byChip, alone := make(map[string][]compared), make(map[string][]compared)
	var unknown []string
	dropped := make(map[string]int)
	for _, s := range readShipped(t) {
		chip, ok := cat.Find(s.asic)
		if strings.HasPrefix(s.asic, "spectrum") {
			continue
		}
		if !ok || chip.XGSHeadroom.Fixed.Fact() == nil {
			if !slices.Contains(unknown, s.asic) {
				unknown = append(unknown, s.asic)
			}
			continue
		}
		if s.named(wrong) {
			dropped[chip.Name]++
			continue
		}
		byChip[chip.Name] = append(byChip[chip.Name], compare(t, chip, s, cmp.Or(platforms[s.sku], "xgs")))
		alone[chip.Name] = append(alone[chip.Name], compare(t, chip, s, "xgs"))
	}
	report.WriteString("chip           dropped rows exact  median     p90     max  within 5%  lower\n")
	names := slices.Sorted(mapKeys(byChip))
	for _, name := range names {
		line, median, within5 := distribution(byChip[name])
		fmt.Fprintf(&report, "%-14s %7d %s\n", name, dropped[name], line)
		if n := len(byChip[name]); median > 20_000 || within5*10 < n*9 {
			t.Errorf("%s: median %s, %d of %d rows within 5 %%", name, percent(median), within5, n)
		}
		if usesPlatform(byChip[name]) {
			line, _, _ := distribution(alone[name])
			fmt.Fprintf(&report, "  chip's alone %7d %s\n", dropped[name], line)
		}
	}
	if len(names) < 8 {
		t.Errorf("%d chips were compared, too few to mean anything", len(names))
	}
	slices.Sort(unknown)
	fmt.Fprintf(&report, "\nNo constants: %s.\n", strings.Join(unknown, ", "))
	writeDisagreements(&report, names, byChip)
	writeNVIDIA(t, &report, cat)
	checkGolden(t, profilesGolden, report.String())
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func usesPlatform(rows []compared) bool {
	return slices.ContainsFunc(rows, func(c compared) bool { return c.method != "xgs" })
}

func compare(t *testing.T, chip *chips.Chip, s shipped, method string) compared {
	t.Helper()
	m := must.Get(headroom.For(chip, method))(t)
	r := must.Get(m.Compute(s.in))(t)
	return compared{s, method, r.XOff}
}

// writeDisagreements lists every row that is not equal, worst first in each chip.
func writeDisagreements(w *strings.Builder, names []string, byChip map[string][]compared) {
	w.WriteString("\nEvery row that differs\n======================\n")
	for _, name := range names {
		rows := slices.DeleteFunc(slices.Clone(byChip[name]), func(c compared) bool { return c.ours == c.xoff })
		slices.SortStableFunc(rows, func(a, b compared) int { return cmp.Compare(abs(b.off()), abs(a.off())) })
		if len(rows) == 0 {
			fmt.Fprintf(w, "\n%s: none\n", name)
			continue
		}
		fmt.Fprintf(w, "\n%s\n  %-34s %-18s %7s %8s %9s %9s %8s\n", name, "hwsku", "method", "speed", "cable", "ours", "theirs", "off")
		for _, c := range rows {
			mark := ""
			if c.ours < c.xoff {
				mark = " LOWER"
			}
			fmt.Fprintf(w, "  %-34s %-18s %7s %8s %9d %9d %8s%s\n", c.sku, c.method, c.in.Speed, c.in.Cable, c.ours, c.xoff, percent(c.off()), mark)
		}
	}
}

func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	if *diagtest.Update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, gocmp.Diff(string(want), got), "%s (-golden +now), -update rewrites it:", path)
}

const profilesHead = `Headroom beside the tables that ship with SONiC
===============================================

Theirs: sonic-buildimage 086b03bd (2026-08), pg_profile_lookup.ini of each HwSKU; tables
that are the same file count once, under the first HwSKU that ships it. Ours: method xgs
with the chip's constants, or xgs:NAME with a platform's own. Off is ours against theirs.
LOWER marks the rows where ours is lower: the dangerous side.

Dropped rows are known to be wrong, each for a stated reason: flat tables, tables of
another chip's cell size, rows that do not grow with the cable or with the speed.

Tables of one chip that disagree beyond any formula, so that platforms have constants of
their own:
 - Trident 3: Dell's S5232f and the like, in cells of 256 B, against Arista's 7050SX3, which
   is Tomahawk's table in cells of 208 B (Force10-S6100, a Tomahawk, ships the same file).
   Arista's 7050CX3 is flat at 160,000 B.
 - Tomahawk 2: Arista's 7260CX3-C64 assumes packets of 144 B, 7260CX3-D96C16 has
   Tomahawk's figures at 40 m and 300 m. Dell's Z9264f, which is dropped, fits 84 B a cell.
 - Trident 4 and Tomahawk 6: Nokia's tables assume packets of 257 B and 260 B where Dell's
   and Nexthop's take 64 B. On Tomahawk 6 that holds from 100G on, so that 100G needs less
   than 50G; those rows are among the dropped ones, and follow the formula all the same.
"chip's alone" is what the chip's constants give for these platforms.

`
