package junos

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
)

// A kind is ports that are told the same: one congestion notification profile, one map of
// schedulers.
type kind struct {
	name  string
	ports []*plan.Port
}

func (k *kind) first() *plan.Port  { return k.ports[0] }
func (k *kind) qos() *plan.PortQoS { return k.ports[0].QoS }
func (k *kind) is(p *plan.Port) bool {
	first := k.first()
	return first.QoS == p.QoS && first.Cable == p.Cable && first.MTU == p.MTU
}

// sortPorts puts the ports into kinds, named after their groups.
func (b *builder) sortPorts() {
	taken := make(map[string]int)
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
		if !identifier.MatchString(name) {
			name = "ports"
		}
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, taken[name])
		}
		b.kinds = append(b.kinds, &kind{name, []*plan.Port{p}})
	}
}

func (b *builder) kindOf(p *plan.Port) *kind {
	for _, k := range b.kinds {
		if k.is(p) {
			return k
		}
	}
	return nil
}

// lossless are the priorities for which PFC is on at any port.
func (b *builder) lossless() (bits uint8) {
	for _, k := range b.kinds {
		bits |= k.qos().PFC
	}
	return bits
}

// bind gives every port its profile, schedulers and classifier. QFX with Junos Evolved
// classify on the logical interface.
func (b *builder) bind() {
	interfaces := b.cos.at("interfaces")
	for _, k := range b.kinds {
		for _, p := range k.ports {
			port := interfaces.at(p.Name)
			if k.qos().PFC != 0 {
				port.say("congestion-notification-profile", k.name)
			}
			if len(k.qos().Queues) > 0 {
				port.say("scheduler-map", k.name)
			}
			unit := port.at("unit 0")
			unit.at("classifiers").say("dscp", b.classifierOf(k.qos()))
			if b.s.Marking != nil { // what leaves says which class it was admitted to
				unit.at("rewrite-rules").say("dscp", edgeClassifier)
			}
		}
	}
}
