package main

import (
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
)

type chipsCmd struct {
	List chipsListCmd `cmd:"" default:"1" help:"List the chips."`
	Show chipsShowCmd `cmd:"" help:"Show the data of a chip, with sources."`

	Chips []string `placeholder:"DIR" sep:"none" help:"Folder with chips and platforms of your own (*.hcl); may be repeated."`
}

func (chipsCmd) Help() string {
	return "All chips with their names:\n\n    roceplan chips\n\nThe data of one, with confidence and sources:\n\n    roceplan chips show th5\n\nHow to write chips of your own:\n\n    roceplan help chips"
}

// catalogue reads the built-in chips and the user's. A fault in the user's ends the
// command.
func (c chipsCmd) catalogue(t *terminal) (*chips.Catalogue, error) {
	catalogue, sources, found, err := loadChips(c.Chips)
	if err != nil {
		return nil, err
	}
	if found.HasErrors() && t.json {
		return nil, failWith(t, found)
	}
	if err := t.report(found, sources); err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, errFindings
	}
	return catalogue, nil
}

// failWith prints the findings as the whole result of a command with --json.
func failWith(t *terminal, found diag.List) error {
	if err := t.printJSON(findings{found}); err != nil {
		return err
	}
	return errFindings
}

// findings is the result of a command that found nothing but faults.
type findings struct {
	Diagnostics diag.List `json:"diagnostics"`
}

type chipsListCmd struct{}

func (chipsListCmd) Help() string { return "    roceplan chips list" }

// jsonChip is a chip as --json shows it.
type jsonChip struct {
	Name    string          `json:"name"`
	Title   string          `json:"title"`
	Vendor  string          `json:"vendor"`
	Family  chips.Family    `json:"family"`
	Aliases []string        `json:"aliases"`
	Facts   []chips.FactRow `json:"facts"`
	Unknown []string        `json:"unknown"`
}

func newJSONChip(c *chips.Chip) jsonChip {
	return jsonChip{c.Name, c.Title, c.Vendor, c.Family, append([]string{}, c.Aliases...),
		append([]chips.FactRow{}, c.Facts()...), append([]string{}, c.Unknown()...)}
}

// Run lists the catalogue.
func (chipsListCmd) Run(t *terminal, line *commandLine) error {
	catalogue, err := line.Chips.catalogue(t)
	if err != nil {
		return err
	}
	if t.json {
		all := []jsonChip{}
		for _, chip := range catalogue.Chips() {
			all = append(all, newJSONChip(chip))
		}
		return t.printJSON(all)
	}
	var rows table
	rows.add("NAME", "CHIP", "CELL", "BUFFER", "ALSO CALLED")
	for _, chip := range catalogue.Chips() {
		rows.add(chip.Name, chip.Title, known(chip.CellSize), known(chip.PacketBuffer), strings.Join(chip.Aliases, " "))
	}
	t.printf("%s", rows)
	return nil
}

// known prints a datum, or a question mark.
func known[T interface{ String() string }](d chips.Datum[T]) string {
	v, err := d.Get()
	if err != nil {
		return "?"
	}
	return v.String()
}

type chipsShowCmd struct {
	Name string `arg:"" complete:"chip" help:"Name or alias of a chip."`
}

func (chipsShowCmd) Help() string { return "    roceplan chips show trident3" }

// Run shows one chip.
func (c chipsShowCmd) Run(t *terminal, line *commandLine) error {
	catalogue, err := line.Chips.catalogue(t)
	if err != nil {
		return err
	}
	chip, err := findChip(catalogue, c.Name)
	if err != nil {
		return err
	}
	if t.json {
		return t.printJSON(newJSONChip(chip))
	}
	t.printf("%s, %s (%s family of %s)\n", chip.Name, chip.Title, chip.Family, chip.Vendor)
	if len(chip.Aliases) > 0 {
		t.printf("also called %s\n", strings.Join(chip.Aliases, ", "))
	}
	for _, f := range chip.Facts() {
		t.printf("\n")
		t.fact("", f)
	}
	if unknown := chip.Unknown(); len(unknown) > 0 {
		t.printf("\nnot known: %s\n", strings.Join(unknown, ", "))
	}
	return nil
}

// fact prints a datum with what its file says of it.
func (t *terminal) fact(indent string, f chips.FactRow) {
	t.printf("%s%s = %s\n%s    %s: %s\n", indent, f.Name, f.Text, indent, f.Confidence, f.Source)
	if f.Note != "" {
		t.printf("%s    %s\n", indent, f.Note)
	}
}

func findChip(catalogue *chips.Catalogue, name string) (*chips.Chip, error) {
	chip, ok := catalogue.Find(name)
	if !ok {
		if near := diag.NearestModel(name, catalogue.Names()); near != "" {
			return nil, misusef("there is no chip %q; did you mean %s?", name, near)
		}
		return nil, misusef("there is no chip %q; there are %s", name, strings.Join(catalogue.Names(), ", "))
	}
	return chip, nil
}
