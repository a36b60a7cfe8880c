package eos_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	emiteos "github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/anyplan"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/units"
)

// same compares plans apart from reasons and places.
var same = cmp.Options{
	cmpopts.IgnoreTypes(&plan.Why{}, diag.Range{}), cmpopts.EquateEmpty(),
}

func draw(t *rapid.T) *plan.Switch {
	chip := rapid.SampledFrom([]string{"tomahawk5", "tomahawk", "trident3", "jericho2"}).Draw(t, "chip")
	mmu := chip != "jericho2"
	w := anyplan.Want{
		Chip: chip, OS: "eos", OneNumber: true, OneBuffer: rapid.Bool().Draw(t, "one buffer"), StrictAbove: true, NoBuffer: !mmu, Dynamic: true,
		Actions: []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogAlert},
	}
	if mmu {
		w.LoadBalancing = []string{"", "ecmp", "flowlet"}
	}
	return anyplan.Switch(t, w)
}

// TestReadingWhatWasWritten: reading what the emitter wrote gives back all that EOS
// holds.
func TestReadingWhatWasWritten(t *testing.T) {
	refused, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		all++
		files, list := emiteos.Emit(s)
		if list.HasErrors() {
			refused++
			t.Skip(list)
		}
		text := files[0].Body.AppendFor(nil, s.Names[0])
		got, list := eos.Read("eos.cfg", text)
		if len(list) != 0 {
			t.Fatalf("findings in what was written: %v\n%s", list, text)
		}
		if diff := cmp.Diff(emiteos.Holds(s), got, same); diff != "" {
			t.Fatalf("(-held +read)\n%s\n%s", diff, text)
		}
	})
	t.Logf("%d of %d refused", refused, all)
	if refused > all/2 {
		t.Errorf("%d of %d switches were refused; the test sees too few", refused, all)
	}
}

var _ = fmt.Sprint
var _ = os.Args
var _ = strings.Cut
var _ units.Bytes
