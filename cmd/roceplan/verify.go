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
	Fabric         []string `short:"f" placeholder:"FILE" sep:"none" help:"Fabric files that the configurations are for; may be repeated."`
	Strict         bool     `help:"Exit with 1 also where a verdict rests on something that nobody declared."`
	Certificate    string   `placeholder:"FILE" help:"Write all obligations with their terms, and the digests of the files."`
	Counterexample string   `placeholder:"FILE" help:"Write how a packet gets lost, for roceplan replay."`
	Recheck        string   `placeholder:"FILE" help:"Check a certificate again, with arithmetic and the files that it names."`
	StateDB        []string `name:"state-db" placeholder:"FILE" sep:"none" help:"Dump of a SONiC switch's STATE_DB, which has the most headroom that the device has for each port; its folder names the switch; may be repeated."`
	assumeFlags
	sourceFlags
}

func (verifyCmd) Help() string {
	return `Reads configuration files, no matter who wrote them, and says of each switch and of each of its lossless priority groups whether it is lossless. Read are the formats ` + verify.FormatTitles() + `. There are four verdicts:

    proved       no lossless packet can be lost, by what the files and the fabric declare, what is known of the chip, and what standards demand
    conditional  the same, if something holds too that nobody declared: it is named, with who would have to declare it
    refuted      a lossless packet can be lost
    not judged   something is missing, or a line is not understood that may touch lossless traffic: it is named

    roceplan verify configs --fabric fabric.hcl

With the fabric file every switch is known: its chip, its cables, its peers. Then both ends of every link are compared, the files are compared with what the fabric says, and the topology is searched for deadlocks, also with one or two links failed. Without it a chip must be named:

    roceplan verify config_db.json --chip th5 --cables cables.csv

Facts that are not in the files and were declared are listed with the verdict that rests on them; so is how many ports, groups and lines stand behind it. Obligations that hold without conditions are counted, and --all lists them. With the fabric, each condition has the edits that make it needless, which were tried, or what is needed where there is none. Neither a formula for headroom nor what compile computed is ever taken for a fact.

A switch in SONiC's dynamic buffer model refuses headroom of a port that is above its own maximum, which no file of the fabric has. What each port needs is told, and compared with what the switch says of itself, as sonic-db-dump -n STATE_DB -y prints it:

    roceplan verify configs --fabric fabric.hcl --state-db dumps/leaf-01/state_db.json

A certificate holds every inequality with all its terms; who doubts it can evaluate it again:

    roceplan verify configs --fabric fabric.hcl --certificate c.json
    roceplan verify --recheck c.json

With the files and the fabric named again, the certificate is also checked against a fresh proof of them, and has to cover all of their devices. It says which it lacks. docs/certificates.md has every field and every inequality; the program in the folder checker is written from it and shares no code with this one.

Where an obligation of losslessness fails, an adversary looks for packets that get lost, and shows the shortest way that it finds.

Exit codes: 0 every switch is proved or, without --strict, conditional; 1 something is refuted, not judged, or wrong otherwise; 2 the call was wrong, or a file could not be read.`
}

// assumeFlags say what files cannot tell.
type assumeFlags struct {
	Chip          string       `complete:"chip" placeholder:"NAME" help:"Chip of the switches, where no fabric file says it."`
	Cables        string       `placeholder:"FILE" help:"CSV with switch,port,cable and maybe speed, where files do not tell."`
	Response      *units.Time  `placeholder:"TIME" help:"Declare how long peers may go on sending after a pause (default: what IEEE 802.3 allows)."`
	LosslessFrame *units.Bytes `name:"lossless-frame" placeholder:"BYTES" help:"Declare the largest frame of lossless classes (default: the MTU)."`
}

// peers is what is declared of all peers.
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

// offersFor are the offers for conditions that a report has; fabric is nil where there is none.
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
		return nil, misusef("--chip is what the fabric file says; leave one of the two out")
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

// wiring is what a fabric lacks of cables, of which no file says anything.
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
