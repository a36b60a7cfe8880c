package main

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A cableList says what lies between ports where their files do not. It goes before what
// a file says.
type cableList map[plan.LinkEnd]cableRow

type cableRow struct {
	cable units.Length
	speed units.BitRate // 0: not given
}

// fill gives the ports of a shape their cables: those of its first device that has any.
func (l cableList) fill(sw *plan.Switch) {
	for i := range sw.Ports {
		port := &sw.Ports[i]
		for _, name := range sw.Names {
			row, ok := l[plan.LinkEnd{Switch: name, Port: port.Name}]
			if !ok {
				continue
			}
			port.Cable = row.cable
			if row.speed > 0 {
				port.Speed = row.speed
			}
			break
		}
	}
}

// readCables reads a table with the header switch,port,cable and, if wanted, speed.
func readCables(path string) (cableList, diag.List, diag.Sources, error) {
	if path == "" {
		return nil, nil, nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	r := &cableReader{file: path, csv: csv.NewReader(strings.NewReader(string(text))), list: cableList{}}
	r.csv.FieldsPerRecord = -1
	r.csv.TrimLeadingSpace = true
	r.read()
	return r.list, r.found, diag.Sources{path: text}, nil
}

type cableReader struct {
	file  string
	csv   *csv.Reader
	list  cableList
	found diag.List
}

func (r *cableReader) at(column int) diag.Range {
	line, col := r.csv.FieldPos(column)
	pos := hcl.Pos{Line: line, Column: col, Byte: int(r.csv.InputOffset())}
	return diag.Range{Filename: r.file, Start: pos, End: pos}
}

func (r *cableReader) read() {
	header, err := r.csv.Read()
	columns := map[string]int{}
	for i, name := range header {
		columns[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range []string{"switch", "port", "cable"} {
		if _, ok := columns[name]; !ok || err != nil {
			r.found.Errorf(CablesInvalid, diag.Range{Filename: r.file, Start: hcl.InitialPos, End: hcl.InitialPos}, "the first line has no column %s", name).
				Fixf("begin with switch,port,cable and, if ports' speeds are not known otherwise, speed")
			return
		}
	}
	for {
		row, err := r.csv.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.found.Errorf(CablesInvalid, diag.Range{Filename: r.file, Start: hcl.InitialPos, End: hcl.InitialPos}, "%v", err)
			return
		}
		r.row(row, columns)
	}
}

func (r *cableReader) row(row []string, columns map[string]int) {
	if slices.Max([]int{columns["switch"], columns["port"], columns["cable"]}) >= len(row) {
		r.found.Errorf(CablesInvalid, r.at(0), "a switch, a port and a cable are wanted")
		return
	}
	cable, err := units.ParseLength(withUnit(row[columns["cable"]], "m"))
	if err != nil {
		r.found.Errorf(CablesInvalid, r.at(columns["cable"]), "%v", err)
		return
	}
	var speed units.BitRate
	if i, ok := columns["speed"]; ok && i < len(row) && row[i] != "" {
		if speed, err = units.ParseBitRate(withUnit(row[i], "Mbps")); err != nil {
			r.found.Errorf(CablesInvalid, r.at(i), "%v", err)
			return
		}
	}
	r.list[plan.LinkEnd{Switch: row[columns["switch"]], Port: row[columns["port"]]}] = cableRow{cable, speed}
}

// withUnit adds the unit that a bare number has in tables: metres, Mb/s.
func withUnit(s, unit string) string {
	s = strings.TrimSpace(s)
	if s != "" && strings.Trim(s, "0123456789.") == "" {
		return s + unit
	}
	return s
}
