package tune

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// The curve that is read is that of the first port to a NIC, or else of the first with the queue; ports
// without QoS or without PFC have none.
func TestServerPort(t *testing.T) {
	class := &policy.Class{}
	class.Queue.Value, class.PriorityGroup.Value = 3, 3
	port := func(name, peer string, pfc uint8, queue uint8, alpha units.Alpha) plan.Port {
		pg := plan.PG{ID: 3, Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: alpha}, nil)}
		return plan.Port{Name: name, Peer: peer, QoS: &plan.PortQoS{PFC: pfc, Queues: []plan.Queue{{ID: queue}}, PGs: []plan.PG{{ID: 3}, {ID: 4, Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: -9}, nil)}, pg}}}
	}
	up, down, lossy, other := port("up", "spine", 8, 3, -1), port("down", "cx", 8, 3, -3), port("lossy", "cx", 0, 3, 0), port("other", "cx", 8, 4, 0)
	for want, ports := range map[string][]plan.Port{"down": {{Name: "bare"}, lossy, other, up, down}, "up": {other, up, lossy}, "": {other, lossy, {Name: "bare"}}} {
		p := &plan.Plan{Switches: []*plan.Switch{{Ports: ports}}, Hosts: []*plan.Host{{Name: "cx"}}}
		got, queue := serverPort(p, class)
		if (got != nil) != (want != "") || got != nil && (got.Name != want || queue.ID != 3) {
			t.Errorf("%v, want %s", got, want)
		}
		least := map[string]units.Alpha{"down": -3, "up": -1, "": 0}[want]
		if got := smallestAlpha(p, class); got != least {
			t.Errorf("%s: alpha %v, want %v", want, got, least)
		}
	}
}
