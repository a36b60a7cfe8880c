package diff

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// largeFabric is 968 leaves and 32 spines, every leaf with a cable to every spine. Each
// switch is a shape of its own, which is the hardest case: nothing is computed once for
// many.
func largeFabric(cable units.Length, mtu units.Bytes) *plan.Plan {
	const leaves, spines = 968, 32
	p := &plan.Plan{}
	for i := range leaves + spines {
		name, ports := fmt.Sprintf("leaf-%03d", i+1), 64
		if i >= leaves {
			name, ports = fmt.Sprintf("spine-%02d", i-leaves+1), leaves
		}
		sw := carrierOf(ports, []drawnClass{{[]int{26}, 3, 3, 3, 3, true}, {[]int{0}, 0, 0, 0, 0, false}}, mtu)
		sw.Names = []string{name}
		for j := range sw.Ports {
			sw.Ports[j].Cable, sw.Ports[j].Speed, sw.Ports[j].MTU = cable, 400*units.Gbps, mtu
			pg := &sw.Ports[j].QoS.PGs[1]
			pg.Headroom = plan.Of(needed(400*units.Gbps, cable, mtu, mtu), given("cable", cable, i+1))
		}
		p.Switches = append(p.Switches, sw)
	}
	for i := range leaves {
		for j := range spines {
			p.Links = append(p.Links, plan.Link{
				A: plan.LinkEnd{Switch: p.Switches[i].Names[0], Port: fmt.Sprintf("Ethernet%d/1", j+33)},
				B: plan.LinkEnd{Switch: p.Switches[leaves+j].Names[0], Port: fmt.Sprintf("Ethernet%d/1", i+1)},
			})
		}
	}
	return p
}

// A thousand switches that all differ, 31,000 cables that change, and an order in which
// every device waits for its neighbours. The aim is a second.
func BenchmarkCompare1000(b *testing.B) {
	before, after := largeFabric(40*units.Metre, 1500), largeFabric(100*units.Metre, 4200)
	for b.Loop() {
		Compare(before, after)
	}
}
