// Package mcp lets a language model ask about fabrics, over the Model Context Protocol: what is
// wrong with one, where a number comes from, whether configuration is lossless, what is different
// between two, how far cables and fan-in may change. The tools read below one folder and write
// nothing.
package mcp

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// Serve answers on a transport until the client goes or the context ends. Files are read below
// root alone; an os.Root's FS also refuses links that lead out of it.
func Serve(ctx context.Context, transport sdk.Transport, root fs.FS, version string) error {
	return New(root, version).Run(ctx, transport)
}

// New makes a server with all tools.
func New(root fs.FS, version string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "roceplan", Title: "roceplan: buffers and QoS of RoCE fabrics", Version: version}, nil)
	t := tools{root, make(chan struct{}, atOnce)}
	add(s, t, "check", "What is wrong with a fabric that HCL files describe: findings with file, line, the bound that is broken and what to change, root causes first, and edits that repair them, which have been tried.", t.check)
	add(s, t, "explain", "Where a number of a fabric comes from, down to lines of its files, data of chips and clauses of standards. Asked with SWITCH, SWITCH.PORT, SWITCH.QUANTITY or SWITCH.PORT.QUANTITY; the first two list what can be asked.", t.explain)
	add(s, t, "verify", "Whether configuration files of switches are lossless: proved, conditional (on what is not declared), refuted or not judged, with what each verdict rests on.", t.verify)
	add(s, t, "diff", "What is different between two fabrics, why, and in which order devices can be changed.", t.diff)
	add(s, t, "margins", "How far cables, fan-in, MTU and the number of lossless classes may change before an obligation of losslessness breaks.", t.margins)
	return s
}

// add registers a tool that reads and changes nothing.
func add[In, Out any](s *sdk.Server, t tools, name, doc string, do func(context.Context, In) (Out, error)) {
	closed := false
	tool := &sdk.Tool{Name: name, Description: doc, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}}
	sdk.AddTool(s, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		var out Out
		done, err := t.turn(ctx)
		if err != nil {
			return nil, out, err
		}
		defer done()
		out, err = do(ctx, in)
		return nil, out, err
	})
}

// atOnce is the number of calls that are answered side by side: each may hold an input of the
// greatest size and its results.
const atOnce = 2

type tools struct {
	root fs.FS
	busy chan struct{} // has an element for each call that is being answered
}

// turn waits until a call may be answered. done lets the next one in.
func (t tools) turn(ctx context.Context) (done func(), err error) {
	select {
	case t.busy <- struct{}{}:
		return func() { <-t.busy }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fabric reads one; its findings are for the caller to look at.
func (t tools) fabric(files []string) (*roceplan.Fabric, error) {
	in, err := t.input(files)
	if err != nil {
		return nil, err
	}
	return roceplan.Load(in), nil
}

// input reads the files of a fabric.
func (t tools) input(files []string) (in roceplan.Input, err error) {
	if len(files) == 0 {
		return in, fmt.Errorf("name the fabric's files, or its folder")
	}
	for i, name := range files {
		files[i] = path.Clean(name)
		if !fs.ValidPath(files[i]) {
			return in, fmt.Errorf("%s is not below the folder that is served", name)
		}
	}
	return roceplan.In(t.root, files...)
}

// sound returns a fabric without errors.
func (t tools) sound(files []string) (*roceplan.Fabric, error) {
	f, err := t.fabric(files)
	if err != nil {
		return nil, err
	}
	_, found := f.Plan()
	for _, d := range found {
		if d.Severity == diag.Error {
			return nil, fmt.Errorf("the fabric has errors, see check: %s", said(d))
		}
	}
	return f, nil
}

type checkIn struct {
	Fabric []string `json:"fabric" jsonschema:"fabric files, or folders of them, below the folder that is served"`
}

type checkOut struct {
	Findings []string  `json:"findings"`
	Edits    []offered `json:"edits" jsonschema:"edits of the files that repair findings; each was tried: with it its finding is gone and no other is new"`
}

func (t tools) check(ctx context.Context, in checkIn) (checkOut, error) {
	read, err := t.input(in.Fabric)
	if err != nil {
		return checkOut{}, err
	}
	found, err := roceplan.Check(ctx, roceplan.Load(read))
	if err != nil {
		return checkOut{}, err
	}
	found, err = roceplan.Repair(ctx, read, found)
	out := checkOut{Findings: texts(found), Edits: []offered{}}
	for _, d := range found {
		for _, e := range d.Edits {
			out.Edits = append(out.Edits, newOffered(said(d), e))
		}
	}
	return out, err
}

// An offered is an edit that repairs a finding.
type offered struct {
	Finding   string `json:"finding" jsonschema:"the finding or the condition that is gone with it"`
	File      string `json:"file"`
	Line      int    `json:"line" jsonschema:"where the text that is replaced begins, from 1"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Text      string `json:"text" jsonschema:"the text that replaces it"`
}

func newOffered(of string, e diag.Edit) offered {
	return offered{of, e.Range.Filename, e.Range.Start.Line, e.Range.Start.Column, e.Range.End.Line, e.Range.End.Column, plain.Text(e.Text)}
}

func texts(found diag.List) []string {
	out := []string{}
	for _, d := range found {
		out = append(out, said(d))
	}
	return out
}

func said(d diag.Diagnostic) string {
	text := fmt.Sprintf("%s[%s]: %s", d.Severity, d.Code, d.Message)
	if d.Subject.Filename != "" {
		text = fmt.Sprintf("%s:%d: %s", d.Subject.Filename, d.Subject.Start.Line, text)
	}
	if d.Fix != "" {
		text += ". Fix: " + d.Fix
	}
	return plain.Text(text)
}

type explainIn struct {
	Fabric []string `json:"fabric" jsonschema:"fabric files, or folders of them"`
	What   string   `json:"what" jsonschema:"such as tor-01.Ethernet32.headroom"`
}

type explainOut struct {
	Explanation string `json:"explanation"`
}

func (t tools) explain(_ context.Context, in explainIn) (explainOut, error) {
	f, err := t.fabric(in.Fabric)
	if err != nil {
		return explainOut{}, err
	}
	asked, err := roceplan.Explain(f, in.What)
	if err != nil {
		return explainOut{}, err
	}
	var out strings.Builder
	explain.New(f.Sources).Answer(&out, asked)
	return explainOut{plain.Text(out.String())}, nil
}

type verifyIn struct {
	Configs []string `json:"configs" jsonschema:"configuration files of switches, or folders of them"`
	Fabric  []string `json:"fabric,omitempty" jsonschema:"fabric files that the configurations are for, if there are any"`
	Chip    string   `json:"chip,omitempty" jsonschema:"chip of the switches, where neither fabric nor file says it"`
}

type verifyOut struct {
	Switches []judged `json:"switches"`
	Findings []string `json:"findings"`
	Offers   []prover `json:"offers,omitempty" jsonschema:"edits of the fabric after which a condition is gone; each was tried: the fabric was compiled and proved with it"`
}

// A prover is an edit that makes a condition needless.
type prover struct {
	Condition string    `json:"condition"`
	Way       string    `json:"way" jsonschema:"declare: only if the author knows that it is so; pay: it costs buffer; none: why no edit helps"`
	Text      string    `json:"text"`
	Edits     []offered `json:"edits,omitempty"`
}

type judged struct {
	Names      []string `json:"names"`
	Verdict    string   `json:"verdict"`
	Because    []string `json:"because,omitempty"`
	Conditions []string `json:"conditions,omitempty" jsonschema:"what the verdict takes for granted"`
	Declared   []string `json:"declared,omitempty"`
	Coverage   string   `json:"coverage"`
}

func (t tools) verify(ctx context.Context, in verifyIn) (verifyOut, error) {
	o := roceplan.VerifyOptions{Chip: in.Chip}
	if len(in.Fabric) > 0 {
		f, err := t.sound(in.Fabric)
		if err != nil {
			return verifyOut{}, err
		}
		o.Fabric = f
	}
	files, err := t.configs(in.Configs)
	if err != nil {
		return verifyOut{}, err
	}
	report, err := roceplan.Verify(ctx, files, o)
	if err != nil {
		return verifyOut{}, err
	}
	out := verifyOut{Switches: []judged{}, Findings: texts(report.Findings)}
	for _, s := range report.Switches {
		out.Switches = append(out.Switches, newJudged(s))
	}
	if o.Fabric != nil && report.Verdict() != verify.Proved {
		out.Offers, err = t.provers(ctx, in.Fabric, report)
	}
	return out, err
}

// provers returns the remedies that make the conditions of a report needless.
func (t tools) provers(ctx context.Context, fabric []string, report *verify.Report) (all []prover, err error) {
	in, err := t.input(fabric)
	if err != nil {
		return nil, err
	}
	offers, err := roceplan.Offers(ctx, in)
	for _, s := range report.Switches {
		for _, c := range s.Conditions {
			o := roceplan.OfferFor(offers, s.Names[0], &c)
			if o == nil {
				continue
			}
			of := c.Where + ": " + c.Assumes
			if o.Why != "" {
				all = append(all, prover{of, "none", o.Why, nil})
			}
			if o.Declare != nil {
				all = append(all, newProver(of, "declare", o.Title(), o.Declare))
			}
			if o.Pay != nil {
				all = append(all, newProver(of, "pay", "", o.Pay))
			}
		}
	}
	return all, err
}

func newProver(of, way, title string, w *roceplan.Way) prover {
	p := prover{of, way, title + w.String(), nil}
	for _, e := range w.Edits {
		p.Edits = append(p.Edits, newOffered(of, e))
	}
	return p
}

func newJudged(s *verify.Switch) judged {
	j := judged{Names: s.Names, Verdict: s.Verdict.String(), Declared: s.Declared, Coverage: s.Coverage.String()}
	for _, reason := range verify.InBrief(s.Because) {
		j.Because = append(j.Because, reason.Message)
	}
	for _, c := range s.Conditions {
		j.Conditions = append(j.Conditions, fmt.Sprintf("%s: %s; would be declared by %s", c.Where, c.Assumes, c.Declare))
	}
	return j
}

// configs lists configuration files below the names.
func (t tools) configs(names []string) (files []verify.File, err error) {
	for _, name := range names {
		clean := path.Clean(name)
		if !fs.ValidPath(clean) {
			return nil, fmt.Errorf("%s is not below the folder that is served", name)
		}
		info, err := fs.Stat(t.root, clean)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, verify.In(t.root, clean))
			continue
		}
		below, err := verify.Below(t.root, clean, roceplan.NotConfigs()...)
		if err != nil {
			return nil, err
		}
		files = append(files, below...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no configuration file below %s", strings.Join(names, ", "))
	}
	return files, nil
}

type diffIn struct {
	Before []string `json:"before" jsonschema:"fabric files before the change"`
	After  []string `json:"after" jsonschema:"fabric files after it"`
}

type diffOut struct {
	Different bool   `json:"different"`
	Text      string `json:"text"`
}

func (t tools) diff(_ context.Context, in diffIn) (diffOut, error) {
	before, err := t.sound(in.Before)
	if err != nil {
		return diffOut{}, err
	}
	after, err := t.sound(in.After)
	if err != nil {
		return diffOut{}, err
	}
	result, err := roceplan.Diff(before, after)
	if err != nil {
		return diffOut{}, err
	}
	return diffOut{result.Any(), result.Markdown()}, nil
}

type marginsOut struct {
	Shapes []shapeMargins `json:"shapes"`
}

type shapeMargins struct {
	Names  []string `json:"names"`
	Groups []string `json:"groups"`
}

func (t tools) margins(ctx context.Context, in checkIn) (marginsOut, error) {
	f, err := t.sound(in.Fabric)
	if err != nil {
		return marginsOut{}, err
	}
	p, _ := f.Plan()
	v := roceplan.NewVerifier(f)
	v.Context = ctx
	all, err := v.Margins(p)
	if err != nil {
		return marginsOut{}, err
	}
	out := marginsOut{Shapes: []shapeMargins{}}
	for i, sw := range p.Switches {
		shape := shapeMargins{Names: sw.Names}
		for _, m := range all[i] {
			shape.Groups = append(shape.Groups, marginText(m))
		}
		out.Shapes = append(out.Shapes, shape)
	}
	return out, nil
}

func marginText(m proof.Margin) string {
	beyond := func(breaks string) string {
		if breaks == "" {
			return "no limit found"
		}
		return "beyond it " + breaks + " breaks"
	}
	return fmt.Sprintf("%s: longest cable %v (%s), largest fan-in %d (%s), largest MTU %v (%s), most lossless classes %d (%s)",
		m.Group, m.Cable, beyond(m.CableBreaks), m.FanIn, beyond(m.FanInBreaks), m.MTU, beyond(m.MTUBreaks), m.Classes, beyond(m.ClassesBreak))
}
