package proof

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Context holds what the files of a switch cannot tell. The zero Context assumes the
// worst: every peer takes all the time that IEEE 802.3 allows, packets have whatever
// size fills cells fastest, every port sends to every other and all are paused at once.
type Context struct {
	// Ports says more of single ports, by name. It goes before Default, and after what
	// the plan itself has.
	Ports map[string]PortContext
	// Default is assumed of the peers of ports that nothing else is known of; nil:
	// [Standard].
	Default *plan.Assumed
	// FanIn is how many ports may send to one at once; 0: all others.
	FanIn int
	// Patterns are those under which marking has to begin before pause; one sender and
	// one receiver is always among them.
	Patterns []Pattern
	// PausedPGs is how many priority groups of a slice may be paused at once; 0: all.
	PausedPGs int
	// Throughput is what queues without strict priority have to be left; 0: half.
	Throughput units.Ratio
	// Silent are obligations that cannot be judged, with the reason, by ID: what the
	// files of some target cannot say.
	Silent map[string]string
}

// A PortContext is what is known of one port. Zero fields are unknown.
type PortContext struct {
	Cable   units.Length
	Speed   units.BitRate
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
		ctx.Ports[p.Name] = PortContext{Cable: p.Cable, Speed: p.Speed, Assumed: p.Assumed}
	}
	return ctx
}

// quanta are the pause responses that IEEE 802.3-2018 31B.3.7 allows, in units of 512
// bit times, as sonic-swss cfgmgr/buffer_headroom_mellanox.lua lists them. That of 800G
// is 400G's again; 802.3df has not been checked.
var quanta = []struct {
	rate   units.BitRate
	quanta int64
}{
	{100 * units.Mbps, 1}, {units.Gbps, 2}, {10 * units.Gbps, 67}, {25 * units.Gbps, 80}, {40 * units.Gbps, 118},
	{50 * units.Gbps, 147}, {100 * units.Gbps, 394}, {200 * units.Gbps, 453}, {400 * units.Gbps, 905}, {800 * units.Gbps, 905},
}

const (
	quantumBits    = 512 // IEEE 802.3 31B.2
	standardSource = "IEEE 802.3-2018 31B.3.7"
)

// Standard is the most that IEEE 802.3 allows a peer: false for a speed that it has no
// response time for.
func Standard(rate units.BitRate) (*plan.Assumed, bool) {
	for _, q := range quanta {
		if q.rate == rate {
			t := units.Time(units.CeilMulDiv(q.quanta*quantumBits, int64(units.Second), int64(rate)))
			return &plan.Assumed{Method: standardSource, Response: plan.Of(t, nil)}, true
		}
	}
	return nil, false
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
	}
	return &filled
}

// assume finds what holds for the peer of a port; nil where nothing does.
func (c *Context) assume(port *plan.Port) *plan.Assumed {
	if port.Assumed != nil {
		return port.Assumed
	}
	if own := c.Ports[port.Name].Assumed; own != nil {
		return own
	}
	if c.Default != nil {
		return c.Default
	}
	a, _ := Standard(port.Speed)
	return a
}
