package workload

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// A layer lays a workload over a site, a unit after the other: a collective with all its nodes, or the two halves of a
// send each by itself, or a node that computes.
type layer struct {
	*Workload
	site  *Site
	flows []sim.Flow

	// over are the messages and work after which a node is over; nil until it is laid.
	over [][]int32
	// computed is the last computation of each rank: it computes one thing at a time.
	computed []int32
}

// Lay makes messages of a workload with as many ranks as the site has GPUs or fewer. Within a server nothing is sent:
// there is work that takes as long. Messages have ends, bytes, the flows that they wait for, and as [sim.Flow.Operation]
// one more than the index of their communication; their class, ports and queue pairs are the caller's. The error is that of [Workload.Check].
func (w *Workload) Lay(site *Site) ([]sim.Flow, error) {
	l := &layer{Workload: w, site: site, over: make([][]int32, len(w.Nodes)), computed: make([]int32, w.Ranks)}
	for i := range l.computed {
		l.computed[i] = none
	}
	err := w.eachUnit(func(unit int32) {
		node := unit - int32(len(w.Comms))
		switch {
		case node < 0:
			first := len(l.flows)
			l.communicate(&w.Comms[unit])
			for i := first; i < len(l.flows); i++ {
				l.flows[i].Operation = 1 + unit
			}
		case w.receives(node):
			l.receive(node)
		default:
			l.compute(node)
		}
	})
	return l.flows, err
}

// Check finds operations that wait for one another for ever.
func (w *Workload) Check() error { return w.eachUnit(func(int32) {}) }

const none = -1

// unitOf returns the communication of a node or, behind all those, the node itself. A receive is a unit of its own.
func (w *Workload) unitOf(node int32) int32 {
	if c := w.Nodes[node].Comm; c >= 0 && !w.receives(node) {
		return c
	}
	return int32(len(w.Comms)) + node
}

// receives reports whether a node is the second of a send.
func (w *Workload) receives(node int32) bool {
	c := w.Nodes[node].Comm
	return c >= 0 && w.Comms[c].Kind == Send && w.Comms[c].Nodes[1] == node
}

// before visits the units that a node waits for, with repetitions: a receive waits for its send too.
func (w *Workload) before(node int32, visit func(unit int32)) {
	for _, before := range w.Nodes[node].After {
		visit(w.unitOf(before))
	}
	if w.receives(node) {
		visit(w.Nodes[node].Comm)
	}
}

// eachUnit visits units, each behind those that it waits for. The error says how many cannot be visited.
func (w *Workload) eachUnit(visit func(unit int32)) error {
	left, units := 0, len(w.Comms)+len(w.Nodes)
	waits, first := make([]int32, units), make([]int32, units+2)
	for i := range w.Nodes {
		to := w.unitOf(int32(i))
		w.before(int32(i), func(unit int32) {
			waits[to]++
			first[unit+2]++
		})
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	behind := make([]int32, first[len(first)-1])
	for i := range w.Nodes {
		to := w.unitOf(int32(i))
		w.before(int32(i), func(unit int32) {
			behind[first[unit+1]] = to
			first[unit+1]++
		})
	}
	var ready []int32
	isUnit := func(u int32) bool {
		node := u - int32(len(w.Comms))
		return node < 0 || w.Nodes[node].Comm < 0 || w.receives(node)
	}
	for u := range int32(units) {
		if !isUnit(u) {
			continue
		}
		if left++; waits[u] == 0 {
			ready = append(ready, u)
		}
	}
	for next := 0; next < len(ready); next++ {
		u := ready[next]
		visit(u)
		left--
		for _, after := range behind[first[u]:first[u+1]] {
			if waits[after]--; waits[after] == 0 {
				ready = append(ready, after)
			}
		}
	}
	if left > 0 {
		return fmt.Errorf("%d of %d operations wait for one another for ever", left, len(ready)+left)
	}
	return nil
}

// waits returns the messages and work that nodes wait for, each once.
func (l *layer) waits(nodes ...int32) (list []int32) {
	for _, n := range nodes {
		for _, before := range l.Nodes[n].After {
			list = append(list, l.over[before]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (l *layer) compute(node int32) {
	n := &l.Nodes[node]
	after := l.waits(node)
	if n.Time == 0 && len(after) <= 1 {
		l.over[node] = after
		return
	}
	if before := l.computed[n.Rank]; n.Time > 0 {
		if before != none && !slices.Contains(after, before) {
			after = append(after, before)
		}
		l.computed[n.Rank] = int32(len(l.flows))
	}
	l.over[node] = l.work(l.host(n.Rank), n.Time, after)
}

// work adds what takes a time at a host and sends nothing.
func (l *layer) work(host int, time units.Time, after []int32) []int32 {
	f := sim.Flow{Src: host, Dst: host, After: after, Delay: time}
	if len(after) == 0 {
		f.Start, f.Delay = time, 0
	}
	return l.add(f)
}

func (l *layer) add(f sim.Flow) []int32 {
	l.flows = append(l.flows, f)
	return []int32{int32(len(l.flows) - 1)}
}

func (l *layer) host(rank int32) int { return l.site.GPUs[rank].Host }

// communicate lays a communication. Those that have nothing to do are over when what they wait for is.
func (l *layer) communicate(c *Comm) {
	switch n := len(c.Nodes); {
	case c.Kind == Send:
		l.send(c)
	case n < 2 || c.Bytes == 0:
		together := l.join(l.Nodes[c.Nodes[0]].Rank, l.waits(c.Nodes...))
		for _, node := range c.Nodes {
			l.over[node] = together
		}
	case c.Kind == AllToAll:
		l.allToAll(c)
	default:
		l.collective(c)
	}
}

// send is eager: a message goes when its sender is ready, whether its receiver is or not, as where there are buffers for
// it (NCCL has 4 MiB for each connection; ASTRA-sim does so for any size).
func (l *layer) send(c *Comm) {
	from := c.Nodes[0]
	l.over[from] = l.waits(from)
	if c.Bytes > 0 {
		l.over[from] = l.message(l.Nodes[from].Rank, l.Nodes[c.Nodes[1]].Rank, c.Bytes, l.over[from])
		l.flows[l.over[from][0]].Start += c.Start
	}
}

// receive is over when its message has come and the receiver has come to it.
func (l *layer) receive(node int32) {
	sent := l.over[l.Comms[l.Nodes[node].Comm].Nodes[0]]
	if own := l.waits(node); len(own) > 0 {
		sent = append(slices.Clone(sent), own...)
		slices.Sort(sent)
		sent = slices.Compact(sent)
	}
	l.over[node] = l.join(l.Nodes[node].Rank, sent)
}

// message goes over the fabric, or over NVLink.
func (l *layer) message(from, to int32, bytes units.Bytes, after []int32) []int32 {
	a, b := l.site.GPUs[from], l.site.GPUs[to]
	if a.Server == b.Server || a.Host == b.Host {
		return l.work(a.Host, a.nvlink(bytes), after)
	}
	return l.add(sim.Flow{Src: a.Host, Dst: b.Host, Bytes: bytes, After: after})
}

// allToAll sends to the next members first, to so many at a time as NCCL does. The data that stay in a server
// take the time of all of them over NVLink.
func (l *layer) allToAll(c *Comm) {
	n := len(c.Nodes)
	ready := make([][]int32, n)
	for i, node := range c.Nodes {
		ready[i] = l.join(l.Nodes[node].Rank, l.waits(node))
	}
	done := make([][]int32, n)
	for i, node := range c.Nodes {
		rank, inside := l.Nodes[node].Rank, units.Bytes(0)
		gpu := l.site.GPUs[rank]
		var sent []int32
		for by := 1; by < n; by++ {
			j := (i + by) % n
			peer, bytes := l.Nodes[c.Nodes[j]].Rank, c.part(j)
			if gpu.Server == l.site.GPUs[peer].Server {
				inside += bytes
				continue
			}
			after := slices.Concat(ready[i], ready[j])
			if len(sent) >= peersAtOnce {
				after = append(after, sent[len(sent)-peersAtOnce])
			}
			m := l.message(rank, peer, bytes, after)
			sent = append(sent, m...)
			done[j] = append(done[j], m...)
		}
		done[i] = append(done[i], sent...)
		if inside > 0 {
			done[i] = append(done[i], l.work(gpu.Host, gpu.nvlink(inside), ready[i])...)
		}
	}
	for i, node := range c.Nodes {
		l.over[node] = l.join(l.Nodes[node].Rank, done[i])
	}
}

// part returns the bytes that a member gets of an all-to-all from each other one, 1 B at least.
func (c *Comm) part(member int) units.Bytes {
	if c.Share == nil {
		return ceil(c.Bytes, units.Bytes(len(c.Nodes)))
	}
	return units.Bytes(max(1, c.Share[member].CeilOf(int64(c.Bytes))))
}

// join returns one node for many.
func (l *layer) join(rank int32, after []int32) []int32 {
	if len(after) <= 1 {
		return after
	}
	return l.work(l.host(rank), 0, after)
}
