package report_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/browser"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/report"
)

func page(t testing.TB, in roceplan.Input, margins bool, patterns ...string) string {
	t.Helper()
	fabric := roceplan.Load(in)
	compiled, err := roceplan.Compile(t.Context(), fabric, roceplan.CompileOptions{})
	must.Do(t, err)
	o := report.Options{Version: "v0"}
	if margins {
		if o.Margins, err = roceplan.NewVerifier(fabric).Margins(compiled.Plan); err != nil {
			t.Fatal(err)
		}
	}
	if len(patterns) > 0 {
		run := must.Get(roceplan.Simulate(context.Background(), fabric, roceplan.SimulateOptions{Scenarios: patterns, Detailed: true, Seeds: 1}))(t)
		o.Runs = run.Outcomes
	}
	var out bytes.Buffer
	must.Do(t, report.Write(&out, compiled, o))
	return out.String()
}

func read(t *testing.T, name string) roceplan.Input {
	t.Helper()
	in := must.Get(roceplan.In(os.DirFS("../examples"), name))(t)
	return in
}

// The page of an example says what compile says, in two equal drawings, and asks nobody for
// anything.
func TestPage(t *testing.T) {
	got := page(t, read(t, "ucloud-pod"), true, "incast-8")
	if got != page(t, read(t, "ucloud-pod"), true, "incast-8") {
		t.Error("a second page differs")
	}
	// 8 leaves with 16 ToRs each are 128 cables of 100G; a ToR has 32 × 25G below and 8 × 100G above.
	for _, want := range []string{"24 switches of 2 shapes", "128 × 100Gbps, 100m", "1.00 : 1", "16 × trident3", "incast-8", "shared by all", "newcomer-guarantee"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, never := range []string{"src=", "@import", "url(", "ZgotmplZ", "<no value>"} {
		if strings.Contains(got, never) {
			t.Errorf("the page has %q", never)
		}
	}
	for _, link := range strings.Split(got, "http")[1:] {
		if !strings.HasPrefix(link, "://www.w3.org/2000/svg") && !strings.HasPrefix(link, "-equiv=") {
			t.Errorf("the page names http%.40s", link)
		}
	}
	wellFormed(t, got)
}

// A priority group takes from one slice, and a Tomahawk 5 has two.
func TestThresholdOfASlice(t *testing.T) {
	got := page(t, read(t, "tomahawk5-ai-pod"), false)
	// (166115492 B of pool - 3088640 B of reserves - 56148224 B of headroom) in two slices is 53439314 B
	// in whole cells of 254 B; at alpha 1 a group alone gets half of it: 26719657 B, 25.48 MiB
	if !strings.Contains(got, "alpha 1: alone it pauses at 25.48 MiB") {
		t.Errorf("the threshold of a slice is not on the page: %.80s", got[strings.Index(got, "alone it pauses"):])
	}
}

// Pictures are XML; the rest of the page is for the browser's parser.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	pictures := strings.Split(page, "<svg")[1:]
	for _, picture := range pictures {
		text, _, closed := strings.Cut(picture, "</svg>")
		d := xml.NewDecoder(strings.NewReader("<svg" + text + "</svg>"))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || !closed {
				t.Fatalf("a picture is not well-formed: %v", err)
			}
		}
	}
	if len(pictures) < 4 {
		t.Errorf("%d pictures: one of the topology, one of each shape, one of the run", len(pictures))
	}
}

// Names of a fabric are text, wherever they stand.
func TestNamesAreText(t *testing.T) {
	in := read(t, "ucloud-pod")
	for i := range in.Files {
		in.Files[i].Text = bytes.ReplaceAll(in.Files[i].Text, []byte(`"servers"`), []byte(`"<b>&"`))
	}
	got := page(t, in, false)
	if strings.Contains(got, "<b>&") || !strings.Contains(got, "&lt;b&gt;&amp;") {
		t.Error("a name became markup, or is not on the page")
	}
}

// A fabric that does not compile has a page of its findings.
func TestPageOfFindings(t *testing.T) {
	got := page(t, roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte("fabric \"pod\" {\n  mtu = \"9216\"\n}\n")}}}, false)
	for _, want := range []string{"unit-missing", "fabric.hcl:2"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

// A fabric of 250 switches that are all different fits into 1.25 MB, as a thousand would into 5:
// what each more takes is the same.
func TestManyShapes(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/shapes.hcl"))(t)
	got := page(t, roceplan.Input{Files: []roceplan.Source{{Name: "shapes.hcl", Text: text}}}, false)
	if n := strings.Count(got, `<section class="shape"`); n != 250 {
		t.Fatalf("%d shapes: %.600s", n, got[strings.Index(got, "<h2>Findings"):])
	}
	if len(got) > 5e6/4 {
		t.Errorf("the page has %d bytes", len(got))
	}
}

// Cables of a crowded level are one line for each box that they lead to, however many shapes
// there are: 100 leaves that all differ, below 4 spines that are alike, are one line of 400.
func TestCrowdedLevel(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/shapes.hcl"))(t)
	crowded := strings.NewReplacer("count = 250", "count = 100", `  port_group "servers" {`, `  port_group "up" {
    ports = "Ethernet[33..36]/1"
    speed = "100Gbps"
  }
  port_group "servers" {`).Replace(string(text)) + `
switch "spine" {
  count = 4
  chip  = "tomahawk3"
  os    = "eos"

  port_group "down" {
    ports = "Ethernet[1..100]/1"
    speed = "100Gbps"
  }
}
clos "all" {
  cable       = "10m"
  lower       = "leaf-[0..99]"
  upper       = "spine-[0..3]"
  lower_ports = "up"
  upper_ports = "down"
}
`
	got := page(t, roceplan.Input{Files: []roceplan.Source{{Name: "crowded.hcl", Text: []byte(crowded)}}}, false)
	if n := strings.Count(got, "<title>400 × 100Gbps, 10m</title>"); n != 1 {
		t.Errorf("%d lines of 400 cables: %.900s", n, got[strings.Index(got, "<h2>"):])
	}
	if n := strings.Count(got, `<path class="cable"`); n != 2 { // this one, and that to the hosts
		t.Errorf("%d lines are drawn", n)
	}
}

// Chromium shows the page without an error on its console, asks for nothing, and filters.
func TestChromium(t *testing.T) {
	got := page(t, read(t, "tomahawk5-ai-pod"), true, "incast-8")
	probe := `filter.value="spine";filter.dispatchEvent(new Event("input"));folded.forEach(unfold);document.title=all.filter(s=>!s.hidden).length+" shown, "+document.querySelectorAll("details tr").length+" rows, "+performance.getEntriesByType("resource").length+" requests"`
	dom, console := browser.Look(t, serve(t, browser.Add(got, probe)))
	_, title, _ := strings.Cut(dom, "<title>")
	var shown, rows, requests int
	if n, err := fmt.Sscanf(title, "%d shown, %d rows, %d requests", &shown, &rows, &requests); n != 3 || shown != 1 || rows < 50 || requests != 0 {
		t.Errorf("the page says %.80s: %v", title, err)
	}
	must.Equal(t, console, "")
}

// serve returns the address of a page.
func serve(t *testing.T, page string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) }))
	t.Cleanup(server.Close)
	return server.URL
}

// The page runs its own script and no other, however that came into it.
func TestPolicy(t *testing.T) {
	injected := []string{
		`<script>document.title="injected"</script>`,
		`<img src="data:," onerror="document.title='injected'">`,
		`<svg onload="document.title='injected'"></svg>`,
		`<script src="data:text/javascript,document.title='injected'"></script>`,
		`<iframe srcdoc="<script>parent.document.title='injected'</script>"></iframe>`,
	}
	got := strings.Replace(page(t, read(t, "tomahawk5-ai-pod"), false), "<h1>", strings.Join(injected, "")+"<h1>", 1)
	dom, console := browser.Look(t, serve(t, browser.Add(got, `document.body.id = folded.length > 0 ? "works" : ""`)))
	if strings.Contains(dom, "<title>injected") || !strings.Contains(dom, `id="works"`) {
		t.Errorf("what was injected runs, or the page does not: %s", console)
	}
	if n := strings.Count(console, "Content Security Policy"); n != len(injected) {
		t.Errorf("the browser refuses %d scripts of %d: %s", n, len(injected), console)
	}
}

// The trade has a dot for each setting and says what is lost.
func TestTradeIsDrawn(t *testing.T) {
	in := must.Get(roceplan.In(os.DirFS("../examples"), "tomahawk5-ai-pod"))(t)
	compiled := must.Get(roceplan.Compile(t.Context(), roceplan.Load(in), roceplan.CompileOptions{}))(t)
	draw := func(trade *report.Trade) string {
		var out bytes.Buffer
		must.Do(t, report.Write(&out, compiled, report.Options{Trade: trade}))
		return out.String()
	}
	page := draw(&report.Trade{Lines: []string{"lost <all>"}, Settings: []report.Setting{{Name: "compiled", Small: 2, Large: 5, Own: true}, {Name: "theirs", Small: 9, Large: 3}}})
	for _, want := range []string{"Beside what others publish", "lost &lt;all&gt;", ">compiled<", ">theirs<", "slowdown of messages from 1 MB on"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(page, "<circle "); n-strings.Count(draw(nil), "<circle ") != 2 {
		t.Errorf("%d circles", n)
	}
	if page := draw(&report.Trade{Lines: []string{"nothing"}}); !strings.Contains(page, "<p>nothing</p>") || strings.Contains(page, "slowdown of messages") {
		t.Error("a picture of nothing")
	}
	if strings.Contains(draw(nil), "Beside what others publish") {
		t.Error("a heading of nothing")
	}
}

// A reader sees the whole page at a desk and on a telephone, by day and by night, with all tables unfolded.
func TestLegible(t *testing.T) {
	pages := map[string]string{
		"/pod":      page(t, read(t, "tomahawk5-ai-pod"), true, "incast-2", "incast-8"),
		"/eos":      page(t, read(t, "mixed-cabling"), true),
		"/findings": page(t, roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte("fabric \"pod\" {\n  mtu = \"9216\"\n}\n")}}}, false),
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, pages[r.URL.Path]) })
	const unfold = `for (const d of document.querySelectorAll("details")) d.open = true; await new Promise(r => setTimeout(r, 300))`
	browser.Legible(t, handler, browser.Visit{Path: "/pod", Do: unfold}, browser.Visit{Path: "/eos", Do: unfold}, browser.Visit{Path: "/findings"})
}

// Scenarios that missed a goal come first. The findings of verify are findings of the page, except for conditions: these are
// at their switch, with the edits that make them needless.
func TestFirstWhatMatters(t *testing.T) {
	in := read(t, "mixed-cabling")
	compiled := must.Get(roceplan.Compile(t.Context(), roceplan.Load(in), roceplan.CompileOptions{}))(t)
	offers := must.Get(roceplan.Offers(t.Context(), in))(t)
	runs := []pattern.Outcome{{Pattern: "fine", Missed: []string{}, Skipped: "not cabled"}, {Pattern: "poor", Missed: []string{"throughput", "latency"}, Skipped: "not cabled"}}
	var out bytes.Buffer
	must.Do(t, report.Write(&out, compiled, report.Options{Runs: runs, Offers: offers}))
	top, rest, _ := strings.Cut(out.String(), "<h2>Topology")
	if !strings.Contains(top, "1 of 2 scenarios misses a goal") || !strings.Contains(top, `<a href="#run-2">poor</a>: throughput, latency`) || strings.Index(rest, `id="run-2"`) > strings.Index(rest, `id="run-1"`) {
		t.Errorf("what missed a goal does not come first: %s", top[strings.Index(top, "<h1>"):])
	}
	_, findings, _ := strings.Cut(rest, `<h2 id="findings">`)
	if !strings.Contains(findings, "proof-ecn-before-pfc") || strings.Contains(findings, "proof-assumed") {
		t.Errorf("the findings are %s", findings)
	}
	if !strings.Contains(rest, "declare it if it is so: ") && !strings.Contains(rest, "no edit of the fabric proves it: ") {
		t.Error("conditions have no edits")
	}
}
