// Package intake reads what devices count into rows.
//
// A file that does not say which device it is of is called after it, or is in a folder that is:
// leaf-1.json, leaf-1/counters_db.json. Where several readings of a device are kept, each is called
// after its time in UTC, in the folder of the device: leaf-1/20260102T150405Z.json, with parts of a
// second where it matters, leaf-1/20260102T150405.250Z.json. A file without a time in its name was
// read at an unknown time.
package intake

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/observe"
)

// TimeLayout is how the name of a file says when it was read.
const TimeLayout = "20060102T150405Z"

// Read reads a file of any format; name is what ranges call it. With an error among the
// findings there are no rows: what is left of a broken file would be taken for the whole.
func Read(name string, text []byte) ([]observe.Row, diag.List) {
	return newReader(name).all(text)
}

// ReadWithin is [Read] of an untrusted text: with more values of JSON it is refused, and only the
// first findings are kept.
func ReadWithin(name string, text []byte, nodes int) ([]observe.Row, diag.List) {
	r := newReader(name)
	r.dialect.MaxNodes, r.most = nodes, 100
	return r.all(text)
}

func (r *reader) all(text []byte) ([]observe.Row, diag.List) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if f, others, ok := formatOf(text); ok {
		f.read(r, text)
		for _, other := range others {
			r.found.Warnf(Empty, r.line(1), "this file is read as %s, but it also has %s, which is not read", f.name, other.name).
				Fixf("save the output of each command to a file of its own")
		}
	} else {
		r.found.Errorf(Unknown, r.line(1), "this has no counters in a known format").
			Fixf("read are: %s", strings.Join(Names(), "; "))
	}
	if r.found.HasErrors() {
		return nil, r.found
	}
	if len(r.rows) == 0 && r.absent {
		r.found.Warnf(Empty, r.line(1), "every counter that roceplan uses is N/A in this file").Fixf("turn the counter on (counterpoll of SONiC), or take it where the port is: on a switch of several ASICs, each has its own")
	} else if len(r.rows) == 0 && !r.named {
		r.found.Warnf(Empty, r.line(1), "this file has no counter that roceplan uses").Fixf("give counters that roceplan reads: roceplan help observe lists them")
	}
	stable.Sort(r.rows, observe.Row.Compare)
	return r.rows, r.found
}

// Recognizes reports whether a text is of a format that is read.
func Recognizes(text []byte) bool {
	_, _, ok := formatOf(text)
	return ok
}

// A reader gathers the rows of one file.
type reader struct {
	file   string
	device string
	until  time.Time
	doc    *posjson.File // of JSON
	rows   []observe.Row
	voqs   parts
	found  diag.List

	absent  bool // a counter that is used is N/A
	named   bool // drops of a port of another device are named
	dialect *posjson.Dialect
	most    int // findings; 0: any number
}

// errorf is a finding about a value, of which a text can have many.
func (r *reader) errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	if r.most > 0 && len(r.found) >= r.most {
		return &diag.Diagnostic{} // which is not read
	}
	return r.found.Errorf(code, at, format, args...)
}

func newReader(name string) *reader {
	r := &reader{file: name, dialect: dialect()}
	r.device, r.until = deviceAndTime(name)
	return r
}

// line is a place of a text that is read line by line.
func (r *reader) line(line int) diag.Range {
	pos := hcl.Pos{Line: line, Column: 1}
	return diag.Range{Filename: r.file, Start: pos, End: pos}
}

// cutOff reports whether the last of the lines of a text has no end, which is an error.
func (r *reader) cutOff(lines []string) bool {
	cut := strings.TrimSpace(lines[len(lines)-1]) != ""
	if cut {
		r.found.Errorf(Invalid, r.line(len(lines)), "the last line is incomplete: the file is cut off").Fixf("record the output again, to its end")
	}
	return cut
}

// add completes a row by what the whole file says.
func (r *reader) add(row observe.Row) {
	if row.Device == "" {
		row.Device = r.device
	}
	if row.Until.IsZero() {
		row.Until = r.until
	}
	row.Kind = row.Counter.Kind()
	r.rows = append(r.rows, row)
}

// usual are names of files that say what they hold and not of which device.
func usual(base string) bool {
	return slices.Contains([]string{"counters_db", "counters", "dump", "ethtool", "rdma", "lanz", "gnmi", "otlp", "prometheus", "watermark", "pfc", "pfcstat", "queuestat", "wredstat", "watermarkstat", "queue", "show", "pg_drop"},
		strings.ReplaceAll(strings.ToLower(base), "-", "_"))
}

// deviceAndTime returns the device and the time in the name of a file.
func deviceAndTime(file string) (device string, at time.Time) {
	file = filepath.ToSlash(file)
	base := path.Base(file)
	for _, ending := range []string{".json", ".txt", ".csv"} {
		base = strings.TrimSuffix(base, ending)
	}
	folder := path.Base(path.Dir(file))
	at, err := time.Parse(TimeLayout, base)
	if (err == nil || usual(base)) && !slices.Contains([]string{".", "..", "/"}, folder) {
		return folder, at
	}
	return base, at
}
