package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// flowletsAreRare counts the packets that leave a host after a silence of its queue pair, and
// so begin a flowlet.
func flowletsAreRare(r *statements) {
	r.section("Gaps between flowlets are rare in RDMA traffic", `A NIC paces each queue pair in hardware, packet by packet, so a queue pair that sends at a rate
leaves gaps of a packet at that rate: 10 us only below 0.84 Gb/s, and 84 us at the least rate
here, 100 Mb/s, to which DCQCN falls at the start of an incast. So gaps that are longer than a
round trip mark nothing but a message's start or a queue pair in distress. TCP with segmentation
offload sends bursts and waits for acknowledgements (Vanini et al., "Let It Flow", NSDI 2017,
section 2; Song et al., "Network Load Balancing with In-network Reordering Support for RDMA",
SIGCOMM 2023, section 2, with measurements of both). Share of the packets that begin a
flowlet, in percent. "across": each host sends 2 MB to a host of the next leaf, by ECMP.
"incast": 24 hosts send 1 MB each to one. The bursts are 64 KB at line rate, each 50 us, which
are 10 Gb/s: a stand-in for TCP, not a model of it.
A message's first packet counts: 0.05 % of 2 MB, 0.1 % of 1 MB.`,
		"                                     gap of 10 us      gap of 50 us     gap of 100 us")
	across := r.row("across, DCQCN", func(seed int) []float64 {
		sc := statementFabric(seed, "dcqcn", balance.Config{})
		sc.across(2*units.MB, 1)
		return r.flowletShares(sc.draw())
	})
	incast := r.row("incast, DCQCN", func(seed int) []float64 {
		sc := statementFabric(seed, "dcqcn", balance.Config{})
		for src := hostsPerLeaf; src < statementHosts; src++ {
			sc.flow(src, 0, units.MB, 0)
		}
		return r.flowletShares(sc.draw())
	})
	bursts := r.row("across, bursts of 64 KB", func(seed int) []float64 {
		sc := statementFabric(seed, "none", balance.Config{})
		for i := range 16 {
			for src := range statementHosts {
				sc.flow(src, (src+hostsPerLeaf)%statementHosts, 64*units.KB, units.Time(i)*50*units.Microsecond)
				sc.Flows[len(sc.Flows)-1].QueuePair = 1
			}
		}
		return r.flowletShares(sc.draw())
	})
	r.must(across[0].mean < bursts[0].mean/4, "flowlets across %v, in bursts %v", across[0], bursts[0])
	r.must(across[2].mean < 0.051 && incast[2].mean < 0.101, "flowlets beside the first: across %v, incast %v", across[2], incast[2])
}

// flowletShares runs a scenario and returns the percentage of data packets that begin a
// flowlet for each gap. A queue pair's first packet begins one.
func (r *statements) flowletShares(sc *Scenario) []float64 {
	gaps := []int64{int64(10 * units.Microsecond), int64(50 * units.Microsecond), int64(100 * units.Microsecond)}
	var next, last []int64
	counts, packets := make([]float64, len(gaps)), 0.
	r.observe(sc, 1, func(s *engine) {
		if next == nil {
			next, last = make([]int64, len(s.flows)), make([]int64, len(s.flows))
			for i := range last {
				last[i] = -int64(units.Second)
			}
		}
		for i := range s.flows {
			if s.flows[i].next <= next[i] {
				continue
			}
			for g, gap := range gaps {
				if s.now-last[i] > gap {
					counts[g]++
				}
			}
			packets++
			next[i], last[i] = s.flows[i].next, s.now
		}
	})
	for g := range counts {
		counts[g] *= 100 / packets
	}
	return counts
}

// sprayLeavesIncast looks at the queues of each tier while 8 hosts of other leaves send to
// one, which the spines could carry.
func sprayLeavesIncast(r *statements) {
	r.section("Spraying leaves the incast at the last hop", `Every uplink carries a share of every flow, so their queues stay short. All shares meet again
at the port to the receiver, where no choice of ways is left: PFC or congestion control has to
act there; PFC then carries the queue back to the spines (Dixit et al., "On the Impact of Packet Spraying in Data Center Networks", INFOCOM
2013, balances the paths; Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
SIGCOMM 2015, is about the port that is left). 8 hosts of 3 leaves send 2 MB each to one, which
the spines could carry; longest queues of any port in kB, looked at every 64 events.`,
		"                                  leaf to spine     spine to leaf      leaf to host            pauses")
	rows := map[string][]figure{}
	for _, control := range []string{"none", "dcqcn"} {
		for _, b := range []struct {
			name string
			way  balance.Config
		}{{"ECMP", balance.Config{}}, {"spray", balance.Config{Mode: balance.Spray}}, {"adaptive", balance.Config{Mode: balance.Adaptive}}} {
			name := fmt.Sprintf("%s, %s", b.name, control)
			rows[name] = r.row(name, func(seed int) []float64 {
				sc := statementFabric(seed, control, b.way)
				for i := range 8 {
					sc.flow(hostsPerLeaf+3*i, 0, 2*units.MB, 0)
				}
				var queues [3]float64
				_, result := r.observe(sc.draw(), 64, longest(&queues))
				return []float64{queues[toSpine] / 1e3, queues[toLeaf] / 1e3, queues[toHost] / 1e3, float64(result.PFCPauses)}
			})
		}
	}
	ecmp, spray, slowed := rows["ECMP, none"], rows["spray, none"], rows["spray, dcqcn"]
	r.must(spray[toSpine].mean < spray[toHost].mean/20, "spray: queues %v", spray)
	r.must(spray[toHost].mean > 0.9*ecmp[toHost].mean && spray[3].mean > 0, "last hop: ECMP %v, spray %v", ecmp, spray)
	r.must(slowed[toLeaf].mean < slowed[toHost].mean/20, "spray with DCQCN: queues %v", slowed)
	r.must(slowed[3].mean < spray[3].mean/2, "pauses of spray: without control %v, with DCQCN %v", spray[3], slowed[3])
}

// ecmpCollides sends from every host across the spines, over more and more queue pairs.
func ecmpCollides(r *statements) {
	r.section("ECMP collides, adaptive routing does not", `A hash puts flows on uplinks as balls in bins: the fullest of 16 uplinks gets more than its
share as long as flows are few. More queue pairs between two hosts are more balls (Gangidi et
al., "RDMA over Ethernet for Distributed Training at Meta Scale", SIGCOMM 2024, section 4, calls
it QP scaling). Routing by the local queues needs no entropy. Each host sends 4 MB to a host of
the next leaf without congestion control. Throughput is all bytes on the wire, with the
acknowledgements, over the time until the last of them and over the hosts' rate, in percent; the
fullest uplink's bytes are over the mean.`,
		"                                     throughput    fullest uplink            pauses")
	run := func(name string, b balance.Config, pairs int) []figure {
		return r.row(name, func(seed int) []float64 {
			sc := statementFabric(seed, "none", b)
			sc.across(4*units.MB, pairs)
			s, result := r.observe(sc.draw(), 1<<20, func(*engine) {})
			var sum, most float64
			for i := range s.ports {
				if tier(s, int32(i)) == toSpine {
					sum += float64(s.ports[i].sent)
					most = max(most, float64(s.ports[i].sent))
				}
			}
			const wire = 4e6 * (1.048 + 0.060) * 8 / 100e3 // us at line rate
			return []float64{100 * wire / lastByte(result), most / (sum / (statementLeaves * statementSpines)), float64(result.PFCPauses)}
		})
	}
	one := run("ECMP, 1 queue pair", balance.Config{}, 1)
	run("ECMP, 4 queue pairs", balance.Config{}, 4)
	many := run("ECMP, 16 queue pairs", balance.Config{}, 16)
	run("spray, 1 queue pair", balance.Config{Mode: balance.Spray}, 1)
	adaptive := run("adaptive, 1 queue pair", balance.Config{Mode: balance.Adaptive}, 1)
	r.must(one[0].mean < 60 && adaptive[0].mean > 93, "throughput: ECMP %v, adaptive %v", one[0], adaptive[0])
	r.must(one[1].mean > 1.5 && adaptive[1].mean < 1.02, "fullest uplink: ECMP %v, adaptive %v", one[1], adaptive[1])
	r.must(many[0].mean > 1.2*one[0].mean && many[1].mean < one[1].mean, "16 queue pairs %v, one %v", many, one)
	r.must(adaptive[2].mean == 0, "pauses with adaptive routing: %v", adaptive[2])
}

// disorderCosts sprays packets over spines with unequal queues, to receivers with and without
// direct placement.
func disorderCosts(r *statements) {
	r.section("What comes out of order costs go-back-N, unless the NIC places it", `A sprayed packet that overtakes another is, to a receiver of go-back-N, one after a loss: it
drops it and asks for the expected one, and the sender sends all from there on again (InfiniBand
Architecture Specification 1.4 volume 1, section 9.7.5.1; Mittal et al., "Revisiting Network
Support for RDMA", SIGCOMM 2018, section 2). A NIC that writes each packet to its place in memory
needs no order. Each host sends 1 MB to a host of the next leaf without congestion control; sent
is what the hosts sent over what they had to, slowdown that of the slowest flow.`,
		"                                   out of order              sent          slowdown")
	run := func(name string, b balance.Config, direct bool) []figure {
		return r.row(name, func(seed int) []float64 {
			sc := statementFabric(seed, "none", b)
			sc.Transport.DirectPlacement = direct
			sc.across(units.MB, 1)
			s, result := r.observe(sc.draw(), 1<<20, func(*engine) {})
			sent := 0.
			for i := range s.ports {
				if tier(s, int32(i)) == fromHost {
					sent += float64(s.ports[i].sent)
				}
			}
			acks := 60. * 1000 * statementHosts
			return []float64{float64(result.OutOfOrder), (sent - acks) / (1.048e6 * statementHosts), slowest(result)}
		})
	}
	ordered := run("ECMP, go-back-N", balance.Config{}, false)
	costly := run("spray, go-back-N", balance.Config{Mode: balance.Spray}, false)
	placed := run("spray, direct placement", balance.Config{Mode: balance.Spray}, true)
	r.must(ordered[0].mean == 0 && placed[0].mean > 0, "out of order: ECMP %v, spray %v", ordered[0], placed[0])
	r.must(costly[1].mean > 2 && placed[1].mean < 1.01, "sent: go-back-N %v, placed %v", costly[1], placed[1])
	r.must(costly[2].mean > 3*placed[2].mean, "slowest: go-back-N %v, placed %v", costly[2], placed[2])
}
