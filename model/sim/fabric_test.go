package sim

import (
	"fmt"
	"math/rand/v2"

	"github.com/roceplan/roceplan/units"
)

// leafSpine is a fabric of leaves with hosts at 100G and spines at 200G, and no flows.
func leafSpine(leaves, hostsPerLeaf, spines int) *Scenario {
	hosts := leaves * hostsPerLeaf
	sc := &Scenario{
		Nodes: make([]Node, hosts+leaves+spines),
		Transport: Transport{
			Payload: 1000, AckInterval: 1, NackInterval: 500 * units.Microsecond,
		},
		Buffer: HPCCBuffer{
			Size: 32 * units.MiB, Reserve: 4 * units.KiB, ResumeOffset: 3 * units.KiB, AlphaShift: 3, HeadroomDelays: 3,
		},
		Seed: 1,
	}
	for node := hosts; node < len(sc.Nodes); node++ {
		sc.Nodes[node] = Switch
	}
	for host := range hosts {
		sc.link(host, hosts+host/hostsPerLeaf, 100*units.Gbps)
	}
	for leaf := range leaves {
		for spine := range spines {
			sc.link(hosts+leaf, hosts+leaves+spine, 200*units.Gbps)
		}
	}
	return sc
}

func (sc *Scenario) link(a, b int, rate units.BitRate) {
	sc.Links = append(sc.Links, Link{A: a, B: b, Rate: rate, Delay: units.Microsecond})
	for _, e := range sc.ECN {
		if e.Rate == rate {
			return
		}
	}
	sc.ECN = append(sc.ECN, ECN{Rate: rate, KMin: 100 * units.KB, KMax: 400 * units.KB, PMax: 0.2})
}

func (sc *Scenario) flow(src, dst int, size units.Bytes, start units.Time) {
	sc.Flows = append(sc.Flows, Flow{
		Src: src, Dst: dst, SrcPort: uint16(10000 + len(sc.Flows)), DstPort: 4791, Class: 3, Bytes: size, Start: start,
	})
}

// patterns are the ways in which flows are laid over the hosts.
var patterns = map[string]func(sc *Scenario, size units.Bytes){
	"incast": func(sc *Scenario, size units.Bytes) {
		for src := 1; src < sc.hostCount(); src++ {
			sc.flow(src, 0, size, 0)
		}
	},
	"permutation": func(sc *Scenario, size units.Bytes) {
		n := sc.hostCount()
		for src := range n {
			sc.flow(src, (src+n/2)%n, size, units.Time(src)*units.Nanosecond)
		}
	},
	"all-to-all": func(sc *Scenario, size units.Bytes) {
		n := sc.hostCount()
		for shift := 1; shift < n; shift++ {
			for src := range n {
				sc.flow(src, (src+shift)%n, size/units.Bytes(n)+1, 0)
			}
		}
	},
	"mixed sizes": func(sc *Scenario, size units.Bytes) {
		r := rand.New(rand.NewPCG(1, 2))
		n := sc.hostCount()
		for i := range 4 * n {
			dst := r.IntN(n)
			src := (dst + 1 + r.IntN(n-1)) % n
			sc.flow(src, dst, 1+units.Bytes(r.Int64N(int64(size))), units.Time(i)*units.Microsecond)
		}
	},
}

// controls are all congestion controls with the parameters of the HPCC simulator's
// presets at 100 Gb/s.
var controls = map[string]func(sc *Scenario){
	"none": func(sc *Scenario) { sc.ECN = nil },
	"dcqcn": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseDCQCN
		sc.Congestion.DCQCN = DCQCN{
			Gain: 1.0 / 256, AlphaInterval: units.Microsecond, DecreaseInterval: 4 * units.Microsecond,
			IncreaseInterval: 300 * units.Microsecond, FastRecovery: 1, Additive: 20 * units.Mbps, Hyper: 200 * units.Mbps,
		}
	},
	"dcqcn, paper": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseDCQCN
		sc.Transport.CNPInterval = 50 * units.Microsecond
		sc.Congestion.DCQCN = DCQCN{
			Gain: 1.0 / 256, AlphaInterval: 55 * units.Microsecond, DecreaseInterval: 50 * units.Microsecond,
			IncreaseInterval: 55 * units.Microsecond, ByteCounter: 10 * units.MB, FastRecovery: 5,
			Additive: 40 * units.Mbps, Hyper: 200 * units.Mbps, ClampTarget: true,
		}
	},
	"timely, patched": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseTIMELY
		sc.Congestion.TIMELY = TIMELY{
			Gain: 0.875, Beta: 0.8, Low: 50 * units.Microsecond, High: 500 * units.Microsecond,
			MinRTT: 20 * units.Microsecond, Additive: 10 * units.Mbps, Hyper: 50 * units.Mbps,
			Segment: 16 * units.KB, Patched: true, PatchedBeta: 0.008,
		}
	},
	// Swift with the numbers of htsim, whose file calls them guesses.
	"swift": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseSwift
		sc.Congestion.Swift = Swift{
			Base: 20 * units.Microsecond, PerHop: 3 * units.Microsecond, ScalingRange: 100 * units.Microsecond,
			ScalingMin: 0.1, ScalingMax: 100, Additive: 1, Beta: 0.8, MaxDecrease: 0.5,
			MinWindow: 0.01, MaxWindow: 1000,
		}
	},
	"rttcc": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseRTTCC
		sc.Congestion.RTTCC = RTTCC{
			Target: 20 * units.Microsecond, Interval: 10 * units.Microsecond, Additive: 100 * units.Mbps,
			Beta: 0.8, MaxDecrease: 0.5, Gain: 0.5, Steepness: 0.5,
		}
	},
	"rtt template": func(sc *Scenario) {
		sc.Congestion.Algorithm, sc.Congestion.MinRate = UseRTTTemplate, 100*units.Gbps>>14
		sc.Congestion.RTTTemplate = RTTTemplate{
			BaseRTT: 13 * units.Microsecond, MaxDelay: 150 * units.Microsecond, Additive: 5 * units.Gbps, Cut: 0.1,
		}
	},
	"timely, listing": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseTIMELY
		sc.Congestion.TIMELY = TIMELY{
			Gain: 0.02, Beta: 0.8, Low: 50 * units.Microsecond, High: 500 * units.Microsecond,
			MinRTT: 20 * units.Microsecond, Additive: 100 * units.Mbps, Hyper: 500 * units.Mbps,
			Segment: 16 * units.KB, Listing: true,
		}
	},
	"timely": func(sc *Scenario) {
		sc.Congestion.Algorithm = UseTIMELY
		sc.Congestion.TIMELY = TIMELY{
			Gain: 0.875, Beta: 0.8, Low: 50 * units.Microsecond, High: 500 * units.Microsecond,
			MinRTT: 20 * units.Microsecond, Additive: 100 * units.Mbps, Hyper: 500 * units.Mbps,
		}
	},
	"hpcc": func(sc *Scenario) {
		sc.Transport.Window, sc.Transport.VariableWindow = LargestBDP, true
		sc.Congestion.Algorithm = UseHPCC
		sc.Congestion.HPCC = HPCC{TargetUtilization: 0.95, Additive: 40 * units.Mbps, FastReact: true, UnitScale: 4}
	},
	"dctcp": func(sc *Scenario) {
		sc.Transport.Window, sc.Transport.VariableWindow = LargestBDP, true
		sc.Congestion.Algorithm = UseDCTCP
		sc.Congestion.DCTCP = DCTCP{Gain: 1.0 / 16, Additive: 615 * units.Mbps}
	},
}

// scenario lays a pattern and a congestion control over a fabric.
func scenario(sc *Scenario, pattern, control string, size units.Bytes) *Scenario {
	sc.Congestion.MinRate = 100 * units.Mbps
	controls[control](sc)
	patterns[pattern](sc, size)
	return sc
}

func name(pattern, control string) string { return fmt.Sprintf("%s/%s", pattern, control) }
