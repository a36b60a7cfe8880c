package eos

// The part of AVD's structured configuration that roceplan uses, in the order in which
// AVD renders it.

type avd struct {
	Platform     *avdPlatform     `yaml:"platform,omitempty"`
	LoadBalance  *avdLoadBalance  `yaml:"load_balance,omitempty"`
	QueueMonitor *avdQueueMonitor `yaml:"queue_monitor_length,omitempty"`
	Profiles     []avdProfile     `yaml:"qos_profiles,omitempty"`
	Ports        []avdPort        `yaml:"ethernet_interfaces,omitempty"`
	ACLs6        []avdList6       `yaml:"ipv6_access_lists,omitempty"`
	ACLs         []avdList        `yaml:"ip_access_lists,omitempty"`
	IPHardware   *avdIPHardware   `yaml:"ip_hardware,omitempty"`
	QoS          avdQoS           `yaml:"qos"`
	PFC          *avdGlobalPFC    `yaml:"priority_flow_control,omitempty"`
	ClassMaps    *avdClassMaps    `yaml:"class_maps,omitempty"`
	PolicyMaps   *avdPolicyMaps   `yaml:"policy_maps,omitempty"`
	CLI          string           `yaml:"eos_cli,omitempty"`
}

type avdPlatform struct {
	Trident avdTrident `yaml:"trident"`
}

type avdTrident struct {
	MMU avdMMU `yaml:"mmu"`
}

type avdMMU struct {
	Active       string          `yaml:"active_profile,omitempty"`
	HeadroomPool *avdPool        `yaml:"headroom_pool,omitempty"`
	Profiles     []avdMMUProfile `yaml:"queue_profiles,omitempty"`
}

type avdPool struct {
	Limit int64 `yaml:"limit"` // bytes
}

type avdMMUProfile struct {
	Name    string      `yaml:"name"`
	Ingress avdIngress  `yaml:"ingress,omitempty"`
	Queues  []avdBuffer `yaml:"unicast_queues,omitempty"`
}

type avdIngress struct {
	Headroom *avdMemory `yaml:"headroom,omitempty"`
	Resume   *int64     `yaml:"resume,omitempty"` // bytes
	Groups   []avdGroup `yaml:"priority_groups,omitempty"`
}

type avdMemory struct {
	Memory int64 `yaml:"memory"` // bytes
}

type avdGroup struct {
	ID        uint8     `yaml:"id"`
	Threshold string    `yaml:"threshold,omitempty"`
	Reserved  avdMemory `yaml:"reserved"`
}

type avdBuffer struct {
	ID        uint8  `yaml:"id"`
	Reserved  int64  `yaml:"reserved"` // bytes
	Threshold string `yaml:"threshold,omitempty"`
}

type avdProfile struct {
	Name          string        `yaml:"name"`
	Trust         string        `yaml:"trust"`
	Policy        *avdPolicyUse `yaml:"service_policy,omitempty"`
	Queues        []avdQueue    `yaml:"tx_queues,omitempty"`
	UnicastQueues []avdQueue    `yaml:"uc_tx_queues,omitempty"`
	PFC           *avdPFC       `yaml:"priority_flow_control,omitempty"`
}

type avdPolicyUse struct {
	Type avdPolicyType `yaml:"type"`
}

type avdPolicyType struct {
	Input string `yaml:"qos_input"`
}

type avdQueue struct {
	ID         uint8      `yaml:"id"`
	Priority   string     `yaml:"priority"`
	Percent    int64      `yaml:"bandwidth_percent,omitempty"`
	Guaranteed int64      `yaml:"bandwidth_guaranteed_percent,omitempty"`
	Shape      *avdShape  `yaml:"shape,omitempty"`
	Detect     *avdDetect `yaml:"random_detect,omitempty"`
}

type avdShape struct {
	Rate string `yaml:"rate"`
}

type avdDetect struct {
	ECN avdECN `yaml:"ecn"`
}

type avdECN struct {
	Threshold avdThreshold `yaml:"threshold"`
}

type avdThreshold struct {
	Units       string `yaml:"units"`
	Min         int64  `yaml:"min"`
	Max         int64  `yaml:"max"`
	Probability int64  `yaml:"max_probability"` // per cent
	Weight      int64  `yaml:"weight"`
}

type avdPFC struct {
	Enabled    bool          `yaml:"enabled,omitempty"`
	Priorities []avdPriority `yaml:"priorities,omitempty"`
	Watchdog   *avdWatchdog  `yaml:"watchdog,omitempty"`
}

type avdPriority struct {
	Priority uint8 `yaml:"priority"`
	NoDrop   bool  `yaml:"no_drop"`
}

type avdWatchdog struct {
	Enabled bool     `yaml:"enabled"`
	Timer   avdTimer `yaml:"timer"`
}

// avdTimer is in seconds, as texts.
type avdTimer struct {
	Timeout  string `yaml:"timeout"`
	Polling  string `yaml:"polling_interval"`
	Recovery string `yaml:"recovery_time"`
}

type avdPort struct {
	Name string `yaml:"name"`
	MTU  int64  `yaml:"mtu,omitempty"` // largest packet in bytes
	// Switchport is said of routed ports alone, as pyavd does: ethernet_interface.switchport.enabled = False.
	Switchport *avdSwitchport `yaml:"switchport,omitempty"`
	Profile    string         `yaml:"service_profile"`

	Queues        []avdCounter `yaml:"tx_queues,omitempty"`
	UnicastQueues []avdCounter `yaml:"uc_tx_queues,omitempty"`

	CLI string `yaml:"eos_cli,omitempty"` // what has no keys
}

type avdQueueMonitor struct {
	Enabled bool `yaml:"enabled"`
}

// avdCounter is a queue that counts what it marks.
type avdCounter struct {
	ID     uint8 `yaml:"id"`
	Detect struct {
		ECN struct {
			Count bool `yaml:"count"`
		} `yaml:"ecn"`
	} `yaml:"random_detect"`
}

type avdSwitchport struct {
	Enabled bool `yaml:"enabled"`
}

type avdList6 struct {
	Name      string        `yaml:"name"`
	Sequences []avdSequence `yaml:"sequence_numbers"`
}

type avdSequence struct {
	Sequence int    `yaml:"sequence"`
	Action   string `yaml:"action"`
}

type avdList struct {
	Name    string     `yaml:"name"`
	Entries []avdEntry `yaml:"entries"`
}

type avdEntry struct {
	Sequence    int      `yaml:"sequence"`
	Action      string   `yaml:"action"`
	Protocol    string   `yaml:"protocol"`
	Source      string   `yaml:"source"`
	Destination string   `yaml:"destination"`
	Ports       []string `yaml:"destination_ports,omitempty"`
	DSCP        string   `yaml:"dscp"`
}

type avdIPHardware struct {
	FIB struct {
		Distribution struct {
			Dynamic struct {
				Enabled     bool `yaml:"enabled"`
				FlowSetSize int  `yaml:"flow_set_size,omitempty"`
			} `yaml:"dynamic"`
		} `yaml:"load_balance_distribution"`
	} `yaml:"fib"`
}

type avdQoS struct {
	Map avdQoSMap `yaml:"map"`
}

type avdQoSMap struct {
	DSCP         []string `yaml:"dscp,omitempty"`
	TrafficClass []string `yaml:"traffic_class"`
}

type avdGlobalPFC struct {
	Watchdog avdGlobalWatchdog `yaml:"watchdog"`
}

// avdGlobalWatchdog has its times in seconds, as texts.
type avdGlobalWatchdog struct {
	Action   string `yaml:"action"`
	Timeout  string `yaml:"timeout"`
	Polling  string `yaml:"polling_interval"`
	Recovery string `yaml:"recovery_time"`
}

type avdClassMaps struct {
	QoS []avdClassMap `yaml:"qos"`
}

type avdClassMap struct {
	Name string     `yaml:"name"`
	IP   *avdAccess `yaml:"ip,omitempty"`
	IPv6 *avdAccess `yaml:"ipv6,omitempty"`
}

type avdAccess struct {
	Group string `yaml:"access_group"`
}

type avdPolicyMaps struct {
	QoS []avdPolicy `yaml:"qos"`
}

type avdPolicy struct {
	Name    string     `yaml:"name"`
	Classes []avdClass `yaml:"classes"`
}

type avdClass struct {
	Name string `yaml:"name"`
	Set  avdSet `yaml:"set"`
}

type avdSet struct {
	DSCP string `yaml:"dscp,omitempty"`
	TC   uint8  `yaml:"traffic_class"`
}
