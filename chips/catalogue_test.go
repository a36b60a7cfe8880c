package chips_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

func own(t testing.TB) *chips.Catalogue {
	t.Helper()
	c, found := chips.Load()
	if len(found) > 0 {
		t.Fatalf("the embedded catalogue has findings: %+v", found)
	}
	return c
}

func TestCatalogueHasTheChipsThatFabricsAreBuiltOf(t *testing.T) {
	c := own(t)
	for alias, name := range map[string]string{
		"td2": "trident2", "td2+": "trident2plus", "TD3": "trident3", "td4": "trident4-x9", "trident4": "trident4-x9",
		"th": "tomahawk", "th2": "tomahawk2", "th3": "tomahawk3", "th4": "tomahawk4", "th5": "tomahawk5", "th6": "tomahawk6",
		"trident-3": "trident3", "tomahawk-5": "tomahawk5", "BCM78900": "tomahawk5",
		"jr2": "jericho2", "j2": "jericho2", "j2c+": "jericho2c+", "jr2c+": "jericho2c+",
		"spectrum": "spectrum1", "spectrum-2": "spectrum2", "spectrum-3": "spectrum3", "Spectrum-4": "spectrum4",
		"spectrum-5": "spectrum5", "spectrum-6": "spectrum6", "spc4": "spectrum4",
		"tl7": "teralynx7", "tl10": "teralynx10", "tofino1": "tofino", "tofino-2": "tofino2", "trident4-x11": "trident4-x11",
	} {
		if chip, ok := c.Find(alias); !ok || chip.Name != name {
			t.Errorf("Find(%q) = %v, want %s", alias, chip, name)
		}
	}
	if chip, ok := c.Find("tomahawk99"); ok {
		t.Errorf("Find(tomahawk99) = %s", chip.Name)
	}
	if names := c.Names(); !slices.IsSorted(names) || len(names) != len(c.Chips()) {
		t.Errorf("Names() = %v", names)
	}
}

func TestEveryDatumSaysWhereItComesFrom(t *testing.T) {
	for _, chip := range own(t).Chips() {
		if len(chip.Facts()) == 0 {
			t.Errorf("%s has no data", chip.Name)
		}
		for _, f := range chip.Facts() {
			if len(f.Source) < 8 || f.Text == "" || f.Value == nil {
				t.Errorf("%s.%s: value %q, source %q", chip.Name, f.Name, f.Text, f.Source)
			}
			if !slices.Contains([]string{"assumed", "inferred", "published", "measured"}, f.Confidence) {
				t.Errorf("%s.%s has the confidence %q", chip.Name, f.Name, f.Confidence)
			}
			if f.Confidence == "measured" && !strings.Contains(f.Source, "sonic-mgmt tests/qos") {
				t.Errorf("%s.%s is called measured, but no hardware test is cited: %s", chip.Name, f.Name, f.Source)
			}
		}
	}
}

func TestAskingForWhatIsUnknownNamesChipAndDatum(t *testing.T) {
	chip, _ := own(t).Find("teralynx10")
	_, err := chip.Slices.Get()
	var unknown *chips.Unknown
	if !errors.As(err, &unknown) || unknown.Chip != "teralynx10" || unknown.Datum != "slices" {
		t.Errorf("Slices.Get() = %v", err)
	}
	if got := err.Error(); !strings.Contains(got, "slices") || !strings.Contains(got, "teralynx10") {
		t.Errorf("the error %q names neither chip nor datum", got)
	}
	if !slices.Contains(chip.Unknown(), "slices") || chip.Slices.Or(7) != 7 || chip.Slices.Fact() != nil {
		t.Error("slices of teralynx10 are not treated as unknown")
	}
}

// What would make a plan nonsense if it were mistyped.
func TestDataOfAChipAgreeWithEachOther(t *testing.T) {
	for _, c := range own(t).Chips() {
		cell, err := c.CellSize.Get()
		if err != nil {
			continue // see TestUnpublishedBuffers
		}
		block := cell // what memory is handed out in
		if unit := c.HeadroomCell.Or(0); unit > cell {
			block = unit
			if got := units.Bytes(64) + c.PacketMetadata.Or(0); got != 112 || got%cell != 0 { // sonic-mgmt, qos_params of Jericho: 112 B for 64 B
				t.Errorf("%s: a packet of 64 B is charged as %v, in units of %v", c.Name, got, cell)
			}
		}
		if block < 64 || block > 4096 {
			t.Errorf("%s: a cell of %v", c.Name, cell)
		}
		if usable, whole := c.UsableBuffer.Or(0), c.PacketBuffer.Or(1<<40); usable > whole {
			t.Errorf("%s: usable buffer %v is more than all, %v", c.Name, usable, whole)
		}
		if c.Family == chips.XGS && c.UsableBuffer.Fact() != nil && c.UsableBuffer.Or(0)%cell != 0 {
			t.Errorf("%s: usable buffer %v is not a whole number of cells of %v", c.Name, c.UsableBuffer.Or(0), cell)
		}
		if c.PacketMetadata.Or(0) >= block {
			t.Errorf("%s: metadata %v fills a cell of %v", c.Name, c.PacketMetadata.Or(0), cell)
		}
		menu := c.Alphas.Or(nil)
		for i := 1; i < len(menu); i++ {
			must.Equalf(t, menu[i], menu[i-1]+1, "%s: alphas skip from %v to", c.Name, menu[i-1])
		}
		if ports, speeds := c.MaxPorts.Or(0), c.PortSpeeds.Or(nil); ports > 0 && units.BitRate(ports)*speeds[0] > c.Capacity.Or(1<<62) {
			t.Errorf("%s: %d ports at %v are more than %v", c.Name, ports, speeds[0], c.Capacity.Or(0))
		}
	}
}

// A chip has all constants of the method that it names, or it could not be planned.
func TestHeadroomMethodHasItsConstants(t *testing.T) {
	need := map[string][]string{
		"xgs":       {"cell_size", "headroom_fixed", "headroom_response", "headroom_wire_per_cell"},
		"spectrum":  {"cell_size", "pipeline_latency", "port_reserved", "private_headroom"},
		"tofino":    {"cell_size", "pipeline_latency"},
		"ieee8021q": {"cell_size"},
	}
	for _, c := range own(t).Chips() {
		if c.CellSize.Fact() == nil {
			continue // see TestUnpublishedBuffers
		}
		method, err := c.HeadroomMethod.Get()
		if err != nil {
			t.Error(err)
			continue
		}
		unknown := c.Unknown()
		for _, name := range need[method] {
			if slices.Contains(unknown, name) {
				t.Errorf("%s uses %s without %s", c.Name, method, name)
			}
		}
		if need[method] == nil {
			t.Errorf("%s: no chip can have the method %q by itself", c.Name, method)
		}
	}
}

// Chips of which nobody publishes how they divide memory have no datum of a buffer at all, so
// that nothing can be planned for them by chance.
func TestUnpublishedBuffers(t *testing.T) {
	unpublished := []string{"jericho3-ai", "trident5-x12"}
	var found []string
	for _, c := range own(t).Chips() {
		if c.CellSize.Fact() != nil {
			continue
		}
		found = append(found, c.Name)
		if c.PacketBuffer.Fact() != nil || c.UsableBuffer.Fact() != nil || c.HeadroomMethod.Fact() != nil {
			t.Errorf("%s has no cell_size, and a buffer all the same", c.Name)
		}
	}
	if !slices.Equal(found, unpublished) {
		t.Errorf("chips without cell_size: %v, want %v", found, unpublished)
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		chips.Load()
	}
}

func BenchmarkLoadAndFindOne(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, _ := chips.Load()
		c.Find("th5")
	}
}

func BenchmarkLoadAndReadAll(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, _ := chips.Load()
		c.Chips()
	}
}
