package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// given is a line of the user's file.
func given(name string, value fmt.Stringer, line int) *plan.Why {
	return &plan.Why{Kind: plan.Given, Name: name, Value: value,
		Range: hcl.Range{Filename: "f.hcl", Start: hcl.Pos{Line: line}, End: hcl.Pos{Line: line}}}
}

func leaf(kind plan.Kind, name string, value fmt.Stringer) *plan.Why {
	return &plan.Why{Kind: kind, Name: name, Value: value}
}

// formula computes from terms whose symbols are the names of their reasons.
func formula(id string, value int64, terms ...*plan.Why) *plan.Why {
	w := &plan.Why{Kind: plan.Formula, Name: id, ID: id, Value: units.Bytes(value)}
	for _, t := range terms {
		w.Terms = append(w.Terms, plan.Term{Symbol: t.Name, Why: t})
	}
	return w
}

func TestCauses(t *testing.T) {
	cable := func(m int64, line int) *plan.Why { return given("cable", units.Length(m)*units.Metre, line) }
	speed := given("speed", 100*units.Gbps, 4)
	margin := func(p units.Ratio) *plan.Why { return given("margin", p*units.Percent, 9) }
	cellOf := func(chip string, size units.Bytes) *plan.Why {
		return &plan.Why{Kind: plan.Catalogue, Name: "cell", ID: chip, Value: size}
	}
	named := func(w *plan.Why, name string) *plan.Why { w.Name = name; return w }
	for _, c := range []struct {
		name string
		a, b *plan.Why
		want string
	}{
		{"another formula, of formulas that have one name",
			formula("a", 1, named(formula("x", 1, cable(40, 3)), "inner")), formula("b", 2, named(formula("y", 2, cable(50, 3)), "inner")), "cable 40m → 50m f.hcl:3; formula of b a → b"},
		{"a line that is different, and not those that are not",
			formula("headroom", 100, speed, cable(40, 3)), formula("headroom", 200, speed, cable(100, 5)), "cable 40m → 100m f.hcl:5"},
		{"the leaves alone, through formulas between",
			formula("margin", 110, formula("headroom", 100, cable(40, 3)), margin(10)),
			formula("margin", 220, formula("headroom", 200, cable(100, 3)), margin(10)), "cable 40m → 100m f.hcl:3"},
		{"a branch that comes to the same is not a reason",
			formula("sum", 150, formula("round", 100, cable(40, 3)), margin(5)),
			formula("sum", 160, formula("round", 100, cable(41, 3)), margin(6)), "margin 5% → 6% f.hcl:9"},
		{"a maximum of one more, of what is in the first",
			formula("floor", 500, named(formula("worst", 400, cable(70, 3)), "needed"), leaf(plan.Catalogue, "vendor", units.Bytes(500))),
			formula("floor", 550, named(formula("floor", 510, named(formula("worst", 510, cable(120, 3)), "needed"), leaf(plan.Catalogue, "vendor", units.Bytes(500))), "needed"), leaf(plan.Catalogue, "vendor", units.Bytes(550))), "cable 70m → 120m f.hcl:3"},
		{"another amount in the place of one",
			&plan.Why{Kind: plan.Formula, ID: "f", Value: units.Bytes(1), Terms: []plan.Term{{Symbol: "all", Why: leaf(plan.Given, "parts", plan.Count(3))}}},
			&plan.Why{Kind: plan.Formula, ID: "f", Value: units.Bytes(2), Terms: []plan.Term{{Symbol: "all", Why: leaf(plan.Given, "weights", plan.Count(100))}}}, "weights 3 (parts) → 100"},
		{"the same number",
			formula("headroom", 100, cable(40, 3)), formula("headroom", 100, cable(41, 3)), ""},
		{"a default that the user overrode",
			formula("f", 1, leaf(plan.Default, "delay", 5*units.Microsecond)), formula("f", 2, given("delay", 9*units.Microsecond, 7)), "delay 5us → 9us f.hcl:7"},
		{"a line that is gone is told where it was",
			formula("f", 1, given("delay", 9*units.Microsecond, 7)), formula("f", 2, leaf(plan.Default, "delay", 5*units.Microsecond)), "delay 9us → 5us f.hcl:7"},
		{"a formula that the user overrode",
			formula("headroom", 100, cable(40, 3)), given("headroom", units.Bytes(500), 8), "headroom 100B → 500B f.hcl:8"},
		{"a step that came around",
			formula("headroom", 100, cable(40, 3)), formula("margin", 110, formula("headroom", 100, cable(40, 3)), margin(10)), "margin added: 10% f.hcl:9"},
		{"a step that came around, and what is in it",
			formula("headroom", 100, cable(40, 3)), formula("margin", 220, formula("headroom", 200, cable(100, 3)), margin(10)), "cable 40m → 100m f.hcl:3; margin added: 10% f.hcl:9"},
		{"another chip stands for all its data, and for formulas that it brings",
			formula("a", 100, cellOf("td3", 256), leaf(plan.Standard, "quanta", plan.Count(3)), cable(40, 3)),
			formula("a", 200, cellOf("th3", 254), leaf(plan.Standard, "quanta", plan.Count(4)), cable(50, 3)), "cable 40m → 50m f.hcl:3; chip td3 → th3"},
		{"what is looked up by a line is not a second reason",
			formula("a", 100, leaf(plan.Standard, "quanta", plan.Count(394)), given("speed", 100*units.Gbps, 4)),
			formula("a", 200, leaf(plan.Standard, "quanta", plan.Count(905)), given("speed", 400*units.Gbps, 4)), "speed 100Gbps → 400Gbps f.hcl:4"},
		{"roceplan's own choice is one only where nothing else is",
			formula("a", 100, leaf(plan.Default, "largest", units.Bytes(5)), cable(40, 3)),
			formula("a", 200, leaf(plan.Default, "largest", units.Bytes(6)), cable(50, 3)), "cable 40m → 50m f.hcl:3"},
		{"a sum that has one more",
			total(100, summand("uplinks", 10, cable(40, 3), 10)),
			total(300, summand("uplinks", 10, cable(40, 3), 10), summand("servers", 20, cable(5, 8), 10)), "PGs of servers added: 10"},
		{"a sum that has one less",
			total(300, summand("uplinks", 10, cable(40, 3), 10), summand("servers", 20, cable(5, 8), 10)),
			total(100, summand("uplinks", 10, cable(40, 3), 10)), "PGs of servers removed: 10"},
		{"a step that came around, beside another formula",
			formula("headroom", 100, cable(40, 3)), formula("margin", 110, formula("other", 10, margin(10)), formula("headroom", 100, cable(40, 3)), margin(7)), "margin added: 7% f.hcl:9"},
		{"what has the name of a formula and no inputs is no step",
			formula("headroom", 100, cable(40, 3)), formula("margin", 110, &plan.Why{Kind: plan.Given, ID: "headroom", Name: "given", Value: units.Bytes(9)}, cable(40, 3)),
			"formula of margin headroom → margin"},
		{"a sum with one more in front",
			total(100, summand("uplinks", 10, cable(40, 3), 10)),
			total(320, summand("servers", 20, cable(5, 8), 10), summand("uplinks", 12, cable(50, 3), 10)), "cable 40m → 50m f.hcl:3; PGs of servers added: 10"},
		{"another formula, of formulas",
			formula("a", 1, formula("x", 1, cable(40, 3))), formula("b", 2, formula("y", 2, cable(50, 3))), "cable 40m → 50m f.hcl:3; formula of b a → b"},
		{"what a standard says is no line that came",
			formula("sum", 1, cable(40, 3)), formula("sum", 2, cable(40, 3), leaf(plan.Standard, "quanta", plan.Count(3))), ""},
		{"another formula", formula("a", 1, speed), formula("b", 2, speed), "formula of b a → b"},
		{"nothing known of one side", nil, formula("b", 2, speed), ""},
		{"files that were read", leaf(plan.ReadBack, "headroom", units.Bytes(1)), leaf(plan.ReadBack, "headroom", units.Bytes(2)), ""},
	} {
		r := reasons{map[[2]*plan.Why][]Cause{}}
		var got []string
		for _, cause := range r.of(c.a, c.b) {
			got = append(got, strings.ReplaceAll(cause.String(), "  ", " "))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, text, c.want)
		}
	}
}

// An addend is what the ports of a group add to a sum.
type addend struct {
	name     string
	headroom *plan.Why
	pgs      *plan.Why
}

func summand(name string, headroom int64, cable *plan.Why, pgs int64) addend {
	return addend{name, formula("headroom", headroom, cable), leaf(plan.Given, "PGs of "+name, plan.Count(pgs))}
}

// total adds groups up one after another.
func total(value int64, groups ...addend) *plan.Why {
	sum := leaf(plan.Default, "none", units.Bytes(0))
	for i, g := range groups {
		sum = &plan.Why{Kind: plan.Formula, ID: "all", Name: "all", Value: units.Bytes(value - int64(len(groups)-1-i)),
			Terms: []plan.Term{{Symbol: "first", Why: sum}, {Symbol: "headroom", Why: g.headroom}, {Symbol: "pgs", Why: g.pgs}}}
	}
	return sum
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ names, want string }{
		{"tor-01 tor-02 tor-03", "tor-[01..03]"},
		{"tor-9 tor-10 tor-11", "tor-[9..11]"},
		{"Ethernet0 Ethernet4 Ethernet8", "Ethernet[0..8/4]"},
		{"Ethernet0 Ethernet8", "Ethernet[0,8]"},
		{"leaf-1 leaf-2 leaf-3 leaf-7", "leaf-[1..3,7]"},
		{"Ethernet1/1 Ethernet2/1 Ethernet3/1", "Ethernet[1..3]/1"},
		{"Ethernet1/1 Ethernet1/2 Ethernet2/1 Ethernet2/2", "Ethernet1/[1..2] Ethernet2/[1..2]"},
		{"leaf-1 spine-1", "leaf-1 spine-1"},
		{"a", "a"},
		{"", ""},
		{"leaf-1-east leaf-2-east", "leaf-[1..2]-east"},
		{"leaf-1 leaf-1 leaf-2", "leaf-1 leaf-[1..2]"},
		{"leaf-2 leaf-1", "leaf-2 leaf-1"},
		{"tor-08 tor-09 tor-100", "tor-[08..09] tor-100"},
		{"99999999999999999999 a", "99999999999999999999 a"},
	} {
		must.Equalf(t, Fold(strings.Fields(c.names)), c.want, "Fold(%s) =", c.names)
	}
}

// Inputs that are there twice are compared one by one, and those of one side alone are told.
func TestCausesOfRepeatedInputs(t *testing.T) {
	cable := func(m int64, line int) *plan.Why { return given("cable", units.Length(m)*units.Metre, line) }
	margin := func(p units.Ratio, line int) *plan.Why { return given("margin", p*units.Percent, line) }
	for _, c := range []struct {
		name string
		a, b *plan.Why
		want string
	}{
		{"the second of two", formula("sum", 1, cable(40, 3), cable(50, 4)), formula("sum", 2, cable(40, 3), cable(60, 5)), "cable 50m → 60m f.hcl:5"},
		{"both", formula("sum", 1, cable(40, 3), cable(50, 4)), formula("sum", 2, cable(41, 3), cable(60, 5)), "cable 40m → 41m f.hcl:3; cable 50m → 60m f.hcl:5"},
		{"one more", formula("sum", 1, cable(40, 3)), formula("sum", 2, cable(40, 3), cable(60, 5)), "cable added: 60m f.hcl:5"},
		{"one less", formula("sum", 2, cable(40, 3), cable(60, 5)), formula("sum", 1, cable(40, 3)), "cable removed: 60m f.hcl:5"},
		{"another input", formula("sum", 2, cable(40, 3)), formula("sum", 1, margin(5, 7)), "cable removed: 40m f.hcl:3; margin added: 5% f.hcl:7"},
		{"a step around it goes", formula("round", 2, formula("sum", 2, cable(40, 3))), formula("sum", 3, cable(50, 3)), "cable 40m → 50m f.hcl:3"},
		{"a step around it comes", formula("sum", 2, cable(40, 3)), formula("round", 3, formula("sum", 3, cable(50, 3)), margin(5, 7)), "cable 40m → 50m f.hcl:3; margin added: 5% f.hcl:7"},
	} {
		var got []string
		for _, cause := range (&reasons{map[[2]*plan.Why][]Cause{}}).of(c.a, c.b) {
			got = append(got, fmt.Sprintf("%s %s", cause.Values(), cause.Place()))
		}
		must.Equalf(t, strings.Join(got, "; "), c.want, "%s:", c.name)
	}
}
