package junos_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A partition has one dynamic threshold, the smallest that a kind of port wants; each other one is told. Junos counts
// them from 0, which is 1/128.
func TestOneAlphaOfAPartition(t *testing.T) {
	set := junos.Target().Forms[1]
	const in, out = "shared-buffer ingress buffer-partition lossless dynamic-threshold ", "shared-buffer egress buffer-partition lossless dynamic-threshold "
	wants := func(of func(*plan.Port, units.Alpha), alphas ...units.Alpha) func(*plan.Switch) {
		return func(s *plan.Switch) {
			third := s.Ports[1]
			qos := *third.QoS
			qos.PGs, qos.Queues = append([]plan.PG(nil), qos.PGs...), append([]plan.Queue(nil), qos.Queues...)
			third.Name, third.Group, third.QoS = "et-0/0/2", "group2", &qos
			s.Ports = append(s.Ports, third)
			for i, a := range alphas {
				of(&s.Ports[i], a)
			}
		}
	}
	group := func(p *plan.Port, a units.Alpha) {
		p.QoS.PGs[0].Limit = plan.Of(plan.Limit{Dynamic: true, Alpha: a}, nil)
	}
	queue := func(p *plan.Port, a units.Alpha) {
		p.QoS.Queues[0].Limit = plan.Of(plan.Limit{Dynamic: true, Alpha: a}, nil)
	}
	for _, c := range []struct {
		alphas []units.Alpha
		least  int
		told   []string
	}{
		{[]units.Alpha{1, 1, 1}, 8, nil},
		{[]units.Alpha{1, -1, -3}, 4, []string{"ports need alpha 2 and 1/2, and Junos has one alpha for all ports: it gets 1/2", "ports need alpha 1/2 and 1/8, and Junos has one alpha for all ports: it gets 1/8"}},
		{[]units.Alpha{-3, 1, -1}, 4, []string{"ports need alpha 1/8 and 2, and Junos has one alpha for all ports: it gets 1/8", "ports need alpha 1/8 and 1/2, and Junos has one alpha for all ports: it gets 1/8", "fix: give all lossless ports the alpha 1/8"}},
		{[]units.Alpha{1, -3, 1}, 4, []string{"ports need alpha 2 and 1/8, and Junos has one alpha for all ports: it gets 1/8", "ports need alpha 1/8 and 2, and Junos"}},
	} {
		not := []string(nil)
		if c.told == nil {
			not = []string{"Junos has one alpha for all ports"}
		}
		plantest.Wants(t, set, leaf(), fmt.Sprint("groups ", c.alphas), wants(group, c.alphas...), append(c.told, in+fmt.Sprint(c.least)), not)
		plantest.Wants(t, set, leaf(), fmt.Sprint("queues ", c.alphas), wants(queue, c.alphas...), append(c.told, out+fmt.Sprint(c.least)), not)
	}
}
