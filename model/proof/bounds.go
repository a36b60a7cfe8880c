package proof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/mmu"
)

// A bound limits the part of a shared part that one group or queue may take: by its own limit, and
// by that of its whole port where it has one. Of two limits of a kind the lower one counts; a
// dynamic and a static one count both.
type bound struct {
	limit mmu.Limit
	port  mmu.Limit // where two
	two   bool
}

// newBound returns the bound of an account with the limit own, in a pool of a size, on a port with such
// bounds.
func newBound(own mmu.Limit, port []mmu.Bound, pool int) bound {
	whole, ok := mmu.BoundOf(port, pool)
	switch {
	case !ok:
		return bound{limit: own}
	case own.Dynamic && whole.Dynamic:
		return bound{limit: mmu.DynamicLimit(min(own.Alpha, whole.Alpha))}
	case !own.Dynamic && !whole.Dynamic:
		return bound{limit: mmu.StaticLimit(min(own.StaticCells, whole.StaticCells))}
	}
	return bound{limit: own, port: whole, two: true}
}

// dynamic reports whether it falls when others take cells.
func (b bound) dynamic() bool { return b.limit.Dynamic || b.two }

// none reports whether it lets nothing in.
func (b bound) none() bool {
	empty := func(l mmu.Limit) bool { return !l.Dynamic && l.StaticCells == 0 }
	return empty(b.limit) || b.two && empty(b.port)
}

// sortBounds orders bounds so that equal ones are neighbours: dynamic ones first, since they take
// a part of what is there and static ones do not, and of those the narrowest first, since what
// a wide one takes is rounded by less: see worstOrder.
func sortBounds(list []bound) { stable.Sort(list, compareBounds) }

func compareBounds(a, b bound) int {
	if a == b { // most are
		return 0
	}
	return cmp.Or(-cmp.Compare(b2i(a.dynamic()), b2i(b.dynamic())), cmp.Compare(b2i(a.two), b2i(b.two)),
		compareLimits(a.limit, b.limit), compareLimits(a.port, b.port))
}

func compareLimits(a, b mmu.Limit) int {
	return cmp.Or(cmp.Compare(b2i(a.Dynamic), b2i(b.Dynamic)), cmp.Compare(a.Alpha, b.Alpha), cmp.Compare(a.StaticCells, b.StaticCells))
}

// boundsOf lists the bounds of accounts of one pool.
func boundsOf(pool int, lists ...[]account) []bound {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	all := make([]bound, 0, n)
	for _, list := range lists {
		for _, a := range list {
			if a.pg.Pool == pool {
				all = append(all, a.bound)
			}
		}
	}
	return all
}

// A drawer is one of those that draw on a pool, with what bounds its whole port.
type drawer struct {
	bound bound
	port  int
	whole *mmu.Limit // nil: nothing that others of the port have a part in
}

func (d drawer) dynamic() bool { return d.bound.dynamic() }

// visited returns the cells left of free ones when drawers take as many as they can in the order
// given; the limit of a whole port counts for all of its drawers together. Others may leave less,
// where drawers of a port do not come one behind the other; see loosely.
func visited(list []drawer, rule mmu.Admission, free int64) int64 {
	var used map[int]int64 // by port, where a whole port is bounded
	for _, d := range list {
		low, high := int64(0), free+1
		for high-low > 1 {
			s := (low + high) / 2
			if d.bound.admitted(rule, s, free-s) && (d.whole == nil || admitted(*d.whole, rule, used[d.port]+s, free-s)) {
				low = s
			} else {
				high = s
			}
		}
		free -= low
		if d.whole != nil {
			if used == nil {
				used = map[int]int64{}
			}
			used[d.port] += low
		}
	}
	return free
}

// loosely is why there is no verdict where the groups or queues of a port share its bound.
const loosely = "several groups or queues share the limit of a port in a pool, and the most that they hold depends on the order of arrivals"

// drawersOf returns the accounts of a pool in the order of sortBounds.
func (p *prover) drawersOf(pool int, lists ...[]account) []drawer {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	all := make([]drawer, 0, n)
	for _, list := range lists {
		for _, a := range list {
			if a.pg.Pool != pool {
				continue
			}
			d := drawer{bound: a.bound, port: a.port}
			if a.joint {
				whole, _ := mmu.BoundOf(p.config.Ports[a.port].Ingress, pool)
				d.whole = &whole
			}
			all = append(all, d)
		}
	}
	sortDrawers(all)
	return all
}

func sortDrawers(all []drawer) {
	stable.Sort(all, func(a, b drawer) int { return compareBounds(a.bound, b.bound) })
}

func anyJoint(lists ...[]account) bool {
	for _, list := range lists {
		if slices.ContainsFunc(list, func(a account) bool { return a.joint }) {
			return true
		}
	}
	return false
}

// mixedKinds reports whether bounds of two limits differ: none of their orders is then known
// to be the worst.
func mixedKinds(list []bound) bool {
	i := slices.IndexFunc(list, func(b bound) bool { return b.two })
	return i >= 0 && slices.ContainsFunc(list[i:], func(b bound) bool { return b.two && b != list[i] })
}

// severalFall reports whether dynamic bounds differ: the order in which their accounts fill then
// decides what they leave.
func severalFall(list []bound) bool {
	i := slices.IndexFunc(list, bound.dynamic)
	return i >= 0 && slices.ContainsFunc(list[i:], func(b bound) bool { return b.dynamic() && b != list[i] })
}

// widen makes bounds of two limits dynamic ones where they differ, which admits more, so that
// one order of them is the worst. The bounds come back sorted.
func widen(list []bound) []bound {
	if mixedKinds(list) {
		for i, b := range list {
			if b.two && b.limit.Dynamic {
				list[i] = bound{limit: b.limit}
			} else if b.two {
				list[i] = bound{limit: b.port}
			}
		}
	}
	sortBounds(list)
	return list
}

// boundExpr is a bound as arguments: see limitExpr.
func (b bound) expr() string {
	if b.two {
		return limitExpr(b.limit) + ", " + limitExpr(b.port)
	}
	return limitExpr(b.limit)
}

// afterExpr returns the expression for the cells that n accounts of a bound leave of those that another expression
// gives.
func (b bound) afterExpr(start string, rule mmu.Admission, n int) string {
	name := "after"
	if b.two {
		name = "afterboth"
	}
	return fmt.Sprintf("%s(%s, %d, %s, %d)", name, start, rule, b.expr(), n)
}
