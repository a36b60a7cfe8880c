package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// scenarioTime is long enough for DCQCN to settle at 100G and more.
const scenarioTime = 2 * units.Millisecond

// scenarioDecl is a scenario while hosts, classes and sizes are still names.
type scenarioDecl struct {
	*Scenario
	hosts Opt[[]string]
}

var scenarioBlock = newScenarioBlock()

func newScenarioBlock() *block[scenarioDecl] {
	k := &block[scenarioDecl]{
		example: scenarioExample,
		name:    "scenario", labels: []string{"NAME"},
		doc: "Traffic that `roceplan sim` and `roceplan tune` send through the fabric, with its events and goals. " +
			"Blocks of traffic and events may be repeated and run at the same time. `roceplan sim --list` lists the scenarios of the library, which use the same language; " +
			"a scenario of the fabric replaces one with the same name.",
		fields: []field[scenarioDecl]{
			forEachField[scenarioDecl](),
			countField[scenarioDecl](),
			opt("doc", textKind("a text", "backup at night"), func(s *scenarioDecl) *Opt[string] { return &s.Doc }, "description"),
			opt("hosts", patternsKind(), func(s *scenarioDecl) *Opt[[]string] { return &s.hosts },
				"hosts that take part: switches, or ports as SWITCH:PORT, one or a list, `\"leaf-[1..2]:Ethernet[0..3]\"`").
				otherwise("a part of the fabric that is small enough for a run"),
			optDefault("time", between(timeKind(), units.Microsecond, maxScenarioTime), func(s *scenarioDecl) *Opt[units.Time] { return &s.Time }, scenarioTime,
				"time in which messages begin; a run ends when all are done"),
			optDefault("seeds", whole(1, 1000), func(s *scenarioDecl) *Opt[int] { return &s.Seeds }, 1, "number of runs, with seeds 1, 2, …"),
			opt("load_balancing", oneOf("ecmp", "flowlet", "letflow", "spray", "adaptive", "global", "conweave", "cell"),
				func(s *scenarioDecl) *Opt[string] { return &s.LoadBalancing }, "how flows spread over equal paths; with `letflow` a flowlet takes a random path, with `flowlet` the one with the shortest queue").otherwise("the fabric's"),
			opt("flowlet_gap", between(timeKind(), units.Nanosecond, units.Second), func(s *scenarioDecl) *Opt[units.Time] { return &s.FlowletGap },
				"silence after which a flow may take another path, for `load_balancing = flowlet` or `letflow`").otherwise("100us, assumed"),
			opt("congestion_control", oneOf(congestionControls()...),
				func(s *scenarioDecl) *Opt[string] { return &s.CongestionControl },
				"congestion control of hosts in the lossless class. `dcqcn` has the constants of the NIC. `timely`, `hpcc` and `dctcp` are those of the HPCC simulator; `timely_listing` follows its authors' listing, `timely_patched` the law of Zhu et al., CoNEXT 2016. "+
					"`swift` has htsim's constants, with a delay of the fabric and one of hosts. `rttcc` probes and has an assumed rule; `rtt_template` probes and has the rule of the example in NVIDIA's DOCA SDK").otherwise("the class's"),
			opt("transport", oneOf("rc", "xrc", "dc", "srd"), func(s *scenarioDecl) *Opt[string] { return &s.Transport },
				"transport of the lossless class: one of InfiniBand, or unordered packets over all paths, as in AWS's SRD").otherwise("the class's"),
			optDefault("ecn_by_part", boolKind(), func(s *scenarioDecl) *Opt[bool] { return &s.ECNByPart }, false,
				"whether a chip with a divided buffer compares the bytes of a queue in each part with the curve. With n parts, marks then begin between Kmin and n times Kmin. "+
					"OpenBCM keeps averages and thresholds of Tomahawk, 2 and 3 by part; the behaviour of the queues is not published. With `polled_ecn` the whole queue counts"),
			opt("processes", whole(1, 1024), func(s *scenarioDecl) *Opt[int] { return &s.Processes },
				"processes of each host, which send and receive in turn. Messages between two processes share a queue pair; with `xrc` all messages from a process to a host share one, "+
					"with `dc` all messages of an initiator. Collectives and traces have separate queue pairs, as NCCL has one or more for each connection (src/transport/net_ib.cc)").otherwise("one for each message; with a block `dc` 1"),
		},
		nested: []nested[scenarioDecl]{
			inner(goalsBlock, true, func(d *decoder, s *scenarioDecl, b *hclsyntax.Block) {
				goalsBlock.decode(d, b.Body, b.TypeRange, &s.Goals)
				if s.Goals.UsualLatency.Set && s.Goals.MaxLatency.Set {
					checkGoals(d, &s.Goals)
				}
			}),
			single(dcBlock, func(s *scenarioDecl) **DC { return &s.DC }),
			single(memoryBlock, func(s *scenarioDecl) **Memory { return &s.Memory }),
			single(swiftBlock, func(s *scenarioDecl) **Swift { return &s.Swift }),
			single(rttccBlock, func(s *scenarioDecl) **RTTCC { return &s.RTTCC }),
			single(polledECNBlock, func(s *scenarioDecl) **PolledECN { return &s.PolledECN }),
		},
	}
	for _, of := range trafficBlocks {
		k.nested = append(k.nested, inner(of, false, func(d *decoder, s *scenarioDecl, b *hclsyntax.Block) { s.decodeTraffic(d, of, b) }))
	}
	for _, of := range eventBlocks {
		k.nested = append(k.nested, inner(of, false, func(d *decoder, s *scenarioDecl, b *hclsyntax.Block) {
			for in := range d.instances(b) {
				e := Event{Kind: of.name, Range: b.TypeRange}
				of.decode(in.decoder, b.Body, b.TypeRange, &e)
				s.Events = append(s.Events, e)
			}
		}))
	}
	return k
}

// goalsBlock has the attributes of targets; those that are left out are the fabric's.
var goalsBlock = &block[Targets]{
	name: "goals", doc: "Goals of this scenario, instead of the fabric's targets.",
	fields: withoutDefaults(targetsBlock.fields),
}

// congestionControls returns the words for what hosts run.
func congestionControls() []string {
	return []string{"dcqcn", "timely", "timely_listing", "timely_patched", "hpcc", "swift", "rttcc", "rtt_template", "dctcp", "none"}
}

// memoryBlock gives what hosts take for their memory.
var memoryBlock = &block[Memory]{
	name: "memory", doc: "Time in which a host reads a message from memory before it sends it, and writes it after it has arrived. `send_latency` and `receive_latency` of the NIC are added. " +
		"Without the block, memory takes no time. With 115Gbps, 240ns and 220B the simulator reproduces UCloud's measured latencies (docs/reproduce.md).",
	fields: []field[Memory]{
		opt("rate", rateKind(), func(m *Memory) *Opt[units.BitRate] { return &m.Rate }, "rate at which the host reads and writes packets, one after the other; at least that of the fastest link").must(),
		optDefault("fetch", between(timeKind(), 0, units.Millisecond), func(m *Memory) *Opt[units.Time] { return &m.Fetch }, 0, "time until the first byte of a message comes that is not `inline`"),
		optDefault("inline", between(bytesKind(), 0, 64*units.KiB), func(m *Memory) *Opt[units.Bytes] { return &m.Inline }, 0, "largest message that goes to the NIC with its request"),
	},
}

// swiftBlock gives targets of Swift.
var swiftBlock = &block[Swift]{
	name: "swift", doc: "Targets for `congestion_control = swift`. The endpoint's delay is the time that a packet and its acknowledgement wait in the NIC of a slow host " +
		"(`slow_receiver`); the fabric's delay is the rest of the round trip. Each has a window, and the smaller window counts (Kumar et al., SIGCOMM 2020, section 3). " +
		"Defaults are htsim's, whose authors call them a guess; htsim has one delay.",
	fields: []field[Swift]{
		optDefault("target", between(instantKind(), units.Nanosecond, units.Second), func(s *Swift) *Opt[units.Time] { return &s.Target }, 20*units.Microsecond, "target of the fabric's delay, without the parts for hops and small windows"),
		opt("per_hop", instantKind(), func(s *Swift) *Opt[units.Time] { return &s.PerHop }, "increase of the target for each switch on the path").otherwise("20us / 6.55"),
		opt("endpoint_target", between(instantKind(), units.Nanosecond, units.Second), func(s *Swift) *Opt[units.Time] { return &s.Endpoint }, "target of the endpoint's delay").otherwise("20us, assumed"),
	},
}

// rttccBlock gives the constants that NVIDIA does not publish.
var rttccBlock = &block[RTTCC]{
	name: "rttcc", doc: "Constants for `congestion_control = rttcc`, NVIDIA's control by round-trip times. NVIDIA publishes neither its rule nor its constants. " +
		"Each queue pair has one probe under way. On each answer below the target, the rate grows by `additive`. On each answer above it, the rate falls by `beta` × excess / round trip + `steepness` × slope / round trip, at most by `max_decrease`.",
	fields: []field[RTTCC]{
		opt("target", instantKind(), func(r *RTTCC) *Opt[units.Time] { return &r.Target }, "target above the round trip of an empty path").must(),
		optDefault("interval", instantKind(), func(r *RTTCC) *Opt[units.Time] { return &r.Interval }, 0, "least time between two probes"),
		opt("additive", rateKind(), func(r *RTTCC) *Opt[units.BitRate] { return &r.Additive }, "growth of the rate for each answer").must(),
		opt("beta", shareKind(), func(r *RTTCC) *Opt[units.Ratio] { return &r.Beta }, "weight of the excess").must(),
		opt("max_decrease", shareKind(), func(r *RTTCC) *Opt[units.Ratio] { return &r.MaxDecrease }, "largest cut").must(),
		optDefault("gain", shareKind(), func(r *RTTCC) *Opt[units.Ratio] { return &r.Gain }, units.One, "weight of the last round trip in the slope"),
		optDefault("steepness", shareKind(), func(r *RTTCC) *Opt[units.Ratio] { return &r.Steepness }, 0, "weight of the slope"),
	},
}

// Defaults of the dc block. Setting up is fitted to UCloud's measurements (golden/sim_transports.txt); taking down and what
// one who was refused waits are assumed. UCX had 8 initiators for long and has 32 in its newest version (openucx/ucx,
// NUM_DCI in src/uct/ib/dc/dc_mlx5.c and src/uct/ib/mlx5/dc/dc_mlx5.c).
const (
	dcInitiators = 8
	dcConnect    = 1550 * units.Nanosecond
	dcBusy       = 10 * units.Microsecond
)

// dcBlock gives what bounds dynamically connected transports.
var dcBlock = &block[DC]{
	name: "dc", doc: "Limits and times of hosts for `transport = dc`. An initiator asks the target for a connection, sends when both have set up their half, " +
		"and disconnects before it serves another destination. Defaults are UCX's, fitted to UCloud's measurement, or assumed.",
	fields: []field[DC]{
		optDefault("initiators", whole(1, 1024), func(c *DC) *Opt[int] { return &c.Initiators }, dcInitiators, "initiators of each process, which take its messages in turn: UCX's `NUM_DCI`"),
		opt("targets", whole(1, 1<<20), func(c *DC) *Opt[int] { return &c.Targets }, "initiators that may be connected to a host at a time; it refuses further ones").otherwise("any number"),
		optDefault("connect", between(timeKind(), 0, units.Millisecond), func(c *DC) *Opt[units.Time] { return &c.Connect }, dcConnect, "time in which each end sets up its half"),
		optDefault("disconnect", between(timeKind(), 0, units.Millisecond), func(c *DC) *Opt[units.Time] { return &c.Disconnect }, dcConnect,
			"time before an initiator can serve another destination; the default is assumed"),
		optDefault("linger", between(timeKind(), 0, units.Millisecond), func(c *DC) *Opt[units.Time] { return &c.Linger }, 0, "lifetime of a connection with nothing to send; the default is assumed"),
		optDefault("busy", between(timeKind(), units.Nanosecond, units.Second), func(c *DC) *Opt[units.Time] { return &c.Busy }, dcBusy,
			"time after which a refused initiator tries again; the default is assumed"),
	},
}

// polledECNBlock gives the constants of a switch whose software polls its queues.
var polledECNBlock = &block[PolledECN]{
	name: "polled_ecn", doc: "Switches mark by a queue length that their software polls and averages, as UCloud reports for Broadcom's SDK. " +
		"In each period the average moves by `weight` × (length − average). Neither figure is published; 50us and 25% reproduce UCloud's experiment.",
	fields: []field[PolledECN]{
		opt("period", between(timeKind(), units.Microsecond, units.Second), func(p *PolledECN) *Opt[units.Time] { return &p.Period }, "time between two readings of a queue").must(),
		optDefault("weight", shareKind(), func(p *PolledECN) *Opt[units.Ratio] { return &p.Weight }, units.One, "weight of the last reading in the average"),
	},
}

func withoutDefaults(fields []field[Targets]) []field[Targets] {
	out := slices.Clone(fields)
	for i := range out {
		own := *out[i].anyField
		own.fallback, own.absent = "the fabric's", nil
		out[i].anyField = &own
	}
	return out
}

func (s *scenarioDecl) decodeTraffic(d *decoder, of *block[Traffic], b *hclsyntax.Block) {
	for in := range d.instances(b) {
		t := Traffic{Kind: of.name, Range: b.TypeRange}
		of.decode(in.decoder, b.Body, b.TypeRange, &t)
		if t.Every.Set && t.Kind != "flow" && t.Message.missing(b.TypeRange) {
			in.errorf(AttributeMissing, t.Every.Range, "every needs message: messages that fill the time of the scenario cannot come again").
				Fixf(`add message = "64KB", or remove every`)
		}
		if t.Kind == "poisson" {
			t.checkSizes(in.decoder)
		}
		if t.Path.Set {
			if p := liesBelow(in.root, t.Path.Value); p != nil {
				in.errorf(p.code, t.Path.Range, "path: %s", p.message).Repaired(p.repair)
				t.Path.Set = false
			}
		}
		s.Traffic = append(s.Traffic, t)
	}
}

// checkSizes demands that messages have one size, or one distribution of them.
func (t *Traffic) checkSizes(d *decoder) {
	switch {
	case t.sizes.Set && t.Message.Set:
		d.errorf(SizesTwice, t.Message.Range, "poisson has both sizes and message").Fixf("keep one of them").Notef(t.sizes.Range, "sizes is here")
	case t.sizes.missing(t.Range) && t.Message.missing(t.Range):
		d.errorf(AttributeMissing, t.Range, "poisson needs sizes or message: how large its messages are").Fixf(`add sizes = sizes.websearch, or message = "64KB"`)
	}
}

// decodeScenarios reads the scenario blocks. Their hosts are looked up by checkScenarios.
func decodeScenarios(d *decoder, blocks []*hclsyntax.Block, sizes []*Sizes) []*scenarioDecl {
	var out []*scenarioDecl
	first := map[string]*Scenario{}
	for _, b := range blocks {
		for in := range d.instances(b) {
			s := &scenarioDecl{Scenario: &Scenario{Name: b.Labels[0], Range: labelRange(b)}}
			if key := in.defaultName(b.Labels[0]); b.Body.Attributes["for_each"] != nil {
				s.Name += "-" + key
			} else {
				s.Name = key
			}
			scenarioBlock.decode(in.decoder, b.Body, s.Range, s)
			if p := safeName(s.Name); p != nil {
				in.errorf(p.code, s.Range, "scenario: %q is not a name", clip(s.Name)).
					Fixf("begin with a letter or digit and use letters, digits, '.', '_' and '-' only")
			}
			if before := first[s.Name]; before != nil {
				in.errorf(DuplicateName, s.Range, "there are two scenarios %q", clip(s.Name)).Fixf("rename one").Notef(before.Range, "the first is here")
				continue
			}
			first[s.Name] = s.Scenario
			s.resolveSizes(sizes)
			s.checkTimes(in.decoder)
			out = append(out, s)
		}
	}
	stable.Sort(out, func(a, b *scenarioDecl) int { return natural.Compare(a.Name, b.Name) })
	return out
}

func (s *scenarioDecl) resolveSizes(sizes []*Sizes) {
	for i := range s.Traffic {
		t := &s.Traffic[i]
		if k := slices.IndexFunc(sizes, func(z *Sizes) bool { return t.sizes.Set && z.Name == t.sizes.Value.name }); k >= 0 {
			t.Sizes = sizes[k]
		}
	}
}

// checkTimes demands that everything begins within the time of the scenario, and ends
// after it began.
func (s *scenarioDecl) checkTimes(d *decoder) {
	late := func(attr string, at Opt[units.Time]) {
		if at.Value >= s.Time.Value && at.Set && s.Time.Value > 0 {
			d.errorf(OutOfRange, at.Range, "%s: %v is not within the time of the scenario, %v", attr, at.Value, s.Time.Value).
				Fixf("write a time below %v, or a longer time", s.Time.Value).Notef(s.Time.Range, "the time of the scenario is said here")
		}
	}
	for i := range s.Traffic {
		late("start", s.Traffic[i].Start)
	}
	for i := range s.Events {
		e := &s.Events[i]
		late("at", e.At)
		if e.Until.Set && e.Until.Value <= e.At.Value {
			d.errorf(OutOfRange, e.Until.Range, "until: %v is not after %v, when it begins", e.Until.Value, e.At.Value).
				Fixf("write a time above %v", e.At.Value).Notef(e.At.Range, "at is said here")
		}
	}
	if len(s.Traffic) == 0 {
		d.errorf(ScenarioEmpty, s.Range, "scenario %s sends nothing", s.Name).Fixf("add a block such as incast { senders = 8 }")
	}
	s.checkProcesses(d)
}

// checkProcesses warns of processes none of whose messages share a queue pair.
func (s *scenarioDecl) checkProcesses(d *decoder) {
	own := []string{"ring_all_reduce", "tree_all_reduce", "collective", "trace"}
	if !s.Processes.Set || len(s.Traffic) == 0 || slices.ContainsFunc(s.Traffic, func(t Traffic) bool { return !slices.Contains(own, t.Kind) }) {
		return
	}
	d.diags.Warnf(ProcessesUnused, s.Processes.Range, "processes: nothing of scenario %s shares queue pairs, for collectives and traces keep their own", s.Name).
		Fixf("remove the line, or add traffic such as all_to_all or permutation")
}

const scenarioExample = `
scenario "backup-beside-incast" {
  doc  = "a slow disk behind one host while others send bursts to it"
  time = "1ms"

  incast {
    senders = 4
    message = "64KB"
    every   = "100us"
  }
  poisson {
    class = lossy
    sizes = sizes.objects
    load  = "20%"
  }
  flow {
    src     = "tor-01:Ethernet0"
    dst     = "tor-02:Ethernet0"
    message = "1MB"
  }
  slow_receiver {
    host  = "tor-02:Ethernet0"
    rate  = "10Gbps"
    at    = "200us"
    until = "400us"
  }
  goals {
    max_latency = "200us"
  }
}

scenario "fan-in" {
  for_each = toset([2, 4])
  hosts    = "tor-[01..02]"

  incast {
    senders = tonumber(each.key)
  }
}
`
