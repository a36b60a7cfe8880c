package verify

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Cables are the cables between ports. They take precedence over those of a file.
type Cables map[plan.LinkEnd]Cable

// A Cable is what is known of one.
type Cable struct {
	Length units.Length
	Speed  units.BitRate // of both ends; 0: not given
}

// fill gives the ports of a switch their cables: those of its first device that has any. It
// returns how many it knew, and where the list and the file contradict each other.
func (c Cables) fill(sw *plan.Switch) (known int, found diag.List) {
	for i := range sw.Ports {
		port := &sw.Ports[i]
		for _, name := range sw.Names {
			cable, ok := c[plan.LinkEnd{Switch: name, Port: port.Name}]
			if !ok {
				continue
			}
			known++
			found = append(found, cable.contradicts(port)...)
			port.Cable = cable.Length
			if cable.Speed != 0 {
				port.Speed = cable.Speed
			}
			break
		}
	}
	return known, append(found, c.without(sw)...)
}

// contradicts finds what the file says otherwise of a port. A length that is longer in the
// file may be what its headroom was sized for; a speed is what the port runs at.
func (c Cable) contradicts(port *plan.Port) (found diag.List) {
	if c.Speed != 0 && port.Speed != 0 && c.Speed != port.Speed {
		found.Errorf(CablesDiffer, port.Range, "%s runs at %v in the file and at %v in the list of cables, which counts", port.Name, port.Speed, c.Speed).
			Fixf("remove the speed from the list, or correct it")
	}
	if port.CableRange.Filename != "" && port.Cable != 0 && c.Length != port.Cable {
		found.Warnf(CablesDiffer, port.CableRange, "the cable of %s has %v in the file and %v in the list of cables, which counts", port.Name, port.Cable, c.Length).Fixf("correct the length in the file")
	}
	return found
}

// without finds ports of the list that the file of their switch does not have.
func (c Cables) without(sw *plan.Switch) (found diag.List) {
	if len(sw.Ports) == 0 {
		return nil
	}
	have := make(map[string]bool, len(sw.Ports))
	for i := range sw.Ports {
		have[sw.Ports[i].Name] = true
	}
	devices := make(map[string]bool, len(sw.Names))
	for _, name := range sw.Names {
		devices[name] = true
	}
	var missing []string
	for end := range c {
		if devices[end.Switch] && !have[end.Port] {
			missing = append(missing, end.Port)
		}
	}
	slices.SortFunc(missing, natural.Compare)
	if missing = slices.Compact(missing); len(missing) > 0 {
		found.Warnf(CablesPortMissing, sw.Range, "the list of cables has %s of %s, but the file has no such port", listed(missing), sw.Names[0]).Fixf("remove the row, or give the file of the switch that has the port")
	}
	return found
}

// listed names the first three.
func listed(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more ports", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

// ReadCables reads a table of comma-separated values with the header switch,port,cable and,
// if wanted, speed. Numbers without units are metres and Mb/s.
func ReadCables(name string, text []byte) (Cables, diag.List) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	r := &cableReader{file: name, text: text, csv: csv.NewReader(bytes.NewReader(text)), list: Cables{}}
	r.csv.FieldsPerRecord = -1
	r.csv.TrimLeadingSpace = true
	r.read()
	return r.list, r.found
}

type cableReader struct {
	file  string
	text  []byte
	csv   *csv.Reader
	list  Cables
	found diag.List
}

func (r *cableReader) at(column int) diag.Range {
	line, col := r.csv.FieldPos(column)
	pos := hcl.Pos{Line: line, Column: col, Byte: col - 1}
	for range line - 1 {
		pos.Byte += bytes.IndexByte(r.text[pos.Byte-(col-1):], '\n') + 1
	}
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
				Fixf("begin with switch,port,cable and, if the files lack it, speed")
			return
		}
	}
	for {
		row, err := r.csv.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.found.Errorf(CablesInvalid, diag.Range{Filename: r.file, Start: hcl.InitialPos, End: hcl.InitialPos}, "%v", err).Fixf("write as many cells as the first row has columns, with quotes in pairs")
			return
		}
		r.row(row, columns)
	}
}

func (r *cableReader) row(row []string, columns map[string]int) {
	if slices.Max([]int{columns["switch"], columns["port"], columns["cable"]}) >= len(row) {
		r.found.Errorf(CablesInvalid, r.at(0), "a row must have a switch, a port and a cable").Fixf("write a cell for each of the three")
		return
	}
	cable, err := units.ParseLength(units.WithUnit(row[columns["cable"]], "m"))
	if err != nil {
		r.found.Errorf(CablesInvalid, r.at(columns["cable"]), "%v", err).Fixf("write a length such as 5m")
		return
	}
	var speed units.BitRate
	if i, ok := columns["speed"]; ok && i < len(row) && row[i] != "" {
		if speed, err = units.ParseBitRate(units.WithUnit(row[i], "Mbps")); err != nil {
			r.found.Errorf(CablesInvalid, r.at(i), "%v", err).Fixf("write a rate such as 400Gbps")
			return
		}
		if speed > 0 && speed < units.Mbps { // no Ethernet, and times at a few bit/s leave 63 bits
			r.found.Errorf(CablesInvalid, r.at(i), "a port of %v is slower than any Ethernet, 1Mbps", speed).Fixf("write a rate such as 400Gbps")
			return
		}
	}
	r.list[plan.LinkEnd{Switch: row[columns["switch"]], Port: row[columns["port"]]}] = Cable{cable, speed}
}
