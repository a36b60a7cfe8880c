package sonic

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
)

// A table is rows in the order of the file.
type table struct {
	present bool
	rows    []row
	index   map[string]int
}

// all returns the rows, in the order of the file.
func (t *table) all() iter.Seq[*row] {
	return func(yield func(*row) bool) {
		for i := 0; i < len(t.rows) && yield(&t.rows[i]); i++ {
		}
	}
}

// row returns the row of a key, nil where there is none.
func (t *table) row(key string) *row {
	if i, ok := t.index[key]; ok {
		return &t.rows[i]
	}
	return nil
}

// A row is a key with its fields.
type row struct {
	table, key string
	at         diag.Range // the key
	fields     *posjson.Node
	used       bool // it has a meaning by itself, or another row refers to it
}

// readTables finds the tables that matter. All others are for the ledger.
func (r *reader) readTables(root *posjson.Node) {
	for _, name := range modelledTables {
		r.tables[name] = &table{index: make(map[string]int)}
	}
	for m := range root.All() {
		t := r.tables[m.Key]
		switch {
		case t == nil:
		case m.Value.Kind != posjson.Object:
			t.present = true
			r.found.Errorf(WrongShape, r.doc.At(&m.Value), "the table %s must be an object of rows", m.Key).Fixf("write an object in braces, with the rows by their keys")
		default:
			t.present = true
			t.rows = slices.Grow(t.rows, len(m.Value.Members))
			for j := range m.Value.Members {
				r.addRow(t, m.Key, &m.Value.Members[j])
			}
		}
	}
}

func (r *reader) addRow(t *table, name string, m *posjson.Member) {
	key, fields := m.Key, &m.Value
	if fields.Kind != posjson.Object {
		r.found.Errorf(WrongShape, r.doc.At(fields), "the row %s of %s must be an object of fields", posjson.Clip(key), name).Fixf("write an object in braces, with the fields by their names")
	}
	if first, twice := t.index[key]; twice {
		r.found.Errorf(DuplicateKey, r.doc.KeyAt(m), "the row %s of %s occurs twice, and the last one counts", posjson.Clip(key), name).Fixf("remove one of the two").
			Notef(t.rows[first].at, "the first one")
		t.rows[first].at, t.rows[first].fields = r.doc.KeyAt(m), fields
		return
	}
	t.index[key] = len(t.rows)
	t.rows = append(t.rows, row{table: name, key: key, at: r.doc.KeyAt(m), fields: fields})
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
	n.Used = true
	return r.scalar(n)
}

// scalar reads a value as ConfigDB means it. A number is taken for its spelling.
func (r *reader) scalar(n *posjson.Node) (value string, at diag.Range, ok bool) {
	at = r.doc.At(n)
	switch {
	case n.Kind == posjson.Text:
		return n.Text, at, true
	case n.Kind == posjson.Other && n.Text != "null":
		r.found.Warnf(NotText, at, "%s is not a string, but every scalar of ConfigDB is one", posjson.Clip(n.Text)).Fixf("write it in double quotes: %q", n.Text)
		return n.Text, at, true
	}
	r.found.Errorf(WrongShape, at, "this must be a string").Fixf("write the value in quotes: ConfigDB holds strings")
	return "", at, false
}

// number returns the number of a field, in its own unit; ok is false where there is none that can
// be used.
func (r *reader) number(w *row, id format.ID) (value int64, at diag.Range, ok bool) {
	of := schema.Of(id)
	least, most := of.Bounds()
	s, at, ok := r.text(w, of.Name())
	if ok {
		value, ok = r.parseNumber(of.Name(), s, at, least, most)
	}
	return value, at, ok
}

// quantity returns a field as a plan has it, which calls it name; the zero value where there is none
// that can be used.
func quantity[Q format.Quantity](r *reader, w *row, id format.ID, name string) (d plan.Derived[Q]) {
	if v, at, ok := r.number(w, id); ok {
		d = got(name, Q(schema.Of(id).Means(v)), at)
	}
	return d
}

func (r *reader) parseNumber(what, s string, at diag.Range, least, most int64) (int64, bool) {
	// SONiC's readers are stoul and strtoull, which skip leading blanks; tables that
	// ship have them (sonic-buildimage device/, BUFFER_PROFILE of some Arista boxes).
	trimmed := strings.TrimLeft(s, " \t")
	value, err := strconv.ParseInt(trimmed, 10, 64)
	if err != nil || strings.HasPrefix(trimmed, "+") || value < least || value > most {
		r.found.Errorf(Number, at, "%s is a whole number from %d to %d, not %q", what, least, most, posjson.Clip(s)).Fixf("write a whole number from %d to %d", least, most)
		return 0, false
	}
	return value, true
}

// reference resolves the name of a row in another table, also in the form of old
// releases, "[BUFFER_PROFILE|name]". It returns nil where there is none.
func (r *reader) reference(w *row, field, to string) *row {
	s, at, ok := r.text(w, field)
	if !ok {
		return nil
	}
	if s == "" {
		r.found.Errorf(Reference, at, "%s is empty, and SONiC refuses a configuration with such a name", field).Fixf("name a row of %s, or leave %s out", to, field)
		return nil
	}
	return r.resolve(s, at, to)
}

func (r *reader) resolve(s string, at diag.Range, to string) *row {
	name := plainName(s)
	if found := r.table(to).row(name); found != nil {
		found.used = true
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
	first, ok = parseIndex(low, most)
	last, okLast := parseIndex(high, most)
	if !ok || !okLast {
		r.found.Errorf(Index, at, "%q is neither an index from 0 to %d nor a range of them such as \"3-4\"", posjson.Clip(s), most).Fixf("write an index such as \"3\" or a range such as \"3-4\"")
		return first, last, false
	}
	if first > last {
		r.found.Errorf(IndexReversed, at, "the range %q is empty, because it begins with its larger number", s).Fixf("write \"%d-%d\"", last, first)
		return first, last, false
	}
	return first, last, true
}

// parseIndex reads a number without a sign. One with a zero before it
// is refused, as by SONiC's YANG (sonic-dscp-tc-map.yang, leaf dscp): where "46" and "046" are
// both there, which of the two a switch takes is decided by the order of a hash.
func parseIndex(s string, most int64) (int64, bool) {
	n, err := strconv.Atoi(s)
	return int64(n), err == nil && strconv.Itoa(n) == s && 0 <= n && int64(n) <= most
}

// priorities reads "3,4" as a set of bits.
func (r *reader) priorities(w *row, field string) (bits uint8, at diag.Range, ok bool) {
	s, at, ok := r.text(w, field)
	if !ok || s == "" {
		return 0, at, ok
	}
	if bits, ok = prioritiesIn(s); !ok {
		r.found.Errorf(Index, at, "%s holds priorities from 0 to 7 with commas between, such as \"3,4\", not %q", field, posjson.Clip(s)).Fixf("write the priorities with commas between, such as \"3,4\"")
	}
	return bits, at, ok
}

// prioritiesIn reads a list such as "3,4"; none, and false, where it is not one.
func prioritiesIn(list string) (bits uint8, ok bool) {
	for part := range strings.SplitSeq(list, ",") {
		p, ok := parseIndex(part, 7)
		if !ok {
			return 0, false
		}
		bits |= 1 << p
	}
	return bits, true
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
