package fabric

import (
	"cmp"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// wireHeaders are the bytes that RoCEv2 adds to a payload: Ethernet 14, IPv4 20, UDP 8, BTH 12,
// RETH 16, ICRC 4 (InfiniBand Architecture Specification 1.4 Volume 1, annex A17), FCS 4.
const wireHeaders units.Bytes = 14 + 20 + 8 + 12 + 16 + 4 + 4

// used visits the ports in the network, with their device.
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

// transport takes the RoCE MTU of the NIC, or the largest whose packets fit the frames that the
// headroom was computed for. Each packet is acknowledged.
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
	if host := b.nic(); host != nil && host.RoCEMTU > 0 {
		payload = host.RoCEMTU
	}
	for payload > 256 && payload+wireHeaders > frame {
		payload /= 2
	}
	b.sc.Transport = sim.Transport{Payload: payload, AckInterval: 1, Chunk: 4000, NackInterval: 500 * units.Microsecond}
	b.acknowledgements()
	b.service()
}

// latencies sets the latencies of hosts and of switches' chips.
func (b *builder) latencies() {
	t := &b.sc.Transport.Host
	t.Post, t.Deliver = hostLatency, hostLatency
	if host := b.nic(); host != nil {
		t.Post, t.Deliver = host.SendLatency.Value, host.ReceiveLatency.Value
	} else {
		b.note("assumed: a host takes %v to send and to receive, as in UCloud's measurement; no NIC says otherwise", hostLatency)
	}
	if m := b.options.Memory; m != nil {
		t.Memory, t.Fetch, t.Inline = m.Rate, m.Fetch, m.Inline
	}
	if b.sc.Transport.Service == sim.XRC {
		t.Deliver += lookupXRC
	}
	b.sc.Latency = make([]units.Time, len(b.sc.Nodes))
	assumed := map[string]units.Time{}
	for _, d := range b.devices {
		chip, _ := b.chip(d.sw.Chip)
		latency := chip.Latency.Or(chipLatency)
		b.sc.Latency[d.node] = latency
		if fact := chip.Latency.Fact(); fact == nil || fact.Confidence == chips.Assumed {
			assumed[chip.Name] = latency
		}
	}
	for _, name := range slices.Sorted(maps.Keys(assumed)) {
		b.note("assumed: a packet takes %v through %s when it does not wait", assumed[name], name)
	}
}

// Latencies where nothing is known: of half of a host's part in UCloud's measurement of 1.70 us
// for 2 B (golden/sim_transports.txt), and of a Trident II.
const (
	hostLatency = 790 * units.Nanosecond
	chipLatency = 600 * units.Nanosecond
)

// lookupXRC is the additional time of XRC, compared with RC, to find the process of a message: fitted to UCloud's
// measurement of 2 B (golden/sim_transports.txt, section 1).
const lookupXRC = 90 * units.Nanosecond

// service takes over the InfiniBand transport of the hosts.
func (b *builder) service() {
	switch cmp.Or(b.options.Transport, lossless(b.edges()[0].sw).Transport) {
	case "xrc":
		b.sc.Transport.Service = sim.XRC
	case "dc":
		t := &b.sc.Transport
		t.Service, t.Host.Connect, t.Host.Disconnect = sim.DC, sim.DCConnect, sim.DCDisconnect
		if o := b.options.DC; o != nil {
			h := &t.Host
			h.Connect, h.Disconnect, h.Linger, h.Busy, h.Targets = o.Connect, o.Disconnect, o.Linger, o.Busy, o.Targets
			return
		}
		b.note("assumed: each end of a DC connection takes %v to set it up, its initiator %v to take it down; targets have no limit", sim.DCConnect, sim.DCDisconnect)
	case "srd":
		t := &b.sc.Transport
		t.Selective, t.AckTimeout = true, srdTimeout
		b.note("SRD is simulated as packets over all paths without order, each acknowledged, with the class's congestion control: its own is not published. Assumed: one is lost after %v", srdTimeout)
	}
}

// srdTimeout is assumed: longer than the longest queue here takes to drain.
const srdTimeout = 10 * units.Millisecond

// nic returns the kind of the first host.
func (b *builder) nic() *plan.Host {
	edge := b.edges()[0]
	return b.plan.Host(edge.sw.Ports[edge.hosts[0]].Peer)
}

// balancing takes over how the first edge switch balances load.
func (b *builder) balancing() {
	mode := b.balancingMode()
	if b.sc.Transport.Selective && b.options.LoadBalancing == "" {
		mode = "spray"
	}
	b.sc.Transport.DirectPlacement = b.sc.Transport.Selective
	switch mode {
	case "spray":
		b.sc.Balancing.Mode, b.sc.Transport.DirectPlacement = balance.Spray, true
	case "adaptive":
		b.sc.Balancing.Mode, b.sc.Transport.DirectPlacement = balance.Adaptive, true
	case "flowlet":
		b.sc.Balancing.Mode = balance.Flowlet
		b.flowlets()
	case "letflow":
		b.sc.Balancing.Mode = balance.LetFlow
		b.flowlets()
	case "conweave":
		b.sc.Balancing = balance.Config{Mode: balance.ConWeave, ConWeave: conweave.Default()}
		b.note("ConWeave's times are those of its simulator for lossless leaf-spine fabrics at 100G (conweave-project/conweave-ns3, run.py)")
	case "cell":
		b.cells()
	case "global":
		b.sc.Balancing = balance.Config{Mode: balance.Global, SignalInterval: 100 * units.Microsecond}
		b.flowlets()
		b.note("switches signal the quality of their ports every %v, which is assumed: Juniper's Apstra 6.1 does so every 10 ms by default", b.sc.Balancing.SignalInterval)
	}
}

// flowlets says when a flow may take another way. Packets that overtake others then are sent again, and what is asked for
// only once, and comes out of order once more, is not asked for again: so hosts have a timer.
func (b *builder) flowlets() {
	b.sc.Transport.AckTimeout, b.sc.Transport.Retries = AckTimeout, Retries
	b.sc.Transport.DisorderNotice = true
	b.sc.Balancing.FlowletGap = b.flowletGap()
	if b.options.FlowletGap == 0 {
		b.note("assumed: a flow may take another way after %v of silence; no plan says it", b.flowletGap())
	}
	if b.congestionControl() == "dcqcn" {
		b.note("NICs answer a packet out of order by a CNP too, as ConWeave's authors saw of NVIDIA's (README of conweave-project/conweave-ns3)")
	}
	b.note("assumed: what a flow lacks that took another way is sent again after %v at the latest", AckTimeout)
}
