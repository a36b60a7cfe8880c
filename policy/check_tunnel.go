package policy

import "slices"

// mostKept is the number of traffic classes of SONiC from 8 on (sonic-types.yang, tc_type: 0 to 15).
const mostKept = 8

// checkSentBack finds the classes in which packets are sent back, and refuses those that
// could not carry them.
func checkSentBack(d *decoder, classes []*Class) {
	kept := 0
	for _, c := range classes {
		c.checkKept(d, &kept)
		if !c.SentBackAs.Set {
			continue
		}
		at := slices.IndexFunc(classes, func(o *Class) bool { return o.Name == c.SentBackAs.Value })
		if at < 0 {
			continue // the reference itself is reported
		}
		back, where := classes[at], c.SentBackAs.Range
		switch {
		case back == c:
			d.errorf(TunnelClass, where, "%s is sent back as itself: both directions would use queue %d and could wait for each other", c.Name, c.Queue.Value).
				Fixf("name another lossless class, with a queue of its own")
		case c.PFC.missing(c.Range) || back.PFC.missing(back.Range):
			lossy := c
			if !c.PFC.missing(c.Range) {
				lossy = back
			}
			d.errorf(TunnelClass, where, "%s is sent back as %s, and %s is lossy: only what waits in lossless queues can wait forever", c.Name, back.Name, lossy.Name).
				Fixf("give %s pfc, or remove sent_back_as", lossy.Name).Notef(lossy.Range, "it has no pfc")
		case back.SentBackAs.Set:
			d.errorf(TunnelClass, where, "%s is sent back as %s, which has sent_back_as too: a packet takes the tunnel once only", c.Name, back.Name).
				Fixf("remove sent_back_as of %s", back.Name).Notef(back.SentBackAs.Range, "it is here")
		default:
			back.SentBack = true
		}
	}
}

// checkKept refuses code points that the class does not have, and more than there are
// traffic classes for.
func (c *Class) checkKept(d *decoder, kept *int) {
	for _, dscp := range c.KeepDSCP.Value {
		if !slices.Contains(c.DSCPs.Value, dscp) {
			d.errorf(TunnelClass, c.KeepDSCP.Range, "keep_dscp: %s does not have DSCP %d", c.Name, dscp).Fixf("add it to dscp, or keep it in the class that has it").
				Notef(c.DSCPs.Range, "its code points are here")
		}
	}
	if *kept += len(c.KeepDSCP.Value); *kept > mostKept {
		d.errorf(OutOfRange, c.KeepDSCP.Range, "keep_dscp: %d code points are kept, and traffic classes 8 to 15 can keep %d", *kept, mostKept).
			Fixf("keep %d at most", mostKept)
		*kept = 0
	}
}

// checkTunnel refuses a tunnel through which nothing is sent back, and ports that say so of
// nothing.
func (s *switchDecl) checkTunnel(d *decoder, classes []*Class) {
	back := slices.ContainsFunc(classes, func(c *Class) bool { return !c.SentBackAs.missing(c.Range) })
	passes := false
	for _, g := range s.groups {
		passes = passes || g.SentBack.Value
		switch {
		case g.SentBack.Value && !back:
			d.errorf(TunnelUnused, g.SentBack.Range, "sent_back: no class is sent back, so nothing that is sent back passes these ports").
				Fixf("give a lossless class sent_back_as, or remove sent_back")
		case g.SentBack.Value && !g.Lossless.Value:
			d.errorf(TunnelUnused, g.SentBack.Range, "sent_back: no lossless class runs on these ports, and what is sent back is lossless").
				Fixf("remove sent_back, or lossless = false").Notef(g.Lossless.Range, "lossless = false is here")
		}
	}
	switch {
	case s.Tunnel.Set && !back:
		d.errorf(TunnelUnused, s.Tunnel.Range, "tunnel: no class is sent back, so packets in it wait in the queues of those that come").
			Fixf("give each lossless class sent_back_as").Notef(s.Range, "the switch is here")
	case s.Tunnel.Set && !passes:
		d.errorf(TunnelUnused, s.Tunnel.Range, "tunnel: no port group has sent_back = true, so nothing can be sent back").
			Fixf("add sent_back = true to the ports that lead to the network above")
	}
}
