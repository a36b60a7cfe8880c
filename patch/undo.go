package patch

import (
	"slices"
	"strings"
)

// undo gives the operations that lead back, of those that lead on from a state.
func undo(state DB, ops []Operation) []Operation {
	back := make([]Operation, 0, len(ops))
	for _, op := range slices.Backward(ops) {
		back = append(back, inverse(state, op))
	}
	return back
}

// inverse undoes one operation. Those of one step touch different rows or fields, so each
// finds in the state before the step what it changed.
func inverse(state DB, op Operation) Operation {
	keys := keysOf(op.Path)
	had, ok := lookup(state, keys)
	switch {
	case !ok:
		return Operation{Op: "remove", Path: op.Path}
	case op.Op == "replace" || op.Op == "add": // adding what is there replaces it
		return Operation{"replace", op.Path, had}
	}
	return Operation{"add", op.Path, had}
}

// lookup finds a table, row or field.
func lookup(db DB, keys []string) (any, bool) {
	table, ok := db[keys[0]]
	if len(keys) == 1 || !ok {
		return table, ok
	}
	row, ok := table[keys[1]]
	if len(keys) == 2 || !ok {
		return row, ok
	}
	value, ok := row[keys[2]]
	return value, ok
}

// keysOf takes a JSON pointer apart.
func keysOf(path string) []string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(parts[i], "~1", "/"), "~0", "~")
	}
	return parts
}
