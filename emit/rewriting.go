package emit

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// Rewritings returns the different rewritings of ports, in the order of the ports.
func Rewritings(s *plan.Switch) (all []plan.Rewrite) {
	for i := range s.Ports {
		if q := s.Ports[i].QoS; q != nil && q.Rewrite != nil && !slices.Contains(all, *q.Rewrite) {
			all = append(all, *q.Rewrite)
		}
	}
	return all
}

// RewritingLost says that packets leave the ports with other code points than those of the plan, and why.
func RewritingLost(list *diag.List, code diag.Code, s *plan.Switch, why string) {
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.QoS == nil || p.QoS.Rewrite == nil || p.QoS.Rewrite.TCs == 0 {
			continue
		}
		list.WarnOnceAtf(code, cmp.Or(p.QoS.RewriteRange, p.Range), "the rewriting of %s (%s) is not written: %s", p.Name, p.QoS.Rewrite, why).
			Fixf("delete rewrite_dscp, or choose the target sonic")
	}
}
