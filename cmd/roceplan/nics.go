package main

import (
	"strings"

	"github.com/roceplan/roceplan/chips"
)

type nicsCmd struct {
	List nicsListCmd `cmd:"" default:"1" help:"List the network cards."`
	Show nicsShowCmd `cmd:"" help:"Show the data of a network card, with sources."`

	Chips []string `placeholder:"DIR" sep:"none" help:"Folder with chips, platforms and NICs of your own (*.hcl); may be repeated."`
}

func (nicsCmd) Help() string {
	return "Network cards whose constants of congestion control are known, as they leave the factory:\n\n    roceplan nics\n\n" +
		"The constants of one, with confidence and sources:\n\n    roceplan nics show connectx-7\n\n" +
		"How to write NICs of your own:\n\n    roceplan help chips"
}

func (c nicsCmd) catalogue(t *terminal) (*chips.Catalogue, error) {
	return chipsCmd{Chips: c.Chips}.catalogue(t)
}

// jsonNIC is a network card as --json shows it.
type jsonNIC struct {
	Name    string          `json:"name"`
	Title   string          `json:"title"`
	Vendor  string          `json:"vendor"`
	Aliases []string        `json:"aliases"`
	Facts   []chips.FactRow `json:"facts"`
	Unknown []string        `json:"unknown"`
}

func newJSONNIC(n *chips.NIC) jsonNIC {
	return jsonNIC{n.Name, n.Title, n.Vendor, append([]string{}, n.Aliases...), append([]chips.FactRow{}, n.Facts()...), append([]string{}, n.Unknown()...)}
}

type nicsListCmd struct{}

func (nicsListCmd) Help() string { return "    roceplan nics list" }

// Run lists the network cards.
func (nicsListCmd) Run(t *terminal, line *commandLine) error {
	catalogue, err := line.NICs.catalogue(t)
	if err != nil {
		return err
	}
	all := []jsonNIC{}
	var rows table
	rows.add("NAME", "NIC", "SPEEDS", "ALIASES")
	for _, n := range catalogue.NICs() {
		all = append(all, newJSONNIC(n))
		var speeds []string
		for _, speed := range n.PortSpeeds.Or(nil) {
			speeds = append(speeds, speed.String())
		}
		rows.add(n.Name, n.Title, strings.Join(speeds, " "), strings.Join(n.Aliases, " "))
	}
	if t.json {
		return t.printJSON(all)
	}
	t.printf("%s", rows)
	return nil
}

type nicsShowCmd struct {
	Name string `arg:"" complete:"nic" help:"Name or alias of a network card."`
}

func (nicsShowCmd) Help() string { return "    roceplan nics show connectx-7" }

// Run shows one network card.
func (c nicsShowCmd) Run(t *terminal, line *commandLine) error {
	catalogue, err := line.NICs.catalogue(t)
	if err != nil {
		return err
	}
	n, ok := catalogue.NIC(c.Name)
	if !ok {
		var names []string
		for _, n := range catalogue.NICs() {
			names = append(names, n.Name)
		}
		return misusef("there is no nic %q; there are %s", c.Name, strings.Join(names, ", "))
	}
	if t.json {
		return t.printJSON(newJSONNIC(n))
	}
	t.printf("%s, %s\n", n.Name, n.Title)
	for _, f := range n.Facts() {
		t.fact("  ", f)
	}
	if unknown := n.Unknown(); len(unknown) > 0 {
		t.printf("\nnot known: %s\n", strings.Join(unknown, ", "))
	}
	return nil
}
