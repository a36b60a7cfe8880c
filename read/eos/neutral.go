package eos

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/read"
)

// A table finds the neutral rule of a line.
type table map[string]map[string][]pattern // by mode and first word

// A pattern is the words that a line begins with. "*" stands for any word, "a|b" for one
// of several; "…" at the end for any words more. One that begins with "no" is only for
// lines that take something back; all others are for those too, because what cannot
// harm cannot harm by being absent.
type pattern struct {
	rule string
	undo bool
	more bool
	rest []string // behind the first word
}

// newTable arranges the rules for search.
func newTable() table {
	t := table{}
	for _, rule := range neutralLines() {
		for _, where := range strings.Split(rule.mode, "|") {
			if t[where] == nil {
				t[where] = map[string][]pattern{}
			}
			for _, text := range rule.patterns {
				words := strings.Fields(text)
				p := pattern{rule: rule.id}
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

// find returns the rule that covers a line of a mode, empty where none does.
func (t table) find(mode string, l line) string {
	for _, p := range t[mode][l.words[0]] {
		if p.covers(l) {
			return p.rule
		}
	}
	return ""
}

func (p pattern) covers(l line) bool {
	w := l.words[1:]
	if p.undo && l.undo == plain || len(w) < len(p.rest) || len(w) > len(p.rest) && !p.more {
		return false
	}
	for i, want := range p.rest {
		if want != "*" && want != w[i] && !slices.Contains(strings.Split(want, "|"), w[i]) {
			return false
		}
	}
	return true
}

// rules are the neutral lines as [read.Format] states them.
func rules() (out []read.NeutralRule) {
	for _, n := range neutralLines() {
		shown := n.mode
		if len(n.patterns) > 0 {
			shown += ": " + strings.Join(n.patterns, "; ")
		}
		out = append(out, read.NeutralRule{ID: n.id, Pattern: shown, Reason: n.reason, Evidence: n.evidence})
	}
	return out
}
