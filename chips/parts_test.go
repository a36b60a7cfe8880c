package chips_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// Lanes and parts by the SDK's maps: tomahawk.c:1813-1862 (ingress pipes 0 and 3 write to
// XPE 0 and 1, egress pipes 0 and 1 read from XPE 0 and 2), tomahawk3.c:1884-1901,
// bcm56990_a0_tm_thd.c:41-57.
func TestPartsOfLanes(t *testing.T) {
	for _, want := range []struct {
		chip            string
		lane            int
		ingress, egress string
	}{
		{"tomahawk", 1, "[0 1]", "[0 2]"},
		{"tomahawk", 32, "[0 1]", "[0 2]"},
		{"tomahawk", 33, "[2 3]", "[0 2]"}, // pipe 1
		{"tomahawk", 65, "[2 3]", "[1 3]"}, // pipe 2
		{"tomahawk", 128, "[0 1]", "[1 3]"},
		{"tomahawk", 129, "unknown", "unknown"}, // management
		{"tomahawk2", 193, "[0 1]", "[1 3]"},
		{"tomahawk3", 64, "[0]", "[0 1]"},
		{"tomahawk3", 65, "[1]", "[0 1]"},
		{"tomahawk3", 192, "[1]", "[0 1]"},
		{"tomahawk3", 193, "[0]", "[0 1]"},
		{"tomahawk4", 128, "[0]", "[0 1]"},
		{"tomahawk4", 129, "[1]", "[0 1]"},
		{"tomahawk4", 385, "[0]", "[0 1]"},
		{"trident4-x11", 65, "[1]", "[0 1]"},
		{"trident3", 99, "[0]", "[0]"},
		{"tomahawk5", 1, "unknown", "unknown"}, // two parts, and no public map
		{"teralynx10", 1, "unknown", "unknown"},
	} {
		chip, _ := own(t).Find(want.chip)
		show := func(parts []int, ok bool) string {
			if !ok {
				return "unknown"
			}
			return fmt.Sprint(parts)
		}
		must.Equalf(t, show(chip.IngressParts(want.lane)), want.ingress, "%s: lane %d writes to", want.chip, want.lane)
		must.Equalf(t, show(chip.EgressParts(want.lane)), want.egress, "%s: lane %d reads from", want.chip, want.lane)
	}
}

// The catalogue against the SDK's constants, chip by chip.
func TestCatalogueAgreesWithTheSDK(t *testing.T) {
	c, compared := own(t), 0
	for _, row := range readCSV(t, "openbcm_chips.csv") {
		chip, ok := c.Find(row["chip"])
		if !ok {
			continue
		}
		compared++
		number := func(column string) int64 { n, _ := strconv.ParseInt(row[column], 10, 64); return n }
		hold := func(datum string, got, want int64) {
			if got != want {
				t.Errorf("%s: %s is %d, the SDK has %d", chip.Name, datum, got, want)
			}
		}
		hold("cell_size", int64(chip.CellSize.Or(0)), number("cell_bytes"))
		hold("packet_metadata", int64(chip.PacketMetadata.Or(0)), number("packet_header_bytes"))
		hold("slices", int64(chip.Slices.Or(0)), number("parts"))
		hold("physical_buffer", int64(chip.PhysicalBuffer.Or(0)), number("physical_bytes"))
		hold("max_packet", int64(chip.MaxPacket.Or(0)), number("max_packet_bytes"))
		if most := number("wred_threshold_max_cells"); most > 0 {
			hold("marking_max", int64(chip.Marking.Max.Or(0)), most*number("cell_bytes"))
		}
		if chip.Name == "trident2" {
			continue // a pool of 61,376 cells ships, see the note of its packet_buffer
		}
		hold("packet_buffer", int64(chip.PacketBuffer.Or(0)), number("usable_bytes"))
	}
	if compared < 10 {
		t.Errorf("%d chips compared", compared)
	}
}

// The headrooms of the SDK, each of them.
func TestHeadroomsOfTheSDK(t *testing.T) {
	c, compared := own(t), 0
	for _, row := range readCSV(t, "openbcm_headroom.csv") {
		chip, ok := c.Find(row["chip"])
		if !ok {
			continue
		}
		compared++
		mbps, _ := strconv.Atoi(row["speed_mbps"])
		values := chip.SDKHeadroom.LineRate
		if row["oversubscribed"] == "1" {
			values = chip.SDKHeadroom.Oversubscribed
		}
		got := "none"
		for i, speed := range chip.SDKHeadroom.Speeds.Or(nil) {
			if speed == units.BitRate(mbps)*units.Mbps {
				got = fmt.Sprint(int64(values.Or(nil)[i]))
			}
		}
		if got != row["pg_headroom_cells"] {
			t.Errorf("%s at %d Mb/s, oversubscribed %s: %s cells, the SDK has %s", chip.Name, mbps, row["oversubscribed"], got, row["pg_headroom_cells"])
		}
	}
	if compared < 60 {
		t.Errorf("%d headrooms compared", compared)
	}
}

// facts/openbcm.md 39: 0 to 10 % by 1, then 25, 50, 75, 100 %.
func TestMarkingSteps(t *testing.T) {
	for _, name := range []string{"tomahawk", "trident3", "tomahawk5"} {
		chip, _ := own(t).Find(name)
		steps := chip.Marking.Steps.Or(nil)
		if len(steps) != 15 || steps[10] != 10*units.Percent || steps[11] != 25*units.Percent || steps[14] != units.One {
			t.Errorf("%s: %v", name, steps)
		}
	}
	if chip, _ := own(t).Find("spectrum4"); chip.Marking.Steps.Fact() != nil {
		t.Error("spectrum4 has steps")
	}
}

func TestPipesAreReadAndPrinted(t *testing.T) {
	read := func(value, slices string) (string, []string) {
		text := `chip "x" {
			extends = "tomahawk3"
			slices {
				value = ` + slices + `
				confidence = "assumed"
				source = "a guess"
			}
			part_ingress_pipes {
				value = ` + value + `
				confidence = "assumed"
				source = "a guess"
			}
		}`
		c, found := chips.Load(chips.Source{Name: "x.hcl", Text: []byte(text)})
		var messages []string
		for _, d := range found {
			messages = append(messages, string(d.Code)+": "+d.Message)
		}
		chip, _ := c.Find("x")
		return fmt.Sprint(chip.Parts.Ingress.Or(nil)), messages
	}
	if got, found := read(`["0-1,6-7", "2,3,4,5"]`, "2"); got != "[0-1,6-7 2-5]" || len(found) > 0 {
		t.Errorf("%s %v", got, found)
	}
	for value, want := range map[string]string{
		`["1,0", "2"]`: "chip-value", `["", "1"]`: "chip-value", `["0-999999", "1"]`: "chip-value", `["0", 1]`: "chip-value", `[]`: "chip-value",
		`["0-8", "1"]`: "chip-contradiction", `["0"]`: "chip-contradiction",
	} {
		if _, found := read(value, "2"); len(found) == 0 || !strings.HasPrefix(found[0], want) {
			t.Errorf("%s: %v, want %s", value, found, want)
		}
	}
}
