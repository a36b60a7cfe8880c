package sim

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// What is known of a host from the search for its neighbour is what a search of its own finds:
// every path and round trip, where links are alike and where they are not.
func TestTwins(t *testing.T) {
	sc := leafSpine(4, 6, 3)
	for i := range sc.Links {
		if i%5 == 0 {
			sc.Links[i].Delay += units.Microsecond
		}
	}
	topo := newTopology(sc)
	var shared tree
	taken := 0
	for root, kind := range sc.Nodes {
		if kind != Host {
			continue
		}
		if len(shared.order) > 0 && topo.twins(shared.root, root) {
			taken++
		}
		var own tree
		shared.find(topo, root, 1000, clock{})
		own.find(topo, root, 1000, clock{})
		for node := range sc.Nodes {
			a, b := shared.steps[node], own.steps[node]
			if a.rank, b.rank = 0, 0; a != b {
				t.Fatalf("from %d to %d: %+v, by a search of its own %+v", node, root, a, b)
			}
			for port := range uint16(8) {
				key := balance.Key{Src: address(node), Dst: address(root), SrcPort: port, DstPort: 4791}
				if node != root && !slices.Equal(shared.path(topo, node, key), own.path(topo, node, key)) {
					t.Fatalf("another path from %d to %d", node, root)
				}
			}
		}
	}
	if taken == 0 {
		t.Error("no search was spared")
	}
}
