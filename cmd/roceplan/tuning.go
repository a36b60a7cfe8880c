package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/tune"
)

// A tuning is the output of tune --json, and of merge for the parts of a search.
type tuning struct {
	Diagnostics diag.List `json:"diagnostics"`
	*tune.Report
}

// mergeTunings returns the result of searches that took other random numbers each: of all their points what no other
// beats, and of those that were chosen the one that finishes soonest held out.
func mergeTunings(parts []record.Part) (*tuning, error) {
	var all *tune.Report
	for _, p := range parts {
		if len(p.Results) != 1 {
			return nil, fmt.Errorf("part %d/%d has %d results, not one", p.Shard, p.Of, len(p.Results))
		}
		if next := p.Results[0].Tuning; all == nil {
			all = next
		} else {
			all.Join(next)
		}
	}
	return &tuning{Diagnostics: diag.List{}, Report: all}, nil
}

// print prints the result, or, if point is above 0, what to write for that one.
func (r *tuning) print(t *terminal, point int) error {
	switch {
	case point > len(r.Front):
		return misusef("there is no point %d: the result has %d", point, len(r.Front))
	case point > 0:
		t.printf("%s", remarked(r.Front[point-1].Point.HCL, r.account(point)))
		return nil
	case t.json:
		return t.printJSON(r)
	}
	t.printf("%s\n", r.heading())
	for _, note := range r.Notes {
		if !isCut(note) {
			t.printf("note: %s\n", note)
		}
	}
	for _, s := range r.Skipped {
		t.printf("not compared: %s\n", s)
	}
	t.printf("%s\n\n%s", r.effort(), r.trials())
	if len(r.Front) > 0 {
		t.printf("\nTo be written for traffic_class %s%s:\n%s", quoted(r.Classes), r.ofNICs(), r.points())
		if !r.Interrupted {
			t.printf("The same call with --point K prints the blocks for point K.\n")
		}
	}
	for i, own := range r.Front {
		if len(own.Warned) > 0 {
			t.printf("check warns of point %d: it breaks %s, for which the fabric has no bound.\n", i+1, strings.Join(own.Warned, " and "))
		}
	}
	r.verdict(t)
	return nil
}

// heading says what was tuned for what, and which part of the fabric was simulated.
func (r *tuning) heading() string {
	aim, size := "purpose "+string(r.Purpose), fmt.Sprintf("the whole fabric, %s", natural.Count(r.Hosts, "host", "hosts"))
	if r.Own {
		aim = natural.Count(len(r.Searched), "scenario", "scenarios")
	}
	if k := slices.IndexFunc(r.Notes, isCut); k >= 0 {
		size = r.Notes[k]
	}
	return fmt.Sprintf("Tuned for %s, %s: %s", aim, strings.Join(r.Searched, ", "), size)
}

// isCut reports whether a note says which part of the fabric was simulated.
func isCut(note string) bool { return strings.HasPrefix(note, "cut to ") }

// effort says what runs went into.
func (r *tuning) effort() string {
	return fmt.Sprintf("%d runs of %d: %d as compiled, %d for %s of the search, %d for %s by chance, %d held out%s%s", r.Runs, r.Budget,
		r.Spent.Compiled, r.Spent.Search, natural.Count(r.Points, "point", "points"), r.Spent.Random, natural.Count(r.Drawn, "point", "points"), r.Spent.HeldOut,
		counted("points not run, as they break", r.Rejected), counted("points dropped, as they miss", r.Dropped))
}

// counted lists what points were left out for.
func counted(what string, by map[string]int) string {
	sum, names := 0, []string{}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		sum += by[name]
		names = append(names, fmt.Sprintf("%s %d", name, by[name]))
	}
	if sum == 0 {
		return ""
	}
	return fmt.Sprintf("; %d %s: %s", sum, what, strings.Join(names, ", "))
}

// account says in a line what runs speak for a point; explain prints it next to the values.
func (r *tuning) account(point int) string {
	own := r.Front[point-1]
	text := fmt.Sprintf("roceplan tune: completion of %s takes %s of that as compiled", strings.Join(r.Searched, ", "), ratioText(own.Aim))
	if h := own.HeldOut; h != nil {
		text += fmt.Sprintf("; held out, %s: %s", heldSeeds(h), ratioText(h.Aim))
	}
	return text
}

// remarked puts a comment above each value in a block, and above each block of values.
func remarked(text, comment string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		value := len(indent) == 2 && strings.Contains(rest, " = ")
		if value || rest == "ecn {\n" || rest == "dcqcn {\n" {
			lines[i] = indent + "# " + comment + "\n" + line
		}
	}
	return strings.Join(lines, "")
}

func quoted(names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, strconv.Quote(name))
	}
	return strings.Join(out, ", ")
}

func (r *tuning) ofNICs() string {
	if len(r.NICs) == 0 {
		return ""
	}
	return " and nic " + quoted(r.NICs)
}

// verdict says what was chosen and why, and what random search reached.
func (r *tuning) verdict(t *terminal) {
	if r.Interrupted {
		r.left(t)
		return
	}
	if r.Chosen > 0 {
		t.printf("\nChosen: point %d, which %s found.\n", r.Chosen, finder(r.Front[r.Chosen-1].By))
	} else {
		t.printf("\nThe compiled settings stay: %s.\n", r.Why)
	}
	for _, by := range []string{tune.BySearch, tune.ByRandom} {
		t.printf("%s\n", r.reached(by))
	}
}

// left shows the best point of a search that was interrupted.
func (r *tuning) left(t *terminal) {
	if len(r.Front) == 0 {
		t.printf("\nInterrupted: no point so far finishes sooner than as compiled. The same call continues from here.\n")
		return
	}
	t.printf("\nInterrupted: the best point so far, which is not held out, is\n%sThe same call continues from here.\n", remarked(r.Front[0].Point.HCL, r.account(1)))
}

// finder names a way to search.
func finder(by string) string {
	if by == tune.ByRandom {
		return "random search"
	}
	return "the search"
}

// reached says what a search came to.
func (r *tuning) reached(by string) string {
	of := map[string]int{tune.BySearch: r.Points, tune.ByRandom: r.Drawn}[by]
	subject := fmt.Sprintf("The search, %s", natural.Count(of, "point", "points"))
	if by == tune.ByRandom {
		subject = fmt.Sprintf("Random search with as many runs, %s", natural.Count(of, "point", "points"))
	}
	k := slices.IndexFunc(r.Front, func(t *tune.Trial) bool { return t.Best && t.By == by })
	if k < 0 {
		return subject + ": none finishes sooner than as compiled with all seeds."
	}
	best := r.Front[k]
	text := fmt.Sprintf("%s: point %d, %s", subject, k+1, ratioText(best.Aim))
	if h := best.HeldOut; h != nil {
		text += fmt.Sprintf("; held out, %s: %s", heldSeeds(h), ratioText(h.Aim))
		if len(h.Others) > 0 {
			text += fmt.Sprintf(", and in %s: %s", strings.Join(h.Others, ", "), ratioText(h.Unseen))
		}
	}
	return text + "."
}

// heldSeeds names the seeds that were held out.
func heldSeeds(h *tune.HeldOut) string {
	return fmt.Sprintf("seeds %d to %d", h.First, h.First+h.Seeds-1)
}

// trials returns the front and the compiled settings.
func (r *tuning) trials() table {
	var rows table
	head := []string{"POINT", "KMIN", "KMAX", "PMAX", "ALPHA", "OBJECTIVE"}
	for _, name := range r.shown() {
		head = append(head, strings.ToUpper(name))
	}
	rows.add(append(head, "PAUSES")...)
	add := func(name string, own *tune.Trial) {
		cells := []string{name, own.KMin.String(), own.KMax.String(), own.PMax, own.Alpha, ratioCell(own.Aim)}
		for _, part := range r.shown() {
			cells = append(cells, ratioCell(r.ratio(own, part)))
		}
		rows.add(append(cells, fmt.Sprint(own.Pauses))...)
	}
	add("compiled", r.Compiled)
	for i, own := range r.Front {
		add(fmt.Sprint(i+1), own)
	}
	return rows
}

// shown returns the parts and ends that have a column: an objective of one part is that.
func (r *tuning) shown() (names []string) {
	for _, name := range slices.Concat(r.Parts, r.Ends[:]) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ratio returns the ratio of a part or an end.
func (r *tuning) ratio(t *tune.Trial, name string) completion.Ratio {
	if k := slices.Index(r.Ends[:], name); k >= 0 {
		return t.Ends[k]
	}
	return t.Parts[name]
}

func ratioCell(r completion.Ratio) string {
	if r.Unusable != "" {
		return "-"
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}

// points returns the table to be written.
func (r *tuning) points() table {
	var rows table
	rows.add("POINT", "kmin", "kmax", "pmax", "alpha", "load_balancing", "constants of NICs")
	compiled := func(v string) string { return cmp.Or(v, "compiled") }
	for i, own := range r.Front {
		p := own.Point
		rows.add(fmt.Sprint(i+1), compiled(p.KMin), compiled(p.KMax), compiled(p.PMax), compiled(p.Alpha), compiled(p.Balancing), p.NIC)
	}
	return rows
}
