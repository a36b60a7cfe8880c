package nvue

import (
	"fmt"
	"slices"
	"strings"

	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// poolsOf reads the pools of a direction. Their sizes are in per cent of what the chip
// has left, which the file does not give.
func (r *reader) poolsOf(d plan.Direction) {
	if r.pools == nil {
		r.pools = make(map[poolKey]string)
	}
	r.buffers().get(d.String()+"-service-pool").instances(7, func(id int, kid *node) {
		share, all := kid.get("memory-percent"), int64(0)
		infinite := kid.get("infinite").on(false)
		if d == plan.Egress && id == 1 && infinite && r.hasLosslessPool() {
			kid.get("infinite").leaf().pass(ruleDefault)
		}
		if id == 0 && !infinite {
			all = 100 // 5.14, Default Configuration Files, qos_infra.conf
		}
		if id > 0 && !infinite && !share.there() {
			kid.first().doubtf(read.Scope{}, "the file does not give the size of the pool")
		}
		percent := share.number(0, 100, all)
		if share.there() && percent == 0 && !infinite {
			share.leaf().doubtf(read.Scope{}, "a pool of 0 % shares nothing, and the limit of its groups and queues above their reserves is not documented")
		}
		r.addPool(poolKey{d, int64(id)}, plan.Pool{Dynamic: r.dynamic(d, int64(id)), Infinite: infinite, Percent: percent, Range: share.at()})
	})
}

// hasLosslessPool reports whether pool 1 is of lossless traffic without advance-buffer-config: it is infinite
// at egress then (Cumulus Linux 5.14, Quality of Service, Flow Control Buffers).
func (r *reader) hasLosslessPool() bool {
	share := func(pool string) bool { return r.qos.get("traffic-pool", pool, "memory-percent").there() }
	return r.roce.lossless || share("default-lossless") || share("roce-lossless")
}

// dynamic reports the mode of a pool: dynamic where none is set (Cumulus Linux 5.14, Default
// Configuration Files, qos_infra.conf).
func (r *reader) dynamic(d plan.Direction, id int64) bool {
	return r.buffers().get(d.String()+"-service-pool", fmt.Sprint(id), "mode").word("dynamic", "static") == "dynamic"
}

func (r *reader) addPool(key poolKey, p plan.Pool) {
	p.Name, p.Direction = row.Pool(key.d.String(), key.id), key.d
	r.pools[key] = p.Name
	r.sw.Pools = append(r.sw.Pools, p)
	stable.Sort(r.sw.Pools, func(a, b plan.Pool) int { return strings.Compare(a.Name, b.Name) })
}

// trafficPools reads the pools that have names, which are names of numbered ones: Cumulus Linux
// 5.14, Advanced Buffer Tuning, Service Pools, its table.
func (r *reader) trafficPools() {
	for _, named := range []struct {
		name string
		id   int64
	}{{"default-lossy", 0}, {"default-lossless", 1}, {"roce-lossless", 1}, {"mc-lossy", 2}} {
		id := named.id
		pool := r.qos.get("traffic-pool", named.name).mark()
		share := pool.get("memory-percent")
		for _, d := range []plan.Direction{plan.Ingress, plan.Egress} {
			key := poolKey{d, id}
			switch {
			case !share.there():
			case r.pools[key] == "":
				pool := plan.Pool{Dynamic: true, Percent: share.number(1, 100, 0), Range: share.at()}
				if d == plan.Egress && id == 1 {
					pool.Infinite, pool.Percent = true, 0
				}
				r.addPool(key, pool)
			default:
				share.leaf().pass(ruleTuned)
			}
		}
		pool.get("switch-priority").instances(7, func(tc int, at *node) {
			if id == 1 {
				at.doubtf(read.Scope{TCs: 1 << tc, PGs: 1 << tc}, "it is not documented which priorities without PFC a lossless pool has")
			} else if r.pauses(tc) {
				at.doubtf(read.Scope{TCs: 1 << tc, PGs: 1 << tc}, "a priority with PFC is in a lossy pool, and it is not documented which of the two counts")
			} else if !r.sw.Places.TCToPG[tc].Empty() {
				at.pass(ruleTuned)
			} else {
				r.sw.Maps.TCToPG[tc] = map[bool]uint8{true: r.bulk, false: uint8(id)}[id == 0]
				at.took(id == 0)
			}
		})
	}
}

// pauses reports whether a PFC profile that ports may have has a switch priority.
func (r *reader) pauses(priority int) bool { return r.paused>>priority&1 == 1 }

// pausedAnywhere returns the switch priorities of the PFC profile of all ports and of those that interfaces name.
func (r *reader) pausedAnywhere() (bits uint8) {
	add := func(profile string) {
		r.qos.get("pfc", profile, "switch-priority").each(func(key string, _ *node) {
			if p, ok := digits(key); ok && p < 8 {
				bits |= 1 << p
			}
		})
	}
	add("default-global")
	r.set.get("interface").each(func(_ string, kid *node) { add(kid.get("qos", "pfc", "profile").text()) })
	return bits
}

// portPools reads what a whole port may take of each pool.
func (r *reader) portPools() (out []plan.PortPool) {
	for _, p := range r.sw.Pools {
		digit := p.Name[strings.LastIndexByte(p.Name, '-')+1:]
		pool := r.buffers().get(p.Direction.String()+"-service-pool", digit)
		reserved := pool.get("reserved")
		if limit := r.limit(p.Direction, pool); reserved.there() || limit.Why != nil {
			out = append(out, plan.PortPool{Pool: p.Name, Reserved: r.bytes(reserved, "reserve of a port"), Limit: limit})
		}
	}
	return out
}

// unbounded lists the pools without a bound for a port, in a file that tunes buffers.
func (r *reader) unbounded() (all []read.Assumption) {
	for _, p := range r.sw.Pools {
		digit := p.Name[strings.LastIndexByte(p.Name, '-')+1:]
		pool := r.buffers().get(p.Direction.String()+"-service-pool", digit)
		if r.buffers().there() && !pool.get("shared-alpha").there() && !pool.get("shared-bytes").there() {
			all = append(all, read.Assumption{
				Where: "pool " + p.Name, Declare: "shared-alpha of the pool",
				Assumes: "assumed: a port may take all of the pool; its limit without shared-alpha and shared-bytes is not published",
			})
		}
	}
	return all
}

// portBuffers lists the PFC profiles with sizes for several priorities: it is not documented whether each has them.
func (r *reader) portBuffers() {
	r.qos.get("pfc").each(func(name string, profile *node) {
		if priorities := profile.get("switch-priority"); priorities.there() && len(priorities.kids) > 1 && profile.row(row.PortBuffer).there() && !r.isUnused("pfc", name) {
			r.assumed = append(r.assumed, read.Assumption{
				Where: "qos pfc " + name, Declare: "the sizes of priority groups, as `nv show interface qos buffer` shows them",
				Assumes: "assumed: each priority of the profile has its own port-buffer; it is not published whether they share one",
			})
		}
	})
}

func (r *reader) bytes(n *node, name string) plan.Derived[units.Bytes] {
	return of(units.Bytes(n.number(0, row.Bytes.Most, 0)), n, name)
}

// limit reads the threshold of a region: bytes where its pool is static, else an alpha
// (Cumulus Linux 5.14, Advanced Buffer Tuning, Buffer Regions). It has no Why where the
// file has none.
func (r *reader) limit(d plan.Direction, region *node) plan.Derived[plan.Limit] {
	static, alpha := region.get("shared-bytes"), region.get("shared-alpha")
	if static.there() && (!r.dynamicOf(d, region) || !alpha.there()) {
		if r.dynamicOf(d, region) {
			static.leaf().doubtf(read.Scope{}, "the pool is dynamic, and the meaning of bytes there is not documented")
		}
		alpha.pass(ruleOtherMode)
		return of(plan.Limit{Static: units.Bytes(static.number(0, row.Bytes.Most, 0))}, static, "limit")
	}
	static.pass(ruleOtherMode)
	if alpha.there() && !r.dynamicOf(d, region) {
		alpha.leaf().doubtf(read.Scope{}, "the pool is static, and the limit of its regions without shared-bytes is not documented")
	}
	if !alpha.there() {
		return plan.Derived[plan.Limit]{}
	}
	words := []string{"", "alpha_infinity"}
	for a := units.Alpha(-7); a <= 6; a++ {
		words = append(words, alphaWord(a))
	}
	words = append(words, "alpha_0")
	limit := plan.Limit{Static: plan.NoLimit}
	switch i := slices.Index(words, alpha.word(words...)); {
	case i == len(words)-1:
		limit.Static = 0
		alpha.leaf().doubtf(read.Scope{}, "alpha_0 gives no shared buffer, which a plan cannot have")
	case i > 1:
		limit = plan.Limit{Dynamic: true, Alpha: units.Alpha(i - 9)}
	}
	return of(limit, alpha, "limit")
}

// dynamicOf reports the mode of the pool that a region is in; of a pool itself that is it.
func (r *reader) dynamicOf(d plan.Direction, region *node) bool {
	if region.up != nil && region.up.name == d.String()+"-service-pool" {
		return region.get("mode").word("dynamic", "static") == "dynamic"
	}
	return r.dynamic(d, region.get("service-pool").number(0, 7, 0))
}

func alphaWord(a units.Alpha) string {
	num, den := a.Fraction()
	if den == 1 {
		return fmt.Sprintf("alpha_%d", num)
	}
	return fmt.Sprintf("alpha_1_%d", den)
}

// pool returns the pool of a region; empty where the file says none.
func (r *reader) pool(d plan.Direction, region *node) string {
	id := region.get("service-pool")
	if !id.there() {
		return ""
	}
	// Where the file says a pool's number and not its size, it has the default's.
	key := poolKey{d, id.number(0, 7, -1)}
	if key.id < 0 {
		return ""
	}
	if r.pools[key] == "" {
		r.addPool(key, plan.Pool{Dynamic: true})
	}
	return r.pools[key]
}
