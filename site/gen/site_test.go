package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/roceplan/roceplan/internal/testing/browser"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// The site is made as a person makes it, and then looked at.
func TestSite(t *testing.T) {
	oracle.Command(t, "hugo", "hugo")
	oracle.Command(t, "chromium", "chromium")
	out := filepath.Join(t.TempDir(), "site")
	if text, err := exec.Command("make", "-C", "../..", "site", "SITE="+out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Run("Links", func(t *testing.T) { links(t, out) })
	t.Run("Sources", func(t *testing.T) { sources(t, out) })
	t.Run("Browser", func(t *testing.T) { pages(t, out) })
	t.Run("Playground", func(t *testing.T) { playground(t, out) })
}

// A document is what links of an HTML page need: where they lead, and where they may end.
type document struct {
	ids       map[string]bool
	links     []string // of the reader
	resources []string // of the browser
}

// links holds that every link and anchor leads somewhere, wherever the site stands, and that no
// page asks anybody else for anything.
func links(t *testing.T, out string) {
	pages := map[string]document{}
	err := filepath.WalkDir(out, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		at, err := filepath.Rel(out, file)
		text, unread := os.ReadFile(file)
		if err != nil || unread != nil {
			t.Fatal(err, unread)
		}
		switch filepath.Ext(file) {
		case ".html":
			pages[filepath.ToSlash(at)] = read(t, text)
		case ".css":
			if bytes.Contains(text, []byte("url(")) || bytes.Contains(text, []byte("@import")) {
				t.Errorf("%s asks for something", at)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for at, page := range pages {
		for _, target := range page.resources {
			if !strings.HasPrefix(target, "data:") {
				follow(t, out, pages, at, target, false)
			}
		}
		for _, target := range page.links {
			seen++
			follow(t, out, pages, at, target, true)
		}
	}
	if len(pages) < 500 || seen < 5000 {
		t.Errorf("%d pages with %d links, too few to mean anything", len(pages), seen)
	}
}

const ours = "https://github.com/roceplan/roceplan"

// follow goes where a link leads. Elsewhere only a reader may go; what is said to be in the
// repository must be.
func follow(t *testing.T, out string, pages map[string]document, at, target string, away bool) {
	to, err := url.Parse(target)
	switch {
	case err != nil:
		t.Errorf("%s: %v", at, err)
	case to.Scheme == "https" || to.Scheme == "http":
		file, inside := strings.CutPrefix(target, ours+"/blob/main/")
		file, _, _ = strings.Cut(file, "#")
		if _, err := os.Stat(filepath.Join("../..", file)); !away || inside && err != nil {
			t.Errorf("%s leads to %s: %v", at, target, err)
		}
	case to.Scheme != "" || strings.HasPrefix(target, "/"):
		t.Errorf("%s leads to %s, which depends on where the site stands", at, target)
	default:
		file := path.Join(path.Dir(at), to.Path)
		if to.Path == "" {
			file = at
		} else if strings.HasSuffix(to.Path, "/") || path.Ext(file) == "" {
			file = path.Join(file, "index.html")
		}
		if _, err := os.Stat(filepath.Join(out, file)); err != nil {
			t.Errorf("%s leads to %s: %v", at, target, err)
		} else if to.Fragment != "" && !pages[file].ids[to.Fragment] {
			t.Errorf("%s leads to %s: %s has no such anchor", at, target, file)
		}
	}
}

// read finds ids, links and resources of a page.
func read(t *testing.T, text []byte) document {
	d := document{ids: map[string]bool{}}
	tree, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range tree.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				d.ids[a.Val] = true
			case a.Key == "href" && n.Data == "a":
				d.links = append(d.links, a.Val)
			case a.Key == "href", a.Key == "src", a.Key == "data", a.Key == "poster", a.Key == "action", a.Key == "srcset":
				d.resources = append(d.resources, a.Val)
			}
		}
	}
	return d
}

// sources holds that the references say what their sources say: one thing of each.
func sources(t *testing.T, out string) {
	for at, want := range map[string]string{
		"reference/language":                     "<code>expected_delay</code>",
		"reference/commands":                     "roceplan audit-host",
		"reference/findings/headroom-below-8023": "headroom-below-8023",
		"reference/findings/ecn-missing":         "ecn-missing",
		"reference/formulas/newcomer-guarantee":  "<mi>need</mi><mo>≤</mo><mi>share</mi>",
		"reference/chips/tomahawk5":              "<code>cell_size</code></td>\n<td>254B</td>\n<td>measured</td>",
		"reference/nics/connectx-7":              "rpg_time_reset",
		"reference/targets/eos":                  "eos-session.txt",
		"reference/platforms":                    "x86_64-arista_7060x6_64pe",
	} {
		text, err := os.ReadFile(filepath.Join(out, at, "index.html"))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), want) {
			t.Errorf("%s does not have %q", at, want)
		}
	}
}

// served serves the site below a path, and reports what it does not have.
func served(t *testing.T, out string) (address string) {
	files := http.StripPrefix("/below/", http.FileServer(http.Dir(out)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &noted{ResponseWriter: w}
		files.ServeHTTP(answer, r)
		if answer.status >= 400 {
			t.Errorf("the browser asked for %s: %d", r.URL, answer.status)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/below/"
}

// noted remembers how a request was answered.
type noted struct {
	http.ResponseWriter
	status int
}

func (n *noted) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

// visit opens an address in Chromium, which finds nobody but the server, and returns the title
// that the page gave itself in the end.
func visit(t *testing.T, address string) string {
	t.Helper()
	dom, console := browser.Look(t, address)
	if console != "" {
		t.Error(console)
	}
	title := regexp.MustCompile(`<title>(.*?)</title>`).FindStringSubmatch(dom)
	if title == nil {
		t.Fatalf("the page has no title: %.300s", dom)
	}
	return title[1]
}

// pages opens a page of each kind. What a browser asks for and does not get, and what it says on its
// console, is a failure.
func pages(t *testing.T, out string) {
	kinds := []string{"", "tutorials/", "tutorials/first-fabric/", "guides/sim-results/", "reference/language/", "reference/findings/",
		"reference/findings/ecn-missing/", "reference/formulas/newcomer-share/", "reference/targets/", "reference/chips/tomahawk5/"}
	// A page of formulas must be drawn: a fraction is higher than its line.
	script := `<!doctype html><title>visiting</title><link rel="icon" href="data:,"><body><script>(async () => {
  let good = 0;
  for (const at of %q.split(" ")) {
    const frame = document.body.appendChild(document.createElement("iframe"));
    const loaded = new Promise(done => frame.onload = done);
    frame.src = at + "index.html";
    await loaded;
    const inside = frame.contentDocument;
    good += inside.querySelector("h1") && inside.styleSheets[0].cssRules.length > 10 ? 1 : 0;
    for (const f of inside.querySelectorAll("mfrac")) if (f.getBoundingClientRect().height < 20) good--;
  }
  document.title = "seen " + good;
})()</script>`
	if err := os.WriteFile(filepath.Join(out, "visit.html"), fmt.Appendf(nil, script, strings.Join(kinds, " ")), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := visit(t, served(t, out)+"visit.html"), fmt.Sprint("seen ", len(kinds)); got != want {
		t.Errorf("the browser says %q, want %q", got, want)
	}
}

// playground holds that the page works as part of the site: it finds what is wrong, shows files,
// explains, draws the report. The program has at most 8 MB on the way.
func playground(t *testing.T, out string) {
	folder := filepath.Join(out, "playground", "app")
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
	// A visitor who spoils the MTU, fixes it, and looks at the report.
	acts := `(async () => {
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
  document.title = parent.document.title = ["visited", broken, files > 0, begun, explained, drawn].join(" ");
})()`
	for name, text := range map[string][]byte{"acts.js": []byte(acts), "index.html": bytes.Replace(page, []byte("</body>"), []byte(`<script src="acts.js"></script></body>`), 1)} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := visit(t, served(t, out)+"playground/"); got != "visited true true { true true" {
		t.Errorf("the page says %q", got)
	}
}
