// Package report draws a fabric on one HTML page: its topology, the buffer of each shape of
// switch to scale, every inequality with its slack, verdicts and what they rest on, marking
// curves, margins and findings. The page needs no network, prints, and follows the reader's
// choice of dark or light.
//
//	err := report.Write(out, compiled, report.Options{})
package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/chart"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// Options add what takes longer than to compile.
type Options struct {
	Margins [][]proof.Margin  // of the shapes, in their order; nil: not shown
	Runs    []pattern.Outcome // of the simulator, with their flows; nil: none were made
	Trade   *Trade            // compared with published configurations; nil: not compared
	Offers  []roceplan.Offer  // edits of the fabric that make conditions of verdicts needless; nil: not looked for
	Version string            // of the program, for the foot of the page
}

// A Trade compares settings for small messages and for large ones: a gain at one end is a loss at the other.
type Trade struct {
	Lines    []string // the losses and gains
	Settings []Setting
}

// A Setting is a point of the trade: the slowdown of messages below 100 KB and from 1 MB on.
type Setting struct {
	Name         string
	Small, Large float64
	Own          bool // the compiled settings
}

//go:embed page.html
var files embed.FS

//go:embed page.js
var script string

// policy returns the content security policy of the page: its own script, by the digest of its text
// (CSP level 3, section 2.3.1). No browser runs any other script that got into the page.
func policy() string {
	digest := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(digest[:])
}

// Write draws the page. A fabric with errors has a page of its findings.
func Write(out io.Writer, c *roceplan.Compiled, o Options) error {
	page, err := template.ParseFS(files, "page.html")
	if err != nil {
		panic(err) // the page is part of the program
	}
	return page.Execute(out, newView(c, o))
}

// A view is the content of the page.
type view struct {
	Fabric, Version string
	Devices         int
	Verdicts        []verdictCount
	Topology        template.HTML
	Tiers           []tier
	Shapes          []shape
	Runs            []Run // those that missed a goal first
	Missed          []Run
	Trade           []string      // lines of text
	TradePicture    template.HTML // empty: there is none
	Findings        []finding
	Store           *store
	Script          template.JS
	Policy          string
}

type verdictCount struct {
	Verdict string
	Devices int
}

// A shape is the switches that differ only in their names.
type shape struct {
	Number     int
	Title      string
	Names      string // all, for the filter
	Summary    string
	Verdict    string
	Class      string // of the badge
	Declared   []string
	Conditions []condition
	Because    []verify.Reason
	Coverage   string
	Buffer     template.HTML
	Rows       []classRow
	Folded     []folded
}

// A condition is an assumption of a verdict, with the edits that make it needless.
type condition struct {
	Where, Assumes string
	Offered        []string
}

// A folded is a table or a picture of the store that the page unfolds.
type folded struct {
	Kind, Title string
	Table       int
}

// A Run is the result of one scenario on the page.
type Run struct {
	Number    int // on the page, from 1
	Name, Doc string
	Missed    []string // goals
	Facts     string
	Plot      template.HTML // an SVG; empty where no flow ended
}

// A finding is one of diag, as the page shows it.
type finding struct {
	Severity, Code, Place, Message, Fix string
}

func newView(c *roceplan.Compiled, o Options) *view {
	v := &view{Fabric: c.Plan.Fabric, Version: o.Version, Store: newStore(), Script: template.JS(script), Policy: policy()}
	count := map[string]int{}
	for i := range c.Shapes {
		v.Devices += len(c.Shapes[i].Switch.Names)
		s := v.newShape(i, &c.Shapes[i], o.Offers)
		if o.Margins != nil {
			s.fold(v.Store, "margins", "Margins: how much may change", marginTable(o.Margins[i]))
		}
		count[s.Verdict] += len(c.Shapes[i].Switch.Names)
		v.Shapes = append(v.Shapes, s)
	}
	for verdict := verify.Proved; verdict <= verify.Refuted; verdict++ {
		if n := count[verdict.String()]; n > 0 {
			v.Verdicts = append(v.Verdicts, verdictCount{verdict.String(), n})
		}
	}
	if len(c.Shapes) > 0 {
		network := newNetwork(c.Plan)
		v.Topology, v.Tiers = network.draw(), network.tiers()
	}
	v.run(o.Runs)
	if o.Trade != nil {
		v.Trade, v.TradePicture = o.Trade.Lines, o.Trade.picture()
	}
	for _, d := range found(c) {
		v.Findings = append(v.Findings, newFinding(d))
	}
	return v
}

// found returns the findings of a fabric, and those of the files that it compiles to. A condition of a verdict is not
// among them: the page has it at its switch.
func found(c *roceplan.Compiled) diag.List {
	all := slices.Clone(c.Findings)
	for i := range c.Shapes {
		if judged := c.Shapes[i].Verdict; judged != nil {
			for _, d := range judged.Findings {
				if d.Code != "proof-assumed" {
					all.WarnOncef(d.Code, d.Subject, "%s", d.Message).Fix = d.Fix
				}
			}
		}
	}
	return all
}

// run puts the runs of the simulator on the page, and those that missed a goal at its top.
func (v *view) run(outcomes []pattern.Outcome) {
	var met []Run
	for i := range outcomes {
		r := NewRun(&outcomes[i])
		r.Number = i + 1
		if len(r.Missed) > 0 {
			v.Missed = append(v.Missed, r)
		} else {
			met = append(met, r)
		}
	}
	v.Runs = slices.Concat(v.Missed, met)
}

// picture has a dot for each setting: dots to the left are faster for small messages, dots below for large ones.
func (t *Trade) picture() template.HTML {
	c := &chart.Chart{Title: "small messages against large ones: left and below is better", X: "slowdown of messages below 100 KB", Y: "slowdown of messages from 1 MB on", LogX: true}
	for _, s := range t.Settings {
		c.Dots = append(c.Dots, chart.Dot{Name: s.Name, X: s.Small, Y: s.Large, Marked: s.Own})
	}
	if c.Dots == nil {
		return ""
	}
	return template.HTML(chart.SVG(c)) // the chart escapes its texts
}

func newFinding(d diag.Diagnostic) finding {
	place := ""
	if d.Subject.Filename != "" {
		place = fmt.Sprintf("%s:%d", d.Subject.Filename, d.Subject.Start.Line)
	}
	return finding{d.Severity.String(), string(d.Code), place, d.Message, d.Fix}
}

func (v *view) newShape(i int, from *roceplan.Shape, offers []roceplan.Offer) shape {
	sw := from.Switch
	s := shape{
		Number: i + 1, Title: plan.Abbreviate(sw.Names), Names: strings.Join(sw.Names, " "),
		Summary: fmt.Sprintf("%d × %s, %d ports, %s, writes %s", len(sw.Names), sw.Chip, len(sw.Ports), sw.OS, strings.Join(sw.Targets, " ")),
		Buffer:  bufferPicture(sw), Rows: classRows(sw),
	}
	if svg := curves(s.Rows); svg != "" {
		s.fold(v.Store, "picture", "How queues mark", [][]string{{svg}})
	}
	s.fold(v.Store, "checks", fmt.Sprintf("%d inequalities", len(sw.Checks)), checkTable(sw))
	if judged := from.Verdict; judged != nil {
		s.Verdict, s.Declared, s.Because = judged.Verdict.String(), judged.Declared, verify.InBrief(judged.Because)
		s.Class = strings.ReplaceAll(s.Verdict, " ", "-")
		s.fold(v.Store, "obligations", fmt.Sprintf("%d obligations of the proof", len(judged.Obligations)), obligationTable(judged.Obligations))
		s.Coverage = judged.Coverage.String()
		for k := range judged.Conditions {
			c := &judged.Conditions[k]
			lines := []string{"Would be declared by " + c.Declare + "."}
			if o := roceplan.OfferFor(offers, sw.Names[0], c); o != nil {
				lines = o.Lines()
			}
			s.Conditions = append(s.Conditions, condition{c.Where, c.Assumes, lines})
		}
	}
	return s
}

// fold adds a table that the page unfolds.
func (s *shape) fold(to *store, kind, title string, rows [][]string) {
	s.Folded = append(s.Folded, folded{kind, title, to.table(rows)})
}

// NewRun shows how the flows of a scenario completed, if the outcome has their details. Their times span powers of ten.
func NewRun(o *pattern.Outcome) Run {
	r := Run{Name: o.Pattern, Doc: o.Doc, Missed: o.Missed}
	if o.Skipped != "" {
		r.Facts = "not run: " + o.Skipped
		return r
	}
	r.Facts = fmt.Sprintf("%d flows, %d unfinished; %d lossless packets lost; latency of nine in ten %.1f us, of all %.1f us%s",
		o.Flows, o.Unfinished, o.LosslessDrops+o.LosslessLost, o.LatencyP90, o.LatencyMax, completion(o.Completion))
	var times []float64
	if o.Details == nil {
		return r
	}
	for _, f := range o.FlowResults {
		times = append(times, f.FCTUS)
	}
	if len(times) > 0 {
		c := &chart.Chart{Title: o.Pattern, X: "completion time (us)", Y: "flows (%)", LogX: true, Lines: []chart.Line{chart.CDF("flows", times)}}
		list := []*chart.Chart{c}
		if bytes, median, tail := o.Curves(); len(bytes) > 0 {
			list = append(list, chart.Slowdown(o.Pattern, bytes, median, tail, 0))
		}
		r.Plot = template.HTML(chart.SVG(list...)) // the chart escapes its texts
	}
	return r
}

// completion says how many times their least messages and operations took.
func completion(c *pattern.Completion) (text string) {
	if c.Messages > 0 {
		text = fmt.Sprintf("; slowdown %.1f in the mean, %.1f of 99 in 100", c.SlowdownMean, c.SlowdownP99)
	}
	for i := range c.Blocks {
		if b := &c.Blocks[i]; b.Steps > 0 {
			text += fmt.Sprintf("; %s took %.1f us, %.2f times its least", b.Name, b.Duration, b.Steps)
		}
	}
	return text
}
