package cabling

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/units"
)

// columns are what the parts of a cable are called in the tables that are known: NetBox's
// import and export (netbox/dcim/forms/bulk_import.py and tables/cables.py), and our own
// cables.csv.
var columns = map[string][]string{
	"a device": {"side_a_device", "termination_a_device", "device a", "switch"},
	"a port":   {"side_a_name", "termination_a_name", "termination a", "port"},
	"b device": {"side_b_device", "termination_b_device", "device b"},
	"b port":   {"side_b_name", "termination_b_name", "termination b"},
	"b":        {"far"}, // DEVICE:PORT
	"length":   {"length", "metres", "cable"},
	"unit":     {"length_unit", "length unit"},
	"speed":    {"speed"},
	"type":     {"type", "cable type"},
}

// isCSV recognizes a table by the names of its columns.
func isCSV(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	c := headerOf(strings.Split(strings.TrimSpace(string(line)), ","))
	return c["a device"] >= 0 && c["a port"] >= 0
}

// headerOf finds the columns; −1 where there is none.
func headerOf(names []string) map[string]int {
	at := map[string]int{}
	for what, spelt := range columns {
		at[what] = slices.IndexFunc(names, func(name string) bool {
			return slices.Contains(spelt, strings.ToLower(strings.Trim(strings.TrimSpace(name), `"`)))
		})
	}
	return at
}

// readCSV reads a table of cables.
func readCSV(r *reader, src []byte) {
	rows := csv.NewReader(bytes.NewReader(src))
	rows.FieldsPerRecord, rows.LazyQuotes, rows.TrimLeadingSpace = -1, true, true
	names, err := rows.Read()
	header := headerOf(names)
	for err == nil { // the end is all that a lazy reader refuses
		from := rows.InputOffset()
		var row []string
		if row, err = rows.Read(); err != nil {
			return
		}
		line, _ := rows.FieldPos(0)
		if unclosed(src[from:rows.InputOffset()]) {
			r.found.Errorf(Invalid, r.line(line, 1), "a quote that does not end joins the lines below to a cell of this row; they are not read").Fixf("write quotes in pairs, and a quote within quotes twice")
		}
		r.csvRow(header, row, line)
	}
}

// unclosed reports whether a row has several lines because of a quote without its partner.
func unclosed(row []byte) bool {
	if !bytes.Contains(bytes.TrimSpace(row), []byte("\n")) {
		return false
	}
	_, err := csv.NewReader(bytes.NewReader(row)).Read()
	return err != nil
}

func (r *reader) csvRow(header map[string]int, row []string, line int) {
	cell := func(what string) string {
		if i := header[what]; i >= 0 && i < len(row) {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	s := Sighting{
		A:      End{Device: cell("a device"), Port: cell("a port")},
		B:      End{Device: cell("b device"), Port: cell("b port")},
		Medium: mediumOf(cell("type")), At: r.line(line, 1),
	}
	if s.B.Device == "" {
		s.B.Device, s.B.Port, _ = strings.Cut(cell("b"), ":")
	}
	if s.A.Device == "" || s.A.Port == "" {
		r.found.Errorf(Invalid, s.At, "this row names no device and port").Fixf("write the device and the port of this end")
		return
	}
	if length := cell("length"); length != "" {
		var err error
		if s.Cable, err = parseLength(length, cell("unit")); err != nil {
			r.found.Errorf(Invalid, s.At, "%v", err).Fixf("write a length such as 5m, or leave the cell empty")
		}
	}
	if speed := cell("speed"); speed != "" {
		var err error
		if s.Speed, err = units.ParseBitRate(units.WithUnit(speed, "Mbps")); err != nil {
			r.found.Errorf(Invalid, s.At, "%v", err).Fixf("write a rate such as 400Gbps, or leave the cell empty")
		}
	}
	r.see(s)
}

// parseLength reads a length that may have its own unit, or else one of NetBox's
// (netbox/dcim/choices.py, CableLengthUnitChoices), or else metres.
func parseLength(s, unit string) (units.Length, error) {
	bare := units.WithUnit(s, "m")
	length, err := units.ParseLength(bare)
	if err != nil || bare == s {
		return length, err
	}
	// so many millimetres have ten thousand of the unit
	per, known := map[string]int64{
		"": 10_000_000, "m": 10_000_000, "meters": 10_000_000, "cm": 100_000, "centimeters": 100_000, "km": 10_000_000_000, "kilometers": 10_000_000_000,
		"ft": 3_048_000, "feet": 3_048_000, "in": 254_000, "inches": 254_000, "mi": 16_093_440_000, "miles": 16_093_440_000,
	}[strings.ToLower(unit)]
	if !known {
		return 0, fmt.Errorf("%q is not a unit of a cable's length", unit)
	}
	return units.Length(units.CeilMulDiv(int64(length), per, 10_000_000)), nil
}

// mediumOf returns the kind of a cable by its type in NetBox (netbox/dcim/choices.py,
// CableTypeChoices).
func mediumOf(kind string) string {
	switch kind = strings.ToLower(kind); {
	case strings.HasPrefix(kind, "dac"):
		return "dac"
	case strings.HasPrefix(kind, "aoc"):
		return "aoc"
	case strings.HasPrefix(kind, "mmf"), strings.HasPrefix(kind, "smf"):
		return "fiber"
	case strings.HasPrefix(kind, "cat"):
		return "copper"
	}
	return ""
}

// netboxCable reads a cable of NetBox's REST API: /api/dcim/cables/, with lists of
// terminations since release 3.3, and one at each side before. It reports whether it is one.
func (r *reader) netboxCable(n *posjson.Node) bool {
	a, okA := netboxEnd(n, "a")
	b, okB := netboxEnd(n, "b")
	if !okA && !okB {
		return n.Get("a_terminations") != nil || n.Get("termination_a") != nil
	}
	if !okA {
		a, b = b, End{}
	}
	s := Sighting{A: a, B: b, Medium: mediumOf(text(n.Get("type"))), At: r.doc.At(n)}
	if length := text(n.Get("length")); length != "" {
		var err error
		if s.Cable, err = parseLength(length, text(n.Get("length_unit"))); err != nil {
			r.found.Errorf(Invalid, r.doc.At(n.Get("length")), "%v", err).Fixf("write a length such as 5 with its unit, or leave both out")
		}
	}
	r.see(s)
	return true
}

// netboxEnd finds the interface at one side.
func netboxEnd(n *posjson.Node, side string) (End, bool) {
	at := first(n.Get(side + "_terminations"))
	if at != nil {
		at = at.Get("object")
	} else {
		at = n.Get("termination_" + side)
	}
	e := End{Device: text(at.Get("device", "name")), Port: text(at.Get("name"))}
	return e, e.Device != "" && e.Port != ""
}
