package main

import (
	"errors"
	"maps"
	"os"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

type verifyCmd struct {
	Paths          []string `arg:"" optional:"" name:"path" help:"Configuration files, or folders of them; - is standard input."`
	Fabric         []string `short:"f" placeholder:"FILE" sep:"none" help:"Fabric files that the configurations are for; may be repeated."`
	Certificate    string   `placeholder:"FILE" help:"Write all obligations with their terms, and the digests of the files."`
	Counterexample string   `placeholder:"FILE" help:"Write how a packet gets lost, for roceplan replay."`
	Recheck        string   `placeholder:"FILE" help:"Check a certificate again, with arithmetic and the files that it names."`
	assumeFlags
	sourceFlags
}

func (verifyCmd) Help() string {
	return `Reads configuration files, whoever wrote them, and either proves that their lossless classes lose nothing or says what breaks: config_db.json of SONiC, running-configs of Arista EOS, OpenConfig in JSON.

    roceplan verify configs --fabric fabric.hcl

With the fabric file every switch is known: its chip, its cables, its peers. Then both ends of every link are compared, the files are compared with what the fabric says, and the topology is searched for deadlocks, also with one or two links failed. Without it a chip has to be named:

    roceplan verify config_db.json --chip th5 --cables cables.csv

A certificate holds every inequality with all its terms; whoever doubts it can evaluate it again:

    roceplan verify configs --fabric fabric.hcl --certificate c.json
    roceplan verify --recheck c.json

With the files and the fabric named again, the certificate is also held against a fresh proof of them.

Where an obligation of losslessness fails, an adversary looks for packets that get lost, and shows the shortest way that it finds.

Exit codes: 0 all is proved; 1 something is wrong, or differs from the fabric; 2 the call was wrong, or a file could not be read.`
}

// assumeFlags say what files cannot tell.
type assumeFlags struct {
	Chip          string       `placeholder:"NAME" help:"Chip of the switches, where no fabric file says it."`
	Cables        string       `placeholder:"FILE" help:"CSV with switch,port,cable and maybe speed, where files do not tell."`
	Response      *units.Time  `placeholder:"TIME" help:"How long peers may go on sending after a pause (default: what IEEE 802.3 allows)."`
	LosslessFrame *units.Bytes `name:"lossless-frame" placeholder:"BYTES" help:"Largest frame of lossless classes (default: the MTU)."`
}

// context is what is assumed of peers.
func (f assumeFlags) context() proof.Context {
	var ctx proof.Context
	if f.Response == nil && f.LosslessFrame == nil {
		return ctx
	}
	a := &plan.Assumed{Method: "--response", Declared: f.Response != nil}
	if f.Response != nil {
		a.Response = plan.Of(*f.Response, nil)
	}
	if f.LosslessFrame != nil {
		a.LosslessFrame = plan.Of(*f.LosslessFrame, nil)
	}
	ctx.Default = a
	return ctx
}

// Run verifies: read, judge each shape, then the links and the topology.
func (c verifyCmd) Run(t *terminal) error {
	if c.Recheck != "" {
		return c.recheck(t)
	}
	if len(c.Paths) == 0 {
		return misusef("no file or folder is given")
	}
	result, sources, err := c.verify(t)
	if result == nil || err != nil && !errors.Is(err, errFindings) {
		return err
	}
	if report := t.report(result.Diagnostics, sources); report != nil {
		return report
	}
	if result.Diagnostics.HasErrors() {
		err = errFindings
	}
	if c.Certificate != "" && len(result.judged) > 0 {
		if failed := writeCertificates(c.Certificate, result.judged); failed != nil {
			return failed
		}
	}
	if failed := result.attack(c.Counterexample); failed != nil {
		return failed
	}
	if t.json {
		return errors.Join(err, t.printJSON(result))
	}
	result.print(t)
	return err
}

// A verification is what verify --json prints.
type verification struct {
	Diagnostics diag.List       `json:"diagnostics"`
	Switches    []switchVerdict `json:"switches"`
	Links       int             `json:"links_compared"`
	Deadlock    *deadlockReport `json:"deadlock,omitempty"`

	judged []*judgement
}

// verify does all the work. What cannot be called a finding is an error.
func (c verifyCmd) verify(t *terminal) (*verification, diag.Sources, error) {
	result := &verification{Diagnostics: diag.List{}}
	v, sources, err := c.verifier(t, result)
	if v == nil || err != nil {
		return result, sources, err
	}
	all, err := c.judge(t, v, sources)
	if err != nil {
		return nil, nil, err
	}
	result.judged = all
	for _, j := range all {
		result.Diagnostics = append(result.Diagnostics, j.found...)
		result.Switches = append(result.Switches, newSwitchVerdict(j))
	}
	if v.fabric != nil {
		if err := result.fabric(t, v); err != nil {
			return nil, nil, err
		}
	}
	result.Diagnostics = result.Diagnostics.Sorted()
	return result, sources, nil
}

// fabric looks at what lies between switches.
func (r *verification) fabric(t *terminal, v *verifier) error {
	r.Diagnostics = append(r.Diagnostics, v.missing(r.judged)...)
	r.Links = len(v.fabric.Links)
	r.Diagnostics = append(r.Diagnostics, lint.Links(v.fabric.Links, switchOf(r.judged))...)
	report, found, err := checkDeadlock(t, v.fabric)
	r.Deadlock = report
	r.Diagnostics = append(r.Diagnostics, found...)
	return err
}

func (c verifyCmd) judge(t *terminal, v *verifier, sources diag.Sources) ([]*judgement, error) {
	cell := units.Bytes(0)
	if v.chip != nil {
		cell = v.chip.CellSize.Or(0)
	} else if v.fabric != nil && len(v.fabric.Switches) > 0 {
		cell = v.fabric.Switches[0].Cell
	}
	shapes, err := readConfigs(t, c.Paths, cell)
	if err != nil {
		return nil, err
	}
	devices := 0
	for _, shape := range shapes {
		maps.Copy(sources, shape.sources())
		devices += len(shape.paths)
	}
	step, stop := t.watch("switches", devices)
	defer stop()
	return v.judge(shapes, step)
}

// verifier gathers what is known beside the files. It returns none where that is faulty,
// with the findings in the result.
func (c verifyCmd) verifier(t *terminal, result *verification) (*verifier, diag.Sources, error) {
	cables, found, sources, err := readCables(c.Cables)
	if err != nil {
		return nil, nil, err
	}
	if sources == nil {
		sources = diag.Sources{}
	}
	result.Diagnostics = append(result.Diagnostics, found...)
	var v *verifier
	if len(c.Fabric) > 0 {
		v, err = c.withFabric(t, result, sources)
	} else {
		v, err = c.withoutFabric(t)
	}
	if v == nil || err != nil || result.Diagnostics.HasErrors() {
		return nil, sources, err
	}
	v.cables = cables
	v.context.Default = c.context().Default
	return v, sources, nil
}

func (c verifyCmd) withFabric(t *terminal, result *verification, sources diag.Sources) (*verifier, error) {
	if c.Chip != "" {
		return nil, misusef("--chip is what the fabric file says; leave one of the two out")
	}
	loaded, err := c.load(t, c.Fabric)
	if err != nil {
		return nil, err
	}
	maps.Copy(sources, loaded.sources)
	p, found := loaded.compute()
	if found.HasErrors() {
		result.Diagnostics = append(result.Diagnostics, found...)
		return nil, nil
	}
	return loaded.verifier(p), nil
}

// fabricContext is what the fabric file asks for beyond single ports.
func fabricContext(f *policy.Fabric) proof.Context {
	var ctx proof.Context
	for _, pattern := range f.FanIn {
		ctx.Patterns = append(ctx.Patterns, proof.Pattern{From: pattern.From, To: pattern.To})
	}
	return ctx
}

func (c verifyCmd) withoutFabric(t *terminal) (*verifier, error) {
	catalogue, err := chipsCmd{Chips: c.Chips}.catalogue(t)
	if err != nil {
		return nil, err
	}
	v := newVerifier(catalogue, nil)
	if c.Chip != "" {
		var chip *chips.Chip
		if chip, err = findChip(catalogue, c.Chip); err != nil {
			return nil, err
		}
		v.chip = chip
	}
	return v, nil
}

// writeCertificates writes what was proved of all shapes.
func writeCertificates(path string, judged []*judgement) error {
	text, err := certificatesOf(judged)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
