package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type patchCmd struct {
	File    string `arg:"" help:"Fabric file, or a folder of them."`
	Switch  string `arg:"" optional:"" complete:"switch" help:"The switch, unless the running configuration has its hostname."`
	Against string `required:"" placeholder:"FILE" help:"config_db.json of the running SONiC switch; - is standard input."`
	Steps   string `placeholder:"DIR" help:"Write each step into a separate file of this new folder, to be applied in order."`
	Release string `placeholder:"YYYYMM" help:"Release of SONiC that the switch runs, such as 202505 (default: that of the fabric or the running configuration)."`
	sourceFlags
}

func (patchCmd) Help() string {
	return `Prints the RFC 6902 patch from a running SONiC switch to the fabric. Other tables, rows, fields and ports stay unchanged:

    roceplan patch fabric.hcl tor-01 --against config_db.json > tor-01.patch

The order of the operations keeps lossless traffic lossless: headroom comes before PFC, and goes after PFC. A switch sorts the operations of one file again, so apply the steps one by one:

    roceplan patch fabric.hcl tor-01 --against config_db.json --release 202505 --steps tor-01
    scp -r tor-01 admin@tor-01: && ssh admin@tor-01 sudo sh tor-01/apply.sh

If a step fails, the script takes it and all earlier steps back, and leaves no checkpoint. If the release's updater refuses a step, its file is a script with ecnconfig, mmuconfig and config load.`
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
	p, more := loaded.Plan()
	found = append(found, more...)
	var made *patch.Patch
	if !found.HasErrors() {
		setRelease(p, c.Release)
		sw, device, err := c.find(p, running)
		if err != nil {
			return err
		}
		var more diag.List
		v := roceplan.NewVerifier(loaded.Fabric)
		made, more = patch.Make(sw, device, running, func(config []byte) (map[string]bool, error) { return v.Fails(sw, "sonic", device, config) })
		found = append(found, more...)
	}
	found = found.Sorted()
	if err := t.tell(found, loaded.Sources); err != nil {
		return err
	}
	return c.put(t, made, found)
}

// setRelease lets a flag overrule what the fabric says of all switches.
func setRelease(p *plan.Plan, release string) {
	for _, sw := range p.Switches {
		if release != "" {
			sw.Release = release
		}
	}
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
	loaded.Sources[name] = text
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
		return nil, "", misusef("%s does not have the hostname; name the switch: roceplan patch %s SWITCH --against %s", c.Against, c.File, c.Against)
	}
	sw, device, rest, err := explain.FindSwitch(p, name)
	switch {
	case err != nil:
		return nil, "", err
	case rest != "":
		return nil, "", misusef("%q is not a switch; %s is", name, device)
	case !slices.Contains(sw.Targets, "sonic"):
		return nil, "", misusef("%s is configured by %s, but a patch is for SONiC", device, strings.Join(sw.Targets, ", "))
	}
	return sw, device, nil
}

// patchResult is the output of patch --json.
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
	case slices.ContainsFunc(made.Steps, func(s patch.Step) bool { return s.Past }):
		err = errFindings
	case !t.json:
		t.printf("%s", patch.Lines(made.Operations()))
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

// writeSteps fills a new folder: files of an older patch between those of this one
// would be applied with them.
func writeSteps(t *terminal, folder string, made *patch.Patch) error {
	var files []whole.Text
	for _, f := range made.Files() {
		files = append(files, whole.Text{Path: filepath.FromSlash(f.Path), Text: f.Text})
	}
	if err := writeFolder(t, folder, files); err != nil {
		return err
	}
	if t.json {
		return nil
	}
	if len(made.Steps) == 0 {
		t.linef("%s is as in the fabric; there is nothing to apply", made.Switch)
		return nil
	}
	for i, step := range made.Steps {
		file, n := filepath.Join(folder, made.StepFile(i)), len(step.Operations)
		if step.Past {
			t.linef("%s: %s, past the updater", file, natural.Count(n, "operation", "operations"))
			continue
		}
		t.linef("%s: %s, up to %s", file, natural.Count(n, "operation", "operations"), minutes(patch.Duration(n)))
	}
	t.linef("%s: applies them in turn, and takes them back if one fails", filepath.Join(folder, patch.Script))
	return nil
}

// writeFolder writes files into a new or an empty folder.
func writeFolder(t *terminal, folder string, files []whole.Text) error {
	return fullFolder(folder, whole.Folder(t.disk, folder, files))
}

// fullFolder asks for another folder where one has files.
func fullFolder(folder string, err error) error {
	if errors.Is(err, whole.ErrNotEmpty) {
		return misusef("%s holds files already; name a new folder", folder)
	}
	return err
}

// minutes rounds up to whole ones.
func minutes(d units.Time) string {
	return fmt.Sprintf("%d min", (d+60*units.Second-1)/(60*units.Second))
}
