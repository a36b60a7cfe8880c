package eos_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	reader "github.com/roceplan/roceplan/read/eos"
	"pgregory.net/rapid"
)

// same compares plans apart from reasons and places.
var same = cmp.Options{
	cmpopts.IgnoreTypes(&plan.Why{}, diag.Range{}), cmpopts.EquateEmpty(),
}

// TestReadingWhatWasWritten: reading what the emitter wrote returns all that EOS
// holds.
func TestReadingWhatWasWritten(t *testing.T) {
	refused, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := anyplan.EOS(t)
		all++
		files, list := eos.Emit(s)
		if list.HasErrors() {
			refused++
			t.Skip("EOS does not support this switch:", list)
		}
		text := files[0].Body.AppendFor(nil, s.Names[0])
		unwatched := slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == eos.Unguaranteed })
		got, list := readtest.Switch(reader.Format(), "eos.cfg", text)
		list = slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return unwatched && d.Code == reader.Unwatched })
		if len(list) != 0 {
			t.Fatalf("findings in what was written: %v\n%s", list, text)
		}
		if diff := cmp.Diff(eos.Holds(s), got, same); diff != "" {
			t.Fatalf("(-held +read)\n%s\n%s", diff, text)
		}
	})
	if refused > all/2 {
		t.Errorf("%d of %d switches were refused; the test sees too few", refused, all)
	}
}
