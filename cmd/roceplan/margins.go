package main

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type marginsCmd struct {
	Files []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	sourceFlags
	Design bool `help:"Search designs: the longest cables, the largest fan-in, the most classes, with and without shared headroom."`
}

func (marginsCmd) Help() string {
	return `Prints for each port group the limits at which an obligation breaks, with the present configuration: the longest cable, the most ports that send to one, the largest MTU, and the most lossless classes like the first one.

    roceplan margins fabric.hcl

Each figure has the obligation that breaks one step above it. With --design, and if the fabric does not compile, margins changes the fabric and plans it again: the longest cable for one, two or more lossless classes, with headroom for every group or shared 2:1 and 4:1, the largest fan-in, the most classes. Each result has been compiled:

    roceplan margins fabric.hcl --design`
}

// fabricMargins is the output of margins --json.
type fabricMargins struct {
	Diagnostics diag.List      `json:"diagnostics"`
	Switches    []shapeMargins `json:"switches"`
}

// Run searches the margins of every shape, several at a time.
func (c marginsCmd) Run(t *terminal) error {
	loaded, err := c.load(t, c.Files)
	if err != nil {
		return err
	}
	if p, _ := loaded.Plan(); c.Design && len(p.Switches) > 0 {
		return c.design(t, loaded.Fabric)
	}
	p, found, err := loaded.planned(t)
	if err == errFindings && !t.json {
		return cmp.Or(c.design(t, loaded.Fabric), err)
	}
	if err != nil {
		return err
	}
	step, stop := t.watch("shapes", len(p.Switches))
	v := roceplan.NewVerifier(loaded.Fabric)
	v.Step = step
	margins, err := v.Margins(p)
	stop()
	if err != nil {
		return err
	}
	shapes := make([]shapeMargins, len(p.Switches))
	for i, sw := range p.Switches {
		shapes[i] = newShapeMargins(sw, margins[i])
	}
	if t.json {
		return t.printJSON(fabricMargins{nonNil(found), shapes})
	}
	for _, s := range shapes {
		s.print(t)
	}
	return nil
}

// shapeMargins are the margins of switches of one shape, as --json prints them.
type shapeMargins struct {
	Names  []string      `json:"names"`
	Chip   string        `json:"chip"`
	Groups []groupMargin `json:"groups"`
}

// A groupMargin names with each figure the obligation that breaks one step beyond it;
// empty where none does within the bounds of the search.
type groupMargin struct {
	Group         string       `json:"group"`
	Now           units.Length `json:"cable_mm"`
	Cable         units.Length `json:"longest_cable_mm"`
	CableBreaks   string       `json:"cable_breaks,omitempty"`
	FanIn         int          `json:"largest_fan_in"`
	FanInBreaks   string       `json:"fan_in_breaks,omitempty"`
	MTU           units.Bytes  `json:"largest_mtu"`
	MTUBreaks     string       `json:"mtu_breaks,omitempty"`
	Classes       int          `json:"most_lossless_classes"`
	ClassesBreaks string       `json:"classes_break,omitempty"`
}

func newShapeMargins(sw *plan.Switch, list []proof.Margin) shapeMargins {
	s := shapeMargins{Names: sw.Names, Chip: sw.Chip, Groups: []groupMargin{}}
	for _, m := range list {
		s.Groups = append(s.Groups, groupMargin{m.Group, m.Now, m.Cable, m.CableBreaks, m.FanIn, m.FanInBreaks, m.MTU, m.MTUBreaks, m.Classes, m.ClassesBreak})
	}
	return s
}

func (s shapeMargins) print(t *terminal) {
	t.printf("%s: %d × %s\n", plan.Abbreviate(s.Names), len(s.Names), s.Chip)
	var rows table
	rows.add("  GROUP", "NOW", "CABLE", "", "FAN-IN", "", "MTU", "", "CLASSES", "")
	for _, g := range s.Groups {
		rows.add("  "+g.Group, g.Now.String(), g.Cable.String(), beyond(g.CableBreaks), fmt.Sprint(g.FanIn), beyond(g.FanInBreaks),
			g.MTU.String(), beyond(g.MTUBreaks), fmt.Sprint(g.Classes), beyond(g.ClassesBreaks))
	}
	t.printf("%s\n", rows)
}

// beyond names the failure one step further.
func beyond(id string) string {
	if id == "" {
		return "(no limit found)"
	}
	return "(" + id + ")"
}
