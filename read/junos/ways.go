package junos

import (
	"net/netip"
	"slices"
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

// families notes neighbours and groups of them that get no routes of IPv4: one that says its families, or is in a group or a BGP
// that does, has no others (BGP User Guide, family).
func (r *reader) families(l *read.Ledger) {
	says, inet, done, at := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]*statement{}
	for _, s := range r.statements {
		i := slices.IndexFunc(s.words, func(w word) bool { return w.text == "family" })
		if i < 2 || i+1 >= len(s.words) || s.unused() || s.words[0].text != "protocols" || s.words[1].text != "bgp" {
			continue
		}
		key := ""
		if i >= 4 && s.words[i-2].text == "neighbor" || i == 4 && s.words[2].text == "group" {
			key = s.words[i-1].text
		} else if i != 2 {
			continue
		}
		says[key], at[key] = true, s
		inet[key] = inet[key] || s.words[i+1].text == "inet" && (i+2 == len(s.words) || s.words[i+2].text == "unicast" || s.words[i+2].text == "any")
	}
	for _, s := range r.statements {
		if i := slices.IndexFunc(s.words, func(w word) bool { return w.text == "neighbor" }); len(s.words) > i+1 && i == 4 && s.words[1].text == "bgp" && !s.unused() && !done[s.words[5].text] {
			key := s.words[5].text
			done[key] = true
			a, err := netip.ParseAddr(key)
			of := ""
			for _, at := range []string{key, s.words[3].text} {
				if of == "" && says[at] {
					of = at
				}
			}
			if by := at[of]; by != nil && err == nil && a.Is4() && !inet[of] {
				l.Ways = append(l.Ways, read.Way{At: by.entry.At, Text: by.entry.Text, Why: read.WayNoFamily, Bundle: key})
			}
		}
	}
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
