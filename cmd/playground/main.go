//go:build js && wasm

// Command playground is roceplan in a web page: the door and the language server, called from JavaScript.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/report"
)

// A page is the state of the program between calls: to read the chips takes longer than a check.
type page struct{ catalogue *chips.Catalogue }

func main() {
	var p page
	p.catalogue, _ = chips.Load() // the built-in one has no faults: its tests say so
	js.Global().Set("roceplan", js.ValueOf(map[string]any{
		"findings":  answer(p.findings),
		"repairs":   answer(p.repairs),
		"files":     answer(p.files),
		"explain":   answer(p.why),
		"verify":    answer(p.verdicts),
		"offers":    answer(p.offers),
		"scenarios": answer(p.scenarios),
		"simulate":  answer(p.simulate),
		"report":    answer(p.draw),
		"format":    answer(format),
		"serve":     js.FuncOf(serve),
	}))
	select {}
}

// answer makes a function of JavaScript that takes texts and returns JSON. An error is in it under
// "error".
func answer(do func(args []string) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, values []js.Value) any {
		var args []string
		for _, v := range values {
			args = append(args, v.String())
		}
		out, err := do(append(args, "", ""))
		if err != nil {
			out = map[string]string{"error": err.Error()}
		}
		text, err := json.Marshal(out)
		if err != nil {
			panic(err) // the types here can be marshalled
		}
		return string(text)
	})
}

// source is the name of the page's text in findings.
const source = "fabric.hcl"

func (p page) input(text string) roceplan.Input {
	return roceplan.Input{Files: []roceplan.Source{{Name: source, Text: []byte(text)}}, Catalogue: p.catalogue}
}

func (p page) load(text string) *roceplan.Fabric { return roceplan.Load(p.input(text)) }

// A finding is one as the command prints it.
type finding struct {
	Severity string `json:"severity"`
	Text     string `json:"text"`
	Edited   string `json:"edited,omitempty"` // the page's text with the edits that repair it
}

// findings returns the findings of check.
func (p page) findings(args []string) (any, error) {
	f := p.load(args[0])
	found, err := roceplan.Check(context.Background(), f)
	if err != nil {
		return nil, err
	}
	return printed(args[0], found)
}

// repairs are findings with the edits that repair them, root causes first.
func (p page) repairs(args []string) (any, error) {
	found, err := roceplan.Check(context.Background(), p.load(args[0]))
	if err == nil {
		found, err = roceplan.Repair(context.Background(), p.input(args[0]), found)
	}
	if err != nil {
		return nil, err
	}
	return printed(args[0], found)
}

func printed(text string, found diag.List) (any, error) {
	list := []finding{}
	for _, d := range found {
		var out strings.Builder
		if err := (diag.Text{Sources: diag.Sources{source: []byte(text)}}).Write(&out, diag.List{d}); err != nil {
			return nil, err
		}
		list = append(list, finding{Severity: d.Severity.String(), Text: out.String(), Edited: edited(text, d.Edits)})
	}
	return map[string]any{"list": list}, nil
}

// edited returns the text with edits; empty where there are none.
func edited(text string, edits []diag.Edit) string {
	if len(edits) == 0 {
		return ""
	}
	return string(diag.Apply(source, []byte(text), edits))
}

// compiled compiles a text; a fault of the text is an error.
func (p page) compiled(text string) (*roceplan.Compiled, error) {
	c, err := roceplan.Compile(context.Background(), p.load(text), roceplan.CompileOptions{})
	if err == nil && c.Findings.HasErrors() {
		err = fmt.Errorf("%w: see the findings", roceplan.ErrFindings)
	}
	return c, err
}

// files returns the files of one device of each shape, with its verdict.
func (p page) files(args []string) (any, error) {
	c, err := p.compiled(args[0])
	if err != nil {
		return nil, err
	}
	list := []map[string]string{}
	for _, shape := range c.Shapes {
		name, verdict := shape.Switch.Names[0], ""
		if shape.Verdict != nil {
			verdict = shape.Verdict.Verdict.String()
		}
		for _, f := range shape.Files {
			list = append(list, map[string]string{"name": name + "/" + f.Path, "text": string(f.Body.AppendFor(nil, name)), "verdict": verdict})
		}
	}
	return map[string]any{"list": list}, nil
}

// why explains a number, or lists those that there are. A question about no switch of the fabric is about the first port
// of the first one: the text may have changed since it was asked.
func (p page) why(args []string) (any, error) {
	f := p.load(args[0])
	planned, _ := f.Plan()
	if len(planned.Switches) == 0 {
		return nil, fmt.Errorf("%w: see the findings", roceplan.ErrFindings)
	}
	what := args[1]
	if _, _, _, err := explain.FindSwitch(planned, what); err != nil {
		what = planned.Switches[0].Names[0]
		if ports := planned.Switches[0].Ports; len(ports) > 0 {
			what += "." + ports[0].Name
		}
	}
	asked, err := explain.Find(planned, what)
	if err != nil {
		return map[string]any{"asked": what, "text": err.Error(), "choices": explain.Continuations(planned, what)}, nil
	}
	var out strings.Builder
	explain.New(f.Sources).Answer(&out, asked)
	return map[string]any{"asked": what, "text": out.String(), "choices": explain.Continuations(planned, what)}, nil
}

// A verdict is the verdict on a shape.
type verdict struct {
	Switches   string   `json:"switches"`
	Verdict    string   `json:"verdict"`
	Because    []string `json:"because"`
	Conditions []string `json:"conditions"`
	Declared   []string `json:"declared"`
	Coverage   string   `json:"coverage"`
	Findings   string   `json:"findings"`
}

// verdicts returns the verdicts on the files that the text compiles to.
func (p page) verdicts(args []string) (any, error) {
	c, err := p.compiled(args[0])
	if err != nil {
		return nil, err
	}
	list := []verdict{}
	for _, shape := range c.Shapes {
		s := shape.Verdict
		if s == nil {
			continue
		}
		v := verdict{Switches: plan.Abbreviate(shape.Switch.Names), Verdict: s.Verdict.String(), Declared: s.Declared, Coverage: s.Coverage.String()}
		for _, r := range s.Because {
			v.Because = append(v.Because, r.Message)
		}
		for _, c := range s.Conditions {
			v.Conditions = append(v.Conditions, c.Where+": "+c.Assumes)
		}
		var out strings.Builder
		if err := (diag.Text{}).Write(&out, s.Findings); err != nil {
			return nil, err
		}
		v.Findings = out.String()
		list = append(list, v)
	}
	return map[string]any{"list": list}, nil
}

// A way is an edit that makes a condition needless.
type way struct {
	Text   string `json:"text"`
	Edited string `json:"edited"`
}

// An offer is a remedy for a condition.
type offer struct {
	Condition string `json:"condition"`
	Ways      []way  `json:"ways"`
	Why       string `json:"why"`
}

// offers returns the edits that make conditions of verdicts needless, each condition once.
func (p page) offers(args []string) (any, error) {
	all, err := roceplan.Offers(context.Background(), p.input(args[0]))
	if err != nil {
		return nil, err
	}
	list := []offer{}
	for i := range all {
		o := &all[i]
		line := offer{Condition: plan.Abbreviate(o.Switches) + ", " + o.Where + ": " + o.Assumes, Ways: []way{}, Why: o.Why}
		for title, w := range o.Ways() {
			line.Ways = append(line.Ways, way{title + w.String(), edited(args[0], w.Edits)})
		}
		list = append(list, line)
	}
	return map[string]any{"list": list}, nil
}

// scenarios returns the scenarios that can be simulated.
func (p page) scenarios(args []string) (any, error) {
	f := p.load(args[0])
	list := []map[string]string{}
	for _, s := range f.Scenarios() {
		list = append(list, map[string]string{"name": s.Name, "doc": s.Doc})
	}
	return map[string]any{"list": list}, nil
}

// mostHops is the largest simulation in a page: some seconds of a browser's core.
const mostHops = 10_000_000

// simulate runs a scenario on the fabric, or on as much of it as takes some seconds.
func (p page) simulate(args []string) (any, error) {
	f := p.load(args[0])
	o := roceplan.SimulateOptions{Scenarios: []string{args[1]}, Seeds: 1, Detailed: true, SkipSteady: true}
	run, err := roceplan.PrepareWithin(f, o, mostHops)
	if err != nil {
		return nil, err
	}
	if err := run.Run(context.Background(), nil); err != nil {
		return nil, err
	}
	notes := run.Notes
	if run.Part != nil {
		notes = append([]string{fmt.Sprintf("a part is simulated: %d of %d hosts; roceplan sim runs the whole", run.Hosts, run.Part.Whole.Hosts)}, notes...)
	}
	made := report.NewRun(&run.Outcomes[0])
	return map[string]any{"facts": made.Facts, "doc": made.Doc, "missed": made.Missed, "plot": made.Plot, "notes": notes}, nil
}

// draw returns the report.
func (p page) draw(args []string) (any, error) {
	c, err := roceplan.Compile(context.Background(), p.load(args[0]), roceplan.CompileOptions{})
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	err = report.Write(&out, c, report.Options{Version: "in a page"})
	return map[string]string{"page": out.String()}, err
}

// format lays the text out.
func format(args []string) (any, error) {
	text, found := policy.Format(roceplan.Source{Name: source, Text: []byte(args[0])})
	return map[string]any{"text": string(text), "errors": found.HasErrors()}, nil
}
