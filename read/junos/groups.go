package junos

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
)

// undefined reports a name that the file uses and does not define. Groups may define it, and
// they are not expanded here.
func (r *reader) undefined(at diag.Range, what, name, section string) {
	d := r.found.Errorf(Undefined, at, "there is no %s %q", what, clip(name))
	if r.appliesGroups() {
		d.Fixf("give the configuration as `show configuration | display inheritance no-comments` prints it, with its groups expanded; where they lack it too, add it under %s", section)
		return
	}
	d.Fixf("add it under %s", section)
}

// appliesGroups reports whether groups say more than the statements of the file do.
func (r *reader) appliesGroups() bool {
	return slices.ContainsFunc(r.statements, func(s *statement) bool {
		return !s.inactive && slices.ContainsFunc(s.words, func(w word) bool { return w.text == "apply-groups" && !w.quoted() })
	})
}
