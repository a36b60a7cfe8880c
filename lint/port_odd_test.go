package lint_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Ports of two speeds may share their queues: the others that an odd port is checked against are
// those of its own speed.
func TestPortOddCountsItsSpeed(t *testing.T) {
	queues := func(weight int64) *plan.PortQoS {
		return &plan.PortQoS{Queues: []plan.Queue{{ID: 3, Scheduler: plan.Scheduler{Weight: plan.Of(weight, &plan.Why{Kind: plan.ReadBack})}}}}
	}
	usual := queues(60)
	sw := &plan.Switch{Names: []string{"leaf-1"}, Ports: []plan.Port{{Name: "odd", Speed: 100 * units.Gbps, QoS: queues(40)}}}
	for range 7 {
		sw.Ports = append(sw.Ports, plan.Port{Name: "down", Speed: 100 * units.Gbps, QoS: usual})
	}
	for range 4 {
		sw.Ports = append(sw.Ports, plan.Port{Name: "up", Speed: 400 * units.Gbps, QoS: usual})
	}
	for _, d := range lint.Switch(sw, nil) {
		if d.Code == lint.PortOdd {
			if !strings.Contains(d.Message, "all 7 other ports at 100Gbps") {
				t.Error(d.Message)
			}
			return
		}
	}
	t.Error("the odd port is not found")
}
