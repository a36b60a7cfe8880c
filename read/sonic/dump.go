package sonic

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// tables is a document as config_db.json has it, tables of rows. A dump of Redis is one object of
// rows, "BUFFER_PG|Ethernet0|3"; redis-dump puts their fields below "value", next to type and time
// to live.
func tables(root *posjson.Node) *posjson.Node {
	isRow := func(m posjson.Member) bool { return strings.Contains(m.Key, "|") }
	if !slices.ContainsFunc(root.Members, isRow) {
		return root
	}
	out := &posjson.Node{Kind: posjson.Object, Start: root.Start, End: root.End}
	at := map[string]int{}
	for _, m := range root.Members {
		if table, key, row := strings.Cut(m.Key, "|"); row {
			m.Key, m.Value = key, hashed(m.Value)
			m = posjson.Member{Key: table, Start: m.Start, End: m.End, Value: posjson.Node{Kind: posjson.Object, Start: m.Value.Start, End: m.Value.End, Members: []posjson.Member{m}}}
		}
		if k, again := at[m.Key]; again && m.Value.Kind == out.Members[k].Value.Kind {
			of := &out.Members[k].Value
			of.Members = append(of.Members, m.Value.Members...)
			continue
		}
		at[m.Key] = len(out.Members)
		out.Members = append(out.Members, m)
	}
	return out
}

// hashed is a row without what Redis knows of its key.
func hashed(row posjson.Node) posjson.Node {
	if hash := row.Get("value"); hash != nil && hash.Kind == posjson.Object && row.Get("type") != nil {
		return *hash
	}
	return row
}
