// Package goals says of scenarios on a fabric whether they meet their goals, in figures of the
// steady state and of the whole run, and of those that do not, which bound no setting can beat, or
// what would fix that. golden/goals.txt is made of it.
package goals

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/roceplan/roceplan/model/sim/pattern"
)

// A Verdict on a scenario.
type Verdict string

// Verdicts.
const (
	Met        Verdict = "met"
	Missed     Verdict = "missed"
	Infeasible Verdict = "infeasible" // a missed goal lies beyond a bound
	NotRun     Verdict = "not run"    // it does not fit the fabric
)

// A Row is a scenario on a fabric.
type Row struct{ pattern.Outcome }

// Verdict is that on the row.
func (r *Row) Verdict() Verdict {
	switch {
	case r.Skipped != "":
		return NotRun
	case len(r.Missed) == 0:
		return Met
	case r.Infeasible() != nil:
		return Infeasible
	}
	return Missed
}

// A Count is how many rows have each verdict.
type Count map[Verdict]int

// Counted counts rows.
func Counted(rows []Row) Count {
	c := Count{}
	for i := range rows {
		c[rows[i].Verdict()]++
	}
	return c
}

// Feasible is of how many scenarios no goal lies beyond a bound.
func (c Count) Feasible() int { return c[Met] + c[Missed] }

func (c Count) String() string {
	share := 100.0
	if n := c.Feasible(); n > 0 {
		share = 100 * float64(c[Met]) / float64(n)
	}
	return fmt.Sprintf("%d of %d feasible scenarios meet all goals (%.0f %%), %d are infeasible, %d do not fit", c[Met], c.Feasible(), share, c[Infeasible], c[NotRun])
}

// Write prints the table of a fabric.
func Write(w io.Writer, fabric string, rows []Row) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "== %s: %v\n", fabric, Counted(rows))
	var outcomes []pattern.Outcome
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SCENARIO\tVERDICT\tTIME\tWARM-UP\tTHROUGHPUT\tP50\tP90\tP99\tMAX\tPFC OVER\tWHY")
	for i := range rows {
		outcomes = append(outcomes, rows[i].Outcome)
		fmt.Fprintln(table, rows[i].line())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if met, judged := pattern.UsualShare(outcomes); judged > 0 {
		fmt.Fprintf(out, "usual latency, which is a goal of all scenarios together: %d of %d keep it\n", met, judged)
	}
	fmt.Fprintln(out)
	for _, line := range strings.SplitAfter(out.String(), "\n") {
		line = strings.TrimRight(line, " \n") + strings.Repeat("\n", strings.Count(line, "\n"))
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// line has the cells of a row. Of two figures the first is of the whole run, the second of its
// steady state, by which throughput is judged, and nothing else.
func (r *Row) line() string {
	if r.Skipped != "" {
		return strings.Join([]string{r.Pattern, string(NotRun), "", "", "", "", "", "", "", "", r.Skipped}, "\t")
	}
	us := func(v float64) string { return fmt.Sprintf("%.0fus", v) }
	percent := func(v float64) string { return fmt.Sprintf("%.1f%%", 100*v) }
	over := func(n, of int) string { return percent(float64(n) / float64(max(1, of))) }
	warm, through, latency, pauses := "-", "("+r.Unasked+")", us(r.LatencyMax), over(r.WindowsOver, r.PauseWindows)
	if r.Throughput > 0 {
		through = percent(r.Throughput)
	}
	if s := r.Steady; s != nil {
		warm = "not settled"
		if s.Settled {
			warm = us(s.WarmUp)
			latency += "/" + us(s.LatencyMax)
			pauses += "/" + over(s.WindowsOver, s.PauseWindows)
			if r.Throughput > 0 {
				through += "/" + percent(s.Throughput)
			}
		}
	}
	return strings.Join([]string{
		r.Pattern, string(r.Verdict()), us(r.Time), warm, through, us(r.LatencyP50), us(r.LatencyP90), us(r.LatencyP99), latency, pauses, r.why(),
	}, "\t")
}

// why says how far the missed goals are, with the best bound that is proved of each, and what the remedy is.
func (r *Row) why() string {
	if len(r.Missed) == 0 {
		return ""
	}
	if b := r.Infeasible(); b != nil {
		return strings.Join(r.Missed, ", ") + ": " + b.Kind + ", " + b.Why
	}
	var far []string
	for _, f := range r.Far {
		far = append(far, f.String())
	}
	why := strings.Join(far, "; ")
	switch f := r.Remedy; {
	case f == nil:
		return why
	case f.Kind == pattern.NoRemedy:
		return fmt.Sprintf("%s; of %d changes %s meets them", why, f.Tried, f.Change)
	default:
		return fmt.Sprintf("%s; met with %s (%s)", why, f.Change, f.Kind)
	}
}
