package headroom_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

const openbcmGolden = "../../golden/openbcm.txt"

// sdkLonger says why the worst case over 100 m is more than 5 % below the SDK's default
// for line rate; empty where nothing is known. From 100G on the SDK adds 901 cells for each
// 200 Gb/s (tomahawk3: 1061 at 200G, 1962 at 400G): 901 · 84 B · 8 / 200 Gb/s = 3.03 us.
// The standard's figures from 200G on are 1.16 us of response, 0.61 us of interface, and
// 1 us of light over 100 m both ways.
func sdkLonger(speed units.BitRate) string {
	if speed >= 200*units.Gbps {
		return "the SDK counts 3.0 us from 100G on; IEEE 802.3 allows 2.8 us from 200G on, cable included"
	}
	return ""
}

// The worst case beside what Broadcom's SDK gives a lossless PG by default, which is a
// floor for fabrics that name no method. Frames are the largest of the SDK, 9416 B.
func TestOpenBCM(t *testing.T) {
	var report strings.Builder
	report.WriteString("# Headroom in cells by method worst-case, with frames of 9416 B, beside the default of Broadcom's SDK\n" +
		"# (openbcm_headroom.csv: the SDK states neither cable nor response). A fabric that names no method gets the\n" +
		"# larger of the two at line rate. The ratio is ours over the SDK's.\n" +
		"chip            speed    ports           SDK    40m           100m          300m\n")
	for _, r := range readCSV(t, oracle.Figures(t, "openbcm_headroom.csv")) {
		speed := units.BitRate(r.number(t, "speed_mbps")) * units.Mbps
		sdk, over := r.number(t, "pg_headroom_cells"), r["oversubscribed"] == "1"
		ports := "line rate"
		if over {
			ports = "oversubscribed"
		}
		fmt.Fprintf(&report, "%-15s %-8v %-14s %4d", r["chip"], speed, ports, sdk)
		chip, ok := catalogue(t).Find(r["chip"])
		if !ok {
			report.WriteString("   not in the catalogue\n")
			continue
		}
		method, err := headroom.For(chip, "worst-case")
		if err != nil {
			t.Fatal(err)
		}
		at100 := int64(0)
		for _, metres := range []units.Length{40, 100, 300} {
			in := headroom.Defaults()
			in.Speed, in.Cable, in.PortMTU, in.LosslessMTU = speed, metres*units.Metre, 9416, 9416
			result, err := method.Compute(in)
			if err != nil {
				t.Fatal(err)
			}
			if metres == 100 {
				at100 = int64(result.Cells)
			}
			fmt.Fprintf(&report, "  %5d (%3d%%)", result.Cells, int64(result.Cells)*100/sdk)
		}
		if because := sdkLonger(speed); !over && at100*100 < sdk*95 {
			if because == "" {
				t.Errorf("%s at %v: %d cells over 100 m, the SDK has %d, and nothing says why", r["chip"], speed, at100, sdk)
			}
			report.WriteString("  " + because)
		}
		report.WriteString("\n")
	}
	checkGolden(t, openbcmGolden, report.String())
}
