package read

import (
	"strings"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/posjson"
)

// Each walks the list that a row describes, from the entry of the list around it, or from the top
// of the document, and gives each entry with its first key.
func (d *Document) Each(row *format.Row, around *posjson.Node, visit func(key string, entry *posjson.Node)) {
	key := row.Keys()[0]
	keyOf := func(entry *posjson.Node) *posjson.Node { return entry.Get(key) }
	d.Entries(around.Get(row.Names()...), key, keyOf, func(k, entry *posjson.Node) { visit(k.Text, entry) })
}

// NumberOf reads the number of a leaf, in its own unit; false where there is none, or none within
// the bounds of the row.
func (d *Document) NumberOf(row *format.Row, around *posjson.Node) (int64, bool) {
	least, most := row.Bounds()
	return d.Number(around.Get(row.Names()...), least, most)
}

// KeysOf returns the keys of the lists of a system, with blanks between, by their plain paths.
func KeysOf(rows format.Rows) map[string]string {
	all := map[string]string{}
	for i := range rows {
		if keys := rows[i].Keys(); keys != nil {
			all[rows[i].Plain()] = strings.Join(keys, " ")
		}
	}
	return all
}

// LeafLists returns the leaves of a system that have several values, by their plain paths.
func LeafLists(rows format.Rows) map[string]bool {
	all := map[string]bool{}
	for i := range rows {
		if rows[i].Values {
			all[rows[i].Plain()] = true
		}
	}
	return all
}
