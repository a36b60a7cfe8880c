package calc

import (
	"math/big"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// RoCE and Ethernet octets around a packet's payload: see documents roce-packet and packet-rate.
const (
	roceHeaders units.Bytes = 62
	packetGap   units.Bytes = 20
)

// RoCEPacket returns a full-sized RoCE packet in a queue: document roce-packet.
func RoCEPacket(roceMTU units.Bytes) units.Bytes { return roceMTU + roceHeaders }

// PacketRate returns the number of full-sized RoCE packets per second: document packet-rate.
func PacketRate(rate units.BitRate, roceMTU units.Bytes) int64 {
	return int64(rate) / (8 * int64(RoCEPacket(roceMTU)+packetGap))
}

// PMaxBound returns the marking probability at which CNPs saturate: document pmax-bound.
func PMaxBound(sources int64, interval units.Time, packetRate int64) units.Ratio {
	num := product(int64(units.One), sources, int64(units.Second))
	bound := ceilDiv(num, product(int64(interval), packetRate))
	return units.Ratio(capped(bound, int64(units.One)))
}

// Steady holds the inputs of the steady state of DCQCN: document dcqcn-fixed-point.
type Steady struct {
	Flows      int64
	Rate       units.BitRate // of the port
	PacketRate int64
	Gap        units.Time // least time between two CNPs of a flow

	Timer            units.Time
	Bytes            units.Bytes // 0: no byte counter
	Threshold        int64
	Additive, Hyper  units.BitRate
	G, GD            int64
	AlphaInterval    units.Time
	Clamp            bool
	DecreaseInterval units.Time
}

// FixedPoint is DCQCN's marking probability in the steady state: the largest at which what
// increases give is at least what decreases take, one where that holds at any.
func (s *Steady) FixedPoint() units.Ratio { return s.solve(s.times()) }

func (s *Steady) solve(step, additive, hyper int64) units.Ratio {
	return units.Ratio(formulas.Largest(1, int64(units.One), func(p int64) bool { return s.balance(p, step, additive, hyper).Sign() >= 0 }))
}

// balance returns the increases minus the decreases at a marking probability, in bit/s times 10^18
// and times a factor that both have.
func (s *Steady) balance(p, step, additive, hyper int64) *big.Int {
	whole := big.NewInt(formulas.Whole)
	left := func(t int64) *big.Int { // that no mark has come in a time t
		x := product(p, s.PacketRate, max(0, t))
		return formulas.Decay(x.Quo(x, product(s.Flows, int64(units.Second))))
	}
	gap := max(int64(s.Gap), int64(s.DecreaseInterval))

	tick := left(int64(s.AlphaInterval))
	halves := 2*gap/int64(s.AlphaInterval) + 1 // of alpha's intervals, that end in a gap on average
	none := formulas.Kept(big.NewInt(s.G), big.NewInt(halves/2))
	none.Mul(none, big.NewInt(2048-halves%2*(1024-s.G))).Rsh(none, 11)
	fades := new(big.Int).Sub(whole, new(big.Int).Rsh(new(big.Int).Mul(big.NewInt(s.G), tick), 10))
	alpha := none.Mul(none, new(big.Int).Sub(whole, tick))
	alpha.Sub(whole, alpha.Quo(alpha, fades)) // the loss of alpha between two CNPs
	if least := new(big.Int).Rsh(product(1024-s.G, formulas.Whole), 10); alpha.Cmp(least) < 0 {
		alpha = least // it is never above one
	}

	again := new(big.Int).Sub(whole, left(step))
	first := new(big.Int).Set(whole)
	if s.Clamp {
		first = left(step - gap)
	}
	first.Sub(new(big.Int).Add(whole, again), first)
	loss := product(int64(s.Rate), 1024-s.G)
	loss.Mul(loss, again).Mul(loss, first)
	den := product(s.Flows, 1<<s.GD)
	loss = ceilDiv(loss, den.Mul(den, alpha))

	gain := product(int64(s.Additive))
	gain.Mul(gain, left(additive-gap))
	beyond := product(max(0, int64(s.Hyper-s.Additive)))
	return gain.Add(gain, beyond.Mul(beyond, left(hyper-gap))).Sub(gain, loss)
}

// times are, after a decrease: the mean time between increases by timer and byte counter, and
// when the first additive and the first hyper one come: documents dcqcn-step, dcqcn-additive-at
// and dcqcn-hyper-at.
func (s *Steady) times() (step, additive, hyper int64) {
	timer := int64(s.Timer)
	slow, fast := timer, timer
	step = timer
	if s.Bytes > 0 {
		counter := capped(ceilDiv(product(8, int64(s.Bytes), s.Flows, int64(units.Second)), product(int64(s.Rate))), 100_000*int64(units.Second))
		step = capped(ceilDiv(product(timer, counter), new(big.Int).Add(product(timer), product(counter))), 1<<60)
		slow, fast = max(timer, counter), min(timer, counter)
	}
	return step, (s.Threshold + 1) * fast, (s.Threshold+1)*slow + step
}

// PMax puts the steady state into the lower half of the curve: document pmax.
func PMax(fixedPoint, bound, least units.Ratio) units.Ratio {
	return min(units.One, max(units.Percent, wholePercents(2*fixedPoint), min(least, wholePercents(bound))))
}

// PMaxUseful returns the step above which marks bring no more CNPs: document pmax-useful.
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

func (s *shape) pMaxBound(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	r := s.reaction(class)
	sources, rate := s.cnpSources(class, s.flows(class, k)), s.packetRate(class, k)
	value := PMaxBound(int64(sources.Value), r.CNPInterval.Value, int64(rate.Value))
	return plan.Of(value, computed("pmax-bound", "effective bound of pmax", value,
		term("sources", sources.Why), term("interval", r.CNPInterval.Why), term("packet_rate", rate.Why)))
}

// reaction is DCQCN as the NICs of a class have it.
func (s *shape) reaction(class *policy.Class) plan.Reaction {
	return reactionOf(s.fabric, s.nicOf(class), s.path)
}

// fixedPoint derives the marking probability at which the flows that share a port settle.
func (s *shape) fixedPoint(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	r, packets, flows := s.reaction(class), s.packetRate(class, k), s.flows(class, k)
	rate, gap := k.group.Speed, s.cnpGap(class, flows)
	clamp := plan.Count(0)
	if r.ClampTarget.Value {
		clamp = 1
	}
	steady := s.steady(class, k)
	value := s.solved(steady)
	step, additive, hyper := steady.times()
	clampWhy := *r.ClampTarget.Why
	clampWhy.Value = clamp
	at := func(id, name string, t int64) *plan.Why {
		return computed(id, name, units.Time(t),
			term("flows", flows.Why), term("rate", given("speed", rate, rate.Value, "")), term("timer", r.TimeReset.Why),
			term("byte_counter", r.ByteReset.Why), term("threshold", r.Threshold.Why))
	}
	return plan.Of(value, computed("dcqcn-fixed-point", "DCQCN's fixed point", value,
		term("flows", flows.Why), term("rate", given("speed", rate, rate.Value, "")), term("packet_rate", packets.Why),
		term("gap", gap.Why), term("decrease_interval", r.DecreaseInterval.Why),
		term("step", at("dcqcn-step", "mean time between increases", step)),
		term("additive_at", at("dcqcn-additive-at", "first additive increase", additive)),
		term("hyper_at", at("dcqcn-hyper-at", "first hyper increase", hyper)),
		term("rate_ai", r.AIRate.Why), term("rate_hai", r.HAIRate.Why),
		term("g", r.G.Why), term("gd", r.GD.Why), term("alpha_interval", r.AlphaInterval.Why), term("clamp", &clampWhy)))
}

// solved returns a fixed point, which is found once.
func (s *shape) solved(steady Steady) units.Ratio {
	value, known := s.fixedPoints[steady]
	if !known {
		value = steady.FixedPoint()
		s.fixedPoints[steady] = value
	}
	return value
}

// steady returns the inputs of the fixed point for the flows that share a port.
func (s *shape) steady(class *policy.Class, k *kind) Steady {
	r, flows := s.reaction(class), s.flows(class, k)
	return Steady{
		Flows: int64(flows.Value), Rate: k.group.Speed.Value, PacketRate: int64(s.packetRate(class, k).Value), Gap: s.cnpGap(class, flows).Value,
		Timer: r.TimeReset.Value, Bytes: r.ByteReset.Value, Threshold: int64(r.Threshold.Value),
		Additive: r.AIRate.Value, Hyper: r.HAIRate.Value, G: int64(r.G.Value), GD: int64(r.GD.Value),
		AlphaInterval: r.AlphaInterval.Value, Clamp: bool(r.ClampTarget.Value), DecreaseInterval: r.DecreaseInterval.Value,
	}
}

func (s *shape) packetRate(class *policy.Class, k *kind) plan.Derived[plan.Count] {
	mtu := s.roceMTU(class)
	rate := k.group.Speed
	value := plan.Count(PacketRate(rate.Value, mtu.Value))
	return plan.Of(value, computed("packet-rate", "packet rate", value,
		term("rate", given("speed", rate, rate.Value, "")), term("roce_mtu", mtu.Why)))
}

func (s *shape) roceMTU(class *policy.Class) plan.Derived[units.Bytes] {
	if nic := s.nicOf(class); nic != nil {
		return plan.Of(nic.RoCEMTU.Value, given("roce_mtu", nic.RoCEMTU, nic.RoCEMTU.Value, "the largest that fits the lossless frame, as drivers choose it"))
	}
	mtu := policy.LargestRoCEMTU(s.fabric.LosslessFrame.Value)
	return decided("roce_mtu", mtu, "assumed: the largest that fits the lossless frame, as no nic block names the class")
}

// flows derives the number of queue pairs that may share a port: the same senders that the buffers
// are checked against, each with its queue pairs. Document flows.
func (s *shape) flows(class *policy.Class, k *kind) plan.Derived[plan.Count] {
	senders, pairs := s.fanIn(k), s.queuePairs(class)
	n := Flows(int64(senders.Value), int64(pairs.Value))
	return plan.Of(n, computed("flows", "flows of a port", n, term("senders", senders.Why), term("queue_pairs", pairs.Why)))
}

// MostFlows is the most that the documents are made for.
const MostFlows = 65536

// Flows returns the number of queue pairs that may share a port: document flows.
func Flows(senders, pairs int64) plan.Count { return plan.Count(min(senders*pairs, MostFlows)) }

func (s *shape) queuePairs(class *policy.Class) plan.Derived[plan.Count] {
	n := plan.Count(max(1, class.QueuePairs.Value))
	return plan.Of(n, given("queue_pairs", class.QueuePairs, n, "one queue pair per port"))
}

// cnpSources derives the number of independent limiters of CNPs among some flows: one for each
// flow, or a single one where the NIC limits the whole port.
func (s *shape) cnpSources(class *policy.Class, flows plan.Derived[plan.Count]) plan.Derived[plan.Count] {
	scope := s.reaction(class).CNPPerPort
	if !scope.Value {
		return flows
	}
	why := *scope.Why
	why.Name, why.Value = "one CNP after the other for the port", plan.Count(1)
	return plan.Of(plan.Count(1), &why)
}

// CNPGap returns the least time between two CNPs of a flow: document cnp-gap.
func CNPGap(interval units.Time, flows int64) units.Time {
	return units.Time(capped(product(int64(interval), flows), 1<<60))
}

// cnpGap returns the least time between two CNPs of a flow: the flows of a port take turns where
// the NIC limits the port.
func (s *shape) cnpGap(class *policy.Class, flows plan.Derived[plan.Count]) plan.Derived[units.Time] {
	r := s.reaction(class)
	if !r.CNPPerPort.Value {
		return r.CNPInterval
	}
	value := CNPGap(r.CNPInterval.Value, int64(flows.Value))
	return plan.Of(value, computed("cnp-gap", "least time between two CNPs of a flow", value, term("interval", r.CNPInterval.Why), term("flows", flows.Why)))
}
