package nvue

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// ChangeFile is the path of a change below the device's folder.
const ChangeFile = "nvue-change.sh"

// EmitChange prints the commands that lead from one configuration of a switch to another:
// what goes is unset, what is new or different is set. They are staged, and take effect
// together by `nv config apply`. No file: nothing is different.
func EmitChange(from, to *plan.Switch) ([]emit.File, diag.List) {
	old, list := compose(from)
	if old == nil {
		return nil, list
	}
	next, list := compose(to)
	if next == nil {
		return nil, list
	}
	var out strings.Builder
	out.WriteString(changeHead)
	start := out.Len()
	if gone := old.gone(next); gone != nil {
		gone.commands(&out, "nv unset")
	}
	if more := next.without(old); more != nil {
		more.commands(&out, "nv set")
	}
	if out.Len() == start {
		return nil, list
	}
	out.WriteString("nv config diff\n")
	return []emit.File{{Path: ChangeFile, Body: emit.NewBody([]byte(out.String()))}}, list
}

const changeHead = `#!/bin/sh
# Stages what is different on ` + emit.Mark + `. What is staged takes effect by: nv config apply --confirm 10m
# It goes back by itself after that time. To keep it: nv config apply --confirm-yes
# Back: nv config apply REVISION, with the one of before from nv config history; where others have applied
# theirs since, the change in the other direction
set -e
`
