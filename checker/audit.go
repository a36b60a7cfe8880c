package main

import (
	"fmt"
	"slices"
	"strings"
)

// The page, "Obligations": which there have to be, and what each says.

// An audit goes through all that a model demands, and takes out the obligations that say it.
type audit struct {
	*model
	open  map[string]*obligation // by ID and place
	kinds map[string]bool        // demanded, by ID and kind: of places that are alike one has to have an obligation
	wrong problems
}

// audited gives all that is wrong with the obligations of a certificate.
func audited(c *certificate) problems {
	a := &audit{model: &c.Model, open: map[string]*obligation{}, kinds: map[string]bool{}}
	for i, o := range c.Obligations {
		place := o.ID + ", " + o.Where
		if a.open[place] != nil {
			a.wrong.addf("%s: it is there twice", place)
		}
		a.open[place] = &c.Obligations[i]
	}
	a.groups()
	for slice := range a.Slices {
		a.headroomPools(slice)
		a.waysOut(slice)
		a.memory(slice)
	}
	for kind, met := range a.kinds {
		if !met {
			a.wrong.addf("%s: it is demanded, and no obligation is on it", kind)
		}
	}
	for place := range a.open {
		a.wrong.addf("%s: nothing demands it", place)
	}
	return a.wrong
}

// expect takes out the obligation of an ID and a place, if there is one, and checks both sides, its verdict, and that it holds
// under its conditions. sides computes both by the model and the terms, and throws what cannot be.
func (a *audit) expect(id, where, kind string, demanded bool, sides func(o *obligation, q *inequality) (left, right int64)) {
	what, place := id+", "+kind, id+", "+where
	o := a.open[place]
	if demanded {
		a.kinds[what] = a.kinds[what] || o != nil
		delete(a.open, place)
	}
	if o == nil || !demanded || !o.computed() {
		return
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			a.wrong.addf("%s: %v", place, thrown)
		}
	}()
	for _, q := range o.inequalities() {
		if left, right := sides(o, q); left != q.Left || right != q.Right {
			throwf("the sides are %d and %d, and not %d and %d", left, right, q.Left, q.Right)
		}
	}
	fits := o.Left <= o.Right
	same := o.Verdict == conditional && o.Under == nil && (o.sums() || symbols[id] == "") // no condition changes it
	if fits && o.Verdict == fails || !fits && (o.Verdict == holds || same) {
		throwf("%d ≤ %d, and the verdict is %q", o.Left, o.Right, o.Verdict)
	}
	if o.Under != nil {
		o.under()
	}
}

// under checks what an obligation reads under its conditions. Of its terms only those may differ that conditions change.
func (o *obligation) under() {
	if o.Under.Left > o.Under.Right {
		throwf("under its conditions %d ≤ %d", o.Under.Left, o.Under.Right)
	}
	changed := slices.ContainsFunc(o.Conditions, func(d condition) bool { return d.ID != "assumed-datum" })
	for symbol := range strings.FieldsSeq(symbols[o.ID]) {
		if !changed && o.Terms[symbol] != o.Under.Terms[symbol] {
			throwf("under its conditions %s is %d, and none changes that", symbol, o.Under.Terms[symbol])
		}
	}
}

// groups checks the obligations on single groups. Of groups that are alike in all but their slice one has them.
func (a *audit) groups() {
	all := a.accounts(func(x account) bool { return x.Lossless })
	kind := func(x account) string {
		return fmt.Sprint("PG ", x.number, x.port.Link, x.port.Pausable, x.port.Groups, x.port.Ingress)
	}
	for _, x := range all {
		where := fmt.Sprintf("PG %d of %s", x.number, x.port.Name)
		a.expect("pause-reaches-peer", where, kind(x), true, func(*obligation, *inequality) (left, right int64) {
			return 1, int64(x.port.Pausable >> x.number & 1)
		})
		a.expect("headroom", where, kind(x), true, func(o *obligation, _ *inequality) (left, right int64) {
			return a.pauses(o, x, 0), x.Headroom
		})
		a.expect("xon-below-xoff", where, kind(x), x.Xon > 0 && x.port.Link.known(), func(o *obligation, _ *inequality) (left, right int64) {
			worst := func(own account) bool { // it is on the worst slice
				return kind(own) == kind(x) && enough(o.Fills, a.accounts(func(y account) bool {
					return y.slice == own.slice && y.Lossless && y.Pool == own.Pool && y.group != own.group
				}))
			}
			if !slices.ContainsFunc(all, worst) {
				throwf("the pool is filled by fewer accounts, or narrower ones, than in any slice of the group")
			}
			return a.pauses(o, x, max(0, x.Xon-x.Reserved-a.lowest(x, o.Fills, o.Terms["y"]))), x.Headroom
		})
	}
}

// pauses returns the cells that a group holds above its threshold when it has paused, on top of those that it has there
// already. Under the conditions of an obligation that is within its headroom.
func (a *audit) pauses(o *obligation, x account, already int64) int64 {
	q, of, worst := o.Terms["q"], x.port.Link, x.port.Link
	if q > 1 || q > 0 && a.Pause == "on_excess" {
		throwf("%d cells of the pausing packet are below the threshold", q)
	}
	worst.Interface, worst.Response, worst.Small = o.Terms["i"], o.Terms["t"], o.Terms["s"]
	best := worst
	for _, d := range o.Conditions {
		switch {
		case d.ID == "peer-response" && d.Together:
			best.Interface, best.Response = 0, d.Bound
		case d.ID == "peer-response":
			best.Response = d.Bound
		case d.ID == "chip-datum":
			best.Interface = d.Bound
		case d.ID == "packet-mix":
			best.Small = d.Bound
		}
	}
	for _, l := range []link{worst, best} { // the model has links as they are under all conditions
		better := l.Interface < of.Interface || l.Response < of.Response || l.Small > 0 && l.Small < of.Small
		if better && o.Verdict != fails || l.Small > 0 && of.Small == 0 {
			throwf("its link is better than that of the model")
		}
	}
	if left := a.comesIn(best) - q + already; o.Verdict == conditional && left > x.Headroom {
		throwf("under its conditions %d ≤ %d", left, x.Headroom)
	}
	return a.comesIn(worst) - q + already
}

// headroomPools checks that each pool of headroom takes what comes in after all pauses.
func (a *audit) headroomPools(slice int) {
	for pool, p := range a.Ingress {
		var needs []int64
		for _, x := range a.accounts(func(x account) bool { return x.slice == slice && x.Lossless && x.Pooled && x.Pool == pool }) {
			needs = append(needs, a.above(x))
		}
		where, all := fmt.Sprintf("slice %d, pool %s", slice, pool), int64(len(needs))
		a.expect("headroom-pool", where, where, all > 0, func(o *obligation, q *inequality) (left, right int64) {
			n, cells, below := q.Terms["n"], q.Terms["N"], q.Terms["Q"] // so many groups hold N, with Q of these below a threshold
			enough, fits := n == all || o.Verdict == fails, cells-below <= p.Headroom
			for _, d := range o.Conditions {
				if d.ID != "paused-at-once" {
					continue
				}
				enough = enough || d.Cells == 0 && d.Bound == n
				fits = fits || d.Cells > 0 && d.Cells <= p.Headroom
				if d.Bound > all || d.Cells > 0 && d.Cells < most(needs, d.Bound)-d.Bound { // of each one may be below
					throwf("%d cells of %d groups are fewer than come in", d.Cells, d.Bound)
				}
			}
			if n > all || !enough || below > n || cells < most(needs, n) {
				throwf("%d groups of %d hold %d cells, of which %d below their thresholds", n, all, cells, below)
			}
			if !fits && o.Verdict == conditional {
				throwf("%d ≤ %d, and no condition changes that", cells-below, p.Headroom)
			}
			return cells - below, p.Headroom
		})
	}
}

// A way out is a queue of a port, or a whole port in an egress pool. Its kind says what its obligation depends on.
type way struct {
	id, where, kind string
	port            *port
	pool            string
	limit           limit
	has             func(number int, q queue) bool
}

// ways out of a port from a slice.
func ways(slice int, p *port) (all []way) {
	for number, q := range p.Queues {
		where, kind := fmt.Sprintf("slice %d, queue %d of %s", slice, number, p.Name), fmt.Sprintf("slice %d, queue %d: %v %v", slice, number, p.Map, q)
		all = append(all, way{"pfc-before-drop", where, kind, p, q.Pool, q.Limit, func(n int, _ queue) bool { return n == number }})
	}
	for pool, l := range p.Egress {
		where, kind := fmt.Sprintf("slice %d, pool %s of %s", slice, pool, p.Name), fmt.Sprintf("slice %d, pool %s: %v %v %v", slice, pool, p.Map, l, p.Queues)
		all = append(all, way{"egress-port-holds", where, kind, p, pool, l, func(_ int, q queue) bool { return q.Pool == pool }})
	}
	return all
}

// waysOut checks that each way out takes what the lossless groups of a slice hold that leave by it, one of each kind, and each
// egress pool what all hold that draw on it.
func (a *audit) waysOut(slice int) {
	drawing := map[[2]any]bool{} // groups on pools
	for i := range a.Ports {
		for _, w := range ways(slice, &a.Ports[i]) {
			senders := a.accounts(func(x account) bool { return x.slice == slice && x.Lossless && x.feeds(w.port, w.has) })
			a.expect(w.id, w.where, w.kind, len(senders) > 0, func(o *obligation, q *inequality) (left, right int64) {
				return a.leaves(o, q, senders, w)
			})
			for _, x := range senders {
				drawing[[2]any{x.group, w.pool}] = true
			}
		}
	}
	for pool, p := range a.Egress {
		where, own := fmt.Sprintf("slice %d, pool %s", slice, pool), a.accounts(func(x account) bool { return drawing[[2]any{x.group, pool}] })
		a.expect("egress-pool-holds", where, where, len(own) > 0, func(o *obligation, q *inequality) (left, right int64) {
			return a.sum(o, q, own), p.Shared
		})
	}
}

// leaves gives the sides of a way out: what its senders hold; and the least reserve of the queues that they feed, with the limit.
func (a *audit) leaves(o *obligation, q *inequality, senders []account, w way) (left, right int64) {
	left, reserve := a.sum(o, q, senders), int64(1<<40)
	for _, x := range senders {
		x.feeds(w.port, func(number int, q queue) bool {
			if w.has(number, q) {
				reserve = min(reserve, q.Reserved)
			}
			return false // and the next queue
		})
	}
	last, look := a.rule()&1, a.rule()>>1 // rule 1 wants a cell less, and rule 2 looks at what is free before the last one
	if !w.limit.Dynamic {
		return left, reserve + w.limit.Cells - last
	}
	free := a.Egress[w.pool].Shared - (left - reserve) - q.Terms["o"]
	return left, reserve + scaled(free+look, w.limit.Alpha) - last
}

// memory checks that the memory of a slice takes all that is distributed, or else all that can be held at once.
func (a *audit) memory(slice int) {
	all := a.accounts(func(x account) bool { return x.slice == slice })
	where, needed := fmt.Sprint("slice ", slice), false
	a.expect("memory", where, where, true, func(o *obligation, _ *inequality) (left, right int64) {
		for _, p := range a.Ingress {
			left += p.Shared + p.Headroom
		}
		for _, x := range all {
			if left += x.Reserved; !x.Pooled {
				left += x.Headroom
			}
		}
		needed = left > a.Memory
		return left, a.Memory
	})
	a.expect("held-at-once", where, where, needed, func(o *obligation, q *inequality) (left, right int64) {
		right = a.Memory
		for _, d := range o.Conditions {
			if q == o.Under {
				right = max(right, d.Cells)
			}
		}
		return a.sum(o, q, all), right
	})
}
