package workload

import (
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/units"
)

// NCCL's cost model by hand, in us, from the constants of src/graph/tuning.cc (ncclTunerConstantsDefaults): 16 ranks on 2
// servers with 8 NICs of 400 Gb/s, 400 GB/s in all, of an all-reduce. A ring has 30 steps, 2 of them to the other server,
// and sends 30/16 of the data; a tree goes 7 steps in a server and 1 across, twice, and sends the data twice, at 0.7 or
// 0.5 of its rate by treeCorrectionFactor. Eight channels carry at most 36.7 GB/s each with LL128, and in trees of two
// servers 41.4 GB/s. LL has at most 39 GB/s between two servers.
func TestCostModelByHand(t *testing.T) {
	const us = float64(units.Microsecond)
	for _, c := range []struct {
		algorithm Algorithm
		protocol  Protocol
		bytes     units.Bytes
		want      float64
	}{
		{Ring, LL, 64_000, 6.6 + 28*1 + 2*2.7 + 64e3*30/16/39e3}, // the proxy's 1 us in each step of 0.6
		{Ring, LL128, 64_000, 14 + 28*1.9 + 2*4 + 64e3*30/16/36.7e3/8},
		{Ring, Simple, 8_000, 8.4 + 28*3.4 + 2*14 + 8e3*30/16/400e3},     // below 64 B for each rank and channel
		{Ring, Simple, 8_192, 1.4*(8.4+28*3.4+2*14) + 8192*30./16/400e3}, // the plateau
		{Tree, LL, 64_000, 6.8 + 2*(7*0.6+5) + 2*64e3/39e3/0.7},          //
		{Tree, LL128, 64_000, 14 + 2*(7*1.25+8.5) + 2*64e3/36.7e3/8/0.7}, //
		{Tree, Simple, 1_000_000, 8.4 + 2*(7*4+14) + 2*1e6/41.4e3/8/0.5}, //
		{Ring, Simple, 1e9, 1.4*(8.4+28*3.4+2*14) + 1e9*30/16/400e3},     //
		{NVLSTree, Simple, 64_000, 25 + 2*20.9 + 64e3*30/16/461.6e3},     // 57.7 GB/s for each channel
	} {
		j := &job{AllReduce, c.bytes, 16, 2, 8, 400 * units.Gbps, Machine{}}
		if got := float64(j.takes(c.algorithm, c.protocol)) / us; got < c.want-0.01 || got > c.want+0.01 {
			t.Errorf("%s, %s, %v: %.3f us, want %.3f", c.algorithm, c.protocol, c.bytes, got, c.want)
		}
	}
	// Among four servers NVLink SHARP's trees are two deep, with 45.5 GB/s for each channel. AMD's CPUs post in 2 us.
	if got, want := float64((&job{AllReduce, 64_000, 32, 4, 8, 400 * units.Gbps, Machine{NVLS: true}}).takes(NVLSTree, Simple))/us, 25+4*20.9+64e3*62/32/364e3; got < want-0.01 || got > want+0.01 {
		t.Errorf("NVLink SHARP: %.3f us, want %.3f", got, want)
	}
	if got, want := float64((&job{AllReduce, 0, 16, 2, 8, 400 * units.Gbps, Machine{AMD: true}}).takes(Ring, LL))/us, 6.6+28*2+2*2.7; got < want-0.01 || got > want+0.01 {
		t.Errorf("AMD: %.3f us, want %.3f", got, want)
	}
	// With one GPU in each server a ring's steps are a tree's; in one server all is NVLink's.
	if got, want := (&job{AllReduce, 0, 2, 2, 1, 400 * units.Gbps, Machine{}}).takes(Ring, LL), 6_600*units.Nanosecond+2*5*units.Microsecond; got != want {
		t.Errorf("two ranks: %v, want %v", got, want)
	}
	if got, want := (&job{AllReduce, 8_000, 8, 1, 8, 400 * units.Gbps, Machine{NVLink: 3600 * units.Gbps}}).takes(Ring, LL), (6_600+14*600)*units.Nanosecond+units.Time(8_000*2*14/8)*8*units.Picosecond*1000/3600; got < want-units.Nanosecond || got > want+units.Nanosecond {
		t.Errorf("a server: %v, want %v", got, want)
	}
}

// NCCL 2.22.3 printed these times of its model on three servers of eight H100 with eight ports of 200 Gb/s, for which it
// has 24 GB/s (NVIDIA/nccl, issue 1453, with debugging of TUNING): trees with LL and LL128, and a ring with Simple, of
// which that version has six steps over the network where there are four.
func TestPrintedByNCCL(t *testing.T) {
	for bytes, c := range map[units.Bytes]struct {
		Algorithm
		Protocol
		printed, more float64
	}{
		256:           {Tree, LL, 25.229528, 0},
		512:           {Tree, LL, 25.259054, 0},
		4096:          {Tree, LL, 25.874907, 0},
		8192:          {Tree, LL, 26.549810, 0},
		262_144:       {Tree, LL128, 54.707825, 0},
		2_147_483_648: {Ring, Simple, 21757.3125, 1.4 * 2 * (3.4 - 14)},
	} {
		j := &job{AllReduce, bytes, 24, 3, 8, 192 * units.Gbps, Machine{NVLink: 2966 * units.Gbps, NVLS: true}}
		if got, want := float64(j.takes(c.Algorithm, c.Protocol))/1e6, c.printed+c.more; got < want*0.9999 || got > want*1.0001 {
			t.Errorf("%v by a %s with %s: %.4f us, want %.4f", bytes, c.Algorithm, c.Protocol, got, want)
		}
	}
	// Trees of 8 H800, by 22 GB/s of each of 8 channels: 68.8 GB/s (issue 1154).
	j := &job{AllReduce, 8 * units.GB, 64, 8, 8, 176 * units.Gbps, Machine{NVLS: true}}
	if got := 8e9 / (float64(j.treeWire(Simple)) / 1e12) / 1e9; got < 68.75 || got > 68.85 {
		t.Errorf("trees of H800: %.2f GB/s", got)
	}
}

// What 64 servers of eight H200 with eight ports of 400 Gb/s took (NVIDIA/nccl, issue 1752).
func TestChoiceOfMany(t *testing.T) {
	for bytes, want := range map[units.Bytes]struct {
		Algorithm
		Protocol
	}{16 * units.MiB: {Tree, LL128}, 32 * units.MiB: {NVLSTree, Simple}} {
		j := &job{AllReduce, bytes, 512, 64, 8, 400 * units.Gbps, Machine{NVLink: 2966 * units.Gbps, NVLS: true}}
		if a, p := j.fastest("", Tuned); a != want.Algorithm || p != want.Protocol {
			t.Errorf("%v: %s, %s, want %v", bytes, a, p, want)
		}
	}
}

// Two servers of eight A100 with 16 ports of 100 Gb/s, 200 GB/s: nccl-tests print a bus bandwidth of 219 GB/s for 1 GiB
// (README of oracle-quickstart/oci-hpc-oke), which no ring can have. By NCCL NVLink has 240 GB/s (12 links,
// SM80_NVLINK_BW, src/graph/topo.h).
func TestTreeOfTwoServers(t *testing.T) {
	j := &job{AllReduce, units.GiB, 16, 2, 8, 200 * units.Gbps, Machine{NVLink: 1920 * units.Gbps}}
	if a, p := j.fastest("", Tuned); a != Tree || p != Simple {
		t.Errorf("%s, %s", a, p)
	}
}

// An all-reduce on an idle network takes what NCCL's model says, if the network and the steps take no longer. Of two servers
// with NVLink of 240 GB/s that is 2·1 GB at 0.92 of it, longer than 1 GB over the network at 200 GB/s; with LL it is what a CPU
// allows. The first of 8 steps of 500,000 B with NVLink SHARP is scattered, added up twice, multicast and gathered at
// 0.85·7/8 of NVLink's 370.75 GB/s, for 8 NICs at a time, and sent twice at 25 GB/s.
func TestNoFasterThanTheModel(t *testing.T) {
	const us = float64(units.Microsecond)
	for name, c := range map[string]struct {
		Algorithm
		Protocol
		bytes units.Bytes
		Machine
		want float64
	}{
		"NVLink":                   {Tree, Simple, units.GB, Machine{NVLink: 1920 * units.Gbps}, 8.4 + 2*(7*4+14) + 2*1e9/0.92/240e3},
		"tree with LL":             {Tree, LL, 64_000, Machine{}, 6.8 + 2*(7*0.6+5) + 2*64e3/39e3/0.7},
		"tree with LL, AMD":        {Tree, LL, 64_000, Machine{AMD: true}, 6.8 + 2*(7*0.6+5) + 2*64e3/22.5e3/0.7},
		"tree with LL, slow hosts": {Tree, LL, 64_000, Machine{StepLatency: 5 * units.Microsecond}, 6.8 + 2*(7*0.6+5+5) + 2*64e3/39e3/0.7},
		"NVLink SHARP":             {NVLSTree, Simple, 64 * units.MB, Machine{NVLS: true, NVLink: 2966 * units.Gbps}, 25 + 2*20.9 + 64e6*30/16/400e3 + 5*8*5e5/275.7e3 + 2*5e5/25e3 - 64e6*30/16/400e3/8},
	} {
		s, sc := site(2, 8, 8)
		s.Rate = 200 * units.Gbps
		for i := range sc.Links {
			sc.Links[i].Rate = s.Rate
		}
		for i := range s.GPUs {
			s.GPUs[i].Machine = c.Machine
		}
		got, _ := run(t, together(Comm{Kind: AllReduce, Algorithm: c.Algorithm, Protocol: c.Protocol, Bytes: c.bytes}, 16), s, sc)
		if v := float64(got) / us; v < c.want-0.1 || v > 1.1*c.want {
			t.Errorf("%s: %.1f us, want %.1f", name, v, c.want)
		}
	}
}

// The chunks of NCCL's 16 channels at each of 8 NICs. Each of the two trees has half of the channels. Chunks have 128 KiB, 64 KiB among
// four servers and below 64 MiB, 32 KiB if there is one of each alone (NCCL_ALGO_NVLS_TREE, src/enqueue.cc).
func TestSwitchedSteps(t *testing.T) {
	for _, c := range []struct {
		bytes   units.Bytes
		servers int
		count   int
		size    units.Bytes
	}{
		{64 * units.MiB, 2, 4, 8 * 128 * units.KiB},
		{64 * units.MiB, 4, 8, 8 * 64 * units.KiB},
		{16 * units.MiB, 2, 2, 8 * 64 * units.KiB},
		{4 * units.MiB, 2, 1, 8 * 32 * units.KiB},
		{units.MiB, 2, 1, units.MiB / 16},
	} {
		if count, size := switchedSteps(c.bytes, 8, c.servers); count != c.count || size != c.size {
			t.Errorf("%v among %d: %d of %v, want %d of %v", c.bytes, c.servers, count, size, c.count, c.size)
		}
	}
}

// One step of trees with NVLink SHARP between two servers that are far apart: the start, five times NVLink, two steps of
// hosts, and twice the way over the network.
func TestSwitchedByArithmetic(t *testing.T) {
	const step, far = 20_000, 20 * units.Microsecond
	s, sc := site(2, 8, 8)
	for i := range sc.Links {
		sc.Links[i].Delay += far / 2
	}
	got, sent := run(t, together(Comm{Kind: AllReduce, Algorithm: NVLSTree, Protocol: Simple, Bytes: 16 * step}, 16), s, sc)
	nvlink := (3600 * units.Gbps * 85 / 100 * 7 / 8).CeilTime(8 * step)
	hosts := 25*units.Microsecond + 5*nvlink + 2*(20_900-2_700)*units.Nanosecond
	between(t, "trees", got, hosts+2*(alone(step)+far), hosts+2*(atMost(step)+far)+10*units.Nanosecond)
	if sent[0] != 2*step {
		t.Errorf("a NIC sends %d B", sent[0])
	}
}

// NCCL finds a channel for each NIC of 400 Gb/s, two for one of 800 Gb/s, and twice as many of more than 25 GB/s if there
// are four or fewer.
func TestChannels(t *testing.T) {
	for _, c := range []struct {
		nics, rate, want units.BitRate
	}{{8, 400, 8}, {8, 800, 16}, {4, 400, 8}, {1, 400, 2}, {4, 200, 4}, {8, 200, 8}} {
		if got := (&job{nics: int(c.nics), rate: c.rate * units.Gbps}).channels(); got != c.want {
			t.Errorf("%d of %d Gb/s: %d, want %d", c.nics, c.rate, got, c.want)
		}
	}
}

// Where NVLink's switches add up data NCCL takes them for much of it; the user need not.
func TestNVLSIsTaken(t *testing.T) {
	j := &job{AllReduce, 64 * units.MiB, 64, 8, 8, 400 * units.Gbps, Machine{NVLink: 2966 * units.Gbps, NVLS: true}}
	if a, p := j.fastest("", Tuned); a != NVLSTree || p != Simple {
		t.Errorf("%s, %s", a, p)
	}
	if a, p := j.fastest(Ring, Tuned); a != Ring {
		t.Errorf("asked for a ring: %s, %s", a, p)
	}
	j.bytes = 64 * units.KiB
	if a, p := j.fastest("", Tuned); a != Tree || p != LL {
		t.Errorf("64 KiB: %s, %s", a, p)
	}
}

// What NCCL takes: LL for little data, Simple for much, LL128 between. What it printed itself of its model on H100s
// (NVIDIA/nccl, issue 1453, with debugging of TUNING) are trees with LL at 4,096 B, which take 25.87 us, and at 65,536 B.
// The latency of that is one of two servers of eight GPUs, 6.8 + 2·(7·0.6 + 5) = 25.2 us; how fast their NICs are is not
// said.
func TestSwitchPoints(t *testing.T) {
	for bytes, want := range map[units.Bytes]struct {
		Algorithm
		Protocol
	}{
		4096:          {Tree, LL},
		65_536:        {Tree, LL},
		4 * units.MB:  {Tree, LL128},
		units.GB:      {Ring, Simple},
		16 * units.GB: {Ring, Simple},
	} {
		j := &job{AllReduce, bytes, 16, 2, 8, 400 * units.Gbps, Machine{NVLink: 2966 * units.Gbps}} // as NCCL has it, SM90_NVLINK_BW
		if a, p := j.fastest("", Tuned); a != want.Algorithm || p != want.Protocol {
			t.Errorf("%v: %s, %s, want %v", bytes, a, p, want)
		}
	}
	if got := float64((&job{AllReduce, 4096, 16, 2, 8, 400 * units.Gbps, Machine{}}).takes(Tree, LL)) / 1e6; got < 25.87*0.9 || got > 25.87*1.1 {
		t.Errorf("4096 B: %.2f us, NCCL says 25.87", got)
	}
	j := &job{AllGather, 4096, 32, 4, 8, 400 * units.Gbps, Machine{NVLink: 3600 * units.Gbps}}
	if a, _ := j.fastest("", Tuned); a != Ring {
		t.Errorf("an all-gather by %s", a)
	}
	if a, p := j.fastest(Tree, Simple); a != Tree || p != Simple {
		t.Errorf("asked for: %s, %s", a, p)
	}
}

// An all-reduce among hosts that take their time: two servers of a GPU, a ring of two steps. With LL each sends twice the
// half with its flags, and takes 6.6 us once and 5 - 2.7 us with each step; but what NCCL's model says at least.
func TestStepsOfHosts(t *testing.T) {
	const half = 8_000
	for protocol, c := range map[Protocol]struct {
		bytes      units.Bytes
		own, model units.Time // model: without the wire
	}{
		Wire:   {half, 0, 0},
		LL:     {2 * half, (6_600 + 2*2_300) * units.Nanosecond, (6_600 + 2*5_000) * units.Nanosecond},
		LL128:  {ceil(2*half*16, 30), (14_000 + 2*5_800) * units.Nanosecond, (14_000 + 2*8_500) * units.Nanosecond},
		Simple: {half, (8_400*14/10 + 2*(14_000*14/10-2_700)) * units.Nanosecond, (8_400 + 2*14_000) * 14 / 10 * units.Nanosecond},
	} {
		s, sc := site(2, 1, 1)
		got, sent := run(t, together(Comm{Kind: AllReduce, Algorithm: Ring, Protocol: protocol, Bytes: 2 * half}, 2), s, sc)
		least := units.Time(0)
		if protocol != Wire {
			least = c.model + (100 * units.Gbps).CeilTime(2*c.bytes)
		}
		between(t, string(protocol), got, max(least-units.Nanosecond, c.own+2*alone(c.bytes)), max(least+units.Nanosecond, c.own+2*atMost(c.bytes)))
		if sent[0] != 2*c.bytes {
			t.Errorf("%s: a NIC sends %d B, want %d", protocol, sent[0], 2*c.bytes)
		}
	}
}

// In one server of eight: 14 steps over NVLink, and the start.
func TestStepsInsideOfAServer(t *testing.T) {
	s, _ := site(1, 8, 8)
	w := together(Comm{Kind: AllReduce, Protocol: Simple, Bytes: 8 * units.MB}, 8)
	w.Ranks = 8
	flows, err := w.Lay(s)
	if want := (8_400+14*3_400)*units.Nanosecond + s.GPUs[0].nvlink(14*units.MB); err != nil || len(flows) != 1 || flows[0].Start != want {
		t.Errorf("%+v, want %v", flows, want)
	}
}

func TestBadInputs(t *testing.T) {
	diagtest.Run(t, "../../../golden/diag/workload", 4, func(t *testing.T, archive *txtar.Archive) diag.List {
		files, names := fstest.MapFS{}, []string{}
		for _, f := range archive.Files {
			if f.Name != "want.txt" {
				files[f.Name], names = &fstest.MapFile{Data: f.Data}, append(names, f.Name)
			}
		}
		w, found, _ := Read(files, names)
		if found.HasErrors() != (w == nil) {
			t.Errorf("workload %v in spite of %v", w, found)
		}
		return found
	})
}

// Two servers with a GPU each and a port of 400 Gb/s, by trees: nccl-tests print 113.2 us for 2 MiB and 154.4 us for 4 MiB
// (NVIDIA/nccl-tests, issue 232). The model is within 3 %, by NCCL's factors of 0.6 and 0.8 with LL128.
func TestTreesOfPair(t *testing.T) {
	for bytes, want := range map[units.Bytes]float64{2 * units.MiB: 113.2, 4 * units.MiB: 154.4} {
		j := &job{AllReduce, bytes, 2, 2, 1, 400 * units.Gbps, Machine{}}
		_, p := j.fastest(Tree, Tuned)
		if got := float64(j.takes(Tree, p)) / 1e6; p != LL128 || got < 0.97*want || got > 1.03*want {
			t.Errorf("%v: %s, %.1f us, want %.1f", bytes, p, got, want)
		}
	}
}
