package fabric

import (
	"cmp"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// congestion chooses the congestion control of the first lossless class, which is that of all others that
// do not name another one.
func (b *builder) congestion() {
	all, t := b.control(b.congestionControl()), &b.sc.Transport
	b.sc.Congestion, t.Window, t.VariableWindow = all.Congestion, all.Window, all.VariableWindow
	others := b.otherControls()
	for _, name := range slices.Sorted(maps.Keys(others)) {
		own := b.control(name)
		for _, number := range others[name] {
			b.sc.Classes[number] = &own
		}
	}
}

// otherControls returns the congestion controls that lossless classes name other than the first one's,
// by name, with the classes, unless the scenario asks for one control of all.
func (b *builder) otherControls() map[string][]uint8 {
	others := map[string][]uint8{}
	sw := b.edges()[0].sw
	first := lossless(sw)
	for i := range sw.Classes {
		c := &sw.Classes[i]
		number := b.net.classes[c.Name]
		if b.options.CongestionControl == "" && c.Lossless && number != 0 && controlName(c) != controlName(first) {
			others[controlName(c)] = append(others[controlName(c)], number)
		}
	}
	return others
}

// control returns a congestion control by its name. Its constants are those of
// the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control, simulation/run.py), which
// scale with the rate of the hosts, unless a note says otherwise; those of DCQCN are the NIC's.
// The others' least rate is assumed:
// its 1 Gb/s, for hosts at 50G and more, would let 25 queue pairs fill a port of 25G for ever.
func (b *builder) control(name string) (cc sim.ClassControl) {
	rate := b.net.Hosts[0].Rate
	cc.MinRate = 100 * units.Mbps
	switch name {
	case "dcqcn":
		b.reaction(&cc.Congestion)
		b.notifications()
	case "timely":
		cc.Algorithm, cc.TIMELY = sim.UseTIMELY, timely(rate)
	case "timely_listing":
		cc.Algorithm, cc.TIMELY = sim.UseTIMELY, timelyListing(rate)
	case "timely_patched":
		cc.Algorithm, cc.TIMELY = sim.UseTIMELY, timelyPatched(rate)
	case "hpcc":
		cc.Algorithm = sim.UseHPCC
		cc.HPCC = sim.HPCC{TargetUtilization: 0.95, Additive: rate / 2500, FastReact: true, UnitScale: max(1, int(rate/(25*units.Gbps)))}
		cc.Window, cc.VariableWindow = sim.PathBDP, true
	case "dctcp":
		cc.Algorithm, cc.DCTCP = sim.UseDCTCP, sim.DCTCP{Gain: 1. / 16, Additive: 615 * units.Mbps}
		cc.Window, cc.VariableWindow = sim.PathBDP, true
	case "swift":
		c := swift(b.options.Swift)
		cc.Algorithm, cc.Swift = sim.UseSwift, c
		b.note("assumed: Swift with the constants of htsim, whose authors call them guesses, where none are given: targets of %v and %v per hop for the fabric, of %v for hosts", c.Base, c.PerHop, c.Endpoint)
	case "rttcc":
		cc.Algorithm = sim.UseRTTCC
		if b.options.RTTCC != nil {
			cc.RTTCC = *b.options.RTTCC
			b.note("assumed: the rule of RTT-based control, which NVIDIA does not publish; its constants are given")
			break
		}
		c := rttcc(rate)
		cc.RTTCC = c
		b.note("assumed: RTT-based control, whose rule and constants NVIDIA does not publish: a target of %v above the base RTT, once per round trip %v more or up to %.3g %% less", c.Target, c.Additive, 100*c.MaxDecrease)
	case "rtt_template":
		cc.Algorithm, cc.RTTTemplate, cc.MinRate = sim.UseRTTTemplate, rttTemplate(rate), max(1, rate>>14)
		b.note("RTT-based control as the example of NVIDIA's DOCA SDK has it, which is not what its NICs run from the factory: 13us on all paths, once per probe 5 %% of line rate more or 10 %% less")
	case "none", "":
	default:
		b.note("congestion control %q is not known to the simulator: hosts send at line rate", name)
	}
	return cc
}

// controlName returns a class's congestion control, "none" if it names none.
func controlName(c *plan.Class) string { return cmp.Or(c.CongestionControl, "none") }

// notifications makes CNPs packets of the class that the hosts' code point of CNPs maps to.
func (b *builder) notifications() {
	t := &b.sc.Transport
	t.CNPPackets, t.CNPClass = true, b.net.RDMA
	host := b.nic()
	if host == nil {
		b.note("assumed: CNPs travel in the class of the data, for no NIC says otherwise")
		return
	}
	if number := b.carrier(host.CNPDSCP); number != 0 {
		t.CNPClass = number
		return
	}
	b.note("assumed: CNPs travel in the class of the data, for no class carries DSCP %d", host.CNPDSCP)
}

// carrier returns the class of a code point; 0 if none carries it.
func (b *builder) carrier(dscp uint8) uint8 {
	for _, c := range b.edges()[0].sw.Classes {
		if number := b.net.classes[c.Name]; number != 0 && slices.Contains(c.DSCPs, dscp) {
			return number
		}
	}
	return 0
}

// acknowledgements gives them the class of the hosts' code point for them, or that of their
// data.
func (b *builder) acknowledgements() {
	t := &b.sc.Transport
	t.Acks = sim.AcksWithData
	host := b.nic()
	if host == nil || !host.AcksApart {
		return
	}
	if number := b.carrier(host.AckDSCP); number != 0 {
		t.Acks, t.AckClass = sim.AcksApart, number
		return
	}
	b.note("assumed: acknowledgements travel in the class of the data, for no class carries DSCP %d", host.AckDSCP)
}

func timely(rate units.BitRate) sim.TIMELY {
	return sim.TIMELY{
		Gain: 0.875, Beta: 0.8, Low: 50 * units.Microsecond, High: 500 * units.Microsecond,
		MinRTT: 20 * units.Microsecond, Additive: rate / 1000, Hyper: rate / 200,
	}
}

// timelyListing is TIMELY as its authors list it: see [sim.TIMELY]. Smoothing and what a hyper step is are the
// listing's (erpc-io/eRPC, src/cc/timely.h); thresholds, beta, the least round trip, segments of 16 kB and
// the step of 10 Mb/s at 10 Gb/s are the paper's (Mittal et al., SIGCOMM 2015, sections 5 and 6).
func timelyListing(rate units.BitRate) sim.TIMELY {
	t := timely(rate)
	t.Listing, t.Gain, t.Segment = true, 0.02, 16*units.KB
	return t
}

// timelyPatched has the law and the constants of Zhu et al., CoNEXT 2016, section 4.3: beta 0.008, and the step of 10
// Mb/s at 10 Gb/s with each 16 kB.
func timelyPatched(rate units.BitRate) sim.TIMELY {
	t := timely(rate)
	t.Patched, t.PatchedBeta, t.Segment = true, 0.008, 16*units.KB
	return t
}

// rttTemplate has the constants of NVIDIA's example (rtt_template_algo_params.h).
func rttTemplate(rate units.BitRate) sim.RTTTemplate {
	return sim.RTTTemplate{BaseRTT: 13 * units.Microsecond, MaxDelay: 150 * units.Microsecond, Additive: rate / 20, Cut: 0.1}
}

// swift returns the chosen settings and, for those that are not chosen, uet-htsim's (sim/swift.cpp): a base
// of 20 us, 1/6.55 of it per hop, five times it for small windows. That hosts have the same base is assumed.
func swift(chosen *Swift) sim.Swift {
	const base = 20 * units.Microsecond
	chosen = cmp.Or(chosen, &Swift{})
	own := cmp.Or(chosen.Target, base)
	return sim.Swift{
		Base: own, PerHop: cmp.Or(chosen.PerHop, base*100/655), Endpoint: cmp.Or(chosen.Endpoint, base),
		ScalingRange: 5 * own, ScalingMin: 0.1, ScalingMax: 100,
		Additive: 1, Beta: 0.8, MaxDecrease: 0.5, MinWindow: 0.01, MaxWindow: 1000,
	}
}

// rttcc is assumed: a queue of 20 us, with which two congested hops stay within UCloud's 40 us
// for nine in ten; TIMELY's steps and cut.
func rttcc(rate units.BitRate) sim.RTTCC {
	return sim.RTTCC{
		Target: 20 * units.Microsecond, Interval: 10 * units.Microsecond, Additive: rate / 1000,
		Beta: 0.8, MaxDecrease: 0.5, Gain: 0.5, Steepness: 0.5,
	}
}
