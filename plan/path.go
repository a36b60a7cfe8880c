package plan

import "github.com/roceplan/roceplan/units"

// A Path is the longest way between two servers, and what its latency goals leave for the
// queues on it.
type Path struct {
	Hops Derived[Count]      // ports of switches where packets may wait
	Base Derived[units.Time] // one way, if they wait nowhere
	// Host is the rate of the fastest server; without a reason: no port leads to one.
	Host Derived[units.BitRate]

	// Usual and Tolerable are the delays allowed for each of these queues, so that all of them at
	// once keep within the usual and the greatest latency. Zero or less: the path alone takes it
	// all.
	Usual, Tolerable Derived[units.Time]
}
