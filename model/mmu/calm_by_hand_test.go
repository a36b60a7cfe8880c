package mmu

import (
	"reflect"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// calmOne is a switch with one port, cells of 100 B, a priority group with a reserve of 10 and a queue.
func calmOne(group, queue Limit, shared, egress units.Cells, port ...Bound) *Config {
	c := one()
	c.IngressPools[0].SharedCells, c.EgressPools[0].SharedCells = shared, egress
	c.Ports[0].PGs[0].Limit, c.Ports[0].Queues[0].Limit, c.Ports[0].Ingress = group, queue, port
	return c
}

// A switch without queues has nothing that could be anywhere, and is calm.
func TestCalmWithoutQueues(t *testing.T) {
	c := one()
	c.Ports[0].Queues = nil
	m := must.Get(New(c))(t)
	if calm := m.Calm(nil, map[int]int64{0: 20}, 9); calm == nil || len(calm.groups)+len(calm.turns) != 0 {
		t.Errorf("%+v", calm)
	}
}

// Packets of 9 cells at most, of which 20 cells may be in the switch and not be counted: half of each pool may be in
// use, so 471 of 1,000 are free. With a limit of 400 a 400th cell is admitted to a group that has 399 and its reserve
// of 10, less the 20 and the packet that goes beyond: 380. A queue of 500 has 499, less all that may come.
func TestCalmByHand(t *testing.T) {
	const uncounted, largest = 20, 9
	for name, c := range map[string]struct {
		config              *Config
		group, queue, bound int64 // never: nothing bounds the port
		most                int64
	}{
		"static":           {calmOne(StaticLimit(400), StaticLimit(500), 1000, 2000), 399 + 10 - 29, 499 - 29, never, 0},
		"as much as free":  {calmOne(DynamicLimit(0), StaticLimit(500), 1000, 2000), 470 + 10 - 29, 499 - 29, never, 0},
		"half of the free": {calmOne(DynamicLimit(-1), StaticLimit(500), 1000, 2000), 234 + 10 - 29, 499 - 29, never, 0},
		"a bounded port":   {calmOne(StaticLimit(400), StaticLimit(500), 1000, 2000, Bound{Limit: StaticLimit(300)}), 399 + 10 - 29, 499 - 29, 299 - 29, 0},
		"large":            {calmOne(StaticLimit(40_000), StaticLimit(50_000), 100_000, 200_000), 39_999 + 10 - 29, 49_999 - 29, never, 39_980},
		"just large":       {calmOne(StaticLimit(9_020), StaticLimit(50_000), 100_000, 200_000), 9_000, 49_999 - 29, never, 9_000},
		"not yet large":    {calmOne(StaticLimit(9_019), StaticLimit(50_000), 100_000, 200_000), 8_999, 49_999 - 29, never, 0},
		"a large bound":    {calmOne(StaticLimit(40_000), StaticLimit(50_000), 100_000, 200_000, Bound{Limit: StaticLimit(20_000)}), 39_980, 49_970, 19_970, 19_970},
		"a large queue":    {calmOne(StaticLimit(40_000), StaticLimit(30_000), 100_000, 200_000), 39_980, 29_970, never, 29_970},
		"a large pool":     {calmOne(StaticLimit(40_000), StaticLimit(50_000), 60_000, 200_000), 39_980, 49_970, never, 30_000},
		"an egress pool":   {calmOne(StaticLimit(40_000), StaticLimit(50_000), 100_000, 40_000), 39_980, 39_971, never, 20_000},
	} {
		m := must.Get(New(c.config))(t)
		calm := m.Calm([]Packet{{}}, map[int]int64{0: uncounted}, largest)
		bound := int64(never)
		if len(calm.bounds) > 0 {
			bound = calm.bounds[0]
		}
		if calm.pgs[0] != c.group || calm.queues[0] != c.queue || bound != c.bound || calm.most != c.most {
			t.Errorf("%s: group %d, queue %d, port %d, least %d; want %d, %d, %d, %d", name, calm.pgs[0], calm.queues[0], bound, calm.most, c.group, c.queue, c.bound, c.most)
		}
		if got := int64(c.config.IngressPools[0].SharedCells) / 2; calm.ingress[0] != got || calm.egress[0] != int64(c.config.EgressPools[0].SharedCells)/2 {
			t.Errorf("%s: half of the pools is %d and %d", name, calm.ingress[0], calm.egress[0])
		}
		// Cell by cell: within all bounds, at half of each, and relaxed below half of the least.
		cell := Packet{Bytes: 100}
		for held := int64(1); held <= min(c.group, c.queue, c.bound+10, calm.ingress[0]+10, calm.egress[0])+1; held++ {
			if v := m.Enqueue(&cell); v.Dropped() {
				t.Fatalf("%s: cell %d is dropped", name, held)
			}
			within := held <= c.group && held <= c.queue && held-10 <= c.bound && held-10 <= calm.ingress[0] && held <= calm.egress[0]
			half := held <= c.group/2 && held <= c.queue/2 && held-10 <= c.bound/2 && held-10 <= calm.ingress[0]/2 && held <= calm.egress[0]/2
			if calm.Holds(&cell) != within || calm.Returns() != half {
				t.Fatalf("%s: with %d cells it holds: %v, and is back: %v", name, held, calm.Holds(&cell), calm.Returns())
			}
			if calm.Relax(); (m.loose > 0) != (held < c.most/2) {
				t.Fatalf("%s: with %d cells it is relaxed: %v", name, held, m.loose > 0)
			}
			calm.Settle()
		}
	}
	for name, config := range map[string]*Config{
		"a pool for less than comes": calmOne(StaticLimit(400), StaticLimit(500), 56, 2000),
		"an egress pool for less":    calmOne(StaticLimit(400), StaticLimit(500), 1000, 56),
		"a group for less":           calmOne(StaticLimit(19), StaticLimit(500), 1000, 2000),
		"a queue for less":           calmOne(StaticLimit(400), StaticLimit(29), 1000, 2000),
		"a port for less":            calmOne(StaticLimit(400), StaticLimit(500), 1000, 2000, Bound{Limit: StaticLimit(29)}),
	} {
		if m, _ := New(config); m.Calm([]Packet{{}}, map[int]int64{0: uncounted}, largest) != nil {
			t.Errorf("%s: it may be calm", name)
		}
	}
}

// A relaxed buffer of a least bound of 9,000 cells counts the rest with the cell beyond it, and is the same then as one
// that counted all.
func TestRelaxedUpToTheLeastBound(t *testing.T) {
	config := calmOne(StaticLimit(9_020), StaticLimit(50_000), 100_000, 200_000)
	m, _ := New(config)
	counted, _ := New(config)
	m.Calm([]Packet{{}}, map[int]int64{0: 20}, 9).Relax()
	cell := Packet{Bytes: 100}
	for held := 1; held <= 9_001; held++ {
		m.Enqueue(&cell)
		counted.Enqueue(&cell)
		if (m.loose > 0) != (held <= 9_000) {
			t.Fatalf("with %d cells it is relaxed: %v", held, m.loose > 0)
		}
	}
	if got := m.PG(0, 0); got.Reserved != 10 || got.Shared != 8_991 || !reflect.DeepEqual(m, counted) {
		t.Errorf("%v, counted %v", m, counted)
	}
}

// Half of each pool of each part may be in use. What a chip holds as a mantissa of four bits is less by one in eight at
// most: of 5 cells and 95 that are free 50 and a reserve of 10 make 60, less 7 and one, 42 of which are no reserve.
func TestCalmOfParts(t *testing.T) {
	c := one()
	c.Slices = 2
	c.IngressPools = []Pool{{Name: "in", SharedCells: 1000}, {Name: "second", SharedCells: 600}}
	c.EgressPools = []Pool{{Name: "out", SharedCells: 2000}, {Name: "third", SharedCells: 800}}
	m := must.Get(New(c))(t)
	calm := m.Calm(nil, nil, 1)
	if !slices.Equal(calm.ingress, []int64{500, 300, 500, 300}) || !slices.Equal(calm.egress, []int64{1000, 400, 1000, 400}) {
		t.Errorf("%v, %v", calm.ingress, calm.egress)
	}
	a := newAccount(0, 10, Limit{Dynamic: true, Code: Code{Bits: 4}}, WithCell)
	must.Equalf(t, a.least(5, 95), 42, "cells:")
}
