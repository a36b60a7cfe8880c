package openconfig

import (
	"fmt"
	"slices"

	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// schedulers prints one scheduler per strict queue, the highest queue first, and a
// last one that shares what they leave by weight.
func (b *builder) schedulers(k *kind) {
	var weighted []plan.Queue
	sequence := 0
	for _, q := range slices.Backward(k.of.Queues) {
		if !q.Scheduler.Strict {
			weighted = append(weighted, q)
			continue
		}
		b.input(k, sequence, q)
		b.put(row.Priority, row.Strict, k.name, sequence)
		if rate := q.Scheduler.MaxRate; rate.Value > 0 {
			b.put(row.SchedulerType, "openconfig-qos-types:ONE_RATE_TWO_COLOR", k.name, sequence)
			b.put(row.Behavior, row.Shape, k.name, sequence)
			b.put(row.Rate, int64(rate.Value), k.name, sequence)
		}
		sequence++
	}
	for _, q := range weighted {
		b.input(k, sequence, q)
		if w := q.Scheduler.Weight.Value; w > 0 {
			b.put(row.InputWeight, w, k.name, sequence, b.s.QueueName(q.ID))
		}
	}
}

func (b *builder) input(k *kind, sequence int, q plan.Queue) {
	name := b.s.QueueName(q.ID)
	b.put(row.InputType, row.OfQueue, k.name, sequence, name)
	b.put(row.InputQueue, name, k.name, sequence, name)
}

// curve prints the profile of an ECN curve, and names it after its numbers.
func (b *builder) curve(e *plan.ECN) string {
	percent := write(b, row.Probability, e.PMax, b.s.Range)
	name := fmt.Sprintf("ecn-%d-%d-%d", e.KMin.Value, e.KMax.Value, percent)
	b.put(row.CurveMin, int64(e.KMin.Value), name)
	b.put(row.CurveMax, int64(e.KMax.Value), name)
	b.put(row.CurveMarks, true, name)
	b.put(row.CurveDrops, false, name)
	b.put(row.CurveWeight, 0, name)
	b.put(row.Probability, percent, name)
	return name
}

// buffers prints reserve and limit of the queues, nothing where there is nothing to say
// or EOS is the target, which refuses all that could say it.
func (b *builder) buffers(k *kind) {
	for _, q := range k.of.Queues {
		l := q.Limit.Value
		if b.eos || l == (plan.Limit{}) && q.Reserved.Value == 0 {
			continue
		}
		k.buffered = true
		name := b.s.QueueName(q.ID)
		b.put(row.Dedicated, int64(q.Reserved.Value), k.name, name)
		b.put(row.UseShared, true, k.name, name)
		if l.Dynamic {
			b.put(row.LimitType, "openconfig-qos:"+row.Dynamic, k.name, name)
			b.put(row.DynamicLimit, int64(l.Alpha), k.name, name)
			continue
		}
		b.put(row.LimitType, "openconfig-qos:"+row.Static, k.name, name)
		write(b, row.StaticLimit, plan.Derived[units.Bytes]{Value: l.Static, Why: q.Limit.Why}, b.s.Range, k.name, name)
	}
}
