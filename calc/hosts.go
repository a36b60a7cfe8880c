package calc

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// planHost says what the NICs of one kind are told, so that they match the switches.
func planHost(f *policy.Fabric, nic *policy.NIC) *plan.Host {
	host := &plan.Host{
		Name: nic.Name, Model: nic.Model.Value, Range: nic.Range, MTU: nic.MTU.Value,
		CNPDSCP: nic.CNPDSCP.Value, CNPPFC: nic.CNPPFC.Value, CNPPerPort: nic.CNPPerPort.Value,
		CNPInterval: plan.Of(nic.CNPInterval.Value, given("cnp_interval", nic.CNPInterval, nic.CNPInterval.Value, "the default of the NIC's model")),
	}
	for _, class := range f.Classes {
		if slices.Contains(nic.Classes, class) || class.CNP {
			host.Classes = append(host.Classes, hostClass(class))
		}
	}
	slices.SortFunc(host.Classes, func(a, b plan.HostClass) int { return cmp.Compare(a.DSCP, b.DSCP) })
	for _, sw := range f.Switches {
		for _, group := range sw.Groups {
			if group.PeerNIC == nic {
				host.Cable, host.Speed = max(host.Cable, group.Cable.Value), max(host.Speed, group.Speed.Value)
			}
		}
	}
	return host
}

func hostClass(class *policy.Class) plan.HostClass {
	host := plan.HostClass{
		Name: class.Name, PFC: class.PFC.Value, Lossless: class.Lossless.Value, Strict: class.Strict.Value,
		Weight: class.Weight.Value, CongestionControl: class.CongestionControl.Value,
		ECN: needs(class.CongestionControl.Value).ecn,
	}
	if len(class.DSCPs.Value) > 0 {
		host.DSCP = class.DSCPs.Value[0]
	}
	return host
}
