package mmu

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// one is a switch with a port in one slice, cells of 100 B, a lossless PG 0 and a lossy PG 1, and a
// queue that never refuses: 10 cells of reserve, 90 of pool.
func one() *Config {
	return &Config{
		CellBytes: 100, Slices: 1, IngressPools: []Pool{{Name: "in", SharedCells: 90, HeadroomCells: 8}}, EgressPools: []Pool{{Name: "out", SharedCells: 1000}},
		Ports: []Port{{
			PGs: []PG{
				{ReservedCells: 10, Limit: StaticLimit(20), Lossless: true, HeadroomCells: 5},
				{ReservedCells: 10, Limit: StaticLimit(20)},
			},
			Queues: []Queue{{Limit: StaticLimit(1000)}, {ReservedCells: 2, Limit: StaticLimit(3)}},
		}},
	}
}

// Figures at their bounds are taken, one beyond is refused and named with both bounds.
func TestValidateBounds(t *testing.T) {
	const most = 1 << 40
	for what, c := range map[string]struct {
		set       func(c *Config, v int64)
		low, high int64
	}{
		"cell size in bytes":                            {func(c *Config, v int64) { c.CellBytes = units.Bytes(v) }, 1, 1 << 20},
		"metadata per packet in bytes":                  {func(c *Config, v int64) { c.MetadataBytes = units.Bytes(v) }, 0, 1 << 20},
		"unit of the headroom in bytes":                 {func(c *Config, v int64) { c.HeadroomUnit = units.Bytes(v) }, 0, 1 << 20},
		"units of headroom beside a packet's length":    {func(c *Config, v int64) { c.HeadroomOverhead = v }, 0, 1 << 20},
		"rule for admission":                            {func(c *Config, v int64) { c.Rules.Admission = Admission(v) }, 0, 2},
		"rule for pause":                                {func(c *Config, v int64) { c.Rules.Pause = Pause(v) }, 0, 1},
		"rule for resume":                               {func(c *Config, v int64) { c.Rules.Resume = Resume(v) }, 0, 1},
		"shared part of ingress pool 0 (in) in cells":   {func(c *Config, v int64) { c.IngressPools[0].SharedCells = units.Cells(v) }, 0, most},
		"headroom pool of ingress pool 0 (in) in cells": {func(c *Config, v int64) { c.IngressPools[0].HeadroomCells = units.Cells(v) }, 0, most},
		"shared part of egress pool 0 (out) in cells":   {func(c *Config, v int64) { c.EgressPools[0].SharedCells = units.Cells(v) }, 0, most},
		"headroom pool of egress pool 0 (out) in cells": {func(c *Config, v int64) { c.EgressPools[0].HeadroomCells = units.Cells(v) }, 0, most},
		"ingress pool of port 0 PG 0":                   {func(c *Config, v int64) { c.Ports[0].PGs[0].Pool = int(v) }, 0, 0},
		"reserve of port 0 PG 0 in cells":               {func(c *Config, v int64) { c.Ports[0].PGs[0].ReservedCells = units.Cells(v) }, 0, most},
		"headroom of port 0 PG 0 in cells":              {func(c *Config, v int64) { c.Ports[0].PGs[0].HeadroomCells = units.Cells(v) }, 0, most},
		"xon of port 0 PG 0 in cells":                   {func(c *Config, v int64) { c.Ports[0].PGs[0].XonCells = units.Cells(v) }, 0, most},
		"xon offset of port 0 PG 0 in cells":            {func(c *Config, v int64) { c.Ports[0].PGs[0].XonOffsetCells = units.Cells(v) }, 0, most},
		"static threshold of port 0 PG 1 in cells":      {func(c *Config, v int64) { c.Ports[0].PGs[1].Limit.StaticCells = units.Cells(v) }, 0, most},
		"alpha exponent of port 0 PG 1":                 {func(c *Config, v int64) { c.Ports[0].PGs[1].Limit = DynamicLimit(units.Alpha(v)) }, -8, 8},
		"bits of the threshold of port 0 PG 1":          {func(c *Config, v int64) { c.Ports[0].PGs[1].Limit.Code.Bits = uint8(v) }, 0, 32},
		"egress pool of port 0 queue 1":                 {func(c *Config, v int64) { c.Ports[0].Queues[1].Pool = int(v) }, 0, 0},
		"reserve of port 0 queue 1 in cells":            {func(c *Config, v int64) { c.Ports[0].Queues[1].ReservedCells = units.Cells(v) }, 0, most},
		"pool of a bound of the ingress of port 0":      {func(c *Config, v int64) { c.Ports[0].Ingress = []Bound{{Pool: int(v)}} }, 0, 0},
		"pool of a bound of the egress of port 0":       {func(c *Config, v int64) { c.Ports[0].Egress = []Bound{{Pool: int(v)}} }, 0, 0},
		"static threshold of egress of port 0 in cells": {func(c *Config, v int64) { c.Ports[0].Egress = []Bound{{Limit: StaticLimit(units.Cells(v))}} }, 0, most},
		"slice of port 0":                               {func(c *Config, v int64) { c.Slices, c.Ports[0].Slice = 3, int(v) }, 0, 2},
		"number of PGs of port 0":                       {func(c *Config, v int64) { c.Ports[0].PGs = make([]PG, max(v, 0)) }, 0, 8},
		"number of queues of port 0":                    {func(c *Config, v int64) { c.Ports[0].Queues = make([]Queue, max(v, 0)) }, 0, 16},
		"number of slices":                              {func(c *Config, v int64) { c.Slices = int(v) }, 1, 64},
	} {
		for _, v := range []int64{c.low, c.high} {
			config := one()
			c.set(config, v)
			if err := config.Validate(); err != nil {
				t.Errorf("%s of %d: %v", what, v, err)
			}
		}
		beyond := []int64{c.high + 1, c.low - 1}
		if strings.HasPrefix(what, "number of PGs") || strings.HasPrefix(what, "number of q") {
			beyond = beyond[:1]
		}
		for _, v := range beyond {
			config := one()
			c.set(config, v)
			if v < 0 && (strings.HasPrefix(what, "rule") || strings.HasPrefix(what, "bits")) {
				v += 256 // they have no sign
			}
			if err, want := config.Validate(), fmt.Sprintf("mmu: %s is %d, want %d to %d", what, v, c.low, c.high); err == nil || strings.Split(err.Error(), "\n")[0] != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}

// What does not go together.
func TestValidateTogether(t *testing.T) {
	for _, c := range []struct {
		set  func(c *Config)
		want string
	}{
		{func(c *Config) { c.IngressPools = nil; c.Ports = nil }, "mmu: there are 0 ingress and 1 egress pools, want at least one of each"},
		{func(c *Config) { c.EgressPools = nil; c.Ports = nil }, "mmu: there are 1 ingress and 0 egress pools, want at least one of each"},
		{func(c *Config) { c.Ports[0].PGs[1].HeadroomCells = 1 }, "mmu: port 0 PG 1 has 1 cells of headroom but is lossy, so it drops at its threshold and never uses them"},
		{func(c *Config) { c.IngressPools[0].HeadroomCells = 0; c.Ports[0].PGs[0].HeadroomPooled = true }, "mmu: port 0 PG 0 takes 5 cells of headroom from the headroom pool of ingress pool 0, which has 0 cells"},
		{func(c *Config) { c.IngressPools[0].HeadroomCells = 1; c.Ports[0].PGs[0].HeadroomPooled = true }, ""},
		{func(c *Config) { c.Ports[0].Egress = []Bound{{}, {}} }, "mmu: the egress of port 0 has two bounds in pool 0"},
		// 90 shared and 8 pooled, 20 reserved, 5 of its own.
		{func(c *Config) { c.SliceCells = 123 }, ""},
		{func(c *Config) { c.SliceCells = 122 }, "mmu: slice 0 needs 123 cells: pools 98 + PG reserves 20 + own headroom 5; it has 122, which is 1 short"},
		// Headroom in units of 50 B: 8 are 4 cells, 5 are 3.
		{func(c *Config) { c.SliceCells, c.HeadroomUnit = 117, 50 }, ""},
		{func(c *Config) { c.SliceCells, c.HeadroomUnit = 116, 50 }, "mmu: slice 0 needs 117 cells: pools 94 + PG reserves 20 + own headroom 3; it has 116, which is 1 short"},
		{func(c *Config) { c.SliceCells = 118; c.Ports[0].PGs[0].HeadroomPooled = true }, ""},
		{func(c *Config) { c.SliceCells, c.Slices, c.Ports[0].Slice = 97, 2, 1 }, "mmu: slice 0 needs 98 cells: pools 98 + PG reserves 0 + own headroom 0; it has 97, which is 1 short\n" +
			"mmu: slice 1 needs 123 cells: pools 98 + PG reserves 20 + own headroom 5; it has 97, which is 26 short"},
	} {
		config := one()
		c.set(config)
		err := config.Validate()
		if got := fmt.Sprint(err); got != c.want && (c.want != "" || err != nil) {
			t.Errorf("%s, want %s", got, c.want)
		}
		if m, err := New(config); (m == nil) != (c.want != "") || (err == nil) != (c.want == "") {
			t.Errorf("%s: %v, %v", c.want, m, err)
		}
	}
}

// What a chip makes of a number with a mantissa of three bits, and the step above it.
func TestCodes(t *testing.T) {
	for n, want := range map[int64][2]int64{0: {0, 1}, 6: {6, 7}, 7: {7, 8}, 8: {8, 10}, 9: {8, 10}, 10: {10, 12}, 15: {14, 16}, 16: {16, 20}, 39: {32, 40}, 1000: {896, 1024}} {
		must.Equalf(t, (Code{Bits: 3}).of(n), want[0], "%d is held as", n)
		must.Equalf(t, (Code{Bits: 3, Next: true}).of(n), want[1], "the step above %d is", n)
		if got := (Code{Bits: 3, Next: true}).down(n); got != want[0] {
			t.Errorf("%d is %d downwards, want %d", n, got, want[0])
		}
		must.Equalf(t, (Code{Next: true}).of(n), n, "%d is held as", n)
	}
	// 2^-1 of what is free, of 90: 30 meet it. With a reserve of 10 they are 40, which a mantissa of four bits holds;
	// with one of 9 they are 39, which it holds as 36.
	for reserve, want := range map[units.Cells]int64{10: 40, 9: 36} {
		c := one()
		c.Ports[0].PGs[1] = PG{ReservedCells: reserve, Limit: Limit{Dynamic: true, Alpha: -1, Code: Code{Bits: 4}}}
		m := must.Get(New(c))(t)
		accepted, why, ok := m.FillToDrop(Packet{PG: 1, Bytes: 100}, 1000)
		if accepted != want || why != DropIngressLimit || !ok {
			t.Errorf("a reserve of %d: %d packets, %v", reserve, accepted, why)
		}
	}
	c := one()
	c.Ports[0].PGs[1].Limit.Code = Code{Bits: 3} // 20 are a number with three bits, 23 are not
	for limit, want := range map[units.Cells]int64{20: 30, 23: 30, 24: 34} {
		c.Ports[0].PGs[1].Limit.StaticCells = limit
		m := must.Get(New(c))(t)
		if accepted, _, _ := m.FillToDrop(Packet{PG: 1, Bytes: 100}, 1000); accepted != want {
			t.Errorf("a limit of %d: %d packets, want %d", limit, accepted, want)
		}
	}
}

// Headroom in units of 32 B and one more for each packet: a packet of 250 B of which a cell or
// more lies there takes nine of them, and with its last cell all are free again.
func TestHeadroomInUnits(t *testing.T) {
	c := one()
	c.HeadroomUnit, c.HeadroomOverhead = 32, 1
	c.Ports[0].PGs[0].HeadroomCells, c.Ports[0].PGs[0].HeadroomPooled, c.IngressPools[0].HeadroomCells = 27, true, 100
	m, err := New(c)
	must.Do(t, err)
	p := Packet{Bytes: 250} // three cells
	for range 10 {          // 30 cells: the reserve and the limit
		m.Enqueue(&p)
	}
	for i := int64(1); i <= 3; i++ {
		if v := m.Enqueue(&p); v.Dropped() || v.Headroom != 3 || m.held[0] != 9*i || m.PG(0, 0).Headroom != units.Cells(3*i) || m.IngressPool(0, 0).Headroom != units.Cells(9*i) {
			t.Fatalf("packet %d: %+v, %d units, %+v", i, v, m.held[0], m.PG(0, 0))
		}
	}
	if v := m.Enqueue(&p); v.Outcome != DropHeadroom {
		t.Errorf("a fourth one: %+v", v)
	}
	small := Packet{Bytes: 50} // a cell, three units
	for i, want := range []int64{24, 21, 18, 15, 12, 9, 6, 3, 0} {
		if m.Dequeue(&small); m.held[0] != want || m.PG(0, 0).Headroom != units.Cells(8-i) {
			t.Errorf("after %d: %d units, %+v", i+1, m.held[0], m.PG(0, 0))
		}
	}
	if m.IngressPool(0, 0).Headroom != 0 {
		t.Errorf("the pool: %+v", m.IngressPool(0, 0))
	}
	c.IngressPools[0].HeadroomCells = 17 // not two packets
	if m, err = New(c); err != nil {
		t.Fatal(err)
	}
	accepted, why, _ := m.FillToDrop(p, 1000)
	if accepted != 11 || why != DropHeadroomPool {
		t.Errorf("%d packets, %v", accepted, why)
	}
}

// A port's bound of 25 cells beside limits of 20 for each group and 1000 for each queue.
func TestBoundsByHand(t *testing.T) {
	c := one()
	c.Slices, c.Ports[0].Slice = 2, 1
	c.IngressPools = append([]Pool{{Name: "other", SharedCells: 7}}, c.IngressPools...)
	c.EgressPools = append([]Pool{{Name: "other", SharedCells: 7}}, c.EgressPools...)
	c.Ports[0].PGs[0].Pool, c.Ports[0].PGs[1].Pool, c.Ports[0].Queues[0].Pool, c.Ports[0].Queues[1].Pool = 1, 1, 1, 0
	c.Ports = append([]Port{{}}, c.Ports...) // a port that owns nothing
	c.Ports[1].Ingress = []Bound{{Pool: 1, Limit: StaticLimit(25)}}
	c.Ports[1].Egress = []Bound{{Pool: 1, Limit: StaticLimit(42)}}
	m, err := New(c)
	must.Do(t, err)
	lossless, lossy := Packet{InPort: 1, OutPort: 1, Bytes: 100}, Packet{InPort: 1, OutPort: 1, PG: 1, Bytes: 100}
	boundOf := func(m *MMU, group int) int64 { return m.bounds[m.pgs[MaxPGs+group].bound-1].shared } // of port 1
	bound := func(group int) int64 { return boundOf(m, group) }
	for range 25 {
		m.Enqueue(&lossless)
	}
	accepted, why, ok := m.FillToDrop(lossy, 100)
	if accepted != 17 || !ok || why != DropPortLimit { // the queue's 42 first
		t.Errorf("%d lossy packets, %v", accepted, why)
	}
	if in, out := bound(0), m.EgressBound(1, 1, 0); in != 15+7 || out != 42 || m.EgressBound(0, 1, 0) != 0 || m.EgressBound(1, 1, 1) != 0 {
		t.Errorf("%d at ingress, %d at egress", in, out)
	}
	for range 5 {
		m.Dequeue(&lossless)
	}
	if accepted, why, _ = m.FillToDrop(lossy, 100); accepted != 5 || why != DropPortLimit || bound(1) != 10+12 {
		t.Errorf("%d more, %v, %d", accepted, why, bound(1))
	}
	m.Dequeue(&lossless)
	m.Dequeue(&lossless)
	m.Dequeue(&lossless) // 7 of it and 13 of the other are shared
	if accepted, why, _ = m.FillToDrop(lossy, 100); accepted != 3 || bound(1) != 7+15 {
		t.Errorf("%d more, %v, %d", accepted, why, bound(1))
	}
	clone := m.Clone()
	state := m.String() + fmt.Sprint(m.PG(1, 0), m.Queue(1, 1, 0), bound(0), m.EgressBound(1, 1, 0))
	clone.Dequeue(&lossy)
	must.Equalf(t, m.String()+fmt.Sprint(m.PG(1, 0), m.Queue(1, 1, 0), bound(0), m.EgressBound(1, 1, 0)), state, "a clone's packet left it: %s, then", state)
	if clone.String() == m.String() || clone.EgressBound(1, 1, 0) != m.EgressBound(1, 1, 0)-1 || boundOf(clone, 0) != bound(0)-1 {
		t.Errorf("nothing left the clone: %v", clone)
	}
	if clone.CopyFrom(m); !reflect.DeepEqual(clone, m) {
		t.Errorf("%v is not a copy of %v", clone, m)
	}
	plain := one()
	if m, err = New(plain); err != nil || m.pgs[0].bound != 0 || m.EgressBound(0, 0, 0) != 0 {
		t.Error("a bound where there is none")
	}
}

// A clone keeps headroom that is counted in units, too.
func TestCloneOfHeadroom(t *testing.T) {
	c := one()
	c.HeadroomUnit = 100
	m := must.Get(New(c))(t)
	p := Packet{Bytes: 100}
	for range 32 {
		m.Enqueue(&p)
	}
	clone := m.Clone()
	if clone.Dequeue(&p); m.held[0] != 2 || clone.held[0] != 1 {
		t.Errorf("%d and %d units", m.held[0], clone.held[0])
	}
	if clone.CopyFrom(m); clone.held[0] != 2 {
		t.Errorf("%d units", clone.held[0])
	}
}

// What is asked of a buffer must exist: the last of each does, one more and one less do not.
func TestProbeBounds(t *testing.T) {
	c := one()
	c.Ports = append(c.Ports, c.Ports[0])
	for _, p := range []struct {
		p    Packet
		want string
	}{
		{Packet{InPort: 1, OutPort: 1, PG: 7, Queue: 1, Bytes: 1}, ""},
		{Packet{Bytes: 1}, ""},
		{Packet{InPort: 2, Bytes: 1}, "mmu: ingress port 2, egress port 0: there are ports 0 to 1"},
		{Packet{InPort: -1, Bytes: 1}, "mmu: ingress port -1, egress port 0: there are ports 0 to 1"},
		{Packet{OutPort: 2, Bytes: 1}, "mmu: ingress port 0, egress port 2: there are ports 0 to 1"},
		{Packet{OutPort: -1, Bytes: 1}, "mmu: ingress port 0, egress port -1: there are ports 0 to 1"},
		{Packet{PG: 8, Bytes: 1}, "mmu: PG 8, queue 0: want PG 0 to 7, queue 0 to 1"},
		{Packet{PG: -1, Bytes: 1}, "mmu: PG -1, queue 0: want PG 0 to 7, queue 0 to 1"},
		{Packet{Queue: 2, Bytes: 1}, "mmu: PG 0, queue 2: want PG 0 to 7, queue 0 to 1"},
		{Packet{Queue: -1, Bytes: 1}, "mmu: PG 0, queue -1: want PG 0 to 7, queue 0 to 1"},
		{Packet{}, "mmu: a packet of 0 B: want at least 1"},
	} {
		if _, err := Probe(c, p.p, 10); (err == nil) != (p.want == "") || err != nil && err.Error() != p.want {
			t.Errorf("%+v: %v, want %s", p.p, err, p.want)
		}
	}
	c.CellBytes = 0
	if _, err := Probe(c, Packet{Bytes: 1}, 10); err == nil {
		t.Error("cells of nothing")
	}
}

// The lossless group of one holds 30 cells, pauses with the 30th where it pauses when full, and
// drops the 36th; half-way to that it resumes below 30.
func TestFillsByHand(t *testing.T) {
	p, lossy := Packet{Bytes: 100}, Packet{PG: 1, Bytes: 100}
	for rule, first := range map[Pause]int64{WhenFull: 30, OnExcess: 31} {
		c := one()
		c.Rules.Pause = rule
		found, err := Probe(c, p, 36)
		if want := (Probing{FirstPause: first, FirstDrop: 36, Drop: DropHeadroom, DrainedToResume: first - 29}); err != nil || found != want {
			t.Errorf("%v: %+v, %v, want %+v", rule, found, err, want)
		}
		if found, _ = Probe(c, p, 35); found.FirstDrop != 0 {
			t.Errorf("%v: %+v among 35", rule, found)
		}
		fresh := func() *MMU {
			m := must.Get(New(c))(t)
			return m
		}
		if packets, ok := fresh().FillToPause(p, first); packets != first || !ok {
			t.Errorf("%v: %d, %v", rule, packets, ok)
		}
		if packets, ok := fresh().FillToPause(p, first-1); packets != first || ok {
			t.Errorf("%v, one too few: %d, %v", rule, packets, ok)
		}
		if packets, ok := fresh().FillToPause(lossy, 100); packets != 31 || ok {
			t.Errorf("a lossy group: %d, %v", packets, ok)
		}
		if accepted, why, ok := fresh().FillToDrop(p, 36); accepted != 35 || why != DropHeadroom || !ok {
			t.Errorf("%v: %d, %v, %v", rule, accepted, why, ok)
		}
		if accepted, why, ok := fresh().FillToDrop(p, 35); accepted != 35 || why != Accepted || ok {
			t.Errorf("%v, one too few: %d, %v, %v", rule, accepted, why, ok)
		}
		// In turn with a packet of two cells in another group, which is dropped at its 16th.
		if rounds, ok := fresh().FirstPauseInTurn([]Packet{p, {PG: 1, Bytes: 200}}, 100); rounds != 15 || ok {
			t.Errorf("%v: %d rounds, %v", rule, rounds, ok)
		}
		if rounds, ok := fresh().FirstPauseInTurn([]Packet{p, lossy}, 100); rounds != first-1 || !ok {
			t.Errorf("%v, the first of a round: %d rounds, %v", rule, rounds, ok)
		}
		if rounds, ok := fresh().FirstPauseInTurn([]Packet{p}, 100); rounds != first || !ok {
			t.Errorf("%v, the last of a round: %d rounds, %v", rule, rounds, ok)
		}
		if rounds, ok := fresh().FirstPauseInTurn([]Packet{p}, first-1); rounds != first-1 || ok {
			t.Errorf("%v, one too few: %d rounds, %v", rule, rounds, ok)
		}
	}
}

// The level at which a group resumes that was paused at 30 cells.
func TestResumeLevels(t *testing.T) {
	for _, c := range []struct{ xon, offset, want int64 }{
		{0, 0, 29}, {0, 1, 29}, {0, 4, 26}, {0, 29, 1}, {0, 30, 0}, {0, 31, 0}, {12, 4, 26}, {27, 4, 27}, {12, 0, 12}, {1, 0, 1}, {1, 40, 1},
	} {
		e := pgEdge{xon: c.xon, xonOffset: c.offset}
		must.Equalf(t, e.resumeLevel(30), c.want, "xon %d, offset %d:", c.xon, c.offset)
		config := one()
		config.Ports[0].PGs[0].XonCells, config.Ports[0].PGs[0].XonOffsetCells = units.Cells(c.xon), units.Cells(c.offset)
		found, err := Probe(config, Packet{Bytes: 100}, 40)
		if err != nil || found.DrainedToResume != 30-c.want {
			t.Errorf("xon %d, offset %d: %+v, %v", c.xon, c.offset, found, err)
		}
	}
	for top, want := range map[int64]int64{0: 0, 1: 0, 2: 1} {
		must.Equalf(t, (&pgEdge{}).resumeLevel(top), want, "below %d:", top)
	}
	coded := pgEdge{xonOffset: 4, code: Code{Bits: 3}}
	if got := coded.resumeLevel(30); got != 24 { // 26 with three bits
		t.Errorf("coded: %d", got)
	}
	coded = pgEdge{xon: 27, code: Code{Bits: 3}}
	must.Equalf(t, coded.resumeLevel(30), 24, "coded:")
}

// Names, and numbers that have none.
func TestNames(t *testing.T) {
	for o, want := range map[Outcome]string{
		Accepted: "accepted", DropHeadroom: "ingress headroom exhausted", DropHeadroomPool: "headroom pool exhausted", DropIngressLimit: "ingress limit",
		DropIngressPool: "ingress pool exhausted", DropQueueLimit: "egress queue limit", DropEgressPool: "egress pool exhausted", DropPortLimit: "egress port limit", 8: "Outcome(8)",
	} {
		if o.String() != want || o.Ingress() != (o >= 1 && o <= 4) || (Verdict{Outcome: o}).Dropped() != (o != 0) {
			t.Errorf("%d is %s", o, o)
		}
	}
	for c, want := range map[Transition]string{Steady: "steady", XOFF: "XOFF", XON: "XON", 3: "Transition(3)"} {
		if c.String() != want {
			t.Errorf("%d is %s", c, c)
		}
	}
	for value, names := range map[uint8][4]string{0: {"with_cell", "when_full", "below_pause_level", "start"}, 1: {"below_with_cell", "on_excess", "below_current_limit", "end"}} {
		var a Admission
		var p Pause
		var r Resume
		var d Decided
		for i, v := range []interface{ UnmarshalText([]byte) error }{&a, &p, &r, &d} {
			if err := v.UnmarshalText([]byte(names[i])); err != nil {
				t.Error(err)
			}
			if err := v.UnmarshalText([]byte("no")); err == nil {
				t.Errorf("%s reads no", names[i])
			}
		}
		if uint8(a) != value || uint8(p) != value || uint8(r) != value || uint8(d) != value {
			t.Errorf("%v: %d %d %d %d", names, a, p, r, d)
		}
		for i, v := range []interface{ MarshalText() ([]byte, error) }{a, p, r, d} {
			if text, err := v.MarshalText(); err != nil || string(text) != names[i] {
				t.Errorf("%s: %s, %v", names[i], text, err)
			}
		}
	}
	for _, v := range []interface{ MarshalText() ([]byte, error) }{Admission(3), Pause(2), Resume(2), Decided(2)} {
		if text, err := v.MarshalText(); err == nil {
			t.Errorf("%v is %s", v, text)
		}
	}
	m, err := New(one())
	if err != nil || m.String() != "ingress [{size:90 used:0 headroomSize:8 headroomUsed:0}] egress [{size:1000 used:0 headroomSize:0 headroomUsed:0}]" {
		t.Errorf("%v, %v", m, err)
	}
}

// A packet that never came cannot leave.
func TestDequeueOfNothing(t *testing.T) {
	for name, p := range map[string]Packet{"more than the group": {Bytes: 300}, "more than the queue": {Bytes: 200, Queue: 1}} {
		m := must.Get(New(one()))(t)
		m.Enqueue(&Packet{Bytes: 200})
		func() {
			defer func() {
				want := fmt.Sprintf("takes %d cells; the PG holds 2, the queue %d", p.Bytes/100, 2-2*p.Queue)
				if said := fmt.Sprint(recover()); !strings.HasSuffix(said, want) {
					t.Errorf("%s: %s, want %s", name, said, want)
				}
			}()
			m.Dequeue(&p)
		}()
	}
}

// The room of a group of the second part: what it has not of its reserve of 10, and of 7 cells, which a mantissa of two
// bits holds as 6.
func TestRoom(t *testing.T) {
	c := one()
	c.Slices, c.Ports[0].Slice = 2, 1
	c.Ports[0].PGs[0].ReservedCells, c.Ports[0].PGs[0].Limit = 10, Limit{StaticCells: 7, Code: Code{Bits: 2}}
	m, err := New(c)
	must.Do(t, err)
	for held, want := range []units.Cells{16, 15, 14} {
		must.Equalf(t, m.Room(0, 0), want, "with %d cells there is room for", held)
		m.Enqueue(&Packet{Bytes: 100})
	}
	for range 10 {
		m.Enqueue(&Packet{Bytes: 100})
	}
	must.Equalf(t, m.Room(0, 0), 3, "with 13 cells there is room for")
	// Of 100 cells 13 are in queue 0 and 0 in queue 1: with 7 more half of 80 is what that may have, with 88 nothing.
	c.EgressPools[0].SharedCells, c.Ports[0].Queues[1].Limit = 100, DynamicLimit(-1)
	if m, err = New(c); err != nil {
		t.Fatal(err)
	}
	for range 13 {
		m.Enqueue(&Packet{Bytes: 100})
	}
	if some, none, fixed := m.QueueThreshold(1, 0, 1, 7), m.QueueThreshold(1, 0, 1, 88), m.QueueThreshold(1, 0, 0, 7); some != 40 || none != 0 || fixed != 1000 {
		t.Errorf("thresholds of %d, %d and %d", some, none, fixed)
	}
}
