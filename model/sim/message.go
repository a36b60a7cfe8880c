package sim

// message is a [Flow] of the scenario. Its queue pair numbers the bytes of its messages one
// after the other, each from a multiple of the payload on, so that all packets but a
// message's last are full.
type message struct {
	pair       int32 // queue pair, an index in [engine.flows]
	next       int32 // the message behind it there; or none
	nextThere  int32 // the same, as the receiver knows it
	waits      int32 // messages that it waits for
	failed     bool
	bytes      int64
	begin, end int64 // sequence numbers

	earliest, delay              int64 // ps: not before, and how long after the last that it waited for
	started, delivered, finished int64 // ps
	ideal                        int64 // completion time alone on the path, of a train all its times, ps

	train
}

const none = -1

// start lets a message be posted when its host is done with its part; the time of the call may be
// before.
func (s *engine) start(i int32, at int64) {
	m := &s.messages[i]
	if m.times++; m.times == 1 {
		m.started = at + s.skipped
	}
	s.plan(taskPost, i, at+s.host.postTime(m.bytes, s.transport.payload))
}

// startFirst is [engine.start] for what has not been started; a train's other times may be due.
func (s *engine) startFirst(i int32, at int64) {
	m := &s.messages[i]
	m.released = true
	if m.pair == none {
		s.plan(taskPost, i, at)
		return
	}
	if m.ahead >= 0 {
		s.start(i, at)
	} else {
		at -= m.delay // which a time has that waits
	}
	if s.each != nil {
		s.again(i, at)
	}
}

// workDone ends a message that sends nothing.
func (s *engine) workDone(i int32) {
	m := &s.messages[i]
	m.delivered, m.finished = s.now, s.now
	s.finished++
	s.onDelivery.release(s, i, s.now)
	s.onCompletion.release(s, i, s.now)
}

// post puts a message on its queue pair, behind those that are there.
func (s *engine) post(i int32) {
	m := &s.messages[i]
	f := &s.flows[m.pair]
	if f.failed {
		if !m.failed {
			m.failed = true
			s.failed++
		}
		return
	}
	idle, before := f.done(), f.bytes
	m.begin = s.transport.wholePackets(before)
	m.end, m.next = m.begin+m.bytes, none
	if f.last != none && f.last != i {
		s.messages[f.last].next = i
	}
	f.last, f.bytes = i, m.end
	if f.next >= before {
		s.unblock(m.pair)
		f.sending, f.next, f.sendEnd = i, m.begin, m.end
	}
	if s.domain != nil {
		s.domain.tell(s, m.pair, i)
	} else {
		s.expect(m.pair, i)
	}
	if idle {
		f.completing, f.acked, f.completeEnd = i, m.begin, m.end
		f.nextSend = max(f.nextSend, s.now)
	}
	s.serve(m.pair, f, idle)
}

// serve lets the NIC take its turns with a queue pair that has something to send.
func (s *engine) serve(i int32, f *flow, wasIdle bool) {
	p := &s.ports[f.port]
	n := &s.nics[p.nic]
	if !f.listed {
		f.listed = true
		n.pairs = append(n.pairs, i)
	} else if wasIdle {
		n.finished--
	}
	n.waitsUntil = 0
	s.kick(f.port, p)
}

// wholePackets rounds a sequence number up to where a packet can begin.
func (t *transport) wholePackets(seq int64) int64 {
	return (seq + t.payload - 1) / t.payload * t.payload
}

// sendOn goes to the message behind the one whose last byte was sent, if there is one.
func (s *engine) sendOn(f *flow) {
	m := &s.messages[f.sending]
	if i := m.next; i != none {
		f.sending, f.next, f.sendEnd = i, s.messages[i].begin, s.messages[i].end
	} else if f.sendEnd < m.end { // of a train
		f.next = s.transport.wholePackets(f.sendEnd)
		f.sendEnd = f.next + m.bytes
	}
}

// sendFrom goes to a byte that is not acknowledged yet.
func (s *engine) sendFrom(i int32, f *flow, seq int64) {
	s.unblock(i)
	for i := f.completing; i != none; i = s.messages[i].next {
		m := &s.messages[i]
		if seq >= m.end {
			continue
		}
		begin, end := m.begin, m.end
		if m.repeat > 0 {
			stride := s.transport.stride(m)
			if begin = seq / stride * stride; seq >= begin+m.bytes {
				begin += stride
			}
			end = begin + m.bytes
		}
		f.sending, f.next, f.sendEnd = i, max(seq, begin), end
		return
	}
	f.next = f.bytes
}

// complete ends the messages at the sender whose bytes have all been acknowledged.
func (s *engine) complete(f *flow) {
	for f.acked >= f.completeEnd {
		i := f.completing
		m := &s.messages[i]
		over := s.now + s.host.deliver
		m.doneAt = s.now
		if m.done++; f.completeEnd < m.end { // of a train
			f.completeEnd = s.transport.wholePackets(f.completeEnd) + m.bytes
		} else if f.completing, f.completeEnd = m.next, never; m.next != none {
			f.completeEnd = s.messages[m.next].end
		}
		s.eachDone.repeat(s, i, over)
		if m.last(m.done) {
			m.finished = over + s.skipped
			s.finished++
			s.onCompletion.release(s, i, over)
		}
	}
	if f.done() {
		s.nics[s.ports[f.port].nic].finished++
		s.emptied(f)
	}
}

// waiting says which messages wait for a message: those of i are list[first[i]:first[i+1]].
// Both are nil if none waits for any.
type waiting struct {
	first, list []int32
}

// Kinds of pairs of messages: what a host knows as the receiver of the one before, and what it knows
// by its acknowledgement.
func atReceiver(before, after *Flow) bool { return before.Dst == after.Src }
func elsewhere(before, after *Flow) bool  { return !atReceiver(before, after) }

// newWaiting picks from the scenario the pairs of messages of a kind. Each message waits for those
// that waitsFor returns.
func newWaiting(flows []Flow, waitsFor func(int) []int32, is func(before, after *Flow) bool) (w waiting) {
	each := func(visit func(before, after int32)) {
		for i := range flows {
			for _, before := range waitsFor(i) {
				if is(&flows[before], &flows[i]) {
					visit(before, int32(i))
				}
			}
		}
	}
	total := int32(0)
	each(func(_, _ int32) { total++ })
	if total == 0 {
		return w
	}
	w.first, w.list = make([]int32, len(flows)+2), make([]int32, total)
	each(func(before, _ int32) { w.first[before+2]++ })
	total = 0
	for i, own := range w.first {
		total += own
		w.first[i] = total
	}
	each(func(before, after int32) {
		w.list[w.first[before+1]] = after
		w.first[before+1]++
	})
	return w
}

func (w *waiting) of(i int32) []int32 {
	if w.list == nil {
		return nil
	}
	return w.list[w.first[i]:w.first[i+1]]
}

// repeat starts the trains that wait for each time of message i, one of which was over at a time.
func (w *waiting) repeat(s *engine, i int32, over int64) {
	for _, after := range w.of(i) {
		s.again(after, over)
	}
}

// release starts the messages that have waited for nothing else than message i, which was
// over at a time.
func (w *waiting) release(s *engine, i int32, over int64) {
	for _, after := range w.of(i) {
		m := &s.messages[after]
		m.earliest = max(m.earliest, over+s.skipped+m.delay)
		if m.waits--; m.waits == 0 {
			s.startFirst(after, m.earliest-s.skipped)
		}
	}
}
