package pool_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// verify evaluates the document of every formula of a derivation.
func verify(t *rapid.T, book *formulas.Book, why *plan.Why) {
	if why == nil {
		return
	}
	values := make(map[string]int64)
	for _, term := range why.Terms {
		verify(t, book, term.Why)
		values[term.Symbol] = reflect.ValueOf(term.Why.Value).Int()
	}
	if why.Kind == plan.Formula {
		hold(t, book, why.ID, values, reflect.ValueOf(why.Value).Int())
	}
}

func hold(t *rapid.T, book *formulas.Book, id string, values map[string]int64, got int64) {
	doc, ok := book.Find(id)
	if !ok || len(doc.Inputs) != len(values) {
		t.Fatalf("no document %q with %d inputs", id, len(values))
	}
	if want, err := doc.Eval(values); err != nil || want.Int64() != got {
		t.Fatalf("%s%v: the document gives %s, %v, the code %d", id, values, want, err, got)
	}
}

func draw(t *rapid.T, name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }

func TestDocumentsAgreeWithCode(t *testing.T) {
	book := formulas.Load()
	rapid.Check(t, func(t *rapid.T) {
		in := pool.SpectrumInput{
			Chip:          pool.SpectrumChip{MMU: units.Bytes(draw(t, "mmu", 50_000_000, 200_000_000)), Cell: 192, Latency: 19 * units.KiB, Management: 256 * units.KiB, Mirror: 10 * units.KiB, PrivateHeadroom: 10 * units.KiB},
			OverSubscribe: draw(t, "ratio", 0, 8), HeadroomPool: units.Bytes(draw(t, "configured", 0, 1) * 1_000_000), TwoIngressPools: rapid.Bool().Draw(t, "two"),
			Profiles: pool.SpectrumProfiles{EgressLossy: 9216},
		}
		for range draw(t, "groups", 1, 4) {
			in.Groups = append(in.Groups, pool.SpectrumGroup{
				Ports: draw(t, "ports", 1, 16), Lanes: rapid.SampledFrom([]int{1, 4, 8}).Draw(t, "lanes"), Up: rapid.Bool().Draw(t, "up"),
				LosslessPGs: draw(t, "pgs", 0, 2), XOn: 19456, XOff: units.Bytes(draw(t, "xoff", 0, 200_000)), Size: units.Bytes(draw(t, "size", 0, 200_000)),
			})
		}
		r, d, err := in.Explain()
		if err != nil {
			t.Fatal(err)
		}
		if d.Size.Value != r.Size || (d.HeadroomPool == nil) != (r.HeadroomPool == 0) {
			t.Fatalf("the derivation ends in %v, the pool is %v", d.Size.Value, r.Size)
		}
		verify(t, book, d.Size)
	})
}

// What a port needs of its device, by the script's own arithmetic: on Spectrum-4 the latency is 19
// KiB. With 8 lanes that is 37, mirroring 40; the lossy group of size 0 counts as a latency once
// more. sonic-swss' script said 303,104 B of a port of 800G.
func TestPortHeadroom(t *testing.T) {
	book := formulas.Load()
	chip := pool.SpectrumChip{Latency: 19 * units.KiB}
	for _, c := range []struct {
		lanes int
		sizes []units.Bytes
		want  units.Bytes
	}{
		{8, []units.Bytes{0, 91136, 91136}, 303104},
		{8, nil, (4 + 37 + 40) * units.KiB},
		{4, nil, (4 + 19 + 20) * units.KiB},
		{4, []units.Bytes{0, 100}, (4+19+20+19)*units.KiB + 100},
	} {
		d := chip.PortHeadroom(c.lanes, c.sizes)
		if d.Value != c.want {
			t.Errorf("%d lanes with %v: %v, want %v", c.lanes, c.sizes, d.Value, c.want)
		}
		rapid.Check(t, func(t *rapid.T) { verify(t, book, d.Why) })
		if d.Why.Kind != plan.Formula || len(d.Why.Terms) != 4 {
			t.Errorf("%+v", d.Why)
		}
		for _, term := range d.Why.Terms {
			if term.Why.Kind != plan.Standard || term.Why.Source != pool.PortHeadroomSource {
				t.Errorf("%s: %+v", term.Symbol, term.Why)
			}
		}
	}
	port := plan.Port{Lanes: []int{1, 2, 3, 4}, QoS: &plan.PortQoS{PGs: []plan.PG{{}, {Reserved: plan.Of(units.Bytes(100), nil)}}}}
	if got := chip.PortHeadroomOf(&port).Value; got != (4+19+20+19)*units.KiB+100 {
		t.Errorf("the port of a plan: %v", got)
	}
}
