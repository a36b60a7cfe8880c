package main

import (
	"fmt"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A designAnswer is a shape of switches and what it could be, as --json prints it.
type designAnswer struct {
	Names   []string      `json:"names"`
	Chip    string        `json:"chip"`
	Fits    bool          `json:"fits"`
	Classes int           `json:"most_lossless_classes"`
	FanIn   int           `json:"largest_fan_in"`
	Trades  []designTrade `json:"headroom_sharing"`
}

// designTrade is one ratio of the headroom pool.
type designTrade struct {
	Ratio  int64         `json:"ratio"`
	Held   int           `json:"groups_paused_at_once"`
	Cables []designReach `json:"cables"`
}

// designReach is the longest cable for 1, 2, … lossless classes.
type designReach struct {
	Group   string         `json:"group"`
	Now     units.Length   `json:"cable_mm"`
	Longest []units.Length `json:"longest_mm_by_classes"`
}

// design answers what would fit.
func (c marginsCmd) design(t *terminal, f *roceplan.Fabric) error {
	all := []designAnswer{}
	if p, _ := f.Plan(); len(p.Switches) == 0 {
		return nil // the faults of the files are reported, and there is nothing to change
	}
	for _, d := range calc.Designs(f.Policy) {
		all = append(all, newDesign(&d))
	}
	if t.json {
		return t.printJSON(fabricDesign{all})
	}
	for i := range all {
		all[i].print(t)
	}
	return nil
}

func newDesign(d *calc.Design) designAnswer {
	a := designAnswer{Names: d.Names, Chip: d.Chip, Fits: d.Fits, Classes: d.Classes, FanIn: d.FanIn}
	for _, trade := range d.Trades {
		own := designTrade{Ratio: trade.Ratio, Held: trade.Held}
		for _, reach := range trade.Cables {
			own.Cables = append(own.Cables, designReach(reach))
		}
		a.Trades = append(a.Trades, own)
	}
	return a
}

func (a *designAnswer) print(t *terminal) {
	fits := "does not fit unchanged"
	if a.Fits {
		fits = "fits unchanged"
	}
	t.printf("%s: %d × %s, %s\n", plan.Abbreviate(a.Names), len(a.Names), a.Chip, fits)
	t.printf("  the most lossless classes like the first: %s; the largest fan-in: %s\n", countOrNone(a.Classes), countOrNone(a.FanIn))
	var rows table
	heads := []string{"  GROUP", "NOW", "HEADROOM"}
	for n := range len(a.Trades[0].Cables[0].Longest) {
		heads = append(heads, natural.Count(n+1, "CLASS", "CLASSES"))
	}
	rows.add(append(heads, "PAUSED AT ONCE")...)
	for i := range a.Trades[0].Cables {
		for _, trade := range a.Trades {
			reach := trade.Cables[i]
			cells := []string{"  " + reach.Group, reach.Now.String(), fmt.Sprintf("%d:1", trade.Ratio)}
			for _, longest := range reach.Longest {
				cells = append(cells, lengthOrNone(longest))
			}
			rows.add(append(cells, countOrNone(trade.Held))...)
		}
	}
	t.printf("%s\n", rows)
}

func countOrNone(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func lengthOrNone(l units.Length) string {
	if l == 0 {
		return "none"
	}
	return l.String()
}

// fabricDesign is the output of margins --json with --design.
type fabricDesign struct {
	Switches []designAnswer `json:"switches"`
}
