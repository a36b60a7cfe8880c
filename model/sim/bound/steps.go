package bound

import (
	"math"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Steps is the least time in which messages are done that wait for one another, as those of collective operations do.
type Steps struct {
	Least units.Time
	Port  int // of the host that has most to send or to take, if that decides; -1: it is the longest row of messages
}

// most is of how many messages a row is looked for.
const most = 1 << 20

// Steps is no less than each of
//
//   - what the port of a host takes to carry all that the host sends, or that is sent to it, in packets with their
//     headers: in a ring of n hosts 2(n−1)/n of the data (P. Patarasuk and X. Yuan, "Bandwidth Optimal All-reduce
//     Algorithms for Clusters of Workstations", JPDC 69(2), 2009, theorem 1);
//   - the longest row of messages each of which waits for the one before: a message of b bits is there no earlier than
//     its cables and switches, what hosts take to send and to receive, and b/C after what it waits for, with the slowest
//     link C of its way. In a ring these are
//     2(n−1) messages of an n-th, in a tree twice its depth of all of the data (R. Thakur, R. Rabenseifner and
//     W. Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005, section 3: a
//     message costs alpha + n·beta, alpha being the delay).
//
// The computing of hosts before they send is part of the row. No setting of senders makes either
// less. Both are of the flows of one block, [sim.Flow.Block], from when the first of them may
// begin.
func (t *Traffic) Steps(block int32) Steps {
	s := Steps{Port: -1}
	row := &row{traffic: t, done: make([][]units.Time, t.messages)}
	flows := t.ofBlock(block)
	sum, longest, begin := 0, 0, units.Time(math.MaxInt64)
	for _, i := range flows {
		f := &t.sc.Flows[i]
		sum, longest, begin = sum+times(f), max(longest, times(f)), min(begin, f.Start)
	}
	for k := 0; k < longest && sum <= most; k++ { // the first times first, which others wait for
		for _, i := range flows {
			if k < times(&t.sc.Flows[i]) {
				s.Least = max(s.Least, row.over(i, k)-begin)
			}
		}
	}
	for port, took := range t.ofHosts(flows) {
		if took > s.Least || took == s.Least && port < s.Port {
			s.Least, s.Port = took, port
		}
	}
	return s
}

// ofBlock lists the flows of a block.
func (t *Traffic) ofBlock(block int32) (list []int) {
	for i := range t.sc.Flows[:t.messages] {
		if t.sc.Flows[i].Block == block {
			list = append(list, i)
		}
	}
	return list
}

// times returns the number of times that a message is sent.
func times(f *sim.Flow) int { return max(1, f.Repeat) }

// ofHosts returns the time of each port at hosts for the messages of some flows.
func (t *Traffic) ofHosts(flows []int) map[int]units.Time {
	wire := map[int]int64{}
	for _, i := range flows {
		if ports := t.ways[i].Ports; ports != nil {
			all := t.wire(i) * int64(times(&t.sc.Flows[i]))
			wire[ports[0]] += all
			wire[ports[len(ports)-1]] += all
		}
	}
	list := map[int]units.Time{}
	for port, bytes := range wire {
		list[port] = t.rate(port).FloorTime(units.Bytes(bytes))
	}
	return list
}

// row knows when messages are done at the earliest, each time of each that was asked for.
type row struct {
	traffic *Traffic
	done    [][]units.Time // by message and time; 0: not known
}

// over returns the time at which a message is done for the kth time. Each time waits for one of the messages that it
// says, as many times ago as it may be ahead of them, and goes behind the one before on its way.
func (r *row) over(i, k int) units.Time {
	f, w := &r.traffic.sc.Flows[i], &r.traffic.ways[i]
	if r.done[i] == nil {
		r.done[i] = make([]units.Time, times(f))
	}
	if known := r.done[i][k]; known > 0 {
		return known
	}
	start, hosts, carried := f.Start, units.Time(0), units.Time(0) // work within a host takes neither
	if w.Ports != nil {
		host := &r.traffic.sc.Transport.Host
		hosts, carried = host.Post+host.Deliver, w.Slowest.FloorTime(f.Bytes)
	}
	for _, before := range f.After {
		start = max(start, r.over(int(before), times(&r.traffic.sc.Flows[before])-1)+f.Delay)
	}
	if earlier := k - 1 - f.Ahead; earlier >= 0 && f.Repeat > 1 {
		for _, before := range f.Each {
			if earlier < times(&r.traffic.sc.Flows[before]) {
				start = max(start, r.over(int(before), earlier)+f.Delay)
			}
		}
	}
	over := start + hosts + w.Delay + carried
	if k > 0 {
		over = max(over, r.over(i, k-1)+carried)
	}
	r.done[i][k] = over
	return over
}
