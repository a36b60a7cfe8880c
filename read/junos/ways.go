package junos

import (
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
	l.Lead(ways(), words, s.entry.At)
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
