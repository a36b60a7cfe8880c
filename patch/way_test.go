package patch

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// way is three configurations on the way from f = 0 to f = 3, one by each step.
func way(steps int) (src []byte, p *Patch) {
	p = &Patch{}
	for i := range steps {
		p.Steps = append(p.Steps, Step{Title: fmt.Sprintf("step %d", i+1), Operations: []Operation{{"replace", "/T/r/f", Value{Text: fmt.Sprint(i + 1)}}}})
	}
	return []byte(`{"T": {"r": {"f": "0"}}}`), p
}

// A judge is asked of both ends and of each state between two steps, and what it says of a state
// alone is told with the step before; what it cannot say is told too. With one step there is
// nothing between.
func TestJudged(t *testing.T) {
	for _, c := range []struct {
		steps   int
		faults  map[string]string // by the value of f; "!" cannot be judged
		want    string
		asks    int // states that are judged, those after the first fault not counted
		missing bool
	}{
		{steps: 0, asks: 0},
		{steps: 1, faults: map[string]string{"0": "!", "1": "!"}, asks: 0},
		{steps: 2, asks: 3},
		{steps: 2, faults: map[string]string{"1": "lost"}, want: `after the step "step 1", lost`, asks: 3},
		{steps: 2, faults: map[string]string{"2": "lost"}, asks: 3},
		{steps: 3, faults: map[string]string{"2": "lost"}, want: `after the step "step 2", lost`, asks: 4},
		{steps: 3, faults: map[string]string{"3": "lost"}, asks: 4},
		{steps: 3, faults: map[string]string{"0": "!"}, want: "no model", asks: 1},
		{steps: 3, faults: map[string]string{"3": "!"}, want: "no model", asks: 2},
		{steps: 3, faults: map[string]string{"1": "!"}, want: "no model", asks: 3},
		{steps: 3, missing: true, want: "missing", asks: 0},
	} {
		src, p := way(c.steps)
		if c.missing {
			p.Steps[1].Operations = []Operation{{Op: "remove", Path: "/none"}}
		}
		asked := 0
		got := p.judged(src, func(config []byte) (map[string]bool, error) {
			asked++
			r, _ := Read("state", config)
			switch fault := c.faults[r.DB.text("T", "r", "f")]; fault {
			case "!":
				return nil, errors.New("no model")
			case "":
				return nil, nil
			default:
				return map[string]bool{fault: true}, nil
			}
		})
		if asked != c.asks || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%d steps, %v: %q after %d states, want %q after %d", c.steps, c.faults, got, asked, c.want, c.asks)
		}
	}
	if src, p := way(3); p.judged(src, nil) != "" {
		t.Error("nobody is asked, and something is said")
	}
}

// A patch is applied as its standard says, and what comes of it is compared.
func TestVerified(t *testing.T) {
	src := []byte(`{"T": {"r": {"f": "0"}}}`)
	want := DB{"T": {"r": {"f": {Text: "1"}}}}
	replace := []Operation{{"replace", "/T/r/f", Value{Text: "1"}}}
	after, wrong := verify(src, replace, want)
	if wrong != "" || after == nil || after.DB.text("T", "r", "f") != "1" || !strings.Contains(string(after.src), `"1"`) {
		t.Errorf("%v, %s", after, wrong)
	}
	for _, c := range []struct {
		ops  []Operation
		want DB
		says string
	}{
		{nil, want, "differs from the compiled configuration"},
		{replace, DB{"T": {"r": {"f": {Text: "1"}}, "s": {}}}, "differs from the compiled configuration"},
		{replace, DB{"T": {"r": {"f": {Text: "1"}}}, "U": {}}, "differs from the compiled configuration"},
		{[]Operation{{Op: "remove", Path: "/none"}}, want, "missing"},
		{[]Operation{{"add", "/T/r", Value{Text: "1"}}}, want, "an object is expected, not 1"},
	} {
		if after, wrong := verify(src, c.ops, c.want); after != nil || !strings.Contains(wrong, c.says) {
			t.Errorf("%v: %v, %q, want %q", c.ops, after, wrong, c.says)
		}
	}
}

// paused is PFC for priorities of ports whose PGs have headroom by row.
func paused(pfc map[string]string, groups ...string) DB {
	db := DB{"BUFFER_PROFILE": {"held": {"pool": {Text: "in"}, "xoff": {Text: "100"}}}, "BUFFER_PG": {}, "PORT_QOS_MAP": {}}
	for port, list := range pfc {
		db["PORT_QOS_MAP"][port] = Row{"pfc_enable": {Text: list}}
	}
	for _, key := range groups {
		db["BUFFER_PG"][key] = Row{"profile": {Text: "held"}}
	}
	return db
}

// PFC of a priority is interrupted where its group moves to another row and it is on before and
// after: counted by port, said once for each priority.
func TestInterruptions(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to DB
		want     [8]int
	}{
		{"nothing moves", paused(map[string]string{"A": "3,4"}, "A|3-4"), paused(map[string]string{"A": "3,4"}, "A|3-4"), [8]int{}},
		{"one of two goes", paused(map[string]string{"A": "3,4"}, "A|3-4"), paused(map[string]string{"A": "3"}, "A|3"), [8]int{3: 1}},
		{"one comes", paused(map[string]string{"A": "3"}, "A|3"), paused(map[string]string{"A": "3,4"}, "A|3-4"), [8]int{3: 1}},
		{"rows are split", paused(map[string]string{"A": "3,4"}, "A|3-4"), paused(map[string]string{"A": "3,4"}, "A|3", "A|4"), [8]int{3: 1, 4: 1}},
		{"on two ports", paused(map[string]string{"A": "3,4", "B": "3,4"}, "A|3-4", "B|3-4"), paused(map[string]string{"A": "3", "B": "3"}, "A|3", "B|3"), [8]int{3: 2}},
		{"on one of two", paused(map[string]string{"A": "0,7", "B": "0,7"}, "A|0", "A|7", "B|0", "B|7"), paused(map[string]string{"A": "0,7", "B": "0,7"}, "A|0", "A|7", "B|0,7"), [8]int{0: 1, 7: 1}},
		{"the port goes", paused(map[string]string{"A": "3"}, "A|3"), paused(nil), [8]int{}},
		{"PFC is off afterwards", paused(map[string]string{"A": "3"}, "A|3"), paused(map[string]string{"A": ""}, "A|3-4"), [8]int{}},
		{"PFC was off", paused(map[string]string{"A": ""}, "A|3"), paused(map[string]string{"A": "3"}, "A|3-4"), [8]int{}},
	} {
		must.Equalf(t, interruptions(c.from, c.to), c.want, "%s:", c.name)
		found := checkInterruptions(c.from, c.to, somewhere)
		var want []string
		for priority, ports := range c.want {
			if ports > 0 {
				want = append(want, fmt.Sprintf("PFC priority %d of %d ports is off during the change, because its priority group moves to another row of BUFFER_PG", priority, ports))
			}
		}
		if len(found) != len(want) {
			t.Errorf("%s: %v, want %v", c.name, found, want)
			continue
		}
		for i, d := range found {
			if d.Code != Interrupted || d.Message != want[i] || d.Subject != somewhere || d.Severity != diag.Warning {
				t.Errorf("%s: %+v, want %s", c.name, d, want[i])
			}
		}
	}
}

var somewhere = diag.Range{Filename: "running.json"}

// What is said of one port: of its speed where the plan says one, its state where it is lossless,
// its lanes where the plan knows them.
func TestCheckPort(t *testing.T) {
	up := func(more ...string) map[string][]string {
		return map[string][]string{"PORT|E": append([]string{"admin_status", "up", "speed", "100000"}, more...)}
	}
	pausing := &plan.PortQoS{PFC: 1}
	for _, c := range []struct {
		rows map[string][]string
		port plan.Port
		want string
	}{
		{up(), plan.Port{Speed: 100 * units.Gbps}, ""},
		{up(), plan.Port{}, ""},
		{up(), plan.Port{Speed: 1}, "port-differs"},
		{up(), plan.Port{Speed: 200 * units.Gbps}, "port-differs"},
		{nil, plan.Port{Speed: 100 * units.Gbps}, "port-missing"},
		{nil, plan.Port{QoS: pausing, Lanes: []int{1}}, "port-missing"},
		{map[string][]string{"PORT|E": {"speed", "100000"}}, plan.Port{Speed: 100 * units.Gbps}, ""},
		{map[string][]string{"PORT|E": {"speed", "100000"}}, plan.Port{QoS: &plan.PortQoS{}}, ""},
		{map[string][]string{"PORT|E": {"speed", "100000"}}, plan.Port{QoS: pausing}, "port-unset"},
		{up("lanes", "1,2"), plan.Port{Lanes: []int{1, 2}}, ""},
		{up("lanes", "1, 2"), plan.Port{Lanes: []int{1, 2}}, ""},
		{up("lanes", "1,2"), plan.Port{Lanes: []int{2, 1}}, "port-differs"},
		{up("lanes", "1"), plan.Port{Lanes: []int{2}}, "port-differs"},
		{up("lanes", "1"), plan.Port{}, ""},
		{up(), plan.Port{Lanes: []int{1}}, "port-differs"},
	} {
		c.port.Name = "E"
		var found diag.List
		checkPort(&c.port, &Running{DB: of(c.rows)}, &found)
		said := ""
		for _, d := range found {
			said += strings.TrimPrefix(string(d.Code), "patch-")
		}
		must.Equalf(t, said, c.want, "%v, %+v:", c.rows, c.port)
	}
}

// A way on which something is wrong has neither an end nor interruptions.
func TestLeadStopsAtAHazard(t *testing.T) {
	from, found := Read("running.json", []byte(`{"PORT": {"A": {}}, "BUFFER_PROFILE": {"held": {"xoff": "1"}}}`))
	if len(found) > 0 {
		t.Fatal(found)
	}
	p := &Patch{Target: from.DB.clone()}
	p.Target.set("BUFFER_PG", "A|3", Row{"profile": {Text: "nowhere"}})
	after, interrupted, worst := p.lead(from, p.Target, nil, nil, somewhere)
	if after != nil || interrupted != nil || worst != "BUFFER_PG|A|3 refers to nowhere, which BUFFER_PROFILE does not have" {
		t.Errorf("%v, %v, %q", after, interrupted, worst)
	}
}

// The operations of a step may come in any order: a state that only another order than that of the file passes through is a hazard too, but
// for one with a reference to a row that is not there, which the models exclude.
func TestHazardsOfAnyOrder(t *testing.T) {
	entry := DB{
		"PORT_QOS_MAP":   Table{"Ethernet0": Row{"pfc_enable": Value{Text: "3"}}},
		"BUFFER_PG":      Table{"Ethernet0|3": Row{"profile": Value{Text: "held"}}},
		"BUFFER_PROFILE": Table{"held": Row{"xoff": Value{Text: "100"}}},
		"BUFFER_POOL":    Table{"in": Row{"size": Value{Text: "1000"}}},
		"PORT":           Table{"Ethernet0": Row{}, "Ethernet4": Row{}},
	}
	set := func(table, row, field, value string) operation {
		return operation{edits: []edit{{table: table, row: row, field: field, value: &Value{Text: value}}}}
	}
	group := operation{edits: []edit{{table: "BUFFER_PG", row: "Ethernet0|4", fields: Row{"profile": Value{Text: "held"}}}}}
	second := operation{edits: []edit{{table: "BUFFER_PG", row: "Ethernet4|4", fields: Row{"profile": Value{Text: "held"}}}}}
	pause, other := set("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3,4"), set("BUFFER_POOL", "in", "mode", "dynamic")
	unmade := operation{edits: []edit{{table: "BUFFER_PG", row: "Ethernet0|5", fields: Row{"profile": Value{Text: "made"}}}}}
	made := operation{edits: []edit{{table: "BUFFER_PROFILE", row: "made", fields: Row{"xoff": Value{Text: "100"}}}}}
	for _, c := range []struct {
		name string
		ops  []operation
		want string
	}{
		{"nothing", nil, ""},
		{"one", []operation{group}, ""},
		{"the file is wrong", []operation{pause, group}, "PFC priority 4 of Ethernet0 pauses PG 4, which has no headroom"},
		{"another order is wrong", []operation{group, pause}, "PFC priority 4 of Ethernet0 pauses PG 4, which has no headroom"},
		{"of two ports", []operation{second, group, pause}, "PFC priority 4 of Ethernet0 pauses PG 4, which has no headroom"},
		{"of three", []operation{group, other, pause}, "PFC priority 4 of Ethernet0 pauses PG 4, which has no headroom"},
		{"a row that refers to a later one", []operation{made, unmade, other}, ""},
		{"none", []operation{group, other}, ""},
	} {
		before := fmt.Sprint(entry)
		must.Equalf(t, anyOrder(NewGuard(entry, entry), entry, c.ops, map[string]bool{}), c.want, "%s:", c.name)
		if fmt.Sprint(entry) != before {
			t.Fatalf("%s: the state before has changed", c.name)
		}
	}
}
