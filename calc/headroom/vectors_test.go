package headroom_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

// Figures that others print, each with its source.

// Gupta and Mazurek, chapter 7, print the terms in bit times; the sums here are of
// their 73,888 (9216 B frame) + 672 + interface + cable + response + last frame.
func TestCiscoPressTerms(t *testing.T) {
	for _, c := range []struct {
		speed     units.BitRate
		cable     units.Length
		last      units.Bytes
		bitTimes  int64
		reference string
	}{
		{100 * units.Gbps, 100 * units.Metre, 9216, 73888 + 672 + 122880 + 2*50000 + 201728 + 73888, "100 GbE"},
		{10 * units.Gbps, 100 * units.Metre, 2300, 73888 + 672 + 8192 + 2*5000 + 67*512 + 18560, "10 GbE, FCoE"},
		{25 * units.Gbps, 100 * units.Metre, 9216, 73888 + 672 + 6144 + 2*12500 + 40960 + 73888, "25 GbE"},
		{40 * units.Gbps, 100 * units.Metre, 9216, 73888 + 672 + 24576 + 2*20000 + 60416 + 73888, "40 GbE"},
	} {
		got := headroom.CiscoBytes(headroom.Input{Speed: c.speed, Cable: c.cable, PortMTU: 9216, LosslessMTU: c.last})
		must.Equalf(t, got, units.Bytes((c.bitTimes+7)/8), "%s: B:", c.reference)
	}
}

// Linux mlx5 port_buffer.c, the formula worked by hand in its integer steps:
// (301 + 216·7/100)·100000/1000 + 272·1500/100 = (301+15)·100 + 4080.
func TestMLX5Host(t *testing.T) {
	for _, c := range []struct {
		speed        units.BitRate
		cable        units.Length
		mtu          units.Bytes
		xoff, buffer units.Bytes
	}{
		{100 * units.Gbps, 7 * units.Metre, 1500, 316*100 + 4080, 316*100 + 4080 + 9216 + 128},
		{25 * units.Gbps, 0, 1500, 301*40 + 4080, 301*40 + 4080 + 9216 + 128}, // counts as 40G
		{400 * units.Gbps, 100 * units.Metre, 9500, 517*400 + 25840, 517*400 + 25840 + 9500 + 128},
	} {
		got, err := headroom.MLX5(c.speed, c.cable, c.mtu, 128)
		if want := (headroom.Host{XOff: c.xoff, Buffer: c.buffer}); err != nil || got != want {
			t.Errorf("%s, %s, %s: %v, %v, want %v", c.speed, c.cable, c.mtu, got, err, want)
		}
	}
}

// HPCC's simulation has links of 1 us: 37,500 B at 100G.
func TestHPCC(t *testing.T) {
	must.Equalf(t, headroom.HPCCBytes(100*units.Gbps, units.Microsecond), 37500, "B:")
}

// SONiC's own check of its calculator, sonic-swss#3235 (2024): port MTU 9100 B, RDMA MTU
// 1024 B, half the packets small. Cells are xoff by the cell of the chip, 144 B and 192 B, up
// to whole ones.
func TestSpectrumAsReviewed(t *testing.T) {
	for _, c := range []struct {
		chip  string
		speed units.BitRate
		cable units.Length
		lanes int
		want  headroom.Result
	}{
		{"spectrum-3", 400 * units.Gbps, 300 * units.Metre, 8, headroom.Result{XOn: 38912, XOff: 272384, Size: 320512, Cells: 1892}},
		{"spectrum-3", 100 * units.Gbps, 40 * units.Metre, 4, headroom.Result{XOn: 19456, XOff: 51200, Size: 70656, Cells: 356}},
		{"spectrum-4", 800 * units.Gbps, 300 * units.Metre, 8, headroom.Result{XOn: 38912, XOff: 474112, Size: 522240, Cells: 2470}},
		{"spectrum-4", 200 * units.Gbps, 40 * units.Metre, 4, headroom.Result{XOn: 19456, XOff: 65536, Size: 84992, Cells: 342}},
	} {
		in := headroom.Defaults()
		in.Speed, in.Cable, in.Lanes = c.speed, c.cable, c.lanes
		got, err := bind(t, c.chip, "spectrum:202405").Compute(in)
		if err != nil || got != c.want {
			t.Errorf("%s at %s: %v, %v, the review has %v", c.chip, c.speed, got, err, c.want)
		}
	}
}

// The two results that UCloud's RoCE design prints.
func TestUCloudPrintedResults(t *testing.T) {
	for _, c := range []struct {
		speed units.BitRate
		cable units.Length
		want  units.Cells
	}{
		{100 * units.Gbps, 100 * units.Metre, 408},
		{25 * units.Gbps, 15 * units.Metre, 98},
	} {
		if got := headroom.UCloudCells(c.speed, c.cable, 1500*units.Nanosecond, 1500, 84); got != c.want {
			t.Errorf("%s over %s: %d cells, UCloud prints %d", c.speed, c.cable, got, c.want)
		}
		in := headroom.Defaults()
		in.Speed, in.Cable = c.speed, c.cable
		r, d, err := bind(t, "td3", "ucloud").Explain(in)
		if err != nil || r.Cells != c.want || r.XOff != c.want.Bytes(256) || d.XOff.Value != r.XOff {
			t.Errorf("%s over %s on Trident3: %v, %v", c.speed, c.cable, r, err)
		}
	}
}

// With the response that IEEE 802.3 31B.3.7 allows (394 quanta at 100G, 80 at 25G),
// UCloud's results do not hold: (394·512 + 1 us·100G)/672 = 449 and
// (80·512 + 2·1500·8 + 150 ns·25G)/672 = 102.2.
func TestUCloudIsBelowTheStandardsWorstCase(t *testing.T) {
	for _, c := range []struct {
		speed  units.BitRate
		cable  units.Length
		frames units.Bytes
		want   units.Cells
	}{
		{100 * units.Gbps, 100 * units.Metre, 0, 449},
		{25 * units.Gbps, 15 * units.Metre, 2 * 1500, 103},
	} {
		got := headroom.IEEEWorstCase(c.speed, c.cable, c.frames)
		if got != c.want {
			t.Errorf("%s over %s with %s of frames: %d cells; want %d", c.speed, c.cable, c.frames, got, c.want)
		}
		if ucloud := headroom.UCloudCells(c.speed, c.cable, 1500*units.Nanosecond, 1500, 84); ucloud >= got {
			t.Errorf("%s over %s: UCloud's %d cells would be safe by the standard", c.speed, c.cable, ucloud)
		}
	}
}

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
		method := must.Get(headroom.For(chip, "worst-case"))(t)
		at100 := int64(0)
		for _, metres := range []units.Length{40, 100, 300} {
			in := headroom.Defaults()
			in.Speed, in.Cable, in.PortMTU, in.LosslessMTU = speed, metres*units.Metre, 9416, 9416
			result := must.Get(method.Compute(in))(t)
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
