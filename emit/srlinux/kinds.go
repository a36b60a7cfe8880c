package srlinux

import (
	"fmt"
	"regexp"

	"github.com/roceplan/roceplan/plan"
)

// A kind is ports that are told the same.
type kind struct {
	name    string
	qos     *plan.PortQoS
	ports   []*plan.Port
	mapping string // empty where PFC is off
}

func (k *kind) first() *plan.Port { return k.ports[0] }

var word = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$`)

// sortPorts puts the ports into kinds, named after their groups. Peak rates are per cent of
// the port's, so that the speed tells kinds apart too.
func (b *builder) sortPorts() {
	taken := map[string]int{}
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		if p.QoS == nil {
			continue
		}
		if k := b.kindOf(p); k != nil {
			k.ports = append(k.ports, p)
			continue
		}
		name := p.Group
		if !word.MatchString(name) {
			name = "ports"
		}
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, taken[name])
		}
		b.kinds = append(b.kinds, &kind{name: name, qos: p.QoS, ports: []*plan.Port{p}})
	}
}

func (b *builder) kindOf(p *plan.Port) *kind {
	for _, k := range b.kinds {
		if k.qos == p.QoS && k.first().Speed == p.Speed {
			return k
		}
	}
	return nil
}

// bind gives every port its profiles, and its subinterface the classifier.
func (b *builder) bind() {
	zero := 0
	for _, k := range b.kinds {
		for _, p := range k.ports {
			base := bound{ID: p.Name, Ref: reference{Interface: p.Name}, Output: &boundOutput{}}
			if k.mapping != "" {
				base.PFC = &boundPFC{k.mapping, true}
				base.Input = &boundInput{Allocation: k.name}
			}
			if b.hasBursts(k) {
				base.Output.Allocation = k.name
			}
			if len(k.qos.Queues) > 0 {
				base.Output.Scheduler = &boundScheduler{k.name}
			}
			base.Output.Queues = b.boundCurves(k)
			if *base.Output == (boundOutput{}) {
				base.Output = nil
			}
			sub := bound{ID: p.Name + ".0", Ref: reference{p.Name, &zero}, Input: &boundInput{Classifiers: &boundClassifier{b.classifierOf(k.qos)}}}
			if b.s.Marking != nil { // what leaves says which class it was admitted to
				sub.Output = &boundOutput{Rewrite: &boundRewrite{edge}}
			}
			b.out.QoS.Interfaces.Interface = append(b.out.QoS.Interfaces.Interface, base, sub)
		}
	}
}

func (b *builder) boundCurves(k *kind) *boundQueues {
	var all []boundQueue
	for i := range k.qos.Queues {
		if q := &k.qos.Queues[i]; q.ECN != nil {
			all = append(all, boundQueue{b.s.QueueName(q.ID), b.curve(k, q)})
		}
	}
	if all == nil {
		return nil
	}
	return &boundQueues{all}
}
