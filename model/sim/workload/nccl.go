package workload

import (
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// NCCL's defaults with its protocol Simple. RCCL, a fork, has the same (ROCm/rccl,
// src/include/device.h and collectives.h) but for peersAtOnce, which is 2 there, was 1 until 2025,
// and takes RCCL_P2P_BATCH_ENABLE=1 (its issue 1760).
const (
	// fifoSteps is the number of steps that a sender may be ahead of its receiver: NCCL_STEPS, src/include/device.h.
	fifoSteps = 8
	// chunkBytes is the most that a step of a ring moves: ALLREDUCE_CHUNKSTEPS, half of the steps, of a buffer of
	// 4 MiB, DEFAULT_BUFFSIZE (src/include/collectives.h, src/init.cc).
	chunkBytes = fifoSteps / 2 * (4 * units.MiB / fifoSteps)
	// slicesPerChunk is into how many messages a step is cut: ALLREDUCE_CHUNKSTEPS / ALLREDUCE_SLICESTEPS; smallestSlice
	// is a 32nd of a full one (src/device/prims_simple.h, genericOp).
	slicesPerChunk = 2
	smallestSlice  = chunkBytes / slicesPerChunk / 32
	// treeChunk is the most that a step of a tree moves; it is halved down to leastTreeChunk while there are fewer
	// than 8, 4 and 1 times as many as the tree is deep (src/enqueue.cc, NCCL_PATTERN_TREE_UP_DOWN).
	treeChunk      = 512 * units.KiB
	leastTreeChunk = 32 * units.KiB
	// switchedChunk is the most that a step of a tree with NVLink SHARP moves, half of it among four servers or more,
	// in each of switchedChannels for each NIC (NCCL_NVLS_CHUNKSIZE and NVLS_NCHANNELS_SM90, src/transport/nvls.cc;
	// NCCL_ALGO_NVLS_TREE, src/enqueue.cc).
	switchedChunk    = 128 * units.KiB
	switchedChannels = 16
	// ll128Chunk is the most that a step of a tree with LL128 moves, with flags: 120 words of 8 B for each of 640 threads
	// (src/include/device.h).
	ll128Chunk = 120 * 640 * 8
	// peersAtOnce is the number of peers of an all-to-all to which a rank sends at a time:
	// NCCL_MAX_DEV_WORK_P2P_PER_BATCH (src/include/device.h).
	peersAtOnce = 8
)

// cut divides a step of a ring: into so many messages of a size, in so many rounds of all steps.
func cut(step units.Bytes) (rounds, count int, size units.Bytes) {
	rounds = int(ceil(step, chunkBytes))
	step = ceil(step, units.Bytes(rounds))
	count = int(min(slicesPerChunk, ceil(step, smallestSlice)))
	return rounds, count, ceil(step, units.Bytes(count))
}

// treeSteps returns the number and size of the chunks into which a tree of a depth cuts its data.
func treeSteps(data units.Bytes, depth int) (count int, size units.Bytes) {
	size = treeChunk
	for _, c := range []struct {
		times int
		least units.Bytes
	}{{8, 128 * units.KiB}, {4, 64 * units.KiB}, {1, leastTreeChunk}} {
		for data/size < units.Bytes(depth*c.times) && size > c.least {
			size /= 2
		}
	}
	count = int(ceil(data, size))
	return count, ceil(data, units.Bytes(count))
}

// ll128Steps returns the number and size of the chunks of a tree with LL128 among servers with so many GPUs each. They are
// halved down to 128 KiB and less while there are few of them (NCCL_PROTO_LL128, src/enqueue.cc).
func ll128Steps(data units.Bytes, servers, gpus int) (count int, size units.Bytes) {
	size = ll128Chunk
	steps := 10 + 10*(bits.Len(uint(servers))-1) + gpus // tenths
	for _, c := range []struct {
		times int
		least units.Bytes
	}{{64, 128 * units.KiB}, {16, 32 * units.KiB}} {
		for data/size*units.Bytes(10*gpus) < units.Bytes(steps*c.times) && size > c.least {
			size /= 2
		}
	}
	count = int(ceil(data, size))
	return count, ceil(data, units.Bytes(count))
}

// switchedSteps returns the number and size of the steps of one of two trees with NVLink SHARP at one of so many NICs of
// each server, of an operation on so much data. The tree has half of the channels, which take a step together.
func switchedSteps(bytes units.Bytes, nics, servers int) (count int, size units.Bytes) {
	size = switchedChunk
	if servers >= 4 {
		size /= 2
	}
	at := units.Bytes(switchedChannels * nics)
	if bytes < 4*at*size {
		size = min(size, 64*units.KiB)
	}
	if bytes < at*size {
		size = min(size, 32*units.KiB)
	}
	data := ceil(bytes, units.Bytes(2*nics))
	count = int(ceil(data, switchedChannels/2*size))
	return count, ceil(data, units.Bytes(count))
}

// ceil returns a divided by b, rounded up, and 1 at least.
func ceil(a, b units.Bytes) units.Bytes { return max(1, (a+b-1)/b) }

// The latencies of NCCL's cost model for Simple (src/graph/tuning.cc, baseLat and hwLat, 2.8): of the start, of
// a step over NVLink, and of a step over the network; of a ring of so many bytes per rank or more, 1.9 times all of them.
const (
	ringBase, treeBase     = 8_400 * units.Nanosecond, 0
	ringInside, treeInside = 3_400 * units.Nanosecond, 28 * units.Microsecond
	ringAcross, treeAcross = 9_600 * units.Nanosecond, 50 * units.Microsecond
	plateau                = 65536 / 16
)

// Choose returns the algorithm that NCCL's cost model takes for an all-reduce of so many bytes among ranks on so many
// servers, each with so many NICs of a rate: the ring sends twice the bytes in many steps, the trees nine tenths as
// fast in few (src/graph/tuning.cc, ncclTopoTuneModel and ncclTopoGetAlgoTime, without the measured correction of
// trees).
func Choose(bytes units.Bytes, ranks, servers, nics int, rate units.BitRate) Algorithm {
	if servers < 2 {
		return Ring
	}
	inside, across := 2*(ranks-servers), 2*(servers-1)
	ring := ringBase + units.Time(inside)*ringInside + units.Time(across)*ringAcross
	if int64(bytes) >= int64(ranks)*plateau {
		ring = ring * 19 / 10
	}
	depth := bits.Len(uint(servers)) - 1
	tree := treeBase + 2*(units.Time(ranks/servers-1)*treeInside+units.Time(depth)*treeAcross)
	wire := func(b units.Bytes) units.Time { return (rate * units.BitRate(max(1, nics))).CeilTime(b) }
	ring += wire(2 * bytes * units.Bytes(ranks-1) / units.Bytes(ranks))
	tree += wire(2*bytes) * 10 / 9
	if tree < ring {
		return Tree
	}
	return Ring
}
