package calc

import (
	"math/big"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

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

func (s *shape) pMaxBound(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	sources, interval, rate := s.cnpSources(class), s.cnpInterval(class), s.packetRate(class, k)
	value := PMaxBound(int64(sources.Value), interval.Value, int64(rate.Value))
	return plan.Of(value, computed("pmax-bound", "effective bound of pmax", value,
		term("sources", sources.Why), term("interval", interval.Why), term("packet_rate", rate.Why)))
}

func (s *shape) fixedPoint(class *policy.Class, k *kind) plan.Derived[units.Ratio] {
	flows, interval, rate := s.queuePairs(class), s.cnpInterval(class), s.packetRate(class, k)
	packet := int64(s.roceMTU(class).Value + packetOverhead)
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

func (s *shape) packetRate(class *policy.Class, k *kind) plan.Derived[plan.Count] {
	mtu := s.roceMTU(class)
	rate := k.group.Speed
	value := plan.Count(PacketRate(rate.Value, mtu.Value))
	return plan.Of(value, computed("packet-rate", "packet rate", value,
		term("rate", given("speed", rate, rate.Value, "")), term("roce_mtu", mtu.Why)))
}

func (s *shape) roceMTU(class *policy.Class) plan.Derived[units.Bytes] {
	if nic := s.nicOf(class); nic != nil {
		return plan.Of(nic.RoCEMTU.Value, given("roce_mtu", nic.RoCEMTU, nic.RoCEMTU.Value, "RoCE MTU of hosts with a 1500 B Ethernet MTU"))
	}
	return plan.Of(defaultRoCEMTU, chosen("roce_mtu", defaultRoCEMTU, "assumed: no nic block names the class"))
}

func (s *shape) cnpInterval(class *policy.Class) plan.Derived[units.Time] {
	if nic := s.nicOf(class); nic != nil && nic.CNPInterval.Value > 0 {
		return plan.Of(nic.CNPInterval.Value, given("cnp_interval", nic.CNPInterval, nic.CNPInterval.Value, "the default of the NIC's model"))
	}
	return plan.Of(defaultCNPInterval, chosen("cnp_interval", defaultCNPInterval, "assumed, as nobody states it for these NICs: DCQCN, SIGCOMM 2015, section 3.2 has 50 us"))
}

func (s *shape) queuePairs(class *policy.Class) plan.Derived[plan.Count] {
	n := plan.Count(max(1, class.QueuePairs.Value))
	return plan.Of(n, given("queue_pairs", class.QueuePairs, n, "one queue pair per port"))
}

// cnpSources is how many flows are limited each by itself: all queue pairs, or one
// where the NIC limits the whole port.
func (s *shape) cnpSources(class *policy.Class) plan.Derived[plan.Count] {
	if nic := s.nicOf(class); nic != nil && nic.CNPPerPort.Value {
		return plan.Of(plan.Count(1), given("cnp scope", nic.CNPPerPort, plan.Count(1), "the default of the NIC's model: per port"))
	}
	return s.queuePairs(class)
}
