package bound

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// Collisions returns the most that all flows together can get at any time where each keeps to the
// way that its hash gave it, as a share of what a capacity carries; and how many of them share the
// fullest link beyond what it carries.
//
// Each flow is counted at the one of its links that has most to carry for its rate. The flows of a
// link have no more than its rate, and no more than their senders' together: the sum over links is
// no less than what all flows have.
func (t *Traffic) Collisions(capacity float64) (share float64, flows int) {
	load := map[int]int64{} // by port, what its flows' senders could send
	hosts := map[[2]int]bool{}
	for _, i := range t.flows {
		for _, port := range t.ways[i].Ports {
			if key := [2]int{port, t.sc.Flows[i].Src}; !hosts[key] {
				hosts[key] = true
				load[port] += int64(t.rate(t.ways[i].Ports[0]))
			}
		}
	}
	excess := func(port int) float64 { return float64(load[port]) / float64(t.rate(port)) }
	counted := map[int]map[int]units.BitRate{} // by port and sender
	number := map[int]int{}
	for _, i := range t.flows {
		ports := t.ways[i].Ports
		worst := slices.MaxFunc(ports, func(a, b int) int { return cmp.Compare(excess(a), excess(b)) })
		if counted[worst] == nil {
			counted[worst] = map[int]units.BitRate{}
		}
		counted[worst][t.sc.Flows[i].Src] = t.rate(ports[0])
		number[worst]++
	}
	sum := 0.0
	for port, senders := range counted {
		all := 0.0
		for _, rate := range senders {
			all += float64(rate)
		}
		if rate := float64(t.rate(port)); all > rate {
			all, flows = rate, max(flows, number[port])
		}
		sum += all
	}
	return min(1, sum/capacity), flows
}

// Hashed returns the least time in which links carry all that is sent where each flow keeps to the way that
// its hash gave it: that of the fullest one, and how many flows it has. No throughput of a whole run is
// above [Even.Least] as a share of it.
func (t *Traffic) Hashed() (least units.Time, flows int) {
	wire, number := map[int]int64{}, map[int]int{}
	for i, way := range t.ways[:t.messages] {
		for _, port := range way.Ports {
			wire[port] += t.wire(i) * int64(max(1, t.sc.Flows[i].Repeat))
			number[port]++
		}
	}
	for port, bytes := range wire {
		if took := t.rate(port).FloorTime(units.Bytes(bytes)); took > least || took == least && number[port] > flows {
			least, flows = took, number[port]
		}
	}
	return least, flows
}
