package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// A switchState is the configuration database of a switch, and what commands make of it. Scripts
// that fail at each command in turn come to the same states again and again.
type switchState struct {
	db    patch.DB
	after map[string]*switchState
}

// A patchedSwitch runs what a folder of a patch holds. states are those it has been in, by their text;
// called is what its script did, by the number of the command that failed.
type patchedSwitch struct {
	folder string
	states map[string]*switchState
	called map[int]*scriptRun
}

// A scriptRun is what a script called, and its exit code.
type scriptRun struct {
	code  int
	calls []string
}

func (d *patchedSwitch) state(t *testing.T, db patch.DB) *switchState {
	t.Helper()
	text, err := json.Marshal(db)
	check(t, err)
	if d.states[string(text)] == nil {
		d.states[string(text)] = &switchState{db, map[string]*switchState{}}
	}
	return d.states[string(text)]
}

// run returns the state after a command. A broken one stops in its middle.
func (d *patchedSwitch) run(t *testing.T, s *switchState, command string, broken bool) *switchState {
	t.Helper()
	key := fmt.Sprint(broken, command)
	if s.after[key] == nil {
		now := switchDB{d.folder, copyOf(s.db)}
		now.run(t, command, broken)
		s.after[key] = d.state(t, now.db)
	}
	return s.after[key]
}

// A switchDB is a database while a command changes it.
type switchDB struct {
	folder string
	db     patch.DB
}

// fieldsOf are the fields that ecnconfig and mmuconfig set by their flags.
var fieldsOf = map[string]string{
	"-gmin": "green_min_threshold", "-gmax": "green_max_threshold", "-gdrop": "green_drop_probability", "-a": "dynamic_th", "-s": "static_th",
}

func (s *switchDB) run(t *testing.T, command string, broken bool) {
	t.Helper()
	words := strings.Fields(command)
	part := func(all []string) []string {
		if broken {
			return all[:len(all)/2]
		}
		return all
	}
	switch command := strings.Join(words[:2], " "); command {
	case "config apply-patch":
		var ops []patch.Operation
		s.read(t, words[2], &ops)
		if broken {
			ops = ops[:len(ops)/2]
		}
		text, err := json.Marshal(s.db)
		check(t, err)
		s.db = dbOf(t, appliedTo(t, text, ops))
	case "sonic-db-cli CONFIG_DB":
		table, key, _ := strings.Cut(words[3], "|")
		switch {
		case broken:
		case words[2] == "DEL": // any number of rows, as of Redis
			for _, row := range words[3:] {
				table, key, _ := strings.Cut(row, "|")
				s.drop(table, key)
			}
		case words[2] == "HDEL":
			for _, field := range words[4:] {
				delete(s.db[table][key], strings.TrimSuffix(field, "@"))
			}
		default:
			t.Fatalf("no switch is asked %q", command)
		}
	case "ecnconfig -p", "mmuconfig -p":
		table, row := "WRED_PROFILE", words[2]
		if words[0] == "mmuconfig" {
			table = "BUFFER_PROFILE"
		}
		field := fieldsOf[words[3]]
		if was, is := s.db[table][row][field]; !is || was.List != nil {
			t.Fatalf("%q: there is no %s", command, field)
		} else if !broken {
			s.db[table][row][field] = patch.Value{Text: words[4]}
		}
	case "config load": // what is there stays, fields of the file come (sonic-py-swsssdk, mod_config)
		var file map[string]map[string]map[string]any
		s.read(t, words[3], &file)
		text, err := json.Marshal(file)
		check(t, err)
		loaded := dbOf(t, text)
		for _, table := range part(slices.Sorted(maps.Keys(loaded))) {
			for key, row := range loaded[table] {
				if s.db[table] == nil {
					s.db[table] = patch.Table{}
				}
				if s.db[table][key] == nil {
					s.db[table][key] = patch.Row{}
				}
				maps.Copy(s.db[table][key], row)
			}
		}
	default:
		t.Fatalf("no switch knows %q", command)
	}
}

func (s *switchDB) drop(table, key string) {
	if delete(s.db[table], key); len(s.db[table]) == 0 {
		delete(s.db, table)
	}
}

func (s *switchDB) read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, name))
	check(t, err)
	check(t, json.Unmarshal(text, into))
}

func copyOf(db patch.DB) patch.DB {
	all := patch.DB{}
	for name, table := range db {
		all[name] = patch.Table{}
		for key, row := range table {
			all[name][key] = maps.Clone(row)
		}
	}
	return all
}

func dbOf(t *testing.T, text []byte) patch.DB {
	t.Helper()
	r := must.Sound(patch.Read("state.json", text))(t)
	return r.DB
}

// switchCommands are the commands that scripts of patches call.
var switchCommands = []string{"config", "ecnconfig", "mmuconfig", "sonic-db-cli"}

// newPatchedSwitch is a switch with the files of a patch, and with commands that write down how they were
// called. Of $FAILS it fails at the call of that number.
func newPatchedSwitch(t *testing.T, p *patch.Patch) *patchedSwitch {
	t.Helper()
	dir := t.TempDir()
	for _, f := range p.Files() {
		check(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, f.Path)), 0o777))
		check(t, os.WriteFile(filepath.Join(dir, f.Path), f.Text, 0o666))
	}
	check(t, os.Mkdir(filepath.Join(dir, "bin"), 0o777))
	for _, name := range switchCommands {
		stub := fmt.Sprintf("#!/bin/sh\ncd %s\necho \"%s $*\" >>calls\nread -r n <count\nn=$((n + 1))\necho $n >count\n[ $n -ne $FAILS ] || exit 1\n", dir, name)
		check(t, os.WriteFile(filepath.Join(dir, "bin", name), []byte(stub), 0o777))
	}
	return &patchedSwitch{dir, map[string]*switchState{}, map[int]*scriptRun{}}
}

// script runs the script of a patch, of which the command number fails, from 1 on; with 0 none does.
// A script does not see whether a command failed in its middle. An interpreter runs it without processes, and a
// shell does so too for each sixteenth number: both do the same.
func (d *patchedSwitch) script(t *testing.T, fails int) *scriptRun {
	t.Helper()
	if d.called[fails] == nil {
		ran := d.interpreted(t, fails)
		if fails%16 < 2 {
			must.Equal(t, fmt.Sprint(ran), fmt.Sprint(d.byShell(t, fails)))
		}
		d.called[fails] = ran
	}
	return d.called[fails]
}

func (d *patchedSwitch) interpreted(t *testing.T, fails int) *scriptRun {
	t.Helper()
	ran := &scriptRun{}
	var run func(name string) error
	called := func(other interp.ExecHandlerFunc) interp.ExecHandlerFunc {
		return func(ctx context.Context, words []string) error {
			switch {
			case words[0] == "sh":
				return run(words[1])
			case !slices.Contains(switchCommands, words[0]):
				return other(ctx, words)
			}
			if ran.calls = append(ran.calls, strings.Join(words, " ")); len(ran.calls) == fails {
				return interp.ExitStatus(1)
			}
			return nil
		}
	}
	run = func(name string) error {
		text, err := os.ReadFile(filepath.Join(d.folder, name))
		check(t, err)
		file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(bytes.NewReader(text), name)
		check(t, err)
		r, err := interp.New(interp.Dir(d.folder), interp.ExecHandlers(called))
		check(t, err)
		return r.Run(t.Context(), file)
	}
	err := run(patch.Script)
	status, exits := errors.AsType[interp.ExitStatus](err)
	if ran.code = int(status); !exits {
		check(t, err)
	}
	return ran
}

func (d *patchedSwitch) byShell(t *testing.T, fails int) *scriptRun {
	t.Helper()
	check(t, os.WriteFile(filepath.Join(d.folder, "calls"), nil, 0o666))
	check(t, os.WriteFile(filepath.Join(d.folder, "count"), []byte("0\n"), 0o666))
	cmd := exec.Command("sh", filepath.Join(d.folder, patch.Script))
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(d.folder, "bin")+":"+os.Getenv("PATH"), fmt.Sprint("FAILS=", fails))
	ran := &scriptRun{}
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok {
		ran.code = exit.ExitCode()
	} else {
		check(t, err)
	}
	text, err := os.ReadFile(filepath.Join(d.folder, "calls"))
	check(t, err)
	ran.calls = strings.Split(strings.TrimSpace(string(text)), "\n")
	return ran
}

// play runs the script of a patch: the command number fails, from 1 on, at once or in its middle;
// with 0 none does. It returns the exit code, the states after each command, and how many commands
// there were.
func (d *patchedSwitch) play(t *testing.T, from *switchState, fails int, broken bool) (code int, states []*switchState, calls []string) {
	t.Helper()
	ran := d.script(t, fails)
	checkpoints := map[string]*switchState{}
	for i, call := range ran.calls {
		failed := i+1 == fails
		switch words := strings.Fields(call); strings.Join(words[:2], " ") {
		case "config checkpoint":
			if !failed {
				checkpoints[words[2]] = from
			}
		case "config rollback":
			if !failed {
				from = checkpoints[words[2]]
			}
		case "config delete-checkpoint":
			delete(checkpoints, words[2])
		default:
			if !failed || broken {
				from = d.run(t, from, call, failed)
			}
		}
		states = append(states, from)
	}
	return ran.code, states, ran.calls
}

// A shipped Trident 3 configuration is brought to fabrics of ours on every release, by what is
// printed, in steps of which none breaks an obligation that the ends keep: by patches where the
// updater takes them, else past it. A command that fails, at once or in its middle,
// leaves the switch as it was, in all tables.
func TestEveryReleaseEndsAtAnEnd(t *testing.T) {
	shipped, err := os.ReadFile(oracle.Data(t, shippedTridentFile))
	check(t, err)
	catalogue, _ := chips.Load()
	_, ours := plantest.Text(t, catalogue, shippedTrident)
	_, moved := plantest.Text(t, catalogue, strings.NewReplacer("queue              = 3", "queue              = 4", "pfc                = 3", "pfc                = 4").Replace(shippedTrident))
	oursText := patched(t, ours.Switches[0], shipped)
	ways, played := map[string]int{}, map[string]bool{}
	for _, release := range []string{"202305", "202311", "202405", "202411", "202505", "202511", "202605", "202611"} {
		for _, c := range []struct {
			name string
			from []byte
			to   *plan.Switch
		}{
			{"shipped to ours", shipped, ours.Switches[0]},
			{"ours to another priority", oursText, moved.Switches[0]},
			{"with what others have set", othersSet(t, shipped), ours.Switches[0]},
		} {
			t.Run(release+"/"+c.name, func(t *testing.T) {
				ways[endsAtAnEnd(t, catalogue, c.from, c.to, release, played)]++
			})
		}
	}
	if ways["patches"] == 0 || ways["past"] == 0 {
		t.Errorf("the ways that were taken: %v", ways)
	}
}

// othersSet is a configuration with rows that the fabric does not have and fields that are not
// roceplan's, in tables that are cleared and in one that is not.
func othersSet(t *testing.T, text []byte) []byte {
	t.Helper()
	var tables map[string]map[string]any
	check(t, json.Unmarshal(text, &tables))
	set := func(table, key string, fields map[string]any) {
		if tables[table] == nil {
			tables[table] = map[string]any{}
		}
		row, _ := tables[table][key].(map[string]any)
		if row == nil {
			row = map[string]any{}
			tables[table][key] = row
		}
		maps.Copy(row, fields)
	}
	set("SCHEDULER", "scheduler.port", map[string]any{"pir": "1000000000", "meter_type": "bytes"})
	set("PORT_QOS_MAP", "Ethernet0", map[string]any{"scheduler": "scheduler.port", "tc_to_dscp_map": "AZURE"})
	set("MPLS_TC_TO_TC_MAP", "AZURE", map[string]any{"0": "0"})
	set("TC_TO_DSCP_MAP", "AZURE", map[string]any{"3": "26"})
	set("PFC_WD", "Ethernet0", map[string]any{"action": "drop", "detection_time": "200", "restoration_time": "200", "pfc_stat_history": "enable"})
	out, err := json.Marshal(tables)
	check(t, err)
	return out
}

// patched is a configuration after all steps, whoever takes them.
func patched(t *testing.T, sw *plan.Switch, from []byte) []byte {
	t.Helper()
	running, _ := patch.Read("running.json", from)
	made, found := patch.Make(sw, "dut", running, nil)
	if made == nil {
		t.Fatal(found)
	}
	return appliedTo(t, from, made.Operations())
}

func endsAtAnEnd(t *testing.T, catalogue *chips.Catalogue, from []byte, to *plan.Switch, release string, played map[string]bool) (way string) {
	sw := *to
	sw.Release = release
	v := verify.New(verify.Options{Catalogue: catalogue})
	faults := func(text []byte) map[string]bool {
		t.Helper()
		found, err := v.Fails(&sw, "sonic", "dut", text)
		check(t, err)
		return found
	}
	running, _ := patch.Read("running.json", from)
	p, found := patch.Make(&sw, "dut", running, func(text []byte) (map[string]bool, error) { return faults(text), nil })
	if p == nil {
		t.Fatal(found)
	}
	way = "patches"
	for _, step := range p.Steps {
		if step.Past {
			way = "past"
		} else if refused := patch.Refusals(release, running.DB["DEVICE_METADATA"]["localhost"]["hwsku"].Text, slices.Concat(step.Operations, step.Undo)); len(refused) > 0 {
			t.Errorf("the patch %q is printed, and the updater refuses %v of it", step.Title, refused)
		}
	}
	printed := fmt.Sprint(p.Files())
	if played[printed] {
		return way // the release before is changed by the same files
	}
	played[printed] = true
	d := newPatchedSwitch(t, p)
	before, after := d.state(t, running.DB), d.state(t, p.Target)
	code, states, calls := d.play(t, before, 0, false)
	if diff := cmp.Diff(p.Target, states[len(states)-1].db); code != 0 || diff != "" {
		t.Fatalf("exit code %d (-wanted +ended):\n%s", code, diff)
	}
	text := func(db patch.DB) []byte { out, err := json.Marshal(db); check(t, err); return out }
	// Where PFC is off meanwhile, the warning says so.
	drained := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.Interrupted })
	tolerated := faults(from)
	maps.Copy(tolerated, faults(text(p.Target)))
	for i, state := range states {
		for fault := range faults(text(state.db)) {
			if !drained && !tolerated[fault] {
				t.Errorf("after %q: %s", calls[i], fault)
			}
		}
	}
	for fails := 1; fails <= len(calls); fails++ {
		for _, broken := range []bool{false, true} {
			if broken && !strings.HasPrefix(calls[fails-1], "config apply-patch") && !strings.HasPrefix(calls[fails-1], "config load") {
				continue // nothing has a middle but a patch and a file
			}
			code, states, did := d.play(t, before, fails, broken)
			end, want := states[len(states)-1], before
			if code == 0 {
				want = after
			}
			if end != want || code > 1 {
				t.Fatalf("command %d, %q, fails (in its middle: %v): exit code %d after %s\n(-an end +ended):\n%s", fails, calls[fails-1], broken, code, strings.Join(did, "; "), cmp.Diff(want.db, end.db))
			}
		}
	}
	return way
}

// appliedTo is a configuration after operations, as their standard says.
func appliedTo(t *testing.T, text []byte, ops []patch.Operation) []byte {
	t.Helper()
	list, err := json.Marshal(ops)
	check(t, err)
	decoded, err := jsonpatch.DecodePatch(list)
	check(t, err)
	after, err := decoded.Apply(text)
	check(t, err)
	return after
}
