// Package junos has the rows of Junos Evolved on QFX5000: the leaves whose value is a number or one of a
// few words, with their bounds and defaults, and the boxes. Sections, lists of code points and the
// division into partitions are in emit/junos and read/junos.
package junos

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// Rows by their numbers.
const (
	Interface format.ID = iota + 1
	MTU
	Channels
	Class
	ClassQueue
	ClassPriority
	Profile
	Poll
	Detection
	Recovery
	Action
	Cable
	Point
	MRU
	XOn
	Stop
	StopQueue
	Partition
	Share
	PartitionThreshold
	Dedicated
	Scheduler
	TransmitRate
	Threshold
	DropProfile
	FillLevel
	DropProbability
)

// Numbers of several leaves.
var (
	percent = format.Number{Unit: format.Ones, Most: 100}
	// leaves poll-interval and recovery of 16 bits: byModel
	times = format.Number{Unit: format.Milliseconds, Round: format.Up, Least: 1, Most: 65535}
	// thresholds are written 0 to 10 and mean 2^(n−7): Juniper TechPost as in platform.go.
	thresholds = format.Number{Unit: format.Ones, Less: -7, Most: 10}
)

const (
	byCLI = "Junos CLI reference"
	byPFC = "Junos CoS guide, PFC watchdog"
	// Juniper's YANG models have no bounds where a leaf is a string.
	byModel = "junos-qfx-conf-class-of-service 2024-01-01"
)

func upTo(most int64) format.Number { return format.Number{Unit: format.Ones, Most: most} }

// Rows are the rows by their numbers.
var Rows = format.New([]format.Row{
	Interface: {Path: "interfaces[name]", List: format.Ports},
	MTU: {In: Interface, Path: "mtu", Says: format.FrameSize, Absent: 1514, Reads: [2]int64{256, 16000}, Source: byCLI + ", mtu: 1514 for frames of 1518 B",
		Number: format.Number{Unit: format.Bytes, Less: 4, Least: 256, Most: 9216}},
	Channels: {In: Interface, Path: "number-of-sub-ports", Number: format.Number{Unit: format.Ones, Least: 1, Most: 16}},

	Class:         {Path: "class-of-service/forwarding-classes/class[name]", List: format.Classes},
	ClassQueue:    {In: Class, Path: "queue-num", Says: format.ClassQueue, Number: upTo(11), Source: "8 unicast queues, and those of multicast from 8 on"},
	ClassPriority: {In: Class, Path: "pfc-priority", Says: format.PriorityGroup, Number: upTo(7)},

	Profile: {Path: "class-of-service/congestion-notification-profile[name]"},
	Poll:    {In: Profile, Path: "pfc-watchdog/poll-interval", Says: format.Polling, Absent: 100, Number: times, Source: byPFC},
	// Leaf detection has 32 bits (byModel); of so many periods, the longest of 65.535 s each, the
	// time is one that a plan can hold.
	Detection: {In: Profile, Path: "pfc-watchdog/detection", Says: format.Detection, Absent: 2, Source: byPFC, Number: format.Number{Unit: format.Unit{Name: "whole polling intervals"}, Round: format.Up, Least: 1, Most: 100_000, Clamps: true}},
	Recovery:  {In: Profile, Path: "pfc-watchdog/recovery", Says: format.Restoration, Absent: 200, Number: times, Source: byPFC},
	Action:    {In: Profile, Path: "pfc-watchdog/watchdog-action", Says: format.WatchdogAction, Source: byPFC},
	Cable:     {In: Profile, Path: "input/cable-length", Absent: 100, Number: format.Number{Unit: format.Unit{Name: "whole metres", Is: int64(units.Metre)}, Round: format.Up, Least: 1, Most: 1_000_000}, Source: byCLI + ", cable-length: 100 m by default; that no cable is longer than 1,000 km is assumed"},
	Point:     {In: Profile, Path: "input/dscp/code-point[dscp]", List: format.DSCPs},
	MRU:       {In: Point, Path: "mru", Number: format.Number{Unit: format.Bytes, Least: 64, Most: 65535}, Source: byCLI + ", mru: no restriction; the bounds of a frame are assumed"},
	XOn:       {In: Point, Path: "xon", Says: format.ResumeDistance, Absent: 20, Number: format.Number{Unit: format.Unit{Name: "whole cells"}, Round: format.Up, Least: 1, Most: 100_000}, Source: byModel + ", leaf xon; " + byCLI + ", xon: 20 by default"},
	Stop:      {In: Profile, Path: "output/ieee-802.1/code-point[priority]", List: format.Priorities},
	StopQueue: {In: Stop, Path: "flow-control-queue", Says: format.PriorityQueue, Number: upTo(7)},

	Partition:          {Path: "class-of-service/shared-buffer/ingress/buffer-partition[name]"},
	Share:              {In: Partition, Path: "percent", Says: format.PoolSize, Number: percent},
	PartitionThreshold: {In: Partition, Path: "dynamic-threshold", Says: format.GroupThreshold, Number: thresholds},
	Dedicated:          {Path: "class-of-service/dedicated-buffer/ingress/percent", Number: format.Number{Unit: format.Ones, Least: 15, Most: 100}},

	Scheduler:    {Path: "class-of-service/schedulers[name]", List: format.Queues},
	TransmitRate: {In: Scheduler, Path: "transmit-rate percent", Says: format.Weight, Number: percent},
	Threshold:    {In: Scheduler, Path: "buffer-dynamic-threshold", Says: format.QueueThreshold, Number: thresholds},

	DropProfile:     {Path: "class-of-service/drop-profiles[name]"},
	FillLevel:       {In: DropProfile, Path: "interpolate/fill-level", Number: percent, Values: true},
	DropProbability: {In: DropProfile, Path: "interpolate/drop-probability", Says: format.PMax, Reads: [2]int64{0, 100}, Number: format.WholePerCent, Values: true},
})

// Of returns the row with a number.
func Of(id format.ID) *format.Row { return Rows.Of(id) }
