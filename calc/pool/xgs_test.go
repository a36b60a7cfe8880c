package pool_test

import (
	"encoding/json"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/oracle"
	"github.com/roceplan/roceplan/units"
)

// With the shared part of a slice from the configuration, the first pause of one PG
// comes at alpha·B/(1+alpha) + m: what hardware tests measured, within their margin
// of 4 packets of one cell, on every chip whose pool SONiC documents.
func TestSharedPartIsWhatSwitchesMeasured(t *testing.T) {
	text, err := os.ReadFile(oracle.Figures(t, "silicon_thresholds.json"))
	if err != nil {
		t.Fatal(err)
	}
	var setups []struct {
		Chip   string
		Source string
		Config struct {
			Cell        units.Bytes `json:"cell_bytes"`
			IngressPool struct {
				Size     units.Bytes `json:"size_bytes"`
				Headroom units.Bytes `json:"headroom_pool_bytes"`
			} `json:"ingress_pool"`
			Ports int64 `json:"lossless_ports"`
			PGs   int64 `json:"lossless_pgs_per_port"`
			PG    struct {
				Reserved units.Bytes `json:"reserved_bytes"`
				XOff     units.Bytes `json:"xoff_bytes"`
				Alpha    units.Alpha `json:"dynamic_th"`
			}
			Queues int64 `json:"lossy_queues_per_port"`
			Queue  struct {
				Reserved units.Bytes `json:"reserved_bytes"`
			} `json:"lossy_queue"`
		}
		Expect struct {
			Pause *int64 `json:"packets_to_first_pause"`
		}
	}
	if err := json.Unmarshal(text, &setups); err != nil {
		t.Fatal(err)
	}
	cat, held := catalogue(t), 0
	for i, s := range setups {
		chip, ok := cat.Find(s.Chip)
		if !ok || s.Expect.Pause == nil || chip.Family != chips.XGS {
			continue
		}
		c := s.Config
		p := pool.XGSPool{
			Form: chip.PoolSize.Or(""), Slices: int64(chip.Slices.Or(1)), Cell: c.Cell,
			Size: c.IngressPool.Size, HeadroomPool: c.IngressPool.Headroom,
			Ports: c.Ports, LosslessPGs: c.PGs, LossyQueues: c.Queues,
			PGReserve: c.PG.Reserved, QueueReserve: c.Queue.Reserved, Headroom: c.PG.XOff,
		}
		shared, err := p.Shared()
		if err != nil {
			t.Fatal(err)
		}
		num, den := c.PG.Alpha.Fraction()
		pause := int64(shared.PerSlice)*num/(den+num) + int64(c.PG.Reserved.CeilCells(c.Cell))
		if off := pause - *s.Expect.Pause; off < -4 || off > 4 {
			t.Errorf("setup %d, %s (%s): first pause at %d, measured %d", i+1, s.Chip, s.Source, pause, *s.Expect.Pause)
		}
		held++
	}
	if held < 15 {
		t.Errorf("%d setups held, too few to mean anything", held)
	}
}

// A pool sized from the buffer adds up to the buffer: shared part, reserves and
// headroom add up to it in every form.
func TestSizedPoolsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pool.XGSPool{
			Form:   rapid.SampledFrom([]chips.PoolSize{chips.Net, chips.Gross, chips.GrossPool, chips.GrossOwnHeadroom}).Draw(t, "form"),
			Slices: rapid.Int64Range(1, 4).Draw(t, "slices"), Cell: 254,
			Ports: rapid.Int64Range(1, 64).Draw(t, "ports"), LosslessPGs: 2, LossyQueues: 5,
			PGReserve: 18796, QueueReserve: 1778, Headroom: 100_000, HeadroomPool: 4_000_000,
		}
		usable := units.Bytes(rapid.Int64Range(40_000_000, 200_000_000).Draw(t, "usable"))
		sized, err := p.Sized(usable)
		if err != nil {
			t.Fatal(err)
		}
		shared, err := sized.Shared()
		if err != nil {
			t.Fatal(err)
		}
		pgs := units.Bytes(p.Ports * 2)
		reserves := pgs*p.PGReserve + units.Bytes(p.Ports*5*p.Slices)*p.QueueReserve
		want := usable - reserves - p.HeadroomPool
		if p.Form == chips.GrossOwnHeadroom {
			want = usable - pgs*(p.PGReserve+p.Headroom)
		}
		if shared.Shared != want {
			t.Fatalf("%s shares %d of %d, want %d", p.Form, shared.Shared, usable, want)
		}
	})
}

func TestHeadroomPoolHoldsTheLargest(t *testing.T) {
	for _, c := range []struct {
		headrooms     []units.Bytes
		ratio, slices int64
		want          units.Bytes
	}{
		{[]units.Bytes{1000, 1000, 1000, 1000}, 1, 1, 4000},
		{[]units.Bytes{1000, 1000, 1000, 1000}, 2, 1, 2000},
		{[]units.Bytes{1000, 1000, 1000, 1000}, 8, 1, 1000}, // the largest, not 500
		{[]units.Bytes{1000, 1000, 1000, 1000}, 4, 2, 2000}, // the largest in each slice
		{[]units.Bytes{1001}, 1, 1, 1100},                   // whole cells
		{nil, 2, 2, 0},
	} {
		if got := pool.HeadroomPool(c.headrooms, c.ratio, c.slices, 100); got != c.want {
			t.Errorf("%v by %d in %d slices: %d, want %d", c.headrooms, c.ratio, c.slices, got, c.want)
		}
	}
}
