package proof

import (
	"fmt"
)

// pauseReaches: PFC is on, on the port, for a priority of every lossless group. Without it the
// group pauses no peer, and everything that arrives above its threshold runs into the headroom
// until it is full. IEEE 802.1Q-2018 36.1.3.2: a station sends pauses only of priorities for which
// PFC is enabled.
func (p *prover) pauseReaches() {
	for _, g := range p.groups {
		for _, a := range p.losslessOf(g) {
			p.report.Groups = append(p.report.Groups, Group{p.where(a), p.portNames(g), a.number})
			on := int64(p.m.Ports[a.port].Pausable >> a.number & 1)
			p.add(Obligation{
				ID: PauseReaches, Where: p.where(a), Lossless: true,
				Terms: []Term{figure("on", on).from(g.qos.Range)},
				Left:  Side{"1", 1}, Right: Side{"on", on},
				Range: p.place(a.port, p.pgOf(a).Headroom.Why),
			})
		}
	}
}

// losslessOf lists the lossless groups of one port of a group of ports.
func (p *prover) losslessOf(g *group) (list []account) {
	first := g.ports[0]
	for number := range p.config.Ports[first].PGs {
		if pg := &p.config.Ports[first].PGs[number]; pg.Lossless {
			list = append(list, p.account(first, number, g))
		}
	}
	return list
}

// inSlices lists the same group of one port in every slice that has any: the effects of others
// differ from slice to slice.
func (p *prover) inSlices(a account) (list []account) {
	seen := make([]bool, p.config.Slices)
	for _, port := range a.group.ports {
		if slice := p.config.Ports[port].Slice; !seen[slice] {
			seen[slice] = true
			list = append(list, p.account(port, a.number, a.group))
		}
	}
	return list
}

func (p *prover) where(a account) string { return fmt.Sprintf("%s, PG %d", a.group.name, a.number) }

func (p *prover) portNames(g *group) []string {
	names := make([]string, len(g.ports))
	for i, port := range g.ports {
		names[i] = p.sw.Ports[port].Name
	}
	return names
}
