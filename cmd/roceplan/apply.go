package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/observe/live"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

type applyCmd struct {
	File    string        `arg:"" help:"Fabric file or folder that the devices are brought to."`
	From    string        `placeholder:"FILE" help:"Fabric file or folder as the devices run it before the change."`
	Git     string        `placeholder:"REV" help:"Instead of --from: the fabric as it was in this revision of its git repository."`
	Devices []string      `required:"" placeholder:"FILE" sep:"none" help:"File of addresses, one a line; may be repeated."`
	Journal string        `default:"apply.journal" placeholder:"FILE" help:"File in which all that is done is recorded, and from which a second run continues (default: apply.journal)."`
	Release string        `placeholder:"YYYYMM" help:"Release of SONiC that the switches run, such as 202505."`
	DryRun  bool          `name:"dry-run" help:"Read the devices and say what would be done."`
	Yes     bool          `help:"Do not ask before the first change."`
	Only    []string      `placeholder:"DEVICE" help:"Change these devices alone; may be repeated."`
	Until   string        `placeholder:"STEP" help:"End after this step, such as 01-grow."`
	Wave    int           `placeholder:"N" help:"End after so many waves."`
	Done    []string      `placeholder:"STEP" help:"A step for a person, such as 02-cable, is done; may be repeated."`
	Undo    bool          `help:"Take the rollout back, in the opposite order, from wherever it is."`
	Soak    time.Duration `default:"60s" placeholder:"TIME" help:"How long a wave is watched before it is kept (default: 60s)."`
	Confirm time.Duration `default:"10m" placeholder:"TIME" help:"How long devices wait for the confirm before they take a change back by themselves (default: 10m)."`
	sourceFlags
}

func (applyCmd) Help() string {
	return `Carries out a change on running devices: it reads what each runs, says which state of the rollout that is (old, new, part-way, drifted, unknown), asks, and takes the steps of roceplan diff in their order, first one device of a step alone, then the others at the same time:

    roceplan apply fabric.hcl --from before.hcl --devices devices.txt --dry-run
    roceplan apply fabric.hcl --git HEAD~1 --devices devices.txt

devices.txt has a line for each device, and lines that say where counters are read, as for roceplan observe:

    ssh://admin@leaf-1?key_file=/home/me/.ssh/id_ed25519
    leaf-2=ssh://admin@192.0.2.12:2222?password_env=LEAF_PASSWORD&known_hosts=hosts.txt
    redis://leaf-1

Without key_file and password the agent of SSH_AUTH_SOCK is asked. The key of a server must be in known_hosts. The user needs sudo without a password on SONiC, the command line of the system as login shell on EOS, and NETCONF over SSH at the address on Junos.

On each device: what runs must be the state before the step; the change and its way back are in the journal before anything is sent; then what runs is read back, and must be the state after the step, which was proved. A wave soaks for --soak. Meanwhile the counters of devices that have an address for them are watched; the other devices are named as not watched. Then its changes are kept and saved, or all taken back. After any other end, also a kill, the same command continues.

Cables, servers, new switches and traffic that has to stop are steps for a person: the run stops there by name, and goes on with --done.

Systems: SONiC, Arista EOS (sessions with commit timer), Junos (commit confirmed), Cumulus Linux (nv config apply --confirm), SR Linux (gNMI with its extension of confirmed commits, at an address gnmi://USER@HOST:PORT). A rollout with a device of another system, or with one that has to be drained, is refused before anything is sent.

Exit codes: 0 the devices run the fabric; 1 the rollout stopped, or --dry-run has something to do; 2 the call was wrong, or the journal could not be written.`
}

// applied is what apply --json prints.
type applied struct {
	Rollout string            `json:"rollout"`
	Devices []*apply.Standing `json:"devices"` // as they were before
	Steps   []appliedStep     `json:"steps"`
	Told    []appliedLine     `json:"told"`
	Stop    *apply.Stop       `json:"stop,omitempty"`
	End     string            `json:"end"` // "target", "origin", "stopped", or "not begun"
}

type appliedStep struct {
	Name    string   `json:"name"`
	Devices []string `json:"devices,omitempty"`
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
	r, loaded, err := c.plan(t)
	if err != nil {
		return err
	}
	o, counters, err := c.options(t, loaded, r)
	if err != nil {
		return err
	}
	if refused := apply.Refused(r, o.Addresses); len(refused) > 0 {
		return fmt.Errorf("nothing was sent: %s", strings.Join(refused, "; "))
	}
	if c.Undo {
		r = r.Reversed()
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
	result := &applied{Rollout: r.Name, Devices: []*apply.Standing{}, Steps: []appliedStep{}, Told: []appliedLine{}, End: "not begun"}
	err = c.carryOut(t, r, o, result, loaded, counters)
	if t.json && (err == nil || errors.Is(err, errFindings)) {
		err = errors.Join(err, t.printJSON(result))
	}
	return err
}

// check refuses calls that do not fit together. The least --confirm is what Junos and EOS count it in:
// minutes. The hour and the half are choices, not figures of a vendor.
func (c applyCmd) check() error {
	switch {
	case (c.From == "") == (c.Git == ""):
		return misusef("say what the devices run: --from with a fabric, or --git with a revision")
	case c.Soak < 0 || c.Confirm < time.Minute || c.Confirm > time.Hour:
		return misusef("--soak is 0s or more and --confirm between 1m and 1h, not %v and %v", c.Soak, c.Confirm)
	case c.Soak > c.Confirm/2:
		return misusef("--soak of %v leaves too little of --confirm, %v: it may be half of it at most", c.Soak, c.Confirm)
	case c.Wave < 0:
		return misusef("--wave is a number of waves, not %d", c.Wave)
	}
	return nil
}

// plan compiles both fabrics, and proves all that is sent to devices on the way.
func (c applyCmd) plan(t *terminal) (*apply.Rollout, *loaded, error) {
	sides := diffCmd{Old: c.From, New: c.File, Git: c.Git, Release: c.Release, sourceFlags: c.sourceFlags}
	if c.Git != "" {
		sides.Old, sides.New = c.File, ""
	}
	if err := sides.wantsFabrics(); err != nil {
		return nil, nil, err
	}
	before, after, err := sides.sides(t)
	if err != nil {
		return nil, nil, err
	}
	setRelease(before, c.Release)
	setRelease(after, c.Release)
	loaded, err := c.load(t, []string{c.File})
	if err != nil {
		return nil, nil, err
	}
	catalogue, sources, _, err := loadChips(c.Chips)
	if err != nil {
		return nil, nil, err
	}
	result := diff.Compare(before, after)
	o, err := newRolling(catalogue, before, after, result, 0)
	if err != nil {
		return nil, nil, err
	}
	if o.found.HasErrors() {
		return nil, nil, errors.Join(errFindings, t.report(o.found, sources))
	}
	if len(o.drained) > 0 {
		return nil, nil, fmt.Errorf("nothing was sent: %s would have to be drained, and apply drains nothing; roceplan diff --steps writes the files and the waves", diff.Fold(slices.Sorted(maps.Keys(o.drained))))
	}
	return apply.Plan(before, after, result), loaded, nil
}

// options are those of a run, but for the journal; counters are where counters are read.
func (c applyCmd) options(t *terminal, loaded *loaded, r *apply.Rollout) (o apply.Options, counters []*live.Address, err error) {
	lines, err := deviceLists(c.Devices)
	if err != nil {
		return o, nil, err
	}
	o = apply.Options{
		Addresses: map[string][]*live.Address{}, Only: c.Only, Until: c.Until, Waves: c.Wave, Soak: c.Soak, Hold: c.Confirm,
		// No vendor bounds these times. They are chosen so long that only a device that hangs exceeds them.
		Answer: time.Minute, Restart: 10 * time.Minute, Work: 30 * time.Minute,
		Judge: func(to *plan.Switch, device string) patch.Judge {
			v := roceplan.NewVerifier(loaded.Fabric)
			return func(config []byte) (map[string]bool, error) { return v.Fails(to, "sonic", device, config) }
		},
	}
	for _, line := range lines {
		a, err := live.ParseAddress(line)
		if err != nil {
			return o, nil, err
		}
		a.Through(t.dial)
		if a.Counts() && !apply.ChangedAt(r, a) {
			counters = append(counters, a)
		} else {
			o.Addresses[a.Device] = append(o.Addresses[a.Device], a)
		}
	}
	return o, counters, nil
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
			return misusef("apply asks before the first change, and there is no terminal to ask on: add --yes, or look first with --dry-run")
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
	o.Watch = (&soaking{loaded: loaded, counters: counters, soak: c.Soak, say: o.Say}).watch
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
		what, result.End = "the devices run what they ran before", "origin"
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
		if s.Class == apply.PartWay && s.At >= 0 {
			line += fmt.Sprintf(", state %d of %d", s.At+1, s.States)
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
		} else {
			t.linef("%s: %s", s.Name, diff.Fold(s.Devices))
		}
	}
	if len(r.Devices) == 0 {
		t.printf("no switch changes\n")
	}
	t.printf("%s in %s\n", natural.Count(len(r.Devices), "switch", "switches"), natural.Count(len(r.Steps), "step", "steps"))
}
