package workload

import (
	"math"
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// A Protocol is NCCL's way to move data and to signal their arrival. Its latencies and shares are from NCCL's cost
// model (src/graph/tuning.cc, ncclTunerConstantsDefaults, 2.27 and later).
type Protocol string

const (
	// Wire takes no time of GPUs and hosts: only the fabric is measured, with the messages of Simple.
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
	least          units.Time // of the operation with its data, on an idle network
}

// paces are NCCL's, by algorithm and protocol.
func paces(a Algorithm, p Protocol) pace {
	const ns = units.Nanosecond
	switch {
	case a == NVLSTree:
		return pace{start: 25 * units.Microsecond, within: 0, across: 20_900 * ns}
	case a == Tree && p == LL:
		return pace{start: 6_800 * ns, within: 600 * ns, across: 5_000 * ns}
	case a == Tree && p == LL128:
		return pace{start: 14_000 * ns, within: 1_250 * ns, across: 8_500 * ns}
	case a == Tree:
		return pace{start: 8_400 * ns, within: 4_000 * ns, across: 14_000 * ns}
	case p == LL:
		return pace{start: 6_600 * ns, within: 600 * ns, across: 2_700 * ns}
	case p == LL128:
		return pace{start: 14_000 * ns, within: 1_900 * ns, across: 4_000 * ns}
	}
	return pace{start: 8_400 * ns, within: 3_400 * ns, across: 14_000 * ns}
}

// fabricShare is the part of a step over the network that the fabric and NICs take, which are simulated, and not GPU
// and proxy: NCCL's least latency of such a step, a ring's with LL. That this is all of it is assumed.
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

// A job is the input of NCCL's cost model: an operation among ranks on so many servers, each with so many NICs of a
// rate.
type job struct {
	kind                 Kind
	bytes                units.Bytes
	ranks, servers, nics int
	rate                 units.BitRate
	Machine
}

// steps returns the number of steps of a ring, and of those that lead to another server.
func (j *job) steps() (all, across int) {
	if j.kind == AllReduce {
		return 2 * (j.ranks - 1), 2 * (j.servers - 1)
	}
	return j.ranks - 1, j.servers - 1
}

// pace returns the pace of an algorithm and a protocol for a job. With one GPU in each server a ring's steps are as
// slow as a tree's. Over several servers no step of a ring is faster than NCCL's proxy posts one: 1 us, 2 us with AMD's
// CPUs, three times that with Simple (getNetOverhead). A ring with Simple over several servers is 1.4 times as slow
// from 64 B for each rank and channel on.
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
	if a == Ring {
		post := units.Microsecond
		if j.AMD {
			post *= 2
		}
		if p == Simple {
			post *= 3
		}
		own.within = max(own.within, post)
		if p == Simple && j.kind == AllReduce && int64(j.bytes) >= 64*int64(j.ranks)*int64(max(1, j.nics)) {
			own = pace{start: own.start * 14 / 10, within: own.within * 14 / 10, across: own.across * 14 / 10}
		}
	}
	own.across += j.StepLatency
	return own
}

// network returns the rate of a server's ports. NCCL takes 0.96 of it (the speeds that src/graph/search.cc tries),
// which rings exceed: 393 GB/s of 400 (NVIDIA/nccl-tests, issue 309).
func (j *job) network() units.BitRate { return j.rate * units.BitRate(max(1, j.nics)) }

// channels returns the number of channels that NCCL finds for a server: one for each NIC of up to 400 Gb/s, which is
// the most of its list of speeds (sm90SpeedArrayInter, src/graph/search.cc), and twice as many of more than 25 GB/s if
// there are four or fewer (ncclTopoDupChannels; a NIC of 200 Gb/s has 24 GB/s there).
func (j *job) channels() units.BitRate {
	n := units.BitRate(max(1, j.nics)) * max(1, (j.rate+400*units.Gbps-1)/(400*units.Gbps))
	if n <= 4 && j.rate > 200*units.Gbps {
		n *= 2
	}
	return n
}

// most returns a bound of an H100's channels, for two servers and for more, which older GPUs do not reach. There is
// none with one GPU in each server: NCCL expects 48 GB/s of two such, and they have had 80 (NVIDIA/nccl-tests, issue 232).
func (j *job) most(two, more units.BitRate) units.BitRate {
	switch {
	case j.ranks == j.servers:
		return math.MaxInt64
	case j.servers == 2:
		return j.channels() * two
	}
	return j.channels() * more
}

// takes returns the time of an operation by NCCL's cost model.
func (j *job) takes(a Algorithm, p Protocol) units.Time {
	rate := j.network()
	if j.servers < 2 {
		rate = max(j.NVLink, 1)
	}
	own := j.pace(a, p)
	depth := units.Time(bits.Len(uint(j.servers)) - 1)
	all, across := j.steps()
	switch a {
	case Tree:
		return own.start + 2*(units.Time(j.ranks/j.servers-1)*own.within+depth*own.across) + j.treeWire(p) + j.treeLag(p)
	case NVLSTree:
		return own.start + 2*depth*own.across + j.nvlsWire()
	}
	share := j.bytes * units.Bytes(all) / units.Bytes(j.ranks)
	wire := rate.CeilTime(p.onWire(share))
	switch {
	case j.servers < 2:
	case p == LL:
		wire = max(wire, j.mostLL().CeilTime(share))
	case p == LL128:
		wire = max(wire, j.most(ringLL128, ringLL128).CeilTime(share))
	}
	return own.start + units.Time(all-across)*own.within + units.Time(across)*own.across + wire
}

// ringLL128 is the most that NCCL expects of a channel of a ring with LL128 (perChMaxRingLL128Bws, an H100's).
const ringLL128 = 293_600 * units.Mbps

// treeWire returns the time of a tree's data, sent twice, at 0.92 of the network's rate. Between two servers they
// cross the network once in each direction, so that the rate is NVLink's, up to twice the network's
// (ncclTopoTuneModel takes bwIntra there, which ncclTopoCompute of src/graph/search.cc raises). It is NVLink's at
// most, and that of the channels (perChMaxTreeBws, perChMaxTreeLL128Bws). It is 0.85 of that where a tree comes to
// and leaves a server by one GPU (NCCL_TOPO_PATTERN_TREE), as NCCL has trees of H100: by its printed times in its
// issues 1154 and 1453.
func (j *job) treeWire(p Protocol) units.Time {
	rate := j.network()
	if j.servers == 2 {
		rate *= 2
	}
	if j.ranks > j.servers && j.NVLink > 0 {
		rate = min(rate, j.NVLink)
	}
	rate = min(rate*92/100, j.most(331_200*units.Mbps, 288*units.Gbps))
	switch p {
	case LL:
		rate = min(rate*10/38, j.mostLL())
	case LL128:
		rate = min(rate*15/16, j.most(293_600*units.Mbps, 232*units.Gbps))
	}
	if j.NVLS {
		rate = rate * 85 / 100
	}
	return rate.CeilTime(2 * j.bytes)
}

// treeLag returns the additional time of NCCL's trees of this size for their data.
func (j *job) treeLag(p Protocol) units.Time {
	size := bits.Len64(uint64(j.bytes)>>6) - 1
	if tenths := treeTenths[p]; size >= 0 && size < len(tenths) {
		return j.treeWire(p) * units.Time(10-tenths[size]) / units.Time(tenths[size])
	}
	return 0
}

// treeTenths is the speed of trees that NCCL measured, in tenths of its model, for 64 B and each power of two up
// to 256 MiB (treeCorrectionFactor, src/graph/tuning.cc).
var treeTenths = map[Protocol][]int{
	LL:     {10, 10, 10, 10, 9, 8, 7, 7, 7, 7, 6, 5, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10},
	LL128:  {10, 10, 10, 10, 10, 9, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 10, 10},
	Simple: {9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 6, 5, 5, 5, 5, 6, 7, 8, 7, 7, 8, 9, 9},
}

// nvlsWire returns the time of the data of trees with NVLink SHARP.
func (j *job) nvlsWire() units.Time {
	all, _ := j.steps()
	return j.nvlsRate().CeilTime(j.bytes * units.Bytes(all) / units.Bytes(j.ranks))
}

// nvlsRate returns the bus bandwidth that NCCL expects of trees with NVLink SHARP, for each of its channels: the
// network's, twice that between two servers; 0.85 of NVLink's both ways, without one of the channels; and 57.7 GB/s
// between two servers, 45.5 among more (perChMaxNVLSTreeBws, nvlsEfficiency and ncclTopoTuneModel of
// src/graph/tuning.cc, for an H100). One channel for each NIC is assumed.
func (j *job) nvlsRate() units.BitRate {
	n := units.BitRate(max(1, j.nics))
	rate, most := j.network(), 364*units.Gbps
	if j.servers == 2 {
		rate, most = 2*rate, 461_600*units.Mbps
	}
	rate = min(rate, most*n)
	if j.NVLink > 0 {
		rate = min(rate, 2*j.switched(n))
	}
	return rate
}

// switched returns the rate at which the switches of NVLink add up a server's data, or multicast them, with so many
// channels (nvlsEfficiency, an H100's, and ncclTopoTuneModel of src/graph/tuning.cc).
func (m Machine) switched(channels units.BitRate) units.BitRate {
	if channels > 1 {
		return m.NVLink / 100 * 85 * (channels - 1) / channels
	}
	return m.NVLink
}

// switching returns the time in which switches of NVLink add up or multicast what so many NICs send in a step.
func (m Machine) switching(size units.Bytes, nics int) units.Time {
	if m.NVLink == 0 {
		return 0
	}
	return m.switched(units.BitRate(nics)).CeilTime(size * units.Bytes(nics))
}

// filling returns the time until the steps of trees with NVLink SHARP follow each other as fast as NCCL's model has
// it. The first one is scattered, added up, sent and added up again at each server on its way to the root, multicast
// and sent on the way back, and gathered (src/device/all_reduce.h, NCCL_ALGO_NVLS_TREE). That to scatter and to gather
// take as long as to add up is assumed: they have as many warps. Other trees have the measured factors for this.
func (j *job) filling(a Algorithm) units.Time {
	if a != NVLSTree {
		return 0
	}
	count, size := switchedSteps(j.bytes, max(1, j.nics), j.servers)
	depth := units.Time(bits.Len(uint(j.servers)) - 1)
	one := (2*depth+3)*j.switching(size, max(1, j.nics)) + 2*depth*j.rate.CeilTime(size)
	return max(0, one-j.nvlsWire()/units.Time(count))
}

// mostLL returns the most that NCCL expects of LL between servers, which CPUs limit (llMaxBws, src/graph/tuning.cc).
func (j *job) mostLL() units.BitRate {
	switch {
	case j.AMD && j.servers == 2:
		return 180 * units.Gbps
	case j.AMD:
		return 152 * units.Gbps
	case j.servers == 2:
		return 312 * units.Gbps
	}
	return 163_200 * units.Mbps
}

// fastest returns the fastest of the requested algorithms and protocols for an operation, by NCCL's cost model.
func (j *job) fastest(a Algorithm, p Protocol) (Algorithm, Protocol) {
	algorithms, protocols := []Algorithm{Ring, Tree, NVLSTree}, []Protocol{LL, LL128, Simple}
	switch {
	case a == NVLSTree:
		return a, Simple // it has no other
	case a != "":
		algorithms = []Algorithm{a}
	case j.kind != AllReduce || j.servers < 2:
		algorithms = algorithms[:1]
	case !j.NVLS:
		algorithms = algorithms[:2]
	}
	if p != Tuned {
		protocols = []Protocol{p}
	}
	least := units.Time(0)
	for _, algorithm := range algorithms {
		for _, protocol := range protocols {
			if algorithm == NVLSTree && protocol != Simple {
				continue
			}
			if t := j.takes(algorithm, protocol); least == 0 || t < least {
				a, p, least = algorithm, protocol, t
			}
		}
	}
	return a, p
}

// cutBy divides a step of a ring with a protocol, flags included: LL and LL128 have one message for each step, of a
// buffer of as many steps (src/include/device.h: 8 lines of 16 B for each of 512 threads, and 120 words of 8 B for each
// of 640).
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
