package cli

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/read"
)

// A Rule is a kind of line that no lossless packet can feel. A rule without patterns is
// one that a reader itself names, where what makes the line neutral is more than its first
// words.
//
// A pattern is the words that a line begins with. "*" matches any word, "a|b" one of several, "…"
// at the end any more words. A pattern with "no" matches only lines that remove something. All
// others match those too: the absence of a harmless line is harmless.
type Rule struct {
	ID, Mode         string // modes with "|" between
	Patterns         []string
	Reason, Evidence string
}

// A Table finds the neutral rule of a line.
type Table map[string]map[string][]pattern // by mode and first word

type pattern struct {
	rule string
	undo bool
	more bool
	rest []string // behind the first word
}

// NewTable arranges rules for search.
func NewTable(rules []Rule) Table {
	t := Table{}
	for _, rule := range rules {
		for _, where := range strings.Split(rule.Mode, "|") {
			if t[where] == nil {
				t[where] = map[string][]pattern{}
			}
			for _, text := range rule.Patterns {
				words := strings.Fields(text)
				p := pattern{rule: rule.ID}
				if words[0] == "no" {
					p.undo, words = true, words[1:]
				}
				if words[len(words)-1] == "…" {
					p.more, words = true, words[:len(words)-1]
				}
				p.rest = words[1:]
				for _, first := range strings.Split(words[0], "|") {
					t[where][first] = append(t[where][first], p)
				}
			}
		}
	}
	return t
}

// Find returns the ID of the rule that covers a line of a mode, empty where none does.
func (t Table) Find(mode string, l Line) string {
	if len(l.Words) == 0 {
		return ""
	}
	for _, p := range t[mode][l.Words[0]] {
		if p.covers(l) {
			return p.rule
		}
	}
	return ""
}

func (p pattern) covers(l Line) bool {
	w := l.Words[1:]
	if p.undo && l.Undo == Plain || len(w) < len(p.rest) || len(w) > len(p.rest) && !p.more {
		return false
	}
	for i, want := range p.rest {
		if want != "*" && want != w[i] && !slices.Contains(strings.Split(want, "|"), w[i]) {
			return false
		}
	}
	return true
}

// Neutral are rules as [read.Format] states them.
func Neutral(rules []Rule) (out []read.NeutralRule) {
	for _, n := range rules {
		shown := n.Mode
		if len(n.Patterns) > 0 {
			shown += ": " + strings.Join(n.Patterns, "; ")
		}
		out = append(out, read.NeutralRule{ID: n.ID, Pattern: shown, Reason: n.Reason, Evidence: n.Evidence})
	}
	return out
}
