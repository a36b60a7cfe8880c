package workload

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// A chakraTrace is the state of reading the traces of ranks.
type chakraTrace struct {
	*reader
	groups  map[string]map[int32]bool // ranks, by name
	open    map[meeting]*met          // collectives of which not all have come
	posted  map[route][]int32         // sends without a receive yet
	waiting map[route][]int32         // and the other way round
	bytes   map[int32]units.Bytes
}

// A meeting is the n-th collective of a group; a route leads from a rank to another one with a tag.
type meeting struct {
	group string
	n     int
}
type route struct{ from, to, tag int64 }

// met are those that have come to a meeting, each rank once, as it counts its own.
type met struct {
	comm Comm
	size int
	at   diag.Range
}

// chakra reads the traces of all ranks, and the groups that they name, a JSON {"NAME": [RANK, …], …} as ASTRA-sim has it;
// who names no group means all. Members of a group meet in the order of their traces, and so do messages of
// one tag.
func (r *reader) chakra(fsys fs.FS, traces, groups []string) {
	t := &chakraTrace{reader: r, groups: map[string]map[int32]bool{}, open: map[meeting]*met{}, posted: map[route][]int32{}, waiting: map[route][]int32{}, bytes: map[int32]units.Bytes{}}
	r.Ranks = len(traces)
	if len(traces) > maxRanks {
		r.found.Errorf(TraceTooLarge, start(traces[0]), "%d traces, more than %d", len(traces), maxRanks).Fixf("give the traces of at most %d ranks", maxRanks)
		return
	}
	for _, name := range groups {
		if text := r.content(fsys, name); text != nil {
			t.readGroups(name, text)
		}
	}
	for i, name := range traces {
		parts := strings.Split(strings.TrimSuffix(path.Base(name), ".et"), ".")
		if rank, err := strconv.Atoi(parts[len(parts)-1]); err != nil || rank != i {
			r.found.Errorf(TraceInconsistent, start(name), "the trace is number %d in order, and its name does not end in .%d.et", i, i).
				Fixf("name the traces NAME.0.et to NAME.%d.et, one for each rank", len(traces)-1)
			return
		}
	}
	for rank, name := range traces {
		t.rank(int32(rank), name, r.content(fsys, name)) // of nothing, where it cannot be read
		if r.found.HasErrors() {
			return
		}
	}
	t.alone()
}

func (t *chakraTrace) readGroups(name string, text []byte) {
	var lists map[string][]int32
	if err := json.Unmarshal(text, &lists); err != nil {
		t.found.Errorf(TraceValue, start(name), "not the groups of a trace: %v", err).Fixf(`write {"0": [0, 1, 2, 3], …}`)
		return
	}
	for _, group := range slices.Sorted(maps.Keys(lists)) {
		seen := map[int32]bool{}
		for _, rank := range lists[group] {
			if rank < 0 || int(rank) >= t.Ranks || seen[rank] {
				t.found.Errorf(TraceInconsistent, start(name), "group %q has rank %d, which is there twice or not among the %d traces", clip(group), rank, t.Ranks).Fixf("give a trace for each rank of the group, and each rank once")
				return
			}
			seen[rank] = true
		}
		t.groups[group] = seen
		t.room(0, len(seen), start(name))
	}
}

// rank reads one trace. Nodes may wait for such as come later in the file.
func (t *chakraTrace) rank(rank int32, name string, text []byte) {
	of, first := map[uint64]int32{}, len(t.Nodes)
	var deps [][]uint64
	came := map[string]int{} // collectives, by group
	broken := messages(text, func(at int64, message []byte) bool {
		n := newNode(maxEdges-t.edges, at)
		if !n.decode(message) {
			return false
		}
		if _, twice := of[n.id]; twice {
			t.found.Errorf(TraceInconsistent, t.place(name, n), "there are two nodes %d", n.id).Fixf("give each node of a trace its own id")
			return false
		}
		if n.micros > uint64(maxTime/units.Microsecond) {
			t.found.Errorf(TraceValue, t.place(name, n), "node %d takes %d us, which is above %v", n.id, n.micros, maxTime).Fixf("write a duration of at most %v", maxTime)
			return false
		}
		if !t.room(1, len(n.deps), t.place(name, n)) {
			return false
		}
		of[n.id] = t.node(Node{Rank: rank, Comm: none})
		deps = append(deps, n.deps)
		t.take(of[n.id], n, name, came)
		return !t.found.HasErrors()
	})
	if broken != none && !t.found.HasErrors() {
		t.found.Errorf(TraceUnreadable, start(name), "the trace is broken at byte %d", broken).Fixf("write the trace again: messages of et_def.proto, each behind its length")
	}
	for i, list := range deps {
		if t.found.HasErrors() {
			return
		}
		for _, id := range list {
			before, ok := of[id]
			if !ok {
				t.found.Errorf(TraceInconsistent, start(name), "a node waits for node %d, which is not in the trace", id).Fixf("record the trace again, so that all nodes that others wait for are in it")
				return
			}
			t.Nodes[first+i].After = append(t.Nodes[first+i].After, before)
		}
	}
}

// place returns the place of a node: a trace is not text, so its place is a byte.
func (t *chakraTrace) place(name string, n *etNode) diag.Range {
	at := start(name)
	at.Start.Byte, at.End.Byte = int(n.offsetBytes), int(n.offsetBytes)
	return at
}

// take gives a node what it does.
func (t *chakraTrace) take(node int32, n *etNode, name string, came map[string]int) {
	own := &t.Nodes[node]
	switch n.kind {
	case etSend:
		t.meet(node, n, name, route{int64(own.Rank), n.number("comm_dst", none), n.number("comm_tag", 0)}, t.posted, t.waiting, true)
	case etReceive:
		t.meet(node, n, name, route{n.number("comm_src", none), int64(own.Rank), n.number("comm_tag", 0)}, t.waiting, t.posted, false)
	case etTogether:
		t.together(node, n, name, came)
	default:
		own.Time = units.Time(n.micros) * units.Microsecond
	}
}

// size returns the size of a communication; it is reported where it is out of range.
func (t *chakraTrace) size(n *etNode, name string) units.Bytes {
	size := n.number("comm_size", 0)
	if size < 0 || size > int64(maxBytes) {
		t.found.Errorf(TraceValue, t.place(name, n), "node %d: comm_size is %d, which is outside of 0 to %d", n.id, size, int64(maxBytes)).Fixf("write a comm_size of at most %d", int64(maxBytes))
		return 0
	}
	return units.Bytes(size)
}

// meet joins a send and a receive. Those that come first are kept in mine, and looked for in others.
func (t *chakraTrace) meet(node int32, n *etNode, name string, on route, mine, others map[route][]int32, sends bool) {
	if min(on.from, on.to) < 0 || max(on.from, on.to) >= int64(t.Ranks) || on.from == on.to {
		t.found.Errorf(TraceInconsistent, t.place(name, n), "node %d goes from rank %d to rank %d of %d", n.id, on.from, on.to, t.Ranks).Fixf("name two different ranks from 0 to %d", t.Ranks-1)
		return
	}
	size := t.size(n, name)
	there := others[on]
	if len(there) == 0 {
		mine[on], t.bytes[node] = append(mine[on], node), size
		return
	}
	peer := there[0]
	if others[on] = there[1:]; len(there) == 1 {
		delete(others, on)
	}
	c := Comm{Kind: Send, Bytes: max(size, t.bytes[peer]), Nodes: []int32{peer, node}}
	if delete(t.bytes, peer); sends {
		c.Nodes = []int32{node, peer}
	}
	t.join(c)
}

// kindsOfChakra are Chakra's collectives (CollectiveCommType of et_def.proto); a barrier is an all-reduce of next to nothing.
func kindOfChakra(code int64) (kind Kind, ok bool) {
	kinds := map[int64]Kind{0: AllReduce, 1: Reduce, 2: AllGather, 5: Broadcast, 6: AllToAll, 7: ReduceScatter, 8: ReduceScatter, 9: AllReduce}
	kind, ok = kinds[code]
	return kind, ok
}

// barrierBytes is the size of a barrier's message.
const barrierBytes = 64

// together takes a node to the next meeting of its group.
func (t *chakraTrace) together(node int32, n *etNode, name string, came map[string]int) {
	code := n.number("comm_type", none)
	kind, ok := kindOfChakra(code)
	if !ok {
		t.found.Errorf(TraceUnsupported, t.place(name, n), "node %d: the collective %d is not known", n.id, code).
			Fixf("gather and scatter can be written as sends")
		return
	}
	group := n.words["pg_name"]
	members, named := t.groups[group]
	size := len(members)
	switch {
	case group == "":
		size = t.Ranks
	case !named:
		t.found.Errorf(TraceInconsistent, t.place(name, n), "node %d: there is no group %q", n.id, clip(group)).Fixf("put a JSON file of the groups beside the traces")
		return
	}
	at := meeting{group, came[group]}
	came[group]++
	rank := t.Nodes[node].Rank
	m := t.open[at]
	if m == nil {
		m = &met{comm: Comm{Kind: kind, Bytes: t.size(n, name)}, size: size, at: t.place(name, n)}
		if code == 9 {
			m.comm.Bytes = barrierBytes
		}
		if kind == AllGather { // ASTRA-sim's size is the data of each rank at first (astra-sim/system/collective/Ring.cc)
			m.comm.Bytes = min(maxBytes, m.comm.Bytes*units.Bytes(size))
		}
		t.open[at] = m
	}
	if m.comm.Kind != kind || !members[rank] && named {
		t.found.Errorf(TraceInconsistent, t.place(name, n), "node %d: collective %d of group %q is of another kind at other ranks, or the rank is not of the group", n.id, at.n+1, clip(group)).Fixf("record the traces of all ranks in one run, so that their collectives match").
			Notef(m.at, "the first of them is here")
		return
	}
	if m.comm.Nodes = append(m.comm.Nodes, node); len(m.comm.Nodes) == m.size {
		t.join(m.comm)
		delete(t.open, at)
	}
}

// alone reports operations that wait for one that does not come: the first in order.
func (t *chakraTrace) alone() {
	if len(t.open) > 0 {
		at := stable.Sorted(maps.Keys(t.open), func(a, b meeting) int { return cmp.Or(cmp.Compare(a.group, b.group), a.n-b.n) })[0]
		m := t.open[at]
		t.found.Errorf(TraceInconsistent, m.at, "collective %d of group %q: %d of %d members take part", at.n+1, clip(at.group), len(m.comm.Nodes), m.size).Fixf("give the traces of all members of the group, of one run")
	}
	tell := func(open map[route][]int32, what string) {
		if len(open) == 0 {
			return
		}
		on := stable.Sorted(maps.Keys(open), func(a, b route) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.tag, b.tag))
		})[0]
		t.found.Errorf(TraceInconsistent, diag.Range{}, "a message from rank %d to rank %d with tag %d is %s", on.from, on.to, on.tag, what).Fixf("give the traces of both ranks, of one run")
	}
	tell(t.posted, "sent and not received")
	tell(t.waiting, "waited for and not sent")
}
