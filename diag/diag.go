// Package diag reports faults: a finding has a code that never changes its meaning, a place in a
// file, the fact with the bound that it breaks, and the change to make.
//
// A fault of the author of a file is a [Diagnostic]; a fault of roceplan itself is a panic. Phases
// collect into a [List] and go on, so that all faults of a file are reported at once.
package diag

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/internal/stable"
)

// Range is a stretch of a source file, as HCL counts it: lines and columns from 1,
// columns in grapheme clusters, bytes from 0. The zero Range is "no place".
type Range = hcl.Range

// Top returns the beginning of a file, the place of what concerns all of it.
func Top(file string) Range {
	return Range{Filename: file, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// Beside returns the name that findings show of a file that is named at a place, below the folder of the
// file that names it: as the user would write it.
func Beside(at Range, name string) string { return path.Join(path.Dir(at.Filename), name) }

// Severity orders findings. An Error makes the command fail with exit code 1.
type Severity uint8

const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Code names one kind of finding, in kebab-case: "unit-missing". Packages declare
// theirs as documented constants in a file codes.go; a test demands the comment and
// at least one golden example of each.
type Code string

// A Diagnostic is one finding.
type Diagnostic struct {
	Severity Severity
	Code     Code

	// Subject is the tightest range that shows the fault: the value, not the block.
	// Zero where no file is to blame.
	Subject Range

	// Message says what was found and which bound it broke, with both numbers. One
	// sentence without a final full stop.
	Message string

	// Fix says which change would repair it. Empty where nothing sensible can be said.
	Fix string

	// Meant is the name that most likely belongs in the place of Subject, where Fix asks
	// whether it was meant.
	Meant string

	// Edits repair the finding, all of them together: the fabric was compiled with them, the finding
	// was gone and none was new. Empty where no such edit was found, or none was looked for.
	Edits []Edit

	// Follows says that the edits of the last finding before this one that has some repair this
	// one too.
	Follows bool

	// Related are other places that belong to the story, such as the first of two
	// definitions.
	Related []Note
}

// A Note is a place with a remark.
type Note struct {
	Range   Range
	Message string
}

// List collects findings. The zero List is ready to use.
type List []Diagnostic

// Functions with a thousand callers are not inlined: the program would be larger by 160 kB.

// Errorf adds an error at a place; more detail can be set on the returned value.
//
//go:noinline
func (l *List) Errorf(code Code, at Range, format string, args ...any) *Diagnostic {
	return l.add(Error, code, at, format, args)
}

// Warnf adds a warning at a place.
//
//go:noinline
func (l *List) Warnf(code Code, at Range, format string, args ...any) *Diagnostic {
	return l.add(Warning, code, at, format, args)
}

// WarnOncef adds a warning unless one with the same code and message is there, and returns
// the one that is there.
func (l *List) WarnOncef(code Code, at Range, format string, args ...any) *Diagnostic {
	message := fmt.Sprintf(format, args...)
	if i := slices.IndexFunc(*l, func(d Diagnostic) bool { return d.Code == code && d.Message == message }); i >= 0 {
		return &(*l)[i]
	}
	return l.Warnf(code, at, "%s", message)
}

// WarnOnceAtf adds a warning unless the list has one with the same code, place and message, and
// returns it.
func (l *List) WarnOnceAtf(code Code, at Range, format string, args ...any) *Diagnostic {
	message := fmt.Sprintf(format, args...)
	if i := slices.IndexFunc(*l, func(d Diagnostic) bool { return d.Code == code && d.Message == message && d.Subject == at }); i >= 0 {
		return &(*l)[i]
	}
	return l.Warnf(code, at, "%s", message)
}

func (l *List) add(s Severity, code Code, at Range, format string, args []any) *Diagnostic {
	*l = append(*l, Diagnostic{Severity: s, Code: code, Subject: at, Message: fmt.Sprintf(format, args...)})
	return &(*l)[len(*l)-1]
}

// Fixf sets what to change and returns the diagnostic.
//
//go:noinline
func (d *Diagnostic) Fixf(format string, args ...any) *Diagnostic {
	d.Fix = fmt.Sprintf(format, args...)
	return d
}

// Repaired sets what to change and returns the diagnostic.
//
//go:noinline
func (d *Diagnostic) Repaired(by Repair) *Diagnostic {
	d.Fix, d.Meant = by.Fix, by.Meant
	return d
}

// Notef adds a related place and returns the diagnostic.
//
//go:noinline
func (d *Diagnostic) Notef(at Range, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Note{at, fmt.Sprintf(format, args...)})
	return d
}

// FirstError returns the first finding that is an error, nil where none is.
func (l List) FirstError() *Diagnostic {
	for i := range l {
		if l[i].Severity == Error {
			return &l[i]
		}
	}
	return nil
}

// HasErrors reports whether any finding is an error.
func (l List) HasErrors() bool { return l.FirstError() != nil }

// Sorted returns the findings by file, byte, code and message, each once. HCL reports
// some of its own in the order of a map, so nothing may be printed unsorted.
func (l List) Sorted() List {
	sorted := slices.Clone(l)
	stable.Sort(sorted, compare)
	return slices.CompactFunc(sorted, func(a, b Diagnostic) bool { return compare(a, b) == 0 })
}

// CompareRanges orders places by file and first byte.
func CompareRanges(a, b Range) int {
	return cmp.Or(strings.Compare(a.Filename, b.Filename), cmp.Compare(a.Start.Byte, b.Start.Byte))
}

func compare(a, b Diagnostic) int {
	if c := CompareRanges(a.Subject, b.Subject); c != 0 {
		return c
	}
	if c := strings.Compare(string(a.Code), string(b.Code)); c != 0 {
		return c
	}
	return strings.Compare(a.Message, b.Message)
}
