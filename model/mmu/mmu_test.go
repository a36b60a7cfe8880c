package mmu

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// sketch is a switch with n ports of one slice: PG 0 lossless, PG 1 lossy, queue 0
// unlimited, queue 1 lossy with alpha 1.
func sketch(n int, shared, headroomPool units.Cells) *Config {
	port := Port{
		PGs: []PG{
			{ReservedCells: 10, Limit: DynamicLimit(0), Lossless: true, HeadroomCells: 40, HeadroomPooled: headroomPool > 0,
				XonOffsetCells: 14},
			{Limit: StaticLimit(50)},
		},
		Queues: []Queue{
			{Limit: StaticLimit(1 << 30)},
			{Pool: 1, ReservedCells: 7, Limit: DynamicLimit(0)},
		},
	}
	c := &Config{
		CellBytes: 254, Slices: 1,
		IngressPools: []Pool{{Name: "ingress", SharedCells: shared, HeadroomCells: headroomPool}},
		EgressPools:  []Pool{{Name: "lossless", SharedCells: 1 << 30}, {Name: "lossy", SharedCells: 101}},
	}
	for range n {
		c.Ports = append(c.Ports, port)
	}
	return c
}

func TestProbe(t *testing.T) {
	for _, test := range []struct {
		name   string
		rules  Rules
		shared units.Cells
		want   Probing
	}{
		// 201 shared cells, alpha 1: half is 100.5; reserve 10; headroom 40; offset 14.
		{"count, then compare", Rules{}, 201, Probing{110, 151, DropHeadroom, 14}},
		{"even pool", Rules{}, 200, Probing{110, 151, DropHeadroom, 14}},
		{"compare, then count", Rules{Admission: BeforeCell}, 201, Probing{111, 152, DropHeadroom, 14}},
		{"compare, then count, even pool", Rules{Admission: BeforeCell}, 200, Probing{110, 151, DropHeadroom, 14}},
		{"pause on excess", Rules{Pause: OnExcess}, 201, Probing{111, 151, DropHeadroom, 15}},
		{"strictly below", Rules{Admission: BelowWithCell, Pause: OnExcess}, 200, Probing{110, 150, DropHeadroom, 15}},
		// The threshold rises by a cell with every cell that leaves: half as many need to.
		{"resume below the current limit", Rules{Resume: BelowCurrentLimit}, 200, Probing{110, 151, DropHeadroom, 7}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := sketch(2, test.shared, 1000)
			c.Rules = test.rules
			got := must.Get(Probe(c, Packet{InPort: 0, OutPort: 1, Bytes: 64}, 1000))(t)
			must.NoDiff(t, cmp.Diff(test.want, got))
		})
	}
}

func TestDropReasons(t *testing.T) {
	lossless := Packet{InPort: 0, PG: 0, OutPort: 2, Queue: 0, Bytes: 64}
	second := Packet{InPort: 1, PG: 0, OutPort: 2, Queue: 0, Bytes: 64}
	lossy := Packet{InPort: 0, PG: 1, OutPort: 2, Queue: 0, Bytes: 64}
	lossyQueue := Packet{InPort: 0, PG: 0, OutPort: 2, Queue: 1, Bytes: 64}
	for _, test := range []struct {
		name     string
		config   func(*Config)
		packets  []Packet // each sent until it is dropped
		accepted []int64
		why      Outcome // of the last
	}{
		{"own headroom", func(c *Config) {}, []Packet{lossless}, []int64{10 + 50 + 40}, DropHeadroom},
		// The second PG finds 50 cells free and takes half of them.
		{"headroom pool", func(c *Config) { c.IngressPools[0].HeadroomCells = 60 }, []Packet{lossless, second},
			[]int64{10 + 50 + 40, 10 + 25 + 20}, DropHeadroomPool},
		{"lossy PG at its threshold", func(c *Config) {}, []Packet{lossy}, []int64{50}, DropIngressLimit},
		{"lossy PG, pool exhausted", func(c *Config) { c.Ports[0].PGs[1].Limit = StaticLimit(1000) },
			[]Packet{lossless, lossy}, []int64{100, 50}, DropIngressPool},
		// 101 cells, alpha 1: 50 shared and 7 reserved.
		{"egress queue", func(c *Config) {}, []Packet{lossyQueue}, []int64{57}, DropQueueLimit},
		{"egress pool", func(c *Config) {
			c.IngressPools[0].SharedCells = 1000
			c.Ports[2].Queues[1].Limit = StaticLimit(1000)
		}, []Packet{lossyQueue}, []int64{108}, DropEgressPool},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := sketch(3, 100, 100)
			test.config(c)
			m := must.Get(New(c))(t)
			var got []int64
			var why Outcome
			for _, p := range test.packets {
				n, outcome, ok := m.FillToDrop(p, 5000)
				if !ok {
					t.Fatalf("no drop after 5000 packets of %+v", p)
				}
				got, why = append(got, n), outcome
			}
			if diff := cmp.Diff(test.accepted, got); diff != "" || why != test.why {
				t.Errorf("dropped for %q, want %q; accepted %s", why, test.why, diff)
			}
		})
	}
}

func TestFixedXonHoldsUntilThere(t *testing.T) {
	c := sketch(2, 200, 1000)
	c.Ports[0].PGs[0].XonOffsetCells, c.Ports[0].PGs[0].XonCells = 0, 30
	got := must.Get(Probe(c, Packet{OutPort: 1, Bytes: 64}, 1000))(t)
	if want := int64(110 - 30); got.DrainedToResume != want {
		t.Errorf("resumed after %d packets, want %d: from 110 cells to 30", got.DrainedToResume, want)
	}
}

func TestPauseOutlivesNothing(t *testing.T) {
	c := sketch(2, 0, 1000)
	c.Ports[0].PGs[0].ReservedCells = 1
	got := must.Get(Probe(c, Packet{OutPort: 1, Bytes: 64}, 1000))(t)
	must.NoDiffIn(t, cmp.Diff(Probing{1, 42, DropHeadroom, 1}, got), "an empty PG must let its sender go: ")
}

func TestSlicesAreApart(t *testing.T) {
	c := sketch(3, 200, 1000)
	c.Slices = 2
	c.Ports[1].Slice = 1
	m := must.Get(New(c))(t)
	a, _ := m.FillToPause(Packet{InPort: 0, OutPort: 2, Bytes: 64}, 1000)
	b, _ := m.FillToPause(Packet{InPort: 1, OutPort: 2, Bytes: 64}, 1000)
	if a != 110 || b != 110 {
		t.Errorf("paused at %d and %d, want 110 in each slice", a, b)
	}
	if a, b := m.Queue(0, 2, 0).Total(), m.Queue(1, 2, 0).Total(); a != 110 || b != 110 {
		t.Errorf("the queue holds %d and %d cells of the slices, want 110", a, b)
	}
}

func TestCells(t *testing.T) {
	for _, test := range []struct {
		cell, meta units.Bytes
		bytes      int
		want       int64
	}{
		{254, 0, 64, 1}, {254, 0, 254, 1}, {254, 0, 255, 2}, {254, 64, 190, 1}, {254, 64, 191, 2},
		{1, 48, 64, 112}, {208, 64, 9216, 45}, {16, 48, 64, 7},
	} {
		c := sketch(1, 100, 100)
		c.CellBytes, c.MetadataBytes = test.cell, test.meta
		m := must.Get(New(c))(t)
		must.Equalf(t, m.Cells(test.bytes), test.want, "%d B with %d B metadata in cells of %d B: cells:", test.bytes, test.meta, test.cell)
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*Config)
		want  []string
	}{
		{"sound", func(c *Config) {}, nil},
		{"cell", func(c *Config) { c.CellBytes = 0 }, []string{"cell size in bytes is 0, want 1 to 1048576"}},
		{"no pools", func(c *Config) { c.EgressPools = nil }, []string{"there are 1 ingress and 0 egress pools", "egress pool of port 0 queue 0 is 0"}},
		{"alpha", func(c *Config) { c.Ports[0].PGs[0].Limit.Alpha = 9 }, []string{"alpha exponent of port 0 PG 0 is 9, want -8 to 8"}},
		{"slice", func(c *Config) { c.Ports[1].Slice = 1 }, []string{"slice of port 1 is 1, want 0 to 0"}},
		{"negative", func(c *Config) { c.Ports[0].PGs[0].ReservedCells = -1 }, []string{"reserve of port 0 PG 0 in cells is -1"}},
		{"lossy headroom", func(c *Config) { c.Ports[0].PGs[1].HeadroomCells = 3 }, []string{"port 0 PG 1 has 3 cells of headroom but is lossy"}},
		{"no headroom pool", func(c *Config) { c.IngressPools[0].HeadroomCells = 0 },
			[]string{"port 0 PG 0 takes 40 cells of headroom from the headroom pool of ingress pool 0, which has 0"}},
		{"too little memory", func(c *Config) { c.SliceCells = 1000 },
			[]string{"slice 0 needs 1120 cells: pools 1100 + PG reserves 20 + own headroom 0; it has 1000, which is 120 short"}},
		{"exactly enough memory", func(c *Config) { c.SliceCells = 1120 }, nil},
		{"rule", func(c *Config) { c.Rules.Admission = 3 }, []string{"rule for admission is 3, want 0 to 2"}},
		{"two at once", func(c *Config) { c.Slices = 0; c.MetadataBytes = -1 }, []string{"number of slices is 0", "metadata per packet in bytes is -1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := sketch(2, 100, 1000)
			test.spoil(c)
			err := c.Validate()
			if (err != nil) != (len(test.want) > 0) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v\nwant a line with %q", err, want)
				}
			}
		})
	}
}
