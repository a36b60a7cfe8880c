package sonic

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A kind is ports that get the same rows: the name of a lossless profile holds speed and cable
// length in addition to the PortQoS.
type kind struct {
	qos   *plan.PortQoS
	speed units.BitRate
	metre int64
}

func kindOf(p *plan.Port) kind { return kind{p.QoS, p.Speed, metres(p.Cable)} }

// metres rounds up: too long a cable costs memory, too short a one packets.
func metres(l units.Length) int64 { return units.CeilMulDiv(int64(l), 1, int64(units.Metre)) }

// A binding names the profiles and maps to which a kind of port refers.
type binding struct {
	pgs, queues     []bound // BUFFER_PG, BUFFER_QUEUE
	ingress, egress string  // profile lists
	sending         []sending
}

// bound gives a profile to a range of PGs or queues.
type bound struct{ ids, profile string }

// sending is a row of QUEUE.
type sending struct{ id, scheduler, wred string }

// bindings names everything once per kind of port. The order decides who gets the
// plain name of a base, so it is fixed: whole ports, then lossless PGs by falling
// headroom, then the rest in the order of ports.
func (e *emitter) bindings() {
	kinds := e.kinds()
	for _, k := range kinds {
		b := &binding{}
		b.ingress, b.egress = e.profileLists(k)
		e.bound[k] = b
	}
	e.nameLossless(kinds)
	for _, k := range kinds {
		b := e.bound[k]
		b.pgs = joined(len(k.qos.PGs), func(i int) (uint8, string) { return k.qos.PGs[i].ID, e.pgProfile(k, &k.qos.PGs[i]) })
		b.queues = joined(len(k.qos.Queues), func(i int) (uint8, string) {
			return k.qos.Queues[i].ID, e.queueProfile(k, &k.qos.Queues[i])
		})
		for i := range k.qos.Queues {
			b.sending = append(b.sending, e.sending(&k.qos.Queues[i]))
		}
	}
}

// kinds lists the kinds of port in the order of the ports.
func (e *emitter) kinds() []kind {
	var kinds []kind
	seen := make(map[kind]bool)
	for i := range e.sw.Ports {
		k := kindOf(&e.sw.Ports[i])
		if k.qos != nil && !seen[k] {
			seen[k] = true
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// joined gives rows for runs of consecutive IDs with one profile, as "3-4". An empty
// profile has no row.
func joined(n int, at func(int) (uint8, string)) []bound {
	var rows []bound
	for i := 0; i < n; {
		first, profile := at(i)
		last := first
		for i++; i < n; i++ {
			id, next := at(i)
			if id != last+1 || next != profile {
				break
			}
			last = id
		}
		ids := strconv.Itoa(int(first))
		if last != first {
			ids += "-" + strconv.Itoa(int(last))
		}
		if profile != "" {
			rows = append(rows, bound{ids, profile})
		}
	}
	return rows
}

// profileLists names the profiles of the whole port, by the direction of their pool.
func (e *emitter) profileLists(k kind) (ingress, egress string) {
	lists := make(map[plan.Direction][]string)
	for _, p := range k.qos.Pools {
		d := plan.Ingress
		if pool := e.sw.Pool(p.Pool); pool != nil {
			d = pool.Direction
		}
		base := strings.TrimSuffix(p.Pool, "_pool")
		lists[d] = append(lists[d], e.profiles.name(base, newProfile(p.Pool, p.Reserved.Value, p.Limit.Value)))
	}
	return strings.Join(lists[plan.Ingress], ","), strings.Join(lists[plan.Egress], ",")
}

func newProfile(pool string, reserved units.Bytes, limit plan.Limit) profile {
	if limit.Dynamic {
		limit.Static = 0
	} else {
		limit.Alpha = 0
	}
	return profile{pool: pool, size: reserved, limit: limit}
}

// losslessBase returns the name that buffermgrd looks for: it keeps a profile of that name
// and would otherwise put one from the vendor's table in its place (sonic-swss
// cfgmgr/buffermgr.cpp, doSpeedUpdateTask). The dynamic model makes profiles with such
// names itself, so what overrides it is called otherwise.
func (e *emitter) losslessBase(k kind) string {
	form := "pg_lossless_%d_%dm"
	if e.dynamic() {
		form = "pg_override_%d_%dm"
	}
	return fmt.Sprintf(form, int64(k.speed/units.Mbps), k.metre)
}

// nameLossless names the profiles that hold headroom, the largest first: where two
// kinds of port want one name, the one that buffermgrd gives to both must be large
// enough for both.
func (e *emitter) nameLossless(kinds []kind) {
	type named struct {
		base    string
		content profile
		kind    kind
	}
	var all []named
	for _, k := range kinds {
		for i := range k.qos.PGs {
			if pg := &k.qos.PGs[i]; e.holdsHeadroom(pg) {
				all = append(all, named{e.losslessBase(k), losslessProfile(pg), k})
			}
		}
	}
	stable.Sort(all, func(a, b named) int { return cmp.Compare(b.content.xoff, a.content.xoff) })
	for _, n := range all {
		if e.profiles.name(n.base, n.content) != n.base+"_profile" && !e.dynamic() {
			e.warnClash(n.base, n.kind)
		}
	}
}

// holdsHeadroom reports whether the file says the headroom of a PG.
func (e *emitter) holdsHeadroom(pg *plan.PG) bool {
	return pg.Lossless && (!e.dynamic() || pg.Override)
}

func losslessProfile(pg *plan.PG) profile {
	p := newProfile(pg.Pool, pg.Reserved.Value, pg.Limit.Value)
	p.lossless = true
	p.xon, p.offset, p.xoff = pg.XOn.Value, pg.XOnOffset.Value, pg.Headroom.Value
	return p
}

func (e *emitter) pgProfile(k kind, pg *plan.PG) string {
	switch {
	case pg.Pool == "":
		return ""
	case !pg.Lossless:
		return e.profiles.name("ingress_lossy", newProfile(pg.Pool, pg.Reserved.Value, pg.Limit.Value))
	case e.holdsHeadroom(pg):
		return e.profiles.name(e.losslessBase(k), losslessProfile(pg))
	}
	computed := newProfile(pg.Pool, 0, pg.Limit.Value)
	if pg.Pool == plan.LosslessPool && computed.limit == (plan.Limit{Dynamic: true, Alpha: e.sw.Calculator.DefaultAlpha.Value}) {
		return schema.NullProfile
	}
	computed.computed = true
	return e.profiles.name(fmt.Sprintf("pg_computed_th%d", pg.Limit.Value.Alpha), computed)
}

func (e *emitter) queueProfile(k kind, q *plan.Queue) string {
	base := "egress_lossy"
	switch {
	case q.Pool == "":
		return ""
	case e.paused(k.qos, q.ID):
		base = "egress_lossless"
	case e.dynamic():
		base = "q_lossy" // as NVIDIA's templates; egress_lossy there is the whole port's
	}
	p := newProfile(q.Pool, q.Reserved.Value, q.Limit.Value)
	if p.trims = q.Trims && e.trims; p.trims {
		base += "_trim"
	}
	return e.profiles.name(base, p)
}

// paused reports whether a PFC priority of the port stops the queue.
func (e *emitter) paused(qos *plan.PortQoS, queue uint8) bool {
	for p, q := range e.sw.Maps.PFCToQueue {
		if q == queue && qos.PFC&(1<<p) != 0 {
			return true
		}
	}
	return false
}
