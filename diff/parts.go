package diff

import (
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Grown returns a switch that has grown and not moved: it takes in what either plan needs,
// and demands no more than either does. Both switches are left as they are.
func Grown(old, new *plan.Switch) *plan.Switch {
	b := blend{old: old, new: new, oldLossless: losslessTCs(old), newLossless: losslessTCs(new)}
	g := *new
	g.MTU, g.Marking, g.Tunnel = smaller(old.MTU, new.MTU), old.Marking, old.Tunnel
	g.Maps = b.maps()
	g.Classes = b.classes(&g.Maps)
	b.grown = g.Maps
	g.Ports = b.ports()
	g.Pools = b.pools(g.Ports)
	g.Checks = nil
	return &g
}

// moved returns a switch that has grown and moved, and not shrunk.
func moved(grown, new *plan.Switch) *plan.Switch {
	m := *grown
	m.Ports = slices.Clone(grown.Ports)
	m.MTU, m.Marking, m.Tunnel = new.MTU, new.Marking, new.Tunnel
	is := new.PortsByName()
	for i := range m.Ports {
		port := &m.Ports[i]
		if to := is[port.Name]; to != nil {
			port.Speed, port.MTU, port.Lanes = to.Speed, to.MTU, to.Lanes
			if port.QoS != nil && to.QoS != nil && (port.QoS.Trust != to.QoS.Trust || port.QoS.DSCPToTC != to.QoS.DSCPToTC) {
				qos := *port.QoS
				qos.Trust, qos.DSCPToTC = to.QoS.Trust, to.QoS.DSCPToTC
				port.QoS = &qos
			}
		}
	}
	return &m
}

// A blend joins two states of a switch.
type blend struct {
	old, new                 *plan.Switch
	oldLossless, newLossless [8]bool // by traffic class
	grown                    plan.Maps
}

// losslessTCs says which traffic classes are in a PG that is paused on some port.
func losslessTCs(sw *plan.Switch) (tcs [8]bool) {
	paused := pausedPGs(sw)
	for tc, pg := range sw.Maps.TCToPG {
		tcs[tc] = paused[pg&7]
	}
	return tcs
}

func pausedPGs(sw *plan.Switch) (pgs [8]bool) {
	seen := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		if qos == nil || seen[qos] {
			continue
		}
		seen[qos] = true
		for _, pg := range qos.PGs {
			for p, to := range sw.Maps.PFCToPG {
				if pg.Lossless && to == pg.ID && qos.PFC&(1<<p) != 0 {
					pgs[pg.ID&7] = true
				}
			}
		}
	}
	return pgs
}

// maps keeps what is lossless as long as it is used, and adds what becomes so. Lossy
// traffic goes to its new place unless that still is lossless, or its old place if that
// does not become so.
func (b *blend) maps() plan.Maps {
	m, was, is := b.new.Maps, &b.old.Maps, &b.new.Maps
	for tc := range m.TCToQueue {
		switch {
		case b.oldLossless[tc]:
			m.TCToQueue[tc], m.TCToPG[tc] = was.TCToQueue[tc], was.TCToPG[tc]
		case !b.newLossless[tc]:
			m.TCToPG[tc] = b.lossyPG(was.TCToPG[tc], is.TCToPG[tc])
		}
	}
	for d := range m.DSCPToTC {
		from, to := was.DSCPToTC[d]&7, is.DSCPToTC[d]&7
		if b.oldLossless[from] || !b.newLossless[to] && b.oldLossless[to] {
			m.DSCPToTC[d] = from
		}
	}
	on := b.old.Paused()
	for p := range m.PFCToPG {
		if on&(1<<p) != 0 {
			m.PFCToPG[p], m.PFCToQueue[p] = was.PFCToPG[p], was.PFCToQueue[p]
		} else if tc, ok := b.pausedBy(p); ok {
			m.PFCToPG[p], m.PFCToQueue[p] = m.TCToPG[tc], m.TCToQueue[tc]
		}
	}
	return m
}

// pausedBy returns the traffic class that a priority pauses afterwards: a new priority of it
// pauses the class where it still is.
func (b *blend) pausedBy(p int) (tc int, ok bool) {
	is := &b.new.Maps
	for tc := range b.newLossless {
		if b.newLossless[tc] && is.TCToPG[tc] == is.PFCToPG[p] && is.TCToQueue[tc] == is.PFCToQueue[p] {
			return tc, true
		}
	}
	return 0, false
}

func (b *blend) lossyPG(was, is uint8) uint8 {
	old, new := pausedPGs(b.old), pausedPGs(b.new)
	if (old[is&7] || new[is&7]) && !old[was&7] && !new[was&7] {
		return was
	}
	return is
}

// classes returns the classes of both plans, with the places that the maps give them. Some systems know classes by
// their names, so a class that is there in both places has another name in the new one for a while.
func (b *blend) classes(m *plan.Maps) (all []plan.Class) {
	var is [8]*plan.Class
	stays := map[string]bool{}
	for tc := range uint8(8) {
		is[tc] = b.new.Class(tc)
		if old := b.old.Class(tc); old != nil && (is[tc] == nil || b.oldLossless[tc]) {
			is[tc] = old
			stays[old.Name] = old.Name != ""
		}
	}
	for tc, class := range is {
		if class == nil {
			continue
		}
		c, tc := *class, uint8(tc)
		if class != b.old.Class(tc) && stays[c.Name] {
			for c.Name += "-new"; b.named(c.Name); c.Name += "-new" {
			}
		}
		c.Queue, c.PG, c.DSCPs = m.TCToQueue[tc], m.TCToPG[tc], m.DSCPsOf(tc)
		all = append(all, c)
	}
	return all
}

// named reports whether a plan has a class of a name.
func (b *blend) named(name string) bool {
	for _, sw := range []*plan.Switch{b.old, b.new} {
		for i := range sw.Classes {
			if sw.Classes[i].Name == name {
				return true
			}
		}
	}
	return false
}

// pools returns pools with the larger headroom and the smaller shared part. The additional headroom
// that groups hold for a while is taken off the shared part: as a larger headroom pool, or as their
// own.
func (b *blend) pools(ports []plan.Port) []plan.Pool {
	extra, most := b.transient(ports)
	var all []plan.Pool
	for _, name := range bothNames(b.old.Pools, b.new.Pools, func(p plan.Pool) string { return p.Name }) {
		was, is := b.old.Pool(name), b.new.Pool(name)
		switch {
		case was == nil:
			all = append(all, *is)
			continue
		case is == nil:
			all = append(all, *was)
			continue
		}
		pool := *is
		pool.Size = smaller(was.Size, is.Size)
		pool.Headroom = larger(was.Headroom, is.Headroom)
		taken, pooled := extra[name].own, pool.Headroom.Value
		if pooled > 0 {
			more := b.more(&pool, extra[name].headroom, most[name])
			if pool.Headroom = plan.Of(pooled+more, pool.Headroom.Why); more == 0 || b.inside(&pool) {
				taken = 0
			} else { // a pool is cut into equal parts, and what is reserved can be in one of them
				taken = mostParts*taken + more
			}
		}
		if pool.Direction == plan.Ingress && taken > 0 {
			pool.Size = plan.Of(max(0, pool.Size.Value-taken), pool.Size.Why)
		}
		all = append(all, pool)
	}
	return all
}

// mostParts is the largest number of parts of a chip's buffer (chips/catalogue, slices).
const mostParts = 4

// more returns the additional headroom that a pool needs for groups that hold more: a pool that is for fewer groups
// stays so. It is nothing where nothing would be left to share.
func (b *blend) more(pool *plan.Pool, headroom, most units.Bytes) units.Bytes {
	if headroom <= 0 {
		return 0
	}
	more, shared := units.Bytes(units.CeilMulDiv(int64(pool.Headroom.Value), int64(headroom), int64(most))), pool.Size.Value
	if b.inside(pool) {
		shared -= pool.Headroom.Value
	}
	if more >= shared {
		return 0
	}
	return more
}

// inside reports whether the size of a pool counts its headroom pool too: then it is the chip's memory, which a pool at
// egress takes as a whole.
func (b *blend) inside(pool *plan.Pool) bool {
	var most units.Bytes
	for i := range b.new.Pools {
		if b.new.Pools[i].Direction == plan.Egress {
			most = max(most, b.new.Pools[i].Size.Value)
		}
	}
	return most > 0 && pool.Size.Value >= most
}

// held is the headroom that groups of a pool hold: of a headroom pool, and of their own.
type held struct{ headroom, own units.Bytes }

// transient returns the headroom that the groups of a pool hold between the two states in addition to either, and the
// most of a headroom pool that they hold there. Of such a pool only groups that some code point enters count.
func (b *blend) transient(ports []plan.Port) (extra map[string]held, most map[string]units.Bytes) {
	extra, most = map[string]held{}, map[string]units.Bytes{}
	was, is, old, pooled := map[string]held{}, map[string]held{}, b.old.PortsByName(), map[string]bool{}
	for _, sw := range []*plan.Switch{b.old, b.new} {
		for i := range sw.Pools {
			pooled[sw.Pools[i].Name] = pooled[sw.Pools[i].Name] || sw.Pools[i].Headroom.Value > 0
		}
	}
	entered := [8]bool{}
	for _, tc := range b.grown.DSCPToTC {
		entered[b.grown.TCToPG[tc&7]&7] = true
	}
	add := func(sums map[string]held, port *plan.Port, all bool) {
		for _, pg := range pgsOf(port) {
			sum := sums[pg.Pool]
			switch sum.own += pg.Reserved.Value; {
			case !pooled[pg.Pool]:
				sum.own += pg.Headroom.Value
			case all || entered[pg.ID&7]:
				sum.headroom += pg.Headroom.Value
			}
			sums[pg.Pool] = sum
		}
	}
	for i := range ports {
		add(extra, &ports[i], false)
		add(was, old[ports[i].Name], true)
	}
	for i := range b.new.Ports {
		add(is, &b.new.Ports[i], true)
	}
	for pool, sum := range extra {
		most[pool] = max(was[pool].headroom, is[pool].headroom)
		extra[pool] = held{sum.headroom - most[pool], sum.own - max(was[pool].own, is[pool].own)}
	}
	return extra, most
}

func pgsOf(port *plan.Port) []plan.PG {
	if qos := qosOf(port); qos != nil {
		return qos.PGs
	}
	return nil
}

// ports returns the ports of both plans.
func (b *blend) ports() []plan.Port {
	old := b.old.PortsByName()
	kinds := map[qosPair]*plan.PortQoS{}
	var all []plan.Port
	for _, port := range b.new.Ports {
		was := old[port.Name]
		delete(old, port.Name)
		if was != nil {
			pair := qosPair{was.QoS, port.QoS}
			if kinds[pair] == nil {
				kinds[pair] = b.qos(was.QoS, port.QoS)
			}
			port.QoS = kinds[pair]
			port.MTU = min(was.MTU, port.MTU)
			if was.Speed < port.Speed {
				port.Speed, port.Lanes = was.Speed, was.Lanes
			}
			port.Cable = max(was.Cable, port.Cable)
		}
		all = append(all, port)
	}
	for _, port := range old {
		all = append(all, *port)
	}
	stable.Sort(all, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
	return all
}

func (b *blend) qos(was, is *plan.PortQoS) *plan.PortQoS {
	if was == is || was == nil {
		return is
	}
	if is == nil {
		return was
	}
	q := *is
	q.Trust, q.DSCPToTC, q.TCToQueue = was.Trust, was.DSCPToTC, b.queues(was, is)
	q.PFC |= was.PFC
	q.Watchdog = was.Watchdog || is.Watchdog
	q.Unwatched = (was.Unwatched | is.Unwatched) &^ (was.Watched() | is.Watched())
	q.PGs = joinByID(was.PGs, is.PGs, func(g plan.PG) uint8 { return g.ID }, blendPG)
	b.moved(q.PGs, is.PGs)
	q.Queues = joinByID(was.Queues, is.Queues, func(q plan.Queue) uint8 { return q.ID }, blendQueue)
	return &q
}

// queues keeps what is lossless in its queue of a port as long as it is used, as maps does for the
// switch; nil: by the map of the switch.
func (b *blend) queues(was, is *plan.PortQoS) *plan.QueueMap {
	own := plan.QueueMap{To: *b.new.QueuesOf(is)}
	for tc, queue := range b.old.QueuesOf(was) {
		if b.oldLossless[tc] {
			own.To[tc] = queue
		}
	}
	if own.To == b.grown.TCToQueue {
		return nil
	}
	return &own
}

// moved gives the old PG of a class that goes to another the headroom of the new one: it
// is used until the switch shrinks.
func (b *blend) moved(pgs, is []plan.PG) {
	for tc := range b.oldLossless {
		from, to := b.old.Maps.TCToPG[tc], b.new.Maps.TCToPG[tc]
		if !b.oldLossless[tc] || !b.newLossless[tc] || from == to {
			continue
		}
		old := find(pgs, func(g plan.PG) bool { return g.ID == from && g.Lossless })
		new := find(is, func(g plan.PG) bool { return g.ID == to && g.Lossless })
		if old != nil && new != nil {
			old.Headroom = larger(old.Headroom, new.Headroom)
		}
	}
}

// joinByID merges two lists, and elements that are in both.
func joinByID[T any](was, is []T, id func(T) uint8, both func(was, is T) T) []T {
	all := slices.Clone(is)
	for _, old := range was {
		i := slices.IndexFunc(all, func(e T) bool { return id(e) == id(old) })
		if i < 0 {
			all = append(all, old)
			continue
		}
		all[i] = both(old, all[i])
	}
	stable.Sort(all, func(a, b T) int { return int(id(a)) - int(id(b)) })
	return all
}

func blendPG(was, is plan.PG) plan.PG {
	switch {
	case was.Lossless && !is.Lossless:
		return was
	case is.Lossless && !was.Lossless:
		return is
	}
	g := is
	g.Reserved, g.Headroom = larger(was.Reserved, is.Reserved), larger(was.Headroom, is.Headroom)
	g.Limit = looser(was.Limit, is.Limit)
	return g
}

// blendQueue marks as early as either.
func blendQueue(was, is plan.Queue) plan.Queue {
	q := is
	q.Reserved, q.Limit = larger(was.Reserved, is.Reserved), looser(was.Limit, is.Limit)
	switch {
	case is.ECN == nil:
		q.ECN = was.ECN
	case was.ECN != nil && (was.ECN.KMin.Value < is.ECN.KMin.Value || was.ECN.KMax.Value < is.ECN.KMax.Value):
		q.ECN = &plan.ECN{KMin: smaller(was.ECN.KMin, is.ECN.KMin), KMax: smaller(was.ECN.KMax, is.ECN.KMax), PMax: is.ECN.PMax}
	}
	return q
}

func larger[T ~int64](a, b plan.Derived[T]) plan.Derived[T] {
	if a.Value > b.Value {
		return a
	}
	return b
}

func smaller[T ~int64](a, b plan.Derived[T]) plan.Derived[T] {
	if a.Value < b.Value {
		return a
	}
	return b
}

// looser returns the limit that lets more in. Of two kinds it is the new one: they do not
// compare.
func looser(a, b plan.Derived[plan.Limit]) plan.Derived[plan.Limit] {
	x, y := a.Value, b.Value
	if x.Dynamic == y.Dynamic && (x.Dynamic && x.Alpha > y.Alpha || !x.Dynamic && x.Static > y.Static) {
		return a
	}
	return b
}
