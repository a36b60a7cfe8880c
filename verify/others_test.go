package verify

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A file of another system is named as such, and never judged in another's language: its one finding says which system it is of.
func TestOtherSystemsAreNotJudged(t *testing.T) {
	for _, f := range must.Get(txtar.ParseFile("../read/systems/testdata/others.txtar"))(t).Files {
		title, _, _ := strings.Cut(f.Name, ": ")
		r := judge(t, Options{}, Text("leaf-1.cfg", f.Data))
		if len(r.Switches) != 1 || r.Switches[0].Verdict != NotJudged || r.Switches[0].Title() != title || len(r.Switches[0].Groups) > 0 || r.Passes(false) {
			t.Errorf("%s: %d switches, %v", f.Name, len(r.Switches), r.Findings)
		}
		if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Message, title) {
			t.Errorf("%s: %v", f.Name, r.Findings)
		}
	}
}
