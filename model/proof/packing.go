package proof

import (
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/units"
)

// A packing answers how many cells the packets of a class can fill that come in over a
// stretch of wire: how a peer would have to cut its data to fill a buffer fastest.
//
// A packet of k cells is best made as short as possible: just long enough to spill into its last
// cell. The rest is a knapsack of unlimited items, the shortest packet of each k. Its solution over
// length becomes periodic: from some length on, one more of the packet with the best ratio is
// always right. So the table ends where that has held for as long as the longest item, after which
// it holds for ever.
type packing struct {
	mostCells []int64 // mostCells[s] cells fit s bytes on the wire
	period    int64   // wire bytes of the packet with the best ratio
	gain      int64   // its cells
	last      int64   // cells of the largest packet
}

// item is the shortest packet of some number of cells.
type item struct{ wire, cells int64 }

func newPacking(cell, metadata, largest units.Bytes) *packing {
	p := &packing{last: int64((largest + metadata).CeilCells(cell))}
	items := shortest(int64(cell), int64(metadata), int64(largest))
	best := items[0]
	for _, it := range items {
		if it.cells*best.wire > best.cells*it.wire {
			best = it
		}
	}
	p.period, p.gain = best.wire, best.cells
	p.tabulate(items)
	return p
}

// shortest lists the shortest packet of each number of cells, ascending.
func shortest(cell, metadata, largest int64) (items []item) {
	smallest, gap := int64(model.SmallestFrame), int64(model.InterFrame)
	first := units.CeilMulDiv(smallest+metadata, 1, cell)
	for k := first; ; k++ {
		length := max(smallest, (k-1)*cell+1-metadata)
		if length > largest && k > first {
			return items
		}
		items = append(items, item{length + gap, k})
	}
}

// tabulate fills the table, dropping items that shorter ones replace.
func (p *packing) tabulate(items []item) {
	var useful []item
	var unsteady int64 // the last length at which one more of the best packet was not right
	longest := items[len(items)-1].wire
	for s := int64(0); s-unsteady <= longest; s++ {
		var value int64 // of one byte less no more, since that holds of what each item leaves
		for _, it := range useful {
			if it.wire <= s {
				value = max(value, it.cells+p.mostCells[s-it.wire])
			}
		}
		if len(items) > 0 && items[0].wire == s {
			if items[0].cells > value {
				value = items[0].cells
				useful = append(useful, items[0])
			}
			items = items[1:]
		}
		p.mostCells = append(p.mostCells, value)
		if s < p.period || p.mostCells[s-p.period]+p.gain != value {
			unsteady = s
		}
	}
}

// cells returns the most cells of packets whose wire bytes are at most s.
func (p *packing) cells(s int64) int64 {
	if n := int64(len(p.mostCells)); s >= n {
		turns := (s-n)/p.period + 1
		return turns*p.gain + p.mostCells[s-turns*p.period]
	}
	return p.mostCells[s]
}

// mixed returns the most cells of packets whose wire bytes are at most s, if at most the share of
// them and of some more largest packets is of the smallest size, and the others are of the largest.
func mixed(s int64, cell, metadata, largest units.Bytes, share units.Ratio, extra int64) int64 {
	small, large := (model.SmallestFrame + metadata).CeilCells(cell), (largest + metadata).CeilCells(cell)
	slot, frame := int64(model.PauseWire), int64(largest+model.InterFrame)
	var cells int64
	for b := int64(0); b*frame <= s; b++ {
		// a ≤ share·(a + b + extra), that is a ≤ share·(b + extra)/(1 − share)
		a := min((s-b*frame)/slot, units.FloorMulDiv(b+extra, int64(share), int64(units.One-share)))
		cells = max(cells, a*int64(small)+b*int64(large))
	}
	return cells
}
