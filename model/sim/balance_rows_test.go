package sim

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/sim/balance"
)

// Hosts of one switch share their table of next hops, which are those of tables of their own.
func TestRowsPerEdgeSwitch(t *testing.T) {
	const leaves, hosts = 4, 6
	sc := leafSpine(leaves, hosts, 3)
	sc.Balancing.Mode = balance.Spray
	topo := newTopology(sc)
	rows := func(share bool) *nextHops {
		h, shared := newNextHops(sc), &tree{}
		h.share = share
		for root, kind := range sc.Nodes {
			if kind == Host {
				h.row(topo, shared, shared.find(topo, root, 1000, clock{}))
			}
		}
		return h
	}
	few, all := rows(true), rows(false)
	if want := leaves * len(sc.Nodes); few.Entries() != want || all.Entries() != want*hosts {
		t.Errorf("tables of %d and %d entries, want %d and %d", few.Entries(), all.Entries(), want, want*hosts)
	}
	for root, row := range few.rows {
		if (row != none) != (sc.Nodes[root] == Host) {
			t.Errorf("node %d has row %d", root, row)
		}
		if row == none {
			continue
		}
		for node, kind := range sc.Nodes {
			a, b := few.At(row, int32(node)), all.At(all.rows[root], int32(node))
			if kind == Switch && (!slices.Equal(a, b) || len(a) == 0) {
				t.Fatalf("from %d to %d: %v, with a table of its own %v", node, root, a, b)
			}
		}
	}
	sc.Outages = []Outage{{}}
	if newNextHops(sc).share {
		t.Error("a host whose link may fail shares the table of its neighbours")
	}
}
