package sim

// maxHops is how many switches the INT header has room for.
const maxHops = 5

// telemetry is the INT header of a data packet and of its acknowledgement.
type telemetry struct {
	hops int // switches passed; beyond maxHops they overwrite the first
	hop  [maxHops]hopRecord
}

// hopRecord is what a switch writes, in the units and widths of the HPCC simulator's
// header (src/network/utils/int-header.h): time in ns modulo 2^24, bytes sent modulo
// 2^20 units of 128 B, queue length modulo 2^17 units of 80 B. INT_MULTI scales both
// units.
type hopRecord struct {
	rate  float64 // bit/s
	time  uint32
	bytes uint32
	queue uint32
}

const (
	intTimeMask  = 1<<24 - 1
	intBytesMask = 1<<20 - 1
	intQueueMask = 1<<17 - 1

	intByteUnit  = 128
	intQueueUnit = 80

	// intBytes is the size of the header: 8 B per hop and a count of 2 B.
	intBytes = 8*maxHops + 2
)

// stamp adds a switch's record when the packet leaves through p: the queue without the
// packet, the bytes sent before it.
func (t *telemetry) stamp(now int64, p *port, rate int64, multi uint32) {
	t.hop[t.hops%maxHops] = hopRecord{
		rate:  float64(rate),
		time:  uint32(now/1000) & intTimeMask,
		bytes: uint32(p.sent/uint64(intByteUnit*multi)) & intBytesMask,
		queue: uint32(p.backlog) / (intQueueUnit * multi) & intQueueMask,
	}
	t.hops++
}

// since is the time in ns and the bytes sent from an earlier record to this one.
func (h *hopRecord) since(before *hopRecord, multi uint32) (ns, bytes uint64) {
	ns = uint64((h.time - before.time) & intTimeMask)
	bytes = uint64((h.bytes-before.bytes)&intBytesMask) * intByteUnit * uint64(multi)
	return ns, bytes
}

func (h *hopRecord) queueBytes(multi uint32) uint32 { return h.queue * intQueueUnit * multi }
