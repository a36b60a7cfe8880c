package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// A verification is the output of verify --json.
type verification struct {
	Diagnostics diag.List        `json:"diagnostics"`
	Verdict     verify.Verdict   `json:"verdict"` // the worst of all switches
	Switches    []*verify.Switch `json:"switches"`
	Links       int              `json:"links_compared"`
	Deadlock    *verify.Deadlock `json:"deadlock,omitempty"`
	// Offers are edits of the fabric that make conditions needless.
	Offers []roceplan.Offer `json:"offers,omitempty"`
}

func newVerification(r *verify.Report) verification {
	return verification{nonNil(r.Findings), r.Verdict(), r.Switches, r.Links, r.Deadlock, nil}
}

// print prints the totals, each switch, then the fabric.
func (v *verification) print(t *terminal, r *verify.Report, timelines map[*verify.Switch]string) {
	printTotals(t, r)
	edits := newOffered(v.Offers)
	for _, s := range r.Switches {
		t.printf("\n")
		printSwitch(t, s, edits, timelines[s])
	}
	if r.Links > 0 || r.Deadlock != nil {
		t.printf("\n")
	}
	if r.Links > 0 {
		t.printf("links compared at both ends: %d\n", r.Links)
	}
	if d := r.Deadlock; d != nil {
		verdict := "no circle of links that wait for each other"
		if !d.Free {
			verdict = "links can wait for each other in a circle"
		}
		t.printf("deadlock: %s, %s: %s, without failures, with any single link failed (%s, %d distinct) and with any two (%s, %d distinct)\n",
			natural.Count(d.Devices, "switch", "switches"), natural.Count(d.Links, "link", "links"), verdict,
			natural.Count(d.Singles, "case", "cases"), d.SinglesExamined, natural.Count(d.Pairs, "case", "cases"), d.PairsExamined)
		t.printf("  routing: %s\n", d.Routing)
		for _, r := range d.NotJudged {
			t.linef("  not judged: %s: %s", r.At, r.Message)
		}
	}
}

// printTotals counts verdicts and findings.
func printTotals(t *terminal, r *verify.Report) {
	devices := r.Devices()
	for _, verdict := range []verify.Verdict{verify.Proved, verify.Conditional, verify.NotJudged, verify.Refuted} {
		t.printf("%s: %d; ", verdict, devices[verdict])
	}
	errors, warnings := count(r.Findings)
	t.printf("errors: %d; warnings: %d\n", errors, warnings)
}

func printSwitch(t *terminal, s *verify.Switch, edits *offered, timeline string) {
	printVerdict(t, s, edits)
	printObligations(t, s)
	for _, assumption := range s.Assumptions {
		t.linef("  assumed: %s", assumption)
	}
	if timeline != "" {
		t.printf("%s\n", strings.TrimRight(timeline, "\n"))
	}
}

// printVerdict prints the verdict on a switch, its grounds, and the groups with another verdict
// than the switch.
func printVerdict(t *terminal, s *verify.Switch, edits *offered) {
	devices := len(slices.Compact(slices.Sorted(slices.Values(s.Names)))) // a device can have several files
	files := ""
	if len(s.Names) > devices {
		files = fmt.Sprintf(" (%d files)", len(s.Names))
	}
	t.linef("%s: %d × %s, %s%s: %s", plan.Abbreviate(s.Names), devices, cmp.Or(s.Chip, "unknown chip"), s.Title(), files, s.Verdict)
	t.linef("  %v", s.Coverage)
	if s.FormatBy != "" && (t.all || s.FormatShared) {
		t.linef("  format: %s", s.FormatBy)
	}
	for _, g := range s.Groups {
		if g.Verdict != s.Verdict {
			t.linef("  %s: %s", g.Where, g.Verdict)
		}
	}
	for _, need := range s.PortHeadroom {
		t.linef("  %v", need)
	}
	printPartitions(t, s)
	for _, fact := range s.Declared {
		t.linef("  declared: %s", fact)
	}
	if s.Peers != nil {
		t.linef("  by %v", s.Peers)
	}
	for _, c := range s.Conditions {
		for _, line := range edits.lines("  ", s.Names[0], &c) {
			t.linef("%s", line)
		}
	}
	for _, reason := range t.reasons(s.Because) {
		t.linef("  because %s%s", reason.Message, at(reason.At))
	}
}

// reasons returns the reasons to print unless all are asked for.
func (t *terminal) reasons(all []verify.Reason) []verify.Reason {
	if t.all {
		return all
	}
	return verify.InBrief(all)
}

func at(line string) string {
	if line == "" {
		return ""
	}
	return " (" + line + ")"
}

// An offered prints conditions with the edits of the fabric that make them needless, and the costs of an edit once.
type offered struct {
	offers  []roceplan.Offer
	printed map[string]bool // edits with their costs
}

func newOffered(offers []roceplan.Offer) *offered { return &offered{offers, map[string]bool{}} }

// lines say what is taken for granted on a switch, how far it holds, who would declare it, and which edits make it
// needless: the condition at an indent, the edits below it.
func (o *offered) lines(indent, device string, c *proof.Condition) []string {
	text := indent + "if " + c.Where + ": " + c.Assumes
	if c.Worst != 0 {
		text += fmt.Sprintf(", which holds up to %s where %s is allowed", verify.Amount(c.Bound, c.Unit), verify.Amount(c.Worst, c.Unit))
	}
	if c.Perhaps {
		text += "; it is not known whether it has to hold"
	}
	offer := roceplan.OfferFor(o.offers, device, c)
	if offer == nil {
		return []string{text + "; to declare it: " + c.Declare}
	}
	lines := []string{text}
	for title, way := range offer.Ways() {
		edit := way.String()
		if o.printed[edit] {
			edit = way.Text + ", as above"
		}
		o.printed[way.String()] = true
		lines = append(lines, indent+"  "+title+edit)
	}
	if len(lines) == 1 {
		lines = append(lines, indent+"  "+offer.Why)
	}
	return lines
}

// printObligations prints the obligations that fail, that would fail without a condition, or that cannot be judged, and
// counts the others; with --all it prints each.
func printObligations(t *terminal, s *verify.Switch) {
	var rows table
	hold, conditional := 0, 0
	for i := range s.Obligations {
		o := &s.Obligations[i]
		if !t.all && holds(o) {
			hold++
			if o.Verdict == proof.Conditional {
				conditional++
			}
			continue
		}
		if len(rows.rows) == 0 {
			rows.add("  OBLIGATION", "WHERE", "LEFT", "", "RIGHT", "SLACK")
		}
		if o.Verdict == proof.Unjudged {
			rows.add("  "+o.ID, o.Where, "cannot be judged", "", o.Because)
			continue
		}
		sign, slack := "≤", verify.Amount(o.Slack(), o.Unit)
		switch o.Verdict {
		case proof.Fails:
			sign, slack = "≰", fmt.Sprintf("FAILS by %s", verify.Amount(-o.Slack(), o.Unit))
		case proof.Conditional:
			slack += ", conditional"
		}
		rows.add("  "+o.ID, o.Where, verify.Amount(o.Left.Value, o.Unit), sign, verify.Amount(o.Right.Value, o.Unit), slack)
	}
	t.printf("%s", rows)
	if hold == 0 {
		return
	}
	text := "  " + natural.Count(hold, "obligation holds", "obligations hold")
	if conditional > 0 {
		text += fmt.Sprintf(", %d of them under the conditions above", conditional)
	}
	if o := s.Tightest(); o != nil && holds(o) {
		text += fmt.Sprintf("; the tightest of losslessness is %s of %s, with %s left of %s", o.ID, o.Where, verify.Amount(o.Slack(), o.Unit), verify.Amount(o.Right.Value, o.Unit))
	}
	t.linef("%s; --all lists them", text)
}

// holds reports whether an obligation holds by its figures, whatever else it rests on.
func holds(o *proof.Obligation) bool {
	return o.Verdict == proof.Holds || o.Verdict == proof.Conditional && o.Slack() >= 0
}
