package emit

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// A Target is a form of a switch's configuration: an operating system's own, or data of a model.
// Each emitter declares its own.
type Target struct {
	Name  string // as fabric files call it: "eos"
	Title string // as people call it: "Arista EOS"
	// Forms are the shapes of its output. The first is the default where none is asked for; its
	// name is [Full].
	Forms []Form
	// Change gives the files that lead a running switch from one configuration to another. Nil where
	// what leads there depends on what runs; then it is not the target's alone: see package patch.
	Change func(from, to *plan.Switch) ([]File, diag.List)
	// Can says of every intent whether the target carries it, in the order of [Intents].
	Can []Capability
	// Reserves says of the name of a class that the system keeps it for a queue or class of its own; nil: none.
	Reserves func(class string) bool
}

// Full is the name of every target's first form.
const Full = "full"

// A Form is one shape of a target's output.
type Form struct {
	Name string // for the command line: "overlay"
	File string // path below the device's folder: "overlay.json"
	Help string // its content, and its use
	// Load says whether a device that runs loads the file, merges it or is replaced by it,
	// and what is not in it: one clause for who has just compiled.
	Load string
	Emit func(*plan.Switch) ([]File, diag.List)
}
