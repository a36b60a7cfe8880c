package readtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// A Form is the lines that open a mode, one line below them, and what a reader makes of that: "m"
// where it is modelled, "n" where it changes nothing, "u" where it is not
// modelled, with a code of what is found on the line behind it.
type Form [3]string

// Forms checks each form in a file that ends with used: lines that apply what the form is a part
// of, as what nobody uses changes nothing. All that each of them changes is in the golden file.
func Forms(t *testing.T, golden string, format read.Format, used string, all []Form) {
	t.Helper()
	Golden(t, golden, toldOfForms(format, used, all))
	for _, f := range all {
		mode, line, want := f[0], f[1], f[2]
		text, at := f.text(used, line)
		r := format.Read("leaf.cfg", []byte(text), read.Options{})
		onLine := func(s read.Statement) bool { return s.At.Start.Line == at }
		i := slices.IndexFunc(r.Ledger.Statements, onLine)
		if i < 0 {
			t.Errorf("%q below %q is not in the ledger", line, mode)
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
					t.Errorf("%q below %q: the note %q has no place", line, mode, n.Message)
				}
			}
		}
		kind, code, told := strings.Cut(want, " ")
		if sort != kind || told != (len(codes) > 0) || told && !slices.Contains(codes, code) {
			t.Errorf("%q below %q: %q %q, want %q: %v", line, mode, sort, codes, want, r.Found)
		}
	}
}
