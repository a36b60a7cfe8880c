package sim

import (
	"math"
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/model/sim/conweave"
)

// cellFabric is a scheduled fabric in a run.
type cellFabric struct {
	cells.Config
	voqs   []voq    // by leaf, port out of the fabric, and class
	outs   []egress // ports out of the fabric
	out    []int32  // by port: index in outs; or none
	leaf   []int32  // by node: number of a leaf; or none
	trunks []trunk  // by leaf

	members []member // by link

	mostVOQ int64 // bytes
}

// trunk is all links of a leaf into the fabric.
type trunk struct {
	delay int64   // ps
	rate  float64 // bytes per ps towards the leaf
	free  int64   // when the credits given for it so far will be used up
}

// member is a link that a trunk stands for.
type member struct {
	trunk int32 // a link; or none: it is not between a leaf and a spine
	rate  int64 // bit/s
	down  bool
}

// voq holds packets for one port and class out of the fabric.
type voq struct {
	list
	bytes int64
	next  int32 // behind it in the port's turn
}

// egress is a port out of the fabric that grants credits.
type egress struct {
	port, leaf  int32
	rate        float64        // of credits, bytes per ps
	first, last int32          // VoQs with packets, in turn; or none
	next        int64          // when the next credit may be granted
	due         int64          // the task that will look; or never
	waiting     [classes]int64 // bytes in all its VoQs
	coming      [classes]int64
	limit       int64 // of coming, bytes
}

// fused is the scenario whose leaves have one link each, to the first of the spines, and what that
// stands for.
func (sc *Scenario) fused() (_ *Scenario, members []member) {
	own := *sc
	own.Links, members = slices.Clone(sc.Links), make([]member, len(sc.Links))
	edge, spine := sc.edges(), -1
	up := map[int]int{} // by leaf
	for i := range own.Links {
		l := &own.Links[i]
		members[i].trunk = none
		if sc.Nodes[l.A] == Host || sc.Nodes[l.B] == Host || l.Unrouted {
			continue
		}
		l.Unrouted, l.Egress = true, [2]*Egress{}
		leaf, other := &l.A, &l.B
		if !edge[*leaf] {
			leaf, other = other, leaf
		}
		if !edge[*leaf] || edge[*other] {
			continue
		}
		if spine < 0 {
			spine = *other
		}
		first, ok := up[*leaf]
		if !ok {
			first = i
			*other, l.Unrouted = spine, false
			up[*leaf] = i
		} else {
			own.Links[first].Rate += l.Rate
		}
		members[i] = member{trunk: int32(first), rate: int64(sc.Links[i].Rate)}
	}
	return &own, members
}

// edges are the switches with hosts, by node.
func (sc *Scenario) edges() []bool {
	edge := make([]bool, len(sc.Nodes))
	for _, l := range sc.Links {
		if sc.Nodes[l.A] == Host {
			edge[l.B] = true
		} else if sc.Nodes[l.B] == Host {
			edge[l.A] = true
		}
	}
	return edge
}

// buildCells sets up the credits of a fused scenario.
func (s *builder) buildCells(members []member) {
	if s.sc.Balancing.Mode != balance.Cells {
		return
	}
	c := &cellFabric{Config: s.sc.Balancing.Cells, members: members, out: make([]int32, len(s.ports)), leaf: make([]int32, len(s.sc.Nodes))}
	for node, edge := range s.sc.edges() {
		if c.leaf[node] = none; edge {
			c.leaf[node] = int32(len(c.trunks))
			c.trunks = append(c.trunks, trunk{rate: math.Inf(1)})
		}
	}
	for i := range s.ports {
		p := &s.ports[i]
		c.out[i] = none
		leaf := c.leaf[p.node]
		switch {
		case p.nic >= 0 || leaf == none:
		case s.ports[i^1].nic >= 0:
			c.out[i] = int32(len(c.outs))
			c.outs = append(c.outs, egress{
				port: int32(i), leaf: leaf, rate: c.Speedup * float64(s.configs[i].rate) / 8e12, first: none, due: never,
			})
		case !s.sc.Links[i/2].Unrouted:
			c.trunks[leaf].delay, c.trunks[leaf].rate = p.delay, float64(s.configs[i].rate)/8e12
		}
	}
	longest := int64(0)
	for i := range c.trunks {
		longest = max(longest, c.trunks[i].delay)
	}
	for i := range c.outs {
		e := &c.outs[i]
		e.limit = int64(e.rate*float64(c.trunks[e.leaf].delay+longest)) + int64(c.EgressBuffer)
	}
	c.voqs = make([]voq, len(c.trunks)*len(c.outs)*classes)
	s.cells, s.tags = c, make([]conweave.Tag, 0)
}

// credit is a request's way to a port and the credit's way back.
func (c *cellFabric) credit(from, to int32) int64 {
	if from == to {
		return 0
	}
	return 2 * (c.trunks[from].delay + c.trunks[to].delay)
}

// unaccounted stands for the port by which a packet came in whose buffer nobody counts:
// inside a scheduled fabric.
const unaccounted = -1

// enterCells takes a packet that has come to a switch of the fabric.
func (c *cellFabric) enterCells(s *engine, in int32, from *port, id packetID, pk *packet) {
	if pk.label&torn != 0 {
		c.lostInCells(s, in, pk)
		s.discard(id, pk, &s.lost)
		return
	}
	out := s.nextPort(from.node, id, pk)
	class := pk.label.class()
	if s.ports[in^1].nic < 0 {
		pk.in = unaccounted
		c.moveOn(s, out, class, id)
		return
	}
	pk.in = in
	if !s.admit(in, from, class, pk) {
		s.refuse(in, out, id)
		return
	}
	last := out
	if c.out[out] == none {
		last = s.routes[pk.route+1] // behind the fabric
	}
	to := c.out[last]
	i := (c.leaf[from.node]*int32(len(c.outs))+to)*classes + int32(class)
	v, e := &c.voqs[i], &c.outs[to]
	if v.head == 0 {
		c.append(e, i)
	}
	v.push(s.packets, id)
	v.bytes += int64(pk.size)
	c.mostVOQ = max(c.mostVOQ, v.bytes)
	e.waiting[class] += int64(pk.size)
	s.noteVOQ(in, e.port, class, int64(pk.size))
	s.tags[id].Sent = s.now
	c.grantAt(s, e, to, max(e.next, s.now+c.credit(c.leaf[from.node], e.leaf)))
}

func (c *cellFabric) append(e *egress, i int32) {
	if c.voqs[i].next = none; e.first == none {
		e.first = i
	} else {
		c.voqs[e.last].next = i
	}
	e.last = i
}

// grantAt plans when a port looks for a VoQ to grant a credit to.
func (c *cellFabric) grantAt(s *engine, e *egress, i int32, at int64) {
	if at < e.due {
		e.due = at
		s.plan(taskCredit, i, at)
	}
}

// grantCredit gives a credit to the next VoQ in turn whose request has come. All times are those of
// the leaf that the credit goes to.
func (c *cellFabric) grantCredit(s *engine, i int32) {
	e := &c.outs[i]
	if s.now != e.due {
		return // an earlier task was planned since
	}
	e.due = never
	soonest, before := int64(never), int32(none)
	for at := e.first; at != none; before, at = at, c.voqs[at].next {
		v, class := &c.voqs[at], at%classes
		leaf := at / classes / int32(len(c.outs))
		if e.coming[class] >= e.limit {
			continue
		}
		if ready := s.tags[v.head].Sent + c.credit(leaf, e.leaf); ready > s.now {
			soonest = min(soonest, ready)
			continue
		}
		c.unlink(e, before, at)
		c.useCredit(s, e, leaf, uint8(class), v)
		if v.head != 0 {
			c.append(e, at)
		}
		soonest = e.next
		break
	}
	if e.first != none && soonest < never {
		c.grantAt(s, e, i, max(soonest, e.next))
	}
}

// unlink takes a VoQ out of the turn that stands behind another.
func (c *cellFabric) unlink(e *egress, before, at int32) {
	next := c.voqs[at].next
	if before == none {
		e.first = next
	} else {
		c.voqs[before].next = next
	}
	if next == none {
		e.last = before
	}
}

// useCredit sends packets of a VoQ into the fabric, or out of the leaf if that is their port.
func (c *cellFabric) useCredit(s *engine, e *egress, leaf int32, class uint8, v *voq) {
	m := s.curve(e.port, class)
	congested := m.active && s.draws(s.ports[e.port].node, m, uint32(v.bytes))
	sent := int64(0)
	for v.head != 0 && sent < int64(c.Credit) {
		id := v.pop(s.packets)
		pk := &s.packets[id]
		sent += int64(pk.size)
		if congested {
			s.countMark(e.port, class)
			if pk.kind == dataPacket {
				pk.label |= ce
			}
		}
		out := e.port
		if leaf != e.leaf {
			out = s.routes[pk.route-1]
		}
		c.moveOn(s, out, class, id)
	}
	v.bytes -= sent
	e.waiting[class] -= sent
	s.noteVOQ(none, e.port, class, -sent)
	if class != 0 {
		e.coming[class] += sent
	}
	e.next = max(e.next, s.now) + int64(float64(sent)/e.rate)
	if leaf != e.leaf {
		u := &c.trunks[e.leaf]
		u.free = max(u.free, s.now) + int64(float64(sent)/u.rate)
		e.next = max(e.next, u.free)
	}
}

// moveOn queues a packet that needs no place in a buffer any more.
func (c *cellFabric) moveOn(s *engine, out int32, class uint8, id packetID) {
	to := &s.ports[out]
	if to.trouble&down != 0 {
		c.cutOff(s, out, to, class, id)
		return
	}
	s.enqueue(out, to, class, id)
	s.peakQueue = max(s.peakQueue, s.queue(out, class).bytes)
	s.kick(out, to)
}

// leaveCells notes that a packet leaves a port, and reports whether no buffer counts it.
func (c *cellFabric) leaveCells(s *engine, out int32, class uint8, pk *packet) bool {
	if i := c.out[out]; i != none {
		c.noLongerComing(s, i, class, pk)
	}
	return pk.in == unaccounted
}

// noLongerComing takes a packet off what is on its way to a port and in it.
func (c *cellFabric) noLongerComing(s *engine, i int32, class uint8, pk *packet) {
	e := &c.outs[i]
	e.coming[class] -= int64(pk.size)
	if e.first != none {
		c.grantAt(s, e, i, max(e.next, s.now))
	}
}

// lostInCells lets the port know of a packet that a link inside the fabric has lost, at once.
func (c *cellFabric) lostInCells(s *engine, in int32, pk *packet) {
	class := pk.label.class()
	if s.ports[in].nic >= 0 || s.ports[in^1].nic >= 0 || pk.kind >= pauseFrame || class == 0 {
		return
	}
	c.noLongerComing(s, c.exit(s, pk), class, pk)
}

// exit is the port out of the fabric that a packet inside goes to, an index in [cellFabric.outs].
func (c *cellFabric) exit(s *engine, pk *packet) int32 {
	if i := c.out[s.routes[pk.route]]; i != none {
		return i
	}
	return c.out[s.routes[pk.route+1]]
}
