package junos_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/junos"
)

// Commands are read below a comment, and as they are typed in a session.
func TestCommandsOfASession(t *testing.T) {
	const set = "set interfaces et-0/0/1 mtu 9216\nset class-of-service forwarding-classes class NO-LOSS queue-num 3 no-loss\n"
	want, list := readtest.Switch(junos.Format(), "leaf-1.conf", []byte(set))
	if len(list) > 0 || len(want.Ports) != 1 {
		t.Fatalf("%d ports, %v", len(want.Ports), list)
	}
	for _, text := range []string{"/* lossless RoCEv2:\n   DSCP 26 */\n" + set, "configure\n" + set + "commit and-quit\n", "/* a */ /* b */\nconfigure\n" + set} {
		got, list := readtest.Switch(junos.Format(), "leaf-1.conf", []byte(text))
		if len(list) > 0 || len(got.Ports) != 1 || got.Ports[0].MTU != want.Ports[0].MTU {
			t.Errorf("%q: %d ports, %v", text, len(got.Ports), list)
		}
	}
}

// Classes that a QFX has by itself need no definition (Juniper, Understanding Default CoS Settings); interfaces
// all are all ports; a command may have a fill level and its probability. A class whose PFC priority is 0 has
// the priority group 0, and all other traffic another.
func TestDesignByCommands(t *testing.T) {
	sw := must.Sound(readtest.Switch(junos.Format(), "leaf-1.conf", []byte(`set interfaces et-0/0/1 mtu 9216
set class-of-service classifiers dscp d forwarding-class RDMA loss-priority low code-points 011010
set class-of-service classifiers dscp d forwarding-class network-control loss-priority low code-points 110000
set class-of-service forwarding-classes class RDMA queue-num 3 no-loss pfc-priority 0
set class-of-service congestion-notification-profile p input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile p output ieee-802.1 code-point 000 flow-control-queue 3
set class-of-service drop-profiles ecn interpolate fill-level 30 drop-probability 0
set class-of-service drop-profiles ecn interpolate fill-level 90 drop-probability 100
set class-of-service schedulers s drop-profile-map loss-priority any protocol any drop-profile ecn
set class-of-service schedulers s explicit-congestion-notification
set class-of-service scheduler-maps m forwarding-class RDMA scheduler s
set class-of-service scheduler-maps m forwarding-class best-effort scheduler s
set class-of-service interfaces et-0/0/1 congestion-notification-profile p
set class-of-service interfaces et-0/0/1 scheduler-map m
set class-of-service interfaces all unit 0 classifiers dscp d
`)))(t)
	m := &sw.Maps
	if m.TCToQueue[m.DSCPToTC[26]] != 3 || m.TCToQueue[m.DSCPToTC[48]] != 7 || m.TCToQueue[m.DSCPToTC[0]] != 0 {
		t.Errorf("DSCP 26, 48 and 0 leave by queues %d, %d, %d; want 3, 7 and 0", m.TCToQueue[m.DSCPToTC[26]], m.TCToQueue[m.DSCPToTC[48]], m.TCToQueue[m.DSCPToTC[0]])
	}
	if m.TCToPG[m.DSCPToTC[26]] != 0 || m.TCToPG[m.DSCPToTC[0]] != 1 {
		t.Errorf("DSCP 26 and 0 are in the groups %d and %d; want 0 and 1", m.TCToPG[m.DSCPToTC[26]], m.TCToPG[m.DSCPToTC[0]])
	}
	for _, q := range sw.Ports[0].QoS.Queues {
		if q.ID == 3 && q.Curve != "0% at 30%, 100% at 90%" {
			t.Errorf("the curve is %q", q.Curve)
		}
	}
}
