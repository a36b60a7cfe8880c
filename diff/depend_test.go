package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// inParts is a group of which a change has all three parts.
func inParts(names ...string) *group {
	g := &group{pair: &pair{names: names}}
	for i, level := range []int{levelGrow, levelMove, levelShrink} {
		g.parts[i] = &node{level: level, after: map[*node]bool{}, why: map[Rule]bool{}}
	}
	return g
}

// edges returns the order among the parts of groups and other nodes, with the reasons.
func edges(nodes map[string]*node) string {
	var all []string
	for to, n := range nodes {
		for from, before := range nodes {
			if !n.after[before] {
				continue
			}
			var why []string
			for rule := range n.why {
				if before.why[rule] {
					why = append(why, string(rule))
				}
			}
			slices.Sort(why)
			all = append(all, fmt.Sprint(from, "<", to, " ", strings.Join(why, "+")))
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func partsOf(groups ...*group) map[string]*node {
	nodes := map[string]*node{}
	for _, g := range groups {
		for i, n := range g.parts {
			if n != nil {
				nodes[g.names[0]+[]string{"0", "1", "2"}[i]] = n
			}
		}
	}
	return nodes
}

// Which rule lets a part wait for an earlier one of another device; between devices of one shape it
// is noted on the group, and what has no part waits for nothing.
func TestWhyPartsWait(t *testing.T) {
	for _, c := range []struct {
		i, j    int
		classes bool
		want    Rule
	}{
		{0, 1, true, ClassFirst}, {0, 2, true, ClassFirst}, {0, 1, false, HeadroomFirst}, {0, 2, false, UnusedLast}, {1, 2, true, LessFirst}, {1, 2, false, LessFirst},
	} {
		a, b := inParts("a"), inParts("b")
		wait(a, c.i, b, c.j, c.classes)
		must.Equalf(t, edges(partsOf(a, b)), fmt.Sprintf("a%d<b%d %s", c.i, c.j, c.want), "%+v:", c)
		one := inParts("a", "b")
		wait(one, c.i, one, c.j, c.classes)
		apart := [3][3]bool{}
		apart[c.i][c.j] = true
		if got := edges(partsOf(one)); got != "" || one.apart != apart || !one.parts[c.i].why[c.want] || !one.parts[c.j].why[c.want] {
			t.Errorf("%+v of one shape: %q, %v", c, got, one.apart)
		}
		for _, missing := range []*group{a, b} {
			a, b := inParts("a"), inParts("b")
			if missing.names[0] == "a" {
				a.parts[c.i] = nil
			} else {
				b.parts[c.j] = nil
			}
			if wait(a, c.i, b, c.j, c.classes); edges(partsOf(a, b)) != "" || a.apart != [3][3]bool{} {
				t.Errorf("%+v without a part: %s", c, edges(partsOf(a, b)))
			}
		}
	}
}

// Of two neighbours each later part that matters waits for each earlier one of the other that does.
func TestNeighbours(t *testing.T) {
	some := func(matters string) (b bits) {
		for i := range b.matters {
			b.matters[i] = strings.Contains(matters, []string{"0", "1", "2"}[i])
			b.classes[i] = strings.Contains(matters, []string{"0c", "1c", "2c"}[i])
		}
		return b
	}
	for _, c := range []struct{ a, b, want string }{
		{"", "012", ""}, {"0", "0", ""}, {"2", "2", ""}, {"0", "1", "a0<b1 headroom-first"}, {"0", "2", "a0<b2 unused-last"}, {"1", "2", "a1<b2 less-first"},
		{"1", "0", "b0<a1 headroom-first"}, {"2", "0", "b0<a2 unused-last"}, {"2", "1", "b1<a2 less-first"},
		{"0c", "2", "a0<b2 class-first"}, {"0", "2c", "a0<b2 class-first"}, {"2c", "0", "b0<a2 class-first"}, {"2", "0c", "b0<a2 class-first"},
		{"01", "1", "a0<b1 headroom-first"}, {"02", "1", "a0<b1 headroom-first, b1<a2 less-first"},
	} {
		a, b := inParts("a"), inParts("b")
		neighbours(a, some(c.a), b, some(c.b))
		must.Equalf(t, edges(partsOf(a, b)), c.want, "%q and %q:", c.a, c.b)
	}
}

// Where cables and NICs stand between the parts of a switch: longer cables after it has grown, shorter
// ones before it moves and shrinks, smaller frames of NICs before all, larger ones before it shrinks.
func TestBetweenParts(t *testing.T) {
	for _, c := range []struct {
		level    int
		less     bool
		classes  bool
		want     string
		matterOf int // the only part that matters; -1: all
	}{
		{levelCables, false, false, "a0<n headroom-first", -1}, {levelCables, false, true, "a0<n class-first", -1},
		{levelCables, true, true, "n<a1 less-first, n<a2 less-first", -1}, {levelCables, true, false, "n<a1 less-first", 1}, {levelCables, false, false, "", 1}, {levelCables, true, false, "", 0},
		{levelReady, true, true, "n<a0 less-first, n<a1 less-first, n<a2 less-first", -1}, {levelReady, false, true, "n<a0 headroom-first", 0}, {levelReady, true, false, "n<a2 less-first", 2},
		{levelHosts, false, false, "a0<n headroom-first", 0}, {levelHosts, false, true, "a0<n class-first", 0}, {levelHosts, false, false, "a1<n headroom-first", 1},
		{levelHosts, false, true, "n<a2 unused-last", 2},
	} {
		b := bits{}
		for i := range b.matters {
			b.matters[i], b.classes[i] = c.matterOf < 0 || c.matterOf == i, c.classes
		}
		g, n := inParts("a"), &node{level: c.level, less: c.less, after: map[*node]bool{}, why: map[Rule]bool{}}
		n.between(g, b)
		nodes := partsOf(g)
		nodes["n"] = n
		must.Equalf(t, edges(nodes), c.want, "%+v:", c)
		g.parts, n.after = [3]*node{}, map[*node]bool{}
		if n.between(g, b); len(n.after) > 0 {
			t.Errorf("%+v waits for parts that are not there", c)
		}
	}
}

// The parts of a device follow one another, whichever it has.
func TestChain(t *testing.T) {
	for without, want := range map[string]string{"": "a0<a1 , a1<a2 ", "0": "a1<a2 ", "1": "a0<a2 ", "2": "a0<a1 ", "01": "", "12": ""} {
		g := inParts("a")
		for _, i := range without {
			g.parts[i-'0'] = nil
		}
		g.chain()
		must.Equalf(t, edges(partsOf(g)), want, "without %q:", without)
	}
}

// lengths is a group whose port has a cable before and after; of 0 m there is no port.
func lengths(name string, was, is units.Length) *group {
	of := func(cable units.Length) *plan.Switch {
		sw := &plan.Switch{Names: []string{name}, Ports: []plan.Port{{Name: "other", Cable: 99 * units.Metre}}}
		if cable > 0 {
			sw.Ports = append(sw.Ports, plan.Port{Name: "p", Cable: cable * units.Metre})
		}
		return sw
	}
	g := inParts(name)
	g.old, g.new = of(was), of(is)
	g.states = [4]*plan.Switch{g.old, g.old, g.old, g.new}
	return g
}

// What becomes of a cable: the longer of what its two ends say, before and after.
func TestWhatBecomesOfACable(t *testing.T) {
	for _, c := range []struct {
		aWas, aIs, bWas, bIs units.Length // in m
		old, new             bool
		want                 string
	}{
		{5, 5, 5, 5, true, true, ""}, {5, 7, 5, 7, true, true, "cable 5 7"}, {5, 7, 7, 5, true, true, ""}, {5, 7, 6, 5, true, true, "cable 6 7"}, {7, 5, 7, 6, true, true, "cable 7 6"},
		{5, 5, 5, 5, true, false, "disconnect 5 0"}, {5, 6, 4, 7, true, false, "disconnect 5 0"}, {5, 5, 5, 5, false, true, "connect 0 5"}, {5, 6, 5, 7, false, true, "connect 0 7"},
	} {
		a, b := lengths("a", c.aWas, c.aIs), lengths("b", c.bWas, c.bIs)
		o := &orderer{of: map[string]*group{"a": a, "b": b}}
		ends := cable{a: plan.LinkEnd{Switch: "a", Port: "p"}, b: plan.LinkEnd{Switch: "b", Port: "p"}, old: c.old, new: c.new}
		s, ok := o.span(ends)
		got := ""
		if ok {
			got = fmt.Sprint(s.action, " ", float64(s.was)/float64(units.Metre), " ", float64(s.is)/float64(units.Metre))
		}
		if got != c.want || s.a != a || s.b != b {
			t.Errorf("%+v: %q", c, got)
		}
	}
	// A cable that leaves the fabric has one end, and one of a switch that is in no plan none.
	o := &orderer{of: map[string]*group{"a": lengths("a", 5, 7)}}
	if s, ok := o.span(cable{a: plan.LinkEnd{Switch: "a", Port: "p"}, b: plan.LinkEnd{Switch: "x", Port: "p"}, old: true, new: true}); !ok || s.b != nil || s.was != 5*units.Metre || s.is != 7*units.Metre {
		t.Errorf("%+v, %v", s, ok)
	}
	if _, ok := o.span(cable{a: plan.LinkEnd{Switch: "x", Port: "p"}, b: plan.LinkEnd{Switch: "a", Port: "p"}, old: true}); ok {
		t.Error("a cable of no switch is changed")
	}
}

// Cables of both plans are each once, whichever end is named first; one that leaves the fabric keeps
// its end.
func TestCablesOfBothPlans(t *testing.T) {
	end := func(text string) plan.LinkEnd {
		sw, port, _ := strings.Cut(text, "/")
		return plan.LinkEnd{Switch: sw, Port: port}
	}
	of := func(texts ...string) *plan.Plan {
		p := &plan.Plan{}
		for _, text := range texts {
			a, b, _ := strings.Cut(text, " ")
			p.Links = append(p.Links, plan.Link{A: end(a), B: end(b)})
		}
		return p
	}
	var got []string
	for _, c := range cablesOf(of("b/p b/q", "tor-10/p tor-9/p", "a/p10 a/p9", "z/p /"), of("tor-9/p tor-10/p", "a/p9 a/p10", "b/q b/p", "c/p d/p", "z/p /")) {
		got = append(got, fmt.Sprint(spot(c.a), "-", spot(c.b), " ", c.old, c.new))
	}
	want := []string{"b p-b q true true", "tor-9 p-tor-10 p true true", "a p9-a p10 true true", "z p-  true true", "c p-d p false true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The order where nothing else decides, first to last.
func TestOrderOfNodes(t *testing.T) {
	end := func(ports ...string) []spanEnd { return []spanEnd{{ports: ports}} }
	sorted := []*node{
		{first: levelReady, name: "z"},
		{first: levelGrow, rank: 2, name: "z"}, {first: levelGrow, rank: 1, name: "a"}, {first: levelGrow, rank: 0, name: "a9"}, {first: levelGrow, rank: 0, name: "a10"},
		{first: levelCables, rank: 0, name: "a", step: Step{Devices: []string{"a", "b"}}, ends: end("p1")}, {first: levelCables, rank: 0, name: "a", step: Step{Devices: []string{"a", "b"}}, ends: end("p1", "p2")},
		{first: levelCables, rank: 0, name: "a", step: Step{Devices: []string{"a", "b"}}, ends: end("p2")}, {first: levelCables, rank: 0, name: "a", step: Step{Devices: []string{"a", "c"}}, ends: end("p1")},
		{first: levelCables, rank: 1, name: "a"}, {first: levelShrink, rank: 0, name: "z"}, {first: levelShrink, rank: 1, name: "a"},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := compareNodes(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%d and %d: %d", i, j, got)
			}
		}
	}
}

// Distances from hosts: of those that no cable joins with one, 0.
func TestRanks(t *testing.T) {
	o := &orderer{of: map[string]*group{}}
	after := &plan.Plan{Hosts: []*plan.Host{{Name: "nic"}}}
	for _, name := range []string{"leaf", "spine", "core", "far", "gone", "alone"} {
		g := inParts(name)
		g.new = &plan.Switch{Ports: []plan.Port{{Name: "p"}}}
		if name == "leaf" {
			g.new.Ports[0].Peer = "nic"
		}
		if name == "gone" {
			g.old, g.new = &plan.Switch{Ports: []plan.Port{{Name: "p", Peer: "nic"}}}, nil
		}
		o.of[name] = g
		o.groups = append(o.groups, g)
	}
	for _, c := range [][2]string{{"leaf", "spine"}, {"core", "spine"}, {"core", "far"}, {"spine", "spine"}, {"leaf", "x"}, {"far", "gone"}} {
		o.cables = append(o.cables, cable{a: plan.LinkEnd{Switch: c[0]}, b: plan.LinkEnd{Switch: c[1]}})
	}
	o.rank(after)
	for name, want := range map[string]int{"leaf": 0, "spine": 1, "core": 2, "far": 1, "gone": 0, "alone": 0} {
		must.Equalf(t, o.of[name].rank, want, "%s:", name)
	}
}

// Causes stand in the order of the file; what the user did not write comes last.
func TestOrderOfCauses(t *testing.T) {
	at := func(file string, line, column int) []diag.Range {
		r := diag.Range{Filename: file}
		r.Start.Line, r.Start.Column = line, column
		return []diag.Range{r}
	}
	sorted := []Cause{
		{At: at("a", 1, 5), Name: "z"}, {At: at("a", 2, 1), Name: "y"}, {At: at("a", 2, 3), Name: "x"}, {At: at("b", 1, 1), Name: "a", Old: "1"}, {At: at("b", 1, 1), Name: "a", Old: "2", New: "1"},
		{At: at("b", 1, 1), Name: "a", Old: "2", New: "2"}, {At: at("b", 1, 1), Name: "b"}, {Name: "a"}, {Name: "b"},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := compareCauses(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%+v and %+v: %d", a, b, got)
			}
		}
	}
}

// A cause keeps the first eight lines of the fabric, each once.
func TestLinesOfACause(t *testing.T) {
	line := func(n int) (r diag.Range) { r.Start.Line = n; return r }
	var have []diag.Range
	for n := range 10 {
		have = joinRanges(have, []diag.Range{line(n), line(n / 2)})
	}
	if len(have) != 8 || have[0] != line(0) || have[7] != line(7) {
		t.Errorf("%v", have)
	}
}

// PFC priorities are told from the first to the last of eight, and a switch of no buffer model has the
// traditional one.
func TestSmallTexts(t *testing.T) {
	for set, want := range map[uint8]string{0: "none", 1: "0", 0x80: "7", 0x81: "0 7", 0xff: "0 1 2 3 4 5 6 7"} {
		must.Equalf(t, plan.Priorities(set).String(), want, "%b:", set)
	}
	for model, want := range map[plan.BufferModel]plan.BufferModel{"": plan.Traditional, plan.Traditional: plan.Traditional, plan.DynamicModel: plan.DynamicModel} {
		must.Equalf(t, bufferModel(&plan.Switch{BufferModel: model}), want, "%q:", model)
	}
}

// Of terms of one name that a sum loses, each is told with its own value, the first step first.
func TestTermsThatASumLoses(t *testing.T) {
	given := func(name string, n units.Bytes) *plan.Why { return &plan.Why{Kind: plan.Given, Name: name, Value: n} }
	add := func(to, what *plan.Why) *plan.Why {
		return &plan.Why{Kind: plan.Formula, ID: "sum", Terms: []plan.Term{{Symbol: "before", Why: to}, {Symbol: "more", Why: what}}}
	}
	start := add(given("base", 1), given("other", 2))
	more := add(add(start, given("group", 5)), given("group", 7))
	tell := func(found []Cause) string {
		var all []string
		for _, c := range found {
			all = append(all, fmt.Sprintf("%s %s>%s", c.Name, c.Old, c.New))
		}
		return strings.Join(all, ", ")
	}
	must.Equalf(t, tell((&reasons{known: map[[2]*plan.Why][]Cause{}}).folded(more, start)), "group 5B>, group 7B>", "lost:")
	must.Equalf(t, tell((&reasons{known: map[[2]*plan.Why][]Cause{}}).folded(start, more)), "group >5B, group >7B", "won:")
}

// A switch whose hardware is exchanged, or that comes or goes, changes at once; another grows before it
// shrinks.
func TestPartsOfAChange(t *testing.T) {
	sw := func(chip string, a, b units.Bytes) *plan.Switch {
		pg := func(headroom units.Bytes) *plan.PortQoS {
			return &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true, Headroom: of(headroom)}}}
		}
		return &plan.Switch{Names: []string{"a"}, Chip: chip, OS: "sonic", Ports: []plan.Port{{Name: "p", QoS: pg(a)}, {Name: "q", QoS: pg(b)}}}
	}
	old := sw("x", 1000, 2000)
	for _, c := range []struct {
		name     string
		old, new *plan.Switch
		want     string
	}{
		{"more here and less there", old, sw("x", 2000, 1000), "0:0>1 at 1, 2:2>3 at 5"}, {"more", old, sw("x", 2000, 2000), "0:0>1 at 1"}, {"less", old, sw("x", 1000, 1000), "2:2>3 at 5"},
		{"another chip", old, sw("y", 2000, 1000), "0:0>1 at 1"}, {"new", nil, old, "0:0>3 at 1"}, {"gone", old, nil, "2:0>3 at 5"},
	} {
		g := &group{pair: &pair{names: []string{"a"}, old: c.old, new: c.new}}
		(&orderer{}).cut(g)
		var got []string
		for i, n := range g.parts {
			if n != nil {
				got = append(got, fmt.Sprintf("%d:%d>%d at %d", i, n.from, n.to, n.level))
			}
		}
		if text := strings.Join(got, ", "); text != c.want || g.states[3] != c.new || g.states[0] != c.old {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// The last of eight groups, of classes and of 64 code points count as the others do.
func TestTheLastOfEach(t *testing.T) {
	for last := range uint8(8) {
		r := &plan.Switch{Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: last, Lossless: true}}}}}}
		for d := range r.Maps.DSCPToTC {
			r.Maps.DSCPToTC[d] = last ^ 1
		}
		r.Maps.DSCPToTC[62], r.Maps.DSCPToTC[63], r.Maps.TCToPG[last], r.Maps.TCToPG[last^1] = last, last, last, last^1
		by := spoils(end{r, &r.Ports[0]}, end{r, &r.Ports[0]}) // nothing is paused
		for group := range by {
			if want := group == int(last); slices.Contains(by[group], 63) != want || !want && len(by[group]) > 0 || want && len(by[group]) != 2 {
				t.Errorf("group %d of %d: %v", group, last, by[group])
			}
		}
		of := func(name string) *plan.Plan {
			return &plan.Plan{Switches: []*plan.Switch{{Names: []string{"a"}, Classes: []plan.Class{{Name: name, TrafficClass: last}}}}}
		}
		if got := Compare(of("one"), of("other")); len(got.Changes) == 0 {
			t.Errorf("that class %d is another is not told", last)
		}
	}
}

// A NIC that is gone is named once: "nic", for its name says the rest.
func TestNICThatIsGone(t *testing.T) {
	before := &plan.Plan{Hosts: []*plan.Host{{Name: "cx7", Model: "connectx-7"}}}
	if c := Compare(before, &plan.Plan{}).Changes; len(c) != 1 || c[0].Name() != "nic" || c[0].Kind != Removed {
		t.Errorf("%+v", c)
	}
}
