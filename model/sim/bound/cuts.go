package bound

import (
	"cmp"
	"math"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Cuts bounds how fast DCQCN can slow a queue pair down, whatever its curve, alpha, timers and
// increases are: each notification costs it no more than a share of its rate, and they come a time
// apart.
type Cuts struct {
	Apart units.Time // notifications of a queue pair, at least
	Kept  float64    // of the rate in a decrease, at least
}

// Cuts returns the bound for the queue pairs that are slowed down most; false where some have another control.
func (t *Traffic) Cuts() (Cuts, bool) {
	c := Cuts{Apart: t.sc.Transport.CNPInterval, Kept: 1}
	for _, i := range t.flows {
		law, window := &t.sc.Congestion, t.sc.Transport.Window
		if own := t.sc.Classes[t.sc.Flows[i].Class]; own != nil {
			law, window = &own.Congestion, own.Window
		}
		if law.Algorithm != sim.UseDCQCN || window != sim.NoWindow {
			return Cuts{}, false
		}
		c.Kept = min(c.Kept, law.DCQCN.Keeps(1))
	}
	return c, true
}

// kept returns the least part of line rate that a queue pair has a time after its start, of which nothing comes
// back for rtt.
func (c Cuts) kept(after, rtt units.Time) float64 {
	switch {
	case after < rtt:
		return 1
	case c.Apart == 0 || c.Kept == 0:
		return 0
	}
	return math.Pow(c.Kept, float64(1+(after-rtt)/c.Apart))
}

// A Wave is the load of a link by senders that begin together, before they are slowed down.
type Wave struct {
	Latency units.Time // of at least one packet, at least
	Port    int        // 2i at A and 2i+1 at B of link i; -1: no host sends
	Last    bool       // it leads to the receiver
	Senders int        // hosts whose packets pass it
	Pairs   int        // of their queue pairs
	Bytes   units.Bytes
	At      units.Time // after the start, by which these bytes have been handed over
}

// group is a host's messages that begin together.
type group struct {
	flows []int
	start units.Time
	rtt   units.Time // the least, in which nothing comes back
	end   units.Time // after the start, from which nothing is known: another message may begin
}

// Wave returns the least that the longest latency of a packet can be where all senders have DCQCN.
//
// A host has m queue pairs with as many packets each, which begin at once and take turns. By a time
// t a queue pair has had no more than 1 + (t − T)/I notifications, T after the start and I apart,
// and its rate is at least the line rate R times K to their number. While that is R/m or more, it
// keeps up with its turns: R·t/m, in whole packets. After that it sends what its rate lets it. Nor
// can a notification come of a packet that has not been sent: a queue pair that has sent n packets
// has had no more than n, so that all of them keep up until each has sent as many as bring K to
// that power below 1/m, and the one more that brings the last of them, however long their turns
// take: of many queue pairs each sends its first packet, whatever notifications the first ones get
// meanwhile.
//
// Let hosts have sent A bits by t through a link of rate C. They leave it no earlier than D + A/C;
// the last of it was in its sender's queue at t at the latest. So a packet's latency is at least D
// + A/C − t, for each t. That holds unless PFC stops a sender, and then the fabric is judged by its
// pauses.
func (t *Traffic) Wave(c Cuts) Wave {
	best := Wave{Port: -1}
	byStart := map[units.Time][]group{}
	for _, flows := range t.byHost() {
		if g := t.begun(flows); len(g.flows) > 0 && t.alike(g.flows) {
			byStart[g.start] = append(byStart[g.start], g)
		}
	}
	for _, groups := range byStart {
		for _, at := range t.times(groups, c) {
			if w := t.wave(groups, c, at); better(&w, &best) {
				best = w
			}
		}
	}
	return best
}

func better(a, b *Wave) bool {
	return a.Port >= 0 && (b.Port < 0 || cmp.Or(-cmp.Compare(a.Latency, b.Latency), cmp.Compare(a.Port, b.Port), cmp.Compare(a.At, b.At)) < 0)
}

// begun returns a host's first messages, one of each queue pair: the messages behind it there take
// turns with no others.
func (t *Traffic) begun(flows []int) (g group) {
	g.start = t.sc.Flows[flows[0]].Start
	for _, i := range flows {
		g.start = min(g.start, t.sc.Flows[i].Start)
	}
	g.rtt, g.end = math.MaxInt64, math.MaxInt64
	posted := map[[2]int]bool{}
	for _, i := range flows {
		quiet, begins := t.quiet(i, g.start)
		if pair := [2]int{t.sc.Flows[i].Dst, t.sc.Flows[i].QueuePair}; begins && pair[1] > 0 {
			if posted[pair] {
				continue
			}
			posted[pair] = true
		}
		if begins {
			g.rtt, g.flows = min(g.rtt, quiet), append(g.flows, i)
		} else {
			g.end = min(g.end, quiet)
		}
	}
	return g
}

// alike reports whether messages are of as many packets each.
func (t *Traffic) alike(flows []int) bool {
	return !slices.ContainsFunc(flows, func(i int) bool { return t.wire(i) != t.wire(flows[0]) })
}

// times returns the times after the start that matter: each cut, until the first host may have
// something else to send, and the ends of all turns that are sure.
func (t *Traffic) times(groups []group, c Cuts) (list []units.Time) {
	const cuts = 16 // after which a queue pair has 1/65,536 of its rate, if each halves it
	end := groups[0].end
	for i := range groups {
		g := &groups[i]
		end = min(end, g.end)
		list = append(list, g.rtt, t.turns(g, c))
		for k := range units.Time(cuts) {
			list = append(list, g.rtt+k*c.Apart)
		}
	}
	stable.Sort(list, cmp.Compare[units.Time])
	return stable.Delete(slices.Compact(list), func(at units.Time) bool { return at > end || at <= 0 })
}

// turns returns how long the queue pairs of a host keep up with their turns, or the time until all is
// sent if that is shorter.
func (t *Traffic) turns(g *group, c Cuts) units.Time {
	m, line := float64(len(g.flows)), t.rate(t.ways[g.flows[0]].Ports[0])
	all := line.FloorTime(units.Bytes(t.wire(g.flows[0]) * int64(len(g.flows))))
	if c.Kept >= 1 {
		return all
	}
	n := math.Floor(math.Log(m) / -math.Log(c.Kept)) // notifications that leave each R/m
	byTime := g.rtt + units.Time(n)*c.Apart
	turn := line.FloorTime(units.Bytes(int64(len(g.flows)) * t.packet))
	byPackets := max(g.rtt, turn) + line.FloorTime(units.Bytes(int64(n)*int64(len(g.flows))*t.packet))
	return min(all, max(byTime, byPackets))
}

// sent returns the bytes on the wire that each queue pair of a host has sent at least, a time after the start.
func (t *Traffic) sent(g *group, c Cuts, at units.Time) int64 {
	m, line := int64(len(g.flows)), t.rate(t.ways[g.flows[0]].Ports[0])
	whole := func(d units.Time, share float64) int64 {
		return int64(float64(line.FloorBytes(d)) * share)
	}
	turns := t.turns(g, c)
	sent := whole(min(at, turns), 1/float64(m)) / t.packet * t.packet
	var paced int64
	for from := turns; from < at; {
		to := at
		switch {
		case from < g.rtt: // all is sent but the rest of a packet
			to = min(at, g.rtt)
		case c.Apart > 0:
			to = min(at, g.rtt+((from-g.rtt)/c.Apart+1)*c.Apart)
		}
		paced += whole(to-from, min(1/float64(m), c.kept(from, g.rtt)))
		from = to
	}
	sent += max(0, paced/t.packet-1) * t.packet
	return min(sent, t.wire(g.flows[0]))
}

// wave returns the worst link for what all have sent by a time.
func (t *Traffic) wave(groups []group, c Cuts, at units.Time) (best Wave) {
	type load struct {
		bytes   int64
		to, on  units.Time // cables and switches before the link, and it with those behind, the least of all
		pairs   int
		senders map[int]bool
		last    bool
	}
	loads := map[int]*load{}
	for i := range groups {
		own := t.sent(&groups[i], c, at)
		if own == 0 {
			continue
		}
		for _, flow := range groups[i].flows {
			w := &t.ways[flow]
			for k, port := range w.Ports {
				if k == 0 || k < len(w.Ports)-1 && !t.hashed() {
					continue // the host's own, or not known
				}
				to, on := t.around(w, k)
				l := loads[port]
				if l == nil {
					l = &load{to: to, on: on, senders: map[int]bool{}}
					loads[port] = l
				}
				l.bytes += own
				l.to, l.on = min(l.to, to), min(l.on, on)
				l.pairs++
				l.senders[t.sc.Flows[flow].Src] = true
				l.last = k == len(w.Ports)-1
			}
		}
	}
	best.Port = -1
	for port, l := range loads {
		w := Wave{
			Latency: l.to + l.on + t.rate(port).FloorTime(units.Bytes(l.bytes)) - at,
			Port:    port, Last: l.last, Senders: len(l.senders), Pairs: l.pairs, Bytes: units.Bytes(l.bytes), At: at,
		}
		if better(&w, &best) {
			best = w
		}
	}
	return best
}

// around returns the least time of a way to the link of its kth port, and from there to its end.
func (t *Traffic) around(w *sim.Way, k int) (to, on units.Time) {
	last := len(w.Ports) - 1
	cable := t.sc.Links[w.Ports[last]/2].Delay
	if k == last {
		return w.Delay - cable, cable // whatever the way before it
	}
	return w.Before[k], w.Before[last] + cable - w.Before[k]
}
