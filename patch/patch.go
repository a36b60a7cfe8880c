package patch

import (
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
)

// A Patch is the way from a running configuration to the compiled one.
type Patch struct {
	Switch string
	Steps  []Step // none where nothing differs
	Target DB     // the configuration after it
	// Between are the configurations between its steps, and between the commands of their scripts, that a [Judge] was asked of.
	Between []Passed
}

// A Passed is a configuration that a device passes through: the step or the commands before it, and all that it runs then.
type Passed struct {
	After  string
	Config []byte
}

// A Step is operations whose order is free; that of the steps is not.
type Step struct {
	Title      string      `json:"title"`
	Operations []Operation `json:"patch"`
	// Undo leads from the state after the step to that before it.
	Undo []Operation `json:"undo"`
	// Past is set where the updater refuses an operation or its undo: other commands write
	// what it would have written.
	Past bool `json:"past,omitempty"`

	ports []makePort // ports that the step makes, and nothing else
	open  bool       // the updater refuses it on a HwSKU that it does not know, and the plan has no HwSKU
}

// An Operation is one of RFC 6902: add, replace or remove.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Operations returns the operations of all steps in order.
func (p *Patch) Operations() []Operation {
	all := []Operation{}
	for _, step := range p.Steps {
		all = append(all, step.Operations...)
	}
	return all
}

// Make finds the patch that brings a device of a shape from the running configuration
// to that of the plan. judge is asked of the states between its steps; nil: the [Guard] alone
// is. With an error in the list there is none.
func Make(sw *plan.Switch, device string, running *Running, judge Judge) (*Patch, diag.List) {
	overlay, found := compiled(sw, device)
	if overlay == nil {
		return nil, found
	}
	found = append(found, check(sw, device, running)...)
	if found.HasErrors() {
		return nil, found.Sorted()
	}
	p := &Patch{Switch: device, Target: target(running.DB, overlay.DB, sw.PortsByName())}
	updaters := judges(sw, running.DB)
	found = append(found, p.leave(running.DB, updaters, running.start())...)
	found = append(found, checkRecreated(running, p.Target)...)
	_, interrupted, worst := p.lead(running, p.Target, updaters, judge, running.in(schema.TableBufferPG, "", ""))
	if worst != "" {
		found.Errorf(Unsafe, running.start(), "there is no safe order of these changes: %s", worst).
			Fixf("drain the switch and load the full configuration")
		return nil, found.Sorted()
	}
	found = append(found, interrupted...)
	found = append(found, p.consult(updaters, running.start())...)
	return p, found.Sorted()
}

// lead adds the steps from a running configuration to another, which runs after them, and finds
// what they interrupt. worst is the worst fault on the way, "" where there is none.
func (p *Patch) lead(from *Running, to DB, updaters []judge, judge Judge, at diag.Range) (after *Running, interrupted diag.List, worst string) {
	way := Patch{}
	if way.Steps, worst = Between(from.DB, to); worst != "" {
		return nil, nil, worst
	}
	pass(way.Steps, updaters)
	if after, worst = verify(from.src, way.Operations(), to); worst != "" {
		return nil, nil, worst
	}
	p.Steps = append(p.Steps, way.Steps...)
	interrupted = checkInterruptions(from.DB, to, at)
	worst = way.settled(from.src, judge, interrupted)
	p.Between = append(p.Between, way.Between...)
	return after, interrupted, worst
}

// Between gives the steps from one configuration to another, and the first hazard of a
// state on the way that the first configuration does not have; "" where there is none.
func Between(from, to DB) (steps []Step, hazard string) {
	edits := order(from, to)
	state := from.clone()
	guard, entry, within := NewGuard(from, to), state, []operation(nil)
	tolerated := guard.Hazards(from)
	for start := 0; start < len(edits); {
		end := start
		for end < len(edits) && edits[end].phase == edits[start].phase && edits[end].table == edits[start].table {
			end++
		}
		title := titles[edits[start].phase]
		if len(steps) == 0 || steps[len(steps)-1].Title != title {
			steps, within, entry = append(steps, Step{Title: title}), nil, state.clone()
		}
		step := &steps[len(steps)-1]
		before := state.clone()
		first := len(step.Operations)
		for _, op := range operations(state, edits[start:end]) {
			step.Operations = append(step.Operations, op.Operation)
			op.apply(state)
			within = append(within, op)
		}
		step.Undo = append(undo(before, step.Operations[first:]), step.Undo...)
		if start = end; hazard == "" && (end == len(edits) || titles[edits[end].phase] != title) {
			hazard = anyOrder(guard, entry, within, tolerated)
		}
	}
	return steps, hazard
}

// anyOrder returns the first hazard of a state within a step, whose operations may come in any order: ""
// where there is none. Each operation is the first one, and the last one, so a hazard of up to
// three operations is found in whatever order it is one. The hazards of a port depend on its own
// rows and on those of no port, so each port has one of its operations first in the same state.
func anyOrder(guard *Guard, entry DB, ops []operation, tolerated map[string]bool) string {
	state := entry.clone()
	for i := range ops { // in the order of the file
		ops[i].apply(state)
		if hazard := firstOf(guard.Hazards(state), tolerated); hazard != "" {
			return hazard
		}
	}
	if len(ops) < 2 {
		return ""
	}
	turns, most := turnsOf(entry, ops)
	for turn := range most {
		first, last := entry.clone(), entry.clone()
		for i := range ops {
			if turns[i] == turn {
				ops[i].apply(first)
			} else {
				ops[i].apply(last)
			}
		}
		for _, state := range []DB{first, last} {
			missing := map[string]bool{}
			if dangling(state, missing); firstOf(missing, tolerated) != "" {
				continue // the updater validates each state by the YANG models, which have the references
			}
			if hazard := firstOf(guard.Hazards(state), tolerated); hazard != "" {
				return hazard
			}
		}
	}
	return ""
}

// turnsOf says in which state each operation is the first: those of a port one after the other, and those of no port after them.
func turnsOf(entry DB, ops []operation) (turns []int, most int) {
	next := map[string]int{}
	turns = make([]int, len(ops))
	port := func(op *operation) string {
		name, _, _ := strings.Cut(op.edits[0].row, "|")
		if len(op.edits) == 1 && entry[schema.TablePort][name] != nil {
			return name
		}
		return ""
	}
	for i := range ops {
		if name := port(&ops[i]); name != "" {
			turns[i] = next[name]
			next[name]++
			most = max(most, next[name])
		}
	}
	for i := range ops {
		if port(&ops[i]) == "" {
			turns[i] = most
			most++
		}
	}
	return turns, most
}

func (o *operation) apply(db DB) {
	for _, e := range o.edits {
		e.apply(db)
	}
}

func firstOf(hazards, tolerated map[string]bool) string {
	for _, h := range slices.Sorted(maps.Keys(hazards)) {
		if !tolerated[h] {
			return h
		}
	}
	return ""
}

// An operation is an Operation with the edits that it makes.
type operation struct {
	Operation
	edits []edit
}

// operations writes edits of one phase and one table. ConfigDB has no empty tables: the
// first rows bring the table, and the last ones take it along.
func operations(state DB, edits []edit) []operation {
	table := edits[0].table
	if state[table] == nil {
		rows := make(Table)
		for _, e := range edits {
			rows[e.row] = e.fields
		}
		return []operation{{Operation{"add", pointer(table), rows}, edits}}
	}
	var ops []operation
	removed := 0
	for _, e := range edits {
		if e.field == "" && e.fields == nil {
			removed++
		}
		ops = append(ops, operation{e.operation(state), []edit{e}})
	}
	if removed == len(edits) && removed == len(state[table]) {
		return []operation{{Operation{Op: "remove", Path: pointer(table)}, edits}}
	}
	return ops
}

func (e edit) operation(state DB) Operation {
	switch {
	case e.field == "" && e.fields == nil:
		return Operation{Op: "remove", Path: pointer(e.table, e.row)}
	case e.field == "":
		return Operation{"add", pointer(e.table, e.row), e.fields}
	case e.value == nil:
		return Operation{Op: "remove", Path: pointer(e.table, e.row, e.field)}
	}
	op := "add"
	if _, had := state[e.table][e.row][e.field]; had {
		op = "replace"
	}
	return Operation{op, pointer(e.table, e.row, e.field), *e.value}
}

func (e edit) apply(db DB) {
	switch {
	case e.field == "" && e.fields == nil:
		db.drop(e.table, e.row)
	case e.field == "":
		db.set(e.table, e.row, maps.Clone(e.fields))
	case e.value == nil:
		delete(db[e.table][e.row], e.field)
	default:
		if row := db[e.table][e.row]; row != nil { // another operation makes it
			row[e.field] = *e.value
		}
	}
}

// pointer returns the JSON pointer (RFC 6901) of the keys.
func pointer(keys ...string) string {
	var path strings.Builder
	for _, key := range keys {
		path.WriteByte('/')
		path.WriteString(strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1"))
	}
	return path.String()
}

// verify applies the patch as its standard says, and says what is wrong with the result; "" where
// it is as wanted.
func verify(src []byte, ops []Operation, want DB) (after *Running, wrong string) {
	result, err := applied(src, ops)
	if err != nil {
		return nil, err.Error()
	}
	got, found := Read("after", result)
	if len(found) > 0 {
		return nil, found[0].Message
	}
	if !maps.EqualFunc(got.DB, want, func(a, b Table) bool { return maps.EqualFunc(a, b, Row.equal) }) {
		return nil, "the result differs from the compiled configuration"
	}
	return got, ""
}
