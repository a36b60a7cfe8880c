// Package openconfig has the rows of openconfig-qos 2.2.0 and openconfig-interfaces: the leaves that
// roceplan writes and reads of openconfig/public @94f58962.
package openconfig

import (
	"math"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// Rows by their numbers.
const (
	Interface format.ID = iota + 1
	InterfaceType
	MTU
	Queue
	QueueID
	Group
	GroupQueue
	Classifier
	ClassifierType
	Term
	DSCPs4
	Protocol4
	DSCPs6
	Protocol6
	DestinationPort
	TargetGroup
	Remark
	Curve
	CurveMin
	CurveMax
	CurveMarks
	CurveDrops
	CurveWeight
	Probability
	Policy
	Scheduler
	SchedulerType
	Priority
	Input
	InputType
	InputQueue
	InputWeight
	Rate
	Behavior
	Allocation
	Buffer
	Dedicated
	UseShared
	LimitType
	StaticLimit
	DynamicLimit
	Port
	PortRef
	PortClassifier
	PortClassifierName
	PortBuffer
	PortQueue
	PortCurve
	PortPolicy
)

// Words of leaves. In a document, those of identities have the module in front that defines them.
const (
	IPv4    = "IPV4"
	IPv6    = "IPV6"
	UDP     = "IP_UDP"
	Strict  = "STRICT"
	OfQueue = "QUEUE"
	Shape   = "SHAPE"
	Static  = "STATIC"
	Dynamic = "DYNAMIC_BASED_ON_SCALING_FACTOR"
)

// Versions are the versions of IP: the type of a classifier, and the rows of its conditions.
var Versions = [2]struct {
	Type            string
	DSCPs, Protocol format.ID
}{{IPv4, DSCPs4, Protocol4}, {IPv6, DSCPs6, Protocol6}}

// Modules are the YANG modules of what is at the top of a document.
var Modules = map[string]string{"interfaces": "openconfig-interfaces", "qos": "openconfig-qos"}

// Numbers of several leaves. Those of 64 bits are read up to a TiB of buffer, which no switch has.
var (
	bytes = format.Number{Unit: format.Bytes, Most: 1 << 40}
	dscps = upTo(63)
)

func upTo(most int64) format.Number { return format.Number{Unit: format.Ones, Most: most} }

// Rows are the rows by their numbers. The source of a row without one is the model of the leaf.
var Rows = format.New([]format.Row{
	Interface:     {Path: "interfaces/interface[name]", List: format.Ports},
	InterfaceType: {In: Interface, Path: "config/type"},
	MTU: {In: Interface, Path: "config/mtu", Says: format.FrameSize, Reads: [2]int64{0, math.MaxUint16}, Source: "leaf mtu: 1514 for a packet of 1500 B",
		Number: format.Number{Unit: format.Bytes, Less: int64(4 * units.Byte), Least: 1, Most: math.MaxUint16}},

	Queue:   {Path: "qos/queues/queue[name]", Entry: "queue"},
	QueueID: {In: Queue, Path: "config/queue-id", Number: upTo(7), Source: "a plan has eight queues; the leaf goes to 255"},

	Group:      {Path: "qos/forwarding-groups/forwarding-group[name]", Entry: "forwarding group"},
	GroupQueue: {In: Group, Path: "config/output-queue", Says: format.ClassQueue},

	Classifier:      {Path: "qos/classifiers/classifier[name]", Entry: "classifier"},
	ClassifierType:  {In: Classifier, Path: "config/type"},
	Term:            {In: Classifier, Path: "terms/term[id]"},
	DSCPs4:          {In: Term, Path: "conditions/ipv4/config/dscp-set", Says: format.DSCPClass, Number: dscps, Values: true},
	Protocol4:       {In: Term, Path: "conditions/ipv4/config/protocol"},
	DSCPs6:          {In: Term, Path: "conditions/ipv6/config/dscp-set", Says: format.DSCPClass, Number: dscps, Values: true},
	Protocol6:       {In: Term, Path: "conditions/ipv6/config/protocol"},
	DestinationPort: {In: Term, Path: "conditions/transport/config/destination-port", Number: format.Number{Unit: format.Ones, Least: 1, Most: math.MaxUint16}},
	TargetGroup:     {In: Term, Path: "actions/config/target-group"},
	Remark:          {In: Term, Path: "actions/remark/config/set-dscp", Number: dscps},

	Curve:       {Path: "qos/queue-management-profiles/queue-management-profile[name]", Entry: "queue management profile", Idle: true},
	CurveMin:    {In: Curve, Path: "wred/uniform/config/min-threshold", Says: format.KMin, Wide: true, Number: bytes},
	CurveMax:    {In: Curve, Path: "wred/uniform/config/max-threshold", Says: format.KMax, Wide: true, Number: bytes},
	CurveMarks:  {In: Curve, Path: "wred/uniform/config/enable-ecn"},
	CurveDrops:  {In: Curve, Path: "wred/uniform/config/drop"},
	CurveWeight: {In: Curve, Path: "wred/uniform/config/weight", Number: upTo(math.MaxUint32)},
	Probability: {In: Curve, Path: "wred/uniform/config/max-drop-probability-percent", Says: format.PMax, Absent: 100, Reads: [2]int64{0, 100}, Number: format.WholePerCent},

	Policy:        {Path: "qos/scheduler-policies/scheduler-policy[name]", Entry: "scheduler policy", Idle: true},
	Scheduler:     {In: Policy, Path: "schedulers/scheduler[sequence]"},
	SchedulerType: {In: Scheduler, Path: "config/type"},
	Priority:      {In: Scheduler, Path: "config/priority", Says: format.Strict},
	Input:         {In: Scheduler, Path: "inputs/input[id]", List: format.Queues},
	InputType:     {In: Input, Path: "config/input-type"},
	InputQueue:    {In: Input, Path: "config/queue"},
	InputWeight:   {In: Input, Path: "config/weight", Says: format.Weight, Wide: true, Number: upTo(math.MaxInt32)},
	Rate:          {In: Scheduler, Path: "one-rate-two-color/config/cir", Says: format.RateCap, Wide: true, Number: format.Number{Unit: format.BitsPerSec, Most: 1 << 50}},
	Behavior:      {In: Scheduler, Path: "one-rate-two-color/config/queuing-behavior"},

	Allocation:   {Path: "qos/buffer-allocation-profiles/buffer-allocation-profile[name]", Entry: "buffer allocation profile", Idle: true},
	Buffer:       {In: Allocation, Path: "queues/queue[name]", List: format.Queues},
	Dedicated:    {In: Buffer, Path: "config/dedicated-buffer", Says: format.QueueReserve, Wide: true, Number: bytes},
	UseShared:    {In: Buffer, Path: "config/use-shared-buffer"},
	LimitType:    {In: Buffer, Path: "config/shared-buffer-limit-type"},
	StaticLimit:  {In: Buffer, Path: "config/static-shared-buffer-limit", Says: format.QueueLimit, Number: format.Number{Unit: format.Bytes, Most: math.MaxUint32}},
	DynamicLimit: {In: Buffer, Path: "config/dynamic-limit-scaling-factor", Says: format.QueueThreshold, Number: format.Number{Unit: format.Ones, Least: -20, Most: 20}},

	Port:               {Path: "qos/interfaces/interface[interface-id]"},
	PortRef:            {In: Port, Path: "interface-ref/config/interface"},
	PortClassifier:     {In: Port, Path: "input/classifiers/classifier[type]"},
	PortClassifierName: {In: PortClassifier, Path: "config/name"},
	PortBuffer:         {In: Port, Path: "output/config/buffer-allocation-profile"},
	PortQueue:          {In: Port, Path: "output/queues/queue[name]"},
	PortCurve:          {In: PortQueue, Path: "config/queue-management-profile"},
	PortPolicy:         {In: Port, Path: "output/scheduler-policy/config/name"},
})

// Of returns the row with a number.
//
//go:noinline
func Of(id format.ID) *format.Row { return Rows.Of(id) }
