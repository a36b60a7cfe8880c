// Package srlinux has the rows of Nokia SR Linux: the leaves that roceplan writes and reads of
// srl_nokia-qos 2025-03-31 and srl_nokia-interfaces, tag v25.3.1 of nokia/srlinux-yang-models. Bounds
// are those of 7220 IXR.
package srlinux

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// Rows by their numbers, in the order in which a document has them.
const (
	Interface format.ID = iota + 1
	MTU
	Breakout
	Channels
	ChannelSpeed
	PortSpeed
	Subinterface
	ECN
	Queue
	QueueIndex
	PFCQueue
	PFCQueueIndex
	Class
	ClassIndex
	ClassQueue
	ClassMulticast
	Mapping
	Raising
	RaisingDot1p
	RaisingClasses
	RaisingPriority
	DeadlockEnable
	DetectionTimer
	RecoveryTimer
	Stopping
	StoppingPriority
	StoppingEnable
	Classifier
	DSCP
	DSCPClass
	DSCPDrop
	Dot1pClassifier
	Dot1p
	Rewriting
	Rewrite
	RewriteDSCP
	Policy
	Scheduler
	SchedulerPriority
	Input
	InputQueue
	InputPeak
	InputWeight
	Curve
	Slope
	SlopeMin
	SlopeMax
	SlopeMinFill
	SlopeMaxFill
	SlopeProbability
	Allocation
	Burst
	BurstSize
	PFCBurst
	PFCBurstSize
	PFCHeadroom
	Linecard
	Complex
	Reservation
	Bound
	BoundInterface
	BoundSubinterface
	BoundMapping
	BoundPFC
	BoundClassifier
	BoundPause
	BoundQueue
	BoundCurve
	BoundPolicy
	BoundRewriting
	BoundAllocation
)

// Modules are the YANG modules of what is at the top of a document.
var Modules = map[string]string{"interface": "srl_nokia-interfaces", "qos": "srl_nokia-qos"}

// Numbers of several leaves.
var (
	eight = upTo(7)
	burst = format.Number{Unit: format.Bytes, Most: 1<<32 - 1}
	mark  = format.Number{Unit: format.Bytes, Most: 1 << 40}
)

func upTo(most int64) format.Number { return format.Number{Unit: format.Ones, Most: most} }

func timer(least int64) format.Number {
	return format.Number{Unit: format.Milliseconds, Round: format.Up, Least: least, Most: 1500, Clamps: true}
}

const (
	slots     = "one linecard, and two halves of its chip"
	ofTheRate = "whole per cent of the port's rate"
)

// Rows are the rows by their numbers. The source of a row without one is the model of the leaf.
var Rows = format.New([]format.Row{
	Interface: {Path: "interface[name]", List: format.Ports},
	MTU: {In: Interface, Path: "mtu", Says: format.FrameSize, Reads: [2]int64{1450, 9500}, Source: "leaf mtu: without the FCS",
		Number: format.Number{Unit: format.Bytes, Less: 4, Least: 1500, Most: 9412}},
	Breakout:     {In: Interface, Path: "breakout-mode", Whole: true},
	Channels:     {In: Interface, Path: "breakout-mode/num-breakout-ports", Wide: true, Number: format.Number{Unit: format.Ones, Least: 1, Most: 8}},
	ChannelSpeed: {In: Interface, Path: "breakout-mode/breakout-port-speed", Says: format.Speed},
	PortSpeed:    {In: Interface, Path: "ethernet/port-speed", Says: format.Speed},
	Subinterface: {In: Interface, Path: "subinterface[index]", Whole: true, Shared: true},

	ECN:           {Path: "qos/explicit-congestion-notification", Whole: true},
	Queue:         {Path: "qos/queues/queue[name]", Whole: true, Entry: "queue", Idle: true},
	QueueIndex:    {In: Queue, Path: "queue-index", Number: upTo(11)},
	PFCQueue:      {Path: "qos/queues/pfc-queue[pfc-queue-name]", Whole: true, Entry: "PFC queue"},
	PFCQueueIndex: {In: PFCQueue, Path: "queue-index", Number: eight},

	Class:          {Path: "qos/forwarding-classes/forwarding-class[name]", List: format.Classes, Whole: true, Entry: "forwarding class"},
	ClassIndex:     {In: Class, Path: "forwarding-class-index", Says: format.ClassNumber, Number: eight, Source: "a plan has eight classes; the leaf goes to 15"},
	ClassQueue:     {In: Class, Path: "output/unicast-queue", Says: format.ClassQueue},
	ClassMulticast: {In: Class, Path: "output/multicast-queue", Neutral: "packets for many receivers are not lossless in any class", Source: "Nokia SR Linux 25.10 QoS guide, PFC: unicast only"},

	Mapping:          {Path: "qos/pfc-mapping-profile[name]", Whole: true, Entry: "PFC mapping", Idle: true},
	Raising:          {In: Mapping, Path: "received-traffic/unicast-mapping/pfc-queue[pfc-queue-name]"},
	RaisingDot1p:     {In: Raising, Path: "dot1p", Values: true},
	RaisingClasses:   {In: Raising, Path: "forwarding-class", Says: format.ClassGroup, Values: true},
	RaisingPriority:  {In: Raising, Path: "pfc-pause-frame-priority", Says: format.PriorityGroup, Number: eight},
	DeadlockEnable:   {In: Mapping, Path: "received-pfc-pause-frames/deadlock/enable", Says: format.Watched},
	DetectionTimer:   {In: Mapping, Path: "received-pfc-pause-frames/deadlock/detection-timer", Says: format.Detection, Absent: 750, Number: timer(10)},
	RecoveryTimer:    {In: Mapping, Path: "received-pfc-pause-frames/deadlock/recovery-timer", Says: format.Restoration, Absent: 750, Number: timer(100)},
	Stopping:         {In: Mapping, Path: "received-pfc-pause-frames/queue[queue-name]"},
	StoppingPriority: {In: Stopping, Path: "pfc-pause-frame-priority", Says: format.PriorityQueue, Number: eight},
	StoppingEnable:   {In: Stopping, Path: "enable-pfc"},

	Classifier: {Path: "qos/classifiers/dscp-policy[name]", Whole: true, Entry: "DSCP policy", Idle: true},
	DSCP:       {In: Classifier, Path: "dscp[value]", List: format.DSCPs, Number: upTo(63)},
	DSCPClass:  {In: DSCP, Path: "forwarding-class", Says: format.DSCPClass},
	DSCPDrop:   {In: DSCP, Path: "drop-probability"},

	Dot1pClassifier: {Path: "qos/classifiers/dot1p-policy[name]"},
	Dot1p:           {In: Dot1pClassifier, Path: "dot1p[value]"},

	Rewriting:   {Path: "qos/rewrite-rules/dscp-policy[name]", Whole: true, Entry: "rewriting policy", Idle: true},
	Rewrite:     {In: Rewriting, Path: "map[forwarding-class]"},
	RewriteDSCP: {In: Rewrite, Path: "dscp", Number: upTo(63)},

	Policy:            {Path: "qos/scheduler-policies/scheduler-policy[name]", Whole: true, Entry: "scheduler policy", Idle: true},
	Scheduler:         {In: Policy, Path: "scheduler[sequence]", Number: upTo(1)},
	SchedulerPriority: {In: Scheduler, Path: "priority", Says: format.Strict},
	Input:             {In: Scheduler, Path: "input[id]", List: format.Queues},
	InputQueue:        {In: Input, Path: "queue-name"},
	InputPeak: {In: Input, Path: "peak-rate-percent", Says: format.RateCap, Absent: 100,
		Number: format.Number{Unit: format.Unit{Name: ofTheRate}, Least: 1, Most: 100, Clamps: true}},
	InputWeight: {In: Input, Path: "weight", Says: format.Weight, Absent: 1, Number: format.Number{Unit: format.Ones, Least: 1, Most: 255}},

	Curve:            {Path: "qos/buffer-management/queue-management-profile[name]", Whole: true, Entry: "queue management profile", Idle: true},
	Slope:            {In: Curve, Path: "wred/wred-slope[traffic-type drop-probability enable-ecn]"},
	SlopeMin:         {In: Slope, Path: "min-threshold", Says: format.KMin, Wide: true, Number: mark},
	SlopeMax:         {In: Slope, Path: "max-threshold", Says: format.KMax, Wide: true, Number: mark},
	SlopeMinFill:     {In: Slope, Path: "min-threshold-percent", Number: upTo(100)}, // of maximum-burst-size of the queue
	SlopeMaxFill:     {In: Slope, Path: "max-threshold-percent", Number: upTo(100)},
	SlopeProbability: {In: Slope, Path: "max-drop-probability-percent", Says: format.PMax, Reads: [2]int64{0, 100}, Number: format.WholePerCent},

	Allocation:   {Path: "qos/buffer-management/buffer-allocation-profile[name]", Whole: true, Entry: "buffer allocation profile", Idle: true},
	Burst:        {In: Allocation, Path: "queues/queue[queue-name]", List: format.Queues},
	BurstSize:    {In: Burst, Path: "maximum-burst-size", Says: format.QueueLimit, Number: burst},
	PFCBurst:     {In: Allocation, Path: "queues/pfc-queue[pfc-queue-name]", List: format.Groups},
	PFCBurstSize: {In: PFCBurst, Path: "maximum-burst-size", Says: format.GroupLimit, Absent: 51_200, Number: burst},
	PFCHeadroom: {In: PFCBurst, Path: "maximum-pfc-reserved-share-bytes", Says: format.Headroom,
		Number: format.Number{Unit: format.Bytes, Most: int64(104_857_600 * units.Byte)}},

	Linecard:    {Path: "qos/linecard[slot]", Number: format.Number{Unit: format.Ones, Least: 1, Most: 1}, Source: slots},
	Complex:     {In: Linecard, Path: "forwarding-complex[name]", Number: upTo(1), Source: slots},
	Reservation: {In: Complex, Path: "input/pfc-buffer-reservation", Says: format.PoolHeadroom, Absent: 1, Number: format.Number{Unit: format.Unit{Name: "whole per cent of the buffer"}, Round: format.Up, Most: 100}},

	Bound:             {Path: "qos/interfaces/interface[interface-id]", Whole: true},
	BoundInterface:    {In: Bound, Path: "interface-ref/interface"},
	BoundSubinterface: {In: Bound, Path: "interface-ref/subinterface", Number: upTo(9999)},
	BoundMapping:      {In: Bound, Path: "pfc/pfc-mapping-profile"},
	BoundPFC:          {In: Bound, Path: "pfc/pfc-enable", Says: format.Pause},
	BoundClassifier:   {In: Bound, Path: "input/classifiers/dscp-policy"},
	BoundPause:        {In: Bound, Path: "input/pfc-buffer-allocation-profile"},
	BoundQueue:        {In: Bound, Path: "output/queues/queue[queue-name]"},
	BoundCurve:        {In: BoundQueue, Path: "queue-management-profile"},
	BoundPolicy:       {In: Bound, Path: "output/scheduler/scheduler-policy"},
	BoundRewriting:    {In: Bound, Path: "output/rewrite-rules/dscp-policy"},
	BoundAllocation:   {In: Bound, Path: "output/buffer-allocation-profile"},
})

// DefaultShare is the share of the headroom pool that a group may take by default, in per cent: leaf
// maximum-pfc-reserved-share-percentage.
const DefaultShare = 10

// Of returns the row with a number.
//
//go:noinline
func Of(id format.ID) *format.Row { return Rows.Of(id) }
