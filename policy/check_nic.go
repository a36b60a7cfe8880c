package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// checkNICs checks every NIC against the switches. Either end alone is well; together
// they lose packets, and neither will say why.
func checkNICs(d *decoder, f *Fabric) {
	for _, n := range f.NICs {
		checkRoCEFrame(d, f, n)
		checkAcks(d, f, n)
	}
	checkNICFrames(d, f)
	checkPeerless(d, f)
	if slices.ContainsFunc(f.Classes, func(c *Class) bool { return c.CongestionControl.Value == "dcqcn" }) {
		for _, n := range f.NICs {
			if n.Model.Set { // else its defaults are unknown, and the fault is reported
				checkCNPPlace(d, f, n)
			}
		}
	}
	for _, s := range f.Switches {
		for _, g := range s.Groups {
			if g.PeerNIC != nil {
				checkNICPort(d, f, s, g)
			}
		}
	}
}

// checkPeerless warns of NICs that no port leads to, where others are peers. They have no speed, so nothing can be
// derived for them.
func checkPeerless(d *decoder, f *Fabric) {
	peers := map[*NIC]bool{}
	for _, s := range f.Switches {
		for _, g := range s.Groups {
			peers[g.PeerNIC] = true
		}
	}
	delete(peers, nil)
	for _, n := range f.NICs {
		if len(peers) > 0 && !peers[n] {
			d.diags.Warnf(ValueUnused, n.Range, "no port group has nic.%s as its peer, so no settings are written for it", n.Name).
				Fixf("write peer = nic.%s in a port group, or delete the block", n.Name)
		}
	}
}

// roceOverhead is the size of the headers of a full packet in the middle of a message: Ethernet 14,
// IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4 (IBTA 1.4, annex A17). A VLAN tag, IPv6 or the extended
// headers of other packets add to it, so a frame that does not fit without them fits never.
const roceOverhead units.Bytes = 62

func checkRoCEFrame(d *decoder, f *Fabric, n *NIC) {
	if f.MTU.Value == 0 {
		return // there is no fabric block, which is reported already
	}
	frame := n.RoCEMTU.Value + roceOverhead
	most, name, at := f.MTU, "mtu of the fabric", f.MTU.Range
	if f.LosslessFrame.Set && f.LosslessFrame.Value < most.Value {
		most, name, at = f.LosslessFrame, "lossless_frame", f.LosslessFrame.Range
	}
	if n.MTU.Set && n.MTU.Value < most.Value {
		most, name, at = n.MTU, "mtu of the nic", n.MTU.Range
	}
	if frame <= most.Value {
		return
	}
	first, note := n.RoCEMTU.Range, name
	if most.Value < basicFrame { // it is mistaken rather
		first, at, note = at, first, "roce_mtu of the nic"
	}
	d.errorf(FrameOrder, first, "RoCE packets of nic %s with %v of payload are frames of %v at least, above the %s, %v", n.Name, n.RoCEMTU.Value, frame, name, most.Value).
		Fixf("write a smaller roce_mtu, or %s of at least %v", strings.Fields(name)[0], frame).Notef(at, "%s is here", note)
}

// checkNICFrames demands one MTU of NICs that share a class: the larger sends what the
// smaller drops.
func checkNICFrames(d *decoder, f *Fabric) {
	mtu := func(n *NIC) units.Bytes {
		if n.MTU.Set {
			return n.MTU.Value
		}
		return f.MTU.Value
	}
	for _, small := range f.NICs {
		for _, large := range f.NICs {
			shared := slices.ContainsFunc(small.Classes, func(c *Class) bool { return !c.CNP && slices.Contains(large.Classes, c) })
			if mtu(small) >= mtu(large) || !shared {
				continue
			}
			d.errorf(NICFrame, small.MTU.Range, "nic %s takes frames of %v, and nic %s in the same classes sends frames of %v", small.Name, mtu(small), large.Name, mtu(large)).
				Fixf("give both the same mtu").Notef(large.MTU.Range, "nic %s is here", large.Name)
			break
		}
	}
}

// cnpClass returns the class that takes the CNPs of a NIC, nil where none does.
func cnpClass(f *Fabric, n *NIC) *Class {
	for _, c := range f.Classes {
		if slices.Contains(c.DSCPs.Value, n.CNPDSCP.Value) {
			return c
		}
	}
	return nil
}

// cnpPlace returns the strict class that the switches have for CNPs where those of a
// NIC miss it; nil where all is well, or where there is no such class.
func cnpPlace(f *Fabric, n *NIC) *Class {
	if c := cnpClass(f, n); c != nil && c.Strict.Value {
		return nil
	}
	i := slices.IndexFunc(f.Classes, func(c *Class) bool {
		return c.Strict.Value && !c.Lossless.Value && len(c.DSCPs.Value) > 0 && !c.Rest
	})
	if i < 0 {
		return nil
	}
	return f.Classes[i]
}

// checkAcks looks for the class of a NIC's acknowledgements.
func checkAcks(d *decoder, f *Fabric, n *NIC) {
	if !n.AckDSCP.Set || slices.ContainsFunc(f.Classes, func(c *Class) bool { return slices.Contains(c.DSCPs.Value, n.AckDSCP.Value) }) {
		return
	}
	d.errorf(NICAckDSCP, n.AckDSCP.Range, "acknowledgements of nic %s have DSCP %d, which no traffic class takes", n.Name, n.AckDSCP.Value).
		Fixf("leave ack_dscp out: acknowledgements then have the code point of their data; or add %d to the dscp of a class", n.AckDSCP.Value)
}

// checkCNPPlace demands that the CNPs of a NIC go where the fabric has a place for them,
// with the priority of that place.
func checkCNPPlace(d *decoder, f *Fabric, n *NIC) {
	c := cnpClass(f, n)
	if place := cnpPlace(f, n); place != nil {
		where := "which no class takes"
		if c != nil {
			where = "which goes to " + c.Name
		}
		d.errorf(NICCNPDSCP, n.CNPDSCP.Range, "CNPs of nic %s have DSCP %d, %s; the switches have the strict class %s for DSCP %d", n.Name, n.CNPDSCP.Value, where, place.Name, place.DSCPs.Value[0]).
			Fixf("write cnp_dscp = %d", place.DSCPs.Value[0]).Notef(place.DSCPs.Range, "the code points of %s are here", place.Name)
		return
	}
	if c != nil {
		checkCNPPriority(d, f, c, n)
	}
}

func checkCNPPriority(d *decoder, f *Fabric, c *Class, n *NIC) {
	paused := slices.IndexFunc(f.Classes, func(l *Class) bool { return l.Lossless.Value && l.PFC.Value == n.CNPPFC.Value && l != c })
	switch {
	case paused >= 0:
		l := f.Classes[paused]
		d.errorf(NICCNPPriority, n.CNPPFC.Range, "CNPs of nic %s have priority %d%s, which a pause of %s stops", n.Name, n.CNPPFC.Value, factory(n), l.Name).
			Fixf("write cnp_pfc = %d", c.TrafficClass.Value).Notef(l.PFC.Range, "pfc of %s is here", l.Name)
	case c.Strict.Value && n.CNPPFC.Value != c.TrafficClass.Value:
		d.errorf(NICCNPPriority, n.CNPPFC.Range, "CNPs of nic %s have priority %d%s, and the switches carry them with priority %d, as %s", n.Name, n.CNPPFC.Value, factory(n), c.TrafficClass.Value, c.Name).
			Fixf("write cnp_pfc = %d", c.TrafficClass.Value).Notef(c.TrafficClass.Range, "the traffic class of %s is here", c.Name)
	}
}

// factory gives the source of a priority that the fabric leaves out.
func factory(n *NIC) string {
	if n.CNPPFC.Set {
		return ""
	}
	return fmt.Sprintf(" (the default of %s)", n.Model.Value)
}

// checkNICPort checks a NIC against the ports that it is connected to.
func checkNICPort(d *decoder, f *Fabric, s *Switch, g *PortGroup) {
	n := g.PeerNIC
	for _, c := range n.Classes {
		if c.Lossless.Value && !g.Lossless.Value {
			d.errorf(NICLossless, g.Lossless.Range, "port group %s of %s has no lossless classes, and its nic %s uses the lossless class %s", g.Name, s.Label, n.Name, c.Name).
				Fixf("write lossless = true, or leave the class out of the nic's classes").Notef(c.PFC.Range, "pfc of %s is here", c.Name)
		}
	}
	if g.Trust.Value != "marking" || f.Marking == nil {
		return
	}
	for _, c := range n.Classes {
		if len(c.DSCPs.Value) == 0 || c.Rest || c == f.Marking.Class {
			continue
		}
		dscp := c.DSCPs.Value[0]
		if slices.Contains(c.DSCPs.Value, n.CNPDSCP.Value) {
			dscp = n.CNPDSCP.Value
		}
		if !slices.ContainsFunc(f.Marking.Rules, func(r MarkRule) bool { return r.DSCP.Value == dscp }) {
			d.errorf(NICMarking, g.Trust.Range, "nic %s sends %s with DSCP %d, which no rule of the marking block admits at port group %s of %s: it becomes DSCP %d", n.Name, c.Name, dscp, g.Name, s.Label, f.Marking.Rewrite.Value).
				Fixf("add rule { dscp = %d }", dscp).Notef(f.Marking.Range, "the marking block is here")
		}
	}
}
