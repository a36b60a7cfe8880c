package roceplan_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/typist"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

var (
	mistakes     = flag.Int("mistakes", 1, "how many mistakes are made in each fabric; more than one: also in 200 that are drawn, up to 50 fabrics")
	mistakesSeed = flag.Uint64("mistakes-seed", 20, "which mistakes are made")
)

// mostFabrics is how many fabrics mistakes are made in.
const mostFabrics = 50

// A correct is a fabric before mistakes.
type correct struct {
	name, text string
	folder     string // of the files that it reads
	known      map[diag.Kind]bool
	verdict    verify.Verdict
}

// wishes are fabrics as new writes them, of boxes with known ports.
func wishes() []design.Wish {
	pod := func(gpus int, nic units.BitRate, chip, os string) design.Wish {
		return design.Wish{GPUs: gpus, NIC: nic * units.Gbps, Leaf: chip, Spine: chip, OS: os}
	}
	store := func(hosts int, nic units.BitRate, chip, os string) design.Wish {
		return design.Wish{Hosts: hosts, NIC: nic * units.Gbps, Leaf: chip, Spine: chip, OS: os}
	}
	return []design.Wish{
		pod(512, 400, "tomahawk5", "sonic"), store(96, 100, "tomahawk3", "sonic"), pod(64, 400, "spectrum4", "cumulus"), store(64, 25, "trident3", "sonic"),
		pod(256, 400, "spectrum4", "sonic"), pod(64, 400, "tomahawk5", "eos"), pod(128, 200, "tomahawk4", "sonic"), pod(64, 200, "spectrum3", "sonic"),
		store(96, 100, "tomahawk3", "eos"), pod(64, 400, "teralynx10", "sonic"), store(48, 100, "spectrum2", "cumulus"), pod(64, 400, "tomahawk5", "junos"),
		pod(64, 400, "tomahawk5", "srlinux"), pod(64, 400, "tomahawk5", "openconfig"),
	}
}

// correctFabrics returns the examples of one file, fabrics as new writes them, and fabrics that were drawn.
func correctFabrics(t *testing.T, designed, drawn int) (all []correct) {
	t.Helper()
	paths := must.Get(filepath.Glob("examples/*/fabric.hcl"))(t)
	for _, path := range paths {
		text := must.Get(os.ReadFile(path))(t)
		all = append(all, correct{name: filepath.Base(filepath.Dir(path)), text: string(text), folder: filepath.Dir(path)})
	}
	catalogue, _ := chips.Load()
	for i, wish := range wishes()[:designed] {
		text := must.Get(design.Write(wish, catalogue))(t)
		all = append(all, correct{name: fmt.Sprint("new-", i), text: text.HCL})
	}
	for seed := range drawn {
		all = append(all, correct{name: fmt.Sprint("drawn-", seed), text: anyfabric.Draw(uint64(seed)).Text})
	}
	return all
}

// A bench checks texts as a fabric's.
type bench struct {
	t         *testing.T
	catalogue *chips.Catalogue
}

func (b bench) input(c *correct, text string) roceplan.Input {
	in := roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: b.catalogue, Traces: true}
	if c.folder != "" {
		in.Folder = os.DirFS(c.folder)
	}
	return in
}

// compile gives all findings and the worst verdict.
func (b bench) compile(c *correct, text string) (diag.List, verify.Verdict) {
	b.t.Helper()
	compiled, err := roceplan.Compile(context.Background(), roceplan.Load(b.input(c, text)), roceplan.CompileOptions{})
	if err != nil {
		b.t.Fatal(err)
	}
	return compiled.Findings, compiled.Verdict()
}

// A score counts what became of mistakes.
type score struct {
	made, found, atLine, offered, compile, worse int
	missed                                       []string
}

func (s *score) miss(what string, c *correct, m typist.Mistake, detail any) {
	s.missed = append(s.missed, fmt.Sprintf("%s: %s, %s, %s, lines %v: %v", what, m.Group, m.Kind, c.name, m.Lines, detail))
}

// judge makes a mistake, asks what is found, and applies the first edit that is offered.
func (b bench) judge(c *correct, m typist.Mistake, s *score) {
	s.made++
	in := b.input(c, m.Text)
	found, err := roceplan.Check(context.Background(), roceplan.Load(in))
	if err != nil {
		b.t.Fatal(err)
	}
	known := func(d diag.Diagnostic) bool { return c.known[d.Kind()] }
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return !known(d) }) {
		s.miss("not found", c, m, strings.Split(m.Text, "\n")[m.Lines[0]-1])
		return
	}
	s.found++
	repaired, err := roceplan.Repair(context.Background(), in, found)
	if err != nil {
		b.t.Fatal(err)
	}
	repaired = slices.DeleteFunc(repaired, known)
	if line := repaired[0].Subject.Start.Line; m.At(line) {
		s.atLine++
	} else {
		s.miss("first message elsewhere", c, m, fmt.Sprintf("line %d: %s: %s", line, repaired[0].Code, repaired[0].Message))
	}
	i := slices.IndexFunc(repaired, func(d diag.Diagnostic) bool { return len(d.Edits) > 0 })
	if i < 0 {
		s.miss("no edit", c, m, repaired[0].Message)
		return
	}
	s.offered++
	b.apply(c, m, repaired[i], s)
}

func (b bench) apply(c *correct, m typist.Mistake, d diag.Diagnostic, s *score) {
	after := string(diag.Apply("fabric.hcl", []byte(m.Text), d.Edits))
	shown := d.Edits[0].Shown([]byte(m.Text))
	found, verdict := b.compile(c, after)
	switch {
	case found.HasErrors():
		s.miss("does not compile", c, m, shown)
	case verdict > c.verdict:
		s.worse++
		s.miss("worse", c, m, fmt.Sprint(shown, ": ", verdict, " instead of ", c.verdict))
	default:
		s.compile++
	}
}

// Mistakes of typing, units, boards, wiring and physics are found, at their line, and the first edit that
// is offered compiles and makes no verdict worse. The bounds are those that are asked of 1,000 mistakes (-mistakes 20).
// Of the few in CI, one more may be told elsewhere or without an edit.
func TestMistakesAreRepaired(t *testing.T) {
	each, designed, drawn := *mistakes, 4, 3
	if each > 1 {
		designed, drawn = len(wishes()), 200
	}
	catalogue, _ := chips.Load()
	b := bench{t, catalogue}
	var total score
	built := 0
	for i, c := range correctFabrics(t, designed, drawn) {
		if built == mostFabrics {
			break
		}
		found, verdict := b.compile(&c, c.text)
		if found.HasErrors() {
			continue // some that are drawn cannot be built
		}
		built++
		c.verdict, c.known = verdict, map[diag.Kind]bool{}
		for _, d := range found {
			c.known[d.Kind()] = true
		}
		draw := rand.New(rand.NewPCG(uint64(i), *mistakesSeed))
		for range each {
			b.judge(&c, typist.Draw(draw, c.text), &total)
		}
	}
	percent := func(n int) string { return fmt.Sprintf("%d (%d.%d %%)", n, 100*n/total.made, 1000*n/total.made%10) }
	t.Logf("%d mistakes in %d fabrics: found %s, first message at the line %s, an edit offered %s, its text compiles %s, worse %d\n%s",
		total.made, built, percent(total.found), percent(total.atLine), percent(total.offered), percent(total.compile), total.worse, strings.Join(total.missed, "\n"))
	for _, bound := range []struct {
		what        string
		n, thousand int
	}{{"found", total.found, 990}, {"at the line", total.atLine, 980}, {"compile with the first edit", total.compile, 950}} {
		n := bound.n
		if each == 1 && bound.what != "found" { // of a few mistakes one is much
			n++
		}
		if 1000*n < bound.thousand*total.made {
			t.Errorf("%d of %d are %s, which is below %d in 1000", bound.n, total.made, bound.what, bound.thousand)
		}
	}
	if total.worse > 0 {
		t.Errorf("%d edits make a verdict worse", total.worse)
	}
}
