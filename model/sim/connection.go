package sim

import "github.com/roceplan/roceplan/units"

// Service is InfiniBand's kind of connection between processes of hosts.
type Service uint8

const (
	// RC is a queue pair between two processes.
	RC Service = iota
	// XRC is a queue pair from a process to all processes of a host (InfiniBand
	// Architecture Specification 1.4 Volume 1, annex A14).
	XRC
	// DC is a queue pair of a process that is connected to one destination after the
	// other, in mlx5 (providers/mlx5/man/mlx5dv_create_qp.3.md of linux-rdma/rdma-core).
	DC
)

// HostTimes is what a host takes for its part of a message, beside the wire. The zero
// value takes no time, as in the HPCC simulator.
type HostTimes struct {
	Post    units.Time    // from posting a message until its first byte is read from memory
	Deliver units.Time    // from a message's last byte in memory until the process knows
	Memory  units.BitRate // at which a packet is read from memory and written to it; 0: at once

	// DC only.
	Connect    units.Time // for each end, to set up its half of a connection
	Disconnect units.Time // for the initiator, before it can serve the next destination
	Targets    int        // initiators that are connected to a host at a time; 0: any number
	Busy       units.Time // before an initiator comes again that was refused
	KeepRate   bool       // an initiator's congestion control survives a change of destination
}

// hostTimes is [HostTimes] in the form that the handling of packets reads.
type hostTimes struct {
	post, deliver int64   // ps
	memory        float64 // ps per byte
}

func newHostTimes(t *HostTimes) hostTimes {
	h := hostTimes{post: int64(t.Post), deliver: int64(t.Deliver)}
	if t.Memory > 0 {
		h.memory = 8e12 / float64(t.Memory)
	}
	return h
}

// memoryTime is how long bytes are read from memory or written to it, in ps.
func (h *hostTimes) memoryTime(bytes int64) int64 { return int64(h.memory * float64(bytes)) }
