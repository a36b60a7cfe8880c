package conweave

// destination is the state of a queue pair at the destination's leaf.
type destination struct {
	seen             uint32 // epoch
	tailed           bool   // its TAIL has come, or is not waited for
	heard            bool   // a packet of the old path has come in this epoch
	oldSent, oldCame int64  // the last of these
	holds            bool
	port             int32 // to the host, if packets are held
	awaited          int64 // when the TAIL was sent that the held packets wait for
	flushAt          int64 // while packets are held
	planned          int64 // when [Weaver.Due] is to be asked; or Never
}

// Verdict says how the destination's leaf handles a data packet, in this order.
type Verdict struct {
	Release bool  // held packets go on to the host first
	Notice  bool  // the source's leaf must avoid the packet's path
	Reply   bool  // and that the packet has come
	Again   int64 // when [Weaver.Due] is to be asked; or Never
	Hold    bool  // the packet is to be held back, as soon as it has its buffer: [Weaver.Hold]
}

// Receive judges a data packet that has come to its destination's leaf and goes out to its host by a port.
func (w *Weaver) Receive(number, port int32, now int64, t *Tag, marked bool) (v Verdict) {
	p := &w.pairs[number]
	v.Again = Never
	if t.Epoch < p.seen {
		return v
	}
	if t.Epoch > p.seen {
		v.Release = w.release(p)
		p.seen, p.tailed, p.heard = t.Epoch, false, false
	}
	v.Notice, v.Reply = marked, t.Mark != Plain
	if t.Moved {
		v.Hold = !p.tailed && w.queues(p, port)
		return v
	}
	p.heard, p.oldSent, p.oldCame = true, t.Sent, now
	switch {
	case t.Mark == Tail && p.holds:
		v.Again = p.flushBy(now)
	case t.Mark == Tail:
		p.tailed = true
	case p.holds:
		v.Again = p.flushBy(w.tailDue(p, now))
	}
	return v
}

// queues reports whether there is a reorder queue for a queue pair at a port.
func (w *Weaver) queues(p *pair, port int32) bool {
	if p.holds || w.ReorderQueues == 0 || int(w.holding[port]) < w.ReorderQueues {
		return true
	}
	w.Refused++
	return false
}

// Hold notes that a packet of the new path is held back, and returns when to ask [Weaver.Due]; or Never.
func (w *Weaver) Hold(number, port int32, now int64, t *Tag) (again int64) {
	p := &w.pairs[number]
	w.Held++
	if p.holds {
		return Never
	}
	p.holds, p.port, p.awaited = true, port, t.TailAt
	w.holding[port]++
	w.MostQueues = max(w.MostQueues, w.holding[port])
	return p.flushBy(w.tailDue(p, now))
}

// tailDue returns the time from which held packets no longer wait for a TAIL.
func (w *Weaver) tailDue(p *pair, now int64) int64 {
	if !p.heard {
		return now + int64(w.FirstWait+w.FlushSlack)
	}
	return max(now, p.oldCame+max(0, p.awaited-p.oldSent)+int64(w.FlushSlack))
}

// flushBy sets when held packets go on. A planned event is not cancelled: one of an earlier time
// finds that it is not time yet, and plans again.
func (p *pair) flushBy(at int64) (again int64) {
	p.flushAt = at
	if at >= p.planned {
		return Never
	}
	p.planned = at
	return at
}

// Due reports whether the held packets of a queue pair go on now, or when to ask again; or Never.
func (w *Weaver) Due(number int32, now int64) (release bool, again int64) {
	p := &w.pairs[number]
	if now >= p.planned {
		p.planned = Never
	}
	switch {
	case !p.holds:
		return false, Never
	case now < p.flushAt:
		return false, p.flushBy(p.flushAt)
	case now > p.oldCame:
		w.Expired++
	}
	return w.release(p), Never
}

// release lets held packets go on to their host, and those that are on their way follow.
func (w *Weaver) release(p *pair) bool {
	if !p.holds {
		return false
	}
	p.holds, p.tailed = false, true
	w.holding[p.port]--
	return true
}

// Holding returns the number of queue pairs that hold packets at a port.
func (w *Weaver) Holding(port int32) int32 { return w.holding[port] }
