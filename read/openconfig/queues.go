package openconfig

import (
	"math"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// readCurves reads the queue management profiles that mark.
func (r *reader) readCurves(qos *posjson.Node) {
	r.entries(qos.Get("queue-management-profiles", "queue-management-profile"), "name", func(name string, n *posjson.Node) {
		r.curves[name] = nil
		if r.unused("queue management profile", name) {
			return
		}
		c := n.Get("wred", "uniform", "config")
		if c == nil || !r.Yes(c.Get("enable-ecn")) {
			r.notModelled(n, "a queue management profile that does not mark")
			return
		}
		if drop := c.Get("drop"); r.Yes(drop) {
			r.notModelled(drop, "WRED that drops")
		} else {
			r.Pass(drop, ruleDefault)
		}
		if w, ok := r.Number(c.Get("weight"), 0, math.MaxUint32); ok && w == 0 {
			r.Pass(c.Get("weight"), ruleDefault)
		} else if ok {
			r.notModelled(c.Get("weight"), "the weight of an averaged queue length")
		}
		low, high := c.Get("min-threshold"), c.Get("max-threshold")
		if low == nil || high == nil {
			r.notModelled(n, "a marking curve without thresholds in bytes")
			return
		}
		min, ok := r.Number(low, 0, maxBytes)
		max, fine := r.Number(high, 0, maxBytes)
		if !ok || !fine {
			return
		}
		p := int64(100)
		if given, ok := r.Number(c.Get("max-drop-probability-percent"), 0, 100); ok {
			p = given
		}
		r.curves[name] = &plan.ECN{
			KMin: read.From(units.Bytes(min), "kmin", r.At(low)), KMax: read.From(units.Bytes(max), "kmax", r.At(high)),
			PMax: read.From(units.Ratio(p)*units.Percent, "pmax", r.At(c)),
		}
	})
}

// readSchedulers reads what each policy says of each queue.
func (r *reader) readSchedulers(qos *posjson.Node) {
	r.entries(qos.Get("scheduler-policies", "scheduler-policy"), "name", func(policy string, n *posjson.Node) {
		queues := map[string]plan.Scheduler{}
		r.schedulers[policy] = queues
		if r.unused("scheduler policy", policy) {
			return
		}
		r.entries(n.Get("schedulers", "scheduler"), "sequence", func(_ string, n *posjson.Node) {
			r.notModelled(n.Get("two-rate-three-color"), "a scheduler of two rates")
			priority := n.Get("config", "priority")
			strict := r.Word(priority) == "STRICT"
			if priority != nil && !strict {
				r.notModelled(priority, "a scheduler of another priority than STRICT")
			}
			r.entries(n.Get("inputs", "input"), "id", func(_ string, in *posjson.Node) {
				queue, ok := r.queue(in.Get("config", "queue"))
				if !ok {
					return
				}
				s := plan.Scheduler{Strict: strict, Range: r.At(n)}
				weight := in.Get("config", "weight")
				if strict {
					r.Pass(weight, ruleStrict)
				} else if w, ok := r.Number(weight, 0, math.MaxInt32); ok {
					s.Weight = plan.Of(w, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(w), Range: r.At(weight)})
				}
				cir := n.Get("one-rate-two-color", "config", "cir")
				if how := n.Get("one-rate-two-color", "config", "queuing-behavior"); how != nil && r.Word(how) != "SHAPE" {
					r.Doubt(how, "packets above the rate are dropped, not held back", read.Scope{Queues: 1 << r.queues[queue]})
					r.Found.Warnf(NotModelled, r.At(how), "packets of queue %q above its rate are dropped, not held back", posjson.Clip(queue))
				} else if how != nil {
					r.Pass(how, ruleDefault)
				}
				if kind := in.Get("config", "input-type"); kind != nil && r.Word(kind) == "QUEUE" {
					r.Pass(kind, ruleDefault)
				} else if kind != nil {
					r.notModelled(kind, "a scheduler of something else than queues")
				}
				if rate, ok := r.Number(cir, 0, 1<<50); ok {
					if inputs := n.Get("inputs", "input"); inputs != nil && len(inputs.Items) > 1 {
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
func (r *reader) readBuffers(qos *posjson.Node) {
	r.entries(qos.Get("buffer-allocation-profiles", "buffer-allocation-profile"), "name", func(profile string, n *posjson.Node) {
		queues := map[string]buffer{}
		r.buffers[profile] = queues
		if r.unused("buffer allocation profile", profile) {
			return
		}
		r.entries(n.Get("queues", "queue"), "name", func(name string, n *posjson.Node) {
			if _, ok := r.queues[name]; !ok {
				r.Errorf(Reference, r.At(n), "there is no queue %q", posjson.Clip(name)).Fixf("define the queue %q in queues, or refer to one that is there", posjson.Clip(name))
				return
			}
			queues[name] = r.buffer(n.Get("config"), read.Scope{Queues: 1 << r.queues[name]})
		})
	})
}

func (r *reader) buffer(c *posjson.Node, queue read.Scope) (b buffer) {
	reserved := c.Get("dedicated-buffer")
	if v, ok := r.Number(reserved, 0, maxBytes); ok {
		b.reserved = read.From(units.Bytes(v), "reserve", r.At(reserved))
	}
	for _, leaf := range []string{"dedicated-buffer-temporal", "static-shared-buffer-limit-temporal"} {
		r.notModelled(c.Get(leaf), "an amount of buffer in microseconds")
	}
	if shared := c.Get("use-shared-buffer"); shared != nil && !r.Yes(shared) {
		r.Doubt(shared, "the queue takes nothing of what is shared, and a plan takes no limit for none", queue)
	} else {
		r.Pass(shared, ruleDefault)
	}
	if trim := c.Get("trim-enable"); trim != nil && r.Yes(trim) {
		r.Doubt(trim, "packets of the queue are cut instead of waiting", queue)
	} else {
		r.Pass(trim, ruleDefault)
	}
	scale, static := c.Get("dynamic-limit-scaling-factor"), c.Get("static-shared-buffer-limit")
	switch kind := c.Get("shared-buffer-limit-type"); r.Word(kind) {
	case "DYNAMIC_BASED_ON_SCALING_FACTOR":
		r.Pass(static, ruleOtherType)
		if v, ok := r.Number(scale, -20, 20); ok {
			b.limit = read.From(plan.Limit{Dynamic: true, Alpha: units.Alpha(v)}, "limit", r.At(scale))
		}
	case "STATIC":
		r.Pass(scale, ruleOtherType)
		if v, ok := r.Number(static, 0, math.MaxUint32); ok {
			b.limit = read.From(plan.Limit{Static: units.Bytes(v)}, "limit", r.At(static))
		}
	case "":
	default:
		r.Errorf(Shape, r.At(kind), "%q is not a type of a limit", posjson.Clip(kind.Text)).Fixf("write a type of openconfig-qos-mem-mgmt")
	}
	return b
}
