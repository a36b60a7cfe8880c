package sonic

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/plan"
)

// checkPFC holds the PGs of a port against its PFC priorities. An overlay that lacks
// one of the tables cannot be judged.
func (r *reader) checkPFC(qos *plan.PortQoS, a aboutPort) {
	for _, name := range []string{schema.TableBufferPG, schema.TableBufferProfile, schema.TablePortQoSMap} {
		if !r.table(name).present {
			return
		}
	}
	var lossless, paused, present [8]bool
	for i := range qos.PGs {
		pg := &qos.PGs[i]
		lossless[pg.ID], present[pg.ID] = pg.Lossless, true
	}
	for p, pg := range r.sw.Maps.PFCToPG {
		if qos.PFC&(1<<p) == 0 {
			continue
		}
		paused[pg] = true
		if !lossless[pg] {
			r.pfcWithoutLossless(a, p, pg, present[pg])
		}
	}
	for _, w := range a.pgs {
		for id := w.first; id <= w.last; id++ {
			if lossless[id] && !paused[id] {
				d := r.found.Errorf(LosslessWithoutPFC, w.row.at, "PG %d of %s has headroom, but no PFC priority of the port pauses it, so it drops like a lossy one", id, a.name).
					Fixf("enable PFC for its priority in pfc_enable, or give it a lossy profile")
				if a.maps != nil {
					d.Notef(r.pfcAt(a), "PFC of the port")
				}
			}
		}
	}
}

// pfcWithoutLossless reports a priority whose PG has no headroom. Where the PG has no
// row at all, buffermgrd makes one from the vendor's table in the traditional model.
func (r *reader) pfcWithoutLossless(a aboutPort, priority int, pg uint8, present bool) {
	at := r.pfcAt(a)
	if !present && r.sw.BufferModel != plan.DynamicModel {
		r.found.Warnf(PFCWithoutLossless, at, "%s has PFC for priority %d, but BUFFER_PG has no row for PG %d: the switch takes headroom from its vendor's table, which is not in this file", a.name, priority, pg)
		return
	}
	d := r.found.Errorf(PFCWithoutLossless, at, "%s has PFC for priority %d, but PG %d has no headroom: packets are lost while the pause takes effect", a.name, priority, pg).
		Fixf("give PG %d a profile with xoff, or take priority %d out of pfc_enable", pg, priority)
	for _, w := range a.pgs {
		if w.first <= pg && pg <= w.last {
			d.Notef(w.row.at, "the PG")
		}
	}
}

// pfcAt is where the port's PFC priorities stand, or would.
func (r *reader) pfcAt(a aboutPort) diag.Range {
	if n := a.maps.fields.get("pfc_enable"); n != nil {
		return r.at(n)
	}
	return a.maps.at
}

// unique sorts by index and keeps the first of each.
func unique[T any](s []T, id func(*T) uint8) []T {
	slices.SortStableFunc(s, func(a, b T) int { return int(id(&a)) - int(id(&b)) })
	return slices.CompactFunc(s, func(a, b T) bool { return id(&a) == id(&b) })
}
