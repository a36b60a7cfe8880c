package sim

// A queue pair with [Transport.Selective] knows of each packet whether it has come, and sends again
// only what has not, as AWS's Scalable Reliable Datagram does (Shalev et al., "A Cloud-Optimized
// Transport Protocol for Elastic and Scalable HPC", IEEE Micro 2020): no order between packets, one
// acknowledgement each, and the message is complete when all have come. [Spray] replaces SRD's own
// choice among its paths. SRD's congestion control is not published in detail and not modelled.
//
// A packet is lost when [Transport.AckTimeout] has passed since it was sent. The timer is the
// first missing one's; with it go all others that are lost by then.

// selective is the sender's half of a queue pair.
type selective struct {
	confirmed []uint64 // a bit per packet
	sentAt    []int64  // by packet, ps

	// While what is missing and was sent until lostAt is sent again, resume is the first byte
	// not sent yet.
	sendingAgain   bool
	lostAt, resume int64
}

func (q *selective) has(packet int64) bool { return q.confirmed[packet/64]>>(packet%64)&1 != 0 }

// confirm notes that a packet has come, and returns the first byte that is missing.
func (s *engine) confirm(i int32, f *flow, seq int64) int64 {
	q, full := &s.selective[i], s.transport.payload
	packet := seq / full
	q.confirmed[packet/64] |= 1 << (packet % 64)
	first := f.acked
	for packet = first / full; first < f.bytes && q.has(packet); packet++ {
		first = min(f.bytes, (packet+1)*full)
	}
	if first > f.acked {
		f.retries = 0
		if first < f.bytes {
			f.waitsSince = q.sentAt[first/full] // not sent yet: it will be set then
		}
	}
	return first
}

// sendMissing sends again what is lost.
func (s *engine) sendMissing(i int32, f *flow) {
	q := &s.selective[i]
	if !q.sendingAgain {
		q.sendingAgain, q.resume = true, f.next
	}
	q.lostAt = s.now - s.transport.ackTimeout
	s.sendFrom(i, f, f.acked)
}

// skip goes on to the next packet that is missing or, behind those that are lost, to what has
// not been sent yet.
func (s *engine) skip(i int32, f *flow) {
	q, full := &s.selective[i], s.transport.payload
	if !q.sendingAgain {
		return
	}
	seq := f.next
	for seq < q.resume && (q.has(seq/full) || q.sentAt[seq/full] > q.lostAt) {
		seq = (seq/full + 1) * full
	}
	if seq >= q.resume {
		q.sendingAgain, seq = false, q.resume
	}
	if seq != f.next {
		s.sendFrom(i, f, seq)
	}
}
