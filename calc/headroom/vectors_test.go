package headroom_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
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
		if want := units.Bytes((c.bitTimes + 7) / 8); got != want {
			t.Errorf("%s: %d B, want %d B", c.reference, got, want)
		}
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
	if got := headroom.HPCCBytes(100*units.Gbps, units.Microsecond); got != 37500 {
		t.Errorf("%d B, want 3 · 100 Gb/s · 1 us = 37500 B", got)
	}
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
