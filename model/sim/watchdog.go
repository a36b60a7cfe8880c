package sim

import "github.com/roceplan/roceplan/units"

// Watchdog frees queues of a switch that PFC has stopped for too long.
type Watchdog struct {
	// Poll is the time between two looks at each queue, above 0.
	Poll units.Time
	// Detection is how long a queue must be stopped, and Restoration how long no pause must
	// come until the queue is as before: both at least Poll.
	Detection, Restoration units.Time

	Action  WatchdogAction
	Classes uint8 // a bit per class that is watched
}

// WatchdogAction is what a watchdog does with a queue that it found stopped.
type WatchdogAction uint8

const (
	// WatchdogDrop discards what is in the queue and what comes for it, and what comes in by
	// its port in its class.
	WatchdogDrop WatchdogAction = iota
	// WatchdogForward sends in spite of the pauses.
	WatchdogForward
)
