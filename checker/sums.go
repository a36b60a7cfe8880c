package main

import "slices"

// The page, "Sums": what groups hold at once.

// most returns the sum of so many of the largest numbers.
func most(all []int64, count int64) (sum int64) {
	slices.Sort(all)
	for _, n := range all[len(all)-int(count):] {
		sum += n
	}
	return sum
}

// sum returns the cells that accounts hold at once: reserves, headroom, and the part of each pool that fills take. It
// checks that these are no less than the model's.
func (a *audit) sum(o *obligation, q *inequality, accounts []account) (sum int64) {
	headroom, pooled := int64(0), map[string]int64{}
	for _, x := range accounts {
		if sum += x.Reserved; x.Lossless && x.Pooled {
			pooled[x.Pool] += a.above(x)
		} else if x.Lossless {
			headroom += a.above(x)
		}
	}
	for pool, cells := range pooled {
		headroom += min(cells, a.Ingress[pool].Headroom)
	}
	few := q == o.Under && slices.ContainsFunc(o.Conditions, func(d condition) bool { return d.ID == "paused-at-once" }) // not all have packets
	if !few && (q.Terms["h"] < headroom || q.Terms["Q"] > int64(len(accounts)) || !enough(q.Fills, accounts)) {
		throwf("it sums up less than the model has: headroom of %d, and %d accounts", headroom, len(accounts))
	}
	sum += q.Terms["h"] + q.Terms["k"] - q.Terms["Q"] + q.Terms["y"]
	free := map[string]int64{}
	for _, f := range q.Fills {
		left, begun := free[f.Pool]
		if !begun {
			left = a.Ingress[f.Pool].Shared
			sum += left
		}
		free[f.Pool] = after(left, a.rule(), f.Limits, f.Accounts)
	}
	for _, left := range free {
		sum -= left
	}
	return sum
}

// enough reports whether for each account there are as many fills of its pool that are no narrower as there are accounts
// that are no narrower.
func enough(fills []fill, accounts []account) bool {
	return !slices.ContainsFunc(accounts, func(a account) bool {
		lacks := int64(0)
		for _, other := range accounts {
			if other.Pool == a.Pool && noNarrower(other.limits, a.limits) {
				lacks++
			}
		}
		for _, f := range fills {
			if f.Pool == a.Pool && noNarrower(f.Limits, a.limits) {
				lacks -= f.Accounts
			}
		}
		return lacks > 0
	})
}

// lowest returns the threshold of a group when all others have taken what they can of its pool: fills, and lossy
// traffic, which takes its part before the first fill whose limits are static.
func (m *model) lowest(a account, fills []fill, lossy int64) int64 {
	free, rule := m.Ingress[a.Pool].Shared, m.rule()
	for _, f := range fills {
		if len(f.Limits) == 1 && !f.Limits[0].Dynamic {
			free, lossy = free-lossy, 0
		}
		free = after(free, rule, f.Limits, f.Accounts)
	}
	free -= lossy
	own := free - after(free, rule, a.limits, 1)
	whole, bounded := a.port.Ingress[a.Pool]
	joint, besides, shared := false, int64(0), m.Ingress[a.Pool].Shared // others of the port may have a part in what it may take
	for number, g := range a.port.Groups {
		if bounded && number != a.number && g.Pool == a.Pool {
			joint = joint || g.Limit.Dynamic || g.Limit.Cells > 0
			besides += shared - after(shared, rule, a.port.account(number).limits, 1)
		}
	}
	if joint {
		own = max(0, min(own, free-after(free, rule, []limit{whole}, 1)-besides))
	}
	return own
}
