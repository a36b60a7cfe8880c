package sim

// maxHops is the number of switches for which the INT header has room.
const maxHops = 5

// intBytes is the size of the header on the wire: 8 B per hop and a count of 2 B.
const intBytes = 8*maxHops + 2

// telemetry is the INT header of a data packet and of its acknowledgement.
type telemetry struct {
	hop  [maxHops]hopRecord
	rate [maxHops]uint8 // of the hop's link, an index in [engine.txTimes]
	port [maxHops]int32 // that wrote the record: what the header's path ID is for (HPCC, section 4.1)
	hops uint8          // switches passed; beyond maxHops they overwrite the first
}

// hopRecord is the record of a switch, in the units and widths of the HPCC simulator's header
// (src/network/utils/int-header.h), 8 B in all: time in ns modulo 2^24, bytes sent modulo 2^20
// units of 128 B, queue length modulo 2^17 units of 80 B. INT_MULTI scales both units.
type hopRecord uint64

const (
	intTimeMask  = 1<<24 - 1
	intBytesMask = 1<<20 - 1
	intQueueMask = 1<<17 - 1

	intBytesShift = 24
	intQueueShift = 24 + 20

	intByteUnit  = 128
	intQueueUnit = 80
)

func newHopRecord(now int64, sent uint64, queue, multi uint32) hopRecord {
	time := uint64(now/1000) & intTimeMask
	bytes := sent / uint64(intByteUnit*multi) & intBytesMask
	units := uint64(queue/(intQueueUnit*multi)) & intQueueMask
	return hopRecord(time | bytes<<intBytesShift | units<<intQueueShift)
}

// stamp adds a switch's record when the packet leaves through p: the queue without the
// packet, the bytes sent before it.
func (t *telemetry) stamp(now int64, pi int32, p *port, multi uint32) {
	i := t.hops % maxHops
	t.hop[i] = newHopRecord(now, p.sent, uint32(p.backlog), multi)
	t.rate[i], t.port[i] = p.rateIndex, pi
	t.hops++
}

// older reports whether a record was written before another one, both less than half the clock's
// 16.8 ms apart.
func (h hopRecord) older(than hopRecord) bool {
	return uint64(h-than)&intTimeMask > intTimeMask/2
}

// since returns the time in ns and the bytes sent from an earlier record to this one.
func (h hopRecord) since(before hopRecord, multi uint32) (ns, bytes uint64) {
	ns = uint64(h-before) & intTimeMask
	bytes = uint64(h>>intBytesShift-before>>intBytesShift) & intBytesMask
	return ns, bytes * intByteUnit * uint64(multi)
}

func (h hopRecord) queueBytes(multi uint32) uint32 {
	return uint32(h>>intQueueShift) * intQueueUnit * multi
}
