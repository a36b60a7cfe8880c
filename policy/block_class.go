package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// priorityKind returns the kind of one of eight values: a queue, a priority group, a PFC priority.
func priorityKind() kind[uint8] { return whole[uint8](0, 7) }

// curveKind returns a queue length of the marking curve.
func curveKind() kind[units.Bytes] { return between(bytesKind(), 1, units.GiB) }

var classBlock = &block[Class]{
	example: classExample,
	name:    "traffic_class", labels: []string{"NAME"},
	doc: "A kind of traffic. With `pfc` it is lossless, without it lossy.",
	fields: []field[Class]{
		custom("dscp", "a list of numbers 0 to 63, `[26, 34]`, or `rest`", "code points of the class; `rest`: all that no other class has", setDSCP).must(),
		opt("queue", priorityKind(), func(c *Class) *Opt[uint8] { return &c.Queue }, "egress queue").must(),
		opt("traffic_class", priorityKind(), func(c *Class) *Opt[uint8] { return &c.TrafficClass }, "internal priority").otherwise("`queue`"),
		opt("pfc", priorityKind(), func(c *Class) *Opt[uint8] { return &c.PFC }, "PFC priority; makes the class lossless").otherwise("lossy"),
		opt("priority_group", priorityKind(), func(c *Class) *Opt[uint8] { return &c.PriorityGroup }, "ingress priority group").
			otherwise("`pfc` of a lossless class, 0 of a lossy one"),
		opt("scheduling", either("strict", "dwrr"), func(c *Class) *Opt[bool] { return &c.Strict }, "order of sending").otherwise("dwrr"),
		opt("weight", whole[int64](1, 100), func(c *Class) *Opt[int64] { return &c.Weight }, "DWRR weight; required unless strict"),
		opt("max_rate", rateKind(), func(c *Class) *Opt[units.BitRate] { return &c.MaxRate }, "cap on the queue"),
		opt("alpha", alphaKind(), func(c *Class) *Opt[units.Alpha] { return &c.Alpha }, "dynamic threshold of its priority group").
			otherwise("derived"),
		opt("burst", between(bytesKind(), 64, units.GiB), func(c *Class) *Opt[units.Bytes] { return &c.Burst },
			"bytes of one sender that its priority group takes without a pause while `isolation` others are stuck; raises alpha").otherwise("Kmax"),
		pinField("fill_levels", "fill_levels", "marking curve of Junos and SR Linux in place of Kmin and Kmax: shares of packets at fill levels of the queue; pinned", pinKind(plan.Levels("")), ownPart(PinnedQueue)),
		pinField(PinRewrite, PinRewrite, "DSCP with which its packets leave all ports; `rewrite_dscp` of a pinned block overrides that of all classes", anyOf(whole[uint8](0, 63), same[uint8]), ownPart(PinnedPort)).otherwise("they keep theirs"),
		opt("ecn", oneOf("derived", "off"), func(c *Class) *Opt[string] { return &c.ECN }, "whether switches mark packets; a block `ecn` gives the numbers").
			otherwise("derived where the congestion control reads ECN, else off"),
		opt("congestion_control", oneOf(congestionControls()...),
			func(c *Class) *Opt[string] { return &c.CongestionControl }, "congestion control of its hosts; see `scenario` for the variants").otherwise("dcqcn of a lossless class, none of a lossy one"),
		optDefault("queue_pairs", whole[int64](1, 16_777_216), func(c *Class) *Opt[int64] { return &c.QueuePairs }, 1, "flows that share the rate of a port"),
		optDefault("transport", oneOf("rc", "xrc", "dc"), func(c *Class) *Opt[string] { return &c.Transport }, "rc", "InfiniBand transport"),
		opt("sent_back_as", classKind(), func(c *Class) *Opt[string] { return &c.SentBackAs },
			"lossless class in which a switch with a `tunnel` sends packets of this one back through the network above it; it keeps the two directions from waiting for each other").otherwise("this class"),
		custom("keep_dscp", "a list of numbers 0 to 63, `[33]`", "code points that packets of this class keep outside a `tunnel`; SONiC gives each of them a traffic class, from 8 on", func(d *decoder, c *Class, expr hclsyntax.Expression) (ok bool) {
			values, ok := listOf("a list of code points", whole[uint8](0, 63)).decode(d, "keep_dscp", expr)
			slices.Sort(values)
			c.KeepDSCP = Opt[[]uint8]{slices.Compact(values), ok, expr.Range()}
			return ok
		}).otherwise("none"),
		optDefault("recovery", oneOf("go_back_n", "selective"), func(c *Class) *Opt[string] { return &c.Recovery }, "go_back_n",
			"packets that hosts send again after a loss: all from the lost one on, or the lost one alone. With `selective`, a class of RDMA may be lossy on purpose"),
	},
	nested: []nested[Class]{inner(ecnBlock, false, func(d *decoder, c *Class, b *hclsyntax.Block) { decodeECN(d, c, b) }),
		inner(trimmingBlock, true, func(d *decoder, c *Class, b *hclsyntax.Block) {
			c.Trimming = &Trimming{Range: b.TypeRange}
			trimmingBlock.decode(d, b.Body, b.TypeRange, c.Trimming)
		}), pinned(pinnedOfClass, func(c *Class, p Pinned) { c.Pinned = append(c.Pinned, p) })},
}

var ecnBlock = &block[Curve]{
	name: "ecn", doc: "A given marking curve. A switch marks no packet below `kmin`, the share `pmax` at `kmax`, and every packet above.",
	fields: []field[Curve]{
		opt("speed", portSpeed(), func(c *Curve) *Opt[units.BitRate] { return &c.Speed }, "speed of the ports with this curve; further blocks may name other speeds").otherwise("all other ports"),
		kMinField(func(c *Curve) *Curve { return c }), kMaxField(func(c *Curve) *Curve { return c }), pMaxField(func(c *Curve) *Curve { return c }),
	},
}

// kMinField, kMaxField and pMaxField are the three figures of a curve, wherever a block keeps it.
func kMinField[B any](of func(*B) *Curve) field[B] {
	return curveField("kmin", "queue length where marking begins", func(b *B) *Opt[units.Bytes] { return &of(b).KMin }, func(b *B) *Opt[units.Time] { return &of(b).KMinDelay })
}

func kMaxField[B any](of func(*B) *Curve) field[B] {
	return curveField("kmax", "queue length above which every packet is marked", func(b *B) *Opt[units.Bytes] { return &of(b).KMax }, func(b *B) *Opt[units.Time] { return &of(b).KMaxDelay })
}

func pMaxField[B any](of func(*B) *Curve) field[B] {
	share := shareKind().where(func(r units.Ratio) *problem {
		if r == 0 {
			return problemf(OutOfRange, "with 0%% nothing is marked below kmax").fixf("write a larger share, such as \"5%%\", or leave the block out")
		}
		return nil
	})
	return opt("pmax", share, func(b *B) *Opt[units.Ratio] { return &of(b).PMax }, "share of packets marked at kmax").must()
}

// curveField returns a queue length in bytes, the same on every port, or as the time that a port
// takes to drain it: the unit says which.
func curveField[B any](name, doc string, bytes func(*B) *Opt[units.Bytes], delay func(*B) *Opt[units.Time]) field[B] {
	inBytes := opt(name, curveKind(), bytes, doc)
	inTime := opt(name, between(timeKind(), units.Nanosecond, units.Second), delay, doc)
	f := custom(name, "an amount of bytes, `\"100KB\"`, or the time in which a port drains it, `\"8us\"`", doc, func(d *decoder, c *B, expr hclsyntax.Expression) bool {
		v, ok := d.eval(expr)
		if ok && !v.IsNull() && v.Type() == cty.String && strings.HasSuffix(strings.TrimSpace(v.AsString()), "s") {
			return inTime.set(d, c, expr)
		}
		return inBytes.set(d, c, expr)
	})
	f.absent = func(c any, at diag.Range) {
		inBytes.absent(c, at)
		inTime.absent(c, at)
	}
	return f.must()
}

func decodeECN(d *decoder, c *Class, b *hclsyntax.Block) {
	if c.ECN.Set && c.ECN.Value != "given" {
		d.errorf(DuplicateBlock, b.DefRange(), "ecn is given twice, as a word and as a block").
			Fixf("keep one of them").Notef(c.ECN.Range, "the word is here")
		return
	}
	var own Curve
	ecnBlock.decode(d, b.Body, b.TypeRange, &own)
	own.checkOrder(d)
	before := c.CurveAt(own.Speed.Value) // of speed 0, that of all others
	switch at := before.PMax.Range; {
	case before.Speed.Value == own.Speed.Value && at != (diag.Range{}):
		d.errorf(DuplicateBlock, b.DefRange(), "two ecn blocks are for the same ports").
			Fixf("keep one of them, or give one the speed of its ports").Notef(at, "the other one")
	case own.Speed.Set:
		c.CurvesAt = append(c.CurvesAt, own)
	default:
		c.Curve = own
	}
	c.ECN = Opt[string]{"given", true, b.DefRange()}
}

// checkOrder demands that marking begins before it is complete.
func (c *Curve) checkOrder(d *decoder) {
	checkOrder(d, c.KMin, c.KMax)
	checkOrder(d, c.KMinDelay, c.KMaxDelay)
}

func checkOrder[T interface {
	~int64
	String() string
}](d *decoder, kmin, kmax Opt[T]) {
	if kmin.Set && kmax.Set && kmin.Value > kmax.Value {
		d.errorf(ECNOrder, kmin.Range, "kmin %v is above kmax %v", kmin.Value, kmax.Value).
			Fixf("exchange them: marking begins at kmin and is complete at kmax").Notef(kmax.Range, "kmax is here")
	}
}

// classKind returns the name of a lossless class, by reference.
func classKind() kind[string] {
	return kind[string]{"a lossless class, `traffic_class.NAME`", func(d *decoder, attr string, expr hclsyntax.Expression) (string, bool) {
		ref, ok := referenceTo("a traffic class", "traffic_class").decode(d, attr, expr)
		return ref.name, ok
	}}
}

// setDSCP reads a list of code points, or rest.
func setDSCP(d *decoder, c *Class, expr hclsyntax.Expression) bool {
	if _, list := expr.(*hclsyntax.TupleConsExpr); !list {
		const want, all = "a list of code points, or rest", "write a list such as [26], or rest for all that no other class has"
		if word, unknown := d.unknownWord(expr); unknown {
			p := problemf(WrongType, "this is the word %s, %s is expected", clip(word), want)
			d.report("dscp", expr, p.fixf(all))
			return false
		}
		v, ok := d.eval(expr)
		if !ok || v.IsNull() {
			return false
		}
		switch _, err := strconv.Atoi(bare(v)); {
		case v.Type() == cty.String && v.AsString() == "rest":
			c.Rest, c.DSCPs = true, Opt[[]uint8]{nil, true, expr.Range()}
			return true
		case (v.Type() == cty.Number || v.Type() == cty.String) && err == nil:
			d.report("dscp", expr, wrongType(v, want, "["+bare(v)+"]"))
			return false
		case v.Type() == cty.String:
			d.report("dscp", expr, wrongType(v, want, "").fixf(all))
			return false
		}
	}
	values, ok := listOf("a list of code points", whole[uint8](0, 63)).decode(d, "dscp", expr)
	if !ok {
		return false
	}
	slices.Sort(values)
	if len(values) == 0 {
		d.errorf(OutOfRange, expr.Range(), "dscp: the list is empty").Fixf("name a code point, or write rest")
	}
	for i := 1; i < len(values); i++ {
		if values[i] == values[i-1] {
			d.errorf(DuplicateDSCP, expr.Range(), "dscp: %d is in the list twice", values[i]).Fixf("remove one")
		}
	}
	c.DSCPs = Opt[[]uint8]{slices.Compact(values), true, expr.Range()}
	return true
}

func bare(v cty.Value) string {
	switch v.Type() {
	case cty.Number:
		return number(v)
	case cty.String:
		return clip(v.AsString())
	}
	return ""
}

// decodeClass reads one traffic_class block and fills the defaults that depend on
// other attributes.
func decodeClass(d *decoder, b *hclsyntax.Block) *Class {
	c := &Class{Name: b.Labels[0], Range: labelRange(b)}
	classBlock.decode(d, b.Body, c.Range, c)
	c.Lossless = Opt[bool]{c.PFC.Set, c.PFC.Set, c.PFC.Range}
	derive(&c.TrafficClass, c.Queue.Value)
	derive(&c.PriorityGroup, c.PFC.Value)
	derive(&c.CongestionControl, map[bool]string{true: "dcqcn", false: "none"}[c.PFC.Set])
	reads := c.CongestionControl.Value == "dcqcn" || c.CongestionControl.Value == "dctcp"
	derive(&c.ECN, map[bool]string{true: "derived", false: "off"}[reads])
	checkScheduling(d, c)
	if c.Alpha.Set && c.PFC.missing(c.Range) {
		d.errorf(ValueUnused, c.Alpha.Range, "%s has no pfc, so it is lossy and no priority group uses its alpha %v", c.Name, c.Alpha.Value).
			Fixf("remove alpha, or give the class a pfc priority; lossy_pool of a switch says what lossy queues may take")
	}
	return c
}

// derive gives an attribute that was left out the value that others decide.
func derive[T any](o *Opt[T], value T) {
	if !o.Set {
		o.Value = value
	}
}

func checkScheduling(d *decoder, c *Class) {
	switch {
	case c.Strict.Value && c.Weight.Set:
		d.errorf(StrictWeight, c.Weight.Range, "%s is strict and has weight %d; a strict queue is served first and has none", c.Name, c.Weight.Value).
			Fixf("remove weight, or scheduling = strict").Notef(c.Strict.Range, "strict is here")
	case !c.Strict.Value && c.Weight.missing(c.Range):
		d.errorf(WeightMissing, c.Range, "%s shares by DWRR and has no weight", c.Name).
			Fixf("add weight = 1 … 100, or scheduling = strict")
	case c.Strict.Value && c.MaxRate.missing(c.Range):
		d.diags.Warnf(StrictUncapped, c.Strict.Range, "%s is strict without max_rate: it can starve every other queue", c.Name).
			Fixf(`add max_rate, such as "500Mbps" for CNPs`)
	}
}

// checkClasses demands of the classes together what none can be blamed for alone.
// The classes are sorted by name.
func checkClasses(d *decoder, classes []*Class) {
	expandRest(d, classes)
	if len(classes) > 65 {
		d.errorf(OutOfRange, classes[0].Range, "there are %d traffic classes for 64 code points", len(classes)).Fixf("join classes")
		return
	}
	for i, a := range classes {
		for _, b := range classes[i+1:] {
			earlier, later := inFileOrder(a, b)
			checkPair(d, earlier, later)
		}
	}
	checkTrimming(d, classes)
	checkSentBack(d, classes)
	meant := func(c *Class) bool { return !c.PFC.missing(c.Range) || c.Recovery.Value == "selective" }
	if len(classes) > 0 && !slices.ContainsFunc(classes, meant) {
		d.diags.Warnf(NoLossless, classes[0].Range, "no traffic class is lossless: none of the %d has pfc", len(classes)).
			Fixf("give the class of RDMA a pfc priority, or set recovery = selective if it is lossy on purpose")
	}
}

func inFileOrder(a, b *Class) (earlier, later *Class) {
	if a.Range.Filename == b.Range.Filename && a.Range.Start.Byte > b.Range.Start.Byte {
		return b, a
	}
	return a, b
}

// expandRest gives the class with dscp = rest all code points that others leave.
func expandRest(d *decoder, classes []*Class) {
	var taken [64]bool
	var rest *Class
	for _, c := range classes {
		for _, p := range c.DSCPs.Value {
			taken[p] = true
		}
		if c.Rest && rest != nil {
			earlier, later := inFileOrder(rest, c)
			d.errorf(RestTwice, later.DSCPs.Range, "%s takes the rest of the code points, and so does %s", later.Name, earlier.Name).
				Fixf("list the code points of one").Notef(earlier.DSCPs.Range, "the first is here")
		}
		if c.Rest {
			rest = c
		}
	}
	if rest == nil {
		checkLeftOver(d, classes, taken)
		return
	}
	for p, is := range taken {
		if !is {
			rest.DSCPs.Value = append(rest.DSCPs.Value, uint8(p))
		}
	}
}

// checkLeftOver looks where code points go that no class lists: to traffic class 0,
// which should be a class of the fabric and must not be a lossless one.
func checkLeftOver(d *decoder, classes []*Class, taken [64]bool) {
	unclaimed, claimed := 0, false
	for _, is := range taken {
		if !is {
			unclaimed++
		}
	}
	for _, c := range classes {
		claimed = claimed || c.TrafficClass.Value == 0 && c.Queue.Set
		if c.PFC.Set && c.TrafficClass.Value == 0 && c.Queue.Set {
			d.errorf(RestLossless, c.TrafficClass.Range, "code points of no class go to traffic class 0, which is %s and lossless", c.Name).
				Fixf("give a lossy class dscp = rest, or %s another traffic class", c.Name)
		}
	}
	if unclaimed > 0 && !claimed && len(classes) > 0 {
		d.diags.Warnf(CodePointsUnclaimed, classes[0].Range, "%d code points belong to no class and go to traffic class 0 and queue 0, which no block configures", unclaimed).
			Fixf("write dscp = rest in the class of other traffic")
	}
}

// checkPair refuses what two classes cannot share.
func checkPair(d *decoder, a, b *Class) {
	for _, p := range b.DSCPs.Value {
		if !a.Rest && !b.Rest && slices.Contains(a.DSCPs.Value, p) {
			d.errorf(DuplicateDSCP, b.DSCPs.Range, "DSCP %d belongs to %s and to %s", p, a.Name, b.Name).
				Fixf("leave it in one of them").Notef(a.DSCPs.Range, "%s takes it here", a.Name)
		}
	}
	if a.PFC.Set && b.PFC.Set && a.PFC.Value == b.PFC.Value {
		collide(d, PFCCollision, b.PFC.Range, a.PFC.Range, a, b, fmt.Sprintf("PFC priority %d", a.PFC.Value), "a pause for one would stop the other")
	}
	if both := a.PFC.Set && b.PFC.Set && a.PFC.Value == b.PFC.Value && !a.PriorityGroup.Set && !b.PriorityGroup.Set; both {
		return // an error already
	} else if (a.PFC.Set || b.PFC.Set) && a.PriorityGroup.Value == b.PriorityGroup.Value {
		collide(d, PGCollision, b.PriorityGroup.Range, a.PriorityGroup.Range, a, b,
			fmt.Sprintf("priority group %d", a.PriorityGroup.Value), "headroom of a lossless class must be its own")
	}
	if a.Queue.Set && b.Queue.Set {
		checkQueues(d, a, b)
	}
}

func checkQueues(d *decoder, a, b *Class) {
	queue := fmt.Sprintf("queue %d", a.Queue.Value)
	alike := a.Strict.Value == b.Strict.Value && a.Weight.Value == b.Weight.Value && a.MaxRate.Value == b.MaxRate.Value
	switch same := a.Queue.Value == b.Queue.Value; {
	case same && (a.PFC.Set || b.PFC.Set):
		collide(d, QueueCollision, b.Queue.Range, a.Queue.Range, a, b, queue, "a lossless class needs a queue of its own")
	case same && !alike:
		collide(d, QueueCollision, b.Queue.Range, a.Queue.Range, a, b, queue, "they disagree on how it is scheduled")
	case !same && a.TrafficClass.Value == b.TrafficClass.Value:
		collide(d, TCCollision, b.TrafficClass.Range, a.TrafficClass.Range, a, b,
			fmt.Sprintf("traffic class %d", a.TrafficClass.Value), fmt.Sprintf("it cannot map to queue %d and to queue %d", a.Queue.Value, b.Queue.Value))
	}
}

func collide(d *decoder, code diag.Code, at, first diag.Range, a, b *Class, what, why string) {
	fix := fmt.Sprintf("give %s another %s", b.Name, what[:strings.LastIndexByte(what, ' ')])
	if b.Rest && b.PFC.Set {
		fix = "remove pfc: the class of all other traffic is lossy"
	}
	d.errorf(code, at, "%s and %s share %s: %s", a.Name, b.Name, what, why).
		Fixf("%s", fix).Notef(first, "%s has it here", a.Name)
}

const classExample = `
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "500Mbps"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  alpha              = "1/8"
  congestion_control = dcqcn

  ecn {
    kmin = "150kB"
    kmax = "1500kB"
    pmax = "5%"
  }
}

traffic_class "default" {
  dscp   = rest
  queue  = 0
  weight = 40
}
`
