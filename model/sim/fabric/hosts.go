package fabric

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// wireHeaders is what RoCEv2 adds to a payload: Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH
// 16, ICRC 4 (InfiniBand Architecture Specification 1.4 Volume 1, annex A17), FCS 4.
const wireHeaders units.Bytes = 14 + 20 + 8 + 12 + 16 + 4 + 4

// used are the ports in the network, with their device.
func (b *builder) used(visit func(d *device, p *plan.Port, host bool)) {
	for _, d := range b.devices {
		for _, i := range d.hosts {
			visit(d, &d.sw.Ports[i], true)
		}
		for _, c := range d.cables {
			visit(d, &d.sw.Ports[c.port], false)
		}
	}
}

// transport chooses the largest RoCE MTU whose packets fit the frames that the headroom
// was computed for. Each packet is acknowledged.
func (b *builder) transport() {
	frame := units.Bytes(0)
	b.used(func(d *device, p *plan.Port, _ bool) {
		own := p.MTU
		if own == 0 {
			own = d.sw.MTU.Value
		}
		if p.Assumed != nil && p.Assumed.LosslessFrame.Value > 0 {
			own = min(own, p.Assumed.LosslessFrame.Value)
		}
		if frame == 0 || own < frame {
			frame = own
		}
	})
	payload := units.Bytes(4096)
	for payload > 256 && payload+wireHeaders > frame {
		payload /= 2
	}
	b.sc.Transport = sim.Transport{Payload: payload, AckInterval: 1, Chunk: 4000, NackInterval: 500 * units.Microsecond}
	if host := b.nic(); host != nil {
		b.sc.Transport.CNPInterval, b.sc.Transport.CNPPerPort = host.CNPInterval.Value, host.CNPPerPort
	}
}

// nic is the kind of the first host.
func (b *builder) nic() *plan.Host {
	edge := b.edges()[0]
	for _, h := range b.plan.Hosts {
		if h.Name == edge.sw.Ports[edge.hosts[0]].Peer {
			return h
		}
	}
	return nil
}

// balancing takes over how the first edge switch balances load.
func (b *builder) balancing() {
	switch b.balancingMode() {
	case "spray":
		b.sc.Balancing.Mode, b.sc.Transport.DirectPlacement = sim.Spray, true
	case "adaptive":
		b.sc.Balancing.Mode, b.sc.Transport.DirectPlacement = sim.Adaptive, true
	case "flowlet":
		b.sc.Balancing.Mode, b.sc.Balancing.FlowletGap = sim.Flowlet, b.flowletGap()
		if b.options.FlowletGap == 0 {
			b.note("assumed: a flow may take another way after %v of silence; no plan says it", b.flowletGap())
		}
	case "conweave":
		b.sc.Balancing = sim.Balancing{Mode: sim.UseConWeave, ConWeave: sim.DefaultConWeave()}
		b.note("ConWeave's times are those of its simulator for lossless leaf-spine fabrics at 100G (conweave-project/conweave-ns3, run.py)")
	case "global":
		b.sc.Balancing = sim.Balancing{Mode: sim.Global, FlowletGap: b.flowletGap(), SignalInterval: 100 * units.Microsecond}
		b.note("switches signal the quality of their ports every %v, which is assumed: Juniper's Apstra 6.1 does so every 10 ms by default", b.sc.Balancing.SignalInterval)
	}
}

// congestion chooses the congestion control of the lossless class. Its constants are those of
// the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control, simulation/run.py), which
// scale with the rate of the hosts. The least rate is assumed: its 1 Gb/s, for hosts at 50G
// and more, would let 25 queue pairs fill a port of 25G for ever.
func (b *builder) congestion() {
	rate := b.net.Hosts[0].Rate
	cc := &b.sc.Congestion
	cc.MinRate = 100 * units.Mbps
	switch name := b.congestionControl(); name {
	case "dcqcn":
		cc.Algorithm = sim.UseDCQCN
		cc.DCQCN = sim.DCQCN{
			Gain: 1. / 256, AlphaInterval: units.Microsecond, DecreaseInterval: 4 * units.Microsecond,
			IncreaseInterval: 300 * units.Microsecond, FastRecovery: 1, Additive: rate / 5000, Hyper: rate / 500,
		}
	case "timely":
		cc.Algorithm = sim.UseTIMELY
		cc.TIMELY = sim.TIMELY{
			Gain: 0.875, Beta: 0.8, Low: 50 * units.Microsecond, High: 500 * units.Microsecond,
			MinRTT: 20 * units.Microsecond, Additive: rate / 1000, Hyper: rate / 200,
		}
	case "hpcc":
		cc.Algorithm = sim.UseHPCC
		cc.HPCC = sim.HPCC{TargetUtilization: 0.95, Additive: rate / 2500, FastReact: true, UnitScale: max(1, int(rate/(25*units.Gbps)))}
		b.sc.Transport.Window, b.sc.Transport.VariableWindow = sim.PathBDP, true
	case "none", "":
	default:
		b.note("congestion control %q is not run for a fabric, for its constants are not published: hosts send at line rate", name)
	}
}
