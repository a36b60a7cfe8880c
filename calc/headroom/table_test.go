package headroom_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

func TestBadTables(t *testing.T) {
	diagtest.Run(t, "../../golden/diag/table", 3, func(t *testing.T, archive *txtar.Archive) diag.List {
		_, found := headroom.ParseTable(archive.Files[0].Name, archive.Files[0].Data)
		return found.Sorted()
	})
}

const tomahawk = `# PG lossless profiles.
# speed cable size xon xoff threshold xon_offset
40000   5m    1248 2288 66560  0 2288
40000   40m   1248 2288 71552  0 2288 # as shipped
40000   300m  1248 2288 108160 0 2288
100000  300m  1248 2288 268736 0
`

func tableMethod(t *testing.T, text string, interpolate bool) headroom.Method {
	t.Helper()
	table, found := headroom.ParseTable("th.ini", []byte(text))
	if len(found) != 0 {
		t.Fatal(found)
	}
	chip, _ := catalogue(t).Find("th")
	m := must.Get(table.Method(chip, interpolate))(t)
	return m
}

func TestTableLooksUp(t *testing.T) {
	in := headroom.Defaults()
	in.Speed, in.Cable = 40*units.Gbps, 40*units.Metre
	r, d, err := tableMethod(t, tomahawk, false).Explain(in)
	want := headroom.Result{XOff: 71552, XOn: 2288, Size: 1248, Cells: 344}
	if err != nil || r != want {
		t.Fatalf("got %v, %v, want %v", r, err, want)
	}
	if d.XOff.Range.Start.Line != 4 || d.XOff.Value != r.XOff {
		t.Errorf("the reason is %v at line %d, want line 4", d.XOff.Value, d.XOff.Range.Start.Line)
	}
}

// A table has no answer for a length that it does not name, unless it is asked to
// interpolate; it never extrapolates. sonic-buildimage#5837 is a port without headroom
// because its length was not in the table.
func TestTableDoesNotGuess(t *testing.T) {
	in := headroom.Defaults()
	in.Speed = 40 * units.Gbps
	for _, c := range []struct {
		speed       units.BitRate
		cable       units.Length
		interpolate bool
		want        string // of the error; empty: an answer
	}{
		{40, 100, false, "has 40m and 300m, and may be asked to interpolate"},
		{40, 100, true, ""},
		{40, 1, true, "shortest cable for that speed is 5m"},
		{40, 400, true, "longest cable for that speed is 300m"},
		{50, 40, true, "nor any for that speed"},
		{100, 300, false, ""},
	} {
		in.Speed, in.Cable = c.speed*units.Gbps, c.cable*units.Metre
		_, err := tableMethod(t, tomahawk, c.interpolate).Compute(in)
		missing := new(headroom.NoRow)
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &missing) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Interpolation is the line between two lengths, never below it, in whole cells.
func TestTableInterpolates(t *testing.T) {
	in := headroom.Defaults()
	in.Speed = 40 * units.Gbps
	m := tableMethod(t, tomahawk, true)
	for metres := units.Length(40); metres <= 300; metres++ {
		in.Cable = metres * units.Metre
		r := must.Get(m.Compute(in))(t)
		line := 71552 + (108160-71552)*int64(metres-40)/260
		if over := int64(r.XOff) - line; over < 0 || over > 210 || r.XOff%208 != 0 {
			t.Errorf("%d m: %d, the line is at %d", metres, r.XOff, line)
		}
	}
}
