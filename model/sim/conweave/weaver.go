package conweave

import "math"

// Weaver is the state of the leaves of a run. The engine reports arrivals; the weaver decides which
// path a packet takes and what is written on it, whether it is held back, what is answered, and
// when to ask again. The packets themselves, their queues and their buffer are the engine's.
type Weaver struct {
	Config
	Counts
	pairs   []pair  // queue pairs
	avoided []int64 // by path between leaves: until when it is not taken, ps
	holding []int32 // by port: queues in use
	down    []bool  // by port: it has no link; nil as long as none has failed
}

// Counts are of a run.
type Counts struct {
	Reroutes   int64 // changes of a path
	Held       int64 // packets held back
	Refused    int64 // packets that found no queue
	Expired    int64 // times that held packets went on before the TAIL
	MostQueues int32 // of a port in use
}

// pair is the state of a queue pair at its two leaves.
type pair struct {
	Paths
	source
	destination
}

// Paths are those between a queue pair's leaves.
type Paths struct {
	First []int32 // by path: the port that it begins with
	At    int32   // the records of the paths, see [Weaver.Reserve]
	RTT   int64   // between the leaves without queues, ps
}

// New knows of queue pairs by their numbers, which have no paths yet.
func New(c *Config, pairs, ports int) *Weaver {
	w := &Weaver{Config: *c, pairs: make([]pair, pairs), holding: make([]int32, ports)}
	for i := range w.pairs {
		p := &w.pairs[i]
		p.usedAt, p.deadline, p.planned = longAgo, Never, Never
	}
	return w
}

const (
	// Never is a time that does not come, ps.
	Never = math.MaxInt64

	// longAgo is the time of last use of a queue pair that was never used.
	longAgo = math.MinInt64 / 2
)

// Reserve makes place for what is known of paths, for all queue pairs between two leaves.
func (w *Weaver) Reserve(paths int) (at int32) {
	at = int32(len(w.avoided))
	w.avoided = append(w.avoided, make([]int64, paths)...)
	return at
}

// SetPaths sets the paths of a queue pair. If they are others than before, it begins a new epoch.
func (w *Weaver) SetPaths(number int32, paths Paths, others bool) {
	p := &w.pairs[number]
	if p.Paths = paths; others {
		p.usedAt = longAgo
		p.path = min(p.path, int32(max(0, len(paths.First)-1)))
	}
}

// RTT returns the round-trip time of a queue pair's paths.
func (w *Weaver) RTT(number int32) int64 { return w.pairs[number].Paths.RTT }

// SetLink notes that a port has a link or has none, as its own switch knows at once.
func (w *Weaver) SetLink(port int32, up bool) {
	if w.down == nil {
		w.down = make([]bool, len(w.holding))
	}
	w.down[port] = !up
}

// Tag holds the fields that the leaves write on a data packet.
type Tag struct {
	Sent   int64 // when it left the source's leaf, ps
	TailAt int64 // on the new path: when the TAIL did
	Epoch  uint32
	Path   int32 // among those that are reserved, for [Weaver.Noticed]
	Moved  bool  // it takes the new path
	Mark   Mark
}

// Mark says which kind of packet the leaves made of a data packet.
type Mark uint8

const (
	Plain Mark = iota
	Ask        // the first packet of an epoch
	Tail       // the last packet of the old path
)

// Reply returns the tag of the reply to a packet that asks for one or is a TAIL: which of them, and of
// which epoch the 31 low bits.
func (t *Tag) Reply() uint32 {
	reply := t.Epoch << 1
	if t.Mark == Tail {
		reply |= 1
	}
	return reply
}
