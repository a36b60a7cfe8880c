package chips

import (
	"fmt"
	"strings"
)

const referencePreamble = `# Chip files

What roceplan knows of a chip, a network card or a published configuration is data. Chips, platforms, NICs and configurations of your own, or better data of one that is known, are files of the
same form: put them into a folder and name it with ` + "`--chips DIR`" + `, which every command takes that reads a fabric or a chip.
` + "`roceplan chips show NAME`" + ` shows all that is known of a chip with sources.

This page is generated from the reader of the files: ` + "`roceplan help chips`" + ` prints it.

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

Label: the canonical name. A name that the catalogue has already takes the place of that chip.

| attribute | value | meaning |
|---|---|---|
| %[1]sextends%[1]s | the name of a chip of the catalogue | the chip starts with all its data, and the file says only what differs |
| %[1]stitle%[1]s | a text | as a person says it; required without %[1]sextends%[1]s |
| %[1]svendor%[1]s | a text | required without %[1]sextends%[1]s |
| %[1]sfamily%[1]s | %[2]s | decides formulas and emitters' rules; required without %[1]sextends%[1]s |
| %[1]saliases%[1]s | a list of texts | other names |

Each datum is a block in the chip:

| attribute | value | meaning |
|---|---|---|
| %[1]svalue%[1]s | see below | required. What is unknown has no block: there is no value for it |
| %[1]sconfidence%[1]s | %[3]s | required. How sure it is: a guess by analogy, derived from configuration that ships, stated by the vendor or a paper, or found by hardware tests |
| %[1]ssource%[1]s | a text, %[1]ssource.NAME%[1]s, or a list of both | required. Where it can be checked |
| %[1]snote%[1]s | a text | a disagreement between sources, or a limit of validity |

| datum | value | meaning |
|---|---|---|
`, "`", family.form, confidences())
	for _, d := range schema {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", d.name, d.form, d.meaning)
	}
	fmt.Fprintf(&out, `
## platform

A box around a chip. The label is its name; one that the catalogue has already takes the place of that platform. A switch whose
%[1]splatform%[1]s or %[1]shwsku%[1]s names it needs no lanes in its port groups: names, lanes, labels and breakout modes are checked against it.
%[1]sroceplan platforms%[1]s lists those that are known.

| attribute | value | meaning |
|---|---|---|
| %[1]sextends%[1]s | the name of a platform of the catalogue | starts with all its cages; those of an equal label are replaced |
| %[1]stitle%[1]s | a text | as a person says it; required without %[1]sextends%[1]s |
| %[1]schip%[1]s | the name of a chip | required without %[1]sextends%[1]s |
| %[1]snames%[1]s | a list of texts | what %[1]splatform%[1]s of a switch says: names of ONIE |
| %[1]shwskus%[1]s | a list of texts | what %[1]shwsku%[1]s says, where %[1]splatform%[1]s says nothing |

Its blocks %[1]scages "NAME"%[1]s are the cages of one kind:

| attribute | value | meaning |
|---|---|---|
| %[1]slanes%[1]s | a whole number | required. Serdes lanes of each |
| %[1]sfirst_port%[1]s | a whole number | required. Number of the first: 0 for Ethernet0 |
| %[1]sstep%[1]s | a whole number | from the number of one cage to that of the next; default %[1]slanes%[1]s |
| %[1]sfirst_index%[1]s | a whole number | of the first cage, as printed on the box; default 1 |

| datum | value | meaning |
|---|---|---|
`, "`")
	for _, row := range cageRows(&Cages{}) {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", row.name, row.form, row.meaning)
	}
	fmt.Fprintf(&out, `
## nic

A network card: the constants of its congestion control as it leaves the factory. The label is its name; one that the catalogue has
already takes the place of that card. %[1]sroceplan nics%[1]s lists those that are known.

| attribute | value | meaning |
|---|---|---|
| %[1]sextends%[1]s | the name of a nic | starts with all its data |
| %[1]stitle%[1]s, %[1]svendor%[1]s | a text | required without %[1]sextends%[1]s |
| %[1]saliases%[1]s | a list of texts | other names |

| datum | value | meaning |
|---|---|---|
`, "`")
	for _, row := range nicRows(&NIC{}) {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", row.name, row.form, row.meaning)
	}
	fmt.Fprintf(&out, `
## published

A configuration for RoCE that somebody published, to which %[1]sroceplan compare%[1]s sets a fabric's own. The label is its name; one that the
catalogue has already takes the place of that configuration. %[1]sroceplan compare --list%[1]s lists those that are known. It needs %[1]spmax%[1]s and one
curve, of %[1]skmin%[1]s and %[1]skmax%[1]s, of cells, or of shares of the queue; a list has one value, or one for each of %[1]scurve_speeds%[1]s.

| attribute | value | meaning |
|---|---|---|
| %[1]stitle%[1]s | a text | required. What it is |
| %[1]svendor%[1]s | a text | required. Who published it |

| datum | value | meaning |
|---|---|---|
`, "`")
	for _, row := range publishedRows(&Configuration{}) {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", row.name, row.form, row.meaning)
	}
	out.WriteString(`
## source

A document that several data cite as ` + "`source.NAME`" + `. The sources of roceplan's own catalogue (chips/catalogue/sources.hcl) can be
cited too, unless a file has one of the same name.

| attribute | value | meaning |
|---|---|---|
| ` + "`document`" + ` | a text | required. Title and locator |
| ` + "`url`" + ` | a text | where it lies |
`)
	return out.String()
}

func confidences() string {
	var words []string
	for _, c := range []Confidence{Assumed, Inferred, Published, Measured} {
		words = append(words, fmt.Sprintf("`%q`", c))
	}
	return strings.Join(words, ", ")
}
