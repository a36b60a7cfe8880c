package junos

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/junos"
)

// A statement is a line of Junos configuration and the lines in braces below it. Curly text and set
// commands are printed from the same tree, so they cannot say different things.
type statement struct {
	words []string // "class", "rdma", "queue-num", "3"
	list  []string // values in brackets behind the words; one value has none
	kids  []*statement
	// section is set where the statement has braces, even when they are empty.
	section bool
}

// at returns the section at a path of sections, made where it is missing. The words of a
// section are one string: "dscp roce".
func (s *statement) at(path ...string) *statement {
	for _, name := range path {
		s = s.child(name)
		s.section = true
	}
	return s
}

// find returns the first line with those words, nil where there is none.
func (s *statement) find(words string) *statement {
	for _, kid := range s.kids {
		if strings.Join(kid.words, " ") == words {
			return kid
		}
	}
	return nil
}

func (s *statement) child(name string) *statement {
	if kid := s.find(name); kid != nil {
		return kid
	}
	kid := &statement{words: strings.Fields(name)}
	s.kids = append(s.kids, kid)
	return kid
}

// number writes a number as a word.
func number[N ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func numbers(all []int64) (words []string) {
	for _, n := range all {
		words = append(words, number(n))
	}
	return words
}

// say adds a line of words.
func (s *statement) say(words ...string) {
	s.kids = append(s.kids, &statement{words: words})
}

// put adds the leaf of a row with its number, in the sections that lead to it from this one.
func (s *statement) put(id format.ID, n int64) {
	names := row.Of(id).Names()
	last := len(names) - 1
	s.at(names[:last]...).say(append(strings.Fields(names[last]), number(n))...)
}

// each adds a line of words with a list of values.
func (s *statement) each(list []string, words ...string) {
	s.kids = append(s.kids, &statement{words: words, list: list})
}

// curly appends the text in braces, four blanks for each level, as `show configuration`
// prints it.
func (s *statement) curly(out *strings.Builder, depth int) {
	for _, kid := range s.kids {
		out.WriteString(strings.Repeat("    ", depth))
		out.WriteString(strings.Join(kid.words, " "))
		switch {
		case kid.section:
			out.WriteString(" {\n")
			kid.curly(out, depth+1)
			out.WriteString(strings.Repeat("    ", depth) + "}\n")
		case len(kid.list) == 1:
			out.WriteString(" " + kid.list[0] + ";\n")
		case len(kid.list) > 1:
			out.WriteString(" [ " + strings.Join(kid.list, " ") + " ];\n")
		default:
			out.WriteString(";\n")
		}
	}
}

// commands appends set commands, one for each value of a list, as `show configuration |
// display set` prints them.
func (s *statement) commands(out *strings.Builder, prefix string) {
	for _, kid := range s.kids {
		line := prefix + " " + strings.Join(kid.words, " ")
		switch {
		case len(kid.kids) > 0:
			kid.commands(out, line)
		case len(kid.list) > 0:
			for _, value := range kid.list {
				out.WriteString(line + " " + value + "\n")
			}
		default:
			out.WriteString(line + "\n")
		}
	}
}
