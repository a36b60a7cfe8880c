package mmu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/units"
)

const (
	maxCells  = units.Cells(1) << 40 // keeps 2^maxAlpha times any amount far inside 64 bits
	maxSlices = 64
	maxAlpha  = 8 // SONiC's YANG allows −8 to 7
)

// Validate reports everything that is wrong with the configuration, one line each,
// with the figures that disagree; nil if nothing is.
func (c *Config) Validate() error {
	v := &validator{config: c}
	v.chip()
	for i, p := range c.IngressPools {
		v.pool(fmt.Sprintf("ingress pool %d (%s)", i, p.Name), p)
	}
	for i, p := range c.EgressPools {
		v.pool(fmt.Sprintf("egress pool %d (%s)", i, p.Name), p)
	}
	for i := range c.Ports {
		v.port(i, &c.Ports[i])
	}
	if len(v.errs) == 0 && c.SliceCells > 0 {
		v.memory()
	}
	return errors.Join(v.errs...)
}

type validator struct {
	config *Config
	errs   []error
	// Groups and queues in which nothing was wrong: ports are alike, and naming each of them
	// took longer than all else.
	groups []PG
	queues []Queue
}

// knows reports whether an equal group, or queue, was found without fault, or finds it so.
func (v *validator) knows(g *PG, q *Queue) bool {
	trial := validator{config: v.config}
	switch {
	case g != nil && slices.Contains(v.groups, *g), q != nil && slices.Contains(v.queues, *q):
		return true
	case g != nil:
		if trial.pg("", *g); len(trial.errs) == 0 {
			v.groups = append(v.groups, *g)
		}
	default:
		if trial.queue("", *q); len(trial.errs) == 0 {
			v.queues = append(v.queues, *q)
		}
	}
	return len(trial.errs) == 0
}

func (v *validator) failf(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("mmu: "+format, args...))
}

func (v *validator) inRange(what string, value, low, high int64) bool {
	ok := value >= low && value <= high
	if !ok {
		v.failf("%s is %d, want %d to %d", what, value, low, high)
	}
	return ok
}

func (v *validator) cells(what string, value units.Cells) {
	v.inRange(what+" in cells", int64(value), 0, int64(maxCells))
}

func (v *validator) chip() {
	c := v.config
	v.inRange("cell size in bytes", int64(c.CellBytes), 1, 1<<20)
	v.inRange("metadata per packet in bytes", int64(c.MetadataBytes), 0, 1<<20)
	v.inRange("number of slices", int64(c.Slices), 1, maxSlices)
	v.cells("memory of a slice", c.SliceCells)
	v.inRange("unit of the headroom in bytes", int64(c.HeadroomUnit), 0, 1<<20)
	v.inRange("units of headroom beside a packet's length", c.HeadroomOverhead, 0, 1<<20)
	v.inRange("rule for admission", int64(c.Rules.Admission), 0, int64(len(admissionNames)-1))
	v.inRange("rule for pause", int64(c.Rules.Pause), 0, int64(len(pauseNames)-1))
	v.inRange("rule for resume", int64(c.Rules.Resume), 0, int64(len(resumeNames)-1))
	if len(c.IngressPools) == 0 || len(c.EgressPools) == 0 {
		v.failf("there are %d ingress and %d egress pools, want at least one of each", len(c.IngressPools), len(c.EgressPools))
	}
}

func (v *validator) pool(what string, p Pool) {
	v.cells("shared part of "+what, p.SharedCells)
	v.cells("headroom pool of "+what, p.HeadroomCells)
}

func (v *validator) port(number int, p *Port) {
	c := v.config
	v.inRange(fmt.Sprintf("slice of port %d", number), int64(p.Slice), 0, int64(c.Slices-1))
	v.inRange(fmt.Sprintf("number of PGs of port %d", number), int64(len(p.PGs)), 0, MaxPGs)
	v.inRange(fmt.Sprintf("number of queues of port %d", number), int64(len(p.Queues)), 0, MaxQueues)
	v.bounds(fmt.Sprintf("ingress of port %d", number), p.Ingress, len(c.IngressPools))
	v.bounds(fmt.Sprintf("egress of port %d", number), p.Egress, len(c.EgressPools))
	for i, g := range p.PGs {
		if v.knows(&g, nil) {
			continue
		}
		v.pg(fmt.Sprintf("port %d PG %d", number, i), g)
	}
	for i, q := range p.Queues {
		if v.knows(nil, &q) {
			continue
		}
		v.queue(fmt.Sprintf("port %d queue %d", number, i), q)
	}
}

func (v *validator) bounds(what string, bounds []Bound, pools int) {
	for i, b := range bounds {
		v.inRange("pool of a bound of the "+what, int64(b.Pool), 0, int64(pools-1))
		v.limit(what, b.Limit)
		if _, twice := BoundOf(bounds[:i], b.Pool); twice {
			v.failf("the %s has two bounds in pool %d", what, b.Pool)
		}
	}
}

func (v *validator) queue(what string, q Queue) {
	v.inRange("egress pool of "+what, int64(q.Pool), 0, int64(len(v.config.EgressPools)-1))
	v.cells("reserve of "+what, q.ReservedCells)
	v.limit(what, q.Limit)
}

func (v *validator) pg(what string, g PG) {
	known := v.inRange("ingress pool of "+what, int64(g.Pool), 0, int64(len(v.config.IngressPools)-1))
	v.cells("reserve of "+what, g.ReservedCells)
	v.cells("headroom of "+what, g.HeadroomCells)
	v.cells("xon of "+what, g.XonCells)
	v.cells("xon offset of "+what, g.XonOffsetCells)
	v.limit(what, g.Limit)
	switch {
	case !g.Lossless && g.HeadroomCells > 0:
		v.failf("%s has %d cells of headroom but is lossy, so it drops at its threshold and never uses them", what, g.HeadroomCells)
	case known && g.HeadroomPooled && g.HeadroomCells > 0 && v.config.IngressPools[g.Pool].HeadroomCells == 0:
		v.failf("%s takes %d cells of headroom from the headroom pool of ingress pool %d, which has 0 cells",
			what, g.HeadroomCells, g.Pool)
	}
}

func (v *validator) limit(what string, l Limit) {
	if l.Dynamic {
		v.inRange("alpha exponent of "+what, int64(l.Alpha), -maxAlpha, maxAlpha)
	}
	v.cells("static threshold of "+what, l.StaticCells)
	v.inRange("bits of the threshold of "+what, int64(l.Code.Bits), 0, 32)
}

// memory checks that what the ingress side may hold at once fits each slice. The egress
// side counts the same cells a second time, so it is bounded by that.
func (v *validator) memory() {
	c := v.config
	pools := units.Cells(0)
	for _, p := range c.IngressPools {
		pools += p.SharedCells + c.memoryOf(p.HeadroomCells)
	}
	for slice := range c.Slices {
		reserves, headroom := c.ingressReserves(slice)
		if need := pools + reserves + headroom; need > c.SliceCells {
			v.failf("slice %d needs %d cells: pools %d + PG reserves %d + own headroom %d; it has %d, which is %d short",
				slice, need, pools, reserves, headroom, c.SliceCells, need-c.SliceCells)
		}
	}
}

// ingressReserves sums what the PGs of a slice own: reserves, and headroom that is not pooled.
func (c *Config) ingressReserves(slice int) (reserves, headroom units.Cells) {
	for _, port := range c.Ports {
		if port.Slice != slice {
			continue
		}
		for _, g := range port.PGs {
			reserves += g.ReservedCells
			if !g.HeadroomPooled {
				headroom += c.memoryOf(g.HeadroomCells)
			}
		}
	}
	return reserves, headroom
}

// memoryOf converts a headroom, which may be counted in another unit, to memory.
func (c *Config) memoryOf(headroom units.Cells) units.Cells {
	if c.HeadroomUnit == 0 {
		return headroom
	}
	return (units.Bytes(headroom) * c.HeadroomUnit).CeilCells(c.CellBytes)
}
