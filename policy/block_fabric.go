package policy

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// maxFrame is the largest frame that switch silicon of this field is configured for.
const (
	minFrame = 64 * units.Byte
	maxFrame = 9416 * units.Byte
)

// UsualMTU is that of a fabric which says none: the usual jumbo frame, and the most that
// SONiC's port table takes.
const UsualMTU = 9216 * units.Byte

// frameKind is a frame with header and FCS.
func frameKind() kind[units.Bytes] { return between(bytesKind(), minFrame, maxFrame) }

var fabricBlock = &block[Fabric]{
	example: fabricExample,
	name:    "fabric", labels: []string{"NAME"},
	doc: "What holds for the whole fabric. There is exactly one.",
	fields: []field[Fabric]{
		optDefault("mtu", frameKind(), func(f *Fabric) *Opt[units.Bytes] { return &f.MTU }, UsualMTU,
			"largest frame of any class, with header and FCS; SONiC takes at most 9216B"),
		opt("lossless_frame", frameKind(), func(f *Fabric) *Opt[units.Bytes] { return &f.LosslessFrame },
			"largest frame of a lossless class").otherwise("`mtu`"),
		optDefault("purpose", oneOf("training", "storage", "requests", "mixed"), func(f *Fabric) *Opt[string] { return &f.Purpose }, "mixed",
			"whose completion marking is chosen for: collective operations, reads of blocks, short messages, or all of these and long messages alike"),
		opt("expected_delay", timeKind(), func(f *Fabric) *Opt[units.Time] { return &f.ExpectedDelay },
			"longest delay of one queue below which nothing is marked; bounds Kmin").otherwise("what the path leaves a queue of `usual_latency`"),
		opt("tolerable_delay", timeKind(), func(f *Fabric) *Opt[units.Time] { return &f.TolerableDelay },
			"delay of one queue above which everything is marked; bounds Kmax").otherwise("what the path leaves a queue of `max_latency`"),
		opt("isolation", whole(1, 512), func(f *Fabric) *Opt[int] { return &f.Isolation },
			"priority groups of a switch that may be stuck at once and still leave a further one its share; pulls alpha to 1/√n").otherwise("as many as can send to one port, or as the buffer has room for"),
		opt("xoff_time", between(timeKind(), units.Microsecond, units.Second), func(f *Fabric) *Opt[units.Time] { return &f.XOFFTime },
			"longest that a port sends at line rate into a full queue before it is paused; pulls alpha down").otherwise("1ms; 5ms for storage and training"),
		marginField(),
		opt("headroom_sharing", sharingKind(), func(f *Fabric) *Opt[Sharing] { return &f.HeadroomSharing },
			"how far the pool of headroom may be smaller than one in which all groups have room at once: by a ratio, or so that it holds so many priority groups paused at once").
			otherwise("every group owns its headroom"),
		opt("headroom_method", textKind("a method", "xgs"), func(f *Fabric) *Opt[string] { return &f.HeadroomMethod },
			"formula of the headroom").otherwise("worst-case, and at least what the chip's vendor gives"),
		opt("headroom_table", textKind("text of a pg_profile_lookup.ini", "…"), func(f *Fabric) *Opt[string] { return &f.HeadroomTable },
			"for headroom_method = \"table\"; usually file(…)"),
		optDefault("headroom_interpolate", boolKind(), func(f *Fabric) *Opt[bool] { return &f.HeadroomInterpolate }, false,
			"whether the table may be read between its rows"),
		optDefault("running", boolKind(), func(f *Fabric) *Opt[bool] { return &f.Running }, false,
			"whether the fabric has the values with which its switches run. An inequality that they break is a warning then, as of a pinned value: what runs is not refused. `roceplan import` writes it where it has to"),
		opt("small_packets", shareKind(), func(f *Fabric) *Opt[units.Ratio] { return &f.SmallPackets },
			"share of packets of minimum size after a pause, the others being of the largest; with it every method but a table counts this mix instead of the worst one"),
		optDefault("load_balancing", oneOf("ecmp", "flowlet", "spray", "adaptive", "global", "conweave", "cell"),
			func(f *Fabric) *Opt[string] { return &f.LoadBalancing }, "ecmp", "how flows spread over equal paths"),
		opt("routing", oneOf("shortest_paths", "valley_free"), func(f *Fabric) *Opt[string] { return &f.Routing },
			"which ways packets take, for the search for deadlocks: all shortest paths there are after a failure, as OSPF and IS-IS do, or none that goes up again after it went down, as eBGP does where the upper switches of a tier share an AS (RFC 7938 5.2.1)").
			otherwise("all shortest paths; that links wait for each other after a failure is then a warning"),
	},
	nested: []nested[Fabric]{
		inner(targetsBlock, true, func(d *decoder, f *Fabric, b *hclsyntax.Block) {
			targetsBlock.decode(d, b.Body, b.TypeRange, &f.Targets)
		}),
		inner(incastBlock, false, decodeIncast),
	},
}

var targetsBlock = &block[Targets]{
	name: "targets", doc: "The goals that the fabric is judged by.",
	fields: []field[Targets]{
		optDefault("throughput", shareKind(), func(t *Targets) *Opt[units.Ratio] { return &t.Throughput }, 95*units.Percent,
			"of a server's line rate that must be reached"),
		optDefault("pauses_per_second", whole[int64](0, 1_000_000), func(t *Targets) *Opt[int64] { return &t.PausesPerSecond }, 5,
			"PFC frames per second and port, 99 % of the time"),
		optDefault("max_latency", timeKind(), func(t *Targets) *Opt[units.Time] { return &t.MaxLatency }, 80*units.Microsecond,
			"end to end, always; no goal by default where the purpose is storage or training"),
		optDefault("usual_latency", timeKind(), func(t *Targets) *Opt[units.Time] { return &t.UsualLatency }, 40*units.Microsecond,
			"end to end, of nine packets in ten; as a target of the fabric, in 90 % of the scenarios; no goal by default where the purpose is storage or training"),
		opt("slowdown", multipleKind(), func(t *Targets) *Opt[Multiple] { return &t.Slowdown },
			"completion times of messages, in the mean of a whole run: at most so many times what each takes alone").otherwise("no goal"),
		optDefault("slowdown_p99", multipleKind(), func(t *Targets) *Opt[Multiple] { return &t.SlowdownP99 }, 100*once,
			"the same of 99 % of the messages; the default is assumed: a message of 1MB then takes up to 8 ms at 100Gbps"),
		optDefault("steps", multipleKind(), func(t *Targets) *Opt[Multiple] { return &t.Steps }, 5*once,
			"times of collective operations and traces: at most so many times the least that links, hosts and what waits for what leave; the default is assumed"),
	},
}

// incast is what an incast block says before it becomes a FanIn.
type incast struct{ from, to Opt[int] }

var incastBlock = &block[incast]{
	name: "incast", doc: "A pattern N→M of ports that send at once, to hold beside the worst N→1 of each switch. May be repeated.",
	fields: []field[incast]{
		opt("from", whole(1, 65536), func(i *incast) *Opt[int] { return &i.from }, "ports that send").must(),
		opt("to", whole(1, 65536), func(i *incast) *Opt[int] { return &i.to }, "ports that they send to").must(),
	},
}

func decodeIncast(d *decoder, f *Fabric, b *hclsyntax.Block) {
	var i incast
	incastBlock.decode(d, b.Body, b.TypeRange, &i)
	if i.from.Set && i.to.Set {
		f.FanIn = append(f.FanIn, FanIn{i.from.Value, i.to.Value, b.DefRange()})
	}
}

// sharingKind is a ratio N:1, or a number of groups.
func sharingKind() kind[Sharing] {
	const words = "a ratio, `\"2:1\"`, or a number of groups, `\"12 groups\"`"
	return scalar(words, func(v cty.Value) (Sharing, *problem) {
		if v.Type() != cty.String {
			return Sharing{}, wrongType(v, "a ratio or a number of groups in quotes", `"2:1"`)
		}
		text := strings.TrimSpace(v.AsString())
		ratio, isRatio := strings.CutSuffix(text, ":1")
		groups, isGroups := strings.CutSuffix(text, " groups")
		var sharing Sharing
		switch {
		case isRatio:
			sharing.Ratio, _ = strconv.ParseInt(ratio, 10, 16)
			if sharing.Ratio >= 1 && sharing.Ratio <= 64 {
				return sharing, nil
			}
		case isGroups:
			sharing.Groups, _ = strconv.Atoi(groups)
			if sharing.Groups >= 1 && sharing.Groups <= 8192 {
				return sharing, nil
			}
		}
		return Sharing{}, problemf(OutOfRange, "%q is neither a ratio from 1:1 to 64:1 nor 1 to 8192 groups", clip(text)).fixf(`write it like "2:1" or "12 groups"`)
	})
}

func marginField() field[Fabric] {
	f := custom("headroom_margin", "a share, `\"5%\"`, an amount, `\"10KiB\"`, or a list of both",
		"added to computed headroom, as a step of its own", setMargin)
	f.absent = func(f *Fabric, at diag.Range) { f.HeadroomMargin.Range, f.HeadroomMarginBytes.Range = at, at }
	return f
}

// setMargin reads a share, an amount, or a list of both: the unit says which.
func setMargin(d *decoder, f *Fabric, expr hclsyntax.Expression) bool {
	parts := []hclsyntax.Expression{expr}
	if tuple, ok := expr.(*hclsyntax.TupleConsExpr); ok {
		parts = tuple.Exprs
	}
	for _, part := range parts {
		v, ok := d.eval(part)
		if !ok || v.IsNull() {
			return false
		}
		if v.Type() == cty.String && strings.HasSuffix(strings.TrimSpace(v.AsString()), "B") {
			opt("headroom_margin", bytesKind(), func(f *Fabric) *Opt[units.Bytes] { return &f.HeadroomMarginBytes }, "").set(d, f, part)
			continue
		}
		opt("headroom_margin", shareKind(), func(f *Fabric) *Opt[units.Ratio] { return &f.HeadroomMargin }, "").set(d, f, part)
	}
	return true
}

const fabricExample = `
fabric "pod1" {
  mtu             = "9216B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
  headroom_margin = "5%"

  targets {
    max_latency = "80us"
  }
  incast {
    from = 4
    to   = 8
  }
}
`
