package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type applyCmd struct {
	File    string        `arg:"" help:"Fabric file or folder: the new state of the devices."`
	From    string        `placeholder:"FILE" help:"Fabric file or folder before the change, or a folder of running configurations; an empty folder is filled with them."`
	Git     string        `placeholder:"REV" help:"Instead of --from: the fabric as it was in this revision of its git repository."`
	Devices []string      `required:"" placeholder:"FILE" sep:"none" help:"File of addresses, one a line; may be repeated."`
	Journal string        `default:"apply.journal" placeholder:"FILE" help:"File that records every action, from which a second run continues (default: apply.journal)."`
	Release string        `placeholder:"YYYYMM" help:"Release of SONiC that the switches run, such as 202505."`
	DryRun  bool          `name:"dry-run" help:"Read the devices and print the steps that would run."`
	Yes     bool          `help:"Do not ask before the first change."`
	Fresh   []string      `placeholder:"DEVICE" help:"A new switch without a configuration; may be repeated."`
	Only    []string      `placeholder:"DEVICE" help:"Change these devices alone; may be repeated."`
	Until   string        `placeholder:"STEP" help:"End after this step, such as 01-grow."`
	Wave    int           `placeholder:"N" help:"End after this many waves."`
	Done    []string      `placeholder:"STEP" help:"Mark a step by hand, such as 02-cable, as done; may be repeated."`
	Undo    bool          `help:"Take the rollout back, in the opposite order, from any state."`
	Keep    units.Ratio   `placeholder:"SHARE" help:"Share of the links between any two tiers that stays in service while devices are drained, such as 50%; without it, one switch of each redundant group is drained at a time."`
	Soak    time.Duration `default:"60s" placeholder:"TIME" help:"How long a wave is watched before it is kept (default: 60s)."`
	Confirm time.Duration `default:"10m" placeholder:"TIME" help:"How long devices wait for the confirm before they take a change back by themselves (default: 10m)."`
	Pairs   time.Duration `default:"10m" placeholder:"TIME" help:"How long to wait, after servers send with another ToS, for queue pairs from before (default: 10m)."`
	sourceFlags
}

func (applyCmd) Help() string {
	return `Carries out a change on running devices. It reads each device, prints its state in the rollout (old, new, part-way, drifted, unknown), asks, and takes the steps of roceplan diff in their order, first one device of a step alone, then the others at the same time:

    roceplan apply fabric.hcl --from before.hcl --devices devices.txt --dry-run
    roceplan apply fabric.hcl --git HEAD~1 --devices devices.txt

A rollout can begin with the running configurations, without the old fabric. apply saves them in an empty folder. The next call begins there, and --undo leads back to them:

    mkdir -m 700 running
    roceplan apply fabric.hcl --from running --devices devices.txt

devices.txt has a line for each device, and lines that say where counters are read, as for roceplan observe:

    ssh://admin@leaf-1?key_file=/home/me/.ssh/id_ed25519
    leaf-2=ssh://admin@192.0.2.12:2222?password_env=LEAF_PASSWORD&known_hosts=hosts.txt
    redis://leaf-1

Without key_file and password apply uses the agent of SSH_AUTH_SOCK. The key of a server must be in known_hosts. The user needs sudo without a password on SONiC, the system's command line as login shell on EOS, and NETCONF over SSH at the address on Junos.

Each device must have the state before the step. The change and its way back are in the journal before anything is sent. Then the device is read back, and must have the state after the step, which was proved. A wave soaks for --soak. Meanwhile apply watches the counters of devices with an address for them, and lists the others as not watched. Then the changes are saved, or all taken back. After any other end, also a kill, the same command continues.

If a change interrupts lossless traffic, your command in the file of --devices drains the switch, and another one puts it back. /bin/sh runs the command with the switch as $1; it returns when the switch carries no traffic. One of each group of redundant switches is drained at a time, or as many as --keep allows; the first is drained alone:

    drain   = ./bgp.sh shut "$1"
    undrain = ./bgp.sh up "$1"

A server is changed where its line has the kind of its NICs and their interfaces. It runs roce.sh of that NIC: first all servers accept the new classes, then they send them; apply waits until all old queue pairs are closed, and then they drop the old classes. The script goes into the file of script=, which the server runs at its start:

    server-1=ssh://root@192.0.2.31?key_file=id&nic=cx&interfaces=eth2,eth3&script=/etc/roce/cx.sh

An operator changes cables, other servers and new switches, and stops traffic: the run stops at such a step, names it, and continues with --done.

Systems: SONiC, Arista EOS (sessions with commit timer), Junos (commit confirmed), Cumulus Linux (nv config apply --confirm), SR Linux and OpenConfig (gNMI, at an address gnmi://USER@HOST:PORT, with its extension of confirmed commits where the device has it). A switch with two systems, such as EOS and OpenConfig, is changed by the first. apply refuses a rollout with a device that needs a whole new configuration, before it sends anything.

Exit codes: 0 the devices run the fabric; 1 the rollout stopped, or --dry-run has something to do; 2 the call was wrong, or the journal could not be written.`
}

// applied is the output of apply --json.
type applied struct {
	Rollout string            `json:"rollout"`
	Devices []*apply.Standing `json:"devices"` // as they were before
	Steps   []appliedStep     `json:"steps"`
	Told    []appliedLine     `json:"told"`
	Stop    *apply.Stop       `json:"stop,omitempty"`
	End     string            `json:"end"` // "target", "origin", "stopped", or "not begun"

	servers int // of the devices
}

type appliedStep struct {
	Name    string   `json:"name"`
	Devices []string `json:"devices,omitempty"`
	Drained []string `json:"drained,omitempty"` // those that are out of service meanwhile
	Hand    string   `json:"hand,omitempty"`
}

type appliedLine struct {
	Step   string `json:"step,omitempty"`
	Device string `json:"device,omitempty"`
	Text   string `json:"text"`
}

// Run plans, reads, asks and carries out.
func (c applyCmd) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	devices, err := readDevices(c.Devices)
	if err != nil {
		return err
	}
	addresses, err := parsed(t, devices.addresses)
	if err != nil {
		return err
	}
	r, loaded, drainer, err := c.plan(t, devices, addresses)
	if err != nil {
		return err
	}
	o, counters := c.options(loaded, r, addresses)
	o.Drainer = drainer
	if refused := apply.Refused(r, o.Addresses); len(refused) > 0 {
		return fmt.Errorf("nothing was sent: %s", strings.Join(refused, "; "))
	}
	if c.Until != "" && !slices.ContainsFunc(r.Steps, func(s apply.Step) bool { return s.Name == c.Until }) {
		return misusef("there is no step %s; the steps are %s", c.Until, strings.Join(stepNames(r), ", "))
	}
	if !c.DryRun {
		if o.Journal, err = apply.OpenJournal(t.disk, c.Journal); err != nil {
			return err
		}
		defer o.Journal.Close() // all is synced
	}
	result := &applied{Rollout: r.Name, servers: len(r.NICs), Devices: []*apply.Standing{}, Steps: []appliedStep{}, Told: []appliedLine{}, End: "not begun"}
	err = c.carryOut(t, r, o, result, loaded, counters)
	if t.json && (err == nil || errors.Is(err, errFindings)) {
		err = errors.Join(err, t.printJSON(result))
	}
	return err
}

// check refuses calls that do not fit together. Junos and EOS count --confirm in minutes, so it is one
// minute at least. The hour and the half are choices, not figures of a vendor.
func (c applyCmd) check() error {
	switch {
	case (c.From == "") == (c.Git == ""):
		return misusef("give the configuration that the devices run: --from with a fabric, --git with a revision, or --from with an empty folder, which apply fills with their running configurations")
	case c.Soak < 0 || c.Confirm < time.Minute || c.Confirm > time.Hour:
		return misusef("--soak must be at least 0s and --confirm 1m to 1h, not %v and %v", c.Soak, c.Confirm)
	case c.Soak > c.Confirm/2:
		return misusef("--soak of %v leaves too little of --confirm, %v: it may be at most half of it", c.Soak, c.Confirm)
	case c.Pairs < 0:
		return misusef("--pairs must be at least 0s, not %v", c.Pairs)
	case c.Wave < 0:
		return misusef("--wave must be a number of waves, not %d", c.Wave)
	}
	return nil
}

// plan compiles both fabrics, or reads what runs, and proves all that is sent to devices on the way.
func (c applyCmd) plan(t *terminal, devices deviceFile, addresses map[string][]*live.Address) (*apply.Rollout, *loaded, *apply.Drainer, error) {
	sides := diffCmd{Old: c.From, New: c.File, Git: c.Git, Release: c.Release, Fresh: c.Fresh, sourceFlags: c.sourceFlags}
	if c.Git != "" {
		sides.Old, sides.New = c.File, ""
	}
	loaded, err := c.load(t, []string{c.File})
	if err != nil {
		return nil, nil, nil, err
	}
	var d difference
	if c.Git == "" && holdsConfigs(c.From) {
		d, err = c.fromRunning(t, sides, addresses)
	} else {
		d, err = sides.compare(t)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	catalogue, sources, _, err := loadChips(c.Chips)
	if err != nil {
		return nil, nil, nil, err
	}
	o, err := newRolling(catalogue, d, c.Keep)
	if err != nil {
		return nil, nil, nil, err
	}
	if o.found.HasErrors() {
		return nil, nil, nil, errors.Join(errFindings, t.report(o.found, sources))
	}
	if err := o.drainable(devices); err != nil {
		return nil, nil, nil, err
	}
	r := apply.Plan(d.before, d.after, d.result)
	if err := r.On(addresses, d.after.Hosts); err != nil {
		return nil, nil, nil, fmt.Errorf("nothing was sent: %w", err)
	}
	for _, step := range r.Steps {
		for i := range step.Works {
			w := &step.Works[i]
			w.Drain = o.bySteps[step.Name][w.Device]
		}
	}
	if d.start != nil {
		r.Read = d.start.Read
		if strange := notWritten(d.start); len(strange) > 0 {
			device := slices.Sorted(maps.Keys(strange))[0]
			return nil, nil, nil, fmt.Errorf("nothing was sent: there would be no way back to the configuration of %s: %s; remove that from the device, or describe it in the fabric, and begin with an empty folder", device, strange[device])
		}
	}
	if c.Undo {
		var found diag.List
		if r, found, err = o.back(d, r, devices.drain != ""); err == nil {
			err = t.report(found, sources)
		}
	}
	return r, loaded, o.drainer(devices), err
}

// back returns the way back of a rollout, proved like the way there: it passes the same states, but on
// SONiC others between patches, from what those of the way there leave, with the traffic that the end of the rollout allows. A state
// without proof is reported, and devices go back all the same.
func (o *rolling) back(d difference, r *apply.Rollout, drainable bool) (*apply.Rollout, diag.List, error) {
	r = r.Reversed()
	rollout := d.result.Rollout.Reversed(d.before)
	result := &diff.Result{Rollout: *rollout}
	b, err := newRolling(o.catalogue, difference{before: d.after, after: d.before, result: result, patched: o.patched}, o.keep)
	if err != nil {
		return nil, nil, err
	}
	r.Stop("undo-", result.Rollout.Quiet)
	for i, step := range rollout.Steps {
		works := r.Steps[len(r.Steps)-len(rollout.Steps)+i].Works
		for j := range works {
			if w := &works[j]; drainable && w.Drain == "" {
				w.Drain = b.bySteps[fmt.Sprintf("%02d-%s", i+1, step.Action)][w.Device]
			}
		}
	}
	return r, b.way.Found, nil
}

// fromRunning begins at what a folder holds. An empty one is filled with what the devices run now.
func (c applyCmd) fromRunning(t *terminal, sides diffCmd, addresses map[string][]*live.Address) (d difference, err error) {
	if err := sides.wantsFabric(c.File, "what the devices are brought to"); err != nil {
		return d, err
	}
	if list, err := t.disk.ReadDir(c.From); err != nil || len(list) > 0 {
		if err == nil {
			d, err = sides.fromFolder(t)
		}
		return d, err
	}
	if c.Undo {
		return d, misusef("%s is empty, so it does not give the previous state of the devices", c.From)
	}
	after, err := sides.fabric(t, c.File)
	if err != nil {
		return d, err
	}
	texts, err := apply.Fetch(t, after, c.Fresh, apply.Options{Addresses: addresses, Answer: answer})
	if err != nil {
		return d, fmt.Errorf("nothing was sent: %w", err)
	}
	var kept []whole.Text
	var files []verify.File
	for _, f := range texts {
		path, text := filepath.FromSlash(f.Path), []byte(f.Text)
		kept = append(kept, whole.Text{Path: path, Text: text, Mode: 0o600}) // it may hold password hashes
		files = append(files, verify.Text(filepath.Join(c.From, path), text))
	}
	if !c.DryRun {
		if err := writeFolder(t, c.From, kept); err != nil {
			return d, err
		}
	}
	return sides.fromFiles(t, files)
}

// answer is the time that a device may take to answer.
const answer = time.Minute

// parsed are addresses by device.
func parsed(t *terminal, lines []string) (map[string][]*live.Address, error) {
	all := map[string][]*live.Address{}
	for _, line := range lines {
		a, err := live.ParseAddress(line)
		if err != nil {
			return nil, err
		}
		a.Through(t.dial)
		all[a.Device] = append(all[a.Device], a)
	}
	return all, nil
}

// options returns the options of a run, except for the journal; counters are the addresses at which counters are read.
func (c applyCmd) options(loaded *loaded, r *apply.Rollout, addresses map[string][]*live.Address) (o apply.Options, counters []*live.Address) {
	o = apply.Options{
		Addresses: addresses, Only: c.Only, Until: c.Until, Waves: c.Wave, Soak: c.Soak, Pairs: c.Pairs, Hold: c.Confirm,
		// No vendor bounds these times. They are chosen so long that only a device that hangs exceeds them.
		Answer: answer, Restart: 10 * time.Minute, Work: 30 * time.Minute,
		Judge: func(to *plan.Switch, device string) patch.Judge {
			v := roceplan.NewVerifier(loaded.Fabric)
			return func(config []byte) (map[string]bool, error) { return v.Fails(to, "sonic", device, config) }
		},
	}
	for _, device := range slices.Sorted(maps.Keys(addresses)) {
		for _, a := range addresses[device] {
			if a.Counts() && !apply.ChangedAt(r, a) {
				counters = append(counters, a)
			}
		}
	}
	return o, counters
}

// carryOut reads the devices, shows the plan, asks, and runs.
func (c applyCmd) carryOut(t *terminal, r *apply.Rollout, o apply.Options, result *applied, loaded *loaded, counters []*live.Address) error {
	all, err := apply.Survey(t, r, o)
	if err != nil {
		return err
	}
	result.Devices = append(result.Devices, all...)
	for _, s := range r.Steps {
		step := appliedStep{Name: s.Name, Hand: s.Hand}
		for _, w := range s.Works {
			step.Devices = append(step.Devices, w.Device)
			if w.Drain != "" {
				step.Drained = append(step.Drained, w.Device)
			}
		}
		result.Steps = append(result.Steps, step)
	}
	if !t.json {
		showRollout(t, result)
	}
	left := slices.ContainsFunc(all, func(s *apply.Standing) bool { return s.Class != apply.New })
	if c.DryRun {
		if left {
			return errFindings
		}
		return nil
	}
	if left && !c.Yes {
		if !t.asks {
			return misusef("apply asks before the first change, but there is no terminal to ask on: add --yes, or look first with --dry-run")
		}
		if err := t.out.Flush(); err != nil {
			return err
		}
		if !t.agrees("carry this out?") {
			return errFindings
		}
	}
	o.Say = func(step, device, what string) {
		if t.json {
			result.Told = append(result.Told, appliedLine{step, device, what})
			return
		}
		t.linef("%s", strings.Join(strings.Fields(strings.Join([]string{time.Now().UTC().Format(time.TimeOnly), step, device, what}, " ")), " "))
		t.out.Flush() // an error is that of the last flush too
	}
	o.Hand = func(s apply.Step) bool {
		return slices.Contains(c.Done, s.Name) || t.asks && !c.Yes && t.agrees(s.Name+": "+s.Hand+". Is it done?")
	}
	o.Watch = (&soaking{loaded: loaded, counters: counters, soak: c.Soak, every: betweenLooks, dial: t.dial, say: o.Say}).watch
	return c.end(t, apply.Run(t, r, c.way(), o), result)
}

func (c applyCmd) way() string {
	if c.Undo {
		return "back"
	}
	return "there"
}

// end says how a run ended.
func (c applyCmd) end(t *terminal, err error, result *applied) error {
	var stop *apply.Stop
	switch {
	case errors.As(err, &stop):
		result.Stop, result.End = stop, "stopped"
		if !t.json {
			t.errorf("stopped at %s", stop)
		}
		return errFindings
	case errors.Is(err, context.Canceled):
		return halted{errors.New("interrupted: the same command continues, and --undo takes the rollout back")}
	case err != nil:
		return err
	case c.Until != "":
		result.End = "stopped"
		return nil
	}
	what := "the devices run the fabric"
	result.End = "target"
	if c.Undo {
		what, result.End = "the devices run their previous configuration", "origin"
	}
	if !t.json {
		t.printf("done: %s\n", what)
	}
	return nil
}

func stepNames(r *apply.Rollout) (names []string) {
	for _, s := range r.Steps {
		names = append(names, s.Name)
	}
	return names
}

// showRollout prints the state of each device, equal ones in one line, and what will be done.
func showRollout(t *terminal, r *applied) {
	alike := map[string][]string{}
	for _, s := range r.Devices {
		line := string(s.Class)
		switch {
		case s.Class == apply.PartWay && s.At >= 0:
			line += fmt.Sprintf(", after %s, state %d of %d", s.Step, s.At+1, s.States)
		case s.Class == apply.PartWay:
			line += ", in " + s.Step
		}
		if s.Why != "" {
			line += ": " + s.Why
		}
		if len(s.Lines) > 0 && s.Class != apply.PartWay {
			line += ": " + strings.Join(s.Lines[:min(5, len(s.Lines))], "; ")
		}
		alike[line] = append(alike[line], s.Device)
	}
	for _, line := range slices.Sorted(maps.Keys(alike)) {
		t.linef("%s: %s", diff.Fold(alike[line]), line)
	}
	for _, s := range r.Steps {
		if s.Hand != "" {
			t.linef("%s: by hand: %s", s.Name, s.Hand)
		}
		if len(s.Devices) > 0 {
			drained := ""
			if len(s.Drained) > 0 {
				drained = "; drained, wave by wave: " + diff.Fold(s.Drained)
			}
			t.linef("%s: %s%s", s.Name, diff.Fold(s.Devices), drained)
		}
	}
	if len(r.Devices) == 0 {
		t.printf("no switch changes\n")
	}
	servers := ""
	if r.servers > 0 {
		servers = " and " + natural.Count(r.servers, "server", "servers")
	}
	t.printf("%s%s in %s\n", natural.Count(len(r.Devices)-r.servers, "switch", "switches"), servers, natural.Count(len(r.Steps), "step", "steps"))
}
