package diff

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Running returns a switch of a fabric with the settings that a device runs. want is the configuration in
// the files of the switch and have the one that the device runs, both by the reader of their format.
// A setting that is the same in both stays as the fabric has it, with its reason; another one is that
// of the device. Ports that the fabric does not have are left out. The three switches are left as
// they are.
func Running(of, want, have *plan.Switch) *plan.Switch {
	s := *of
	s.Checks = nil
	for _, part := range runningParts {
		a, b := *of, *of
		a.Ports, b.Ports = nil, nil
		part(&a, want)
		part(&b, have)
		if differ(&a, &b) {
			part(&s, have)
		}
	}
	for _, table := range plan.MapTables() {
		wanted, runs, to := table.At(&want.Maps), table.At(&have.Maps), table.At(&s.Maps)
		for i := range to {
			if wanted[i] != runs[i] {
				to[i] = runs[i]
			}
		}
	}
	s.Classes = runningClasses(&s, want, have)
	s.Pools = runningList(of.Pools, want.Pools, have.Pools, func(p *plan.Pool) string { return p.Name }, plan.PoolAttributes(), shared)
	reserve(&s, want, have)
	t := taker{s: &s, want: want, have: have, kinds: map[[3]*plan.PortQoS]*plan.PortQoS{}}
	s.Ports = t.ports(of.Ports)
	return &s
}

// shared scales a pool whose format has whole per cent. A share of n is between n and n+1 per cent, n+½ in the
// middle, so the size is multiplied by the ratio of the two middles.
func shared(pool, want, have *plan.Pool) {
	if want.Percent != have.Percent && want.Percent > 0 {
		pool.Size = plan.Of(units.Bytes(units.FloorMulDiv(int64(pool.Size.Value), 2*have.Percent+1, 2*want.Percent+1)), nil)
	}
}

// reserve gives the headroom pools the size in sum that the device has, if that is another one. EOS has one pool, with
// a name of its own, for those of all pools.
func reserve(s, want, have *plan.Switch) {
	var sums [3]units.Bytes
	for side, sw := range []*plan.Switch{s, want, have} {
		for i := range sw.Pools {
			sums[side] += sw.Pools[i].Headroom.Value
		}
	}
	if sums[1] == sums[2] {
		return
	}
	more := sums[2] - sums[0]
	for i := range s.Pools {
		if h := &s.Pools[i].Headroom; h.Value > 0 {
			size := max(0, h.Value+more)
			more -= size - h.Value
			*h = plan.Of(size, nil)
		}
	}
}

// runningParts are the settings of a switch as a whole that are taken as one.
var runningParts = []func(to, from *plan.Switch){
	func(to, from *plan.Switch) { to.MTU = from.MTU },
	func(to, from *plan.Switch) { to.Trim = from.Trim },
	func(to, from *plan.Switch) { to.Tunnel = from.Tunnel },
	func(to, from *plan.Switch) { to.LoadBalancing = from.LoadBalancing },
	func(to, from *plan.Switch) { to.BufferModel = from.BufferModel },
	func(to, from *plan.Switch) { to.Calculator = from.Calculator },
	func(to, from *plan.Switch) { to.Watchdog = from.Watchdog },
	func(to, from *plan.Switch) { to.Marking = from.Marking },
	// Not all files have these two.
	func(to, from *plan.Switch) { to.Platform = cmp.Or(from.Platform, to.Platform) },
	func(to, from *plan.Switch) { to.HwSKU = cmp.Or(from.HwSKU, to.HwSKU) },
}

// runningClasses returns the classes of the fabric that a device has, in the places of its maps, and others
// that it has.
func runningClasses(s, want, have *plan.Switch) (all []plan.Class) {
	for tc := range uint8(8) {
		of, wanted, runs := s.Class(tc), want.Class(tc), have.Class(tc)
		if (wanted == nil) != (runs == nil) {
			if runs == nil {
				continue
			}
			of = cmp.Or(of, runs)
		}
		if of == nil {
			continue
		}
		c := *of
		if runs != nil && wanted != nil && (wanted.Lossless != runs.Lossless || wanted.PFC != runs.PFC) {
			c.Lossless, c.PFC = runs.Lossless, runs.PFC
		}
		c.Queue, c.PG, c.DSCPs = s.Maps.TCToQueue[tc], s.Maps.TCToPG[tc], s.Maps.DSCPsOf(tc)
		all = append(all, c)
	}
	return all
}

// runningList takes the parts of a list by name, each attribute by itself. more takes what is not an
// attribute.
func runningList[T any](of, want, have []T, name func(*T) string, attributes []plan.Attribute, more func(part, want, have *T)) (all []T) {
	for _, key := range bothNames(of, have, func(e T) string { return name(&e) }) {
		named := func(e T) bool { return name(&e) == key }
		part, wanted, runs := find(of, named), find(want, named), find(have, named)
		switch {
		case part == nil && wanted != nil: // the format names the part in its own way
		case wanted != nil && runs != nil:
			own := *part
			takeAttributes(&own, wanted, runs, attributes)
			if more != nil {
				more(&own, wanted, runs)
			}
			all = append(all, own)
		case runs != nil:
			all = append(all, *runs)
		case wanted == nil && part != nil: // the format has no such part
			all = append(all, *part)
		}
	}
	return all
}

func takeAttributes(part, want, have any, attributes []plan.Attribute) {
	for i := range attributes {
		a := &attributes[i]
		wanted, _ := a.Get(want)
		if runs, why := a.Get(have); wanted != runs {
			a.Set(part, runs, why)
		}
	}
}

// A taker takes what ports run. Ports that share their settings in all three switches go on to share
// them.
type taker struct {
	s, want, have *plan.Switch
	kinds         map[[3]*plan.PortQoS]*plan.PortQoS
}

func (t *taker) ports(of []plan.Port) (all []plan.Port) {
	want, have := t.want.PortsByName(), t.have.PortsByName()
	for _, p := range of {
		wanted, runs := want[p.Name], have[p.Name]
		if runs == nil && wanted != nil {
			continue // the device does not have it yet
		}
		if wanted != nil {
			take(&p.Speed, wanted.Speed, runs.Speed)
			take(&p.Cable, wanted.Cable, runs.Cable)
			take(&p.MTU, wanted.MTU, runs.MTU)
			take(&p.FEC, wanted.FEC, runs.FEC)
			take(&p.Routed, wanted.Routed, runs.Routed)
			if t.s.OS != "sonic" { // where others write both
				take(&p.Alias, wanted.Alias, runs.Alias)
				take(&p.Peer, wanted.Peer, runs.Peer)
			}
			if !slices.Equal(wanted.Lanes, runs.Lanes) {
				p.Lanes = runs.Lanes
			}
			p.QoS = t.qos(p.QoS, wanted.QoS, runs.QoS)
		}
		all = append(all, p)
	}
	return all
}

func take[T comparable](part *T, want, have T) {
	if want != have {
		*part = have
	}
}

func (t *taker) qos(of, want, have *plan.PortQoS) *plan.PortQoS {
	switch {
	case want == nil && have == nil:
		return of
	case want == nil || have == nil:
		return have
	}
	key := [3]*plan.PortQoS{of, want, have}
	if made := t.kinds[key]; made != nil {
		return made
	}
	q := *cmp.Or(of, have)
	take(&q.Trust, want.Trust, have.Trust)
	takeAttributes(&q, want, have, plan.OwnPortAttributes())
	if own := *t.have.ClassifiedBy(have); own != *t.want.ClassifiedBy(want) {
		if q.DSCPToTC = nil; own != t.s.Maps.DSCPToTC {
			q.DSCPToTC = &own
		}
	}
	if own := *t.have.QueuesOf(have); own != *t.want.QueuesOf(want) {
		if q.TCToQueue = nil; own != t.s.Maps.TCToQueue {
			q.TCToQueue = &plan.QueueMap{To: own}
		}
	}
	if rewriting(want.Rewrite, t.want) != rewriting(have.Rewrite, t.have) {
		q.Rewrite = have.Rewrite
	}
	q.PGs = runningList(q.PGs, want.PGs, have.PGs, func(g *plan.PG) string { return strconv.Itoa(int(g.ID)) }, plan.PGAttributes(), nil)
	q.Queues = runningList(q.Queues, want.Queues, have.Queues, func(u *plan.Queue) string { return strconv.Itoa(int(u.ID)) }, plan.QueueAttributes(), func(part, want, have *plan.Queue) {
		switch {
		case want.ECN != nil && have.ECN == nil:
			part.ECN = nil
		case have.ECN != nil && part.ECN == nil: // a curve by fill took its place
			part.ECN = have.ECN
		}
	})
	t.pools(&q, cmp.Or(of, have))
	q.Pools = runningList(q.Pools, want.Pools, have.Pools, func(p *plan.PortPool) string { return p.Pool }, plan.PortPoolAttributes(), nil)
	stable.Sort(q.Pools, func(a, b plan.PortPool) int { return cmp.Compare(a.Pool, b.Pool) })
	t.kinds[key] = &q
	return &q
}

// pools gives groups and queues that the fabric does not have the pool of its like, where the format has no
// pools or names them in its own way.
func (t *taker) pools(q, of *plan.PortQoS) {
	unknown := func(pool string) bool { return t.s.Pool(pool) == nil }
	for i := range q.PGs {
		g := &q.PGs[i]
		added := of.PG(g.ID) == nil
		if like := find(of.PGs, func(o plan.PG) bool { return o.Lossless == g.Lossless }); added && unknown(g.Pool) && like != nil {
			g.Pool = like.Pool
		}
	}
	lossless := func(u plan.Queue) bool {
		return slices.ContainsFunc(t.s.Classes, func(c plan.Class) bool { return c.Queue == u.ID && c.Lossless })
	}
	for i := range q.Queues {
		u := &q.Queues[i]
		added := of.Queue(u.ID) == nil
		if like := find(of.Queues, func(o plan.Queue) bool { return lossless(o) == lossless(*u) }); added && unknown(u.Pool) && like != nil {
			u.Pool = like.Pool
		}
	}
}
