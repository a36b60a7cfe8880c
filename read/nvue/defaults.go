package nvue

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// The defaults of the buffer. Pools of RoCE's lossless mode and their shares: Cumulus Linux 5.9 and
// 5.14, RDMA over Converged Ethernet, `nv show qos roce` in the modes lossless and
// lossless-single-ipool. Other pools, and thresholds of groups, queues and ports: 5.14, Quality of
// Service, Default Configuration Files, the defaults in the remarks of qos_infra.conf; of ports in
// the lossless pools: Flow Control Buffers, the lines for a lossless pool.
var (
	alpha1    = plan.Limit{Dynamic: true}
	alpha8    = plan.Limit{Dynamic: true, Alpha: 3}
	alpha16   = plan.Limit{Dynamic: true, Alpha: 4}
	unbounded = plan.Limit{Static: plan.NoLimit}

	inPort = map[string]plan.Limit{"ingress-0": alpha8, "ingress-1": alpha1, "egress-0": alpha16, "egress-1": unbounded}
)

// defaultPools adds the pools that the file does not share out: in RoCE's lossless mode, and where it has PFC
// and tunes no buffers.
func (r *reader) defaultPools() {
	if !r.hasDefaults() {
		return
	}
	shares := []int64{100}
	if r.roce.lossless && !r.roce.single {
		shares = []int64{50, 50}
	}
	at := r.leftOut()
	for id, percent := range shares {
		r.elsePool(poolKey{plan.Ingress, int64(id)}, plan.Pool{Dynamic: true, Percent: percent, Range: at})
	}
	r.elsePool(poolKey{plan.Egress, 0}, plan.Pool{Dynamic: true, Percent: shares[0], Range: at})
	if r.roce.lossless {
		r.elsePool(poolKey{plan.Egress, 1}, plan.Pool{Dynamic: true, Infinite: true, Range: at})
	}
}

// hasDefaults reports whether groups, queues and ports have the defaults of RoCE's lossless mode, or of PFC without tuned buffers.
func (r *reader) hasDefaults() bool {
	return r.roce.lossless || !r.buffers().there() && r.paused != 0
}

func (r *reader) elsePool(key poolKey, p plan.Pool) {
	if r.pools[key] == "" {
		r.addPool(key, p)
	}
}

// leftOut returns the statement that defaults of the buffer follow from.
func (r *reader) leftOut() diag.Range {
	if r.roce.on {
		return r.roce.says.at()
	}
	return r.qos.get("pfc").at()
}

// buffersByDefault gives a port what defaultPools says of its groups and queues.
func (r *reader) buffersByDefault(q *plan.PortQoS) {
	if !r.hasDefaults() {
		return
	}
	lossless := 0
	if r.pools[poolKey{plan.Ingress, 1}] != "" && !r.roce.single {
		lossless = 1
	}
	sent := 0
	if r.pools[poolKey{plan.Egress, 1}] != "" {
		sent = 1
	}
	if q.PG(r.bulk) == nil {
		q.PGs = append(q.PGs, plan.PG{ID: r.bulk})
		stable.Sort(q.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
	}
	for i := range q.PGs {
		if g := &q.PGs[i]; g.Lossless {
			r.orElse(&g.Pool, &g.Limit, row.Pool("ingress", int64(lossless)), alpha1)
		} else {
			r.orElse(&g.Pool, &g.Limit, row.Pool("ingress", 0), alpha8)
		}
	}
	for i := range q.Queues {
		queue, pool, limit := &q.Queues[i], row.Pool("egress", 0), alpha8
		for p := range 8 {
			if q.PFC&(1<<p) != 0 && r.sw.Maps.TCToQueue[p] == queue.ID {
				pool, limit = row.Pool("egress", int64(sent)), unbounded
			}
		}
		r.orElse(&queue.Pool, &queue.Limit, pool, limit)
	}
	for _, p := range r.sw.Pools {
		limit, known := inPort[p.Name]
		if known && !slices.ContainsFunc(q.Pools, func(own plan.PortPool) bool { return own.Pool == p.Name }) {
			q.Pools = append(q.Pools, plan.PortPool{Pool: p.Name, Limit: r.byDefault(limit)})
		}
	}
	stable.Sort(q.Pools, func(a, b plan.PortPool) int { return r.poolAt(a.Pool) - r.poolAt(b.Pool) })
}

func (r *reader) poolAt(name string) int {
	return slices.IndexFunc(r.sw.Pools, func(p plan.Pool) bool { return p.Name == name })
}

// orElse fills in the pool and the threshold that a region has no line for.
func (r *reader) orElse(pool *string, limit *plan.Derived[plan.Limit], named string, bound plan.Limit) {
	if *pool == "" {
		*pool = named
	}
	if limit.Why == nil {
		*limit = r.byDefault(bound)
	}
}

func (r *reader) byDefault(limit plan.Limit) plan.Derived[plan.Limit] {
	return plan.Of(limit, &plan.Why{Kind: plan.ReadBack, Name: "threshold by default", Range: r.leftOut()})
}
