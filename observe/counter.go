package observe

import (
	"fmt"
	"strings"
)

// A Counter is the name of what is counted, as SONiC's orchagent writes it into COUNTERS_DB
// (sonic-swss orchagent/portsorch.cpp, bufferorch.cpp and pfcwdorch.cpp, which take the names
// of SAI) and as NVIDIA's driver calls those of a NIC (Linux, drivers/infiniband/hw/mlx5/counters.c,
// and drivers/net/ethernet/mellanox/mlx5/core/en_stats.c). Other sources are given these names.
type Counter string

// Counters of priority groups, of SAI's saibuffer.h.
const (
	GroupHeadroom Counter = "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES"
	GroupShared   Counter = "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"
	GroupDropped  Counter = "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS"
)

// Counters of queues, of SAI's saiqueue.h, and those of the watchdog, which sonic-swss keeps
// in the same hash (orchagent/pfcactionhandler.cpp).
const (
	QueueShared       Counter = "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"
	QueueMarked       Counter = "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"
	QueueMarkedBytes  Counter = "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES"
	QueueSent         Counter = "SAI_QUEUE_STAT_PACKETS"
	QueueSentBytes    Counter = "SAI_QUEUE_STAT_BYTES"
	QueueDropped      Counter = "SAI_QUEUE_STAT_DROPPED_PACKETS"
	QueueDroppedBytes Counter = "SAI_QUEUE_STAT_DROPPED_BYTES"

	// VOQDropped are packets that a virtual output queue dropped, or that its credit watchdog deleted.
	VOQDropped Counter = "VOQ_DROPPED_PACKETS"

	WatchdogDetected  Counter = "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED"
	WatchdogRestored  Counter = "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED"
	WatchdogDroppedTx Counter = "PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS"
	WatchdogDroppedRx Counter = "PFC_WD_QUEUE_STATS_RX_DROPPED_PACKETS"
)

// Counters of buffer pools, of SAI's saibuffer.h.
const (
	PoolShared   Counter = "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES"
	PoolHeadroom Counter = "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES"
)

// Counters of ports, of SAI's saiport.h.
const (
	PortReceivedBytes Counter = "SAI_PORT_STAT_IF_IN_OCTETS"
	PortSentBytes     Counter = "SAI_PORT_STAT_IF_OUT_OCTETS"
	// PausesReceived and PausesSent are the pause frames of all priorities of a port together, as EOS and NX-OS print them.
	PausesReceived Counter = "PFC_RX_PKTS"
	PausesSent     Counter = "PFC_TX_PKTS"
)

// Counters of NICs.
const (
	CNPSent       Counter = "np_cnp_sent"
	ECNMarked     Counter = "np_ecn_marked_roce_packets"
	CNPHandled    Counter = "rp_cnp_handled"
	CNPIgnored    Counter = "rp_cnp_ignored"
	OutOfBuffer   Counter = "out_of_buffer"
	OutOfSequence Counter = "out_of_sequence"
)

// PFCSent returns the counter of pause frames of a priority that a port sent.
func PFCSent(priority uint8) Counter {
	return Counter(fmt.Sprintf("SAI_PORT_STAT_PFC_%d_TX_PKTS", priority))
}

// PFCReceived returns the counter of pause frames of a priority that a port got.
func PFCReceived(priority uint8) Counter {
	return Counter(fmt.Sprintf("SAI_PORT_STAT_PFC_%d_RX_PKTS", priority))
}

// PFCPauses is how often a priority of a port was paused, each time with one pause frame at least.
func PFCPauses(priority uint8) Counter {
	return Counter(fmt.Sprintf("SAI_PORT_STAT_PFC_%d_ON2OFF_RX_PKTS", priority))
}

// NICPauseSent and NICPauseReceived are the pause frames of a priority that a NIC sent and got
// (en_stats.c, pport_per_prio_pfc_stats_desc).
func NICPauseSent(priority uint8) Counter { return Counter(fmt.Sprintf("tx_prio%d_pause", priority)) }
func NICPauseReceived(priority uint8) Counter {
	return Counter(fmt.Sprintf("rx_prio%d_pause", priority))
}

// Known lists all counters of a sort of object that conclusions are drawn from.
func Known(of ObjectKind) []Counter {
	var all []Counter
	switch of {
	case Group:
		return []Counter{GroupHeadroom, GroupShared, GroupDropped}
	case Queue:
		return []Counter{QueueShared, QueueMarked, QueueMarkedBytes, QueueSent, QueueSentBytes, QueueDropped, QueueDroppedBytes, VOQDropped,
			WatchdogDetected, WatchdogRestored, WatchdogDroppedTx, WatchdogDroppedRx}
	case Pool:
		return []Counter{PoolShared, PoolHeadroom}
	case Port:
		all = []Counter{PortReceivedBytes, PortSentBytes, PausesReceived, PausesSent}
		for p := range uint8(8) {
			all = append(all, PFCSent(p), PFCReceived(p), PFCPauses(p))
		}
	case NIC:
		all = []Counter{CNPSent, ECNMarked, CNPHandled, CNPIgnored, OutOfBuffer, OutOfSequence}
		for p := range uint8(8) {
			all = append(all, NICPauseSent(p), NICPauseReceived(p))
		}
	}
	return all
}

// SwitchCounters are all counters that are known of a switch.
func SwitchCounters() map[Counter]bool {
	known := map[Counter]bool{}
	for kind := Port; kind <= Pool; kind++ {
		for _, c := range Known(kind) {
			known[c] = true
		}
	}
	return known
}

// Kind returns the sort of the counter, which its name says.
func (c Counter) Kind() Kind {
	switch {
	case strings.Contains(string(c), "WATERMARK"):
		return Watermark
	case strings.Contains(string(c), "CURR_OCCUPANCY"):
		return Gauge
	}
	return Total
}
