package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

type patchCmd struct {
	File    string `arg:"" help:"Fabric file, or a folder of them."`
	Switch  string `arg:"" optional:"" help:"The switch, unless the running configuration says its hostname."`
	Against string `required:"" placeholder:"FILE" help:"config_db.json of the running SONiC switch; - is standard input."`
	Steps   string `placeholder:"DIR" help:"Write each step into a file of its own in this new folder, to be applied one after another."`
	sourceFlags
}

func (patchCmd) Help() string {
	return `Prints the RFC 6902 patch that brings a running SONiC switch to what the fabric says. Tables, rows and fields that are not roceplan's stay as they are, and so do ports that the fabric does not have:

    roceplan patch fabric.hcl tor-01 --against config_db.json > tor-01.patch

The order of the operations keeps lossless traffic lossless: headroom is there before PFC is on, PFC is off before headroom goes. A switch sorts the operations of one file anew, so apply the steps one by one:

    roceplan patch fabric.hcl tor-01 --against config_db.json --steps tor-01
    scp -r tor-01 admin@tor-01: && ssh admin@tor-01 'for step in tor-01/*.json; do sudo config apply-patch $step || break; done'`
}

// Run compiles, compares, and prints or writes.
func (c patchCmd) Run(t *terminal) error {
	if c.File == "-" && c.Against == "-" {
		return misusef("fabric and running configuration cannot both be standard input")
	}
	loaded, err := c.load(t, []string{c.File})
	if err != nil {
		return err
	}
	running, found, err := c.running(t, loaded)
	if err != nil {
		return err
	}
	p, more := loaded.compute()
	found = append(found, more...)
	var made *patch.Patch
	if !found.HasErrors() {
		sw, device, err := c.find(p, running)
		if err != nil {
			return err
		}
		var more diag.List
		made, more = patch.Make(sw, device, running)
		found = append(found, more...)
	}
	found = found.Sorted()
	if err := t.report(found, loaded.sources); err != nil {
		return err
	}
	return c.put(t, made, found)
}

// running reads the configuration to compare with.
func (c patchCmd) running(t *terminal, loaded *loaded) (*patch.Running, diag.List, error) {
	name, text, err := c.Against, []byte(nil), error(nil)
	if name == "-" {
		name = standardInput
		text, err = regular.Stream(t.in, name)
	} else {
		text, err = regular.Read(name)
	}
	if err != nil {
		return nil, nil, err
	}
	loaded.sources[name] = text
	running, found := patch.Read(name, text)
	return running, found, nil
}

// find takes the switch by the name given, or by that which the running one has.
func (c patchCmd) find(p *plan.Plan, running *patch.Running) (*plan.Switch, string, error) {
	name := c.Switch
	if name == "" {
		name = running.DB[sonic.TableDeviceMetadata][sonic.Localhost]["hostname"].Text
	}
	if name == "" {
		return nil, "", misusef("%s does not say the hostname; say which switch it is: roceplan patch %s SWITCH --against %s", c.Against, c.File, c.Against)
	}
	sw, device, rest, err := explain.FindSwitch(p, name)
	switch {
	case err != nil:
		return nil, "", err
	case rest != "":
		return nil, "", misusef("%q is no switch; %s is", name, device)
	case !slices.Contains(sw.Targets, "sonic"):
		return nil, "", misusef("%s is told by %s, and a patch is for SONiC", device, strings.Join(sw.Targets, ", "))
	}
	return sw, device, nil
}

// patchResult is what patch --json prints.
type patchResult struct {
	Diagnostics diag.List    `json:"diagnostics"`
	Switch      string       `json:"switch,omitempty"`
	Steps       []patch.Step `json:"steps"`
}

// put prints the patch, or writes its steps.
func (c patchCmd) put(t *terminal, made *patch.Patch, found diag.List) error {
	result := patchResult{Diagnostics: nonNil(found), Steps: []patch.Step{}}
	var err error
	switch {
	case made == nil:
		err = errFindings
	case c.Steps != "":
		err = writeSteps(t, c.Steps, made)
	case !t.json:
		t.printf("%s", operationLines(made.Operations()))
	}
	if err != nil && !errors.Is(err, errFindings) || !t.json {
		return err
	}
	if made != nil {
		result.Switch = made.Switch
		result.Steps = append(result.Steps, made.Steps...)
	}
	return errors.Join(err, t.printJSON(result))
}

// operationLines prints a patch with an operation on each line, as a person reads it
// in a review.
func operationLines(ops []patch.Operation) []byte {
	var lines []string
	for _, op := range ops {
		text, err := json.Marshal(op)
		if err != nil {
			panic(err) // texts in maps have a JSON form
		}
		lines = append(lines, "\n  "+string(text))
	}
	end := "]\n"
	if len(lines) > 0 {
		end = "\n]\n"
	}
	return []byte("[" + strings.Join(lines, ",") + end)
}

// writeSteps fills a new folder: files of an older patch between those of this one
// would be applied with them.
func writeSteps(t *terminal, folder string, made *patch.Patch) error {
	var files []whole.Text
	for i, step := range made.Steps {
		name := fmt.Sprintf("%02d-%s.json", i+1, strings.ReplaceAll(step.Title, " ", "-"))
		files = append(files, whole.Text{Path: name, Text: operationLines(step.Operations)})
	}
	if err := writeFolder(folder, files); err != nil {
		return err
	}
	for i, f := range files {
		if !t.json {
			t.printf("%s: %s\n", filepath.Join(folder, f.Path), numbered(len(made.Steps[i].Operations), "operation", "operations"))
		}
	}
	if len(made.Steps) == 0 && !t.json {
		t.printf("%s is as the fabric says; there is nothing to apply\n", made.Switch)
	}
	return nil
}

// writeFolder writes steps into a new folder.
func writeFolder(folder string, files []whole.Text) error {
	err := whole.Folder(folder, files)
	if errors.Is(err, whole.ErrNotEmpty) {
		return misusef("%s holds files already; the steps go into a new folder", folder)
	}
	return err
}
