package calc

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// values are the inputs of one evaluation by symbol.
type values map[string]int64

func (v values) bytes(s string) units.Bytes  { return units.Bytes(v[s]) }
func (v values) time(s string) units.Time    { return units.Time(v[s]) }
func (v values) rate(s string) units.BitRate { return units.BitRate(v[s]) }
func (v values) ratio(s string) units.Ratio  { return units.Ratio(v[s]) }

// alpha maps any drawn fraction to a power of two and writes it back, so that both
// sides see the same.
func (v values) alpha() units.Alpha {
	a := units.Alpha(v["alpha_num"]%15) - 7
	v["alpha_num"], v["alpha_den"] = a.Fraction()
	return a
}

func (v values) steady() *Steady {
	return &Steady{
		Flows: v["flows"], Rate: v.rate("rate"), PacketRate: v["packet_rate"], Gap: v.time("gap"),
		Timer: v.time("timer"), Bytes: v.bytes("byte_counter"), Threshold: v["threshold"],
		Additive: v.rate("rate_ai"), Hyper: v.rate("rate_hai"), G: v["g"], GD: v["gd"],
		AlphaInterval: v.time("alpha_interval"), Clamp: v["clamp"] == 1, DecreaseInterval: v.time("decrease_interval"),
	}
}

// typed are the Go functions behind the documents of this package.
var typed = map[string]func(v values) int64{
	"kmin": func(v values) int64 {
		return int64(KMin(v.bytes("packet"), v.rate("rate"), v.rate("flow"), v.time("unmarked"), v.time("delay"), v["parts"], v.bytes("step")))
	},
	"kmax": func(v values) int64 {
		return int64(KMax(v.rate("rate"), v.time("delay"), v["parts"], v.bytes("step")))
	},
	"transfer-time": func(v values) int64 { return int64(TransferTime(v["transfers"], v.rate("flow"), v["cut"])) },
	"unmarked-time": func(v values) int64 { return int64(Unmarked(v.time("interval"), v["intervals"], v["cut"])) },
	"dcqcn-recovery": func(v values) int64 {
		return int64(Recovery(v.time("timer"), v["clamp"] == 1, v.rate("rate"), v.rate("rate_hai")))
	},
	"half-delay":  func(v values) int64 { return int64(HalfDelay(v.time("delay"))) },
	"curve-width": func(v values) int64 { return int64(CurveWidth(v.time("recovery"), v["num"], v["den"], v["cut"])) },
	"curve-end": func(v values) int64 {
		return int64(CurveEnd(v.bytes("kmin"), v.rate("rate"), v.rate("flow"), v.time("width"), v.time("delay"), v["parts"], v.bytes("step")))
	},
	"roce-packet": func(v values) int64 { return int64(RoCEPacket(v.bytes("roce_mtu"))) },
	"path-base": func(v values) int64 {
		return int64(PathBase(v.time("send"), v.time("receive"), v.time("server"), v.time("between"), v.time("chip"), v.time("frame"), v["hops"]))
	},
	"queue-budget": func(v values) int64 { return int64(QueueBudget(v.time("goal"), v.time("base"), v["hops"])) },
	"settled-queue": func(v values) int64 {
		v["kmax"] = max(v["kmin"], v["kmax"])
		return int64(SettledQueue(v.bytes("kmin"), v.bytes("kmax"), v.ratio("fixed_point"), v.ratio("pmax")))
	},
	"halving-time": func(v values) int64 {
		return int64(HalvingTime(v.time("gap"), v.time("alpha_interval"), v["g"], v["gd"]))
	},
	"packet-rate": func(v values) int64 { return PacketRate(v.rate("rate"), v.bytes("roce_mtu")) },
	"pmax-bound": func(v values) int64 {
		return int64(PMaxBound(v["sources"], v.time("interval"), v["packet_rate"]))
	},
	"flows":                func(v values) int64 { return int64(Flows(v["senders"], v["queue_pairs"])) },
	"cnp-gap":              func(v values) int64 { return int64(CNPGap(v.time("interval"), v["flows"])) },
	"dcqcn-fixed-point":    func(v values) int64 { return int64(v.steady().solve(v["step"], v["additive_at"], v["hyper_at"])) },
	"dcqcn-alpha-interval": func(v values) int64 { return int64(AlphaInterval(v.time("interval"))) },
	"dcqcn-time-reset":     func(v values) int64 { return int64(TimeReset(v.time("base"), v.time("interval"))) },
	"dcqcn-ai-rate":        func(v values) int64 { return int64(AIRate(v.rate("rate"))) },
	"dcqcn-hai-rate":       func(v values) int64 { return int64(HAIRate(v.rate("rate_ai"))) },
	"dcqcn-step": func(v values) int64 {
		step, _, _ := v.steady().times()
		return step
	},
	"dcqcn-additive-at": func(v values) int64 {
		_, additive, _ := v.steady().times()
		return additive
	},
	"dcqcn-hyper-at": func(v values) int64 {
		_, _, hyper := v.steady().times()
		return hyper
	},
	"pmax":        func(v values) int64 { return int64(PMax(v.ratio("fixed_point"), v.ratio("bound"), v.ratio("least"))) },
	"pmax-useful": func(v values) int64 { return int64(PMaxUseful(v.ratio("bound"))) },
	"frame-reserve": func(v values) int64 {
		return int64(FrameReserve(v.bytes("frame"), v.bytes("metadata"), v.bytes("cell")))
	},
	"xon-offset":     func(v values) int64 { return int64(XOnOffset(v.bytes("frame"), v.bytes("cell"))) },
	"headroom-floor": func(v values) int64 { return int64(HeadroomFloor(v.bytes("needed"), v.bytes("vendor"))) },
	"headroom-margin": func(v values) int64 {
		return int64(HeadroomWithMargin(v.bytes("headroom"), v.ratio("margin"), v.bytes("extra"), v.bytes("cell")))
	},
	"shared-buffer": func(v values) int64 {
		return int64(SharedBuffer(v.bytes("usable"), v.bytes("reserved"), v.bytes("headroom"), v["slices"], v.bytes("cell")))
	},
	"lossy-pool": func(v values) int64 {
		return int64(LossyPool(v.bytes("shared"), v["lossy_weight"], v["all_weight"], v.bytes("least"), v.bytes("cell")))
	},
	"pg-share": func(v values) int64 { return int64(PGShare(v.bytes("shared"), v.alpha(), v["n"], v.bytes("cell"))) },
	"marking-room": func(v values) int64 {
		return int64(MarkingRoom(v.bytes("shared"), v.alpha(), v["from"], v["to"]))
	},
	"static-room": func(v values) int64 {
		return int64(StaticRoom(v.bytes("shared"), v.alpha(), v["from"], v["to"], v["groups"]))
	},
	"newcomer-share": func(v values) int64 {
		return int64(NewcomerShare(v.bytes("shared"), v.alpha(), v["n"], v.bytes("cell")))
	},
	"reaction-time": func(v values) int64 { return int64(ReactionTime(v.time("base"), v.time("lag"))) },
	"overshoot": func(v values) int64 {
		return int64(Overshoot(v["from"], v["to"], v.rate("sender"), v.rate("rate"), v.time("reaction")))
	},
	"stuck-leave": func(v values) int64 { return int64(StuckLeave(v.bytes("shared"), v.alpha(), v["n"])) },
	"headroom-by-ratio": func(v values) int64 {
		return int64(HeadroomByRatio(v.bytes("all"), v["ratio"], v.bytes("largest"), v["slices"], v.bytes("cell")))
	},
	"watchdog-time": func(v values) int64 {
		return int64(WatchdogTime(v.time("base"), v["ports"], v.time("limit")))
	},
	"fill-time":        func(v values) int64 { return int64(FillTime(v.bytes("bytes"), v.rate("rate"))) },
	"whole-cells":      func(v values) int64 { return int64(v.bytes("bytes").CeilTo(v.bytes("cell"))) },
	"whole-cells-down": func(v values) int64 { return int64(v.bytes("bytes").FloorTo(v.bytes("cell"))) },
	"trimmed-rate": func(v values) int64 {
		return int64(TrimmedRate(v["senders"], v.rate("rate"), v.bytes("size"), v.bytes("packet")))
	},
	"weighted-share": func(v values) int64 {
		return int64(WeightedShare(v.rate("rate"), v["weight"], v["all_weight"]))
	},
	"cnp-rate":      func(v values) int64 { return int64(CNPRate(v["sources"], v.time("interval"), v["packet_rate"])) },
	"strict-share":  func(v values) int64 { return int64(StrictShare(v.rate("rate"), v.ratio("throughput"))) },
	"cnp-hop-delay": func(v values) int64 { return int64(CNPHopDelay(v.rate("rate"), v.bytes("frame"))) },
	"largest-pause": func(v values) int64 { return int64(LargestPause(v.rate("rate"))) },
}

// The documents and the code say the same on random inputs. What explain prints is
// the document; what is configured is the code.
func TestDocumentsAgreeWithCode(t *testing.T) {
	book := formulas.Load()
	for id, compute := range typed {
		doc, ok := book.Find(id)
		if !ok {
			t.Errorf("no document %q", id)
			continue
		}
		t.Run(id, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := values{}
				for _, input := range doc.Inputs {
					in[input.Symbol] = rapid.Int64Range(input.Min, input.Max).Draw(t, input.Symbol)
				}
				got := compute(in)
				want := must.Get(doc.Eval(in))(t)
				if !want.IsInt64() || want.Int64() != got {
					t.Fatalf("%v: code %d, document %s", in, got, want)
				}
			})
		})
	}
}
