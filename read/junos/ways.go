package junos

import (
	"strconv"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/junos.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("junos") })

// lead notes a statement that leads packets elsewhere, if the device obeys it. ended are the limits of routes with which
// a session ends; the others are only logged (BGP User Guide, prefix-limit).
func (s *statement) lead(l *read.Ledger, ended map[string]bool) {
	if len(s.words) == 0 || ways()[s.words[0].text] == nil || s.unused() {
		return
	}
	words := make([]string, len(s.words))
	for i, w := range s.words {
		words[i] = w.text
		if limit, ok := s.limit(i); ok && w.text == "maximum" && !ended[limit] {
			return
		}
	}
	if words[0] == "interfaces" && len(words) > 3 && words[1] == "irb" {
		words[1] += "." + words[3] // the interfaces of VLANs are the units of one port
	}
	l.Lead(ways(), words, s.entry.At)
	if len(words) > 3 && words[0] == "policy-options" {
		policy(&l.Policies, words[1], words[2], words[3:])
	}
}

// unused reports whether the device does not obey a statement where it is.
func (s *statement) unused() bool { return s.entry.Rule == ruleInactive || s.entry.Rule == ruleGroup }

// limit returns the words of a limit of routes, if they are before word i.
func (s *statement) limit(i int) (limit string, ok bool) {
	if i == 0 || !strings.HasSuffix(s.words[i-1].text, "prefix-limit") {
		return "", false
	}
	for _, w := range s.words[:i] {
		limit += w.text + " "
	}
	return limit, true
}

// endings returns the limits of routes with which a session ends, or with which further routes are dropped.
func (r *reader) endings() map[string]bool {
	ended := map[string]bool{}
	for _, s := range r.statements {
		for i, w := range s.words {
			if limit, ok := s.limit(i); ok && !s.unused() && w.text != "maximum" {
				ended[limit] = true
			}
		}
	}
	return ended
}

// policy notes what a statement says of a policy or a list of prefixes.
func policy(all *read.Policies, kind, name string, words []string) {
	term := ""
	if len(words) > 2 && words[0] == "term" {
		term, words = words[1], words[2:]
	}
	switch last := words[len(words)-1]; {
	case kind == "prefix-list":
		t := all.Policy("list "+name, read.Reject).Term("")
		t.Result = read.Accept
		t.Within(last, "")
	case kind != "policy-statement":
	case words[0] == "then" && len(words) > 1:
		p := all.Policy(name, read.Next)
		if t := p.Term(term); read.Decisions[last] != read.Next {
			t.Result = read.Decisions[last]
		} else {
			p.Sets = p.Sets || words[1] != "community" && words[1] != "next"
		}
	case words[0] == "from" && len(words) > 2:
		from(all.Policy(name, read.Next).Term(term), words[1], words[2:])
	default:
		all.Policy(name, read.Next).Term(term).Other = true
	}
}

// from notes a condition of a term.
func from(t *read.Term, kind string, words []string) {
	switch {
	case kind == "protocol":
		t.From = append(t.From, words...)
	case kind == "prefix-list":
		t.Lists = append(t.Lists, "list "+words[0])
	case kind == "prefix-list-filter" && len(words) > 1:
		t.Lists, t.Loose = append(t.Lists, "list "+words[0]), words[1] != "exact"
	case kind == "route-filter" && len(words) > 1:
		t.Within(words[0], "")
		own := &t.Ranges[len(t.Ranges)-1]
		switch last := strings.Trim(words[len(words)-1], "/"); words[1] {
		case "orlonger":
			own.Most = 128
		case "longer":
			own.Least, own.Most = own.Least+1, 128
		case "upto":
			own.Most, _ = strconv.Atoi(last)
		case "prefix-length-range":
			low, high, _ := strings.Cut(last, "-/")
			own.Least, _ = strconv.Atoi(low)
			own.Most, _ = strconv.Atoi(high)
		default:
			t.Other = t.Other || words[1] != "exact"
		}
	default:
		t.Other = t.Other || kind != "family"
	}
}
