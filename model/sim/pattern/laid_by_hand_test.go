package pattern

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

const us = units.Microsecond

// hall is hosts at 100 Gb/s, two at each switch, with the lossless classes 3 and 4: in 80 us a port
// carries 1,000,000 B.
func hall(hosts int) *fabric.Network {
	net := &fabric.Network{RDMA: 3, Lossless: 1<<3 | 1<<4}
	for i := range hosts {
		net.Hosts = append(net.Hosts, fabric.Host{Switch: fmt.Sprint("s", i/2), Port: fmt.Sprint("p", i%2), Rate: 100 * units.Gbps})
	}
	return net
}

// laid returns the flows that a traffic of one queue pair lays in 80 us.
func laid(t Traffic, net *fabric.Network) []sim.Flow {
	t.QueuePairs, t.Copies, t.Repeat = max(1, t.QueuePairs), max(1, t.Copies), max(1, t.Repeat)
	flows, _ := lay(&Scenario{Time: 80 * us, Traffic: []Traffic{t}}, net, 7)
	return flows
}

// What holds of each kind of traffic, whatever is drawn: how often a host sends and receives, how
// much, and when.
func TestKindsOfTraffic(t *testing.T) {
	for name, c := range map[string]struct {
		traffic     Traffic
		flows       int
		sends, gets string // by host; empty: drawn
		bytes       units.Bytes
		starts      string // in us
	}{
		"permutation":         {Traffic{Kind: "permutation"}, 4, "[1 1 1 1]", "[1 1 1 1]", 1_000_000, "[0]"},
		"permutations":        {Traffic{Kind: "permutation", Every: 40 * us, Message: 5000}, 8, "[2 2 2 2]", "[2 2 2 2]", 5000, "[0 40]"},
		"later":               {Traffic{Kind: "permutation", Every: 30 * us, Message: 5000, Start: 20 * us}, 8, "[2 2 2 2]", "[2 2 2 2]", 5000, "[20 50]"},
		"later, and a third":  {Traffic{Kind: "permutation", Every: 29 * us, Message: 5000, Start: 20 * us}, 12, "[3 3 3 3]", "[3 3 3 3]", 5000, "[20 49 78]"},
		"what is left":        {Traffic{Kind: "permutation", Start: 40 * us}, 4, "[1 1 1 1]", "[1 1 1 1]", 500_000, "[40]"},
		"shift":               {Traffic{Kind: "shift"}, 4, "[1 1 1 1]", "[1 1 1 1]", 1_000_000, "[0]"},
		"all to all":          {Traffic{Kind: "all_to_all"}, 12, "[3 3 3 3]", "[3 3 3 3]", 333_333, "[0]"},
		"incast":              {Traffic{Kind: "incast", Senders: 2, Receivers: 1}, 2, "", "", 500_000, "[0]"},
		"outcast":             {Traffic{Kind: "incast", Senders: 1, Receivers: 3}, 3, "", "", 333_333, "[0]"},
		"incast of messages":  {Traffic{Kind: "incast", Senders: 3, Receivers: 1, Message: 9000, Every: 20 * us}, 12, "", "", 9000, "[0 20 40 60]"},
		"two queue pairs":     {Traffic{Kind: "shift", QueuePairs: 2}, 8, "[2 2 2 2]", "[2 2 2 2]", 500_000, "[0]"},
		"less than the least": {Traffic{Kind: "shift", QueuePairs: 2, Message: 100}, 8, "[2 2 2 2]", "[2 2 2 2]", 64, "[0]"},
	} {
		flows := laid(c.traffic, hall(4))
		sends, gets, starts := make([]int, 4), make([]int, 4), []int{}
		for i, f := range flows {
			sends[f.Src]++
			gets[f.Dst]++
			starts = append(starts, int(f.Start/us))
			wantClass := uint8(3 + i/max(1, c.traffic.QueuePairs)%2) // messages take the classes in turn
			if f.Src == f.Dst || f.Bytes != c.bytes || int(f.SrcPort) != 49152+i || f.DstPort != 4791 || f.Class != wantClass || f.TCP || f.QueuePair != 0 || len(f.After) > 0 {
				t.Errorf("%s: message %d is %+v", name, i, f)
			}
		}
		slices.Sort(starts)
		if got := fmt.Sprint(slices.Compact(starts)); len(flows) != c.flows || c.sends != "" && (fmt.Sprint(sends) != c.sends || fmt.Sprint(gets) != c.gets) || got != c.starts {
			t.Errorf("%s: %d messages, sent %v, got %v, at %s", name, len(flows), sends, gets, got)
		}
	}
	net := hall(4)
	for by, want := range map[int]int{0: 2, 1: 1, 3: 3} {
		for _, f := range laid(Traffic{Kind: "shift", By: by}, net) {
			must.Equalf(t, f.Dst, (f.Src+want)%4, "a shift by %d: %d to", by, f.Src)
		}
	}
	net.Hosts[2].Rate = 50 * units.Gbps // slower at either end
	for _, f := range laid(Traffic{Kind: "shift", By: 1}, net) {
		if want := units.Bytes(1_000_000); f.Src == 2 || f.Dst == 2 {
			must.Equalf(t, f.Bytes, want/2, "with a slow host: %+v:", f)
		} else if f.Bytes != want {
			t.Errorf("beside a slow host: %+v", f)
		}
	}
}

// An incast's receivers get from all its senders, and no host is both. Local ones have hosts of
// their own at one switch.
func TestIncasts(t *testing.T) {
	roles := func(flows []sim.Flow) (from, to map[int]bool) {
		from, to = map[int]bool{}, map[int]bool{}
		for _, f := range flows {
			from[f.Src], to[f.Dst] = true, true
		}
		return from, to
	}
	for seed := range uint64(20) {
		traffic := Traffic{Kind: "incast", Senders: 3, Receivers: 2, QueuePairs: 1, Message: 1000}
		flows, first := lay(&Scenario{Time: 80 * us, Traffic: []Traffic{traffic, {Kind: "shift", QueuePairs: 1}}}, hall(6), seed)
		from, to := roles(flows[:first])
		pairs := map[[2]int]bool{}
		for _, f := range flows[:first] {
			pairs[[2]int{f.Src, f.Dst}] = true
			if from[f.Dst] {
				t.Errorf("host %d sends and receives", f.Dst)
			}
		}
		if first != 6 || len(pairs) != 6 || len(from) != 3 || len(to) != 2 || len(flows) != 12 {
			t.Errorf("%d of %d messages, %d pairs, %d senders, %d receivers", first, len(flows), len(pairs), len(from), len(to))
		}
		net := hall(12)
		for i := range net.Hosts {
			net.Hosts[i].Switch = []string{"a", "b", "c"}[i/5] // five, five and two
		}
		one := Traffic{Kind: "incast", Senders: 1, Receivers: 1, QueuePairs: 1, Local: true, Message: 1000}
		two := one
		two.Senders = 2
		s := &Scenario{Time: 80 * us, Traffic: []Traffic{one, two}}
		flows, first = lay(s, net, seed)
		hosts, at := map[int]bool{}, map[string]bool{}
		for _, f := range flows {
			hosts[f.Src], hosts[f.Dst] = true, true
			at[net.Hosts[f.Src].Switch], at[net.Hosts[f.Dst].Switch] = true, true
		}
		if len(flows) != 3 || first != 1 || len(hosts) != 5 || len(at) != 1 || at["c"] {
			t.Errorf("local ones: %d messages among %v at %v", len(flows), hosts, at)
		}
		if s.needsLocal() != 5 || s.needs() != 5 || len(rooms(net, 5)) != 2 || len(rooms(net, 2)) != 3 || len(rooms(net, 6)) != 0 {
			t.Errorf("it needs %d hosts", s.needsLocal())
		}
	}
}

// Messages of a flow go by the clock, or each when the one before is done.
func TestFlowsInTurn(t *testing.T) {
	end := func(s, p string) plan.LinkEnd { return plan.LinkEnd{Switch: s, Port: p} }
	flow := Traffic{Kind: "flow", Src: end("s1", "p0"), Dst: end("s0", "p1"), Message: 5000, Repeat: 3, QueuePairs: 2}
	want := [][]int32{nil, nil, {0, 1}, {0, 1}, {2, 3}, {2, 3}}
	for i, f := range laid(flow, hall(4)) {
		if f.Src != 2 || f.Dst != 1 || f.Bytes != 2500 || f.Start != 0 || !slices.Equal(f.After, want[i]) {
			t.Errorf("message %d: %+v", i, f)
		}
	}
	flow.Every, flow.Start = 7*us, 2*us
	for i, f := range laid(flow, hall(4)) {
		if f.Start != (2+7*units.Time(i/2))*us || len(f.After) != 0 {
			t.Errorf("message %d by the clock: %+v", i, f)
		}
	}
}

// Rings and trees by hand: whom a host waits for.
func TestRingsAndTrees(t *testing.T) {
	for i, f := range laid(Traffic{Kind: "ring_all_reduce", Message: 8000}, hall(4)) {
		if f.Src != i || f.Dst != (i+1)%4 || f.Bytes != 2000 || f.Repeat != 6 || !slices.Equal(f.Each, []int32{int32((i + 3) % 4)}) || f.Class != uint8(3+i%2) || f.QueuePair != 0 {
			t.Errorf("ring: %+v", f)
		}
	}
	for i, f := range laid(Traffic{Kind: "ring_all_reduce"}, hall(4)) {
		if f.Bytes != 1_000_000/6 {
			t.Errorf("ring that fills: message %d of %d B", i, f.Bytes)
		}
	}
	// Each over two queue pairs of half: what waits for a message waits for both.
	for i, f := range laid(Traffic{Kind: "ring_all_reduce", Message: 8000, QueuePairs: 2}, hall(4)) {
		before := int32((i/2 + 3) % 4 * 2)
		if f.Src != i/2 || f.Bytes != 1000 || !slices.Equal(f.Each, []int32{before, before + 1}) || int(f.SrcPort) != 49152+i {
			t.Errorf("ring of two queue pairs: %+v", f)
		}
	}
	type message struct {
		src, dst int
		after    string
	}
	want := []message{ // up from 1 and 3 to 2, which is between them, and from it to 0; down the same way
		{1, 2, "[]"}, {3, 2, "[]"}, {2, 0, "[0 1]"}, {0, 2, "[2]"}, {2, 3, "[3]"}, {2, 1, "[3]"},
	}
	for i, f := range laid(Traffic{Kind: "tree_all_reduce", Message: 8000}, hall(4)) {
		if got := (message{f.Src, f.Dst, fmt.Sprint(f.After)}); got != want[i] || f.Bytes != 8000 || f.QueuePair != 1 {
			t.Errorf("tree: message %d is %+v %+v, want %+v", i, got, f, want[i])
		}
	}
	// Of six, the last one's parent would be 6, which is not there: it is 4. And 4 has the root.
	ups := map[[2]int]bool{}
	for _, f := range laid(Traffic{Kind: "tree_all_reduce", Message: 8000}, hall(6))[:5] {
		ups[[2]int{f.Src, f.Dst}] = true
	}
	if want := map[[2]int]bool{{1, 2}: true, {3, 2}: true, {5, 4}: true, {2, 4}: true, {4, 0}: true}; !maps.Equal(ups, want) {
		t.Errorf("tree of six: up %v, want %v", ups, want)
	}
	// Without trains each time is a message, on queue pairs that stay.
	net := hall(4)
	net.Scenario.Transport.Selective = true
	flows := laid(Traffic{Kind: "ring_all_reduce", Message: 8000, QueuePairs: 2}, net)
	pairs := map[int]int{}
	for _, f := range flows {
		pairs[f.QueuePair]++
		if f.Repeat != 0 || f.Each != nil {
			t.Errorf("%+v", f)
		}
	}
	if fmt.Sprint(len(flows), pairs) != "48 map[1:6 2:6 3:6 4:6 5:6 6:6 7:6 8:6]" {
		t.Errorf("%d messages on %v", len(flows), pairs)
	}
}

// Reads ask first, and the answer waits for the question; copies go to different hosts; a load is
// what it says on the mean.
func TestPoissonProcesses(t *testing.T) {
	reads := laid(Traffic{Kind: "storage_read", Message: 5000, Load: 50 * units.Percent}, hall(4))
	// 80 us at 50 Gb/s are 500,000 B: 100 messages at each of four hosts, ± 5 times the deviation.
	if n := len(reads) / 2; len(reads)%2 != 0 || n < 300 || n > 500 {
		t.Errorf("%d messages", len(reads))
	}
	for i := 0; i+1 < len(reads); i += 2 {
		ask, answer := reads[i], reads[i+1]
		if ask.Bytes != 64 || answer.Bytes != 5000 || ask.Src != answer.Dst || ask.Dst != answer.Src || ask.Start != answer.Start || ask.Start >= 80*us || len(ask.After) != 0 || !slices.Equal(answer.After, []int32{int32(i)}) {
			t.Fatalf("%+v, then %+v", ask, answer)
		}
	}
	writes := laid(Traffic{Kind: "storage_write", Message: 5000, Load: 10 * units.Percent, Copies: 3}, hall(4))
	for i := 0; i+2 < len(writes); i += 3 {
		to := map[int]bool{}
		for _, f := range writes[i : i+3] {
			to[f.Dst] = true
			if f.Src != writes[i].Src || f.Start != writes[i].Start || f.Src == f.Dst {
				t.Errorf("copy %+v", f)
			}
		}
		must.Equalf(t, len(to), 3, "three copies to %v:", to)
	}
	// 5000 B at half of 100 Gb/s are 0.8 us apart.
	host := &fabric.Host{Rate: 100 * units.Gbps}
	if got := (&Traffic{Message: 5000, Load: 50 * units.Percent}).gap(host); got != 800_000 {
		t.Errorf("a message each %v ps", got)
	}
	sizes := &Sizes{Bytes: []int64{1000, 3000}, CDF: []float64{0, 100}}
	if got := (&Traffic{Message: 1, Sizes: sizes, Load: units.One}).gap(host); got != 160_000 { // 2000 B on the mean
		t.Errorf("a message each %v ps", got)
	}
}

// A collective has its groups side by side, each with its operations one after the other.
func TestCollectivesOfGroups(t *testing.T) {
	net := hall(10)
	l := &laying{Traffic: &Traffic{Kind: "collective", Message: 100, Repeat: 2, QueuePairs: 1, Collective: &Collective{Kind: workload.AllGather, Group: 2, Stride: 2, Compute: 3 * us}}, net: net}
	w := l.collective(10)
	var groups []string
	for _, c := range w.Comms {
		var members []string
		for _, n := range c.Nodes {
			members = append(members, fmt.Sprintf("%d%v", w.Nodes[n].Rank, w.Nodes[n].After))
		}
		groups = append(groups, strings.Join(members, " "))
		if c.Kind != workload.AllGather || c.Bytes != 100 || c.Share != nil {
			t.Errorf("%+v", c)
		}
	}
	// Ranks 0 to 7; two are left over. Each computes, takes part, and computes again.
	want := []string{"0[0] 2[2]", "0[4] 2[6]", "1[8] 3[10]", "1[12] 3[14]", "4[16] 6[18]", "4[20] 6[22]", "5[24] 7[26]", "5[28] 7[30]"}
	if !slices.Equal(groups, want) || w.Ranks != 10 {
		t.Errorf("%v, want %v", groups, want)
	}
	for i, n := range w.Nodes {
		if wantComm := int32(-1); i%2 == 0 && (n.Comm != wantComm || n.Time != 3*us) || i%2 == 1 && n.Comm != int32(i/4) {
			t.Errorf("node %d: %+v", i, n)
		}
	}
	for group, want := range map[int]int{0: 5, 3: 3} {
		if got := (&Collective{Group: group, Stride: 2}).group(10); got != want {
			t.Errorf("%d of 10 in a group", got)
		}
	}
	if got := (&Traffic{Kind: "collective", Collective: &Collective{Group: 3, Stride: 4}}).needsGPUs(); got != 12 {
		t.Errorf("needs %d GPUs", got)
	}
	if got := (&Traffic{Kind: "collective", Collective: &Collective{Stride: 4}}).needsGPUs(); got != 8 {
		t.Errorf("needs %d GPUs", got)
	}
	if got := (&Traffic{Kind: "trace", Workload: &workload.Workload{Ranks: 5}}).needsGPUs(); got != 5 || (&Traffic{Kind: "trace"}).needsGPUs() != 0 || (&Traffic{Kind: "flow"}).needsGPUs() != 0 {
		t.Errorf("needs %d GPUs", got)
	}
}

// Probes: one each 10 us, at equal distances, 200 at most and one at least.
func TestProbes(t *testing.T) {
	net := hall(4)
	flows := []sim.Flow{{Src: 0, Dst: 1}, {Src: 2, Dst: 3}}
	for window, want := range map[units.Time]int{5 * us: 1, 19 * us: 1, 20 * us: 2, 1999 * us: 199, 2000 * us: 200, 9000 * us: 200} {
		all := withProbes(flows, net, window, 1)
		must.Equalf(t, len(all), 2+want, "%v: %d probes:", window, len(all)-2)
		for i, p := range all[2:] {
			if p.Start != window/units.Time(want)*units.Time(i) || p.Bytes != 64 || p.Src == p.Dst || p.Dst != 1 && p.Dst != 3 || p.Class != 3 || int(p.SrcPort) != 1024+i || p.DstPort != 4791 {
				t.Fatalf("probe %d: %+v", i, p)
			}
		}
	}
	if len(flows) != 2 {
		t.Error("the flows were changed")
	}
}

// Processes of a host send and receive in turn.
func TestProcessesInTurn(t *testing.T) {
	p := processesOf(&Scenario{Processes: 2}, sim.RC)
	var got []int
	for range 5 {
		parts := make([]int, 2)
		if p.number(parts, 0, 1, 3); parts[1] != parts[0]+1 {
			t.Errorf("parts on %v", parts)
		}
		got = append(got, (parts[0]-firstShared-3<<34)/maxQueuePairs)
	}
	if fmt.Sprint(got) != "[1 4 1 4 1]" { // from 0 to 0, then from 1 to 1 of two: 1 + from·2 + to
		t.Errorf("queue pairs %v", got)
	}
	none := []int{0}
	if processesOf(&Scenario{}, sim.RC).number(none, 0, 1, 3); none[0] != 0 {
		t.Errorf("a queue pair for each: %v", none)
	}
	if p := processesOf(&Scenario{DC: &fabric.DC{Initiators: 3}}, sim.DC); p.each != 1 || p.initiators != 3 {
		t.Errorf("%+v", p)
	}
	if p := processesOf(&Scenario{Processes: 4, DC: &fabric.DC{Initiators: 3}}, sim.RC); p.each != 4 || p.initiators != 1 {
		t.Errorf("%+v", p)
	}
}

// What a scenario needs, and why it cannot run.
func TestUnfitByHand(t *testing.T) {
	end := plan.LinkEnd{Switch: "x", Port: "y"}
	for _, c := range []struct {
		traffic Traffic
		hosts   int
		want    string
	}{
		{Traffic{Kind: "incast", Senders: 3, Receivers: 1}, 4, ""},
		{Traffic{Kind: "incast", Senders: 3, Receivers: 2}, 4, "needs 5 hosts, of which there are 4"},
		{Traffic{Kind: "shift", By: 3}, 4, ""},
		{Traffic{Kind: "shift", By: 4}, 4, "needs 5 hosts, of which there are 4"},
		{Traffic{Kind: "shift"}, 1, "needs 2 hosts, of which there are 1"},
		{Traffic{Kind: "storage_write", Copies: 4, Load: 1, Message: 1}, 4, "needs 5 hosts, of which there are 4"},
		{Traffic{Kind: "ring_all_reduce"}, 2, "needs 3 hosts, of which there are 2"},
		{Traffic{Kind: "tree_all_reduce"}, 2, "needs 3 hosts, of which there are 2"},
		{Traffic{Kind: "permutation"}, 1, "needs 2 hosts, of which there are 1"},
		{Traffic{Kind: "permutation", Class: "rdma"}, 4, "sends in class rdma, which the switches do not have"},
		{Traffic{Kind: "permutation", Lossy: true}, 4, "sends in a lossy class, which the switches do not have"},
		{Traffic{Kind: "trace"}, 4, "runs a trace that was not read"},
		{Traffic{Kind: "trace", Workload: &workload.Workload{Ranks: 5}}, 4, "needs 5 GPUs, of which there are 4"},
		{Traffic{Kind: "collective", Collective: &Collective{Group: 5, Stride: 1}}, 4, "needs 5 GPUs, of which there are 4"},
		{Traffic{Kind: "flow", Src: end, Message: 1}, 4, "names x:y, which is not among its hosts"},
		{Traffic{Kind: "flow", Dst: end, Message: 1}, 4, "names x:y, which is not among its hosts"},
		{Traffic{Kind: "incast", Senders: 2, Receivers: 1, Local: true}, 4, "needs a switch with 3 hosts"},
		// 4·(1 + 80/every) messages: 1,000,000 at every 320.00128 ps.
		{Traffic{Kind: "permutation", Every: 321, Message: 1}, 4, ""},
		{Traffic{Kind: "permutation", Every: 320, Message: 1}, 4, "is 1000004 messages of permutation, above 1000000"},
	} {
		c.traffic.QueuePairs, c.traffic.Copies, c.traffic.Repeat = 1, max(1, c.traffic.Copies), max(1, c.traffic.Repeat)
		s := &Scenario{Time: 80 * us, Traffic: []Traffic{c.traffic}}
		must.Equalf(t, s.unfit(hall(c.hosts)), c.want, "%+v:", c.traffic)
	}
	s := &Scenario{Time: 80 * us, Events: []Event{{Kind: LinkFailure, Where: end}}}
	must.Equal(t, s.unfit(hall(2)), "names x:y, which is not among what is simulated")
	if storm := (&Scenario{Time: 80 * us, Events: []Event{{Kind: PFCStorm}}}); storm.unfit(hall(2)) != "" {
		t.Error(storm.unfit(hall(2))) // it needs no link between switches
	}
	if s.Events[0].Where = (plan.LinkEnd{}); s.unfit(hall(2)) != "needs a link between two switches" {
		t.Error(s.unfit(hall(2)))
	}
}

// How many messages there are of each kind, of four hosts and two queue pairs.
func TestMessagesByHand(t *testing.T) {
	net := hall(4)
	for want, c := range map[float64]Traffic{
		2 * 3 * 3 * 2:       {Kind: "incast", Senders: 2, Receivers: 3, Every: 40 * us}, // at 0, 40 and 80
		4 * 2:               {Kind: "permutation"},
		4 * 5 * 2:           {Kind: "shift", Every: 20 * us},
		4 * 4 * 2 * 2:       {Kind: "all_to_all", Every: 80 * us},
		4 * 2 * 2:           {Kind: "ring_all_reduce"},
		2 * 4 * 2 * 2 * 1.0: {Kind: "tree_all_reduce"},
		7 * 2 * 2:           {Kind: "flow", Repeat: 7},
		400 * 3 * 2:         {Kind: "poisson", Message: 5000, Load: 50 * units.Percent, Copies: 3},
		200 * 1 * 2:         {Kind: "storage_read", Message: 5000, Load: 50 * units.Percent, Copies: 1, Start: 40 * us},
		5 * 4 * 6 * 2:       {Kind: "collective", Repeat: 6, Collective: &Collective{Kind: workload.AllReduce, Stride: 1}},
		4 * 2 * 5 * 2:       {Kind: "collective", Repeat: 5, Collective: &Collective{Kind: workload.AllToAll, Group: 2, Stride: 1}},
	} {
		c.QueuePairs = 2
		must.Equalf(t, c.messages(net, 80*us), want, "%+v:", c)
	}
	net.Scenario.Transport.Selective = true
	must.Equalf(t, (&Traffic{Kind: "ring_all_reduce", QueuePairs: 2}).messages(net, 80*us), 2*4*4*2*2, "a ring without trains:")
	ring := &Traffic{Kind: "collective", Message: 4000, QueuePairs: 1, Collective: &Collective{Kind: workload.AllReduce, Algorithm: workload.Ring, Stride: 1}}
	if got := ring.unrolled(net); got != 4*6+4 { // six steps at each, and what joins at each
		t.Errorf("unrolled: %v", got)
	}
}

// What hosts are offered: of bursts, of all-to-alls, of loads; packets of 1,000 B have 100 B
// beside them.
func TestOfferedByHand(t *testing.T) {
	net := hall(5)
	net.Scenario.Transport.Payload, net.Scenario.Wire = 1000, sim.Wire{Data: 90, Gap: 10}
	for i, c := range []struct {
		traffic []Traffic
		want    float64
		where   string
	}{
		// Three senders of 50,000 B each 20 us are 60 Gb/s, and 66 on the wire.
		{[]Traffic{{Kind: "incast", Senders: 3, Message: 50_000, Every: 20 * us}}, 0.66, "the receivers of the incast"},
		{[]Traffic{{Kind: "incast", Senders: 3, Message: 50_000, Every: 20 * us}, {Kind: "incast", Senders: 1, Message: 50_000, Every: 20 * us}}, 0.66, "the receivers of the incast"},
		{[]Traffic{{Kind: "permutation", Message: 50_000, Every: 20 * us}}, 0.22, "hosts"},
		{[]Traffic{{Kind: "all_to_all", Message: 25_000, Every: 20 * us}, {Kind: "shift", Message: 25_000, Every: 20 * us}}, 0.55, "hosts"},
		{[]Traffic{{Kind: "poisson", Load: 30 * units.Percent, Message: 5000, Copies: 2}, {Kind: "incast", Senders: 1, Message: 25_000, Every: 20 * us}}, 0.77, "the receivers of the incast"},
		{[]Traffic{{Kind: "permutation", Message: 50_000}, {Kind: "flow", Message: 50_000, Every: 20 * us}}, 0, "hosts"},
		{[]Traffic{{Kind: "poisson", Load: 30 * units.Percent, Message: 5000, Lossy: true}}, 0, "hosts"},
	} {
		s := &Scenario{Traffic: c.traffic}
		if got, where := s.offered(net); got < c.want-1e-9 || got > c.want+1e-9 || where != c.where {
			t.Errorf("%d: %v to %s, want %v to %s", i, got, where, c.want, c.where)
		}
	}
}

// Who receives, and most; what a driver makes of 500 kB at 100 Gb/s and packets of 1100 B: xoff leaves
// (301 + 216·7/100)·100 + 272·1100/100 = 31,600 + 2,992 B, xon is a packet below.
func TestReceiversByHand(t *testing.T) {
	flows := []sim.Flow{{Dst: 2, Bytes: 5}, {Dst: 1, Bytes: 3}, {Dst: 1, Bytes: 2}, {Dst: 3, Bytes: 4}}
	if got := fmt.Sprint(receivers(flows)); got != "[1 2 3]" || busiest(flows) != 1 {
		t.Errorf("%s, most at %d", got, busiest(flows))
	}
	if flows[0].Bytes = 6; busiest(flows) != 2 {
		t.Errorf("most at %d", busiest(flows))
	}
	net := hall(4)
	sc := &sim.Scenario{Transport: sim.Transport{Payload: 1000}, Flows: flows}
	for buffer, want := range map[units.Bytes]units.Bytes{500_000: 465_408, 50_000: 25_000} {
		e := Event{Kind: SlowReceiver, At: 5 * us, Until: 9 * us, Rate: units.Gbps, Buffer: buffer}
		got := e.receiver(sc, net)
		must.Equal(t, got, sim.Receiver{Host: 2, Rate: units.Gbps, From: 5 * us, To: 9 * us, Buffer: buffer, XOFF: want, XON: want - 1100, Classes: 1<<3 | 1<<4})
		if e.Where = (plan.LinkEnd{Switch: "s1", Port: "p1"}); e.receiver(sc, net).Host != 3 {
			t.Errorf("%+v", e.receiver(sc, net))
		}
	}
	storms := &sim.Scenario{Storms: []sim.Storm{{Host: 2}}}
	for f, want := range map[[2]int]bool{{2, 0}: true, {0, 2}: true, {0, 1}: false} {
		must.Equalf(t, stranded(storms, &sim.Flow{Src: f[0], Dst: f[1]}), want, "%v:", f)
	}
}

// A run is made again, twice as long each time, until its steady state is known, as long as it may be.
func TestSettles(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome func(time units.Time) Outcome
		longest units.Time
		want    string // times of the runs in us
	}{
		{"meets its goals", func(units.Time) Outcome { return Outcome{Steady: &Steady{}} }, 1000 * us, "[10]"},
		{"does not go on", func(units.Time) Outcome { return Outcome{Missed: []string{Throughput}} }, 1000 * us, "[10]"},
		{"misses what no longer run may meet", func(units.Time) Outcome { return Outcome{Missed: []string{MaxLatency, SlowdownP99}, Steady: &Steady{}} }, 1000 * us, "[10]"},
		{"never settles", func(units.Time) Outcome { return Outcome{Missed: []string{Throughput}, Steady: &Steady{}} }, 80 * us, "[10 20 40 80]"},
		{"may be no longer", func(units.Time) Outcome { return Outcome{Missed: []string{Throughput}, Steady: &Steady{}} }, 79 * us, "[10 20 40]"},
		{"is too large", func(t units.Time) Outcome {
			return Outcome{Missed: []string{Throughput}, Steady: &Steady{}, PacketHops: int64(t/(10*us))<<23 + 1}
		}, 1000 * us, "[10 20]"},
		{"is just not too large", func(t units.Time) Outcome {
			return Outcome{Missed: []string{Throughput}, Steady: &Steady{}, PacketHops: int64(t/(10*us)) << 23}
		}, 1000 * us, "[10 20 40]"},
		{"settles", func(t units.Time) Outcome {
			return Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: t >= 40*us}}
		}, 1000 * us, "[10 20 40]"},
		{"agrees with half of it", func(t units.Time) Outcome { // 0.5, 0.6, 0.62, 0.62
			share := map[units.Time]float64{10 * us: 0.5, 20 * us: 0.6, 40 * us: 0.62, 80 * us: 0.62}[t]
			return Outcome{Missed: []string{Throughput}, Steady: &Steady{Settled: true, Figures: Figures{Throughput: share}}}
		}, 1000 * us, "[10 20 40 80]"},
		{"is skipped", func(t units.Time) Outcome {
			return Outcome{Missed: []string{Throughput}, Steady: &Steady{}, Skipped: strings.Repeat("x", int(t/(20*us)))}
		}, 1000 * us, "[10 20]"},
	} {
		var times []int
		j := &Job{Scenario: &Scenario{Time: 10 * us}, Longest: c.longest}
		out, err := j.settle(context.Background(), 1, func(_ context.Context, j *Job, _ int) (Outcome, error) {
			times = append(times, int(j.Scenario.Time/us))
			return c.outcome(j.Scenario.Time), nil
		})
		if fmt.Sprint(times) != c.want || err != nil || out.Skipped != "" || j.Scenario.Time != 10*us {
			t.Errorf("%s: %v, %v, want %s", c.name, times, err, c.want)
		}
	}
}

// GPUs are those of servers, spread over their NICs, or one at each host.
func TestSites(t *testing.T) {
	net := hall(4)
	if s := siteOf(net); s.Rate != 100*units.Gbps || !reflect.DeepEqual(s.GPUs, []workload.GPU{{Server: 0, Host: 0}, {Server: 1, Host: 1}, {Server: 2, Host: 2}, {Server: 3, Host: 3}}) {
		t.Errorf("%+v", s)
	}
	net.Servers = []fabric.Server{{GPUs: 4, NICs: []int{3, 1}, Machine: plan.Machine{NVLink: 7}}, {GPUs: 1, NICs: []int{2}}}
	if s := siteOf(net); !reflect.DeepEqual(s.GPUs, []workload.GPU{{Host: 3, Machine: workload.Machine{NVLink: 7}}, {Host: 3, Machine: workload.Machine{NVLink: 7}}, {Host: 1, Machine: workload.Machine{NVLink: 7}}, {Host: 1, Machine: workload.Machine{NVLink: 7}}, {Server: 1, Host: 2}}) {
		t.Errorf("%+v", s)
	}
}
