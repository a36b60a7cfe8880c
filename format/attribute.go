package format

import "strings"

// An Attribute is a part of a plan that a leaf can hold. Its text is the name in messages.
type Attribute string

// one returns the attribute with its article: "an upper marking threshold".
func (a Attribute) one() string {
	if strings.ContainsRune("aeiou", rune(a[0])) {
		return "an " + string(a)
	}
	return "a " + string(a)
}

// Attributes of plans.
const (
	// Of the whole switch.
	LoadBalancing  Attribute = "load balancing"
	WatchdogAction Attribute = "watchdog action"
	Detection      Attribute = "watchdog detection time"
	Restoration    Attribute = "watchdog restoration time"
	Polling        Attribute = "watchdog polling interval"
	TrimSize       Attribute = "size of cut packets"
	TrimDSCP       Attribute = "DSCP of cut packets"
	TrimClass      Attribute = "class of cut packets"
	DSCPClass      Attribute = "traffic class of a DSCP"
	ClassQueue     Attribute = "queue of a traffic class"
	ClassGroup     Attribute = "priority group of a traffic class"
	PriorityQueue  Attribute = "queue of a PFC priority"
	PriorityGroup  Attribute = "priority group of a PFC priority"
	ClassNumber    Attribute = "number of a traffic class"
	PoolDirection  Attribute = "direction of a pool"
	PoolSize       Attribute = "pool size"
	PoolHeadroom   Attribute = "headroom pool"
	Remapping      Attribute = "remapping in a tunnel"
	Marking        Attribute = "marking rule at the edge"
	Rewriting      Attribute = "rewriting of code points"
	BufferModel    Attribute = "buffer model of the switch itself"
	// Of a port.
	Speed     Attribute = "port speed"
	FrameSize Attribute = "frame size"
	Cable     Attribute = "cable length"
	Watched   Attribute = "watchdog of a port"
	PortBound Attribute = "bound of a port in a pool"
	Pause     Attribute = "pause of a priority"
	// Of a priority group of a port.
	GroupPool      Attribute = "pool of a priority group"
	GroupReserve   Attribute = "group reserve"
	GroupThreshold Attribute = "dynamic group threshold"
	GroupLimit     Attribute = "static group limit"
	Headroom       Attribute = "headroom"
	ResumeLevel    Attribute = "resume level"
	ResumeDistance Attribute = "resume distance"
	// Of a queue of a port.
	QueuePool      Attribute = "pool of a queue"
	QueueReserve   Attribute = "queue reserve"
	QueueThreshold Attribute = "dynamic queue threshold"
	QueueLimit     Attribute = "static queue limit"
	Strict         Attribute = "strict priority"
	Weight         Attribute = "weight"
	RateCap        Attribute = "rate cap"
	KMin           Attribute = "lower marking threshold"
	KMax           Attribute = "upper marking threshold"
	PMax           Attribute = "marking probability"
)

// A Level is a kind of entries: a plan has several of each.
type Level string

// Levels. DSCPs, traffic classes and PFC priorities are those of the maps of the switch; Paused are
// the priorities for which a port has PFC.
const (
	DSCPs      Level = "DSCP"
	TCs        Level = "traffic class"
	Priorities Level = "PFC priority"
	Classes    Level = "class"
	Pools      Level = "pool"
	Ports      Level = "port"
	Paused     Level = "paused priority"
	Groups     Level = "priority group"
	Queues     Level = "queue"
)
