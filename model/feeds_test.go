package model

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// Which queues of a port a group of another feeds is asked of the map of the port by which packets
// leave. SONiC's templates for a pair of ToRs on Broadcom: what is sent back (2, beside 3) leaves
// uplinks from queue 2, and servers' ports would send it from queue 1.
func TestFeedsByTheMapOfTheEgressPort(t *testing.T) {
	sw := &plan.Switch{Tunnel: &plan.Tunnel{TCToPG: [8]uint8{3: 2}, TCToQueue: [8]uint8{1: 1, 2: 1, 3: 2}}}
	m := &sw.Maps
	for d := range m.DSCPToTC {
		m.DSCPToTC[d], sw.Tunnel.DSCPToTC[d] = 1, 1
	}
	m.DSCPToTC[3], sw.Tunnel.DSCPToTC[3] = 3, 3
	m.TCToQueue, m.TCToPG = [8]uint8{1: 1, 2: 1, 3: 3}, [8]uint8{2: 2, 3: 3}
	sw.Tunnel.Outer.TCs, sw.Tunnel.Outer.DSCP[3] = 1<<3, 2
	up := m.DSCPToTC
	up[2] = 2
	uplink := &plan.PortQoS{DSCPToTC: &up, TCToQueue: &plan.QueueMap{To: [8]uint8{1: 1, 2: 2, 3: 3}}}
	servers := &plan.PortQoS{}
	sw.Ports = []plan.Port{{QoS: servers}, {QoS: uplink}, {QoS: servers, Server: true}}
	leave := leavings(sw)
	if len(leave) != 3 {
		t.Fatalf("%d ways to leave, want those of a port of hosts, of an uplink and of a port to servers", len(leave))
	}
	for i, want := range []uint16{
		1<<1 | 1<<3, // what shows DSCP 2 by the map of that port; what comes out of the tunnel is in class 3
		1<<2 | 1<<3,
		1 << 3, // what shows DSCP 2 is taken out of the tunnel
	} {
		if got := routes(sw, uplink, leave[i])[2]; got != want {
			t.Errorf("group 2 of an uplink feeds queues %b of port %d, want %b", got, i, want)
		}
	}
	for i, want := range []uint16{1<<2 | 1<<3, 1<<2 | 1<<3, 1 << 3} { // put into the tunnel it leaves from queue 2
		if got := routes(sw, servers, leave[i])[3]; got != want {
			t.Errorf("group 3 of a port of servers feeds queues %b of port %d, want %b", got, i, want)
		}
	}
	s := &Switch{Ports: []Port{{}, {Map: 1}}}
	s.Ports[0].Queues[2], s.Ports[0].Other = 1<<1, [][8]uint16{{2: 1 << 2}}
	if s.Feeds(0, 2, 0) != 1<<1 || s.Feeds(0, 2, 1) != 1<<2 {
		t.Errorf("%b and %b", s.Feeds(0, 2, 0), s.Feeds(0, 2, 1))
	}
}
