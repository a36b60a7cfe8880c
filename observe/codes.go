package observe

import "github.com/roceplan/roceplan/diag"

const (
	// A lossless priority group or its queue lost packets, so an assumption of its proof is wrong. The
	// finding names the assumption if other counters show it.
	Dropped diag.Code = "observe-drop"

	// More data arrived after a pause than the computed worst case, but no packet was lost yet.
	// The cable is longer than in the fabric, or the peer is slower. The finding gives the minimum
	// length and delay that explain the data.
	Exceeded diag.Code = "observe-headroom-exceeded"

	// A queue exceeded the ECN threshold, but the switch marked no packets or far too few.
	Unmarked diag.Code = "observe-unmarked"

	// The switch marked packets, although the queue never reached Kmin.
	MarkedEarly diag.Code = "observe-marked-early"

	// Ports are paused more often than the goal allows. The finding shows the root of the pause
	// tree.
	Pauses diag.Code = "observe-pauses"

	// A port sent pause frames, but its neighbour did not receive them.
	PauseUnheard diag.Code = "observe-pause-unheard"

	// A group used headroom, but its port sent no pause frames.
	PauseOff diag.Code = "observe-pause-off"

	// The data that two ports sent arrived at each other's neighbours, so their cables are
	// swapped.
	Crossed diag.Code = "observe-swapped"

	// Receivers sent CNPs, but senders handled far fewer.
	CNPsLost diag.Code = "observe-cnps-lost"

	// The headroom pool was full. More groups were paused at once than the pool is sized for.
	PoolFull diag.Code = "observe-headroom-pool"

	// Counters are unreliable, because they were cleared, are polled rarely, or are computed from
	// other counters.
	Doubtful diag.Code = "observe-doubtful"

	// A device did not answer in time, or its answer is malformed. The verdict covers only the
	// other devices.
	Unread diag.Code = "observe-unread"

	// The counters are from a device or a port that is not in the fabric.
	Elsewhere diag.Code = "observe-elsewhere"
)
