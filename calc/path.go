package calc

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// PathBase returns the one-way latency of a path without queues: document path-base.
func PathBase(send, receive, server, between, chip, frame units.Time, hops int64) units.Time {
	n := units.Time(hops)
	return send + receive + 2*server + (n-1)*between + n*chip + (n+1)*frame
}

// QueueBudget returns each queue's part of a latency goal of a path: document queue-budget.
func QueueBudget(goal, base units.Time, hops int64) units.Time {
	return max(0, goal-base) / units.Time(hops)
}

// Default latencies, which are those of the simulator.
const (
	assumedChipLatency = 600 * units.Nanosecond
	assumedHostLatency = 790 * units.Nanosecond
	hostLatencySource  = "fitted to UCloud's measurement of RC; its half is assumed"
)

// pathOf returns the longest path of a fabric.
func pathOf(f *policy.Fabric) plan.Path {
	hops := hopsOf(f)
	base := baseOf(f, hops)
	budget := func(name string, goal policy.Opt[units.Time], beyond int64, because string) plan.Derived[units.Time] {
		if least := base.Value * units.Time(beyond); !goal.Set && goal.Value < least {
			goal.Value, because = least, "a multiple of the latency without queues, since the path is long"
		}
		value := QueueBudget(goal.Value, base.Value, int64(hops.Value))
		return plan.Of(value, computed("queue-budget", name, value,
			term("goal", given("goal of the path", goal, goal.Value, because)), term("base", base.Why), term("hops", hops.Why)))
	}
	return plan.Path{
		Hops: hops, Base: base, Host: fastestHost(f),
		Usual:     budget("usual delay of a queue", f.Targets.UsualLatency, 2, "UCloud, RoCE network design: 40 us for nine in ten packets"),
		Tolerable: budget("greatest delay of a queue", f.Targets.MaxLatency, 4, "UCloud, RoCE network design: 80 us at most"),
	}
}

// hopsOf counts the ports of switches where packets may wait on the longest shortest path between
// servers: up from the switch of one to the uppermost tier and down to the other's. Switches of one
// tier that are joined make it two at least. Ports without a peer are taken to lead to a tier
// above.
func hopsOf(f *policy.Fabric) plan.Derived[plan.Count] {
	tier := map[*policy.Switch]int{}
	open, joined := false, false
	var edge []*policy.Switch
	for _, sw := range f.Switches {
		if slices.ContainsFunc(sw.Groups, func(g *policy.PortGroup) bool { return g.PeerNIC != nil }) {
			edge, tier[sw] = append(edge, sw), 0
		}
	}
	top := 0
	for at := edge; len(at) > 0; {
		var above []*policy.Switch
		for _, sw := range at {
			for _, g := range sw.Groups {
				open = open || g.PeerNIC == nil && len(g.PeerSwitches) == 0 && g.Lossless.Value
				for _, peer := range g.PeerSwitches {
					if level, seen := tier[peer]; !seen {
						tier[peer] = tier[sw] + 1
						top = max(top, tier[peer])
						above = append(above, peer)
					} else if level == tier[sw] {
						joined = true
					}
				}
			}
		}
		at = above
	}
	hops, because := plan.Count(2*top+1), "counted from the tiers that the fabric describes"
	switch {
	case top == 0 && open:
		hops, because = 3, "assumed: ports without a stated peer lead to a tier above; UCloud has up to three congested hops"
	case top == 0 && joined:
		hops = 2
	}
	return decided("queues on the longest path", hops, because)
}

// baseOf adds up the delays of a path without queueing.
func baseOf(f *policy.Fabric, hops plan.Derived[plan.Count]) plan.Derived[units.Time] {
	cable := func(servers bool) plan.Derived[units.Time] {
		var length units.Length
		for _, sw := range f.Switches {
			for _, g := range sw.Groups {
				if (g.PeerNIC != nil) == servers && g.Lossless.Value {
					length = max(length, longest(g))
				}
			}
		}
		name := "cable between switches, the longest"
		if servers {
			name = "cable of a server, the longest"
		}
		value := units.Time(units.CeilMulDiv(int64(length), int64(lightDelay), int64(units.Metre)))
		return decided(name, value, length.String()+" at 5 ns/m")
	}
	send := hostLatency(f, "send_latency", func(n *policy.NIC) policy.Opt[units.Time] { return n.SendLatency })
	receive := hostLatency(f, "receive_latency", func(n *policy.NIC) policy.Opt[units.Time] { return n.ReceiveLatency })
	server, between, chip, frame := cable(true), cable(false), chipLatency(f), frameTime(f)
	value := PathBase(send.Value, receive.Value, server.Value, between.Value, chip.Value, frame.Value, int64(hops.Value))
	return plan.Of(value, computed("path-base", "latency of the path without queues", value,
		term("send", send.Why), term("receive", receive.Why), term("server", server.Why), term("between", between.Why),
		term("chip", chip.Why), term("frame", frame.Why), term("hops", hops.Why)))
}

// hostLatency returns the latency of the slowest NIC of the fabric.
func hostLatency(f *policy.Fabric, name string, of func(*policy.NIC) policy.Opt[units.Time]) plan.Derived[units.Time] {
	slowest := policy.Opt[units.Time]{Value: assumedHostLatency}
	for i, n := range f.NICs {
		if own := of(n); i == 0 || own.Value > slowest.Value {
			slowest = own
		}
	}
	return plan.Of(slowest.Value, given(name, slowest, slowest.Value, hostLatencySource))
}

// fastestHost returns the rate of the fastest lossless port that leads to a server.
func fastestHost(f *policy.Fabric) (host plan.Derived[units.BitRate]) {
	for _, sw := range f.Switches {
		for _, g := range sw.Groups {
			if g.PeerNIC != nil && g.Lossless.Value && g.Speed.Value > host.Value {
				host = plan.Of(g.Speed.Value, given("speed of the fastest server", g.Speed, g.Speed.Value, ""))
			}
		}
	}
	return host
}

// lightDelay is the delay of light in glass per metre: IEEE 802.3 44.3 has 5 ns.
const lightDelay = 5 * units.Nanosecond

// chipLatency derives the latency of the slowest chip of the fabric.
func chipLatency(f *policy.Fabric) plan.Derived[units.Time] {
	var slowest plan.Derived[units.Time]
	for _, sw := range f.Switches {
		if sw.Chip == nil {
			continue
		}
		own := assume(sw.Chip, sw.Chip.Latency, assumedChipLatency, same[units.Time], "not published; that of a Trident 2")
		if slowest.Why == nil || own.Value > slowest.Value {
			slowest = own
		}
	}
	if slowest.Why == nil {
		slowest = decided("latency", assumedChipLatency, "assumed: that of a Trident 2")
	}
	return slowest
}

// frameTime derives the time of the largest lossless frame on the slowest lossless port.
func frameTime(f *policy.Fabric) plan.Derived[units.Time] {
	var rate units.BitRate
	for _, sw := range f.Switches {
		for _, g := range sw.Groups {
			if g.Lossless.Value && g.Speed.Value > 0 && (rate == 0 || g.Speed.Value < rate) {
				rate = g.Speed.Value
			}
		}
	}
	if rate == 0 {
		return decided("frame on the wire", units.Time(0), "no port is lossless")
	}
	value := rate.CeilTime(f.LosslessFrame.Value)
	return decided("frame on the slowest wire", value, f.LosslessFrame.Value.String()+" at "+rate.String())
}
