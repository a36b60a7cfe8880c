package pool

import "github.com/roceplan/roceplan/units"

// Buffer is a shared buffer of lossless ports in the notation of DCQCN (Zhu et al.,
// Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015), section 4:
// B bytes for n ports with classes priorities each, of which every one keeps t_flight
// of headroom.
type Buffer struct {
	Size    units.Bytes // B
	Ports   int64       // n
	Classes int64       // 8 in the paper
	Flight  units.Bytes // t_flight
}

// shared is B − 8·n·t_flight: what the headroom leaves, at least 0.
func (b Buffer) shared() units.Bytes {
	return max(0, b.Size-units.Bytes(b.Ports*b.Classes)*b.Flight)
}

// StaticPFC returns the largest static PFC threshold that cannot overflow the buffer:
// t_PFC ≤ (B − 8·n·t_flight)/(8·n), rounded down.
func (b Buffer) StaticPFC() units.Bytes { return b.shared() / units.Bytes(b.Ports*b.Classes) }

// StaticECN returns the largest ECN threshold that acts before the static PFC
// threshold whatever the fan-in: t_PFC > n·t_ECN, rounded down. The paper prints
// 0.85 KB for its switch; its own inequality gives 24.47 KB/32 = 0.76 KB.
func (b Buffer) StaticECN() units.Bytes { return b.StaticPFC() / units.Bytes(b.Ports) }

// DynamicECN returns the same with a dynamic PFC threshold of β times the free buffer,
// shared by the classes: t_ECN < β·(B − 8·n·t_flight)/(8·n·(β+1)), rounded down.
func (b Buffer) DynamicECN(beta int64) units.Bytes {
	return units.Bytes(units.FloorMulDiv(int64(b.shared()), beta, b.Ports*b.Classes*(beta+1)))
}
