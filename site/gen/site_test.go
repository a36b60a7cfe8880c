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
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// The site is made as a person makes it, and then looked at.
func TestSite(t *testing.T) {
	oracle.Command(t, "hugo", "hugo")
	oracle.Command(t, "chromium", "chromium")
	oracle.Command(t, "npm", "npm")
	out := filepath.Join(t.TempDir(), "site")
	if text, err := exec.Command("make", "-C", "../..", "site", "SITE="+out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Run("Links", func(t *testing.T) { links(t, out) })
	t.Run("Sources", func(t *testing.T) { sources(t, out) })
	t.Run("Browser", func(t *testing.T) { pages(t, out) })
	t.Run("Legible", func(t *testing.T) { legible(t, out) })
	t.Run("Search", func(t *testing.T) { search(t, out) })
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
	must.Do(t, filepath.WalkDir(out, func(file string, d fs.DirEntry, err error) error {
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
			if asked := asks.FindAll(text, -1); asked != nil {
				t.Errorf("%s asks for %q", at, asked)
			}
		}
		return nil
	}))
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

// asks is what a style sheet loads; a picture may be part of the sheet.
var asks = regexp.MustCompile(`@import|url\((?:[^"']|["'](?:[^d]|d[^a]))`)

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
	tree := must.Get(html.Parse(bytes.NewReader(text)))(t)
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
	must.Equal(t, console, "")
	title := regexp.MustCompile(`<title>(.*?)</title>`).FindStringSubmatch(dom)
	if title == nil {
		t.Fatalf("the page has no title: %.300s", dom)
	}
	return title[1]
}

// kinds has a page of each kind.
func kinds() []string {
	return []string{"", "tutorials/", "tutorials/first-fabric/", "howto/", "howto/conditional/", "guides/glossary/", "guides/sim-results/", "reference/language/", "reference/findings/",
		"reference/findings/ecn-missing/", "reference/formulas/newcomer-share/", "reference/targets/", "reference/chips/tomahawk5/"}
}

// legible holds that a page of each kind can be read at a desk and on a telephone.
func legible(t *testing.T, out string) {
	var visits []browser.Visit
	for _, at := range kinds() {
		visits = append(visits, browser.Visit{Path: "/" + at})
	}
	browser.Legible(t, http.FileServer(http.Dir(out)), visits...)
}

// found types words into the search of a page, and waits for the page that they ask for.
const found = `
  const until = async (what, aim) => {
    for (let i = 0; i < 400; i++) { const got = what(); if (got) return got; await new Promise(r => setTimeout(r, 50)); }
    throw new Error("in vain: " + aim + "; " + document.querySelector("pagefind-modal").textContent.slice(0, 900));
  };
  (await until(() => document.querySelector("pagefind-modal-trigger button"), "the button")).click();
  const input = await until(() => document.querySelector("pagefind-modal input"), "the input");
  for (const [words, page] of Object.entries({
    "newcomer guarantee": "reference/formulas/newcomer-guarantee/", "headroom-below-8023": "reference/findings/headroom-below-8023/",
    "bandwidth-delay product": "guides/glossary/", "which cable may be longest": "howto/cable/", "tomahawk 5": "reference/chips/tomahawk5/",
  })) {
    input.value = words;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    await until(() => [...document.querySelectorAll("pagefind-modal a")].find(a => new URL(a.href).pathname === "/below/" + page), words);
    look();
  }
  return "found";`

// search holds that words lead to their page, from wherever on the site, and that results are legible.
func search(t *testing.T, out string) {
	files := http.StripPrefix("/below", http.FileServer(http.Dir(out)))
	for _, s := range browser.Measure(t, files, false, []browser.Visit{{Path: "/below/guides/using/", Width: 1280, Do: found}}) {
		if s.Said != "found" {
			t.Error(s.Failed)
		}
	}
	browser.Legible(t, files, browser.Visit{Path: "/below/", Do: found})
}

// pages opens a page of each kind. What a browser asks for and does not get, and what it says on its
// console, is a failure.
func pages(t *testing.T, out string) {
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
	must.Do(t, os.WriteFile(filepath.Join(out, "visit.html"), fmt.Appendf(nil, script, strings.Join(kinds(), " ")), 0o666))
	must.Equalf(t, visit(t, served(t, out)+"visit.html"), fmt.Sprint("seen ", len(kinds())), "the browser says")
}

// using is the beginning of scripts of the playground.
const using = `
  const $ = id => document.getElementById(id), main = document.querySelector("main");
  const until = async (what, aim) => {
    for (let i = 0; i < 1200; i++) { const got = what(); if (got) return got; await new Promise(r => setTimeout(r, 50)); }
    throw new Error("in vain: " + aim + "; " + $("status").textContent + "; " + main.textContent.slice(0, 300));
  };
  await until(() => window.playground, "it starts");
  const { view, text, replace } = window.playground, good = text();
  const press = name => document.querySelector("nav [data-view=" + name + "]").click();
  const done = async aim => { await until(() => $("status").dataset.on === undefined, aim); await new Promise(r => setTimeout(r, 100)); };
  const button = (title, from = main) => [...from.querySelectorAll("button")].find(b => b.textContent.startsWith(title));
  const key = (key, code, more) => view.contentDOM.dispatchEvent(new window.KeyboardEvent("keydown", {key, code: "Key" + key, keyCode: code, bubbles: true, cancelable: true, ...more}));
`

// visitor spoils the MTU and repairs it by the edits that are offered, next to the text and in it; looks at files, at an
// explanation after switches are renamed, at a verdict that an edit improves, at a run; completes a word; shares the text.
const visitor = using + `
  const spoiled = good.replace(/mtu( *)= "(\d+)B"/, 'mtu$1= "$2"');
  replace(spoiled);
  await until(() => main.textContent.includes("unit-missing"), "the finding");
  await until(() => [...main.querySelectorAll(".source")].some(e => e.textContent.includes("^^^") && getComputedStyle(e).whiteSpace === "pre"), "the line, which does not wrap");
  await until(() => document.querySelector(".cm-lintRange-error"), "the finding in the text");
  (await until(() => button("Apply the edit"), "an edit")).click();
  await until(() => text() === good, "the repair");
  key("M", 77, {ctrlKey: true, shiftKey: true});
  await until(() => document.querySelector(".cm-panels .cm-panel-lint"), "the panel, which is open before there is a finding");
  replace(spoiled);
  (await until(() => button("Edit ", document.querySelector(".cm-panels") ?? main), "an edit in the text")).click();
  await until(() => text() === good, "the second repair");
  await until(() => main.textContent.includes("No findings."), "that nothing is wrong");

  press("files");
  await until(() => main.textContent.trimStart()[0] === "{" && $("file").options.length > 0, "files");
  press("explain");
  await until(() => main.textContent.includes("headroom"), "an explanation");
  replace(good.replace(/switch "[a-z]+/, 'switch "rack'));
  await until(() => $("what").value.startsWith("rack"), "an explanation of the new switch");

  await until(() => $("examples").options.length > 5, "examples");
  $("examples").value = "tomahawk5-ai-pod";
  $("examples").dispatchEvent(new window.Event("change"));
  await until(() => text().includes("800G"), "the example");
  replace(text().replace(/^.*pause_response.*\n/gm, "")); // which makes it conditional
  press("verify");
  await until(() => main.textContent.includes("conditional"), "a verdict");
  const before = text();
  (await until(() => button("Apply"), "an edit that proves")).click();
  await until(() => text() !== before, "the edit");

  press("simulate");
  $("run").click();
  await until(() => $("scenario").options.length > 10, "scenarios");
  $("scenario").value = "incast-8";
  $("run").click();
  await until(() => main.querySelector("figure svg") && main.textContent.includes("lossless packets lost"), "a run");
  press("report");
  await until(() => main.querySelector("iframe")?.srcdoc.includes("Topology"), "the report");

  view.dispatch({changes: {from: 0, insert: "traffic_class \"x\" {\n  \n}\n"}, selection: {anchor: 22}});
  view.focus();
  await new Promise(r => setTimeout(r, 500));
  key(" ", 32, {ctrlKey: true, code: "Space"});
  await until(() => document.querySelector(".cm-tooltip-autocomplete")?.textContent.includes("dscp"), "completion");
  $("share").click();
  const link = await until(() => $("link").value, "a link");
  const other = document.createElement("iframe");
  other.src = link.replace("/?", "/?again&");
  document.body.append(other);
  await until(() => other.contentWindow?.playground?.text() === text(), "the text behind the link");
  other.remove();
  return "visited";`

// shown opens each view and measures it. On a telephone there is one at a time.
const shown = using + `
  for (const name of ["findings", "files", "explain", "verify", "simulate", "report"]) {
    press(name);
    await done(name);
    if (name === "simulate") { $("run").click(); await done("run"); }
    look();
  }
  $("share").click();
  await until(() => $("link").value, "a link");
  if (window.innerWidth < 700) { press("text"); if (!view.dom.offsetHeight || main.offsetHeight) throw new Error("two views at a time"); }`

// playground holds that the page works as part of the site, and that a download of all of it has at most 8 MB.
func playground(t *testing.T, out string) {
	folder := filepath.Join(out, "playground", "app")
	packed := 0
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		_, _ = w.Write(text) // a buffer takes all
		_ = w.Close()
		packed += small.Len()
		return err
	})
	if err != nil || packed > 8e6 || packed < 1e6 {
		t.Errorf("the page has %d bytes, gzipped: %v", packed, err)
	}
	files := http.FileServer(http.Dir(folder))
	for _, s := range browser.Measure(t, files, false, []browser.Visit{{Path: "/", Width: 1280, Do: visitor}}) {
		must.Equalf(t, s.Said, "visited", "the visitor is stuck: %s:", s.Failed)
	}
	browser.Legible(t, files, browser.Visit{Path: "/", Do: shown})

	// The page runs its own scripts and no other, however it came there.
	spoiled := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			files.ServeHTTP(w, r)
			return
		}
		page, err := os.ReadFile(filepath.Join(folder, "index.html"))
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(bytes.Replace(page, []byte("</body>"), []byte(`<script>window.injected = true</script><img src="data:," onerror="window.injected = true"></body>`), 1))
	})
	const title = using + `return window.injected + " " + document.title`
	if s := browser.Measure(t, spoiled, false, []browser.Visit{{Path: "/", Width: 1280, Do: title}})[0]; s.Said != "undefined roceplan playground, ready" {
		t.Errorf("what was injected runs, or the page does not: %s %s", s.Said, s.Failed)
	}
}
