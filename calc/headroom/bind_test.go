package headroom_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// every lists the methods by name, those of platforms and releases too.
func every(chip *chips.Chip) []string {
	names := append(headroom.Names(), "spectrum:202405", "spectrum:static-2021", "spectrum:static-2020")
	for _, p := range headroom.Platforms() {
		if p.Chip == chip.Name {
			names = append(names, "xgs:"+p.Name)
		}
	}
	return names
}

// A method that is bound has the name by which it was asked for and says where it is from; one
// that cannot be says which datum of the chip is missing, or which family it is of.
func TestMethodsAreBound(t *testing.T) {
	for _, chip := range catalogue(t).Chips() {
		for _, name := range every(chip) {
			m, err := headroom.For(chip, name)
			var unknown *chips.Unknown
			var wrong *headroom.WrongFamily
			switch {
			case err == nil && (m.Name() != name || m.Source() == ""):
				t.Errorf("%s of %s: it is called %q, from %q", name, chip.Name, m.Name(), m.Source())
			case err != nil && !errors.As(err, &unknown) && !errors.As(err, &wrong):
				t.Errorf("%s of %s: %v", name, chip.Name, err)
			case errors.As(err, &wrong) && (wrong.Chip != chip || wrong.Method != name && !strings.HasPrefix(name, wrong.Method+":")):
				t.Errorf("%s of %s: %+v", name, chip.Name, wrong)
			}
		}
	}
	sources := map[string]string{}
	chip, _ := catalogue(t).Find("tomahawk")
	for _, name := range every(chip) {
		if m, err := headroom.For(chip, name); err == nil {
			if other, taken := sources[m.Source()]; taken {
				t.Errorf("%s and %s are from one source", name, other)
			}
			sources[m.Source()] = name
		}
	}
	if len(sources) < 6 {
		t.Errorf("%d methods are bound to a Tomahawk", len(sources))
	}
}

// What a method cannot do without, one datum at a time.
func TestMethodsNeed(t *testing.T) {
	bytes, none := chips.Datum[units.Bytes]{}, chips.Datum[units.Time]{}
	cell := func(c *chips.Chip) { c.CellSize = bytes }
	latency := func(c *chips.Chip) { c.Spectrum.PipelineLatency = bytes }
	for _, c := range []struct {
		chip   string
		method []string
		forget func(c *chips.Chip)
	}{
		{"tomahawk", []string{"cisco", "hpcc", "ieee8021q", "ucloud", "worst-case", "xgs"}, cell},
		{"tomahawk", []string{"xgs"}, func(c *chips.Chip) { c.XGSHeadroom.Fixed = bytes }},
		{"tomahawk", []string{"xgs"}, func(c *chips.Chip) { c.XGSHeadroom.Response = none }},
		{"tomahawk", []string{"xgs"}, func(c *chips.Chip) { c.XGSHeadroom.WirePerCell = bytes }},
		{"spectrum-4", []string{"spectrum", "spectrum:202405"}, cell}, {"spectrum-4", []string{"spectrum", "spectrum:static-2020"}, latency},
		{"tofino2", []string{"tofino"}, cell}, {"tofino2", []string{"tofino"}, latency},
	} {
		chip, ok := catalogue(t).Find(c.chip)
		if !ok {
			t.Fatalf("no %s", c.chip)
		}
		bare := *chip
		c.forget(&bare)
		for _, name := range c.method {
			if _, err := headroom.For(chip, name); err != nil {
				t.Errorf("%s of the whole %s: %v", name, c.chip, err)
			}
			var unknown *chips.Unknown
			if m, err := headroom.For(&bare, name); !errors.As(err, &unknown) {
				t.Errorf("%s of a %s that lacks a datum: %v, %v", name, c.chip, m, err)
			}
		}
	}
	chip, _ := catalogue(t).Find("tomahawk")
	bare := *chip
	bare.HeadroomMethod = chips.Datum[string]{}
	var unknown *chips.Unknown
	if _, err := headroom.For(&bare, ""); !errors.As(err, &unknown) {
		t.Errorf("no method of its own: %v", err)
	}
	for name, want := range map[string]string{"spectrum:2019": "no release", "xgs:none": "no headroom constants of platform", "none": "there is no headroom method"} {
		of := chip
		switch family, _, _ := strings.Cut(name, ":"); family {
		case "spectrum":
			of, _ = catalogue(t).Find("spectrum-4")
		case "xgs":
			of, _ = catalogue(t).Find(headroom.Platforms()[0].Chip)
		}
		if m, err := headroom.For(of, name); m != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if _, err := headroom.For(&bare, "spectrum:202405"); err == nil {
		t.Error("a release of NVIDIA's for a Tomahawk")
	}
	jericho, _ := catalogue(t).Find("jericho2")
	if _, err := headroom.For(jericho, "xgs:any"); err == nil || !strings.Contains(err.Error(), "no platform has headroom constants") {
		t.Errorf("%v", err)
	}
}

// Out of range is out of range for a NIC's buffer too.
func TestMLX5Bounds(t *testing.T) {
	var out *headroom.OutOfRange
	for name, err := range map[string]error{
		"speed": func() error { _, err := headroom.MLX5(0, 0, 1500, 128); return err }(),
		"cable": func() error { _, err := headroom.MLX5(units.Gbps, -1, 1500, 128); return err }(),
		"mtu":   func() error { _, err := headroom.MLX5(units.Gbps, 0, 63, 128); return err }(),
	} {
		if !errors.As(err, &out) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if h, err := headroom.MLX5(units.Gbps, 0, 64, 128); err != nil || h.XOff == 0 {
		t.Errorf("%+v, %v", h, err)
	}
}

// What NVIDIA's calculator adds to a headroom is told where it adds something: the extra of a
// Spectrum-6, and 2 KiB where a profile is more than that short of the one for small packets alone.
func TestAdditionsAreTold(t *testing.T) {
	for _, c := range []struct {
		chip      string
		small     units.Ratio
		shared    int
		additions bool
		note      bool
	}{
		{"spectrum-4", units.One, 0, false, false}, {"spectrum-4", 50 * units.Percent, 0, true, true}, {"spectrum-4", 50 * units.Percent, 2, false, false},
		{"spectrum-6", units.One, 0, true, false}, {"spectrum-6", 50 * units.Percent, 0, true, true},
	} {
		in := headroom.Defaults()
		in.Speed, in.Cable, in.SmallPackets, in.OverSubscribe = 400*units.Gbps, 100*units.Metre, c.small, c.shared
		r, d, err := bind(t, c.chip, "spectrum").Explain(in)
		if err != nil {
			t.Fatal(err)
		}
		told := d.XOff.ID == "headroom-spectrum-additions"
		note := told && strings.Contains(find(d.XOff, "compensation").Note, "more than 2 KiB short of")
		if told != c.additions || note != c.note || d.XOff.Value != r.XOff {
			t.Errorf("%s, %v, shared %d: additions %v, note %v", c.chip, c.small, c.shared, told, note)
		}
	}
}

// Tofino's headroom, by fractions of whole numbers, where the sum lies just below a KiB: the lossless
// frame is chosen so that one part in a thousand of a byte more would be a KiB more.
func TestTofinoByFractions(t *testing.T) {
	m := bind(t, "tofino2", "tofino")
	chip, _ := catalogue(t).Find("tofino2")
	cell, _ := chip.CellSize.Get()
	random := rand.New(rand.NewPCG(1, 2))
	near := 0
	for range 20_000 {
		in := headroom.Defaults()
		in.Speed, in.Cable, in.PortMTU = 100*units.Gbps, units.Length(random.Int64N(300_000)), units.Bytes(64+random.Int64N(9000))
		in.Gearbox, in.SmallPackets = units.Time(random.Int64N(100))*units.Nanosecond, units.Ratio(random.Int64N(100_001))*(units.Percent/1000)
		rat := func(num, den int64) *big.Rat { return big.NewRat(num, den) }
		sum := rat(int64(in.PortMTU), 1)
		sum.Add(sum, rat(int64(in.Cable)*100_000, 811_008))                 // at 1.98e8 m/s, in millimetres and Mb/s
		sum.Add(sum, rat(100_000*int64(in.Gearbox/units.Nanosecond), 4096)) // there and back, by 8192
		sum.Add(sum, rat(4096, 5))                                          // 0.8 KiB of MAC and PHY
		sum.Add(sum, rat(394*64, 1))                                        // IEEE 802.3 31B.3.7 at 100G
		share, worst := rat(int64(in.SmallPackets), int64(units.One)), rat(int64(cell), 64)
		occupancy := new(big.Rat).Add(new(big.Rat).Sub(rat(1, 1), share), new(big.Rat).Mul(share, worst))
		sum.Mul(sum, occupancy)
		up := new(big.Int).Quo(new(big.Int).Add(sum.Num(), new(big.Int).Sub(sum.Denom(), big.NewInt(1))), sum.Denom()).Int64()
		if gap := new(big.Rat).Sub(rat(up, 1), sum); gap.Cmp(rat(1, 100)) > 0 && gap.Cmp(rat(99, 100)) < 0 {
			continue
		}
		near++
		for _, frame := range []int64{1024 - up%1024 + 1024, 1025 - up%1024 + 1024} { // just a KiB, and a byte more
			in.LosslessMTU = units.Bytes(frame)
			want := units.Bytes(up + frame).CeilTo(units.KiB)
			if r, err := m.Compute(in); err != nil || r.XOff != want {
				t.Fatalf("%+v: %v, %v, want %v", in, r.XOff, err, want)
			}
		}
	}
	if near < 100 {
		t.Errorf("%d inputs lie near a byte", near)
	}
}
