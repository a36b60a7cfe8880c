//go:build unix

package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/roceplan/roceplan"
)

// BenchmarkAnswers measures the time that an editor waits for answers in fabrics of 1,000 switches: from a
// change to its findings, from then to the answer of a first request for actions, and from a question to its
// answer. Of each it reports the time that 19 in 20 stay below.
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
	defer debug.SetGCPercent(debug.SetGCPercent(GarbagePercent))
	c := start(b)
	defer c.stop()
	c.opens(path, text)
	document := map[string]any{"uri": uriOf(path)}
	version := 1
	whole := map[string]any{"textDocument": document, "range": span{End: position{Line: strings.Count(text, "\n")}}}
	everywhere := whole["range"].(span)
	// Each key is typed and taken back in turns. Findings of the text are the first that an editor
	// shows, those of the plan the last. Only whileTried edits of the text before are being tried when the next key comes.
	const whileTried = "cable-while-edits-are-tried"
	for _, key := range []struct{ name, before, after string }{
		{"remark", "\nfabric ", "\n# a remark\nfabric "}, // every line moves
		{"cable", `cable  = "15m"`, `cable  = "14m"`},    // of the servers of one pod
		{whileTried, `cable  = "15m"`, `cable  = "14m"`},
		{"class", "weight             = 60", "weight             = 50"}, // every shape is another
		{"typo", `medium = aoc`, `medium = "aoc`},
		{"chip", `"trident3"`, `"tridnet3"`},
	} {
		at := strings.LastIndex(text, key.before)
		if at < 0 {
			b.Fatalf("there is no %q", key.before)
		}
		now, other := key.before, key.after
		b.Run(key.name, func(b *testing.B) {
			var first, action, last clock
			for b.Loop() {
				c.settles(path)
				if key.name == whileTried {
					time.Sleep(300 * time.Millisecond)
				}
				before := []byte(text[:at] + now)
				was := span{positionOf(before, at), positionOf(before, len(before))}
				now, other = other, now
				version++
				first.start()
				last.start()
				c.changes(path, version, map[string]any{"range": was, "text": now})
				first.stop()
				action.start()
				c.actions(path, everywhere, c.published[uriOf(path)].Diagnostics)
				action.stop()
				c.settles(path)
				last.stop()
			}
			first.report(b, "first")
			action.report(b, "action")
			last.report(b, "last")
			if now != key.before {
				version++
				c.types(path, version, text)
			}
		})
	}
	// How long it takes until the edit of a mistake has been tried. The editor does not wait for it.
	for _, mistake := range []struct{ name, right, wrong string }{
		{"edit-of-a-word", `"trident3"`, `"tridnet3"`},
		{"edit-of-a-value", `cable  = "15m"`, `cable  = "15"`},
		{"edit-of-a-sign", `medium = aoc`, `medium = "aoc`},
	} {
		at := strings.LastIndex(text, mistake.right)
		broken := text[:at] + mistake.wrong + text[at+len(mistake.right):]
		b.Run(mistake.name, func(b *testing.B) {
			var ready clock
			for b.Loop() {
				version++
				c.types(path, version, text)
				version++
				ready.start()
				found := c.types(path, version, broken)
				c.offered(path, everywhere, found)
				ready.stop()
			}
			ready.report(b, "ready")
		})
	}
	format := map[string]any{"textDocument": document, "options": map[string]any{"tabSize": 2, "insertSpaces": true}}
	actions := map[string]any{"textDocument": document, "range": span{End: position{Line: 40}}, "context": map[string]any{"diagnostics": []any{}}}
	version++
	c.types(path, version, text)
	c.settles(path)
	for _, asked := range []struct {
		name string
		do   func()
	}{
		{"hover", func() { c.about("textDocument/hover", path, text, "cable", nil) }},
		{"completion", func() { c.about("textDocument/completion", path, text, `port_group "servers" {`, nil) }},
		{"definition", func() { c.about("textDocument/definition", path, text, "= nic.", nil) }},
		{"hints", func() { c.ask("textDocument/inlayHint", whole, nil) }},
		{"formatting", func() { c.ask("textDocument/formatting", format, nil) }},
		{"actions", func() { c.ask("textDocument/codeAction", actions, nil) }},
		{"rename", func() { c.about("textDocument/rename", path, text, `traffic_class "rd`, nil, "newName", "roce") }},
		{"references", func() { c.about("textDocument/references", path, text, "= nic.", nil) }},
		{"highlight", func() { c.about("textDocument/documentHighlight", path, text, "= nic.", nil) }},
		{"outline", func() { c.ask("textDocument/documentSymbol", whole, nil) }},
		{"symbols", func() { c.ask("workspace/symbol", map[string]any{"query": "tor"}, nil) }},
		{"tokens", func() { c.ask("textDocument/semanticTokens/full", whole, nil) }},
		{"folds", func() { c.ask("textDocument/foldingRange", whole, nil) }},
		{"signature", func() { c.about("textDocument/signatureHelp", path, text, `= nic.`, nil) }},
	} {
		b.Run(asked.name, func(b *testing.B) {
			var took clock
			for b.Loop() {
				took.start()
				asked.do()
				took.stop()
			}
			took.report(b, "answer")
		})
	}
}

// A clock takes the time of repetitions, by the wall and of the processor.
type clock struct {
	from            time.Time
	used            time.Duration
	wall, processor []time.Duration
}

func (c *clock) start() { c.from, c.used = time.Now(), processorTime() }

func (c *clock) stop() {
	c.wall, c.processor = append(c.wall, time.Since(c.from)), append(c.processor, processorTime()-c.used)
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it has no other arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// report gives the time that 19 in 20 stay below.
func (c *clock) report(b *testing.B, of string) {
	for unit, took := range map[string][]time.Duration{"-wall-ms": c.wall, "-cpu-ms": c.processor} {
		slices.Sort(took)
		b.ReportMetric(float64(took[(len(took)*95-1)/100].Microseconds())/1000, of+unit)
	}
}
