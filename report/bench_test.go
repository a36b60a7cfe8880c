package report_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/browser"
)

// opened says when the page was loaded and when it was drawn after that, by the clock of the
// browser, in milliseconds from its being asked for.
const opened = `addEventListener("load",()=>setTimeout(()=>requestAnimationFrame(()=>setTimeout(()=>
fetch("/told",{method:"POST",body:performance.getEntriesByType("navigation")[0].loadEventEnd+" "+performance.now()})))))`

// BenchmarkOpens is how long Chromium takes to open the page of 1,000 switches that all differ,
// with margins: from asking for it to the first picture after the load event. It reports the
// slowest of all runs.
func BenchmarkOpens(b *testing.B) {
	text, err := os.ReadFile("testdata/shapes.hcl")
	if err != nil {
		b.Fatal(err)
	}
	many := strings.Replace(string(text), "count = 250", "count = 1000", 1)
	got := page(b, roceplan.Input{Files: []roceplan.Source{{Name: "shapes.hcl", Text: []byte(many)}}}, true)
	got = browser.Add(got, opened)
	var loads, drawn []float64
	for b.Loop() {
		var load, draw float64
		told := browser.Ask(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, got) }), "/")
		if _, err := fmt.Sscan(told, &load, &draw); err != nil {
			b.Fatal(told, err)
		}
		loads, drawn = append(loads, load), append(drawn, draw)
	}
	b.ReportMetric(float64(len(got))/1e6, "MB")
	b.ReportMetric(slices.Max(loads), "load-ms")
	b.ReportMetric(slices.Max(drawn), "drawn-ms")
}
