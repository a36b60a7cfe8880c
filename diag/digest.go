package diag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
)

// A Digest is as much of a list as a person reads at once.
type Digest struct {
	Shown List
	// Errors and Warnings count those that are neither shown nor counted in one that is.
	Errors, Warnings int
}

// NewDigest joins findings that are equal except for names and numbers, and keeps the first so
// many of them. The list must be sorted, by what matters most or by place.
func NewDigest(sorted List, most int) Digest {
	var d Digest
	groups := grouped(behindRoots(sorted))
	if len(groups) > most {
		d.hide(groups[most:])
		groups = groups[:most]
	}
	for _, g := range groups {
		d.Shown = append(d.Shown, g.one())
	}
	return d
}

// ErrorsFirst is [NewDigest] that shows warnings only where there are no errors: else they
// are about a text that will change.
func ErrorsFirst(sorted List, most int) Digest {
	if !sorted.HasErrors() {
		return NewDigest(sorted, most)
	}
	errors, warnings := List{}, 0
	for _, found := range sorted { // a consequence of an error is one
		if found.Severity == Error {
			errors = append(errors, found)
		} else {
			warnings++
		}
	}
	d := NewDigest(errors, most)
	d.Warnings = warnings
	return d
}

func (d *Digest) hide(groups []List) {
	for _, g := range groups {
		if g[0].Severity == Error {
			d.Errors += len(g)
		} else {
			d.Warnings += len(g)
		}
	}
}

// behindRoots leaves out what the edits of another finding repair too, and counts it there.
func behindRoots(list List) (roots List) {
	var also List
	tell := func() {
		if len(also) > 0 {
			d := &roots[len(roots)-1]
			d.Related = append(slices.Clone(d.Related), Note{Message: also.placesByCode()})
		}
		also = nil
	}
	for _, d := range list {
		if d.Follows && len(roots) > 0 {
			also = append(also, d)
			continue
		}
		tell()
		roots = append(roots, d)
	}
	tell()
	return roots
}

// placesByCode says how many findings there are, of which codes and in which lines.
func (l List) placesByCode() string {
	var codes []Code
	lines := map[Code][]string{}
	for _, d := range l {
		if lines[d.Code] == nil {
			codes = append(codes, d.Code)
		}
		lines[d.Code] = appendNew(lines[d.Code], fmt.Sprint(d.Subject.Start.Line))
	}
	var parts []string
	for _, c := range codes {
		word := "lines "
		if len(lines[c]) == 1 {
			word = "line "
		}
		parts = append(parts, string(c)+" in "+word+list(lines[c], "line"))
	}
	return natural.Count(len(l), "finding", "findings") + " that the edit repairs too: " + strings.Join(parts, "; ")
}

// A Kind is a finding at several places with other numbers.
type Kind struct {
	Severity Severity
	Code     Code
	Message  string // without numbers and names that have some
}

// Kind returns the finding's content without its place.
func (d Diagnostic) Kind() Kind { return Kind{d.Severity, d.Code, skeleton(d)} }

// grouped puts findings of a kind together, in the order of the first of each.
func grouped(sorted List) []List {
	type kind struct {
		Kind
		fix     string
		follows bool
	}
	at := map[kind]int{}
	var groups []List
	for _, found := range sorted {
		k := kind{found.Kind(), "", found.Follows}
		if found.Severity == Error {
			k.fix = found.Fix // another fix is another error
		}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], found)
	}
	return groups
}

var (
	figures = regexp.MustCompile(`[^\s,;:()]*[0-9][^\s,;:()]*`)
	quoted  = regexp.MustCompile(`"[^"]*"`)
)

// skeleton returns a message without numbers, and without names that have some; of a warning,
// without all that is in quotes. An error about a name is fixed name by name, so it is another
// error where the name is another.
func skeleton(d Diagnostic) string {
	message := d.Message
	if d.Severity == Warning {
		message = quoted.ReplaceAllString(message, `"`)
	}
	return figures.ReplaceAllString(message, "#")
}

// one says how many are like the first, and where.
func (g List) one() Diagnostic {
	d := g[0]
	if len(g) == 1 {
		return d
	}
	var lines, files []string
	for _, other := range g[1:] {
		line := fmt.Sprint(other.Subject.Start.Line)
		if file := other.Subject.Filename; file != d.Subject.Filename {
			files = appendNew(files, file)
		} else if other.Subject.Start.Line != d.Subject.Start.Line {
			lines = appendNew(lines, line)
		}
	}
	where := " here"
	switch {
	case d.Subject.Filename == "" && len(files) == 0:
		where = ""
	case len(files) > 0:
		where = fmt.Sprintf(", also in %s", list(files, "file"))
	case len(lines) == 1:
		where = ", also in line " + lines[0]
	case len(lines) > 1:
		where = ", also in lines " + list(lines, "line")
	}
	d.Message += fmt.Sprintf(" (and %d more like this%s)", len(g)-1, where)
	return d
}

func appendNew(list []string, s string) []string {
	if len(list) > 0 && list[len(list)-1] == s { // they are sorted
		return list
	}
	return append(list, s)
}

// list names a few and counts the rest.
func list(words []string, what string) string {
	const few = 4
	if rest := len(words) - few; rest > 1 {
		return fmt.Sprintf("%s and %d other %ss", strings.Join(words[:few], ", "), rest, what)
	}
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " and " + words[n]
	}
	return words[0]
}

// Withheld says what is not shown, in a line; nothing where all is.
func (d Digest) Withheld() string {
	switch {
	case d.Errors+d.Warnings == 0:
		return ""
	case d.Errors == 0:
		return natural.Count(d.Warnings, "warning is", "warnings are") + " not shown"
	case d.Warnings == 0:
		return natural.Count(d.Errors, "error is", "errors are") + " not shown"
	}
	return fmt.Sprintf("%s and %s are not shown", natural.Count(d.Errors, "error", "errors"), natural.Count(d.Warnings, "warning", "warnings"))
}
