package way

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/patch"
)

// tolerated is the faults of an end of the rollout, or its assumptions: of the first state before
// all steps and of the last one after them, which no order of the steps can help.
type tolerated struct {
	faults map[string]bool
	needs  map[string]int64
}

// tolerate finds what is wrong at the ends of the rollout, and then in each state.
func (b *Builder) tolerate(c *class) error {
	c.tolerated = tolerated{map[string]bool{}, map[string]int64{}}
	for i, s := range []*tracked{c.states[0], c.states[len(c.states)-1]} {
		if s.sw == nil {
			continue
		}
		facts := c.ends[i]
		if i == 0 && s.Step > 0 { // it is new: it meets what it has at the end
			facts = c.facts[0]
		}
		j, err := b.judge(c, s, facts, 0)
		if err != nil {
			return err
		}
		for fault := range j.faults {
			c.tolerated.faults[fault], c.tolerated.faults[strings.Replace(fault, patch.Certain, patch.Open, 1)] = true, true
		}
		for need, bound := range j.needs {
			if least, ok := c.tolerated.needs[need]; !ok || bound < least {
				c.tolerated.needs[need] = bound
			}
		}
	}
	for _, j := range c.proofs {
		c.wrong = append(c.wrong, c.tolerated.wrong(j))
	}
	return nil
}

// wrong returns the fault of a state alone, "" where it has none.
func (t *tolerated) wrong(j *judged) string {
	if j == nil {
		return ""
	}
	for _, fault := range slices.Sorted(maps.Keys(j.faults)) {
		if !t.faults[fault] && fault != unwritten { // which its emitter says
			return fault
		}
	}
	for _, need := range slices.Sorted(maps.Keys(j.needs)) {
		if least, ok := t.needs[need]; !ok || j.needs[need] < least {
			return fmt.Sprintf("a condition on %s would have to be stricter than both plans need it", need)
		}
	}
	return ""
}

// between reports whether a state is none of the ends of a chain.
func (c *Chain) between(state int) bool { return state > 0 && state+1 < len(c.States) }

// grown reports whether a state is between the ends and is set by a step.
func (c *Chain) grown(state int) bool { return c.between(state) && c.States[state].Phase == "" }

// settle proves states in which something is wrong once more: without the groups that only packets enter that are not under way. If that
// does not help, it stops what changes its place: first what the new plan does not have lossless.
func (b *Builder) settle(w *Way, nics []*nicTrack, classes []*class) error {
	wrong, err := b.again(w, classes)
	if err != nil || wrong == "" {
		return err
	}
	old, now := bitsOf(w.Before), bitsOf(w.After)
	was := b.rollout.Quiet[:len(b.rollout.Quiet):len(b.rollout.Quiet)]
	for _, stop := range []uint64{old &^ now, old ^ now} {
		b.rollout.Quiet = was
		for _, d := range listed(stop &^ bitsOf(w.Stopped)) {
			b.rollout.Stop(uint8(d), [2]string{wrong})
		}
		b.moments(w, nics, classes)
		if left, err := b.again(w, classes); err != nil || left == "" {
			return err
		}
	}
	b.rollout.Quiet = was
	b.moments(w, nics, classes)
	return nil
}

// again proves faulty states between the ends once more, and names a device that keeps a faulty
// one.
func (b *Builder) again(w *Way, classes []*class) (device string, err error) {
	for _, c := range classes {
		chain := &w.Chains[c.chain]
		for i, wrong := range c.wrong {
			if wrong == "" || !chain.between(i) {
				continue
			}
			silent := ^uint64(0)
			for step := max(1, c.states[i].Step); step <= chain.until(i, len(b.names)); step++ {
				silent &= bitsOf(w.Moments[step-1].Silent)
			}
			j, err := b.judge(c, c.states[i], c.facts[i], silent)
			if err != nil {
				return "", err
			}
			if wrong = c.tolerated.wrong(j); wrong != "" {
				device = c.devices[0]
				continue
			}
			c.wrong[i], c.proofs[i] = "", j
			for port, v := range c.views[i] {
				c.views[i][port] = b.intern(b.raw[v].without(silent))
			}
		}
	}
	return device, nil
}

// without returns a view while no packets of some code points are under way: a group that no others enter is not
// lossless.
func (v View) without(silent uint64) View {
	var used uint16
	for d, groups := range v.In {
		if silent>>d&1 == 0 {
			used |= groups
		}
	}
	v.Lossless &= uint8(used)
	return v
}

// unsettled reports the states in which something is wrong, the first of each class: those after it
// have it too.
func (b *Builder) unsettled(c *class) {
	if i := slices.IndexFunc(c.wrong, func(wrong string) bool { return wrong != "" }); i >= 0 {
		b.found.Errorf(Unproved, c.states[i].sw.Range, "%s of %s is not proved with the cables and peers that it can have by then: %s", b.when(&c.states[i].State), diff.Fold(c.devices), c.wrong[i]).
			Fixf("change the fabric in two parts, or drain the switch")
	}
}
