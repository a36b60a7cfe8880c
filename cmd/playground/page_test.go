package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/browser"
	"github.com/roceplan/roceplan/report"
)

// stub is the program as the page sees it. Its report is PAGE, which the page shows as soon as it is ready.
const stub = `class Go { importObject = {}; run() {} }
WebAssembly.instantiateStreaming = async () => ({instance: {}});
const answer = () => '{"text": "fine", "files": []}';
const roceplan = {check: answer, compile: answer, explain: answer, format: answer, report: () => JSON.stringify({page: PAGE})};
const wait = setInterval(() => {
  if (!document.title.includes("ready")) return;
  clearInterval(wait);
  document.body.dataset.view = "report";
  run();
}, 50);`

// The page runs its own script and that of the report in it, and no other: by its policy, which has
// the digest of the report's script.
func TestPolicy(t *testing.T) {
	compiled, err := roceplan.Compile(t.Context(), roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "a.hcl", Text: []byte(`fabric "a" {}`)}}}), roceplan.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var drawn bytes.Buffer
	if err := report.Write(&drawn, compiled, report.Options{}); err != nil {
		t.Fatal(err)
	}
	inject := func(page string) string {
		return strings.Replace(page, "</body>", `<script>document.title = "injected"</script></body>`, 1)
	}
	inner, err := json.Marshal(inject(drawn.String()))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for path, text := range map[string]string{"/{$}": inject(string(page)), "/wasm_exec.js": strings.Replace(stub, "PAGE", string(inner), 1), "/fabric.hcl": "", "/roceplan.wasm": ""} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".js") {
				w.Header().Set("Content-Type", "text/javascript")
			}
			_, _ = io.WriteString(w, text)
		})
	}
	mux.Handle("/playground.js", http.FileServer(http.Dir("page")))
	server := httptest.NewServer(mux)
	defer server.Close()
	dom, console := browser.Look(t, server.URL)
	if strings.Contains(dom, "<title>injected") || !strings.Contains(dom, `data-view="report" aria-pressed="true"`) || !strings.Contains(dom, "<iframe ") {
		t.Errorf("what was injected runs, or the page does not: %.2000s %s", dom, console)
	}
	if n := strings.Count(console, "Content Security Policy"); n != 3 {
		t.Errorf("the browser refuses %d scripts, want that of the page by its policy, and that of the report by both: %s", n, console)
	}
}
