package workload

import (
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// A Protocol is how NCCL moves data and shows that they are there. Latencies and shares of NCCL's are those of its
// cost model (src/graph/tuning.cc, ncclTunerConstantsDefaults, 2.27 and later).
type Protocol string

const (
	// Wire takes no time of GPUs and hosts: what is measured is the fabric's alone, with the messages of Simple.
	Wire Protocol = "wire"
	// LL has a flag of 4 B behind each 4 B of data.
	LL Protocol = "ll"
	// LL128 has 8 B of flags in each 128 B.
	LL128 Protocol = "ll128"
	// Simple has no flags, and a step waits until all data of the step before are in memory.
	Simple Protocol = "simple"
	// Tuned is the one of these three that NCCL's cost model takes.
	Tuned Protocol = "tuned"
)

// A pace is the times of an operation without the wire's time for its data.
type pace struct {
	start          units.Time // once: baseLat
	within, across units.Time // of each step over NVLink and over the network, hwLat
}

// paces are NCCL's, by algorithm and protocol.
func paces(a Algorithm, p Protocol) pace {
	const ns = units.Nanosecond
	switch {
	case a == Tree && p == LL:
		return pace{6_800 * ns, 600 * ns, 5_000 * ns}
	case a == Tree && p == LL128:
		return pace{14_000 * ns, 1_250 * ns, 8_500 * ns}
	case a == Tree:
		return pace{8_400 * ns, 4_000 * ns, 14_000 * ns}
	case p == LL:
		return pace{6_600 * ns, 600 * ns, 2_700 * ns}
	case p == LL128:
		return pace{14_000 * ns, 1_900 * ns, 4_000 * ns}
	}
	return pace{8_400 * ns, 3_400 * ns, 14_000 * ns}
}

// fabricShare is what a step over the network takes of the fabric and of NICs, which are simulated, and not of GPU and
// proxy: NCCL's least latency of such a step, a ring's with LL. That this is all of it is assumed.
const fabricShare = 2_700 * units.Nanosecond

// onWire is data with their flags.
func (p Protocol) onWire(data units.Bytes) units.Bytes {
	switch p {
	case LL:
		return 2 * data
	case LL128:
		return ceil(16*data, 15)
	}
	return data
}

// A job is what NCCL's cost model looks at: an operation among ranks on so many servers, each with so many NICs of a rate.
type job struct {
	kind                 Kind
	bytes                units.Bytes
	ranks, servers, nics int
	rate, nvlink         units.BitRate
}

// steps are a ring's, and those of them that lead to another server.
func (j *job) steps() (all, across int) {
	if j.kind == AllReduce {
		return 2 * (j.ranks - 1), 2 * (j.servers - 1)
	}
	return j.ranks - 1, j.servers - 1
}

// pace is that of an algorithm and a protocol for a job. With one GPU in each server a ring's steps are as slow as a
// tree's. Over several servers no step of a ring is faster than NCCL's proxy posts one: 1 us, 3 us with Simple. A ring
// with Simple over several servers is 1.4 times as slow from 64 B for each rank and channel on.
func (j *job) pace(a Algorithm, p Protocol) pace {
	own := paces(a, p)
	if p == Wire {
		return pace{}
	}
	if j.servers < 2 {
		return own
	}
	if j.ranks == j.servers {
		own.across = paces(Tree, p).across
	}
	if a == Tree {
		return own
	}
	post := units.Microsecond
	if p == Simple {
		post *= 3
	}
	own.within = max(own.within, post)
	if p == Simple && j.kind == AllReduce && int64(j.bytes) >= 64*int64(j.ranks)*int64(max(1, j.nics)) {
		return pace{own.start * 14 / 10, own.within * 14 / 10, own.across * 14 / 10}
	}
	return own
}

// takes is how long NCCL's cost model says an operation takes, without its bounds of what a channel carries.
func (j *job) takes(a Algorithm, p Protocol) units.Time {
	rate := j.rate * units.BitRate(max(1, j.nics))
	if j.servers < 2 {
		rate = max(j.nvlink, 1)
	}
	own := j.pace(a, p)
	if a == Tree {
		depth := units.Time(bits.Len(uint(j.servers)) - 1)
		return own.start + 2*(units.Time(j.ranks/j.servers-1)*own.within+depth*own.across) + j.treeWire(p) + j.treeLag(p)
	}
	all, across := j.steps()
	share := units.Bytes(all)
	wire := rate.CeilTime(p.onWire(j.bytes) * share / units.Bytes(j.ranks))
	if p == LL && j.servers > 1 {
		wire = max(wire, j.mostLL().CeilTime(j.bytes*share/units.Bytes(j.ranks)))
	}
	return own.start + units.Time(all-across)*own.within + units.Time(across)*own.across + wire
}

// treeWire is the time of a tree's data, sent twice, at 0.92 of the network's rate. Between two servers they cross the
// network once in each direction, so that the rate is NVLink's, up to twice the network's (ncclTopoTuneModel takes bwIntra
// there, which ncclTopoCompute of src/graph/search.cc raises).
func (j *job) treeWire(p Protocol) units.Time {
	rate := j.rate * units.BitRate(max(1, j.nics))
	if j.servers == 2 {
		rate *= 2
		if j.ranks > j.servers && j.nvlink > 0 {
			rate = min(rate, j.nvlink)
		}
	}
	sent := 2 * j.bytes * 100 / 92
	if p == LL {
		return max(rate.CeilTime(sent*38/10), j.mostLL().CeilTime(2*j.bytes))
	}
	return rate.CeilTime(p.onWire(sent))
}

// treeLag is by how much longer NCCL's trees of this size take for their data.
func (j *job) treeLag(p Protocol) units.Time {
	size := bits.Len64(uint64(j.bytes)>>6) - 1
	if tenths := treeTenths[p]; size >= 0 && size < len(tenths) {
		return j.treeWire(p) * units.Time(10-tenths[size]) / units.Time(tenths[size])
	}
	return 0
}

// treeTenths is how fast NCCL measured trees, in tenths of its model, for 64 B and each power of two up to 256 MiB
// (treeCorrectionFactor, src/graph/tuning.cc).
var treeTenths = map[Protocol][]int{
	LL:     {10, 10, 10, 10, 9, 8, 7, 7, 7, 7, 6, 5, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10},
	LL128:  {10, 10, 10, 10, 10, 9, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 10, 10},
	Simple: {9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 6, 5, 5, 5, 5, 6, 7, 8, 7, 7, 8, 9, 9},
}

// mostLL is the most that NCCL expects of LL between servers, which CPUs limit: llMaxBws, src/graph/tuning.cc, of Intel's
// CPUs; that hosts have them is assumed. With AMD's it is 22.5 and 19 GB/s.
func (j *job) mostLL() units.BitRate {
	if j.servers == 2 {
		return 312 * units.Gbps
	}
	return 163_200 * units.Mbps
}

// fastest is what NCCL's cost model takes for an operation, among the algorithm and the protocol that are asked for.
func (j *job) fastest(a Algorithm, p Protocol) (Algorithm, Protocol) {
	algorithms, protocols := []Algorithm{Ring, Tree}, []Protocol{LL, LL128, Simple}
	if a != "" {
		algorithms = []Algorithm{a}
	} else if j.kind != AllReduce || j.servers < 2 {
		algorithms = []Algorithm{Ring}
	}
	if p != Tuned {
		protocols = []Protocol{p}
	}
	least := units.Time(0)
	for _, algorithm := range algorithms {
		for _, protocol := range protocols {
			if t := j.takes(algorithm, protocol); least == 0 || t < least {
				a, p, least = algorithm, protocol, t
			}
		}
	}
	return a, p
}

// cutBy is how a step of a ring is cut with a protocol, flags included: LL and LL128 have one message for each step, of
// a buffer of as many steps (src/include/device.h: 8 lines of 16 B for each of 512 threads, and 120 words of 8 B for
// each of 640).
func (p Protocol) cutBy(step units.Bytes) (rounds, count int, size units.Bytes) {
	most := units.Bytes(0)
	switch p {
	case LL:
		most = 8 * 512 * 16
	case LL128:
		most = 120 * 640 * 8
	default:
		return cut(step)
	}
	rounds = int(ceil(step, most))
	return rounds, 1, ceil(step, units.Bytes(rounds))
}
