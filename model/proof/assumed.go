package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
)

// A datum is one of the chip that the proof reads, and the obligations that rest on it.
type datum struct {
	name string
	fact *chips.Fact
	in   func(id string) bool
	// memory: it says how much there is.
	memory bool
}

// data returns the data on which a verdict on lossless packets rests. Latencies, steps of
// thresholds and what configurations may say are none of them.
func data(chip *chips.Chip) []datum {
	everywhere := func(id string) bool { return id != PauseReaches }
	shared := func(id string) bool { return everywhere(id) && id != Headroom }
	return []datum{
		{chip.CellSize.Name(), chip.CellSize.Fact(), everywhere, false},
		{chip.PacketMetadata.Name(), chip.PacketMetadata.Fact(), everywhere, false},
		{chip.Pause.Name(), chip.Pause.Fact(), everywhere, false},
		{chip.XOFFDecided.Name(), chip.XOFFDecided.Fact(), everywhere, false},
		{chip.PauseDelay.Name(), chip.PauseDelay.Fact(), everywhere, false},
		{chip.Admission.Name(), chip.Admission.Fact(), everywhere, false},
		{chip.Slices.Name(), chip.Slices.Fact(), shared, false},
		{chip.PoolSize.Name(), chip.PoolSize.Fact(), shared, false},
		memoryDatum(chip),
	}
}

// memoryDatum returns the one that model.Buffer takes the memory from. If it is wrong, more may be
// configured than is there, and packets lost.
func memoryDatum(chip *chips.Chip) datum {
	own := func(id string) bool { return id == Memory }
	if chip.UsableBuffer.Fact() != nil {
		return datum{chip.UsableBuffer.Name(), chip.UsableBuffer.Fact(), own, true}
	}
	return datum{chip.PacketBuffer.Name(), chip.PacketBuffer.Fact(), own, true}
}

func datumText(name string) string { return name + " is as the catalogue assumes it: " }

// tightest begins the end of a condition on an assumed datum: the obligation that rests on the datum alone and has
// the least slack.
const tightest = "; the tightest obligation that rests on it alone is "

func (o *Obligation) tightText() string {
	return fmt.Sprintf("%s%s of %s, with %d %s to spare", tightest, o.ID, o.Where, o.Slack(), o.Unit)
}

// assumedData makes a condition of every datum that the catalogue assumes: one for each, however
// many obligations rest on it. Its margin is the least slack among those: the datum may be off by
// as much as moves their sides by that.
func (p *prover) assumedData(chip *chips.Chip) {
	for _, d := range data(chip) {
		if d.fact == nil || d.fact.Confidence != chips.Assumed {
			continue
		}
		var resting []*Obligation
		for i := range p.report.Obligations {
			o := &p.report.Obligations[i]
			if (o.Lossless || d.memory) && d.in(o.ID) && (o.Verdict == Holds || o.Verdict == Conditional) {
				resting = append(resting, o)
			}
		}
		if len(resting) == 0 {
			continue
		}
		tightest := resting[0]
		for _, o := range resting {
			if o.Verdict == Holds && (tightest.Verdict != Holds || o.Slack() < tightest.Slack()) {
				tightest = o
			}
		}
		c := Condition{
			ID: AssumedDatum, Where: p.chipName(), Declare: d.name + " of " + p.chipName(),
			Assumes: datumText(d.name) + d.fact.Source,
		}
		if tightest.Verdict == Holds {
			c.Assumes += tightest.tightText()
		}
		for _, o := range resting {
			o.Conditions = append(o.Conditions, c)
			o.Lossless = true // a memory that is smaller loses packets
		}
	}
	for i := range p.report.Obligations {
		if o := &p.report.Obligations[i]; o.Verdict == Holds && len(o.Conditions) > 0 {
			o.Verdict = Conditional
		}
	}
}
