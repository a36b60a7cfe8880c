package headroom_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// The first and the last value of each input, and the next one to either side, which is
// refused and named. The bounds are those that the message states.
func TestBoundsOfInputs(t *testing.T) {
	const us = units.Microsecond
	m := bind(t, "th5", "ieee8021q")
	for name, c := range map[string]struct {
		set       func(in *headroom.Input, v int64)
		low, high int64
		step      int64 // between values that are taken
	}{
		"speed":          {func(in *headroom.Input, v int64) { in.Speed = units.BitRate(v) }, int64(units.Mbps), int64(10 * units.Tbps), int64(units.Mbps)},
		"cable":          {func(in *headroom.Input, v int64) { in.Cable = units.Length(v) }, 0, int64(1000 * units.Kilometre), 1},
		"port_mtu":       {func(in *headroom.Input, v int64) { in.PortMTU = units.Bytes(v) }, 64, 65536, 1},
		"lossless_mtu":   {func(in *headroom.Input, v int64) { in.LosslessMTU = units.Bytes(v) }, 64, 65536, 1},
		"frame":          {func(in *headroom.Input, v int64) { in.Frame = units.Bytes(v) }, 64, 65536, 1},
		"small_packets":  {func(in *headroom.Input, v int64) { in.SmallPackets = units.Ratio(v) }, 0, int64(units.One), int64(units.Percent / 1000)},
		"gearbox":        {func(in *headroom.Input, v int64) { in.Gearbox = units.Time(v) }, 0, int64(1000 * us), int64(units.Nanosecond)},
		"lanes":          {func(in *headroom.Input, v int64) { in.Lanes = int(v) }, 1, 16, 1},
		"over_subscribe": {func(in *headroom.Input, v int64) { in.OverSubscribe = int(v) }, 0, 1 << 20, 1},
		"peer_response":  {func(in *headroom.Input, v int64) { in.PeerResponse = units.Time(v) }, 0, int64(1000 * us), 1},
	} {
		try := func(v int64) error {
			in := headroom.Defaults()
			in.Speed = 100 * units.Gbps
			c.set(&in, v)
			_, err := m.Compute(in)
			return err
		}
		for _, v := range []int64{c.low, c.low + c.step, c.high - c.step, c.high} {
			if err := try(v); err != nil {
				t.Errorf("%s of %d: %v", name, v, err)
			}
		}
		refused := []int64{c.low - 1, c.high + 1}
		if c.step > 1 {
			refused = append(refused, c.low+c.step+1)
		}
		for _, v := range refused {
			var out *headroom.OutOfRange
			err := try(v)
			if !errors.As(err, &out) || out.Input != name {
				t.Errorf("%s of %d is not refused: %v", name, v, err)
			} else if beyond := v < c.low || v > c.high; beyond != strings.Contains(err.Error(), "between") {
				t.Errorf("%s of %d: %v", name, v, err)
			}
		}
	}
}

// The delay of the layers below the MAC, out and in, of IEEE 802.3-2018: 8192 bit times up to
// 10G (clauses 44 and 49), 6144 at 25G, 24,576 at 40G, 12,288 at 50G, 122,880 at 100G, and the
// 614.4 ns of 40G above. A bit time at the next megabit is the next class's.
func TestInterfaceDelayByClass(t *testing.T) {
	m := bind(t, "th5", "ieee8021q")
	iface := func(speed units.BitRate) units.Bytes {
		in := headroom.Defaults()
		in.Speed = speed
		_, d, err := m.Explain(in)
		must.Do(t, err)
		w := find(d.XOff, "interface delay")
		if w == nil {
			t.Fatal("no interface delay is told")
		}
		return w.Value.(units.Bytes)
	}
	for speed, bits := range map[units.BitRate]int64{
		10 * units.Gbps: 8192, 10*units.Gbps + units.Mbps: 6144, 25 * units.Gbps: 6144, 25*units.Gbps + units.Mbps: 24576,
		40 * units.Gbps: 24576, 40*units.Gbps + units.Mbps: 12288, 50 * units.Gbps: 12288, 50*units.Gbps + units.Mbps: 122880,
		100 * units.Gbps: 122880, 200 * units.Gbps: 122880, 400 * units.Gbps: 245760, // 614.4 ns at 200G and 400G
	} {
		must.Equalf(t, iface(speed), units.Bytes((bits+7)/8), "%v:", speed)
	}
}

// find returns the reason of that name that stands first in a derivation.
func find(w *plan.Why, name string) *plan.Why {
	if w.Name == name {
		return w
	}
	for _, term := range w.Terms {
		if found := find(term.Why, name); found != nil {
			return found
		}
	}
	return nil
}
