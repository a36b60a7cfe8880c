package readtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// A Form is one line of a configuration below the lines that open its mode, and what a reader
// makes of it: "m" where it is modelled, "n" where it changes nothing, "u" where it is not
// modelled, with a code of what is found on the line behind it.
type Form struct{ Mode, Line, Want string }

// Forms checks each form in a file that ends with used: lines that apply what the form is a part
// of, as what nobody uses changes nothing.
func Forms(t *testing.T, format read.Format, used string, all []Form) {
	t.Helper()
	for _, f := range all {
		text, at := f.Line+"\n", 1
		if f.Mode != "" {
			text, at = f.Mode+"\n      "+f.Line+"\n"+used, 2+strings.Count(f.Mode, "\n")
		}
		r := format.Read("leaf.cfg", []byte(text), read.Options{})
		onLine := func(s read.Statement) bool { return s.At.Start.Line == at }
		i := slices.IndexFunc(r.Ledger.Statements, onLine)
		if i < 0 {
			t.Errorf("%q below %q is not in the ledger", f.Line, f.Mode)
			continue
		}
		sort := map[read.Sort]string{read.Modelled: "m", read.Neutral: "n", read.Unmodelled: "u"}[r.Ledger.Statements[i].Sort]
		codes := []string{}
		for _, d := range r.Found {
			if d.Subject.Start.Line == at {
				codes = append(codes, string(d.Code))
			}
			for _, n := range d.Related {
				if n.Range.Filename == "" {
					t.Errorf("%q below %q: the note %q has no place", f.Line, f.Mode, n.Message)
				}
			}
		}
		want, code, told := strings.Cut(f.Want, " ")
		if sort != want || told != (len(codes) > 0) || told && !slices.Contains(codes, code) {
			t.Errorf("%q below %q: %q %q, want %q: %v", f.Line, f.Mode, sort, codes, f.Want, r.Found)
		}
	}
}
