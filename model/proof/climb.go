package proof

import (
	"slices"
)

// climbed adds to what accounts hold what one of them surely gains by a fixed xon above
// its threshold, if that breaks what they would not break without it. Together they may
// gain more, up to kept, but of that no order of packets is known.
func (p *prover) climbed(h holding, list []account, breaks func(cells int64) bool) holding {
	if h.afterResume == 0 || breaks(h.side.Value) {
		return h
	}
	var k int64
	seen := map[accountKind]bool{}
	for _, a := range list {
		if kind := p.kind(a); p.headroomAtResume(a) > 0 && !seen[kind] {
			seen[kind] = true
			k = max(k, p.climb(a, list))
		}
	}
	if breaks(h.side.Value + k) {
		h.terms = append(slices.Clone(h.terms), figure("k", k))
		h.side, h.surely = Side{h.side.Expr + " + k", h.side.Value + k}, h.surely+k
	}
	return h
}

// climb returns the additional cells that accounts hold if one of them fills up first, and resumes,
// before the others come, with all that its xon allows except for a largest packet: whole packets
// leave. The others then take less of the shared part, which is subtracted.
func (p *prover) climb(a account, list []account) int64 {
	pool, rule := &p.config.IngressPools[a.pg.Pool], p.config.Rules.Admission
	shared := int64(pool.SharedCells)
	if p.loose(a) {
		return 0
	}
	alone := takes(a.bound, rule, shared)
	left := int64(a.pg.XonCells-a.pg.ReservedCells) - alone - (p.packing(a.group.link.LosslessFrame).last - 1)
	gain := min(int64(a.pg.HeadroomCells), a.group.need+left) - a.maxInHeadroom()
	if a.pg.HeadroomPooled {
		free := int64(pool.HeadroomCells)
		for _, b := range list {
			if b.pg.HeadroomPooled && b.pg.Pool == a.pg.Pool {
				free -= b.maxInHeadroom()
			}
		}
		gain = min(gain, free)
	}
	limits := widen(boundsOf(a.pg.Pool, list))
	first := slices.Index(limits, a.bound)
	others := slices.Delete(slices.Clone(limits), first, first+1)
	return max(0, gain-(leaves(others, rule, shared-alone)-leaves(limits, rule, shared)))
}
