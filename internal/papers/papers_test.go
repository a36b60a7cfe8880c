package papers

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

var (
	update  = flag.Bool("update", false, "write docs/reproduce.md")
	hunting = flag.Bool("hunt", false, "make the runs that are too long for a test, for some minutes; with -update their figures are kept in hunted.json")
)

const (
	page   = "../../docs/reproduce.md"
	hunted = "hunted.json"
)

// A measure is a figure of runs.
type measure struct {
	runs []string // scenarios of the folder
	of   func(o []*pattern.Outcome) float64
}

// study runs scenarios of the folders here, each once.
type study struct {
	t      *testing.T
	kept   map[string]float64 // figures of long runs
	made   map[string]*pattern.Outcome
	fabric map[string]*roceplan.Fabric
}

// row measures a figure.
func (s *study) row(folder, what string, theirs Claim, m measure, reason string) Row {
	s.t.Helper()
	return s.measured(folder, what, theirs, m, reason, false)
}

// long is row of runs that take too long for a test.
func (s *study) long(folder, what string, theirs Claim, m measure, reason string) Row {
	s.t.Helper()
	return s.measured(folder, what, theirs, m, reason, true)
}

func (s *study) measured(folder, what string, theirs Claim, m measure, reason string, long bool) Row {
	s.t.Helper()
	r := Row{What: what, Theirs: theirs, Reason: reason, Hunted: long, Run: command(folder, m.runs)}
	key := folder + ": " + what
	if old, ok := s.kept[key]; long && !*hunting {
		if !ok {
			s.t.Errorf("%s was never run: go test ./internal/papers -hunt -update", key)
		}
		r.Ours = old
		return r
	}
	r.Ours = m.of(s.outcomes(folder, m.runs))
	if long {
		s.kept[key] = r.Ours
	}
	if !r.Reproduced() && r.Reason == "" {
		s.t.Errorf("%s: %v there, %v here, and no reason is given", key, theirs, r.Ours)
	}
	return r
}

func command(folder string, runs []string) string {
	return "roceplan sim internal/papers/" + folder + " --size all --pattern " + strings.Join(runs, " --pattern ")
}

// outcomes runs what has not been run yet: of several seeds all.
func (s *study) outcomes(folder string, names []string) (out []*pattern.Outcome) {
	s.t.Helper()
	f := s.fabric[folder]
	if f == nil {
		in, err := roceplan.In(os.DirFS(folder), ".")
		if err != nil {
			s.t.Fatal(err)
		}
		f = roceplan.Load(in)
		s.fabric[folder] = f
	}
	var missing []string
	for _, name := range names {
		if s.made[folder+"/"+name+"#1"] == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		ran, err := roceplan.Simulate(s.t.Context(), f, roceplan.SimulateOptions{Scenarios: missing, Detailed: true})
		if err != nil {
			s.t.Fatalf("%s: %v", folder, err)
		}
		for i := range ran.Outcomes {
			o := &ran.Outcomes[i]
			if o.Skipped != "" || o.Unfinished > 0 || o.LosslessDrops > 0 {
				s.t.Fatalf("%s: %s: skipped %q, %d unfinished, %d lost", folder, o.Pattern, o.Skipped, o.Unfinished, o.LosslessDrops)
			}
			s.made[fmt.Sprintf("%s/%s#%d", folder, o.Pattern, o.Seed)] = o
		}
	}
	for _, name := range names {
		for seed := 1; ; seed++ {
			o := s.made[fmt.Sprintf("%s/%s#%d", folder, name, seed)]
			if o == nil {
				break
			}
			out = append(out, o)
		}
	}
	return out
}

// The page has what the runs give, and every figure that differs by more than 10 % has a reason.
func TestReproduce(t *testing.T) {
	s := &study{t: t, kept: map[string]float64{}, made: map[string]*pattern.Outcome{}, fabric: map[string]*roceplan.Fabric{}}
	text, err := os.ReadFile(hunted)
	if err == nil {
		err = json.Unmarshal(text, &s.kept)
	}
	if err != nil && !*hunting {
		t.Fatal(err)
	}
	sources := s.sources()
	got := Page(sources)
	for i := range sources {
		for k := range sources[i].Rows {
			r := &sources[i].Rows[k]
			t.Logf("%s: %v there, %s here: %s", r.What, r.Theirs, figure(r.Ours), r.difference())
		}
	}
	if *update {
		s.write(got)
		return
	}
	want := must.Get(os.ReadFile(page))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), got), "%s (-page +runs); go test ./internal/papers -update rewrites it:", page)
}

func (s *study) write(got string) {
	if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
		s.t.Fatal(err)
	}
	if *hunting {
		text, err := json.MarshalIndent(s.kept, "", "\t")
		if err == nil {
			err = os.WriteFile(hunted, append(text, '\n'), 0o644)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}
