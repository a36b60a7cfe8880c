package pool_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// hold compares what the code gives with the document of its formula.
func hold(t rapid.TB, book *formulas.Book, id string, values map[string]int64, got int64) {
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
		r := must.Get(pool.Spectrum(&in))(t)
		pools := int64(1)
		if in.TwoIngressPools {
			pools = 2
		}
		hold(t, book, "spectrum-pool", map[string]int64{
			"mmu": int64(in.Chip.MMU), "cell": int64(in.Chip.Cell), "lossless": int64(r.Lossless), "lossy": int64(r.Lossy), "egress": int64(r.Egress),
			"management": int64(r.Management), "mirror": int64(r.Mirror), "private": int64(r.Private), "reserved": int64(in.Chip.Management + in.Chip.Descriptors),
			"headroom_pool": int64(r.HeadroomPool), "pools": pools,
		}, int64(r.Size))
		if in.HeadroomPool == 0 && !r.ForcedHeadroom && r.HeadroomPool > 0 {
			hold(t, book, "spectrum-headroom-pool", map[string]int64{"shortfall": int64(r.Shortfall), "private": int64(r.Private), "ratio": in.OverSubscribe}, int64(r.HeadroomPool))
		}
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
		must.Equalf(t, d.Value, c.want, "%d lanes with %v:", c.lanes, c.sizes)
		if d.Why.Kind != plan.Formula || len(d.Why.Terms) != 4 {
			t.Errorf("%+v", d.Why)
		}
		values := make(map[string]int64)
		for _, term := range d.Why.Terms {
			values[term.Symbol] = reflect.ValueOf(term.Why.Value).Int()
			if term.Why.Kind != plan.Standard || term.Why.Source != pool.PortHeadroomSource {
				t.Errorf("%s: %+v", term.Symbol, term.Why)
			}
		}
		hold(t, book, d.Why.ID, values, int64(c.want))
	}
	port := plan.Port{Lanes: []int{1, 2, 3, 4}, QoS: &plan.PortQoS{PGs: []plan.PG{{}, {Reserved: plan.Of(units.Bytes(100), nil)}}}}
	must.Equalf(t, chip.PortHeadroomOf(&port).Value, (4+19+20+19)*units.KiB+100, "the port of a plan:")
}
