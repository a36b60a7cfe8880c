package fluid

import (
	"cmp"
	"math"

	"github.com/roceplan/roceplan/internal/stable"
)

// A group has trains that wait for each other, message by message, as the steps of a ring or the chunks in a tree. They go at one
// rate: that of the slowest.
//
// The time of the group alone is computed message by message: each begins when those that it waits for have come and the one before
// it has left, a recursion of maxima and sums (F. Baccelli et al., "Synchronization and Linearity", 1992). Where the group shares
// links with others, it takes as many times longer as its rate is lower.
type group struct {
	number  int32
	members []int32 // messages
	waits   int     // members that are not released
	at      int64   // when the last one was released, ps

	sent  []int64 // by member: when it sends its last packet if the group is alone
	order []int32 // members by that time
	over  int     // members that have sent it
}

// mostTimes is the number of messages of a train that are followed one by one; those after them go on as the second
// half of these does.
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
	e.join(root, find)
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
}

// join unites groups that begin at one host after the same message and have as many messages, as the two trees of an operation.
func (e *engine) join(root []int32, find func(int32) int32) {
	type start struct{ src, after, repeat int }
	known := map[start]int32{}
	for own := range root {
		f := &e.sc.Flows[e.flows[own]]
		if f.Repeat < 2 {
			continue
		}
		key := start{f.Src, none, f.Repeat}
		if len(f.After) > 0 {
			key.after = int(f.After[len(f.After)-1])
		}
		if before, ok := known[key]; ok {
			root[find(int32(own))] = find(before)
		} else {
			known[key] = int32(own)
		}
	}
}

// released notes that a member can begin, at a time that may be in the future.
func (g *group) released(e *engine, number int32, at int64) {
	g.at = max(g.at, at)
	if g.waits--; g.waits == 0 {
		e.events.push(event{max(g.at, e.now), number, begins})
	}
}

// uses returns the links that all members take together. Weights are multiples of the first member's rate.
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

// bits returns the size of a member's message on a link, with headers.
func (g *group) bits(e *engine, k int) float64 { return e.bits(&e.passages[g.members[k]]) }

// begin starts a group; all its members are released.
func (g *group) begin(e *engine) {
	uses := g.uses(e)
	g.alone(e, uses)
	last := g.sent[g.order[len(g.order)-1]]
	limit := g.bits(e, 0) * float64(e.sc.Flows[e.flows[g.members[0]]].Repeat) / float64(last-e.now) * 1e12
	left := limit * float64(g.sent[g.order[0]]-e.now) / 1e12
	e.sharing.begin(e, transfer{of: g.number, group: true, uses: uses, left: left, limit: limit})
}

// alone computes when members have sent all if nothing else takes the links.
func (g *group) alone(e *engine, uses []use) {
	repeat := e.sc.Flows[e.flows[g.members[0]]].Repeat
	n := min(repeat, mostTimes)
	p := newPlay(g, e, uses, n)
	p.run()
	g.sent, g.order = make([]int64, len(g.members)), make([]int32, len(g.members))
	for i := range g.sent {
		sent := p.members[i].sent
		at := sent[n-1]
		if repeat > n {
			at += int64(float64(at-sent[n/2]) / float64(n-1-n/2) * float64(repeat-n))
		}
		g.sent[i], g.order[i] = at, int32(i)
	}
	stable.Sort(g.order, func(a, b int32) int { return cmp.Compare(g.sent[a], g.sent[b]) })
}

// passes ends the members that have sent their last packet by now, and reports whether the transfer goes on for others.
func (g *group) passes(e *engine, t *transfer) bool {
	now := g.sent[g.order[g.over]]
	for ; g.over < len(g.order) && g.sent[g.order[g.over]] == now; g.over++ {
		e.sent(g.members[g.order[g.over]], e.now)
	}
	if g.over == len(g.order) {
		g.sent, g.order = nil, nil
		return false
	}
	t.left = t.limit * float64(g.sent[g.order[g.over]]-now) / 1e12
	return true
}

// play sends the messages of a group that is alone, one by one, in the order of time. A link that several members share is taken by
// one after the other.
type play struct {
	members []member
	times   int
	free    []int64 // by shared link: when it is free, ps
	ready   heap
}

// member is a train. Times are in ps.
type member struct {
	released, delay, post, took int64
	delivered, acked            int64 // behind the last packet
	ahead                       int
	each                        []before
	behind                      []int32 // members that wait for it
	shared                      []taken
	queued                      bool
	left                        int64   // when the last packet of the last message left the host
	sent                        []int64 // by message: when its last packet has passed all shared links
}

// before is a train that a member waits for, and whether the member is its receiver.
type before struct {
	member   int32
	receives bool
}

// taken is for how long a message takes a shared link.
type taken struct {
	link  int32 // in [play.free]
	first bool  // it is the host's
	time  int64
}

func newPlay(g *group, e *engine, uses []use, times int) *play {
	p := &play{members: make([]member, len(g.members)), times: times}
	load, place := newLoads(uses, g.bits(e, 0)), make(map[int32]int32, len(g.members))
	for i, own := range g.members {
		place[own] = int32(i)
	}
	for i, own := range g.members {
		m, way, f := &p.members[i], &e.passages[own], &e.sc.Flows[e.flows[own]]
		*m = member{
			released: e.messages[own].started, delay: int64(f.Delay), post: int64(way.Post), took: int64(way.Carried),
			delivered: int64(way.Delivered - way.Post - way.Carried), acked: int64(way.Acked - way.Post - way.Carried),
			ahead: f.Ahead, behind: m.behind, sent: make([]int64, 0, times),
		}
		for _, u := range e.route(own) {
			time, shared := load.takes(e, u, g.bits(e, i))
			if m.took = max(m.took, time); shared >= 0 {
				m.shared = append(m.shared, taken{shared, u.link == way.There[0], time})
			}
		}
		if len(f.Each) == 0 {
			m.each = []before{{int32(i), false}}
		}
		for _, b := range f.Each {
			k := place[e.of[b]]
			m.each = append(m.each, before{k, e.sc.Flows[b].Dst == f.Src})
			p.members[k].behind = append(p.members[k].behind, int32(i))
		}
	}
	p.free = make([]int64, len(load.shared))
	return p
}

// loads are the bits that the members of a group send over links.
type loads struct {
	data, acks map[int32]float64 // by link: of a message of each member
	shared     map[int32]int32   // links that several members take: their index in [play.free]
}

func newLoads(uses []use, first float64) loads {
	l := loads{map[int32]float64{}, map[int32]float64{}, map[int32]int32{}}
	for _, u := range uses {
		if u.acks {
			l.acks[u.link] += u.weight * first
		} else {
			l.data[u.link] += u.weight * first
		}
	}
	return l
}

// takes returns the time of a message on a link, with its part of the acknowledgements there, and the index of a shared
// link; none if the link is the member's own.
func (l *loads) takes(e *engine, u use, bits float64) (time int64, shared int32) {
	if u.acks {
		return 0, none
	}
	own := u.weight * bits
	time = int64(math.Round(own * (1 + l.acks[u.link]/l.data[u.link]) / e.links[u.link].capacity * 1e12))
	if l.data[u.link] < 1.001*own {
		return time, none
	}
	shared, ok := l.shared[u.link]
	if !ok {
		shared = int32(len(l.shared))
		l.shared[u.link] = shared
	}
	return time, shared
}

// run plays all messages.
func (p *play) run() {
	for i := range p.members {
		p.try(int32(i))
	}
	for len(p.ready) > 0 {
		next := p.ready.pop()
		m := &p.members[next.of]
		at := next.at
		for i, t := range m.shared {
			at = max(at, p.free[t.link])
			if p.free[t.link] = at + t.time; i == 0 && t.first {
				m.left = at + t.time
			}
		}
		if len(m.shared) == 0 || !m.shared[0].first {
			m.left = next.at + m.took
		}
		m.sent, m.queued = append(m.sent, at+m.took), false
		p.try(next.of)
		for _, behind := range m.behind {
			p.try(behind)
		}
	}
}

// try lets a member send its next message, if the end of all that it waits for is known.
func (p *play) try(i int32) {
	m := &p.members[i]
	k := len(m.sent)
	if m.queued || k == p.times {
		return
	}
	at := m.released
	if earlier := k - 1 - m.ahead; earlier >= 0 {
		for _, b := range m.each {
			own := &p.members[b.member]
			if len(own.sent) <= earlier {
				return
			}
			over := own.sent[earlier] + own.acked
			if b.receives {
				over += own.delivered - own.acked
			}
			at = max(at, over+m.delay)
		}
	}
	if at += m.post; k > 0 {
		at = max(at, m.left)
	}
	m.queued = true
	p.ready.push(event{at: at, of: i})
}
