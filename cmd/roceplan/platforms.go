package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
)

type platformsCmd struct {
	List platformsListCmd `cmd:"" default:"1" help:"List the platforms."`
	Show platformsShowCmd `cmd:"" help:"Show the ports of a platform, with sources."`

	Chips []string `placeholder:"DIR" sep:"none" help:"Folder with chips and platforms of your own (*.hcl); may be repeated."`
}

func (platformsCmd) Help() string {
	return "Boxes whose lanes, labels and breakout modes are known, and all those of sonic-buildimage. Name one as platform or hwsku of a switch, and its port groups need no lanes:\n\n    roceplan platforms\n\n" +
		"The cages of one, with confidence and sources:\n\n    roceplan platforms show sn5600\n\n" +
		"How to write platforms of your own:\n\n    roceplan help chips"
}

// catalogue reads the built-in platforms and the user's.
func (c platformsCmd) catalogue(t *terminal) (*chips.Catalogue, error) {
	return chipsCmd{Chips: c.Chips}.catalogue(t)
}

type platformsListCmd struct{}

func (platformsListCmd) Help() string { return "    roceplan platforms list" }

// jsonPlatform is a platform as --json shows it.
type jsonPlatform struct {
	Name   string      `json:"name"`
	Title  string      `json:"title"`
	Chip   string      `json:"chip"`
	Names  []string    `json:"platforms"`
	HwSKUs []string    `json:"hwskus"`
	Cages  []jsonCages `json:"cages"`
	// Layouts are the ports by HwSKU, where one platform is shown.
	Layouts []jsonLayout `json:"layouts,omitempty"`
}

type jsonCages struct {
	Name       string          `json:"name"`
	Lanes      int             `json:"lanes"`
	FirstPort  int             `json:"first_port"`
	Step       int             `json:"step"`
	FirstIndex int             `json:"first_index"`
	Facts      []chips.FactRow `json:"facts"`
}

func newJSONPlatform(p *chips.Platform) jsonPlatform {
	out := jsonPlatform{p.Name, p.Title, p.Chip, append([]string{}, p.Names...), append([]string{}, p.HwSKUs...), []jsonCages{}, nil}
	for _, c := range p.Cages {
		out.Cages = append(out.Cages, jsonCages{c.Name, c.Lanes, c.FirstPort, c.Step, c.FirstIndex, c.Facts()})
	}
	return out
}

// Run lists the platforms.
func (platformsListCmd) Run(t *terminal, line *commandLine) error {
	catalogue, err := line.Platforms.catalogue(t)
	if err != nil {
		return err
	}
	if t.json {
		all := []jsonPlatform{}
		for _, p := range catalogue.Platforms() {
			all = append(all, newJSONPlatform(p))
		}
		for _, box := range catalogue.Boxes() {
			all = append(all, jsonPlatform{box.Name, box.Vendor, box.Chip, []string{box.Name}, append([]string{}, box.HwSKUs...), []jsonCages{}, nil})
		}
		return t.printJSON(all)
	}
	var rows table
	rows.add("NAME", "PLATFORM", "CHIP", "CAGES", "PLATFORM IN FABRIC FILES")
	for _, p := range catalogue.Platforms() {
		var cages []string
		for _, c := range p.Cages {
			cages = append(cages, fmt.Sprintf("%dx%s", c.Count(), c.Name))
		}
		rows.add(p.Name, p.Title, p.Chip, strings.Join(cages, " "), strings.Join(p.Names, " "))
	}
	t.printf("%s\nBoxes of sonic-buildimage, whose ports are those of their HwSKU:\n\n", rows)
	t.printf("%s", boxRows(catalogue))
	return nil
}

// boxRows lists the boxes that the catalogue knows from sonic-buildimage.
func boxRows(catalogue *chips.Catalogue) *table {
	var rows table
	rows.add("PLATFORM", "VENDOR", "CHIP", "HWSKUS")
	for _, box := range catalogue.Boxes() {
		rows.add(box.Name, box.Vendor, cmp.Or(box.Chip, "not known"), strings.Join(box.HwSKUs, " "))
	}
	return &rows
}

type platformsShowCmd struct {
	Name string `arg:"" complete:"platform" help:"Name of a platform, its ONIE name, or a HwSKU."`
}

func (platformsShowCmd) Help() string { return "    roceplan platforms show x86_64-nvidia_sn5600-r0" }

// Run shows one platform.
func (c platformsShowCmd) Run(t *terminal, line *commandLine) error {
	catalogue, err := line.Platforms.catalogue(t)
	if err != nil {
		return err
	}
	p, ok := catalogue.Platform(c.Name, "")
	if !ok {
		p, ok = catalogue.Platform("", c.Name)
	}
	if !ok {
		var names []string
		for _, p := range catalogue.Platforms() {
			names = append(names, p.Name)
		}
		return misusef("there is no platform %q; there are %s", c.Name, strings.Join(names, ", "))
	}
	layouts := layoutsOf(catalogue, p, c.Name)
	if t.json {
		shown := newJSONPlatform(p)
		shown.Layouts = newJSONLayouts(layouts)
		return t.printJSON(shown)
	}
	title := p.Name
	if p.Title != p.Name {
		title += ", " + p.Title
	}
	t.printf("%s (chip %s)\n", title, p.Chip)
	t.printf("platform: %s\nhwsku: %s\n", strings.Join(p.Names, ", "), strings.Join(p.HwSKUs, ", "))
	for _, cages := range p.Cages {
		t.printf("\n%s: %s of %s, from Ethernet%d in steps of %d, index from %d\n", cages.Name, natural.Count(cages.Count(), "cage", "cages"), natural.Count(cages.Lanes, "lane", "lanes"), cages.FirstPort, cages.Step, cages.FirstIndex)
		for _, f := range cages.Facts() {
			t.fact("  ", f)
		}
	}
	printLayouts(t, layouts)
	return nil
}
