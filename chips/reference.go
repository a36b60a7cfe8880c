package chips

import (
	"fmt"
	"strings"
)

const referencePreamble = `# Chip files

Chips, platforms, network cards and published configurations are data files. To add one, or to correct data of the catalogue, put files of
this form into a folder and name it with ` + "`--chips DIR`" + `. Every command that reads a fabric or a chip takes this flag.
` + "`roceplan chips show NAME`" + ` prints the data of a chip with sources.

This page is generated from the reader of the files. ` + "`roceplan help chips`" + ` prints it.

` + "```hcl" + `
`

// Example is a chip file that loads without a finding.
const Example = `source "lab" {
  document = "our laboratory's report 7, 2026-03"
  url      = "https://example.net/reports/7"
}

chip "tomahawk5" {
  extends = "tomahawk5"

  usable_buffer {
    value      = "160MB"
    confidence = "measured"
    source     = [source.lab, source.qos-params-th5]
    note       = "firmware 14.1"
  }
}

chip "mychip" {
  title   = "My chip"
  vendor  = "Mine"
  family  = "xgs"
  aliases = ["mc1"]

  cell_size {
    value      = "128B"
    confidence = "published"
    source     = "data sheet, page 3"
  }
  slices {
    value      = 2
    confidence = "assumed"
    source     = "by analogy with Tomahawk 5"
  }
}

platform "mybox" {
  title = "My box"
  chip  = "mychip"
  names = ["x86_64-mine_box-r0"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = ["1..61/4", 69, 65]
      confidence = "measured"
      source     = "port_config.ini of our box"
    }
    breakouts {
      value      = ["1x100G[40G]", "2x50G", "4x25G[10G]"]
      confidence = "measured"
      source     = "platform.json of our box"
    }
    alias {
      value      = "Eth{cage}"
      confidence = "measured"
      source     = "platform.json of our box"
    }
    part_alias {
      value      = "Eth{cage}/{lane}"
      confidence = "measured"
      source     = "platform.json of our box"
    }
  }
}
`

// Reference describes the files of chips in Markdown, from the schema that reads them.
func Reference() string {
	var out strings.Builder
	out.WriteString(referencePreamble + Example + "```\n")
	fmt.Fprintf(&out, `
## chip

The label is the canonical name. A chip with a name of the catalogue replaces that chip.

| attribute | value | meaning |
|---|---|---|
| %[1]sextends%[1]s | the name of a chip of the catalogue | the chip starts with all its data, and the file has the differences |
| %[1]stitle%[1]s | a text | full name; required without %[1]sextends%[1]s |
| %[1]svendor%[1]s | a text | vendor; required without %[1]sextends%[1]s |
| %[1]sfamily%[1]s | %[2]s | selects formulas and emitters' rules; required without %[1]sextends%[1]s |
| %[1]saliases%[1]s | a list of texts | other names |

Each datum is a block in the chip:

| attribute | value | meaning |
|---|---|---|
| %[1]svalue%[1]s | see below | required. Leave out the block of an unknown datum |
| %[1]sconfidence%[1]s | %[3]s | required. A guess by analogy, derived from shipped configuration, stated by the vendor or a paper, or found by hardware tests |
| %[1]ssource%[1]s | a text, %[1]ssource.NAME%[1]s, or a list of both | required. The place where the value can be checked |
| %[1]snote%[1]s | a text | a disagreement between sources, or a limit of validity |

| datum | value | meaning |
|---|---|---|
`, "`", family.form, confidences())
	table(&out, chipRows(&Chip{}))
	fmt.Fprintf(&out, `
## platform

A box with a chip. The label is its name; a platform with a name of the catalogue replaces that platform. A switch with its name in
%[1]splatform%[1]s or %[1]shwsku%[1]s needs no lanes in its port groups: names, lanes, labels and breakout modes are checked against the platform.
%[1]sroceplan platforms%[1]s lists the platforms.

| attribute | value | meaning |
|---|---|---|
| %[1]sextends%[1]s | the name of a platform of the catalogue | the platform starts with all its cages; cages with the same label are replaced |
| %[1]stitle%[1]s | a text | full name; required without %[1]sextends%[1]s |
| %[1]schip%[1]s | the name of a chip | chip of the box; required without %[1]sextends%[1]s |
| %[1]snames%[1]s | a list of texts | values of %[1]splatform%[1]s of a switch: names of ONIE |
| %[1]shwskus%[1]s | a list of texts | values of %[1]shwsku%[1]s of a switch without %[1]splatform%[1]s |

Its blocks %[1]scages "NAME"%[1]s are the cages of one kind:

| attribute | value | meaning |
|---|---|---|
| %[1]slanes%[1]s | a whole number | required. Serdes lanes of each cage |
| %[1]sfirst_port%[1]s | a whole number | required. Port number of the first cage: 0 for Ethernet0 |
| %[1]sstep%[1]s | a whole number | distance from the port number of one cage to the next; default %[1]slanes%[1]s |
| %[1]sfirst_index%[1]s | a whole number | index of the first cage, as printed on the box; default 1 |

| datum | value | meaning |
|---|---|---|
`, "`")
	table(&out, cageRows(&Cages{}))
	fmt.Fprintf(&out, `
## nic

A network card with the factory constants of its congestion control. The label is its name; a card with a name of the catalogue
replaces that card. %[1]sroceplan nics%[1]s lists the cards.

| attribute | value | meaning |
|---|---|---|
| %[1]sextends%[1]s | the name of a nic | the card starts with all its data |
| %[1]stitle%[1]s, %[1]svendor%[1]s | a text | full name and vendor; required without %[1]sextends%[1]s |
| %[1]saliases%[1]s | a list of texts | other names |

| datum | value | meaning |
|---|---|---|
`, "`")
	table(&out, nicRows(&NIC{}))
	fmt.Fprintf(&out, `
## published

A published configuration for RoCE, for %[1]sroceplan compare%[1]s. The label is its name; a configuration with a name of the catalogue
replaces that one. %[1]sroceplan compare --list%[1]s lists the configurations. It needs %[1]spmax%[1]s and one curve: %[1]skmin%[1]s and %[1]skmax%[1]s,
the same in cells, or as shares of the queue. A list has one value, or one for each of %[1]scurve_speeds%[1]s.

| attribute | value | meaning |
|---|---|---|
| %[1]stitle%[1]s | a text | required. Full name |
| %[1]svendor%[1]s | a text | required. Publisher |

| datum | value | meaning |
|---|---|---|
`, "`")
	table(&out, publishedRows(&Configuration{}))
	out.WriteString(`
## source

A document that several data cite as ` + "`source.NAME`" + `. The sources of roceplan's own catalogue (chips/catalogue/sources.hcl) can be
cited too, unless a file defines the same name.

| attribute | value | meaning |
|---|---|---|
| ` + "`document`" + ` | a text | required. Title and locator |
| ` + "`url`" + ` | a text | its address |
`)
	return out.String()
}

// table writes a line for each datum.
func table(out *strings.Builder, rows []*dataRow) {
	for _, row := range rows {
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", row.name, row.form, row.meaning)
	}
}

func confidences() string {
	var words []string
	for _, c := range []Confidence{Assumed, Inferred, Published, Measured} {
		words = append(words, fmt.Sprintf("`%q`", c))
	}
	return strings.Join(words, ", ")
}
