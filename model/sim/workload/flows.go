package workload

import "github.com/roceplan/roceplan/units"

// flows reads a flow file of the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control, scratch/third.cc): the
// number of flows, and for each one its source, destination, priority group, port, bytes and start in seconds. Hosts are
// ranks; the class is the traffic's.
func (r *reader) flows(w *words) {
	count, at := w.integer("the number of flows", 0, maxNodes/2)
	for i := int64(0); i < count && !w.broken; i++ {
		src, _ := w.integer("a flow's source", 0, maxRanks-1)
		dst, at := w.integer("a flow's destination", 0, maxRanks-1)
		w.integer("a flow's priority group", 0, 7)
		w.integer("a flow's destination port", 0, 65535)
		bytes, _ := w.integer("a flow's size", 1, int64(maxBytes))
		start := w.seconds("a flow's start")
		if src == dst && !w.broken {
			w.wrong(at, "a flow goes from host %d to itself", src).Fixf("name two different hosts")
		}
		r.Ranks = max(r.Ranks, int(src)+1, int(dst)+1)
		r.join(Comm{
			Kind: Send, Bytes: units.Bytes(bytes), Start: units.Time(start),
			Nodes: []int32{r.node(Node{Rank: int32(src)}), r.node(Node{Rank: int32(dst)})},
		})
	}
	if len(r.Comms) == 0 && !w.broken {
		w.wrong(at, "the file has no flows").Fixf("write one flow in each line: source, destination, bytes and start")
	}
}
