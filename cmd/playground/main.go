//go:build js && wasm

// Command playground is roceplan in a web page: the door, called from JavaScript.
package main

import (
	"context"
	"encoding/json"
	"strings"
	"syscall/js"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/report"
)

func main() {
	js.Global().Set("roceplan", js.ValueOf(map[string]any{
		"check":   answer(check),
		"compile": answer(compile),
		"explain": answer(why),
		"report":  answer(draw),
		"format":  answer(format),
	}))
	select {}
}

// answer makes a function of JavaScript that takes texts and returns JSON. What goes wrong is in
// it under "error".
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

// source is what the page's text is called in findings.
const source = "fabric.hcl"

func load(text string) *roceplan.Fabric {
	return roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: source, Text: []byte(text)}}})
}

// check returns the findings as the command prints them, and whether there is an error.
func check(args []string) (any, error) {
	f := load(args[0])
	found, err := roceplan.Check(context.Background(), f)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	err = diag.Text{Sources: f.Sources}.Write(&out, found)
	return map[string]any{"text": out.String(), "errors": found.HasErrors()}, err
}

// compile returns the files of one device of each shape, with its verdict.
func compile(args []string) (any, error) {
	c, err := roceplan.Compile(context.Background(), load(args[0]), roceplan.CompileOptions{})
	if err != nil {
		return nil, err
	}
	files := []map[string]string{}
	for _, shape := range c.Shapes {
		name := shape.Switch.Names[0]
		for _, f := range shape.Files {
			files = append(files, map[string]string{"name": name + "/" + f.Path, "text": string(f.Body.AppendFor(nil, name)), "verdict": shape.Verdict.Verdict.String()})
		}
	}
	return map[string]any{"files": files}, nil
}

// why explains a number, or lists those that there are.
func why(args []string) (any, error) {
	f := load(args[0])
	asked, err := roceplan.Explain(f, args[1])
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	explain.New(f.Sources).Answer(&out, asked)
	return map[string]string{"text": out.String()}, nil
}

// draw returns the report.
func draw(args []string) (any, error) {
	c, err := roceplan.Compile(context.Background(), load(args[0]), roceplan.CompileOptions{})
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
