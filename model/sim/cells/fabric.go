package cells

import "math"

// Fabric is the credits of a run. The engine reports what enters and leaves its virtual output
// queues; it says who may send when, and when to ask again. The packets themselves are the
// engine's.
type Fabric struct {
	Config
	queues  []queue // VoQs: see [Fabric.Queue]
	outs    []out
	trunks  []trunk // by leaf
	members []Member

	Most int64 // bytes that were in a VoQ
}

// Classes is the number of classes of a port.
const Classes = 8

// None is no VoQ, trunk or port.
const None = -1

// Never is a time that does not come, ps.
const Never = math.MaxInt64

// Leaf is all links of a leaf into the fabric.
type Leaf struct {
	Delay   int64 // of a credit to or from the middle of the fabric, ps
	Rate    int64 // bit/s, of all together; 0 only where nothing comes from another leaf
	Latency int64 // of a packet before it asks for a credit, and of a packet behind the fabric half of it, ps
}

// Out is a port out of the fabric.
type Out struct {
	Leaf int32
	Rate int64 // bit/s
}

// trunk is [Leaf] in a run.
type trunk struct {
	delay, latency int64   // as in [Leaf]
	rate           float64 // bytes per ps towards the leaf
	free           int64   // when the credits given for it so far will be used up
}

// queue holds packets for one port and class out of the fabric.
type queue struct {
	bytes int64
	since int64 // when the foremost packet came, ps
	leaf  int32
	next  int32 // behind it in the port's turn
}

// out is a port out of the fabric that grants credits.
type out struct {
	leaf        int32
	rate        float64        // of credits, bytes per ps
	first, last int32          // VoQs with packets, in turn; or None
	next        int64          // when the next credit may be granted
	due         int64          // when [Fabric.Grant] is to be asked; or Never
	waiting     [Classes]int64 // bytes in all its VoQs
	coming      [Classes]int64
	limit       int64 // of coming, bytes
}

// Members are the links of its leaves' trunks, by link.
func New(c *Config, leaves []Leaf, outs []Out, members []Member) *Fabric {
	f := &Fabric{Config: *c, members: members, queues: make([]queue, len(leaves)*len(outs)*Classes)}
	var longest int64
	for _, l := range leaves {
		longest = max(longest, l.Delay+l.Latency/2)
		f.trunks = append(f.trunks, trunk{delay: l.Delay, latency: l.Latency, rate: float64(l.Rate) / 8e12})
	}
	for i := range f.queues {
		f.queues[i].leaf = int32(i / Classes / len(outs))
	}
	for _, o := range outs {
		rate := c.Speedup * float64(o.Rate) / 8e12
		l := &leaves[o.Leaf]
		limit := int64(rate*float64(l.Delay+l.Latency/2+longest)) + int64(c.EgressBuffer)
		f.outs = append(f.outs, out{leaf: o.Leaf, rate: rate, first: None, due: Never, limit: limit})
	}
	return f
}

// Queue returns the VoQ of a leaf for a port and class.
func (f *Fabric) Queue(leaf, out int32, class uint8) int32 {
	return (leaf*int32(len(f.outs))+out)*Classes + int32(class)
}

// Bytes returns the bytes in a VoQ.
func (f *Fabric) Bytes(queue int32) int64 { return f.queues[queue].bytes }

// Waiting returns the bytes in all VoQs for a port and class.
func (f *Fabric) Waiting(out int32, class uint8) int64 { return f.outs[out].waiting[class] }

// credit returns the time that a packet is in a leaf before the port's credit can come: it is looked up, the
// request goes to the port, and the credit back.
func (f *Fabric) credit(from, to int32) int64 {
	t := &f.trunks[from]
	if from == to {
		return t.latency
	}
	return t.latency + 2*(t.delay+f.trunks[to].delay)
}

// Came notes a packet in a VoQ for a port, and returns when to ask [Fabric.Grant]; or Never.
func (f *Fabric) Came(number, out int32, bytes, now int64) (again int64) {
	q, o := &f.queues[number], &f.outs[out]
	if q.bytes == 0 {
		q.since = now
		f.append(o, number)
	}
	q.bytes += bytes
	f.Most = max(f.Most, q.bytes)
	o.waiting[number%Classes] += bytes
	return o.ask(max(o.next, now+f.credit(q.leaf, o.leaf)))
}

// append puts a VoQ behind the others in a port's turn.
func (f *Fabric) append(o *out, number int32) {
	if f.queues[number].next = None; o.first == None {
		o.first = number
	} else {
		f.queues[o.last].next = number
	}
	o.last = number
}

// ask returns when a port wants to be asked for a credit, unless that is so earlier.
func (o *out) ask(at int64) (again int64) {
	if at >= o.due {
		return Never
	}
	o.due = at
	return at
}

// Granted is the VoQ that a credit goes to, or when to ask again.
type Granted struct {
	Queue  int32 // or None
	Across bool  // its leaf is not the port's
	Again  int64 // or Never
}

// Grant gives a port's credit to the next VoQ in turn whose request has come, which leaves the turn until
// [Fabric.Sent]. All times are those of the leaf that the credit goes to.
func (f *Fabric) Grant(out int32, now int64) Granted {
	o := &f.outs[out]
	if now != o.due {
		return Granted{Queue: None, Again: Never} // it was asked for an earlier time since
	}
	o.due = Never
	soonest, before := int64(Never), int32(None)
	for at := o.first; at != None; before, at = at, f.queues[at].next {
		q := &f.queues[at]
		if o.coming[at%Classes] >= o.limit {
			continue
		}
		if ready := q.since + f.credit(q.leaf, o.leaf); ready > now {
			soonest = min(soonest, ready)
			continue
		}
		f.unlink(o, before, at)
		return Granted{Queue: at, Across: q.leaf != o.leaf, Again: Never}
	}
	return Granted{Queue: None, Again: o.ask(max(soonest, o.next))}
}

// unlink takes a VoQ that follows another out of the turn.
func (f *Fabric) unlink(o *out, before, at int32) {
	next := f.queues[at].next
	if before == None {
		o.first = next
	} else {
		f.queues[before].next = next
	}
	if next == None {
		o.last = before
	}
}

// Sent notes what a VoQ has sent with its credit and since when its foremost packet waits, if any is left. It
// returns when to ask [Fabric.Grant]; or Never.
func (f *Fabric) Sent(number, out int32, bytes, since, now int64) (again int64) {
	q, o := &f.queues[number], &f.outs[out]
	q.bytes -= bytes
	q.since = since
	class := number % Classes
	o.waiting[class] -= bytes
	if class != 0 {
		o.coming[class] += bytes
	}
	o.next = max(o.next, now) + int64(float64(bytes)/o.rate)
	if q.leaf != o.leaf {
		t := &f.trunks[o.leaf]
		t.free = max(t.free, now) + int64(float64(bytes)/t.rate)
		o.next = max(o.next, t.free)
	}
	if q.bytes > 0 {
		f.append(o, number)
	}
	if o.first == None {
		return Never
	}
	return o.ask(o.next)
}

// Left notes that a packet is no longer on its way to a port or in it, and returns when to ask [Fabric.Grant];
// or Never. Packets of class 0 are not counted.
func (f *Fabric) Left(out int32, class uint8, bytes, now int64) (again int64) {
	o := &f.outs[out]
	o.coming[class] -= bytes
	if o.first == None {
		return Never
	}
	return o.ask(max(o.next, now))
}
