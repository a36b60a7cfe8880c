package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/roceplan/roceplan"
)

// BenchmarkAnswers is what an editor waits for in fabrics of 1,000 switches: from a change to its
// findings, and from a question to its answer. Of each it reports the time that 19 in 20 stay below.
func BenchmarkAnswers(b *testing.B) {
	raw, err := os.ReadFile("../examples/ucloud-pod/fabric.hcl")
	if err != nil {
		b.Fatal(err)
	}
	const uncabled = "2-shapes"
	text, _, ok := strings.Cut(string(raw), "\nclos ")
	if !ok {
		b.Fatal("the example has no clos block")
	}
	for name, text := range map[string]string{
		"84-shapes-5376-links": pods(b, string(raw)),
		uncabled:               strings.Replace(strings.Replace(text, "tor-[01..16]", "tor-[001..984]", 1), "leaf-[1..8]", "leaf-[01..24]", 1),
	} {
		b.Run(name, func(b *testing.B) { answers(b, text) })
	}
}

// pods has the switches of the example, 24 with 128 links, 42 times. The cables of each pod have
// lengths of their own.
func pods(b *testing.B, text string) string {
	from := strings.Index(text, `switch "tor-`)
	if from < 0 {
		b.Fatal("the example has no top-of-rack switches")
	}
	out := text[:from]
	for i := range 42 {
		pod := fmt.Sprintf("p%02d", i)
		out += strings.NewReplacer(`"tor-`, `"`+pod+`-tor-`, `"leaf-`, `"`+pod+`-leaf-`, "switch.tor", "switch."+pod+"-tor", "switch.leaf", "switch."+pod+"-leaf",
			`clos "pod"`, `clos "`+pod+`"`, `"100m"`, fmt.Sprintf(`"%dm"`, 50+i)).Replace(text[from:]) + "\n"
	}
	return out
}

func answers(b *testing.B, text string) {
	path := filepath.Join(b.TempDir(), "fabric.hcl")
	p, found := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: path, Text: []byte(text)}}}).Plan()
	switches := 0
	for _, sw := range p.Switches {
		switches += len(sw.Names)
	}
	if found.HasErrors() || switches != 1008 {
		b.Fatalf("%d switches; %v", switches, found)
	}
	c := start(b)
	defer c.stop()
	c.opens(path, text)
	whole := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "range": span{End: position{Line: strings.Count(text, "\n")}}}
	format := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "options": map[string]any{"tabSize": 2, "insertSpaces": true}}
	version := 1
	for _, asked := range []struct {
		name string
		do   func()
	}{
		{"findings", func() {
			version++
			c.types(path, version, text+strings.Repeat(" ", version%2))
		}},
		{"hover", func() { c.about("textDocument/hover", path, text, "cable", nil) }},
		{"completion", func() { c.about("textDocument/completion", path, text, `port_group "servers" {`, nil) }},
		{"definition", func() { c.about("textDocument/definition", path, text, "= nic.", nil) }},
		{"hints", func() { c.ask("textDocument/inlayHint", whole, nil) }},
		{"formatting", func() { c.ask("textDocument/formatting", format, nil) }},
	} {
		b.Run(asked.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				from := time.Now()
				asked.do()
				took = append(took, time.Since(from))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
