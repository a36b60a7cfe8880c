package nxos

import "cmp"

// joinChannels gives members of port channels the settings of their channel.
func (a *assembler) joinChannels() {
	for _, p := range a.interfaces {
		if c := a.channels[p.channel]; c != nil {
			a.join(p, c)
		}
	}
}

// join does so for one member. Of policies those of the channel take effect, and those of the port
// only while it is in no channel (Cisco Nexus 9000 QoS guide, Attaching and Detaching a QoS Policy
// Action). Of everything else the guide does not say what counts where the two differ.
func (a *assembler) join(p, c *port) {
	obey(c.owner, p.name)
	p.shut, p.routed = p.shut || c.shut, c.routed
	p.speed, p.fec = cmp.Or(p.speed, c.speed), cmp.Or(p.fec, c.fec)
	if p.mtu.Why == nil {
		p.mtu = c.mtu
	}
	if !p.watched.on {
		p.watched = c.watched
	}
	switch {
	case p.modeAt.Empty():
		p.mode, p.modeAt, p.modeRow = c.mode, c.modeAt, c.modeRow
	case !c.modeAt.Empty() && c.mode != p.mode:
		a.mark(c.modeRow, "the port channel has another mode than its member", p.name)
	}
	for _, policy := range [][2]*use{{&p.qos, &c.qos}, {&p.in, &c.in}, {&p.out, &c.out}} {
		own, counts := policy[0], policy[1]
		if own.name != "" && own.name != counts.name {
			a.mark(own.entry, "a policy of a port does not count while it is a member of a port channel", p.name)
		}
		*own = *counts
	}
}
