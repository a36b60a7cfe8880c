// Package cells makes one scheduled fabric of the leaves and spines, a distributed disaggregated
// chassis (Broadcom's Jericho with Ramon; Open Compute Project, "Distributed Disaggregated Chassis
// Routing System"). A packet waits in the leaf that it came to, in a virtual output queue (VoQ) for
// the port and class by which it will leave the fabric. That port grants credits to the VoQs in
// turn, at its own rate. With a credit packets cross the fabric as cells, which are spread over all
// links evenly. Inside there is no PFC: the ingress buffer fills up and pauses the host that fills
// it. For full throughput it has to hold the data that the port sends in a credit's round trip.
//
// Idealizations:
//   - Cells spread so evenly that the links of a leaf are one of their summed rate, and all
//     spines, in however many stages, one switch. Cells have no headers, packets wait for no
//     reassembly. The delay is that of the leaf's first link and of the switches: a packet takes that of its
//     leaf before it asks for a credit, a spine's, and that of the leaf behind the fabric; a request and a
//     credit take a spine's. A credit releases packets that came later than the packet that asked, too.
//   - A port knows a way through the fabric later that a VoQ holds packets. With a credit at
//     least Credit bytes of whole packets go, or what waits when it comes; the next credit
//     follows when these would be sent.
//   - Credits and requests take a way through the fabric each and no rate of the links.
//   - A port stops to grant when the bytes on their way to it and in it exceed a way through the
//     fabric at its rate and EgressBuffer. That its host has paused it, it knows a way early.
//   - The rate of credits also keeps within that of the leaf's links that are up.
//   - When a link between a leaf and a spine goes down, all packets that are on any link of the leaf have
//     lost a cell and are lost; from then on the others carry all, and when it comes back it does so at
//     once. A link between two spines is not looked at. To a leaf without links credits go on, and
//     what they call for is lost.
//   - The ingress buffer is sim.Scenario.Buffer; links inside the fabric have no part of it.
package cells

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Config describes how ports out of the fabric grant credits.
type Config struct {
	// Credit is granted at a time; above 0. Extreme's SLX-OS grants up to 1,024 B ("QoS
	// egress scheduling", SLX-OS QoS and traffic management).
	Credit units.Bytes

	// Speedup is the rate of credits over that of the port, 1 to 2.
	Speedup float64

	// EgressBuffer is the largest backlog of a port beyond the data on its way to it; 0 or more.
	EgressBuffer units.Bytes
}

// Check reports what is out of range.
func (c *Config) Check() error {
	if c.Credit < 1 || !(c.Speedup >= 1 && c.Speedup <= 2) || c.EgressBuffer < 0 {
		return fmt.Errorf("credits of %d B, at %v of the port's rate, for %d B at the port", c.Credit, c.Speedup, c.EgressBuffer)
	}
	return nil
}
