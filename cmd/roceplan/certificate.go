package main

import (
	"cmp"
	"fmt"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/verify"
	"github.com/roceplan/roceplan/way"
)

// writeCertificates writes what was proved of all shapes.
func writeCertificates(t *terminal, path string, report *verify.Report) error {
	list, err := report.Certificates()
	if err != nil {
		return err
	}
	text, err := list.Marshal()
	if err != nil {
		return err
	}
	return whole.Write(t.disk, path, text)
}

// recheck evaluates certificates again, and checks them against the files that are named.
func (c verifyCmd) recheck(t *terminal) error {
	text, err := fileAt(c.Recheck).Read()
	if err != nil {
		return err
	}
	if way.Is(text) {
		return c.recheckWay(t, text)
	}
	list, err := verify.ParseCertificates(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Recheck, err)
	}
	var fresh *verify.Report
	if len(c.Paths) > 0 {
		if fresh, _, err = c.judge(t); err != nil {
			return err
		}
	}
	result, err := verify.Recheck(list, fileAt, fresh)
	if err != nil {
		return err
	}
	if fresh == nil && len(c.Fabric) > 0 {
		devices, err := c.devices(t)
		if err != nil {
			return err
		}
		result.Demand(list, devices)
	}
	if t.json {
		err = t.printJSON(result)
	} else {
		printRechecked(t, result)
	}
	if err == nil && (len(result.Problems) > 0 || !result.Proved) {
		err = errFindings
	}
	return err
}

// devices returns the devices of the fabric that is named.
func (c verifyCmd) devices(t *terminal) (names []string, err error) {
	loaded, err := c.load(t, c.Fabric)
	if err != nil {
		return nil, err
	}
	plan, found := loaded.Plan()
	if found.HasErrors() {
		return nil, cmp.Or(t.tell(found, loaded.Sources), error(errFindings))
	}
	for _, sw := range plan.Switches {
		names = append(names, sw.Names...)
	}
	return names, nil
}

func printRechecked(t *terminal, r *verify.Rechecked) {
	for _, problem := range r.Problems {
		t.printf("%s\n", problem.Message)
	}
	for _, l := range r.Lacks {
		t.printf("%s has no certificate: %s\n", l.Device, l.Because)
	}
	verdict := "all hold"
	if !r.Proved {
		verdict = "not all hold"
	}
	t.printf("certificates %d, switches %d, obligations %d: %s; problems %d\n", r.Certificates, r.Switches, r.Obligations, verdict, len(r.Problems))
}
