package nvue

import (
	"strconv"
	"sync"

	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/nvue.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("nvue") })

// lead notes what of a statement leads packets elsewhere.
func (st *statement) lead(l *read.Ledger) {
	for _, n := range st.live {
		if n.said == st {
			words := append(n.words(), n.value)
			l.Lead(ways(), words, st.at)
			if len(words) > 6 && words[0] == "router" && words[1] == "policy" && words[4] == "rule" {
				policy(&l.Policies, words[2], words[3], words[5], words[6:])
			}
		}
	}
}

// policy notes what a rule of a policy or of a list of prefixes says.
func policy(all *read.Policies, kind, name, rule string, words []string) {
	list := kind == "prefix-list"
	if list {
		name = "list " + name
	}
	t := all.Policy(name, read.Reject).Term(rule)
	if len(words) == 1 {
		t.Other = true
		return
	}
	third := ""
	if len(words) > 2 {
		third = words[2]
	}
	switch key := words[0] + " " + words[1]; {
	case words[0] == "action" && len(words) <= 3:
		t.Result = read.Decisions[words[1]]
	case list && words[0] == "match":
		if n := len(t.Ranges) - 1; n < 0 || t.Ranges[n].Prefix.String() != words[1] {
			t.Within(words[1], "")
		}
		of, last := &t.Ranges[len(t.Ranges)-1], words[len(words)-1]
		if bits, err := strconv.Atoi(last); err == nil && third == "max-prefix-len" {
			of.Most = bits
		} else if err == nil && third == "min-prefix-len" {
			of.Least, of.Most = bits, max(bits, of.Most)
		}
	case key == "match ip-prefix-list":
		t.Lists = append(t.Lists, "list "+third)
	case words[0] == "set":
		p := all.Policy(name, read.Reject)
		p.Sets = p.Sets || key != "set community"
	case key != "match type" && words[0] != "description":
		t.Other = true
	}
}
