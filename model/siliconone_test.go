package model

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// chipOf is a chip of nobody's with these data, such as `cell_size = "100B"`.
func chipOf(t *testing.T, family chips.Family, data ...string) *chips.Chip {
	t.Helper()
	text := fmt.Sprintf("chip \"mine\" {\n  title  = \"Mine\"\n  vendor = \"Me\"\n  family = %q\n", family)
	for _, datum := range data {
		name, value, _ := strings.Cut(datum, " = ")
		text += fmt.Sprintf("  %s {\n    value      = %s\n    confidence = \"assumed\"\n    source     = \"this test\"\n  }\n", name, value)
	}
	c, found := chips.Load(chips.Source{Name: "mine.hcl", Text: []byte(text + "}\n")})
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	chip, _ := c.Find("mine")
	return chip
}

// oneGroup is a switch with a port of one lossless group, one lossy group and two queues, over a
// pool of 40,000 B on either side.
func oneGroup(edit func(lossless, lossy *plan.PG, queue *plan.Queue, in *plan.Pool)) *plan.Switch {
	static := plan.Of(plan.Limit{Static: 1050}, nil)
	in := plan.Pool{Name: "in", Size: plan.Of(units.Bytes(40_000), nil)}
	qos := &plan.PortQoS{
		PGs: []plan.PG{
			{ID: 0, Pool: "in", Limit: plan.Of(plan.Limit{Dynamic: true}, nil), XOn: plan.Of(units.Bytes(350), nil)},
			{ID: 3, Pool: "in", Lossless: true, Headroom: plan.Of(units.Bytes(2000), nil), Limit: plan.Of(plan.Limit{Dynamic: true}, nil), XOn: plan.Of(units.Bytes(450), nil), XOnOffset: plan.Of(units.Bytes(250), nil)},
		},
		Queues: []plan.Queue{{ID: 0, Pool: "out", Limit: static}, {ID: 3, Pool: "out", Limit: plan.Of(plan.Limit{Dynamic: true}, nil)}},
	}
	if edit != nil {
		edit(&qos.PGs[1], &qos.PGs[0], &qos.Queues[1], &in)
	}
	return &plan.Switch{Names: []string{"s"}, Ports: []plan.Port{{Name: "p", QoS: qos}}, Pools: []plan.Pool{in, {Name: "out", Direction: plan.Egress, Size: plan.Of(units.Bytes(40_000), nil)}}}
}

// Each rule of the hardware tests (sonic-mgmt tests/qos/files/cisco/qos_param_generator.py) by
// itself, in cells of 100 B. A group is lossless unless it is said.
func TestSiliconOneByHand(t *testing.T) {
	dynamic := func(alpha units.Alpha) plan.Derived[plan.Limit] {
		return plan.Of(plan.Limit{Dynamic: true, Alpha: alpha}, nil)
	}
	headroomBits := func(n int) []string {
		return []string{fmt.Sprintf("headroom_bits = %d", n), `headroom_cell_size = "16B"`}
	}
	headroomOf := func(c *mmu.Config) any { return c.Ports[0].PGs[3].HeadroomCells }
	wants := func(headroom units.Bytes) func(lossless, lossy *plan.PG, queue *plan.Queue, in *plan.Pool) {
		return func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Headroom.Value = headroom }
	}
	for _, c := range []struct {
		what string
		data []string
		edit func(lossless, lossy *plan.PG, queue *plan.Queue, in *plan.Pool)
		get  func(c *mmu.Config) any
		want any
	}{
		{"a chip that says nothing has what is free", nil, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{Dynamic: true}},
		{"steps of thresholds", []string{"threshold_bits = 5"}, nil, func(c *mmu.Config) any {
			return [3]mmu.Limit{c.Ports[0].PGs[3].Limit, c.Ports[0].Queues[3].Limit, c.Ports[0].Queues[0].Limit}
		},
			[3]mmu.Limit{{Dynamic: true, Code: mmu.Code{Bits: 5}}, {Dynamic: true, Code: mmu.Code{Bits: 5}}, {StaticCells: 10}}},
		{"the next step for queues", []string{"threshold_bits = 5", `queue_code = "next"`}, nil, func(c *mmu.Config) any { return c.Ports[0].Queues[3].Limit }, mmu.Limit{Dynamic: true, Code: mmu.Code{Bits: 5, Next: true}}},
		{"and not for groups", []string{"threshold_bits = 5", `queue_code = "next"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit.Code.Next }, false},

		// 40,000 B and alpha 1 are the whole pool, 400 cells; 1/4 is 100; a static limit is itself
		{"a share of the whole pool", []string{`threshold_of = "pool"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 400}},
		{"a quarter of it", []string{`threshold_of = "pool"`}, func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Limit = dynamic(-2) }, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 100}},
		{"a static limit of it", []string{`threshold_of = "pool"`}, func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Limit = plan.Of(plan.Limit{Static: 1999}, nil) }, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 19}},
		{"no more than the whole pool", []string{`threshold_of = "pool"`}, func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Limit = dynamic(1) }, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 400}},
		// 90 % of a queue of 20,000 B less 2,000 B of headroom are 16,000 B; a lossy group has the pool
		{"below the depth of a queue", []string{`threshold_of = "pool"`, `queue_depth = "20000B"`, `pause_depth = "90%"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 160}},
		{"a lossy group", []string{`threshold_of = "pool"`, `queue_depth = "20000B"`, `pause_depth = "90%"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[0].Limit }, mmu.Limit{StaticCells: 400}},
		{"without a share, below all of the depth", []string{`threshold_of = "pool"`, `queue_depth = "20000B"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 180}},
		{"headroom beyond the depth leaves nothing", []string{`threshold_of = "pool"`, `queue_depth = "1900B"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{}},
		{"one cell beside the headroom", []string{`threshold_of = "pool"`, `queue_depth = "2100B"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[3].Limit }, mmu.Limit{StaticCells: 1}},
		{"a queue is no longer than its depth", []string{`queue_depth = "20000B"`, "threshold_bits = 5"}, nil, func(c *mmu.Config) any { return c.Ports[0].Queues[3].Limit }, mmu.Limit{StaticCells: 200}},
		{"a queue of a share", []string{`queue_depth = "20000B"`}, func(_, _ *plan.PG, q *plan.Queue, _ *plan.Pool) { q.Limit = dynamic(-2) }, func(c *mmu.Config) any { return c.Ports[0].Queues[3].Limit }, mmu.Limit{StaticCells: 100}},
		{"depths are divided over slices", []string{`queue_depth = "20000B"`, "slices = 2", `threshold_of = "pool"`}, nil, func(c *mmu.Config) any {
			return [2]units.Cells{c.Ports[0].Queues[3].Limit.StaticCells, c.Ports[0].PGs[3].Limit.StaticCells}
		}, [2]units.Cells{100, 90}},

		// 2,000 B in units of 32 B are 62; a packet takes 64 B or two units more, 65 B or three
		{"units of headroom", []string{`headroom_cell_size = "32B"`, `headroom_overhead = "64B"`}, nil, func(c *mmu.Config) any {
			return [3]int64{int64(c.HeadroomUnit), c.HeadroomOverhead, int64(c.Ports[0].PGs[3].HeadroomCells)}
		}, [3]int64{32, 2, 62}},
		{"an overhead of whole units", []string{`headroom_cell_size = "32B"`, `headroom_overhead = "65B"`}, nil, func(c *mmu.Config) any { return c.HeadroomOverhead }, int64(3)},
		{"no overhead", []string{`headroom_cell_size = "32B"`}, nil, func(c *mmu.Config) any { return c.HeadroomOverhead }, int64(0)},
		{"units of a pool of it", []string{`headroom_cell_size = "32B"`, `pool_size = "gross-pool"`}, func(_, _ *plan.PG, _ *plan.Queue, in *plan.Pool) { in.Headroom.Value = 4000 }, func(c *mmu.Config) any {
			return [2]units.Cells{c.IngressPools[0].HeadroomCells, c.IngressPools[0].SharedCells}
		}, [2]units.Cells{125, 360}},
		// four bits, counted in units of 16 B: 2,000 has eleven bits, so steps of 128, of which sixteen
		// are 2,048; 1,536 are twelve, and 1,537 are thirteen, 1,664; 240 is 15 · 16; 272 has nine bits,
		// so steps of 32, of which nine are 288
		{"headroom in four bits", headroomBits(4), nil, headroomOf, units.Cells(2048 / 16)},
		{"a step that is met", headroomBits(4), wants(1536), headroomOf, units.Cells(1536 / 16)},
		{"a byte more than a step", headroomBits(4), wants(1537), headroomOf, units.Cells(1664 / 16)},
		{"fifteen steps", headroomBits(4), wants(240), headroomOf, units.Cells(15)},
		{"steps of two units", headroomBits(4), wants(272), headroomOf, units.Cells(18)},
		{"one bit", headroomBits(1), wants(272), headroomOf, units.Cells(32)},
		{"more bits than it has", headroomBits(40), wants(272), headroomOf, units.Cells(17)},

		{"a level of its own to resume at", []string{`resume_at = "3000B"`}, nil, func(c *mmu.Config) any {
			g := c.Ports[0].PGs[3]
			return [2]units.Cells{g.XonCells, g.XonOffsetCells}
		}, [2]units.Cells{30, 0}},
		{"for lossless groups alone", []string{`resume_at = "3000B"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[0].XonCells }, units.Cells(3)},
		{"a level as a share", []string{`resume_of = "4000B"`}, func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Limit = dynamic(-1) }, func(c *mmu.Config) any {
			g := c.Ports[0].PGs[3]
			return [2]units.Cells{g.XonCells, g.XonOffsetCells}
		}, [2]units.Cells{20, 0}},
		{"no share of what is static", []string{`resume_of = "4000B"`}, func(g, _ *plan.PG, _ *plan.Queue, _ *plan.Pool) { g.Limit = plan.Of(plan.Limit{Static: 1000}, nil) }, func(c *mmu.Config) any {
			g := c.Ports[0].PGs[3]
			return [2]units.Cells{g.XonCells, g.XonOffsetCells}
		}, [2]units.Cells{4, 2}},
		{"no share for a lossy group", []string{`resume_of = "4000B"`}, nil, func(c *mmu.Config) any { return c.Ports[0].PGs[0].XonCells }, units.Cells(3)},
		{"what no queue gets", []string{`egress_kept = "1000B"`}, nil, func(c *mmu.Config) any { return c.EgressPools[0].SharedCells }, units.Cells(390)},
		{"more than there is", []string{`egress_kept = "50000B"`}, nil, func(c *mmu.Config) any { return c.EgressPools[0].SharedCells }, units.Cells(0)},
		{"one cell of it", []string{`egress_kept = "39900B"`}, nil, func(c *mmu.Config) any { return c.EgressPools[0].SharedCells }, units.Cells(1)},
	} {
		config, err := Buffer(oneGroup(c.edit), chipOf(t, chips.SiliconOneFam, append(c.data, `cell_size = "100B"`)...))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if got := c.get(config); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
	other, err := Buffer(oneGroup(nil), chipOf(t, chips.XGS, `cell_size = "100B"`, "threshold_bits = 5", `headroom_cell_size = "32B"`))
	if err != nil || other.HeadroomUnit != 0 || other.Ports[0].PGs[3].Limit.Code.Bits != 0 || other.Ports[0].PGs[3].HeadroomCells != 20 {
		t.Errorf("a chip of another family: %v %+v", err, other)
	}
}

// What a buffer has of its chip: the size of cells, the memory of a slice in whole cells, bytes beside
// each packet, and how it compares.
func TestBufferOfAChip(t *testing.T) {
	sw := oneGroup(nil)
	if _, err := Buffer(sw, chipOf(t, chips.XGS)); !errors.As(err, new(*chips.Unknown)) || !strings.Contains(err.Error(), "cell_size") {
		t.Errorf("without a size of cells: %v", err)
	}
	if _, err := NewSwitch(sw, chipOf(t, chips.XGS), nil); !errors.As(err, new(*chips.Unknown)) {
		t.Errorf("a switch without a size of cells: %v", err)
	}
	config, err := Buffer(sw, chipOf(t, chips.XGS, `cell_size = "100B"`))
	if err != nil || config.SliceCells != 0 || config.MetadataBytes != 0 || config.Slices != 1 || config.CellBytes != 100 || config.Rules != (mmu.Rules{}) {
		t.Errorf("of what nobody knows: %v %+v", err, config)
	}
	// 1,000,099 B are 10,000 cells, in three slices 3,333
	data := []string{`cell_size = "100B"`, `packet_buffer = "1000099B"`, "slices = 3", `packet_metadata = "16B"`, `admission = "before_cell"`, `pause = "on_excess"`, `xoff_decided = "end"`}
	config, err = Buffer(sw, chipOf(t, chips.XGS, data...))
	if err != nil || config.SliceCells != 3333 || config.MetadataBytes != 16 || config.Slices != 3 || config.Rules != (mmu.Rules{Admission: mmu.BeforeCell, Pause: mmu.OnExcess, Decided: mmu.AtEnd}) {
		t.Errorf("%v %+v", err, config)
	}
	if config, _ = Buffer(sw, chipOf(t, chips.XGS, append(data, `usable_buffer = "900000B"`)...)); config.SliceCells != 3000 {
		t.Errorf("%d cells of a slice can be used, want 3000", config.SliceCells)
	}
}

// What a pool's size holds besides what it shares: nothing, its headroom, or reserves as well. Of
// 40,000 B in cells of 100 B a lossless group reserves 500 B, owns 2,000 B, and a queue 300 B.
func TestMeaningsOfPoolSizes(t *testing.T) {
	whole := oneGroup(func(_, _ *plan.PG, _ *plan.Queue, in *plan.Pool) { in.Size.Value = 39_999 })
	whole.Pools[1].Size.Value = 39_999
	if config, err := Buffer(whole, chipOf(t, chips.XGS, `cell_size = "100B"`, `pool_size = "net"`)); err != nil || config.IngressPools[0].SharedCells != 399 || config.EgressPools[0].SharedCells != 399 {
		t.Errorf("a byte less than 400 cells: %v %+v", err, config)
	}
	for _, c := range []struct {
		meaning string
		pooled  units.Bytes
		want    units.Cells
	}{
		{"net", 0, 400}, {"net", 4000, 400},
		{"gross-pool", 0, 400}, {"gross-pool", 4000, 360},
		{"gross", 0, 400 - 5 - 20 - 3}, {"gross", 4000, 360 - 5 - 3}, {"gross", 50_000, 0},
	} {
		sw := oneGroup(func(g, _ *plan.PG, q *plan.Queue, in *plan.Pool) {
			g.Reserved.Value, q.Reserved.Value, in.Headroom.Value = 500, 300, c.pooled
		})
		config, err := Buffer(sw, chipOf(t, chips.XGS, `cell_size = "100B"`, fmt.Sprintf("pool_size = %q", c.meaning)))
		if err != nil || config.IngressPools[0].SharedCells != c.want {
			t.Errorf("%s with %v of headroom: %v %+v, want %d", c.meaning, c.pooled, err, config, c.want)
		}
	}
}

// A lossy group drops at its threshold: what a file says of its headroom is never used.
func TestLossyGroupsHaveNoHeadroom(t *testing.T) {
	sw := oneGroup(func(_, lossy *plan.PG, _ *plan.Queue, in *plan.Pool) {
		lossy.Headroom.Value, in.Headroom.Value = 2000, 4000
	})
	config, err := Buffer(sw, chipOf(t, chips.XGS, `cell_size = "100B"`))
	if err != nil || config.Ports[0].PGs[0].HeadroomCells != 0 || config.Ports[0].PGs[0].HeadroomPooled || config.Ports[0].PGs[3].HeadroomCells != 20 || !config.Ports[0].PGs[3].HeadroomPooled {
		t.Errorf("%v %+v", err, config)
	}
}

// On Spectrum the size of a lossless profile covers its headroom, unless a pool has that; what is
// reserved is the rest, in cells of 100 B.
func TestReserveOfSpectrum(t *testing.T) {
	for _, c := range []struct {
		family           chips.Family
		reserved, pooled units.Bytes
		lossless, lossy  units.Cells
	}{
		{chips.Spectrum, 3000, 0, 10, 30}, {chips.Spectrum, 3000, 1, 30, 30}, {chips.Spectrum, 2000, 0, 0, 20}, {chips.Spectrum, 1000, 0, 0, 10}, {chips.Spectrum, 2100, 0, 1, 21},
		{chips.XGS, 3000, 0, 30, 30},
	} {
		sw := oneGroup(func(g, l *plan.PG, _ *plan.Queue, in *plan.Pool) {
			g.Reserved.Value, l.Reserved.Value, in.Headroom.Value = c.reserved, c.reserved, c.pooled
		})
		config, err := Buffer(sw, chipOf(t, c.family, `cell_size = "100B"`))
		if err != nil || config.Ports[0].PGs[3].ReservedCells != c.lossless || config.Ports[0].PGs[0].ReservedCells != c.lossy {
			t.Errorf("%+v: %v %+v", c, err, config)
		}
	}
}
