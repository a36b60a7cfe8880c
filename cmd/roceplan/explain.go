package main

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/natural"
)

type explainCmd struct {
	File string `arg:"" help:"Fabric file, a folder of them, or - for standard input."`
	What string `arg:"" complete:"what" help:"SWITCH, SWITCH.PORT, SWITCH.QUANTITY or SWITCH.PORT.QUANTITY."`
	sourceFlags
}

func (explainCmd) Help() string {
	return `The values of a switch and of one of its ports:

    roceplan explain fabric.hcl tor-01
    roceplan explain fabric.hcl tor-01.Ethernet32

The derivation of a number from lines of the file, data of the chip and clauses of standards:

    roceplan explain fabric.hcl tor-01.Ethernet32.headroom
    roceplan explain fabric.hcl tor-01.Ethernet32.rdma.kmax
    roceplan explain fabric.hcl tor-01.buffer-fits`
}

// Run prints the derivation of one quantity, or the quantities that there are. A
// fabric that breaks an inequality is explained too: that is when it is asked.
func (c explainCmd) Run(t *terminal) error {
	loaded, err := c.load(t, []string{c.File})
	if err != nil {
		return err
	}
	p, found := loaded.Plan()
	if err := t.report(found, loaded.Sources); err != nil {
		return err
	}
	if found.HasErrors() && len(p.Switches) == 0 {
		return errFindings // there is nothing to be asked
	}
	asked, err := explain.Find(p, c.What)
	if err != nil {
		return misuse{err}
	}
	e := explain.New(loaded.Sources)
	switch {
	case asked.Wanted == "" && t.json:
		err = t.printJSON(explained{nonNil(found), explain.Overview(asked.Quantities)})
	case asked.Wanted == "":
		printOverview(t, asked)
	case t.json:
		err = t.printJSON(explained{nonNil(found), e.Derivations(asked.Place, asked.Quantities)})
	default:
		e.Answer(t.out, asked)
	}
	if err == nil && found.HasErrors() {
		err = errFindings
	}
	return err
}

// explained is the output of explain --json, and of calc.
type explained struct {
	Diagnostics diag.List            `json:"diagnostics"`
	Quantities  []explain.Derivation `json:"quantities"`
}

// printOverview lists what can be explained, with values.
func printOverview(t *terminal, a *explain.Asked) {
	sw := a.Switch
	if a.Port == nil {
		t.printf("%s: %s, %s, writes %s\n", a.Device, sw.Chip, natural.Count(len(sw.Ports), "port", "ports"), strings.Join(sw.Targets, " "))
	} else {
		t.printf("%s.%s: %s, %v, %v\n", a.Device, a.Port.Name, a.Port.Group, a.Port.Speed, a.Port.Cable)
	}
	var rows table
	for _, q := range a.Quantities {
		rows.add("  "+q.Names[0], q.Value, q.Class)
	}
	t.printf("%s", rows)
	if a.Port != nil {
		return
	}
	var ports []string
	for _, p := range sw.Ports {
		ports = append(ports, p.Name)
	}
	t.printf("ports: %s\n", diff.Fold(ports))
}
