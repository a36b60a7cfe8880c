package lint_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
)

// ownMap is a switch whose map has all code points in class 0, with a port that classifies by
// itself: some code points are in other classes there.
func ownMap(name string, classes map[uint8]uint8, qos *plan.PortQoS) *plan.Switch {
	sw := &plan.Switch{Names: []string{name}, Ports: []plan.Port{{Name: "Ethernet0", Peer: "nic", QoS: qos}, {Name: "Ethernet4", Peer: "nic", QoS: qos}}}
	for i := range uint8(8) {
		sw.Maps.TCToPG[i], sw.Maps.TCToQueue[i], sw.Maps.PFCToPG[i], sw.Maps.PFCToQueue[i] = i, i, i, i
	}
	if classes != nil {
		qos.DSCPToTC = new([64]uint8)
		for dscp, tc := range classes {
			qos.DSCPToTC[dscp] = tc
		}
	}
	return sw
}

// weights are queues 0 and 3 that share by weight, and the strict queue 6.
func weights() []plan.Queue {
	return []plan.Queue{{ID: 0, Scheduler: plan.Scheduler{Weight: said(int64(40))}}, {ID: 3, Scheduler: plan.Scheduler{Weight: said(int64(60))}}, {ID: 6, Scheduler: plan.Scheduler{Strict: true}}}
}

// Ports that classify by themselves are judged by their own maps, at both ends of a link and at
// NICs.
func TestOwnMaps(t *testing.T) {
	messages := func(found diag.List, code diag.Code) string {
		var told []string
		for _, d := range found {
			if d.Code == code {
				told = append(told, d.Message)
			}
		}
		return strings.Join(told, "; ")
	}
	link := func(code diag.Code, a, b *plan.Switch) string {
		ends := map[string]*plan.Switch{"leaf-1": a, "spine-1": b}
		return messages(lint.Links(cable, func(device string) *plan.Switch { return ends[device] }), code)
	}
	qos := func(edit func(*plan.PortQoS)) *plan.PortQoS {
		q := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true}}, Queues: weights()}
		edit(q)
		return q
	}
	plain := func(*plan.PortQoS) {}
	rewriting := func(q *plan.PortQoS) { q.Rewrite = &plan.Rewrite{TCs: 1 << 3, DSCP: [8]uint8{3: 27}} }
	both := map[uint8]uint8{26: 3, 27: 3}

	// The class that is rewritten is that of the port's map.
	if got := link(lint.LinkDSCPDiffers, ownMap("leaf-1", map[uint8]uint8{26: 3}, qos(rewriting)), ownMap("spine-1", map[uint8]uint8{26: 3}, qos(plain))); !strings.Contains(got, "which sends it on as DSCP 27, and that is lossy at its peer") {
		t.Errorf("a class that is rewritten on its way: %q", got)
	}
	if got := link(lint.LinkDSCPDiffers, ownMap("leaf-1", both, qos(rewriting)), ownMap("spine-1", both, qos(plain))); got != "" {
		t.Errorf("both code points are lossless at both ends: %q", got)
	}

	// CNPs leave from the queue of their class.
	strict := map[uint8]uint8{lint.CNPDSCP: 6}
	must.Equalf(t, link(lint.LinkCNPDiffers, ownMap("leaf-1", strict, qos(plain)), ownMap("spine-1", strict, qos(plain))), "", "CNPs are strict at both ends:")
	if got := link(lint.LinkCNPDiffers, ownMap("leaf-1", strict, qos(plain)), ownMap("spine-1", nil, qos(plain))); !strings.Contains(got, "have strict priority at leaf-1 Ethernet0 and a share by weight at its peer spine-1") {
		t.Errorf("CNPs are strict at one end: %q", got)
	}

	nic := []*plan.Host{{Name: "nic", CNPDSCP: lint.CNPDSCP, CNPPFC: 6}}
	must.Equalf(t, messages(lint.Hosts(ownMap("leaf-1", strict, qos(plain)), nic), lint.NICCNPDiffers), "", "the CNPs of a NIC are strict:")
	if got := messages(lint.Hosts(ownMap("leaf-1", nil, qos(plain)), nic), lint.NICCNPDiffers); !strings.Contains(got, "sends them from queue 0, which shares by weight") {
		t.Errorf("the CNPs of a NIC are not strict: %q", got)
	}

	// What a port makes of a lossless code point is lossless where the port takes it for that.
	for _, c := range []struct {
		own  map[uint8]uint8
		want bool
	}{{map[uint8]uint8{26: 3}, true}, {both, false}} {
		sw := ownMap("leaf-1", c.own, qos(rewriting))
		sw.Maps.DSCPToTC[26] = 3
		sw.Classes = []plan.Class{{TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, Lossless: true, DSCPs: []uint8{26}}}
		if got := messages(lint.Switch(sw, nil), lint.RewriteLeavesLossless); (got != "") != c.want {
			t.Errorf("own classes %v: %q", c.own, got)
		}
	}
}
