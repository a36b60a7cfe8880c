package sim

// Result holds the measurements of a run. Its JSON names are part of the command's interface.
type Result struct {
	Seed  uint64       `json:"seed"`
	Flows []FlowResult `json:"flows"` // those that finished, in the order of the scenario

	Work []Work `json:"-"` // with [Flow.Ends], what is over

	UnfinishedFlows int   `json:"unfinished_flows"`
	FailedFlows     int   `json:"failed_flows,omitempty"` // of these, those whose queue pair gave up
	Timeouts        int64 `json:"timeouts,omitempty"`     // after which a queue pair sent again
	Refused         int64 `json:"refused,omitempty"`      // connections, see [DC]

	PFCPauses       int64 `json:"pfc_pauses"` // pause frames sent, without those that repeat one
	PeakEgressQueue int64 `json:"peak_egress_queue_bytes"`
	PeakHeadroom    int64 `json:"peak_headroom_bytes"`
	ECNMarks        int64 `json:"ecn_marks"`
	CNPs            int64 `json:"cnps"`  // echoes of congestion that receivers sent
	Drops           int64 `json:"drops"` // packets refused by a switch
	LostOnWire      int64 `json:"lost_on_wire"`

	// Packets lost to what went wrong in the network.
	Flushed        int64 `json:"flushed,omitempty"`         // from queues of links that went down
	Unrouted       int64 `json:"unrouted,omitempty"`        // at switches with no way to go on
	Overrun        int64 `json:"nic_overrun,omitempty"`     // at NICs that were stuck or full
	WatchdogDrops  int64 `json:"watchdog_drops,omitempty"`  // in queues that a watchdog held
	WatchdogEvents int64 `json:"watchdog_events,omitempty"` // queues that watchdogs took hold of

	PFCRefreshes int64 `json:"pfc_refreshes,omitempty"` // pause frames that repeat one

	OutOfOrder int64 `json:"out_of_order"`       // data packets that came before an earlier one
	Flowlets   int64 `json:"flowlets,omitempty"` // ways chosen, with [balance.Flowlet]

	// With [balance.ConWeave]: changes of a way; packets held back in a leaf, and not for lack of a
	// queue; times that they were released before the TAIL; most queues of a port in use.
	Reroutes       int64 `json:"reroutes,omitempty"`
	HeldBack       int64 `json:"held_back,omitempty"`
	NotHeldBack    int64 `json:"not_held_back,omitempty"`
	ReorderExpired int64 `json:"reorder_expired,omitempty"`
	ReorderQueues  int   `json:"peak_reorder_queues,omitempty"`

	PeakVOQ int64 `json:"peak_voq_bytes,omitempty"` // with [balance.Cells]

	SkippedUS float64 `json:"skipped_us,omitempty"` // time left out, with [Scenario.SkipSteady]

	Packets     Ledger  `json:"packets"`
	PacketHops  int64   `json:"packet_hops"` // transmissions of data packets and acknowledgements
	Events      int64   `json:"events"`      // but for the first bytes of packets that a chip's buffer looks at
	WallSeconds float64 `json:"wall_seconds"`
	PeakMemory  int64   `json:"peak_memory_bytes"` // of the process, as the runtime asked the system for it

	*Observed // nil unless [Scenario.Observe] asked for it
}

// Work records when one piece of the scenario's work was over.
type Work struct {
	Index int // in Scenario.Flows
	EndUS float64
}

// FlowResult is one finished flow.
type FlowResult struct {
	Index   int     `json:"-"`               // in Scenario.Flows
	Block   string  `json:"block,omitempty"` // of traffic that it is of; empty where there are none
	Src     int     `json:"src"`
	Dst     int     `json:"dst"`
	Bytes   int64   `json:"bytes"`
	StartUS float64 `json:"start_us"`

	// FCTUS ends when the sender has the acknowledgement of the last byte.
	FCTUS float64 `json:"fct_us"`

	// DeliveredUS ends when the receiving process has the last byte.
	DeliveredUS float64 `json:"delivered_us"`

	// Slowdown is FCT over the time the flow would take alone: see [Scenario.ExactIdeal]. The HPCC
	// simulator's ideal is the base RTT plus all packets with headers, without INT, at the path's
	// slowest link.
	Slowdown float64 `json:"slowdown"`
}
