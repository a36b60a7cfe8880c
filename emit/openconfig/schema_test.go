package openconfig

// The part of openconfig-qos and openconfig-interfaces that roceplan writes, as ygot
// wants it: a field's path is where its leaf lies below its struct. A key is printed
// twice, in the list entry and in its config container. Only the two roots carry a
// module: everything below lies in the module of its parent.

// device is the root of the document.
type device struct {
	Interfaces map[string]*physical `path:"interfaces/interface" module:"openconfig-interfaces/openconfig-interfaces"`
	QoS        *qos                 `path:"qos" module:"openconfig-qos"`
}

type physical struct {
	Name *string       `path:"config/name|name"`
	Type interfaceType `path:"config/type"`
	MTU  *uint16       `path:"config/mtu"`
}

type qos struct {
	Queues           map[string]*queue            `path:"queues/queue"`
	ForwardingGroups map[string]*forwardingGroup  `path:"forwarding-groups/forwarding-group"`
	Classifiers      map[string]*classifier       `path:"classifiers/classifier"`
	Management       map[string]*management       `path:"queue-management-profiles/queue-management-profile"`
	Schedulers       map[string]*schedulerPolicy  `path:"scheduler-policies/scheduler-policy"`
	Buffers          map[string]*bufferAllocation `path:"buffer-allocation-profiles/buffer-allocation-profile"`
	Interfaces       map[string]*port             `path:"interfaces/interface"`
}

type queue struct {
	Name *string `path:"config/name|name"`
	ID   *uint8  `path:"config/queue-id"`
}

type forwardingGroup struct {
	Name  *string `path:"config/name|name"`
	Queue *string `path:"config/output-queue"`
}

type classifier struct {
	Name  *string          `path:"config/name|name"`
	Type  classifierType   `path:"config/type"`
	Terms map[string]*term `path:"terms/term"`
}

type term struct {
	ID       *string  `path:"config/id|id"`
	DSCPs    []uint8  `path:"conditions/ipv4/config/dscp-set"`
	Protocol protocol `path:"conditions/ipv4/config/protocol"`

	DSCPs6    []uint8  `path:"conditions/ipv6/config/dscp-set"`
	Protocol6 protocol `path:"conditions/ipv6/config/protocol"`

	UDPPort *uint16 `path:"conditions/transport/config/destination-port"`
	Group   *string `path:"actions/config/target-group"`
	Remark  *uint8  `path:"actions/remark/config/set-dscp"`
}

type management struct {
	Name   *string `path:"config/name|name"`
	Min    *uint64 `path:"wred/uniform/config/min-threshold"`
	Max    *uint64 `path:"wred/uniform/config/max-threshold"`
	ECN    *bool   `path:"wred/uniform/config/enable-ecn"`
	Drop   *bool   `path:"wred/uniform/config/drop"`
	Weight *uint32 `path:"wred/uniform/config/weight"`
	PMax   *uint8  `path:"wred/uniform/config/max-drop-probability-percent"`
}

type schedulerPolicy struct {
	Name       *string               `path:"config/name|name"`
	Schedulers map[uint32]*scheduler `path:"schedulers/scheduler"`
}

type scheduler struct {
	Sequence *uint32           `path:"config/sequence|sequence"`
	Type     schedulerType     `path:"config/type"`
	Priority priority          `path:"config/priority"`
	Inputs   map[string]*input `path:"inputs/input"`
	CIR      *uint64           `path:"one-rate-two-color/config/cir"`
	Behavior queuingBehavior   `path:"one-rate-two-color/config/queuing-behavior"`
}

type input struct {
	ID     *string   `path:"config/id|id"`
	Type   inputType `path:"config/input-type"`
	Queue  *string   `path:"config/queue"`
	Weight *uint64   `path:"config/weight"`
}

type bufferAllocation struct {
	Name   *string                 `path:"config/name|name"`
	Queues map[string]*queueBuffer `path:"queues/queue"`
}

type queueBuffer struct {
	Name      *string   `path:"config/name|name"`
	Dedicated *uint64   `path:"config/dedicated-buffer"`
	Shared    *bool     `path:"config/use-shared-buffer"`
	Limit     limitType `path:"config/shared-buffer-limit-type"`
	Static    *uint32   `path:"config/static-shared-buffer-limit"`
	Scaling   *int32    `path:"config/dynamic-limit-scaling-factor"`
}

type port struct {
	ID          *string                            `path:"config/interface-id|interface-id"`
	Ref         *string                            `path:"interface-ref/config/interface"`
	Classifiers map[classifierType]*portClassifier `path:"input/classifiers/classifier"`
	Buffer      *string                            `path:"output/config/buffer-allocation-profile"`
	Queues      map[string]*portQueue              `path:"output/queues/queue"`
	Scheduler   *string                            `path:"output/scheduler-policy/config/name"`
}

type portClassifier struct {
	Type classifierType `path:"config/type|type"`
	Name *string        `path:"config/name"`
}

type portQueue struct {
	Name       *string `path:"config/name|name"`
	Management *string `path:"config/queue-management-profile"`
}

// Enumerations and identities. Zero is "not set".
type (
	interfaceType   int64
	classifierType  int64
	protocol        int64
	priority        int64
	inputType       int64
	schedulerType   int64
	queuingBehavior int64
	limitType       int64
)
