package sim

import (
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// controlsUnderIncast looks at the queue, the shares and the pauses of an incast that lasts.
func controlsUnderIncast(r *statements) {
	r.section("TIMELY and DCQCN under incast", `DCQCN's marks tell all queue pairs of one queue, so it has one point of rest, where they have
equal rates; TIMELY's gradient is zero at any queue and any rates, so it rests wherever it comes
to, unless it is patched to look at the delay itself (Zhu et al., "ECN or Delay: Lessons Learnt
from Analysis of DCQCN and TIMELY", CoNEXT 2016, sections 3 to 5). 16 hosts send to one for 20
ms, the second half of which counts; they start one after the other, 50 us apart. Queue in kB of
the port to the receiver; fairness is Jain's index of the hosts' bytes; throughput in percent of
the port. Pauses are those of the whole time: all hosts start at line rate. TIMELY here has a
step of 100 Mb/s and, patched, the 10 Mb/s of its paper, with which hosts have not come back to
the port's rate after 20 ms.`,
		"                                     mean queue     longest queue          fairness        throughput            pauses")
	rows := map[string][]figure{}
	for _, control := range []string{"none", "dcqcn", "dcqcn, paper", "timely", "timely, patched"} {
		rows[control] = r.row(control, func(seed int) []float64 {
			sc := statementFabric(seed, control, balance.Config{Mode: balance.Adaptive})
			for i := range 16 {
				sc.flow(hostsPerLeaf+i, 0, 250*units.MB, units.Time(50*i)*units.Microsecond)
			}
			sc.Stop = 20 * units.Millisecond
			return r.incast(sc.draw())
		})
	}
	none, dcqcn, timely, patched := rows["none"], rows["dcqcn"], rows["timely"], rows["timely, patched"]
	r.must(dcqcn[0].mean < timely[0].mean/10 && timely[0].mean < none[0].mean, "queues: none %v, DCQCN %v, TIMELY %v", none[0], dcqcn[0], timely[0])
	r.must(dcqcn[3].mean > 95 && dcqcn[3].mean > timely[3].mean, "throughput: DCQCN %v, TIMELY %v", dcqcn[3], timely[3])
	r.must(dcqcn[2].mean > timely[2].mean+2*timely[2].sd, "fairness: DCQCN %v, TIMELY %v", dcqcn[2], timely[2])
	r.must(patched[2].mean > timely[2].mean, "fairness: TIMELY patched %v, not %v", patched[2], timely[2])
	r.must(dcqcn[4].mean < timely[4].mean/10 && timely[4].mean < none[4].mean, "pauses: none %v, DCQCN %v, TIMELY %v", none[4], dcqcn[4], timely[4])
}

// incast measures the second half of a run.
func (r *statements) incast(sc *Scenario) []float64 {
	half := int64(sc.Stop) / 2
	var sum, looks, most float64
	var before []int64
	s, result := r.observe(sc, 64, func(s *engine) {
		last := s.ports[1].backlog // the leaf's port to host 0
		most = max(most, float64(last))
		if s.now < half {
			return
		}
		if before == nil {
			for i := range s.flows {
				before = append(before, s.flows[i].acked)
			}
		}
		sum += float64(last)
		looks++
	})
	var total, squares float64
	for i := range s.flows {
		bytes := float64(s.flows[i].acked - before[i])
		total += bytes
		squares += bytes * bytes
	}
	throughput := total * 1.048 * 8e12 / float64(half) / 100e9
	return []float64{sum / looks / 1e3, most / 1e3, total * total / squares / float64(len(s.flows)), 100 * throughput, float64(result.PFCPauses)}
}

// pausesSpread lets an incast without congestion control go on beside a flow that shares no
// port with it but the ways of its pauses.
func pausesSpread(r *statements) {
	r.section("PFC spreads where there is no congestion control", `The receiver's leaf fills and pauses the spines, they fill and pause the other leaves, and these
pause their hosts: PFC stops a port and class, not a flow (Guo et al., "RDMA over Commodity
Ethernet at Scale", SIGCOMM 2016, section 2; Zhu et al., SIGCOMM 2015, section 2.2, call the
flow that suffers the victim). 22 hosts of leaves 2 and 3 and 4 send 4 MB each to a host of leaf
1. The victim is a host of leaf 2 that sends 4 MB to a host of leaf 3, beside them. Paused is
how many ports were, looked at every 16 events: of leaves by spines, of hosts by leaves.`,
		"                                  spines paused     leaves paused      hosts paused  victim's Gb/s")
	run := func(name, control string, incast bool) []figure {
		return r.row(name, func(seed int) []float64 {
			sc := statementFabric(seed, control, balance.Config{})
			sc.flow(hostsPerLeaf, 2*hostsPerLeaf, 4*units.MB, 0)
			for src := hostsPerLeaf + 1; incast && src < statementHosts; src++ {
				if src != 2*hostsPerLeaf {
					sc.flow(src, 0, 4*units.MB, 0)
				}
			}
			var paused [4]map[int]bool
			for i := range paused {
				paused[i] = map[int]bool{}
			}
			_, result := r.observe(sc.draw(), 16, func(s *engine) {
				for i := range s.ports {
					if s.ports[i].paused != 0 {
						paused[tier(s, int32(i))][i] = true
					}
				}
			})
			rate := 4e6 * 8 / result.Flows[0].FCTUS / 1e3
			return []float64{float64(len(paused[toLeaf])), float64(len(paused[toSpine])), float64(len(paused[fromHost])), rate}
		})
	}
	alone := run("victim alone", "none", false)
	none := run("no congestion control", "none", true)
	dcqcn := run("DCQCN", "dcqcn", true)
	r.must(none[0].mean > 3.9 && none[1].mean >= 8 && none[2].mean > 22, "paused: %v", none[:3])
	r.must(none[3].mean < alone[3].mean/3, "victim: alone %v, beside the incast %v", alone[3], none[3])
	r.must(dcqcn[3].mean > 2*none[3].mean, "victim: DCQCN %v, none %v", dcqcn[3], none[3])
}
