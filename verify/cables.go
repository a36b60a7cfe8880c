package verify

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Cables says what lies between ports where their files do not. It goes before what a file
// says.
type Cables map[plan.LinkEnd]Cable

// A Cable is what is known of one.
type Cable struct {
	Length units.Length
	Speed  units.BitRate // of both ends; 0: not given
}

// fill gives the ports of a switch their cables: those of its first device that has any. It
// returns how many it knew.
func (c Cables) fill(sw *plan.Switch) (known int) {
	for i := range sw.Ports {
		port := &sw.Ports[i]
		for _, name := range sw.Names {
			cable, ok := c[plan.LinkEnd{Switch: name, Port: port.Name}]
			if !ok {
				continue
			}
			known++
			port.Cable = cable.Length
			if cable.Speed > 0 {
				port.Speed = cable.Speed
			}
			break
		}
	}
	return known
}

// ReadCables reads a table of comma-separated values with the header switch,port,cable and,
// if wanted, speed. Numbers without units are metres and Mb/s.
func ReadCables(name string, text []byte) (Cables, diag.List) {
	r := &cableReader{file: name, csv: csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, byteOrderMark))), list: Cables{}}
	r.csv.FieldsPerRecord = -1
	r.csv.TrimLeadingSpace = true
	r.read()
	return r.list, r.found
}

type cableReader struct {
	file  string
	csv   *csv.Reader
	list  Cables
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
	r.list[plan.LinkEnd{Switch: row[columns["switch"]], Port: row[columns["port"]]}] = Cable{cable, speed}
}

// withUnit adds the unit that a bare number has in tables: metres, Mb/s.
func withUnit(s, unit string) string {
	s = strings.TrimSpace(s)
	if s != "" && strings.Trim(s, "0123456789.") == "" {
		return s + unit
	}
	return s
}
