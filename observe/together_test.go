package observe

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// A count of all priorities is that of the only one with PFC; of two it stays what it is.
func TestCountsOfAllPriorities(t *testing.T) {
	for pfc, want := range map[uint8]Counter{1 << 3: PFCReceived(3), 1<<3 | 1<<4: PausesReceived, 0: PausesReceived} {
		end := plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet1"}
		d := &pod{byEnd: map[plan.LinkEnd]*site{end: {end: end, port: &plan.Port{QoS: &plan.PortQoS{PFC: pfc}}}}}
		rows := d.ofPriorities([]Row{{Device: "leaf-1", Object: Object{Kind: Port, Name: "Ethernet1"}, Counter: PausesReceived, Value: 7}})
		if rows[0].Counter != want || rows[0].Value != 7 {
			t.Errorf("PFC %08b: %v, want %v", pfc, rows[0], want)
		}
	}
}
