package main

import (
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// tryRemedies looks for what would meet the goals of scenarios that miss one within reach, once for each.
func (c simCmd) tryRemedies(t *terminal, l *loaded, jobs []pattern.Job, outcomes []pattern.Outcome) error {
	p, _, err := l.planned(t)
	if err != nil {
		return err
	}
	list, err := tune.Remedies(l.Policy, p)
	if err != nil {
		return misusef("--remedies changes how classes mark: %v", err)
	}
	trials := &tune.Trials{Remedies: list, Size: fabric.Size(c.Size).OrWhole(), Chip: l.Catalogue.Find}
	tried := map[string]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		if !o.MissedInReach() || tried[o.Pattern] {
			continue
		}
		tried[o.Pattern] = true
		if o.Remedy, err = trials.Try(t, jobs[i].Scenario, o); err != nil {
			return err
		}
	}
	return nil
}

// noteRemedies names what would meet the goals of scenarios that miss some.
func noteRemedies(t *terminal, outcomes []pattern.Outcome) {
	for i := range outcomes {
		switch o, f := &outcomes[i], outcomes[i].Remedy; {
		case f == nil:
		case f.Kind == pattern.NoRemedy:
			t.printf("no remedy: %s, seed %d: of %d changes %s meets its goals\n", o.Pattern, o.Seed, f.Tried, f.Change)
		default:
			t.printf("remedy: %s, seed %d: with %s (%s) it meets its goals; %s tried\n", o.Pattern, o.Seed, f.Change, f.Kind, natural.Count(f.Tried, "change", "changes"))
		}
	}
}
