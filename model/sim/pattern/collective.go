package pattern

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/units"
)

// A Collective is an operation among GPUs, in groups side by side.
type Collective struct {
	Kind          workload.Kind
	Algorithm     workload.Algorithm // empty: the one that NCCL takes
	Protocol      workload.Protocol  // empty: [workload.Wire]
	Group, Stride int                // GPUs of a group, 0: all so far apart; from one of them to the next
	Compute       units.Time         // before each operation
	Skew          float64            // exponent of Zipf's law, of an all-to-all
}

// busBandwidth returns the bus bandwidth of nccl-tests (NVIDIA/nccl-tests, doc/PERFORMANCE.md), in GB/s: the data that
// each of a group's GPUs must send at least, over the time of one operation, in us. With it operations and numbers of
// GPUs can be compared with the rate of a link.
func (t *Traffic) busBandwidth(gpus int, took float64) float64 {
	took = took/float64(t.Repeat) - float64(t.Collective.Compute)/1e6
	return float64(t.Message) * busShare(t.Collective.Kind, t.Collective.group(gpus)) / took / 1e3
}

// busShare returns the share of its bytes that each of so many GPUs must send if an operation is done as well as
// links allow.
func busShare(kind workload.Kind, gpus int) float64 {
	n := float64(gpus)
	switch kind {
	case workload.AllReduce:
		return 2 * (n - 1) / n
	case workload.ReduceScatter, workload.AllGather, workload.AllToAll:
		return (n - 1) / n
	}
	return 1
}

// ring is 2(n-1) steps, in each of which every host sends an n-th of the data to the next
// (Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations", JPDC
// 2009). In each step a host sends the data that it received in the step before, so it waits for
// that alone.
func (l *laying) ring() {
	n := len(l.hosts)
	flows := make([]sim.Flow, n)
	for src := range n {
		dst := (src + 1) % n
		chunk := l.Message / units.Bytes(n)
		if l.Message == 0 {
			chunk = l.fill(src, dst) / units.Bytes(2*(n-1))
		}
		flows[src] = sim.Flow{Src: src, Dst: dst, Bytes: chunk, Repeat: 2 * (n - 1), Each: []int32{int32((src + n - 1) % n)}}
	}
	l.carryAll(flows)
}

// tree sends the whole data up a binary tree and down again. A host waits for both of its children
// on the way up, and for its parent on the way down. Each second host is a leaf, whose parent is
// next to it, as in the trees of NCCL ([workload.Parent]): most of what is sent stays at a switch,
// and few of its hosts send over the links above it at a time.
func (l *laying) tree() {
	n := len(l.hosts)
	var below []int // children before their parents
	for bit := 1; bit < n; bit *= 2 {
		for host := bit; host < n; host += 2 * bit {
			below = append(below, host)
		}
	}
	reduced := make([][]int32, n) // flows that bring a host what its children have, by host
	for _, host := range below {
		parent := workload.Parent(host, n)
		up := l.persistent(l.add(host, parent, l.Message, 0, reduced[host]...))
		reduced[parent] = append(reduced[parent], up...)
	}
	came := make([][]int32, n)
	came[0] = reduced[0]
	for _, host := range slices.Backward(below) {
		parent := workload.Parent(host, n)
		came[host] = l.persistent(l.add(parent, host, l.Message, 0, came[parent]...))
	}
}

// persistent puts the flows of a message on queue pairs that stay, as a library for
// collectives has them: the same ones for all messages between two hosts.
func (l *laying) persistent(message []int32) []int32 {
	for k, i := range message {
		l.flows[i].QueuePair = 1 + l.index*maxQueuePairs + k
	}
	return message
}

// maxQueuePairs is the language's bound on queue pairs of a message.
const maxQueuePairs = 1024

// operate lays what GPUs do.
func (l *laying) operate() { l.carryAll(l.operations()) }

// operations returns the flows of GPUs, as a file says or in collectives.
func (l *laying) operations() []sim.Flow {
	site, w := siteOf(l.net), l.Workload
	if w == nil {
		w = l.collective(len(site.GPUs))
	}
	flows, err := w.Lay(site)
	if err != nil {
		panic(err) // [workload.Workload.Check] was not asked
	}
	return flows
}

// collective lets each group of GPUs compute and communicate, again and again.
func (l *laying) collective(all int) *workload.Workload {
	c := l.Collective
	group := c.group(all)
	w := &workload.Workload{Ranks: all}
	block := group * c.Stride // GPUs that as many groups as the stride have
	for first := 0; first+block <= all; first += block {
		for offset := range c.Stride {
			members := make([]int32, group)
			for i := range members {
				members[i] = int32(first + offset + i*c.Stride)
			}
			l.again(w, members)
		}
	}
	return w
}

// again adds the operations of one group.
func (l *laying) again(w *workload.Workload, members []int32) {
	c, before := l.Collective, make([][]int32, len(members))
	for range max(1, l.Repeat) {
		op := workload.Comm{Kind: c.Kind, Algorithm: c.Algorithm, Protocol: c.Protocol, Bytes: l.Message, Share: l.experts(len(members))}
		for i, rank := range members {
			if c.Compute > 0 {
				w.Nodes = append(w.Nodes, workload.Node{Rank: rank, Comm: -1, Time: c.Compute, After: before[i]})
				before[i] = []int32{int32(len(w.Nodes) - 1)}
			}
			w.Nodes = append(w.Nodes, workload.Node{Rank: rank, Comm: int32(len(w.Comms)), After: before[i]})
			before[i] = []int32{int32(len(w.Nodes) - 1)}
			op.Nodes = append(op.Nodes, before[i]...)
		}
		w.Comms = append(w.Comms, op)
	}
}

// group returns the number of GPUs in a group.
func (c *Collective) group(all int) int { return cmp.Or(c.Group, all/c.Stride) }

// idle says which GPUs are in no group of a collective: those that are left where the groups do not divide all. Empty: none.
func (s *Scenario) idle(net *fabric.Network) string {
	all := len(siteOf(net).GPUs)
	for i := range s.Traffic {
		c := s.Traffic[i].Collective
		if c == nil || c.group(all) == 0 {
			continue
		}
		if left := all % (c.group(all) * c.Stride); left > 0 && left < all {
			return fmt.Sprintf("scenario %s: %d of %d GPUs are in no group of %d, and send nothing", s.Name, left, all, c.group(all))
		}
	}
	return ""
}

// unrolled returns the number of messages of GPUs where each time of a train is one of its own.
func (t *Traffic) unrolled(net *fabric.Network) (sum float64) {
	l := &laying{Traffic: t, net: net, random: rand.New(rand.NewPCG(0, 0))} // of shares, which change no number
	for _, f := range l.operations() {
		sum += float64(max(1, f.Repeat))
	}
	return sum
}

// messages returns the largest number of messages of an operation: in a ring or tree some for each GPU, in an
// all-to-all one for each pair of a group.
func (c *Collective) messages(gpus int) float64 {
	n := float64(gpus)
	if c.Kind == workload.AllToAll {
		return n * float64(c.group(gpus))
	}
	return 5 * n
}

// experts returns the shares that members of an all-to-all get, by Zipf's law in an order that is drawn; nil: equal
// ones.
func (l *laying) experts(n int) []units.Ratio {
	if l.Collective.Skew == 0 || l.Collective.Kind != workload.AllToAll {
		return nil
	}
	weights, sum := make([]float64, n), 0.0
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -l.Collective.Skew)
		sum += weights[i]
	}
	shares := make([]units.Ratio, n)
	for i, at := range l.random.Perm(n) {
		shares[at] = units.Ratio(weights[i] / sum * float64(units.One))
	}
	return shares
}

// carryAll adds messages that have their ends, sizes and what they wait for, each over the traffic's queue pairs.
func (l *laying) carryAll(flows []sim.Flow) {
	base := 1 + l.index*maxQueuePairs
	if !l.net.Trains(l.tcp) {
		flows = workload.Unroll(flows, base)
	}
	parts, at := make([]int, len(flows)), make([]int32, len(flows))
	next := int32(len(l.flows))
	for i := range flows {
		if parts[i] = l.QueuePairs; flows[i].Src == flows[i].Dst {
			parts[i] = 1
		}
		at[i] = next
		next += int32(parts[i])
	}
	placed := func(list []int32) (out []int32) {
		for _, before := range list {
			for k := range parts[before] {
				out = append(out, at[before]+int32(k))
			}
		}
		return out
	}
	l.flows = slices.Grow(l.flows, int(next)-len(l.flows))
	for i := range flows {
		f := &flows[i]
		f.After, f.Each = placed(f.After), placed(f.Each)
		f.Start, f.TCP, f.DstPort = f.Start+l.Start, l.tcp, roce
		f.Class = l.carry[l.sent%len(l.carry)]
		if f.Src == f.Dst {
			l.flows = append(l.flows, *f)
			continue
		}
		l.sent++
		f.Bytes = max(smallest, f.Bytes/units.Bytes(l.QueuePairs))
		for k := range parts[i] {
			part := *f
			part.SrcPort = uint16(49152 + len(l.flows)%16384)
			if f.QueuePair > 0 {
				part.QueuePair = base + (f.QueuePair-base)*l.QueuePairs + k
			}
			l.flows = append(l.flows, part)
		}
	}
}
