package way

import "github.com/roceplan/roceplan/diag"

// Findings on the way of a rollout.
const (
	// A state that the order of the steps allows is not proved: that of a device with the cables and peers that it can have by
	// then, or those of both ends of a cable together. The message has the step, the states and the code point.
	Unproved diag.Code = "way-unproved"
	// The ends of a link have different speeds or FEC while a step is carried out, so the link is down.
	Down diag.Code = "way-down"
)
