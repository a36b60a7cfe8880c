package junos

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
)

// ChangeFile is the path of a change below the device's folder.
const ChangeFile = "junos-change.set"

// EmitChange prints the commands that lead from one configuration of a switch to another: old
// statements are deleted, new or different ones are set. They take effect together when they are
// committed. It returns no file if nothing is different.
func EmitChange(from, to *plan.Switch) ([]emit.File, diag.List) {
	return emit.PrintChange(from, to, ChangeFile, compose, func(old, next *statement) []byte {
		var out strings.Builder
		old.gone(next, &out, "delete")
		next.fresh(old, &out, "set")
		if out.Len() == 0 {
			return nil
		}
		return []byte("# Changes " + emit.Mark + ". Load with: load set " + ChangeFile + "; commit confirmed 10; and to keep it: commit\n" +
			"# Back: rollback 1 and commit, where no other commit came since; else the change in the other direction\n" + out.String())
	})
}

// named are statements of which a section has several: their second word says which.
var named = []string{"class", "forwarding-class"}

// key identifies a line within its section: another line with the same key replaces it.
func (s *statement) key() string {
	if s.section || len(s.words) > 1 && slices.Contains(named, s.words[0]) {
		return strings.Join(s.words[:min(2, len(s.words))], " ")
	}
	return s.words[0]
}

// replaced reports whether a list must be written again: the two lists of a drop profile
// belong together by their order, and a value that is set comes last.
func (s *statement) replaced(other *statement) bool {
	ordered := s.words[0] == "fill-level" || s.words[0] == "drop-probability"
	return ordered && other != nil && !slices.Equal(s.list, other.list)
}

// like finds the statement with the same key.
func (s *statement) like(kid *statement) *statement {
	for _, other := range s.kids {
		if other.key() == kid.key() && other.section == kid.section {
			return other
		}
	}
	return nil
}

// gone appends commands for what is in s and not in next. A value that next replaces is
// not gone; a value of a list is.
func (s *statement) gone(next *statement, out *strings.Builder, prefix string) {
	for _, kid := range s.kids {
		other := next.like(kid)
		switch {
		case other == nil && kid.section && (prefix == "delete interfaces" || prefix == "delete" && kid.words[0] == "interfaces"):
			// Others have addresses on a port: our settings are deleted, and the port stays.
			kid.gone(&statement{section: true}, out, prefix+" "+strings.Join(kid.words, " "))
		case other == nil:
			out.WriteString(prefix + " " + kid.key() + "\n")
		case kid.replaced(other):
			out.WriteString(prefix + " " + kid.key() + "\n")
		case kid.section:
			kid.gone(other, out, prefix+" "+strings.Join(kid.words, " "))
		default:
			kid.goneFlags(other, out, prefix)
			for _, value := range kid.list {
				if !slices.Contains(other.list, value) {
					out.WriteString(prefix + " " + strings.Join(kid.words, " ") + " " + value + "\n")
				}
			}
		}
	}
}

// goneFlags deletes what a line of a forwarding class says and its successor does not: the
// words that have no value of their own.
func (s *statement) goneFlags(next *statement, out *strings.Builder, prefix string) {
	for _, flag := range []string{"no-loss", row.Of(row.ClassPriority).Name()} {
		if slices.Contains(s.words, flag) && !slices.Contains(next.words, flag) {
			out.WriteString(prefix + " " + s.key() + " " + flag + "\n")
		}
	}
}

// fresh appends commands for what is in s and not in old.
func (s *statement) fresh(old *statement, out *strings.Builder, prefix string) {
	for _, kid := range s.kids {
		other := old.like(kid)
		line := prefix + " " + strings.Join(kid.words, " ")
		switch {
		case kid.section && other != nil:
			kid.fresh(other, out, line)
		case kid.section:
			kid.fresh(&statement{section: true}, out, line)
			if len(kid.kids) == 0 {
				out.WriteString(line + "\n")
			}
		case len(kid.list) > 0:
			for _, value := range kid.list {
				if other == nil || kid.replaced(other) || !slices.Contains(other.list, value) {
					out.WriteString(line + " " + value + "\n")
				}
			}
		case other == nil || !slices.Equal(other.words, kid.words):
			out.WriteString(line + "\n")
		}
	}
}
