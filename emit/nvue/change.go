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
	return emit.PrintChange(from, to, ChangeFile, compose, func(old, next *object) []byte {
		var out strings.Builder
		if gone := old.gone(next).leavingPorts(old); gone != nil {
			gone.commands(&out, "nv unset")
		}
		if more := next.without(old); more != nil {
			more.commands(&out, "nv set")
		}
		if out.Len() == 0 {
			return nil
		}
		return []byte(changeHead + out.String() + "nv config diff\n")
	})
}

// leavingPorts takes of ports that go only what was set on them: others have addresses there.
func (o *object) leavingPorts(old *object) *object {
	const ports = "interface"
	if o == nil || o.kids[ports] == nil {
		return o
	}
	if len(o.kids[ports].keys) == 0 {
		o.put(ports, old.kids[ports].leaves())
		return o
	}
	for _, port := range o.kids[ports].keys {
		if len(o.kids[ports].kids[port].keys) == 0 {
			o.kids[ports].put(port, old.kids[ports].kids[port].leaves())
		}
	}
	return o
}

// leaves returns the paths to all values.
func (o *object) leaves() *object {
	out := &object{}
	for _, key := range o.keys {
		out.put(key, o.kids[key].leaves())
	}
	return out
}

const changeHead = `#!/bin/sh
# Stages what is different on ` + emit.Mark + `. What is staged takes effect by: nv config apply --confirm 10m
# It goes back by itself after that time. To keep it: nv config apply --confirm-yes
# Back: nv config apply REVISION, with the one of before from nv config history; where others have applied
# theirs since, the change in the other direction
set -e
`
