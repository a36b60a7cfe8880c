package chips_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

// silicon is what this test needs of SONiC's hardware tests: configuration in, packets
// of one cell until the first pause out.
type silicon struct {
	Chip     string `json:"chip"`
	Topology string `json:"topology"`
	Config   struct {
		Cell units.Bytes `json:"cell_bytes"`
		Pool struct {
			Size     int64  `json:"size_bytes"`
			Headroom int64  `json:"headroom_pool_bytes"`
			Means    string `json:"size_means"`
		} `json:"ingress_pool"`
		Ports int64 `json:"lossless_ports"`
		PG    struct {
			Reserved int64       `json:"reserved_bytes"`
			XOff     int64       `json:"xoff_bytes"`
			Alpha    units.Alpha `json:"dynamic_th"`
		} `json:"pg"`
		LossyQueue struct {
			Reserved int64 `json:"reserved_bytes"`
		} `json:"lossy_queue"`
	} `json:"config"`
	Expect struct {
		Pause int64 `json:"packets_to_first_pause"`
	} `json:"expect"`
}

func readSilicon(t *testing.T) []silicon {
	t.Helper()
	text := must.Get(os.ReadFile(oracle.Figures(t, "silicon_thresholds.json")))(t)
	var rows []silicon
	must.Do(t, json.Unmarshal(text, &rows))
	return rows
}

func TestCellsAndPoolsAgreeWithHardwareTests(t *testing.T) {
	c := own(t)
	for _, row := range readSilicon(t) {
		chip, ok := c.Find(row.Chip)
		if !ok {
			t.Errorf("no chip %q", row.Chip)
			continue
		}
		if row.Config.Cell == 0 {
			continue // accounted in bytes
		}
		if got, err := chip.CellSize.Get(); err != nil || got != row.Config.Cell {
			t.Errorf("%s: cell of %v, the test counts %v", chip.Name, got, row.Config.Cell)
		}
		means, _, _ := strings.Cut(row.Config.Pool.Means, ":")
		if means == "gross, no headroom pool" {
			means = string(chips.GrossOwnHeadroom)
		}
		if got, err := chip.PoolSize.Get(); err != nil || string(got) != means {
			t.Errorf("%s: a pool's size is %q, the test's is %q", chip.Name, got, means)
		}
		if got, err := chip.HeadroomPool.Get(); err != nil || got != (row.Config.Pool.Headroom > 0) {
			t.Errorf("%s: headroom pool %v, the test's has %d B", chip.Name, got, row.Config.Pool.Headroom)
		}
	}
}

// The number of slices is the one that explains the first pause, alpha·B/(1+alpha)+m
// with B the shared cells of one slice, better than any other.
func TestSlicesExplainTheFirstPause(t *testing.T) {
	c := own(t)
	for _, row := range readSilicon(t) {
		if row.Config.Cell == 0 || row.Expect.Pause == 0 {
			continue
		}
		chip, _ := c.Find(row.Chip)
		best, bestOff := 0, int64(1)<<62
		for _, n := range []int64{1, 2, 3, 4, 8} {
			if off := distance(row.firstPause(chip, n), row.Expect.Pause); off < bestOff {
				best, bestOff = int(n), off
			}
		}
		if got, err := chip.Slices.Get(); err != nil || got != best {
			t.Errorf("%s, %s: %d slices in the catalogue, %d explain the first pause at %d packets best, %d away",
				chip.Name, row.Topology, got, best, row.Expect.Pause, bestOff)
		}
	}
}

// firstPause returns the number of one-cell packets of the first pause on n slices.
func (s silicon) firstPause(chip *chips.Chip, n int64) int64 {
	shared := s.Config.Pool.Size
	switch chip.PoolSize.Or("") {
	case chips.Gross:
		shared -= s.Config.Pool.Headroom + s.Config.Ports*(2*s.Config.PG.Reserved+5*n*s.Config.LossyQueue.Reserved)
	case chips.GrossOwnHeadroom:
		shared -= s.Config.Ports * 2 * (s.Config.PG.XOff + s.Config.PG.Reserved)
	}
	cells := shared / n / int64(s.Config.Cell)
	num, den := s.Config.PG.Alpha.Fraction()
	return cells*num/(den+num) + s.Config.PG.Reserved/int64(s.Config.Cell)
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

func readCSV(t *testing.T, name string) []map[string]string {
	t.Helper()
	file := must.Get(os.Open(oracle.Figures(t, name)))(t)
	defer file.Close()
	lines := must.Get(csv.NewReader(file).ReadAll())(t)
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCellsAgreeWithNVIDIAsCalculator(t *testing.T) {
	c := own(t)
	seen := map[string]bool{}
	for _, row := range readCSV(t, "spectrum_headroom.csv") {
		chip, ok := c.Find(row["asic"])
		if !ok {
			t.Fatalf("no chip %q", row["asic"])
		}
		if got := fmt.Sprint(int64(chip.CellSize.Or(0))); got != row["cell_size_bytes"] {
			t.Fatalf("%s: cell of %s B, the calculator uses %s", chip.Name, got, row["cell_size_bytes"])
		}
		seen[chip.Name] = true
	}
	must.Equalf(t, len(seen), 6, "generations compared:")
}

// Pools that ship with SONiC fit into the packet buffer and are whole cells. Those that
// do not are listed for everybody to see: most are another chip's table.
func TestPoolsThatShipFitTheChip(t *testing.T) {
	c := own(t)
	disagree := map[string]bool{}
	compared := 0
	for _, row := range readCSV(t, "sonic_pools.csv") {
		chip, ok := c.Find(row["asic"])
		if !ok {
			disagree[fmt.Sprintf("%-12s no such chip in the catalogue", row["asic"])] = true
			continue
		}
		for _, pool := range []string{"ingress_lossless_pool", "egress_lossless_pool", "ingress_lossy_pool", "egress_lossy_pool"} {
			size, err := strconv.ParseInt(row[pool+"_size"], 10, 64)
			if err != nil {
				continue // the table has no such pool
			}
			compared++
			where := fmt.Sprintf("%-12s %-40s %-21s %12d B", chip.Name, row["hwsku"], pool, size)
			if limit, err := chip.PacketBuffer.Get(); err == nil && size > int64(limit) {
				disagree[fmt.Sprintf("%s  more than the packet buffer, %v", where, limit)] = true
			}
			if cell := int64(chip.CellSize.Or(1)); chip.Family == chips.XGS && size%cell != 0 {
				disagree[fmt.Sprintf("%s  no whole number of cells of %d B", where, cell)] = true
			}
		}
	}
	if compared < 500 {
		t.Errorf("%d pools compared, too few", compared)
	}
	diagtest.Golden(t, "../golden/chips/pools.txt", "Pools in sonic-buildimage (086b03bd) that disagree with the chip catalogue.\n\n"+
		strings.Join(slices.Sorted(maps.Keys(disagree)), "\n")+"\n")
}
