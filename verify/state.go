package verify

import (
	"fmt"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Fails judges a configuration that a device passes through on the way to a plan, by the
// obligations of [Verifier.Judge], with the chip, the cables and the peers of the plan. It returns
// why the state is refuted or not judged, each reason a sentence without a full stop that two
// states share if they share the fault. A priority group that no PFC priority of its port pauses
// carries no lossless traffic in that state, and is left out. The error is of what cannot be
// evaluated.
func (v *Verifier) Fails(planned *plan.Switch, target, device string, text []byte) (map[string]bool, error) {
	s, err := v.State(planned, target, device, text, nil)
	if err != nil {
		return nil, err
	}
	return s.Faults(), nil
}

// State returns the switch that [Verifier.Fails] judges, with all findings. prepare, if it is not nil, changes
// what was read before.
func (v *Verifier) State(planned *plan.Switch, target, device string, text []byte, prepare func(*plan.Switch)) (*Switch, error) {
	format, ok := FormatOf(target)
	if !ok {
		return nil, fmt.Errorf("no reader is called %q", target)
	}
	shape := &Shape{Format: format, Devices: []string{device}, Files: []string{device}, Text: text, pass: true}
	shape.parse(planned.Cell)
	return v.asTold(planned, shape, func(sw *plan.Switch) {
		if prepare != nil {
			prepare(sw)
		}
		onlyPaused(sw)
		lay(sw, planned)
	})
}

// Faults are why a state is refuted or not judged, as [Verifier.Fails] returns them: none where nothing is paused, so that nothing
// is promised.
func (s *Switch) Faults() map[string]bool {
	if len(s.Groups) == 0 {
		return nil
	}
	return s.faults()
}

// Needs returns the conditions of a state by their kind and place, in words that two states share, each with
// the least bound: what takes a larger bound for granted takes less.
func (s *Switch) Needs() map[string]int64 {
	needs := map[string]int64{}
	for i := range s.Obligations {
		o := &s.Obligations[i]
		if !o.Lossless || o.Verdict != proof.Conditional {
			continue
		}
		for _, c := range o.Conditions {
			kind := c.ID
			if c.Layers > 0 {
				kind += " and the layers of the switch"
			}
			places := s.places(o)
			if c.ID == AsPlanned { // it is one for the whole switch, whatever obligation has it
				places = []string{"for the " + c.Where}
			}
			for _, where := range places {
				need := kind + " " + where
				if least, ok := needs[need]; !ok || c.Bound < least {
					needs[need] = c.Bound
				}
			}
		}
	}
	return needs
}

// Certificate is that of a state that is called name, in a file; nil where nothing was proved.
func (s *Switch) Certificate(name, file string, text []byte) *proof.Certificate {
	if s.Proof == nil || s.Proof.Model == nil {
		return nil
	}
	c := proof.Certify(s.Proof, []string{name}, s.chip.Name, map[string][]byte{file: text})
	c.Stand(s.standing())
	return c
}

// Unproved is why there is no certificate.
func (s *Switch) Unproved() string { return s.unproved() }

// lay gives ports the cables of a plan: a cable does not change with what a file says of it.
func lay(sw, planned *plan.Switch) {
	laid := map[string]units.Length{}
	for i := range planned.Ports {
		laid[planned.Ports[i].Name] = planned.Ports[i].Cable
	}
	for i := range sw.Ports {
		if cable, ok := laid[sw.Ports[i].Name]; ok {
			sw.Ports[i].Cable = cable
		}
	}
}

// A fault is why a state is refuted or not judged, by a name that it has in another state too.
type fault struct{ id, where string }

// faults returns the reasons for a verdict by port, as a group is called otherwise once one of its
// ports has changed.
func (s *Switch) faults() map[string]bool {
	worst := map[fault]Verdict{}
	for i := range s.Obligations {
		o := &s.Obligations[i]
		if verdict := verdictOf(o.Verdict); o.Lossless && verdict >= NotJudged {
			for _, where := range s.places(o) {
				at := fault{o.ID, where}
				worst[at] = max(worst[at], verdict)
			}
		}
	}
	faults := map[string]bool{}
	for _, r := range s.open {
		faults[r.Message] = true
	}
	for at, verdict := range worst {
		what := "does not hold"
		if verdict == NotJudged {
			what = "is not judged"
		}
		faults[fmt.Sprintf("%s %s %s", at.id, what, at.where)] = true
	}
	return faults
}

// places says what an obligation is on without the names and numbers of groups of ports.
func (s *Switch) places(o *proof.Obligation) (all []string) {
	for _, g := range s.Groups {
		if g.Where == o.Where {
			for _, port := range g.Ports {
				all = append(all, fmt.Sprintf("for priority group %d of %s", g.PG, port))
			}
		}
	}
	if all == nil {
		all = []string{"in " + o.Place()}
	}
	return all
}

// onlyPaused makes a priority group that nothing pauses the lossy one that it is.
func onlyPaused(sw *plan.Switch) {
	for _, qos := range kindsOf(sw) {
		var paused uint8
		for priority, group := range sw.Maps.PFCToPG {
			if qos.PFC>>priority&1 == 1 {
				paused |= 1 << (group & 7)
			}
		}
		for i := range qos.PGs {
			pg := &qos.PGs[i]
			pg.Lossless = pg.Lossless && paused>>(pg.ID&7)&1 == 1
		}
	}
}
