// Package pool sizes the shared parts of a switch's packet buffer: the size of the pools without
// reserves and headroom, the size of a headroom pool, and whether a port stays within its limits.
//
// All functions are pure: a struct of quantities in, a struct with every intermediate
// step out.
package pool

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Figures of NVIDIA's calculator that are the same on every Spectrum.
const (
	// forcedHeadroomPool is the shared headroom pool where one is needed and its
	// computed size is 0.
	forcedHeadroomPool = 640 * units.KiB
	// wideLanes is the number of lanes with which a port has two buffer units.
	wideLanes = 8
	// latencyOverlap is the amount by which the two units of a wide port need less than twice the latency.
	latencyOverlap = units.KiB
	// Queues per port that use a profile: buffers_config.j2 of sonic-buildimage gives
	// 3 and 4 the lossless profile, 0–2 and 5–6 the lossy one.
	losslessQueues, lossyQueues = 2, 5
)

// SpectrumSource is the calculator that [Spectrum] reproduces.
const SpectrumSource = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"

// A SpectrumChip are the constants of a chip of the Spectrum family.
type SpectrumChip struct {
	MMU             units.Bytes // buffer that configuration can distribute
	Cell            units.Bytes
	Latency         units.Bytes // pipeline latency: reserve of a lossy PG besides its profile
	Management      units.Bytes // pool of the management traffic
	Descriptors     units.Bytes // pool of modification descriptors
	Mirror          units.Bytes // headroom of egress mirroring, per port that is up
	PrivateHeadroom units.Bytes // per lossless port, where headroom is shared
}

// SpectrumOf returns the constants of a chip from the catalogue. The error is a
// *chips.Unknown.
func SpectrumOf(chip *chips.Chip) (SpectrumChip, error) {
	m := &chip.Spectrum
	c := SpectrumChip{Descriptors: m.DescriptorPool.Or(0), Mirror: m.MirrorHeadroom.Or(0)}
	for _, d := range []struct {
		datum chips.Datum[units.Bytes]
		into  *units.Bytes
	}{
		{chip.UsableBuffer, &c.MMU}, {chip.CellSize, &c.Cell}, {m.PipelineLatency, &c.Latency},
		{m.PortReserved, &c.Management}, {m.PrivateHeadroom, &c.PrivateHeadroom},
	} {
		v, err := d.datum.Get()
		if err != nil {
			return SpectrumChip{}, err
		}
		*d.into = v
	}
	return c, nil
}

// A SpectrumGroup is ports that are alike. A port that is down holds no buffer:
// SONiC takes its PGs, queues and profile lists away.
type SpectrumGroup struct {
	Ports       int64
	Lanes       int
	Up          bool
	LosslessPGs int64       // per port
	XOn, XOff   units.Bytes // of the lossless profile
	Size        units.Bytes
}

// SpectrumProfiles are the sizes of the profiles that SONiC configures besides the
// lossless ones. Those of the ingress port lists do not count: the calculator renames
// them and finds no size.
type SpectrumProfiles struct {
	IngressLossy   units.Bytes // of PG 0 of each port
	EgressLossless units.Bytes // of each port and of its queues 3 and 4
	EgressLossy    units.Bytes // of each port
	QueueLossy     units.Bytes // of queues 0–2, 5 and 6
}

// SpectrumInput is the input of the calculator.
type SpectrumInput struct {
	Chip     SpectrumChip
	Groups   []SpectrumGroup
	Profiles SpectrumProfiles

	// OverSubscribe is the ratio by which PGs share headroom; 0: they do not.
	OverSubscribe int64
	// HeadroomPool is the size of the shared headroom pool where the configuration
	// says it; 0: it is computed.
	HeadroomPool units.Bytes
	// TwoIngressPools halves what is left between a lossless and a lossy pool.
	TwoIngressPools bool
}

// SpectrumResult is the size of each pool, with the sums that lead to it.
type SpectrumResult struct {
	Size         units.Bytes // of each ingress pool and of the lossy egress pool
	HeadroomPool units.Bytes // xoff of the lossless ingress pool; 0: none

	Lossless       units.Bytes // profiles of lossless PGs
	Lossy          units.Bytes // lossy PGs, with what a wide port needs more
	Egress         units.Bytes // profiles of egress ports and queues
	Management     units.Bytes // management PG of each port that is up
	Mirror         units.Bytes
	Private        units.Bytes // private headroom of lossless ports
	Shortfall      units.Bytes // Σ(xon + xoff − size): what a headroom pool must cover
	Available      units.Bytes // left for pools
	LosslessPorts  int64
	PortsUp        int64
	ForcedHeadroom bool // headroom is shared though nothing in the configuration says so
}

// A Shortage is the error of a configuration whose reserves exceed the buffer.
type Shortage struct{ Have, Need units.Bytes }

func (s *Shortage) Error() string {
	return fmt.Sprintf("reserves and headroom take %s of a buffer of %s: nothing is left for the pools", s.Need, s.Have)
}

// Spectrum sizes the pools as NVIDIA's calculator in SONiC does. The error is a
// *Shortage, with the result up to there.
func Spectrum(in *SpectrumInput) (SpectrumResult, error) {
	var r SpectrumResult
	for i := range in.Groups {
		if g := &in.Groups[i]; g.Up {
			r.add(in, g)
		}
	}
	r.shareHeadroom(in)
	taken := r.Lossless + r.Lossy + r.Egress + r.Management + r.Mirror + r.Private + r.HeadroomPool + in.Chip.Management + in.Chip.Descriptors
	r.Available = in.Chip.MMU - taken
	if r.Available <= 0 {
		return r, &Shortage{in.Chip.MMU, taken}
	}
	r.Size = r.Available
	if in.TwoIngressPools {
		r.Size = (r.Available + 1) / 2
	}
	r.Size = min(r.Size, in.Chip.MMU.FloorTo(in.Chip.Cell))
	return r, nil
}

// add counts the ports of a group.
func (r *SpectrumResult) add(in *SpectrumInput, g *SpectrumGroup) {
	ports, pgs := units.Bytes(g.Ports), units.Bytes(g.Ports*g.LosslessPGs)
	lossy, management := in.Profiles.IngressLossy+in.Chip.Latency, in.Chip.Latency
	if g.Lanes == wideLanes {
		lossy += in.Chip.Latency - latencyOverlap
		management += in.Chip.Latency - latencyOverlap
	}
	r.Lossless += pgs * g.Size
	r.Shortfall += pgs * max(0, g.XOn+g.XOff-g.Size)
	r.Lossy += ports * lossy
	r.Egress += ports * (in.Profiles.EgressLossy + (1+losslessQueues)*in.Profiles.EgressLossless + lossyQueues*in.Profiles.QueueLossy)
	r.Management += ports * management
	r.Mirror += ports * in.Chip.Mirror
	r.PortsUp += g.Ports
	if pgs > 0 {
		r.LosslessPorts += g.Ports
	}
}

// shareHeadroom sizes the shared headroom pool: what the profiles fall short of xon
// and xoff, less the private headroom of the lossless ports, by the over-subscription.
// A configured size wins. A shortfall without either forces a pool.
func (r *SpectrumResult) shareHeadroom(in *SpectrumInput) {
	configured, ratio := in.HeadroomPool > 0, in.OverSubscribe > 0
	r.ForcedHeadroom = !configured && !ratio && r.Shortfall > 0
	if !configured && !ratio && !r.ForcedHeadroom {
		return
	}
	r.Private = units.Bytes(r.LosslessPorts) * in.Chip.PrivateHeadroom
	switch {
	case configured:
		r.HeadroomPool = in.HeadroomPool
	case ratio:
		r.HeadroomPool = units.Bytes(units.CeilMulDiv(int64(max(0, r.Shortfall-r.Private)), 1, in.OverSubscribe))
	}
	if r.HeadroomPool == 0 {
		r.HeadroomPool = forcedHeadroomPool
	}
}
