package calc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// planHost plans the settings of the NICs of one kind, so that they match the switches.
func planHost(f *policy.Fabric, nic *policy.NIC, path *plan.Path) *plan.Host {
	host := &plan.Host{
		Name: nic.Name, Model: nic.Model.Value, Range: nic.Range, MTU: nic.MTU.Value,
		CNPDSCP: nic.CNPDSCP.Value, CNPPFC: nic.CNPPFC.Value,
		RoCEMTU: nic.RoCEMTU.Value, AckDSCP: nic.AckDSCP.Value, AcksApart: nic.AckDSCP.Set,
		SendLatency:    plan.Of(nic.SendLatency.Value, given("send_latency", nic.SendLatency, nic.SendLatency.Value, hostLatencySource)),
		ReceiveLatency: plan.Of(nic.ReceiveLatency.Value, given("receive_latency", nic.ReceiveLatency, nic.ReceiveLatency.Value, hostLatencySource)),
		CNPInterval:    plan.Of(nic.CNPInterval.Value, given("cnp_interval", nic.CNPInterval, nic.CNPInterval.Value, "the default of the NIC's model")),
	}
	host.Reaction, host.Factory, host.Tunable = reactionOf(f, nic, path), factoryReaction(f, nic, path), tunable(nic)
	host.CNPPerPort = bool(host.Reaction.CNPPerPort.Value)
	if host.MTU == 0 {
		host.MTU = f.MTU.Value
	}
	host.Classes = hostClasses(f, nic)
	// Code points of no class go where the switches send them, to traffic class 0.
	for dscp := range host.Priorities {
		host.Priorities[dscp] = lossyPriority(0, host.Lossless())
	}
	for _, class := range host.Classes {
		for _, dscp := range class.DSCPs {
			host.Priorities[dscp&63] = class.Priority
		}
	}
	for _, sw := range f.Switches {
		for _, group := range sw.Groups {
			if group.PeerNIC == nic {
				host.Cable, host.Speed = max(host.Cable, longest(group)), max(host.Speed, group.Speed.Value)
			}
		}
	}
	host.Buffer = hostBuffer(host)
	return host
}

func longest(group *policy.PortGroup) units.Length {
	length := group.Cable.Value
	for _, own := range group.Cables {
		length = max(length, own.Value)
	}
	return length
}

// hostClasses gives each class its priority and its share. A lossless class has the
// priority that is paused, CNPs have theirs, and every other class its traffic class,
// unless a lossless class is paused by that number: then the first that none is.
func hostClasses(f *policy.Fabric, nic *policy.NIC) []plan.HostClass {
	var lossless uint8
	for _, class := range f.Classes {
		if class.Lossless.Value {
			lossless |= 1 << class.PFC.Value
		}
	}
	shares := shares(f.Classes)
	var classes []plan.HostClass
	for i, class := range f.Classes {
		if class.SentBack {
			continue // switches alone put packets into it
		}
		host := plan.HostClass{
			Name: class.Name, DSCPs: class.DSCPs.Value, Lossless: class.Lossless.Value, Strict: class.Strict.Value,
			Share: shares[i], CongestionControl: class.CongestionControl.Value, ECN: needs(class.CongestionControl.Value).ecn,
			Used: slices.Contains(nic.Classes, class), CNP: slices.Contains(class.DSCPs.Value, nic.CNPDSCP.Value), Range: class.Range,
		}
		switch {
		case host.Lossless:
			host.Priority = class.PFC.Value
		case host.CNP:
			host.Priority = nic.CNPPFC.Value
		default:
			host.Priority = lossyPriority(class.TrafficClass.Value, lossless)
		}
		classes = append(classes, host)
	}
	stable.Sort(classes, func(a, b plan.HostClass) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), strings.Compare(a.Name, b.Name))
	})
	return classes
}

func lossyPriority(tc, lossless uint8) uint8 {
	if lossless&(1<<tc) == 0 {
		return tc
	}
	for p := range uint8(8) {
		if lossless&(1<<p) == 0 {
			return p
		}
	}
	return tc // every priority is lossless; there is no better one
}

// shares turns DWRR weights into whole per cent that add up to 100, by largest
// remainder; among equals the class that comes first in order of names gains.
func shares(classes []*policy.Class) []int64 {
	out := make([]int64, len(classes))
	var sum int64
	for _, class := range classes {
		if !class.Strict.Value {
			sum += class.Weight.Value
		}
	}
	if sum == 0 {
		return out
	}
	left := int64(100)
	var order []int
	for i, class := range classes {
		if class.Strict.Value {
			continue
		}
		out[i] = class.Weight.Value * 100 / sum
		left -= out[i]
		order = append(order, i)
	}
	stable.Sort(order, func(a, b int) int {
		return cmp.Compare(classes[b].Weight.Value*100%sum, classes[a].Weight.Value*100%sum)
	})
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}

// nicCell is the unit of a ConnectX receive buffer.
const (
	nicCell       units.Bytes = 128
	nicCellSource             = "Linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.h: MLX5E_BUFFER_CELL_SHIFT 7"
)

// hostBuffer derives the buffer that the driver of ConnectX reserves for a lossless priority.
// Broadcom publishes no formula.
func hostBuffer(host *plan.Host) plan.Derived[units.Bytes] {
	connectx := strings.HasPrefix(host.Model, "connectx") || strings.HasPrefix(host.Model, "bluefield")
	if !connectx || host.Speed == 0 || host.Lossless() == 0 {
		return plan.Derived[units.Bytes]{}
	}
	buffer, err := headroom.MLX5(host.Speed, host.Cable, host.MTU, nicCell)
	if err != nil {
		return plan.Derived[units.Bytes]{} // the same numbers are reported at the switch's port
	}
	number := func(symbol, name string, value interface{ String() string }) plan.Term {
		return term(symbol, &plan.Why{Kind: plan.Given, Name: name, Value: value, Range: host.Range})
	}
	xoff := computed("headroom-mlx5", "room above the pause threshold", buffer.XOff,
		number("rate", "speed", host.Speed), number("length", "cable", host.Cable), number("frame", "mtu", host.MTU))
	return plan.Of(buffer.Buffer, &plan.Why{Kind: plan.Standard, Name: "least buffer of a lossless priority", Value: buffer.Buffer,
		Source: headroom.HostSource, Terms: []plan.Term{term("xoff", xoff), term("cell", standard("cell of the NIC", nicCell, nicCellSource))}})
}
