package proof

import (
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Context holds the facts on a switch that its files cannot hold. The zero Context assumes the
// worst: every peer takes all the time that IEEE 802.3 allows, packets have whatever size fills
// cells fastest, every port sends to every other and all are paused at once.
type Context struct {
	// Ports says more of single ports, by name. It goes before Default, and after what
	// the plan itself has.
	Ports map[string]PortContext
	// Default is declared of the peers of ports that nothing else is declared of; nil:
	// nothing, and the worst that the standards allow counts.
	Default *plan.Assumed
	// FanIn is the number of ports that may send to one at once; 0: all others.
	FanIn int
	// Patterns are those under which marking has to begin before pause; one sender and
	// one receiver is always among them.
	Patterns []Pattern
	// PausedPGs is the number of priority groups of a slice that may be paused at once; 0: all.
	PausedPGs int
	// Throughput is the share of the rate that must be left to queues without strict priority; 0: half.
	Throughput units.Ratio
	// trusted are links whose times and traffic are taken as they are, by port: see Margins.
	trusted map[string]model.Link
	// decided: the chip decides to pause with the first byte of a packet where nothing is
	// published of that: see whatIf.
	decided bool
	// Silent are obligations that cannot be judged, with the reason, by ID: what the
	// files of some target cannot say.
	Silent map[string]string
}

// A PortContext holds the facts about one port. Zero fields are unknown.
type PortContext struct {
	Cable   units.Length
	Speed   units.BitRate
	Gearbox units.Time // one passage through the gearboxes of both ends
	Lanes   []int      // serdes lanes, which say what part of the buffer it writes to
	Assumed *plan.Assumed
}

// A Pattern is From ports that send to To ports, evenly.
type Pattern struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// ContextOf gathers from a plan that was computed what its files will not hold, for
// judging what is read back from them.
func ContextOf(sw *plan.Switch) Context {
	ctx := Context{Ports: map[string]PortContext{}}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		ctx.Ports[p.Name] = PortContext{Cable: p.Cable, Speed: p.Speed, Gearbox: p.Gearbox, Lanes: p.Lanes, Assumed: p.Assumed}
	}
	return ctx
}

// known returns the switch with what the context knows of its ports filled in. The
// argument stays as it is.
func (c *Context) known(sw *plan.Switch) *plan.Switch {
	if len(c.Ports) == 0 {
		return sw
	}
	filled := *sw
	filled.Ports = slices.Clone(sw.Ports)
	for i := range filled.Ports {
		port := &filled.Ports[i]
		own, ok := c.Ports[port.Name]
		if !ok {
			continue
		}
		if port.Cable == 0 {
			port.Cable = own.Cable
		}
		if port.Speed == 0 {
			port.Speed = own.Speed
		}
		if port.Gearbox == 0 {
			port.Gearbox = own.Gearbox
		}
		if len(port.Lanes) == 0 {
			port.Lanes = own.Lanes
		}
		if port.Assumed == nil {
			port.Assumed = own.Assumed
		}
	}
	return &filled
}

// declared gathers what is stated of the peer and the traffic of a port: by the plan, else
// by the context for this port, else for all.
func (c *Context) declared(port *plan.Port) (all plan.Assumed) {
	for _, a := range []*plan.Assumed{port.Assumed, c.Ports[port.Name].Assumed, c.Default} {
		if a == nil {
			continue
		}
		if a.Declared && !all.Declared {
			all.Declared, all.Response = true, a.Response
		}
		if all.LosslessFrame.Value == 0 {
			all.LosslessFrame = a.LosslessFrame
		}
		if all.SmallPackets.Value == 0 {
			all.SmallPackets = a.SmallPackets
		}
	}
	return all
}
