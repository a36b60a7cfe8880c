package observe

import "github.com/roceplan/roceplan/diag"

const (
	// Dropped: a lossless priority group lost packets, so an assumption of its proof is wrong.
	// The finding says which one, as far as other counters tell.
	Dropped diag.Code = "observe-drop"

	// Exceeded: more came in after a pause than the worst case that was computed, though nothing
	// was lost yet. Either the cable is longer or the peer slower than the fabric says; the
	// finding gives the least that either would have to be.
	Exceeded diag.Code = "observe-headroom-exceeded"

	// Unmarked: a queue was so long that packets had to be marked, and none were, or far fewer.
	Unmarked diag.Code = "observe-unmarked"

	// MarkedEarly: packets were marked though the queue was never as long as Kmin.
	MarkedEarly diag.Code = "observe-marked-early"

	// Pauses: ports are paused more often than the goal, and this is where the tree of pauses
	// has its root.
	Pauses diag.Code = "observe-pauses"

	// PauseUnheard: a port sent pause frames, and its neighbour did not get them.
	PauseUnheard diag.Code = "observe-pause-unheard"

	// PauseOff: a group used headroom, and its port sent no pause frame.
	PauseOff diag.Code = "observe-pause-off"

	// Crossed: what two ports sent came in at each other's neighbours: their cables are swapped.
	Crossed diag.Code = "observe-swapped"

	// CNPsLost: receivers sent CNPs, and senders handled far fewer.
	CNPsLost diag.Code = "observe-cnps-lost"

	// PoolFull: the pool of headroom was full, so more groups were paused at once than it is for.
	PoolFull diag.Code = "observe-headroom-pool"

	// Doubtful: counters that say less than they seem to: cleared, read from the chip seldom, or
	// computed from others.
	Doubtful diag.Code = "observe-doubtful"

	// Unread: a device that was asked did not answer in time, or what it sent is malformed. Nothing is
	// known of it; the others are judged without it.
	Unread diag.Code = "observe-unread"

	// Elsewhere: there are counters of a device or of a port that the fabric does not have.
	Elsewhere diag.Code = "observe-elsewhere"
)
