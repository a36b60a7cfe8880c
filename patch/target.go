package patch

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// target returns the running configuration with what is roceplan's in place of what was
// there. ports are those that the fabric describes; of others every row stays, with
// all that it refers to.
func target(running, wanted DB, ports map[string]*plan.Port) DB {
	to := running.clone()
	for _, o := range owned {
		switch o.kind {
		case byPort:
			to.takePorts(o.table, wanted, ports)
		case byIndices:
			to.takeIndices(o.table, wanted, ports)
		case byField:
			to.takeFields(o.table, wanted, ports)
		case mtuOnly, onlyGrows: // a port stays when it is no longer the fabric's
			to.lay(o.table, wanted)
		case byName:
			delete(to, o.table)
			for key, row := range wanted[o.table] {
				to.set(o.table, key, row)
			}
		}
	}
	to.keepSpelling(running)
	to.keepReferred(running)
	return to
}

// keepSpelling leaves lists of priorities alone that hold the same in another order.
func (db DB) keepSpelling(running DB) {
	for key, row := range db[schema.TablePortQoSMap] {
		for _, field := range []string{pfcEnable, watched} {
			was, had := running[schema.TablePortQoSMap][key][field]
			if had && priorities(was.Text) == priorities(row[field].Text) {
				row[field] = was
			}
		}
	}
}

// takePorts replaces the owned fields of the rows of ports and of the whole switch.
func (db DB) takePorts(table string, wanted DB, ports map[string]*plan.Port) {
	for key, row := range db[table] {
		if ports[key] == nil && key != schema.GlobalQoS && key != schema.GlobalWatchdog {
			continue
		}
		maps.DeleteFunc(row, func(field string, _ Value) bool { return isOwned(table, field) })
		if len(row) == 0 && len(wanted[table][key]) == 0 {
			db.drop(table, key)
		}
	}
	db.lay(table, wanted)
}

// lay puts the wanted fields into rows, which it makes where there are none.
func (db DB) lay(table string, wanted DB) {
	for key, row := range wanted[table] {
		if db[table][key] == nil {
			db.set(table, key, make(Row))
		}
		maps.Copy(db[table][key], row)
	}
}

// takeFields replaces the ports' fields in whichever rows they are.
func (db DB) takeFields(table string, wanted DB, ports map[string]*plan.Port) {
	for key, row := range db[table] {
		maps.DeleteFunc(row, func(port string, _ Value) bool { return ports[port] != nil })
		if len(row) == 0 && len(wanted[table][key]) == 0 {
			db.drop(table, key)
		}
	}
	db.lay(table, wanted)
}

// takeIndices replaces the rows of the ports. Where the running rows divide the indices
// otherwise and yet can say the same, they stay divided as they are: "3" and "4" of one
// content are "3-4".
func (db DB) takeIndices(table string, wanted DB, ports map[string]*plan.Port) {
	want := make(map[string]*[16]Row)
	for key, row := range wanted[table] {
		port, set := indices(key)
		if want[port] == nil {
			want[port] = new([16]Row)
		}
		for i := range 16 {
			if set&(1<<i) != 0 {
				want[port][i] = row
			}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(db[table]), natural.Compare) {
		port, set := indices(key)
		if ports[port] == nil {
			continue
		}
		if row := common(want[port], set); row != nil {
			db.set(table, key, row)
			for i := range 16 {
				if set&(1<<i) != 0 {
					want[port][i] = nil
				}
			}
			continue
		}
		db.drop(table, key)
	}
	for port, rows := range want {
		for i := 0; i < 16; i++ {
			first, row := i, rows[i]
			if row == nil {
				continue
			}
			for i < 15 && rows[i+1] != nil && rows[i+1].equal(row) {
				i++
			}
			key := port + "|" + strconv.Itoa(first)
			if i > first {
				key += "-" + strconv.Itoa(i)
			}
			db.set(table, key, row)
		}
	}
}

// common returns the row that is wanted for all indices of a set, nil where they
// differ or one has none.
func common(rows *[16]Row, set uint16) (row Row) {
	if rows == nil {
		return nil
	}
	for i := range 16 {
		if set&(1<<i) == 0 {
			continue
		}
		if rows[i] == nil || row != nil && !row.equal(rows[i]) {
			return nil
		}
		row = rows[i]
	}
	return row
}

// keepReferred brings back named rows to which something that stays refers: a port
// that the fabric does not describe, or another table.
func (db DB) keepReferred(running DB) {
	for again := true; again; {
		again = false
		used := db.mentioned()
		for _, o := range owned {
			if o.kind != byName {
				continue
			}
			for key, row := range running[o.table] {
				if used[key] && db[o.table][key] == nil {
					db.set(o.table, key, row)
					again = true
				}
			}
		}
	}
}

// mentioned returns all texts of the configuration that may be names of rows, without the
// brackets of old references.
func (db DB) mentioned() map[string]bool {
	used := make(map[string]bool)
	for _, table := range db {
		for _, row := range table {
			for _, v := range row {
				for _, name := range v.names() {
					used[plain(name)] = true
				}
			}
		}
	}
	return used
}

// plain takes an old reference, "[BUFFER_PROFILE|name]", apart.
func plain(name string) string {
	if inner, ok := strings.CutPrefix(name, "["); ok {
		_, name, _ = strings.Cut(strings.TrimSuffix(inner, "]"), "|")
	}
	return name
}
