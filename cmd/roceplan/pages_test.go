package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/docs"
	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/model/sim/hpcc"
)

const findingsPage = "docs/findings.md"

// documented are the packages whose codes have sections on one page; those of lint have a
// page each.
var documented = []struct{ folder, title string }{
	{"diag", "Syntax of fabric files"},
	{"policy", "The language of fabrics"},
	{"chips", "Files of chips and platforms"},
	{"calc", "Numbers of a fabric"},
	{"calc/headroom", "Tables of headroom"},
	{".", "Compiling"},
	{"emit/sonic", "Limits of SONiC"},
	{"emit/eos", "Limits of Arista EOS"},
	{"emit/openconfig", "Limits of OpenConfig"},
	{"emit/nvue", "Limits of NVUE"},
	{"emit/junos", "Limits of Junos"},
	{"emit/srlinux", "Limits of SR Linux"},
	{"emit/host", "Limits of hosts"},
	{"read/sonic", "Reading config_db.json of SONiC"},
	{"read/eos", "Reading a running-config of Arista EOS"},
	{"read/openconfig", "Reading OpenConfig"},
	{"read/nvue", "Reading NVUE's YAML"},
	{"read/junos", "Reading Junos"},
	{"read/srlinux", "Reading SR Linux"},
	{"read/nxos", "Reading a running-config of Cisco NX-OS"},
	{"read/dcb", "Reading the output of dcb"},
	{"verify", "Verifying files, fabric and topology"},
	{"cabling", "Cabling"},
	{"alerts", "Metric names for alerts"},
	{"adopt", "Importing running configurations"},
	{"observe", "Comparing counters with the plan"},
	{"observe/intake", "Reading counters"},
	{"patch", "Patches"},
	{"way", "Ways of rollouts"},
	{"model/sim/hpcc", "Files of the HPCC simulator"},
	{"model/sim/workload", "Traces of workloads"},
	{"cmd/roceplan/record", "Parts of a sweep"},
	{"cmd/roceplan", "The command line"},
}

// conditions are the obligations in words. Their titles are for tables and certificates.
var conditions = map[string]string{
	"ecn-before-pfc":         "ECN must mark all packets before PFC sends the first pause.",
	"egress-pool-holds":      "The egress pool must have room for all data that lossless priority groups can hold.",
	"egress-port-holds":      "If an egress port has its own limit, the limit must allow all data that the ingress ports can hold for it.",
	"headroom":               "The headroom must hold all data that arrives after a pause.",
	"headroom-pool":          "The headroom pool must hold all data that arrives after the pauses of its priority groups.",
	"kmax-below-queue-limit": "The queue must be able to reach Kmax, where it marks all packets.",
	"kmin-below-kmax":        "Kmin must not be above Kmax.",
	"lossy-leaves-lossless":  "Lossy traffic must leave room for one frame of each lossless priority group.",
	"memory":                 "Reserves, shared pools and headroom must fit into the memory of the chip.",
	"pause-reaches-peer":     "PFC must be enabled for a priority of the priority group, so that the peer obeys its pauses.",
	"pfc-before-drop":        "PFC must pause all senders before the queue drops packets.",
	"starvation":             "Strict queues must leave the other queues their promised share.",
	"watchdog-above-pause":   "The detection time of the watchdog must be at least ten times the longest pause.",
	"watchdog-above-poll":    "The timers of the watchdog must not be shorter than its polling interval.",
	"xon-below-xoff":         "When a priority group resumes, its headroom must be free again.",
}

// Every code has a page of its own, or a section that says what the comment of the code says
// and shows the finding as golden files have it.
func TestFindingsPage(t *testing.T) {
	t.Chdir("../..")
	var page strings.Builder
	page.WriteString("# Findings\n\nThis page explains the findings. `roceplan help CODE` prints one section. The rules of `roceplan verify` and `roceplan audit` are in [lint](lint/README.md). To regenerate this page, run: go test ./cmd/roceplan -run TestFindingsPage -update\n")
	samples := shownFindings(t)
	for _, d := range documented {
		fmt.Fprintf(&page, "\n# %s\n", d.title)
		for _, c := range codesIn(t, filepath.Join(d.folder, "codes.go")) {
			fmt.Fprintf(&page, "\n## %s\n\n%s\n", c.code, c.text)
			if sample := samples[c.code]; sample != "" {
				fmt.Fprintf(&page, "\nIt looks like this:\n\n%s\n", sample)
			}
		}
	}
	page.WriteString("\n# Proof obligations\n\nThe code of a failed obligation is `proof-` and its ID.\n")
	for _, o := range obligations(t) {
		if conditions[o.ID] == "" {
			t.Errorf("the obligation %s (%s) has no condition in words", o.ID, o.Title)
		}
		lossless := "Otherwise throughput or fairness suffers, but no lossless packet is lost."
		if o.Lossless {
			lossless = "Otherwise lossless packets can be lost: `roceplan verify --counterexample FILE` writes an example."
		}
		fmt.Fprintf(&page, "\n## proof-%s\n\n%s %s `roceplan verify --certificate FILE` writes both sides of the inequality with all terms.\n", o.ID, conditions[o.ID], lossless)
		if sample := samples["proof-"+o.ID]; sample != "" {
			fmt.Fprintf(&page, "\nIt looks like this:\n\n%s\n", sample)
		}
	}
	fmt.Fprintf(&page, "\n## %s\n\nThe proof assumes a property of a peer or chip that is not declared. The finding gives the assumption, the limit in the standard, and where to declare the property. This is not a failure.\n\nDeclare properties of a peer in the fabric, with `pause_response` in its `nic` block or in the `port_group`. Declare properties of a chip in a chip file, and pass its folder with `--chips DIR` (see `roceplan help chips`):\n\n    chip \"trident3\" {\n      extends = \"trident3\"\n\n      xoff_decided {\n        value      = \"start\"\n        confidence = \"measured\"\n        source     = \"our laboratory, report 12\"\n      }\n    }\n\nIt looks like this:\n\n%s\n", proofAssumed, samples[proofAssumed])
	if *update {
		check(t, os.WriteFile(findingsPage, []byte(page.String()), 0o666))
		file, err := packed.Pack(page.String())
		check(t, err)
		check(t, os.WriteFile("docs/findings.flate", file, 0o666))
		return
	}
	want, err := os.ReadFile(findingsPage)
	check(t, err)
	must.NoDiffIn(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(page.String(), "\n")), "%s (-page +code):", findingsPage)
	inProgram, err := os.ReadFile("docs/findings.flate")
	check(t, err)
	if packed.Text(string(inProgram)) != page.String() {
		t.Errorf("docs/findings.flate is not %s; -update writes both", findingsPage)
	}
}

// A documentedCode is a code with the comment on it: paragraphs, and examples that are
// indented.
type documentedCode struct{ code, text string }

func codesIn(t *testing.T, path string) (codes []documentedCode) {
	tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	check(t, err)
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			code, err := strconv.Unquote(lit.Value)
			check(t, err)
			codes = append(codes, documentedCode{code, asMarkdown(spec.Doc.Text())})
		}
		return true
	})
	return codes
}

// asMarkdown joins the lines of paragraphs, and leaves those of examples.
func asMarkdown(comment string) string {
	var blocks []string
	for block := range strings.SplitSeq(strings.TrimSpace(comment), "\n\n") {
		if strings.HasPrefix(block, "\t") {
			blocks = append(blocks, "    "+strings.ReplaceAll(strings.ReplaceAll(block, "\n\t", "\n    "), "\t", ""))
		} else {
			blocks = append(blocks, strings.Join(strings.Fields(block), " "))
		}
	}
	return strings.Join(blocks, "\n\n")
}

var (
	findingLine = regexp.MustCompile(`^(?:[^ ][^ ]*:[0-9]+:[0-9]+: )?(?:error|warning)\[([a-z0-9-]+)\]: `)
	wanted      = regexp.MustCompile(`\s*(?:#|//|!) want .*$`)
)

// shownFindings has the shortest finding of each code that golden files show, as a person
// sees it: the line, the excerpt and the repair. Bad inputs go before scripts, which change
// with everything.
func shownFindings(t *testing.T) map[string]string {
	inputs, rest := map[string]string{}, map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".txtar" && ext != ".txt" {
			return err
		}
		samples := inputs
		switch {
		case strings.HasPrefix(path, "golden/diag/"), strings.Contains(path, "/testdata/"):
		case strings.HasPrefix(path, "golden/"):
			samples = rest
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		collectFindings(strings.Split(string(text), "\n"), samples)
		return err
	})
	check(t, err)
	maps.Copy(rest, inputs)
	return rest
}

func collectFindings(lines []string, samples map[string]string) {
	const longest = 300 // of a line that anybody reads
	for i, line := range lines {
		m := findingLine.FindStringSubmatch(line)
		if m == nil || len(line) > longest {
			continue
		}
		sample := []string{"    " + line}
		for _, more := range lines[i+1:] {
			if !strings.HasPrefix(more, "   ") || len(more) > longest || strings.HasPrefix(more, "      = see ") {
				break
			}
			sample = append(sample, "    "+strings.TrimRight(wanted.ReplaceAllString(more, ""), " "))
		}
		text := strings.Join(sample, "\n")
		if have, known := samples[m[1]]; !known || len(sample) > 1 && len(text) < len(have) || !strings.Contains(have, "\n") && len(sample) > 1 {
			samples[m[1]] = text
		}
	}
}

// obligations are all that are stated of the examples, each once, by ID.
func obligations(t *testing.T) (all []proof.Obligation) {
	for _, example := range fabrics(t, examples) {
		for _, j := range newWorkshop(t, example).judged {
			for _, o := range j.Obligations {
				if !slices.ContainsFunc(all, func(have proof.Obligation) bool { return have.ID == o.ID }) {
					all = append(all, o)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b proof.Obligation) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// roceplan help CODE prints a page for every code that any package has.
func TestHelpOfEveryCode(t *testing.T) {
	t.Chdir("../..")
	var folders []string
	for _, d := range documented {
		folders = append(folders, filepath.Join(d.folder, "codes.go"))
	}
	count := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "codes.go" {
			return err
		}
		if !slices.Contains(folders, path) && path != filepath.Join("lint", "codes.go") {
			t.Errorf("%s has no title in documented", path)
		}
		for _, c := range codesIn(t, path) {
			count++
			var stdout, stderr strings.Builder
			code := run([]string{"help", c.code}, strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
			if code != exitFine || !strings.HasPrefix(stdout.String(), "# "+c.code+"\n") || len(stdout.String()) < len(c.code)+20 {
				t.Errorf("help %s: exit code %d, %q%s", c.code, code, stdout.String(), stderr.String())
			}
		}
		return nil
	})
	check(t, err)
	if count < 250 {
		t.Errorf("%d codes were found, too few to mean anything", count)
	}
	for _, code := range docs.Codes() {
		if _, ok := docs.Page(code); !ok {
			t.Errorf("%s is listed and has no page", code)
		}
	}
}

// A code of lint leads to its page, any other to its section.
func TestPageOf(t *testing.T) {
	for _, page := range must.Get(filepath.Glob("../../docs/lint/*-*.md"))(t) {
		name := filepath.Base(page)
		must.Equalf(t, pageOf(diag.Code(strings.TrimSuffix(name, ".md"))), pagesURI+"lint/"+name, "%s leads to", name)
	}
	must.Equalf(t, pageOf(diag.Code("sonic-number")), pagesURI+"findings.md#sonic-number", "sonic-number leads to")
}

// docs/sim-results.md explains every field that sim prints, and none that it does not.
func TestResultsPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/sim-results.md")
	check(t, err)
	fields := map[string]bool{}
	for _, of := range []any{jsonPatterns{}, hpcc.Report{}, record.Line{}} {
		jsonFields(reflect.TypeOf(of), fields)
	}
	if len(fields) < 80 {
		t.Fatalf("%d fields found, too few to mean anything", len(fields))
	}
	told := map[string]bool{}
	word := regexp.MustCompile("`([a-z0-9_]+)`")
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, match := range word.FindAllStringSubmatch(cells[1], -1) {
			told[match[1]] = true
		}
	}
	for name := range fields {
		if !told[name] {
			t.Errorf("docs/sim-results.md does not explain %q", name)
		}
	}
	for name := range told {
		if !fields[name] {
			t.Errorf("docs/sim-results.md explains %q, which no result has", name)
		}
	}
}

// jsonFields collects the names of a type's fields and of what they hold. What tune prints
// has a page of its own.
func jsonFields(of reflect.Type, names map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		jsonFields(of.Elem(), names)
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name == "-" || !f.IsExported() && !f.Anonymous:
				continue
			case name != "":
				names[name] = true
			}
			if name != "tuning" {
				jsonFields(f.Type, names)
			}
		}
	}
}

// Every command of roceplan on a page stands in the script that runs the page, in the same
// order; findings that the page shows stand there as they are.
func TestPagesAreRun(t *testing.T) {
	for name, least := range map[string]struct{ commands, findings int }{"adopt": {6, 2}, "observe": {4, 2}} {
		t.Run(name, func(t *testing.T) { pageIsRun(t, name, least.commands, least.findings) })
	}
}

func pageIsRun(t *testing.T, name string, leastCommands, leastFindings int) {
	page := must.Get(os.ReadFile("../../docs/" + name + ".md"))(t)
	script := must.Get(os.ReadFile("../../golden/script/" + name + ".txtar"))(t)
	rest := string(script)
	commands, findings := 0, 0
	for line := range strings.SplitSeq(string(page), "\n") {
		if strings.Contains(line, ": warning[") || strings.Contains(line, ": error[") {
			findings++
			if finding := strings.TrimSpace(line); !strings.Contains(string(script), "\n"+finding+"\n") {
				t.Errorf("the script does not print: %s", finding)
			}
		}
		command, ok := strings.CutPrefix(line, "    roceplan ")
		if !ok {
			continue
		}
		commands++
		_, after, found := strings.Cut(rest, " roceplan "+command+"\n")
		if !found {
			t.Errorf("the script does not run, after what stands before it: roceplan %s", command)
			continue
		}
		rest = after
	}
	if commands < leastCommands || findings < leastFindings {
		t.Errorf("the page has %d commands and %d findings", commands, findings)
	}
}
