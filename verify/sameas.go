package verify

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// together reports switches with hosts that are in one AS and have a common neighbour in another one. Each drops the routes of
// the other as loops (RFC 4271, 9.1.2), unless it or the neighbour is set to pass them.
func (v *Verifier) together(all []*Switch, says map[plan.LinkEnd]ending, speakers map[plan.LinkEnd]*speaker, joined map[string]map[string]bool) (found diag.List) {
	passes, hosts := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		pass := anyOf(s.shape.Ledger.Ways, func(w *read.Way) bool { return w.Why == read.WayOwnAS || w.Why == read.WayPaired })
		for _, name := range s.Names {
			passes[name] = pass
			hosts[name] = v.planned[name] != nil && slices.ContainsFunc(v.planned[name].Ports, func(p plan.Port) bool { return !joined[name][p.Name] })
		}
	}
	first, reported := map[[2]string]plan.LinkEnd{}, map[string]bool{}
	for _, link := range v.Fabric.Plan.Links {
		for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
			leaf, via := ends[0].Switch, ends[1].Switch
			own, other := says[plan.LinkEnd{Switch: leaf}][read.OwnAS], says[plan.LinkEnd{Switch: via}][read.OwnAS]
			if !hosts[leaf] || len(own) != 1 || len(other) != 1 || own[0].Value == other[0].Value || passes[leaf] || passes[via] ||
				len(speakers[ends[0]].keys) == 0 {
				continue
			}
			twin, ok := first[[2]string{via, own[0].Value}]
			if !ok {
				first[[2]string{via, own[0].Value}] = ends[0]
			} else if twin.Switch != leaf && !reported[own[0].Value] {
				reported[own[0].Value] = true
				found.Errorf(PathCut, own[0].At, "%s and %s are both in AS %s, and their neighbour %s is in AS %s: each drops the routes of the other as loops, so no packets pass between them", leaf, twin.Switch, own[0].Value, via, other[0].Value).
					Fixf("give each an AS of its own, or let them accept routes with their own AS").Notef(says[plan.LinkEnd{Switch: twin.Switch}][read.OwnAS][0].At, "the other one")
			}
		}
	}
	return found
}
