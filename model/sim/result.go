package sim

// Result is what a run measured. Its JSON names are part of the command's interface.
type Result struct {
	Seed  uint64       `json:"seed"`
	Flows []FlowResult `json:"flows"` // those that finished, in the order of the scenario

	UnfinishedFlows int   `json:"unfinished_flows"`
	FailedFlows     int   `json:"failed_flows,omitempty"` // of these, those whose queue pair gave up
	Timeouts        int64 `json:"timeouts,omitempty"`     // after which a queue pair sent again

	PFCPauses       int64 `json:"pfc_pauses"` // pause frames sent
	PeakEgressQueue int64 `json:"peak_egress_queue_bytes"`
	PeakHeadroom    int64 `json:"peak_headroom_bytes"`
	ECNMarks        int64 `json:"ecn_marks"`
	Drops           int64 `json:"drops"` // packets refused by a switch
	LostOnWire      int64 `json:"lost_on_wire"`

	OutOfOrder int64 `json:"out_of_order"`       // data packets that came before an earlier one
	Flowlets   int64 `json:"flowlets,omitempty"` // ways chosen, with [Flowlet]

	PacketHops  int64   `json:"packet_hops"` // transmissions of data packets and acknowledgements
	Events      int64   `json:"events"`
	WallSeconds float64 `json:"wall_seconds"`
	PeakMemory  int64   `json:"peak_memory_bytes"`
}

// FlowResult is one finished flow.
type FlowResult struct {
	Index   int     `json:"-"` // in Scenario.Flows
	Src     int     `json:"src"`
	Dst     int     `json:"dst"`
	Bytes   int64   `json:"bytes"`
	StartUS float64 `json:"start_us"`

	// FCTUS ends when the sender has the acknowledgement of the last byte.
	FCTUS float64 `json:"fct_us"`

	// DeliveredUS ends when the receiving process has the last byte.
	DeliveredUS float64 `json:"delivered_us"`

	// Slowdown is FCT over the time the flow would take alone: base RTT plus all
	// packets with headers, without INT, at the path's slowest link.
	Slowdown float64 `json:"slowdown"`
}
