package pool

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// CheckSource is the check that [SpectrumPort.Check] reproduces.
const CheckSource = "sonic-swss cfgmgr/buffer_check_headroom_mellanox.lua"

const (
	// portDeviation is what the check allows for inaccuracy.
	portDeviation = 4 * units.KiB
	// portMirror is egress mirroring: two largest frames of 10 KiB.
	portMirror = 20 * units.KiB
)

// A SpectrumPort is a port of a Spectrum switch with the profiles of its PGs.
type SpectrumPort struct {
	Cell    units.Bytes
	Latency units.Bytes // pipeline latency
	Lanes   int

	MaxHeadroom units.Bytes // the SDK's limit per port: BUFFER_MAX_PARAM_TABLE max_headroom_size; 0: unknown

	// Limits of the port in a shared headroom pool, in cells: ASIC_TABLE port_max_shp
	// and port_reserved_shp. Zero: unknown.
	MaxShared, ReservedShared units.Cells

	PGs []SpectrumPG
}

// A SpectrumPG is PGs of a port with one profile.
type SpectrumPG struct {
	Count           int64
	XOn, XOff, Size units.Bytes // size 0 is a lossy PG
}

// PortHeadroom is what a port takes against its limits.
type PortHeadroom struct {
	Taken  units.Bytes // Σ sizes with what every port takes
	Shared units.Bytes // Σ(xon + xoff − size): taken from the shared headroom pool
}

// PortExceeded is the error of a port whose PGs take more than it may have. SONiC
// refuses such a configuration, older releases let it through and orchagent aborted.
type PortExceeded struct {
	What       string // "headroom" or "shared headroom"
	Have, Need units.Bytes
}

func (e *PortExceeded) Error() string {
	return fmt.Sprintf("the port's PGs need %s of %s, it may have %s", e.Need, e.What, e.Have)
}

// Check adds up what the PGs take and checks it against the port's limits, as SONiC
// does before it writes a profile: 4 KiB, a pipeline latency and 20 KiB of mirroring
// besides the PGs have to stay below the limit, a lossy PG counts for one latency, and
// a wide port for twice the latency less 1 KiB, twice the mirroring and twice the
// reserved shared headroom. The error is a *PortExceeded.
func (p *SpectrumPort) Check() (PortHeadroom, error) {
	latency, mirror, reserved := p.Latency, portMirror, p.ReservedShared
	if p.Lanes == wideLanes {
		latency, mirror, reserved = 2*latency-latencyOverlap, 2*mirror, 2*reserved
	}
	h := PortHeadroom{Taken: portDeviation + latency + mirror}
	for _, pg := range p.PGs {
		size := pg.Size
		if size == 0 {
			size = latency
		}
		h.Taken += units.Bytes(pg.Count) * size
		h.Shared += units.Bytes(pg.Count) * max(0, pg.XOn+pg.XOff-size)
	}
	if p.MaxHeadroom > 0 && h.Taken >= p.MaxHeadroom {
		return h, &PortExceeded{"headroom", p.MaxHeadroom, h.Taken}
	}
	if limit := (p.MaxShared + reserved).Bytes(p.Cell); p.MaxShared > 0 && h.Shared > limit {
		return h, &PortExceeded{"shared headroom", limit, h.Shared}
	}
	return h, nil
}
