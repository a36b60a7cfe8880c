package srlinux

// A document is what roceplan writes of the models srl_nokia-qos 2025-03-31 and
// srl_nokia-interfaces, tag v25.3.1, as RFC 7951 has it.
type document struct {
	Interfaces []port `json:"srl_nokia-interfaces:interface,omitempty"`
	QoS        qos    `json:"srl_nokia-qos:qos"`
}

type port struct {
	Name     string    `json:"name"`
	MTU      int64     `json:"mtu,omitempty"`
	Breakout *breakout `json:"breakout-mode,omitempty"`
	Ethernet *ethernet `json:"ethernet,omitempty"`
	// Subinterfaces are those that classifiers are bound to. Only the index is said: what is
	// routed or bridged there is not touched.
	Subinterfaces []subinterface `json:"subinterface,omitempty"`
}

type subinterface struct {
	Index int `json:"index"`
}

type breakout struct {
	Ports string `json:"num-breakout-ports"`
	Speed string `json:"breakout-port-speed"`
}

type ethernet struct {
	Speed string `json:"port-speed"`
}

type qos struct {
	ECN         *struct{}   `json:"explicit-congestion-notification,omitempty"`
	Queues      queues      `json:"queues"`
	Classes     classes     `json:"forwarding-classes"`
	Mappings    []mapping   `json:"pfc-mapping-profile,omitempty"`
	Classifiers classifiers `json:"classifiers"`
	Rewrites    *rewrites   `json:"rewrite-rules,omitempty"`
	Schedulers  *schedulers `json:"scheduler-policies,omitempty"`
	Buffers     buffers     `json:"buffer-management"`
	Linecards   []linecard  `json:"linecard,omitempty"`
	Interfaces  interfaces  `json:"interfaces"`
}

type queues struct {
	Queue []queue    `json:"queue,omitempty"`
	PFC   []pfcQueue `json:"pfc-queue,omitempty"`
}

type queue struct {
	Name  string `json:"name"`
	Index uint8  `json:"queue-index"`
}

type pfcQueue struct {
	Name  string `json:"pfc-queue-name"`
	Index uint8  `json:"queue-index"`
}

type classes struct {
	Class []class `json:"forwarding-class,omitempty"`
}

type class struct {
	Name   string `json:"name"`
	Index  uint8  `json:"forwarding-class-index"`
	Output output `json:"output"`
}

type output struct {
	Unicast   string `json:"unicast-queue"`
	Multicast string `json:"multicast-queue"`
}

type mapping struct {
	Name     string   `json:"name"`
	Sent     sent     `json:"received-traffic"`
	Received received `json:"received-pfc-pause-frames"`
}

// sent is which pause is sent for which traffic.
type sent struct {
	Unicast struct {
		Queue []pausing `json:"pfc-queue"`
	} `json:"unicast-mapping"`
}

type pausing struct {
	Queue    string   `json:"pfc-queue-name"`
	Classes  []string `json:"forwarding-class"`
	Priority uint8    `json:"pfc-pause-frame-priority"`
}

// received is which queue a pause stops.
type received struct {
	Deadlock *deadlock `json:"deadlock,omitempty"`
	Queue    []stopped `json:"queue"`
}

type deadlock struct {
	Enable    bool  `json:"enable"`
	Detection int64 `json:"detection-timer"` // ms
	Recovery  int64 `json:"recovery-timer"`  // ms
}

type stopped struct {
	Queue    string `json:"queue-name"`
	Priority uint8  `json:"pfc-pause-frame-priority"`
	Enable   bool   `json:"enable-pfc"`
}

type classifiers struct {
	Policy []classifier `json:"dscp-policy"`
}

type classifier struct {
	Name string     `json:"name"`
	DSCP []dscpRule `json:"dscp"`
}

type dscpRule struct {
	Value uint8  `json:"value"`
	Class string `json:"forwarding-class"`
	Drop  string `json:"drop-probability"`
}

type rewrites struct {
	Policy []rewrite `json:"dscp-policy"`
}

type rewrite struct {
	Name string        `json:"name"`
	Map  []rewriteRule `json:"map"`
}

type rewriteRule struct {
	Class string `json:"forwarding-class"`
	DSCP  uint8  `json:"dscp"`
}

type schedulers struct {
	Policy []schedulerPolicy `json:"scheduler-policy"`
}

type schedulerPolicy struct {
	Name      string      `json:"name"`
	Scheduler []scheduler `json:"scheduler"`
}

// A scheduler of sequence 0 is strict, one of sequence 1 shares by weight.
type scheduler struct {
	Sequence int              `json:"sequence"`
	Priority string           `json:"priority,omitempty"`
	Input    []schedulerInput `json:"input"`
}

type schedulerInput struct {
	ID       string `json:"id"`
	Queue    string `json:"queue-name"`
	PeakRate int64  `json:"peak-rate-percent,omitempty"`
	Weight   int64  `json:"weight,omitempty"`
}

type buffers struct {
	Curves      []curve      `json:"queue-management-profile,omitempty"`
	Allocations []allocation `json:"buffer-allocation-profile,omitempty"`
}

type curve struct {
	Name string `json:"name"`
	WRED struct {
		Slope []slope `json:"wred-slope"`
	} `json:"wred"`
}

type slope struct {
	Traffic string `json:"traffic-type"`
	Drop    string `json:"drop-probability"`
	ECN     bool   `json:"enable-ecn"`
	Min     string `json:"min-threshold"` // B; 64 bits stand as text
	Max     string `json:"max-threshold"`
	PMax    int64  `json:"max-drop-probability-percent"`
}

type allocation struct {
	Name   string           `json:"name"`
	Queues allocationQueues `json:"queues"`
}

type allocationQueues struct {
	Queue []burst    `json:"queue,omitempty"`
	PFC   []pfcBurst `json:"pfc-queue,omitempty"`
}

type burst struct {
	Queue string `json:"queue-name"`
	Most  int64  `json:"maximum-burst-size"`
}

type pfcBurst struct {
	Queue    string `json:"pfc-queue-name"`
	Most     int64  `json:"maximum-burst-size,omitempty"`
	Headroom int64  `json:"maximum-pfc-reserved-share-bytes"`
}

type linecard struct {
	Slot    int       `json:"slot"`
	Complex []complex `json:"forwarding-complex"`
}

type complex struct {
	Name  string `json:"name"`
	Input struct {
		Reserve int64 `json:"pfc-buffer-reservation"`
	} `json:"input"`
}

type interfaces struct {
	Interface []bound `json:"interface"`
}

// bound is what a port, or its subinterface, is told.
type bound struct {
	ID     string       `json:"interface-id"`
	Ref    reference    `json:"interface-ref"`
	PFC    *boundPFC    `json:"pfc,omitempty"`
	Input  *boundInput  `json:"input,omitempty"`
	Output *boundOutput `json:"output,omitempty"`
}

type reference struct {
	Interface    string `json:"interface"`
	Subinterface *int   `json:"subinterface,omitempty"`
}

type boundPFC struct {
	Mapping string `json:"pfc-mapping-profile"`
	Enable  bool   `json:"pfc-enable"`
}

type boundInput struct {
	Classifiers *boundClassifier `json:"classifiers,omitempty"`
	Allocation  string           `json:"pfc-buffer-allocation-profile,omitempty"`
}

type boundClassifier struct {
	DSCP string `json:"dscp-policy"`
}

type boundOutput struct {
	Queues     *boundQueues    `json:"queues,omitempty"`
	Scheduler  *boundScheduler `json:"scheduler,omitempty"`
	Rewrite    *boundRewrite   `json:"rewrite-rules,omitempty"`
	Allocation string          `json:"buffer-allocation-profile,omitempty"`
}

type boundQueues struct {
	Queue []boundQueue `json:"queue"`
}

type boundQueue struct {
	Queue string `json:"queue-name"`
	Curve string `json:"queue-management-profile"`
}

type boundScheduler struct {
	Policy string `json:"scheduler-policy"`
}

type boundRewrite struct {
	DSCP string `json:"dscp-policy"`
}
