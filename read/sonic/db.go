package sonic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
)

// A table is rows in the order of the file.
type table struct {
	present bool
	rows    []row
	node    *posjson.Node
}

// row returns the row of a key, nil where there is none.
func (t *table) row(key string) *row {
	if t.node == nil {
		return nil
	}
	if i := t.node.Find(key); i >= 0 {
		return &t.rows[i]
	}
	return nil
}

// A row is a key with its fields.
type row struct {
	table, key string
	at         diag.Range // the key
	fields     *posjson.Node
}

// tables finds the tables that matter. All others are somebody else's.
func (r *reader) readTables(root *posjson.Node) {
	for _, name := range []string{
		schema.TableBreakout, schema.TableBufferPG, schema.TableBufferPool, schema.TableBufferPortEgress, schema.TableBufferPortIngress,
		schema.TableBufferProfile, schema.TableBufferQueue, schema.TableCableLength, schema.TableDefaultLossless,
		schema.TableDeviceMetadata, schema.TableDSCPToTC, schema.TableLosslessPattern, schema.TablePFCToQueue,
		schema.TablePFCToPG, schema.TablePFCWatchdog, schema.TablePort, schema.TablePortQoSMap, schema.TableQueue,
		schema.TableScheduler, schema.TableTCToDSCP, schema.TableTCToPG, schema.TableTCToQueue, schema.TableWREDProfile,
	} {
		if n := root.Get(name); n != nil {
			r.tables[name] = r.readTable(name, n)
		}
	}
}

func (r *reader) readTable(name string, n *posjson.Node) *table {
	t := &table{present: true, node: n, rows: make([]row, len(n.Members))}
	if n.Kind != posjson.Object {
		r.found.Errorf(WrongShape, r.doc.At(n), "the table %s has to be an object of rows", name)
	}
	for i := range n.Members {
		m := &n.Members[i]
		t.rows[i] = row{name, m.Key, r.doc.KeyAt(m), &m.Value}
		if m.Value.Kind != posjson.Object {
			r.found.Errorf(WrongShape, r.doc.At(&m.Value), "the row %s of %s has to be an object of fields", posjson.Clip(m.Key), name)
		}
	}
	return t
}

// table returns a table, an empty one where the file has none.
func (r *reader) table(name string) *table {
	if t := r.tables[name]; t != nil {
		return t
	}
	return &table{}
}

// text returns a field as text; ok is false where there is none.
func (r *reader) text(w *row, field string) (value string, at diag.Range, ok bool) {
	n := w.fields.Get(field)
	if n == nil {
		return "", w.at, false
	}
	return r.scalar(n)
}

// scalar reads a value as ConfigDB means it. A number is taken for its spelling.
func (r *reader) scalar(n *posjson.Node) (value string, at diag.Range, ok bool) {
	at = r.doc.At(n)
	switch {
	case n.Kind == posjson.Text:
		return n.Text, at, true
	case n.Kind == posjson.Other && n.Text != "null":
		r.found.Warnf(NotText, at, "%s is not a text, and every scalar of ConfigDB is one", posjson.Clip(n.Text)).Fixf("write it in double quotes: %q", n.Text)
		return n.Text, at, true
	}
	r.found.Errorf(WrongShape, at, "a text is wanted here")
	return "", at, false
}

// number returns a field as a whole number; ok is false where there is none that can
// be used.
func (r *reader) number(w *row, field string, span schema.Span) (value int64, at diag.Range, ok bool) {
	s, at, ok := r.text(w, field)
	if !ok {
		return 0, at, false
	}
	value, ok = r.parseNumber(field, s, at, span)
	return value, at, ok
}

func (r *reader) parseNumber(what, s string, at diag.Range, span schema.Span) (int64, bool) {
	trimmed := strings.TrimSpace(s)
	if trimmed != s {
		r.found.Errorf(Number, at, "%q has blanks around the number", posjson.Clip(s)).Fixf("write %q", posjson.Clip(trimmed))
	}
	value, err := strconv.ParseInt(trimmed, 10, 64)
	if err != nil || strings.HasPrefix(trimmed, "+") {
		r.found.Errorf(Number, at, "%s is a whole number from %d to %d, not %q", what, span.Min, span.Max, posjson.Clip(s))
		return 0, false
	}
	if !span.Holds(value) {
		r.found.Errorf(Number, at, "%s lies from %d to %d, and %d does not", what, span.Min, span.Max, value)
		return 0, false
	}
	return value, true
}

// reference resolves the name of a row in another table, also in the form of old
// releases, "[BUFFER_PROFILE|name]". It returns nil where there is none.
func (r *reader) reference(w *row, field, to string) *row {
	s, at, ok := r.text(w, field)
	if !ok || s == "" {
		return nil
	}
	return r.resolve(s, at, to)
}

func (r *reader) resolve(s string, at diag.Range, to string) *row {
	name := plainName(s)
	if found := r.table(to).row(name); found != nil {
		return found
	}
	r.found.Errorf(Reference, at, "%s has no row %q", to, posjson.Clip(name)).Fixf("add the row, or name one that exists")
	return nil
}

// plainName takes the brackets and the table off an old reference.
func plainName(s string) string {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner = strings.TrimSuffix(inner, "]")
		if _, name, ok := strings.Cut(inner, "|"); ok {
			return name
		}
		return inner
	}
	return s
}

// indices reads "3" or "3-4" as the indices first to last; ok is false where it holds
// none.
func (r *reader) indices(s string, most int64, at diag.Range) (first, last int64, ok bool) {
	low, high, isRange := strings.Cut(s, "-")
	if !isRange {
		high = low
	}
	first, okFirst := index(low, most)
	last, okLast := index(high, most)
	if !okFirst || !okLast {
		r.found.Errorf(Index, at, "%q is neither an index from 0 to %d nor a range of them such as \"3-4\"", posjson.Clip(s), most)
		return 0, 0, false
	}
	if first > last {
		r.found.Errorf(IndexReversed, at, "the range %q runs backwards and holds nothing", s).Fixf("write \"%d-%d\"", last, first)
		return 0, 0, false
	}
	return first, last, true
}

func index(s string, most int64) (int64, bool) {
	if s == "" || len(s) > 4 || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil && v <= most
}

// priorities reads "3,4" as a set of bits.
func (r *reader) priorities(w *row, field string) (bits uint8, at diag.Range, ok bool) {
	s, at, ok := r.text(w, field)
	if !ok || s == "" {
		return 0, at, ok
	}
	for _, part := range strings.Split(s, ",") {
		p, ok := index(part, 7)
		if !ok {
			r.found.Errorf(Index, at, "%s holds priorities from 0 to 7 with commas between, such as \"3,4\", not %q", field, posjson.Clip(s))
			return 0, at, false
		}
		bits |= 1 << p
	}
	return bits, at, true
}

// got is a value that was read, with its place.
func got[T any](name string, v T, at diag.Range) plan.Derived[T] {
	var shown fmt.Stringer = plan.Word("")
	switch v := any(v).(type) {
	case fmt.Stringer:
		shown = v
	case int64:
		shown = plan.Count(v)
	}
	return plan.Of(v, &plan.Why{Kind: plan.ReadBack, Name: name, Value: shown, Range: at})
}
