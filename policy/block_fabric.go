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

// UsualMTU is the MTU of a fabric that gives none: the usual jumbo frame.
const UsualMTU = 9216 * units.Byte

// sonicMTU is the largest frame that SONiC's port table can say: an mtu of 9216 (sonic-port.yang), which leaves out 22 bytes
// of header, VLAN tag and FCS (sonic-swss orchagent/portsorch.cpp, setPortMtu).
const sonicMTU = (9216 + 22) * units.Byte

// frameKind returns a frame with header and FCS.
func frameKind() kind[units.Bytes] { return between(bytesKind(), minFrame, maxFrame) }

var fabricBlock = &block[Fabric]{
	example: fabricExample,
	name:    "fabric", labels: []string{"NAME"},
	doc: "Settings of the whole fabric. There is exactly one block.",
	fields: []field[Fabric]{
		optDefault("mtu", frameKind(), func(f *Fabric) *Opt[units.Bytes] { return &f.MTU }, UsualMTU,
			"largest frame of any class, with header and FCS; SONiC takes at most 9238B"),
		opt("lossless_frame", frameKind(), func(f *Fabric) *Opt[units.Bytes] { return &f.LosslessFrame },
			"largest frame of a lossless class").otherwise("`mtu`"),
		optDefault("purpose", oneOf("training", "storage", "requests", "mixed"), func(f *Fabric) *Opt[string] { return &f.Purpose }, "mixed",
			"traffic whose completion time the marking curve serves: collective operations, reads of blocks, short messages, or a mix"),
		opt("expected_delay", timeKind(), func(f *Fabric) *Opt[units.Time] { return &f.ExpectedDelay },
			"longest delay of one queue without marks; bounds Kmin").otherwise("the part of `usual_latency` that the path leaves for one queue"),
		opt("tolerable_delay", timeKind(), func(f *Fabric) *Opt[units.Time] { return &f.TolerableDelay },
			"delay of one queue above which every packet is marked; bounds Kmax").otherwise("the part of `max_latency` that the path leaves for one queue"),
		opt("isolation", whole(1, 512), func(f *Fabric) *Opt[int] { return &f.Isolation },
			"number of stuck priority groups that still leave a further one its share; lowers alpha to 1/√n").otherwise("the groups that can send to one port, or that fit the buffer"),
		opt("xoff_time", between(timeKind(), units.Microsecond, units.Second), func(f *Fabric) *Opt[units.Time] { return &f.XOFFTime },
			"longest time in which a port sends at line rate into a full queue before it is paused; lowers alpha").otherwise("1ms; 5ms for storage and training"),
		marginField(),
		opt("headroom_sharing", sharingKind(), func(f *Fabric) *Opt[Sharing] { return &f.HeadroomSharing },
			"size of the headroom pool: the sum of all groups divided by a ratio, or room for that many paused priority groups at once").
			otherwise("every group owns its headroom"),
		opt("headroom_method", textKind("a method", "xgs"), func(f *Fabric) *Opt[string] { return &f.HeadroomMethod },
			"formula of the headroom").otherwise("worst-case, and at least the figure of the chip's vendor"),
		opt("headroom_table", textKind("text of a pg_profile_lookup.ini", "…"), func(f *Fabric) *Opt[string] { return &f.HeadroomTable },
			"table for `headroom_method = \"table\"`; usually `file(…)`"),
		optDefault("headroom_interpolate", boolKind(), func(f *Fabric) *Opt[bool] { return &f.HeadroomInterpolate }, false,
			"whether headroom may be interpolated between rows of the table"),
		optDefault("running", boolKind(), func(f *Fabric) *Opt[bool] { return &f.Running }, false,
			"whether the fabric holds the values that its switches run. An inequality that they break is then a warning, as for a pinned value. `roceplan import` writes this attribute if it must"),
		opt("small_packets", shareKind(), func(f *Fabric) *Opt[units.Ratio] { return &f.SmallPackets },
			"share of minimum-size packets after a pause; all others have the largest size. Every method but a table then counts this mix instead of the worst one"),
		optDefault("load_balancing", oneOf("ecmp", "flowlet", "spray", "adaptive", "global", "conweave", "cell"),
			func(f *Fabric) *Opt[string] { return &f.LoadBalancing }, "ecmp", "how flows spread over equal paths"),
		opt("routing", oneOf("shortest_paths", "valley_free"), func(f *Fabric) *Opt[string] { return &f.Routing },
			"paths that the search for deadlocks assumes. `shortest_paths`: all shortest paths after a failure, as OSPF and IS-IS take. `valley_free`: no path goes up after it went down, as eBGP does if the upper switches of a tier share an AS (RFC 7938 5.2.1)").
			otherwise("all shortest paths; a deadlock after a failure is then a warning"),
	},
	nested: []nested[Fabric]{
		inner(targetsBlock, true, func(d *decoder, f *Fabric, b *hclsyntax.Block) {
			targetsBlock.decode(d, b.Body, b.TypeRange, &f.Targets)
		}),
		inner(incastBlock, false, decodeIncast),
	},
}

var targetsBlock = &block[Targets]{
	name: "targets", doc: "Goals of the fabric.",
	fields: []field[Targets]{
		optDefault("throughput", shareKind(), func(t *Targets) *Opt[units.Ratio] { return &t.Throughput }, 95*units.Percent,
			"least share of a server's line rate"),
		optDefault("pauses_per_second", whole[int64](0, 1_000_000), func(t *Targets) *Opt[int64] { return &t.PausesPerSecond }, 5,
			"most PFC frames per second and port, in 99 % of the time"),
		optDefault("max_latency", timeKind(), func(t *Targets) *Opt[units.Time] { return &t.MaxLatency }, 80*units.Microsecond,
			"largest end-to-end latency of any packet; for storage and training it is no goal unless given"),
		optDefault("usual_latency", timeKind(), func(t *Targets) *Opt[units.Time] { return &t.UsualLatency }, 40*units.Microsecond,
			"largest end-to-end latency of nine packets in ten; as a target of the fabric, in 90 % of the scenarios. For storage and training it is no goal unless given"),
		opt("slowdown", multipleKind(), func(t *Targets) *Opt[Multiple] { return &t.Slowdown },
			"largest mean slowdown of messages: their completion time over the time that each takes alone").otherwise("no goal"),
		optDefault("slowdown_p99", multipleKind(), func(t *Targets) *Opt[Multiple] { return &t.SlowdownP99 }, 100*once,
			"largest slowdown of 99 % of the messages; the default is assumed: a message of 1MB then takes up to 8 ms at 100Gbps"),
		optDefault("steps", multipleKind(), func(t *Targets) *Opt[Multiple] { return &t.Steps }, 5*once,
			"largest time of collective operations and traces, as a multiple of their lower bound; the default is assumed"),
	},
}

// incast is the content of an incast block before it becomes a FanIn.
type incast struct{ from, to Opt[int] }

var incastBlock = &block[incast]{
	name: "incast", doc: "A pattern N→M of ports that send at once. The buffer must hold it as well as the worst N→1 of each switch. May be repeated.",
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

// sharingKind returns a ratio N:1, or a number of groups.
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
		"margin on computed headroom, as a separate step", setMargin)
	f.absent = func(b any, at diag.Range) {
		f := b.(*Fabric)
		f.HeadroomMargin.Range, f.HeadroomMarginBytes.Range = at, at
	}
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
