package emit

import (
	"cmp"
	"fmt"
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

// Completed returns a rewriting for systems that rewrite the packets of all classes: a class that it does not name gets the
// one code point that leads to it. why says which class has several; it is empty where none has.
func Completed(s *plan.Switch, r plan.Rewrite) (all plan.Rewrite, why string) {
	for tc := range uint8(8) {
		switch of := s.Maps.DSCPsOf(tc); {
		case r.TCs&(1<<tc) != 0:
		case len(of) == 1:
			r.Add(tc, of[0])
		case len(of) > 1:
			why = fmt.Sprintf("traffic class %d keeps its %d code points", tc, len(of))
		}
	}
	return r, why
}

// RewritingLost says that packets leave the ports with other code points than those of the plan, and why: all
// ports, or those with some rewritings.
func RewritingLost(list *diag.List, code diag.Code, s *plan.Switch, why string, of ...plan.Rewrite) {
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.QoS == nil || p.QoS.Rewrite == nil || p.QoS.Rewrite.TCs == 0 || of != nil && !slices.Contains(of, *p.QoS.Rewrite) {
			continue
		}
		list.WarnOnceAtf(code, cmp.Or(p.QoS.FirstRange(), p.Range), "the rewriting of %s (%s) is not written: %s", p.Name, p.QoS.Rewrite, why).
			Fixf("delete rewrite_dscp, or choose the target sonic")
	}
}
