package main

import (
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/dcb"
)

type auditHostCmd struct {
	File string   `arg:"" name:"fabric" help:"Fabric file, or a folder with its *.hcl."`
	NIC  string   `arg:"" name:"nic" complete:"host" help:"The nic block of the NIC."`
	DCB  []string `name:"dcb" required:"" placeholder:"FILE" sep:"none" help:"Output of dcb -j for the NIC, - is standard input; may be repeated."`
	sourceFlags
}

func (auditHostCmd) Help() string {
	return `Compares the settings of a server's NIC with the expectations of the fabric's switches. On the server:

    for part in pfc app ets buffer; do dcb -j $part show dev eth2; done >eth2.json

Then, with the fabric:

    roceplan audit-host fabric.hcl cx7 --dcb eth2.json

DIR/hosts/NIC/roce.sh, which compile writes, configures a NIC. dcb does not show the priority of CNPs and the ToS of RDMA, so audit-host does not judge them: the script's --dry-run shows both.`
}

// Run reads, compares and reports.
func (c auditHostCmd) Run(t *terminal) error {
	loaded, err := c.load(t, []string{c.File})
	if err != nil {
		return err
	}
	p, found := loaded.Plan()
	if found.HasErrors() {
		return c.tell(t, found, loaded.Sources)
	}
	h, err := hostCalled(p, c.NIC)
	if err != nil {
		return err
	}
	// check reports the faults of the fabric.
	found = nil
	for _, name := range c.DCB {
		text, err := readFile(t, name)
		if err != nil {
			return err
		}
		if name == "-" {
			name = standardInput
		}
		loaded.Sources[name] = text
		reading, told := dcb.Read(name, text)
		if !told.HasErrors() {
			told = append(told, dcb.Audit(h, reading)...)
		}
		found = append(found, told...)
	}
	return c.tell(t, found.Sorted(), loaded.Sources)
}

func (c auditHostCmd) tell(t *terminal, found diag.List, sources diag.Sources) error {
	err := t.tell(found, sources)
	switch {
	case t.json:
		err = t.printJSON(findings{nonNil(found)})
	case err == nil && len(found) == 0:
		t.printf("nic %s: as the switches expect\n", c.NIC)
	}
	if err == nil && found.HasErrors() {
		err = errFindings
	}
	return err
}

func hostCalled(p *plan.Plan, name string) (*plan.Host, error) {
	all := make(map[string]*plan.Host)
	for _, h := range p.Hosts {
		all[h.Name] = h
	}
	if h := all[name]; h != nil {
		return h, nil
	}
	return nil, misusef("the fabric has no nic %q; it has %v", name, slices.Sorted(maps.Keys(all)))
}

func readFile(t *terminal, name string) ([]byte, error) {
	if name == "-" {
		return regular.Stream(t.in, standardInput)
	}
	return regular.Read(name)
}
