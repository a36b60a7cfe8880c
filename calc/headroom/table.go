package headroom

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Table is a vendor's pg_profile_lookup.ini: headroom by speed and length of cable,
// as SONiC's buffer manager looks it up in the traditional buffer model. A line is
//
//	speed cable size xon xoff threshold [xon_offset]
//
// speed in Mb/s, cable as "40m", sizes in bytes, threshold as log2 alpha. "#" begins
// a comment. (sonic-swss cfgmgr/buffermgr.cpp, readPgProfileLookupFile.)
type Table struct {
	name string
	rows []tableRow // by speed, then length
}

type tableRow struct {
	speed units.BitRate
	cable units.Length
	Profile
	at diag.Range // the line
}

// A Profile is the rest of a row, after its speed and its length.
type Profile struct {
	Size, XOn, XOff, XOnOffset units.Bytes
	Alpha                      units.Alpha
}

// Profile returns that of a speed and a length, if there is one.
func (t *Table) Profile(speed units.BitRate, cable units.Length) (Profile, bool) {
	i, hit := slices.BinarySearchFunc(t.rows, tableRow{speed: speed, cable: cable}, compareRows)
	if !hit {
		return Profile{}, false
	}
	return t.rows[i].Profile, true
}

func compareRows(a, b tableRow) int {
	return cmp.Or(cmp.Compare(a.speed, b.speed), cmp.Compare(a.cable, b.cable))
}

// ParseTable reads a table. All faults are reported, each on its line; the table is
// usable if none is an error.
func ParseTable(name string, text []byte) (*Table, diag.List) {
	p := tableParser{table: &Table{name: name}}
	offset := 0
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		text, offset = text[len(byteOrderMark):], len(byteOrderMark)
	}
	for number, line := range bytes.SplitAfter(text, []byte("\n")) {
		p.line(string(line), number+1, offset)
		offset += len(line)
	}
	stable.Sort(p.table.rows, compareRows)
	p.across()
	if len(p.table.rows) == 0 && !p.found.HasErrors() {
		p.found.Errorf(TableEmpty, p.at(1, 0, "", 0, 0), "the table has no row").Fixf("write rows of \"speed cable size xon xoff threshold [xon_offset]\", like \"100000 40m 1248 2288 177632 0\"")
	}
	return p.table, p.found
}

type tableParser struct {
	table *Table
	found diag.List
}

// at returns the range of the columns from–to, counted in bytes from 0, of a line.
func (p *tableParser) at(number, offset int, line string, from, to int) diag.Range {
	column := func(at int) hcl.Pos {
		return hcl.Pos{Line: number, Column: len([]rune(line[:at])) + 1, Byte: offset + at}
	}
	return diag.Range{Filename: p.table.name, Start: column(from), End: column(to)}
}

// line reads one line.
func (p *tableParser) line(line string, number, offset int) {
	content, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "#")
	var fields []string
	var places []diag.Range
	for from := 0; from < len(content); {
		if content[from] == ' ' || content[from] == '\t' {
			from++
			continue
		}
		length := strings.IndexAny(content[from:], " \t")
		if length < 0 {
			length = len(content) - from
		}
		fields = append(fields, content[from:from+length])
		places = append(places, p.at(number, offset, line, from, from+length))
		from += length
	}
	if len(fields) == 0 {
		return
	}
	whole := hcl.RangeBetween(places[0], places[len(places)-1])
	if len(fields) != 6 && len(fields) != 7 {
		p.found.Errorf(TableSyntax, whole, "the line has %d fields, and a row needs 6 or 7", len(fields)).
			Fixf("write \"speed cable size xon xoff threshold [xon_offset]\"")
		return
	}
	p.row(fields, places, whole)
}

// row reads the fields of one row.
func (p *tableParser) row(fields []string, places []diag.Range, whole diag.Range) {
	before := len(p.found)
	number := func(i int, what string, top int64) int64 {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil || n < 0 || n > top {
			p.found.Errorf(TableValue, places[i], "%s is %q and must be a whole number from 0 to %d", what, fields[i], top).Fixf("write a whole number from 0 to %d", top)
		}
		return n
	}
	const maxBytes = int64(units.GiB)
	row := tableRow{speed: units.BitRate(number(0, "the speed in Mb/s", int64(maxSpeed/units.Mbps))) * units.Mbps, at: whole}
	cable, err := units.ParseLength(fields[1])
	if err != nil {
		p.found.Errorf(TableValue, places[1], "%v", err).Fixf("write a length with its unit, such as 40m")
	}
	row.cable = cable
	row.Size = units.Bytes(number(2, "the size", maxBytes))
	row.XOn = units.Bytes(number(3, "xon", maxBytes))
	row.XOff = units.Bytes(number(4, "xoff", maxBytes))
	alpha, err := strconv.Atoi(fields[5])
	if row.Alpha = units.Alpha(alpha); err != nil || alpha < -8 || alpha > 8 {
		p.found.Errorf(TableValue, places[5], "the threshold is %q and must be a whole number from -8 to 8", fields[5]).Fixf("write a whole number from -8 to 8, the exponent of alpha")
	}
	if len(fields) == 7 {
		row.XOnOffset = units.Bytes(number(6, "xon_offset", maxBytes))
	}
	if len(p.found) == before {
		p.table.rows = append(p.table.rows, row)
	}
}

// across checks rows against each other.
func (p *tableParser) across() {
	rows := p.table.rows
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		switch {
		case compareRows(a, b) == 0:
			p.found.Errorf(TableDuplicate, b.at, "%s and %s occur twice", b.speed, b.cable).Fixf("remove one of the two rows").Notef(a.at, "here")
		case a.speed == b.speed && b.XOff < a.XOff:
			p.found.Warnf(TableShrinks, b.at, "xoff is %s at %s and %s, less than %s at %s", b.XOff, b.speed, b.cable, a.XOff, a.cable).Fixf("give the longer cable at least %s, or swap the two rows", a.XOff).Notef(a.at, "the shorter cable")
		}
	}
}

// Method binds the table to a chip. With interpolate, a length between two rows gets
// the figures in between, rounded up to cells; without, only lengths of the table have
// an answer. Lengths and speeds outside the table never have.
func (t *Table) Method(chip *chips.Chip, interpolate bool) (Method, error) {
	c, err := newCellular(chip)
	return table{c, t, interpolate}, err
}

type table struct {
	cellular
	of          *Table
	interpolate bool
}

func (table) Name() string     { return "table" }
func (m table) Source() string { return m.of.name }

// NoRow is the error of a speed and a length that a table has no figure for.
type NoRow struct {
	Table        string
	Speed        units.BitRate
	Cable        units.Length
	Below, Above units.Length // the lengths around it; −1: none
}

func (e *NoRow) Error() string {
	text := fmt.Sprintf("%s has no row for %s and %s", e.Table, e.Speed, e.Cable)
	switch {
	case e.Below < 0 && e.Above < 0:
		return text + ", nor any for that speed"
	case e.Above < 0:
		return fmt.Sprintf("%s; its longest cable for that speed is %s", text, e.Below)
	case e.Below < 0:
		return fmt.Sprintf("%s; its shortest cable for that speed is %s", text, e.Above)
	}
	return fmt.Sprintf("%s; it has %s and %s, and may be asked to interpolate", text, e.Below, e.Above)
}

// around returns the rows at or around a length: twice the same row for a hit.
func (t *Table) around(speed units.BitRate, cable units.Length) (below, above tableRow, err error) {
	i, hit := slices.BinarySearchFunc(t.rows, tableRow{speed: speed, cable: cable}, compareRows)
	if hit {
		return t.rows[i], t.rows[i], nil
	}
	missing := &NoRow{t.name, speed, cable, -1, -1}
	if i > 0 && t.rows[i-1].speed == speed {
		below, missing.Below = t.rows[i-1], t.rows[i-1].cable
	}
	if i < len(t.rows) && t.rows[i].speed == speed {
		above, missing.Above = t.rows[i], t.rows[i].cable
	}
	return below, above, missing
}

func (m table) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	r, _, _, err := m.look(&in)
	return r, err
}

// look returns the figures and the rows that they come from.
func (m *table) look(in *Input) (r Result, below, above tableRow, err error) {
	below, above, err = m.of.around(in.Speed, in.Cable)
	if missing, ok := err.(*NoRow); ok && (!m.interpolate || missing.Below < 0 || missing.Above < 0) {
		return Result{}, tableRow{}, tableRow{}, err
	}
	r = Result{XOff: below.XOff, XOn: below.XOn, Size: below.Size}
	if above.cable > below.cable {
		part, of := int64(in.Cable-below.cable), int64(above.cable-below.cable)
		between := func(a, b units.Bytes) units.Bytes {
			return units.Bytes(units.CeilMulDiv(int64(a), of-part, of) + units.CeilMulDiv(int64(b), part, of))
		}
		r.XOff = between(below.XOff, above.XOff).CeilTo(m.cell)
		r.XOn, r.Size = max(below.XOn, above.XOn), between(below.Size, above.Size)
	}
	r.Cells = r.XOff.CeilCells(m.cell)
	return r, below, above, nil
}

func (m table) Explain(in Input) (Result, Derivation, error) {
	if err := in.check(); err != nil {
		return Result{}, Derivation{}, err
	}
	r, below, above, err := m.look(&in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	figure := func(name string, of func(tableRow) units.Bytes, v units.Bytes) *plan.Why {
		row := func(r tableRow) *plan.Why {
			return &plan.Why{Kind: plan.Given, Name: name + " at " + r.cable.String(), Value: of(r), Source: m.of.name, Range: r.at}
		}
		if below.cable == above.cable {
			why := row(below)
			why.Name = name
			return why
		}
		return &plan.Why{
			Kind: plan.Rounding, Name: name, Value: v, ID: "up to cells, between two lengths of cable", Source: m.of.name,
			Terms: []plan.Term{term("length", given("cable", in.Cable)), term("below", row(below)), term("above", row(above))},
		}
	}
	return r, Derivation{
		XOff: figure("headroom", func(r tableRow) units.Bytes { return r.XOff }, r.XOff),
		XOn:  figure("xon", func(r tableRow) units.Bytes { return r.XOn }, r.XOn),
		Size: figure("size", func(r tableRow) units.Bytes { return r.Size }, r.Size),
	}, nil
}
