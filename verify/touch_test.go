package verify

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// What lossless packets see: the classes of lossless groups, the code points that lead to them, and the
// queues that they leave from. Group 3 of port p is lossless.
func TestWhatLosslessPacketsSee(t *testing.T) {
	maps := plan.Maps{}
	maps.TCToPG[1], maps.TCToQueue[1], maps.TCToQueue[2], maps.DSCPToTC[26] = 3, 15, 9, 1
	own := &plan.QueueMap{}
	own.To[0], own.To[1] = 7, 6
	classes := &[64]uint8{}
	classes[10] = 1
	tunnel := &plan.Tunnel{}
	tunnel.TCToPG[2], tunnel.TCToQueue[0], tunnel.TCToQueue[1], tunnel.DSCPToTC[11], tunnel.DSCPToTC[12] = 3, 8, 4, 1, 2
	for name, c := range map[string]struct {
		sw   plan.Switch
		port plan.PortQoS
		want string // classes, queues, code points
	}{
		"number to number":                 {want: "1000 1000 ff000000"},
		"maps":                             {sw: plan.Switch{Maps: maps}, want: "10 1000000000000000 4000000"},
		"queues of a port":                 {sw: plan.Switch{Maps: maps}, port: plan.PortQoS{TCToQueue: own}, want: "10 1000000001000000 4000000"},
		"code points of a port":            {sw: plan.Switch{Maps: maps}, port: plan.PortQoS{DSCPToTC: classes}, want: "10 1000000000000000 4000400"},
		"put into a tunnel, and out of it": {sw: plan.Switch{Maps: maps, Tunnel: tunnel}, want: "110 1000001000010000 4001800"},
	} {
		c.port.PGs = []plan.PG{{ID: 3, Lossless: true}, {ID: 5}}
		c.sw.Ports = []plan.Port{{Name: "p", QoS: &c.port}, {Name: "bare"}}
		l := losslessOf(&c.sw)
		if got := fmt.Sprintf("%b %b %x", l.tcs, l.queues, l.dscps); got != c.want || l.groups != 8 || l.ports["p"] != 8 || len(l.ports) != 2 {
			t.Errorf("%s: %s, groups %b of %v, want %s", name, got, l.groups, l.ports, c.want)
		}
	}
}

// A statement touches a group where the two meet in all that its scope bounds.
func TestWhatTouchesAGroup(t *testing.T) {
	l := &lossless{ports: map[string]uint8{"p": 1 << 3, "lossy": 0}, groups: 1 << 3, tcs: 1 << 1, queues: 1 << 9, dscps: 1 << 26}
	g := &Group{Group: proof.Group{PG: 3}}
	for _, c := range []struct {
		scope read.Scope
		want  bool
	}{
		{read.Scope{}, true},
		{read.Scope{Ports: []string{"p"}}, true}, {read.Scope{Ports: []string{"lossy"}}, false}, {read.Scope{Ports: []string{"lossy", "p"}}, true}, {read.Scope{Ports: []string{"unknown"}}, true},
		{read.Scope{PGs: 1 << 3}, true}, {read.Scope{PGs: 1 << 4}, false},
		{read.Scope{TCs: 1 << 1}, true}, {read.Scope{TCs: 1 << 2}, false},
		{read.Scope{Queues: 1 << 9}, true}, {read.Scope{Queues: 1 << 8}, false},
		{read.Scope{DSCPs: 1 << 26}, true}, {read.Scope{DSCPs: 1 << 27}, false},
		{read.Scope{Ports: []string{"p"}, PGs: 1 << 3, TCs: 1 << 2}, false}, {read.Scope{Ports: []string{"p"}, PGs: 0xff, TCs: 0xff, Queues: 1 << 9, DSCPs: 3 << 26}, true},
	} {
		if got := l.touches(c.scope, g); got != c.want {
			t.Errorf("%+v: %t", c.scope, got)
		}
	}
}
