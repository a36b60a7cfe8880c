package openconfig

import (
	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// readCurves reads the queue management profiles that mark.
func (r *reader) readCurves(root *posjson.Node) {
	r.each(row.Curve, root, func(name string, n *posjson.Node) {
		r.curves[name] = nil
		if r.unused(row.Curve, name) {
			return
		}
		if !r.Yes(leaf(row.CurveMarks, n)) {
			r.notModelled(n, "a queue management profile that does not mark")
			return
		}
		if drop := leaf(row.CurveDrops, n); r.Yes(drop) {
			r.notModelled(drop, "WRED that drops")
		} else {
			r.Pass(drop, ruleDefault)
		}
		if w, ok := r.number(row.CurveWeight, n); ok && w == 0 {
			r.Pass(leaf(row.CurveWeight, n), ruleDefault)
		} else if ok {
			r.notModelled(leaf(row.CurveWeight, n), "the weight of an averaged queue length")
		}
		low, high := leaf(row.CurveMin, n), leaf(row.CurveMax, n)
		if low == nil || high == nil {
			r.notModelled(n, "a marking curve without thresholds in bytes")
			return
		}
		min, ok := r.number(row.CurveMin, n)
		max, fine := r.number(row.CurveMax, n)
		if !ok || !fine {
			return
		}
		p := row.Of(row.Probability).Absent
		if given, ok := r.number(row.Probability, n); ok {
			p = given
		}
		r.curves[name] = &plan.ECN{
			KMin: read.From(units.Bytes(min), "kmin", r.At(low)), KMax: read.From(units.Bytes(max), "kmax", r.At(high)),
			PMax: read.From(units.Ratio(p)*units.Percent, "pmax", r.At(n.Get("wred", "uniform", "config"))),
		}
	})
}

// readSchedulers reads what each policy says of each queue.
func (r *reader) readSchedulers(root *posjson.Node) {
	r.each(row.Policy, root, func(policy string, n *posjson.Node) {
		queues := map[string]plan.Scheduler{}
		r.schedulers[policy] = queues
		if r.unused(row.Policy, policy) {
			return
		}
		r.each(row.Scheduler, n, func(_ string, n *posjson.Node) {
			r.notModelled(n.Get("two-rate-three-color"), "a scheduler of two rates")
			priority := leaf(row.Priority, n)
			strict := r.Word(priority) == row.Strict
			if priority != nil && !strict {
				r.notModelled(priority, "a scheduler of another priority than STRICT")
			}
			r.each(row.Input, n, func(_ string, in *posjson.Node) {
				queue, ok := r.queue(leaf(row.InputQueue, in))
				if !ok {
					return
				}
				s := plan.Scheduler{Strict: strict, Range: r.At(n)}
				weight := leaf(row.InputWeight, in)
				if strict {
					r.Pass(weight, ruleStrict)
				} else if w, ok := r.number(row.InputWeight, in); ok {
					s.Weight = plan.Of(w, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(w), Range: r.At(weight)})
				}
				cir := leaf(row.Rate, n)
				if how := leaf(row.Behavior, n); how != nil && r.Word(how) != row.Shape {
					r.Doubt(how, "packets above the rate are dropped, not held back", read.Scope{Queues: 1 << r.queues[queue]})
					r.Found.Warnf(NotModelled, r.At(how), "packets of queue %q above its rate are dropped, not held back", posjson.Clip(queue))
				} else if how != nil {
					r.Pass(how, ruleDefault)
				}
				if kind := leaf(row.InputType, in); kind != nil && r.Word(kind) == row.OfQueue {
					r.Pass(kind, ruleDefault)
				} else if kind != nil {
					r.notModelled(kind, "a scheduler of something else than queues")
				}
				if rate, ok := r.number(row.Rate, n); ok {
					if inputs := leaf(row.Input, n); inputs != nil && len(inputs.Items) > 1 {
						r.notModelled(cir, "a rate that several queues share")
					} else {
						s.MaxRate = read.From(units.BitRate(rate), "shaper", r.At(cir))
					}
				}
				queues[queue] = s
			})
		})
	})
}

// readBuffers reads what each profile says of each queue.
func (r *reader) readBuffers(root *posjson.Node) {
	r.each(row.Allocation, root, func(profile string, n *posjson.Node) {
		queues := map[string]buffer{}
		r.buffers[profile] = queues
		if r.unused(row.Allocation, profile) {
			return
		}
		r.each(row.Buffer, n, func(name string, n *posjson.Node) {
			if r.hasQueue(name, n) {
				queues[name] = r.buffer(n, read.Scope{Queues: 1 << r.queues[name]})
			}
		})
	})
}

func (r *reader) buffer(n *posjson.Node, queue read.Scope) (b buffer) {
	if v, ok := r.number(row.Dedicated, n); ok {
		b.reserved = read.From(units.Bytes(v), "reserve", r.At(leaf(row.Dedicated, n)))
	}
	for _, name := range []string{"dedicated-buffer-temporal", "static-shared-buffer-limit-temporal"} {
		r.notModelled(n.Get("config", name), "an amount of buffer in microseconds")
	}
	if shared := leaf(row.UseShared, n); shared != nil && !r.Yes(shared) {
		r.Doubt(shared, "the queue takes no shared buffer, which a plan cannot have", queue)
	} else {
		r.Pass(shared, ruleDefault)
	}
	if trim := n.Get("config", "trim-enable"); trim != nil && r.Yes(trim) {
		r.Doubt(trim, "packets of the queue are cut instead of waiting", queue)
	} else {
		r.Pass(trim, ruleDefault)
	}
	scale, static := leaf(row.DynamicLimit, n), leaf(row.StaticLimit, n)
	switch kind := leaf(row.LimitType, n); r.Word(kind) {
	case row.Dynamic:
		r.Pass(static, ruleOtherType)
		if v, ok := r.number(row.DynamicLimit, n); ok {
			b.limit = read.From(plan.Limit{Dynamic: true, Alpha: units.Alpha(v)}, "limit", r.At(scale))
		}
	case row.Static:
		r.Pass(scale, ruleOtherType)
		if v, ok := r.number(row.StaticLimit, n); ok {
			b.limit = read.From(plan.Limit{Static: units.Bytes(v)}, "limit", r.At(static))
		}
	case "":
	default:
		r.Errorf(Shape, r.At(kind), "%q is not a type of a limit", posjson.Clip(kind.Text)).Fixf("write a type of openconfig-qos-mem-mgmt")
	}
	return b
}
