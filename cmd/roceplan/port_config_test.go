package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/policy"
)

// A device is a platform of sonic-buildimage: for each HwSKU the rows of its
// port_config.ini (name, lanes, alias, index, speed in Mb/s), or that of which it is a link.
type device struct {
	SKUs map[string]struct {
		Ports  [][]*string `json:"ports"`
		SameAs string      `json:"same_as"`
	} `json:"hwskus"`
}

// mixedCages are HwSKUs that use one cage in two modes at once, which no platform.json
// offers as a mode and a fabric cannot say.
var mixedCages = []string{"Mellanox-SN5640-C508O1X2", "Mellanox-SN6600_LD-P64O128C2"}

// A fabric of one switch, by the names of its platform and HwSKU alone, gives the PORT table
// of the port_config.ini of every HwSKU whose chip is known.
func TestPortTableOfEveryHwSKU(t *testing.T) {
	catalogue, _ := chips.Load()
	text, err := os.ReadFile(oracle.Data(t, "platforms.json"))
	check(t, err)
	var all map[string]device
	check(t, json.Unmarshal(text, &all))
	checked, skipped := 0, map[string]int{}
	for platform, d := range all {
		box, ok := catalogue.Box(platform)
		if !ok {
			continue
		}
		for sku, told := range d.SKUs {
			chip, ok := catalogue.ChipOf(platform, sku)
			switch {
			case !ok:
				skipped["chip not known"]++
			case catalogue.ChipsIn(platform, sku) > 1:
				skipped["several chips, of which each is configured by itself"]++
			case told.SameAs != "" || len(told.Ports) == 0:
				skipped["a link, or without port_config.ini"]++
			case chip.Family == chips.DNX:
				skipped["a line card, which lists ports into the fabric"]++
			case repeats(catalogue.Ports(box, sku)):
				skipped["a lane in two ports, as SONiC allows three platforms alone"]++
			case !slices.ContainsFunc(catalogue.Ports(box, sku), func(p chips.BoxPort) bool { return p.Speed > 0 }):
				skipped["no speeds in port_config.ini"]++
			default:
				rows := catalogue.Ports(box, sku)
				why := portTable(catalogue, chip.Name, platform, sku, rows, told.Ports)
				if mixed := strings.HasPrefix(why, string(policy.PlatformBreakout)); mixed != slices.Contains(mixedCages, sku) || why != "" && !mixed {
					t.Errorf("%s %s: %s", platform, sku, why)
				}
				checked++
			}
		}
	}
	t.Logf("%d HwSKUs; not: %v", checked, skipped)
	if checked < 250 {
		t.Errorf("only %d HwSKUs have been compared", checked)
	}
}

// repeats reports whether two ports have a lane in common (sonic-utilities, gu_common.py,
// dup_lanes_platforms).
func repeats(rows []chips.BoxPort) bool {
	seen := map[int]bool{}
	for _, row := range rows {
		for _, lane := range row.Lanes {
			if seen[lane] {
				return true
			}
			seen[lane] = true
		}
	}
	return false
}

// portTable compiles the fabric and says where its PORT table is another one.
func portTable(catalogue *chips.Catalogue, chip, platform, sku string, rows []chips.BoxPort, want [][]*string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fabric \"f\" {}\ntraffic_class \"rest\" {\n  dscp   = rest\n  queue  = 0\n  weight = 100\n}\nswitch \"s\" {\n  chip     = %q\n  os       = sonic\n  platform = %q\n  hwsku    = %q\n", chip, platform, sku)
	for i, row := range rows {
		fmt.Fprintf(&b, "  port_group \"g%d\" {\n    ports = %q\n    speed = \"%v\"\n  }\n", i, row.Name, row.Speed)
	}
	b.WriteString("}\n")
	_, p, found := plantest.Compile(policy.Options{Files: []policy.Source{{Name: "f.hcl", Text: []byte(b.String())}}, Catalogue: catalogue})
	if found.HasErrors() {
		return firstError(found)
	}
	files, found := sonic.Emit(p.Switches[0])
	if found.HasErrors() {
		return firstError(found)
	}
	var db struct{ PORT map[string]map[string]string }
	if err := json.Unmarshal(files[0].Body.AppendFor(nil, "s"), &db); err != nil {
		return err.Error()
	}
	if len(db.PORT) != len(want) {
		return fmt.Sprintf("%d ports, and port_config.ini has %d", len(db.PORT), len(want))
	}
	for _, row := range want {
		got := db.PORT[*row[0]]
		for i, field := range []string{"lanes", "alias", "index", "speed"} {
			if row[i+1] != nil && got[field] != written(*row[i+1]) {
				return fmt.Sprintf("%s of %s is %q, and in port_config.ini %q", field, *row[0], got[field], *row[i+1])
			}
		}
	}
	return ""
}

// written is a field as ConfigDB has it: a number without leading zeros, a list without a
// comma at its end.
func written(text string) string {
	if n, err := strconv.Atoi(text); err == nil {
		return strconv.Itoa(n)
	}
	return strings.TrimSuffix(text, ",")
}

func firstError(found diag.List) string {
	for _, d := range found {
		if d.Severity == diag.Error {
			return string(d.Code) + ": " + d.Message
		}
	}
	return ""
}
