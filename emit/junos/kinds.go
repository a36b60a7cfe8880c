package junos

import (
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// sortPorts puts ports with one congestion notification profile and one map of schedulers
// together.
func (b *builder) sortPorts() {
	same := func(p, q *plan.Port) bool { return p.QoS == q.QoS && p.Cable == q.Cable && p.MTU == q.MTU }
	b.kinds = emit.Kinds(b.s, same, identifier().MatchString)
}

// bind gives every port its profile, schedulers and classifier. QFX with Junos Evolved
// classify on the logical interface.
func (b *builder) bind() {
	interfaces := b.cos.at("interfaces")
	for _, k := range b.kinds {
		for _, p := range k.Ports {
			port := interfaces.at(p.Name)
			if k.QoS().PFC != 0 {
				port.say("congestion-notification-profile", k.Name)
			}
			if len(k.QoS().Queues) > 0 {
				port.say("scheduler-map", k.Name)
			}
			unit := port
			if !b.classic { // which classifies on the physical one
				unit = port.at("unit 0")
			}
			unit.at("classifiers").say("dscp", b.classifierOf(k.QoS()))
			if b.s.Marking != nil { // packets that leave show the class to which they were admitted
				unit.at("rewrite-rules").say("dscp", edgeClassifier)
			} else if r := k.QoS().Rewrite; r != nil {
				unit.at("rewrite-rules").say("dscp", b.rewriting(*r))
			}
		}
	}
}
