package diff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// Text writes the difference for a person: changes under their causes, then the steps.
func (r *Result) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", r.Summary())
	for _, line := range r.beginning() {
		fmt.Fprintf(&out, "  %s\n", line)
	}
	if !r.Any() {
		return out.String()
	}
	for _, group := range byCause(r.Changes) {
		fmt.Fprintf(&out, "\n%s\n%s", causesText(group[0].Causes), rows(group))
	}
	if len(r.Rollout.Steps) > 0 {
		out.WriteString("\nOrder of the change:\n")
	}
	for i, s := range r.Rollout.Steps {
		fmt.Fprintf(&out, "\n%d. %s\n", i+1, s.Title())
		for _, rule := range s.Why {
			fmt.Fprintf(&out, "   %s\n", rule.Text())
		}
		for _, line := range s.what() {
			fmt.Fprintf(&out, "   - %s\n", line)
		}
	}
	for _, note := range r.Rollout.Notes() {
		fmt.Fprintf(&out, "\n%s.\n", note)
	}
	return out.String()
}

// beginning lists where devices begin, equal ones in one line.
func (r *Result) beginning() (lines []string) {
	alike := map[string][]string{}
	for _, b := range r.Begins {
		line := b.Class
		switch {
		case b.Step != "":
			line += ", after " + b.Step
		case b.Class == "drifted":
			line += ": " + FirstFew(b.Lines)
		}
		if alike[line] == nil {
			lines = append(lines, line)
		}
		alike[line] = append(alike[line], b.Device)
	}
	for i, line := range lines {
		lines[i] = Fold(alike[line]) + ": " + line
	}
	return lines
}

// FirstFew joins the first five of a list of differences, with the number of the others.
func FirstFew(lines []string) string {
	const few = 5
	if len(lines) > few {
		return strings.Join(lines[:few], "; ") + fmt.Sprintf("; and %d more", len(lines)-few)
	}
	return strings.Join(lines, "; ")
}

// Summary is one line.
func (r *Result) Summary() string {
	if !r.Any() {
		return fmt.Sprintf("no difference on %s", natural.Count(r.Switches, "switch", "switches"))
	}
	return fmt.Sprintf("%s on %d of %s, in %s", natural.Count(len(r.Changes), "difference", "differences"), r.Changed,
		natural.Count(r.Switches, "switch", "switches"), natural.Count(len(r.Rollout.Steps), "step", "steps"))
}

// Title says what a step does, and on which devices.
func (s *Step) Title() string {
	devices := Fold(s.Devices)
	switch s.Action {
	case Whole:
		return devices + ": all that changes"
	case Grow:
		return devices + ": the first part, in which headroom, PFC and maps only grow"
	case Move:
		return devices + ": speeds, frames and marking"
	case Shrink:
		return devices + ": the rest"
	case Cable:
		return "cables of " + devices
	case Upgrade:
		return devices + ": another release, one switch of each redundant group after the other"
	case Accept:
		return "NICs " + devices + ": new lossless classes are received, and everything is sent as before"
	case Host:
		if slices.ContainsFunc(s.NICs, NIC.Resends) {
			return "NICs " + devices + ": the classes that they send; open queue pairs keep their ToS"
		}
		return "NICs " + devices
	case Drop:
		return "NICs " + devices + ": classes that are no longer sent, after all old queue pairs are closed"
	case Install:
		return "new: " + devices
	}
	return "gone: " + devices
}

// mostLines is the largest number of changes of a step that are spelled out.
const mostLines = 12

// what lists the changes of a step, those that decide about loss first.
func (s *Step) what() []string {
	changes := slices.Clone(s.Changes)
	stable.Sort(changes, func(a, b Change) int { return a.rank() - b.rank() })
	var lines []string
	for i, c := range changes {
		if i == mostLines && len(changes) > mostLines+1 {
			return append(lines, fmt.Sprintf("and %d more", len(changes)-i))
		}
		lines = append(lines, fmt.Sprintf("%s: %s on %s", c.Name(), c.Values(), c.Place()))
	}
	return lines
}

// rank puts first what is its own cause, then what bears on loss, most directly first.
func (c *Change) rank() int {
	ofPG := strings.HasPrefix(c.Of, "PG ")
	switch c.Quantity {
	case "cable", "speed", "mtu", "switch":
		return 0
	case "pfc priorities", "lossless", "dscp to traffic class":
		return 1
	case "headroom":
		if ofPG {
			return 1
		}
		return 2
	}
	if strings.HasPrefix(c.Quantity, "PG ") {
		return 1
	}
	return 3
}

// Notes are remarks on the order, each a sentence without a full stop.
func (r *Rollout) Notes() (notes []string) {
	for _, q := range r.Quiet {
		if q.B == "" {
			notes = append(notes, fmt.Sprintf("Stop traffic with DSCP %s before the first step and until the last one: %s cannot have its old and its new place at once", numbers(q.DSCPs), q.A))
			continue
		}
		notes = append(notes, fmt.Sprintf("Stop traffic with DSCP %s before the first step and until the last one: it changes its place, and between %s and %s no order keeps lossless traffic lossless while it does",
			numbers(q.DSCPs), q.A, q.B))
	}
	if r.Taken {
		notes = append(notes, "Configurations of devices have no NICs and, except on SONiC, no cables, so both are assumed to be as in the fabric already. If they change as well, give the fabric as it was too: roceplan diff OLD NEW --running FOLDER")
	}
	if r.Uncabled {
		notes = append(notes, "The links are not known, so the order treats every switch as a neighbour of every other")
	}
	return notes
}

// Name returns the quantity with its object.
func (c *Change) Name() string { return strings.TrimSpace(c.Of + " " + c.Quantity) }

// Values returns the old value, the new one, and the difference.
func (c *Change) Values() string {
	switch {
	case c.Kind == Added && c.New != "":
		return "added: " + c.New
	case c.Kind == Removed && c.Old != "":
		return "removed: " + c.Old
	case c.Kind != Changed:
		return c.Kind.String()
	}
	text := c.Old + " → " + c.New
	if c.Delta != "" {
		text += " (" + c.Delta + ")"
	}
	return text
}

// maxWheres is the largest number of places of a change that are spelled out.
const maxWheres = 3

// Place says where, with counts.
func (c *Change) Place() string {
	if c.Ports() == 0 {
		var names []string
		for _, w := range c.Where {
			names = append(names, w.Switches...)
		}
		return Fold(names)
	}
	var parts []string
	for i, w := range c.Where {
		if i == maxWheres && len(c.Where) > maxWheres+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(c.Where)-i))
			break
		}
		parts = append(parts, Fold(w.Switches)+" "+Fold(w.Ports))
	}
	return strings.Join(parts, ", ") + ", " + natural.Count(c.Ports(), "port", "ports")
}

// byCause cuts changes, which are sorted by causes, into those of equal ones.
func byCause(changes []Change) (groups [][]Change) {
	for i, c := range changes {
		if i == 0 || causesKey(c.Causes) != causesKey(changes[i-1].Causes) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], c)
	}
	return groups
}

func causesText(causes []Cause) string {
	if len(causes) == 0 {
		return "without a derivation"
	}
	var parts []string
	for _, c := range causes {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, "\n")
}

// String returns the cause with its line.
func (c Cause) String() string {
	text := c.Values()
	if at := c.Place(); at != "" {
		text += "  " + at
	}
	return text
}

// Values returns the cause without its line.
func (c Cause) Values() string {
	switch {
	case c.Old == "":
		return c.Name + " added: " + c.New
	case c.New == "":
		return c.Name + " removed: " + c.Old
	}
	return c.Name + " " + c.Old + " → " + c.New
}

// Place returns the first line that says so, and how many others do; for what no line says,
// its source.
func (c Cause) Place() string {
	if len(c.At) == 0 {
		if c.Kind == plan.Default {
			return "(default)"
		}
		return ""
	}
	text := fmt.Sprintf("%s:%d", c.At[0].Filename, c.At[0].Start.Line)
	if n := len(c.At) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// rows lines changes up in columns.
func rows(changes []Change) string {
	var cells [][3]string
	var widths [2]int
	for _, c := range changes {
		row := [3]string{c.Name(), c.Values(), c.Place()}
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		cells = append(cells, row)
	}
	var out strings.Builder
	for _, row := range cells {
		for i, width := range widths {
			out.WriteString("  " + row[i] + strings.Repeat(" ", width-utf8.RuneCountInString(row[i])))
		}
		out.WriteString("  " + row[2] + "\n")
	}
	return out.String()
}
