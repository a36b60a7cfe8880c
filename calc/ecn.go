package calc

import (
	"math/big"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Threshold is the queue that a port drains within a delay, rounded down to the
// granularity of the chip: documents kmin and kmax.
func Threshold(rate units.BitRate, delay units.Time, step units.Bytes) units.Bytes {
	return rate.FloorBytes(delay).FloorTo(step)
}

// RoCE and Ethernet octets around a packet's payload: see document packet-rate.
const packetOverhead units.Bytes = 62 + 20

// PacketRate is how many full-sized RoCE packets pass in a second: document
// packet-rate.
func PacketRate(rate units.BitRate, roceMTU units.Bytes) int64 {
	return int64(rate) / (8 * int64(roceMTU+packetOverhead))
}

// PMaxBound is where CNPs saturate: document pmax-bound.
func PMaxBound(sources int64, interval units.Time, packetRate int64) units.Ratio {
	num := product(int64(units.One), sources, int64(units.Second))
	bound := ceilDiv(num, product(int64(interval), packetRate))
	return units.Ratio(capped(bound, int64(units.One)))
}

// FixedPoint is DCQCN's marking probability in the steady state: document
// dcqcn-fixed-point. Rates are in packets per second, byteCounter in packets.
func FixedPoint(flows, packetRate, rateAI int64, interval, timer units.Time, byteCounter int64) units.Ratio {
	second := int64(units.Second)
	bracket := new(big.Int).Add(product(int64(timer), packetRate), product(flows, byteCounter, second))
	num := product(rateAI, flows, flows, second)
	num.Mul(num, bracket).Mul(num, bracket).Mul(num, product(int64(units.One), int64(units.One), int64(units.One)))
	period := product(byteCounter, int64(timer), packetRate)
	den := product(int64(interval), packetRate, packetRate)
	den.Mul(den, period).Mul(den, period)
	return units.Ratio(capped(formulas.CubeRoot(num.Quo(num, den)), int64(units.One)))
}

// PMax puts the steady state into the lower half of the curve: document pmax.
func PMax(fixedPoint units.Ratio) units.Ratio {
	return min(units.One, max(units.Percent, wholePercents(2*fixedPoint)))
}

// PMaxUseful is the step above which marks bring no more CNPs: document pmax-useful.
func PMaxUseful(bound units.Ratio) units.Ratio { return wholePercents(bound) }

func wholePercents(r units.Ratio) units.Ratio {
	return units.Ratio(units.CeilMulDiv(int64(r), 1, int64(units.Percent))) * units.Percent
}

func product(factors ...int64) *big.Int {
	p := big.NewInt(1)
	for _, f := range factors {
		p.Mul(p, big.NewInt(f))
	}
	return p
}

func ceilDiv(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func capped(v *big.Int, limit int64) int64 {
	if !v.IsInt64() || v.Int64() > limit {
		return limit
	}
	return v.Int64()
}

// DCQCN's reaction point as its paper has it. NICs ship with gentler settings, for
// which the fixed point lies lower: these bound it from above.
const (
	paperRateAI      = 40 * units.Mbps
	paperTimer       = 55 * units.Microsecond
	paperByteCounter = 10 * units.MB
	paperSource      = "Zhu et al., DCQCN, SIGCOMM 2015, section 5.2 and table 14: R_AI 40 Mb/s, T 55 us, B 10 MB"
)

// What is assumed of the hosts of a class that no nic block names.
const (
	defaultCNPInterval = 50 * units.Microsecond
	defaultRoCEMTU     = units.Bytes(1024)
)

// wantsECN tells whether queues of a class mark.
func (c *context) wantsECN(class *policy.Class) bool { return class.ECN.Value != "off" }

// planECN gives each marking class its curve on each kind of port.
func (c *context) planECN() {
	for _, k := range c.kinds {
		k.ecn = map[*policy.Class]*plan.ECN{}
		for _, class := range c.fabric.Classes {
			if !c.wantsECN(class) {
				continue
			}
			kmin, okMin := c.kMin(class, k)
			kmax, okMax := c.kMax(class, k)
			if !okMin || !okMax {
				c.reportDelays(class)
				continue
			}
			k.ecn[class] = &plan.ECN{KMin: kmin, KMax: kmax, PMax: c.pMax(class, k)}
		}
	}
}

func (c *context) reportDelays(class *policy.Class) {
	f := c.fabric
	missing := "expected_delay"
	if f.ExpectedDelay.Set {
		missing = "tolerable_delay"
	}
	c.list.Errorf(DelayMissing, f.Range, "class %q marks with ECN, and the fabric gives no %s to derive its curve from", class.Name, missing).
		Fixf("add expected_delay and tolerable_delay to the fabric block, or kmin, kmax and pmax to an ecn block of the class").
		Notef(class.Range, "the class")
}

func (c *context) kMin(class *policy.Class, k *kind) (plan.Derived[units.Bytes], bool) {
	return c.threshold("kmin", class.KMin, k, "expected_delay", ownOr(class.KMinDelay, c.fabric.ExpectedDelay))
}

func (c *context) kMax(class *policy.Class, k *kind) (plan.Derived[units.Bytes], bool) {
	return c.threshold("kmax", class.KMax, k, "tolerable_delay", ownOr(class.KMaxDelay, c.fabric.TolerableDelay))
}

// ownOr is the class's own time, else the fabric's.
func ownOr(own, fabric policy.Opt[units.Time]) policy.Opt[units.Time] {
	if own.Set {
		return own
	}
	return fabric
}

// threshold is Kmin or Kmax: as given and rounded to the chip's granularity, or what
// the port drains within the delay.
func (c *context) threshold(id string, own policy.Opt[units.Bytes], k *kind, symbol string, delay policy.Opt[units.Time]) (plan.Derived[units.Bytes], bool) {
	step := assume(c.chip, c.chip.ECNGranularity, c.cell, same[units.Bytes], "thresholds are counted in cells")
	if own.Set {
		value := own.Value.FloorTo(step.Value)
		if value == 0 {
			c.list.Errorf(ECNTooFine, own.Range, "%s %v is less than the %v steps in which %s holds thresholds", id, own.Value, step.Value, c.chip.Title).
				Fixf("give at least %v", step.Value)
		}
		why := computed("whole-cells-down", id, value, term("bytes", given(id, own, own.Value, "")), term("cell", step.Why))
		return plan.Of(value, why), true
	}
	if !delay.Set {
		return plan.Derived[units.Bytes]{}, false
	}
	rate := k.group.Speed
	value := Threshold(rate.Value, delay.Value, step.Value)
	return plan.Of(value, computed(id, id, value,
		term("rate", given("speed", rate, rate.Value, "")),
		term(symbol, given(symbol, delay, delay.Value, "")),
		term("step", step.Why))), true
}

// pMax is as given, or twice DCQCN's fixed point.
func (c *context) pMax(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	if class.PMax.Set {
		return plan.Of(class.PMax.Value, given("pmax", class.PMax, class.PMax.Value, ""))
	}
	fixed := c.fixedPoint(class, k)
	value := PMax(fixed.Value)
	return plan.Of(value, computed("pmax", "pmax", value, term("fixed_point", fixed.Why)))
}

func (c *context) pMaxBound(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	sources, interval, rate := c.cnpSources(class), c.cnpInterval(class), c.packetRate(class, k)
	value := PMaxBound(int64(sources.Value), interval.Value, int64(rate.Value))
	return plan.Of(value, computed("pmax-bound", "effective bound of pmax", value,
		term("sources", sources.Why), term("interval", interval.Why), term("packet_rate", rate.Why)))
}

func (c *context) fixedPoint(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	flows, interval, rate := c.queuePairs(class), c.cnpInterval(class), c.packetRate(class, k)
	packet := int64(c.roceMTU(class).Value + packetOverhead)
	ai := plan.Count(int64(paperRateAI) / (8 * packet))
	counter := plan.Count(int64(paperByteCounter) / packet)
	value := FixedPoint(int64(flows.Value), int64(rate.Value), int64(ai), interval.Value, paperTimer, int64(counter))
	return plan.Of(value, computed("dcqcn-fixed-point", "DCQCN's fixed point", value,
		term("flows", flows.Why), term("packet_rate", rate.Why),
		term("rate_ai", standard("R_AI in packets per second", ai, paperSource)),
		term("interval", interval.Why),
		term("timer", standard("T", paperTimer, paperSource)),
		term("byte_counter", standard("B in packets", counter, paperSource))))
}

func (c *context) packetRate(class *policy.Class, k *kind) plan.Derived[plan.Count] {
	mtu := c.roceMTU(class)
	rate := k.group.Speed
	value := plan.Count(PacketRate(rate.Value, mtu.Value))
	return plan.Of(value, computed("packet-rate", "packet rate", value,
		term("rate", given("speed", rate, rate.Value, "")), term("roce_mtu", mtu.Why)))
}

func (c *context) roceMTU(class *policy.Class) plan.Derived[units.Bytes] {
	if nic := c.nicOf(class); nic != nil {
		return plan.Of(nic.RoCEMTU.Value, given("roce_mtu", nic.RoCEMTU, nic.RoCEMTU.Value, "RoCE MTU of hosts with a 1500 B Ethernet MTU"))
	}
	return plan.Of(defaultRoCEMTU, chosen("roce_mtu", defaultRoCEMTU, "assumed: no nic block names the class"))
}

func (c *context) cnpInterval(class *policy.Class) plan.Derived[units.Time] {
	if nic := c.nicOf(class); nic != nil && nic.CNPInterval.Value > 0 {
		return plan.Of(nic.CNPInterval.Value, given("cnp_interval", nic.CNPInterval, nic.CNPInterval.Value, "the default of the NIC's model"))
	}
	return plan.Of(defaultCNPInterval, chosen("cnp_interval", defaultCNPInterval, "assumed, as nobody states it for these NICs: DCQCN, SIGCOMM 2015, section 3.2 has 50 us"))
}

func (c *context) queuePairs(class *policy.Class) plan.Derived[plan.Count] {
	n := plan.Count(max(1, class.QueuePairs.Value))
	return plan.Of(n, given("queue_pairs", class.QueuePairs, n, "one queue pair per port"))
}

// cnpSources is how many flows are limited each by itself: all queue pairs, or one
// where the NIC limits the whole port.
func (c *context) cnpSources(class *policy.Class) plan.Derived[plan.Count] {
	if nic := c.nicOf(class); nic != nil && nic.CNPPerPort.Value {
		return plan.Of(plan.Count(1), given("cnp scope", nic.CNPPerPort, plan.Count(1), "the default of the NIC's model: per port"))
	}
	return c.queuePairs(class)
}

// checkECN evaluates the inequalities of a curve.
func (c *context) checkECN(class *policy.Class, k *kind, curve *plan.ECN) {
	at := func(o policy.Opt[units.Bytes], delay policy.Opt[units.Time]) diag.Range {
		switch {
		case o.Set:
			return o.Range
		case delay.Set:
			return delay.Range
		}
		return k.group.Range
	}
	rate := k.group.Speed.Value
	c.atMost("kmin-below-kmax", ECNAboveDelay, class.Name, k, curve.KMin, curve.KMax, at(class.KMin, class.KMinDelay), "Kmin is above Kmax", "lower kmin, or raise tolerable_delay")
	if c.fabric.ExpectedDelay.Set {
		c.atMost("kmin-expected", ECNAboveDelay, class.Name, k, curve.KMin, bdp("expected", rate, c.fabric.ExpectedDelay), at(class.KMin, class.KMinDelay), "Kmin is above what the port drains within the expected delay", "lower kmin")
	}
	if c.fabric.TolerableDelay.Set {
		c.atMost("kmax-tolerable", ECNAboveDelay, class.Name, k, curve.KMax, bdp("tolerable", rate, c.fabric.TolerableDelay), at(class.KMax, class.KMaxDelay), "Kmax is above what the port drains within the tolerable delay", "lower kmax")
	}
	if class.CongestionControl.Value == "dcqcn" {
		c.checkFixedPoint(class, k, curve)
	}
	if class.Lossless.Value && k.lossless() {
		c.checkMarkingRoom(class, k, curve)
	}
}

func bdp(name string, rate units.BitRate, delay policy.Opt[units.Time]) plan.Derived[units.Bytes] {
	value := rate.FloorBytes(delay.Value)
	return plan.Of(value, given(name+" bandwidth-delay product", delay, value, ""))
}

func (c *context) checkFixedPoint(class *policy.Class, k *kind, curve *plan.ECN) {
	c.checkUseful(class, k, curve)
	fixed := c.fixedPoint(class, k)
	at := class.Range
	if class.PMax.Set {
		at = class.PMax.Range
	}
	holds := fixed.Value <= curve.PMax.Value
	c.check("fixed-point-below-pmax", c.where(class, k), fixed.Why, curve.PMax.Why, holds, ratioSlack(fixed.Value, curve.PMax.Value), at)
	if !holds {
		c.list.Errorf(FixedPointAbovePMax, at, "DCQCN settles at a marking probability of %v with %v queue pairs at %v, above Pmax %v: the queue stays at Kmax",
			fixed.Value, c.queuePairs(class).Value, k.group.Speed.Value, curve.PMax.Value).
			Fixf("raise pmax to %v, or use fewer queue pairs per port", PMax(fixed.Value))
	}
}

// checkUseful tells when part of the curve lies where marks bring no more CNPs.
func (c *context) checkUseful(class *policy.Class, k *kind, curve *plan.ECN) {
	bound := c.pMaxBound(class, k)
	useful := PMaxUseful(bound.Value)
	right := computed("pmax-useful", "largest useful pmax", useful, term("bound", bound.Why))
	at := class.Range
	if class.PMax.Set {
		at = class.PMax.Range
	}
	holds := curve.PMax.Value <= useful
	c.check("pmax-bounded", c.where(class, k), curve.PMax.Why, right, holds, ratioSlack(curve.PMax.Value, useful), at)
	if !holds {
		c.list.Warnf(PMaxUseless, at, "Pmax %v is above %v, from which on marks bring no more CNPs at %v with %v queue pairs (%s on %s)",
			curve.PMax.Value, bound.Value, k.group.Speed.Value, c.queuePairs(class).Value, c.where(class, k), c.sw.Label).
			Fixf("lower pmax to %v, or state a shorter cnp_interval if the NICs have one", useful)
	}
}

func ratioSlack(left, right units.Ratio) string {
	if right < left {
		return "-" + (left - right).String()
	}
	return (right - left).String()
}

func (c *context) checkMarkingRoom(class *policy.Class, k *kind, curve *plan.ECN) {
	alpha, ok := c.alphas[class]
	if !ok {
		return
	}
	for _, p := range c.patterns(k) {
		room := MarkingRoom(c.leftover.Value, alpha.Value.Alpha, p.from, p.to)
		terms := append([]plan.Term{count("from", int(p.from), p.what), count("to", int(p.to), "ports they send to")}, alphaTerms(alpha)...)
		right := plan.Of(room, computed("marking-room", "queue when PFC begins", room, append(terms, term("shared", c.leftover.Why))...))
		c.atMost("ecn-before-pfc", PFCBeforeECN, class.Name, k, curve.KMax, right, p.at,
			p.what+": PFC stops the senders before the queue reaches Kmax", "lower tolerable_delay or kmax, raise alpha, or shorten cables so that more buffer is shared")
	}
}
