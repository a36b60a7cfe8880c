package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// What the changes of a year ask of each system and release: how many steps, and which switches
// are drained. At most one change in ten may need a drain.
func TestYearOfRollouts(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	out.WriteString("# What the changes of a year ask: steps of the order, switches that change, on SONiC the files that\n# config apply-patch takes and those that go past it, and which switches are drained, and why. A system\n# that cannot have the change refuses it. Written by go test ./cmd/roceplan -run YearOfRollouts -update.\n")
	all, drained := 0, 0
	plans, wrong := map[string]*plan.Plan{}, map[string]string{}
	compiled := func(text string) *plan.Plan {
		if plans[text] == nil {
			var found diag.List
			_, plans[text], found = plantest.Compile(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
			for _, d := range found {
				if d.Severity == diag.Error {
					wrong[text] = string(d.Code)
				}
			}
		}
		return plans[text]
	}
	for _, y := range year.All(t) {
		releases := []string{""}
		if strings.HasPrefix(y.System, "sonic") {
			releases = []string{"202405", "202505", "202511"}
		}
		changes := y.Changes(t)
		for _, release := range releases {
			fmt.Fprintf(&out, "\n%s\n", strings.TrimSpace(y.System+" "+release))
			for _, c := range changes {
				before, after := compiled(c.Before), compiled(c.After)
				if c.Name != "release upgrade" {
					setRelease(before, release)
					setRelease(after, release)
				} else if release != "202405" {
					continue
				}
				if code := cmp.Or(wrong[c.Before], wrong[c.After]); code != "" {
					fmt.Fprintf(&out, "  %-22s the system cannot: %s\n", c.Name, code)
					continue
				}
				line, drains := rolledOut(t, catalogue, before, after)
				fmt.Fprintf(&out, "  %-22s %s\n", c.Name, line)
				all++
				if drains {
					drained++
				}
			}
		}
	}
	fmt.Fprintf(&out, "\n%d of %d changes need no drain\n", all-drained, all)
	if drained*10 > all {
		t.Errorf("%d of %d changes need a drain", drained, all)
	}
	const golden = "../../golden/rollouts.txt"
	if *update {
		check(t, os.WriteFile(golden, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	must.NoDiffIn(t, gocmp.Diff(string(want), out.String()), "%s differs; -update rewrites it (-golden +now):", golden)
}

// carried counts the steps on SONiC by who carries them out.
func (o *rolling) carried() (patches, past int) {
	step := regexp.MustCompile(`^[^/]+/[^/]+/\d\d-[^/]+\.(json|sh)$`)
	for _, f := range o.files {
		if m := step.FindStringSubmatch(f.Path); m != nil && m[1] == "json" {
			patches++
		} else if m != nil {
			past++
		}
	}
	return patches, past
}

func rolledOut(t *testing.T, catalogue *chips.Catalogue, before, after *plan.Plan) (line string, drains bool) {
	t.Helper()
	r := diff.Compare(before, after)
	o, err := newRolling(catalogue, difference{before: before, after: after, result: r}, 0)
	check(t, err)
	if o.found.HasErrors() {
		return fmt.Sprintf("refused: %s", o.found[0].Message), true
	}
	touched := map[string]bool{}
	for _, step := range r.Rollout.Steps {
		for _, told := range step.Told {
			for _, device := range told.Devices {
				touched[device] = true
			}
		}
	}
	if len(r.Rollout.Steps) == 0 {
		t.Error("a change without a step")
	}
	line = fmt.Sprintf("%s, %d switches", natural.Count(len(r.Rollout.Steps), "step", "steps"), len(touched))
	if patches, past := o.carried(); patches+past > 0 {
		line += fmt.Sprintf(", %d patches, %d past the updater", patches, past)
	}
	for _, q := range r.Rollout.Quiet {
		line += fmt.Sprintf(", traffic with DSCP %v stops", q.DSCPs)
	}
	if _, drain, is := strings.Cut(o.waves.String(), "stay in service:\n"); is {
		return line + ", drained:" + strings.ReplaceAll(drain, "\n", "\n      "), true
	}
	return line + ", none drained", false
}
