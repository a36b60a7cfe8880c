package srlinux

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format/tree"
	"github.com/roceplan/roceplan/plan"
)

// ChangeFile is the path of a change below the device's folder.
const ChangeFile = "srlinux-change.json"

// EmitChange prints the request that leads from one configuration of a switch to another: of
// interfaces the leaves that are written, since others have addresses there. Entries of lists that
// roceplan did not write stay. No file: nothing is different.
func EmitChange(from, to *plan.Switch) ([]emit.File, diag.List) {
	return emit.PrintChange(from, to, ChangeFile, compose, func(old, next *tree.Tree) []byte { return tree.Change(old, next).Text() })
}
