package balance

import (
	"math"
	"slices"
)

// Flowlets are the switches' tables of what took which way last. Flows share entries by a hash, as in hardware.
type Flowlets struct {
	gap   int64
	nodes [][slots]entry
}

type entry struct {
	last int64 // packet, ps
	port int32
}

// slots is the number of entries of a switch.
const slots = 1 << 10

func newFlowlets(gap int64, nodes int) *Flowlets {
	f := &Flowlets{gap, make([][slots]entry, nodes)}
	for node := range f.nodes {
		for i := range f.nodes[node] {
			f.nodes[node][i].last = math.MinInt64 / 2 // longer ago than any gap
		}
	}
	return f
}

// entry returns the entry of a flow at a node: by the upper bits of the product with the golden ratio
// (Knuth, "The Art of Computer Programming", vol. 3, 6.4). 3, 6.4).
func (f *Flowlets) entry(node int32, flow uint64) *entry {
	return &f.nodes[node][flow*0x9e3779b97f4a7c15>>54]
}

// Goes notes that a packet of a flow is at a node, and returns the port that the one before took; over is
// that the flowlet has ended, or that the port is none of the next hops.
func (f *Flowlets) Goes(node int32, flow uint64, now int64, hops []int32) (port int32, over bool) {
	e := f.entry(node, flow)
	over = now-e.last > f.gap || !slices.Contains(hops, e.port)
	e.last = now
	return e.port, over
}

// Takes notes the port of a new flowlet.
func (f *Flowlets) Takes(node int32, flow uint64, port int32) { f.entry(node, flow).port = port }
