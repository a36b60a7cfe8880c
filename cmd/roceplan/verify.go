package main

import (
	"maps"
	"slices"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type verifyCmd struct {
	Paths          []string `arg:"" optional:"" name:"path" help:"Configuration files, or folders of them; - is standard input."`
	Fabric         []string `short:"f" placeholder:"FILE" sep:"none" help:"Fabric files of the configurations; may be repeated."`
	Strict         bool     `help:"Exit with 1 also if a verdict is conditional."`
	Certificate    string   `placeholder:"FILE" help:"Write all obligations with their terms, and the digests of the files."`
	Counterexample string   `placeholder:"FILE" help:"Write packets that lead to a loss, for roceplan replay."`
	Recheck        string   `placeholder:"FILE" help:"Check a certificate by arithmetic and by the files that it names."`
	StateDB        []string `name:"state-db" placeholder:"FILE" sep:"none" help:"Dump of a SONiC switch's STATE_DB, which has the device's largest headroom for each port; its folder names the switch; may be repeated."`
	assumeFlags
	sourceFlags
}

func (verifyCmd) Help() string {
	return `Reads configuration files of any origin, and judges whether each switch and each of its lossless priority groups is lossless. It reads ` + verify.FormatTitles() + `. There are four verdicts:

    proved       no lossless packet can be lost, by what the files and the fabric declare, what is known of the chip, and what standards demand
    conditional  the same, under a condition that is not declared: it is named, with the place to declare it
    refuted      a lossless packet can be lost
    not judged   data are missing, or a line that may affect lossless traffic is not modelled: it is named

    roceplan verify configs --fabric fabric.hcl

The fabric file gives the chip, cables and peers of every switch. Then verify compares both ends of every link, compares the files with the fabric, and searches the topology for deadlocks, also with one or two failed links. Without it, name the chip:

    roceplan verify config_db.json --chip th5 --cables cables.csv

Each verdict lists the declared facts that are not in the files, and its numbers of ports, groups and lines. Obligations that hold without conditions are counted, and --all lists them. With the fabric, each condition has tested edits that remove it, or the evidence that it needs. verify never uses a formula for headroom or a result of compile as a fact.

What a running SONiC switch has in its buffers is in its APPL_DB. A dump in the folder of its config_db.json goes before it:

    sonic-db-dump -n APPL_DB -y > dumps/leaf-01/appl_db.json

A switch in SONiC's dynamic buffer model refuses headroom of a port that is above its own maximum, which no file of the fabric has. verify prints the need of each port, and compares it with the switch's STATE_DB, as sonic-db-dump -n STATE_DB -y prints it:

    roceplan verify configs --fabric fabric.hcl --state-db dumps/leaf-01/state_db.json

A certificate has every inequality with all its terms, so anyone can evaluate it again:

    roceplan verify configs --fabric fabric.hcl --certificate c.json
    roceplan verify --recheck c.json

With the files and the fabric named again, the certificate is also compared with a fresh proof, and must cover all of their devices; verify names missing ones. docs/certificates.md has every field and every inequality; the program in the folder checker implements it and shares no code with this one.

If an obligation of losslessness fails, an adversary searches for packets that are lost, and shows the shortest sequence that it finds.

Exit codes: 0 every switch is proved or, without --strict, conditional; 1 a switch is refuted, not judged, or has other findings (one without PFC does not count among others, unless --strict or a fabric demands it); 2 the call was wrong, or a file could not be read.`
}

// assumeFlags state facts that files cannot hold.
type assumeFlags struct {
	Chip          string       `complete:"chip" placeholder:"NAME" help:"Chip of the switches, without a fabric file."`
	Cables        string       `placeholder:"FILE" help:"CSV with switch,port,cable and optionally speed, if the files do not have them."`
	Response      *units.Time  `placeholder:"TIME" help:"Declare how long peers may send after a pause (default: the limit of IEEE 802.3)."`
	LosslessFrame *units.Bytes `name:"lossless-frame" placeholder:"BYTES" help:"Declare the largest frame of lossless classes (default: the MTU)."`
}

// peers returns the declarations for all peers.
func (f assumeFlags) peers() verify.Peers {
	p := verify.Peers{Response: f.Response}
	if f.LosslessFrame != nil {
		p.LosslessFrame = *f.LosslessFrame
	}
	return p
}

// Run verifies: read, judge each shape, then the links and the topology.
func (c verifyCmd) Run(t *terminal) error {
	if c.Recheck != "" {
		return c.recheck(t)
	}
	if len(c.Paths) == 0 {
		return misusef("no file or folder is given")
	}
	report, fabric, err := c.judge(t)
	if err != nil {
		return err
	}
	if err := t.tell(report.Findings, report.Sources); err != nil {
		return err
	}
	if c.Certificate != "" && len(report.Switches) > 0 {
		if err := writeCertificates(t, c.Certificate, report); err != nil {
			return err
		}
	}
	timelines, err := attack(t, report, c.Counterexample)
	if err != nil {
		return err
	}
	v := newVerification(report)
	if v.Offers, err = c.offersFor(t, report, fabric); err != nil {
		return err
	}
	if t.json {
		err = t.printJSON(v)
	} else {
		v.print(t, report, timelines)
	}
	if err == nil && !report.Passes(c.Strict) {
		err = errFindings
	}
	return err
}

// offersFor returns the offers for conditions that a report has; fabric is nil where there is none.
func (c verifyCmd) offersFor(t *terminal, report *verify.Report, fabric *loaded) ([]roceplan.Offer, error) {
	if fabric == nil || !slices.ContainsFunc(report.Switches, func(s *verify.Switch) bool { return len(s.Conditions) > 0 }) {
		return nil, nil
	}
	return c.offers(t, c.Fabric, fabric)
}

// judge does all the work; the fabric is nil where none is named.
func (c verifyCmd) judge(t *terminal) (*verify.Report, *loaded, error) {
	report := &verify.Report{Sources: diag.Sources{}}
	o, fabric, err := c.options(t, report)
	if err != nil || report.Findings.HasErrors() {
		return report, nil, err
	}
	files, err := configFiles(t, c.Paths)
	if err != nil {
		return nil, nil, err
	}
	ignored, err := ignoredFiles(c.Paths)
	if err != nil {
		return nil, nil, err
	}
	report.Findings = append(report.Findings, ignored...)
	step, stop := t.watch("switches", len(files))
	defer stop()
	o.Step, o.Context = step, t
	judged, err := verify.Judge(files, o)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(judged.Sources, report.Sources)
	changed, err := asWritten(t, c.Paths, files)
	if err != nil {
		return nil, nil, err
	}
	judged.Findings = append(append(judged.Findings, report.Findings...), changed...).Sorted()
	return judged, fabric, nil
}

// options gathers what is known besides the files, and the fabric if one is named. If the fabric is faulty, the
// findings are in the report.
func (c verifyCmd) options(t *terminal, report *verify.Report) (o verify.Options, fabric *loaded, err error) {
	o.Peers = c.peers()
	if c.Cables != "" {
		text, err := fileAt(c.Cables).Read()
		if err != nil {
			return o, nil, err
		}
		var found diag.List
		o.Cables, found = verify.ReadCables(c.Cables, text)
		report.Sources[c.Cables] = text
		report.Findings = append(report.Findings, found...)
	}
	o.HeadroomLimits = verify.HeadroomLimits{}
	for _, name := range c.StateDB {
		text, err := fileAt(name).Read()
		if err != nil {
			return o, nil, err
		}
		report.Sources[name] = text
		report.Findings = append(report.Findings, o.HeadroomLimits.Read(name, text)...)
	}
	if len(c.Fabric) > 0 {
		fabric, err = c.withFabric(t, report, &o)
		return o, fabric, err
	}
	err = c.withoutFabric(t, &o)
	return o, nil, err
}

func (c verifyCmd) withFabric(t *terminal, report *verify.Report, o *verify.Options) (*loaded, error) {
	if c.Chip != "" {
		return nil, misusef("the fabric file has the chip too: leave out --chip or the fabric")
	}
	loaded, err := c.load(t, c.Fabric)
	if err != nil {
		return nil, err
	}
	maps.Copy(report.Sources, loaded.Sources)
	_, found := loaded.Plan()
	if found.HasErrors() {
		report.Findings = append(report.Findings, found...)
		return nil, nil
	}
	report.Findings = append(report.Findings, wiring(found)...)
	o.Catalogue, o.Fabric = loaded.Catalogue, roceplan.Intended(loaded.Fabric)
	return loaded, nil
}

// wiring returns the findings about missing cables of a fabric, which no file describes.
func wiring(found diag.List) (lacks diag.List) {
	for _, d := range found {
		if d.Code == policy.PeerUnwired || d.Code == policy.FabricParts {
			lacks = append(lacks, d)
		}
	}
	return lacks
}

func (c verifyCmd) withoutFabric(t *terminal, o *verify.Options) (err error) {
	if o.Catalogue, err = (chipsCmd{Chips: c.Chips}).catalogue(t); err != nil || c.Chip == "" {
		return err
	}
	var chip *chips.Chip
	chip, err = findChip(o.Catalogue, c.Chip)
	o.Chip = chip
	return err
}
