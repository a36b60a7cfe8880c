package verify

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// together reports switches with hosts that are in one AS and have a common neighbour in another one. Each drops the routes of
// the other as loops (RFC 4271, 9.1.2), unless it or the neighbour is set to pass them.
func (v *Verifier) together(all []*Switch, speakers []speaker, joined map[string]map[string]bool) (found diag.List) {
	passes, hosts := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		pass := anyOf(s.shape.Ledger.Ways, func(w *read.Way) bool { return w.Why == read.WayOwnAS || w.Why == read.WayPaired })
		for _, name := range s.Names {
			passes[name] = pass
			hosts[name] = v.planned[name] != nil && slices.ContainsFunc(v.planned[name].Ports, func(p plan.Port) bool { return !joined[name][p.Name] })
		}
	}
	first, reported := map[[2]string]*speaker{}, map[string]bool{}
	for i := range speakers {
		leaf, via := &speakers[i], speakers[i].peer
		own, other := leaf.device.of(read.OwnAS), via.device.of(read.OwnAS)
		if !hosts[leaf.Switch] || len(own) != 1 || len(other) != 1 || own[0].Value == other[0].Value || passes[leaf.Switch] || passes[via.Switch] || len(leaf.keys) == 0 {
			continue
		}
		twin, ok := first[[2]string{via.Switch, own[0].Value}]
		if !ok {
			first[[2]string{via.Switch, own[0].Value}] = leaf
		} else if twin.Switch != leaf.Switch && !reported[own[0].Value] {
			reported[own[0].Value] = true
			found.Errorf(PathCut, own[0].At, "%s and %s are both in AS %s, and their neighbour %s is in AS %s: each drops the routes of the other as loops, so no packets pass between them", leaf.Switch, twin.Switch, own[0].Value, via.Switch, other[0].Value).
				Fixf("give each an AS of its own, or let them accept routes with their own AS").Notef(twin.device.of(read.OwnAS)[0].At, "the other one")
		}
	}
	return found
}
