package pattern

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// A traffic is the flows of a pattern while they are laid.
type traffic struct {
	*Pattern
	hosts  []fabric.Host
	window units.Time
	random *rand.Rand
	flows  []sim.Flow
}

// kinds lay the flows.
var kinds = map[string]struct {
	lay   func(*traffic)
	fills bool // the receivers' ports, unless the message has a given size
	local bool // with one receiver, whose switch need not be able to fill its other ports
}{
	"incast":      {lay: (*traffic).incast, fills: true, local: true},
	"permutation": {lay: (*traffic).permutation, fills: true},
	"opposite":    {lay: func(t *traffic) { t.shift(len(t.hosts) / 2) }, fills: true},
	"neighbours":  {lay: func(t *traffic) { t.shift(1) }, fills: true},
	"all-to-all":  {lay: (*traffic).allToAll, fills: true},
	"ring":        {lay: (*traffic).ring},
	"tree":        {lay: (*traffic).tree},
	"random":      {lay: (*traffic).arrivals},
}

// maxFlows keeps a run within memory and patience; arrivals that would be more begin in a
// shorter time.
const maxFlows = 8000

// lay makes the flows of a pattern for hosts of which there are enough, equal for an equal
// seed.
func lay(p *Pattern, hosts []fabric.Host, window units.Time, seed uint64) []sim.Flow {
	t := &traffic{Pattern: p, hosts: hosts, window: window, random: rand.New(rand.NewPCG(seed, 0x7061747465726e))}
	kinds[p.Kind].lay(t)
	return t.flows
}

// add sends a message over the pattern's queue pairs.
func (t *traffic) add(src, dst int, size units.Bytes, start units.Time) {
	for range t.QueuePairs {
		t.flows = append(t.flows, sim.Flow{
			Src: src, Dst: dst, SrcPort: uint16(49152 + len(t.flows)%16384), DstPort: 4791, // RoCEv2's port
			Class: fabric.RDMA, Bytes: max(smallest, size/units.Bytes(t.QueuePairs)), Start: start,
		})
	}
}

// fill is what a port carries in the time of the run, its sender's rate permitting.
func (t *traffic) fill(src, dst int) units.Bytes {
	return min(t.hosts[src].Rate, t.hosts[dst].Rate).FloorBytes(t.window)
}

func (t *traffic) incast() {
	order := t.random.Perm(len(t.hosts))
	receivers, senders := order[:t.Receivers], order[t.Receivers:t.Receivers+t.Senders]
	for at := units.Time(0); at == 0 || t.Every > 0 && at < t.window; at += max(t.Every, 1) {
		for _, dst := range receivers {
			for _, src := range senders {
				size := t.Message
				if size == 0 {
					size = t.fill(src, dst) / units.Bytes(max(t.Senders, t.Receivers))
				}
				t.add(src, dst, size, at)
			}
		}
	}
}

func (t *traffic) permutation() {
	order := t.random.Perm(len(t.hosts))
	for i, src := range order {
		dst := order[(i+1)%len(order)]
		t.add(src, dst, t.fill(src, dst), 0)
	}
}

func (t *traffic) shift(by int) {
	for src := range t.hosts {
		dst := (src + by) % len(t.hosts)
		t.add(src, dst, t.fill(src, dst), 0)
	}
}

func (t *traffic) allToAll() {
	n := len(t.hosts)
	for by := 1; by < n; by++ {
		for src := range n {
			dst, size := (src+by)%n, t.Message
			if size == 0 {
				size = t.fill(src, dst) / units.Bytes(n-1)
			}
			t.add(src, dst, size, 0)
		}
	}
}

// ring is 2(n-1) steps, in each of which every host sends an n-th of the data to the next
// (Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations", JPDC 2009).
func (t *traffic) ring() {
	n := len(t.hosts)
	for src := range n {
		dst := (src + 1) % n
		chunk := t.Message / units.Bytes(n)
		if t.Message == 0 {
			chunk = t.fill(src, dst) / units.Bytes(2*(n-1))
		}
		chunk = max(chunk, smallest)
		for step := range 2 * (n - 1) {
			t.add(src, dst, chunk, units.Time(step)*t.hosts[src].Rate.CeilTime(chunk))
		}
	}
}

// tree sends the whole data up a binary tree and down again, level by level.
func (t *traffic) tree() {
	depth := 0
	for 1<<(depth+1)-1 < len(t.hosts) {
		depth++
	}
	level := func(host int) (l int) {
		for ; host > 0; host = (host - 1) / 2 {
			l++
		}
		return l
	}
	for host := 1; host < len(t.hosts); host++ {
		parent, l := (host-1)/2, level(host)
		step := 2 * t.hosts[parent].Rate.CeilTime(t.Message) // two children share the parent's port
		t.add(host, parent, t.Message, units.Time(depth-l)*step)
		t.add(parent, host, t.Message, units.Time(depth+l-1)*step)
	}
}

// arrivals are a Poisson process at each host.
func (t *traffic) arrivals() {
	mean := float64(t.Message)
	if t.Sizes != nil {
		mean = t.Sizes.mean()
	}
	n, window := len(t.hosts), float64(t.window)
	gap := func(src int) float64 { // mean time between messages, ps
		return mean * 8e12 / (float64(t.hosts[src].Rate) * float64(t.Load) / float64(units.One))
	}
	expected := 0.0
	for src := range n {
		expected += window / gap(src) * float64(t.Copies)
	}
	window *= min(1, maxFlows/expected)
	for src := range n {
		for at := t.random.ExpFloat64() * gap(src); at < window; at += t.random.ExpFloat64() * gap(src) {
			size := t.Message
			if t.Sizes != nil {
				size = t.Sizes.at(100 * t.random.Float64())
			}
			first := t.random.IntN(n - 1)
			for copy := range t.Copies {
				t.add(src, (src+1+(first+copy)%(n-1))%n, size, units.Time(at))
			}
		}
	}
	t.bursts()
	slices.SortStableFunc(t.flows, func(a, b sim.Flow) int { return cmp.Compare(a.Start, b.Start) })
}

func (t *traffic) bursts() {
	if t.BurstSenders == 0 {
		return
	}
	order := t.random.Perm(len(t.hosts))
	for at := units.Time(0); at < t.window; at += t.Every {
		for _, src := range order[1 : 1+t.BurstSenders] {
			t.add(src, order[0], t.BurstMessage, at)
		}
	}
}

// probeBytes is a message of one packet, smaller than all others.
const probeBytes units.Bytes = 64

// probes are how many probes a run sends: the slowest tenth of them is twenty.
const probes = 200

// withProbes adds small messages to hosts that the pattern sends to, at equal distances
// over the time of the run.
func withProbes(flows []sim.Flow, hosts int, window units.Time, seed uint64) []sim.Flow {
	random := rand.New(rand.NewPCG(seed, 0x70726f6265))
	out := slices.Clone(flows)
	for i := range probes {
		dst := flows[random.IntN(len(flows))].Dst
		out = append(out, sim.Flow{
			Src: (dst + 1 + random.IntN(hosts-1)) % hosts, Dst: dst, SrcPort: uint16(1024 + i), DstPort: 4791,
			Class: fabric.RDMA, Bytes: probeBytes, Start: window / probes * units.Time(i),
		})
	}
	return out
}
