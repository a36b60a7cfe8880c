package compare

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

const table = "../../golden/completion.txt"

var (
	update  = flag.Bool("update", false, "write golden/completion.txt: its heading, with -hunt the part of each fabric that runs")
	hunting = flag.Bool("hunt", false, "run every fabric under every published configuration, for hours; -run TestCompletion/NAME runs one")
	keep    = flag.String("keep", "", "folder in which runs are kept from one call to the next, by the same engine")
)

// drawn is how many fabrics are drawn, by seeds from 1 on; seeds is how many runs each scenario has.
const drawn, seeds = 40, 2

// names returns the examples, then the fabrics that are drawn.
func names(t *testing.T) (list []string) {
	t.Helper()
	found, err := filepath.Glob("../../examples/*/fabric.hcl")
	if err != nil || len(found) != 9 {
		t.Fatalf("%d examples, %v", len(found), err)
	}
	for _, name := range found {
		list = append(list, filepath.Base(filepath.Dir(name)))
	}
	for seed := 1; seed <= drawn; seed++ {
		list = append(list, drawnName(uint64(seed)))
	}
	return list
}

// drawnName returns the name of a fabric that is drawn.
func drawnName(seed uint64) string { return fmt.Sprintf("drawn-%02d", seed) }

// input is a fabric by its name, with what is to be known of it.
func input(t *testing.T, name string) (in roceplan.Input, about string) {
	t.Helper()
	if n, is := strings.CutPrefix(name, "drawn-"); is {
		seed := must.Get(strconv.ParseUint(n, 10, 64))(t)
		f := anyfabric.Draw(seed)
		return roceplan.Input{Files: []roceplan.Source{{Name: name + ".hcl", Text: []byte(f.Text)}}}, f.About
	}
	in = must.Get(roceplan.In(os.DirFS("../../examples/"+name), "."))(t)
	in.Traces = false
	return in, "example"
}

// byItself returns the published configuration that switches have without further settings: NVIDIA's on
// Spectrum, SONiC's template, Arista's guide.
func byItself(p *plan.Plan) string {
	switch sw := p.Switches[0]; {
	case strings.HasPrefix(sw.Chip, "spectrum"):
		return "nvidia-roce"
	case sw.OS == "eos":
		return "arista-reference"
	case sw.OS == "junos":
		return "juniper-jvd"
	}
	return "sonic-azure-lossless"
}

// forPurpose returns the text of a fabric with a purpose.
func forPurpose(text []byte, purpose completion.Purpose) []byte {
	text = regexp.MustCompile(`(?m)^ *purpose +=.*\n`).ReplaceAll(text, nil)
	return regexp.MustCompile(`(?m)^fabric "[^"]*" \{\n`).ReplaceAll(text, []byte(fmt.Sprintf("${0}  purpose = %s\n", purpose)))
}

// measure compiles a fabric for each purpose and sets it beside all that is published.
func measure(t *testing.T, name string, store *runs.Store) *Fabric {
	t.Helper()
	out := &Fabric{Name: name, By: map[completion.Purpose]*Result{}}
	for _, purpose := range completion.Purposes() {
		in, about := input(t, name)
		for i, file := range in.Files {
			in.Files[i].Text = forPurpose(file.Text, purpose)
		}
		f := roceplan.Load(in)
		p, _, err := roceplan.AsWritten(f)
		must.Do(t, err)
		prepared, err := Prepare(p, f.Catalogue.Find, Options{Purpose: purpose, Beside: f.Catalogue.Configurations(), Seeds: seeds})
		must.Do(t, err)
		if out.By[purpose], err = prepared.Run(t.Context(), store, nil); err != nil {
			t.Fatal(err)
		}
		out.About, out.Default = about, byItself(p)
	}
	return out
}

var standing = regexp.MustCompile(`(?m)^(training|storage|requests|mixed): ([0-9.]+) of \S*; (met|missed)`)

// heading says how many fabrics reach what is asked.
func heading(recorded map[string]string) string {
	met, better := map[string]int{}, map[string]int{}
	for _, part := range recorded {
		for _, m := range standing.FindAllStringSubmatch(part, -1) {
			if m[3] == "met" {
				met[m[1]]++
			}
			if ratio, err := strconv.ParseFloat(m[2], 64); err == nil && ratio > 0 && ratio < 1 {
				better[m[1]]++
			}
		}
	}
	text := "When what runs on a fabric ends, as compiled by as published: below 1 the compiled settings are faster."
	for _, p := range completion.Purposes() {
		text += fmt.Sprintf("\n%s: %d of %d fabrics reach what is asked, %d are better than all.", p, met[string(p)], len(recorded), better[string(p)])
	}
	return text
}

// store keeps runs from one call to the next, if that is asked for.
func store() *runs.Store {
	if *keep == "" {
		return nil
	}
	return runs.Open(*keep, "")
}

// The heading says what the parts do, and each part is of a fabric that there is. With -hunt all is run, and with
// -update too recorded, fabric by fabric.
func TestCompletion(t *testing.T) {
	kept := store()
	goldentest.Table{File: table, Names: names(t), Heading: heading, Make: func(t *testing.T, name string) string {
		return measure(t, name, kept).String() + "\n"
	}}.Run(t, *hunting, *update)
}
