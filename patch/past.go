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

// pass lets commands carry out the steps that an updater refuses, by an operation or by the way back over it.
func pass(steps []Step, updaters []judge) {
	for i := range steps {
		s := &steps[i]
		refused := func(j judge) bool { return len(j.refusals([]Step{*s})) > 0 }
		s.Past = slices.ContainsFunc(updaters, refused)
		s.open = slices.ContainsFunc(updaters, func(j judge) bool {
			j.asic = ""
			return j.byChip && refused(j)
		})
	}
}

// consult says what the updaters refuse.
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
	found.Warnf(UpdaterRefuses, at, "config apply-patch does not take all of the %d operations and their undo: %s", len(p.Operations()), strings.Join(told, "; ")).
		Fixf("use the files of --steps, in which ecnconfig, mmuconfig and config load write what it refuses")
	return found
}

// judges returns the updaters that may run on the switch.
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

// commands returns the commands that carry out operations without the updater, and the rows and
// fields that `config load` adds to ConfigDB among them. Where ecnconfig or mmuconfig sets a field,
// it does: they write ConfigDB themselves (sonic-utilities scripts/ecnconfig, set_wred_threshold;
// scripts/mmuconfig, set).
func commands(ops, back []Operation, file string) (lines []string, load DB) {
	load = DB{}
	sets, adds, removals := inOrder(ops, back)
	for _, op := range sets {
		lines = append(lines, setter(op))
	}
	for _, op := range adds {
		load.put(keysOf(op.Path), op.Value)
	}
	if len(load) > 0 {
		lines = append(lines, "config load -y "+quoted(file))
	}
	for _, ops := range removals {
		lines = append(lines, removal(ops, back))
	}
	return lines, load
}

// inOrder are operations in the order of a script: a command for each that sets a field, one for all that add, one for all rows that
// go, and one for all fields that go from a row.
func inOrder(ops, back []Operation) (sets, adds []Operation, removals [][]Operation) {
	var rows []Operation
	fields := map[string]int{}
	for _, op := range ops {
		switch {
		case setter(op) != "":
			sets = append(sets, op)
		case op.Op != "remove":
			adds = append(adds, op)
		default:
			switch keys := keysOf(op.Path); len(keys) {
			case 1:
				table, _ := valueAt(back, op.Path).(Table)
				for _, key := range sorted(table) {
					rows = append(rows, Operation{Op: "remove", Path: op.Path + pointer(key)})
				}
			case 2:
				rows = append(rows, op)
			default:
				row := pointer(keys[:2]...)
				if _, ok := fields[row]; !ok {
					fields[row] = len(removals)
					removals = append(removals, nil)
				}
				removals[fields[row]] = append(removals[fields[row]], op)
			}
		}
	}
	if rows != nil {
		removals = append([][]Operation{rows}, removals...)
	}
	return sets, adds, removals
}

// parts returns the configurations that a script and its undo pass through, each by the operations that lead to it
// and what is done in it. A script that fails is undone from where it stopped, so any number of the first settings
// goes with any number of the first removals.
func (s *Step) parts() (all []part) {
	if !s.Past && !s.open {
		return nil
	}
	sets, adds, removals := inOrder(s.Operations, s.Undo)
	loads := min(len(adds), 1)
	for set := range len(sets) + 1 {
		for load := range loads + 1 {
			for removed := range len(removals) + 1 {
				done := set + load + removed
				if done == 0 || done == len(sets)+loads+len(removals) {
					continue // before the step, and after it
				}
				ops := slices.Concat(sets[:set], adds[:load*len(adds)], slices.Concat(removals[:removed]...))
				all = append(all, part{fmt.Sprintf("%s, %d of %d commands set, %d of %d load, %d of %d remove", s.Title, set, len(sets), load, loads, removed, len(removals)), ops})
			}
		}
	}
	return all
}

// A part describes the effect of some commands of a script.
type part struct {
	done string
	ops  []Operation
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

// setter returns the command that sets a field of a profile that is there; "" where there is none.
func setter(op Operation) string {
	keys := keysOf(op.Path)
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

// removal takes rows, or fields of one row, out of ConfigDB at once.
func removal(ops, back []Operation) string {
	line := "sonic-db-cli CONFIG_DB DEL"
	for i, op := range ops {
		keys := keysOf(op.Path)
		row := quoted(keys[0] + "|" + keys[1])
		if len(keys) == 2 {
			line += " " + row
			continue
		}
		field := keys[2]
		if v, ok := valueAt(back, op.Path).(Value); ok && v.List != nil {
			field += "@" // ConfigDB's mark of a list (sonic-py-swsssdk configdb.py, typed_to_raw)
		}
		if i == 0 {
			line = "sonic-db-cli CONFIG_DB HDEL " + row
		}
		line += " " + quoted(field)
	}
	return line
}

// valueAt returns the value that operations give a path.
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

// quoted returns a word for the shell.
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

// sorted returns the keys of a table or of a row, in natural order.
func sorted[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), natural.Compare)
}
