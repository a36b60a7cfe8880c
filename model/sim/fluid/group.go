package fluid

import (
	"cmp"
	"math"
	"slices"
)

// A group is trains that wait for each other, time for time, as the steps of a ring or the chunks in a tree. They go at one rate:
// that of the slowest.
//
// What the group takes alone is computed time for time, as messages are sent: each begins when those that it waits for have come
// and the one before it has left, which is a recursion of maxima and sums (F. Baccelli et al., "Synchronization and Linearity",
// 1992). Where the links are shared with others it takes as many times longer as its rate is lower.
type group struct {
	number  int32
	members []int32 // messages, in an order in which those come first whose same time others wait for
	waits   int     // members that are not released
	at      int64   // when the last one was, ps

	sent  []int64 // by member: when it has sent its last packet, were the group alone
	first int64   // the earliest of these
}

// mostTimes is how many times of a train are followed one by one; what comes behind goes on as the second half of them does.
const mostTimes = 4096

// findGroups joins the trains that wait for each other.
func (e *engine) findGroups() {
	e.groupOf = make([]int32, len(e.messages))
	root := make([]int32, len(e.messages))
	for i := range root {
		root[i], e.groupOf[i] = int32(i), none
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for own := range root {
		for _, before := range e.sc.Flows[e.flows[own]].Each {
			root[find(int32(own))] = find(e.of[before])
		}
	}
	known := map[int32]int32{}
	for own := range root {
		if e.sc.Flows[e.flows[own]].Repeat < 2 {
			continue
		}
		top := find(int32(own))
		g, ok := known[top]
		if !ok {
			g = int32(len(e.groups))
			known[top] = g
			e.groups = append(e.groups, &group{number: g})
		}
		e.groupOf[own] = g
		e.groups[g].members = append(e.groups[g].members, int32(own))
		e.groups[g].waits++
	}
	for _, g := range e.groups {
		g.sort(e)
	}
}

// sort puts members behind those whose same time they wait for.
func (g *group) sort(e *engine) {
	depth := map[int32]int{}
	var of func(own int32) int
	of = func(own int32) int {
		f := &e.sc.Flows[e.flows[own]]
		if d, ok := depth[own]; ok || f.Ahead >= 0 {
			return d
		}
		depth[own] = 0
		d := 0
		for _, before := range f.Each {
			d = max(d, 1+of(e.of[before]))
		}
		depth[own] = d
		return d
	}
	slices.SortStableFunc(g.members, func(a, b int32) int { return cmp.Compare(of(a), of(b)) })
}

// released notes that a member can begin at a time that may lie ahead.
func (g *group) released(e *engine, number int32, at int64) {
	g.at = max(g.at, at)
	if g.waits--; g.waits == 0 {
		e.events.push(event{max(g.at, e.now), number, begins})
	}
}

// uses are the links that all members take together, in so many times what the first one sends.
func (g *group) uses(e *engine) (list []use) {
	type key struct {
		link int32
		acks bool
	}
	at := map[key]int{}
	first := g.bits(e, 0)
	for k, own := range g.members {
		part := g.bits(e, k) / first
		for _, u := range e.route(own) {
			i, ok := at[key{u.link, u.acks}]
			if !ok {
				i = len(list)
				at[key{u.link, u.acks}] = i
				list = append(list, use{link: u.link, acks: u.acks, part: u.part})
			}
			list[i].weight += u.weight * part
		}
	}
	return list
}

// bits is what a member sends at a time, with headers.
func (g *group) bits(e *engine, k int) float64 {
	p := &e.passages[g.members[k]]
	return float64(p.Carried) * e.slowest(p) / 1e12
}

// begin lets a group go whose members are all released.
func (g *group) begin(e *engine) {
	uses := g.uses(e)
	g.alone(e, uses)
	f := &e.sc.Flows[e.flows[g.members[0]]]
	limit := g.bits(e, 0) * float64(f.Repeat) / float64(slices.Max(g.sent)-e.now) * 1e12
	left := limit * float64(g.first-e.now) / 1e12
	e.sharing.begin(e, transfer{of: g.number, group: true, uses: uses, left: left, limit: limit})
}

// alone computes when members have sent all, if nobody else takes the links.
func (g *group) alone(e *engine, uses []use) {
	r := newRecursion(g, e, uses)
	repeat := e.sc.Flows[e.flows[g.members[0]]].Repeat
	n := min(repeat, mostTimes)
	half := make([]int64, len(g.members))
	for k := range n {
		r.time(k)
		if k == n/2 {
			for i := range half {
				half[i] = r.sentAt(i, k)
			}
		}
	}
	g.sent = make([]int64, len(g.members))
	for i := range g.sent {
		at := r.sentAt(i, n-1)
		if repeat > n {
			at += int64(float64(at-half[i]) / float64(n-1-n/2) * float64(repeat-n))
		}
		g.sent[i] = at
	}
	g.first = slices.Min(g.sent)
}

// end is when the first member has sent its last packet: the others do as much later as they would alone.
func (g *group) end(e *engine) {
	for k, own := range g.members {
		e.sent(own, e.now+g.sent[k]-g.first)
	}
	g.sent = nil
}

// recursion is the times of trains.
type recursion struct {
	members []member
	keep    int // so many times of each are remembered
}

// member is a train in a recursion. Times are in ps.
type member struct {
	released, delay, post, took int64
	delivered, acked            int64 // behind the last packet
	ahead                       int
	each                        []before
	sent                        []int64 // of the last times
}

// before is a train that a member waits for, and whether it knows so as its receiver.
type before struct {
	member   int
	receives bool
}

func newRecursion(g *group, e *engine, uses []use) *recursion {
	r := &recursion{members: make([]member, len(g.members)), keep: 2}
	took, first := map[int32]float64{}, g.bits(e, 0)
	for _, u := range uses {
		took[u.link] += u.weight * first / e.links[u.link].capacity * 1e12
	}
	place := make(map[int32]int, len(g.members))
	for i, own := range g.members {
		place[own] = i
		r.keep = max(r.keep, e.sc.Flows[e.flows[own]].Ahead+2)
	}
	for i, own := range g.members {
		m, p, f := &r.members[i], &e.passages[own], &e.sc.Flows[e.flows[own]]
		carried := float64(p.Carried)
		for _, u := range e.route(own) {
			if !u.acks {
				carried = max(carried, took[u.link])
			}
		}
		*m = member{
			released: e.messages[own].started, delay: int64(f.Delay), post: int64(p.Post), took: int64(math.Round(carried)),
			delivered: int64(p.Delivered - p.Post - p.Carried), acked: int64(p.Acked - p.Post - p.Carried),
			ahead: f.Ahead, sent: make([]int64, r.keep),
		}
		if len(f.Each) == 0 {
			m.each = []before{{i, false}}
		}
		for _, b := range f.Each {
			m.each = append(m.each, before{place[e.of[b]], e.sc.Flows[b].Dst == f.Src})
		}
	}
	return r
}

func (r *recursion) sentAt(i, k int) int64 { return r.members[i].sent[k%r.keep] }

// time lets all members send for the kth time.
func (r *recursion) time(k int) {
	for i := range r.members {
		m := &r.members[i]
		at := m.released
		if earlier := k - 1 - m.ahead; earlier >= 0 {
			for _, b := range m.each {
				own := &r.members[b.member]
				over := own.sent[earlier%r.keep] + own.acked
				if b.receives {
					over += own.delivered - own.acked
				}
				at = max(at, over+m.delay)
			}
		}
		at += m.post
		if k > 0 {
			at = max(at, m.sent[(k-1)%r.keep])
		}
		m.sent[k%r.keep] = at + m.took
	}
}
