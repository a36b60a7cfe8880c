package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// started finds where devices begin by the files of a folder. A device whose state is not known is an
// error: no step on a neighbour of it could be proved.
func (c diffCmd) started(t *terminal, folder string, files []verify.File, before, after *plan.Plan, sources diag.Sources) (*apply.Start, error) {
	shapes, err := c.shapes(files)
	if err != nil {
		return nil, err
	}
	s := apply.From(before, after, shapes, c.Fresh)
	found := whereStarts(s, folder, after)
	if found.HasErrors() && t.json {
		return nil, failWith(t, found)
	}
	if err := t.tell(found, sources); err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, errFindings
	}
	return s, nil
}

// switchLines returns the places of switches in their fabric, by name.
func switchLines(p *plan.Plan) map[string]diag.Range {
	at := map[string]diag.Range{}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			at[name] = sw.Range
		}
	}
	return at
}

// whereStarts reports what is not known of the devices, and what the steps leave alone.
func whereStarts(s *apply.Start, folder string, after *plan.Plan) (found diag.List) {
	at := switchLines(after)
	unknown := map[string][]string{}
	for _, d := range s.Devices {
		if d.Class == apply.Unknown {
			unknown[d.Why] = append(unknown[d.Why], d.Device)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(unknown)) {
		devices := unknown[why]
		found.Errorf(RolloutUnknown, at[devices[0]], "the configuration of %s is not known: %s; a step on a neighbour could not be proved", diff.Fold(devices), why).
			Fixf("put its configuration into %s, as %[1]s/%s/config_db.json for SONiC, or name a switch that runs nothing yet with --fresh %[2]s", folder, devices[0])
	}
	for _, name := range s.Others {
		found.Warnf(verify.SwitchUnknown, diag.Top(folder), "%s is not a switch of the fabric; no step changes it", name).
			Fixf("describe it in the fabric, or leave its file out")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Leftovers)) {
		found.Warnf(RolloutLeft, at[name], "%s carries lossless traffic on %s, which the fabric does not have; the steps leave it as it is", name, diff.Fold(s.Leftovers[name])).
			Fixf("remove it by hand, or describe the ports in the fabric")
	}
	return found.Sorted()
}

// begins returns the classes of the devices, for the difference.
func begins(s *apply.Start) (all []diff.Begin) {
	for _, d := range s.Devices {
		all = append(all, diff.Begin{Device: d.Device, Class: string(d.Class), Step: d.Step, Lines: d.Lines})
	}
	return all
}

// notWritten lists, by device, what it runs that roceplan does not write.
func notWritten(s *apply.Start) map[string]string {
	all := map[string]string{}
	for _, d := range s.Devices {
		if len(d.Lost) > 0 {
			all[d.Device] = "roceplan does not write all of its configuration: " + strings.Join(d.Lost[:min(3, len(d.Lost))], "; ")
		}
	}
	return all
}

// compareFrom compares what devices run with a fabric.
func compareFrom(s *apply.Start, before, after *plan.Plan) *diff.Result {
	result := diff.Compare(s.Plan, after)
	result.Begins = begins(s)
	result.Rollout.Taken = before == nil
	return result
}
