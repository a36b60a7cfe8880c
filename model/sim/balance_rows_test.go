package sim

import (
	"slices"
	"testing"
)

// Hosts of one switch share their table of next hops, which are those of tables of their own.
func TestRowsPerEdgeSwitch(t *testing.T) {
	const leaves, hosts = 4, 6
	sc := leafSpine(leaves, hosts, 3)
	sc.Balancing.Mode = Spray
	topo := newTopology(sc)
	rows := func(share bool) *balancerBuilder {
		b, shared := newBalancer(sc), &tree{}
		b.share = share
		for root, kind := range sc.Nodes {
			if kind == Host {
				b.row(topo, shared, shared.find(topo, root, 1000, clock{}))
			}
		}
		return b
	}
	few, all := rows(true), rows(false)
	if want := leaves * len(sc.Nodes); len(few.sets) != want || len(all.sets) != want*hosts {
		t.Errorf("tables of %d and %d entries, want %d and %d", len(few.sets), len(all.sets), want, want*hosts)
	}
	for root, row := range few.rows {
		for node, kind := range sc.Nodes {
			a, b := few.hopsAt(int32(node), &packet{route: row}), all.hopsAt(int32(node), &packet{route: all.rows[root]})
			if kind == Switch && (!slices.Equal(a, b) || len(a) == 0) {
				t.Fatalf("from %d to %d: %v, with a table of its own %v", node, root, a, b)
			}
		}
	}
	sc.Outages = []Outage{{}}
	if newBalancer(sc).share {
		t.Error("a host whose link may fail shares the table of its neighbours")
	}
}
