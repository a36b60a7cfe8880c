package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/compare"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/published"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/plan"
)

type compareCmd struct {
	Files []string `arg:"" name:"file" optional:"" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	sourceFlags

	With    []string `placeholder:"NAME" sep:"none" complete:"published" help:"Compare with this published configuration; may be repeated; all takes every one (default: those for the fabric's chips and speeds)."`
	Purpose string   `enum:",training,storage,requests,mixed" default:"" placeholder:"PURPOSE" help:"Judge by this purpose: training, storage, requests or mixed (default: the fabric's)."`
	Seeds   int      `default:"3" placeholder:"N" help:"Run each scenario with N seeds (default: 3)."`
	Seed    uint64   `default:"1" placeholder:"N" help:"Seed of the first run (default: 1)."`
	Size    cutSize  `placeholder:"EDGES[xHOSTS]" help:"Largest number of edge switches, and of hosts of each; all takes the whole fabric (default: 4x8)."`
	Runs    string   `placeholder:"FOLDER" help:"Folder that stores runs, which are not repeated (default: roceplan/runs in the user's cache folder; - stores nothing)."`
	List    bool     `help:"List the published configurations, or with --with the data of one, with sources; run none."`
}

func (compareCmd) Help() string {
	return `Runs common traffic on a fabric under its compiled settings and under each configuration that a vendor, a guide or a paper published, and prints ratios of completion times: below 1 the compiled settings win, above 1 they lose.

    roceplan compare fabric.hcl
    roceplan compare fabric.hcl --with nvidia-roce --with sonic-azure-lossless --seeds 5
    roceplan compare fabric.hcl --purpose storage --json
    roceplan compare --list
    roceplan compare --list --with cisco-ai-blueprint

Five kinds of traffic are measured over whole runs with their start: small, the slowdown of messages below 100 KB of web search and Hadoop at half load; large, the slowdown of their messages from 1 MB on; storage, the slowdown of reads of 1 MB; collective, the time of an all-reduce and an all-to-all; incast, the time of eight messages to one host, or of four where fewer than nine hosts are simulated. Slowdowns are the geometric mean of mean and 99th percentile. The purpose selects the kinds that count: collective for training, storage for storage, small for requests, all together for mixed.

A published configuration replaces the curve of lossless classes, their dynamic threshold and DCQCN's constants, as far as its source gives them; all else is the fabric's. compare names parts that the fabric's chips do not support. Under both settings a seed has the same messages; each ratio is followed by the interval that covers it with a confidence of 95 % over seeds. Equal calls give equal results. docs/compare.md says how to read them.

Exit codes: 0 done; 1 the fabric has errors; 2 the call was wrong, or the fabric cannot be simulated.`
}

// compared is the output of compare --json.
type compared struct {
	Diagnostics diag.List `json:"diagnostics"`
	Notes       []string  `json:"notes"`
	Summary     string    `json:"summary"` // the losses and gains of the compiled settings
	*compare.Result
}

// Run lists configurations, or runs and compares.
func (c compareCmd) Run(t *terminal) error {
	if c.List {
		return c.list(t)
	}
	switch {
	case len(c.Files) == 0:
		return misusef("compare needs the files of a fabric, or --list")
	case c.Seeds < 1 || c.Seeds > 1000:
		return misusef("--seeds is %d, which is outside of 1 to 1000", c.Seeds)
	}
	l, err := c.load(t, c.Files)
	if err != nil {
		return err
	}
	_, found, err := l.planned(t)
	if err != nil {
		return err
	}
	made, notes, err := c.compare(t, l.Fabric)
	if err != nil {
		return err
	}
	out := compared{nonNil(found), notes, summary(made), made}
	if t.json {
		return t.printJSON(out)
	}
	out.print(t)
	return nil
}

// compare makes the runs of a fabric without errors.
func (c compareCmd) compare(t *terminal, f *roceplan.Fabric) (*compare.Result, []string, error) {
	p, notes, err := roceplan.AsWritten(f)
	if err != nil {
		return nil, nil, err
	}
	others, err := c.others(f.Catalogue, p)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := compare.Prepare(p, f.Catalogue.Find, compare.Options{
		Purpose: completion.Purpose(cmp.Or(c.Purpose, f.Policy.Purpose.Value)), Beside: others, Size: fabric.Size(c.Size), Seed: c.Seed, Seeds: c.Seeds,
	})
	if err != nil {
		return nil, nil, err
	}
	store, err := storeOf(c.Runs)
	if err != nil {
		return nil, nil, err
	}
	step, stop := t.watch("runs", prepared.Runs())
	defer stop()
	made, err := prepared.Run(t, store, step)
	return made, notes, err
}

// others returns the configurations that were asked for, or those that are for the plan.
func (c compareCmd) others(catalogue *chips.Catalogue, p *plan.Plan) (list []*chips.Configuration, err error) {
	if len(c.With) == 0 {
		for _, from := range catalogue.Configurations() {
			if published.Foreign(p, from) == "" {
				list = append(list, from)
			}
		}
		return list, nil
	}
	for _, name := range c.With {
		from, err := configuration(catalogue, name)
		switch {
		case strings.EqualFold(name, "all"):
			return catalogue.Configurations(), nil
		case err != nil:
			return nil, err
		case !slices.Contains(list, from):
			list = append(list, from)
		}
	}
	return list, nil
}

// configuration returns the published one of a name.
func configuration(catalogue *chips.Catalogue, name string) (*chips.Configuration, error) {
	if from, ok := catalogue.Configuration(name); ok {
		return from, nil
	}
	var names []string
	for _, from := range catalogue.Configurations() {
		names = append(names, from.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return nil, misusef("there is no published configuration %q; did you mean %q?", name, near)
	}
	return nil, misusef("there is no published configuration %q; there are %s", name, strings.Join(names, ", "))
}

// kindName returns a kind as a sentence says it.
func kindName(k completion.Kind) string {
	switch k {
	case completion.Small:
		return "small messages"
	case completion.Large:
		return "large messages"
	case completion.Storage:
		return "reads of 1 MB"
	case completion.Collective:
		return "collectives"
	}
	return "incasts"
}

// summary says in a line what the compiled settings lose and win, losses first.
func summary(r *compare.Result) string {
	var parts []string
	for _, list := range []struct {
		word string
		of   []compare.Against
	}{{"lose", r.Verdict.Loses}, {"win", r.Verdict.Wins}, {"are even in", r.Verdict.Even}, {"have no figure of", r.Verdict.Unknown}} {
		var kinds []string
		for _, a := range list.of {
			name := kindName(a.Kind)
			if a.Best != "" {
				name += fmt.Sprintf(" %.2f (%s)", a.Ratio.Ratio, a.Best)
			}
			kinds = append(kinds, name)
		}
		if kinds != nil {
			parts = append(parts, list.word+" "+strings.Join(kinds, ", "))
		}
	}
	return "beside the best published configuration of each kind the compiled settings " + strings.Join(parts, "; ")
}

// ofPurpose says in a line how the compiled settings compare for the purpose of the fabric.
func ofPurpose(r *compare.Result) string {
	v := r.Verdict.Purpose
	if v.Best == "" {
		return fmt.Sprintf("For %s there is nothing to compare: %s.", r.Purpose, v.Ratio.Unusable)
	}
	return fmt.Sprintf("For %s the compiled settings take %s times as long as %s, the best of %s; %d of them do better.", r.Purpose, ratioText(v.Ratio), v.Best,
		natural.Count(v.Of, "published configuration", "published configurations"), v.Beaten)
}

// print shows the verdict, then the tables.
func (o compared) print(t *terminal) {
	t.printf("%s\n", ofPurpose(o.Result))
	t.printf("Kind by kind: %s.\n\n", o.Summary)
	t.printf("%s\n%s", ratios(o.Result), figures(o.Result))
	t.printf("\nRatios are compiled times divided by published times; in brackets their 95 %% confidence intervals over %s of each scenario.\n", natural.Count(o.Seeds, "run", "runs"))
	t.printf("Figures are slowdowns, and us of collectives and incasts. %d hosts were simulated; %s.\n", o.Hosts, strings.Join(o.Notes, "; "))
	for i := range o.Beside {
		remark(t, &o.Beside[i])
	}
}

// remark says what is to be known of a configuration on this fabric.
func remark(t *terminal, row *compare.Row) {
	if row.NotRun != "" {
		t.printf("%s was not run: %s.\n", row.Name, row.NotRun)
		return
	}
	if row.For != "" {
		t.printf("%s: its source gives it for %s.\n", row.Name, row.For)
	}
	for _, text := range row.LeftOut {
		t.printf("%s: %s.\n", row.Name, text)
	}
	if row.All.Unusable != "" {
		t.printf("%s: %s.\n", row.Name, row.All.Unusable)
	}
}

func ratioText(r completion.Ratio) string {
	switch {
	case r.Unusable != "":
		return "-"
	case r.Seeds < 2:
		return fmt.Sprintf("%.2f", r.Ratio)
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", r.Ratio, r.Low, r.High)
}

// ratios returns the table of ratios.
func ratios(r *compare.Result) table {
	var rows table
	head := []string{"BESIDE"}
	for _, k := range r.Kinds {
		head = append(head, strings.ToUpper(string(k)))
	}
	rows.add(append(head, "ALL")...)
	for i := range r.Beside {
		row := &r.Beside[i]
		if row.NotRun != "" {
			continue
		}
		cells := []string{row.Name}
		for _, k := range r.Kinds {
			cells = append(cells, ratioText(row.Ratios[k]))
		}
		rows.add(append(cells, ratioText(row.All))...)
	}
	return rows
}

// figures returns the table of what was measured.
func figures(r *compare.Result) table {
	var rows table
	head := []string{"UNDER"}
	for _, k := range r.Kinds {
		head = append(head, strings.ToUpper(string(k)))
	}
	rows.add(append(head, "PAUSES")...)
	add := func(name string, s *compare.Side) {
		cells := []string{name}
		for _, k := range r.Kinds {
			text := "-"
			if f := s.Figures[k]; f.Unusable == "" {
				text = fmt.Sprintf("%.4g", f.Value)
			}
			cells = append(cells, text)
		}
		rows.add(append(cells, fmt.Sprint(s.Pauses))...)
	}
	add("compiled", &r.Compiled)
	for i := range r.Beside {
		if row := &r.Beside[i]; row.NotRun == "" {
			add(row.Name, &row.Side)
		}
	}
	return rows
}

// list prints the configurations that are known, or all that is known of some.
func (c compareCmd) list(t *terminal) error {
	catalogue, err := chipsCmd{Chips: c.Chips}.catalogue(t)
	if err != nil {
		return err
	}
	list, err := c.others(catalogue, &plan.Plan{})
	if err != nil {
		return err
	}
	all := []jsonConfiguration{}
	for _, from := range list {
		all = append(all, jsonConfiguration{from.Name, from.Title, from.Vendor, from.Facts()})
	}
	if t.json {
		return t.printJSON(configurations{all})
	}
	var rows table
	rows.add("NAME", "CONFIGURATION")
	for _, one := range all {
		if len(c.With) > 0 {
			one.print(t)
		}
		rows.add(one.Name, one.Title)
	}
	if len(c.With) == 0 {
		t.printf("%s", rows)
	}
	return nil
}

// configurations is the output of compare --list --json.
type configurations struct {
	Published []jsonConfiguration `json:"known"`
}

// jsonConfiguration is a published configuration as --json shows it.
type jsonConfiguration struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Vendor string          `json:"vendor"`
	Facts  []chips.FactRow `json:"facts"`
}

func (o jsonConfiguration) print(t *terminal) {
	t.printf("%s, %s\n", o.Name, o.Title)
	for _, f := range o.Facts {
		t.printf("  %s = %s\n      %s: %s\n", f.Name, f.Text, f.Confidence, f.Source)
		if f.Note != "" {
			t.printf("      %s\n", f.Note)
		}
	}
}
