package workload

import (
	"context"
	"math"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// The star of these tests: NICs at 100 Gb/s, 1 us of cable, one switch that stores and forwards; packets of 1,000 B with
// 48 B of headers and acknowledgements of 60 B. On the way from a host to another one, packets meet the acknowledgements of
// what the receiver sends, one for each of its packets at most, and wait for them.
const (
	rate    = 100 * units.Gbps
	payload = 1000
	header  = 48
	ack     = 60
)

func packets(b units.Bytes) units.Bytes { return (b + payload - 1) / payload }

// sending is how long a NIC sends a message, and alone how long it takes to the receiver if nothing is in its way.
func sending(b units.Bytes) units.Time { return rate.CeilTime(b + packets(b)*header) }
func alone(b units.Bytes) units.Time {
	last := (b-1)%payload + 1 + header
	return sending(b) + rate.CeilTime(last) + 2*units.Microsecond
}

// atMost is alone, with acknowledgements in the way at both ports.
func atMost(b units.Bytes) units.Time { return alone(b) + 2*rate.CeilTime(packets(b)*ack) }

// site is servers of so many GPUs with a NIC each, or one for all; nodes 0 to NICs-1 of the star.
func site(servers, gpus, nics int) (*Site, *sim.Scenario) {
	s := &Site{Rate: rate}
	for server := range servers {
		for gpu := range gpus {
			s.GPUs = append(s.GPUs, GPU{server, server*nics + gpu*nics/gpus, Machine{NVLink: 3600 * units.Gbps}})
		}
	}
	hosts := servers * nics
	sc := &sim.Scenario{
		Nodes:     append(make([]sim.Node, hosts), sim.Switch),
		Transport: sim.Transport{Payload: payload, AckInterval: 1, NackInterval: 500 * units.Microsecond},
		Buffer:    sim.HPCCBuffer{Size: 64 * units.MiB, Reserve: 4 * units.KiB, ResumeOffset: 3 * units.KiB, AlphaShift: 3, HeadroomDelays: 3},
	}
	for host := range hosts {
		sc.Links = append(sc.Links, sim.Link{A: host, B: hosts, Rate: rate, Delay: units.Microsecond})
	}
	return s, sc
}

// together is one operation of all ranks.
func together(c Comm, ranks int) *Workload {
	w := &Workload{Ranks: ranks}
	for r := range ranks {
		w.Nodes = append(w.Nodes, Node{Rank: int32(r)})
		c.Nodes = append(c.Nodes, int32(r))
	}
	w.Comms = []Comm{c}
	return w
}

// run is when the last byte of a workload came, and what was sent by each NIC.
func run(t *testing.T, w *Workload, s *Site, sc *sim.Scenario) (units.Time, map[int]units.Bytes) {
	t.Helper()
	flows := must.Get(w.Lay(s))(t)
	for i := range flows {
		flows[i].SrcPort, flows[i].DstPort, flows[i].Class = uint16(1000+i), 4791, 3
	}
	sc.Flows = flows
	r := must.Get(sim.Run(context.Background(), sc))(t)
	if r.UnfinishedFlows > 0 || r.Drops > 0 {
		t.Fatalf("%d of %d flows unfinished, %d packets lost", r.UnfinishedFlows, len(flows), r.Drops)
	}
	last, sent := 0.0, map[int]units.Bytes{}
	for _, f := range r.Flows {
		last = max(last, f.StartUS+f.DeliveredUS)
		sent[f.Src] += units.Bytes(f.Bytes)
	}
	for _, w := range r.Work {
		last = max(last, w.EndUS)
	}
	return units.Time(math.Round(last * 1e6)), sent
}

func between(t *testing.T, what string, got, least, most units.Time) {
	t.Helper()
	if got < least || got > most {
		t.Errorf("%s took %v, want %v to %v", what, got, least, most)
	}
}

// Rings on links that nobody else uses take as many steps as the textbook says, each of the time of a chunk: 2(n-1)
// for an all-reduce, n-1 for its halves. A chunk of 20 kB is not cut, for it is below NCCL's smallest slice.
func TestRingByArithmetic(t *testing.T) {
	const chunk = 20_000
	for _, n := range []int{2, 3, 8, 16} {
		for kind, steps := range map[Kind]units.Time{AllReduce: units.Time(2 * (n - 1)), ReduceScatter: units.Time(n - 1), AllGather: units.Time(n - 1)} {
			s, sc := site(n, 1, 1)
			got, sent := run(t, together(Comm{Kind: kind, Algorithm: Ring, Bytes: units.Bytes(n) * chunk}, n), s, sc)
			between(t, kind.String(), got, steps*alone(chunk), steps*atMost(chunk))
			for nic, bytes := range sent {
				if bytes != units.Bytes(steps)*chunk {
					t.Errorf("%v among %d: NIC %d sends %d B", kind, n, nic, bytes)
				}
			}
		}
	}
}

// Large chunks are cut in two, so that a step is on its way while the one before still comes: the NICs are busy all
// the time but for the first slice's way. 8 MB per step are 4 rounds of 2 slices of 1 MB, for a step moves at most 2 MiB.
func TestRingInSlices(t *testing.T) {
	const n, step = 4, 8_000_000
	s, sc := site(n, 1, 1)
	got, sent := run(t, together(Comm{Kind: AllReduce, Algorithm: Ring, Bytes: n * step}, n), s, sc)
	all := sending(2 * (n - 1) * step)
	between(t, "ring", got, all, all+all*2*ack/(payload+header)+4*alone(step/8))
	if sent[0] != 2*(n-1)*step {
		t.Errorf("a NIC sends %d B", sent[0])
	}
	if rounds, count, size := cut(step); rounds != 4 || count != 2 || size != 1_000_000 {
		t.Errorf("%d rounds of %d slices of %d B", rounds, count, size)
	}
}

// Where a server has a NIC for each of its GPUs, each NIC carries its part of the data to its own rail, and what goes
// from GPU to GPU inside does not touch the fabric: 2(n-1)/n of a quarter of the data for each of 4.
func TestRingOverRails(t *testing.T) {
	const servers, gpus, bytes = 4, 4, 16 * 4 * 20_000
	s, sc := site(servers, gpus, gpus)
	got, sent := run(t, together(Comm{Kind: AllReduce, Algorithm: Ring, Bytes: bytes}, servers*gpus), s, sc)
	const steps, chunk = 2 * (servers*gpus - 1), bytes / gpus / (servers * gpus)
	for nic := range servers * gpus {
		if sent[nic] != steps*chunk {
			t.Errorf("NIC %d sends %d B, want %d", nic, sent[nic], steps*chunk)
		}
	}
	// A chunk comes around in 2(n-1) steps, of which each fourth is over the fabric: 8 at most, behind as many as
	// were sent at once, and 3 over NVLink between.
	inside := 3 * s.GPUs[0].nvlink(chunk)
	between(t, "ring", got, sending(steps*chunk), sending(steps*chunk)+8*(atMost(chunk)+inside)+steps*sending(ack))
}

// A hierarchical all-reduce reduces in each server, lets each NIC run a ring of servers with its GPU's part, and gathers.
func TestHierarchical(t *testing.T) {
	const servers, gpus, bytes = 4, 4, 4 * 4 * 20_000
	s, sc := site(servers, gpus, gpus)
	got, sent := run(t, together(Comm{Kind: AllReduce, Algorithm: Hierarchical, Bytes: bytes}, servers*gpus), s, sc)
	const steps, chunk = 2 * (servers - 1), bytes / gpus / servers
	scatter := s.GPUs[0].nvlink(bytes * (gpus - 1) / gpus)
	between(t, "ring of servers", got, scatter+steps*alone(chunk), scatter+steps*atMost(chunk))
	if sent[5] != steps*chunk {
		t.Errorf("a NIC sends %d B, want %d", sent[5], steps*chunk)
	}
}

// Two trees of 8 are 3 high: what is too small to be cut goes up 3 steps and down 3. A port may bring two halves at
// once, and each of both trees, so that a step takes four times as long to send at most.
func TestTreeByArithmetic(t *testing.T) {
	const half = 16_000
	for n, steps := range map[int]units.Time{2: 2, 4: 4, 8: 6, 16: 8} {
		s, sc := site(n, 1, 1)
		got, sent := run(t, together(Comm{Kind: AllReduce, Algorithm: Tree, Bytes: 2 * half}, n), s, sc)
		between(t, "tree", got, steps*alone(half), steps*(atMost(half)+3*sending(half)))
		total := units.Bytes(0)
		for _, bytes := range sent {
			total += bytes
		}
		must.Equalf(t, total, units.Bytes(2*2*(n-1))*half, "%d servers: B in both trees:", n)
	}
}

// Who is a leaf in one tree is inside of the other, but for one in the trees of an even number and two roots, and each
// is reached once.
func TestTwoTrees(t *testing.T) {
	for n := 2; n < 70; n++ {
		inside := make([]int, n)
		for _, place := range []func(int) int{func(i int) int { return i }, second(n)} {
			parents, seen := map[int]bool{}, map[int]bool{0: true}
			for i := 1; i < n; i++ {
				p := Parent(i, n)
				parents[place(p)] = true
				depth := 0
				for at := i; at != 0; at = Parent(at, n) {
					if depth++; depth > 8 {
						t.Fatalf("%d: no way from %d to the root", n, i)
					}
				}
				seen[i] = true
			}
			must.Equalf(t, len(seen), n, "%d: places:", n)
			for p := range parents {
				inside[p]++
			}
		}
		both := 0
		for _, times := range inside {
			if times == 2 {
				both++
			}
		}
		if both > 2 {
			t.Errorf("%d: %d are inside of both trees", n, both)
		}
	}
}

// Each member sends its part to each other one: its NIC is busy with (n-1)/n of the data.
func TestAllToAll(t *testing.T) {
	const n, part = 16, 50_000
	s, sc := site(n, 1, 1)
	got, sent := run(t, together(Comm{Kind: AllToAll, Bytes: n * part}, n), s, sc)
	between(t, "all to all", got, sending((n-1)*part), 3*sending((n-1)*part)/2)
	if sent[3] != (n-1)*part {
		t.Errorf("a NIC sends %d B", sent[3])
	}
	// With skewed experts the first one gets most, and its port is what all wait for.
	skewed := Comm{Kind: AllToAll, Bytes: n * part, Share: make([]units.Ratio, n)}
	for i := range skewed.Share {
		skewed.Share[i] = units.One / 2 / (n - 1)
	}
	skewed.Share[0] = units.One / 2
	s, sc = site(n, 1, 1)
	got, _ = run(t, together(skewed, n), s, sc)
	between(t, "skewed", got, sending((n-1)*n*part/2), sending((n-1)*n*part*3/4))
}

// In one server nothing is sent, and an all-reduce takes 2(n-1)/n of the data over NVLink: 8 MB in chunks of 1 MB
// at 3.6 Tb/s, 14 times 2.22 us. Computing comes before and after.
func TestInsideOfAServer(t *testing.T) {
	s, sc := site(2, 8, 8)
	w := together(Comm{Kind: AllReduce, Bytes: 8 * units.MB}, 8)
	w.Ranks = 9
	for r := range int32(8) {
		w.Nodes = append(w.Nodes, Node{Rank: r, Comm: -1, Time: 100 * units.Microsecond})
		w.Nodes[r].After = []int32{8 + r}
	}
	w.Nodes = append(w.Nodes, Node{Rank: 0, Comm: 1, After: []int32{0}}, Node{Rank: 8, Comm: 1})
	w.Comms = append(w.Comms, Comm{Kind: Send, Bytes: 10_000, Nodes: []int32{16, 17}})
	got, sent := run(t, w, s, sc)
	want := 100*units.Microsecond + s.GPUs[0].nvlink(14*units.MB) + alone(10_000)
	if got != want || len(sent) != 1 {
		t.Errorf("took %v, want %v; sent %v", got, want, sent)
	}
}

// A ring of 16,384 GPUs is as many trains as servers have NICs, whatever the number of its steps.
func TestManyGPUs(t *testing.T) {
	const servers, gpus = 2048, 8
	s := &Site{Rate: 400 * units.Gbps}
	for i := range servers * gpus {
		s.GPUs = append(s.GPUs, GPU{Server: i / gpus, Host: i})
	}
	flows, err := together(Comm{Kind: AllReduce, Algorithm: Ring, Bytes: units.GB}, servers*gpus).Lay(s)
	if err != nil || len(flows) > 2*servers*gpus {
		t.Errorf("%d flows, %v", len(flows), err)
	}
}

// What waits for itself over others is an error: two ranks that each receive before they send.
func TestCircle(t *testing.T) {
	w := &Workload{Ranks: 2, Nodes: []Node{
		{Rank: 0, Comm: 0, After: []int32{1}}, {Rank: 0, Comm: 1}, {Rank: 1, Comm: 1, After: []int32{3}}, {Rank: 1, Comm: 0},
	}, Comms: []Comm{{Kind: Send, Bytes: 1, Nodes: []int32{0, 3}}, {Kind: Send, Bytes: 1, Nodes: []int32{2, 1}}}}
	s, _ := site(2, 1, 1)
	if _, err := w.Lay(s); err == nil {
		t.Error("laid")
	}
}

// Ranks of a ring that send before they receive do not wait for one another: each of three steps takes as long as a
// message does.
func TestRingOfEagerSends(t *testing.T) {
	const n, steps, bytes = 4, 3, 20_000
	w := &Workload{Ranks: n}
	sends, receives := [n][steps]int32{}, [n][steps]int32{}
	for rank := range n {
		for step := range steps {
			send, receive := Node{Rank: int32(rank), Comm: -1}, Node{Rank: int32(rank), Comm: -1}
			if step > 0 {
				send.After = []int32{receives[rank][step-1]}
			}
			w.Nodes = append(w.Nodes, send)
			sends[rank][step] = int32(len(w.Nodes) - 1)
			receive.After = []int32{sends[rank][step]}
			w.Nodes = append(w.Nodes, receive)
			receives[rank][step] = int32(len(w.Nodes) - 1)
		}
	}
	for rank := range n {
		for step := range steps {
			w.Nodes[sends[rank][step]].Comm, w.Nodes[receives[(rank+1)%n][step]].Comm = int32(len(w.Comms)), int32(len(w.Comms))
			w.Comms = append(w.Comms, Comm{Kind: Send, Bytes: bytes, Nodes: []int32{sends[rank][step], receives[(rank+1)%n][step]}})
		}
	}
	s, sc := site(n, 1, 1)
	got, sent := run(t, w, s, sc)
	// A receive is over once its own rank's send is known to be: an acknowledgement's way later.
	back := 2*units.Microsecond + 2*rate.CeilTime(ack)
	between(t, "ring", got, steps*alone(bytes), steps*(atMost(bytes)+back))
	must.Equalf(t, sent[2], steps*bytes, "B:")
}
