package proof_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// kinds are seeds of small switches: those below 10,000 that are the first with some obligation of a kind, by its
// verdict, the reason or conditions of it, and whether a cell decides.
var kinds = []int{
	1, 2, 6, 7, 9, 10, 13, 15, 16, 18, 19, 24, 25, 28, 31, 44, 46, 48, 54, 67, 79, 90, 112, 139, 144, 183, 185,
	190, 212, 232, 283, 290, 314, 333, 335, 337, 348, 359, 397, 413, 470, 582, 619, 626, 651, 660, 673, 700, 715,
	731, 745, 762, 787, 804, 841, 978, 1003, 1057, 1099, 1184, 1375, 1378, 1788, 1792, 1854, 2068, 2151, 2221,
	2299, 2579, 2842, 2971, 3155, 3470, 3561, 3582, 3665, 3936, 3937, 4395, 5180, 5346, 5350, 5363, 5443, 5661,
	5806, 5996, 6136, 6280, 6567, 6596, 6710, 7143, 7514, 7618, 7908, 8083, 8318, 8507, 8520, 9250, 9323, 9326,
	9398, 9538, 9760,
}

// What is proved of small switches, whose buffers lie about where they begin to suffice. That the verdicts
// are right is for package adversary to say, which is asked about the same switches and 10,000 others in CI
// (TestProverAndAdversaryAgree); that the numbers follow from the terms, for Recheck, which knows neither
// prover nor switch. Each of them is proved again with something else known: of fewer senders, of fewer
// groups that are paused, of nothing of the first port, and of other peers.
func TestSmallSwitches(t *testing.T) {
	generator := smallswitch.Generator(t)
	var out strings.Builder
	told := map[string]bool{}
	for i, seed := range kinds {
		s := generator.Example(seed)
		fmt.Fprintf(&out, "%d: %s, %d ports\n", seed, s.Chip.Name, len(s.Plan.Ports))
		before := tell(t, &out, told, nil, s, proof.Context{})
		name, ctx := variation(i, s.Plan)
		fmt.Fprintf(&out, "  %s\n", name)
		tell(t, &out, told, before, s, ctx)
	}
	diagtest.Golden(t, "../../golden/proof/small.txt", out.String())
}

// variation returns a change to what is known of a switch.
func variation(i int, sw *plan.Switch) (string, proof.Context) {
	switch i % 6 {
	case 0:
		return "two senders at once", proof.Context{FanIn: 2, Patterns: []proof.Pattern{{From: 3, To: 2}, {From: 40, To: 1}}}
	case 1:
		return "two groups paused at once", proof.Context{PausedPGs: 2, Throughput: 90 * units.Percent}
	case 2:
		sw.Ports[0].Cable = 0
		return "a cable of which nothing is known", proof.Context{Silent: map[string]string{proof.Headroom: "the file has none", proof.QueueHolds: "nor queues"}}
	case 3:
		sw.Ports[1].Speed = 0
		return "a port of which nothing is known", proof.Context{}
	case 4:
		own := map[string]proof.PortContext{}
		for i := range sw.Ports {
			sw.Ports[i].Assumed = nil
			own[sw.Ports[i].Name] = proof.PortContext{Assumed: &plan.Assumed{SmallPackets: plan.Of(60*units.Percent, nil)}}
			break
		}
		return "other peers", proof.Context{Ports: own, Default: &plan.Assumed{Declared: true, Response: plan.Of(units.Microsecond, nil), LosslessFrame: plan.Of[units.Bytes](1024, nil)}}
	}
	for i := range sw.Ports {
		sw.Ports[i].Assumed = nil
	}
	return "nothing declared", proof.Context{FanIn: 1}
}

// tell writes the obligations of a switch that were not told before, with whatever stands behind them that no
// obligation of the same kind had, and returns their lines.
func tell(t *testing.T, out *strings.Builder, told map[string]bool, before []string, s smallswitch.Switch, ctx proof.Context) (lines []string) {
	report := prove(t, s.Plan, s.Chip, ctx)
	certificate := proof.Certify(report, s.Plan.Names, s.Chip.Name, nil)
	errs := proof.Compare(certificate, report)
	// Else the obligation is of fewer groups than there are, which its caller makes a condition, or of fewer senders, which no
	// certificate has.
	if ctx.PausedPGs == 0 && ctx.FanIn == 0 {
		errs = append(errs, proof.Recheck(certificate, nil)...)
	}
	for _, err := range errs {
		t.Errorf("%v, %v: %v", s.Plan.Names, ctx, err)
	}
	for i := range report.Obligations {
		o := &report.Obligations[i]
		line := fmt.Sprintf("%s %s: %v %d %d %s", o.ID, o.Where, o.Verdict, o.Left.Value, o.Right.Value, o.Unit)
		for _, c := range o.Conditions {
			if c.ID != proof.AssumedDatum {
				line += fmt.Sprintf(", %s %s %d of %d short %d perhaps %v", c.ID, c.Where, c.Bound, c.Worst, c.Short, c.Perhaps)
			}
		}
		lines = append(lines, line)
		if slices.Contains(before, line) {
			continue
		}
		fmt.Fprintf(out, "    %s\n", line)
		for _, line := range wholly(o) {
			if kind := o.ID + figures.ReplaceAllString(line, "N"); !told[kind] {
				told[kind] = true
				fmt.Fprintf(out, "        %s\n", line)
			}
		}
	}
	return lines
}

var figures = regexp.MustCompile(`[\d.]+[a-zA-Z]*`)

// wholly is all that there is to say of an obligation but where it is.
func wholly(o *proof.Obligation) (lines []string) {
	lines = []string{fmt.Sprintf("%s, lossless %v, %s", o.Title, o.Lossless, o.Source)}
	if o.Because != "" {
		lines = append(lines, "because "+o.Because)
	}
	if o.Note != "" {
		lines = append(lines, "note "+o.Note)
	}
	lines = append(lines, inequality(o.Terms, o.Left, o.Right)...)
	for _, c := range o.Conditions {
		lines = append(lines, fmt.Sprintf("if %s: declare %s; in %q", c.Assumes, c.Declare, c.Unit))
		for _, term := range c.Terms {
			lines = append(lines, "    "+termText(term))
		}
	}
	if o.Under != nil {
		lines = append(lines, "under these")
		lines = append(lines, inequality(o.Under.Terms, o.Under.Left, o.Under.Right)...)
	}
	return lines
}

func inequality(terms []proof.Term, left, right proof.Side) (lines []string) {
	for _, term := range terms {
		lines = append(lines, termText(term))
	}
	return append(lines, left.Expr+" ≤ "+right.Expr)
}

func termText(t proof.Term) string {
	return fmt.Sprintf("%s = %s (%s) = %d %s %s", t.Symbol, t.Expr, t.Name, t.Value, t.Unit, t.At)
}

// Four groups of a pool hold 110 cells of headroom each whatever comes in, but for one cell that is below the
// threshold of one of them in any case: 439 in a pool of 438. A certificate of that stands up to arithmetic.
func TestOneCellIsBelowInAnyCase(t *testing.T) {
	s := smallswitch.Generator(t).Example(2990)
	for i := range s.Plan.Ports {
		s.Plan.Ports[i].Assumed = nil
	}
	report := prove(t, s.Plan, s.Chip, proof.Context{})
	i := slices.IndexFunc(report.Obligations, func(o proof.Obligation) bool { return o.ID == proof.HeadroomPool })
	if o := &report.Obligations[i]; o.Left.Value != 4*110-1 || o.Right.Value != 438 {
		t.Fatal(o)
	}
	for _, err := range proof.Recheck(proof.Certify(report, s.Plan.Names, s.Chip.Name, nil), nil) {
		t.Error(err)
	}
}
