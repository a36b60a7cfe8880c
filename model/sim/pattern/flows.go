package pattern

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A laying is a traffic while its flows are laid. Those of all traffics of a scenario go
// into one list.
type laying struct {
	*Traffic
	index  int     // of the traffic
	carry  []uint8 // classes that carry the messages in turn
	sent   int     // messages
	shared *processes
	tcp    bool // as in all lossy classes
	net    *fabric.Network
	hosts  []fabric.Host
	order  []int      // of local traffic: the hosts that it has
	window units.Time // from the start of the traffic to the end of the scenario
	random *rand.Rand
	flows  []sim.Flow
}

// kinds lay the flows.
var kinds = map[string]struct {
	lay   func(*laying)
	fills bool // the receivers' ports, unless the message has a given size

	operates bool // its messages wait for one another, so that its time has a bound of its own
}{
	"incast":          {lay: (*laying).incast, fills: true},
	"permutation":     {lay: (*laying).permutation, fills: true},
	"shift":           {lay: (*laying).shift, fills: true},
	"all_to_all":      {lay: (*laying).allToAll, fills: true},
	"ring_all_reduce": {lay: (*laying).ring, operates: true},
	"tree_all_reduce": {lay: (*laying).tree, operates: true},
	"collective":      {lay: (*laying).operate, operates: true},
	"trace":           {lay: (*laying).operate, operates: true},
	"storage_read":    {lay: (*laying).storageRead},
	"storage_write":   {lay: (*laying).arrivals},
	"poisson":         {lay: (*laying).arrivals},
	"flow":            {lay: (*laying).flow},
}

// Kinds lists the kinds of traffic by name.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// lay makes the flows of a scenario that fits the network, equal for an equal seed. first is
// how many of them are the first traffic's.
func lay(s *Scenario, net *fabric.Network, seed uint64) (flows []sim.Flow, first int) {
	local, shared := s.room(net, seed), processesOf(s, net.Scenario.Transport.Service)
	for i := range s.Traffic {
		t := &s.Traffic[i]
		l := &laying{
			Traffic: t, index: i, carry: net.Carriers(t.Class, t.Lossy), shared: shared, tcp: t.tcp(net), net: net, hosts: net.Hosts, window: max(1, s.Time-t.Start), flows: flows,
			random: rand.New(sourceOf(seed, i)),
		}
		if t.Local {
			l.order, local = local[:t.needs()], local[t.needs():]
		}
		kinds[t.Kind].lay(l)
		for k := len(flows); k < len(l.flows); k++ {
			l.flows[k].Block = int32(i)
		}
		flows = l.flows
		if i == 0 {
			first = len(flows)
		}
	}
	return flows, first
}

// sourceOf returns the random numbers of a traffic.
func sourceOf(seed uint64, traffic int) *rand.PCG {
	return rand.NewPCG(seed, 0x7061747465726e+uint64(traffic))
}

// rooms lists the switches with so many hosts, each by the indices of its hosts.
func rooms(net *fabric.Network, need int) (all [][]int) {
	at := map[string]int{}
	var every [][]int
	for i := range net.Hosts {
		name := net.Hosts[i].Switch
		if _, ok := at[name]; !ok {
			at[name], every = len(every), append(every, nil)
		}
		every[at[name]] = append(every[at[name]], i)
	}
	return stable.Delete(every, func(hosts []int) bool { return len(hosts) < need })
}

// room returns the hosts of one switch that has enough for all local traffic, in the order in
// which they get their parts; nil where there is none.
func (s *Scenario) room(net *fabric.Network, seed uint64) []int {
	need := s.needsLocal()
	if need == 0 {
		return nil
	}
	random, all := rand.New(rand.NewPCG(seed, 0x6c6f63616c)), rooms(net, need)
	hosts := all[random.IntN(len(all))]
	random.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] })
	return hosts
}

// roce is RoCEv2's UDP port.
const roce = 4791

// add sends a message over the traffic's queue pairs, at a time after its start, or as soon
// as the messages before are done; it returns the flows.
func (l *laying) add(src, dst int, size units.Bytes, at units.Time, before ...int32) (added []int32) {
	sent := l.sent
	l.sent++
	numbers := make([]int, l.QueuePairs) // of queue pairs
	if !l.tcp {
		l.shared.number(numbers, src, dst, l.carry[sent%len(l.carry)])
	}
	for _, number := range numbers {
		i := len(l.flows)
		added = append(added, int32(i))
		f := l.message(src, dst, size, at, sent, i)
		f.After, f.QueuePair = before, number
		l.flows = append(l.flows, f)
	}
	return added
}

// message returns a part of the message of a number: the flow of index i.
func (l *laying) message(src, dst int, size units.Bytes, at units.Time, number, i int) sim.Flow {
	return sim.Flow{
		Src: src, Dst: dst, SrcPort: uint16(49152 + i%16384), DstPort: roce,
		Class: l.carry[number%len(l.carry)], TCP: l.tcp, Bytes: max(smallest, size/units.Bytes(l.QueuePairs)), Start: l.Start + at,
	}
}

// fill returns the bytes that a port carries in the time of the run, its sender's rate permitting.
func (l *laying) fill(src, dst int) units.Bytes {
	return min(l.hosts[src].Rate, l.hosts[dst].Rate).FloorBytes(l.window)
}

// size returns the message's, or else a part of what fills the run.
func (l *laying) size(src, dst, parts int) units.Bytes {
	if l.Message > 0 {
		return l.Message
	}
	return l.fill(src, dst) / units.Bytes(parts)
}

// repeated lays what comes again and again.
func (l *laying) repeated(once func(at units.Time)) {
	once(0)
	for at := l.Every; l.Every > 0 && at < l.window; at += l.Every {
		once(at)
	}
}

func (l *laying) incast() {
	order := l.order
	if order == nil {
		order = l.random.Perm(len(l.hosts))
	}
	receivers, senders := order[:l.Receivers], order[l.Receivers:l.Receivers+l.Senders]
	l.repeated(func(at units.Time) {
		for _, dst := range receivers {
			for _, src := range senders {
				l.add(src, dst, l.size(src, dst, max(l.Senders, l.Receivers)), at)
			}
		}
	})
}

func (l *laying) permutation() {
	order := l.random.Perm(len(l.hosts))
	l.repeated(func(at units.Time) {
		for i, src := range order {
			dst := order[(i+1)%len(order)]
			l.add(src, dst, l.size(src, dst, 1), at)
		}
	})
}

func (l *laying) shift() {
	by := l.By
	if by == 0 {
		by = len(l.hosts) / 2
	}
	l.repeated(func(at units.Time) {
		for src := range l.hosts {
			dst := (src + by) % len(l.hosts)
			l.add(src, dst, l.size(src, dst, 1), at)
		}
	})
}

func (l *laying) allToAll() {
	n := len(l.hosts)
	l.repeated(func(at units.Time) {
		for by := 1; by < n; by++ {
			for src := range n {
				dst := (src + by) % n
				l.add(src, dst, l.size(src, dst, n-1), at)
			}
		}
	})
}

// flow sends one message after the other, by the clock or as soon as the last one is done.
func (l *laying) flow() {
	index := func(at plan.LinkEnd) int {
		return slices.IndexFunc(l.hosts, func(h fabric.Host) bool { return h.End() == at })
	}
	src, dst := index(l.Src), index(l.Dst)
	var before []int32
	for i := range units.Time(l.Repeat) {
		done := l.add(src, dst, l.Message, i*l.Every, before...)
		if l.Every == 0 {
			before = done
		}
	}
}

// requestBytes is a command capsule of NVMe over Fabrics without data (NVM Express over
// Fabrics 1.1, section 2.1: 64 B).
const requestBytes units.Bytes = 64

// storageRead asks other hosts and is answered, as a Poisson process at each host.
func (l *laying) storageRead() {
	l.poisson(func(reader, target int, size units.Bytes, at units.Time) {
		asked := l.add(reader, target, requestBytes, at)
		l.add(target, reader, size, at, asked...)
	})
}

// arrivals sends messages and their copies, as a Poisson process at each host.
func (l *laying) arrivals() {
	l.poisson(func(src, dst int, size units.Bytes, at units.Time) { l.add(src, dst, size, at) })
}

// mean returns the mean size of a message, in bytes.
func (t *Traffic) mean() float64 {
	if t.Sizes != nil {
		return t.Sizes.mean()
	}
	return float64(t.Message)
}

// gap returns the mean time between two messages of a host in a Poisson process, in ps.
func (t *Traffic) gap(host *fabric.Host) float64 {
	return t.mean() * 8e12 / (float64(host.Rate) * float64(t.Load) / float64(units.One))
}

// poisson calls a function for each message of each host and each of its copies.
func (l *laying) poisson(message func(host, peer int, size units.Bytes, at units.Time)) {
	n := len(l.hosts)
	for host := range n {
		for p := (process{host: host}); l.next(&p); {
			for copy := range l.Copies {
				message(host, (host+1+(p.peer+copy)%(n-1))%n, p.size, units.Time(p.at))
			}
		}
	}
}

// probeBytes is a message of one packet, as small as any.
const probeBytes units.Bytes = 64

// A run sends a probe every 10 us, so that probes are negligible in its traffic: 146 B with their
// acknowledgement's 86 B are 0.2 % of a port of 100 Gb/s, if all were for one. 200 are enough: the
// slowest tenth of them is twenty.
const (
	probeGap   = 10 * units.Microsecond
	mostProbes = 200
)

// withProbes adds small messages to hosts that the scenario sends to, at equal distances
// over the time of the run.
func withProbes(flows []sim.Flow, net *fabric.Network, window units.Time, seed uint64) []sim.Flow {
	hosts := len(net.Hosts)
	random := rand.New(rand.NewPCG(seed, 0x70726f6265))
	out := slices.Clone(flows)
	probes := min(mostProbes, max(1, window/probeGap))
	for i := range probes {
		dst := flows[random.IntN(len(flows))].Dst
		out = append(out, sim.Flow{
			Src: (dst + 1 + random.IntN(hosts-1)) % hosts, Dst: dst, SrcPort: uint16(1024 + i), DstPort: roce,
			Class: net.RDMA, Bytes: probeBytes, Start: window / probes * i,
		})
	}
	return out
}
