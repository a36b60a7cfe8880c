package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/browser"
)

// checks spoils the text of the playground and corrects it, ten times. It says when the page could
// be used, and how long the slowest check after that and the slowest report took.
const checks = `(async () => {
  while (!window.playground) await new Promise(r => setTimeout(r, 5));
  const { text, replace, ask } = window.playground;
  const ready = performance.now(), good = text(), took = {findings: 0, report: 0};
  for (let i = 0; i < 20; i++) {
    replace(i % 2 ? good : good.replace(/mtu( *)= "(\d+)B"/, 'mtu$1= "$2"'));
    const call = i < 18 ? "findings" : "report", from = performance.now();
    await ask(call);
    took[call] = Math.max(took[call], performance.now() - from);
  }
  fetch("/told", {method: "POST", body: [ready, took.findings, took.report].join(" ")});
})()`

// BenchmarkPlayground is how long Chromium takes until the playground can be used, and for a check
// and a report of init's fabric in it. It reports the slowest of all.
func BenchmarkPlayground(b *testing.B) {
	folder := b.TempDir()
	build := exec.Command("make", "playground", "PLAYGROUND="+folder)
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	index := filepath.Join(folder, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(index, []byte(browser.Add(string(page), checks)), 0o666); err != nil {
		b.Fatal(err)
	}
	var ready, checked, drawn []float64
	for b.Loop() {
		var start, check, report float64
		told := browser.Ask(b, http.FileServer(http.Dir(folder)), "/")
		if _, err := fmt.Sscan(told, &start, &check, &report); err != nil {
			b.Fatal(told, err)
		}
		ready, checked, drawn = append(ready, start), append(checked, check), append(drawn, report)
	}
	b.ReportMetric(slices.Max(ready), "ready-ms")
	b.ReportMetric(slices.Max(checked), "check-ms")
	b.ReportMetric(slices.Max(drawn), "report-ms")
}
