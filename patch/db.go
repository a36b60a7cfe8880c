package patch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A DB is a ConfigDB: tables of rows of fields.
type DB map[string]Table

// A Table is rows by key.
type Table map[string]Row

// A Row is fields by name. A row may have none.
type Row map[string]Value

// A Value is a text, or a list of texts where List is not nil.
type Value struct {
	Text string
	List []string
}

func (v Value) equal(w Value) bool {
	return v.Text == w.Text && (v.List == nil) == (w.List == nil) && slices.Equal(v.List, w.List)
}

func (r Row) equal(s Row) bool { return maps.EqualFunc(r, s, Value.equal) }

// MarshalJSON prints the value as config_db.json has it.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.List != nil {
		return json.Marshal(v.List)
	}
	return json.Marshal(v.Text)
}

// clone copies tables, rows and fields.
func (db DB) clone() DB {
	tables := make(DB, len(db))
	for name, table := range db {
		rows := make(Table, len(table))
		for key, row := range table {
			rows[key] = maps.Clone(row)
		}
		tables[name] = rows
	}
	return tables
}

// text returns a field, "" where there is none.
func (db DB) text(table, row, field string) string { return db[table][row][field].Text }

// set makes a row, and its table where there is none.
func (db DB) set(table, key string, row Row) {
	if db[table] == nil {
		db[table] = make(Table)
	}
	db[table][key] = row
}

// drop removes a row, and its table with the last one: ConfigDB has no empty tables.
func (db DB) drop(table, key string) {
	delete(db[table], key)
	if len(db[table]) == 0 {
		delete(db, table)
	}
}

// A Running is the configuration of a switch as it runs now.
type Running struct {
	DB     DB
	name   string
	src    []byte
	places map[place]int // end of the key in src
}

type place struct{ table, row, field string }

const maxSize = 16 << 20 // bytes; the ConfigDB of the largest chassis has a few million

// Read parses a config_db.json; name is the file name in ranges. The Running is nil where the text
// is none.
func Read(name string, src []byte) (*Running, diag.List) {
	var found diag.List
	if len(src) > maxSize {
		found.Errorf(NotConfigDB, diag.Range{Filename: name}, "the file has %d bytes, and a ConfigDB at most %d", len(src), maxSize).Fixf("give the config_db.json of one switch")
		return nil, found
	}
	r := &Running{DB: make(DB), name: name, src: src, places: make(map[place]int)}
	dec := json.NewDecoder(bytes.NewReader(src))
	err := r.object(dec, func(table string) error { return r.readTable(dec, table) })
	if err == nil {
		if _, end := dec.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("something follows the end of the object")
		}
	}
	if err != nil {
		// A Decoder that reads tokens and values in turn does not know the offset of a syntax error.
		at := dec.InputOffset() - 1
		var syntax *json.SyntaxError
		if !errors.As(err, new(notObject)) && errors.As(json.Unmarshal(src, new(any)), &syntax) {
			at = syntax.Offset - 1
		}
		found.Errorf(NotConfigDB, r.at(int(at), int(at)+1), "this is not a ConfigDB, an object of tables of rows: %v", err).Fixf("give the config_db.json of a switch, or the output of `sonic-cfggen -d --print-data`")
		return nil, found
	}
	return r, nil
}

// A notObject is an error: a token where an object is expected.
type notObject struct{ token json.Token }

func (e notObject) Error() string { return fmt.Sprintf("an object is expected, not %v", e.token) }

// object reads the members of an object, each by the function given.
func (r *Running) object(dec *json.Decoder, member func(key string) error) error {
	open, err := dec.Token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return notObject{open}
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if err := member(key.(string)); err != nil { // a key is a text, or Token fails
			return err
		}
	}
	_, err = dec.Token()
	return err
}

func (r *Running) readTable(dec *json.Decoder, table string) error {
	delete(r.DB, table) // of two tables of one name the last counts
	r.places[place{table: table}] = int(dec.InputOffset())
	return r.object(dec, func(key string) error {
		r.places[place{table: table, row: key}] = int(dec.InputOffset())
		row := make(Row)
		r.DB.set(table, key, row)
		return r.object(dec, func(field string) error {
			r.places[place{table, key, field}] = int(dec.InputOffset())
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				return err
			}
			row[field] = value(raw)
			return nil
		})
	})
}

// value takes numbers by their spelling, as ConfigDB does. Other values than texts and lists of
// texts are in tables that are not roceplan's; they are compared by spelling.
func value(raw json.RawMessage) Value {
	var v Value
	if json.Unmarshal(raw, &v.Text) == nil && raw[0] == '"' || json.Unmarshal(raw, &v.List) == nil && raw[0] == '[' {
		return v
	}
	return Value{Text: string(raw)}
}

// in returns the place of a field, or of the row or table that lacks it.
func (r *Running) in(table, row, field string) diag.Range {
	for _, p := range []place{{table, row, field}, {table: table, row: row}, {table: table}} {
		if end, ok := r.places[p]; ok {
			return r.at(end-len(cmp.Or(p.field, p.row, p.table))-2, end)
		}
	}
	return r.start()
}

// start returns the place of what the whole file is to blame for.
func (r *Running) start() diag.Range { return r.at(0, 1) }

func (r *Running) at(start, end int) diag.Range {
	start = max(0, min(start, len(r.src)))
	end = max(start, min(end, len(r.src)))
	return diag.Range{Filename: r.name, Start: r.pos(start), End: r.pos(end)}
}

func (r *Running) pos(at int) hcl.Pos {
	before := string(r.src[:at])
	line := strings.LastIndexByte(before, '\n') + 1
	return hcl.Pos{Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(before[line:]), Byte: at}
}
