package headroom_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// at returns the reason under a symbol in a derivation, nil if there is none.
func at(w *plan.Why, symbol string) *plan.Why {
	for _, term := range w.Terms {
		if term.Symbol == symbol {
			return term.Why
		}
		if found := at(term.Why, symbol); found != nil {
			return found
		}
	}
	return nil
}

// What the author gives is told as given, what the catalogue has as its, and what neither has as the
// standard's or as what the method takes.
func TestOriginOfEachTerm(t *testing.T) {
	const given, standard, catalogued, formula, taken = plan.Given, plan.Standard, plan.Catalogue, plan.Formula, plan.Default
	none := func(in *headroom.Input) { in.PeerResponse = 0 }
	own, bare := lab(t, ""), chipOf(t, "xgs", "  cell_size {\n value = \"100B\"\n confidence = \"assumed\"\n source = \"by hand\"\n }\n")
	named := func(name string) *chips.Chip {
		chip, ok := catalogue(t).Find(name)
		if !ok {
			t.Fatalf("no chip %s", name)
		}
		return chip
	}
	for _, c := range []struct {
		chip   *chips.Chip
		method string
		edit   func(*headroom.Input)
		symbol string
		want   plan.Kind
	}{
		{own, "worst-case", nil, "response", given}, {own, "worst-case", none, "response", standard}, {own, "worst-case", nil, "interface", catalogued}, {bare, "worst-case", nil, "interface", standard},
		{own, "worst-case", nil, "frames", catalogued}, {bare, "worst-case", nil, "frames", taken}, {own, "worst-case", nil, "metadata", catalogued}, {bare, "worst-case", nil, "metadata", taken},
		{own, "worst-case", nil, "worst_packet", standard}, {own, "worst-case", mixed, "small_packets", given},
		{own, "ieee8021q", nil, "response", formula}, {own, "ieee8021q", none, "response", standard}, {own, "ieee8021q", nil, "metadata", catalogued}, {bare, "ieee8021q", nil, "metadata", taken},
		{own, "cisco", nil, "response", formula}, {own, "cisco", none, "response", standard},
		{own, "ucloud", nil, "response", given}, {own, "ucloud", none, "response", standard}, {own, "ucloud", nil, "frame", standard},
		{own, "ucloud", func(in *headroom.Input) { in.Frame = 64 }, "frame", given},
		{named("spectrum-1"), "spectrum", none, "tile", standard}, {named("spectrum-4"), "spectrum", none, "tile", catalogued}, {named("spectrum-4"), "spectrum", none, "response", standard}, {named("spectrum-4"), "spectrum", nil, "response", formula},
	} {
		m := must.Get(headroom.For(c.chip, c.method))(t)
		in := bench()
		if c.edit != nil {
			c.edit(&in)
		}
		_, d, err := m.Explain(in)
		why := at(d.XOff, c.symbol)
		if err != nil || why == nil || why.Kind != c.want {
			t.Errorf("%s on %s, %s: %+v, want %v; %v", c.method, c.chip.Name, c.symbol, why, c.want, err)
			continue
		}
		if c.want == standard && why.Source == "" || c.want == catalogued && (why.Source == "" || why.ID == "" || !strings.HasPrefix(why.Note, "assumed") && !strings.HasPrefix(why.Note, "published") && !strings.HasPrefix(why.Note, "measured") && !strings.HasPrefix(why.Note, "inferred")) {
			t.Errorf("%s on %s, %s: no source in %+v", c.method, c.chip.Name, c.symbol, why)
		}
	}
}

// A datum is told with its confidence, and with its note if it has one.
func TestNotesAreTold(t *testing.T) {
	bare := chipOf(t, "xgs", "  cell_size {\n value = \"100B\"\n confidence = \"assumed\"\n source = \"by hand\"\n }\n")
	for want, chip := range map[string]*chips.Chip{"assumed; of a test": lab(t, ""), "assumed": bare} {
		m := must.Get(headroom.For(chip, "worst-case"))(t)
		_, d, err := m.Explain(bench())
		must.Do(t, err)
		if why := at(d.XOff, "cell"); why == nil || why.Note != want || why.Source != "by hand" || why.Range.Filename != "lab.hcl" {
			t.Errorf("%+v, want the note %q", why, want)
		}
	}
}

// A table is called by its file. Where it has no row, it says which lengths are around; -1 is none.
func TestTableSaysWhatIsAround(t *testing.T) {
	for _, c := range []struct {
		speed        units.BitRate
		cable        units.Length
		below, above units.Length
	}{
		{40, 4, -1, 5}, {40, 6, 5, 40}, {40, 299, 40, 300}, {40, 301, 300, -1}, {100, 40, -1, 300}, {100, 301, 300, -1}, {25, 40, -1, -1}, {50, 40, -1, -1}, {400, 40, -1, -1},
	} {
		in := headroom.Defaults()
		in.Speed, in.Cable = c.speed*units.Gbps, c.cable*units.Metre
		m := tableMethod(t, tomahawk, false)
		metres := func(l units.Length) units.Length {
			if l < 0 {
				return l
			}
			return l * units.Metre
		}
		want := headroom.NoRow{Table: "th.ini", Speed: in.Speed, Cable: in.Cable, Below: metres(c.below), Above: metres(c.above)}
		var missing *headroom.NoRow
		if _, err := m.Compute(in); !errors.As(err, &missing) || *missing != want {
			t.Errorf("%v over %d m: %v, want %+v", in.Speed, int64(c.cable), err, want)
		}
		if m.Source() != "th.ini" || m.Name() != "table" {
			t.Errorf("%q of %q", m.Name(), m.Source())
		}
	}
}

// Interpolated are all figures between two rows, and all those of a row where it is hit; 5 m to 40 m at a fifth.
func TestTableWithMark(t *testing.T) {
	const text = "40000 5m 1000 2000 10000 0\n40000 40m 2000 1000 20000 0\n"
	chip, _ := catalogue(t).Find("th") // cells of 208 B
	for _, mark := range []string{"", "\ufeff"} {
		table, found := headroom.ParseTable("th.ini", []byte(mark+text))
		if len(found) > 0 {
			t.Fatal(found)
		}
		m := must.Get(table.Method(chip, true))(t)
		in := headroom.Defaults()
		in.Speed, in.Cable = 40*units.Gbps, 12*units.Metre
		r, d, err := m.Explain(in)
		// 10,000 + 10,000/5 = 12,000 are 57.7 cells, 58 of which are 12,064 B.
		if want := (headroom.Result{XOff: 12_064, XOn: 2000, Size: 1200, Cells: 58}); r != want || err != nil {
			t.Errorf("%+v, want %+v; %v", r, want, err)
		}
		if why := at(d.XOff, "below"); why == nil || why.Range.Start.Line != 1 || why.Range.Start.Byte != len(mark) || why.Value.String() != "10000B" || why.Source != "th.ini" {
			t.Errorf("%+v", why)
		}
	}
	// A row of no cable at all is one that others lie behind.
	in := headroom.Defaults()
	in.Speed, in.Cable = 40*units.Gbps, 20*units.Metre
	if r, err := tableMethod(t, "40000 0m 1000 2000 10400 0\n40000 40m 1000 2000 20800 0\n", true).Compute(in); err != nil || r.XOff != 15_600 {
		t.Errorf("%+v, %v", r, err)
	}
	_, found := headroom.ParseTable("th.ini", nil)
	if len(found) != 1 || found[0].Code != headroom.TableEmpty || found[0].Subject.Start.Line != 1 || found[0].Subject.Start.Column != 1 || found[0].Subject.Start.Byte != 0 {
		t.Errorf("%+v", found)
	}
}

// On a port of eight lanes two buffer units overlap, and a frame of it lies over; on one of four neither is told.
func TestLanesAreTold(t *testing.T) {
	for lanes, wide := range map[int]bool{1: false, 4: false, 8: true} {
		in := headroom.Defaults()
		in.Speed, in.Cable, in.Lanes = 400*units.Gbps, 40*units.Metre, lanes
		r, d, err := bind(t, "spectrum-4", "spectrum").Explain(in)
		if err != nil || d.XOn.Value != r.XOn || (d.XOn.Kind == plan.Formula) != wide || (d.XOn.Kind == plan.Catalogue) == wide {
			t.Errorf("%d lanes: %+v, %v", lanes, d.XOn, err)
			continue
		}
		if over := at(d.Size, "overhead"); over == nil || (over.Kind == plan.Given) != wide || (over.Kind == plan.Standard) == wide {
			t.Errorf("%d lanes: %+v", lanes, over)
		}
	}
}

// The constants of a platform need the cells of its chip.
func TestPlatformNeedsCells(t *testing.T) {
	for _, p := range headroom.Platforms() {
		chip, ok := catalogue(t).Find(p.Chip)
		if !ok {
			t.Fatalf("no chip %s", p.Chip)
		}
		if _, err := headroom.For(chip, "xgs:"+p.Name); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		bare := *chip
		bare.CellSize, bare.HeadroomCell = chips.Datum[units.Bytes]{}, chips.Datum[units.Bytes]{}
		if _, err := headroom.For(&bare, "xgs:"+p.Name); err == nil {
			t.Errorf("%s without cells is bound", p.Name)
		}
	}
}
