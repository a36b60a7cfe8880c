package verify

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A run tells of each device once that it is judged, has the texts that its findings point into, and sorts these.
func TestRunIsTold(t *testing.T) {
	second := bytes.Replace(sample(t), []byte("leaf-1"), []byte("leaf-2"), 1)
	o := trident3(t)
	var steps atomic.Int32
	o.Step = func() { steps.Add(1) }
	r := judge(t, o, Text("b/config_db.json", second), Text("a/config_db.json", sample(t)), Text("z.txt", []byte("nothing known")), Text("c.txt", []byte("nothing either")))
	must.Equalf(t, steps.Load(), 4, "devices are told:")
	if len(r.Sources) != 3 || string(r.Sources["a/config_db.json"]) != string(sample(t)) || string(r.Sources["c.txt"]) != "nothing either" || string(r.Sources["z.txt"]) != "nothing known" {
		t.Errorf("%d texts", len(r.Sources))
	}
	if !slices.IsSortedFunc(r.Findings, func(a, b diag.Diagnostic) int { return strings.Compare(a.Subject.Filename, b.Subject.Filename) }) || len(r.Findings) < 2 {
		t.Errorf("%v", r.Findings)
	}
	if got := r.Devices(); got[Proved] != 2 || got[NotJudged] != 2 {
		t.Errorf("%v", got)
	}
}

// Files are of one shape if they differ by the name alone, at one place, and are of one format.
func TestShapesOfFiles(t *testing.T) {
	of := func(name, text string) sighting {
		format := read.Format{Name: name, Recognize: func(head []byte) []byte { return head[:1] }, Device: func(text []byte) (string, int) { return "N", bytes.IndexByte(text, 'N') }}
		s := must.Get(see([]read.Format{format}, []string{"f"}, Text("dir/f", []byte(text))))(t)
		return s
	}
	same := of("one", "xNy")
	for text, want := range map[string]bool{"xNy": true, "Nxy": false, "xyN": false, "xNz": false, "zNy": false} {
		must.Equalf(t, of("one", text).shape == same.shape, want, "%q: one shape", text)
	}
	if of("two", "xNy").shape == same.shape {
		t.Error("files of two formats are of one shape")
	}
	if same.device != "N" || !same.named || same.folder != "dir" || same.at.Start.Column != 2 || same.at.End.Column != 3 {
		t.Errorf("%+v", same)
	}
	all, usual := Formats(), usualNames(Formats())
	for _, name := range []string{"eos.cfg", "./eos.cfg", "../eos.cfg", "/eos.cfg"} {
		if s, err := see(all, usual, Text(name, []byte("nothing known"))); err != nil || s.folder != "" || s.device != "eos" {
			t.Errorf("%s: folder %q, device %q, %v", name, s.folder, s.device, err)
		}
	}
	if s, err := see(all, usual, Text(`site\leaf-1\eos.cfg`, nil)); err != nil || s.device != "leaf-1" && s.device != `site\leaf-1\eos` {
		t.Errorf("%q, %v", s.device, err)
	}
}

// Devices of one shape are judged together as far as the fabric has one shape for them.
func TestDivide(t *testing.T) {
	one, two := &plan.Switch{Names: []string{"a", "c"}}, &plan.Switch{Names: []string{"b"}}
	v := New(Options{Fabric: &Fabric{Plan: &plan.Plan{Switches: []*plan.Switch{one, two}}}})
	shape := &Shape{Devices: []string{"a", "b", "c", "d"}, Files: []string{"fa", "fb", "fc", "fd"}, seen: make([]*sighting, 4), Result: read.Result{Switch: &plan.Switch{Ports: []plan.Port{{Name: "p"}}}}}
	for i := range shape.seen {
		shape.seen[i] = &sighting{device: shape.Devices[i]}
	}
	var got []string
	for _, s := range v.divide(shape) {
		got = append(got, strings.Join(s.Names, "")+":"+strings.Join(s.Files, ",")+":"+strings.Join(s.Plan.Names, ""))
		for i, name := range s.Names {
			must.Equalf(t, s.seen[i].device, name, "%s: was seen:", name)
		}
		if s.Plan == shape.Switch || len(s.Plan.Ports) != 1 {
			t.Error("what was read is not copied")
		}
	}
	if want := []string{"ac:fa,fc:ac", "b:fb:b", "d:fd:d"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A file that holds too little is spared where each of its devices has another one that holds enough.
func TestSpare(t *testing.T) {
	of := func(format, silent string, names ...string) *Switch {
		return &Switch{Names: names, Format: format, shape: &Shape{Format: read.Format{Name: format, Silent: silent}}}
	}
	for name, c := range map[string]struct {
		all  []*Switch
		want []bool
	}{
		"alone":                  {[]*Switch{of("openconfig", "much", "a")}, []bool{false}},
		"beside one that speaks": {[]*Switch{of("openconfig", "much", "a"), of("sonic", "", "a")}, []bool{true, false}},
		"in the other order":     {[]*Switch{of("sonic", "", "a"), of("openconfig", "much", "a")}, []bool{false, true}},
		"of one of its devices":  {[]*Switch{of("openconfig", "much", "a", "b"), of("sonic", "", "a")}, []bool{false, false}},
		"of both":                {[]*Switch{of("openconfig", "much", "a", "b"), of("sonic", "", "a"), of("eos", "", "b")}, []bool{true, false, false}},
		"beside nobody's file":   {[]*Switch{of("openconfig", "much", "a"), of("", "", "a")}, []bool{false, false}},
		"beside its like":        {[]*Switch{of("openconfig", "much", "a"), of("openconfig", "much", "a")}, []bool{false, false}},
		"both speak":             {[]*Switch{of("sonic", "", "a"), of("eos", "", "a")}, []bool{false, false}},
		"told before and after":  {[]*Switch{of("sonic", "", "a"), of("", "", "a"), of("openconfig", "much", "a")}, []bool{false, false, true}},
	} {
		spare(c.all)
		for i, s := range c.all {
			if s.spared != c.want[i] || s.Counts() == s.spared {
				t.Errorf("%s: %d is spared: %v", name, i, s.spared)
			}
		}
	}
}

// What a switch is called and what its verdict is on.
func TestWordsOfASwitch(t *testing.T) {
	s := &Switch{shape: &Shape{Format: read.Format{Title: "SONiC", Silent: "much"}}}
	if s.Title() != "SONiC" || s.AsPlanned() {
		t.Errorf("%s, %v", s.Title(), s.AsPlanned())
	}
	if s.Proof = (&proof.Report{}); !s.AsPlanned() {
		t.Error("of a format that holds too little the plan was judged")
	}
	if s.shape = (&Shape{}); s.Title() != "unknown format" || s.AsPlanned() {
		t.Errorf("%s, %v", s.Title(), s.AsPlanned())
	}
}

// A reason worsens the groups that it touches, or all, and the switch; it has its line, and is among those that no
// obligation knows.
func TestBecause(t *testing.T) {
	s := &Switch{Groups: []Group{{Group: proof.Group{PG: 3}}, {Group: proof.Group{PG: 4}, Verdict: Refuted}}}
	at := diag.Range{Filename: "f", Start: hcl.Pos{Line: 7}}
	s.because(Conditional, at, func(g *Group) bool { return g.PG == 4 }, "it is %s", "late")
	if s.Verdict != Conditional || s.Groups[0].Verdict != Proved || s.Groups[1].Verdict != Refuted || len(s.open) != 1 || s.open[0] != (Reason{"it is late", at, "f:7"}) {
		t.Errorf("%v, %+v, %+v", s.Verdict, s.Groups, s.open)
	}
	s.because(NotJudged, diag.Range{}, nil, "x")
	if s.Verdict != NotJudged || s.Groups[0].Verdict != NotJudged || s.Groups[1].Verdict != Refuted || len(s.Because) != 2 || s.Because[1].At != "" {
		t.Errorf("%v, %+v, %+v", s.Verdict, s.Groups, s.Because)
	}
	s.because(Proved, diag.Range{}, nil, "y")
	must.Equalf(t, s.Verdict, NotJudged, "a better verdict counts:")
}

// Findings without a place, or at one of another file, are put at the beginning of the file that they are about.
func TestPlacesOfFindings(t *testing.T) {
	at := func(file string, line int) diag.Range {
		return diag.Range{Filename: file, Start: hcl.Pos{Line: line, Column: 1, Byte: 10 * line}, End: hcl.Pos{Line: line, Column: 1, Byte: 10 * line}}
	}
	s := &Switch{shape: &Shape{Files: []string{"f"}}, Findings: diag.List{{Message: "a", Subject: at("f", 9)}, {Message: "b", Subject: at("fabric.hcl", 3)}, {Message: "c"}, {Message: "d", Subject: at("f", 4)}}}
	s.place()
	var got []string
	for _, d := range s.Findings {
		got = append(got, d.Message+":"+lineOf(d.Subject))
	}
	if want := []string{"b:f:1", "c:f:1", "d:f:4", "a:f:9"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Lossless groups of which nothing was proved are those of ports that are told the same, with the ports' names.
func TestGroupsWithoutAProof(t *testing.T) {
	two := &plan.PortQoS{PGs: []plan.PG{{ID: 0}, {ID: 3, Lossless: true}, {ID: 4, Lossless: true}}}
	own := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}
	got := unprovedGroups(&plan.Switch{Ports: []plan.Port{{Name: "a", QoS: two}, {Name: "b", QoS: own}, {Name: "bare"}, {Name: "c", QoS: two}}})
	var told []string
	for _, g := range got {
		told = append(told, g.Where+" "+strings.Join(g.Ports, ","))
	}
	if want := []string{"a (2 ports), PG 3 a,c", "a (2 ports), PG 4 a,c", "b (1 port), PG 3 b"}; !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
	// Ports that are told the same and run at another speed share a profile.
	if sums := withPort(withPort(nil, PortHeadroom{Ports: []string{"a"}, Need: 5}), PortHeadroom{Ports: []string{"b"}, Need: units.Bytes(6)}); len(sums) != 2 {
		t.Errorf("%+v", sums)
	}
}
