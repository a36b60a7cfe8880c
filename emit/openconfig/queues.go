package openconfig

import (
	"fmt"
	"math"
	"slices"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
)

// schedulers prints one scheduler per strict queue, the highest queue first, and a
// last one that shares what they leave by weight.
func (b *builder) schedulers(k *kind) *schedulerPolicy {
	p := &schedulerPolicy{Name: &k.name, Schedulers: map[uint32]*scheduler{}}
	shared := &scheduler{Inputs: map[string]*input{}}
	next := func(s *scheduler) {
		s.Sequence = ptr(uint32(len(p.Schedulers)))
		p.Schedulers[*s.Sequence] = s
	}
	for _, q := range slices.Backward(k.of.Queues) {
		name := b.s.QueueName(q.ID)
		in := &input{ID: &name, Type: fromQueue, Queue: &name}
		if !q.Scheduler.Strict {
			if w := q.Scheduler.Weight.Value; w > 0 {
				in.Weight = ptr(uint64(w))
			}
			shared.Inputs[name] = in
			continue
		}
		s := &scheduler{Priority: strict, Inputs: map[string]*input{name: in}}
		if rate := q.Scheduler.MaxRate.Value; rate > 0 {
			s.Type, s.Behavior, s.CIR = oneRateTwoColor, shape, ptr(uint64(rate))
		}
		next(s)
	}
	if len(shared.Inputs) > 0 {
		next(shared)
	}
	return p
}

// management finds or makes the profile of an ECN curve, named after its numbers.
func (b *builder) management(q plan.Queue) string {
	e := q.ECN
	to := format.Voice{List: &b.list, System: "OpenConfig", Rounded: Rounded}
	percent := format.Write(to, format.WholePerCent, format.PMax, e.PMax.Value, e.PMax.Why.RangeOr(b.s.Range))
	name := fmt.Sprintf("ecn-%d-%d-%d", e.KMin.Value, e.KMax.Value, percent)
	b.out.Management[name] = &management{
		Name: &name, Min: ptr(uint64(e.KMin.Value)), Max: ptr(uint64(e.KMax.Value)),
		ECN: ptr(true), Drop: ptr(false), Weight: ptr(uint32(0)), PMax: ptr(uint8(percent)),
	}
	return name
}

// buffers prints reserve and limit of the queues, nil where there is nothing to say
// or EOS is the target, which refuses all that could say it.
func (b *builder) buffers(k *kind) *bufferAllocation {
	if b.eos {
		return nil
	}
	p := &bufferAllocation{Name: &k.name, Queues: map[string]*queueBuffer{}}
	for _, q := range k.of.Queues {
		l := q.Limit.Value
		if l == (plan.Limit{}) && q.Reserved.Value == 0 {
			continue
		}
		name := b.s.QueueName(q.ID)
		out := &queueBuffer{Name: &name, Dedicated: ptr(uint64(q.Reserved.Value)), Shared: ptr(true)}
		if l.Dynamic {
			out.Limit, out.Scaling = dynamicLimit, ptr(int32(l.Alpha))
		} else {
			if l.Static > math.MaxUint32 {
				b.list.Errorf(TooLarge, b.s.Range, "the limit of queue %d is %s, but the leaf static-shared-buffer-limit ends at %d B", q.ID, l.Static, uint32(math.MaxUint32)).Fixf("give the queue an alpha, or a limit of at most %d B", uint32(math.MaxUint32))
			}
			out.Limit, out.Static = staticLimit, ptr(uint32(l.Static))
		}
		p.Queues[name] = out
	}
	if len(p.Queues) == 0 {
		return nil
	}
	return p
}
