package sonic

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	schema "github.com/roceplan/roceplan/format/sonic"
)

// A writer prints ConfigDB as `config save` does: tables of rows of fields, four
// spaces of indent, every scalar a string. Callers give tables, rows and fields in
// natural order. A table without rows and a row without fields are left out.
type writer struct {
	out   []byte
	table string // opened at its first row
	row   string // opened at its first field
	// Counts printed inside the document, the table and the row.
	tables, rows, fields int
}

func newWriter(size int) *writer { return &writer{out: append(make([]byte, 0, size), '{')} }

func (w *writer) startTable(name string) {
	w.endTable()
	w.table = name
}

// startRow begins the row of a key.
func (w *writer) startRow(key string) {
	w.endRow()
	w.row = key
}

func (w *writer) endRow() {
	if w.fields > 0 {
		w.out = append(w.out, "\n        }"...)
		w.fields = 0
	}
}

func (w *writer) endTable() {
	w.endRow()
	if w.rows > 0 {
		w.out = append(w.out, "\n    }"...)
		w.rows = 0
	}
}

// key opens what is still to be opened and prints the field's name.
func (w *writer) key(name string) {
	if w.fields == 0 {
		if w.rows == 0 {
			w.open(w.tables, "\n    ", w.table)
			w.tables++
		}
		w.open(w.rows, "\n        ", w.row)
		w.rows++
	}
	if w.fields > 0 {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, "\n            "...)
	w.quote(name)
	w.out = append(w.out, ": "...)
	w.fields++
}

func (w *writer) open(before int, indent, name string) {
	if before > 0 {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, indent...)
	w.quote(name)
	w.out = append(w.out, ": {"...)
}

// text prints a field, unless its value is empty.
func (w *writer) text(name, value string) {
	if value != "" {
		w.key(name)
		w.quote(value)
	}
}

func (w *writer) number(name string, value int64) {
	w.key(name)
	w.out = append(w.out, '"')
	w.out = strconv.AppendInt(w.out, value, 10)
	w.out = append(w.out, '"')
}

// put prints the field of a row with a quantity of the plan.
func (w *writer) put(id format.ID, quantity int64) {
	r := schema.Of(id)
	w.number(r.Name(), r.Fit(quantity))
}

// deviceName prints a field whose value is the device's name.
func (w *writer) deviceName(name string) {
	w.text(name, emit.Mark)
}

func (w *writer) end() []byte {
	w.endTable()
	return append(w.out, "\n}\n"...)
}

// quote prints a text, in which the mark of the device's name stays as it is.
func (w *writer) quote(s string) {
	w.out = append(w.out, '"')
	before, after, marked := strings.Cut(s, emit.Mark)
	w.escape(before)
	if marked {
		w.out = append(w.out, emit.Mark...)
		w.escape(after)
	}
	w.out = append(w.out, '"')
}

// escape prints the text between the quotes.
func (w *writer) escape(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string always has a JSON form
			}
			w.out = append(w.out, quoted[1:len(quoted)-1]...)
			return
		}
	}
	w.out = append(w.out, s...)
}
