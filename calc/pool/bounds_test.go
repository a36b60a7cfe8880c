package pool

import (
	"errors"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// The first and the last value of each input are taken, the next one to either side is refused
// by name: a TiB of buffer, a GiB of a profile, 4096 ports and groups, 8 PGs and 16 lanes.
func TestBoundsOfSpectrumInput(t *testing.T) {
	const gib, tib = int64(1) << 30, int64(1) << 40
	for name, c := range map[string]struct {
		set       func(in *SpectrumInput, v int64)
		low, high int64
	}{
		"mmu_bytes":                  {func(in *SpectrumInput, v int64) { in.Chip.MMU = units.Bytes(v) }, 1, tib},
		"cell_size_bytes":            {func(in *SpectrumInput, v int64) { in.Chip.Cell = units.Bytes(v) }, 1, gib},
		"pipeline_latency_kib":       {func(in *SpectrumInput, v int64) { in.Chip.Latency = units.Bytes(v) * units.KiB }, 1, gib / 1024},
		"over_subscribe_ratio":       {func(in *SpectrumInput, v int64) { in.OverSubscribe = v }, 0, 1 << 20},
		"shared_headroom_pool_bytes": {func(in *SpectrumInput, v int64) { in.HeadroomPool = units.Bytes(v) }, 0, tib},
		"ingress_lossy_profile":      {func(in *SpectrumInput, v int64) { in.Profiles.IngressLossy = units.Bytes(v) }, 0, gib},
		"egress_lossless_profile":    {func(in *SpectrumInput, v int64) { in.Profiles.EgressLossless = units.Bytes(v) }, 0, gib},
		"egress_lossy_profile":       {func(in *SpectrumInput, v int64) { in.Profiles.EgressLossy = units.Bytes(v) }, 0, gib},
		"q_lossy_profile":            {func(in *SpectrumInput, v int64) { in.Profiles.QueueLossy = units.Bytes(v) }, 0, gib},
		"number of port_groups": {func(in *SpectrumInput, v int64) {
			for int64(len(in.Groups)) < v {
				in.Groups = append(in.Groups, in.Groups[0])
			}
		}, 1, 4096},
		"ports":        {func(in *SpectrumInput, v int64) { in.Groups[0].Ports = v }, 0, 4096},
		"lanes":        {func(in *SpectrumInput, v int64) { in.Groups[0].Lanes = int(v) }, 1, 16},
		"lossless_pgs": {func(in *SpectrumInput, v int64) { in.Groups[0].LosslessPGs = v }, 0, 8},
		"xon_bytes":    {func(in *SpectrumInput, v int64) { in.Groups[0].XOn = units.Bytes(v) }, 0, gib},
		"xoff_bytes":   {func(in *SpectrumInput, v int64) { in.Groups[0].XOff = units.Bytes(v) }, 0, gib},
		"size_bytes":   {func(in *SpectrumInput, v int64) { in.Groups[0].Size = units.Bytes(v) }, 0, gib},
	} {
		try := func(v int64) error {
			in := SpectrumInput{Groups: []SpectrumGroup{{Ports: 1, Lanes: 4, LosslessPGs: 2}}}
			in.Chip.MMU, in.Chip.Cell, in.Chip.Latency = 1, 1, units.KiB
			c.set(&in, v)
			return in.Check()
		}
		if err := errors.Join(try(c.low), try(c.high)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		refused, low := []int64{c.high + 1}, c.low
		if name == "number of port_groups" { // the set-up has one, and none is allowed
			low = 0
		} else {
			refused = append(refused, c.low-1)
		}
		for _, v := range refused {
			var out *OutOfRange
			if err := try(v); !errors.As(err, &out) || out.Input != name || out.Min != low || out.Max != c.high {
				t.Errorf("%s of %d is not refused: %v", name, v, err)
			}
		}
	}
}
