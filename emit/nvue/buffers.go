package nvue

import (
	"fmt"
	"math/bits"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// buffers says pools and thresholds: advance-buffer-config, which is one for the whole
// switch.
func (b *builder) buffers() {
	if len(b.s.Pools) == 0 {
		return
	}
	ids := b.poolIDs()
	c := b.root.at("qos", "advance-buffer-config", "default-global")
	b.ingress(c, ids)
	b.egress(c, ids)
	b.pools(c, ids)
}

// poolIDs numbers the pools of each direction: lossy traffic is in pool 0 by default,
// and what has a pool of its own in 1 and up (Cumulus Linux 5.14, Advanced Buffer Tuning).
func (b *builder) poolIDs() map[string]int {
	lossy := make(map[string]bool)
	for _, k := range b.kinds {
		for _, g := range k.QoS().PGs {
			lossy[g.Pool] = lossy[g.Pool] || !g.Lossless
		}
		for _, q := range k.QoS().Queues {
			lossy[q.Pool] = lossy[q.Pool] || !b.losslessQueue(q.ID)
		}
	}
	ids, next, taken := make(map[string]int), [2]int{}, [2]uint8{}
	for id, name := range row.Shares() {
		if b.s.Pool(name) != nil {
			ids[name] = id % 8
			taken[id/8] |= 1 << (id % 8)
		}
	}
	for _, want := range []bool{true, false} {
		for _, p := range b.s.Pools {
			if _, numbered := ids[p.Name]; !numbered && lossy[p.Name] == want {
				if !want && next[p.Direction] == 0 {
					next[p.Direction] = 1
				}
				for taken[p.Direction]>>next[p.Direction]&1 == 1 {
					next[p.Direction]++
				}
				ids[p.Name] = next[p.Direction]
				next[p.Direction]++
			}
		}
	}
	return ids
}

func (b *builder) losslessQueue(id uint8) bool {
	lossless := b.s.Paused()
	for p := range 8 {
		if lossless&(1<<p) != 0 && b.s.Maps.TCToQueue[p] == id {
			return true
		}
	}
	return false
}

// ingress says the groups. Cumulus Linux calls group 0 bulk, or the first lossy group where priority 0 pauses, and group n service n.
func (b *builder) ingress(c *object, ids map[string]int) {
	for _, k := range b.kinds {
		for _, g := range k.QoS().PGs {
			where := []string{"ingress-lossless-buffer"}
			if !g.Lossless {
				where = []string{"ingress-lossy-buffer", "priority-group", b.groupName(g.ID)}
			}
			part := &object{}
			b.region(part, ids, g.Pool, g.Limit, k.First().Range)
			if !g.Lossless {
				if g.Reserved.Value > 0 {
					part.count(int64(g.Reserved.Value), "reserved")
				}
				b.members(part, g.ID)
			}
			b.same(c.at(where...), part, k, fmt.Sprintf("priority group %d", g.ID))
		}
	}
}

// members lists the switch priorities of a lossy group.
func (b *builder) members(part *object, pg uint8) {
	lossless := b.s.Paused()
	for tc, to := range b.s.Maps.TCToPG {
		if to == pg && lossless&(1<<tc) == 0 {
			part.at("switch-priority", word(tc))
		}
	}
}

func (b *builder) groupName(id uint8) string {
	if int(id) == bits.TrailingZeros8(^b.s.Paused()) {
		return "bulk"
	}
	return fmt.Sprintf("service%d", id)
}

func (b *builder) egress(c *object, ids map[string]int) {
	for _, k := range b.kinds {
		for _, q := range k.QoS().Queues {
			where := []string{"egress-lossy-buffer", "traffic-class", word(q.ID)}
			if b.losslessQueue(q.ID) && k.QoS().PFC != 0 {
				where = []string{"egress-lossless-buffer"}
			}
			part := &object{}
			b.region(part, ids, q.Pool, q.Limit, k.First().Range)
			if q.Reserved.Value > 0 {
				part.count(int64(q.Reserved.Value), "reserved")
			}
			b.same(c.at(where...), part, k, fmt.Sprintf("queue %d", q.ID))
		}
	}
}

// region says the pool and the threshold of a group or queue.
func (b *builder) region(part *object, ids map[string]int, pool string, limit plan.Derived[plan.Limit], where diag.Range) {
	if pool == "" {
		return
	}
	part.word(word(ids[pool]), "service-pool")
	b.limit(part, pool, limit, where)
}

// limit says a threshold: bytes where the pool has static ones, an alpha where it has
// dynamic ones (Cumulus Linux 5.14, Advanced Buffer Tuning, Buffer Regions).
func (b *builder) limit(part *object, pool string, limit plan.Derived[plan.Limit], where diag.Range) {
	if limit.Value != (plan.Limit{}) && b.static(pool) {
		part.count(int64(min(limit.Value.Static, b.wholePool())), "shared-bytes")
		return
	}
	b.alpha(part, limit, where)
}

// static reports whether a pool has static thresholds: something is bounded by bytes, and
// nothing by an alpha.
func (b *builder) static(pool string) bool {
	bounded := false
	for _, l := range b.limitsIn(pool) {
		if l.Dynamic {
			return false
		}
		bounded = bounded || l.Static > 0 && l.Static < b.wholePool()
	}
	return bounded
}

// limitsIn returns the limits of all that is in a pool.
//
//go:noinline
func (b *builder) limitsIn(pool string) (limits []plan.Limit) {
	for _, k := range b.kinds {
		q := k.QoS()
		for _, g := range q.PGs {
			if g.Pool == pool {
				limits = append(limits, g.Limit.Value)
			}
		}
		for _, queue := range q.Queues {
			if queue.Pool == pool {
				limits = append(limits, queue.Limit.Value)
			}
		}
		for _, p := range q.Pools {
			if p.Pool == pool {
				limits = append(limits, p.Limit.Value)
			}
		}
	}
	return limits
}

// same puts a part where the whole switch has it, and refuses a second, different one.
func (b *builder) same(where, part *object, k *emit.Kind, what string) {
	switch {
	case len(where.keys) == 0:
		where.keys, where.kids = part.keys, part.kids
	case !where.equal(part):
		b.list.Errorf(Conflict, k.First().Range, "%s has other thresholds on %s than on other ports, and Cumulus Linux has one threshold for the whole switch", what, k.Name).
			Fixf("give the port groups the same alpha and reserves")
	}
}

// alpha says a threshold. Exponents are those of the list in Cumulus Linux 5.14,
// Ingress and Egress Management Buffers: 1/128 to 64, and infinity.
func (b *builder) alpha(part *object, limit plan.Derived[plan.Limit], where diag.Range) {
	const least, most units.Alpha = -7, 6
	l := limit.Value
	whole := b.wholePool()
	switch {
	case l == plan.Limit{}: // nothing is printed
	case !l.Dynamic && (l.Static >= plan.NoLimit || whole > 0 && l.Static >= whole):
		part.word("alpha_infinity", "shared-alpha")
	case !l.Dynamic:
		b.list.Errorf(Threshold, limit.Why.RangeOr(where), "a limit of %v is static, and other limits in its pool are dynamic: a pool of Cumulus Linux has one kind only", l.Static).Fixf("give the class an alpha")
	case l.Alpha > most:
		part.word("alpha_infinity", "shared-alpha")
	case l.Alpha < least:
		b.list.Errorf(Threshold, limit.Why.RangeOr(where), "alpha %v is below 1/128, the least that Cumulus Linux takes", l.Alpha).Fixf("raise alpha to 1/128")
	default:
		num, den := l.Alpha.Fraction()
		if den == 1 {
			part.word("alpha_"+word(num), "shared-alpha")
		} else {
			part.word("alpha_1_"+word(den), "shared-alpha")
		}
	}
}

// wholePool returns the size of the largest pool: a static limit of as much is none.
func (b *builder) wholePool() units.Bytes {
	var most units.Bytes
	for _, p := range b.s.Pools {
		most = max(most, p.Size.Value)
	}
	return most
}

// pools says the sizes in per cent of the memory, which the largest pool has, or of what ingress
// pools have together if that is more ("percent of total buffer": Cumulus Linux, qos_infra.conf), and
// what a whole port may take. Ingress pools get no more than port buffers leave, so that both fit. An
// egress pool in which nothing is limited is infinite: ingress counts its packets.
func (b *builder) pools(c *object, ids map[string]int) {
	var whole units.Bytes
	for _, p := range b.s.Pools {
		if p.Direction == plan.Ingress {
			whole += p.Size.Value
		}
		if p.Headroom.Value > 0 {
			b.list.Warnf(HeadroomPool, p.Headroom.Why.RangeOr(b.s.Range), "the headroom pool of %s, %v, is not written: NVUE has one from release 5.17 on, in other terms", p.Name, p.Headroom.Value)
		}
	}
	sum := whole
	whole = max(whole, b.wholePool())
	left := max(1, whole-b.portBuffers())
	written := map[string]bool{}
	for _, p := range b.s.Pools {
		written[row.Pool(p.Direction.String(), int64(ids[p.Name]))] = true
		pool := c.at(p.Direction.String()+"-service-pool", word(ids[p.Name]))
		pool.word(map[bool]string{true: "static", false: "dynamic"}[b.static(p.Name)], "mode")
		stated, ok := b.shares[row.Pool(p.Direction.String(), int64(ids[p.Name]))]
		switch {
		case ok:
			pool.count(stated.Percent, "memory-percent")
		case p.Direction == plan.Egress && b.unlimited(p.Name):
			pool.flag("infinite")
		case whole > 0:
			if p.Direction == plan.Ingress && sum > left {
				p.Size.Value = units.Bytes(units.FloorMulDiv(int64(p.Size.Value), int64(left), int64(sum)))
			}
			b.share(pool, p, whole)
		}
		b.portPool(pool, p)
	}
	for _, name := range row.Shares() {
		if _, stated := b.shares[name]; stated && !written[name] {
			b.list.Warnf(DeviceDecides, b.s.Range, "the share of pool %s is not written: no group and no queue of the switch uses such a pool", name)
		}
	}
}

// portBuffers returns the bytes that groups and whole ports own at ingress.
func (b *builder) portBuffers() (sum units.Bytes) {
	ingress := map[string]bool{}
	for _, p := range b.s.Pools {
		ingress[p.Name] = p.Direction == plan.Ingress
	}
	for i := range b.s.Ports {
		qos := b.s.Ports[i].QoS
		if qos == nil {
			continue
		}
		for _, g := range qos.PGs {
			sum += b.own(&g) + g.Headroom.Value
		}
		for _, p := range qos.Pools {
			if ingress[p.Pool] {
				sum += p.Reserved.Value
			}
		}
	}
	return sum
}

// share says a pool in whole per cent (NVUE command reference, QoS, memory-percent: 0 to 100).
// None is refused: queues of such a pool have their reserves alone.
func (b *builder) share(pool *object, p plan.Pool, whole units.Bytes) {
	b.list.WarnOnceAtf(DeviceDecides, b.s.Range, "NVUE has sizes of pools in whole per cent of the memory, so the switch decides the bytes")
	percent := min(100, units.FloorMulDiv(int64(p.Size.Value), 100, int64(whole)))
	if percent == 0 {
		least := units.Bytes(units.CeilMulDiv(int64(whole), 1, 100))
		b.list.Errorf(PoolTooSmall, p.Size.Why.RangeOr(b.s.Range), "%s has %v of %v, less than 1%%: Cumulus Linux takes whole per cent, and a pool of 0%% has no memory", p.Name, p.Size.Value, whole).
			Fixf("declare a lossy_pool of at least %v, 1%%", least)
		return
	}
	if exact := units.CeilMulDiv(int64(p.Size.Value), 100, int64(whole)); exact != percent && p.Direction == plan.Egress {
		b.list.WarnOnceAtf(Rounded, p.Size.Why.RangeOr(b.s.Range), "%s has %v of %v, and Cumulus Linux takes whole per cent: it gets %d%%", p.Name, p.Size.Value, whole, percent).Fixf("declare a size that is a whole per cent of %v, so that plan and switch agree", whole)
	}
	pool.count(percent, "memory-percent")
}

// unlimited reports whether no queue of a pool is limited by anything.
func (b *builder) unlimited(pool string) bool {
	used := false
	for _, k := range b.kinds {
		for _, q := range k.QoS().Queues {
			if q.Pool != pool {
				continue
			}
			used = true
			if l := q.Limit.Value; l.Dynamic && l.Alpha < 7 || !l.Dynamic && (l.Static < b.wholePool() || l.Static == 0) {
				return false
			}
		}
	}
	return used
}

// portPool says the reserve and the threshold of a whole port in a pool.
func (b *builder) portPool(pool *object, p plan.Pool) {
	var first *object
	for _, k := range b.kinds {
		for _, bound := range k.QoS().Pools {
			if bound.Pool != p.Name {
				continue
			}
			part := &object{}
			if bound.Reserved.Value > 0 {
				part.count(int64(bound.Reserved.Value), "reserved")
			}
			b.limit(part, p.Name, bound.Limit, k.First().Range)
			if first == nil {
				first = part
				for _, key := range part.keys {
					pool.put(key, part.kids[key])
				}
			} else if !first.equal(part) {
				b.list.Errorf(Conflict, k.First().Range, "the bound of a whole port in %s differs on %s, and Cumulus Linux has one for the whole switch", p.Name, k.Name).Fixf("give the ports of all groups the same bound")
			}
		}
	}
}
