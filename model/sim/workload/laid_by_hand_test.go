package workload

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// room is servers of some GPUs, with NICs 10, 11, … and 1 ns a byte over NVLink.
func room(servers, gpus, nics int) *Site {
	s := &Site{Rate: 100 * units.Gbps}
	for server := range servers {
		for gpu := range gpus {
			s.GPUs = append(s.GPUs, GPU{server, 10 + server*nics + gpu*nics/gpus, Machine{NVLink: 8 * units.Gbps}})
		}
	}
	return s
}

const ns = units.Nanosecond

// The messages and the work of one operation each, by hand.
func TestLaidByHand(t *testing.T) {
	train := func(src, dst int, bytes units.Bytes, repeat, ahead int, delay units.Time, each ...int32) sim.Flow {
		return sim.Flow{Src: src, Dst: dst, Bytes: bytes, Repeat: repeat, Ahead: ahead, Delay: delay, Each: each}
	}
	after := func(f sim.Flow, list ...int32) sim.Flow {
		f.After = list
		return f
	}
	work := func(host int, start, delay units.Time, list ...int32) sim.Flow {
		return sim.Flow{Src: host, Dst: host, Start: start, Delay: delay, After: list}
	}
	for name, c := range map[string]struct {
		site *Site
		comm Comm
		want []sim.Flow
	}{
		"a send":             {room(2, 1, 1), Comm{Kind: Send, Bytes: 5000, Start: 7}, []sim.Flow{{Src: 10, Dst: 11, Bytes: 5000, Start: 7}}},
		"a send in a server": {room(1, 2, 2), Comm{Kind: Send, Bytes: 5000}, []sim.Flow{work(10, 5000*ns, 0)}},
		"nothing":            {room(2, 1, 1), Comm{Kind: AllReduce}, nil},
		// 3 parts of 3000 B, less than NCCL's smallest slice: two steps of one message, each as the one before
		// has come.
		"an all-gather": {room(3, 1, 1), Comm{Kind: AllGather, Bytes: 9000}, []sim.Flow{
			train(10, 11, 3000, 2, 0, 0, 2), train(11, 12, 3000, 2, 0, 0, 0), train(12, 10, 3000, 2, 0, 0, 1),
			work(10, 0, 0, 0, 2), work(11, 0, 0, 0, 1), work(12, 0, 0, 1, 2), // over when it has sent and got all
		}},
		"an all-reduce": {room(3, 1, 1), Comm{Kind: AllReduce, Algorithm: Ring, Bytes: 9001}, []sim.Flow{
			train(10, 11, 3001, 4, 0, 0, 2), train(11, 12, 3001, 4, 0, 0, 0), train(12, 10, 3001, 4, 0, 0, 1),
			work(10, 0, 0, 0, 2), work(11, 0, 0, 0, 1), work(12, 0, 0, 1, 2),
		}},
		// Steps of 100,000 B are two messages; a member may be a step ahead.
		"an all-reduce of slices": {room(2, 1, 1), Comm{Kind: AllReduce, Algorithm: Ring, Bytes: 200_000}, []sim.Flow{
			train(10, 11, 50_000, 4, 1, 0, 1), train(11, 10, 50_000, 4, 1, 0, 0),
			work(10, 0, 0, 0, 1), work(11, 0, 0, 0, 1),
		}},
		// Two GPUs in each of two servers with a NIC: four members, six steps, and a chunk has a hop over NVLink to go.
		"an all-reduce over NVLink": {room(2, 2, 1), Comm{Kind: AllReduce, Algorithm: Ring, Bytes: 4000}, []sim.Flow{
			train(10, 11, 1000, 6, 1, 1000*ns, 1), train(11, 10, 1000, 6, 1, 1000*ns, 0),
			work(10, 0, 0, 0, 1), work(11, 0, 0, 0, 1),
		}},
		// The same with two NICs: each carries half.
		"an all-reduce on rails": {room(2, 2, 2), Comm{Kind: AllReduce, Algorithm: Ring, Bytes: 8000}, []sim.Flow{
			train(10, 12, 1000, 6, 1, 1000*ns, 1), train(12, 10, 1000, 6, 1, 1000*ns, 0),
			train(11, 13, 1000, 6, 1, 1000*ns, 3), train(13, 11, 1000, 6, 1, 1000*ns, 2),
			work(10, 0, 0, 0, 1, 2, 3), work(12, 0, 0, 0, 1, 2, 3),
		}},
		// Half of the data over NVLink, two steps of a ring of two servers with a quarter each, and again half.
		"a hierarchical all-reduce": {room(2, 2, 2), Comm{Kind: AllReduce, Algorithm: Hierarchical, Bytes: 8000}, []sim.Flow{
			work(10, 4000*ns, 0), work(12, 4000*ns, 0),
			after(train(10, 12, 2000, 2, 0, 0, 3), 0), after(train(12, 10, 2000, 2, 0, 0, 2), 1),
			after(train(11, 13, 2000, 2, 0, 0, 5), 0), after(train(13, 11, 2000, 2, 0, 0, 4), 1),
			work(10, 0, 4000*ns, 2, 3, 4, 5), work(12, 0, 4000*ns, 2, 3, 4, 5),
		}},
		"a reduce in a server":      {room(1, 4, 4), Comm{Kind: Reduce, Bytes: 8000}, []sim.Flow{work(10, 8000*ns, 0)}},
		"an all-gather in a server": {room(1, 4, 4), Comm{Kind: AllGather, Bytes: 8000}, []sim.Flow{work(10, 6000*ns, 0)}},
		"an all-reduce in a server": {room(1, 4, 4), Comm{Kind: AllReduce, Bytes: 8000}, []sim.Flow{work(10, 12000*ns, 0)}},
		// 20,000 B are one chunk: passed on when it has come.
		"a broadcast": {room(3, 1, 1), Comm{Kind: Broadcast, Bytes: 20_000}, []sim.Flow{
			{Src: 10, Dst: 11, Bytes: 20_000}, after(sim.Flow{Src: 11, Dst: 12, Bytes: 20_000}, 0), work(11, 0, 0, 0, 1),
		}},
		"a reduce": {room(3, 1, 1), Comm{Kind: Reduce, Bytes: 20_000}, []sim.Flow{
			{Src: 12, Dst: 11, Bytes: 20_000}, after(sim.Flow{Src: 11, Dst: 10, Bytes: 20_000}, 0), work(11, 0, 0, 0, 1),
		}},
		// 128 KiB are four chunks of 32 KiB: at first as many as a buffer holds, then each as it comes.
		"a broadcast in chunks": {room(3, 2, 1), Comm{Kind: Broadcast, Bytes: 128 * units.KiB}, []sim.Flow{
			train(10, 11, 32768, 4, 7, 32768*ns), train(11, 12, 32768, 4, -1, 32768*ns, 0), work(11, 0, 0, 0, 1),
		}},
		// Each tree has half. The second one of three is a place further: its root is server 1.
		"two trees": {room(3, 1, 1), Comm{Kind: AllReduce, Algorithm: Tree, Bytes: 20_000}, []sim.Flow{
			{Src: 11, Dst: 12, Bytes: 10_000}, after(sim.Flow{Src: 12, Dst: 10, Bytes: 10_000}, 0), // place 1 below 2, 2 below 0
			after(sim.Flow{Src: 10, Dst: 12, Bytes: 10_000}, 1), after(sim.Flow{Src: 12, Dst: 11, Bytes: 10_000}, 2),
			{Src: 12, Dst: 10, Bytes: 10_000}, after(sim.Flow{Src: 10, Dst: 11, Bytes: 10_000}, 4),
			after(sim.Flow{Src: 11, Dst: 10, Bytes: 10_000}, 5), after(sim.Flow{Src: 10, Dst: 12, Bytes: 10_000}, 6),
			work(10, 0, 0, 1, 2, 4, 5, 6, 7), work(11, 0, 0, 0, 3, 5, 6), work(12, 0, 0, 0, 1, 2, 3, 4, 7),
		}},
		// Three members, the last two in one server.
		"an all-to-all": {&Site{GPUs: []GPU{{0, 10, Machine{NVLink: 8 * units.Gbps}}, {1, 11, Machine{NVLink: 8 * units.Gbps}}, {1, 12, Machine{NVLink: 8 * units.Gbps}}}}, Comm{Kind: AllToAll, Bytes: 3001}, []sim.Flow{
			{Src: 10, Dst: 11, Bytes: 1001}, {Src: 10, Dst: 12, Bytes: 1001},
			{Src: 11, Dst: 10, Bytes: 1001}, work(11, 1001*ns, 0),
			{Src: 12, Dst: 10, Bytes: 1001}, work(12, 1001*ns, 0),
			work(10, 0, 0, 2, 4, 0, 1), work(11, 0, 0, 0, 2, 3), work(12, 0, 0, 1, 4, 5),
		}},
		"skewed": {room(2, 1, 1), Comm{Kind: AllToAll, Bytes: 1001, Share: []units.Ratio{units.One, 0}}, []sim.Flow{
			{Src: 10, Dst: 11, Bytes: 1}, {Src: 11, Dst: 10, Bytes: 1001}, work(10, 0, 0, 1, 0), work(11, 0, 0, 0, 1),
		}},
	} {
		got := must.Get(together(c.comm, len(c.site.GPUs)).Lay(c.site))(t)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d messages, want %d: %+v", name, len(got), len(c.want), got)
			continue
		}
		for i := range got {
			if g, w := normal(got[i]), normal(c.want[i]); !reflect.DeepEqual(g, w) || got[i].Operation != 1 {
				t.Errorf("%s: message %d is\n%+v, want\n%+v of operation 1", name, i, got[i], w)
			}
		}
	}
}

// normal has empty lists where there is nothing, and the flows that a message waits for in order. Its operation is compared apart.
func normal(f sim.Flow) sim.Flow {
	f.After, f.Each = append([]int32{}, f.After...), append([]int32{}, f.Each...)
	slices.Sort(f.After)
	f.Operation = 0
	return f
}

// A message has the number of its communication; a computation has none.
func TestOperationOfMessages(t *testing.T) {
	w := &Workload{Ranks: 2, Nodes: []Node{{Rank: 0, Comm: -1, Time: ns}, {Rank: 0, Comm: 0}, {Rank: 1, Comm: 0}, {Rank: 0, Comm: 1, After: []int32{1}}, {Rank: 1, Comm: 1, After: []int32{2}}},
		Comms: []Comm{{Kind: Send, Bytes: 100, Nodes: []int32{1, 2}}, {Kind: AllToAll, Bytes: 300, Nodes: []int32{3, 4}}}}
	flows := must.Get(w.Lay(room(2, 1, 1)))(t)
	sizes := map[int32]units.Bytes{}
	for _, f := range flows {
		sizes[f.Operation] = max(sizes[f.Operation], f.Bytes)
	}
	if len(sizes) != 3 || sizes[0] != 0 || sizes[1] != 100 || sizes[2] != 150 {
		t.Errorf("largest messages by operation %v, of %+v", sizes, flows)
	}
}

// A rank computes one thing at a time; what takes no time is over with what it waits for; a
// send waits for its own rank, and a receive for its message and for its own rank.
func TestComputingByHand(t *testing.T) {
	w := &Workload{Ranks: 2, Nodes: []Node{
		{Rank: 0, Comm: -1, Time: 5},                    // message 0
		{Rank: 0, Comm: -1, Time: 6, After: []int32{0}}, // 1
		{Rank: 1, Comm: -1, Time: 7},                    // 2
		{Rank: 0, Comm: -1, After: []int32{1}},          // no time
		{Rank: 0, Comm: -1, After: []int32{0, 2}},       // 4: two to wait for
		{Rank: 0, Comm: -1, Time: 8, After: []int32{2}}, // 3: behind 1, its rank's
		{Rank: 0, Comm: 0, After: []int32{3}}, {Rank: 1, Comm: 0, After: []int32{2, 4}},
		{Rank: 1, Comm: -1, Time: 9, After: []int32{7}},
	}, Comms: []Comm{{Kind: Send, Bytes: 100, Nodes: []int32{6, 7}}}}
	got := must.Get(w.Lay(room(2, 1, 1)))(t)
	of := map[units.Time]sim.Flow{} // work by its time, the message by 0
	at, joins := map[units.Time]int32{}, units.Time(0)
	for i, f := range got {
		key := f.Start + f.Delay
		if f.Src == f.Dst && key == 0 {
			joins--
			key = joins
		}
		of[key], at[key] = f, int32(i)
	}
	for time, c := range map[units.Time]struct {
		start bool
		after []units.Time
	}{5: {true, nil}, 6: {false, []units.Time{5}}, 7: {true, nil}, -1: {false, []units.Time{5, 7}}, 8: {false, []units.Time{7, 6}}, 0: {false, []units.Time{6}}, -2: {false, []units.Time{0, 7, -1}}, 9: {false, []units.Time{-2, 7}}} {
		var want []int32
		for _, before := range c.after {
			want = append(want, at[before])
		}
		f := of[time]
		if !sameSet(f.After, want) || time > 0 && c.start != (f.Start == time) {
			t.Errorf("%v: %+v, want after %v", int64(time), f, want)
		}
	}
	must.Equalf(t, len(got), 8, "messages:")
}

func sameSet(a, b []int32) bool {
	in := map[int32]bool{}
	for _, v := range a {
		in[v] = true
	}
	for _, v := range b {
		if !in[v] {
			return false
		}
	}
	return len(a) == len(b)
}

// A rank of an all-to-all sends to eight others at a time: its ninth message waits for its
// first one.
func TestPeersAtOnce(t *testing.T) {
	got := must.Get(together(Comm{Kind: AllToAll, Bytes: 11_000}, 11).Lay(room(11, 1, 1)))(t)
	for i := range 10 { // of rank 0
		want := 0
		if i >= 8 {
			want = 1
		}
		if f := got[i]; f.Src != 10 || f.Dst != 11+i || len(f.After) != want || want == 1 && f.After[0] != int32(i-8) {
			t.Errorf("message %d: %+v", i, f)
		}
	}
}

// NCCL's steps by hand: a step of a ring moves 2 MiB at most, in slices of half of it but not
// of less than 32 KiB.
func TestCuts(t *testing.T) {
	for step, want := range map[units.Bytes][3]int{
		1: {1, 1, 1}, 32 * units.KiB: {1, 1, 32768}, 32*units.KiB + 1: {1, 2, 16385}, 2 * units.MiB: {1, 2, 1 << 20},
		2*units.MiB + 1: {2, 2, 1<<19 + 1}, 6 * units.MiB: {3, 2, 1 << 20},
	} {
		if rounds, count, size := cut(step); [3]int{rounds, count, int(size)} != want {
			t.Errorf("%d B: %d rounds of %d slices of %d B, want %v", int64(step), rounds, count, int64(size), want)
		}
	}
	// Of a depth of 2: 512 KiB if there are 16 of them; 128 KiB at least down to 8 of those; 64 KiB down to 2.
	for data, want := range map[units.Bytes][2]int{
		8 * units.MiB: {16, 512 << 10}, 8*units.MiB - 1: {32, 256 << 10}, 4 * units.MiB: {16, 256 << 10}, 4*units.MiB - 1: {32, 128 << 10},
		1 * units.MiB: {8, 128 << 10}, 1*units.MiB - 1: {16, 64 << 10}, 128 * units.KiB: {2, 64 << 10}, 128*units.KiB - 1: {4, 32 << 10},
		32 * units.KiB: {1, 32 << 10}, 1: {1, 1},
	} {
		if count, size := treeSteps(data, 2); [2]int{count, int(size)} != want {
			t.Errorf("%d B: %d chunks of %d B, want %v", int64(data), count, int64(size), want)
		}
	}
}

// NCCL's cost model by hand, at 100 Gb/s. Two servers of a GPU: the ring's start 8.4 us and two steps of 9.6 us
// are 27.6 us, from 8192 B on 1.9 times that, 52.44 us; the tree's two steps of 50 us are 100 us. The ring sends the
// data once, the tree 2.22 times: there the ring is always taken.
//
// Sixteen servers: the ring has 30 steps, 296.4 us or 563.16 us from 65,536 B on, and sends 30/16 of the data; the
// trees are four deep, 400 us, and send 20/9. So the trees are taken from there on while 163.16 us are more than
// (20/9 - 15/8)·8/100 ns/B, to 5,874.. kB; below 65,536 B the ring is.
func TestChosenByHand(t *testing.T) {
	const rate = 100 * units.Gbps
	for _, c := range []struct {
		bytes                units.Bytes
		ranks, servers, nics int
		want                 Algorithm
	}{
		{1, 2, 1, 1, Ring}, {1 << 30, 2, 2, 1, Ring}, {1, 2, 2, 1, Ring}, {8192, 2, 2, 1, Ring},
		{1, 1, 1, 1, Ring}, // nobody to send to
		// Of nothing: 8.4 + 18·3.4 + 24·9.6 = 300 us round the ring of 22 ranks on 13 servers, 2·3·50 us up and down their tree.
		{0, 22, 13, 1, Ring}, {0, 23, 13, 1, Tree}, {0, 21, 13, 1, Ring},
		{65_535, 16, 16, 1, Ring}, {65_536, 16, 16, 1, Tree},
		{5_873_000, 16, 16, 1, Tree}, {5_874_500, 16, 16, 1, Ring},
		{11_747_000, 16, 16, 2, Tree}, {11_749_000, 16, 16, 2, Ring}, // twice the NICs, twice the bytes
		{5_873_000, 16, 16, 0, Tree}, {5_874_500, 16, 16, 0, Ring},
	} {
		must.Equalf(t, Choose(c.bytes, c.ranks, c.servers, c.nics, rate), c.want, "%+v:", c)
	}
}

// A train of four times, of which each waits for the one two before, and another one for each of
// its times, message by message.
func TestUnrolledByHand(t *testing.T) {
	flows := []sim.Flow{
		{Src: 1, Dst: 2, Bytes: 10},
		{Src: 2, Dst: 3, Bytes: 20, Repeat: 4, Ahead: 1, After: []int32{0}},
		{Src: 3, Dst: 4, Bytes: 30, Repeat: 2, Ahead: -1, Each: []int32{1}},
		{Src: 4, Dst: 5, Bytes: 40, After: []int32{1, 2}},
	}
	// In order: 0, 1a, 2a, 3, 1b, 2b, 1c, 1d.
	want := []sim.Flow{
		{Src: 1, Dst: 2, Bytes: 10},
		{Src: 2, Dst: 3, Bytes: 20, QueuePair: 101, After: []int32{0}},
		{Src: 3, Dst: 4, Bytes: 30, QueuePair: 102, After: []int32{1}},
		{Src: 4, Dst: 5, Bytes: 40, After: []int32{7, 5}},
		{Src: 2, Dst: 3, Bytes: 20, QueuePair: 101, After: []int32{0}},
		{Src: 3, Dst: 4, Bytes: 30, QueuePair: 102, After: []int32{4}},
		{Src: 2, Dst: 3, Bytes: 20, QueuePair: 101, After: []int32{1}},
		{Src: 2, Dst: 3, Bytes: 20, QueuePair: 101, After: []int32{4}},
	}
	got := Unroll(flows, 100)
	for i := range want {
		if i >= len(got) || !reflect.DeepEqual(normal(got[i]), normal(want[i])) {
			t.Fatalf("message %d of %d: %+v, want %+v", i, len(got), got[i], want[i])
		}
	}
	must.Equalf(t, len(got), len(want), "messages:")
}

// What is said of a workload, and about how many messages it has.
func TestAbout(t *testing.T) {
	w := &Workload{Name: "job", Ranks: 2, Nodes: []Node{{Rank: 0, Comm: -1, Time: 3 * ns}, {Rank: 1, Comm: -1, Time: 5 * ns}, {Rank: 1, Comm: -1, Time: 4 * ns}, {Rank: 0}, {Rank: 1}},
		Comms: []Comm{{Kind: AllToAll, Nodes: []int32{3, 4}}}, Notes: []string{"a note"}}
	about := w.About()
	if len(about) != 2 || !strings.HasPrefix(about[0], "job: 2 GPUs, 5 operations, 1 of them among several GPUs; a GPU computes 9ns at most") || about[1] != "a note" {
		t.Errorf("%q", about)
	}
	// Of two servers an operation has some messages for each GPU, an all-to-all one for each pair more; in one server it is work.
	apart, together := &Site{GPUs: []GPU{{Server: 0}, {Server: 1}}}, &Site{GPUs: []GPU{{Server: 3}, {Server: 3}}}
	for _, c := range []struct {
		kind     Kind
		site     *Site
		messages int
		sent     units.Bytes
	}{
		{AllToAll, apart, 5 + 4*2 + 2*2, 2 * 1000}, {AllReduce, apart, 5 + 4*2, 2 * 1000}, {AllGather, apart, 5 + 4*2, 1000}, {Send, apart, 5 + 4*2, 1000},
		{AllToAll, together, 5 + 2, 0}, {AllReduce, together, 5 + 2, 0},
	} {
		w.Comms[0].Kind, w.Comms[0].Bytes = c.kind, 1000
		if n, sent := w.Messages(c.site), w.Sent(c.site); n != c.messages || sent != c.sent {
			t.Errorf("%v: %d messages, %d B leave servers, want %d and %d", c.kind, n, sent, c.messages, c.sent)
		}
	}
}
