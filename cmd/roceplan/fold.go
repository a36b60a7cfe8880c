package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/target"
)

// Warnings of one fact are one list: "EOS cannot carry" this and that. Every rounded number is a fact by itself.
type fact struct {
	file, begins, fix string
	code              diag.Code
}

// beginning is the number of words of a message that introduce its list.
const beginning = 3

// folded joins warnings of targets for a person: those of one code and one file that are one fact and have one repair.
// They are reported for every shape of switch and belong to the target more than to a line; --json has each by
// itself.
func folded(sorted diag.List) diag.List {
	groups := map[fact]diag.List{}
	of := func(d diag.Diagnostic) fact {
		if words := strings.Fields(d.Message); len(words) > beginning && unicode.IsUpper(rune(words[0][0])) {
			return fact{d.Subject.Filename, strings.Join(words[:beginning], " "), d.Fix, d.Code}
		}
		return fact{d.Subject.Filename, d.Message, d.Fix, d.Code}
	}
	for _, d := range sorted {
		if ofTarget(d) {
			groups[of(d)] = append(groups[of(d)], d)
		}
	}
	var out diag.List
	for _, d := range sorted {
		if !ofTarget(d) {
			out = append(out, d)
		} else if group := groups[of(d)]; group != nil {
			out = append(out, joined(group))
			groups[of(d)] = nil
		}
	}
	return out
}

// ofTarget reports whether a finding is about a target's form of a plan: its code begins with the
// target's name.
func ofTarget(d diag.Diagnostic) bool {
	name, _, _ := strings.Cut(string(d.Code), "-")
	_, is := target.Find(name)
	return is && d.Severity == diag.Warning
}

// few is the number of times that one warning is repeated with other numbers, and of the lines that it names.
const few = 4

// joined is one warning in place of several, at the place of the first. The same warning for
// another line with other numbers is not repeated: another shape of switch has other sizes. Nor are
// more than a few warnings for one line, which count or for_each made into many shapes.
func joined(group diag.List) diag.Diagnostic {
	one := group[0]
	var said, lines []string
	first, times := map[string]int{}, map[string]int{} // line that says a message except for its numbers, and how often
	more := 0
	for _, d := range group {
		line, skeleton := d.Subject.Start.Line, numbers.ReplaceAllString(d.Message, "")
		if first[skeleton] == 0 {
			first[skeleton] = line
		}
		if first[skeleton] == line && !slices.Contains(said, d.Message) {
			if times[skeleton]++; times[skeleton] <= few {
				said = append(said, d.Message)
			} else {
				more++
			}
		}
		if line != one.Subject.Start.Line {
			lines = append(lines, fmt.Sprint(line))
		}
	}
	one.Message = together(said)
	if more > 0 {
		one.Message += "; the same " + natural.Count(more, "more time", "more times") + " with other numbers"
	}
	if lines = distinct(lines); len(lines) > few+1 {
		one.Message += fmt.Sprintf(" (also of line %s and %s)", strings.Join(lines[:few], ", "), natural.Count(len(lines)-few, "other", "others"))
	} else if lines != nil {
		one.Message += " (also of line " + strings.Join(lines, ", ") + ")"
	}
	return one
}

var numbers = regexp.MustCompile(`[0-9]+`)

// distinct keeps the first of equal texts.
func distinct(texts []string) (out []string) {
	for _, text := range texts {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// together says the words once with which all messages begin.
func together(messages []string) string {
	first := strings.Fields(messages[0])
	common := len(first)
	for _, message := range messages[1:] {
		words := strings.Fields(message)
		n := 0
		for n < min(common, len(words)) && words[n] == first[n] {
			n++
		}
		common = n
	}
	if len(messages) == 1 {
		return messages[0]
	}
	out := strings.Join(first[:common], " ") + " "
	for i, message := range messages {
		if i > 0 {
			out += "; "
		}
		out += strings.Join(strings.Fields(message)[common:], " ")
	}
	return out
}
