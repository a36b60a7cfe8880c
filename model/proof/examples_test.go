package proof_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

const examples = "../../examples"

func catalogue(t testing.TB) *chips.Catalogue {
	t.Helper()
	c := must.Sound(chips.Load())(t)
	return c
}

// compiled computes every example, by name.
func compiled(t testing.TB) map[string]*plan.Plan {
	t.Helper()
	plans := map[string]*plan.Plan{}
	dirs, err := filepath.Glob(filepath.Join(examples, "*", "fabric.hcl"))
	if err != nil || len(dirs) < 5 {
		t.Fatalf("%d examples, %v", len(dirs), err)
	}
	for _, path := range dirs {
		text := must.Get(os.ReadFile(path))(t)
		fabric := must.Sound(policy.Load(policy.Options{
			Files: []policy.Source{{Name: "fabric.hcl", Text: text}}, Catalogue: catalogue(t), Root: os.DirFS(filepath.Dir(path)),
		}))(t)
		computed, list := calc.Compute(fabric)
		if list.HasErrors() {
			t.Fatal(path, list)
		}
		plans[filepath.Base(filepath.Dir(path))] = computed
	}
	return plans
}

// Nothing fails in any example, what it is conditional on is a response of which the fabric
// says nothing, and its certificate stands up to arithmetic.
func TestExamplesAreProved(t *testing.T) {
	cat := catalogue(t)
	for name, fabric := range compiled(t) {
		for _, sw := range fabric.Switches {
			chip, _ := cat.Find(sw.Chip)
			report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
			for i := range report.Obligations {
				if o := &report.Obligations[i]; o.Verdict != proof.Holds && o.Verdict != proof.Conditional {
					t.Errorf("%s %s: %v", name, sw.Role, o)
				} else if testing.Verbose() {
					t.Logf("%s %s: %v", name, sw.Role, o)
				}
			}
			c := proof.Certify(report, sw.Names, sw.Chip, nil)
			for _, err := range proof.Recheck(c, nil) {
				t.Errorf("%s %s: %v", name, sw.Role, err)
			}
		}
	}
}
