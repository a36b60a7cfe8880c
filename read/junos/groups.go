package junos

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read"
)

// This file expands groups as `show configuration | display inheritance` does (Junos CLI user
// guide, configuration groups): what a group says at the place where it is applied, or below, holds
// there too. A name in angle brackets matches every name that the configuration has at its place.
// The configuration's own statements go before groups, a group that is applied deeper before one
// that is applied above it, and of those in one list the first.

const (
	applied  = "apply-groups"
	excepted = "apply-groups-except"
)

// An application is a group that is applied at a path.
type application struct {
	path  []word
	group string
}

// expand puts what is inherited before the statements of the file, so that these override it.
func (p *parser) expand() {
	groups := map[string][]*statement{}
	var own, except []*statement
	var all []application
	for _, s := range p.statements {
		at := slices.IndexFunc(s.words, func(w word) bool { return w.applies() && !w.quoted() })
		switch {
		case s.verb != "" || s.inactive || slices.ContainsFunc(s.words, func(w word) bool { return w.text == "inactive:" }):
		case s.words[0].text == "groups" && len(s.words) > 2:
			name := s.words[1].text
			groups[name] = append(groups[name], s)
		case at >= 0 && at == len(s.words)-2 && s.words[at].text == applied:
			all = append(all, application{s.words[:at], s.words[at+1].text})
		case at >= 0 && at == len(s.words)-2:
			except = append(except, s)
		default:
			own = append(own, s)
		}
	}
	slices.Reverse(all) // the first of a list comes last, and wins
	stable.Sort(all, func(a, b application) int { return len(a.path) - len(b.path) })
	var inherited []*statement
	said := namesOf(own)
	for _, a := range all {
		for _, g := range groups[a.group] {
			for _, words := range a.of(g.words[2:], said) {
				if excludes(except, a, words) {
					continue
				}
				if len(inherited)+len(p.statements) >= p.most {
					p.refuse(g.at, "with its groups the file has more than %d statements", p.most)
					return
				}
				c := &statement{words: words, at: g.at}
				c.entry = read.Statement{At: g.at, Text: c.text(), Why: g.entry.Why}
				inherited = append(inherited, c)
			}
		}
	}
	p.account(groups)
	inherited = append(p.ranges(append(slices.Clone(inherited), own...)), inherited...)
	p.statements = append(overridden(inherited, own), p.statements...)
}

// ranges returns the statements of `interfaces interface-range`, for each member. An interface's own
// statements go before them.
func (p *parser) ranges(all []*statement) (inherited []*statement) {
	members := map[string][]string{}
	of := func(s *statement) (name string, rest []word, ok bool) {
		if len(s.words) < 5 || s.words[0].text != "interfaces" || s.words[1].text != "interface-range" {
			return "", nil, false
		}
		return s.words[2].text, s.words[3:], true
	}
	for _, s := range all {
		name, rest, ok := of(s)
		switch {
		case !ok:
		case rest[0].text == "member" && carries(rest[1].text) && !strings.ContainsAny(rest[1].text, "*?["):
			members[name] = append(members[name], rest[1].text)
			s.countElsewhere()
		case rest[0].text == "member-range" && len(rest) == 4:
			if names := between(rest[1].text, rest[3].text); len(names) > 0 {
				members[name] = append(members[name], names...)
				s.countElsewhere()
			}
		}
	}
	for _, s := range all {
		name, rest, ok := of(s)
		if !ok || rest[0].text == "member" || rest[0].text == "member-range" || len(members[name]) == 0 {
			continue
		}
		s.countElsewhere()
		for _, port := range members[name] {
			c := &statement{words: join([]word{s.words[0], {port, s.words[2].at}}, rest), at: s.at}
			c.entry = read.Statement{At: s.at, Text: c.text(), Why: "its effect on the device is not known here"}
			inherited = append(inherited, c)
		}
	}
	return inherited
}

// between returns the ports from one to another of the same slot; nil where they do not name a range.
func between(first, last string) (names []string) {
	slot, from, ok := cutNumber(first)
	other, to, ok2 := cutNumber(last)
	if !ok || !ok2 || slot != other || !carries(first) || to-from > 512 {
		return nil
	}
	for n := from; n <= to; n++ {
		names = append(names, slot+strconv.Itoa(n))
	}
	return names
}

// cutNumber splits a name before the number at its end.
func cutNumber(name string) (before string, number int, ok bool) {
	i := strings.LastIndexAny(name, "/:") + 1
	number, err := strconv.Atoi(name[i:])
	return name[:i], number, err == nil && number >= 0
}

// applies reports whether the word applies a group, or says that one does not hold.
func (w word) applies() bool { return w.text == applied || w.text == excepted }

// countElsewhere notes that what the statement does is judged where it is inherited.
func (s *statement) countElsewhere() {
	s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, ruleGroup, ""
}

// account says of the statements of groups, and of those that apply them, that what they do is
// judged where it is inherited.
func (p *parser) account(groups map[string][]*statement) {
	for _, s := range p.statements {
		last := len(s.words) - 1
		switch {
		case s.verb != "" || s.inactive:
		case s.words[0].text == "groups" && last > 1:
			if slices.ContainsFunc(s.words, word.applies) || s.words[2].text == "when" {
				s.entry.Why = "nested and conditional groups are not expanded: give the output of `show configuration | display inheritance no-comments`"
				continue
			}
			s.countElsewhere()
		case last > 0 && s.words[last-1].text == applied && groups[s.words[last].text] == nil:
			s.entry.Why = "the group is not in the file: give the output of `show configuration | display inheritance no-comments`"
		case last > 0 && s.words[last-1].applies():
			s.countElsewhere()
		}
	}
}

// of returns the statements that a statement of a group becomes where it is applied.
func (a application) of(body []word, said *names) [][]word {
	if len(body) <= len(a.path) || slices.ContainsFunc(body, word.applies) || body[0].text == "when" {
		return nil
	}
	for i, w := range a.path {
		if !fits(body[i].text, w.text) {
			return nil
		}
	}
	paths := [][]word{join(nil, a.path)}
	for _, w := range body[len(a.path):] {
		var longer [][]word
		for _, path := range paths {
			if !isPattern(w.text) {
				longer = append(longer, join(path, []word{w}))
				continue
			}
			for _, name := range said.at(path) {
				if fits(w.text, name) {
					longer = append(longer, join(path, []word{{name, w.at}}))
				}
			}
		}
		if paths = longer; len(paths) > maxStatements {
			return nil
		}
	}
	return paths
}

// names are the words of statements by what is before them.
type names struct {
	order []string // as they come first
	below map[string]*names
}

func namesOf(statements []*statement) *names {
	root := &names{}
	for _, s := range statements {
		n := root
		for _, w := range s.words {
			next := n.below[w.text]
			if next == nil {
				if n.below == nil {
					n.below = map[string]*names{}
				}
				next = &names{}
				n.order, n.below[w.text] = append(n.order, w.text), next
			}
			n = next
		}
	}
	return root
}

// at returns the words that follow a path.
func (n *names) at(path []word) []string {
	for _, w := range path {
		if n = n.below[w.text]; n == nil {
			return nil
		}
	}
	return n.order
}

func begins(words, path []word) bool {
	for i, w := range path {
		if i >= len(words) || words[i].text != w.text {
			return false
		}
	}
	return true
}

func isPattern(text string) bool { return strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") }

// fits reports whether a word of a group, which may be a pattern, matches a word of the file.
func fits(pattern, name string) bool {
	if !isPattern(pattern) {
		return pattern == name
	}
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "|") }
	ok, err := path.Match(flat(pattern[1:len(pattern)-1]), flat(name))
	return err == nil && ok
}

// excludes reports whether a place, or one above it, takes nothing from the group.
func excludes(except []*statement, a application, words []word) bool {
	return slices.ContainsFunc(except, func(s *statement) bool {
		place := s.words[:len(s.words)-2]
		return s.words[len(s.words)-1].text == a.group && len(place) >= len(a.path) && begins(words, place)
	})
}

// single are leaves with one value, so that a second one replaces it: those of rows, and those whose
// value is a name, a rate or a word.
var single = append([]string{
	"speed", "description", "congestion-notification-profile", "scheduler-map", "dscp", "scheduler", "code-point", "host-name", "shaping-rate", "priority",
	"inactivity-interval", "encapsulation",
}, oneValued()...)

func oneValued() (names []string) {
	for i := range row.Rows {
		if r := &row.Rows[i]; r.Path != "" && r.Keys() == nil && !r.Values {
			words := strings.Fields(r.Name())
			names = append(names, words[len(words)-1:]...)
		}
	}
	return names
}

// key returns the statement, without the value of a leaf that has one.
func (s *statement) key() string {
	words := s.words
	if n := len(words); n > 1 && slices.Contains(single, words[n-2].text) {
		words = words[:n-1]
	}
	return joined(&statement{words: words})
}

// overridden returns the inherited statements without those that a later one, or the file, replaces.
func overridden(inherited, own []*statement) (left []*statement) {
	said := map[string]bool{}
	for _, s := range own {
		said[s.key()] = true
	}
	for _, s := range slices.Backward(inherited) {
		if key := s.key(); !said[key] {
			said[key] = true
			left = append(left, s)
		}
	}
	slices.Reverse(left)
	return left
}

// undefined reports a name that the file uses and does not define. Groups that are not expanded
// may define it.
func (r *reader) undefined(at diag.Range, what, name, section string) {
	d := r.found.Errorf(Undefined, at, "there is no %s %q", what, clip(name))
	if r.appliesGroups() {
		d.Fixf("give the configuration as `show configuration | display inheritance no-comments` prints it, with its groups expanded; where they lack it too, add it under %s", section)
		return
	}
	d.Fixf("add it under %s", section)
}

// appliesGroups reports whether groups that are not expanded say more than the file does.
func (r *reader) appliesGroups() bool {
	return slices.ContainsFunc(r.statements, func(s *statement) bool {
		return !s.inactive && s.entry.Sort == read.Unmodelled && slices.ContainsFunc(s.words, func(w word) bool { return w.text == applied && !w.quoted() })
	})
}
