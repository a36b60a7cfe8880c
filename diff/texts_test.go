package diff

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What is told of edits of a fabric, to a person, in a pull request and to a program: the causes
// with their lines, the amounts, the places and the steps.
func TestTexts(t *testing.T) {
	src := must.Get(os.ReadFile("../examples/ucloud-pod/fabric.hcl"))(t)
	catalogue, _ := chips.Load()
	compiled := func(edits ...string) *plan.Plan {
		text := string(src)
		for i := 0; i < len(edits); i += 2 {
			if !strings.Contains(text, edits[i]) {
				t.Fatalf("the fabric has no %q", edits[i])
			}
			text = strings.ReplaceAll(text, edits[i], edits[i+1])
		}
		_, p := plantest.Text(t, catalogue, text)
		return p
	}
	var out strings.Builder
	own := compiled()
	for i, c := range []struct {
		name  string
		edits []string
	}{
		{"longer cables", []string{`"100m"`, `"140m"`}},
		{"code points that move", []string{"dscp               = [46]", "dscp               = [26]", "rule { dscp = 46 }", "rule { dscp = 26 }"}},
		{"shorter cables to servers", []string{`"15m"`, `"5m"`}},
		{"another priority", []string{"pfc                = 5", "pfc                = 4"}},
		{"larger frames", []string{`mtu            = "1522B"`, `mtu            = "9216B"`}},
		{"other weights", []string{"weight             = 60", "weight             = 70", "weight = 40", "weight = 30"}},
		{"fewer ToRs and leaves", []string{"tor-[01..16]", "tor-[01..15]", "leaf-[1..8]", "leaf-[1..7]"}},
		{"another chip", []string{`"trident3"
  os       = "sonic"
  platform = "x86_64-dellemc_s5232f_c3538-r0"
  hwsku    = "DellEMC-S5232f-C32"`, `"trident4"
  os       = "sonic"`}},
		{"no cap", []string{"  max_rate   = \"500Mbps\"\n", ""}},
	} {
		before, after := own, compiled(c.edits...)
		for _, way := range []string{"there", "back"} {
			if way == "back" {
				before, after = after, before
			}
			r := Compare(before, after)
			text := must.Get(json.Marshal(r))(t)
			fmt.Fprintf(&out, "== %s, %s\n%s", c.name, way, r.Text())
			if way == "there" && i < 3 {
				fmt.Fprintf(&out, "-- markdown\n%s-- json\n%s\n", r.Markdown(), strings.ReplaceAll(string(text), `{"kind"`, "\n"+`{"kind"`))
			}
		}
	}
	diagtest.Golden(t, filepath.Join("..", "golden", "diff-texts.txt"), out.String())
}

func line(n int) diag.Range {
	return diag.Range{Filename: "f.hcl", Start: hcl.Pos{Line: n}, End: hcl.Pos{Line: n}}
}

func TestCauseTexts(t *testing.T) {
	for _, c := range []struct {
		cause Cause
		want  string
	}{
		{Cause{Name: "cable", Old: "40m", New: "100m", At: []diag.Range{line(3)}}, "cable 40m → 100m  f.hcl:3"},
		{Cause{Name: "cable", Old: "40m", New: "100m", At: []diag.Range{line(3), line(5), line(7)}}, "cable 40m → 100m  f.hcl:3 and 2 more"},
		{Cause{Name: "cable", New: "100m"}, "cable added: 100m"},
		{Cause{Name: "cable", Old: "100m", Kind: plan.Default}, "cable removed: 100m  (default)"},
	} {
		must.Equal(t, c.cause.String(), c.want)
	}
	must.Equalf(t, causesText(nil), "without a derivation", "no cause:")
	must.Equalf(t, causesText([]Cause{{Name: "a", New: "1"}, {Name: "b", New: "2"}}), "a added: 1\nb added: 2", "two causes:")
}

func TestChangeTexts(t *testing.T) {
	where := func(n int) (all []Where) {
		for i := range n {
			all = append(all, Where{[]string{fmt.Sprintf("tor-%d", i+1)}, []string{"Ethernet0", "Ethernet1"}})
		}
		return all
	}
	for _, c := range []struct {
		change              Change
		name, values, place string
	}{
		{Change{Kind: Added, Quantity: "queue", Of: "queue 3", New: "x", Where: where(1)}, "queue 3 queue", "added: x", "tor-1 Ethernet[0..1], 2 ports"},
		{Change{Kind: Added, Quantity: "port", Where: []Where{{Switches: []string{"a"}}}}, "port", "added", "a"},
		{Change{Kind: Removed, Quantity: "queue", Old: "x", Where: where(4)}, "queue", "removed: x",
			"tor-1 Ethernet[0..1], tor-2 Ethernet[0..1], tor-3 Ethernet[0..1], tor-4 Ethernet[0..1], 8 ports"},
		{Change{Kind: Removed, Quantity: "queue", Where: where(5)}, "queue", "removed", "tor-1 Ethernet[0..1], tor-2 Ethernet[0..1], tor-3 Ethernet[0..1], and 2 more, 10 ports"},
		{Change{Kind: Changed, Quantity: "headroom", Old: "1B", New: "2B", Where: []Where{{[]string{"a"}, []string{"p"}}}}, "headroom", "1B → 2B", "a p, 1 port"},
		{Change{Kind: Changed, Quantity: "headroom", Old: "1B", New: "2B", Delta: "+1 cell", Where: []Where{{[]string{"a", "b"}, nil}}}, "headroom", "1B → 2B (+1 cell)", "a b"},
	} {
		if c.change.Name() != c.name || c.change.Values() != c.values {
			t.Errorf("%q %q, want %q %q", c.change.Name(), c.change.Values(), c.name, c.values)
		}
		must.Equalf(t, c.change.Place(), c.place, "at")
	}
}

// Trimming that comes or goes is one change: before it nothing had DSCP 0, nor left by queue 0.
func TestTrimmingComesAndGoes(t *testing.T) {
	with := func(trim *plan.Trim) *plan.Plan {
		return &plan.Plan{Switches: []*plan.Switch{{Names: []string{"leaf-1"}, Trim: trim}}}
	}
	trims := with(&plan.Trim{Size: plan.Of(units.Bytes(256), &plan.Why{}), DSCP: 48, TC: 6, Queue: 7})
	const text = "to 256B with DSCP 48, traffic class 6 and queue 7"
	for _, c := range []struct {
		before, after *plan.Plan
		want          string
	}{{with(nil), trims, "trimming added: " + text}, {trims, with(nil), "trimming removed: " + text}, {with(&plan.Trim{}), with(nil), "trimming removed: to 0B with DSCP 0, traffic class 0 and queue 0"}} {
		var got []string
		for _, change := range Compare(c.before, c.after).Changes {
			got = append(got, change.Name()+" "+change.Values())
		}
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Fourteen changes are twelve and two more; thirteen are spelled out. What bears on loss is first.
func TestStepTexts(t *testing.T) {
	at := []Where{{Switches: []string{"a"}}}
	change := func(of, quantity string) Change {
		return Change{Kind: Changed, Of: of, Quantity: quantity, Old: "1", New: "2", Where: at}
	}
	for n, want := range map[int]int{1: 1, 12: 12, 13: 13, 14: 13} {
		var s Step
		for range n {
			s.Changes = append(s.Changes, change("", "weight"))
		}
		lines := s.what()
		if len(lines) != want {
			t.Errorf("%d changes are %d lines, want %d", n, len(lines), want)
		}
		if n == 14 && lines[12] != "and 2 more" {
			t.Errorf("the last line is %q", lines[12])
		}
	}
	s := Step{Changes: []Change{change("queue 3", "weight"), change("pool", "headroom"), change("", "PG 3"), change("PG 3", "headroom"), change("", "lossless"), change("", "cable"), change("", "mtu")}}
	var got []string
	for _, l := range s.what() {
		name, _, _ := strings.Cut(l, ":")
		got = append(got, name)
	}
	if want := []string{"cable", "mtu", "PG 3", "PG 3 headroom", "lossless", "pool headroom", "queue 3 weight"}; !slices.Equal(got, want) {
		t.Errorf("the order is %q, want %q", got, want)
	}
	for action, want := range map[Action]string{
		Whole: "a b: all that changes", Grow: "a b: the first part, in which headroom, PFC and maps only grow", Move: "a b: speeds, frames and marking", Shrink: "a b: the rest",
		Cable: "cables of a b", Host: "NICs a b", Install: "new: a b", Retire: "gone: a b",
	} {
		must.Equal(t, (&Step{Action: action, Devices: []string{"a", "b"}}).Title(), want)
	}
	// A cause is not its own effect: of a cable and the headroom that follows, the headroom is told.
	group := []Change{change("", "cable"), change("PG 3", "headroom"), change("PG 4", "headroom")}
	must.Equalf(t, markdownEffect(group), "PG 3 headroom 1 → 2 on a, and 2 more", "effect:")
	must.Equalf(t, markdownEffect([]Change{change("", "weight")}), "weight 1 → 2 on a", "effect of one:")
	must.Equalf(t, markdownEffect([]Change{change("", "cable"), change("", "mtu")}), "cable 1 → 2 on a, and 1 more", "effect of causes alone:")
	// A headline, bold and code of a name are text in Markdown.
	must.Equalf(t, escape("a|b*c_d<e`f"), "a\\|b\\*c\\_d&lt;e\\`f", "escaped:")
	if got := code("a|`b"); got != "`a\\|'b`" || code("") != "" {
		t.Errorf("code: %s", got)
	}
}

func TestNotes(t *testing.T) {
	r := Rollout{Quiet: []Quiet{{DSCPs: []uint8{26, 27}, A: "leaf-1", B: "tor-1"}}, Uncabled: true}
	notes := r.Notes()
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "Stop traffic with DSCP [26..27] before") || !strings.Contains(notes[0], "between leaf-1 and tor-1") ||
		!strings.HasPrefix(notes[1], "The links are not known") {
		t.Errorf("%q", notes)
	}
	if notes := (&Rollout{}).Notes(); len(notes) > 0 {
		t.Errorf("nothing to note: %q", notes)
	}
	text, err := json.Marshal(&Result{Rollout: r})
	if want := `"quiet":[{"dscps":[26,27],"between":["leaf-1","tor-1"]}],"uncabled":true}}`; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%s, want %s at its end", text, want)
	}
}
