// Package balance chooses among the next hops of a shortest path.
//
// The caller gives it the wait at each port, the time and the signals of neighbours. It knows of
// packets only whose they are, and keeps the state of its choices by node. It does not hold packets
// back or cut them up: model/sim/conweave and model/sim/cells do.
package balance

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// Config says how a fabric spreads its load over its ways.
type Config struct {
	Mode Mode

	// FlowletGap is the silence after which a flow may take another way, in Flowlet, LetFlow
	// and Global. In Global, 0 lets each packet choose.
	FlowletGap units.Time

	// SignalInterval is the time between two signals of the quality of a switch's ports to
	// its neighbours, in Global; above 0.
	SignalInterval units.Time

	ConWeave conweave.Config
	Cells    cells.Config
}

// Mode names a way to balance load.
type Mode uint8

const (
	// ECMP takes one way per flow, by a hash of addresses and ports.
	ECMP Mode = iota
	// Spray takes a random way for each packet.
	Spray
	// Adaptive takes the way with the shortest queue for each packet, as NVIDIA's adaptive
	// routing and Broadcom's per-packet DLB do by the local queues.
	Adaptive
	// Flowlet takes the way with the shortest queue for each flowlet, that is after each FlowletGap
	// without a packet of the flow, as Broadcom's DLB and Juniper's do.
	Flowlet
	// LetFlow takes a random way for each flowlet (Vanini et al., "Let It Flow", NSDI 2017).
	LetFlow
	// Global takes the best way for each flowlet or packet by the local queue and by what
	// the switch behind it has signalled of its own: see [Signals].
	Global
	// ConWeave takes another way when replies are late, and puts packets in order again:
	// see model/sim/conweave.
	ConWeave
	// Cells lets packets cross the fabric as cells, when the port that they leave it by
	// has granted a credit: see model/sim/cells.
	Cells
)

// Check reports what is out of range.
func (c *Config) Check() error {
	if c.Mode == Global && c.SignalInterval <= 0 {
		return fmt.Errorf("global load balancing with signals every %d ps", c.SignalInterval)
	}
	if c.Mode == Cells {
		if err := c.Cells.Check(); err != nil {
			return err
		}
	}
	return c.ConWeave.Check()
}

// Balancer is the next hops of a run and what the choices among them remember.
type Balancer struct {
	Hops
	Flowlets *Flowlets // nil: each packet chooses
	Signals  *Signals  // nil: ways are known by the local queue alone

	Mode Mode
}

// New returns a balancer without next hops.
func New(c *Config, nodes, ports int) *Balancer {
	b := &Balancer{Hops: newHops(), Mode: c.Mode}
	if c.Mode == Global {
		b.Signals = newSignals(int64(c.SignalInterval), ports)
	}
	if c.Mode == Flowlet || c.Mode == LetFlow || c.Mode == Global && c.FlowletGap > 0 {
		b.Flowlets = newFlowlets(int64(c.FlowletGap), nodes)
	}
	return b
}

// Dead is the wait in ps at a port without link: as good as for ever, and two of them can be added.
const Dead = math.MaxInt64 / 2

// Any is one of the next hops, each as likely as the others.
func Any(hops []int32, random *rand.PCG) int32 {
	return hops[random.Uint64()%uint64(len(hops))]
}

// Least returns the next hop behind which a packet waits least, by the wait at each; among equal ones the first
// from a random place on.
func Least(hops []int32, waits []int64, random *rand.PCG) int32 {
	at := int(random.Uint64() % uint64(len(hops)))
	least := waits[at]
	for _, wait := range waits {
		least = min(least, wait)
	}
	for waits[at] != least {
		if at++; at == len(hops) {
			at = 0
		}
	}
	return hops[at]
}
