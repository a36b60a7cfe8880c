package proof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// groups rechecks the obligations on single lossless groups. Ports that are alike in all but their slice share theirs.
func (r *rechecker) groups() {
	all := r.holders(func(h holder) bool { return h.pg.Lossless })
	kind := func(h holder) string {
		p, own := &r.m.Ports[h.port], &r.m.Config.Ports[h.port]
		alike := *own
		alike.Slice, alike.Queues, alike.Egress = 0, nil, nil
		return fmt.Sprint("priority group ", h.number, p.Link, p.Pausable, withoutCodes(&alike))
	}
	kinds := map[string][]holder{}
	for _, h := range all {
		kinds[kind(h)] = append(kinds[kind(h)], h)
	}
	for _, h := range all {
		kind, where, link := kind(h), fmt.Sprintf("PG %d of %s", h.number, r.m.Ports[h.port].Name), r.m.Ports[h.port].Link
		r.demand(PauseReaches, where, kind, func(*Claim, *Sides) (left, right int64, err error) {
			return 1, int64(r.m.Ports[h.port].Pausable >> h.number & 1), nil
		})
		r.demand(Headroom, where, kind, func(o *Claim, _ *Sides) (left, right int64, err error) {
			left, err = r.pausing(o, h, 0)
			return left, int64(h.pg.HeadroomCells), err
		})
		if h.pg.XonCells == 0 || unmeasuredLink(link) != "" {
			continue
		}
		r.demand(Resume, where, kind, func(o *Claim, s *Sides) (left, right int64, err error) {
			if !slices.ContainsFunc(kinds[kind], func(own holder) bool { return r.othersIn(s.Fills, own) }) {
				return 0, 0, errors.New("the pool is filled by fewer or narrower accounts than the model has in any slice of the group")
			}
			threshold, err := r.thresholdThen(h, s)
			if err == nil {
				left, err = r.pausing(o, h, max(0, int64(h.pg.XonCells-h.pg.ReservedCells)-threshold))
			}
			return left, int64(h.pg.HeadroomCells), err
		})
	}
}

// withoutCodes returns the limits of the groups of a port as text, without the codes in which the chip holds them.
func withoutCodes(p *mmu.Port) string {
	text := ""
	for _, g := range p.PGs {
		g.Limit.Code = mmu.Code{}
		text += fmt.Sprintf("%+v", g)
	}
	for _, b := range p.Ingress {
		text += fmt.Sprintf("%d%+v", b.Pool, boundOf(b.Limit))
	}
	return text
}

// othersIn reports whether fills are accounts enough for the other lossless groups of the pool of one in its slice.
func (r *rechecker) othersIn(fills []Fill, own holder) bool {
	return r.enough(fills, r.inSlice(r.m.Config.Ports[own.port].Slice, func(h holder) bool {
		return h.pg.Lossless && h.pg.Pool == own.pg.Pool && h.pg != own.pg
	}))
}

// pausing returns the cells that a group holds above its threshold after its pause, on top of those that it has there
// already.
func (r *rechecker) pausing(o *Claim, h holder, already int64) (int64, error) {
	below, of := o.Terms["q"], r.m.Ports[h.port].Link
	if below > 1-b2i64(r.m.Config.Rules.Pause == mmu.OnExcess) {
		return 0, fmt.Errorf("q is %d, but by the rule of pausing at most one cell is below the threshold", below)
	}
	worst := of
	worst.Interface, worst.Response, worst.SmallPackets = units.Time(o.Terms["i"]), units.Time(o.Terms["t"]), units.Ratio(o.Terms["s"])
	under := worst
	for i := range o.Conditions {
		o.Conditions[i].onLink(&under)
	}
	var comes [2]int64
	for i, l := range []model.Link{worst, under} {
		less := l.Interface < of.Interface || l.Response < of.Response || l.SmallPackets != 0 && l.SmallPackets < of.SmallPackets
		if less && o.Verdict != Fails || l.SmallPackets != 0 && of.SmallPackets == 0 {
			return 0, fmt.Errorf("fewer bytes arrive over its link than over that of the model: %+v", l)
		}
		cells, err := r.need(l)
		if err != nil {
			return 0, err
		}
		comes[i] = cells - below + already
	}
	if o.Verdict == Conditional && comes[1] > int64(h.pg.HeadroomCells) {
		return 0, fmt.Errorf("under its conditions %d ≤ %d", comes[1], h.pg.HeadroomCells)
	}
	return comes[0], nil
}

// onLink bounds a link by a condition.
func (s *Supposition) onLink(l *model.Link) {
	switch s.ID {
	case PeerResponse:
		if l.Response = units.Time(s.Bound); s.Together {
			l.Interface = 0
		}
	case ChipDatum:
		l.Interface = units.Time(s.Bound)
	case PacketMix:
		l.SmallPackets = units.Ratio(s.Bound)
	}
}

// thresholdThen returns the threshold of a group when others have taken all that they can: fills, and lossy traffic
// before those that are static.
func (r *rechecker) thresholdThen(h holder, s *Sides) (int64, error) {
	port, rule := &r.m.Config.Ports[h.port], int64(r.m.Config.Rules.Admission)
	shared := int64(r.m.Config.IngressPools[h.pg.Pool].SharedCells)
	left, lossy := shared, s.Terms["y"]
	for _, f := range s.Fills {
		if len(f.Limits) == 1 && !f.Limits[0].Dynamic {
			left, lossy = left-lossy, 0
		}
		var err error
		if left, err = f.leaves(left, rule); err != nil {
			return 0, err
		}
	}
	left -= lossy
	takes := func(b bound, free int64) int64 {
		rest, _ := filled(free, rule, 1, b.pairs()...) // alphas of the model are in bounds
		return free - rest
	}
	threshold := takes(h.bound, left)
	if jointly(port, h.number) {
		whole, _ := mmu.BoundOf(port.Ingress, h.pg.Pool)
		rest := takes(bound{limit: whole}, left)
		for number := range port.PGs {
			if pg := &port.PGs[number]; number != h.number && pg.Pool == h.pg.Pool {
				rest -= takes(newBound(pg.Limit, port.Ingress, pg.Pool), shared)
			}
		}
		threshold = max(0, min(threshold, rest))
	}
	return threshold, nil
}

// pairs returns the limits of a bound as kinds and values: see filled.
func (b bound) pairs() [][2]int64 {
	pair := func(l mmu.Limit) [2]int64 {
		if l.Dynamic {
			return [2]int64{1, int64(l.Alpha)}
		}
		return [2]int64{0, int64(l.StaticCells)}
	}
	if b.two {
		return [][2]int64{pair(b.limit), pair(b.port)}
	}
	return [][2]int64{pair(b.limit)}
}

func (f *Fill) bound() bound {
	b := bound{limit: f.Limits[0].limit()}
	if b.two = len(f.Limits) == 2; b.two {
		b.port = f.Limits[1].limit()
	}
	return b
}

func (f *Fill) leaves(free, rule int64) (int64, error) {
	return filled(free, rule, f.Accounts, f.bound().pairs()...)
}

// noNarrower reports whether an account of a bound takes at least what one of another takes.
func (b bound) noNarrower(than bound) bool {
	wide := func(a, b mmu.Limit) bool {
		return a.Dynamic == b.Dynamic && (a.Dynamic && a.Alpha >= b.Alpha || !a.Dynamic && a.StaticCells >= b.StaticCells)
	}
	switch {
	case b.two && than.two:
		return wide(b.limit, than.limit) && wide(b.port, than.port)
	case b.two:
		return false
	}
	return wide(b.limit, than.limit) || than.two && wide(b.limit, than.port)
}

// enough reports whether fills have for each group as many accounts that are no narrower as there are groups that are.
func (r *rechecker) enough(fills []Fill, list []holder) bool {
	for _, h := range list {
		pool, have := r.m.Config.IngressPools[h.pg.Pool].Name, int64(0)
		for i := range fills {
			if fills[i].Pool == pool && fills[i].bound().noNarrower(h.bound) {
				have += fills[i].Accounts
			}
		}
		for _, other := range list {
			have -= b2i64(other.pg.Pool == h.pg.Pool && other.bound.noNarrower(h.bound))
		}
		if have < 0 {
			return false
		}
	}
	return true
}

// headroomPool rechecks what comes into a pool of headroom: the neediest groups count.
func (r *rechecker) headroomPool(slice, pool int) {
	own := &r.m.Config.IngressPools[pool]
	var needs []int64
	for _, h := range r.inSlice(slice, func(h holder) bool { return h.pg.Lossless && h.pg.HeadroomPooled && h.pg.Pool == pool }) {
		needs = append(needs, r.above(h))
	}
	if needs == nil {
		return
	}
	stable.Sort(needs, func(a, b int64) int { return cmp.Compare(b, a) })
	neediest := func(n int64) (sum int64) {
		for _, cells := range needs[:n] {
			sum += cells
		}
		return sum
	}
	all, size, where := int64(len(needs)), int64(own.HeadroomCells), fmt.Sprintf("slice %d, pool %s", slice, own.Name)
	r.demand(HeadroomPool, where, where, func(o *Claim, s *Sides) (left, right int64, err error) {
		n, cells, below := s.Terms["n"], s.Terms["N"], s.Terms["Q"]
		onAll, fits := n == all || o.Verdict == Fails, cells-below <= size
		for _, c := range o.Conditions {
			switch {
			case c.ID != PausedGroups:
			case c.Bound > all:
				return 0, 0, fmt.Errorf("%d of %d groups are paused at once", c.Bound, all)
			case c.Cells == 0:
				onAll = onAll || c.Bound == n
			case c.Cells < neediest(c.Bound)-c.Bound: // of each a cell may be below its threshold
				return 0, 0, fmt.Errorf("%d groups hold %d cells, but more arrive", c.Bound, c.Cells)
			default:
				fits = fits || c.Cells <= size
			}
		}
		switch {
		case n > all || !onAll || below > n:
			err = fmt.Errorf("it has %d groups, but the model has %d, and %d cells are below their thresholds", n, all, below)
		case cells < neediest(n):
			err = fmt.Errorf("%d cells arrive, but by the model at least %d", cells, neediest(n))
		case o.Verdict == Conditional && !fits:
			err = fmt.Errorf("under its conditions %d ≤ %d", cells-below, size)
		}
		return cells - below, size, err
	})
}

// A wayOut is a queue of a port, or a whole port in an egress pool.
type wayOut struct {
	id, where, kind string
	out, pool       int
	limit           mmu.Limit
	queues          uint16
}

// waysOf lists the ways out of a port, for what comes from a slice.
func (r *rechecker) waysOf(slice, out int) (ways []wayOut) {
	p, name, kind := &r.m.Config.Ports[out], r.m.Ports[out].Name, r.m.Ports[out].Map
	all, queues := fmt.Sprintf("slice %d, ports of map %d", slice, kind), ""
	for i, q := range p.Queues {
		q.Limit.Code = mmu.Code{}
		ways = append(ways, wayOut{QueueHolds, fmt.Sprintf("slice %d, queue %d of %s", slice, i, name), fmt.Sprintf("%s, queue %d: %+v", all, i, q), out, q.Pool, q.Limit, 1 << i})
		queues += fmt.Sprintf(" %+v", q)
	}
	for _, b := range p.Egress {
		pool := r.m.Config.EgressPools[b.Pool].Name
		w := wayOut{PortHolds, fmt.Sprintf("slice %d, pool %s of %s", slice, pool, name), fmt.Sprintf("%s, pool %s: %+v,%s", all, pool, boundOf(b.Limit), queues), out, b.Pool, b.Limit, 0}
		for i, q := range p.Queues {
			w.queues |= uint16(b2i(q.Pool == b.Pool)) << i
		}
		ways = append(ways, w)
	}
	return ways
}

// fed returns the queues of a way out that a group feeds. A port does not send to itself.
func (r *rechecker) fed(h holder, w *wayOut) uint16 {
	if h.port == w.out {
		return 0
	}
	return r.m.Feeds(h.port, h.number, w.out) & w.queues
}

// waysOut rechecks what lossless groups of a slice can hold on their way out, in queues, at ports and in egress pools.
func (r *rechecker) waysOut(slice int) {
	drawing := make([]map[*mmu.PG]bool, len(r.m.Config.EgressPools))
	for out := range r.m.Ports {
		for _, w := range r.waysOf(slice, out) {
			senders := r.inSlice(slice, func(h holder) bool { return h.pg.Lossless && r.fed(h, &w) != 0 })
			if len(senders) == 0 {
				continue
			}
			if drawing[w.pool] == nil {
				drawing[w.pool] = map[*mmu.PG]bool{}
			}
			for _, h := range senders {
				drawing[w.pool][h.pg] = true
			}
			r.demand(w.id, w.where, w.kind, func(o *Claim, s *Sides) (left, right int64, err error) {
				left, err = r.held(o, s, senders)
				return left, r.admits(s, left, senders, &w), err
			})
		}
	}
	for i, draws := range drawing {
		if draws == nil {
			continue
		}
		where := fmt.Sprintf("slice %d, pool %s", slice, r.m.Config.EgressPools[i].Name)
		r.demand(EgressHolds, where, where, func(o *Claim, s *Sides) (left, right int64, err error) {
			left, err = r.held(o, s, r.inSlice(slice, func(h holder) bool { return draws[h.pg] }))
			return left, int64(r.m.Config.EgressPools[i].SharedCells), err
		})
	}
}

// admits returns the most that a way out admits where so much is held: its limit, and the least reserve of its queues
// that senders feed.
func (r *rechecker) admits(s *Sides, held int64, senders []holder, w *wayOut) int64 {
	reserve := int64(largest)
	for _, h := range senders {
		for i, q := range r.m.Config.Ports[w.out].Queues {
			if r.fed(h, w)>>i&1 == 1 {
				reserve = min(reserve, int64(q.ReservedCells))
			}
		}
	}
	slack, look := ruleOffsets(r.m.Config.Rules.Admission)
	if !w.limit.Dynamic {
		return reserve + int64(w.limit.StaticCells) - slack
	}
	free := int64(r.m.Config.EgressPools[w.pool].SharedCells) - (held - reserve) - s.Terms["o"]
	return reserve + floorScale(free+look, int(w.limit.Alpha)) - slack
}

// held returns the cells that groups hold at once by the terms and fills of an obligation, which are no fewer than
// their own.
func (r *rechecker) held(o *Claim, s *Sides, list []holder) (sum int64, err error) {
	var headroom int64
	pooled := make([]int64, len(r.m.Config.IngressPools))
	for _, h := range list {
		sum += int64(h.pg.ReservedCells)
		switch {
		case h.pg.Lossless && h.pg.HeadroomPooled:
			pooled[h.pg.Pool] += r.above(h)
		case h.pg.Lossless:
			headroom += r.above(h)
		}
	}
	for i, cells := range pooled {
		headroom += min(cells, int64(r.m.Config.IngressPools[i].HeadroomCells))
	}
	fewer := s == o.Under && slices.ContainsFunc(o.Conditions, func(c Supposition) bool { return c.ID == PausedGroups })
	if !fewer && (s.Terms["h"] < headroom || s.Terms["Q"] > int64(len(list)) || !r.enough(s.Fills, list)) {
		return 0, fmt.Errorf("the %d groups of the model have headroom of %d, or more accounts than it sums up", len(list), headroom)
	}
	sum += s.Terms["h"] + s.Terms["k"] - s.Terms["Q"] + s.Terms["y"]
	for _, p := range r.m.Config.IngressPools {
		left := int64(p.SharedCells)
		for i := range s.Fills {
			if s.Fills[i].Pool != p.Name {
				continue
			}
			before := left
			if left, err = s.Fills[i].leaves(left, int64(r.m.Config.Rules.Admission)); err != nil {
				return 0, err
			}
			sum += before - left
		}
	}
	return sum, nil
}

// memory rechecks that a slice has the memory for all that is distributed, or else for all that can be held at once.
func (r *rechecker) memory(slice int) {
	c, where := r.m.Config, fmt.Sprintf("slice %d", slice)
	all := r.inSlice(slice, func(holder) bool { return true })
	memory, distributed, judged := int64(c.SliceCells), int64(0), false
	for _, p := range c.IngressPools {
		distributed += int64(p.SharedCells + p.HeadroomCells)
	}
	for _, h := range all {
		distributed += int64(h.pg.ReservedCells)
		if !h.pg.HeadroomPooled {
			distributed += int64(h.pg.HeadroomCells)
		}
	}
	r.demand(Memory, where, where, func(*Claim, *Sides) (left, right int64, err error) {
		judged = true
		return distributed, memory, nil
	})
	if !judged || distributed <= memory {
		return
	}
	r.demand(HeldAtOnce, where, where, func(o *Claim, s *Sides) (left, right int64, err error) {
		if right = memory; s == o.Under {
			for _, c := range o.Conditions {
				right = max(right, c.Cells)
			}
		}
		left, err = r.held(o, s, all)
		return left, right, err
	})
}
