package main_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/oracle"
)

// built builds the page as make playground does.
func built(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "playground")
	c := exec.Command("make", "-C", "../..", "playground", "PLAYGROUND="+out)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// The page works in Chromium: it finds what is wrong, draws the report, asks nobody but its own
// server, and says nothing on the console. The program has at most 8 MB on the way.
func TestPlayground(t *testing.T) {
	oracle.Command(t, "chromium", "chromium")
	folder := built(t)
	program, err := os.ReadFile(filepath.Join(folder, "roceplan.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(program); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if packed.Len() > 8e6 {
		t.Errorf("the program has %d bytes, gzipped", packed.Len())
	}
	page, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	// A visitor who spoils the MTU, mends it, and looks at the report.
	visit := `<script>(async () => {
  while (!document.title.includes("ready")) await new Promise(r => setTimeout(r, 50));
  const good = $("text").value;
  $("text").value = good.replace(/mtu( *)= "(\d+)B"/, 'mtu$1= "$2"');
  run();
  const broken = $("out").textContent.includes("unit-missing");
  $("text").value = good;
  document.body.dataset.view = "compile"; run();
  const files = $("file").length, begun = $("out").textContent.trimStart()[0];
  document.body.dataset.view = "explain"; run();
  const explained = $("out").textContent.includes("buffer-fits");
  document.body.dataset.view = "report"; run();
  const drawn = document.querySelector("iframe").srcdoc.includes("Topology");
  document.title = ["visited", broken, files > 0, begun, explained, drawn].join(" ");
})()</script></body>`
	if err := os.WriteFile(filepath.Join(folder, "index.html"), bytes.Replace(page, []byte("</body>"), []byte(visit), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	c := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=60000", "--dump-dom", server.URL)
	var dom, log bytes.Buffer
	c.Stdout, c.Stderr = &dom, &log
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	title := regexp.MustCompile(`<title>(.*?)</title>`).FindStringSubmatch(dom.String())
	if title == nil || title[1] != "visited true true { true true" {
		t.Errorf("the page says %q", title)
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Error(line)
		}
	}
}
