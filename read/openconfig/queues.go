package openconfig

import (
	"math"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// readCurves reads the queue management profiles that mark.
func (r *reader) readCurves(qos *node) {
	r.entries(qos.get("queue-management-profiles", "queue-management-profile"), "name", func(name string, n *node) {
		r.curves[name] = nil
		c := n.get("wred", "uniform", "config")
		if c == nil || !r.yes(c.get("enable-ecn")) {
			r.notModelled(n, "a queue management profile that does not mark")
			return
		}
		if r.yes(c.get("drop")) {
			r.notModelled(c.get("drop"), "WRED that drops")
		}
		if w, ok := r.number(c.get("weight"), 0, math.MaxUint32); ok && w > 0 {
			r.notModelled(c.get("weight"), "the weight of an averaged queue length")
		}
		low, high := c.get("min-threshold"), c.get("max-threshold")
		if low == nil || high == nil {
			r.notModelled(n, "a marking curve without thresholds in bytes")
			return
		}
		min, ok := r.number(low, 0, maxBytes)
		max, fine := r.number(high, 0, maxBytes)
		if !ok || !fine {
			return
		}
		p := int64(100)
		if given, ok := r.number(c.get("max-drop-probability-percent"), 0, 100); ok {
			p = given
		}
		r.curves[name] = &plan.ECN{
			KMin: from(units.Bytes(min), "kmin", r.at(low)), KMax: from(units.Bytes(max), "kmax", r.at(high)),
			PMax: from(units.Ratio(p)*units.Percent, "pmax", r.at(c)),
		}
	})
}

// readSchedulers reads what each policy says of each queue.
func (r *reader) readSchedulers(qos *node) {
	r.entries(qos.get("scheduler-policies", "scheduler-policy"), "name", func(policy string, n *node) {
		queues := map[string]plan.Scheduler{}
		r.schedulers[policy] = queues
		r.entries(n.get("schedulers", "scheduler"), "sequence", func(_ string, n *node) {
			r.notModelled(n.get("two-rate-three-color"), "a scheduler of two rates")
			strict := r.word(n.get("config", "priority")) == "STRICT"
			r.entries(n.get("inputs", "input"), "id", func(_ string, in *node) {
				queue, ok := r.queue(in.get("config", "queue"))
				if !ok {
					return
				}
				s := plan.Scheduler{Strict: strict, Range: r.at(n)}
				weight := in.get("config", "weight")
				if w, ok := r.number(weight, 0, math.MaxInt32); ok && !strict {
					s.Weight = plan.Of(w, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(w), Range: r.at(weight)})
				}
				cir := n.get("one-rate-two-color", "config", "cir")
				if rate, ok := r.number(cir, 0, 1<<50); ok {
					if len(n.get("inputs", "input").items) > 1 {
						r.notModelled(cir, "a rate that several queues share")
					} else {
						s.MaxRate = from(units.BitRate(rate), "shaper", r.at(cir))
					}
				}
				queues[queue] = s
			})
		})
	})
}

// readBuffers reads what each profile says of each queue.
func (r *reader) readBuffers(qos *node) {
	r.entries(qos.get("buffer-allocation-profiles", "buffer-allocation-profile"), "name", func(profile string, n *node) {
		queues := map[string]buffer{}
		r.buffers[profile] = queues
		r.entries(n.get("queues", "queue"), "name", func(name string, n *node) {
			if _, ok := r.queues[name]; !ok {
				r.report(Reference, r.at(n), "there is no queue %q", clip(name))
				return
			}
			queues[name] = r.buffer(n.get("config"))
		})
	})
}

func (r *reader) buffer(c *node) (b buffer) {
	reserved := c.get("dedicated-buffer")
	if v, ok := r.number(reserved, 0, maxBytes); ok {
		b.reserved = from(units.Bytes(v), "reserve", r.at(reserved))
	}
	for _, leaf := range []string{"dedicated-buffer-temporal", "static-shared-buffer-limit-temporal"} {
		r.notModelled(c.get(leaf), "an amount of buffer in microseconds")
	}
	scale, static := c.get("dynamic-limit-scaling-factor"), c.get("static-shared-buffer-limit")
	switch r.word(c.get("shared-buffer-limit-type")) {
	case "DYNAMIC_BASED_ON_SCALING_FACTOR":
		if v, ok := r.number(scale, -20, 20); ok {
			b.limit = from(plan.Limit{Dynamic: true, Alpha: units.Alpha(v)}, "limit", r.at(scale))
		}
	case "STATIC":
		if v, ok := r.number(static, 0, math.MaxUint32); ok {
			b.limit = from(plan.Limit{Static: units.Bytes(v)}, "limit", r.at(static))
		}
	}
	return b
}
