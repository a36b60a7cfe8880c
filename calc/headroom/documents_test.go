package headroom_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// bindings is every method on a chip that suits it.
var bindings = []struct{ chip, method string }{
	{"td3", "ucloud"}, {"th5", "ieee8021q"}, {"spectrum", "ieee8021q"}, {"th5", "cisco"}, {"th5", "hpcc"},
	{"th5", "xgs"}, {"td2", "xgs"}, {"jr2c+", "xgs"}, {"th2", "xgs"}, {"th6", "xgs:nokia"}, {"th2", "xgs:arista-d96c16"},
	{"spectrum", "spectrum"}, {"spectrum-3", "spectrum"}, {"spectrum-5", "spectrum"}, {"spectrum-6", "spectrum"},
	{"spectrum-4", "spectrum:202405"}, {"spectrum-2", "spectrum:static-2021"}, {"spectrum", "spectrum:static-2020"},
	{"tofino2", "tofino"},
	{"td3", "worst-case"}, {"th4", "worst-case"}, {"spectrum", "worst-case"}, {"spectrum-6", "worst-case"}, {"tofino", "worst-case"},
}

func drawInput(t *rapid.T) headroom.Input {
	gbps := rapid.SampledFrom([]units.BitRate{10, 20, 25, 40, 50, 100, 200, 400, 800, 1600}).Draw(t, "gbps")
	in := headroom.Input{
		Speed:         gbps * units.Gbps,
		Cable:         units.Length(rapid.Int64Range(0, 120_000_000).Draw(t, "mm")),
		PortMTU:       units.Bytes(rapid.Int64Range(64, 16_000).Draw(t, "port_mtu")),
		LosslessMTU:   units.Bytes(rapid.Int64Range(64, 16_000).Draw(t, "lossless_mtu")),
		SmallPackets:  units.Ratio(rapid.Int64Range(0, 100_000).Draw(t, "small")) * (units.Percent / 1000),
		Gearbox:       units.Time(rapid.Int64Range(0, 1000).Draw(t, "gearbox")) * units.Nanosecond,
		Lanes:         rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "lanes"),
		OverSubscribe: rapid.IntRange(0, 3).Draw(t, "over_subscribe"),
	}
	in.MixDeclared = rapid.Bool().Draw(t, "mix declared")
	if rapid.Bool().Draw(t, "known peer") {
		in.PeerResponse = units.Time(rapid.Int64Range(1, 10_000_000).Draw(t, "peer_response"))
	}
	return in
}

// Every formula in every derivation has a document with the derivation's terms as its
// inputs, and the document evaluates to what the Go function computed.
func TestDocumentsAgreeWithCode(t *testing.T) {
	book, used := formulas.Load(), make(map[string]bool)
	for _, b := range bindings {
		m := bind(t, b.chip, b.method)
		t.Run(b.method+" on "+b.chip, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := drawInput(t)
				computed := must.Get(m.Compute(in))(t)
				explained, d, err := m.Explain(in)
				if err != nil || explained != computed {
					t.Fatalf("explained %v, %v, computed %v", explained, err, computed)
				}
				if d.XOff.Value != computed.XOff || d.XOn.Value != computed.XOn || d.Size.Value != computed.Size {
					t.Fatalf("the derivation ends in %v, %v, %v, computed is %v", d.XOff.Value, d.XOn.Value, d.Size.Value, computed)
				}
				for _, why := range []*plan.Why{d.XOff, d.XOn, d.Size} {
					verify(t, book, why, used)
				}
			})
		})
	}
	if len(used) < 14 {
		t.Errorf("%d documents were checked against code, too few to mean anything", len(used))
	}
}

func verify(t *rapid.T, book *formulas.Book, why *plan.Why, used map[string]bool) {
	for _, term := range why.Terms {
		verify(t, book, term.Why, used)
	}
	if why.Kind != plan.Formula {
		return
	}
	doc, ok := book.Find(why.ID)
	if !ok {
		t.Fatalf("formula %q has no document", why.ID)
	}
	used[why.ID] = true
	values := make(map[string]int64)
	for _, term := range why.Terms {
		values[term.Symbol] = reflect.ValueOf(term.Why.Value).Int()
	}
	for _, input := range doc.Inputs {
		v, given := values[input.Symbol]
		if !given {
			t.Fatalf("%s: the derivation lacks %s", doc.ID, input.Symbol)
		}
		if v < input.Min || v > input.Max {
			t.Fatalf("%s: %s is %d, the document holds from %d to %d", doc.ID, input.Symbol, v, input.Min, input.Max)
		}
	}
	if len(values) != len(doc.Inputs) {
		t.Fatalf("%s: the derivation has %d terms, the document %d inputs", doc.ID, len(values), len(doc.Inputs))
	}
	want := must.Get(doc.Eval(values))(t)
	if got := reflect.ValueOf(why.Value).Int(); !want.IsInt64() || want.Int64() != got {
		t.Fatalf("%s%v: the document gives %s, the code %d", doc.ID, values, want, got)
	}
}

// The NIC's formula has no derivation; its document is checked against it directly.
func TestMLX5Document(t *testing.T) {
	doc, ok := formulas.Load().Find("headroom-mlx5")
	if !ok {
		t.Fatal("no document headroom-mlx5")
	}
	rapid.Check(t, func(t *rapid.T) {
		values := make(map[string]int64)
		for _, in := range doc.Inputs {
			values[in.Symbol] = rapid.Int64Range(in.Min, in.Max).Draw(t, in.Symbol)
		}
		values["rate"] -= values["rate"] % int64(units.Mbps)
		got := must.Get(headroom.MLX5(units.BitRate(values["rate"]), units.Length(values["length"]), units.Bytes(values["frame"]), 128))(t)
		if want, err := doc.Eval(values); err != nil || want.Int64() != int64(got.XOff) {
			t.Fatalf("the document gives %s, %v, the code %d", want, err, got.XOff)
		}
	})
}

// A comparison asks every method that has constants for the chip, each with its
// source, and marks the chip's own.
func TestCompare(t *testing.T) {
	in := headroom.Defaults()
	in.Speed, in.Cable = 100*units.Gbps, 40*units.Metre
	for chip, want := range map[string][]string{
		"th5":        {"worst-case", "ucloud", "xgs", "ieee8021q", "cisco", "hpcc"},
		"th6":        {"worst-case", "ucloud", "xgs", "ieee8021q", "cisco", "hpcc", "xgs:nokia"},
		"spectrum-3": {"worst-case", "ucloud", "spectrum", "ieee8021q", "cisco", "hpcc"},
	} {
		c, _ := catalogue(t).Find(chip)
		var got []string
		own := 0
		for _, answer := range headroom.Compare(c, in) {
			got = append(got, answer.Method)
			if answer.Own {
				own++
			}
			if answer.Err != nil || answer.Source == "" || answer.Result.XOff <= 0 {
				t.Errorf("%s: %+v", chip, answer)
			}
		}
		if !slices.Equal(got, want) || own != 1 {
			t.Errorf("%s: %v with %d own, want %v", chip, got, own, want)
		}
	}
}

// A longer cable never needs less headroom, except for the one quirk of NVIDIA's
// calculator: its compensation compares rounded figures, and may vanish for 1 KiB.
func TestHeadroomGrowsWithTheCable(t *testing.T) {
	for _, b := range bindings {
		m := bind(t, b.chip, b.method)
		t.Run(b.method+" on "+b.chip, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := drawInput(t)
				short := must.Get(m.Compute(in))(t)
				in.Cable += units.Length(rapid.Int64Range(0, 1_000_000).Draw(t, "more"))
				long, err := m.Compute(in)
				quirk := units.Bytes(0)
				if b.method == "spectrum" {
					quirk = units.KiB
				}
				if err != nil || long.XOff+quirk < short.XOff {
					t.Fatalf("%v, then %v, %v", short, long, err)
				}
			})
		})
	}
}
