package main

import (
	"bytes"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/compare"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/report"
	"github.com/roceplan/roceplan/verify"
)

type reportCmd struct {
	Files   []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	Output  string   `short:"o" placeholder:"FILE" default:"report.html" help:"Page to write; - is standard output (default: report.html)."`
	Pattern []string `placeholder:"NAME" sep:"none" complete:"scenario" help:"Run this scenario in the simulator and show the completion of its flows; may be repeated."`
	Margins bool     `negatable:"" default:"true" help:"Search the limits of cables, fan-in, MTU and classes."`
	Compare bool     `help:"Run the fabric under published configurations too, as compare does, and show small messages against large ones."`
	Runs    string   `placeholder:"FOLDER" help:"Folder that stores runs of --compare (default: roceplan/runs in the user's cache folder; - stores nothing)."`
	sourceFlags
}

func (reportCmd) Help() string {
	return `Draws a fabric on one HTML page that needs no network: topology with cables and oversubscription, the buffer of each shape of switch to scale, every inequality with its slack, verdicts with their evidence, marking curves, margins and findings.

    roceplan report fabric.hcl -o report.html
    roceplan report fabric.hcl --pattern incast-8 --pattern websearch-50
    roceplan report fabric.hcl --compare

The page of a fabric that does not compile has its findings.

Exit codes: those of check; the page is written even if there are findings.`
}

// reported is the output of report --json.
type reported struct {
	Output string `json:"output"`
	Shapes int    `json:"shapes"`
	Bytes  int    `json:"bytes"`
}

// Run compiles, draws and writes.
func (c reportCmd) Run(t *terminal) error {
	loaded, err := c.load(t, c.Files)
	if err != nil {
		return err
	}
	p, _ := loaded.Plan()
	step, stop := t.watch("shapes", len(p.Switches))
	compiled, err := roceplan.Compile(t, loaded.Fabric, roceplan.CompileOptions{Step: step})
	stop()
	if err != nil {
		return err
	}
	o := report.Options{Version: stampedVersion().Version}
	if err := c.extend(t, loaded, compiled, &o); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := report.Write(&page, compiled, o); err != nil {
		return err
	}
	if err := c.put(t, page.Bytes(), reported{c.Output, len(compiled.Shapes), page.Len()}); err != nil {
		return err
	}
	if err := t.report(folded(compiled.Findings), loaded.Sources); err != nil {
		return err
	}
	if compiled.Findings.HasErrors() {
		return errFindings
	}
	return nil
}

// extend adds offers, margins and runs.
func (c reportCmd) extend(t *terminal, loaded *loaded, compiled *roceplan.Compiled, o *report.Options) (err error) {
	if len(compiled.Shapes) == 0 {
		return nil
	}
	if compiled.Verdict() == verify.Conditional {
		if o.Offers, err = c.offers(t, c.Files, loaded); err != nil {
			return err
		}
	}
	if c.Margins {
		step, stop := t.watch("shapes", len(compiled.Shapes))
		v := roceplan.NewVerifier(loaded.Fabric)
		v.Step = step
		o.Margins, err = v.Margins(compiled.Plan)
		stop()
	}
	if err == nil && c.Compare {
		o.Trade, err = c.trade(t, loaded.Fabric)
	}
	if err != nil || len(c.Pattern) == 0 {
		return err
	}
	step, stop := t.watch("runs", len(c.Pattern))
	defer stop()
	run, err := roceplan.Simulate(t, loaded.Fabric, roceplan.SimulateOptions{Scenarios: c.Pattern, Seeds: 1, Detailed: true, Step: step})
	if err == nil {
		o.Runs = run.Outcomes
	}
	return err
}

// trade compares the fabric with published ones.
func (c reportCmd) trade(t *terminal, f *roceplan.Fabric) (*report.Trade, error) {
	made, _, err := compareCmd{Seeds: 3, Runs: c.Runs}.compare(t, f)
	if err != nil {
		return nil, err
	}
	trade := &report.Trade{Lines: []string{ofPurpose(made), "Kind by kind: " + summary(made) + "."}}
	add := func(name string, s *compare.Side, own bool) {
		small, large := s.Figures[completion.Small], s.Figures[completion.Large]
		if small.Value > 0 && large.Value > 0 {
			trade.Settings = append(trade.Settings, report.Setting{Name: name, Small: small.Value, Large: large.Value, Own: own})
		}
	}
	add("compiled", &made.Compiled, true)
	for i := range made.Beside {
		add(made.Beside[i].Name, &made.Beside[i].Side, false)
	}
	return trade, nil
}

func (c reportCmd) put(t *terminal, page []byte, done reported) error {
	if c.Output == "-" {
		return t.exactly(func() error {
			_, err := t.out.Write(page)
			return err
		})
	}
	if err := whole.Write(t.disk, c.Output, page); err != nil {
		return err
	}
	if t.json {
		return t.printJSON(done)
	}
	t.linef("wrote %s: %d bytes, %s", done.Output, done.Bytes, natural.Count(done.Shapes, "shape", "shapes"))
	return nil
}
