package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v4"
	"golang.org/x/net/html"

	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// An injection is a way out of the place of a text, and what would come after it: the product of two
// lists. What gets out is called canary.
type injection struct{ ways, commands []string }

func (in injection) all() (texts []string) {
	for _, way := range in.ways {
		for _, command := range in.commands {
			texts = append(texts, strings.ReplaceAll(way, "X", command))
		}
	}
	return texts
}

var (
	intoShell = injection{
		[]string{"X", "'X'", `"X"`, "';X;'", `";X;"`, "$(X)", "`X`", "a\nX\n", "'\nX\n'", "|X", "&&X", "#\nX", `\';X;#`, "\nEOF\nX\n"},
		[]string{"touch canary", "touch${IFS}canary", ": >canary"},
	}
	intoHTML = injection{
		[]string{"X", `">X`, "'>X", "</title>X", "</script>X", "</style>X", "-->X", "</svg>X", "]]>X", "</li></ul>X", `" onload="canary" X`, "' onload='canary' X"},
		[]string{"<canary>", "<img src=x onerror=canary>", "<script>canary</script>", "<a href=javascript:canary>x</a>"},
	}
	intoMarkdown = injection{
		[]string{"X", "|X|", "`|X", "a\n\nX", "a\n|X|", "](X", "**X**", "\\X"},
		[]string{"[x](http://canary.example)", "![x](http://canary.example/x.png)", "@canary", "<img src=http://canary.example>", "http://canary.example", "# canary", "www.canary.example"},
	}
	intoYAML = injection{
		[]string{"X", "'X", `"X`, "a\nX", "'\nX", "\"\nX", "a: b\nX", "|\n  X"},
		[]string{"canary: true", "- alert: canary", "!!canary {}", "&canary *canary", "---\ncanary: 1"},
	}
	intoPromQL = injection{
		[]string{`"X`, `"}X`, `"}) X`, `\"}X`, `\\"}X`, "`}X", "\"}\nX", "X"},
		[]string{` or vector(1) #`, ` or up{canary="`, ` or canary`, `{{ query "canary" }}`, `,canary="x"`},
	}
)

// No text of a fabric, of a running configuration or of a mapping of metrics gets out of its place in
// what is written: pages, comments of a pull request, scripts, rules.
func TestInjections(t *testing.T) {
	in, tried := writerInputs(t), 0
	for _, c := range []struct {
		name string
		into injection
		try  func(*testing.T, string, []string)
	}{
		{"HTML", intoHTML, injectHTML}, {"Markdown", intoMarkdown, injectMarkdown}, {"Shell", intoShell, injectShell},
		{"YAML", intoYAML, injectRules}, {"PromQL", intoPromQL, injectRules},
	} {
		texts := c.into.all()
		tried += len(texts)
		t.Run(c.name, func(t *testing.T) { c.try(t, in, texts) })
	}
	if tried < 200 {
		t.Errorf("only %d injections are tried", tried)
	}
	t.Logf("%d injections", tried)
}

// hclText writes a text as a string of HCL.
func hclText(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(text))
}

// injectHTML has texts in names and values of a fabric, whose report shows findings about them.
func injectHTML(t *testing.T, in string, texts []string) {
	shown := 0
	for i, text := range texts {
		file, page := filepath.Join(in, "evil.hcl"), filepath.Join(in, fmt.Sprintf("page%d.html", i))
		evil := strings.NewReplacer(`"servers"`, hclText(text), `"3m"`, hclText(text), `"rest"`, hclText(text), `"100Gbps"`, hclText(text), `"pod"`, hclText(text)).Replace(watchedPod)
		check(t, os.WriteFile(file, []byte(evil), 0o666))
		check(t, runOn(t, disk.System{}, "report", file, "-o", page))
		written, err := os.ReadFile(page)
		check(t, err)
		if strings.Contains(string(written), "canary") {
			shown++
		}
		tree, err := html.Parse(strings.NewReader(string(written)))
		check(t, err)
		if what := outOfPlace(tree); what != "" {
			t.Errorf("%q becomes %s in %s", text, what, page)
		}
	}
	if shown < len(texts) {
		t.Errorf("%d of %d texts are on a page", shown, len(texts))
	}
}

// ownLink is where links of the page of report lead: to its own parts, by names that no text has.
var ownLink = regexp.MustCompile(`^#(findings|run-[0-9]+)$`)

// outOfPlace returns the element of a tree that came from a text, or that a text changed.
func outOfPlace(tree *html.Node) string {
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && len(n.Attr) == 1 && n.Attr[0].Key == "href" && ownLink.MatchString(n.Attr[0].Val) {
			continue
		}
		script := n.Type == html.ElementNode && n.Data == "script" && n.FirstChild != nil && strings.HasPrefix(n.FirstChild.Data, "canary")
		if script || n.Type == html.ElementNode && slices.Contains([]string{"canary", "img", "a", "iframe", "object", "h1canary"}, n.Data) {
			return "<" + n.Data + ">"
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "javascript:") {
				return a.Key + " of <" + n.Data + ">"
			}
		}
	}
	return ""
}

// evilConfig writes a running configuration with texts as names of rows and of fields. References
// stay as they are: what refers to nothing has no plan.
func evilConfig(t *testing.T, in, path string, texts ...string) {
	written, err := os.ReadFile(filepath.Join(in, "tor-1.json"))
	check(t, err)
	var config map[string]map[string]map[string]any
	check(t, json.Unmarshal(written, &config))
	for _, table := range []string{"BUFFER_POOL", "BUFFER_PROFILE", "WRED_PROFILE", "SCHEDULER"} {
		for _, name := range slices.Sorted(maps.Keys(config[table])) {
			for _, text := range texts {
				config[table][text] = maps.Clone(config[table][name])
				config[table][name][text] = text
			}
		}
	}
	written, err = json.Marshal(config)
	check(t, err)
	check(t, os.MkdirAll(filepath.Dir(path), 0o777))
	check(t, os.WriteFile(path, written, 0o666))
}

// injectMarkdown has texts in names of a configuration, which diff shows. Hugo's Markdown, which has
// GitHub's tables and links, is the judge.
func injectMarkdown(t *testing.T, in string, texts []string) {
	hugo := oracle.Command(t, "hugo", "hugo")
	site, shown := t.TempDir(), 0
	put := func(path, text string) {
		check(t, os.MkdirAll(filepath.Dir(filepath.Join(site, path)), 0o777))
		check(t, os.WriteFile(filepath.Join(site, path), []byte(text), 0o666))
	}
	put("hugo.toml", "disableKinds = ['taxonomy','term','RSS','sitemap','home','section']\n[markup.goldmark.renderer]\nunsafe = true\n")
	put("layouts/_default/single.html", "{{.Content}}")
	cells := map[string]int{}
	for i, text := range append([]string{"harmless"}, texts...) {
		evilConfig(t, in, filepath.Join(in, "evil", "tor-1", "config_db.json"), text)
		out, err := output(t, "diff", filepath.Join(in, "evil"), filepath.Join(in, "pod.hcl"), "--var", "priority=3", "--format", "markdown")
		check(t, err)
		if strings.Contains(out, "canary") {
			shown++
		}
		put(fmt.Sprintf("content/p%d.md", i), "---\ntitle: x\n---\n"+out)
	}
	if text, err := exec.Command(hugo, "--quiet", "--source", site).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	mention := regexp.MustCompile(`(^|[^\w/@])@\w`)
	for i := range len(texts) + 1 {
		page, err := os.ReadFile(filepath.Join(site, "public", fmt.Sprintf("p%d", i), "index.html"))
		check(t, err)
		tree, err := html.Parse(strings.NewReader(string(page)))
		check(t, err)
		what := outOfPlace(tree)
		n := 0
		for e := range tree.Descendants() {
			switch {
			case e.Type == html.ElementNode && slices.Contains([]string{"td", "th", "p", "li", "h1", "h2", "h3"}, e.Data):
				n++
			case e.Type == html.TextNode && e.Parent.Data != "code" && mention.MatchString(e.Data):
				what = "a mention"
			}
		}
		cells[fmt.Sprint(n)]++
		if i > 0 && what != "" {
			t.Errorf("%q becomes %s", texts[i-1], what)
		}
	}
	if len(cells) != 1 {
		t.Errorf("pages have different numbers of cells and paragraphs: %v", cells)
	}
	if shown < len(texts)/2 {
		t.Errorf("%d of %d texts are shown", shown, len(texts))
	}
}

// output runs a command and returns what it prints.
func output(t *testing.T, args ...string) (string, error) {
	var out, told strings.Builder
	if code := run(args, strings.NewReader(""), &out, &told, func(string) string { return "" }); code > exitFindings {
		return "", fmt.Errorf("%v: %s", args, told.String())
	}
	return out.String(), nil
}

// injectShell has texts in names of a configuration that patch leads away from by scripts, and runs these
// with programs that do nothing.
func injectShell(t *testing.T, in string, texts []string) {
	shell := oracle.Command(t, "bash", "bash")
	tools := t.TempDir()
	for _, tool := range []string{"config", "sonic-db-cli", "sonic-cfggen", "ecnconfig", "mmuconfig", "redis-cli", "sudo", "jq", "sleep", "show"} {
		check(t, os.WriteFile(filepath.Join(tools, tool), []byte("#!/bin/sh\nexit 0\n"), 0o777))
	}
	evilConfig(t, in, filepath.Join(in, "evil.json"), texts...)
	steps := filepath.Join(in, "steps")
	_, err := output(t, "patch", filepath.Join(in, "pod.hcl"), "tor-1", "--var", "priority=3", "--against", filepath.Join(in, "evil.json"), "--steps", steps)
	check(t, err)
	files, err := filepath.Glob(filepath.Join(steps, "*.sh"))
	check(t, err)
	undo, err := filepath.Glob(filepath.Join(steps, "undo", "*.sh"))
	check(t, err)
	named := 0
	for _, file := range append(files, undo...) {
		written, err := os.ReadFile(file)
		check(t, err)
		named += strings.Count(string(written), "canary")
		c := exec.Command(shell, file)
		c.Dir, c.Env = steps, []string{"PATH=" + tools + ":" + os.Getenv("PATH")}
		out, _ := c.CombinedOutput() // programs that do nothing are no switch
		if strings.Contains(string(out), "syntax error") || strings.Contains(string(out), "not found") {
			t.Errorf("%s: %s", file, out)
		}
		for _, dir := range []string{steps, filepath.Join(steps, "undo"), "."} {
			if _, err := os.Stat(filepath.Join(dir, "canary")); err == nil {
				t.Fatalf("a text runs in %s:\n%s", file, written)
			}
		}
	}
	if named < len(texts) {
		t.Errorf("the scripts name %d of %d texts", named, len(texts))
	}
}

// injectRules has texts in a label of a metric. The rules are those of a harmless text but for the
// one place, to YAML's parser and to promtool.
func injectRules(t *testing.T, in string, texts []string) {
	type group struct {
		Name  string
		Rules []map[string]any
	}
	files := []string{"check", "rules"}
	rules := func(text string) []group {
		mapping, out := filepath.Join(in, "metrics.hcl"), filepath.Join(t.TempDir(), "rules")
		check(t, os.WriteFile(mapping, []byte(`metric "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS" {
  name   = "drops"
  device = "switch"
  port   = "port"
  index  = "pg"
  with   = { type = `+hclText(text)+` }
}
`), 0o666))
		check(t, runOn(t, disk.System{}, "alerts", filepath.Join(in, "watched.hcl"), "--metrics", mapping, "-o", out))
		file := filepath.Join(out, "roce-rules.yml")
		files = append(files, file)
		written, err := os.ReadFile(file)
		check(t, err)
		var set struct{ Groups []group }
		check(t, yaml.Unmarshal(written, &set))
		dashboard, err := os.ReadFile(filepath.Join(out, "roce-dashboard.json"))
		check(t, err)
		if !json.Valid(dashboard) {
			t.Errorf("%q: the dashboard is no JSON", text)
		}
		return set.Groups
	}
	const label = `type="`
	want := rules("harmless")
	if len(want) == 0 || !strings.Contains(fmt.Sprint(want), label) {
		t.Fatalf("no rule has the label: %v", want)
	}
	for _, text := range texts {
		got := rules(text)
		for i := range got {
			for j := range got[i].Rules {
				expr, _ := got[i].Rules[j]["expr"].(string)
				for at := 0; ; at++ {
					next := strings.Index(expr[at:], label)
					if next < 0 {
						break
					}
					at += next + len(label) - 1
					quoted, err := strconv.QuotedPrefix(expr[at:])
					check(t, err)
					if value, err := strconv.Unquote(quoted); err != nil || value != text {
						t.Errorf("%q becomes %q", text, value)
					}
					expr = expr[:at] + `"harmless"` + expr[at+len(quoted):]
				}
				got[i].Rules[j]["expr"] = expr
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q makes other rules: %v", text, slices.Collect(maps.Keys(got[0].Rules[0])))
		}
	}
	if report, err := exec.Command(oracle.Command(t, "promtool", "prometheus"), files...).CombinedOutput(); err != nil {
		t.Errorf("promtool: %s", report)
	}
}
