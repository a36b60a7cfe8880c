package papers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/hpcc"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

func is(v float64, unit string) Claim      { return Claim{v, Is, unit} }
func atLeast(v float64, unit string) Claim { return Claim{v, AtLeast, unit} }
func atMost(v float64, unit string) Claim  { return Claim{v, AtMost, unit} }

// sources returns the documents, in the order of the page.
func (s *study) sources() []Source {
	list := []Source{s.balancing(), s.conweave(), s.timely(), s.rtt(), s.swift(), s.transports()}
	list = append(list, s.nccl()...)
	list = append(list, s.kmin(), s.pod(), s.dcqcn())
	return append(list, s.hpcc()...)
}

// gain is by how much less the second of two runs has of a figure, in per cent.
func gain(of func(o *pattern.Outcome) float64, folder ...string) measure {
	return measure{folder, func(o []*pattern.Outcome) float64 { return 100 * (1 - of(o[1])/of(o[0])) }}
}

// times is how many times the first run's figure the second has.
func times(of func(o *pattern.Outcome) float64, runs ...string) measure {
	return measure{runs, func(o []*pattern.Outcome) float64 { return of(o[1]) / of(o[0]) }}
}

func slowdown(o *pattern.Outcome) float64    { return o.Completion.SlowdownMean }
func slowdownP99(o *pattern.Outcome) float64 { return o.Completion.SlowdownP99 }
func fct(o *pattern.Outcome) float64         { return o.Completion.FCTMean }
func latency(o *pattern.Outcome) float64     { return o.LatencyMax }

func (s *study) balancing() Source {
	const folder = "balancing"
	return Source{"Load balancing for RDMA: a survey of UCloud's", []Row{
		s.long(folder, "mean slowdown with flowlets after a gap of 10 us, as a multiple of ECMP's; hosts without congestion control", atLeast(1, " times"),
			times(slowdown, "uncontrolled-ecmp", "uncontrolled-letflow"), "pauses of PFC cause the gaps, and packets that take another path after a gap overtake paused ones"),
		s.row(folder, "the same; hosts with DCQCN", atLeast(1, " times"), times(slowdown, "storage-50-ecmp", "storage-50-letflow"),
			"a queue pair under DCQCN leaves gaps of 10 us only below 0.9 Gb/s, when it has few packets and the queue of a path is shorter than the gap. In the run a NIC also answers a packet out of order by a CNP, as ConWeave's authors observed. The survey names neither load nor hosts"),
		s.long(folder, "the same; flowlets that take the shortest queue", atLeast(1, " times"), times(slowdown, "storage-80-ecmp", "storage-80-flowlet"),
			"each message begins with a flowlet, which takes the shortest queue, unlike with ECMP"),
		s.long(folder, "mean slowdown with random flowlets at 80 % load, as a multiple of ECMP's; hosts with DCQCN", atLeast(1, " times"), times(slowdown, "storage-80-ecmp", "storage-80-letflow"), "as at 50 %: a queue pair leaves such gaps only where it is slow"),
		s.row(folder, "the same at 50 % load; flowlets that take the shortest queue", atLeast(1, " times"), times(slowdown, "storage-50-ecmp", "storage-50-flowlet"), "as at 80 %: the first packet of each message takes the shortest queue"),
		s.row(folder, "latency of a packet alone in a scheduled fabric, as a multiple of ECMP's", is(1.4, " times"), times(latency, "alone-ecmp", "alone-cell"),
			"a request and a credit cross the fabric before the packet. The run assumes a spine's latency for both. The result depends on the latencies of cables and switches, which the survey does not give"),
		s.row(folder, "ConWeave has a lower mean slowdown than ECMP", atMost(1, " times"), times(slowdown, "storage-50-ecmp", "storage-50-conweave"), ""),
		s.row(folder, "ConWeave has a lower mean slowdown than random flowlets", atMost(1, " times"), times(slowdown, "storage-50-letflow", "storage-50-conweave"), ""),
		s.long(folder, "ConWeave has a lower mean slowdown than flowlets that take the shortest queue", atMost(1, " times"), times(slowdown, "storage-80-flowlet", "storage-80-conweave"), ""),
		s.long(folder, "the same at 80 % load; ECMP", atMost(1, " times"), times(slowdown, "storage-80-ecmp", "storage-80-conweave"), ""),
		s.long(folder, "the same at 80 % load; random flowlets", atMost(1, " times"), times(slowdown, "storage-80-letflow", "storage-80-conweave"), ""),
		s.row(folder, "the same at 50 % load; flowlets that take the shortest queue", atMost(1, " times"), times(slowdown, "storage-50-flowlet", "storage-50-conweave"),
			"each message begins with the shortest queue there, while ConWeave leaves a path only once it is slow; the survey names no load"),
		s.row(folder, "pauses where eight hosts send to one and packets are sprayed: PFC acts at the last hop; hosts without congestion control", atLeast(1, " pauses"),
			measure{[]string{"last-hop"}, func(o []*pattern.Outcome) float64 { return float64(o[0].Pauses) }}, ""),
	}}
}

func (s *study) conweave() Source {
	const folder = "balancing"
	return Source{"ConWeave: Song et al., Network Load Balancing with In-network Reordering Support for RDMA, SIGCOMM 2023", []Row{
		s.long(folder, "largest improvement of the mean completion time (abstract); here over ECMP at 80 % load of the uplinks", is(42.3, " %"), gain(fct, "storage-80-ecmp", "storage-80-conweave"), ""),
		s.row(folder, "largest improvement of the 99th percentile (abstract); here of slowdowns, over ECMP at 50 % load", is(66.8, " %"), gain(slowdownP99, "storage-50-ecmp", "storage-50-conweave"), ""),
	}}
}

func (s *study) timely() Source {
	const folder = "timely"
	settled := func(o *pattern.Outcome) float64 { return o.Steady.LatencyMax }
	return Source{"TIMELY: Mittal et al., RTT-based Congestion Control for the Datacenter, SIGCOMM 2015", []Row{
		s.row(folder, "99th percentile of latency with PFC alone, as a multiple of TIMELY's (abstract)", is(9, " times"),
			measure{[]string{"incast-none", "incast-timely_listing"}, func(o []*pattern.Outcome) float64 { return o[0].LatencyP99 / settled(o[1]) }},
			"the paper measures RTTs of segments of 16 to 64 KB, which include the time that PFC holds a segment in its NIC; here are packets. With PFC alone a packet waits in the queue up to the threshold of the switch, which the abstract does not give: here alpha is 1/64. TIMELY's figure is the longest latency after its start"),
		s.row(folder, "throughput of the same run: near line rate (abstract)", atLeast(0.95, " of what the port carries"),
			measure{[]string{"incast-timely_listing"}, func(o []*pattern.Outcome) float64 { return o[0].Steady.Throughput }}, ""),
		s.row(folder, "99th percentile of latency of DCTCP in an optimized kernel, as a multiple of TIMELY's (abstract)", is(13, " times"),
			measure{[]string{"incast-dctcp", "incast-timely_listing"}, func(o []*pattern.Outcome) float64 { return o[0].LatencyP99 / settled(o[1]) }},
			"the simulator does not model the kernel, and its DCTCP is the HPCC simulator's, whose window alone keeps the queue of ten hosts below the curve"),
	}}
}

func (s *study) rtt() Source {
	const folder = "rtt"
	throughput := func(o *pattern.Outcome) float64 { return o.Throughput }
	longest := func(o *pattern.Outcome) float64 { return o.Completion.Blocks[0].Duration }
	return Source{"RTT-based control: NVIDIA, [Scaling Zero Touch RoCE Technology with Round Trip Time Congestion Control](https://developer.nvidia.com/blog/scaling-zero-touch-roce-technology-with-round-trip-time-congestion-control/), 2021", []Row{
		s.row(folder, "performs like RoCE with ECN: throughput of an incast of 8, as a multiple of DCQCN's", is(1, " times"), times(throughput, "incast-dcqcn", "incast-rttcc"),
			"NVIDIA publishes neither the rule nor its constants: both are assumed"),
		s.row(folder, "the same by the rule of the example in its DOCA SDK", is(1, " times"), times(throughput, "incast-dcqcn", "incast-rtt_template"),
			"80 ms of traffic: DCQCN with factory constants takes 30 ms to fill the port again; this rule fills it at once, with a queue that PFC limits"),
		s.row(folder, "better than DCQCN on AI workloads ([overview](https://docs.nvidia.com/networking/display/ztrrttcongestioncontrolalgorithmoverviewv10)): time of an all-to-all of 1 MB among 16 hosts, as a multiple of DCQCN's", atMost(1, " times"),
			times(longest, "all-to-all-dcqcn", "all-to-all-rttcc"), "the rule and its constants are assumed"),
		s.row(folder, "as good as DCQCN on storage workloads (overview): mean slowdown of reads of 64 KB at 50 % load, as a multiple of DCQCN's", is(1, " times"),
			times(slowdown, "storage-dcqcn", "storage-rttcc"), ""),
	}}
}

func (s *study) swift() Source {
	const folder = "swift"
	short := func(o *pattern.Outcome) float64 { return block(o, "short").FCTP99 }
	return Source{"Swift: Kumar et al., Delay is Simple and Effective for Congestion Control in the Datacenter, SIGCOMM 2020", []Row{
		s.row(folder, "99th percentile of short RPCs among long ones that fill ports of 100 Gb/s (abstract)", is(50, " us"),
			measure{[]string{"rpc-swift"}, func(o []*pattern.Outcome) float64 { return short(o[0]) }}, ""),
		s.row(folder, "DCTCP degrades latency at high utilization (abstract): its 99th percentile, as a multiple of Swift's", atLeast(1, " times"),
			measure{[]string{"rpc-swift", "rpc-dctcp"}, func(o []*pattern.Outcome) float64 { return short(o[1]) / short(o[0]) }},
			"DCTCP is the HPCC simulator's, with marks from 100 KB on, 8 us at 100 Gb/s, below Swift's target; nothing is lost here because of PFC. The abstract names neither hosts nor thresholds"),
		s.row(folder, "throughput of the same run: close to 100 % (abstract)", atLeast(0.95, " of the ports"),
			measure{[]string{"rpc-swift"}, func(o []*pattern.Outcome) float64 {
				long := block(o[0], "long")
				return float64(long.Bytes) * 8 / (4 * 100e3 * long.Duration) * (4096 + 62 + 20) / 4096 // four ports; headers, FCS, preamble and gap
			}}, ""),
	}}
}

// block returns the results of a block of traffic.
func block(o *pattern.Outcome, name string) *pattern.Block {
	for i := range o.Completion.Blocks {
		if b := &o.Completion.Blocks[i]; b.Name == name {
			return b
		}
	}
	panic(fmt.Sprintf("%s has no block %s", o.Pattern, name))
}

func (s *study) kmin() Source {
	const folder = "kmin"
	beyond := func(run string) measure {
		return measure{[]string{run}, func(outcomes []*pattern.Outcome) float64 {
			n := 0.
			for _, o := range outcomes {
				if o.PeakEgressQueue/1086*5 > 1400 {
					n++
				}
			}
			return 100 * n / float64(len(outcomes))
		}}
	}
	return Source{"UCloud's design: Kmin, of a flow of 25 Gb/s into 2,227,007 packets a second", []Row{
		s.row(folder, "runs beyond 1,400 cells with Kmin 1, by the queue as it is", atMost(0, " %"), beyond("at-once-1"), ""),
		s.row(folder, "runs beyond 1,400 cells with Kmin 1, if software reads the queue every 50 us and averages with a weight of a quarter", atMost(0, " %"), beyond("kmin-1"),
			"UCloud kept the defaults of its NICs, which it does not name; here are the constants of DCQCN's paper. Marks are random, so a run may reach 1,400 cells without one (golden/sim_polling.txt has the arithmetic); UCloud does not give its number of runs"),
		s.row(folder, "runs beyond 1,400 cells with Kmin 800, by the queue as it is", is(100, " %"), beyond("at-once-800"), "UCloud's switches mark by a queue that software polls, as in the next row"),
		s.row(folder, "runs beyond 1,400 cells with Kmin 800, polled in the same way", is(100, " %"), beyond("kmin-800"), ""),
	}}
}

func (s *study) pod() Source {
	const folder = "ucloud"
	return Source{"UCloud's design: delays", []Row{
		s.row(folder, "a CNP from rack to rack reaches the sender, while others fill its links", atMost(3, " us"), measure{[]string{"cnp"}, func(o []*pattern.Outcome) float64 {
			return o[0].Classes[1].MaxUS // after that of RDMA
		}}, "three switches of 600 ns, which is assumed, and 230 m of cable take 2.95 us, and each may have to end a frame of others first. The design does not name its cables or its chips' latency"),
		s.row(folder, "a hop without congestion; here a third of the way of a packet of 1 KB from rack to rack, over three switches", atMost(1, " us"), measure{[]string{"alone"}, func(o []*pattern.Outcome) float64 { return o[0].FlowResults[0].DeliveredUS / 3 }},
			"three switches of 600 ns, which is assumed, and 230 m of cable take 2.95 us, and the packet's bits 0.9 us on four links. The design does not name its cables or its chips' latency"),
	}}
}

func (s *study) dcqcn() Source {
	const folder = "dcqcn"
	rate := func(name string, runs ...string) measure {
		return measure{runs, func(outcomes []*pattern.Outcome) float64 {
			var all []float64
			for _, o := range outcomes {
				b := block(o, name) // of one message
				all = append(all, float64(b.Bytes)*8e-3/b.FCTMean)
			}
			slices.Sort(all)
			return all[len(all)/2]
		}}
	}
	return Source{"DCQCN: Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, sections 2.2 and 6.1 (these figures were not compared with the text of the paper)", []Row{
		s.row(folder, "figure 4: median of the victim, PFC alone, no sender in the third rack", is(10, " Gb/s"), rate("victim", "victim-pfc-0-1", "victim-pfc-0-2", "victim-pfc-0-3"), ""),
		s.row(folder, "the same with two senders in the third rack", is(4.5, " Gb/s"), rate("victim", "victim-pfc-2-1", "victim-pfc-2-2", "victim-pfc-2-3"),
			"the first 20 MB, and the median of three draws of the paths; the paper has more and longer runs"),
		s.row(folder, "the victim with DCQCN gets a fair share of its link", is(20, " Gb/s"), rate("victim", "victim-dcqcn-0-1", "victim-dcqcn-0-2", "victim-dcqcn-0-3"),
			"the mean of the first 20 MB, in which its hosts recover from the start at line rate; over 40 MB it is 19.8 Gb/s"),
		s.row(folder, "the victim with DCQCN and two more senders, as a multiple of that without", atLeast(1, " times"), measure{
			[]string{"victim-dcqcn-0-1", "victim-dcqcn-0-2", "victim-dcqcn-0-3", "victim-dcqcn-2-1", "victim-dcqcn-2-2", "victim-dcqcn-2-3"},
			func(o []*pattern.Outcome) float64 { return rate("victim").of(o[3:]) / rate("victim").of(o[:3]) }}, ""),
		s.row(folder, "figure 3: the sender next to the receiver gets more than a fourth of its port, PFC alone", atLeast(10, " Gb/s"), rate("near", "unfair-pfc-1", "unfair-pfc-2", "unfair-pfc-3"), ""),
		s.row(folder, "figure 3: with DCQCN it gets a fourth", is(10, " Gb/s"), rate("near", "unfair-dcqcn-1", "unfair-dcqcn-2", "unfair-dcqcn-3"), ""),
	}}
}

// hpcc returns a figure of the paper, and the HPCC simulator itself, recorded (internal/testing/oracle/figures/sim): an incast, and web
// search flows on a leaf and spine.
func (s *study) hpcc() []Source {
	s.t.Helper()
	var recorded []recording
	text, err := os.ReadFile(oracle.Figures(s.t, "sim/results.json"))
	if err == nil {
		err = json.Unmarshal(text, &recorded)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	out := Source{Title: recordings + ", ns-3.18 of alibaba-edu/High-Precision-Congestion-Control ([all recorded figures](../golden/sim_recorded.txt))"}
	workloads := map[string]struct{ prefix, what string }{
		"a_incast":      {"config", "32 hosts of 100 Gb/s send 5 MB to one"},
		"a2_incast32MB": {"deep", "the same with a buffer of 32 MiB"},
		"b_leafspine":   {"leafspine", "1,118 messages among 128 hosts of a leaf and spine"},
		"c1_one":        {"one", "100 MB over 25 Gb/s"},
		"c2_two":        {"two", "two of 100 MB into 25 Gb/s"},
	}
	ran := map[string][]sim.FlowResult{}
	for _, r := range recorded {
		w := workloads[r.Workload]
		config := "hpcc/" + w.prefix + "_" + r.CC + ".txt"
		result := s.replay(config)
		ran[w.prefix+r.CC] = result.Flows
		ours := figuresOf(result)
		for i, theirs := range r.figures() {
			out.Rows = append(out.Rows, Row{What: w.what + ": " + theirs.name + ", " + r.CC, Theirs: is(theirs.value, theirs.unit), Ours: ours[i], Run: "roceplan sim --ns3-times --hpcc internal/papers/" + config})
		}
	}
	hpcc := shortened(ran["leafspinehpcc"], ran["leafspinedcqcn"], ran["leafspinetimely"])
	return []Source{{"HPCC: Li et al., High Precision Congestion Control, SIGCOMM 2019", []Row{{
		What: "largest reduction of completion times against DCQCN and TIMELY (abstract); here of the 99th percentile of a twentieth of the messages, by size", Theirs: is(95, " %"), Ours: hpcc,
		Run: "roceplan sim --ns3-times --hpcc internal/papers/hpcc/leafspine_hpcc.txt",
	}}}, out}
}

// A recording is a run of the HPCC simulator.
type recording struct {
	Workload, CC string
	FCT          struct{ Mean, P50, P90, P99, Max float64 } `json:"fct_us"`
	Slowdown     struct{ Mean, P99 float64 }
	Pauses       float64 `json:"pfc_pauses"`
	Queue        float64 `json:"peak_egress_queue_bytes"`
	Headroom     float64 `json:"peak_headroom_bytes"`
	Marks        float64 `json:"ecn_marks"`
	Drops        float64
}

type named struct {
	name, unit string
	value      float64
}

// figures returns all that was recorded, but for the number of packets.
func (r *recording) figures() []named {
	return []named{
		{"mean completion time", " us", r.FCT.Mean}, {"median", " us", r.FCT.P50}, {"90th percentile", " us", r.FCT.P90}, {"99th percentile", " us", r.FCT.P99}, {"longest", " us", r.FCT.Max},
		{"mean slowdown", " times", r.Slowdown.Mean}, {"99th percentile of slowdown", " times", r.Slowdown.P99},
		{"pauses", "", r.Pauses}, {"longest queue", " B", r.Queue}, {"most headroom in use", " B", r.Headroom}, {"marks", "", r.Marks}, {"drops", "", r.Drops},
	}
}

// figuresOf returns the same figures of a run here.
func figuresOf(r *sim.Result) []float64 {
	var fct, slow []float64
	for _, f := range r.Flows {
		fct, slow = append(fct, f.FCTUS), append(slow, f.Slowdown)
	}
	slices.Sort(fct)
	slices.Sort(slow)
	n := len(fct)
	at := func(v []float64, percent int) float64 { return v[min(n-1, n*percent/100)] }
	mean := func(v []float64) (sum float64) {
		for _, x := range v {
			sum += x / float64(n)
		}
		return sum
	}
	return []float64{
		mean(fct), at(fct, 50), at(fct, 90), at(fct, 99), at(fct, 100), mean(slow), at(slow, 99),
		float64(r.PFCPauses), float64(r.PeakEgressQueue), float64(r.PeakHeadroom), float64(r.ECNMarks), float64(r.Drops),
	}
}

// replay runs a configuration of the HPCC simulator.
func (s *study) replay(config string) *sim.Result {
	s.t.Helper()
	in, err := hpcc.Read(config, sim.NS3Times)
	if err != nil || len(in.Found) > 0 {
		s.t.Fatal(config, err, in)
	}
	ran, err := hpcc.Simulate(s.t.Context(), in.Scenario, 1)
	if err != nil {
		s.t.Fatal(err)
	}
	return ran.Result
}

// shortened is by how much shorter than others' a run's completion times are, in per cent: the most of twenty groups of
// messages of like sizes, as HPCC's authors plot them, of the 99th percentile of each.
func shortened(own []sim.FlowResult, others ...[]sim.FlowResult) (most float64) {
	const groups = 20
	p99 := func(flows []sim.FlowResult) (list [groups]float64) {
		sorted := slices.Clone(flows)
		slices.SortFunc(sorted, func(a, b sim.FlowResult) int {
			return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Index, b.Index))
		})
		for g := range groups {
			var fct []float64
			for _, f := range sorted[len(sorted)*g/groups : len(sorted)*(g+1)/groups] {
				fct = append(fct, f.FCTUS)
			}
			slices.Sort(fct)
			list[g] = fct[len(fct)*99/100]
		}
		return list
	}
	mine := p99(own)
	for _, other := range others {
		for g, theirs := range p99(other) {
			most = max(most, 100*(1-mine[g]/theirs))
		}
	}
	return most
}

// transports are UCloud's twelve latencies, in us; sizes are taken as binary.
func (s *study) transports() Source {
	out := Source{Title: "Connected and dynamically connected transports: UCloud's measurement, until the receiving process has a message"}
	sizes := []string{"2B", "4KiB", "64KiB", "1MiB"}
	for _, service := range []struct {
		name   string
		theirs []float64
	}{
		{"rc", []float64{1.70, 3.18, 8.30, 86.58}},
		{"xrc", []float64{1.80, 3.22, 8.38, 86.73}},
		{"dc", []float64{4.84, 6.39, 11.99, 90.79}},
	} {
		for i, size := range sizes {
			reason := ""
			if service.name == "rc" && i == 0 {
				reason = "the times of hosts are fitted to it, and to RC's 4 KiB, XRC's 2 B and DC's rows: see internal/papers/transports"
			}
			out.Rows = append(out.Rows, s.row("transports", fmt.Sprintf("%s of %s", size, strings.ToUpper(service.name)), is(service.theirs[i], " us"),
				measure{[]string{"message-" + service.name + "-" + strings.ToLower(size)}, func(o []*pattern.Outcome) float64 { return o[0].FlowResults[0].DeliveredUS }}, reason))
		}
	}
	late := func(o *pattern.Outcome) float64 { return o.FlowResults[0].DeliveredUS }
	for i, theirs := range []float64{3.14, 3.21, 3.69, 4.21} {
		size, reason := strings.ToLower(sizes[i]), ""
		if i == len(sizes)-1 {
			reason = "here the connection takes the same time with every size; the difference of 0.8 us is 1 % of the time of the message"
		}
		out.Rows = append(out.Rows, s.row("transports", sizes[i]+": DC later than RC by", is(theirs, " us"),
			measure{[]string{"message-rc-" + size, "message-dc-" + size}, func(o []*pattern.Outcome) float64 { return late(o[1]) - late(o[0]) }}, reason))
	}
	return out
}

// A printed is a line of nccl-tests, out of place. Of sizes that are powers of four the page has all from 64 KiB to 1 GiB that a source prints.
type printed struct {
	run, what string
	theirs    Claim
	reason    string
}

// lines are times of all-reduces in us, from the smallest size on, which end with that of 1 GiB.
func lines(scenario string, what string, us []float64, reasons map[string]string) (list []printed) {
	sizes := []string{"64 KiB", "1 MiB", "4 MiB", "16 MiB", "64 MiB", "256 MiB", "1 GiB"}
	for i, size := range sizes[len(sizes)-len(us):] {
		list = append(list, printed{scenario + "-" + strings.ReplaceAll(size, " ", ""), size + what, is(us[i], " us"), reasons[size]})
	}
	return list
}

// nccl are all-reduces that others measured, by NCCL's published cost model.
func (s *study) nccl() []Source {
	const (
		a100  = "a tree by NCCL's model, with %d us on hosts without the latency that 8 B show. The source does not name the algorithm, the protocol or the version"
		pair  = "a tree with LL128 by NCCL's model, which has 0.92 of the network's rate for trees; these hosts had more"
		short = "a tree with LL128 by NCCL's model, with %d us; hosts took longer. The source does not name the algorithm or the protocol"
		near  = "a tree with NVLink SHARP by NCCL's model, with %d us before its steps follow each other; one with LL128, with %d us, would be nearer. The source does not name the algorithm or the protocol"
		ring  = "a ring with LL128 by NCCL's model, with %d us; hosts took %.1f us for each of 30 steps, which is as long as with Simple. The source does not name the protocol"
	)
	tests := "nccl-tests: all-reduce of %s, [%s](https://github.com/%s)"
	source := func(what, name, at string) string { return fmt.Sprintf(tests, what, name, at) }
	const issue, at = "NVIDIA/nccl-tests, issue 309", "NVIDIA/nccl-tests/issues/309"
	return []Source{
		s.printed(source("2 servers with 8 A100 and 16 ports of 100 Gb/s each", "README of oracle-quickstart/oci-hpc-oke", "oracle-quickstart/oci-hpc-oke"), "nccl-a100",
			lines("all-reduce", "", []float64{51.69, 85.58, 127.0, 282.7, 821.7, 3042.7, 9187.8}, map[string]string{
				"64 KiB": "step_latency of the hosts, 5.6 us, is calibrated by the line of 8 B in the same output, 36.5 us; all rows here are predicted with it. This one is " + fmt.Sprintf(a100, 35), "1 MiB": fmt.Sprintf(a100, 65), "4 MiB": fmt.Sprintf(a100, 99), "16 MiB": fmt.Sprintf(a100, 229), "256 MiB": fmt.Sprintf(a100, 2642),
				"1 GiB": "a tree with Simple, which NVLink limits: a bus bandwidth of 219 GB/s is more than ports of 200 GB/s carry in a ring",
			})),
		s.printed(source("2 servers with 8 A100 and 16 ports of 100 Gb/s each, NCCL 2.14.3", "guide to RDMA of oracle-quickstart/oci-hpc-oke", "oracle-quickstart/oci-hpc-oke/blob/main/docs/running-rdma-workloads-on-oke-h100.md"), "nccl-a100",
			append(lines("all-reduce", "", []float64{11774}, map[string]string{
				"1 GiB": "the model, of later versions, takes a tree; 171 GB/s of bus bandwidth are below what the ports carry in a ring",
			}), printed{"all-reduce-10GiB", "10 GiB", is(111812, " us"), "as with 1 GiB: 180 GB/s. NCCL has 12 GB/s for a NIC of 100 Gb/s (the speeds of src/graph/search.cc), 192 GB/s for 16 in a ring"})),
		s.printed(source("2 servers with one H100 each, trees over one port of 400 Gb/s", "NVIDIA/nccl-tests, issue 232", "NVIDIA/nccl-tests/issues/232"), "nccl-pair", []printed{
			{"all-reduce-2MiB", "2 MiB", is(113.2, " us"), ""}, {"all-reduce-4MiB", "4 MiB", is(154.4, " us"), ""}, {"all-reduce-8MiB", "8 MiB", is(231.4, " us"), ""},
			{"all-reduce-16MiB", "16 MiB", is(420.5, " us"), pair}, {"all-reduce-32MiB", "32 MiB", is(812.3, " us"), pair},
		}),
		s.printed(source("5 servers with 8 H100 and 4 ports of 400 Gb/s each", "NVIDIA/nccl, issue 1368", "NVIDIA/nccl/issues/1368"), "nccl-h100", []printed{
			{"all-reduce-ring-1mib", "1 MiB, ring", is(354.9, " us"), "hosts took 4.5 us for each of 78 steps, while NCCL's latencies with LL128 are 2.3 us in the mean; the source does not name the protocol"},
			{"all-reduce-ring-1gib", "bus bandwidth up to 1 GiB, ring", is(190, " GB/s"), ""},
			{"all-reduce-tree-1gib", "bus bandwidth up to 1 GiB, tree", is(150, " GB/s"), "NCCL has 0.85 of the rate for trees that come to and leave a server by one GPU, as it has them of H100"},
		}),
		s.printed(source("2 servers with 8 H100 and 8 ports of 400 Gb/s each, InfiniBand", issue, at), "nccl-h100x2",
			append(lines("all-reduce", "", []float64{33.84, 71.93, 94.38, 185.4, 466.1, 1282.8, 4484.9}, map[string]string{
				"1 MiB": fmt.Sprintf(short, 63), "4 MiB": fmt.Sprintf(near, 84, 90), "64 MiB": "it is assumed that the first step is scattered and gathered as fast as NVLink's switches add it up; without both it would be 404 us. The assumption was made with these rows in view",
			}), lines("ring", ", rings of other servers of the same kind", []float64{156.9, 178.1, 199.3, 433.8, 1355.9, 5236.2}, map[string]string{
				"1 MiB": fmt.Sprintf(ring, 82, 5.2), "4 MiB": fmt.Sprintf(ring, 102, 5.9), "64 MiB": "a ring with LL128 by NCCL's model, which has 36.7 GB/s for a channel; these hosts had 36.3 GB/s with all of their latency",
			})...)),
		s.printed(source("2 servers with 8 H100 and 8 ports of 400 Gb/s each, InfiniBand", "example nebius_infiniband of skypilot-org/skypilot", "skypilot-org/skypilot/tree/master/examples/nebius_infiniband"), "nccl-h100x2", lines("all-reduce", "", []float64{4523.3}, nil)),
		s.printed("NCCL 2.20.5 of PyTorch: all-reduce of 2 servers with 8 H100 and InfiniBand, not looked at before the model was complete, [README of drmysore/nebius-h100-16gpu-benchmark](https://github.com/drmysore/nebius-h100-16gpu-benchmark)", "nccl-h100x2", []printed{
			{"all-reduce-1MiB", "1 MB, by its bandwidth 1 MiB", is(88, " us"), "the time is a program's in Python, with the start of the operation"},
			{"all-reduce-10MiB", "10 MB, by its bandwidth 10 MiB", is(157, " us"), "the source does not give the rate of the ports: here 8 of 400 Gb/s"}, {"all-reduce-100MiB", "100 MB, by its bandwidth 100 MiB", is(647, " us"), ""}, {"all-reduce-1000MiB", "1 GB, by its bandwidth 1,000 MiB", is(4520, " us"), ""},
		}),
		s.printed(source("2 servers with 8 H200 of Oracle, 8 ports of 400 Gb/s each", "jobscript of argonne-lcf/oci-howto", "argonne-lcf/oci-howto"), "nccl-h100x2", lines("all-reduce", "", []float64{4396.8}, nil)),
		s.printed(source("4 servers with 8 H100 and 8 ports of 400 Gb/s each, InfiniBand", issue, at), "nccl-h100x4",
			lines("all-reduce", "", []float64{50.83, 82.17, 151.1, 259.6, 579.1, 1768.0, 5808.8}, map[string]string{
				"4 MiB": fmt.Sprintf(short, 119), "16 MiB": fmt.Sprintf(near, 198, 255),
			})),
		s.printed(source("8 servers with 8 H100 and 8 ports of 400 Gb/s each, InfiniBand", issue, at), "nccl-h100x8",
			lines("all-reduce", "", []float64{117.0, 203.8, 378.1, 718.1, 1955.1, 7370.5}, map[string]string{
				"4 MiB": fmt.Sprintf(short, 136), "16 MiB": "a tree with NVLink SHARP, whose first steps take longer here than in the source", "256 MiB": "by NCCL's model a server has 45.5 GB/s for each NIC in trees with NVLink SHARP; these servers had less, as with 1 GiB",
				"1 GiB": "with 24 channels and two queue pairs for each connection the same servers took 5640 us",
			})),
	}
}

func (s *study) printed(title, folder string, lines []printed) Source {
	out := Source{Title: title}
	for _, line := range lines {
		of := func(o []*pattern.Outcome) float64 {
			b := &o[0].Completion.Blocks[0]
			if line.theirs.Unit == " us" {
				return b.Duration
			}
			return b.BusBandwidth
		}
		out.Rows = append(out.Rows, s.row(folder, line.what, line.theirs, measure{[]string{line.run}, of}, line.reason))
	}
	return out
}
