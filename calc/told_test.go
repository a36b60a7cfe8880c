package calc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
)

// What an inequality says of the lossy pool is the size that the switch is given, also where it
// was made larger than its share by weight.
func TestLossyPoolIsThatOfTheInequality(t *testing.T) {
	catalogue, _ := chips.Load()
	entries := must.Get(os.ReadDir("../examples"))(t)
	compared := 0
	for _, e := range entries {
		if files, _ := filepath.Glob(filepath.Join("../examples", e.Name(), "*.hcl")); len(files) == 0 {
			continue
		}
		_, p := plantest.Folder(t, catalogue, filepath.Join("../examples", e.Name()))
		for _, sw := range p.Switches {
			for _, check := range sw.Checks {
				if check.ID != "lossy-leaves-lossless" {
					continue
				}
				for _, pool := range sw.Pools {
					if pool.Name == calc.EgressLossyPool {
						compared++
						if got := term(check.Left, "lossy"); got != pool.Size.Value.String() {
							t.Errorf("%s %s: the inequality has %s, the pool %v", e.Name(), sw.Names[0], got, pool.Size.Value)
						}
					}
				}
			}
		}
	}
	if compared < 5 {
		t.Errorf("%d pools compared", compared)
	}
}

// term returns the value of a term of a reason.
func term(why *plan.Why, symbol string) string {
	for _, t := range why.Terms {
		if t.Symbol == symbol {
			return t.Why.Value.String()
		}
	}
	return ""
}
