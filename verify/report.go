package verify

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// Verdict returns the worst of all devices.
func (r *Report) Verdict() (worst Verdict) {
	for _, s := range r.Switches {
		if s.Counts() {
			worst = max(worst, s.Verdict)
		}
	}
	return worst
}

// Passes reports whether nothing is wrong: no error was found, and every switch is proved or,
// unless strict, conditional. Unless strict, a switch that may well be one without RoCE does not
// count among others: nothing but its lack of PFC was not judged.
func (r *Report) Passes(strict bool) bool {
	most, judged := Conditional, strict || len(r.Switches) == 0
	if strict {
		most = Proved
	}
	for _, s := range r.Switches {
		switch {
		case !s.Counts() || !strict && s.lossy && len(s.Because) == 1:
		case s.Verdict > most:
			return false
		default:
			judged = true
		}
	}
	return judged && !r.Findings.HasErrors()
}

// Devices counts the devices of each verdict. A device with several files has the worst of
// those that count.
func (r *Report) Devices() (count map[Verdict]int) {
	of := map[string]Verdict{}
	for _, s := range r.Switches {
		if !s.Counts() {
			continue
		}
		for _, name := range s.Names {
			of[name] = max(of[name], s.Verdict)
		}
	}
	count = map[Verdict]int{}
	for _, verdict := range of {
		count[verdict]++
	}
	return count
}

// Rendered judges a file that was rendered for a switch of a plan, as it is read back: what
// the file says, not what the plan had in mind. Rules are left to [Verifier.Judge]: what they
// warn of may be what the plan asks for. prepare, if it is not nil, changes what was read
// before it is judged.
func (v *Verifier) Rendered(planned *plan.Switch, target string, f emit.File, prepare func(*plan.Switch)) (*Switch, error) {
	return v.asTold(planned, readBack(planned, target, f), prepare)
}

// asTold judges what was read of a switch with the chip, the cables and the peers of a plan.
// prepare, if it is not nil, changes what was read before.
func (v *Verifier) asTold(planned *plan.Switch, shape *Shape, prepare func(*plan.Switch)) (*Switch, error) {
	s := newSwitch(shape, cloneSwitch(shape.Switch))
	s.Names, s.Files = shape.Devices, shape.Files
	if s.prepare = prepare; prepare != nil {
		prepare(s.Plan)
	}
	v.complete(s, planned)
	return s, v.prove(s, planned)
}

// Margins searches for each shape of a plan how far the world may change before an obligation
// breaks.
func (v *Verifier) Margins(p *plan.Plan) ([][]proof.Margin, error) {
	all := make([][]proof.Margin, len(p.Switches))
	return all, parallel.Each(v.Context, parallel.Few, len(all), func(i int) (err error) {
		defer v.Step()
		chip, _ := v.Catalogue.Find(p.Switches[i].Chip)
		all[i], err = proof.Margins(p.Switches[i], chip, v.context)
		return err
	})
}

// Complete fills in what a switch that was read from a file sizes itself: profiles and pools
// of SONiC's dynamic model, pools of formats that do not say them.
func Complete(sw *plan.Switch, chip *chips.Chip) error {
	useChip(sw, chip)
	_, _, err := fillBuffers(sw, chip)
	return err
}

// Tightest returns the obligation of losslessness that has the least slack for its right side; nil
// where nothing was proved. One that fails has the least of all.
func (s *Switch) Tightest() *proof.Obligation {
	if s.Proof == nil {
		return nil
	}
	var tightest *proof.Obligation
	share := func(o *proof.Obligation) float64 { return float64(o.Slack()) / float64(max(o.Right.Value, 1)) }
	for i := range s.Proof.Obligations {
		o := &s.Proof.Obligations[i]
		if o.Lossless && o.Unit != "" && (tightest == nil || share(o) < share(tightest)) {
			tightest = o
		}
	}
	return tightest
}
