package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// Service is InfiniBand's kind of connection between processes of hosts. [Flow.QueuePair] sets
// which messages share a queue pair; see [Service.QueuePair].
type Service uint8

const (
	// RC is a queue pair between two processes.
	RC Service = iota
	// XRC is a queue pair from a process to all processes of a host (InfiniBand
	// Architecture Specification Volume 1, annex A14).
	XRC
	// DC is Mellanox's dynamically connected transport
	// (docs.nvidia.com/networking/display/rdmacore50, "Dynamically Connected (DC) QPs"):
	// initiators of a process that are connected to one destination after the other.
	//
	// An initiator asks the destination's target for a connection, sends its messages when that is
	// granted, and disconnects when the next message is for another host or when it has had nothing to
	// send for [HostTimes.Linger]. A target that has no resources left refuses (CNAK); the initiator
	// comes again after [HostTimes.Busy].
	DC
)

// QueuePair returns the number of the queue pair for messages between one process each of two hosts that
// have so many.
func (v Service) QueuePair(from, to, processes int) int {
	if v == RC {
		return 1 + from*processes + to
	}
	return 1 + from
}

// QueuePairs returns the number of queue pairs that a host needs so that each of its processes can
// send to each process of so many other hosts, and the number of them that an incast from all of
// those can use to send to it at a time. The receiving halves of RC are the same queue pairs; DC's
// targets, one per process, come on top.
func (v Service) QueuePairs(processes, hosts int) (own, incast int) {
	switch v {
	case RC:
		return processes * processes * hosts, processes * processes * hosts
	case XRC:
		return processes * hosts, processes * hosts
	}
	return processes, processes * hosts
}

// HostTimes are the times that a host takes for a message, without the wire. The zero value takes
// no time, as in the HPCC simulator.
type HostTimes struct {
	Post    units.Time // from posting a message until the NIC works on it
	Fetch   units.Time // more, until the first byte comes from memory, of messages over Inline
	Inline  units.Bytes
	Deliver units.Time // from a message's last byte in memory until the process knows

	// Memory is the rate at which a packet is read from memory before it is sent, and written
	// to it after it came, while others are on the wire: at least the links' rate. 0: at once.
	Memory units.BitRate

	// DC only.
	Connect    units.Time // for each end, to set up its half of a connection
	Linger     units.Time // the lifetime of a connection without messages
	Disconnect units.Time // for the initiator, before it can serve the next destination
	Targets    int        // initiators that are connected to a host at a time; 0: any number
	Busy       units.Time // before an initiator comes again that was refused
	KeepRate   bool       // congestion control goes on where it was when a destination is come back to
}

// check demands that time goes forwards, and that memory holds no link back.
func (t *HostTimes) check(links []Link) error {
	times := []units.Time{t.Post, t.Fetch, t.Deliver, t.Connect, t.Linger, t.Disconnect, t.Busy}
	if slices.Min(times) < 0 || t.Targets < 0 || t.Inline < 0 {
		return fmt.Errorf("a host's times of %v ps, %d B inline and %d targets are not all at least 0", times, t.Inline, t.Targets)
	}
	if t.Targets > 0 && t.Busy == 0 {
		return errors.New("refused initiators that retry at once retry forever")
	}
	for i := range links {
		if t.Memory > 0 && t.Memory < links[i].Rate {
			return fmt.Errorf("hosts read their memory at %d bit/s, more slowly than link %d carries %d bit/s", t.Memory, i, links[i].Rate)
		}
	}
	return nil
}

// DCConnect and DCDisconnect are the times in which an end of a DC connection sets up its half and
// takes it down. The former is fitted to UCloud's measurements of RC and DC, see
// golden/sim_transports.txt; the latter is assumed to be the same.
const (
	DCConnect    = 1550 * units.Nanosecond
	DCDisconnect = 1550 * units.Nanosecond
)

// hostTimes is [HostTimes] in the form that the handling of packets reads.
type hostTimes struct {
	post, fetch int64 // ps
	inline      int64
	deliver     int64   // ps
	memory      float64 // ps per byte

	connect, linger, disconnect, busy int64
	targets                           int
	keepRate                          bool
}

func newHostTimes(t *HostTimes) hostTimes {
	h := hostTimes{
		post: int64(t.Post), fetch: int64(t.Fetch), inline: int64(t.Inline), deliver: int64(t.Deliver),
		connect: int64(t.Connect), linger: int64(t.Linger), disconnect: int64(t.Disconnect), busy: int64(t.Busy),
		targets: t.Targets, keepRate: t.KeepRate,
	}
	if t.Memory > 0 {
		h.memory = 8e12 / float64(t.Memory)
	}
	return h
}

// postTime returns the time from the posting of a message until its first packet can be sent, in
// ps.
func (h *hostTimes) postTime(message, payload int64) int64 {
	if message <= h.inline {
		return h.post
	}
	return h.post + h.fetch + h.memoryTime(min(message, payload))
}

// memoryTime returns the time in which bytes are read from memory or written to it, in ps.
func (h *hostTimes) memoryTime(bytes int64) int64 { return int64(h.memory * float64(bytes)) }
