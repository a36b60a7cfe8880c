// Package yang reads YANG models, for tests that compare the rows of a system with them.
package yang

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A Statement is one of YANG (RFC 7950, section 6.3).
type Statement struct {
	Keyword, Argument string
	Below             []*Statement
}

// parse reads statements up to the brace that closes them, and returns the words after it.
func parse(words []string) (all []*Statement, rest []string) {
	for len(words) > 0 {
		if words[0] == "}" {
			return all, words[1:]
		}
		s := &Statement{Keyword: words[0]}
		for words = words[1:]; words[0] != "{" && words[0] != ";"; words = words[1:] {
			if words[0] != "+" {
				s.Argument += strings.Trim(words[0], `"'`)
			}
		}
		if words[0] == "{" {
			s.Below, words = parse(words[1:])
		} else {
			words = words[1:]
		}
		all = append(all, s)
	}
	return all, nil
}

// wordsOf splits a module into words, texts in quotes as one, without comments.
func wordsOf(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end := 1
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
			continue
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
			continue
		case text[0] == '"' || text[0] == '\'':
			end += strings.IndexByte(text[1:], text[0]) + 1
		case !strings.ContainsRune("{};", rune(text[0])):
			end = strings.IndexAny(text, "{}; \t\n")
		}
		words, text = append(words, text[:end]), text[end:]
	}
	return words
}

// Models are the data of some modules.
type Models struct {
	groupings map[string][]*Statement
	top       []*Statement
}

// Read reads modules of a folder of shared/yang.
func Read(t testing.TB, folder string, modules ...string) *Models {
	t.Helper()
	m := &Models{groupings: map[string][]*Statement{}}
	for _, name := range modules {
		text, err := os.ReadFile(filepath.Join(oracle.Shared(t, "yang/"+folder), name+".yang"))
		if err != nil {
			t.Fatal(err)
		}
		module, _ := parse(wordsOf(string(text)))
		for _, s := range module[0].Below {
			if s.Keyword == "grouping" {
				m.groupings[s.Argument] = s.Below
			}
			m.top = append(m.top, s)
		}
	}
	return m
}

// Use puts the data of groupings at the top.
func (m *Models) Use(groupings ...string) {
	for _, name := range groupings {
		m.top = append(m.top, m.groupings[name]...)
	}
}

// Find returns the statement at a path of names of data; the path as far as it was found, where it is missing.
func (m *Models) Find(path ...string) (at *Statement, found int) {
	in := m.top
	for i, name := range path {
		if at = m.find(in, name); at == nil {
			return nil, i
		}
		in = at.Below
	}
	return at, len(path)
}

func (m *Models) find(in []*Statement, name string) *Statement {
	for _, s := range in {
		switch s.Keyword {
		case "container", "list", "leaf", "leaf-list":
			if s.Argument == name {
				return s
			}
		case "choice", "case":
			if found := m.find(s.Below, name); found != nil {
				return found
			}
		case "uses":
			_, bare, prefixed := strings.Cut(s.Argument, ":")
			if !prefixed {
				bare = s.Argument
			}
			if found := m.find(m.groupings[bare], name); found != nil {
				return found
			}
		}
	}
	return nil
}

// Of returns the argument of the first statement below that has a keyword; empty where none has.
func (s *Statement) Of(keyword string) string {
	for _, below := range s.Below {
		if below.Keyword == keyword {
			return below.Argument
		}
	}
	return ""
}

// Under returns the first leaf with a name below a statement, at any depth; nil where there is none.
func (s *Statement) Under(name string) *Statement {
	for _, below := range s.Below {
		if below.Keyword == "leaf" && below.Argument == name {
			return below
		}
		if found := below.Under(name); found != nil {
			return found
		}
	}
	return nil
}

// Leaf compares the bounds and the default of a row with those of its leaf, and counts what was compared. A row with
// another upper bound than the leaf has a source.
func (s *Statement) Leaf(t testing.TB, row *format.Row) (ranges, defaults int) {
	t.Helper()
	if value := s.Of("default"); value != "" && row.Absent != 0 {
		defaults++
		if value != strconv.FormatInt(row.Absent, 10) {
			t.Errorf("%s: %d holds without it, by the models %s", row.Path, row.Absent, value)
		}
	}
	for _, kind := range s.Below {
		if bounds := kind.Of("range"); kind.Keyword == "type" && bounds != "" && row.Bounded() {
			ranges++
			low, high, _ := strings.Cut(strings.ReplaceAll(bounds, " ", ""), "..")
			least, most := row.Bounds()
			if low != strconv.FormatInt(least, 10) || high != strconv.FormatInt(most, 10) && row.Source == "" {
				t.Errorf("%s: %d to %d, by the models %s", row.Path, least, most, bounds)
			}
		}
	}
	return ranges, defaults
}

// Compare compares the rows of a system whose paths are those of the models: each is a list with the keys of the row, or a
// leaf.
func (m *Models) Compare(t testing.TB, rows format.Rows) (ranges, defaults int) {
	t.Helper()
	for i := range rows {
		row := &rows[i]
		if row.Path == "" {
			continue
		}
		path := strings.Fields(row.Plain())
		at, found := m.Find(path...)
		if at == nil {
			t.Errorf("%s: the models have no %s", row.Path, path[found])
			continue
		}
		keys := strings.Join(row.Keys(), " ")
		if at.Keyword == "list" != (keys != "") || keys != at.Of("key") {
			t.Errorf("%s: the models have a %s with the keys %q", row.Path, at.Keyword, at.Of("key"))
		}
		if keys == "" {
			r, d := at.Leaf(t, row)
			ranges, defaults = ranges+r, defaults+d
		}
	}
	return ranges, defaults
}
