package sonic

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// lossless is the name that SONiC's buffer manager gives to the profile for a speed in Mb/s
// and a cable in metres: sonic-swss cfgmgr/buffermgr.cpp.
var lossless = regexp.MustCompile(`^pg_lossless_(\d+)_(\d+)m_profile$`)

// checkNames finds profiles that are those of a slower port or a shorter cable than the
// port has that uses them, once for each name, speed and cable. A larger one does no harm.
func (r *reader) checkNames(p *plan.Port, rows []portRow, told map[string]bool) {
	for _, w := range rows {
		name, at, _ := r.text(w.row, "profile")
		m := lossless.FindStringSubmatch(plainName(name))
		if m == nil {
			continue
		}
		speed, tooFast := strconv.ParseInt(m[1], 10, 64)
		cable, tooLong := strconv.ParseInt(m[2], 10, 64)
		slow, short := speed < int64(p.Speed/units.Mbps), cable < int64(p.Cable/units.Metre)
		key := fmt.Sprint(m[0], p.Speed, p.Cable)
		if tooFast != nil || tooLong != nil || !slow && !short || told[key] {
			continue
		}
		told[key] = true
		place := at
		if short {
			place = p.CableRange
		}
		r.found.Warnf(ProfileName, place, "%s runs at %v over %v, but its profile %s is that of %s Mb/s and %s m", p.Name, p.Speed, p.Cable, m[0], m[1], m[2]).
			Fixf("give the port the profile of its speed and cable, or correct those").Notef(at, "the profile")
	}
}

// checkPFC checks the PGs of a port against its PFC priorities. An overlay that lacks
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
		r.found.Warnf(PFCWithoutLossless, at, "%s has PFC for priority %d, but BUFFER_PG has no row for PG %d: buffermgrd takes headroom from pg_profile_lookup.ini of the HwSKU, which is not in this file", a.name, priority, pg).Fixf("add the row %s|%d to BUFFER_PG with a profile that has xoff, or take priority %d out of pfc_enable", a.name, pg, priority)
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

// pfcAt returns the place of the port's PFC priorities, or where they would be.
func (r *reader) pfcAt(a aboutPort) diag.Range {
	if n := a.maps.fields.Get("pfc_enable"); n != nil {
		return r.doc.At(n)
	}
	return a.maps.at
}

// unique sorts by index and keeps the first of each.
func unique[T any](s []T, id func(*T) uint8) []T {
	stable.Sort(s, func(a, b T) int { return int(id(&a)) - int(id(&b)) })
	return slices.CompactFunc(s, func(a, b T) bool { return id(&a) == id(&b) })
}

// management reports whether one of two ports with a lane is the second management port of a
// Trident 3: the SDK calls its lane 128, as the last one of the last cage (sonic-buildimage
// device/dell/x86_64-dellemc_s5232f_c3538-r0, config.bcm: portmap_127=125:100 and
// portmap_130=128:10:m).
func management(lane int, a, b *plan.Port) bool {
	is := func(p *plan.Port) bool { return len(p.Lanes) == 1 && p.Speed <= 10*units.Gbps }
	return lane == 128 && is(a) != is(b)
}

// checkLanes finds serdes lanes that two ports claim: orchagent creates a port by its
// lanes, and the second one fails.
func (r *reader) checkLanes() {
	owner := make(map[int]*plan.Port)
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		for _, lane := range p.Lanes {
			if first := owner[lane]; first != nil && first != p && !management(lane, first, p) {
				r.found.Errorf(LaneShared, p.Range, "%s and %s both have lane %d, but a lane belongs to one port", first.Name, p.Name, lane).Fixf("give each port its own lanes, as in port_config.ini of the platform").
					Notef(first.Range, "the first one")
				break
			}
			owner[lane] = p
		}
	}
}
