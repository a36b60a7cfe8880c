package srlinux

import (
	"regexp"
	"sync"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/plan"
)

// A kind is ports with the same settings.
type kind struct {
	*emit.Kind
	mapping string // empty where PFC is off
	bursts  bool   // whether there are limits of its queues
}

var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$`) })

// sortPorts puts the ports into kinds. Peak rates are per cent of the port's, so ports of different
// speeds are of different kinds.
func (b *builder) sortPorts() {
	same := func(p, q *plan.Port) bool { return p.QoS == q.QoS && p.Speed == q.Speed }
	for _, k := range emit.Kinds(b.s, same, word().MatchString) {
		b.kinds = append(b.kinds, &kind{Kind: k})
	}
}

// bind gives every port its profiles, and its subinterface the classifier.
func (b *builder) bind() {
	b.at(row.Bound)
	for _, k := range b.kinds {
		for _, p := range k.Ports {
			b.bindPort(k, p.Name)
			sub := p.Name + ".0"
			b.put(row.BoundInterface, p.Name, sub)
			b.put(row.BoundSubinterface, 0, sub)
			b.put(row.BoundClassifier, b.classifierOf(k.QoS()), sub)
			if name := b.rewritingOf(k.QoS().Rewrite); name != "" {
				b.put(row.BoundRewriting, name, sub)
			}
		}
	}
}

func (b *builder) bindPort(k *kind, port string) {
	b.put(row.BoundInterface, port, port)
	if k.mapping != "" {
		b.put(row.BoundMapping, k.mapping, port)
		b.put(row.BoundPFC, true, port)
		b.put(row.BoundPause, k.Name, port)
	}
	for i := range k.QoS().Queues {
		if q := &k.QoS().Queues[i]; q.ECN != nil || byFill(q) {
			b.put(row.BoundCurve, b.curve(k, q), port, b.s.QueueName(q.ID))
		}
	}
	if len(k.QoS().Queues) > 0 {
		b.put(row.BoundPolicy, k.Name, port)
	}
	if k.bursts {
		b.put(row.BoundAllocation, k.Name, port)
	}
}
