package srlinux

import (
	"regexp"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// A kind is ports that are told the same.
type kind struct {
	*emit.Kind
	mapping string // empty where PFC is off
}

var word = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$`)

// sortPorts puts the ports into kinds. Peak rates are per cent of the port's, so that the
// speed tells kinds apart too.
func (b *builder) sortPorts() {
	same := func(p, q *plan.Port) bool { return p.QoS == q.QoS && p.Speed == q.Speed }
	for _, k := range emit.Kinds(b.s, same, word.MatchString) {
		b.kinds = append(b.kinds, &kind{Kind: k})
	}
}

// bind gives every port its profiles, and its subinterface the classifier.
func (b *builder) bind() {
	zero := 0
	for _, k := range b.kinds {
		for _, p := range k.Ports {
			base := bound{ID: p.Name, Ref: reference{Interface: p.Name}, Output: &boundOutput{}}
			if k.mapping != "" {
				base.PFC = &boundPFC{k.mapping, true}
				base.Input = &boundInput{Allocation: k.Name}
			}
			if b.hasBursts(k) {
				base.Output.Allocation = k.Name
			}
			if len(k.QoS().Queues) > 0 {
				base.Output.Scheduler = &boundScheduler{k.Name}
			}
			base.Output.Queues = b.boundCurves(k)
			if *base.Output == (boundOutput{}) {
				base.Output = nil
			}
			sub := bound{ID: p.Name + ".0", Ref: reference{p.Name, &zero}, Input: &boundInput{Classifiers: &boundClassifier{b.classifierOf(k.QoS())}}}
			if b.s.Marking != nil { // what leaves says which class it was admitted to
				sub.Output = &boundOutput{Rewrite: &boundRewrite{edge}}
			}
			b.out.QoS.Interfaces.Interface = append(b.out.QoS.Interfaces.Interface, base, sub)
		}
	}
}

func (b *builder) boundCurves(k *kind) *boundQueues {
	var all []boundQueue
	for i := range k.QoS().Queues {
		if q := &k.QoS().Queues[i]; q.ECN != nil {
			all = append(all, boundQueue{b.s.QueueName(q.ID), b.curve(k, q)})
		}
	}
	if all == nil {
		return nil
	}
	return &boundQueues{all}
}
