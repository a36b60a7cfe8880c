package pattern

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// unfitEvents says why the events cannot happen in a network; empty where they can.
func (s *Scenario) unfitEvents(net *fabric.Network) string {
	for i := range s.Events {
		e := &s.Events[i]
		switch named := e.Where != (plan.LinkEnd{}); {
		case named && e.Kind == SwitchFailure:
			if len(net.LinksOf(e.Where.Switch)) == 0 {
				return fmt.Sprintf("names %s, which is not among what is simulated", e.Where.Switch)
			}
		case e.Kind == SwitchFailure && len(net.Spines()) == 0:
			return "needs a switch without hosts"
		case named && net.Link(e.Where) < 0:
			return fmt.Sprintf("names %s:%s, which is not among what is simulated", e.Where.Switch, e.Where.Port)
		case e.Kind == LinkFailure && !named && len(net.Trunks()) == 0:
			return "needs a link between two switches"
		}
	}
	return ""
}

// befall adds the events of a scenario to a run of it. first are the flows of its first
// traffic.
func (s *Scenario) befall(sc *sim.Scenario, net *fabric.Network, seed uint64, first []sim.Flow) {
	if len(s.Events) == 0 {
		return
	}
	sc.Transport.AckTimeout, sc.Transport.Retries = fabric.AckTimeout, fabric.Retries
	random := rand.New(rand.NewPCG(seed, 0x6576656e74))
	for i := range s.Events {
		e := &s.Events[i]
		switch e.Kind {
		case LinkFailure:
			link := net.Link(e.Where)
			if trunks := net.Trunks(); link < 0 {
				link = trunks[random.IntN(len(trunks))]
			}
			sc.Outages = append(sc.Outages, sim.Outage{Link: link, Down: e.At, Up: e.Until})
			sc.Convergence = max(sc.Convergence, e.Convergence)
		case SwitchFailure:
			name := e.Where.Switch
			if spines := net.Spines(); name == "" {
				name = spines[random.IntN(len(spines))]
			}
			for _, link := range net.LinksOf(name) {
				sc.Outages = append(sc.Outages, sim.Outage{Link: link, Down: e.At, Up: e.Until})
			}
			sc.Convergence = max(sc.Convergence, e.Convergence)
		case SlowReceiver:
			sc.Receivers = append(sc.Receivers, e.receiver(sc, net))
		case PFCStorm:
			host := net.Host(e.Where)
			if receivers := receivers(first); host < 0 {
				host = receivers[random.IntN(len(receivers))]
			}
			sc.Storms = append(sc.Storms, sim.Storm{Host: host, Class: net.RDMA, From: e.At, To: e.Until})
		}
		sc.Stop = max(sc.Stop, e.Until+2*fabric.Retries*fabric.AckTimeout)
	}
}

// stranded reports whether a message goes to or from a host that was stuck: that it does not
// arrive is not a fault of the fabric.
func stranded(sc *sim.Scenario, f *sim.Flow) bool {
	return slices.ContainsFunc(sc.Storms, func(w sim.Storm) bool { return w.Host == f.Src || w.Host == f.Dst })
}

// receiver sets the thresholds of a NIC's buffer as the driver of ConnectX does: XOFF leaves
// room for what comes until a pause acts, XON is one largest packet below (Linux,
// drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c: calculate_xoff, with its default
// of 7 m of cable, and update_xoff_threshold).
func (e *Event) receiver(sc *sim.Scenario, net *fabric.Network) sim.Receiver {
	host := net.Host(e.Where)
	if host < 0 {
		host = busiest(sc.Flows)
	}
	mtu := int64(sc.Transport.Payload) + 100 // with all headers
	rate := int64(net.Hosts[host].Rate / units.Mbps)
	room := units.Bytes((301+216*7/100)*rate/1000 + 272*mtu/100)
	xoff := max(e.Buffer-room, e.Buffer/2)
	return sim.Receiver{
		Host: host, Rate: e.Rate, From: e.At, To: e.Until,
		Buffer: e.Buffer, XOFF: xoff, XON: xoff - units.Bytes(mtu), Classes: net.Lossless,
	}
}

// receivers lists the hosts that receive, in order.
func receivers(flows []sim.Flow) (list []int) {
	for i := range flows {
		list = append(list, flows[i].Dst)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// busiest returns the host that receives most; of equals the first.
func busiest(flows []sim.Flow) int {
	bytes := map[int]units.Bytes{}
	for i := range flows {
		bytes[flows[i].Dst] += flows[i].Bytes
	}
	return slices.MaxFunc(receivers(flows), func(a, b int) int { return cmp.Or(cmp.Compare(bytes[a], bytes[b]), cmp.Compare(b, a)) })
}
