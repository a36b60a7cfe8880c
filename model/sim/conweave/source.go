package conweave

import "math/rand/v2"

// source is the state of a queue pair at the source's leaf.
type source struct {
	epoch    uint32
	moved    bool  // the TAIL of this epoch has been sent
	settled  bool  // the reply was in time
	path     int32 // the one in use
	usedAt   int64 // last packet, ps
	deadline int64 // of the reply; or Never
	tailAt   int64 // when the TAIL was sent
}

// Path returns the one that a queue pair uses.
func (w *Weaver) Path(number int32) int32 { return w.pairs[number].path }

// Send chooses the path of a data packet that has come to its source's leaf, and says what is written on it.
// The queue pair must have paths.
func (w *Weaver) Send(number int32, now int64, random *rand.PCG) (path int32, t Tag) {
	p := &w.pairs[number]
	t.Sent = now
	fresh := now-p.usedAt > int64(w.Expiry) || w.severed(p, p.path)
	switch {
	case fresh || p.settled:
		p.epoch, p.moved, p.settled = p.epoch+1, false, false
		p.deadline = now + p.RTT + int64(w.ReplySlack)
		t.Mark = Ask
	case now > p.deadline:
		p.deadline, p.moved, p.tailAt = Never, true, now
		t.Mark = Tail
	}
	p.usedAt = now
	if fresh {
		w.repath(p, now, random)
	}
	path = p.path
	t.Epoch, t.Path = p.epoch, p.At+path
	if t.Mark == Tail {
		w.repath(p, now, random)
	} else if p.moved {
		t.Moved, t.TailAt = true, p.tailAt
	}
	return path, t
}

// repath takes one of two paths drawn at random that is not to be avoided, if there is one; one whose link is
// down it leaves for the next one whose link is up.
func (w *Weaver) repath(p *pair, now int64, random *rand.PCG) {
	paths := int32(len(p.First))
	for range 2 {
		path := int32(random.Uint64() % uint64(paths))
		if w.avoided[p.At+path] <= now && !w.severed(p, path) {
			w.take(p, path)
			return
		}
	}
	for i := range paths {
		if path := (p.path + i) % paths; !w.severed(p, path) {
			w.take(p, path)
			return
		}
	}
}

func (w *Weaver) take(p *pair, path int32) {
	if path != p.path {
		w.Reroutes++
	}
	p.path = path
}

// severed reports whether the first link of a path is down.
func (w *Weaver) severed(p *pair, path int32) bool { return w.down != nil && w.down[p.First[path]] }

// Replied notifies the source's leaf of a reply.
func (w *Weaver) Replied(number int32, reply uint32, now int64) {
	p := &w.pairs[number]
	epoch, tail := reply>>1, reply&1 != 0
	if epoch == p.epoch&(1<<31-1) && tail == p.moved && (tail || now < p.deadline) {
		p.settled, p.deadline = true, Never
	}
}

// Noticed notifies the source's leaf that a packet was marked by ECN on a path.
func (w *Weaver) Noticed(path int32, now int64) { w.avoided[path] = now + int64(w.PathPause) }
