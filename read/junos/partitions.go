package junos

import (
	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A partition is a share of the shared buffer.
type partition struct {
	at      diag.Range
	percent int64
	said    bool // the file has the per cent
	alpha   *units.Alpha
	alphaAt diag.Range
}

// Names of partitions.
const (
	partLossless = "lossless"
	partHeadroom = "lossless-headroom"
	partLossy    = "lossy"
)

func partName(lossless bool) string {
	if lossless {
		return partLossless
	}
	return partLossy
}

// poolName is how the plan calls the pool of a partition.
func poolName(side plan.Direction, lossless bool) string { return row.Pool(side.String(), lossless) }

// sharedBuffer reads `ingress { percent N; buffer-partition P { percent N;
// dynamic-threshold A; } }`.
func (r *reader) sharedBuffer(c *cursor) {
	side := plan.Ingress
	switch {
	case c.is("ingress"):
	case c.is("egress"):
		side = plan.Egress
	default:
		return
	}
	if c.is("percent") {
		if n, _, ok := c.number(0, 100); ok && n != 100 {
			c.touches(read.Scope{}, "it moves shared buffer to the ports, by an amount that Juniper does not publish")
			return
		}
		c.modelled()
		return
	}
	if !c.is("buffer-partition") {
		return
	}
	name := c.next()
	if name.text != partLossless && name.text != partLossy && (name.text != partHeadroom || side == plan.Egress) {
		r.classic = r.classic || name.text == "multicast"
		c.touches(read.Scope{}, "a partition that Junos Evolved does not have")
		return
	}
	known := r.partitions[side][name.text]
	if known == nil {
		known = &partition{at: c.s.at}
		r.partitions[side][name.text] = known
	}
	switch option := c.next(); option.text {
	case row.Of(row.Share).Name():
		if n, at, ok := c.leaf(row.Share); ok {
			known.percent, known.at, known.said = n, at, true
		}
	case row.Of(row.PartitionThreshold).Name():
		if n, at, ok := c.leaf(row.PartitionThreshold); ok {
			alpha := row.Alpha(n)
			known.alpha, known.alphaAt = &alpha, at
		}
	default:
		c.touches(read.Scope{}, "a property of a partition that is not known here")
		return
	}
	c.modelled()
}

// dedicatedBuffer reads `ingress { percent N; }`: what ports keep of what they own by default.
func (r *reader) dedicatedBuffer(c *cursor) {
	side := plan.Ingress
	switch {
	case c.is("ingress", "percent"):
	case c.is("egress", "percent"):
		side = plan.Egress
	default:
		c.touches(read.Scope{}, "a property of the dedicated buffer that is not known here")
		return
	}
	if n, _, ok := c.leaf(row.Dedicated); ok {
		r.sw.DedicatedPercent[side] = n
	}
	c.modelled()
}

// partitions are those of a side, by name.
type partitions map[string]*partition

// orElse gives a side of which the file has no per cent the default shares.
func (side partitions) orElse(lossless, headroom, lossy int64) {
	for _, p := range side {
		if p.said {
			return
		}
	}
	for _, of := range []struct {
		name    string
		percent int64
	}{{partLossless, lossless}, {partHeadroom, headroom}, {partLossy, lossy}} {
		if side[of.name] == nil && of.percent > 0 {
			side[of.name] = &partition{}
		}
		if p := side[of.name]; p != nil {
			p.percent = of.percent
		}
	}
}

func (p *partition) share() int64 {
	if p == nil {
		return 0
	}
	return p.percent
}

// planPools makes the pools. A file that says no partitions has those of the box.
func (r *reader) planPools() {
	in, out := r.partitions[plan.Ingress], r.partitions[plan.Egress]
	if r.classic {
		in.orElse(row.ClassicLossless, row.ClassicHeadroom, row.ClassicLossy)
		out.orElse(row.ClassicEgressLossless, 0, row.ClassicEgressLossy)
	} else {
		in.orElse(row.DefaultLossless, row.DefaultHeadroom, row.DefaultLossy)
		if len(out) > 0 { // without a line it divides as ingress does
			out.orElse(in[partLossless].share(), 0, in[partLossy].share())
		}
	}
	r.checkPartitions()
	for _, side := range []plan.Direction{plan.Egress, plan.Ingress} {
		for _, lossless := range []bool{true, false} {
			r.sw.Pools = append(r.sw.Pools, r.pool(side, lossless))
		}
	}
}

// pool is one partition. The headroom is accounted with the lossless one, as a chip's
// configuration counts it.
func (r *reader) pool(side plan.Direction, lossless bool) plan.Pool {
	share := partition{}
	if p := r.partitions[plan.Ingress][partName(lossless)]; p != nil {
		share = *p
	}
	if p := r.partitions[side][partName(lossless)]; p != nil {
		share = *p
	}
	pool := plan.Pool{Name: poolName(side, lossless), Direction: side, Dynamic: true, Percent: share.percent, Range: share.at}
	if head := r.partitions[plan.Ingress][partHeadroom]; lossless && head != nil {
		pool.HeadroomPercent, pool.HeadroomRange = head.percent, head.at
	}
	return pool
}

// checkPartitions checks the shares against what Junos demands: see the code Partitions.
func (r *reader) checkPartitions() {
	in, out := r.partitions[plan.Ingress], r.partitions[plan.Egress]
	sum, at := int64(0), diag.Range{}
	for _, name := range []string{partLossless, partHeadroom, partLossy} {
		if p := in[name]; p != nil {
			sum, at = sum+p.percent, p.at
		}
	}
	if sum != 100 {
		r.found.Errorf(Partitions, at, "the partitions of ingress sum to %d per cent; Junos requires 100", sum).Fixf("raise or lower one by %d", max(sum-100, 100-sum))
	}
	for _, name := range []string{partLossless, partLossy} {
		if r.classic {
			break // each side has partitions of its own
		}
		if a, b := in[name], out[name]; a != nil && b != nil && a.percent != b.percent {
			d := r.found.Errorf(Partitions, b.at, "the partition %s has %d per cent of egress and %d of ingress; Junos Evolved requires the same", name, b.percent, a.percent).Fixf("give the partition %s the same percentage on both sides", name)
			if a.at.Filename != "" { // else it is the default of the box
				d.Notef(a.at, "the share of ingress")
			}
		}
	}
}

// limitOf returns the dynamic threshold of priority groups in a partition.
func (r *reader) limitOf(lossless bool) plan.Derived[plan.Limit] {
	alpha, at := row.DefaultAlpha(false, lossless), diag.Range{}
	if p := r.partitions[plan.Ingress][partName(lossless)]; p != nil && p.alpha != nil {
		alpha, at = *p.alpha, p.alphaAt
	}
	return of(plan.Limit{Dynamic: true, Alpha: alpha}, "dynamic threshold", at)
}
