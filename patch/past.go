package patch

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// consult asks the updaters which steps they refuse, by an operation or by the way back over
// it. Such a step is carried out past them.
func (p *Patch) consult(judges []judge, at diag.Range) (found diag.List) {
	var told []string
	for i := range judges {
		if all, counts := counted(judges[i].refusals(p.Steps)); all > 0 {
			told = append(told, fmt.Sprintf("that of %s refuses %d: %s", judges[i].release, all, counts))
		}
	}
	if len(told) == 0 {
		return nil
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		s.Past = slices.ContainsFunc(judges, func(j judge) bool { return len(j.refusals([]Step{*s})) > 0 })
	}
	found.Warnf(UpdaterRefuses, at, "config apply-patch does not take all of the %d operations and their undo: %s", len(p.Operations()), strings.Join(told, "; ")).
		Fixf("use the files of --steps, in which ecnconfig, mmuconfig and config load write what it refuses")
	return found
}

// judges are the updaters that may run on the switch.
func judges(sw *plan.Switch, running DB) []judge {
	return judgesOf(cmp.Or(sw.Release, releaseOf(running)), cmp.Or(running.text(schema.TableDeviceMetadata, schema.Localhost, "hwsku"), sw.HwSKU), sw.Chip)
}

// idle are tables whose rows do nothing where no row refers to them.
var idle = []string{schema.TableBufferProfile, schema.TableWREDProfile}

// leave keeps rows in the target that do nothing there and that the updater does not remove: to
// force them out would bring nothing. The switch-wide row of the watchdog is such a row where no
// port is watched.
func (p *Patch) leave(running DB, judges []judge, at diag.Range) (found diag.List) {
	var left []string
	keep := func(table, key string) {
		p.Target.set(table, key, running[table][key])
		left = append(left, table+"|"+key)
	}
	for _, table := range idle {
		for _, key := range sorted(running[table]) {
			if p.Target[table][key] == nil && p.Target.resolves(table, running[table][key]) && !removable(judges, table, key, running[table][key]) {
				keep(table, key)
			}
		}
	}
	row := running[schema.TablePFCWatchdog][schema.GlobalWatchdog]
	if row != nil && len(p.Target[schema.TablePFCWatchdog]) == 0 && !removable(judges, schema.TablePFCWatchdog, schema.GlobalWatchdog, row) {
		keep(schema.TablePFCWatchdog, schema.GlobalWatchdog)
	}
	if len(left) > 0 {
		found.Warnf(Left, at, "config apply-patch does not remove %s, which no port uses, so the patch leaves it", strings.Join(left, ", ")).
			Fixf("no action is needed: the next config reload of the whole configuration removes it")
	}
	return found
}

// removable reports whether every updater lets a row go and come back.
func removable(judges []judge, table, key string, row Row) bool {
	path := pointer(table, key)
	return !slices.ContainsFunc(judges, func(j judge) bool {
		return j.refuses(Operation{Op: "remove", Path: path}, j.asic) || j.refuses(Operation{"add", path, row}, j.asic)
	})
}

// resolves reports whether all that a row refers to is there.
func (db DB) resolves(table string, row Row) bool {
	for _, ref := range references {
		if name := plain(row[ref.field].Text); ref.table == table && name != "" && db[ref.to][name] == nil {
			return false
		}
	}
	return true
}

// commands are what carries operations out without the updater, and the rows and fields that
// `config load` adds to ConfigDB among them. back are the operations that undo them: they have
// what is removed. Where ecnconfig or mmuconfig sets a field, it does: they write ConfigDB
// themselves (sonic-utilities scripts/ecnconfig, set_wred_threshold; scripts/mmuconfig, set).
func commands(ops, back []Operation, file string) (lines []string, load DB) {
	load = DB{}
	var removals []string
	for _, op := range ops {
		keys := keysOf(op.Path)
		switch command := setter(op, keys); {
		case command != "":
			lines = append(lines, command)
		case op.Op == "remove":
			removals = append(removals, removal(keys, valueAt(back, op.Path))...)
		default:
			load.put(keys, op.Value)
		}
	}
	if len(load) > 0 {
		lines = append(lines, "config load -y "+quoted(file))
	}
	return append(lines, removals...), load
}

// setters are the fields that a command sets, each with its flag.
var setters = map[string]struct {
	command string
	flags   map[string]string
}{
	schema.TableWREDProfile: {"ecnconfig", map[string]string{
		"green_min_threshold": "-gmin", "green_max_threshold": "-gmax", "green_drop_probability": "-gdrop",
		"yellow_min_threshold": "-ymin", "yellow_max_threshold": "-ymax", "yellow_drop_probability": "-ydrop",
		"red_min_threshold": "-rmin", "red_max_threshold": "-rmax", "red_drop_probability": "-rdrop",
	}},
	// It changes no threshold into one of the other kind.
	schema.TableBufferProfile: {"mmuconfig", map[string]string{"dynamic_th": "-a", "static_th": "-s"}},
}

// setter is the command that sets a field of a profile that is there; "" where there is none.
func setter(op Operation, keys []string) string {
	v, text := op.Value.(Value)
	if !text || op.Op != "replace" || len(keys) != 3 {
		return ""
	}
	s := setters[keys[0]]
	if s.flags[keys[2]] == "" {
		return ""
	}
	return s.command + " -p " + quoted(keys[1]) + " " + s.flags[keys[2]] + " " + quoted(v.Text)
}

// removal takes a table, a row or a field out of ConfigDB.
func removal(keys []string, had any) (lines []string) {
	const cli = "sonic-db-cli CONFIG_DB "
	switch {
	case len(keys) == 1:
		table, _ := had.(Table)
		for _, key := range sorted(table) {
			lines = append(lines, cli+"DEL "+quoted(keys[0]+"|"+key))
		}
	case len(keys) == 2:
		lines = append(lines, cli+"DEL "+quoted(keys[0]+"|"+keys[1]))
	default:
		field := keys[2]
		if v, ok := had.(Value); ok && v.List != nil {
			field += "@" // how ConfigDB marks a list (sonic-py-swsssdk configdb.py, typed_to_raw)
		}
		lines = append(lines, cli+"HDEL "+quoted(keys[0]+"|"+keys[1])+" "+quoted(field))
	}
	return lines
}

// valueAt is the value that operations give a path.
func valueAt(ops []Operation, path string) any {
	if i := slices.IndexFunc(ops, func(op Operation) bool { return op.Path == path }); i >= 0 {
		return ops[i].Value
	}
	return nil
}

// put lays a table, a row or a field in its place.
func (db DB) put(keys []string, value any) {
	switch v := value.(type) {
	case Table:
		for key, row := range v {
			db.put([]string{keys[0], key}, row)
		}
	case Row:
		db.set(keys[0], keys[1], v)
	case Value:
		if db[keys[0]][keys[1]] == nil {
			db.set(keys[0], keys[1], Row{})
		}
		db[keys[0]][keys[1]][keys[2]] = v
	}
}

// harmless are words that no shell makes anything else of.
var harmless = regexp.MustCompile(`^[A-Za-z0-9_./:,+=@%-]+$`)

// quoted is a word for the shell.
func quoted(word string) string {
	if harmless.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// script is a shell script of commands that ends with the first that fails.
func script(title string, lines []string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "#!/bin/sh\n# %s. It does not use the updater of patches. Run by %s.\nset -eu\n", title, Script)
	for _, line := range lines {
		out.WriteString(line + "\n")
	}
	return out.Bytes()
}

// sorted are the keys of a table or of a row, in natural order.
func sorted[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), natural.Compare)
}
