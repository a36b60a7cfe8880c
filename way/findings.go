package way

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// when says a state in words.
func (b *Builder) when(s *State) string {
	switch {
	case s.Step == 0:
		return "the state before the rollout"
	case s.Phase != "":
		_, after, _ := strings.Cut(s.Phase, " ")
		return fmt.Sprintf("the state %q within step %s", after, b.names[s.Step-1])
	}
	return "the state after step " + b.names[s.Step-1]
}

// verdict returns the worst of all pairs and states.
func (b *Builder) verdict(w *Way) proof.Verdict {
	all := []proof.Verdict{proof.Holds}
	for _, p := range w.Pairs {
		all = append(all, p.Verdict)
	}
	for _, c := range b.proofs.Shapes {
		all = append(all, c.Due())
	}
	if len(b.proofs.Lacks) > 0 {
		all = append(all, proof.Unjudged)
	}
	return Worst(all)
}

// Worst returns the worst of verdicts.
func Worst(all []proof.Verdict) (worst proof.Verdict) {
	for _, v := range all {
		if v.Rank() > worst.Rank() {
			worst = v
		}
	}
	return worst
}

// failures reports the pairs of states that lose packets, one for each link and step.
func (b *Builder) failures(w *Way) {
	for _, p := range w.Pairs {
		if len(p.Fails) == 0 {
			continue
		}
		l, f := &w.Links[p.Link], p.Fails[0]
		x, y := &w.Chains[l.A[0]].States[f.A], &w.Chains[l.B[0]].States[f.B]
		b.found.Errorf(Unproved, b.placeOf(l), "during step %s, with %s in %s and %s in %s, packets with DSCP %d can be lost: %s", b.names[p.Step-1], l.Ends[0], b.when(x), l.Ends[1], b.when(y), f.DSCP, f.Because).
			Fixf("change the fabric in two parts, or stop traffic with DSCP %d until the last step", f.DSCP)
	}
	down := map[int]string{}
	for _, p := range w.Pairs {
		if l := &w.Links[p.Link]; p.Down > 0 && down[p.Step] == "" {
			down[p.Step] = fmt.Sprintf("%s and %s", l.Ends[0], l.Ends[1])
			b.found.Warnf(Down, b.placeOf(l), "during step %s, links such as that of %s are down until both ends have the same speed and FEC", b.names[p.Step-1], down[p.Step]).
				Fixf("drain them before the step")
		}
	}
}

// placeOf returns the place at which the fabric describes an end of a link.
func (b *Builder) placeOf(l *Link) diag.Range {
	for _, e := range l.Ends {
		device, port, _ := strings.Cut(e, " ")
		for _, p := range []*plan.Plan{b.after, b.before} {
			if sw := end(p, device); sw != nil {
				if at := b.portNamed(sw, port); at != nil && at.NamedAt().Filename != "" {
					return at.NamedAt()
				}
				return sw.Range
			}
		}
	}
	return diag.Range{}
}
