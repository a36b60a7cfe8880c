package srlinux

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A statement is one of YANG (RFC 7950, section 6.3).
type statement struct {
	keyword, argument string
	below             []*statement
}

// parse reads statements up to the brace that closes them, and returns the words after it.
func parse(words []string) (all []*statement, rest []string) {
	for len(words) > 0 {
		if words[0] == "}" {
			return all, words[1:]
		}
		s := &statement{keyword: words[0]}
		for words = words[1:]; words[0] != "{" && words[0] != ";"; words = words[1:] {
			if words[0] != "+" {
				s.argument += strings.Trim(words[0], `"'`)
			}
		}
		if words[0] == "{" {
			s.below, words = parse(words[1:])
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

// A model finds statements by names of data.
type model map[string][]*statement // groupings

func (m model) find(in []*statement, name string) *statement {
	for _, s := range in {
		switch s.keyword {
		case "container", "list", "leaf", "leaf-list":
			if s.argument == name {
				return s
			}
		case "choice", "case":
			if found := m.find(s.below, name); found != nil {
				return found
			}
		case "uses":
			_, bare, prefixed := strings.Cut(s.argument, ":")
			if !prefixed {
				bare = s.argument
			}
			if found := m.find(m[bare], name); found != nil {
				return found
			}
		}
	}
	return nil
}

func (s *statement) of(keyword string) string {
	for _, below := range s.below {
		if below.keyword == keyword {
			return below.argument
		}
	}
	return ""
}

// Every row is a node of Nokia's models: a list with the keys of the row, or a leaf with its range and
// its default. A row with another upper bound than the leaf has a source.
func TestRowsAreOfTheModels(t *testing.T) {
	m, top := model{}, []*statement{}
	for _, name := range []string{"srl_nokia-qos", "srl_nokia-interfaces", "srl_nokia-qos-policers"} {
		text, err := os.ReadFile(filepath.Join(oracle.Shared(t, "yang/srlinux"), name+".yang"))
		if err != nil {
			t.Fatal(err)
		}
		module, _ := parse(wordsOf(string(text)))
		for _, s := range module[0].below {
			if s.keyword == "grouping" {
				m[s.argument] = s.below
			}
			top = append(top, s)
		}
	}
	top = append(top, m["qos-top"]...)
	ranges, defaults := 0, 0
	for i := range Rows {
		row := &Rows[i]
		if row.Path == "" {
			continue
		}
		in, at := top, (*statement)(nil)
		for name := range strings.FieldsSeq(row.Plain()) {
			if at = m.find(in, name); at == nil {
				t.Errorf("%s: the models have no %s", row.Path, name)
				break
			}
			in = at.below
		}
		if at == nil {
			continue
		}
		if keys := strings.Join(row.Keys(), " "); at.keyword == "list" != (keys != "") || keys != at.of("key") {
			t.Errorf("%s: the models have a %s with the keys %q", row.Path, at.keyword, at.of("key"))
		}
		if row.Keys() == nil && row.Absent != 0 && at.of("default") != "" {
			defaults++
			if at.of("default") != strconv.FormatInt(row.Absent, 10) {
				t.Errorf("%s: %d holds without it, by the models %s", row.Path, row.Absent, at.of("default"))
			}
		}
		for _, s := range at.below {
			if bounds := s.of("range"); s.keyword == "type" && bounds != "" && row.Bounded() {
				ranges++
				low, high, _ := strings.Cut(bounds, "..")
				least, most := row.Bounds()
				if low != strconv.FormatInt(least, 10) || high != strconv.FormatInt(most, 10) && row.Source == "" {
					t.Errorf("%s: %d to %d, by the models %s", row.Path, least, most, bounds)
				}
			}
		}
	}
	if ranges < 10 || defaults < 4 {
		t.Errorf("%d ranges and %d defaults were compared", ranges, defaults)
	}
}
