package emit

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// A Kind is ports with the same settings on a target, named after the port group of the first.
type Kind struct {
	Name  string
	Ports []*plan.Port // one at least
}

// First returns the port that speaks for all.
func (k *Kind) First() *plan.Port { return k.Ports[0] }

// QoS returns the settings of all its ports.
func (k *Kind) QoS() *plan.PortQoS { return k.Ports[0].QoS }

// Kinds puts the ports of a switch that have QoS into kinds, in the order of the ports. same
// reports whether two ports have the same settings; takes whether the target can hold the name of a
// group, and kinds of other groups are called "ports". Of kinds with one name the second is NAME-2,
// unless a group is called so.
func Kinds(s *plan.Switch, same func(a, b *plan.Port) bool, takes func(name string) bool) (kinds []*Kind) {
	taken := map[string]bool{}
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.QoS == nil {
			continue
		}
		if j := slices.IndexFunc(kinds, func(k *Kind) bool { return same(k.First(), p) }); j >= 0 {
			kinds[j].Ports = append(kinds[j].Ports, p)
			continue
		}
		name := p.Group
		if !takes(name) {
			name = "ports"
		}
		for base, n := name, 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[name] = true
		kinds = append(kinds, &Kind{name, []*plan.Port{p}})
	}
	return kinds
}
