package main

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/chips"
)

// cataloguePages returns the chips, with a page for each, the network cards and the platforms.
func cataloguePages() []page {
	catalogue, _ := chips.Load()
	pages := []page{{at: "reference/chips/", title: "Chips", weight: 6, about: "The data of each chip, with confidence and source."}}
	for i, c := range catalogue.Chips() {
		body := "\n" + c.Vendor + ", family `" + string(c.Family) + "`."
		if len(c.Aliases) > 0 {
			body += " Also called `" + strings.Join(c.Aliases, "`, `") + "`."
		}
		body += "\n\n" + facts(c.Facts())
		if unknown := c.Unknown(); len(unknown) > 0 {
			body += "\nUnknown: `" + strings.Join(unknown, "`, `") + "`.\n"
		}
		pages = append(pages, page{at: "reference/chips/" + c.Name, title: c.Title, weight: i + 1, about: "`" + c.Name + "`", body: body})
	}
	pages = append(pages, page{at: "reference/nics/", title: "Network cards", weight: 8, about: "The congestion control constants of each NIC."})
	for i, n := range catalogue.NICs() {
		pages = append(pages, page{at: "reference/nics/" + n.Name, title: n.Title, weight: i + 1, about: "`" + n.Name + "`", body: "\n" + facts(n.Facts())})
	}
	return append(pages, platforms(catalogue))
}

func platforms(catalogue *chips.Catalogue) page {
	var out strings.Builder
	out.WriteString("\n| `platform` in fabric files | vendor | chip | HwSKUs |\n|---|---|---|---|\n")
	for _, box := range catalogue.Boxes() {
		chip := "?"
		if box.Chip != "" {
			chip = fmt.Sprintf("[%s](/reference/chips/%s/)", box.Chip, box.Chip)
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", box.Name, cell(box.Vendor), chip, strings.Join(box.HwSKUs, " "))
	}
	return page{at: "reference/platforms", title: "Platforms", weight: 9,
		about: "All platforms of sonic-buildimage, with lanes and labels. `roceplan platforms show NAME` lists the ports.", body: out.String()}
}

func facts(rows []chips.FactRow) string {
	var out strings.Builder
	out.WriteString("| datum | value | confidence | source |\n|---|---|---|---|\n")
	for _, f := range rows {
		source := plain(f.Source)
		if f.Note != "" {
			source += "; " + plain(f.Note)
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", f.Name, cell(plain(f.Text)), f.Confidence, cell(source))
	}
	return out.String()
}
