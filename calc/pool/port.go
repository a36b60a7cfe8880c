package pool

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// PortHeadroomSource is the check that [SpectrumChip.PortHeadroom] reproduces.
const PortHeadroomSource = "sonic-swss cfgmgr/buffer_check_headroom_mellanox.lua"

// Figures of that check: what it sets aside for deviations, and twice the largest frame of 10 KiB
// that a port mirrors on its way out.
const (
	portDeviation = 4 * units.KiB
	portMirror    = 20 * units.KiB
)

// PortHeadroom derives the sum that SONiC computes for a port before it takes a new profile: the
// device refuses one with which the sum is not below max_headroom_size of the port, in
// BUFFER_MAX_PARAM_TABLE of its STATE_DB.
func (c *SpectrumChip) PortHeadroom(lanes int, sizes []units.Bytes) plan.Derived[units.Bytes] {
	latency, mirror := c.Latency, portMirror
	if lanes == wideLanes {
		latency, mirror = 2*latency-latencyOverlap, 2*mirror
	}
	groups := units.Bytes(0)
	for _, size := range sizes {
		if size == 0 {
			size = latency
		}
		groups += size
	}
	term := func(symbol, name string, value units.Bytes) plan.Term {
		return plan.Term{Symbol: symbol, Why: &plan.Why{Kind: plan.Standard, Name: name, Value: value, Source: PortHeadroomSource}}
	}
	sum := portDeviation + latency + mirror + groups
	return plan.Of(sum, &plan.Why{Kind: plan.Formula, Name: "headroom of the port, as the device adds it up", Value: sum, ID: "spectrum-port-headroom", Terms: []plan.Term{
		term("deviation", "what is set aside for deviations", portDeviation),
		term("latency", "pipeline latency, nearly twice with 8 lanes", latency),
		term("mirror", "egress mirroring, twice with 8 lanes", mirror),
		term("groups", "profiles of the priority groups; a lossy one of size 0 takes a latency", groups),
	}})
}

// PortHeadroomOf derives that sum for a port of a plan.
func (c *SpectrumChip) PortHeadroomOf(port *plan.Port) plan.Derived[units.Bytes] {
	var sizes []units.Bytes
	if port.QoS != nil {
		for _, pg := range port.QoS.PGs {
			sizes = append(sizes, pg.Reserved.Value)
		}
	}
	return c.PortHeadroom(len(port.Lanes), sizes)
}
