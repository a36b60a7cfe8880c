package sonic

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func (r *reader) readPools() {
	for w := range r.table(schema.TableBufferPool).all() {
		pool := plan.Pool{
			Name: w.key, Size: quantity[units.Bytes](r, w, schema.PoolSize, "pool size"), Headroom: quantity[units.Bytes](r, w, schema.PoolXOff, "headroom pool"), Range: w.at,
		}
		if mode, at, ok := r.text(w, "mode"); ok {
			pool.Dynamic = mode == "dynamic"
			if mode != "dynamic" && mode != "static" {
				r.found.Errorf(Word, at, "the mode of a pool is static or dynamic, not %q", posjson.Clip(mode)).Fixf("write static or dynamic")
			}
		}
		if side, at, ok := r.text(w, "type"); ok {
			r.poolSide(&pool, side, at)
		}
		for _, field := range []string{"mode", "type"} {
			if w.fields.Get(field) == nil {
				r.found.Errorf(Word, w.at, "pool %s has no %s, which the YANG model requires", w.key, field).Fixf("add the field %s", field)
			}
		}
		if n := w.fields.Get("percentage"); n != nil {
			r.found.Warnf(NotModelled, r.doc.At(n), "the size of pool %s is a share of the remaining memory, which the file does not give", w.key)
		}
		if pool.Size.Why != nil && pool.Headroom.Value > pool.Size.Value {
			r.found.Warnf(PoolHeadroom, pool.Headroom.Why.Range, "the headroom of pool %s, %d B, is larger than the pool, %d B", w.key, pool.Headroom.Value, pool.Size.Value).
				Fixf("check whether size and xoff were swapped").Notef(pool.Size.Why.Range, "the size")
		}
		r.sw.Pools = append(r.sw.Pools, pool)
	}
	sortByName(r.sw.Pools, func(p *plan.Pool) string { return p.Name })
}

func (r *reader) poolSide(pool *plan.Pool, side string, at diag.Range) {
	switch side {
	case "ingress":
	case "egress":
		pool.Direction = plan.Egress
	case "both":
		r.both[pool.Name] = true
		if pool.Both = r.sw.VOQ; pool.Both {
			return
		}
		r.found.Warnf(NotModelled, at, "pool %s accounts both ingress and egress; it is read as an ingress pool", pool.Name)
	default:
		r.found.Errorf(Word, at, "the type of a pool is ingress, egress or both, not %q", posjson.Clip(side)).Fixf("write ingress, egress or both")
	}
}

// A profile is a row of BUFFER_PROFILE.
type profile struct {
	name     string
	at       diag.Range
	pool     string
	reserved plan.Derived[units.Bytes]
	limit    plan.Derived[plan.Limit]
	// lossless: it holds headroom. computed: the switch computes that.
	lossless, computed       bool
	trims                    bool // cuts packets of queues that find no room
	xon, xonOffset, headroom plan.Derived[units.Bytes]
}

func (r *reader) readProfiles() {
	t := r.table(schema.TableBufferProfile)
	r.profiles = make(map[string]*profile, len(t.rows))
	for w := range t.all() {
		p := &profile{
			name: w.key, at: w.at, reserved: quantity[units.Bytes](r, w, schema.ProfileSize, "reserve"), limit: r.limit(w), xon: quantity[units.Bytes](r, w, schema.ProfileXOn, "xon"),
			xonOffset: quantity[units.Bytes](r, w, schema.ProfileXOnOffset, "xon offset"), headroom: quantity[units.Bytes](r, w, schema.ProfileXOff, "headroom"),
		}
		if pool := r.poolOf(w); pool != nil {
			p.pool = pool.key
		}
		kind, _, _ := r.text(w, "headroom_type")
		p.computed = kind == "dynamic"
		p.lossless = p.computed || w.fields.Get("xoff") != nil
		p.trims = r.trims(w)
		r.profiles[w.key] = p
	}
}

// poolOf resolves the pool of a profile. An overlay may leave the pools to the file
// below it.
func (r *reader) poolOf(w *row) *row {
	if r.table(schema.TableBufferPool).present {
		return r.reference(w, "pool", schema.TableBufferPool)
	}
	if s, at, ok := r.text(w, "pool"); ok {
		return &row{key: plainName(s), at: at}
	}
	return nil
}

func (r *reader) limit(w *row) plan.Derived[plan.Limit] {
	static, staticAt, hasStatic := r.number(w, schema.ProfileStatic)
	alpha, alphaAt, hasDynamic := r.number(w, schema.ProfileAlpha)
	switch {
	case hasStatic && hasDynamic:
		r.found.Errorf(ThresholdBoth, alphaAt, "profile %s has both a static and a dynamic threshold, but a chip takes one", w.key).
			Fixf("remove one of the two").Notef(staticAt, "the static one")
		fallthrough
	case hasDynamic:
		return got("limit", plan.Limit{Dynamic: true, Alpha: units.Alpha(alpha)}, alphaAt)
	case hasStatic:
		return got("limit", plan.Limit{Static: units.Bytes(static)}, staticAt)
	case w.fields.Get("static_th") == nil && w.fields.Get("dynamic_th") == nil:
		r.found.Warnf(ThresholdMissing, w.at, "profile %s has neither static_th nor dynamic_th, so its groups and queues take no shared buffer", w.key).Fixf("add dynamic_th, an exponent such as 0 for alpha 1, or static_th, in bytes")
	}
	return plan.Derived[plan.Limit]{}
}

// pg gives the PG of a row of BUFFER_PG without its number.
func (r *reader) pg(w *row) (plan.PG, bool) {
	s, at, ok := r.text(w, "profile")
	if !ok || s == "" {
		return plan.PG{}, false
	}
	if s == schema.NullProfile {
		return r.computedPG(at)
	}
	p := r.profile(s, at, plan.Ingress)
	if p == nil {
		return plan.PG{}, false
	}
	pg := plan.PG{Pool: p.pool, Reserved: p.reserved, Limit: p.limit, Lossless: p.lossless}
	if p.lossless && !p.computed {
		pg.XOn, pg.XOnOffset, pg.Headroom = p.xon, p.xonOffset, p.headroom
		pg.Override = r.sw.BufferModel == plan.DynamicModel
	}
	return pg, true
}

// computedPG is a PG with the profile NULL: the switch computes it from the port's
// speed and cable, with the default alpha.
func (r *reader) computedPG(at diag.Range) (plan.PG, bool) {
	if r.sw.BufferModel != plan.DynamicModel {
		r.found.Errorf(Reference, at, "the profile NULL means that the switch computes it, which only the dynamic buffer model does").Fixf("name a profile, or set buffer_model to dynamic in DEVICE_METADATA")
		return plan.PG{}, false
	}
	limit := plan.Limit{Dynamic: true, Alpha: r.sw.Calculator.DefaultAlpha.Value}
	return plan.PG{Pool: plan.LosslessPool, Lossless: true, Limit: got("limit", limit, at)}, true
}

// profile resolves a reference to BUFFER_PROFILE from a table of the given side.
func (r *reader) profile(s string, at diag.Range, side plan.Direction) *profile {
	if !r.table(schema.TableBufferProfile).present {
		return &profile{at: at} // an overlay: the profiles are elsewhere
	}
	w := r.resolve(s, at, schema.TableBufferProfile)
	if w == nil {
		return nil
	}
	p := r.profiles[w.key]
	for i := range r.sw.Pools {
		if pool := &r.sw.Pools[i]; pool.Name == p.pool && r.otherSide(pool, side) {
			d := r.found.Errorf(WrongSide, at, "an %s profile is expected here, and %s belongs to the %s pool %s", side, posjson.Clip(w.key), pool.Direction, pool.Name).
				Notef(p.at, "the profile").Fixf("name a profile of an %s pool", side)
			if r.sw.BufferModel != plan.DynamicModel {
				d.Severity = diag.Warning
			}
		}
	}
	return p
}

// otherSide reports whether a pool is not of the side that an object needs. The dynamic
// buffer manager refuses its profiles there (sonic-swss cfgmgr/buffermgrdyn.cpp,
// checkBufferProfileDirection). The traditional one passes them on (orchagent/bufferorch.cpp), and
// configurations for Teralynx ship so. Whether they are judged is for the chip to say: see
// [read.Statement].
func (r *reader) otherSide(pool *plan.Pool, side plan.Direction) bool {
	return pool.Direction != side && !r.both[pool.Name]
}

// claimSides says of references to profiles of the other side that their effect is not known.
func (r *reader) claimSides() {
	for _, from := range references {
		if from.to != schema.TableBufferProfile {
			continue
		}
		for w := range r.table(from.table).all() {
			for name := range strings.SplitSeq(w.fields.Get(from.field).Word(), ",") {
				p, known := r.profiles[plainName(name)]
				if !known {
					continue
				}
				of := slices.IndexFunc(r.sw.Pools, func(pool plan.Pool) bool { return pool.Name == p.pool })
				if of >= 0 && r.otherSide(&r.sw.Pools[of], from.side) {
					r.otherSides(w.fields.Get(from.field), r.scopeOf(from.table, w.key, ""), "a profile of the pool %s is for the other side, and its effect on the chip is not known", p.pool)
				}
			}
		}
	}
}

// portPools gives the limits of the whole port.
func (r *reader) portPools(port string) []plan.PortPool {
	var pools []plan.PortPool
	for _, of := range []struct {
		table string
		side  plan.Direction
	}{{schema.TableBufferPortEgress, plan.Egress}, {schema.TableBufferPortIngress, plan.Ingress}} {
		w := r.table(of.table).row(port)
		if w == nil {
			continue
		}
		list, at, _ := r.text(w, "profile_list")
		for _, ref := range strings.Split(list, ",") {
			if ref == "" {
				continue
			}
			if p := r.profile(ref, at, of.side); p != nil {
				pools = append(pools, plan.PortPool{Pool: p.pool, Reserved: p.reserved, Limit: p.limit})
			}
		}
	}
	sortByName(pools, func(p *plan.PortPool) string { return p.Pool })
	return pools
}
