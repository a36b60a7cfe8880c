package sonic

import "github.com/roceplan/roceplan/diag"

// maxFindings is how many findings of one file are reported: a hostile file must not fill the
// memory with them.
const maxFindings = 1000

// findings are a diag.List that stops growing.
type findings struct {
	list diag.List
	more int // left out
}

func (f *findings) Errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	if f.full() {
		return &diag.Diagnostic{}
	}
	return f.list.Errorf(code, at, format, args...)
}

func (f *findings) Warnf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	if f.full() {
		return &diag.Diagnostic{}
	}
	return f.list.Warnf(code, at, format, args...)
}

func (f *findings) full() bool {
	if len(f.list) < maxFindings {
		return false
	}
	f.more++
	return true
}

// sorted returns the findings in the order of the file.
func (f *findings) sorted() diag.List {
	sorted := f.list.Sorted()
	if f.more > 0 {
		last := sorted[len(sorted)-1].Subject
		sorted.Errorf(TooMany, last, "%d more findings are left out", f.more).Fixf("correct these first, and run again")
	}
	return sorted
}
