package calc

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
)

// Requirements of balancing packet by packet, and their sources.
const (
	inOrder = "Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018, section 2: RoCE NICs drop what comes out of order and go back N"
	lastHop = "UCloud, load balancing for RDMA: spraying evens out the uplinks, the incast at the last hop stays and needs PFC"
)

// reorders reports whether a way of balancing sends packets of one flow over several
// paths and leaves it to the receiver to put them in order. Flowlets leave gaps;
// ConWeave and cells restore the order in the network.
func reorders(balancing string) bool { return balancing == "spray" || balancing == "adaptive" }

// checkBalancing checks the fabric's load balancing against its NICs and what they carry.
// That a port to a NIC with lossless classes is lossless is the language's own rule; here
// a class without PFC is at fault.
func checkBalancing(f *policy.Fabric, list *diag.List) {
	if !reorders(f.LoadBalancing.Value) {
		return
	}
	told := map[*policy.Class]bool{}
	for _, nic := range f.NICs {
		classes := remoteMemory(nic)
		if len(classes) > 0 && !nic.DirectPlacement.Value {
			list.Errorf(BalancingOrder, nic.DirectPlacement.Range, "load balancing %q reorders packets of %s, and nic %s does not place them directly: it drops each packet that is out of order, and the sender goes back to it",
				f.LoadBalancing.Value, classes[0].Name, nic.Name).
				Fixf(`set direct_placement = true if the NIC is set up for it, or load_balancing = "ecmp" or "flowlet"`).Notef(f.LoadBalancing.Range, "%s", inOrder)
		}
		for _, class := range classes {
			if !class.Lossless.Value && class.Recovery.Value != "selective" && !told[class] {
				told[class] = true
				list.Errorf(BalancingLastHop, class.Range, "load balancing %q balances all links but the last: %s has no PFC, so an incast of it is dropped at the last link to nic %s",
					f.LoadBalancing.Value, class.Name, nic.Name).
					Fixf(`give the class a pfc priority, set recovery = selective if its hosts resend only lost packets, or set load_balancing = "ecmp" or "flowlet"`).Notef(f.LoadBalancing.Range, "%s", lastHop)
			}
		}
	}
}

// remoteMemory lists the classes of a NIC that carry RDMA: those that are lossless, and
// those whose congestion control is one of RDMA.
func remoteMemory(nic *policy.NIC) (out []*policy.Class) {
	for _, class := range nic.Classes {
		rdma := []string{"dcqcn", "timely", "timely_listing", "timely_patched", "hpcc", "swift", "rttcc", "rtt_template"}
		if class.Lossless.Value || slices.Contains(rdma, class.CongestionControl.Value) {
			out = append(out, class)
		}
	}
	return out
}
